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

    /// Returns whether the problem was in closed form: where it is written in closed form again, names are kept.
    pub fn is_closed(&self) -> bool {
        self.queries.iter().any(|query| query.name.is_some())
    }

    /// Returns whether the problem itself claims an answer to some query.
    pub fn has_claims(&self) -> bool {
        self.queries.iter().any(|query| query.wanted != Wanted::Open)
    }
}

/// What is claimed of a query.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Wanted {
    /// Its hypotheses imply its goal.
    Holds,
    /// They do not: there is an execution that is looked for.
    Fails,
    /// Nothing: either answer is right.
    #[default]
    Open,
}

/// The query whether hypotheses imply a goal.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Query {
    /// Its name in a closed form. Queries in other languages have none.
    pub name: Option<String>,
    /// The number of states that it speaks of, at least 1.
    pub states: u16,
    /// What is claimed of it.
    pub wanted: Wanted,
    /// Closed formulas, in source order.
    pub hypotheses: Vec<TermId>,
    /// A closed formula; `false` if the query is whether the hypotheses are inconsistent.
    pub goal: TermId,
    /// The line of the query in the source, from 1.
    pub line: usize,
}

impl Query {
    /// Creates a query without a name, of which nothing is claimed, about symbols that do not change.
    pub fn new(hypotheses: Vec<TermId>, goal: TermId, line: usize) -> Query {
        Query { name: None, states: 1, wanted: Wanted::Open, hypotheses, goal, line }
    }

    /// Returns whether an answer is right, as far as something is claimed of the query.
    pub fn allows(&self, holds: bool) -> bool {
        match self.wanted {
            Wanted::Holds => holds,
            Wanted::Fails => !holds,
            Wanted::Open => true,
        }
    }
}
