// The view in which a person takes transitions.

import { h } from "./dom.js";
import { formula } from "./formula.js";
import { action, button, page, problem, running, tag } from "./parts.js";
import { trace } from "./executions.js";

/** @import { NextAction } from "./wire.js" */

/** @param {import("./store.js").Store} store */
export function ask(store) {
  const { walk, watches } = store.session;
  store.want("names", { q: "names" });
  store.want("walk", walk ? { q: "simulate", walk, watches } : null);
  // The shorter walk ends in the state that is shown.
  const isEarlier = walk && store.step < walk.calls.length;
  store.want("there", isEarlier ? { q: "simulate", walk: { ...walk, calls: walk.calls.slice(0, store.step) }, watches: [] } : null);
}

/** @param {import("./store.js").Store} store */
export function view(store) {
  const { walk } = store.session;
  const sorts = store.slots.get("names")?.value?.sorts ?? [];
  if (!walk) return h("div", { class: "card empty" }, start(sorts, {}));
  const slot = store.slots.get("walk");
  const found = slot?.value;
  if (slot?.error) return [problem(slot.error), start(sorts, walk.sizes)];
  if (!found) return h("p", { class: "empty" }, running("states", "walk"));
  const { states, scene } = found;
  if (!states || !scene) return [h("p", { class: "empty" }, "No initial state has these sizes."), start(sorts, walk.sizes)];
  const order = (store.check?.heads?.actions ?? []).map((it) => it.name);
  const last = states.length - 1;
  const at = Math.min(store.step, last);
  const there = store.slots.get("there");
  // What can happen in the state that is shown, once it is known.
  const here = at === last ? found : there && !there.isOld ? there.value : null;
  const claims = page(store, "simulated", store.check?.heads?.claims ?? []);
  return h(
    "div",
    { class: `simulate ${slot?.isOld ? "old" : ""}`, "data-key": "simulate" },
    trace(store, "Walk", { states, scene }, false),
    h(
      "section",
      { class: "column right", "aria-label": "What can happen", tabindex: 0 },
      found.stuck === undefined ? null : problem(`The walk ends in state ${found.stuck}: its next step does not fit the model any more.`),
      h("h2", null, `What can happen in state ${at}`),
      problem(there?.error),
      here?.actions ? here.actions.map((it) => possible(it, order, at)) : h("p", null, running("what can happen here", "there")),
      h("h2", null, "Claims in this state"),
      store.claimsNothing ? h("p", { class: "muted" }, "The model claims nothing.") : null,
      here?.broken
        ? h(
            "ul",
            { class: "card plainlist" },
            claims.shown.map((it) => {
              const isBroken = here.broken?.includes(it.label);
              return h("li", null, h("span", { class: isBroken ? "bad" : "good" }, isBroken ? "✗ " : "✓ "), h("b", null, it.label), " ", formula(it.formula));
            }),
          )
        : null,
      claims.pager,
      h("h2", null, "Watch"),
      h(
        "ul",
        { class: "card plainlist" },
        (found.watches ?? []).map((it) => h("li", null, formula(it.formula), " ", h("b", null, String(it.values[at])), " ", button("unwatch", "×", { class: "more", "data-formula": it.formula, "aria-label": `Stop watching ${it.formula}` }))),
        h("li", null, button("watch", "add an expression…", { class: "link" })),
      ),
      start(sorts, walk.sizes),
    ),
  );
}

/** @param {NextAction} it @param {string[]} order @param {number} state */
function possible(it, order, state) {
  if (it.ways.length === 0) {
    const { blocked } = it;
    const values = (blocked?.bindings ?? []).concat(blocked?.args ?? []).map((/** @type {string[]} */ pair) => `${pair[0]} = ${pair[1]}`).join(", ");
    return h(
      "div",
      { class: "card blocked", "data-key": `blocked ${it.name}`, "data-action": it.name, "aria-disabled": "true" },
      action(it.name, it.title, order),
      h("p", { class: "muted" }, "cannot be taken", blocked?.formula ? [": false is ", formula(blocked.formula)] : "", values ? ` for ${values}` : ""),
    );
  }
  return h(
    "div",
    { class: "card ways", "data-key": `ways ${it.name}` },
    it.ways.map((way) =>
      button(
        "take",
        [
          h("span", null, action(it.name, it.title, order), " ", it.params.map((/** @type {string} */ name, /** @type {number} */ at) => `${at ? ", " : ""}${name} = ${way.args[at]}`)),
          h("span", { class: "changes" }, way.changes.length ? way.changes.join(", ") : "changes nothing"),
        ],
        { class: "way", "data-action": it.name, "data-args": JSON.stringify(way.args), "data-at": state },
      ),
    ),
    it.more ? tag("and others") : null,
  );
}

/** @param {string[]} sorts @param {Record<string, number>} sizes */
function start(sorts, sizes) {
  return h(
    "form",
    { class: "card start", "data-act": "start" },
    h("h2", null, "Initial state"),
    sorts.map((sort) => h("label", { "data-key": sort }, `${sort} `, h("input", { type: "number", name: sort, min: 1, max: 1000, value: sizes[sort] ?? "", placeholder: "any", "aria-label": `Number of elements of ${sort}` }))),
    h("button", { type: "submit", class: "primary" }, "Start"),
  );
}
