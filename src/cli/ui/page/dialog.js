// Dialogs: questions that need an answer before anything happens.

import { h, show } from "./dom.js";
import { button } from "./parts.js";

/** What had the focus before. @type {Element | null} */
let before = null;

/** @param {string} title @param {...unknown} children */
export function open(title, ...children) {
  before = document.activeElement;
  show(
    "dialog",
    h(
      "dialog",
      { "aria-labelledby": "dialog-title", "data-key": title },
      h("div", { class: "heading" }, h("h1", { id: "dialog-title" }, title), button("close", "×", { class: "icon", "aria-label": "Close" })),
      children,
    ),
  );
  const dialog = document.querySelector("#dialog dialog");
  if (dialog instanceof HTMLDialogElement) {
    dialog.addEventListener("close", () => close());
    dialog.showModal();
  }
}

export function close() {
  show("dialog");
  if (before instanceof HTMLElement) before.focus();
  before = null;
}

/** Tells in a form of the dialog why nothing came of it. @param {HTMLFormElement} form @param {string} why */
export function refuse(form, why) {
  let place = form.querySelector(".problem");
  if (!place) {
    place = h("p", { class: "problem", role: "alert" });
    form.append(place);
  }
  place.textContent = why;
  const first = form.querySelector("input[name=text]");
  if (first instanceof HTMLInputElement) first.focus();
}

export function isOpen() {
  return document.querySelector("#dialog dialog") !== null;
}

/**
 * Asks for a line of text.
 * @param {string} title @param {string} label @param {string} act @param {string} value @param {Record<string, string>} data
 */
export function ask(title, label, act, value, data = {}) {
  open(
    title,
    h(
      "form",
      { "data-act": act, ...data },
      h("label", null, label, h("input", { name: "text", value, autofocus: true, size: 48, autocomplete: "off", spellcheck: "false" })),
      h("div", { class: "buttons" }, h("button", { type: "submit", class: "primary" }, "Do it"), button("close", "Leave it", { class: "second" })),
    ),
  );
}
