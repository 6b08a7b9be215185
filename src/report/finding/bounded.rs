//! Findings of bounded model checking.

use super::{Answer, BUG, Claim, Evidence, Finding, Known, Refutation, Rule, Status};
use ramsey_core::base::span::Span;
use ramsey_core::diag::{Label, Severity};
use ramsey_core::system::System;
use ramsey_engine::query::bmc::{Target, Violation};
use ramsey_kernel::obligations::Property;
use ramsey_kernel::obligations::Relaxed;

/// Returns the finding of a violation by an execution of this many steps (`None`: before the initial states).
/// `formula` is the place of a formula of the command line.
pub fn of_violation<'a>(
    system: &'a System,
    formula: Option<Span>,
    steps: Option<u16>,
    violation: &'a Violation,
) -> Finding<'a> {
    let claim = Claim::of_target(system, violation.target, formula);
    let (title, span) = (claim.title(), claim.span);
    let assertion = match violation.target {
        Target::Model(Property::Assertion(assertion)) => Some(assertion),
        Target::Model(Property::Invariant(_)) | Target::Formula(_) | Target::Deadlock(_) => None,
    };
    let calls = violation.counterexample.calls.iter().map(|call| call.transition);
    let is_lossy = Relaxed::is_lossy(system, calls);
    let message = match (violation.target, steps) {
        _ if is_lossy => format!("no universally quantified invariant implies {title}"),
        (Target::Deadlock(_), None | Some(0)) => {
            "an initial state is a deadlock: no transition can be taken".to_owned()
        }
        (Target::Deadlock(_), Some(1)) => {
            "a deadlock is reached after 1 step: no transition can be taken".to_owned()
        }
        (Target::Deadlock(_), Some(steps)) => {
            format!("a deadlock is reached after {steps} steps: no transition can be taken")
        }
        (_, None) => format!("{title} is violated on the way to an initial state"),
        (Target::Model(Property::Assertion(_)), Some(0)) => {
            format!("{title} is violated in an initial state")
        }
        (_, Some(0)) => format!("{title} does not hold in every initial state"),
        (_, Some(1)) => format!("{title} is violated after 1 step"),
        (_, Some(steps)) => format!("{title} is violated after {steps} steps"),
    };
    let remark = match steps {
        _ if is_lossy => "false in the last state of the execution below, in which elements are lost",
        None => "false in the execution below",
        Some(_) => "false in the last state of the execution below",
    };
    let refutation = Refutation {
        system,
        syntax: system.syntax(),
        found: &violation.counterexample,
        // A violation before the initial states has no state reached by the initial part.
        known: Known { is_initial: steps.is_some(), assertion, proof: None },
    };
    let evidence = Evidence::Counterexample(refutation);
    let answer = Answer { claim, status: Status::Violated, reason: None, evidence };
    let mut finding = Finding::of_answer(answer, message);
    finding.primary = span.map(|span| Label { span, text: remark.to_owned() });
    finding
}

/// Returns the finding that no `execution`, such as `execution with node=2`, violates a claim, or that this is not known. Then `searched`
/// are those of which it is, such as `execution of at most 3 steps`.
pub fn of_target<'a>(
    claim: Claim<'a>,
    status: Status,
    (execution, searched): (&str, Option<&str>),
    reason: Option<String>,
) -> Finding<'a> {
    let (title, span) = (claim.title(), claim.span);
    let message = match (status, searched) {
        (Status::Holds, _) => format!("no {execution} violates {title}"),
        (Status::Violated, _) => format!("an {execution} violates {title}"),
        (Status::Unknown, Some(searched)) => {
            format!("no {searched} violates {title}; then there is no answer")
        }
        (Status::Unknown, None) => format!("there is no answer about {title}"),
        (Status::Skipped, Some(searched)) => {
            format!("no {searched} violates {title}; longer ones were not searched")
        }
        (Status::Skipped, None) => format!("{title} was not asked about"),
        (Status::InternalError, _) => "internal error: the answer is not to be trusted".to_owned(),
    };
    let mut finding = Finding::of_answer(
        Answer { claim, status, reason: reason.clone(), evidence: Evidence::None },
        message,
    );
    if status == Status::InternalError {
        finding.notes = reason.into_iter().chain([BUG.to_owned()]).collect();
    }
    finding.primary = span.map(|span| Label { span, text: String::new() });
    finding
}

/// Returns the finding of an internal error.
pub fn of_failure(what: &str) -> Finding<'static> {
    Finding {
        rule: Rule::Consistency,
        severity: Severity::Error,
        message: "internal error: the answer is not to be trusted".to_owned(),
        primary: None,
        secondary: Vec::new(),
        notes: vec![what.to_owned(), BUG.to_owned()],
        help: None,
        answer: None,
    }
}
