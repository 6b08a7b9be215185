//! JSON output of `ramsey simulate`, as specified in `spec/simulate.schema.json`.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::dto::BlockedStep;
use super::{View, bindings_dto, counterexample, dto};
use crate::Names;
use crate::finding::Subject;
use crate::outcome::EndReason;
use crate::simulate::{before_init, claim_of, refutation};
use crate::trace::{call_values, falsification_parts};
use ramsey_core::base::span::Sources;
use ramsey_core::logic::SortId;
use ramsey_core::system::System;
use ramsey_engine::query::Call;
use ramsey_engine::query::simulate::{Blocked, End, Simulator, Violation};
use ramsey_solver::ask::Failure;

/// Content of the output of `ramsey simulate --format json`.
#[derive(Serialize, Deserialize, JsonSchema, Debug, Default)]
pub struct SimulateContent {
    /// Path of the model.
    pub path: String,
    /// Execution of the walk; `null` if there is no initial state.
    pub execution: Option<dto::Execution>,
    /// Violated claims, by the first state in which they are false.
    pub violations: Vec<ViolatedClaim>,
    /// End of the walk; `null` if it did not begin because of errors in the input.
    pub end: Option<Ending>,
    /// Transitions that were never taken.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub never_taken: Option<Vec<String>>,
    /// Sizes at which an initial state was searched for, in order.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub sizes_tried: Option<Vec<Vec<SortSize>>>,
}

/// Number of elements of a sort.
#[derive(Serialize, Deserialize, JsonSchema, Debug)]
pub struct SortSize {
    /// The sort.
    pub sort: String,
    /// Its size.
    #[schemars(range(min = 1))]
    pub size: u32,
}

/// Returns the sizes at which an initial state was searched for.
pub(crate) fn sizes_tried(simulator: &Simulator) -> Vec<Vec<SortSize>> {
    let sig = simulator.sig();
    let sizes = simulator.tried().iter().map(|sizes| {
        let of = |sort: SortId| SortSize { sort: sig.sorts[sort].name.clone(), size: sizes[sort] };
        sig.uninterpreted_sorts().map(of).collect()
    });
    sizes.collect()
}

/// Claim that is false.
#[derive(Serialize, Deserialize, JsonSchema, Debug)]
pub struct ViolatedClaim {
    /// What is declared.
    pub kind: Subject,
    /// Name of the claim, or `L` and its line.
    pub label: String,
    /// Line of the declaration, from 1.
    pub line: usize,
    /// The false part of the claim, and its state.
    #[serde(flatten)]
    pub violated: dto::Violated,
    /// Structure in which the part before the initial states violates the assertion, if the assertion belongs to
    /// that part.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub before: Option<dto::Execution>,
}

/// End of a walk.
#[derive(Serialize, Deserialize, JsonSchema, Debug)]
pub struct Ending {
    /// Why it ended.
    pub reason: EndReason,
    /// Limit that was reached, or description of the internal error.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub detail: Option<String>,
    /// Transitions that are disabled (`deadlock`, `disabled`).
    pub blocked: Vec<BlockedStep>,
}

/// Returns the execution of a walk, its violations and its end.
pub(crate) fn walk(
    system: &System,
    simulator: &Simulator,
    end: &Result<End, Failure>,
    sources: &Sources,
    negative: bool,
) -> (Option<dto::Execution>, Vec<ViolatedClaim>, Ending) {
    let structure = simulator.structure();
    let view = View { system, sig: simulator.sig(), sources, prophecy: &[], negative, is_initial: true };
    let states = structure.as_ref().map(|structure| view.execution(structure, simulator.calls()));
    let violations = simulator.violations().iter();
    let violations = violations.map(|it| violated(system, simulator, it, view)).collect();
    (states, violations, ending(system, simulator, end))
}

fn violated(system: &System, simulator: &Simulator, violation: &Violation, view: View<'_>) -> ViolatedClaim {
    let claim = claim_of(system, violation);
    let refutation = refutation(system, simulator, violation);
    let dto::Counterexample { execution, violated } = counterexample(refutation, view.sources, view.negative);
    let violated = dto::Violated { state: violation.state, ..violated };
    let before = before_init(system, violation).map(|_| execution);
    let line = claim.line_column(view.sources).map_or(0, |(line, _)| line);
    ViolatedClaim { kind: claim.subject, label: claim.label.into_owned(), line, violated, before }
}

fn ending(system: &System, simulator: &Simulator, end: &Result<End, Failure>) -> Ending {
    let detail = match end {
        Ok(_) => None,
        Err(Failure::Exhausted(exhausted)) => Some(exhausted.to_string()),
        Err(Failure::Internal(what) | Failure::Misuse(what)) => Some(what.clone()),
    };
    let blocked: &[Blocked] = match end {
        Ok(End::Deadlock(all)) => all,
        Ok(End::Disabled(blocked)) => std::slice::from_ref(blocked),
        _ => &[],
    };
    let blocked = blocked.iter().filter_map(|it| blocked_step(system, simulator, it)).collect();
    Ending { reason: end.into(), detail, blocked }
}

/// Returns the reason why a transition is disabled; `None` if the walk has no state.
pub fn blocked_step(system: &System, simulator: &Simulator, blocked: &Blocked) -> Option<BlockedStep> {
    let names = Names::plain(simulator.sig(), simulator.state()?);
    let params = blocked.args.as_ref().map(|args| {
        let call = Call { transition: blocked.transition, args: args.clone() };
        bindings_dto(call_values(system, &names, &call, &[]).1)
    });
    let falsification = blocked
        .falsification
        .as_ref()
        .map(|falsification| falsification_parts(simulator.syntax(), &names, falsification));
    let (formula, bindings) = falsification.unzip();
    Some(BlockedStep {
        name: system.transitions[blocked.transition].name.clone(),
        params,
        formula,
        bindings: bindings_dto(bindings.unwrap_or_default()),
    })
}
