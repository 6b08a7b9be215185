//! Terms and formulas of closed systems, and their text: what all languages have in common.

use crate::digest::sha256;
use crate::refusal::{Result, refuse};

/// How many nodes a closed formula of a model may have, and one of a problem.
const MAX_NODES: usize = 2_000_000;
const MAX_PROBLEM_NODES: usize = 5_000_000;

/// A term or formula as it is written: its first words, with a blank before each, and its parts. A choice between terms,
/// `if`, is there until it is lifted out of its atom. Two are the same if they are equal, below the same binders.
#[derive(Clone, PartialEq)]
pub(crate) struct Closed {
    pub(crate) head: String,
    /// The number of the sort of a term.
    pub(crate) sort: Option<usize>,
    pub(crate) parts: Vec<Closed>,
}

/// How much may be copied for one formula, which is declared at a place of the text.
#[derive(Default)]
pub(crate) struct Budget {
    pub(crate) at: usize,
    nodes: usize,
}

impl Budget {
    pub(crate) fn new(at: usize) -> Budget {
        Budget { at, nodes: MAX_NODES }
    }

    pub(crate) fn of_problem(at: usize) -> Budget {
        Budget { at, nodes: MAX_PROBLEM_NODES }
    }

    pub(crate) fn spend(&mut self, nodes: usize) -> Result<()> {
        match self.nodes.checked_sub(nodes) {
            Some(left) => self.nodes = left,
            None => return refuse(self.at, "the formula is too large when its definitions are expanded"),
        }
        Ok(())
    }

    /// Returns `if` of a condition and two formulas, or two terms.
    pub(crate) fn choice(&mut self, mut parts: Vec<Closed>) -> Result<Closed> {
        if let Some(sort) = parts[1].sort {
            return Ok(Closed { head: "if".into(), sort: Some(sort), parts });
        }
        self.spend(parts[0].size())?;
        let (b, a) = (parts.remove(2), parts.remove(1));
        let unless = formula("~", parts.clone());
        let cases = [vec![parts.remove(0), a], vec![unless, b]];
        Ok(joined("&", cases.map(|case| formula(">", case)).into()))
    }

    /// Returns an atom in which the first choice between terms has become one between atoms, and so on. Terms, and
    /// formulas without choices between terms, stay as they are.
    pub(crate) fn lifted(&mut self, atom: Closed) -> Result<Closed> {
        let (None, Some(choice)) = (atom.sort, atom.first_choice()) else { return Ok(atom) };
        self.spend(2 * atom.size())?;
        let [a, b] = [1, 2].map(|at| atom.replaced(choice, &choice.parts[at]));
        let cases = vec![choice.parts[0].clone(), self.lifted(a)?, self.lifted(b)?];
        self.choice(cases)
    }

    /// Returns that terms, or formulas, are different in pairs.
    pub(crate) fn distinct(&mut self, items: &[Closed]) -> Result<Closed> {
        let mut pairs = Vec::new();
        for (at, a) in items.iter().enumerate() {
            for b in &items[at + 1..] {
                self.spend(a.size() + b.size())?;
                pairs.push(formula("~", vec![self.lifted(equality(a.clone(), b.clone()))?]));
            }
        }
        Ok(joined("&", pairs))
    }
}

impl Closed {
    /// Appends the words of this to a text, with a blank before each.
    pub(crate) fn write(&self, text: &mut String) {
        text.push_str(&self.head);
        self.parts.iter().for_each(|part| part.write(text));
    }

    /// Returns a text with the words of this after it.
    pub(crate) fn after(&self, mut start: String) -> String {
        self.write(&mut start);
        start
    }

    pub(crate) fn size(&self) -> usize {
        1 + self.parts.iter().map(Closed::size).sum::<usize>()
    }

    /// Returns the first choice between terms that is in no other one.
    fn first_choice(&self) -> Option<&Closed> {
        if self.head == "if" { Some(self) } else { self.parts.iter().find_map(Closed::first_choice) }
    }

    /// Returns this with a value for a choice, wherever that stands outside of others.
    fn replaced(&self, choice: &Closed, value: &Closed) -> Closed {
        if self.head == "if" {
            return if self == choice { value.clone() } else { self.clone() };
        }
        let parts = self.parts.iter().map(|part| part.replaced(choice, value)).collect();
        Closed { head: self.head.clone(), sort: self.sort, parts }
    }
}

/// Returns a formula of these first words and parts.
pub(crate) fn formula(head: &str, parts: Vec<Closed>) -> Closed {
    Closed { head: format!(" {head}"), sort: None, parts }
}

/// Returns `true` or `false`.
pub(crate) fn truth(value: bool) -> Closed {
    joined(if value { "&" } else { "|" }, Vec::new())
}

/// Returns the conjunction or disjunction of formulas; that of one formula is the formula.
pub(crate) fn joined(sign: &str, mut parts: Vec<Closed>) -> Closed {
    if parts.len() == 1 { parts.remove(0) } else { formula(&format!("{sign} {}", parts.len()), parts) }
}

/// Returns a formula below quantifiers over these sorts, the first one outermost.
pub(crate) fn quantified(sign: &str, sorts: &[usize], body: Closed) -> Closed {
    sorts.iter().rev().fold(body, |body, sort| formula(&format!("{sign} {sort}"), vec![body]))
}

/// Returns the equality of two terms, or the equivalence of two formulas.
pub(crate) fn equality(a: Closed, b: Closed) -> Closed {
    formula(&a.sort.map_or("=".into(), |sort| format!("E {sort}")), vec![a, b])
}

/// Returns the variable that a binder bound, so many binders further out.
pub(crate) fn variable(index: usize, sort: usize) -> Closed {
    Closed { head: format!(" V {index}"), sort: Some(sort), parts: Vec::new() }
}

/// Returns a symbol with its number applied in a state, counted from 0, or in all of them: a function if its values have
/// a sort, and otherwise a relation.
pub(crate) fn applied(
    state: Option<usize>,
    number: usize,
    sort: Option<usize>,
    parts: Vec<Closed>,
) -> Closed {
    let (word, state) = (if sort.is_some() { "A" } else { "R" }, state.map_or(0, |state| state + 1));
    Closed { head: format!(" {word} {state} {number} {}", parts.len()), sort, parts }
}

/// Returns a name as it is written in lines.
pub(crate) fn name(name: &str) -> String {
    let escaped = |c: char| match c {
        ' ' | '%' => format!("%{:x}.", u32::from(c)),
        c if c.is_control() => format!("%{:x}.", u32::from(c)),
        c => c.to_string(),
    };
    if name.is_empty() { "%.".to_owned() } else { name.chars().map(escaped).collect() }
}

/// Returns the text of a closed system of its lines, the first and the last one apart.
pub(crate) fn signed(lines: &str) -> String {
    let text = format!("ramsey-core 1\n{lines}");
    let digest = sha256(&text);
    text + "digest " + &digest + "\n"
}
