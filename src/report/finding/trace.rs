//! Findings of trace blocks.

use super::{Answer, Claim, Evidence, Finding, Status, first_line};
use ramsey_core::base::span::Sources;
use ramsey_core::diag::Label;
use ramsey_core::system::System;
use ramsey_engine::query::trace::{Outcome, TraceResult};
use ramsey_kernel::obligations::Origin;

/// Returns whether the answer to a trace block is the one that the model declares.
pub fn trace_status(system: &System, result: &TraceResult) -> Status {
    match (&result.outcome, result.is_expected(system)) {
        (Outcome::Unknown(_), _) => Status::Unknown,
        (Outcome::InternalError(_), _) => Status::InternalError,
        (Outcome::Sat(_) | Outcome::Unsat, Some(true)) => Status::Holds,
        (Outcome::Sat(_) | Outcome::Unsat, _) => Status::Violated,
    }
}

/// Returns the finding of a trace block: whether the answer is the one that the model declares.
pub fn of_trace<'a>(system: &'a System, sources: &Sources, result: &'a TraceResult) -> Finding<'a> {
    let trace = &system.traces[result.trace];
    let mut claim = Claim::of_origin(system, Origin::Trace { trace: result.trace });
    if let Some((line, _)) = claim.line_column(sources) {
        claim.label = format!("L{line}").into();
    }
    let status = trace_status(system, result);
    let reason = match &result.outcome {
        Outcome::Unknown(exhausted) => Some(exhausted.to_string()),
        Outcome::InternalError(what) => Some(what.clone()),
        Outcome::Sat(_) | Outcome::Unsat => None,
    };
    let evidence = match &result.outcome {
        Outcome::Sat(found) => Evidence::Execution(&found.structure, &found.calls),
        _ => Evidence::None,
    };
    let (message, remark) = match &result.outcome {
        Outcome::Sat(_) => ("there is an execution of this shape", "declared to be impossible".to_owned()),
        Outcome::Unsat => ("there is no execution of this shape", "declared to be possible".to_owned()),
        Outcome::Unknown(_) => ("it is not known whether there is an execution of this shape", String::new()),
        Outcome::InternalError(what) => {
            ("internal error: the answer is not to be trusted", format!("a bug in ramsey: {what}"))
        }
    };
    let mut finding = Finding::of_answer(Answer { claim, status, reason, evidence }, message.to_owned());
    let span = first_line(sources, trace.span);
    let text = if status == Status::Holds { "as declared".to_owned() } else { remark };
    finding.primary = Some(Label { span, text });
    finding
}
