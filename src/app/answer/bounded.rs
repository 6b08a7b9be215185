//! Executions within a number of steps.

use std::slice;
use std::sync::Arc;

use super::context::{Context, Failed, Progress};
use super::counterexamples::counterexample;
use crate::reply::{Answer, Bounded, Violation};
use ramsey_core::base::budget::Exhausted;
use ramsey_core::system::System;
use ramsey_engine::infer::lemmas;
use ramsey_engine::query::Limits;
use ramsey_engine::query::bmc::{Bmc, Depth, Options, Outcome, Target};
use ramsey_kernel::obligations::Property;

/// Maximum number of steps of an early check.
const EARLY: u16 = 6;
/// Work units of an early check for each number of steps. Lemmas take up to two thirds of them.
const EARLY_WORK: u64 = 36_000_000;

pub(super) fn answer(
    context: &Context<'_>,
    (formula, claims): (Option<&str>, &[String]),
    from: u16,
    depth: u16,
    progress: Progress<'_>,
) -> Result<Bounded, Failed> {
    let (system, targets) = match formula {
        Some(formula) => {
            let (system, formula) = context.with_claim(formula)?;
            (Arc::new(system), vec![Target::Formula(formula)])
        }
        None => {
            let is_claim = |claim: &String| !targets(context.system, slice::from_ref(claim)).is_empty();
            if let Some(other) = claims.iter().find(|claim| !is_claim(claim)) {
                return Err(Failed::Unfit(format!("there is no claim `{other}`")));
            }
            (Arc::clone(context.system), targets(context.system, claims))
        }
    };
    let mut bmc = Bmc::new(system, options(targets, depth));
    let mut depths = Vec::new();
    while let Some(found) = bmc.advance(context.limits) {
        let is_new = |steps: &u16| *steps >= from;
        if let (Outcome::Holds, Some(steps)) = (&found.outcome, found.steps.filter(is_new)) {
            progress(holds(Some(steps)));
        }
        depths.push(found);
    }
    Ok(Bounded { depth: Some(depth), ..told(context, bmc.system(), &depths)? })
}

/// Looks for short executions that violate a claim of the model: first a safety property, of which there are fewer.
pub(super) fn early(context: &Context<'_>, progress: Progress<'_>) -> Result<Bounded, Failed> {
    let system = context.system;
    let all = targets(system, &[]);
    let safety: Vec<Target> = Property::safety(system).into_iter().map(Target::Model).collect();
    if safety.len() < all.len() {
        let found = short(context, safety, &mut |safety| progress(Answer::Safe { safety }))?;
        if found.violation.is_some() {
            return Ok(found);
        }
    }
    short(context, all, &mut |steps| progress(holds(steps)))
}

/// Returns options with which induction, with the claims of the model or with lemmas, may answer for all lengths.
fn options(targets: Vec<Target>, depth: u16) -> Options {
    Options { induction: true, lemmas: Some(lemmas), ..Options::new(targets, depth) }
}

/// Returns the part of an answer that nothing is violated for a number of steps.
fn holds(holds: Option<u16>) -> Answer {
    Answer::Bounded(Box::new(Bounded { holds, ..Bounded::default() }))
}

/// Looks for short executions that violate a target, and tells of each number of steps that none does.
fn short(
    context: &Context<'_>,
    targets: Vec<Target>,
    holds: &mut dyn FnMut(Option<u16>),
) -> Result<Bounded, Failed> {
    let mut bmc = Bmc::new(Arc::clone(context.system), options(targets, EARLY));
    let work = Some(context.limits.work.map_or(EARLY_WORK, |work| work.min(EARLY_WORK)));
    let limits = Limits { work, ..context.limits.clone() };
    let mut depths = Vec::new();
    while let Some(found) = bmc.advance(&limits) {
        match found.outcome {
            Outcome::Holds => holds(found.steps),
            // What is known of fewer steps has to do.
            Outcome::Unknown(exhausted) if exhausted != Exhausted::Cancelled => break,
            _ => {}
        }
        depths.push(found);
    }
    told(context, bmc.system(), &depths)
}

/// Returns the claims with these labels; all if there are none.
fn targets(system: &System, claims: &[String]) -> Vec<Target> {
    let invariants = (0..system.invariants.len()).map(Property::Invariant);
    let assertions = (0..system.assertions.len()).map(Property::Assertion);
    let is_asked = |it: &Property| claims.is_empty() || claims.iter().any(|claim| claim == it.label(system));
    invariants.chain(assertions).filter(is_asked).map(Target::Model).collect()
}

/// Returns for how many steps nothing was violated, and the execution that violates something.
pub(super) fn told(context: &Context<'_>, system: &System, depths: &[Depth]) -> Result<Bounded, Failed> {
    let mut known = None;
    let always = depths.last().is_some_and(|found| found.by_induction.is_some());
    for found in depths {
        match &found.outcome {
            Outcome::Holds => known = found.steps.or(known),
            Outcome::Violated(violation) => {
                let execution = counterexample(context, system.syntax(), &violation.counterexample, "b")?;
                let claim = match violation.target {
                    Target::Model(property) => Some(property.label(system).to_owned()),
                    Target::Formula(_) | Target::Deadlock(_) => None,
                };
                let is_stuck = matches!(violation.target, Target::Deadlock(_));
                let violation = Violation { violated: claim, stuck: is_stuck, steps: found.steps, execution };
                return Ok(Bounded { holds: known, violation: Some(violation), ..Bounded::default() });
            }
            Outcome::Unknown(exhausted) => return Err((*exhausted).into()),
            Outcome::Undecided(_) => break,
            Outcome::InternalError(what) => return Err(Failed::Internal(what.clone())),
        }
    }
    Ok(Bounded { holds: known, always, ..Bounded::default() })
}
