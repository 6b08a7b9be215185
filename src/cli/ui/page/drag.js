// Pictures that are larger than their place are dragged in it.

/** Pixels that a pointer may move while it is pressed and still clicks. */
const SLACK = 4;

/**
 * A pointer that is pressed on a picture, where it was pressed, and what was scrolled to then.
 * @typedef {{id: number, place: HTMLElement, x: number, y: number, left: number, top: number, isMoving: boolean}} Drag
 */

/** Begins to watch pointers. Fingers scroll without this. */
export function watchDrags() {
  /** @type {Drag | null} */
  let drag = null;

  document.addEventListener("pointerdown", (event) => {
    const place = event.target instanceof Element ? event.target.closest(".picture.wide") : null;
    if (!(place instanceof HTMLElement) || event.button !== 0 || event.pointerType === "touch" || isOnBar(event, place)) return;
    drag = { id: event.pointerId, place, x: event.clientX, y: event.clientY, left: place.scrollLeft, top: place.scrollTop, isMoving: false };
  });

  document.addEventListener("pointermove", (event) => {
    if (event.pointerId !== drag?.id) return;
    const [right, down] = [event.clientX - drag.x, event.clientY - drag.y];
    if (!drag.isMoving && Math.hypot(right, down) <= SLACK) return;
    if (!drag.isMoving) {
      drag.isMoving = true;
      document.body.classList.add("dragging");
      // A pointer that leaves the window is followed.
      drag.place.setPointerCapture(drag.id);
    }
    drag.place.scrollTo(drag.left - right, drag.top - down);
  });

  for (const kind of ["pointerup", "pointercancel"]) {
    document.addEventListener(kind, (event) => {
      if (!(event instanceof PointerEvent) || event.pointerId !== drag?.id) return;
      if (drag.isMoving) skipClick();
      drag = null;
      document.body.classList.remove("dragging");
    });
  }
}

/** Keeps the click that ends a drag from those who wait for clicks. There is none where the pointer has left the window. */
function skipClick() {
  const skip = (/** @type {Event} */ event) => event.stopPropagation();
  document.addEventListener("click", skip, { capture: true, once: true });
  setTimeout(() => document.removeEventListener("click", skip, true), 0);
}

/** Whether a pointer is on a scroll bar. @param {PointerEvent} event @param {HTMLElement} place */
function isOnBar(event, place) {
  const { left, top } = place.getBoundingClientRect();
  return event.clientX - left >= place.clientWidth || event.clientY - top >= place.clientHeight;
}
