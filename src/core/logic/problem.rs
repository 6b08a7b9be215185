//! Problems: entailment queries about formulas, as read from the languages of other provers.

use super::{Signature, Syntax, TermId, Terms};

/// Queries over one signature.
#[derive(Clone, Debug, Default)]
pub struct Problem {
    /// All sorts and symbols ever declared, in declaration order. Names need not be unique: a script may remove a
    /// declaration and reuse its name.
    pub sig: Signature,
    /// The arena of all formulas of the problem.
    pub terms: Terms,
    /// Queries in source order.
    pub queries: Vec<Query>,
}

impl Problem {
    /// Returns the signature and the terms of the problem.
    pub fn syntax(&self) -> Syntax<'_> {
        self.terms.over(&self.sig)
    }
}

/// The query whether hypotheses imply a goal.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Query {
    /// Closed formulas, in source order.
    pub hypotheses: Vec<TermId>,
    /// A closed formula; `false` if the query is whether the hypotheses are inconsistent.
    pub goal: TermId,
    /// The line of the query in the source, from 1.
    pub line: usize,
}
