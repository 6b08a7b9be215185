//! Formulas in prefix form.

use super::vocabulary::Numbers;
use super::words::{Word, Words};
use crate::shared::Error;
use crate::shared::report::Report;
use ramsey_core::diag::Code;
use ramsey_core::logic::{SortId, SymId, SyntaxMut, TermId, VarId};

/// Maximum depth of a formula. Recursion to this depth is safe.
const MAX_DEPTH: usize = 2_000;

/// Reads closed formulas, whose sorts and states it checks. Variables, which have no names in the text, get some: the first
/// letter of their sort, with a number where one of them is bound already.
pub(super) struct Reader<'a> {
    numbers: &'a Numbers,
    syntax: SyntaxMut<'a>,
    /// The number of states that formulas may speak of.
    states: u16,
    /// The bound variables, the innermost one last.
    bound: Vec<VarId>,
    report: &'a mut Report,
}

impl<'a> Reader<'a> {
    /// Creates a reader of formulas about so many states.
    pub(super) fn new(
        numbers: &'a Numbers,
        syntax: SyntaxMut<'a>,
        states: u16,
        report: &'a mut Report,
    ) -> Self {
        Reader { numbers, syntax, states, bound: Vec::new(), report }
    }

    /// Reads a closed formula.
    pub(super) fn formula(&mut self, words: &mut Words<'_>) -> Result<TermId, Error> {
        self.at_depth(words, 1)
    }

    /// Reads the outermost existential quantifiers of a formula and what is below them.
    pub(super) fn parts(&mut self, words: &mut Words<'_>) -> Result<(Vec<VarId>, TermId), Error> {
        let vars = self.binders(words, "?", 1)?;
        let body = self.at_depth(words, vars.len() + 1)?;
        self.bound.clear();
        Ok((vars, body))
    }

    /// Reads quantifiers of one kind, as long as they follow each other.
    fn binders(&mut self, words: &mut Words<'_>, sign: &str, depth: usize) -> Result<Vec<VarId>, Error> {
        let mut vars = Vec::new();
        while words.peek() == sign {
            let word = words.next("a quantifier")?;
            self.spend(word, depth + vars.len())?;
            let sort = self.sort(words)?;
            let name = self.name_of_variable(sort);
            let var = self.syntax.terms.new_var(name, sort);
            self.bound.push(var);
            vars.push(var);
        }
        Ok(vars)
    }

    /// Returns a name for a variable of a sort, which no symbol and no variable around it has.
    fn name_of_variable(&self, sort: SortId) -> String {
        let sort = self.syntax.sig.sorts[sort].name.chars().find(char::is_ascii_alphabetic);
        let letter = sort.unwrap_or('x').to_ascii_uppercase();
        let terms = &*self.syntax.terms;
        let is_bound = |name: &str| self.bound.iter().any(|&var| terms.var_info(var).name[..] == *name);
        let is_free = |name: &String| !self.numbers.names.contains(name) && !is_bound(name);
        let alike = self.bound.iter().filter(|&&var| terms.var_info(var).name.starts_with(letter)).count();
        let first = (alike == 0).then(|| letter.to_string());
        let numbered = (alike.max(1)..).map(|number| format!("{letter}{number}"));
        first.into_iter().chain(numbered).find(is_free).unwrap_or_default()
    }

    /// Counts a word, and refuses formulas that are too deep.
    fn spend(&mut self, word: Word<'_>, depth: usize) -> Result<(), Error> {
        if depth > MAX_DEPTH {
            let message = format!("the formula is more than {MAX_DEPTH} levels deep");
            return Err(word.error(Code::TooDeep, message, ""));
        }
        if self.report.spend(1) { Ok(()) } else { Err(word.error(Code::Limit, String::new(), "")) }
    }

    fn at_depth(&mut self, words: &mut Words<'_>, depth: usize) -> Result<TermId, Error> {
        let sign = words.peek();
        if let "!" | "?" = sign {
            let outside = self.bound.len();
            let vars = self.binders(words, sign, depth)?;
            let body = self.at_depth(words, depth + vars.len())?;
            self.bound.truncate(outside);
            let terms = &mut self.syntax.terms;
            return Ok(if sign == "!" { terms.forall(&vars, body) } else { terms.exists(&vars, body) });
        }
        let word = words.next("a formula")?;
        self.spend(word, depth)?;
        match word.text {
            "R" => self.application(words, depth, false),
            "E" => {
                let sort = self.sort(words)?;
                let (a, b) = (self.term(words, sort, depth + 1)?, self.term(words, sort, depth + 1)?);
                Ok(self.syntax.terms.eq(a, b))
            }
            "~" => {
                let inner = self.at_depth(words, depth + 1)?;
                Ok(self.syntax.terms.not(inner))
            }
            "&" | "|" => {
                let is_and = word.text == "&";
                let (count, number) = words.number("the number of formulas")?;
                if count == 1 {
                    let what = if is_and { "conjunction" } else { "disjunction" };
                    let message = format!("a {what} of one formula");
                    let hint = "it is that formula, which stands alone in a closed form";
                    return Err(number.error(Code::Syntax, message, hint));
                }
                let mut items = Vec::new();
                for _ in 0..count {
                    items.push(self.at_depth(words, depth + 1)?);
                }
                Ok(if is_and { self.syntax.terms.and(&items) } else { self.syntax.terms.or(&items) })
            }
            ">" | "=" => {
                let (a, b) = (self.at_depth(words, depth + 1)?, self.at_depth(words, depth + 1)?);
                let terms = &mut self.syntax.terms;
                Ok(if word.text == ">" { terms.implies(a, b) } else { terms.iff(a, b) })
            }
            "V" | "A" => {
                let message = format!("`{}` begins a term, and a formula should be here", word.text);
                Err(word.error(Code::SortMismatch, message, FORMULAS))
            }
            other => Err(word.error(Code::Syntax, format!("`{other}` begins no formula"), FORMULAS)),
        }
    }

    /// Reads a term of a sort.
    fn term(&mut self, words: &mut Words<'_>, wanted: SortId, depth: usize) -> Result<TermId, Error> {
        let word = words.next("a term")?;
        self.spend(word, depth)?;
        match word.text {
            "V" => {
                let count = self.bound.len();
                let index = words.number_below(count, "the number of a variable", "variable around it")?;
                let term = self.syntax.terms.var(self.bound[count - 1 - index]);
                self.of_sort(term, wanted, word)
            }
            "A" => {
                let term = self.application(words, depth, true)?;
                self.of_sort(term, wanted, word)
            }
            other => {
                let message = format!("`{other}` begins no term");
                Err(word.error(Code::Syntax, message, "a term begins with V or A"))
            }
        }
    }

    /// Reads a relation, or a function, after its first word.
    fn application(
        &mut self,
        words: &mut Words<'_>,
        depth: usize,
        is_function: bool,
    ) -> Result<TermId, Error> {
        let (state, at_state) = words.number("a state")?;
        let (list, kind) = match is_function {
            true => (&self.numbers.functions, "function"),
            false => (&self.numbers.relations, "relation"),
        };
        let sym = list[words.number_below(list.len(), &format!("the number of a {kind}"), kind)?];
        let step = self.step(sym, state, at_state)?;
        let sorts = self.syntax.sig.symbols[sym].args.clone();
        let (count, at_count) = words.number("the number of arguments")?;
        if count as usize != sorts.len() {
            let name = &self.syntax.sig.symbols[sym].name;
            let message = format!("`{name}` has {} arguments, and {count} are given", sorts.len());
            return Err(at_count.error(Code::Arity, message, ""));
        }
        let mut args = Vec::with_capacity(sorts.len());
        for sort in sorts {
            args.push(self.term(words, sort, depth + 1)?);
        }
        let SyntaxMut { sig, terms } = &mut self.syntax;
        Ok(terms.app(sig, sym, step, &args))
    }

    /// Returns the step in which a symbol is read.
    fn step(&self, sym: SymId, state: u32, word: Word<'_>) -> Result<u16, Error> {
        let symbol = &self.syntax.sig.symbols[sym];
        let step = state.checked_sub(1).and_then(|step| u16::try_from(step).ok());
        match (symbol.kind.is_mutable(), step) {
            (false, None) if state == 0 => Ok(0),
            (true, Some(step)) if step < self.states => Ok(step),
            (false, _) => Err(word.error(
                Code::State,
                format!("`{}` is rigid, and is read in state {state}", symbol.name),
                "rigid symbols have the state 0 in front",
            )),
            (true, _) => {
                let message = format!("`{}` is mutable, and is not read in state {state} here", symbol.name);
                let hint = match self.states {
                    0 => "the formula is about rigid symbols alone".to_owned(),
                    1 => "the formula is about one state, whose number is 1 here".to_owned(),
                    count => format!("the formula is about {count} states, with numbers from 1 to {count}"),
                };
                Err(word.error(Code::State, message, &hint))
            }
        }
    }

    fn of_sort(&self, term: TermId, wanted: SortId, word: Word<'_>) -> Result<TermId, Error> {
        let found = self.syntax.terms.sort(term);
        if found == wanted {
            return Ok(term);
        }
        let name = |sort: SortId| &self.syntax.sig.sorts[sort].name;
        let message =
            format!("a term of sort `{}`, and one of `{}` should be here", name(found), name(wanted));
        Err(word.error(Code::SortMismatch, message, ""))
    }

    fn sort(&self, words: &mut Words<'_>) -> Result<SortId, Error> {
        let sorts = &self.numbers.sorts;
        words.number_below(sorts.len(), "the number of a sort", "sort").map(|number| sorts[number])
    }
}

/// How formulas begin.
const FORMULAS: &str = "a formula begins with R, E, ~, &, |, >, =, ! or ?";
