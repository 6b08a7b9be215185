//! Problems: queries about formulas over one vocabulary, as lines of a closed system.

use std::collections::BTreeMap;
use std::rc::Rc;

use crate::closed::{Closed, applied, name, signed};
use crate::refusal::{Refusal, Result, refuse};

/// How deep formulas may be nested, and the bytes of stack that are enough to read one.
const MAX_NESTING: usize = 20_000;
const STACK: usize = 1 << 29;

/// A function, or a relation, whose values have no sort.
pub(crate) struct Symbol {
    name: String,
    pub(crate) args: Vec<usize>,
    pub(crate) result: Option<usize>,
    /// Its number among functions or among relations.
    number: usize,
}

/// What is declared and asked. All sorts and symbols ever declared stay, in their order.
#[derive(Default)]
pub(crate) struct Problem {
    sorts: Vec<String>,
    pub(crate) symbols: Vec<Symbol>,
    /// How many symbols are functions.
    functions: usize,
    /// Hypotheses, with their numbers, and the line that each has, if a query had it.
    numbers: BTreeMap<Rc<str>, usize>,
    hypotheses: Vec<(Rc<str>, Option<usize>)>,
    /// The lines for hypotheses that queries had, and those for queries, of which there are so many.
    hypothesis_lines: Vec<String>,
    query_lines: Vec<String>,
}

impl Problem {
    /// Declares a sort, and returns its number.
    pub(crate) fn sort(&mut self, name: &str) -> usize {
        self.sorts.push(name.to_owned());
        self.sorts.len() - 1
    }

    /// Declares a symbol, and returns its place among all.
    pub(crate) fn symbol(&mut self, name: &str, args: Vec<usize>, result: Option<usize>) -> usize {
        let relations = self.symbols.len() - self.functions;
        let number = if result.is_some() { self.functions } else { relations };
        self.functions += usize::from(result.is_some());
        self.symbols.push(Symbol { name: name.to_owned(), args, result, number });
        self.symbols.len() - 1
    }

    /// Returns a symbol with arguments.
    pub(crate) fn applied(&self, symbol: usize, args: Vec<Closed>) -> Closed {
        let Symbol { number, result, .. } = self.symbols[symbol];
        applied(None, number, result, args)
    }

    /// Returns the number of a hypothesis. Those that are written alike are one.
    pub(crate) fn hypothesis(&mut self, formula: &Closed) -> usize {
        let mut text = String::new();
        formula.write(&mut text);
        let text: Rc<str> = text.into();
        let next = self.hypotheses.len();
        let number = *self.numbers.entry(Rc::clone(&text)).or_insert(next);
        if number == next {
            self.hypotheses.push((text, None));
        }
        number
    }

    /// Asks on a line whether hypotheses imply a goal.
    pub(crate) fn query(&mut self, line: usize, hypotheses: &[usize], goal: &Closed) {
        let number = self.query_lines.len() + 1;
        let mut text = format!("query 1 open query%20.{number}%20.{line} {}", hypotheses.len());
        for hypothesis in hypotheses {
            let next = self.hypothesis_lines.len();
            let (formula, place) = &mut self.hypotheses[*hypothesis];
            let place = *place.get_or_insert(next);
            if place == next {
                self.hypothesis_lines.push(format!("hypothesis 0 {place}{formula}\n"));
            }
            text.push_str(&format!(" {place}"));
        }
        goal.write(&mut text);
        self.query_lines.push(text + "\n");
    }

    /// Returns the text of the closed system.
    pub(crate) fn text(&self) -> String {
        let mut lines = String::new();
        let names = shown(["bool"].into_iter().chain(self.sorts.iter().map(String::as_str)).collect());
        for (number, name) in names[1..].iter().enumerate() {
            lines.push_str(&format!("sort {number} {name}\n"));
        }
        let names = shown(self.symbols.iter().map(|symbol| &symbol.name[..]).collect());
        for (word, is_function) in [("function", true), ("relation", false)] {
            let symbols = self.symbols.iter().zip(&names);
            for (symbol, name) in symbols.filter(|(symbol, _)| symbol.result.is_some() == is_function) {
                lines.push_str(&format!("{word} {} {name} rigid {}", symbol.number, symbol.args.len()));
                let sorts = symbol.args.iter().chain(&symbol.result);
                sorts.for_each(|sort| lines.push_str(&format!(" {sort}")));
                lines.push('\n');
            }
        }
        lines.extend(self.hypothesis_lines.iter().chain(&self.query_lines).map(String::as_str));
        signed(&lines)
    }
}

/// Returns names as they stand in lines: those that are not plain, and those of several, are numbers.
fn shown(names: Vec<&str>) -> Vec<String> {
    let is_allowed = |c: char| c.is_ascii_graphic() && !"'\"|\\".contains(c);
    let mut count: BTreeMap<&str, usize> = BTreeMap::new();
    names.iter().for_each(|name| *count.entry(name).or_default() += 1);
    let is_plain = |name: &str| {
        !name.is_empty() && name.chars().all(is_allowed) && name.get(..1) != Some("@") && count[name] == 1
    };
    let shown = |(number, text): (usize, &&str)| {
        if is_plain(text) { name(text) } else { format!("@{number}") }
    };
    names.iter().enumerate().map(shown).collect()
}

/// Counts a level of nesting at a place.
pub(crate) fn deeper(nesting: &mut usize, at: usize) -> Result<()> {
    *nesting += 1;
    if *nesting > MAX_NESTING { refuse(at, "nested too deep") } else { Ok(()) }
}

/// Reads a problem with enough stack for formulas that are nested deep.
pub(crate) fn with_stack<T: Send>(
    read: impl FnOnce() -> std::result::Result<T, Refusal> + Send,
) -> std::result::Result<T, Refusal> {
    let none = |what: &str| Refusal { line: 1, column: 1, what: what.to_owned(), is_uncovered: false };
    std::thread::scope(|scope| {
        let reader = std::thread::Builder::new().stack_size(STACK).spawn_scoped(scope, read);
        let reader = reader.map_err(|_| none("there is no memory to read it"))?;
        reader.join().unwrap_or_else(|_| Err(none("it cannot be read")))
    })
}
