//! The assertions that take no part in a search so far (`outside`).

use super::universal::{UniversalClause, UniversalId};
use ramsey_core::base::ids::Id as _;

/// The assertions that rest.
#[derive(Clone, Debug, Default)]
pub(super) struct Resting {
    /// Whether the search is one in which assertions rest, even if all take part by now.
    pub(super) is_on: bool,
    /// By clause, whether it rests. Clauses beyond the end do not.
    pub(super) rests: Vec<bool>,
    /// The assertions that rest, in order.
    pub(super) assertions: Vec<Assertion>,
    /// Maximum number of instances added per candidate, where functions have no values.
    pub(super) instances: usize,
}

/// The clauses of an assertion.
#[derive(Clone, Debug, Default)]
pub(super) struct Assertion {
    /// Maximum number of functions of one clause that may make terms without end.
    pub(super) cost: usize,
    /// In the form for structures whose elements are no terms.
    pub(super) clauses: Vec<(UniversalId, UniversalClause)>,
}

/// What a satisfiable query needed.
#[derive(Clone, Debug)]
pub(super) struct Found {
    /// The assertions that it did not need. Clauses of scopes that are closed by now are not active, and do no harm.
    pub(super) resting: Resting,
    /// The work that such queries took, at most.
    pub(super) work: u64,
}

impl Resting {
    /// Checks whether a clause rests.
    pub(super) fn contains(&self, id: UniversalId) -> bool {
        self.rests.get(id.index()).is_some_and(|&rests| rests)
    }
}
