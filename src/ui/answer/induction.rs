//! What a formula does for the claims: relative induction, sufficiency, implication.

use std::sync::Arc;

use serde_json::{Value, json};

use super::check;
use super::context::{Context, Failed};
use super::counterexamples::counterexample;
use crate::base::budget::Exhausted;
use crate::logic::TermId;
use crate::query::generalize::check_induction;
use crate::query::{Limits, Outcome};
use crate::system::{Invariant, System};

/// Checks whether a formula in the terms of a system is inductive together with the claims. Without an answer it does not
/// count as inductive, unless the question was cancelled.
pub(super) fn is_inductive(system: &System, formula: TermId, limits: &Limits) -> Result<bool, Exhausted> {
    let checked = check_induction(system, formula, 0, limits);
    let cancelled = checked.obligations.iter().find_map(|(_, outcome)| match outcome {
        Outcome::Unknown(Exhausted::Cancelled) => Some(Exhausted::Cancelled),
        _ => None,
    });
    cancelled.map_or(Ok(checked.is_inductive() == Some(true)), Err)
}

pub(super) fn answer(context: &Context<'_>, formula: &str) -> Result<Value, Failed> {
    let (system, formula) = context.with_claim(formula)?;
    let checked = check_induction(&system, formula, 0, context.limits);
    let mut failed = Vec::new();
    for (origin, outcome) in &checked.obligations {
        let action = match *origin {
            crate::vc::Origin::Consecution { transition, .. } => system.transitions[transition].name.as_str(),
            _ => check::INIT,
        };
        match outcome {
            Outcome::Fails(found) => {
                // The formula is none of the session's claims, so its terms are those of the larger system.
                let mut with_formula = system.without_proofs();
                with_formula.invariants.push(claim(formula));
                let obligations = crate::vc::Obligations::new(&with_formula);
                let shown = counterexample(context, obligations.syntax(), found, "i")?;
                failed.push(json!({ "action": action, "counterexample": shown }));
            }
            Outcome::Unknown(exhausted) => return Err((*exhausted).into()),
            Outcome::InternalError(what) => return Err(Failed::Internal(what.clone())),
            Outcome::Holds { .. } | Outcome::Skipped => {}
        }
    }
    Ok(json!({ "inductive": failed.is_empty(), "failed": failed }))
}

fn claim(formula: TermId) -> Invariant {
    let span = crate::base::span::Span { file: crate::base::ids::Id::new(0), start: 0, end: 0 };
    Invariant { name: None, label: String::new(), formula, is_safety: false, span }
}

/// Checks whether an obligation holds once a formula is assumed before the transition.
pub(super) fn sufficient(
    context: &Context<'_>,
    formula: &str,
    claim: &str,
    action: &str,
) -> Result<Value, Failed> {
    let (system, formula) = context.with_claim(formula)?;
    let mut system = system.without_proofs();
    system.invariants.push(self::claim(formula));
    let system = Arc::new(system);
    let options = crate::query::cti::Options {
        measures: crate::query::cti::complete(&system.sig, &[]),
        transitions: system.transitions.iter().position(|it| it.name == action).into_iter().collect(),
        invariants: system.invariants.iter().position(|it| it.label == claim).into_iter().collect(),
        count: 1,
        ..Default::default()
    };
    let found = crate::query::cti::cti(Arc::clone(&system), &options, context.limits);
    if let Some(&(_, exhausted)) = found.unknown.first() {
        return Err(exhausted.into());
    }
    match found.verification.results.first().map(|it| &it.outcome) {
        Some(Outcome::Fails(left)) => {
            let syntax = found.verification.obligations.syntax();
            Ok(json!({ "sufficient": false, "counterexample": counterexample(context, syntax, left, "x")? }))
        }
        Some(outcome) => Err(Failed::Internal(outcome.to_string())),
        None => Ok(json!({ "sufficient": true })),
    }
}
