//! Bare questions about formulas: what files of other provers' languages ask.

use super::{Signature, TermId, Terms};

/// Questions over one signature.
#[derive(Clone, Debug, Default)]
pub struct Problem {
    /// All sorts and symbols that were ever declared, in the order of their declarations. Names need not be unique: a
    /// script may forget a declaration and make another one of the same name.
    pub sig: Signature,
    /// The arena of all formulas here.
    pub terms: Terms,
    /// In the order of the source.
    pub queries: Vec<Query>,
}

/// Whether hypotheses imply a goal.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Query {
    /// Closed formulas, in the order of the source.
    pub hypotheses: Vec<TermId>,
    /// A closed formula; `false` where the question is whether the hypotheses contradict each other.
    pub goal: TermId,
    /// The line of the source that asks, from 1.
    pub line: usize,
}
