//! Proof obligations as data, each with its origin.
//!
//! These are the plain obligations, both vocabularies and all: what is claimed, with nothing made clever.
//! A counterexample is evaluated against exactly these formulas.

pub mod lean;
pub mod plain;

pub use lean::Lean;

use crate::logic::{Signature, SymId, TermId, Terms};
use crate::system::Site;

/// Which claim an obligation belongs to. Indices are those of the [`crate::system::System`].
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash, PartialOrd, Ord)]
pub enum Origin {
    /// Every initial state satisfies the invariant.
    Initiation {
        /// Index into [`crate::system::System::invariants`].
        invariant: usize,
    },
    /// The transition leads from a state with all invariants to one with this invariant.
    Consecution {
        /// Index into [`crate::system::System::transitions`].
        transition: usize,
        /// Index into [`crate::system::System::invariants`].
        invariant: usize,
    },
    /// The executions of a part of a program do not go wrong at an assertion. Those of a transition and of the final
    /// part begin in a state with all invariants.
    Assertion {
        /// Index into [`crate::system::System::assertions`].
        assertion: usize,
    },
    /// The theorem holds of all (sequences of) states.
    Theorem {
        /// Index into [`crate::system::System::theorems`].
        theorem: usize,
    },
}

/// Where a hypothesis comes from. Indices are those of the [`crate::system::System`].
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash, PartialOrd, Ord)]
pub enum HypothesisOrigin {
    /// An axiom.
    Axiom(usize),
    /// The axiom of a derived relation, read in the state of this step.
    Derived(usize, u16),
    /// An initial condition.
    Init(usize),
    /// An invariant, assumed of the state before the transition.
    Invariant(usize),
    /// The transition, its frame conditions included.
    Transition(usize),
}

/// A formula that an obligation may assume.
#[derive(Clone, Copy, Debug)]
pub struct Hypothesis {
    /// Closed.
    pub formula: TermId,
    /// Where it comes from.
    pub origin: HypothesisOrigin,
}

/// A formula to be derived.
#[derive(Clone, Copy, Debug)]
pub struct Goal {
    /// The claim.
    pub origin: Origin,
    /// Closed.
    pub formula: TermId,
}

/// What the obligations of a group have in common.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum GroupKind {
    /// Initial states.
    Init,
    /// The transition with this index.
    Transition(usize),
    /// The assertions of a part of a program.
    Assertions(Site),
    /// The theorem with this index.
    Theorem(usize),
}

/// Obligations with the same hypotheses: for each goal, the hypotheses imply it.
#[derive(Clone, Debug)]
pub struct Group {
    /// What they have in common.
    pub kind: GroupKind,
    /// How many states the formulas speak of (at least 1, for the immutable symbols have to live somewhere).
    pub states: u16,
    /// Assumed by every goal of the group.
    pub hypotheses: Vec<Hypothesis>,
    /// In the order of the source.
    pub goals: Vec<Goal>,
}

/// All obligations of a system.
#[derive(Clone, Debug)]
pub struct Obligations {
    /// The system's signature, extended by one [`crate::logic::SymbolKind::Parameter`] constant for each
    /// parameter of each transition.
    pub sig: Signature,
    /// The arena of all formulas here; the system's terms keep their ids.
    pub terms: Terms,
    /// Per transition, the constants that stand for its parameters.
    pub params: Vec<Vec<SymId>>,
    /// In the order initiation with the assertions before it, per transition consecution and its assertions, those
    /// of the final part, theorems.
    pub groups: Vec<Group>,
}
