//! Findings of eager abstraction.

use super::{Answer, BUG, Claim, Evidence, Finding, Status, of_violation};
use ramsey_core::system::System;
use ramsey_engine::query::bmc::{Target, Violation};
use ramsey_engine::query::mc::{self, Execution, Outcome, Replay};

/// Why a proof that needs schemata is none of the model.
const SCHEMATA: &str = "the proof needs instances of schemata that do not follow from the axioms";

/// Returns the finding of an answer about a claim. `is_joint` tells that all claims that it assumes are proved.
pub fn of_abstraction<'a>(system: &'a System, found: &'a mc::Answer, is_joint: bool) -> Finding<'a> {
    if let Some(violation) = found.violation() {
        return of_violation(system, None, steps(system, violation), violation);
    }
    let claim = Claim::of_target(system, Target::Model(found.property), None);
    let title = claim.title();
    let unknown = format!("it is not known whether an execution violates {title}");
    let (status, message, reason) = match &found.outcome {
        Outcome::Safe { schemata, .. } if !schemata.is_empty() => {
            let message = format!("{title} holds where schemata are true that `verify` does not assume");
            (Status::Unknown, message, Some(SCHEMATA.to_owned()))
        }
        Outcome::Safe { .. } if is_joint => (Status::Holds, format!("no execution violates {title}"), None),
        Outcome::Safe { .. } => {
            (Status::Unknown, format!("{title} holds as long as the other claims have held"), None)
        }
        Outcome::Violated(execution) => (Status::Unknown, unknown, replay_text(system, execution)),
        Outcome::Unknown(exhausted) => (Status::Unknown, unknown, Some(exhausted.to_string())),
        Outcome::Refused(refusal) => (Status::Unknown, unknown, Some(refusal.to_string())),
        Outcome::InternalError(what) => {
            let message = "internal error: the answer is not to be trusted".to_owned();
            (Status::InternalError, message, Some(what.clone()))
        }
    };
    let notes = match (status, &reason) {
        (Status::InternalError, Some(what)) => vec![what.clone(), BUG.to_owned()],
        _ => Vec::new(),
    };
    let answer = Answer { claim, status, reason, evidence: Evidence::None };
    Finding { notes, ..Finding::of_answer(answer, message) }
}

/// Returns the number of steps of an execution that violates a claim; `None` before the initial states.
pub fn steps(system: &System, violation: &Violation) -> Option<u16> {
    let is_before = matches!(violation.target, Target::Model(it) if it.is_before_init(system));
    u16::try_from(violation.counterexample.calls.len()).ok().filter(|_| !is_before)
}

/// Returns what is said of an execution of the abstraction that is not known to be one of the model.
pub fn replay_text(system: &System, execution: &Execution) -> Option<String> {
    let names: Vec<&str> = execution
        .steps
        .iter()
        .filter_map(|step| step.transition.map(|index| system.transitions[index].name.as_str()))
        .collect();
    Some(match &execution.replay {
        Replay::Real(_) | Replay::InternalError(_) => return None,
        Replay::Blocked(1) => {
            format!("spurious: `{}` cannot be taken in an initial state of the model", names.first()?)
        }
        Replay::Blocked(count) => format!(
            "spurious from step {count} on: no execution of the model goes on with `{}` there",
            names.get(count - 1)?
        ),
        Replay::Harmless => {
            "spurious: the model takes these transitions, but never violates the claim after them".to_owned()
        }
        Replay::Open(exhausted) => {
            format!("not decided whether the model has an execution with these transitions: {exhausted}")
        }
    })
}
