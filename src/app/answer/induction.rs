//! What a formula does for the claims: relative induction, sufficiency, implication.

use std::sync::Arc;

use super::context::{Context, Failed};
use super::counterexamples::{counterexample, obligations};
use super::verify;
use crate::reply::{Broken, Induction, Sufficient};
use ramsey_engine::query::Outcome;
use ramsey_engine::query::cti::{self, with_invariant};
use ramsey_engine::query::generalize::check_induction;
use ramsey_kernel::obligations::{Obligations, Origin};

pub(super) fn answer(context: &Context<'_>, formula: &str) -> Result<Induction, Failed> {
    let (system, formula) = context.with_claim(formula)?;
    let checked = check_induction(&system, formula, 0, context.limits);
    let mut failed = Vec::new();
    for (origin, outcome) in &checked.obligations {
        let action = match *origin {
            Origin::Consecution { transition, .. } => system.transitions[transition].name.as_str(),
            _ => verify::INIT,
        };
        match outcome {
            Outcome::Fails(found) => {
                // The formula is none of the session's claims, so its terms are those of the larger system.
                let obligations = Obligations::new(&with_invariant(&system, formula));
                let shown = counterexample(context, obligations.syntax(), found, "i")?;
                failed.push(Broken { action: action.to_owned(), counterexample: shown });
            }
            Outcome::Unknown(exhausted) => return Err((*exhausted).into()),
            Outcome::InternalError(what) => return Err(Failed::Internal(what.clone())),
            Outcome::Holds { .. } | Outcome::Skipped => {}
        }
    }
    Ok(Induction { inductive: failed.is_empty(), failed })
}

/// Checks whether an obligation holds once a formula is assumed before the transition.
pub(super) fn sufficient(
    context: &Context<'_>,
    formula: &str,
    claim: &str,
    action: &str,
) -> Result<Sufficient, Failed> {
    let (system, formula) = context.with_claim(formula)?;
    // The formula is the last claim, so those of the model keep their numbers.
    let system = Arc::new(with_invariant(&system, formula));
    for obligation in obligations(context, claim, action)? {
        let options = cti::Options {
            obligation: Some(obligation),
            measures: cti::complete(&system.sig, &[]),
            count: 1,
            ..cti::Options::default()
        };
        let found = cti::cti(Arc::clone(&system), &options, context.limits);
        if let Some(&(_, exhausted)) = found.unknown.first() {
            return Err(exhausted.into());
        }
        match found.verification.results.first().map(|it| &it.outcome) {
            Some(Outcome::Fails(left)) => {
                let syntax = found.verification.obligations.syntax();
                let left = counterexample(context, syntax, left, "x")?;
                return Ok(Sufficient { sufficient: false, counterexample: Some(left) });
            }
            Some(outcome) => return Err(Failed::Internal(outcome.to_string())),
            None => {}
        }
    }
    Ok(Sufficient { sufficient: true, counterexample: None })
}
