//! Claims as the abstraction sees them.

use ramsey_core::logic::TermId;

/// Where a claim is made.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Place {
    /// Before the first state, of which nothing is known there but the axioms.
    Before,
    /// In every reachable state.
    State,
    /// Within the step of the transition with this index.
    Step(usize),
}

/// A claim of a system.
#[derive(Clone, Debug)]
pub struct Claim {
    /// The claim, closed: what is assumed of the past.
    pub formula: TermId,
    /// An equivalent formula with prophecy variables: what is to be shown.
    pub goal: TermId,
    /// Where it is made.
    pub place: Place,
}
