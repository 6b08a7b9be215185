// What keys do.

import * as dialog from "./dialog.js";
import { VIEWS } from "./store.js";

/** Keys and what they are for, as the sheet of keys tells it. */
export const KEYS = [
  ["a", "add the first conjecture"],
  ["j, k", "the next, the previous conjecture"],
  ["], [", "the next, the previous counterexample"],
  ["u, Shift-u", "undo, redo"],
  ["e", "show the execution that reaches the facts"],
  ["n", "type a conjecture"],
  ["w", "write the model"],
  ["1 to 5", "Induction, Proof, Executions, Simulate, Model"],
  ["arrows", "the next, the previous state of an execution"],
  ["s", "stop what runs"],
  ["?", "this list"],
  ["Escape", "close"],
];

/**
 * Carries out what a key asks for.
 * @param {import("./store.js").Store} store
 * @param {KeyboardEvent} event
 * @param {(act: string, data?: DOMStringMap) => void} perform carries out what a click with these data does
 */
export function onKey(store, event, perform) {
  const target = event.target instanceof Element ? event.target : document.body;
  const isTyping = target.closest("input, textarea, select") !== null;
  if (isTyping || event.ctrlKey || event.metaKey || event.altKey) return;
  const arrows = store.view === "executions" || store.view === "simulate";
  if (arrows && (event.key === "ArrowRight" || event.key === "ArrowLeft")) {
    const count = Number(document.querySelector(".time input[type=range]")?.getAttribute("max") ?? 0);
    const step = Math.min(store.step, count) + (event.key === "ArrowRight" ? 1 : -1);
    perform("step", { step: String(Math.max(0, Math.min(count, step))) });
    event.preventDefault();
    return;
  }
  if (store.keysOff && event.key !== "?") return;
  if (dialog.isOpen()) {
    const write = document.querySelector("#dialog [data-act=do-write]");
    if (event.key === "w" && write instanceof HTMLElement) perform("do-write", write.dataset);
    return;
  }
  const number = store.selected()?.number ?? 1;
  const cards = store.offered.length;
  switch (event.key) {
    case "a": {
      const first = document.querySelector(".suggestion.first");
      if (first instanceof HTMLElement) perform("add", first.dataset);
      break;
    }
    case "j":
      perform("choose", { at: String(Math.min(cards - 1, store.chosen + 1)) });
      break;
    case "k":
      perform("choose", { at: String(Math.max(0, store.chosen - 1)) });
      break;
    case "]":
      perform("number", { number: String(number + 1) });
      break;
    case "[":
      perform("number", { number: String(number - 1) });
      break;
    case "u":
      perform("undo");
      break;
    case "U":
      perform("redo");
      break;
    case "e":
      perform("execution");
      break;
    case "n":
      event.preventDefault();
      perform("own");
      break;
    case "w":
      perform("write");
      break;
    case "s":
      perform("stop-all");
      break;
    case "?":
      perform("help");
      break;
    default:
      if (/^[1-5]$/u.test(event.key)) perform("view", { view: VIEWS[Number(event.key) - 1] });
  }
}
