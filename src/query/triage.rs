//! Triage of claims: which are false in a reachable state, so that no inductive invariant contains them, and by which
//! execution.

use std::sync::Arc;

use super::bmc::{Bmc, Options, Outcome, Target, Violation};
use super::fragment::Cycle;
use super::verify::Limits;
use crate::base::budget::Exhausted;
use crate::epr::Clock;
use crate::system::System;
use crate::vc::Property;

/// A claim that an execution refutes.
#[derive(Clone, Debug)]
pub struct Refuted {
    /// The claim.
    pub property: Property,
    /// The number of steps of the execution; `None` in the part that leads to the initial states.
    pub steps: Option<u16>,
    /// The execution, which has as few steps as possible.
    pub violation: Violation,
}

/// Result of a triage.
#[derive(Clone, Debug, Default)]
pub struct Triage {
    /// The refuted claims, those with the shortest executions first.
    pub refuted: Vec<Refuted>,
    /// The number of steps up to which the other claims hold; `None` if it is not even known of initial states.
    pub checked: Option<u16>,
    /// Whether the other claims are part of an inductive invariant, and hold after any number of steps.
    pub by_induction: bool,
    /// The budget that ran out before the bound.
    pub exhausted: Option<Exhausted>,
    /// Internal inconsistency of the tool.
    pub internal_error: Option<String>,
}

/// A prepared triage.
#[derive(Debug)]
pub struct Search {
    bmc: Bmc,
}

impl Search {
    /// Prepares the triage of these claims by executions of at most `bound` steps.
    pub fn new(
        system: Arc<System>,
        properties: &[Property],
        bound: u16,
        seed: u64,
        clock: Option<Clock>,
    ) -> Search {
        let options = Options {
            targets: properties.iter().copied().map(Target::Model).collect(),
            depth: bound,
            minimize: true,
            certify: false,
            induction: true,
            seed,
            clock,
        };
        Search { bmc: Bmc::new(system, options) }
    }

    /// Returns a cycle that takes some questions out of stratified EPR, if there is one, with the smallest number of
    /// steps that it affects.
    pub fn cycle(&self) -> Option<(u16, &Cycle)> {
        self.bmc.cycle()
    }

    /// Searches executions, and calls `begins` with each number of steps.
    pub fn run(mut self, limits: &Limits, begins: &mut dyn FnMut(u16)) -> Triage {
        let mut triage = Triage::default();
        loop {
            begins(self.bmc.next_depth());
            let Some(depth) = self.bmc.advance(limits) else { break };
            match depth.outcome {
                Outcome::Holds => {
                    triage.checked = depth.steps.or(triage.checked);
                    triage.by_induction = depth.by_induction;
                }
                Outcome::Violated(violation) => {
                    let target = violation.target;
                    if let Target::Model(property) = target {
                        triage.refuted.push(Refuted { property, steps: depth.steps, violation: *violation });
                    }
                    self.bmc.continue_without(target, depth.steps);
                }
                Outcome::Unknown(exhausted) => triage.exhausted = Some(exhausted),
                Outcome::InternalError(what) => triage.internal_error = Some(what),
                // Only a search for deadlocks has this answer.
                Outcome::Undecided(_) => {}
            }
            if triage.by_induction {
                break;
            }
        }
        triage
    }
}
