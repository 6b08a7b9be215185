//! Executions within a number of steps.

use std::sync::Arc;

use serde_json::{Value, json};

use super::context::{Context, Failed, Progress};
use super::counterexamples::counterexample;
use crate::query::bmc::{Bmc, Options, Outcome, Target};
use crate::vc::Property;

pub(super) fn answer(
    context: &Context<'_>,
    (formula, claims): (Option<&str>, &[String]),
    from: u16,
    depth: u16,
    progress: Progress<'_>,
) -> Result<Value, Failed> {
    let (system, targets) = match formula {
        Some(formula) => {
            let (system, formula) = context.with_claim(formula)?;
            (Arc::new(system), vec![Target::Formula(formula)])
        }
        None => {
            let system = Arc::clone(context.system);
            let invariants = (0..system.invariants.len()).map(Property::Invariant);
            let assertions = (0..system.assertions.len()).map(Property::Assertion);
            let is_asked =
                |it: &Property| claims.is_empty() || claims.iter().any(|claim| claim == it.label(&system));
            let targets = invariants.chain(assertions).filter(is_asked).map(Target::Model).collect();
            (system, targets)
        }
    };
    let options =
        Options { targets, depth, minimize: true, certify: false, induction: false, seed: 0, clock: None };
    let mut bmc = Bmc::new(system, options);
    let mut known = None;
    while let Some(found) = bmc.advance(context.limits) {
        match found.outcome {
            Outcome::Holds => {
                known = found.steps.or(known);
                if found.steps.is_some_and(|steps| steps >= from) {
                    progress(json!({ "holds": found.steps }));
                }
            }
            Outcome::Violated(violation) => {
                let syntax = bmc.system().syntax();
                let execution = counterexample(context, syntax, &violation.counterexample, "b")?;
                let claim = match violation.target {
                    Target::Model(property) => Some(property.label(context.system)),
                    Target::Formula(_) | Target::Deadlock(_) => None,
                };
                return Ok(
                    json!({ "holds": known, "violated": claim, "steps": found.steps, "execution": execution }),
                );
            }
            Outcome::Unknown(exhausted) => return Err(exhausted.into()),
            Outcome::Undecided(_) => break,
            Outcome::InternalError(what) => return Err(Failed::Internal(what)),
        }
    }
    Ok(json!({ "holds": known, "depth": depth }))
}
