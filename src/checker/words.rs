//! The words of a line: numbers, terms and formulas.

use crate::Checked;
use crate::formula::{Id, Node, Pool};

/// Maximum depth of a formula. Recursion to this depth is safe.
const MAX_DEPTH: usize = 2_000;

/// A function, a constant or a relation.
#[derive(Clone, Debug)]
pub(crate) struct Symbol {
    /// The sorts of its arguments.
    pub(crate) args: Vec<u32>,
    /// The sort of its values; none for a relation.
    pub(crate) result: Option<u32>,
    /// Whether it is read in a state.
    pub(crate) is_mutable: bool,
}

/// The sorts and symbols of a closed system.
#[derive(Clone, Debug, Default)]
pub(crate) struct Vocabulary {
    /// The number of sorts.
    pub(crate) sorts: u32,
    pub(crate) functions: Vec<Symbol>,
    pub(crate) relations: Vec<Symbol>,
}

impl Vocabulary {
    /// Returns a symbol, which may be read in this state among so many.
    pub(crate) fn symbol(list: &[Symbol], number: u32, state: u32, states: u32) -> Checked<&Symbol> {
        let symbol = list.get(number as usize).ok_or("no such symbol")?;
        match (symbol.is_mutable, state) {
            (false, 0) => Ok(symbol),
            (true, state) if 0 < state && state <= states => Ok(symbol),
            _ => Err("a symbol is not read in this state"),
        }
    }

    /// Returns the sort of a closed term.
    pub(crate) fn sort(&self, term: &Node) -> Option<u32> {
        match term {
            Node::App(_, function, _) => self.functions.get(*function as usize)?.result,
            Node::Constant(sort, _) => Some(*sort),
            _ => None,
        }
    }
}

/// What the words of a line may mean.
#[derive(Clone, Copy)]
pub(crate) struct Scope<'a> {
    pub(crate) vocabulary: &'a Vocabulary,
    /// The number of states that formulas may speak of.
    pub(crate) states: u32,
    /// Closed terms that have numbers, from 0.
    pub(crate) terms: &'a [Id],
    /// Closed formulas that have numbers, from 1.
    pub(crate) formulas: &'a [Id],
}

/// The words of a line that are not read yet.
pub(crate) struct Words<'a>(std::str::Split<'a, char>);

/// Reads a number: decimal, without sign and leading zeros, below 2^31.
pub(crate) fn number(word: &str) -> Checked<u32> {
    let is_canonical =
        word == "0" || !word.starts_with('0') && word.bytes().all(|byte| byte.is_ascii_digit());
    let value = word.parse().ok().filter(|&value: &u32| is_canonical && value < 1 << 31);
    value.ok_or("not a number where one is expected")
}

impl<'a> Words<'a> {
    /// Creates the words of a line, which are separated by one blank.
    pub(crate) fn new(line: &'a str) -> Self {
        Words(line.split(' '))
    }

    /// Returns the next word, which is not empty.
    pub(crate) fn word(&mut self) -> Checked<&'a str> {
        self.0.next().filter(|word| !word.is_empty()).ok_or("the line lacks a word")
    }

    /// Reads a number.
    pub(crate) fn number(&mut self) -> Checked<u32> {
        number(self.word()?)
    }

    /// Reads the numbers up to the end of the line.
    pub(crate) fn numbers(&mut self) -> Checked<Vec<u32>> {
        self.0.by_ref().map(number).collect()
    }

    /// Reads literals up to a 0: a literal is twice the number of its formula, and one more for a negation.
    pub(crate) fn literals(&mut self) -> Checked<Vec<u32>> {
        let mut literals = Vec::new();
        loop {
            let word = self.word()?;
            let (formula, sign) = match word.strip_prefix('-') {
                Some(formula) => (number(formula)?, 1),
                None => (number(word)?, 0),
            };
            match (formula, sign) {
                (0, 0) => return Ok(literals),
                (0, _) => return Err("formulas are counted from 1"),
                _ => literals.push(2 * formula + sign),
            }
        }
    }

    /// Makes sure that the line is at its end.
    pub(crate) fn end(mut self) -> Checked {
        self.0.next().map_or(Ok(()), |_| Err("the line has more words"))
    }

    /// Reads a closed, well-sorted formula.
    pub(crate) fn formula(&mut self, pool: &mut Pool, scope: Scope<'_>) -> Checked<Id> {
        self.open_formula(pool, scope, &mut Vec::new(), MAX_DEPTH)
    }

    /// Reads a closed, well-sorted term.
    pub(crate) fn term(&mut self, pool: &mut Pool, scope: Scope<'_>) -> Checked<Id> {
        self.open_term(pool, scope, &[], MAX_DEPTH).map(|(term, _)| term)
    }

    /// Reads a term under binders of these sorts, the innermost one last. Returns it with its sort.
    fn open_term(
        &mut self,
        pool: &mut Pool,
        scope: Scope<'_>,
        binders: &[u32],
        depth: usize,
    ) -> Checked<(Id, u32)> {
        let depth = depth.checked_sub(1).ok_or("a term is too deep")?;
        match self.word()? {
            "V" => {
                let at = self.number()?;
                let sort = binders.iter().rev().nth(at as usize).ok_or("a variable that nothing binds")?;
                Ok((pool.intern(Node::Var(at)), *sort))
            }
            "A" => {
                let (state, function) = (self.number()?, self.number()?);
                let symbol = Vocabulary::symbol(&scope.vocabulary.functions, function, state, scope.states)?;
                let args = self.arguments(pool, scope, binders, depth, symbol)?;
                let result = symbol.result.ok_or("a relation in a term")?;
                Ok((pool.intern(Node::App(state, function, args)), result))
            }
            known => {
                let term = number(known).map_err(|_| "not a term")? as usize;
                let term = *scope.terms.get(term).ok_or("no such term")?;
                Ok((term, scope.vocabulary.sort(pool.node(term)).ok_or("a term without sort")?))
            }
        }
    }

    /// Reads the number of the arguments of a symbol, and the arguments.
    fn arguments(
        &mut self,
        pool: &mut Pool,
        scope: Scope<'_>,
        binders: &[u32],
        depth: usize,
        symbol: &Symbol,
    ) -> Checked<Box<[Id]>> {
        if self.number()? as usize != symbol.args.len() {
            return Err("a symbol with another number of arguments");
        }
        let mut args = Vec::with_capacity(symbol.args.len());
        for &sort in &symbol.args {
            args.push(self.term_of_sort(pool, scope, binders, depth, sort)?);
        }
        Ok(args.into())
    }

    fn term_of_sort(
        &mut self,
        pool: &mut Pool,
        scope: Scope<'_>,
        binders: &[u32],
        depth: usize,
        sort: u32,
    ) -> Checked<Id> {
        match self.open_term(pool, scope, binders, depth)? {
            (term, of_term) if of_term == sort => Ok(term),
            _ => Err("a term of another sort"),
        }
    }

    fn open_formula(
        &mut self,
        pool: &mut Pool,
        scope: Scope<'_>,
        binders: &mut Vec<u32>,
        depth: usize,
    ) -> Checked<Id> {
        let depth = depth.checked_sub(1).ok_or("a formula is too deep")?;
        let node = match self.word()? {
            "R" => {
                let (state, relation) = (self.number()?, self.number()?);
                let symbol = Vocabulary::symbol(&scope.vocabulary.relations, relation, state, scope.states)?;
                Node::Rel(state, relation, self.arguments(pool, scope, binders, depth, symbol)?)
            }
            "E" => {
                let sort = self.number()?;
                let a = self.term_of_sort(pool, scope, binders, depth, sort)?;
                Node::Eq(sort, a, self.term_of_sort(pool, scope, binders, depth, sort)?)
            }
            "~" => Node::Not(self.open_formula(pool, scope, binders, depth)?),
            "&" => Node::And(self.list(pool, scope, binders, depth)?),
            "|" => Node::Or(self.list(pool, scope, binders, depth)?),
            ">" => {
                let a = self.open_formula(pool, scope, binders, depth)?;
                Node::Implies(a, self.open_formula(pool, scope, binders, depth)?)
            }
            "=" => {
                let a = self.open_formula(pool, scope, binders, depth)?;
                Node::Iff(a, self.open_formula(pool, scope, binders, depth)?)
            }
            quantifier @ ("!" | "?") => {
                let sort = self.number()?;
                if sort >= scope.vocabulary.sorts {
                    return Err("no such sort");
                }
                binders.push(sort);
                let body = self.open_formula(pool, scope, binders, depth)?;
                binders.pop();
                if quantifier == "!" { Node::Forall(sort, body) } else { Node::Exists(sort, body) }
            }
            known => {
                let at = (number(known).map_err(|_| "not a formula")? as usize).checked_sub(1);
                return at.and_then(|at| scope.formulas.get(at)).copied().ok_or("no such formula");
            }
        };
        Ok(pool.intern(node))
    }

    fn list(
        &mut self,
        pool: &mut Pool,
        scope: Scope<'_>,
        binders: &mut Vec<u32>,
        depth: usize,
    ) -> Checked<Box<[Id]>> {
        let count = self.number()?;
        (0..count).map(|_| self.open_formula(pool, scope, binders, depth)).collect()
    }
}
