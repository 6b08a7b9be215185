// The view in which states are excluded until the claims are inductive.

import * as matrix from "./claims.js";
import { conjectures } from "./conjectures.js";
import { h } from "./dom.js";
import { formula } from "./formula.js";
import { THEOREMS } from "./store.js";
import { action, button, captions, factTable, names, params, problem, roles, running, sentence, statePicture, statementTable, violation, violationCard } from "./parts.js";

/** @import { Check, Fact, Selected } from "./wire.js" */

export const after = matrix.after;

/** Asks for what this view shows. @param {import("./store.js").Store} store */
export function ask(store) {
  const selected = store.selected();
  const isChecked = store.slots.get("check")?.isOld === false;
  const { claim = "", action: name = "" } = selected ?? {};
  const counterexamples = store.want("counterexamples", selected && isChecked ? { q: "counterexamples", claim, action: name } : null);
  const isFit = counterexamples && !counterexamples.isOld && counterexamples.value && !counterexamples.error;
  if (selected && isChecked && !isFit) return;
  const isExcludable = selected && isFit && name !== "init" && name !== THEOREMS;
  const about = isExcludable ? { ...selected, bound: store.session.bound } : null;
  store.want("generalization", about ? { q: "generalize", ...about } : null);
  // A claim that is false after few steps is told first, and then conjectures are of no use.
  const isUseful = store.isEarlyOver && (!store.violation() || store.wantsAnyway);
  store.want("suggestions", about && isUseful ? { q: "suggest", ...about } : null);
  const mine = store.slots.get("generalization");
  const facts = selected && isExcludable && mine?.value?.formula && !mine.isOld && selected.dropped.length + selected.kept.length > 0 ? mine.value.needed : null;
  store.want("mine", facts && !store.isReport ? { q: "reach", claim, action: name, number: selected?.number ?? 1, facts } : null, true);
  const judged = store.judged;
  store.want("induction", judged ? { q: "induction", formula: judged } : null);
  store.want("sufficient", judged && selected && isChecked ? { q: "sufficient", formula: judged, claim, action: name } : null);
  store.want("bounded", store.bounded ? { q: "bounded", from: 0, ...store.bounded } : null, true);
  const first = store.slots.get("suggestions")?.value;
  const formula = first?.complete && first.suggestions[0] && !store.slots.get("suggestions")?.isOld ? first.suggestions[0].formula : null;
  // Nobody waits for this, and it keeps a processor busy.
  const deeper = store.slots.get("deeper");
  const isKnown = formula && deeper && !deeper.isRunning && deeper.key.includes(JSON.stringify(formula));
  store.want("deeper", formula && (store.isResting || isKnown) && !store.isReport ? { q: "bounded", formula, from: 7, depth: 9 } : null, true);
  store.want("inference", store.wantsInference ? { q: "infer" } : null, true);
  store.want("houdini", store.houdini ? { q: "houdini", formulas: store.houdini } : null, true);
}

/** @param {import("./store.js").Store} store */
export function view(store) {
  const tabs = [
    ["counterexample", "Counterexample"],
    ["conjectures", "Conjectures"],
    ["claims", "Claims, session"],
  ];
  // Where there is room for one part alone, that nothing is left to exclude is told in place of the conjectures.
  const isOver = store.check && !store.selected() && store.own === null && store.tab === "conjectures";
  const shown = isOver ? "counterexample" : store.tab;
  return h(
    "div",
    { class: `induction tab-${shown}`, "data-key": "induction" },
    h(
      "div",
      { class: "tabs", role: "group", "aria-label": "Parts of this view" },
      tabs.map(([id, title]) => button("tab", title, { "data-tab": id, "aria-pressed": String(shown === id) })),
    ),
    h("section", { class: "column left", "aria-label": "Claims and session", tabindex: 0 }, matrix.claims(store), matrix.log(store)),
    h("section", { class: "column centre", "aria-label": "Counterexample", tabindex: 0 }, counterexample(store)),
    h("section", { class: "column right", "aria-label": "Conjectures", tabindex: 0 }, conjectures(store)),
  );
}

/** @param {import("./store.js").Store} store */
function counterexample(store) {
  const slot = store.slots.get("counterexamples");
  const check = store.check;
  const selected = store.selected();
  const checking = store.slots.get("check");
  if (checking?.error && !check?.heads) return problem(checking.error);
  if (!check?.heads) return h("p", { class: "empty" }, checking?.isStopped ? "The check of the claims was stopped." : running("checking the claims"));
  if (checking?.error) return problem(checking.error);
  if (!selected) {
    if (checking?.isStopped) return h("p", { class: "empty" }, "The check of the claims was stopped.");
    if (checking?.isRunning) return h("p", { class: "empty" }, running("checking the claims"));
    const unknown = check.unknown ?? 0;
    const { title, text } = answered(store, check, unknown);
    if (store.isReport && store.session.executions) {
      return h("div", { class: "card done" }, h("h1", null, title), h("p", null, text), button("view", "Executions", { "data-view": "executions", class: "second" }));
    }
    return h(
      "div",
      { class: "card done" },
      h("h1", null, title),
      h("p", null, text),
      check.vacuous?.length ? check.vacuous.map((/** @type {string} */ it) => problem(it)) : null,
      store.session.written ? (store.isReport ? null : h("p", { class: "muted" }, "The model's file has all claims.")) : button("write", ["Write the model… ", h("kbd", null, "w")], { class: "primary" }),
      " ",
      button("view", "See why", { "data-view": "proof", class: "second" }),
    );
  }
  if (slot?.error) return problem(slot.error);
  const list = slot?.value?.counterexamples;
  if (!list) return h("p", { class: "empty" }, running("looking for the smallest counterexample"));
  const number = Math.min(selected.number, list.length);
  const shown = list[number - 1];
  const order = check.heads.actions.map((it) => it.name);
  const title = store.title(selected.action);
  const isInitial = selected.action === "init";
  const isTheorem = selected.action === THEOREMS;
  const generalization = store.slots.get("generalization");
  const needed = generalization && !generalization.error ? (generalization.value?.needed ?? null) : null;
  const [before, after] = shown.states;
  const factRoles = shown.excludable ? roles(before.facts, selected, needed) : null;
  const pointed = store.pointed ?? new Set();
  const head = check.heads.claims.find((it) => it.label === selected.claim);
  const name = head?.kind === "assertion" ? `the assertion in line ${head.line}` : selected.claim;
  const broken = store.violation();
  return [
    broken ? violationCard(broken) : null,
    h(
      "div",
      { class: "heading" },
      h(
        "div",
        null,
        h("h1", null, isInitial ? [name, " is false initially"] : isTheorem ? [name, " is not valid"] : [action(selected.action, title, order), ` breaks ${name}`]),
        h(
          "p",
          { class: "muted" },
          isInitial
            ? "An initial state violates the claim: the claim or the model is wrong."
            : isTheorem
            ? "The theorem is false in a structure in which the axioms are true, reachable or not."
            : after
              ? "The state on the left satisfies every claim; one step later one of them is false."
              : "The state satisfies every claim, and the action violates the assertion.",
        ),
      ),
      list.length > 1
        ? h(
            "div",
            { class: "pager", role: "group", "aria-label": "Smallest counterexamples" },
            `${list.length} smallest `,
            list.map((_, at) =>
              button("number", String(at + 1), { "data-number": at + 1, "aria-pressed": String(at + 1 === number), "aria-label": `Counterexample ${at + 1}` }),
            ),
          )
        : null,
    ),
    h(
      "div",
      { class: `pair ${slot?.isOld ? "old" : ""}`, "data-key": "pair" },
      h(
        "figure",
        { class: "card state before" },
        h("figcaption", null, h("b", null, isInitial ? "Initial state" : isTheorem ? (after ? "First state" : "Structure") : "Before"), factRoles ? h("span", { class: "muted" }, " click a fact to leave it out, Shift-click to keep it") : null),
        statePicture(before, "State before", factRoles, pointed),
      ),
      after
        ? h(
            "figure",
            { class: "card state after" },
            h("figcaption", null, isTheorem ? h("b", null, "Second state") : [h("b", null, "After "), action(selected.action, title, order), " ", params(after.action?.params ?? [])]),
            statePicture(after, "State after", null),
          )
        : null,
    ),
    captions(shown.scene),
    factRoles ? strip(before.facts, selected, factRoles) : null,
    violation(shown.violated, isTheorem || isInitial ? "What is false" : `${name} after`),
    isTheorem ? null : question(store, selected, isInitial),
    shown.statements.length
      ? h("div", { class: "card" }, h("h2", null, "What ", action(selected.action, title, order), " does here"), statementTable(shown.statements))
      : null,
    watches(store, selected, number),
    h(
      "details",
      { class: "card" },
      h("summary", null, "All facts of the state before, as a table"),
      factTable("before", before.facts, factRoles, store.filter),
    ),
  ];
}

/** What is known where no counterexample is. @param {import("./store.js").Store} store @param {Check} check @param {number} unknown */
function answered(store, check, unknown) {
  const { verdict } = store.session;
  if (verdict && verdict.kind !== "good") return { title: verdict.text, text: "" };
  if (verdict && check.cells.length === 0) return { title: verdict.text, text: "" };
  if (store.claimsNothing) return { title: "The model claims nothing", text: "Type a conjecture, or add a claim to the model." };
  if (unknown) return { title: "No counterexample was found", text: `${unknown} ${unknown === 1 ? "obligation has" : "obligations have"} no answer.` };
  const { remark } = check.heads ?? {};
  const more = remark ? ` ${sentence(remark)}` : "";
  return { title: "The claims are inductive", text: `${check.ok} ${check.ok === 1 ? "obligation holds" : "obligations hold"}: no reachable state violates a claim.${more}` };
}

/** @param {Fact[]} facts @param {Selected} selected @param {Map<string, string>} factRoles */
function strip(facts, selected, factRoles) {
  const symbols = [...new Set(facts.map((fact) => fact.symbol))];
  const part = (/** @type {string} */ item, /** @type {string} */ sign, /** @type {Fact[]} */ list) => {
    if (list.length === 0) return null;
    const isOut = selected.dropped.includes(item) || list.every((fact) => factRoles.get(fact.id) === "out");
    const isNeeded = list.some((fact) => ["needed", "kept"].includes(factRoles.get(fact.id) ?? ""));
    return button("symbol", `${sign} ${list.length}`, {
      "data-item": item,
      class: `part ${isOut ? "out" : ""} ${isNeeded ? "needed" : ""}`,
      "aria-pressed": String(!isOut),
      "aria-label": `${list.length} facts ${item}: ${isOut ? "left out by you" : isNeeded ? "needed" : "not needed"}`,
    });
  };
  const hasChoice = selected.dropped.length + selected.kept.length > 0;
  // What is kept although nothing reads it is in no picture.
  const strays = selected.kept.filter((/** @type {string} */ item) => !facts.some((fact) => names(item, fact)));
  return h(
    "div",
    { class: "card strip" },
    symbols.map((symbol) => {
      const of = facts.filter((fact) => fact.symbol === symbol);
      const [first] = of;
      const isRelation = typeof first.value === "boolean";
      return h(
        "span",
        { class: "symbol", "data-key": symbol },
        h("b", null, symbol),
        first.immutable || !isRelation
          ? part(symbol, "", of.filter((fact) => fact.value !== false))
          : [part(`+${symbol}`, "✓", of.filter((fact) => fact.value)), part(`-${symbol}`, "¬", of.filter((fact) => !fact.value))],
      );
    }),
    strays.map((/** @type {string} */ item) => h("span", { class: "symbol", "data-key": `stray ${item}` }, h("code", null, item), button("release", "×", { class: "more", "data-fact": item, "aria-label": `Do not keep ${item}` }))),
    h(
      "p",
      { class: "legend" },
      h("span", { class: "key role-needed" }, "needed"),
      h("span", { class: "key role-free" }, "found unnecessary"),
      h("span", { class: "key role-out" }, "left out by you"),
      h("span", { class: "key role-kept" }, "kept by you"),
      hasChoice ? button("reset", "reset", { class: "link" }) : null,
      button("pictures", "pictures…", { class: "link", title: "What is drawn" }),
    ),
  );
}

/** @param {import("./store.js").Store} store @param {Selected} selected @param {boolean} isInitial */
function question(store, selected, isInitial) {
  const { claim } = selected;
  const check = store.check;
  const isClaim = check?.heads?.claims.some((it) => it.label === claim && it.kind !== "assertion" && it.kind !== "theorem");
  const found = store.slots.get("generalization")?.value;
  return h(
    "div",
    { class: "card ask" },
    isInitial ? null : h("b", null, "Can the left state be reached? "),
    isInitial
      ? null
      : button("view", "No: exclude it", { class: "second chosen", "data-view": "conjectures" }),
    isClaim ? button("claim", isInitial ? `${claim} is wrong` : `Yes: ${claim} is wrong`, { class: "second", "data-claim": claim }) : null,
    button("view", isInitial ? "The model is wrong" : "Yes: the model is wrong", { class: "second", "data-view": "model" }),
    found?.formula ? h("span", { class: "muted" }, ` not within ${found.bound} steps`) : null,
  );
}

/** @param {import("./store.js").Store} store @param {Selected} selected @param {number} number */
function watches(store, selected, number) {
  const list = store.session.watches ?? [];
  return h(
    "div",
    { class: "card watches" },
    h("b", null, "Watch "),
    list.map((/** @type {string} */ text) => {
      const slot = store.want(`watch ${text}`, { q: "evaluate", formula: text, claim: selected.claim, action: selected.action, number });
      const values = slot?.value?.values;
      return h(
        "p",
        { "data-key": text },
        formula(text),
        " ",
        values ? values.map((/** @type {boolean} */ it) => String(it)).join(" → ") : (slot?.error ?? "…"),
        " ",
        button("unwatch", "×", { "data-formula": text, class: "more", "aria-label": `Stop watching ${text}` }),
      );
    }),
    button("watch", "add an expression…", { class: "link" }),
  );
}
