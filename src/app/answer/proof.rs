//! Which claims the proof of each obligation uses.

use super::context::{Context, Failed};
use super::verify;
use crate::reply::{CellOutcome, ClaimStanding, Proof, ProofRow, Standing};
use ramsey_core::base::budget::Exhausted;
use ramsey_engine::query::explain::{self, Answer, Options, explain};
use ramsey_engine::query::{Outcome, Verification};
use ramsey_kernel::obligations::{HypothesisOrigin, Property};

pub(super) fn answer(context: &Context<'_>) -> Result<Proof, Failed> {
    let Context { system, limits, .. } = *context;
    let options = Options { only_proofs: true, ..Options::default() };
    let found = explain(system, &options, limits, &mut |_| ());
    let label = |property: Property| property.label(system).to_owned();
    let mut rows = Vec::new();
    for proof in &found.proofs {
        let Some((claim, action)) = verify::place(system, proof.origin) else { continue };
        let (outcome, needs) = match &proof.answer {
            Answer::Proved(needs) => {
                let needs = needs.invariants.iter().map(|&index| label(Property::Invariant(index)));
                (CellOutcome::Ok, needs.collect())
            }
            Answer::Refuted => (CellOutcome::Failed, Vec::new()),
            Answer::Unknown(Exhausted::Cancelled) => return Err(Exhausted::Cancelled.into()),
            Answer::Unknown(_) => (CellOutcome::Unknown, Vec::new()),
        };
        let (claim, action) = (claim.to_owned(), action.to_owned());
        rows.push(ProofRow { claim, action, outcome, needs, unchanged: proof.is_unchanged });
    }
    let standings = found.claims.iter().map(|entry| {
        let standing = match entry.standing {
            explain::Standing::Goal => Standing::Goal,
            explain::Standing::Needed | explain::Standing::Replaceable { .. } => Standing::Needed,
            explain::Standing::Unneeded => Standing::Unneeded,
            explain::Standing::Open | explain::Standing::Unknown(_) => Standing::Open,
        };
        ClaimStanding { claim: label(entry.property), standing }
    });
    Ok(Proof { proofs: rows, claims: standings.collect() })
}

/// Returns which claims each proof uses, if a command has found that out.
pub(super) fn known(context: &Context<'_>, verification: &Verification) -> Option<Proof> {
    let system = context.system;
    let mut rows = Vec::new();
    let mut used: Vec<String> = Vec::new();
    let mut is_known = false;
    for result in &verification.results {
        let Some((claim, action)) = verify::place(system, result.origin) else { continue };
        let (outcome, needs) = match &result.outcome {
            Outcome::Holds { core } => {
                is_known |= !core.is_empty();
                let needs = core.iter().filter_map(|origin| match *origin {
                    HypothesisOrigin::Invariant(index) => Some(system.invariants[index].label.clone()),
                    _ => None,
                });
                (CellOutcome::Ok, needs.collect::<Vec<_>>())
            }
            Outcome::Fails(_) => (CellOutcome::Failed, Vec::new()),
            Outcome::Unknown(_) | Outcome::InternalError(_) => (CellOutcome::Unknown, Vec::new()),
            Outcome::Skipped => continue,
        };
        used.extend(needs.iter().filter(|&need| need != claim).cloned());
        let (claim, action) = (claim.to_owned(), action.to_owned());
        rows.push(ProofRow { claim, action, outcome, needs, unchanged: false });
    }
    let is_all = rows.iter().all(|row| row.outcome == CellOutcome::Ok);
    let standings = system.invariants.iter().map(|it| {
        let standing = match (it.is_safety, used.contains(&it.label)) {
            (true, _) => Standing::Goal,
            (false, true) => Standing::Needed,
            (false, false) if is_all => Standing::Unneeded,
            (false, false) => Standing::Open,
        };
        ClaimStanding { claim: it.label.clone(), standing }
    });
    is_known.then(|| Proof { claims: standings.collect(), proofs: rows })
}
