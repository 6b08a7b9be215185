//! The contents of a file of the TPTP library.

use ramsey_core::base::span::Span;
use ramsey_core::logic::Problem;

/// A problem with the information needed to report its status.
#[derive(Clone, Debug)]
pub struct Loaded {
    /// The problem, with one query: whether the conjunction of the conjectures follows, or `false` if there is none. A
    /// further hypothesis after those listed in [`Self::hypotheses`] states that distinct objects are different.
    pub problem: Problem,
    /// The sources of the query's hypotheses, in their order.
    pub hypotheses: Vec<Statement>,
    /// The conjectures in source order.
    pub conjectures: Vec<Statement>,
}

impl Loaded {
    /// Returns whether the problem has a conjecture to be proved. Otherwise the question is whether all formulas are
    /// satisfiable together.
    pub fn has_conjecture(&self) -> bool {
        !self.conjectures.is_empty()
    }

    /// Returns whether a formula is a negated conjecture.
    pub fn has_negated_conjecture(&self) -> bool {
        self.hypotheses.iter().any(|statement| statement.role == Role::NegatedConjecture)
    }
}

/// A formula with its name and role.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Statement {
    /// The name as in TPTP; not necessarily unique.
    pub name: String,
    /// The role.
    pub role: Role,
    /// The position, including name and role.
    pub span: Span,
}

/// Role of a formula.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Role {
    /// Assumed: an axiom, hypothesis, definition, lemma or similar.
    Axiom,
    /// Assumed: the negation of a conjecture.
    NegatedConjecture,
    /// To be proved.
    Conjecture,
}
