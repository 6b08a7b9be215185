// Parts that several views have.

import { h, picture } from "./dom.js";
import { formula } from "./formula.js";

/** @import { Fact, Scene, Statement, Violated } from "./wire.js" */

/**
 * A button. Its name says all that a person without the picture needs.
 * @param {string} act
 * @param {unknown} content
 * @param {Record<string, unknown>} [attributes]
 */
export function button(act, content, attributes = {}) {
  return h("button", { type: "button", "data-act": act, ...attributes }, content);
}

/** @param {string} content @param {string} [kind] */
export function tag(content, kind = "") {
  return h("span", { class: `tag ${kind}` }, content);
}

/** A sign that something runs. @param {string} text @param {string} [slot] */
export function running(text, slot) {
  return h(
    "span",
    { class: "running" },
    h("span", { class: "spin", "aria-hidden": true }),
    text,
    slot ? [" ", button("stop", "stop", { class: "link", "data-slot": slot })] : null,
  );
}

/** @param {string | null | undefined} text */
export function problem(text) {
  return text ? h("p", { class: "problem", role: "alert" }, text) : null;
}

/** Says of a claim that it is false in a reachable state. @param {import("./store.js").Executions} found */
export function falseAfter(found) {
  const claim = found.violated ?? "The conjecture";
  if (found.stuck) return `after ${found.steps} ${found.steps === 1 ? "step" : "steps"} no transition can be taken`;
  if (found.steps === null) return `${claim} is false before the initial states`;
  if (found.steps === 0) return `${claim} is false initially`;
  return `${claim} is false after ${found.steps} ${found.steps === 1 ? "step" : "steps"}`;
}

/** @param {string} text */
export function sentence(text) {
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}.`;
}

/** Tells that a claim is false in a reachable state. @param {import("./store.js").Executions} found */
export function violationCard(found) {
  return h(
    "div",
    { class: "card reached", role: "alert", "data-key": "violation" },
    h("b", null, falseAfter(found)),
    h("p", null, "An execution from an initial state violates it: the claim or the model is wrong, and no conjecture can help."),
    button("show-violation", "Show the execution", { class: "second" }),
  );
}

/** Most claims that are listed at a time. */
const PAGE = 40;

/**
 * A part of a long list, with buttons that lead to the others.
 * @template T
 * @param {import("./store.js").Store} store
 * @param {string} list
 * @param {T[]} all
 * @param {number} [wanted] the item that is shown unless the person looks at others
 * @returns {{shown: T[], pager: unknown}}
 */
export function page(store, list, all, wanted = 0) {
  if (all.length <= PAGE) return { shown: all, pager: null };
  const near = Math.floor(Math.max(0, wanted) / PAGE) * PAGE;
  const from = Math.max(0, Math.min(store.pages.get(list) ?? near, all.length - 1));
  const to = Math.min(from + PAGE, all.length);
  const turn = (/** @type {string} */ name, /** @type {number} */ first, /** @type {boolean} */ disabled) =>
    button("page", name, { class: "link", "data-list": list, "data-first": Math.max(0, first), disabled });
  const pager = h(
    "p",
    { class: "pages", "data-key": `pages ${list}` },
    turn("Earlier", from - PAGE, from === 0),
    ` ${from + 1} to ${to} of ${all.length} `,
    turn("Later", to, to === all.length),
  );
  return { shown: all.slice(from, to), pager };
}

/** The name of a transition in its colour. @param {string} name @param {string} title @param {string[]} order */
export function action(name, title, order) {
  return h("span", { class: `action c${Math.max(0, order.indexOf(name)) % 6}` }, title);
}

/** Parameters of a call. @param {[string, string][]} params */
export function params(params) {
  return h("span", { class: "params" }, params.map(([name, value], at) => [at > 0 ? ", " : "", `${name} = ${value}`]));
}

/**
 * Checks whether a text like those in the log names a fact: the fact itself, its relation, or one of its elements.
 * @param {string} item
 * @param {Fact} fact
 */
export function names(item, fact) {
  if (item === fact.id || item === fact.symbol) return true;
  if (item === `+${fact.symbol}`) return fact.value !== false;
  if (item === `-${fact.symbol}`) return fact.value === false;
  return fact.args.includes(item) || fact.value === item;
}

/**
 * What becomes of each fact of a state: `needed`, `free`, `out`, `kept`.
 * @param {Fact[]} facts
 * @param {{dropped: string[], kept: string[]}} selected
 * @param {string[] | null} needed
 * @returns {Map<string, string>}
 */
export function roles(facts, selected, needed) {
  const all = new Map();
  for (const fact of facts) {
    const is = (/** @type {string[]} */ list) => list.some((item) => names(item, fact));
    let role = "plain";
    if (is(selected.kept)) role = "kept";
    else if (is(selected.dropped)) role = "out";
    else if (needed) role = needed.includes(fact.id) ? "needed" : "free";
    all.set(fact.id, role);
  }
  return all;
}

const WORDS = /** @type {Record<string, string>} */ ({
  needed: "needed",
  free: "found unnecessary",
  out: "left out by you",
  kept: "kept by you",
  plain: "",
});

/** @param {string} role */
export function roleWord(role) {
  return WORDS[role] ?? "";
}

/**
 * The picture of a state whose facts are buttons.
 * @param {{svg?: string}} state
 * @param {string} label
 * @param {Map<string, string> | null} roles
 * @param {Set<string>} [marked] facts that are pointed at
 */
export function statePicture(state, label, roles, marked = new Set()) {
  const drawn = picture(state.svg ?? "", label);
  for (const fact of drawn.querySelectorAll("[data-fact]")) {
    const id = fact.getAttribute("data-fact") ?? "";
    const role = roles?.get(id);
    if (marked.has(id)) fact.classList.add("marked");
    if (role) {
      fact.classList.add(`role-${role}`);
      fact.setAttribute("data-act", "fact");
      fact.setAttribute("aria-pressed", String(role === "needed" || role === "kept"));
      const word = roleWord(role);
      fact.setAttribute("aria-label", spoken(fact, word ? `${id}, ${word}` : id));
    } else {
      fact.removeAttribute("tabindex");
      fact.removeAttribute("role");
      fact.removeAttribute("aria-pressed");
      fact.removeAttribute("aria-label");
    }
  }
  for (const name of drawn.querySelectorAll(".name[data-element], .placement[data-symbol]")) {
    const element = name.getAttribute("data-element");
    const symbol = name.getAttribute("data-symbol");
    if (roles) {
      name.setAttribute("data-act", element === null ? "symbol" : "element");
      if (symbol !== null) name.setAttribute("data-item", symbol);
      name.setAttribute("aria-label", spoken(name, `all facts of ${element ?? symbol}`));
    } else {
      name.removeAttribute("tabindex");
      name.removeAttribute("role");
      name.removeAttribute("aria-label");
    }
  }
  return drawn;
}

/** The name of a part of a picture: it begins with what is written there. @param {Element} part @param {string} name */
function spoken(part, name) {
  const written = [...part.querySelectorAll("text")].map((it) => it.textContent?.trim()).join(" ");
  return written === "" || name.includes(written) ? name : `${written}: ${name}`;
}

/** What is to be known of the pictures of states: how they are ordered, and what is not in them. @param {Scene} scene */
export function captions(scene) {
  return h(
    "p",
    { class: "captions" },
    scene.captions.map((it) => `${it} · `),
    button("zoom", "−", { class: "zoom", "data-by": 0.8, "aria-label": "Smaller pictures" }),
    button("zoom", "+", { class: "zoom", "data-by": 1.25, "aria-label": "Larger pictures" }),
    button("zoom", "fit", { class: "link", "data-by": 0 }),
    " · ",
    button("save-pictures", "save as SVG", { class: "link" }),
  );
}

/** The smallest part of its own size that a picture is drawn with: its letters have 9 pixels then. */
const READABLE = 0.7;

/** Gives pictures a size that fits their place, if letters can be read then; the rest is scrolled to. @param {number} zoom */
export function fitPictures(zoom) {
  for (const svg of document.querySelectorAll(".picture > svg")) {
    const [, , width, height] = (svg.getAttribute("viewBox") ?? "").split(" ").map(Number);
    const place = svg.parentElement?.clientWidth ?? 0;
    if (!(width > 0 && height > 0 && place > 0)) continue;
    const scale = Math.max(READABLE, Math.min(1, place / width)) * zoom;
    svg.setAttribute("width", String(Math.round(width * scale)));
    svg.setAttribute("height", String(Math.round(height * scale)));
    const parent = svg.parentElement;
    const isWide = parent !== null && (parent.scrollWidth > parent.clientWidth || parent.scrollHeight > parent.clientHeight);
    parent?.classList.toggle("wide", isWide);
    // What is scrolled is reached by keys.
    if (isWide) parent.tabIndex = 0;
  }
}

const MANY = 60;

/**
 * The facts of a state as a table, with the same controls as the picture.
 * @param {string} id
 * @param {Fact[]} facts
 * @param {Map<string, string> | null} roles
 * @param {string} filter
 */
export function factTable(id, facts, roles, filter) {
  const isShown = (/** @type {Fact} */ fact) => !filter || fact.id.includes(filter);
  const shown = facts.filter(isShown);
  const some = shown.slice(0, 1000);
  return h(
    "div",
    { class: "facts", "data-key": `facts-${id}` },
    facts.length > MANY
      ? h(
          "label",
          { class: "filter" },
          "Filter ",
          h("input", { type: "search", "data-act": "filter", value: filter, size: 16, "aria-label": "Filter facts" }),
        )
      : null,
    h(
      "table",
      null,
      h("thead", null, h("tr", null, h("th", { scope: "col" }, "Fact"), roles ? h("th", { scope: "col" }, "In the conjecture") : null)),
      h(
        "tbody",
        null,
        some.map((fact) => {
          const role = roles?.get(fact.id);
          return h(
            "tr",
            { "data-key": fact.id, class: fact.value === false ? "negative" : "" },
            h(
              "td",
              null,
              role
                ? button("fact", fact.id, {
                    class: `factbutton role-${role}`,
                    "data-fact": fact.id,
                    "aria-pressed": String(role === "needed" || role === "kept"),
                  })
                : h("code", null, fact.id),
            ),
            roles ? h("td", null, roleWord(role ?? "")) : null,
          );
        }),
      ),
    ),
    shown.length > some.length ? h("p", null, `${shown.length - some.length} more: use the filter`) : null,
  );
}

/** A violated claim with the truth of its atoms. @param {Violated} violated @param {string} title */
export function violation(violated, title) {
  return h(
    "div",
    { class: "card violated" },
    h("b", null, `${title}: `),
    formula(violated.formula, violated.atoms),
    violated.bindings.length
      ? h("span", { class: "muted" }, " for ", violated.bindings.map((/** @type {[string, string]} */ it) => `${it[0]} = ${it[1]}`).join(", "))
      : null,
  );
}

/** What the statements of an action did. @param {Statement[]} statements */
export function statementTable(statements) {
  return h(
    "table",
    { class: "statements" },
    h("tbody", null, statements.map((it) => {
      const { effect } = it;
      let told = "";
      let kind = "";
      if (typeof effect === "string") told = effect;
      else if (effect.changes) {
        told = effect.changes.length ? effect.changes.join(", ") : "no change";
        kind = effect.changes.length ? "changes" : "";
      } else if (effect.is !== undefined) told = String(effect.is);
      else if (effect.holds !== undefined) told = effect.holds ? "holds" : "does not hold";
      else if (effect.branch) told = `branch ${effect.branch}${effect.name ? ` (${effect.name})` : ""}`;
      return h(
        "tr",
        null,
        h("th", { scope: "row" }, it.line ?? ""),
        h("td", null, h("code", null, it.text)),
        h("td", { class: kind }, told),
      );
    })),
  );
}
