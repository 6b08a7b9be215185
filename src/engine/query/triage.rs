//! Triage of claims: which are false in a reachable state, so that no inductive invariant contains them, and by which
//! execution.

use std::sync::Arc;

use super::bmc::{Basis, Bmc, LemmaSource, Options, Outcome, Target, Violation};
use super::fragment::Cycle;
use super::verify::Limits;
use ramsey_core::base::budget::Exhausted;
use ramsey_core::system::System;
use ramsey_kernel::obligations::Property;
use ramsey_solver::epr::Clock;

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
    /// Set if the other claims are parts of inductive invariants, and hold after any number of steps: what they are shown with.
    pub by_induction: Option<Basis>,
    /// The budget that ran out before the bound.
    pub exhausted: Option<Exhausted>,
    /// Internal inconsistency of the tool.
    pub internal_error: Option<String>,
}

/// A prepared triage.
#[derive(Debug)]
pub struct Search {
    system: Arc<System>,
    properties: Vec<Property>,
    options: Options,
    /// Prepared for all claims at once, which is not searched.
    all: Bmc,
}

impl Search {
    /// Prepares the triage of these claims by executions of at most `bound` steps, and by proofs for all lengths with the model's
    /// invariants or with `lemmas`.
    pub fn new(
        system: Arc<System>,
        properties: &[Property],
        bound: u16,
        lemmas: Option<LemmaSource>,
        seed: u64,
        clock: Option<Clock>,
    ) -> Search {
        let targets = properties.iter().copied().map(Target::Model).collect();
        let options = Options { induction: true, lemmas, seed, clock, ..Options::new(targets, bound) };
        let all = Bmc::new(Arc::clone(&system), options.clone());
        Search { system, properties: properties.to_vec(), options, all }
    }

    /// Returns a cycle that takes some questions out of stratified EPR, if there is one, with the smallest number of
    /// steps that it affects.
    pub fn cycle(&self) -> Option<(u16, &Cycle)> {
        self.all.cycle()
    }

    /// Searches executions claim by claim, and calls `begins` with each claim and number of steps. One search for all
    /// claims would take far longer: an execution that violates one of many is harder to exclude.
    pub fn run(self, limits: &Limits, begins: &mut dyn FnMut(Property, u16)) -> Triage {
        let mut triage = Triage {
            checked: Some(self.options.depth),
            by_induction: Some(Basis::Invariants),
            ..Triage::default()
        };
        for &property in &self.properties {
            let targets = vec![Target::Model(property)];
            let mut bmc = Bmc::new(Arc::clone(&self.system), Options { targets, ..self.options.clone() });
            let mut checked = None;
            let mut by_induction = None;
            let mut refuted = None;
            loop {
                begins(property, bmc.next_depth());
                let Some(depth) = bmc.advance(limits) else { break };
                match depth.outcome {
                    Outcome::Holds => {
                        checked = depth.steps.or(checked);
                        by_induction = depth.by_induction;
                    }
                    Outcome::Violated(violation) => {
                        refuted = Some(Refuted { property, steps: depth.steps, violation: *violation });
                    }
                    Outcome::Unknown(exhausted) => triage.exhausted = triage.exhausted.or(Some(exhausted)),
                    Outcome::InternalError(what) => triage.internal_error = Some(what),
                    // Only a search for deadlocks has this answer.
                    Outcome::Undecided(_) => {}
                }
                if by_induction.is_some() {
                    checked = Some(self.options.depth);
                    break;
                }
            }
            match refuted {
                Some(refuted) => triage.refuted.push(refuted),
                None => {
                    triage.checked = triage.checked.min(checked);
                    triage.by_induction = triage.by_induction.zip(by_induction).map(|(a, b)| a.max(b));
                }
            }
        }
        triage.refuted.sort_by_key(|refuted| refuted.steps);
        triage
    }
}
