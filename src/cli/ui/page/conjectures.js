// Conjectures: suggestions, the person's own, and what inference finds.

import { isRemovable } from "./store.js";
import { h } from "./dom.js";
import { formula, plain } from "./formula.js";
import { button, falseAfter, problem, running, statePicture, tag, violationCard } from "./parts.js";

/** @import { Generalization, Inference, Refuted, Selected } from "./wire.js" */

/** @param {import("./store.js").Store} store */
export function conjectures(store) {
  const selected = store.selected();
  const bound = store.session?.bound ?? 3;
  const own = ownConjecture(store);
  const tried = tries(store);
  if (!selected) {
    const isOver = store.check && !store.slots.get("check")?.isRunning && !store.isReport;
    return [own, tried, inference(store), isOver ? h("p", { class: "empty" }, "No counterexample is left to exclude. ", button("own", "Type a conjecture…", { class: "link" })) : null];
  }
  const slot = store.slots.get("suggestions");
  const generalization = store.slots.get("generalization");
  const isChosen = selected.dropped.length + selected.kept.length > 0;
  const list = slot?.value?.suggestions ?? [];
  const refuted = slot?.value?.refuted ?? [];
  const mine = isChosen ? generalization?.value : null;
  const isSame = (/** @type {{formula: string}} */ it) => mine?.formula === it.formula;
  const shown = list.filter((it) => !isSame(it));
  const known = list.find(isSame);
  /** @type {import("./store.js").Offered[]} */
  const firstOf = mine?.formula ? [{ ...known, ...mine, isMine: true }] : [];
  const late = mine?.formula ? refuted.find(isSame) : null;
  const explored = mine?.formula ? store.slots.get("mine") : null;
  const falseAfter = late?.steps ?? (explored?.isOld ? null : explored?.value?.steps);
  if (mine && falseAfter) Object.assign(firstOf[0], { falseAfter, isExplored: late ? late.explored : true });
  const violation = store.violation();
  /** @type {import("./store.js").Offered[]} */
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
    violation && !store.wantsAnyway ? [violationCard(violation), h("p", null, button("anyway", "Look for conjectures all the same", { class: "link" }))] : null,
    problem(generalization?.error),
    generalization?.value?.reached !== undefined ? reached(generalization.value, selected, generalization.isOld) : null,
    cards.map((it, at) => card(store, it, at, (slot?.isOld && !it.isMine) || (generalization?.isOld && it.isMine))),
    slot?.error ? problem(slot.error) : null,
    slot?.isRunning ? running(slot.value?.deepening ? `are they true for ${slot.value.deepening} steps?` : "looking for conjectures", "suggestions") : null,
    slot && !slot.isRunning && cards.length === 0 && generalization?.value?.reached === undefined ? nothing(slot, refuted, bound) : null,
    refuted.length
      ? h(
          "details",
          { class: "refuted", "data-key": "refuted" },
          h("summary", null, `${refuted.length} more ${refuted.length === 1 ? "was" : "were"} true for a few steps and ${refuted.length === 1 ? "is" : "are"} false after that`),
          h(
            "ul",
            null,
            refuted.map((it) =>
              h(
                "li",
                { "data-key": it.formula },
                formula(it.formula),
                " ",
                tag(`false after ${it.steps} steps`, "bad"),
                " ",
                whyRefuted(it.formula, it.steps, it.explored ? it.needed : null),
              ),
            ),
          ),
        )
      : null,
    tried,
    inference(store),
  ];
}

/** Leads to an execution to a state with the facts, or else to a shortest one in which the formula is false. @param {string} formula @param {number} steps @param {string[] | null} facts */
function whyRefuted(formula, steps, facts) {
  return button("why-refuted", "Show the execution", { class: "link", "data-formula": formula, "data-steps": steps, "data-facts": facts ? JSON.stringify(facts) : null });
}

/** Says that there is no conjecture to offer, and what led to that. @param {import("./store.js").Slot} slot @param {Refuted[]} refuted @param {number} bound */
function nothing(slot, refuted, bound) {
  if (slot.error) return null;
  if (slot.isStopped) return h("p", { class: "empty" }, "The search for conjectures was stopped.");
  const steps = Math.min(20, Math.max(bound + 1, ...refuted.map((it) => it.steps)));
  return h(
    "div",
    { class: "card nothing" },
    h("p", null, refuted.length ? `What was found is true for ${bound} steps and false after some more.` : "Of what was tried, nothing excludes this state."),
    steps > bound ? h("p", null, button("bound", `Look for what is true for ${steps} steps`, { class: "second", "data-steps": steps })) : null,
    further(),
  );
}

/** Ways on where no universal conjecture over the facts is to be had. */
function further() {
  return h(
    "p",
    { class: "buttons" },
    button("own", "Type a conjecture…", { class: "second", title: "It may have `exists`" }),
    button("infer", "Search for an invariant", { class: "second" }),
  );
}

/** What it means that facts are reached. @param {Extract<Generalization, {reached: number}>} found @param {Selected} selected @param {boolean} isOld */
function reached(found, selected, isOld) {
  const { lacks = [], left_out: leftOut = [], larger = [], whole } = found;
  const isSame = whole && larger.length === 0;
  const isLacking = (/** @type {string} */ fact) => lacks.flat().includes(fact);
  const unread = leftOut.filter((it) => !it.facts.some(isLacking));
  const steps = `in ${found.reached} ${found.reached === 1 ? "step" : "steps"}`;
  const sizes = larger.map(([sort, here, there]) => `${there} of sort ${sort}, not ${here}`).join("; ");
  return h(
    "div",
    { class: `card reached ${isOld ? "old" : ""}`, role: "status" },
    h("b", null, isSame ? "This state is reached" : "A state with these facts is reached"),
    isSame
      ? h("p", null, `${steps}, but for the names of elements; one step more violates ${selected.claim}. The claim or the model is wrong.`)
      : [
          h("p", null, `${steps}, so no universally quantified conjecture over ${whole ? "the facts of the state" : "the facts that are left"} excludes the state.`),
          sizes ? h("p", null, `The reached state has more elements: ${sizes}. A conjecture with `, h("code", null, "exists"), " may tell the two apart.") : null,
        ],
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
    unread.length
      ? h(
          "p",
          { class: "left-out" },
          "Left out, since nothing reads ",
          unread.length === 1 ? "it: " : "them: ",
          h("code", null, unread.map((it) => it.symbol).join(", ")),
          " ",
          button("keep", unread.length === 1 ? "Keep it" : "Keep them", { class: "second", "data-facts": JSON.stringify(unread.map((it) => it.symbol)) }),
        )
      : null,
    selected.dropped.length ? h("p", null, "You have left out facts: ", button("reset", "Take all of them back", { class: "second" })) : null,
    isSame ? null : further(),
  );
}

/** @param {import("./store.js").Store} store @param {import("./store.js").Offered} it @param {number} at @param {boolean | undefined} isOld */
function card(store, it, at, isOld) {
  const isFirst = at === Math.min(store.chosen, store.offered.length - 1);
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
      falseAfter ? [tag(`false after ${falseAfter} steps`, "bad"), " ", whyRefuted(it.formula, falseAfter, (it.isExplored && it.needed) || null)] : tag(isDeeper?.always ? "true for any number of steps" : `true for ${bound} steps`, "good"),
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
      ? h("p", null, induction.value.inductive ? "Inductive together with the claims." : ["Not inductive: ", induction.value.failed.map((it, at) => [at ? ", " : "", button("show-failed", `${store.title(it.action)} breaks it`, { class: "link", "data-at": at })])])
      : null,
    sufficient?.isRunning ? running("does it exclude all of these counterexamples?", "sufficient") : null,
    sufficient?.value && !sufficient.isOld
      ? h("p", null, sufficient.value.sufficient ? "Sufficient: with it, this obligation holds." : ["Not sufficient: ", button("show-left", "a counterexample is left", { class: "link" })])
      : null,
    h(
      "p",
      { "data-key": "depth" },
      "Bounded check to ",
      h("input", { type: "number", min: 0, max: 100, value: store.depth, "data-act": "depth", "aria-label": "Number of steps" }),
      " steps ",
      button("bounded", "Check", { class: "second" }),
    ),
    bounded?.isRunning ? running(bounded.value?.holds !== undefined && bounded.value?.holds !== null ? `true for ${bounded.value.holds} steps, going on` : "executions", "bounded") : problem(bounded?.error),
    bounded?.value && !bounded.isRunning && !bounded.isOld
      ? h("p", null, bounded.value.execution ? [`False after ${bounded.value.steps} steps: `, button("show-bounded", "Show the execution", { class: "link" })] : bounded.value.always ? "True for any number of steps: a proof by induction shows it." : `True for ${bounded.value.holds ?? 0} steps.`)
      : null,
  );
}

/** The name that the next claim gets. @param {import("./store.js").Store} store */
function nextName(store) {
  const labels = (store.check?.heads?.claims ?? []).filter((it) => it.kind !== "assertion" && it.kind !== "theorem").map((it) => it.label);
  const numbered = labels.map((it) => /^(.*?)([0-9]+)$/u.exec(it) ?? [""]).filter((it) => it[1] && it[1] !== "L");
  const last = numbered.at(-1);
  const stem = last ? last[1] : "conjecture_";
  const numbers = numbered.filter((it) => it[1] === stem).map((it) => Number(it[2]));
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
  const formulas = (store.slots.get("suggestions")?.value?.suggestions ?? []).map((it) => it.formula);
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
  return h(
    "div",
    { class: "card more-ways" },
    store.wantsInference ? h("b", null, "Inference ") : button("infer", "Search for an invariant", { class: "link" }),
    slot?.isRunning ? running(slot.value?.lemmas ? `${slot.value.lemmas} lemmas so far` : "searching", "inference") : problem(slot?.error),
    slot?.value?.inductive !== undefined && !slot.isOld ? inferred(store, slot.value) : null,
  );
}

/** What an inference has found. @param {import("./store.js").Store} store @param {Inference} found */
function inferred(store, found) {
  if (found.execution) return h("p", null, `${falseAfter(found)}: `, button("show-inferred", "Show the execution", { class: "link" }));
  if (found.universal === false) return h("p", { class: "muted" }, "No universal invariant exists.");
  const { lemmas, failing, unknown, inductive } = found;
  const open = [...(failing ?? []), ...(unknown ?? [])];
  const removable = open.filter((/** @type {string} */ claim) => isRemovable(store, claim));
  if (lemmas.length === 0) return h("p", { class: "muted" }, inductive ? "The claims are inductive as they are." : "Nothing was found that the claims do not say.");
  return [
    h("p", null, inductive ? "With these the claims are inductive:" : `With these, all obligations hold but those of ${open.join(", ")}:`),
    h("ul", null, lemmas.map((/** @type {string} */ it) => h("li", null, formula(it), " ", button("add-lemma", "Add", { class: "link", "data-formula": it })))),
    button("add-all", "Add all", { class: "second" }),
    failing?.length && removable.length ? [" ", button("add-all", `Add all, and take ${removable.join(", ")} out`, { class: "second", "data-remove": "true" })] : null,
  ];
}
