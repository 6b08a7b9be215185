// Elements from data, and their adaptation to what a page shows next. Nothing here makes markup from strings.

const SVG = "http://www.w3.org/2000/svg";
const SVG_TAGS = new Set(["svg", "g", "path", "rect", "line", "circle", "text", "marker", "title"]);

/**
 * Makes an element. Attributes with the value `null`, `undefined` or `false` are left out.
 * @param {string} tag
 * @param {Record<string, unknown> | null} attributes
 * @param {...unknown} children text, elements, lists of these; others are left out
 * @returns {Element}
 */
export function h(tag, attributes, ...children) {
  const element = SVG_TAGS.has(tag) ? document.createElementNS(SVG, tag) : document.createElement(tag);
  for (const [name, value] of Object.entries(attributes ?? {})) {
    if (value === null || value === undefined || value === false) continue;
    element.setAttribute(name, value === true ? "" : String(value));
  }
  append(element, children);
  return element;
}

/** @param {Element} element @param {unknown[]} children */
function append(element, children) {
  for (const child of children) {
    if (Array.isArray(child)) append(element, child);
    else if (child instanceof Node) element.append(child);
    else if (child !== null && child !== undefined && child !== false && child !== true) element.append(String(child));
  }
}

/** @type {Map<string, Element>} */
const pictures = new Map();
const MAX_PICTURES = 400;

/**
 * Reads a picture. The text comes from the server of this page; it is parsed as XML, in which nothing is executed.
 * @param {string} text
 * @param {string} label
 * @returns {Element}
 */
export function picture(text, label) {
  let known = pictures.get(text);
  if (!known) {
    const parsed = new DOMParser().parseFromString(text, "image/svg+xml").documentElement;
    known = parsed.nodeName === "svg" ? parsed : h("p", { class: "empty" }, "This picture cannot be drawn.");
    if (pictures.size > MAX_PICTURES) pictures.clear();
    pictures.set(text, known);
  }
  const copy = /** @type {Element} */ (document.importNode(known, true));
  return h("div", { class: "picture", "aria-label": label, role: "group" }, copy);
}

/**
 * Changes an element's children into those of another one, and keeps what is the same: focus, selections and scroll
 * positions stay. Children with a `data-key` are found by it.
 * @param {Element} from
 * @param {Element} to
 */
export function morph(from, to) {
  for (const { name } of [...from.attributes]) {
    // A person has opened these.
    const isOpened = name === "open" && from instanceof HTMLDetailsElement;
    if (!to.hasAttribute(name) && !isOpened) from.removeAttribute(name);
  }
  for (const { name, value } of [...to.attributes]) {
    if (from.getAttribute(name) !== value) from.setAttribute(name, value);
  }
  if (from instanceof HTMLInputElement && to instanceof HTMLInputElement) {
    if (document.activeElement !== from) from.value = to.value;
    from.checked = to.checked;
    return;
  }
  if (from instanceof HTMLTextAreaElement) return;
  /** @type {Map<string, Element>} */
  const keyed = new Map();
  for (const child of from.children) {
    const key = child.getAttribute("data-key");
    if (key !== null) keyed.set(key, child);
  }
  let at = from.firstChild;
  for (const wanted of [...to.childNodes]) {
    const key = wanted instanceof Element ? wanted.getAttribute("data-key") : null;
    let found = key === null ? at : (keyed.get(key) ?? null);
    if (key === null) {
      // A child with a key belongs to another place.
      while (found instanceof Element && found.hasAttribute("data-key")) found = found.nextSibling;
    }
    if (found && found.nodeName === wanted.nodeName && found.nodeType === wanted.nodeType) {
      if (found === at) at = at?.nextSibling ?? null;
      else if (at && found.contains(document.activeElement) && at.compareDocumentPosition(found) & Node.DOCUMENT_POSITION_FOLLOWING) {
        // An element that moves loses the focus, so what stands before it goes behind all.
        while (at && at !== found) {
          const next = /** @type {ChildNode | null} */ (at.nextSibling);
          from.append(at);
          at = next;
        }
        at = found.nextSibling;
      } else from.insertBefore(found, at);
      if (found instanceof Element && wanted instanceof Element) morph(found, wanted);
      else if (found.nodeValue !== wanted.nodeValue) found.nodeValue = wanted.nodeValue;
    } else {
      from.insertBefore(wanted, at);
    }
  }
  while (at) {
    const next = at.nextSibling;
    at.remove();
    at = next;
  }
}

/**
 * Shows content in an element of the page.
 * @param {string} id
 * @param {...unknown} children
 */
export function show(id, ...children) {
  const place = document.getElementById(id);
  if (!place) return;
  const wanted = /** @type {Element} */ (place.cloneNode(false));
  append(wanted, children);
  morph(place, wanted);
}
