//! Proof obligations as data, each with its origin.
//!
//! These are the plain obligations, both vocabularies and all: what is claimed, with nothing made clever.
//! A counterexample is evaluated against exactly these formulas.

mod executions;
pub mod plain;
pub mod problem;

use std::sync::Arc;

use crate::logic::{Problem, Signature, SymId, TermId, Terms};
use crate::system::{Site, System};

/// What questions are asked of.
#[derive(Clone, Copy, Debug)]
pub enum Subject<'a> {
    /// A transition system.
    System(&'a System),
    /// Bare questions about formulas.
    Problem(&'a Problem),
}

impl<'a> From<&'a System> for Subject<'a> {
    fn from(system: &'a System) -> Self {
        Subject::System(system)
    }
}

impl<'a> From<&'a Arc<System>> for Subject<'a> {
    fn from(system: &'a Arc<System>) -> Self {
        Subject::System(system)
    }
}

impl<'a> From<&'a Problem> for Subject<'a> {
    fn from(problem: &'a Problem) -> Self {
        Subject::Problem(problem)
    }
}

/// Which claim an obligation belongs to. Indices are those of the [`crate::system::System`], or of the [`Problem`].
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
    /// No execution of this many steps ends in a state that violates the property.
    Bounded {
        /// How many steps.
        steps: u16,
        /// What the last state is to satisfy.
        property: Property,
    },
    /// There is no execution of the shape that the trace describes.
    Trace {
        /// Index into [`crate::system::System::traces`].
        trace: usize,
    },
    /// The hypotheses of a query imply its goal.
    Query {
        /// Index into [`Problem::queries`].
        query: usize,
        /// The line that asks.
        line: usize,
    },
}

/// A claim about every reachable state that the model has.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash, PartialOrd, Ord)]
pub enum Property {
    /// Index into [`crate::system::System::invariants`].
    Invariant(usize),
    /// Index into [`crate::system::System::assertions`].
    Assertion(usize),
}

impl Property {
    /// The formula that is claimed, over step 0.
    pub fn formula(self, system: &System) -> TermId {
        match self {
            Property::Invariant(index) => system.invariants[index].formula,
            Property::Assertion(index) => system.assertions[index].formula,
        }
    }

    /// What it is called in commands.
    pub fn label(self, system: &System) -> &str {
        match self {
            Property::Invariant(index) => &system.invariants[index].label,
            Property::Assertion(index) => &system.assertions[index].label,
        }
    }

    /// Whether it is an assertion about what leads to the initial states.
    pub fn is_before_init(self, system: &System) -> bool {
        matches!(self, Property::Assertion(index) if system.assertions[index].site == Site::Init)
    }

    /// What is claimed of a system where nothing else is asked for: its safety properties and all assertions.
    pub fn safety(system: &System) -> Vec<Property> {
        let invariants = system.invariants.iter().enumerate().filter(|(_, it)| it.is_safety);
        let invariants = invariants.map(|(index, _)| Property::Invariant(index));
        invariants.chain((0..system.assertions.len()).map(Property::Assertion)).collect()
    }
}

/// What can be asked, as a list of obligations.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Question {
    /// Whether the invariants are inductive, and the theorems valid.
    Verify,
    /// Whether the theorems are valid.
    Theorems,
    /// Whether all executions of at most so many steps satisfy the properties in all their states.
    Bounded {
        /// The most steps.
        depth: u16,
        /// Without repetitions.
        properties: Vec<Property>,
    },
    /// Whether there are executions of the shapes that these traces describe.
    Traces(Vec<usize>),
    /// What the answers to these queries of a problem are.
    Queries(Vec<usize>),
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
    /// That some transition leads from the state of this step to the next.
    Step(u16),
    /// A hypothesis of a query, by its index there.
    Assertion(usize),
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
    /// Executions of this many steps.
    Bounded(u16),
    /// The trace with this index.
    Trace(usize),
    /// The query with this index.
    Query(usize),
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

/// All obligations of a question.
#[derive(Clone, Debug)]
pub struct Obligations {
    /// The signature of the system, for [`Question::Verify`] and [`Question::Theorems`] extended by one [`crate::logic::SymbolKind::Parameter`] constant for each
    /// parameter of each transition.
    pub sig: Signature,
    /// The arena of all formulas here; the system's terms keep their ids.
    pub terms: Terms,
    /// Per transition, the constants that stand for its parameters; none for other questions.
    pub params: Vec<Vec<SymId>>,
    /// For [`Question::Verify`] in the order initiation with the assertions before it, per transition consecution and its assertions, those
    /// of the final part, theorems.
    pub groups: Vec<Group>,
}
