// The view in which states are excluded until the claims are inductive.

import { h } from "./dom.js";
import { formula, plain } from "./formula.js";
import { action, button, factTable, names, params, problem, roles, running, statePicture, statementTable, tag, violation } from "./parts.js";

const SIGNS = /** @type {Record<string, string>} */ ({ ok: "✓", failed: "✗", unknown: "?", error: "!" });
const WORDS = /** @type {Record<string, string>} */ ({ ok: "holds", failed: "fails", unknown: "unknown", error: "internal error" });

/** Asks for what this view shows. @param {import("./store.js").Store} store */
export function ask(store) {
  const selected = store.selected();
  const isChecked = store.slots.get("check")?.isOld === false;
  const { claim, action: name } = selected ?? {};
  const counterexamples = store.want("counterexamples", selected && isChecked ? { q: "counterexamples", claim, action: name } : null);
  const isFit = counterexamples && !counterexamples.isOld && counterexamples.value && !counterexamples.error;
  if (selected && isChecked && !isFit) return;
  const isExcludable = selected && isFit && name !== "init";
  const about = isExcludable ? { ...selected, bound: store.session.bound } : null;
  store.want("generalization", about ? { q: "generalize", ...about } : null);
  store.want("suggestions", about ? { q: "suggest", ...about } : null);
  const judged = store.judged;
  store.want("induction", judged ? { q: "induction", formula: judged } : null);
  store.want("sufficient", judged && selected && isChecked ? { q: "sufficient", formula: judged, claim, action: name } : null);
  store.want("bounded", store.bounded ? { q: "bounded", from: 0, ...store.bounded } : null);
  const first = store.slots.get("suggestions")?.value;
  const formula = first?.complete && first.suggestions[0] && !store.slots.get("suggestions")?.isOld ? first.suggestions[0].formula : null;
  store.want("deeper", formula && !store.isReport ? { q: "bounded", formula, from: 7, depth: 9 } : null, true);
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
  return h(
    "div",
    { class: `induction tab-${store.tab}`, "data-key": "induction" },
    h(
      "div",
      { class: "tabs", role: "group", "aria-label": "Parts of this view" },
      tabs.map(([id, title]) => button("tab", title, { "data-tab": id, "aria-pressed": String(store.tab === id) })),
    ),
    h("section", { class: "column left", "aria-label": "Claims and session", tabindex: 0 }, claims(store), log(store)),
    h("section", { class: "column centre", "aria-label": "Counterexample", tabindex: 0 }, counterexample(store)),
    h("section", { class: "column right", "aria-label": "Conjectures", tabindex: 0 }, conjectures(store)),
  );
}

/** @param {import("./store.js").Store} store */
function claims(store) {
  const slot = store.slots.get("check");
  const check = store.check;
  const heads = check?.heads;
  const selected = store.selected();
  const isOld = slot?.isOld || slot?.isRunning;
  const cell = (/** @type {any} */ claim, /** @type {any} */ act) => {
    const found = check.cells.find((/** @type {any} */ it) => it.claim === claim.label && it.action === act.name);
    if (!found) {
      const isAsked = isOld && claim.kind !== "assertion";
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
  const order = (heads?.actions ?? []).map((/** @type {any} */ it) => it.name);
  return [
    h("h2", null, "Claims ", button("own", "add…", { class: "link", title: "Type a conjecture" })),
    slot?.error ? problem(slot.error) : null,
    !heads
      ? running("checking the claims")
      : h(
          "div",
          { class: "card scroll", tabindex: 0, role: "region", "aria-label": "Claims and actions" },
          h(
            "table",
            { class: "matrix" },
            h(
              "thead",
              null,
              h("tr", null, h("th", { scope: "col" }, "claim"), heads.actions.map((/** @type {any} */ act) => h("th", { scope: "col" }, action(act.name, act.title, order)))),
            ),
            heads.claims.map((/** @type {any} */ claim) =>
              h(
                "tbody",
                { "data-key": claim.label },
                h(
                  "tr",
                  null,
                  h(
                    "th",
                    { scope: "row" },
                    h("b", null, claim.kind === "assertion" ? "assert" : claim.label),
                    " ",
                    claim.kind === "safety" ? tag("safety", "warn") : null,
                    claim.kind === "assertion" ? h("span", { class: "muted" }, `line ${claim.line}`) : null,
                    claim.from ? tag("new", "accent") : null,
                    claim.kind === "assertion"
                      ? null
                      : button("claim", "⋯", { class: "more", "data-claim": claim.label, "aria-label": `Edit, rename or remove ${claim.label}` }),
                  ),
                  heads.actions.map((/** @type {any} */ act) => h("td", null, cell(claim, act))),
                ),
                claim.kind === "assertion" ? null : h("tr", null, h("td", { colspan: heads.actions.length + 1, class: "text" }, formula(claim.formula))),
              ),
            ),
          ),
        ),
  ];
}

/** @param {import("./store.js").Store} store @param {any} command */
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
      return `Looked at ${command.claim}, ${store.title(command.action)}${command.number > 1 ? ` (${command.number})` : ""}`;
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
    case "take":
      return `Took ${store.title(command.action)}`;
    case "note":
      return command.text;
    default:
      return command.do;
  }
}

/** @param {import("./store.js").Store} store */
function log(store) {
  const { session } = store;
  const commands = session?.commands ?? [];
  const undone = [...(session?.undone ?? [])].reverse();
  return [
    h("h2", null, "Session ", button("share", "share…", { class: "link" })),
    h(
      "ol",
      { class: "card log", "aria-label": "What was done" },
      h("li", { class: commands.length ? "" : "now" }, "Opened the model"),
      commands.map((/** @type {any} */ it, /** @type {number} */ at) => h("li", { class: at === commands.length - 1 ? "now" : "" }, said(store, it))),
      undone.map((it) => h("li", { class: "undone" }, said(store, it))),
    ),
    button("note", "Add a remark…", { class: "link" }),
  ];
}

/** @param {import("./store.js").Store} store */
function counterexample(store) {
  const slot = store.slots.get("counterexamples");
  const check = store.check;
  const selected = store.selected();
  if (!check?.heads) return h("p", { class: "empty" }, running("checking the claims"));
  if (!selected) {
    if (store.slots.get("check")?.isRunning) return h("p", { class: "empty" }, running("checking the claims"));
    const unknown = check.unknown ?? 0;
    return h(
      "div",
      { class: "card done" },
      h("h1", null, unknown ? "No counterexample was found" : "The claims are inductive"),
      h("p", null, unknown ? `${unknown} obligations have no answer.` : `${check.ok} obligations hold: no reachable state violates a claim.`),
      check.vacuous?.length ? check.vacuous.map((/** @type {string} */ it) => problem(it)) : null,
      store.session.written ? h("p", { class: "muted" }, "The model's file has all claims.") : button("write", ["Write the model… ", h("kbd", null, "w")], { class: "primary" }),
      " ",
      button("view", "See why", { "data-view": "proof", class: "second" }),
    );
  }
  if (slot?.error) return problem(slot.error);
  const list = slot?.value?.counterexamples;
  if (!list) return h("p", { class: "empty" }, running("looking for the smallest counterexample"));
  const number = Math.min(selected.number, list.length);
  const shown = list[number - 1];
  const order = check.heads.actions.map((/** @type {any} */ it) => it.name);
  const title = store.title(selected.action);
  const isInitial = selected.action === "init";
  const generalization = store.slots.get("generalization");
  const needed = generalization && !generalization.error ? (generalization.value?.needed ?? null) : null;
  const [before, after] = shown.states;
  const factRoles = shown.excludable ? roles(before.facts, selected, needed) : null;
  const pointed = store.pointed ?? new Set();
  const kind = check.heads.claims.find((/** @type {any} */ it) => it.label === selected.claim)?.kind;
  const name = kind === "assertion" ? `the assertion in line ${check.heads.claims.find((/** @type {any} */ it) => it.label === selected.claim).line}` : selected.claim;
  return [
    h(
      "div",
      { class: "heading" },
      h(
        "div",
        null,
        h("h1", null, isInitial ? [name, " is false initially"] : [action(selected.action, title, order), ` breaks ${name}`]),
        h(
          "p",
          { class: "muted" },
          isInitial
            ? "An initial state violates the claim: the claim or the model is wrong."
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
            list.map((/** @type {any} */ _, /** @type {number} */ at) =>
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
        h("figcaption", null, h("b", null, isInitial ? "Initial state" : "Before"), factRoles ? h("span", { class: "muted" }, " click a fact to leave it out, Shift-click to keep it") : null),
        statePicture(before, "State before", factRoles, pointed),
      ),
      after
        ? h(
            "figure",
            { class: "card state after" },
            h("figcaption", null, h("b", null, "After "), action(selected.action, title, order), " ", params(after.action?.params ?? [])),
            statePicture(after, "State after", null),
          )
        : null,
    ),
    factRoles ? strip(before.facts, selected, factRoles, shown.unread) : null,
    violation(shown.violated, name),
    question(store, selected, isInitial),
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

/** @param {any[]} facts @param {any} selected @param {Map<string, string>} factRoles @param {string[]} unread */
function strip(facts, selected, factRoles, unread) {
  const symbols = [...new Set(facts.map((fact) => fact.symbol))];
  const part = (/** @type {string} */ item, /** @type {string} */ sign, /** @type {any[]} */ list) => {
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
    h(
      "p",
      { class: "legend" },
      h("span", { class: "key role-needed" }, "needed"),
      h("span", { class: "key role-free" }, "found unnecessary"),
      h("span", { class: "key role-out" }, "left out by you"),
      h("span", { class: "key role-kept" }, "kept by you"),
      hasChoice ? button("reset", "reset", { class: "link" }) : null,
      button("pictures", "pictures…", { class: "link", title: "What is drawn" }),
      unread.length ? h("span", { class: "muted" }, `${unread.join(", ")}: read by nothing, left out`) : null,
    ),
  );
}

/** @param {import("./store.js").Store} store @param {any} selected @param {boolean} isInitial */
function question(store, selected, isInitial) {
  const { claim } = selected;
  const check = store.check;
  const isClaim = check.heads.claims.some((/** @type {any} */ it) => it.label === claim && it.kind !== "assertion");
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

/** @param {import("./store.js").Store} store @param {any} selected @param {number} number */
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

/** @param {import("./store.js").Store} store */
function conjectures(store) {
  const selected = store.selected();
  const bound = store.session?.bound ?? 3;
  const own = ownConjecture(store);
  const tried = tries(store);
  if (!selected) return [own, tried, inference(store)];
  const slot = store.slots.get("suggestions");
  const generalization = store.slots.get("generalization");
  const isChosen = selected.dropped.length + selected.kept.length > 0;
  const list = slot?.value?.suggestions ?? [];
  const refuted = slot?.value?.refuted ?? [];
  const mine = isChosen ? generalization?.value : null;
  const isSame = (/** @type {any} */ it) => mine?.formula === it.formula;
  const shown = list.filter((/** @type {any} */ it) => !isSame(it));
  const known = list.find(isSame);
  const firstOf = mine?.formula ? [{ ...known, ...mine, isMine: true }] : [];
  const late = mine?.formula ? refuted.find(isSame) : null;
  if (late) Object.assign(firstOf[0], { falseAfter: late.steps });
  const cards = [...firstOf, ...shown];
  store.offered = cards;
  return [
    h(
      "div",
      { class: "heading" },
      h("h2", null, "Exclude this state"),
      h(
        "div",
        { class: "bound", role: "group", "aria-label": "Number of steps" },
        "true for ",
        button("bound", "−", { "data-steps": bound - 1, disabled: bound === 0, "aria-label": "One step less" }),
        h("output", null, String(bound)),
        button("bound", "+", { "data-steps": bound + 1, disabled: bound >= 20, "aria-label": "One step more" }),
        " steps",
      ),
    ),
    own,
    problem(generalization?.error),
    generalization?.value?.reached !== undefined ? reached(generalization.value, isChosen, generalization.isOld) : null,
    cards.map((it, at) => card(store, it, at, (slot?.isOld && !it.isMine) || (generalization?.isOld && it.isMine))),
    slot?.error ? problem(slot.error) : null,
    slot?.isRunning ? running(slot.value?.deepening ? `are they true for ${slot.value.deepening} steps?` : "looking for conjectures", "suggestions") : null,
    !slot?.isRunning && cards.length === 0 && generalization?.value?.reached === undefined && !slot?.error
      ? h("p", { class: "empty" }, "No universal formula excludes this state for so many steps. Type one, or ask for inference.")
      : null,
    refuted.length
      ? h(
          "details",
          { class: "refuted", "data-key": "refuted" },
          h("summary", null, `${refuted.length} more ${refuted.length === 1 ? "was" : "were"} true for a few steps and ${refuted.length === 1 ? "is" : "are"} false after that`),
          h(
            "ul",
            null,
            refuted.map((/** @type {any} */ it) =>
              h(
                "li",
                { "data-key": it.formula },
                formula(it.formula),
                " ",
                tag(`false after ${it.steps} steps`, "bad"),
                " ",
                button("why-refuted", "Show the execution", { class: "link", "data-formula": it.formula, "data-steps": it.steps }),
              ),
            ),
          ),
        )
      : null,
    tried,
    inference(store),
  ];
}

/** @param {any} found @param {boolean} isChosen @param {boolean} isOld */
function reached(found, isChosen, isOld) {
  const lacks = found.lacks ?? [];
  return h(
    "div",
    { class: `card reached ${isOld ? "old" : ""}`, role: "status" },
    h("b", null, isChosen ? "A state with these facts is reached" : "A state like this is reached"),
    h(
      "p",
      null,
      `in ${found.reached} ${found.reached === 1 ? "step" : "steps"}, so `,
      isChosen ? "they do not suffice. Keep more of them." : "nothing excludes it: a claim or the model is wrong.",
    ),
    button("execution", ["Show the execution ", h("kbd", null, "e")], { class: "second" }),
    lacks.map((/** @type {string[]} */ facts) =>
      h(
        "p",
        { class: "lacks" },
        "What it lacks of the counterexample: ",
        h("code", null, facts.join(", ")),
        " ",
        button("keep", "Keep that", { class: "second", "data-facts": JSON.stringify(facts) }),
      ),
    ),
  );
}

/** @param {import("./store.js").Store} store @param {any} it @param {number} at @param {boolean | undefined} isOld */
function card(store, it, at, isOld) {
  const isFirst = at === Math.min(store.chosen, (store.offered?.length ?? 1) - 1);
  const merit = it.merit;
  const deeper = at === 0 ? store.slots.get("deeper") : null;
  const isDeeper = deeper && !deeper.isOld && deeper.key.includes(JSON.stringify(it.formula)) ? deeper.value : null;
  const bound = Math.max(it.bound ?? 0, isDeeper?.holds ?? 0);
  const name = nextName(store);
  const falseAfter = it.falseAfter ?? (isDeeper?.steps ?? null);
  return h(
    "article",
    { class: `card suggestion ${isFirst ? "first" : ""} ${isOld ? "old" : ""}`, "data-key": `s ${it.formula}`, "data-at": at, "data-needed": JSON.stringify(it.needed ?? []), "aria-label": `Conjecture ${at + 1}: ${plain(it.formula)}` },
    h("div", { class: "line" }, h("span", { class: "number", "aria-hidden": true }, it.isMine ? "✎" : String(at + 1)), formula(it.formula)),
    isFirst && it.svg ? h("div", { class: "never" }, h("span", { class: "word" }, "never"), statePicture(it, `Never: ${(it.needed ?? []).join(", ")}`, null)) : null,
    h(
      "p",
      { class: "tags" },
      falseAfter ? tag(`false after ${falseAfter} steps`, "bad") : tag(`true for ${bound} steps`, "good"),
      it.inductive === undefined ? null : tag(it.inductive ? "inductive" : "not yet inductive", it.inductive ? "good" : "warn"),
      merit ? (merit.fails === 0 ? tag("completes the proof", "good") : tag(`excludes ${merit.excludes} of ${merit.of}`)) : null,
      merit?.unnecessary?.length ? tag(`makes ${merit.unnecessary.join(", ")} unnecessary`) : null,
    ),
    h(
      "div",
      { class: "buttons" },
      isFirst ? button("add", [`Add as ${name} `, h("kbd", null, "a")], { class: "primary", "data-at": at }) : button("add", `Add as ${name}`, { class: "second", "data-at": at }),
      button("edit", "Edit…", { class: "second", "data-at": at }),
      button("judge", "Check…", { class: "link", "data-at": at }),
    ),
    store.judged === it.formula ? judgement(store) : null,
  );
}

/** What a formula would do. @param {import("./store.js").Store} store */
function judgement(store) {
  const induction = store.slots.get("induction");
  const sufficient = store.slots.get("sufficient");
  const bounded = store.slots.get("bounded");
  return h(
    "div",
    { class: "judgement", role: "status" },
    induction?.isRunning ? running("is it inductive?", "induction") : problem(induction?.error),
    induction?.value && !induction.isOld
      ? h("p", null, induction.value.inductive ? "Inductive together with the claims." : ["Not inductive: ", induction.value.failed.map((/** @type {any} */ it, /** @type {number} */ at) => [at ? ", " : "", button("show-failed", `${store.title(it.action)} breaks it`, { class: "link", "data-at": at })])])
      : null,
    sufficient?.isRunning ? running("does it exclude all of these counterexamples?", "sufficient") : null,
    sufficient?.value && !sufficient.isOld
      ? h("p", null, sufficient.value.sufficient ? "Sufficient: with it, this obligation holds." : ["Not sufficient: ", button("show-left", "a counterexample is left", { class: "link" })])
      : null,
    h(
      "p",
      null,
      "Bounded check to ",
      h("input", { type: "number", min: 0, max: 100, value: store.depth, "data-act": "depth", "aria-label": "Number of steps" }),
      " steps ",
      button("bounded", "Check", { class: "second" }),
    ),
    bounded?.isRunning ? running(bounded.value?.holds !== undefined && bounded.value?.holds !== null ? `true for ${bounded.value.holds} steps, going on` : "executions", "bounded") : problem(bounded?.error),
    bounded?.value && !bounded.isRunning && !bounded.isOld
      ? h("p", null, bounded.value.execution ? [`False after ${bounded.value.steps} steps: `, button("show-bounded", "Show the execution", { class: "link" })] : `True for ${bounded.value.holds ?? 0} steps.`)
      : null,
  );
}

/** The name that the next claim gets. @param {import("./store.js").Store} store */
function nextName(store) {
  const labels = (store.check?.heads?.claims ?? []).filter((/** @type {any} */ it) => it.kind !== "assertion").map((/** @type {any} */ it) => it.label);
  const numbered = labels.map((/** @type {string} */ it) => /^(.*?)([0-9]+)$/u.exec(it)).filter((/** @type {any} */ it) => it && it[1] && !/^L$/u.test(it[1]));
  const last = numbered.at(-1);
  const stem = last ? last[1] : "conjecture_";
  const numbers = numbered.filter((/** @type {any} */ it) => it[1] === stem).map((/** @type {any} */ it) => Number(it[2]));
  return `${stem}${numbers.length ? Math.max(...numbers) + 1 : 1}`;
}

/** @param {import("./store.js").Store} store */
function ownConjecture(store) {
  if (store.own === null) return null;
  return h(
    "form",
    { class: "card own", "data-act": "own-add", "data-key": "own" },
    h("label", { for: "own" }, "Your conjecture"),
    h("textarea", { id: "own", rows: 3, spellcheck: "false", autocomplete: "off", "aria-describedby": "own-error own-help" }, store.own),
    h("p", { id: "own-help", class: "completions" }, (store.completions ?? []).map((/** @type {string} */ name) => button("complete", name, { class: "tag", "data-name": name }))),
    store.ownError ? h("p", { id: "own-error", class: "problem", role: "alert" }, store.ownError) : null,
    h(
      "div",
      { class: "buttons" },
      h("button", { type: "submit", class: "primary" }, "Add"),
      button("own-judge", "Check", { class: "second" }),
      button("own-close", "Close", { class: "second" }),
    ),
    store.judged !== null && store.judged === store.own ? judgement(store) : null,
  );
}

/** Formulas that were tried: their inductive part. @param {import("./store.js").Store} store */
function tries(store) {
  const slot = store.slots.get("houdini");
  const formulas = (store.slots.get("suggestions")?.value?.suggestions ?? []).map((/** @type {any} */ it) => it.formula);
  return h(
    "div",
    { class: "card more-ways" },
    formulas.length > 1 ? button("houdini", "Keep the inductive ones of these", { class: "link", title: "Houdini over the suggestions" }) : null,
    slot?.isRunning ? running("Houdini", "houdini") : problem(slot?.error),
    slot?.value && !slot.isOld
      ? slot.value.lemmas.length
        ? h("ul", null, slot.value.lemmas.map((/** @type {string} */ it) => h("li", null, formula(it), " ", button("add-lemma", "Add", { class: "link", "data-formula": it }))))
        : h("p", { class: "muted" }, "None of them is inductive.")
      : null,
  );
}

/** @param {import("./store.js").Store} store */
function inference(store) {
  const slot = store.slots.get("inference");
  if (!store.selected()) return null;
  return h(
    "div",
    { class: "card more-ways" },
    store.wantsInference ? h("b", null, "Inference ") : button("infer", "Search for an invariant", { class: "link" }),
    slot?.isRunning ? running(slot.value?.lemmas ? `${slot.value.lemmas} lemmas so far` : "searching", "inference") : problem(slot?.error),
    slot?.value?.inductive !== undefined && !slot.isOld
      ? slot.value.lemmas.length
        ? [
            h("p", null, slot.value.inductive ? "With these the claims are inductive:" : "These are inductive, and do not suffice:"),
            h("ul", null, slot.value.lemmas.map((/** @type {string} */ it) => h("li", null, formula(it), " ", button("add-lemma", "Add", { class: "link", "data-formula": it })))),
            button("add-all", "Add all", { class: "second" }),
          ]
        : h("p", { class: "muted" }, slot.value.universal === false ? "No universal invariant exists." : slot.value.violated ? `${slot.value.violated} is false in a reachable state.` : "No invariant was found.")
      : null,
  );
}

export { names };
