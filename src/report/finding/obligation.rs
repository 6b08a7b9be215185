//! Findings of obligations.

use super::{
    Answer, BUG, Claim, Evidence, Finding, Known, ProofClaim, Question, Refutation, Status, first_line,
};
use ramsey_core::base::span::Sources;
use ramsey_core::diag::Label;
use ramsey_core::system::System;
use ramsey_engine::query::{ObligationResult, Outcome};
use ramsey_kernel::obligations::{Obligations, Origin, ProofPart};

/// Returns the finding of an obligation.
pub fn of_result<'a>(
    system: &'a System,
    obligations: &'a Obligations,
    sources: &Sources,
    result: &'a ObligationResult,
) -> Finding<'a> {
    let claim = Claim::of_origin(system, result.origin);
    let (evidence, reason) = match &result.outcome {
        Outcome::Holds { core } => (Evidence::Core(core), None),
        Outcome::Fails(found) => {
            let (syntax, known) = (obligations.syntax(), Known::of(result.origin));
            (Evidence::Counterexample(Refutation { system, syntax, found, known }), None)
        }
        Outcome::Unknown(exhausted) => (Evidence::None, Some(exhausted.to_string())),
        Outcome::Skipped => (Evidence::None, None),
        Outcome::InternalError(what) => (Evidence::None, Some(what.clone())),
    };
    let proof = claim.proof;
    let status = Status::of(&result.outcome);
    let (title, span) = (claim.title(), claim.span);
    let mut notes = Vec::new();
    let (message, remark) = match status {
        Status::Violated => (violated(&claim, result.origin), violated_remark(&claim, result.origin)),
        Status::InternalError => {
            notes.extend(reason.clone());
            (format!("internal error at {title}: the answer is not to be trusted"), BUG)
        }
        Status::Holds => (holds(&claim, result.origin), ""),
        Status::Unknown => (format!("it is not known whether {}", holds(&claim, result.origin)), ""),
        Status::Skipped => (format!("it was not checked whether {}", holds(&claim, result.origin)), ""),
    };
    let mut finding = Finding::of_answer(Answer { claim, status, reason, evidence }, message);
    finding.primary = span.map(|span| Label { span, text: remark.to_owned() });
    finding.notes = notes;
    match result.origin {
        Origin::Initiation { .. } => {
            if let [init] = &system.inits[..] {
                let text = "the only condition on initial states".to_owned();
                finding.secondary.push(Label { span: init.span, text });
            }
        }
        Origin::Consecution { transition, .. } => {
            let span = first_line(sources, system.transitions[transition].span);
            finding.secondary.push(Label { span, text: "true before this transition".to_owned() });
        }
        Origin::Proof { part: ProofPart::Transition { transition, .. }, .. } => {
            let span = first_line(sources, system.transitions[transition].span);
            let is_forward = proof.and_then(|proof| proof.step).is_some_and(|step| step.forward);
            let text = if is_forward { "true before this transition" } else { "true after this transition" };
            finding.secondary.push(Label { span, text: text.to_owned() });
        }
        Origin::Proof { part: ProofPart::Safety, .. } => {
            if let Some(proof) = proof {
                let span = first_line(sources, proof.span);
                finding.secondary.push(Label { span, text: "the proof".to_owned() });
            }
            if status == Status::Violated {
                let note =
                    "state 0 is an initial state and state 1 any state after it, both with all invariants";
                finding.notes.push(note.to_owned());
            }
        }
        _ => {}
    }
    finding
}

/// Returns what is asked about a claim, in words that do not depend on lines and on the answer.
pub fn question_text(system: &System, claim: &Claim<'_>) -> String {
    let title = claim.lasting_title(system);
    match (claim.question, claim.transition, claim.proof) {
        (Question::Initiation, ..) => format!("{title} holds in every initial state"),
        (Question::Consecution, Some(transition), _) => {
            format!("transition `{transition}` preserves {title}")
        }
        (Question::Assertion, Some(transition), _) => format!("{title} of transition `{transition}` holds"),
        (Question::Theorem, ..) => format!("{title} is valid"),
        (Question::Proof, transition, Some(proof)) => {
            let step = proof.step.and_then(|step| step.name.as_deref());
            let step = step.map_or(String::new(), |name| format!(" of step `{name}`"));
            let transition = transition.map_or(String::new(), |name| format!(" `{name}`"));
            format!("{}{transition}{step}: {title}", proof.kind().word())
        }
        (Question::Trace, ..) => format!("{title} is as declared"),
        _ => format!("{title} holds"),
    }
}

/// Returns what is true if an obligation holds.
fn holds(claim: &Claim<'_>, origin: Origin) -> String {
    let title = claim.title();
    match origin {
        Origin::Initiation { .. } => format!("{title} holds in every initial state"),
        Origin::Consecution { .. } => {
            format!("transition `{}` preserves {title}", claim.transition.unwrap_or_default())
        }
        Origin::Assertion { .. } => format!("{title} holds"),
        Origin::Theorem { .. } => format!("{title} is valid"),
        Origin::Proof { .. } => of_proof(claim, "holds", "preserves", "has", "imply"),
        Origin::Bounded { steps, .. } => format!("{title} holds after {steps} steps"),
        Origin::Trace { .. } => "there is no such execution".to_owned(),
        Origin::Query { .. } => "the query has no structure".to_owned(),
    }
}

/// Returns what is true if an obligation fails.
fn violated(claim: &Claim<'_>, origin: Origin) -> String {
    let title = claim.title();
    match origin {
        Origin::Initiation { .. } => format!("{title} does not hold in every initial state"),
        Origin::Consecution { .. } => {
            format!("transition `{}` does not preserve {title}", claim.transition.unwrap_or_default())
        }
        Origin::Assertion { .. } => format!("{title} is violated"),
        Origin::Theorem { .. } => format!("{title} is not valid"),
        Origin::Proof { .. } => {
            of_proof(claim, "does not hold", "does not preserve", "does not have", "do not imply")
        }
        Origin::Bounded { steps, .. } => format!("{title} is violated after {steps} steps"),
        Origin::Trace { .. } => "there is such an execution".to_owned(),
        Origin::Query { .. } => "the query has a structure".to_owned(),
    }
}

/// Returns what is true of a part of a proof, with one of these verbs.
fn of_proof(claim: &Claim<'_>, holds: &str, preserves: &str, has: &str, imply: &str) -> String {
    let title = claim.title();
    let Some(ProofClaim { part, step: Some(step), .. }) = claim.proof else {
        return format!("the invariants of the proof {imply} {title}");
    };
    let states = |is_initial| {
        if is_initial { "every initial state" } else { "every state that violates the safety property" }
    };
    let of_step = format!("step `{}`", step.label);
    match part {
        ProofPart::Transition { .. } => {
            let transition = claim.transition.unwrap_or_default();
            let direction = if step.forward { "" } else { " backwards" };
            format!("transition `{transition}` {preserves} {title} of {of_step}{direction}")
        }
        ProofPart::Witness { .. } => {
            format!("{of_step} {has} a viable prophecy in {}", states(!step.forward))
        }
        ProofPart::Start { .. } | ProofPart::Safety => {
            format!("{title} of {of_step} {holds} in {}", states(step.forward))
        }
    }
}

/// Returns the remark at the place of a claim whose obligation fails.
fn violated_remark(claim: &Claim<'_>, origin: Origin) -> &'static str {
    let is_forward = claim.proof.and_then(|proof| proof.step).is_some_and(|step| step.forward);
    match origin {
        Origin::Proof { part, .. } => match (part, is_forward) {
            (ProofPart::Start { .. }, true) => "false in an initial state",
            (ProofPart::Start { .. }, false) => "false in a state that violates the safety property",
            (ProofPart::Transition { .. }, true) => "false after the transition",
            (ProofPart::Transition { .. }, false) => "false before the transition",
            (ProofPart::Witness { .. }, _) => "no values of its variables are viable",
            (ProofPart::Safety, _) => "false in a state with all invariants of the proof",
        },
        Origin::Initiation { .. } => "false in an initial state",
        Origin::Consecution { .. } => "false after the transition",
        Origin::Assertion { .. } => "false here in some execution",
        Origin::Theorem { .. } => "false in some structure",
        Origin::Bounded { .. } => "false in a reachable state",
        Origin::Trace { .. } => "this trace",
        Origin::Query { .. } => "this query",
    }
}
