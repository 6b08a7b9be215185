//! Data types of answers.

use std::fmt;

use super::fragment::Cycle;
use super::unroll::Call;
use super::vacuity::Vacuity;
use crate::cache::Rejected;
use crate::elaborate::Certificate;
use ramsey_core::base::budget::Exhausted;
use ramsey_core::logic::Structure;
use ramsey_core::system::System;
use ramsey_kernel::obligations::{HypothesisOrigin, Obligations, Origin, ProofPart};
use ramsey_solver::ask::Falsification;
use ramsey_solver::ask::Statistics;

/// A structure that satisfies all hypotheses of an obligation and violates its goal, confirmed by evaluation.
#[derive(Clone, Debug)]
pub struct Counterexample {
    /// One state for initiation, two for consecution, the number of states it refers to (at least one) for a theorem.
    /// Over [`Obligations::sig`].
    pub structure: Structure,
    /// The transitions between consecutive states, if any: one less than the number of states, or none.
    pub calls: Vec<Call>,
    /// The part of the goal that is false.
    pub falsification: Falsification,
}

/// Answer to one obligation.
#[derive(Clone, Debug)]
pub enum Outcome {
    /// The obligation is valid.
    Holds {
        /// Hypotheses that suffice, in order; empty if cores were not requested.
        core: Vec<HypothesisOrigin>,
    },
    /// The obligation is not valid.
    Fails(Box<Counterexample>),
    /// A budget ran out.
    Unknown(Exhausted),
    /// Not asked because an earlier obligation of its group failed.
    Skipped,
    /// Internal inconsistency of the tool; neither valid nor invalid.
    InternalError(String),
}

/// What a proof of an obligation needs beside the transition, initial conditions and derived relations.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Needs {
    /// Indices of invariants, ascending.
    pub invariants: Vec<usize>,
    /// Indices of axioms, ascending.
    pub axioms: Vec<usize>,
    /// Whether it is known that none of them can be left out.
    pub is_minimal: bool,
}

impl fmt::Display for Outcome {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Outcome::Holds { .. } => f.write_str("ok"),
            Outcome::Fails(_) => f.write_str("failed"),
            Outcome::Unknown(exhausted) => write!(f, "unknown ({exhausted})"),
            Outcome::Skipped => f.write_str("skipped"),
            Outcome::InternalError(what) => write!(f, "internal error: {what}"),
        }
    }
}

/// An obligation in words.
pub fn describe(system: &System, origin: Origin) -> String {
    match origin {
        Origin::Initiation { invariant } => {
            format!("that `{}` holds initially", system.invariants[invariant].label)
        }
        Origin::Consecution { transition, invariant } => format!(
            "that `{}` preserves `{}`",
            system.transitions[transition].name, system.invariants[invariant].label
        ),
        Origin::Assertion { assertion } => format!("assertion `{}`", system.assertions[assertion].label),
        Origin::Theorem { theorem } => format!("theorem `{}`", system.theorems[theorem].label),
        Origin::Proof { proof, part, claim } => {
            let step = |step: usize| &system.proofs.list[proof].steps[step];
            let label = |at: usize| step(at).inductive().get(claim).map_or("", |it| &it.label);
            match part {
                ProofPart::Start { step: at } => {
                    format!("that `{}` holds at the start of step `{}`", label(at), step(at).label)
                }
                ProofPart::Transition { step: at, transition } => format!(
                    "that `{}` preserves `{}` in step `{}`",
                    system.transitions[transition].name,
                    label(at),
                    step(at).label
                ),
                ProofPart::Witness { step: at } => {
                    format!("that the prophecy of step `{}` has a value", step(at).label)
                }
                ProofPart::Safety => {
                    format!("that a proof implies `{}`", system.invariants[claim].label)
                }
            }
        }
        Origin::Bounded { steps, property } => {
            format!("that `{}` holds after {steps} steps", property.label(system))
        }
        Origin::Trace { trace } => format!("trace {trace}"),
        Origin::Query { query, .. } => format!("query {}", query + 1),
    }
}

/// An obligation with its answer.
#[derive(Clone, Debug)]
pub struct ObligationResult {
    /// The obligation.
    pub origin: Origin,
    /// Its answer.
    pub outcome: Outcome,
    /// Certificate of the answer, if requested and available.
    pub certificate: Option<Certificate>,
    /// Cycle that takes the obligation out of stratified EPR; `None` if there is none, or if the analysis took too
    /// long.
    pub cycle: Option<Cycle>,
    /// Cost of the answer.
    pub statistics: Statistics,
}

/// Answers to the obligations of a group.
#[derive(Clone, Default, Debug)]
pub struct GroupResult {
    /// The answers, in the order of the source.
    pub results: Vec<ObligationResult>,
    /// Set if the obligations hold only because the group's hypotheses contradict each other.
    pub vacuity: Option<Vacuity>,
    /// Cost of the vacuity check.
    pub statistics: Statistics,
    /// Entries of the cache that are not valid.
    pub rejected: Vec<Rejected>,
}

/// Answers to all requested obligations, in the order of the source.
#[derive(Clone, Debug)]
pub struct Verification {
    /// The obligations, with the signature and terms of every counterexample.
    pub obligations: Obligations,
    /// The answers.
    pub results: Vec<ObligationResult>,
    /// Unsatisfiable hypotheses, from which claims follow vacuously.
    pub vacuities: Vec<Vacuity>,
    /// Total cost of all groups, preparation included.
    pub statistics: Statistics,
    /// Entries of the cache that are not valid, in the order of the groups.
    pub rejected: Vec<Rejected>,
}
