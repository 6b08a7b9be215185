// The view of executions: one state at a time, and all facts over time.

import { h } from "./dom.js";
import { formula } from "./formula.js";
import { action, button, captions, factTable, falseAfter, params, problem, running, statePicture, statementTable, violation } from "./parts.js";

/** @import { Counterexample, Scene, State } from "./wire.js" */

/** @param {import("./store.js").Store} store */
export function ask(store) {
  const why = store.want("why", store.why);
  if (why?.value?.execution && !why.isOld) {
    store.execution = { title: falseAfter(why.value), execution: why.value.execution };
    store.why = null;
  }
  store.want("executions", store.execution || store.why ? null : { q: "bounded", depth: store.depth, ...store.session.executions });
}

/** @param {import("./store.js").Store} store */
export function view(store) {
  const why = store.why ? store.slots.get("why") : null;
  if (why) {
    return h(
      "div",
      { class: "card empty" },
      problem(why.error),
      why.isRunning ? running("looking for the execution", "why") : null,
      h("p", null, button("other-execution", "All executions", { class: "link" })),
    );
  }
  const slot = store.slots.get("executions");
  const found = store.execution ?? (slot?.value?.execution ? { title: falseAfter(slot.value), execution: slot.value.execution } : null);
  if (!found) {
    return h(
      "div",
      { class: "card empty" },
      problem(slot?.error),
      slot?.isRunning
        ? running(slot.value?.holds !== undefined && slot.value?.holds !== null ? `no violation within ${slot.value.holds} steps, going on` : "executions", "executions")
        : h("p", null, none(store, slot)),
      store.isReport ? null : h("p", { "data-key": "depth" }, "Look for executions of up to ", h("input", { type: "number", min: 0, max: 100, value: store.depth, "data-act": "depth", "aria-label": "Number of steps" }), " steps."),
    );
  }
  return trace(store, found.title, found.execution, true);
}

/** What is known where no execution is. @param {import("./store.js").Store} store @param {import("./store.js").Slot<import("./store.js").Executions> | undefined} slot */
function none(store, slot) {
  const { session } = store;
  if (session.executions && session.verdict) return session.verdict.text;
  if (slot?.isStopped) {
    const holds = slot.value?.holds ?? null;
    return holds === null ? "Stopped before there was an answer." : `Stopped: no violation within ${holds} ${holds === 1 ? "step" : "steps"}.`;
  }
  if (!slot?.value) return null;
  if (store.claimsNothing) return "The model claims nothing that an execution could violate.";
  if (slot.value.always) return "No execution of any length violates a claim: a proof by induction shows it.";
  return slot.value.holds === null ? "No length of executions was checked." : `No execution of up to ${slot.value.holds} steps violates a claim.`;
}

/** Most states that are listed at a time. */
const NEAR = 60;

/** The states around one, with their numbers. @param {State[]} states @param {number} at @returns {[State, number][]} */
function near(states, at) {
  const from = Math.max(0, Math.min(at - NEAR / 2, states.length - NEAR));
  return states.slice(from, from + NEAR).map((it, place) => [it, from + place]);
}

/**
 * Shows an execution, also that of a walk.
 * @param {import("./store.js").Store} store @param {string} title @param {Partial<Counterexample> & {states: State[], scene: Scene}} execution @param {boolean} isFound
 */
export function trace(store, title, execution, isFound) {
  const { states } = execution;
  const last = states.length - 1;
  const at = Math.min(store.step, last);
  const order = (store.check?.heads?.actions ?? []).map((it) => it.name);
  const state = states[at];
  const kinds = [
    ["picture", "Picture"],
    ["lanes", "Lanes"],
    ["table", "Table"],
    ["compare", "Compare"],
  ];
  let shown;
  if (store.executionAs === "table") shown = factTable("trace", state.facts, null, store.filter);
  else if (store.executionAs === "lanes") shown = lanes(states, order, at);
  else if (store.executionAs === "compare") shown = compare(store, states, at);
  else
    shown = h(
      "div",
      { class: "pair single" },
      statePicture(state, `State ${at}`, null),
    );
  return h(
    "div",
    { class: "executions", "data-key": "executions" },
    h(
      "section",
      { class: "column left", "aria-label": "Steps", tabindex: 0 },
      h("h2", null, title),
      isFound ? button("other-execution", "All executions", { class: "link" }) : null,
      h(
        "ol",
        { class: "steps" },
        near(states, at).map(([it, step]) =>
          h(
            "li",
            { "data-key": step },
            button(
              "step",
              [h("b", null, `${step} `), it.action ? [action(it.action.name, it.action.title, order), " ", params(it.action.params)] : "initial state"],
              { "data-step": step, "aria-pressed": String(step === at) },
            ),
          ),
        ),
      ),
      last >= NEAR ? h("p", { class: "muted" }, `${last + 1} states, of which those around this one are listed`) : null,
    ),
    h(
      "section",
      { class: "column centre", "aria-label": "State", tabindex: 0 },
      h(
        "div",
        { class: "heading" },
        h("h1", null, state.action ? ["After ", action(state.action.name, state.action.title, order), " ", params(state.action.params)] : "Initial state"),
        h("div", { class: "pager", role: "group", "aria-label": "Form" }, kinds.map(([id, name]) => button("as", name, { "data-as": id, "aria-pressed": String(store.executionAs === id) }))),
      ),
      h("p", { class: "muted" }, "Marks tell what changed in the last step: + became true, − became false."),
      h("div", { class: "card state" }, shown),
      store.executionAs === "picture" ? captions(execution.scene) : null,
      isFound && execution.violated && at === last ? violation(execution.violated, "What is false") : null,
      isFound && at === 1 && states.length === 2 && execution.statements?.length ? h("div", { class: "card" }, statementTable(execution.statements)) : null,
    ),
    time(store, states, at),
  );
}

/** The step that was made visible last. */
let visible = "";

/** Makes the step visible that is shown, if it is another one than before. */
export function after() {
  const step = document.querySelector(".steps [aria-pressed=true]");
  const number = step?.getAttribute("data-step") ?? "";
  if (number !== visible) step?.scrollIntoView({ block: "nearest" });
  visible = number;
}

/** Two states beside each other, or the same state of another execution. @param {import("./store.js").Store} store @param {State[]} states @param {number} at */
function compare(store, states, at) {
  const other = store.other?.execution.states ?? states;
  const place = store.other ? Math.min(at, other.length - 1) : Math.max(0, at - 1);
  return h(
    "div",
    null,
    h("p", { class: "muted" }, store.other ? `Left: ${store.other.title}, state ${place}. ` : `Left: state ${place}. `, button("remember", "Compare with this execution later", { class: "link" })),
    h("div", { class: "pair" }, statePicture(other[place], `State ${place}, left`, null), statePicture(states[at], `State ${at}`, null)),
  );
}

/** Who takes part in which step. @param {State[]} states @param {string[]} order @param {number} at */
function lanes(states, order, at) {
  const steps = near(states, at).filter(([, step]) => step > 0);
  const names = [...new Set(steps.flatMap(([it]) => it.action?.params.map((/** @type {string[]} */ param) => param[1]) ?? []))];
  return h(
    "table",
    { class: "lanes" },
    h("thead", null, h("tr", null, h("th", { scope: "col" }, "step"), names.map((name) => h("th", { scope: "col" }, name)), h("th", { scope: "col" }, "what changed"))),
    h(
      "tbody",
      null,
      steps.map(([it, step]) => {
        const used = it.action?.params ?? [];
        return h(
          "tr",
          { class: step === at ? "now" : "" },
          h("th", { scope: "row" }, `${step} `, it.action ? action(it.action.name, it.action.title, order) : ""),
          names.map((name) => {
            const of = used.filter((/** @type {string[]} */ param) => param[1] === name).map((/** @type {string[]} */ param) => param[0]);
            return h("td", { class: of.length ? "busy" : "" }, of.length ? `● ${of.join(", ")}` : h("span", { class: "idle", "aria-hidden": true }, "│"));
          }),
          h("td", null, changes(states[step - 1].facts, it.facts).join(" ")),
        );
      }),
    ),
  );
}

/** @param {State["facts"]} before @param {State["facts"]} after */
function changes(before, after) {
  const old = new Set(before.map((fact) => fact.id));
  return after.filter((fact) => !old.has(fact.id)).map((fact) => (fact.value === false ? `− ${fact.id.replace(/^!/u, "")}` : `+ ${fact.id}`));
}

const ROWS = 24;

/** Facts that change in an execution, each with the states in which it is true, as a list and as an outline. @type {WeakMap<State[], {id: string, states: string, outline: string}[]>} */
const known = new WeakMap();

/** @param {State[]} states */
function histories(states) {
  const found = known.get(states);
  if (found) return found;
  /** @type {Map<string, number[]>} */
  const all = new Map();
  states.forEach((state, step) => {
    for (const fact of state.facts) {
      if (fact.value === false || fact.immutable) continue;
      const list = all.get(fact.id);
      if (list) list.push(step);
      else all.set(fact.id, [step]);
    }
  });
  const made = [...all].map(([id, steps]) => ({ id, states: steps.join(","), outline: outline(steps) }));
  known.set(states, made);
  return made;
}

/** A rectangle for each run of states. @param {number[]} steps */
function outline(steps) {
  const parts = [];
  for (let at = 0; at < steps.length; at += 1) {
    const start = steps[at];
    while (steps[at + 1] === steps[at] + 1) at += 1;
    parts.push(`M${start + 0.04} 0.1H${steps[at] + 0.96}V0.9H${start + 0.04}Z`);
  }
  return parts.join("");
}

/** Facts over time: a bar where a fact is true. @param {import("./store.js").Store} store @param {State[]} states @param {number} at */
function time(store, states, at) {
  const all = histories(states).filter(({ id }) => !store.filter || id.includes(store.filter));
  const from = Math.min(store.firstRow ?? 0, Math.max(0, all.length - ROWS));
  const rows = all.slice(from, from + ROWS);
  const count = states.length;
  return h(
    "section",
    { class: "time", "aria-label": "Facts over time", "data-key": "time" },
    h(
      "div",
      { class: "heading" },
      h("h2", null, "Facts over time"),
      h("span", { class: "muted" }, "a bar is where a fact is true"),
      h("label", { class: "filter" }, "Filter ", h("input", { type: "search", "data-act": "filter", value: store.filter, size: 12 })),
      h("label", null, h("span", { class: "sr" }, "State"), h("input", { type: "range", min: 0, max: count - 1, value: at, "data-act": "scrub" })),
      h("output", null, `state ${at} of ${count - 1}`),
    ),
    h(
      "div",
      { class: "bars", tabindex: 0, role: "region", "aria-label": "Bars" },
      rows.map(({ id, states, outline }) =>
        h(
          "div",
          { class: "bar", "data-key": id, "data-fact": id, "data-states": states },
          h("code", null, id),
          h(
            "svg",
            { viewBox: `0 0 ${count} 1`, preserveAspectRatio: "none", "aria-hidden": true },
            h("rect", { x: at, y: 0, width: 1, height: 1, class: "at" }),
            h("path", { d: outline, class: "on" }),
          ),
        ),
      ),
    ),
    all.length > ROWS
      ? h("p", null, button("rows", "Earlier", { "data-first": Math.max(0, from - ROWS), disabled: from === 0, class: "link" }), ` ${from + 1} to ${from + rows.length} of ${all.length} `, button("rows", "Later", { "data-first": from + ROWS, disabled: from + ROWS >= all.length, class: "link" }))
      : null,
  );
}
