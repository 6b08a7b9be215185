// The view that tells why claims hold: which proof uses which claims.

import { h } from "./dom.js";
import { formula } from "./formula.js";
import { action, button, page, problem, running, tag } from "./parts.js";

/** @import { Claim, ProofRow } from "./wire.js" */

/** @param {import("./store.js").Store} store */
export function ask(store) {
  store.want("proof", { q: "proof" });
}

/** @param {import("./store.js").Store} store */
export function view(store) {
  const slot = store.slots.get("proof");
  const heads = store.check?.heads;
  if (slot?.error) return problem(slot.error);
  if (slot?.isStopped && !slot.value) return h("p", { class: "empty" }, "The search for what each proof uses was stopped.");
  if (!slot?.value || !heads) return h("p", { class: "empty" }, running("looking for what each proof uses", "proof"));
  if (store.claimsNothing) return h("p", { class: "empty" }, "The model claims nothing.");
  const { proofs, claims } = slot.value;
  const { shown, pager } = page(store, "proof", heads.claims, heads.claims.findIndex((it) => it.label === store.focus));
  const order = heads.actions.map((it) => it.name);
  const standing = new Map(claims.map((it) => [it.claim, it.standing]));
  const distances = columns(heads.claims, proofs);
  const count = Math.max(0, ...distances.values()) + 1;
  const isDim = (/** @type {string} */ label) =>
    store.focus !== null && store.focus !== label && !uses(proofs, store.focus, label) && !uses(proofs, label, store.focus);
  const card = (/** @type {Claim} */ claim) =>
    h(
      "article",
      { class: `card proof ${isDim(claim.label) ? "dim" : ""}`, "data-key": claim.label, "data-claim": claim.label },
      h(
        "h2",
        null,
        button("focus", claim.kind === "assertion" ? `assertion ${claim.label}` : claim.label, { class: "plain", "data-claim": claim.label, "aria-pressed": String(store.focus === claim.label) }),
        " ",
        claim.kind === "safety" ? tag("safety", "warn") : null,
        claim.from ? tag("new", "accent") : null,
        standing.get(claim.label) === "unneeded" ? tag("nothing uses this", "warn") : null,
      ),
      h("p", null, formula(claim.formula)),
      h(
        "ul",
        { class: "rows" },
        proofs
          .filter((it) => it.claim === claim.label)
          .map((it) =>
            h(
              "li",
              { class: it.outcome, "data-from": claim.label, "data-action": it.action, "data-needs": JSON.stringify(it.needs.filter((/** @type {string} */ need) => need !== claim.label)) },
              h("span", { class: "sign", "aria-hidden": true }, it.outcome === "ok" ? "✓" : it.outcome === "failed" ? "✗" : "?"),
              " ",
              action(it.action, store.title(it.action), order),
              " ",
              it.outcome === "failed"
                ? button("cell", "open: show the counterexample", { class: "link", "data-claim": claim.label, "data-action": it.action, "data-outcome": "failed" })
                : h("span", { class: "muted" }, needsText(it, claim.label)),
            ),
          ),
      ),
    );
  return h(
    "div",
    { class: `proofs ${slot.isOld ? "old" : ""}`, "data-key": "proofs", tabindex: 0, role: "region", "aria-label": "Proof graph" },
    h("p", { class: "muted" }, "An arrow leads from an obligation to the claims that its proof uses. Claims that nothing uses could go."),
    pager,
    h(
      "div",
      { class: "graph", "data-key": "graph" },
      h("svg", { class: "arrows", "aria-hidden": true, "data-key": "arrows" }),
      Array.from({ length: count }, (_, column) =>
        h(
          "div",
          { class: "rank", "data-key": `rank ${column}` },
          shown.filter((it) => distances.get(it.label) === column).map(card),
        ),
      ),
    ),
  );
}

/** @param {ProofRow} proof @param {string} label */
function needsText(proof, label) {
  if (proof.outcome !== "ok") return "unknown";
  const others = proof.needs.filter((/** @type {string} */ it) => it !== label);
  if (others.length) return `needs ${others.join(", ")}`;
  return proof.unchanged ? "changes nothing it speaks of" : "by itself";
}

/** @param {ProofRow[]} proofs @param {string} user @param {string} used */
function uses(proofs, user, used) {
  return proofs.some((it) => it.claim === user && it.needs.includes(used));
}

/** Number of proofs between a claim and a safety property. @param {Claim[]} claims @param {ProofRow[]} proofs */
function columns(claims, proofs) {
  const distances = new Map();
  const isGoal = (/** @type {Claim} */ it) => it.kind !== "invariant";
  const goals = claims.some(isGoal) ? claims.filter(isGoal) : claims.slice(0, 1);
  let next = goals.map((it) => it.label);
  for (let column = 0; next.length; column += 1) {
    for (const label of next) distances.set(label, column);
    const found = new Set();
    for (const it of proofs) {
      if (next.includes(it.claim)) for (const need of it.needs) if (!distances.has(need)) found.add(need);
    }
    next = [...found];
  }
  const last = Math.max(0, ...distances.values()) + 1;
  for (const it of claims) if (!distances.has(it.label)) distances.set(it.label, last);
  return distances;
}

/** Draws the arrows once the cards have their places. */
export function after() {
  const graph = document.querySelector(".graph");
  const svg = graph?.querySelector("svg.arrows");
  if (!graph || !svg) return;
  const frame = graph.getBoundingClientRect();
  svg.setAttribute("width", String(graph.scrollWidth));
  svg.setAttribute("height", String(graph.scrollHeight));
  const paths = [];
  for (const row of graph.querySelectorAll("li[data-needs]")) {
    const needs = JSON.parse(row.getAttribute("data-needs") ?? "[]");
    const from = row.getBoundingClientRect();
    for (const need of needs) {
      const card = [...graph.querySelectorAll("article")].find((it) => it.getAttribute("data-claim") === need);
      if (!card) continue;
      const to = card.getBoundingClientRect();
      const isRight = to.left > from.right;
      // Between cards of one column an arrow leaves and arrives at the left.
      const isBeside = !isRight && to.right > from.left;
      const x1 = (isRight ? from.right : from.left) - frame.left;
      const y1 = from.top + from.height / 2 - frame.top;
      const x2 = (isRight || isBeside ? to.left : to.right) - frame.left;
      const y2 = to.top + 16 - frame.top;
      const bend = isRight ? 30 : -30;
      const bendAtEnd = isBeside ? 30 : bend;
      const dim = row.closest(".dim") || card.classList.contains("dim") ? "dim" : "";
      paths.push(h("path", { d: `M${x1},${y1} C${x1 + bend},${y1} ${x2 - bendAtEnd},${y2} ${x2},${y2}`, class: `arrow ${dim}`, "data-edge": `${row.getAttribute("data-from")} ${row.getAttribute("data-action")} ${need}` }));
      paths.push(h("circle", { cx: x2, cy: y2, r: 3, class: `end ${dim}` }));
    }
  }
  svg.replaceChildren(...paths);
}
