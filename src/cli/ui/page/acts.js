// What clicks do.

import { completions } from "./completion.js";
import { dialogs } from "./dialogs.js";
import { falseAfter, names } from "./parts.js";
import { isRemovable } from "./store.js";

/** @import { Counterexample, Fact } from "./wire.js" */

/** @typedef {(data: DOMStringMap, event: Event) => unknown} Act */

/**
 * What becomes of a click on a part of the page with the attribute `data-act`.
 * @param {import("./store.js").Store} store
 * @returns {Record<string, Act>}
 */
export function acts(store) {
  return { ...dialogs(store), ...inOrder(ofSelection(store)), ...ofConjectures(store), ...ofView(store) };
}

/** Begins each act when the one before is over: what a click means depends on what the one before has changed. @param {Record<string, Act>} all @returns {Record<string, Act>} */
function inOrder(all) {
  let last = Promise.resolve();
  const later = (/** @type {Act} */ act) => (/** @type {DOMStringMap} */ data, /** @type {Event} */ event) => {
    // The element may show something else by then.
    const now = { ...data };
    const next = last.then(() => act(now, event)).then(() => {});
    last = next.catch(() => {});
    return next;
  };
  return Object.fromEntries(Object.entries(all).map(([name, act]) => [name, later(act)]));
}

/** The counterexample that is looked at, and what is said of its facts. @param {import("./store.js").Store} store @returns {Record<string, Act>} */
function ofSelection(store) {
  return {
    async cell(data) {
      if (data.outcome === "failed") {
        store.pages.delete("claims");
        await store.command({ do: "select", claim: data.claim ?? "", action: data.action ?? "", number: 1 });
        store.tab = "counterexample";
        store.go("induction");
      } else {
        store.focus = data.claim ?? null;
        store.go("proof");
      }
    },
    number(data) {
      const number = Number(data.number);
      const shown = store.selected();
      const count = store.slots.get("counterexamples")?.value?.counterexamples?.length ?? 1;
      if (shown && number >= 1 && number <= count) return store.command({ do: "select", claim: shown.claim, action: shown.action, number });
    },
    async fact(data, event) {
      const id = data.fact ?? "";
      await store.fix();
      const { selected } = store.session;
      if (!selected) return;
      const fact = store.facts().find((it) => it.id === id);
      if (!fact) return;
      const isPin = event instanceof MouseEvent ? event.shiftKey : event instanceof KeyboardEvent && event.shiftKey;
      const list = isPin ? selected.kept : selected.dropped;
      const said = list.filter((/** @type {string} */ item) => names(item, fact));
      if (said.length === 0) await store.command({ do: isPin ? "keep" : "drop", fact: id });
      else for (const item of said) await release(store, item, fact);
    },
    async element(data) {
      await store.fix();
      const { selected } = store.session;
      const item = data.element ?? "";
      if (selected) await store.command({ do: selected.dropped.includes(item) ? "release" : "drop", fact: item });
    },
    async symbol(data) {
      await store.fix();
      const { selected } = store.session;
      const item = data.item ?? "";
      if (!selected) return;
      const said = selected.dropped.filter((/** @type {string} */ it) => it === item || it === item.slice(1));
      if (said.length === 0) await store.command({ do: "drop", fact: item });
      else for (const it of said) await store.command({ do: "release", fact: it });
    },
    release(data) {
      return store.command({ do: "release", fact: data.fact ?? "" });
    },
    async reset() {
      const { selected } = store.session;
      for (const fact of [...(selected?.dropped ?? []), ...(selected?.kept ?? [])]) await store.command({ do: "release", fact });
    },
    async keep(data) {
      await store.fix();
      for (const fact of JSON.parse(data.facts ?? "[]")) {
        const found = store.facts().find((it) => it.id === fact);
        for (const item of store.session.selected?.dropped ?? []) {
          if (found && names(item, found)) await release(store, item, found);
        }
        await store.command({ do: "keep", fact });
      }
    },
    bound(data) {
      return store.command({ do: "bound", steps: Number(data.steps) });
    },
  };
}

/** Conjectures: suggestions, the person's own, what inference found. @param {import("./store.js").Store} store @returns {Record<string, Act>} */
function ofConjectures(store) {
  return {
    add(data) {
      const it = store.offered[Number(data.at)];
      store.chosen = 0;
      store.judged = null;
      store.bounded = null;
      store.pages.delete("claims");
      if (it) return store.command({ do: "add", formula: it.formula, from: "suggestion" });
    },
    choose(data) {
      store.chosen = Number(data.at);
      store.changed();
    },
    async "add-lemma"(data) {
      await store.command({ do: "add", formula: data.formula ?? "", from: "inference" });
    },
    async "add-all"(data) {
      const found = store.slots.get("inference")?.value;
      if (!found || found.inductive === undefined) return;
      const { lemmas, failing } = found;
      store.wantsInference = false;
      const isWrong = (/** @type {string} */ claim) => isRemovable(store, claim);
      const removed = data.remove ? (failing ?? []).filter(isWrong) : [];
      for (const formula of lemmas) if (!(await store.command({ do: "add", formula, from: "inference" }))) return;
      for (const claim of removed) if (!(await store.command({ do: "remove", claim, why: "not inductive with the lemmas of an inference" }))) return;
    },
    edit(data) {
      store.own = store.offered[Number(data.at)]?.formula ?? "";
      store.ownError = "";
      store.changed();
      setTimeout(() => document.getElementById("own")?.focus(), 30);
    },
    own() {
      store.own = store.own ?? "";
      store.tab = "conjectures";
      store.changed();
      setTimeout(() => document.getElementById("own")?.focus(), 30);
    },
    "own-close"() {
      store.own = null;
      store.judged = null;
      store.changed();
    },
    async "own-add"() {
      const text = ownText(store);
      if (await store.command({ do: "add", formula: text, from: "own" })) {
        store.own = null;
        store.judged = null;
        store.bounded = null;
      } else {
        store.own = text;
        store.ownError = store.error;
        store.error = "";
      }
      store.changed();
    },
    "own-judge"() {
      store.own = ownText(store);
      store.judged = store.own;
      store.bounded = null;
      store.changed();
    },
    complete(data) {
      const place = document.getElementById("own");
      if (!(place instanceof HTMLTextAreaElement)) return;
      const end = place.selectionStart;
      const start = end - (/[A-Za-z0-9_]*$/u.exec(place.value.slice(0, end))?.[0].length ?? 0);
      place.setRangeText(data.name ?? "", start, end, "end");
      place.focus();
      complete(store, place);
    },
    judge(data) {
      const formula = store.offered[Number(data.at)]?.formula ?? null;
      store.judged = store.judged === formula ? null : formula;
      store.bounded = null;
      store.changed();
    },
    bounded() {
      store.forget("bounded");
      store.bounded = { formula: store.judged, depth: store.depth };
      store.changed();
    },
    "show-failed"(data) {
      const it = store.slots.get("induction")?.value?.failed?.[Number(data.at)];
      if (it) showExecution(store, "A step that breaks the conjecture", it.counterexample);
    },
    "show-left"() {
      const it = store.slots.get("sufficient")?.value?.counterexample;
      if (it) showExecution(store, "A counterexample that is left", it);
    },
    "show-violation"() {
      const found = store.violation();
      if (found?.execution) showExecution(store, falseAfter(found), found.execution);
    },
    anyway() {
      store.wantsAnyway = true;
      store.changed();
    },
    "show-inferred"() {
      const found = store.slots.get("inference")?.value;
      if (found?.inductive !== undefined && found.execution) showExecution(store, falseAfter(found), found.execution);
    },
    "show-bounded"() {
      const it = store.slots.get("bounded")?.value;
      if (it?.execution) showExecution(store, falseAfter(it), it.execution);
    },
    "why-refuted"(data) {
      const selected = store.selected();
      const facts = data.facts && selected ? JSON.parse(data.facts) : null;
      const { claim = "", action = "", number = 1 } = selected ?? {};
      store.why = facts ? { q: "reach", claim, action, number, facts } : { q: "bounded", formula: data.formula, depth: Number(data.steps) };
      store.execution = null;
      store.step = Number.MAX_SAFE_INTEGER;
      store.go("executions");
    },
    infer() {
      store.wantsInference = true;
      store.changed();
    },
    houdini() {
      store.houdini = (store.slots.get("suggestions")?.value?.suggestions ?? []).map((it) => it.formula);
      store.changed();
    },
  };
}

/** What is shown. @param {import("./store.js").Store} store @returns {Record<string, Act>} */
function ofView(store) {
  return {
    view(data) {
      if (data.view === "conjectures") {
        store.tab = "conjectures";
        store.changed();
        return;
      }
      store.go(data.view ?? "induction");
    },
    page(data) {
      store.pages.set(data.list ?? "", Number(data.first));
      store.changed();
    },
    zoom(data) {
      const by = Number(data.by);
      store.zoom = by === 0 ? 1 : Math.max(0.5, Math.min(6, store.zoom * by));
      store.changed();
    },
    tab(data) {
      store.tab = data.tab ?? "counterexample";
      store.changed();
    },
    execution() {
      const found = store.slots.get("generalization")?.value;
      if (found?.execution) showExecution(store, `A state with these facts, after ${found.reached} ${found.reached === 1 ? "step" : "steps"}`, found.execution);
    },
    "other-execution"() {
      store.execution = null;
      store.why = null;
      store.changed();
    },
    remember() {
      const found = store.execution ?? store.slots.get("executions")?.value;
      if (found?.execution) store.other = { title: store.execution?.title ?? "violation", execution: found.execution };
      store.changed();
    },
    step(data) {
      store.step = Number(data.step);
      store.changed();
    },
    as(data) {
      store.executionAs = data.as ?? "picture";
      store.changed();
    },
    rows(data) {
      store.firstRow = Number(data.first);
      store.changed();
    },
    focus(data) {
      store.focus = store.focus === data.claim ? null : (data.claim ?? null);
      store.changed();
    },
    "save-pictures"() {
      const pictures = [...document.querySelectorAll(".state .picture > svg")];
      for (const [at, picture] of pictures.entries()) {
        const address = URL.createObjectURL(new Blob([new XMLSerializer().serializeToString(picture)], { type: "image/svg+xml" }));
        const link = document.createElement("a");
        link.href = address;
        link.download = `state${pictures.length > 1 ? at : store.view === "induction" ? 0 : store.step}.svg`;
        link.click();
        // The browser reads it later.
        setTimeout(() => URL.revokeObjectURL(address), 60_000);
      }
    },
    undo: () => store.change({ m: "undo" }),
    redo: () => store.change({ m: "redo" }),
    stop(data) {
      store.stop(/** @type {keyof import("./store.js").Answers} */ (data.slot ?? ""));
    },
    "stop-all"() {
      for (const [name, slot] of store.slots) if (slot.isRunning) store.stop(name);
    },
    resume() {
      store.stopped.clear();
      for (const [name, slot] of store.slots) if (slot.isStopped) store.forget(name);
      store.changed();
    },
    theme() {
      const root = document.documentElement;
      const isDark = root.dataset.theme ? root.dataset.theme === "dark" : matchMedia("(prefers-color-scheme: dark)").matches;
      root.dataset.theme = isDark ? "light" : "dark";
      sessionStorage.setItem("ramsey-theme", root.dataset.theme);
    },
    forget() {
      store.error = "";
      store.changed();
    },
    reload: () => store.change({ m: "reload" }),
    start(_, event) {
      const form = event.target;
      if (!(form instanceof HTMLFormElement)) return;
      const sizes = Object.fromEntries([...new FormData(form)].filter(([, value]) => value !== "").map(([name, value]) => [name, Number(value)]));
      store.step = 0;
      return store.command({ do: "start", sizes });
    },
    async take(data) {
      const walk = store.session.walk;
      if (!walk) return;
      const at = Number(data.at);
      if (at < walk.calls.length) {
        // From an earlier state another walk begins.
        await store.command({ do: "back", steps: at });
      }
      await store.command({ do: "take", action: data.action ?? "", args: JSON.parse(data.args ?? "[]") });
      store.step = store.session.walk?.calls.length ?? 0;
      store.changed();
    },
  };
}

/** Takes back what was said of a fact; what was said of others by the same words stays. @param {import("./store.js").Store} store @param {string} item @param {Fact} fact */
async function release(store, item, fact) {
  const isKept = store.session.selected?.kept.includes(item);
  await store.command({ do: "release", fact: item });
  if (item === fact.id) return;
  for (const other of store.facts()) {
    if (other.id !== fact.id && names(item, other)) await store.command({ do: isKept ? "keep" : "drop", fact: other.id });
  }
}

/** @param {import("./store.js").Store} store @param {string} title @param {Counterexample} execution */
function showExecution(store, title, execution) {
  store.execution = { title, execution };
  store.why = null;
  store.step = execution.states.length - 1;
  store.go("executions");
}

/** @param {import("./store.js").Store} store */
function ownText(store) {
  const place = document.getElementById("own");
  return place instanceof HTMLTextAreaElement ? place.value.trim() : (store.own ?? "");
}

/** Offers names that continue what was typed. @param {import("./store.js").Store} store @param {HTMLTextAreaElement} place */
export function complete(store, place) {
  const slot = store.want("names", { q: "names" });
  const known = slot?.value;
  if (!known) slot?.asked?.promise.then(() => complete(store, place), () => {});
  store.completions = known ? completions(place.value.slice(0, place.selectionStart), known) : [];
  store.changed();
}
