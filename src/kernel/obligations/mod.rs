//! Proof obligations as data, each with its origin.
//!
//! These are the plain obligations over both vocabularies: the claims as stated, without any optimization.
//! Counterexamples are evaluated against exactly these formulas.

mod executions;
pub mod plain;
pub mod problem;
mod progress;
mod proofs;
mod relax;

pub use progress::with_progress;
pub use relax::Relaxed;

use std::sync::Arc;

use ramsey_core::logic::{Problem, Signature, SymId, Syntax, SyntaxMut, TermId, Terms};
use ramsey_core::system::{Site, System};

/// The subject of questions.
#[derive(Clone, Copy, Debug)]
pub enum Subject<'a> {
    /// A transition system.
    System(&'a System),
    /// A problem: entailment queries about formulas.
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

/// The claim that an obligation belongs to. Indices are those of the [`ramsey_core::system::System`], or of the [`Problem`].
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash, PartialOrd, Ord)]
pub enum Origin {
    /// Every initial state satisfies the invariant.
    Initiation {
        /// Index into [`ramsey_core::system::System::invariants`].
        invariant: usize,
    },
    /// The transition preserves the invariant: from a state with all invariants it leads to one with this invariant.
    Consecution {
        /// Index into [`ramsey_core::system::System::transitions`].
        transition: usize,
        /// Index into [`ramsey_core::system::System::invariants`].
        invariant: usize,
    },
    /// No execution of a part of a program violates the assertion. Executions of transitions and of the final part
    /// begin in a state with all invariants.
    Assertion {
        /// Index into [`ramsey_core::system::System::assertions`].
        assertion: usize,
    },
    /// The theorem holds for all (sequences of) states.
    Theorem {
        /// Index into [`ramsey_core::system::System::theorems`].
        theorem: usize,
    },
    /// Part of a proof by forward and backward induction.
    Proof {
        /// Index into [`ramsey_core::system::Proofs::list`].
        proof: usize,
        /// The part.
        part: ProofPart,
        /// Index into [`ramsey_core::system::ProofStep::inductive`]; 0 for [`ProofPart::Witness`]; for [`ProofPart::Safety`]
        /// index into [`ramsey_core::system::System::invariants`].
        claim: usize,
    },
    /// No execution of this many steps ends in a state that violates the property.
    Bounded {
        /// The number of steps.
        steps: u16,
        /// The property claimed of the last state.
        property: Property,
    },
    /// No execution has the shape that the trace describes.
    Trace {
        /// Index into [`ramsey_core::system::System::traces`].
        trace: usize,
    },
    /// The hypotheses of a query imply its goal.
    Query {
        /// Index into [`Problem::queries`].
        query: usize,
        /// The line of the query.
        line: usize,
    },
}

/// A part of a proof by forward and backward induction. The steps are those of the [`ramsey_core::system::Proof`].
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash, PartialOrd, Ord)]
pub enum ProofPart {
    /// The formulas of a step hold where its induction starts.
    Start {
        /// The step.
        step: usize,
    },
    /// The transition preserves the formulas of a step in the direction of its induction.
    Transition {
        /// The step.
        step: usize,
        /// Index into [`ramsey_core::system::System::transitions`].
        transition: usize,
    },
    /// Where the induction of a prophecy step ends, some values of the prophecy variables are viable.
    Witness {
        /// The step.
        step: usize,
    },
    /// The invariants of all steps exclude that an execution from an initial state violates a safety property.
    Safety,
}

impl ProofPart {
    /// Returns the step that the part belongs to.
    pub fn step(self) -> Option<usize> {
        match self {
            ProofPart::Start { step } | ProofPart::Transition { step, .. } | ProofPart::Witness { step } => {
                Some(step)
            }
            ProofPart::Safety => None,
        }
    }
}

/// A claim of the model about every reachable state.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash, PartialOrd, Ord)]
pub enum Property {
    /// Index into [`ramsey_core::system::System::invariants`].
    Invariant(usize),
    /// Index into [`ramsey_core::system::System::assertions`].
    Assertion(usize),
}

impl Property {
    /// Returns the claimed formula, over step 0.
    pub fn formula(self, system: &System) -> TermId {
        match self {
            Property::Invariant(index) => system.invariants[index].formula,
            Property::Assertion(index) => system.assertions[index].formula,
        }
    }

    /// Returns the name of the claim in commands.
    pub fn label(self, system: &System) -> &str {
        match self {
            Property::Invariant(index) => &system.invariants[index].label,
            Property::Assertion(index) => &system.assertions[index].label,
        }
    }

    /// Returns whether the property is an assertion of the initial part.
    pub fn is_before_init(self, system: &System) -> bool {
        matches!(self, Property::Assertion(index) if system.assertions[index].site == Site::Init)
    }

    /// Returns the default claims about a system: its safety properties and all assertions.
    pub fn safety(system: &System) -> Vec<Property> {
        let invariants = system.invariants.iter().enumerate().filter(|(_, it)| it.is_safety);
        let invariants = invariants.map(|(index, _)| Property::Invariant(index));
        invariants.chain((0..system.assertions.len()).map(Property::Assertion)).collect()
    }
}

/// A question, answered by a list of obligations.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Question {
    /// Whether the invariants are inductive, and the theorems and proofs valid; of a problem, whether all queries have the
    /// answers that it claims.
    Verify,
    /// Whether the theorems are valid.
    Theorems,
    /// Whether all states of executions of at most `depth` steps satisfy the properties.
    Bounded {
        /// The maximum number of steps.
        depth: u16,
        /// Whether elements may disappear between states ([`Relaxed`]).
        relaxed: bool,
        /// The properties, without repetitions.
        properties: Vec<Property>,
    },
    /// Whether there are executions of the shapes that these traces describe.
    Traces(Vec<usize>),
    /// The answers to these queries of a problem.
    Queries(Vec<usize>),
}

/// Origin of a hypothesis. Indices are those of the [`ramsey_core::system::System`].
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash, PartialOrd, Ord)]
pub enum HypothesisOrigin {
    /// An axiom.
    Axiom(usize),
    /// The axiom of a derived relation, in the state of this step.
    Derived(usize, u16),
    /// An initial condition.
    Init(usize),
    /// An invariant, assumed in the state before the transition.
    Invariant(usize),
    /// The transition, with its frame conditions.
    Transition(usize),
    /// The formula that some transition leads from the state of this step to the next.
    Step(u16),
    /// A hypothesis of a query, by its index there.
    Assertion(usize),
    /// The state violates a safety property.
    Unsafe,
    /// An invariant of a step of a proof, in the state `at`.
    ProofInvariant {
        /// Index into [`ramsey_core::system::Proofs::list`].
        proof: usize,
        /// Index into [`ramsey_core::system::Proof::steps`].
        step: usize,
        /// Index into [`ramsey_core::system::ProofStep::invariants`].
        invariant: usize,
        /// The step of the state.
        at: u16,
    },
    /// A formula that a prophecy step proves by induction, in the state `at`.
    ProphecyInvariant {
        /// Index into [`ramsey_core::system::Proofs::list`].
        proof: usize,
        /// Index into [`ramsey_core::system::Proof::steps`].
        step: usize,
        /// Index into [`ramsey_core::system::Prophecy::invariants`].
        invariant: usize,
        /// The step of the state.
        at: u16,
    },
    /// What is known of the viable values of prophecy variables.
    Viable {
        /// Index into [`ramsey_core::system::Proofs::list`].
        proof: usize,
        /// Index into [`ramsey_core::system::Proof::steps`].
        step: usize,
    },
}

/// A formula that an obligation may assume.
#[derive(Clone, Copy, Debug)]
pub struct Hypothesis {
    /// The formula, closed.
    pub formula: TermId,
    /// Its origin.
    pub origin: HypothesisOrigin,
}

/// A formula to be derived.
#[derive(Clone, Copy, Debug)]
pub struct Goal {
    /// The claim that it is part of.
    pub origin: Origin,
    /// The formula, closed.
    pub formula: TermId,
}

/// The kind of a group, which its obligations have in common.
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
    /// A part of a proof.
    Proof {
        /// Index into [`ramsey_core::system::Proofs::list`].
        proof: usize,
        /// The part.
        part: ProofPart,
    },
}

impl GroupKind {
    /// Returns the transition whose states the obligations are about, if there is one.
    pub fn transition(self) -> Option<usize> {
        match self {
            GroupKind::Transition(transition)
            | GroupKind::Proof { part: ProofPart::Transition { transition, .. }, .. } => Some(transition),
            _ => None,
        }
    }
}

/// Obligations with the same hypotheses, which have to imply each goal.
#[derive(Clone, Debug)]
pub struct Group {
    /// The kind of the group.
    pub kind: GroupKind,
    /// The number of states in the formulas (at least 1, which interprets the immutable symbols).
    pub states: u16,
    /// The hypotheses of every goal of the group.
    pub hypotheses: Vec<Hypothesis>,
    /// The goals, in source order.
    pub goals: Vec<Goal>,
}

/// All obligations of a question.
#[derive(Clone, Debug)]
pub struct Obligations {
    /// The signature of the system. For [`Question::Verify`] and [`Question::Theorems`] it is extended by the symbols of
    /// proofs ([`ramsey_core::system::Proofs::sig`]) and by one [`ramsey_core::logic::SymbolKind::Parameter`] constant per parameter
    /// of each transition.
    pub sig: Signature,
    /// The arena of all formulas of the obligations. The system's terms keep their ids.
    pub terms: Terms,
    /// The constants that stand for the parameters of each transition; empty for other questions.
    pub params: Vec<Vec<SymId>>,
    /// The groups. For [`Question::Verify`] in the order: initiation with the assertions before it; per transition,
    /// consecution and its assertions; assertions of the final part; theorems; proofs, step by step.
    pub groups: Vec<Group>,
}

impl Obligations {
    /// Returns the signature and the terms of the obligations.
    pub fn syntax(&self) -> Syntax<'_> {
        self.terms.over(&self.sig)
    }

    /// Returns the signature and the terms of the obligations, to create further terms.
    pub fn syntax_mut(&mut self) -> SyntaxMut<'_> {
        self.terms.over_mut(&self.sig)
    }
}
