// Formulas as people read them.

import { h } from "./dom.js";

const SIGNS = new Map([
  ["<->", "↔"], ["->", "→"], ["!=", "≠"], ["&", "∧"], ["|", "∨"], ["!", "¬"], ["~", "¬"],
]);
const TOKEN = /\s+|forall\b|exists\b|∀|∃|<->|->|!=|[&|!~]|[A-Za-z_][A-Za-z0-9_]*(?:\.[A-Za-z_][A-Za-z0-9_]*)*|./gu;

/**
 * Returns a formula as elements: signs of logic, variables and symbols told apart, sorts of variables left out.
 * @param {string} text
 * @param {{text: string, value: boolean}[]} [atoms] atoms whose truth is shown
 * @returns {Element}
 */
export function formula(text, atoms = []) {
  const children = [];
  /** Names of bound variables. @type {Set<string>} */
  const bound = new Set();
  let start = 0;
  for (const atom of places(text, atoms)) {
    children.push(...tokens(text.slice(start, atom.at), bound));
    const word = atom.value ? "true" : "false";
    children.push(
      h("span", { class: `atom ${word}`, title: `${word} here` }, tokens(atom.text, bound), h("sup", null, word)),
    );
    start = atom.at + atom.text.length;
  }
  children.push(...tokens(text.slice(start), bound));
  return h("code", { class: "formula", "data-formula": text }, children);
}

/**
 * Finds atoms in a formula, from left to right.
 * @param {string} text
 * @param {{text: string, value: boolean}[]} atoms
 */
function places(text, atoms) {
  const found = [];
  let from = 0;
  for (const atom of atoms) {
    const at = text.indexOf(atom.text, from);
    if (at < 0) continue;
    found.push({ ...atom, at });
    from = at + atom.text.length;
  }
  return found;
}

/** @param {string} text @param {Set<string>} bound @returns {unknown[]} */
function tokens(text, bound) {
  const out = [];
  /** Whether names are those of bound variables, up to a full stop. */
  let binding = false;
  let isSort = false;
  for (const [token] of text.matchAll(TOKEN)) {
    if (token === "forall" || token === "∀") {
      out.push(h("span", { class: "quantifier" }, "∀"));
      binding = true;
    } else if (token === "exists" || token === "∃") {
      out.push(h("span", { class: "quantifier" }, "∃"));
      binding = true;
    } else if (binding && (token === ":" || isSort)) {
      // Sorts of variables follow from what the formula says of them.
      isSort = token === ":" || (token !== "," && token !== ".");
      if (token === ".") binding = false;
      if (token === ".") out.push(".");
    } else if (binding && token === ".") {
      binding = false;
      out.push(".");
    } else if (binding && token === ",") {
      out.push(" ");
    } else if (SIGNS.has(token)) {
      out.push(h("span", { class: "sign" }, SIGNS.get(token)));
    } else if (/^[A-Za-z_]/u.test(token) && (binding || bound.has(token) || /^[A-Z]/u.test(token))) {
      if (binding) bound.add(token);
      out.push(h("var", null, token));
    } else if (/^[a-z_]/u.test(token)) {
      out.push(h("b", null, token));
    } else if (!(binding && /^\s+$/u.test(token) && out.length > 1 && out.at(-1) === " ")) {
      out.push(token);
    }
  }
  return out;
}

/**
 * Returns a formula as one line of text with signs of logic, for names of buttons.
 * @param {string} text
 */
export function plain(text) {
  return formula(text).textContent ?? text;
}
