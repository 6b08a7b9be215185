// The page: what is shown, and what becomes of clicks and keys.

import { Canned } from "./canned.js";
import * as dialog from "./dialog.js";
import { h, show } from "./dom.js";
import { Engine } from "./engine.js";
import * as executions from "./executions.js";
import { formula } from "./formula.js";
import * as induction from "./induction.js";
import * as model from "./model.js";
import { button, running } from "./parts.js";
import * as proof from "./proof.js";
import * as simulate from "./simulate.js";
import { Store } from "./store.js";

/** @type {Record<string, {title: string, ask: (store: Store) => void, view: (store: Store) => unknown, after?: () => void}>} */
const VIEWS = {
  induction: { title: "Induction", ...induction },
  proof: { title: "Proof", ...proof },
  executions: { title: "Executions", ...executions },
  simulate: { title: "Simulate", ...simulate },
  model: { title: "Model", ...model },
};

const KEYS = [
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

const answers = document.getElementById("answers");
const token = answers ? "" : takeToken();
const engine = answers ? new Canned(JSON.parse(answers.textContent ?? "")) : new Engine(token);
let isScheduled = false;
/** Number of clicks and keys whose effects are not complete. */
let busy = 0;
const store = new Store(engine, schedule);
store.isReport = answers !== null;
let verdict = "";

/** The token comes behind the address and is taken out of it. */
function takeToken() {
  const found = /[#&]k=([0-9a-f]+)/u.exec(location.hash);
  if (found) {
    sessionStorage.setItem("ramsey-token", found[1]);
    history.replaceState(null, "", location.pathname);
  }
  return sessionStorage.getItem("ramsey-token") ?? "";
}

function schedule() {
  document.body.dataset.ready = "false";
  if (isScheduled) return;
  isScheduled = true;
  setTimeout(() => {
    isScheduled = false;
    render();
  }, 0);
}

function render() {
  const { session } = store;
  if (!session) return;
  const check = store.want("check", session.valid ? { q: "check" } : null);
  const current = VIEWS[store.view];
  if (session.valid) current.ask(store);
  document.title = `${session.model} - Ramsey`;
  show("top", top());
  show("banner", banner());
  if (session.valid || store.view === "model") show("main", current.view(store));
  else {
    model.ask(store);
    show("main", h("p", { class: "problem" }, "The model has an error."), model.view(store));
  }
  current.after?.();
  show("status", status(check));
  const told = verdictText();
  if (told !== verdict && told) {
    verdict = told;
    show("live", told);
  }
  document.body.dataset.ready = String(isReady());
  document.body.dataset.queries = String(engine.queries);
}

/** Carries out what a click or a key asks for. @param {() => unknown} handler */
async function carryOut(handler) {
  busy += 1;
  schedule();
  try {
    await handler();
  } catch (error) {
    store.error = error instanceof Error ? error.message : String(error);
  }
  busy -= 1;
  schedule();
}

/** Whether nothing is asked that was not asked in the background. */
function isReady() {
  if (busy > 0 || isScheduled) return false;
  const quiet = ["deeper", "inference", "houdini"];
  return [...store.slots].every(([name, slot]) => quiet.includes(name) || !slot.isRunning);
}

function verdictText() {
  const check = store.check;
  if (!check || store.slots.get("check")?.isOld) return "";
  if (store.slots.get("check")?.isRunning) return "";
  if (check.failed > 0) return `${check.failed} of ${check.ok + check.failed + check.unknown} ${check.failed === 1 ? "fails" : "fail"}`;
  if (check.unknown > 0) return `${check.unknown} of ${check.ok + check.unknown} unknown`;
  return `inductive, ${check.ok} hold`;
}

function top() {
  const { session } = store;
  const told = verdictText();
  const kind = store.check?.failed > 0 ? "bad" : store.check?.unknown > 0 ? "warn" : "good";
  const sign = kind === "bad" ? "✗" : kind === "warn" ? "?" : "✓";
  return [
    h("span", { class: "brand" }, "Ramsey"),
    h("span", { class: "file", title: session.model }, session.model.split("/").at(-1), session.written ? "" : h("span", { class: "muted" }, " not written")),
    h(
      "nav",
      { "aria-label": "Views" },
      Object.entries(VIEWS).map(([id, { title }]) => button("view", title, { "data-view": id, "aria-current": id === store.view ? "page" : null })),
    ),
    h("span", { class: "grow" }),
    told ? h("span", { class: `verdict ${kind}` }, `${sign} ${told}`) : h("span", { class: "verdict" }, running("checking")),
    button("undo", "↶", { class: "icon", "aria-label": "Undo", disabled: !session.can_undo, title: "Undo (u)" }),
    button("redo", "↷", { class: "icon", "aria-label": "Redo", disabled: !session.can_redo, title: "Redo (Shift-u)" }),
    button("theme", "◐", { class: "icon", "aria-label": "Light or dark", title: "Light or dark" }),
    button("help", "?", { class: "icon", "aria-label": "Help", title: "Keys (?)" }),
  ];
}

function banner() {
  const { session } = store;
  const out = [];
  if (!store.isConnected) out.push(h("p", { class: "problem", role: "alert" }, "The program has ended. Start `ramsey ui` again; the session is kept."));
  if (session.disk === "changed") {
    out.push(
      h(
        "p",
        { class: "notice", role: "alert" },
        "The model's file has changed. ",
        button("reload", "Take the new text", { class: "second" }),
        " What still fits of the session stays.",
      ),
    );
  }
  if (session.disk === "gone") out.push(h("p", { class: "problem", role: "alert" }, "The model's file is gone."));
  if (session.misfits?.length) {
    out.push(
      h(
        "details",
        { class: "notice" },
        h("summary", null, `${session.misfits.length} commands of the session no longer fit the model`),
        h("ul", null, session.misfits.map((/** @type {any} */ it) => h("li", null, h("code", null, JSON.stringify(it.command)), ` ${it.why}`))),
      ),
    );
  }
  if (session.unsaved) out.push(h("p", { class: "problem", role: "alert" }, `The session is not saved: ${session.unsaved}`));
  if (store.error) out.push(h("p", { class: "problem", role: "alert" }, store.error, " ", button("forget", "×", { class: "more", "aria-label": "Close this message" })));
  return out;
}

/** @param {import("./store.js").Slot | null} check */
function status(check) {
  const out = [];
  const deeper = store.slots.get("deeper");
  if (deeper?.isRunning) {
    const steps = deeper.value?.holds ? deeper.value.holds + 1 : 7;
    out.push(running(`deeper: is the first conjecture true for ${steps} steps?`, "deeper"));
  }
  if (check?.isRunning) out.push(running("checking", "check"));
  if (store.isStopped()) out.push(h("span", null, "stopped ", button("resume", "go on", { class: "link" })));
  if (out.length === 0) out.push(h("span", null, "idle"));
  out.push(h("span", { class: "grow" }));
  out.push(h("span", null, `session in ${store.session.session}`));
  out.push(button("help", [h("kbd", null, "?"), " keys"], { class: "plain" }));
  return out;
}

/** @type {Record<string, (data: DOMStringMap, event: Event) => unknown>} */
const ACTS = {
  view(data) {
    if (data.view === "conjectures") {
      store.tab = "conjectures";
      schedule();
      return;
    }
    go(data.view ?? "induction");
  },
  tab(data) {
    store.tab = data.tab ?? "counterexample";
    schedule();
  },
  async cell(data) {
    if (data.outcome === "failed") {
      await store.command("select", { claim: data.claim, action: data.action, number: 1 });
      store.tab = "counterexample";
      go("induction");
    } else {
      store.focus = data.claim ?? null;
      go("proof");
    }
  },
  number(data) {
    return selectNumber(Number(data.number));
  },
  async fact(data, event) {
    const id = data.fact ?? "";
    await store.fix();
    const { selected } = store.session;
    if (!selected) return;
    const fact = facts().find((it) => it.id === id);
    if (!fact) return;
    const isPin = event instanceof MouseEvent ? event.shiftKey : event instanceof KeyboardEvent && event.shiftKey;
    const list = isPin ? selected.kept : selected.dropped;
    const said = list.filter((/** @type {string} */ item) => induction.names(item, fact));
    if (said.length === 0) await store.command(isPin ? "keep" : "drop", { fact: id });
    else for (const item of said) await release(item, fact);
  },
  async element(data) {
    await store.fix();
    const { selected } = store.session;
    const item = data.element ?? "";
    if (selected) await store.command(selected.dropped.includes(item) ? "release" : "drop", { fact: item });
  },
  async symbol(data) {
    await store.fix();
    const { selected } = store.session;
    const item = data.item ?? "";
    if (!selected) return;
    const said = selected.dropped.filter((/** @type {string} */ it) => it === item || it === item.slice(1));
    if (said.length === 0) await store.command("drop", { fact: item });
    else for (const it of said) await store.command("release", { fact: it });
  },
  async reset() {
    const { selected } = store.session;
    for (const fact of [...(selected?.dropped ?? []), ...(selected?.kept ?? [])]) await store.command("release", { fact });
  },
  async keep(data) {
    await store.fix();
    for (const fact of JSON.parse(data.facts ?? "[]")) {
      const found = facts().find((it) => it.id === fact);
      for (const item of store.session.selected?.dropped ?? []) {
        if (found && induction.names(item, found)) await release(item, found);
      }
      await store.command("keep", { fact });
    }
  },
  bound(data) {
    return store.command("bound", { steps: Number(data.steps) });
  },
  add(data) {
    return addAt(Number(data.at));
  },
  async "add-lemma"(data) {
    await store.command("add", { formula: data.formula, from: "inference" });
  },
  async "add-all"() {
    const lemmas = store.slots.get("inference")?.value?.lemmas ?? [];
    store.wantsInference = false;
    for (const formula of lemmas) await store.command("add", { formula, from: "inference" });
  },
  edit(data) {
    store.own = store.offered?.[Number(data.at)]?.formula ?? "";
    store.ownError = "";
    schedule();
    setTimeout(() => document.getElementById("own")?.focus(), 30);
  },
  own() {
    store.own = store.own ?? "";
    store.tab = "conjectures";
    schedule();
    setTimeout(() => document.getElementById("own")?.focus(), 30);
  },
  "own-close"() {
    store.own = null;
    store.judged = null;
    schedule();
  },
  async "own-add"() {
    const text = ownText();
    if (await store.command("add", { formula: text, from: "own" })) {
      store.own = null;
      store.judged = null;
      store.bounded = null;
    } else {
      store.own = text;
      store.ownError = store.error;
      store.error = "";
    }
    schedule();
  },
  "own-judge"() {
    store.own = ownText();
    store.judged = store.own;
    store.bounded = null;
    schedule();
  },
  complete(data) {
    const place = document.getElementById("own");
    if (!(place instanceof HTMLTextAreaElement)) return;
    const end = place.selectionStart;
    const start = end - (/[A-Za-z0-9_]*$/u.exec(place.value.slice(0, end))?.[0].length ?? 0);
    place.setRangeText(data.name ?? "", start, end, "end");
    place.focus();
    completions(place);
  },
  judge(data) {
    const formula = store.offered?.[Number(data.at)]?.formula ?? null;
    store.judged = store.judged === formula ? null : formula;
    store.bounded = null;
    schedule();
  },
  bounded() {
    store.forget("bounded");
    store.bounded = { formula: store.judged, depth: store.depth };
    schedule();
  },
  execution() {
    const found = store.slots.get("generalization")?.value;
    if (found?.execution) showExecution(`A state with these facts, after ${found.reached} steps`, found.execution);
  },
  "show-failed"(data) {
    const it = store.slots.get("induction")?.value?.failed?.[Number(data.at)];
    if (it) showExecution("A step that breaks the conjecture", it.counterexample);
  },
  "show-left"() {
    const it = store.slots.get("sufficient")?.value?.counterexample;
    if (it) showExecution("A counterexample that is left", it);
  },
  "show-bounded"() {
    const it = store.slots.get("bounded")?.value;
    if (it?.execution) showExecution(`The conjecture is false after ${it.steps} steps`, it.execution);
  },
  async "why-refuted"(data) {
    const steps = Number(data.steps);
    const asked = engine.ask({ q: "bounded", formula: data.formula, depth: steps });
    const found = await asked.promise;
    if (found.execution) showExecution(`The conjecture is false after ${found.steps} steps`, found.execution);
  },
  "other-execution"() {
    store.execution = null;
    schedule();
  },
  remember() {
    const found = store.execution ?? store.slots.get("executions")?.value;
    if (found) store.other = { title: store.execution?.title ?? "violation", execution: found.execution };
    schedule();
  },
  step(data) {
    store.step = Number(data.step);
    schedule();
  },
  as(data) {
    store.executionAs = data.as ?? "picture";
    schedule();
  },
  rows(data) {
    store.firstRow = Number(data.first);
    schedule();
  },
  focus(data) {
    store.focus = store.focus === data.claim ? null : (data.claim ?? null);
    schedule();
  },
  undo: () => store.change({ m: "undo" }),
  redo: () => store.change({ m: "redo" }),
  infer() {
    store.wantsInference = true;
    schedule();
  },
  houdini() {
    store.houdini = (store.slots.get("suggestions")?.value?.suggestions ?? []).map((/** @type {any} */ it) => it.formula);
    schedule();
  },
  stop(data) {
    store.stop(data.slot ?? "");
  },
  resume() {
    store.stopped.clear();
    for (const [name, slot] of store.slots) if (slot.isStopped) store.forget(name);
    schedule();
  },
  theme() {
    const root = document.documentElement;
    const isDark = root.dataset.theme ? root.dataset.theme === "dark" : matchMedia("(prefers-color-scheme: dark)").matches;
    root.dataset.theme = isDark ? "light" : "dark";
    sessionStorage.setItem("ramsey-theme", root.dataset.theme);
  },
  help() {
    dialog.open(
      "Keys",
      h("table", { class: "keys" }, h("tbody", null, KEYS.map(([key, what]) => h("tr", null, h("th", { scope: "row" }, h("kbd", null, key)), h("td", null, what))))),
      h("p", null, h("label", null, h("input", { type: "checkbox", "data-act": "keys-off", checked: store.keysOff }), " No single-letter keys")),
      h("p", { class: "muted" }, "In a picture: click a fact to leave it out, Shift-click to keep it, click a name for all facts of the element."),
    );
  },
  close: () => dialog.close(),
  forget() {
    store.error = "";
    schedule();
  },
  reload: () => store.change({ m: "reload" }),
  async share() {
    const { log } = await engine.send({ m: "log" });
    dialog.open("The session", h("p", null, "`ramsey ui --replay FILE MODEL` carries it out without a browser."), h("textarea", { rows: 12, readonly: true, "aria-label": "Log" }, log));
  },
  note: () => dialog.ask("Remark", "Remark ", "do-note", ""),
  "do-note": (_, event) => inDialog(event, (text) => store.command("note", { text })),
  watch: () => dialog.ask("Watch", "Formula ", "do-watch", ""),
  "do-watch": (_, event) => inDialog(event, (formula) => store.command("watch", { formula })),
  pictures() {
    const { hidden, projections } = store.session;
    const symbols = [...new Set(facts().map((fact) => fact.symbol))];
    dialog.open(
      "What is drawn",
      h("ul", null, symbols.map((name) => h("li", null, h("label", null, h("input", { type: "checkbox", "data-act": "draw", "data-symbol": name, checked: !hidden.includes(name) }), ` ${name}`)))),
      h("ul", null, projections.map((/** @type {string} */ it) => h("li", null, h("code", null, it), " ", button("unproject", "×", { class: "more", "data-projection": it, "aria-label": `Do not draw ${it}` })))),
      h(
        "form",
        { "data-act": "do-project" },
        h("label", null, "A relation with elements at some places, such as btw(node0,_,_) ", h("input", { name: "text", value: "", size: 30, spellcheck: "false", autocomplete: "off" })),
        h("button", { type: "submit", class: "second" }, "Draw it"),
      ),
    );
  },
  "do-project": (_, event) => inDialog(event, (projection) => store.command("project", { projection })),
  unproject(data) {
    dialog.close();
    return store.command("unproject", { projection: data.projection });
  },
  unwatch: (data) => store.command("unwatch", { formula: data.formula }),
  claim(data) {
    const claim = (store.check?.heads?.claims ?? []).find((/** @type {any} */ it) => it.label === data.claim);
    if (!claim) return;
    dialog.open(
      claim.label,
      h(
        "form",
        { "data-act": "do-edit", "data-claim": claim.label },
        h("label", null, "Formula ", h("input", { name: "text", value: claim.formula, size: 60, spellcheck: "false", autocomplete: "off" })),
        h("label", null, "Why ", h("input", { name: "why", value: "", size: 60, autocomplete: "off" })),
        h("button", { type: "submit", class: "second" }, "Change the formula"),
      ),
      h(
        "form",
        { "data-act": "do-rename", "data-claim": claim.label },
        h("label", null, "Name ", h("input", { name: "text", value: claim.label, size: 24, spellcheck: "false", autocomplete: "off" })),
        h("button", { type: "submit", class: "second" }, "Rename"),
      ),
      h("form", { "data-act": "do-remove", "data-claim": claim.label }, h("label", null, "Why ", h("input", { name: "why", value: "", size: 40, autocomplete: "off" })), h("button", { type: "submit", class: "second" }, "Remove the claim")),
    );
  },
  "do-edit": (data, event) => inDialog(event, (formula, why) => store.command("edit", { claim: data.claim, formula, why })),
  "do-rename": (data, event) => inDialog(event, (name) => store.command("rename", { claim: data.claim, name })),
  "do-remove": (data, event) => inDialog(event, (_, why) => store.command("remove", { claim: data.claim, why })),
  async write() {
    const preview = await engine.send({ m: "preview" });
    const changed = preview.diff.filter((/** @type {string[]} */ row) => row[0] !== " ");
    if (changed.length === 0) {
      dialog.open("Write the model", h("p", null, "The file has all of this already."));
      return;
    }
    const rows = preview.diff.map((/** @type {string[]} */ [sign, line]) => h("div", { class: sign === "+" ? "added" : sign === "-" ? "removed" : "" }, `${sign} ${line}`));
    const diff = h("pre", { class: "diff", tabindex: 0, "aria-label": "Changes" }, rows);
    const confirm = preview.may_write
      ? button("do-write", ["Write ", h("kbd", null, "w")], { class: "primary", "data-digest": preview.digest })
      : h("p", { class: "muted" }, "Start with `ramsey ui --write` to let this page write the file.");
    // Additions of claims alone were chosen one by one: they need no second answer.
    const isPlain = preview.may_write && changed.every((/** @type {string[]} */ row) => row[0] === "+");
    if (isPlain && (await store.change({ m: "write", digest: preview.digest }))) {
      dialog.open("Written", h("p", null, `${changed.length} lines were added to ${preview.path}:`), diff);
      return;
    }
    dialog.open("Write the model", h("p", null, preview.path), diff, h("div", { class: "buttons" }, confirm, button("close", "Leave it", { class: "second" })));
  },
  async "do-write"(data) {
    dialog.close();
    await store.change({ m: "write", digest: data.digest });
  },
  start(_, event) {
    const form = event.target;
    if (!(form instanceof HTMLFormElement)) return;
    const sizes = Object.fromEntries([...new FormData(form)].filter(([, value]) => value !== "").map(([name, value]) => [name, Number(value)]));
    store.step = 0;
    return store.command("start", { sizes });
  },
  async take(data) {
    const walk = store.session.walk;
    if (!walk) return;
    if (store.step < walk.calls.length) {
      // From an earlier state another walk begins.
      await store.command("back", { steps: store.step });
    }
    await store.command("take", { action: data.action, args: JSON.parse(data.args ?? "[]") });
    store.step = store.session.walk.calls.length;
    schedule();
  },
};

/** Facts of the state that is shown. @returns {any[]} */
function facts() {
  const list = store.slots.get("counterexamples")?.value?.counterexamples ?? [];
  const number = store.selected()?.number ?? 1;
  return list[Math.min(number, list.length) - 1]?.states?.[0]?.facts ?? [];
}

/** Takes back what was said of a fact; what was said of others by the same words stays. @param {string} item @param {any} fact */
async function release(item, fact) {
  const isKept = store.session.selected.kept.includes(item);
  await store.command("release", { fact: item });
  if (item === fact.id) return;
  for (const other of facts()) {
    if (other.id !== fact.id && induction.names(item, other)) await store.command(isKept ? "keep" : "drop", { fact: other.id });
  }
}

/** @param {number} number */
function selectNumber(number) {
  const shown = store.selected();
  const count = store.slots.get("counterexamples")?.value?.counterexamples?.length ?? 1;
  if (shown && number >= 1 && number <= count) return store.command("select", { claim: shown.claim, action: shown.action, number });
}

/** @param {number} at */
function addAt(at) {
  const it = store.offered?.[at];
  store.chosen = 0;
  store.judged = null;
  store.bounded = null;
  if (it) return store.command("add", { formula: it.formula, from: "suggestion" });
}

/** @param {string} title @param {any} execution */
function showExecution(title, execution) {
  store.execution = { title, execution };
  store.step = execution.states.length - 1;
  go("executions");
}

function ownText() {
  const place = document.getElementById("own");
  return place instanceof HTMLTextAreaElement ? place.value.trim() : (store.own ?? "");
}

/** Offers names that begin with what was typed. @param {HTMLTextAreaElement} place */
async function completions(place) {
  const slot = store.want("names", { q: "names" });
  const known = slot?.value;
  const word = /[A-Za-z0-9_]*$/u.exec(place.value.slice(0, place.selectionStart))?.[0] ?? "";
  const names = [...(known?.symbols ?? []).map((/** @type {any} */ it) => it.name), "forall", "exists"];
  store.completions = word ? names.filter((name) => name.startsWith(word) && name !== word).slice(0, 8) : [];
  schedule();
}

/** Reads a form of a dialog and closes it. @param {Event} event @param {(text: string, why: string | null) => unknown} act */
async function inDialog(event, act) {
  const form = event.target;
  if (!(form instanceof HTMLFormElement)) return;
  const data = new FormData(form);
  const text = String(data.get("text") ?? "").trim();
  const why = String(data.get("why") ?? "").trim();
  dialog.close();
  await act(text, why === "" ? null : why);
}

/** @param {string} view */
function go(view) {
  if (!(view in VIEWS)) return;
  store.view = view;
  if (view === "simulate") store.step = store.session.walk?.calls.length ?? 0;
  schedule();
}

/** @param {Element | null} element @param {Event} event */
function act(element, event) {
  const found = element?.closest("[data-act]");
  if (!(found instanceof HTMLElement || found instanceof SVGElement) || found.hasAttribute("disabled")) return false;
  const handler = ACTS[found.dataset.act ?? ""];
  if (!handler) return false;
  carryOut(() => handler(found.dataset, event));
  return true;
}

document.addEventListener("click", (event) => {
  const target = event.target instanceof Element ? event.target : null;
  if (target?.closest("form, input, textarea, select") && !target.closest("button")) return;
  if (target?.closest("button[type=submit]")) return;
  act(target, event);
});

document.addEventListener("submit", (event) => {
  event.preventDefault();
  act(event.target instanceof Element ? event.target : null, event);
});

document.addEventListener("input", (event) => {
  const { target } = event;
  if (target instanceof HTMLTextAreaElement && target.id === "own") {
    completions(target);
    return;
  }
  if (!(target instanceof HTMLInputElement)) return;
  switch (target.dataset.act) {
    case "filter":
      store.filter = target.value;
      store.firstRow = 0;
      break;
    case "scrub":
      store.step = Number(target.value);
      break;
    case "depth":
      store.depth = Math.max(0, Math.min(100, Number(target.value) || 0));
      break;
    case "draw":
      store.command(target.checked ? "show" : "hide", { symbol: target.dataset.symbol });
      break;
    case "keys-off":
      store.keysOff = target.checked;
      break;
    default:
      return;
  }
  schedule();
});

/** What a suggestion is about is marked in the picture. */
for (const kind of ["pointerover", "focusin"]) {
  document.addEventListener(kind, (event) => {
    const card = event.target instanceof Element ? event.target.closest("[data-needed]") : null;
    const needed = card?.getAttribute("data-needed") ?? "";
    if (needed === store.pointedText) return;
    store.pointedText = needed;
    store.pointed = needed ? new Set(JSON.parse(needed)) : null;
    schedule();
  });
}

document.addEventListener("keydown", (event) => {
  const target = event.target instanceof Element ? event.target : document.body;
  const isTyping = target.closest("input, textarea, select") !== null;
  if (event.key === "Enter" || event.key === " ") {
    // Parts of pictures are buttons as well.
    if (target instanceof SVGElement && act(target, event)) event.preventDefault();
    return;
  }
  if (isTyping || event.ctrlKey || event.metaKey || event.altKey) return;
  const arrows = store.view === "executions" || store.view === "simulate";
  if (arrows && (event.key === "ArrowRight" || event.key === "ArrowLeft")) {
    const count = Number(document.querySelector(".time input[type=range]")?.getAttribute("max") ?? 0);
    store.step = Math.max(0, Math.min(count, Math.min(store.step, count) + (event.key === "ArrowRight" ? 1 : -1)));
    schedule();
    event.preventDefault();
    return;
  }
  if (store.keysOff && event.key !== "?") return;
  if (dialog.isOpen()) {
    if (event.key === "w") act(document.querySelector("#dialog [data-act=do-write]"), event);
    return;
  }
  const cards = store.offered?.length ?? 0;
  switch (event.key) {
    case "a":
      if (store.view === "induction") act(document.querySelector(".suggestion.first [data-act=add]"), event);
      break;
    case "j":
      store.chosen = Math.min(cards - 1, store.chosen + 1);
      schedule();
      break;
    case "k":
      store.chosen = Math.max(0, store.chosen - 1);
      schedule();
      break;
    case "]":
      carryOut(() => selectNumber((store.selected()?.number ?? 1) + 1));
      break;
    case "[":
      carryOut(() => selectNumber((store.selected()?.number ?? 1) - 1));
      break;
    case "u":
      carryOut(() => store.change({ m: "undo" }));
      break;
    case "U":
      carryOut(() => store.change({ m: "redo" }));
      break;
    case "e":
      ACTS.execution({}, event);
      break;
    case "n":
      event.preventDefault();
      ACTS.own({}, event);
      break;
    case "w":
      act(h("button", { "data-act": "write" }), event);
      break;
    case "s":
      for (const name of store.slots.keys()) if (store.slots.get(name)?.isRunning) store.stop(name);
      break;
    case "?":
      ACTS.help({}, event);
      break;
    default:
      if (/^[1-5]$/u.test(event.key)) go(Object.keys(VIEWS)[Number(event.key) - 1]);
  }
});

addEventListener("resize", () => VIEWS[store.view].after?.());

engine.connected = (/** @type {boolean} */ isConnected) => {
  if (store.isConnected === isConnected) return;
  store.isConnected = isConnected;
  schedule();
};

const theme = sessionStorage.getItem("ramsey-theme");
if (theme) document.documentElement.dataset.theme = theme;
engine.listen();
store.change({ m: "state" }).then((isFine) => {
  store.depth = store.session?.depth ?? store.depth;
  if (!isFine) show("main", h("p", { class: "problem", role: "alert" }, token ? store.error : "This address lacks its key: open the address that `ramsey ui` printed."));
});
if (answers) document.body.classList.add("report");
else setInterval(() => {
  // The file may be changed by an editor meanwhile.
  if (document.hidden || !store.session) return;
  engine.send({ m: "state" }).then((session) => {
    if (session.revision === store.session.revision && session.disk !== store.session.disk) {
      store.session = session;
      schedule();
    }
  }, () => {});
}, 3000);

export { formula };
