// The table of claims and actions, and the log of the session.

import { h } from "./dom.js";
import { formula } from "./formula.js";
import { THEOREMS } from "./store.js";
import { action, button, page, problem, running, sentence, tag } from "./parts.js";

/** @import { Action, Claim, Command } from "./wire.js" */

const SIGNS = /** @type {Record<string, string>} */ ({ ok: "✓", failed: "✗", unknown: "?", error: "!" });
const WORDS = /** @type {Record<string, string>} */ ({ ok: "holds", failed: "fails", unknown: "unknown", error: "internal error" });

/** @param {import("./store.js").Store} store */
export function claims(store) {
  const slot = store.slots.get("check");
  const check = store.check;
  const heads = check?.heads;
  const selected = store.selected();
  const isOld = slot?.isOld || slot?.isRunning;
  const cell = (/** @type {Claim} */ claim, /** @type {Action} */ act) => {
    // A theorem is about no transition, and may have the name of an invariant.
    const isFit = (claim.kind === "theorem") === (act.name === THEOREMS);
    const found = isFit ? check?.cells.find((it) => it.claim === claim.label && it.action === act.name) : undefined;
    if (!found) {
      const isAsked = isOld && isFit && claim.kind !== "assertion";
      return h("span", { class: "cell none", "aria-label": isAsked ? "running" : "not asked" }, isAsked ? "◌" : "·");
    }
    const isShown = selected?.claim === claim.label && selected?.action === act.name;
    const old = slot?.isOld ? ", obsolete" : "";
    return button("cell", [SIGNS[found.outcome] ?? "?", slot?.isOld ? h("sup", null, "~") : null], {
      class: `cell ${found.outcome} ${slot?.isOld ? "old" : ""}`,
      "data-claim": claim.label,
      "data-action": act.name,
      "data-outcome": found.outcome,
      "aria-pressed": String(isShown && found.outcome === "failed"),
      "aria-label": `${claim.label}, ${act.title}: ${WORDS[found.outcome]}${old}`,
      title: found.reason ?? "",
    });
  };
  const order = (heads?.actions ?? []).map((it) => it.name);
  const all = heads?.claims ?? [];
  const { shown, pager } = page(store, "claims", all, all.findIndex((it) => it.label === selected?.claim));
  // Where names of actions do not fit beside each other they are written upwards.
  const isNarrow = order.length > 3;
  const name = (/** @type {Claim} */ claim) => [
    h("b", null, claim.kind === "assertion" ? "assert" : claim.label),
    " ",
    claim.kind === "safety" ? tag("safety", "warn") : null,
    claim.kind === "assertion" ? h("span", { class: "muted" }, `line ${claim.line}`) : null,
    claim.from ? tag("new", "accent") : null,
    claim.kind === "theorem" ? tag("theorem", "muted") : null,
    claim.kind === "assertion" || claim.kind === "theorem"
      ? null
      : button("claim", "⋯", { class: "more", "data-claim": claim.label, "aria-label": `Edit, rename or remove ${claim.label}` }),
  ];
  const cells = (/** @type {Claim} */ claim) => heads?.actions.map((act) => h("td", null, cell(claim, act)));
  return [
    h("h2", null, "Claims ", button("own", "add…", { class: "link", title: "Type a conjecture" })),
    slot?.error ? problem(slot.error) : null,
    heads?.remark ? h("p", { class: "muted" }, sentence(heads.remark)) : null,
    !heads
      ? running("checking the claims")
      : h(
          "div",
          { class: "card scroll claims", tabindex: 0, role: "region", "aria-label": "Claims and actions" },
          h(
            "table",
            { class: `matrix ${isNarrow ? "narrow" : ""}` },
            h(
              "thead",
              null,
              h("tr", null, isNarrow ? null : h("th", { scope: "col" }, "claim"), heads.actions.map((act) => h("th", { scope: "col", title: act.title }, action(act.name, act.title, order)))),
            ),
            shown.map((claim) =>
              h(
                "tbody",
                { "data-key": claim.label },
                isNarrow
                  ? [h("tr", null, h("th", { scope: "rowgroup", colspan: heads.actions.length }, name(claim))), h("tr", null, cells(claim))]
                  : h("tr", null, h("th", { scope: "row" }, name(claim)), cells(claim)),
                claim.kind === "assertion" ? null : h("tr", null, h("td", { colspan: heads.actions.length + (isNarrow ? 0 : 1), class: "text" }, formula(claim.formula))),
              ),
            ),
          ),
        ),
    pager,
    heads && all.length === 0 ? h("p", { class: "muted" }, "The model claims nothing.") : null,
  ];
}

/** The cell that was made visible last. */
let visible = "";

/** Makes the cell visible whose counterexample is shown, if it is another one than before. */
export function after() {
  const cell = document.querySelector(".matrix .cell[aria-pressed=true]");
  const name = `${cell?.getAttribute("data-claim")} ${cell?.getAttribute("data-action")}`;
  if (name !== visible) cell?.scrollIntoView({ block: "nearest", inline: "nearest" });
  visible = name;
}

/** @param {import("./store.js").Store} store @param {Command} command */
function said(store, command) {
  switch (command.do) {
    case "add":
      return `Added ${command.name ?? "a conjecture"}`;
    case "remove":
      return `Removed ${command.claim}`;
    case "edit":
      return `Edited ${command.claim}`;
    case "rename":
      return `Renamed ${command.claim} to ${command.name}`;
    case "select":
      return `Looked at ${command.claim}, ${store.title(command.action)}${command.number && command.number > 1 ? ` (${command.number})` : ""}`;
    case "drop":
      return `Left out ${command.fact}`;
    case "keep":
      return `Kept ${command.fact}`;
    case "release":
      return `Released ${command.fact}`;
    case "bound":
      return `True for ${command.steps} steps`;
    case "start":
      return "Began a walk";
    case "back":
      return `Back to state ${command.steps}`;
    case "watch":
      return `Watched ${command.formula}`;
    case "unwatch":
      return `Stopped watching ${command.formula}`;
    case "project":
      return `Drew ${command.projection}`;
    case "unproject":
      return `Stopped drawing ${command.projection}`;
    case "define":
      return `Defined ${command.definition}`;
    case "undefine":
      return `Removed ${command.definition}`;
    case "hide":
      return `Hid ${command.symbol}`;
    case "show":
      return `Showed ${command.symbol}`;
    case "take":
      return `Took ${store.title(command.action)}`;
    case "note":
      return command.text;
  }
}

/** @param {import("./store.js").Store} store */
export function log(store) {
  const { session } = store;
  const commands = session?.commands ?? [];
  const undone = [...(session?.undone ?? [])].reverse();
  return [
    h("h2", null, "Session ", button("share", "share…", { class: "link" })),
    h(
      "ol",
      { class: "card log", "aria-label": "What was done" },
      h("li", { class: commands.length ? "" : "now" }, "Opened the model"),
      commands.map((it, at) => h("li", { class: at === commands.length - 1 ? "now" : "" }, said(store, it))),
      undone.map((it) => h("li", { class: "undone" }, said(store, it))),
    ),
    button("note", "Add a remark…", { class: "link" }),
  ];
}
