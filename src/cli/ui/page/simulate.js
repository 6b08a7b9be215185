// The view in which a person takes transitions.

import { h } from "./dom.js";
import { formula } from "./formula.js";
import { action, button, problem, running, tag } from "./parts.js";
import { trace } from "./executions.js";

/** @param {import("./store.js").Store} store */
export function ask(store) {
  const { walk, watches } = store.session;
  store.want("names", { q: "names" });
  store.want("walk", walk ? { q: "simulate", walk, watches } : null);
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
  if (!found.start) return [h("p", { class: "empty" }, "No initial state has these sizes."), start(sorts, walk.sizes)];
  const order = (store.check?.heads?.actions ?? []).map((/** @type {any} */ it) => it.name);
  const last = found.states.length - 1;
  const isLast = store.step >= last;
  const broken = found.violations.filter((/** @type {any} */ it) => it.state <= store.step);
  return h(
    "div",
    { class: `simulate ${slot?.isOld ? "old" : ""}`, "data-key": "simulate" },
    trace(store, "Walk", found, false),
    h(
      "section",
      { class: "column right", "aria-label": "What can happen", tabindex: 0 },
      h("h2", null, "What can happen ", isLast ? null : h("span", { class: "muted" }, `in state ${last}`)),
      found.actions.map((/** @type {any} */ it) => possible(it, order)),
      h("h2", null, "Claims in this state"),
      h(
        "ul",
        { class: "card plainlist" },
        (store.check?.heads?.claims ?? []).map((/** @type {any} */ it) => {
          const isBroken = broken.some((/** @type {any} */ at) => at.claim === it.label);
          return h("li", null, h("span", { class: isBroken ? "bad" : "good" }, isBroken ? "✗ " : "✓ "), h("b", null, it.label), " ", formula(it.formula));
        }),
      ),
      h("h2", null, "Watch"),
      h(
        "ul",
        { class: "card plainlist" },
        (found.watches ?? []).map((/** @type {any} */ it) => h("li", null, formula(it.formula), " ", h("b", null, String(it.values[Math.min(store.step, last)])), " ", button("unwatch", "×", { class: "more", "data-formula": it.formula, "aria-label": `Stop watching ${it.formula}` }))),
        h("li", null, button("watch", "add an expression…", { class: "link" })),
      ),
      start(sorts, walk.sizes),
    ),
  );
}

/** @param {any} it @param {string[]} order */
function possible(it, order) {
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
    it.ways.map((/** @type {any} */ way) =>
      button(
        "take",
        [
          h("span", null, action(it.name, it.title, order), " ", it.params.map((/** @type {string} */ name, /** @type {number} */ at) => `${at ? ", " : ""}${name} = ${way.args[at]}`)),
          h("span", { class: "changes" }, way.changes.length ? way.changes.join(", ") : "changes nothing"),
        ],
        { class: "way", "data-action": it.name, "data-args": JSON.stringify(way.args) },
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
