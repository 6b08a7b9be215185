// Dialogs, and what their forms do.

import * as dialog from "./dialog.js";
import { h } from "./dom.js";
import { KEYS } from "./keys.js";
import { button, problem } from "./parts.js";

/** @param {import("./store.js").Store} store @returns {Record<string, (data: DOMStringMap, event: Event) => unknown>} */
export function dialogs(store) {
  return {
    help() {
      dialog.open(
        "Keys",
        h("table", { class: "keys" }, h("tbody", null, KEYS.map(([key, what]) => h("tr", null, h("th", { scope: "row" }, h("kbd", null, key)), h("td", null, what))))),
        h("p", null, h("label", null, h("input", { type: "checkbox", "data-act": "keys-off", checked: store.keysOff }), " No single-letter keys")),
        h("p", { class: "muted" }, "In a picture: click a fact to leave it out, Shift-click to keep it, click a name for all facts of the element."),
      );
    },
    close: () => dialog.close(),
    async share() {
      const { log } = await store.engine.send({ m: "log" });
      dialog.open("The session", h("p", null, "`ramsey ui --replay FILE MODEL` carries it out without a browser."), h("textarea", { rows: 12, readonly: true, "aria-label": "Log" }, log));
    },
    note: () => dialog.ask("Remark", "Remark ", "do-note", ""),
    "do-note": (_, event) => inDialog(store, event, (text) => store.command({ do: "note", text })),
    watch: () => dialog.ask("Watch", "Formula ", "do-watch", ""),
    "do-watch": (_, event) => inDialog(store, event, (formula) => store.command({ do: "watch", formula })),
    pictures() {
      const { definitions, hidden, projections } = store.session.drawing;
      const symbols = [...new Set(store.facts().map((fact) => fact.symbol))];
      dialog.open(
        "What is drawn",
        h("ul", null, symbols.map((name) => h("li", null, h("label", null, h("input", { type: "checkbox", "data-act": "draw", "data-symbol": name, checked: !hidden.includes(name) }), ` ${name}`)))),
        h("ul", null, projections.map((/** @type {string} */ it) => h("li", null, h("code", null, it), " ", button("unproject", "×", { class: "more", "data-projection": it, "aria-label": `Do not draw ${it}` })))),
        h(
          "form",
          { "data-act": "do-project" },
          h("label", null, "A relation with elements at some places, such as btw(node0,_,_) ", h("input", { name: "text", value: "", size: 30, spellcheck: "false", autocomplete: "off" })),
          h("button", { type: "submit", class: "second" }, "Draw it"),
        ),
        h("ul", null, definitions.map((/** @type {string} */ it) => h("li", null, h("code", null, it), " ", button("undefine", "×", { class: "more", "data-definition": it, "aria-label": `Do not draw ${it}` })))),
        h(
          "form",
          { "data-act": "do-define" },
          h("label", null, "A relation that you define, such as behind(x: node, y: node) = exists z. btw(x, z, y) ", h("input", { name: "text", value: "", size: 46, spellcheck: "false", autocomplete: "off" })),
          h("button", { type: "submit", class: "second" }, "Define it"),
        ),
      );
    },
    "do-project": (_, event) => inDialog(store, event, (projection) => store.command({ do: "project", projection })),
    "do-define": (_, event) => inDialog(store, event, (definition) => store.command({ do: "define", definition })),
    undefine(data) {
      dialog.close();
      return store.command({ do: "undefine", definition: data.definition ?? "" });
    },
    unproject(data) {
      dialog.close();
      return store.command({ do: "unproject", projection: data.projection ?? "" });
    },
    unwatch: (data) => store.command({ do: "unwatch", formula: data.formula ?? "" }),
    claim(data) {
      const claim = (store.check?.heads?.claims ?? []).find((it) => it.label === data.claim);
      if (!claim) return;
      dialog.open(
        claim.label,
        h(
          "form",
          { "data-act": "do-edit", "data-claim": claim.label },
          h("label", null, "Formula ", h("input", { name: "text", value: claim.formula, size: 60, spellcheck: "false", autocomplete: "off" })),
          h("label", null, "Why ", h("input", { name: "why", value: "", size: 60, autocomplete: "off" })),
          h("button", { type: "submit", class: "second" }, "Change the formula"),
        ),
        h(
          "form",
          { "data-act": "do-rename", "data-claim": claim.label },
          h("label", null, "Name ", h("input", { name: "text", value: claim.label, size: 24, spellcheck: "false", autocomplete: "off" })),
          h("button", { type: "submit", class: "second" }, "Rename"),
        ),
        h("form", { "data-act": "do-remove", "data-claim": claim.label }, h("label", null, "Why ", h("input", { name: "why", value: "", size: 40, autocomplete: "off" })), h("button", { type: "submit", class: "second" }, "Remove the claim")),
      );
    },
    "do-edit": (data, event) => inDialog(store, event, (formula, why) => store.command({ do: "edit", claim: data.claim ?? "", formula, why })),
    "do-rename": (data, event) => inDialog(store, event, (name) => store.command({ do: "rename", claim: data.claim ?? "", name })),
    "do-remove": (data, event) => inDialog(store, event, (_, why) => store.command({ do: "remove", claim: data.claim ?? "", why })),
    async write() {
      const preview = await store.engine.send({ m: "preview" });
      const changed = preview.diff.filter((/** @type {string[]} */ row) => row[0] !== " ");
      if (changed.length === 0) {
        dialog.open("Write the model", h("p", null, store.session.disk === "same" ? "The file has all of this already." : "The file is another one by now, and nothing of this session is to be added."));
        return;
      }
      const rows = preview.diff.map((/** @type {string[]} */ [sign, line]) => h("div", { class: sign === "+" ? "added" : sign === "-" ? "removed" : "" }, `${sign} ${line}`));
      const diff = h("pre", { class: "diff", tabindex: 0, "aria-label": "Changes" }, rows);
      const confirm = preview.may_write
        ? button("do-write", ["Write ", h("kbd", null, "w")], { class: "primary", "data-digest": preview.digest })
        : h("p", { class: "muted" }, "Start with `ramsey ui --write` to let this page write the file.");
      // Additions of claims alone were chosen one by one: they need no second answer.
      const isPlain = preview.may_write && changed.every((/** @type {string[]} */ row) => row[0] === "+");
      if (isPlain) {
        if (await store.change({ m: "write", digest: preview.digest })) {
          const lines = changed.length === 1 ? "line was" : "lines were";
          dialog.open("Written", h("p", null, `${changed.length} ${lines} added to ${preview.path}:`), diff);
          return;
        }
        const { error } = store;
        store.error = "";
        store.changed();
        dialog.open("Nothing was written", h("p", null, preview.path), problem(error), diff);
        return;
      }
      dialog.open("Write the model", h("p", null, preview.path), diff, h("div", { class: "buttons" }, confirm, button("close", "Leave it", { class: "second" })));
    },
    async "do-write"(data) {
      dialog.close();
      await store.change({ m: "write", digest: data.digest ?? "" });
    },
  };
}

/**
 * Reads a form of a dialog and carries it out. The dialog stays open with what was typed if that is wrong.
 * @param {import("./store.js").Store} store @param {Event} event @param {(text: string, why: string | undefined) => Promise<boolean>} act
 */
async function inDialog(store, event, act) {
  const form = event.target;
  if (!(form instanceof HTMLFormElement)) return;
  const data = new FormData(form);
  const text = String(data.get("text") ?? "").trim();
  const why = String(data.get("why") ?? "").trim();
  if (await act(text, why === "" ? undefined : why)) {
    dialog.close();
    return;
  }
  dialog.refuse(form, store.error);
  store.error = "";
  store.changed();
}
