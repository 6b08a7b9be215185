// Names that continue what a person types in a formula.

const WORD = /[A-Za-z0-9_]*$/u;
const MOST = 8;

/**
 * The symbol whose argument is being typed, and its number, from 0.
 * @param {string} text what is before the cursor
 * @returns {{name: string, at: number} | null}
 */
function call(text) {
  let depth = 0;
  let at = 0;
  for (let place = text.length - 1; place >= 0; place -= 1) {
    const char = text[place];
    if (char === ")") depth += 1;
    else if (char === "(" && depth > 0) depth -= 1;
    else if (char === "(") {
      const name = WORD.exec(text.slice(0, place).trimEnd())?.[0] ?? "";
      return name ? { name, at } : null;
    } else if (char === "," && depth === 0) at += 1;
    else if (char === "." && depth === 0) return null;
  }
  return null;
}

/** The variables with sorts in quantifiers. @param {string} text @returns {Map<string, string>} */
function variables(text) {
  return new Map([...text.matchAll(/([A-Za-z0-9_]+)\s*:\s*([A-Za-z0-9_]+)/gu)].map(([_, name, sort]) => [name, sort]));
}

/**
 * The names that may stand where the cursor is: in an argument those of its sort, elsewhere those that begin with what was
 * typed, and sorts after a colon.
 * @param {string} text what is before the cursor
 * @param {{symbols: {name: string, args: string[], result: string}[], sorts: string[]}} known
 * @returns {string[]}
 */
export function completions(text, known) {
  const word = WORD.exec(text)?.[0] ?? "";
  const before = text.slice(0, text.length - word.length).trimEnd();
  const fits = (/** @type {string} */ name) => name.startsWith(word) && name !== word;
  if (before.endsWith(":")) return known.sorts.filter(fits).slice(0, MOST);
  const inside = call(before);
  const symbol = inside ? known.symbols.find((it) => it.name === inside.name) : undefined;
  const sort = symbol?.args[inside?.at ?? 0];
  if (sort) {
    const bound = [...variables(text)].filter(([_, of]) => of === sort).map(([name]) => name);
    const terms = known.symbols.filter((it) => it.result === sort).map((it) => it.name);
    return [...bound, ...terms].filter(fits).slice(0, MOST);
  }
  if (!word) return [];
  return [...variables(text).keys(), ...known.symbols.map((it) => it.name), "forall", "exists"].filter(fits).slice(0, MOST);
}
