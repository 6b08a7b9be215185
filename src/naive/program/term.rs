//! Terms and formulas with variables resolved, before they are closed.

use std::collections::BTreeMap;
use std::rc::Rc;

use super::tree::Name;
use crate::refusal::{Result, refuse};

/// How deep a formula may be, and how many nodes it may have as a tree.
const MAX_DEPTH: usize = 1_000;
const MAX_SIZE: usize = 2_000_000;

/// What a node is. Variables, symbols and formulas have numbers.
#[derive(Clone, PartialEq)]
pub(crate) enum What {
    Variable(usize),
    Symbol(usize),
    /// `~` `&` `|` `>` `=` `distinct` `if`, and what is not understood
    Operator(&'static str),
    /// `!` or `?` over variables.
    Block(&'static str, Vec<usize>),
    /// Something declared, and `let` of a value in a body. Both are gone when definitions are expanded.
    Name(Name),
    Let(usize),
    /// An order or a numeral, by a variable with its name and its sort.
    Overload(usize),
}

/// A term or formula, with the number of its nodes and levels. Each variable of a block is a node of its own.
pub(crate) struct Node {
    pub(crate) what: What,
    pub(crate) parts: Vec<Term>,
    pub(crate) size: usize,
    depth: usize,
}

pub(crate) type Term = Rc<Node>;

/// By variable, its value; or by symbol that has changed, its value with its own variables as arguments.
pub(crate) type Values = BTreeMap<usize, Term>;

pub(crate) fn node(what: What, parts: Vec<Term>) -> Term {
    let vars = if let What::Block(_, vars) = &what { vars.len() } else { 0 };
    let size = parts.iter().map(|part| part.size).fold(1 + vars, usize::saturating_add);
    let depth = parts.iter().map(|part| part.depth).max().unwrap_or(0) + 1;
    Rc::new(Node { what, parts, size, depth })
}

pub(crate) fn variable(number: usize) -> Term {
    node(What::Variable(number), Vec::new())
}

pub(crate) fn applied(symbol: usize, args: Vec<Term>) -> Term {
    node(What::Symbol(symbol), args)
}

pub(crate) fn applied_name(name: Name, args: Vec<Term>) -> Term {
    node(What::Name(name), args)
}

pub(crate) fn operator(sign: &'static str, parts: Vec<Term>) -> Term {
    node(What::Operator(sign), parts)
}

/// Returns the conjunction or disjunction of formulas; that of one formula is the formula.
pub(crate) fn joined(sign: &'static str, mut parts: Vec<Term>) -> Term {
    if parts.len() == 1 { parts.remove(0) } else { operator(sign, parts) }
}

pub(crate) fn not(formula: &Term) -> Term {
    operator("~", vec![Rc::clone(formula)])
}

/// Returns a formula below quantifiers; without variables, it is the formula.
pub(crate) fn block(sign: &'static str, vars: Vec<usize>, body: Term) -> Term {
    if vars.is_empty() { body } else { node(What::Block(sign, vars), vec![body]) }
}

/// Returns whether two are equal up to names of bound variables. Those bound further out are `pairs`.
pub(crate) fn is_same(a: &Term, b: &Term, pairs: &mut Vec<(usize, usize)>) -> bool {
    if a.size != b.size || a.parts.len() != b.parts.len() {
        return false;
    }
    let outside = pairs.len();
    let is_same_root = match (&a.what, &b.what) {
        (What::Variable(x), What::Variable(y)) => {
            let bound = pairs.iter().rev().find(|(a, b)| a == x || b == y);
            bound.map_or(x == y, |(a, b)| a == x && b == y)
        }
        (What::Block(sign, vars), What::Block(other, others)) => {
            pairs.extend(vars.iter().copied().zip(others.iter().copied()));
            sign == other && vars.len() == others.len()
        }
        (a, b) => a == b,
    };
    let same = is_same_root && a.parts.iter().zip(&b.parts).all(|(a, b)| is_same(a, b, pairs));
    pairs.truncate(outside);
    same
}

impl Node {
    /// Returns whether a node in this is such.
    pub(crate) fn has(&self, is_it: &dyn Fn(&What) -> bool) -> bool {
        is_it(&self.what) || self.parts.iter().any(|part| part.has(is_it))
    }

    /// Returns this if it is small enough.
    pub(crate) fn sized(self: Rc<Self>, at: usize) -> Result<Term> {
        if self.depth > MAX_DEPTH || self.size > MAX_SIZE {
            return refuse(at, "the formula is too large or too deep");
        }
        Ok(self)
    }
}
