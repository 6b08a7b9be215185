//! What leaves of the circuit stand for.

use ramsey_core::logic::TermId;

/// A fact about a step, over the symbols of the abstraction.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Fact {
    /// The formula is true.
    Truth(TermId),
    /// The first tracked constant that the term is equal to is this one.
    Is(TermId, TermId),
    /// The term is below this tracked constant in the order of their sort.
    Below(TermId, TermId),
    /// The state is an initial one.
    First,
}

/// What an input stands for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Input {
    /// A fact.
    Fact(Fact),
    /// A bit of the number of the first tracked constant that the term is equal to, or of their number if there is
    /// none.
    Index(TermId, u32),
    /// A bit of the number of the first one of the greatest tracked constants below the term, or of their number if there
    /// is none. It counts where the term is equal to none of them.
    Above(TermId, u32),
    /// A bit of the number of the transition that is taken, from 1; 0 for none.
    Transition(u32),
}
