// The page: what is shown, and what becomes of clicks and keys.

import { acts, complete } from "./acts.js";
import { Canned } from "./canned.js";
import { h, show } from "./dom.js";
import { watchDrags } from "./drag.js";
import { Engine } from "./engine.js";
import * as executions from "./executions.js";
import * as induction from "./induction.js";
import { onKey } from "./keys.js";
import * as model from "./model.js";
import { button, falseAfter, fitPictures, running } from "./parts.js";
import * as proof from "./proof.js";
import * as simulate from "./simulate.js";
import { Store } from "./store.js";

/** @type {Record<string, {title: string, ask: (store: Store) => void, view: (store: Store) => unknown, after?: () => void}>} */
const PARTS = {
  induction: { title: "Induction", ...induction },
  proof: { title: "Proof", ...proof },
  executions: { title: "Executions", ...executions },
  simulate: { title: "Simulate", ...simulate, after: executions.after },
  model: { title: "Model", ...model },
};

/** The token of the program behind an address. */
const KEY = /[#&]k=([0-9a-f]+)/u;
const answers = document.getElementById("answers");
const token = answers ? "" : takeToken();
const engine = answers ? new Canned(JSON.parse(answers.textContent ?? "")) : new Engine(token);
let isScheduled = false;
let isRefreshing = false;
/** Milliseconds without a click or a key after which the page asks what nobody waits for. */
const REST = 2000;
/** The timer of the rest that has begun. @type {ReturnType<typeof setTimeout> | null} */
let rest = null;
/** Number of clicks and keys whose effects are not complete. */
let busy = 0;
const store = new Store(engine, schedule);
store.isReport = answers !== null;
const handlers = acts(store);
/** The verdict that was read aloud last. */
let verdict = "";
/** What questions are about, for those that run. @type {Record<string, string>} */
const RUNNING = {
  check: "checking",
  early: "is a claim false after few steps?",
  late: "are the claims true for more steps?",
  counterexamples: "smallest counterexamples",
  generalization: "which facts are needed?",
  suggestions: "looking for conjectures",
  mine: "is the conjecture false in a reachable state?",
  induction: "is the conjecture inductive?",
  sufficient: "does the conjecture suffice?",
  bounded: "bounded check",
  inference: "search for an invariant",
  houdini: "which suggestions are inductive?",
  proof: "what each proof uses",
  executions: "executions",
  why: "looking for the execution",
  walk: "states of the walk",
  there: "what can happen",
};

/** The view that the address names. */
function addressed() {
  const view = location.hash.slice(1);
  if (view === "") return "induction";
  return Object.hasOwn(PARTS, view) ? view : store.view;
}

/** Writes the view into the address, so that the browser leads back to it. */
function address() {
  const hash = location.hash || "#induction";
  if (hash !== `#${store.view}`) history.pushState(null, "", `#${store.view}`);
}

/** The token comes behind the address and is taken out of it. */
function takeToken() {
  const found = KEY.exec(location.hash);
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
  store.want("check", session.valid ? { q: "check" } : null);
  store.want("early", session.valid && !store.isReport ? { q: "early" } : null);
  const current = PARTS[store.view];
  if (session.valid) current.ask(store);
  askLate();
  store.dropObsolete();
  address();
  document.title = `${session.model} - Ramsey`;
  show("top", top());
  show("banner", banner());
  if (session.valid || store.view === "model") show("main", current.view(store));
  else {
    model.ask(store);
    show("main", model.errors(store), model.view(store));
  }
  current.after?.();
  fitPictures(store.zoom);
  show("status", status());
  const told = verdictOf()?.text ?? "";
  if (told !== verdict && told) {
    verdict = told;
    show("live", told);
  }
  const ready = isReady();
  document.body.dataset.ready = String(ready);
  if (ready && rest === null) {
    rest = setTimeout(() => {
      store.isResting = true;
      schedule();
    }, REST);
  }
  document.body.dataset.queries = String(engine.queries);
}

/** Looks for longer executions that violate claims that were added, while nobody waits for anything else. */
function askLate() {
  const { session } = store;
  const isOpen = session.valid && !store.isReport && session.origins.length > 0 && (store.check?.failed ?? 0) > 0 && !store.violation();
  const slot = store.want("late", isOpen && store.isResting ? { q: "bounded", depth: 12, from: 4 } : null, true);
  if (slot?.value?.execution && !slot.isOld) store.late = { digest: session.digest, value: slot.value };
}

/** Carries out what a click or a key asks for. @param {() => unknown} handler */
async function carryOut(handler) {
  busy += 1;
  if (rest !== null) clearTimeout(rest);
  rest = null;
  store.isResting = false;
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
  return [...store.slots.values()].every((slot) => slot.isBackground || !slot.isRunning);
}

/** What is known of the claims, in a few words. @returns {{text: string, kind: string} | null} */
function verdictOf() {
  const { session } = store;
  if (session.verdict) return session.verdict;
  if (!session.valid) return { text: "the model has an error", kind: "bad" };
  const violation = store.violation();
  if (violation) return { text: falseAfter(violation), kind: "bad" };
  const slot = store.slots.get("check");
  const check = store.check;
  if (slot?.error) return { text: "not checked", kind: "warn" };
  if (slot?.isStopped) return { text: "not checked: stopped", kind: "warn" };
  if (!check || slot?.isOld || slot?.isRunning) return null;
  if (store.claimsNothing) return { text: "the model claims nothing", kind: "warn" };
  const { ok = 0, failed = 0, unknown = 0 } = check;
  if (failed > 0) return { text: `${failed} of ${ok + failed + unknown} ${failed === 1 ? "fails" : "fail"}`, kind: "bad" };
  if (unknown > 0) return { text: `${unknown} of ${ok + unknown} unknown`, kind: "warn" };
  if (check.vacuous?.length) return { text: `inductive, ${ok} hold, with a warning`, kind: "warn" };
  return { text: `inductive, ${ok} hold`, kind: "good" };
}

function top() {
  const { session } = store;
  const told = verdictOf();
  const sign = told?.kind === "bad" ? "✗" : told?.kind === "warn" ? "?" : "✓";
  return [
    h("span", { class: "brand" }, "Ramsey"),
    h("span", { class: "file", title: session.model }, session.model.split("/").at(-1), session.written ? "" : h("span", { class: "muted" }, " not written")),
    h(
      "nav",
      { "aria-label": "Views" },
      Object.entries(PARTS).map(([id, { title }]) => button("view", title, { "data-view": id, "aria-current": id === store.view ? "page" : null })),
    ),
    h("span", { class: "grow" }),
    told ? h("span", { class: `verdict ${told.kind}` }, `${sign} ${told.text}`) : h("span", { class: "verdict" }, running("checking")),
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
  if (session.disk === "gone") out.push(h("p", { class: "problem", role: "alert" }, "The model's file cannot be read: it is gone, or its content is no text."));
  if (session.misfits?.length) {
    out.push(
      h(
        "details",
        { class: "notice" },
        h("summary", null, `${session.misfits.length} commands of the session no longer fit the model`),
        h("ul", null, session.misfits.map((it) => h("li", null, h("code", null, JSON.stringify(it.command)), ` ${it.why}`))),
      ),
    );
  }
  if (session.unsaved) out.push(h("p", { class: "problem", role: "alert" }, `The session is not saved: ${session.unsaved}`));
  if (store.error) out.push(h("p", { class: "problem", role: "alert" }, store.error, " ", button("forget", "×", { class: "more", "aria-label": "Close this message" })));
  return out;
}

/** All that runs, wherever it was asked, with a way to stop it. */
function status() {
  const out = [];
  for (const [name, slot] of store.slots) {
    if (!slot.isRunning) continue;
    if (name === "deeper") out.push(running(`deeper: is the first conjecture true for ${(store.slots.get(name)?.value?.holds || 6) + 1} steps?`, name));
    else if (RUNNING[name]) out.push(running(RUNNING[name], name));
  }
  if (store.isStopped()) out.push(h("span", null, "stopped ", button("resume", "go on", { class: "link" })));
  if (out.length === 0) out.push(h("span", null, "idle"));
  out.push(h("span", { class: "grow" }));
  out.push(h("span", null, `session in ${store.session.session}`));
  out.push(button("help", [h("kbd", null, "?"), " keys"], { class: "plain" }));
  return out;
}

/** @param {Element | null} element @param {Event} event */
function act(element, event) {
  const found = element?.closest("[data-act]");
  if (!(found instanceof HTMLElement || found instanceof SVGElement) || found.hasAttribute("disabled")) return false;
  return perform(found.dataset.act ?? "", found.dataset, event);
}

/** Carries out what a click on a part of the page does, if there is such an act. @param {string} name @param {DOMStringMap} data @param {Event} event */
function perform(name, data, event) {
  const handler = handlers[name];
  if (!handler) return false;
  carryOut(() => handler(data, event));
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
    store.own = target.value;
    store.ownError = "";
    complete(store, target);
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
      // While nothing is typed the number stays.
      if (target.value === "") return;
      store.depth = Math.max(0, Math.min(100, Math.round(Number(target.value) || 0)));
      break;
    case "draw":
      store.command({ do: target.checked ? "show" : "hide", symbol: target.dataset.symbol ?? "" });
      break;
    case "keys-off":
      store.keysOff = target.checked;
      break;
    default:
      return;
  }
  schedule();
});

document.addEventListener("keydown", (event) => {
  const target = event.target instanceof Element ? event.target : null;
  if (event.key === "Enter" || event.key === " ") {
    // Parts of pictures are buttons as well.
    if (target instanceof SVGElement && act(target, event)) event.preventDefault();
    return;
  }
  onKey(store, event, (name, data = {}) => perform(name, data, event));
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

addEventListener("resize", () => {
  PARTS[store.view].after?.();
  fitPictures(store.zoom);
});

addEventListener("popstate", () => {
  // Another program at the same address has another key.
  if (KEY.test(location.hash)) location.reload();
  else store.go(addressed());
});

/** Pictures that were scrolled because the one beside them was. What they say of it is no wish. @type {WeakSet<Element>} */
const followers = new WeakSet();

/** Pictures beside each other show the same part. */
document.addEventListener(
  "scroll",
  (event) => {
    const place = event.target;
    if (!(place instanceof HTMLElement) || !place.classList.contains("picture") || followers.delete(place)) return;
    for (const other of place.closest(".pair")?.querySelectorAll(".picture") ?? []) {
      if (other === place) continue;
      const { scrollLeft, scrollTop } = other;
      other.scrollTo(place.scrollLeft, place.scrollTop);
      // Without a change there is no event.
      if (other.scrollLeft !== scrollLeft || other.scrollTop !== scrollTop) followers.add(other);
    }
  },
  true,
);

watchDrags();

engine.connected = (/** @type {boolean} */ isConnected) => {
  if (store.isConnected === isConnected) return;
  store.isConnected = isConnected;
  schedule();
};

const theme = sessionStorage.getItem("ramsey-theme");
if (theme) document.documentElement.dataset.theme = theme;
/** Takes over what another page or an editor has changed. */
async function refresh() {
  if (!store.session || isRefreshing) return;
  isRefreshing = true;
  try {
    if (store.take(await engine.send({ m: "state" }))) schedule();
  } catch {
    // That the program does not answer is told elsewhere.
  }
  isRefreshing = false;
}

engine.changed = refresh;
store.view = addressed();
engine.listen();
store.change({ m: "state" }).then((isFine) => {
  store.depth = store.session?.executions?.depth ?? store.depth;
  if (!isFine) show("main", h("p", { class: "problem", role: "alert" }, token ? store.error : "This address lacks its key: open the address that `ramsey ui` printed."));
});
if (answers) document.body.classList.add("report");
else setInterval(() => {
  // The file may be changed by an editor meanwhile.
  if (!document.hidden) refresh();
}, 3000);
