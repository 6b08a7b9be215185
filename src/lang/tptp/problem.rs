//! What a file of the library says.

use crate::base::span::Span;
use crate::logic::Problem;

/// A problem, and what a status has to tell about it.
#[derive(Clone, Debug)]
pub struct Loaded {
    /// One query: whether the conjunction of the conjectures follows, or `false` where there is none. A further
    /// hypothesis after those that [`Self::hypotheses`] names says that distinct objects are different.
    pub problem: Problem,
    /// Where the query's hypotheses come from, in their order.
    pub hypotheses: Vec<Statement>,
    /// The conjectures, in the order of the source.
    pub conjectures: Vec<Statement>,
}

impl Loaded {
    /// Whether the problem is to prove a conjecture; otherwise it is to tell whether all formulas can be true together.
    pub fn has_conjecture(&self) -> bool {
        !self.conjectures.is_empty()
    }

    /// Whether some formula is the negation of what was to be proved.
    pub fn has_negated_conjecture(&self) -> bool {
        self.hypotheses.iter().any(|statement| statement.role == Role::NegatedConjecture)
    }
}

/// A formula with its name and role.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Statement {
    /// The name, as TPTP writes it; names need not be unique.
    pub name: String,
    /// What it is said to be.
    pub role: Role,
    /// Where it stands, name and role included.
    pub span: Span,
}

/// What a formula is said to be.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Role {
    /// Taken as true: an axiom, hypothesis, definition, lemma or the like.
    Axiom,
    /// Taken as true: the negation of what is to be proved.
    NegatedConjecture,
    /// To be proved.
    Conjecture,
}
