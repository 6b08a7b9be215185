//! What the report of `ramsey infer` shows.

use std::sync::Arc;

use super::Found;
use super::candidates::Task;
use crate::args::InferArgs;
use crate::shared::Model;
use crate::ui::{Subject, told_of_obligations};
use ramsey_app::{Executions, Findings};
use ramsey_core::base::span::Sources;
use ramsey_engine::infer::Answer;
use ramsey_engine::query::Limits;
use ramsey_engine::query::bmc::{Depth, Outcome, Target, Violation};
use ramsey_report::{Tally, Verdict};
use ramsey_solver::ask::Statistics;

/// Returns the answer as that of a bounded check, if it is an execution.
pub(super) fn depths(found: &Found) -> Vec<Depth> {
    let Answer::Unsafe(property, counterexample) = &found.inference.answer else { return Vec::new() };
    let target = Target::Model(*property);
    let violation = Violation { target, counterexample: (**counterexample).clone() };
    vec![Depth {
        steps: Some(u16::try_from(counterexample.calls.len()).unwrap_or(u16::MAX)),
        outcome: Outcome::Violated(Box::new(violation)),
        by_induction: None,
        is_shortest: true,
        certificates: Vec::new(),
        statistics: Statistics::default(),
    }]
}

/// Returns what the report shows: the model with the lemmas and the answers to its obligations, if it was verified.
pub(super) fn subject<'a>(
    args: &'a InferArgs,
    model: &Model,
    (task, found): (&Task, &'a Found),
    depths: &'a [Depth],
    (sources, limits, verdict): (&Sources, Limits, Verdict),
) -> Option<Subject<'a>> {
    let result = &found.result;
    let lemmas = result.lemmas.iter().filter(|lemma| !lemma.declared).map(|lemma| lemma.formula.clone());
    let told = String::new();
    let mut findings = Findings { verification: None, executions: None, is_part: false, told, verdict };
    let (shown, lemmas) = match &result.model {
        Some(verified) => {
            findings.verification = Some(&verified.verification);
            findings.told = told_of_obligations(Tally::of(&verified.verification.results));
            (Arc::clone(&verified.model), Vec::new())
        }
        None => {
            findings.told = match &found.inference.answer {
                Answer::Unsafe(..) => "a property is false in a reachable state".to_owned(),
                Answer::NoUniversal(_) => "no universal invariant implies safety".to_owned(),
                Answer::InternalError(_) => "internal error".to_owned(),
                Answer::Invariant(_) | Answer::Unknown { .. } => "no invariant was found".to_owned(),
            };
            (model.shown(&task.model, sources)?, lemmas.collect())
        }
    };
    if let Some(depth) = depths.first() {
        let asked = Executions { depth: depth.steps.unwrap_or_default(), claims: Vec::new(), formula: None };
        findings.executions = Some((asked, &found.inference.system, depths));
    }
    let folders = &args.form.language.folders;
    Some(Subject { path: &args.path, folders, model: shown, lemmas, findings, limits })
}
