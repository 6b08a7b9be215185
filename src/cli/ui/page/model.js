// The view of the model's text.

import { h } from "./dom.js";
import { button, problem, running } from "./parts.js";
import { THEOREMS } from "./store.js";

/** @import { Claim } from "./wire.js" */

/** @param {import("./store.js").Store} store */
export function ask(store) {
  store.want("source", { q: "source" });
}

/** The errors of the model, with their places. @param {import("./store.js").Store} store */
export function errors(store) {
  const all = store.slots.get("source")?.value?.diagnostics ?? [];
  const list = all.filter((it) => it.severity === "error");
  return h(
    "div",
    { class: "problem", role: "alert" },
    h("b", null, "The model has an error, so nothing is checked. "),
    list.map((it) => h("p", null, it.primary ? `Line ${it.primary.line}: ` : "", it.message, it.help ? ` (${it.help})` : "")),
  );
}

/** @param {import("./store.js").Store} store */
export function view(store) {
  const slot = store.slots.get("source");
  if (slot?.error) return problem(slot.error);
  if (!slot?.value) return h("p", { class: "empty" }, running("the model"));
  const { text, diagnostics, path } = slot.value;
  const lines = text.split(/\r\n|\n|\r/u);
  const heads = store.check?.heads;
  const cells = store.check?.cells ?? [];
  const check = store.slots.get("check");
  const isComplete = check?.value?.ok !== undefined && !check.isOld && !check.isRunning;
  const selected = store.selected();
  const claims = new Map((heads?.claims ?? []).map((it) => [it.line, it]));
  const list = store.slots.get("counterexamples")?.value?.counterexamples;
  const statements = list?.[Math.min(selected?.number ?? 1, list.length) - 1]?.statements ?? [];
  const effects = new Map(selected ? statements.map((it) => [it.line, it]) : []);
  const mark = (/** @type {Claim} */ claim) => {
    const of = cells.filter((it) => it.claim === claim.label);
    const failed = of.find((it) => it.outcome === "failed");
    if (failed) return button("cell", "✗", { class: "cell failed", "data-claim": claim.label, "data-action": failed.action, "data-outcome": "failed", "aria-label": `${claim.label} fails: show the counterexample` });
    // In a report some obligations may not have been asked.
    const isAbout = claim.kind !== "safety" && claim.kind !== "invariant" ? 1 : (heads?.actions ?? []).filter((it) => it.name !== "final" && it.name !== THEOREMS).length;
    const isShown = of.length >= isAbout && isComplete && of.every((it) => it.outcome === "ok");
    return isShown ? h("span", { class: "good", role: "img", "aria-label": `${claim.label} holds` }, "✓") : null;
  };
  const messages = (/** @type {number} */ line) => diagnostics.filter((it) => (it.primary?.line ?? 0) === line);
  return h(
    "div",
    { class: "model", "data-key": "model" },
    h(
      "div",
      { class: "heading" },
      h("h1", null, path),
      store.session.written && store.session.disk === "same" ? h("span", { class: "muted" }, "the file is up to date") : button("write", "Write the model…", { class: "primary" }),
    ),
    messages(0).map((it) => problem(it.message)),
    h(
      "div",
      { class: "card source", tabindex: 0, role: "region", "aria-label": "Text of the model" },
      h(
        "table",
        null,
        h("tbody", null, lines.map((/** @type {string} */ line, /** @type {number} */ at) => {
          const number = at + 1;
          const claim = claims.get(number);
          const effect = effects.get(number)?.effect;
          let told = "";
          if (typeof effect === "object") told = effect.changes?.join(", ") ?? (effect.holds === true ? "holds" : String(effect.is ?? ""));
          return h(
            "tr",
            { class: effect ? "executed" : "", id: `line-${number}` },
            h("td", { class: "margin" }, claim ? mark(claim) : null),
            h("th", { scope: "row" }, number),
            h("td", null, h("code", null, line || " "), messages(number).map((it) => h("span", { class: `message ${it.severity}` }, `${it.message}${it.help ? ` (${it.help})` : ""}`))),
            h("td", { class: "effect" }, told),
          );
        })),
      ),
    ),
  );
}
