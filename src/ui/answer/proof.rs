//! Which claims the proof of each obligation uses.

use serde_json::{Value, json};

use super::check;
use super::context::{Context, Failed};
use crate::base::budget::Exhausted;
use crate::query::explain::{Answer, Options, Standing, explain};
use crate::query::{Outcome, Verification};
use crate::vc::{HypothesisOrigin, Property};

pub(super) fn answer(context: &Context<'_>) -> Result<Value, Failed> {
    let Context { system, limits, .. } = *context;
    let options = Options { only_proofs: true, ..Options::default() };
    let found = explain(system, &options, limits, &mut |_| ());
    let label = |property: Property| property.label(system).to_owned();
    let mut rows = Vec::new();
    for proof in &found.proofs {
        let Some((claim, action)) = check::place(system, proof.origin) else { continue };
        let (outcome, needs) = match &proof.answer {
            Answer::Proved(needs) => {
                let needs = needs.invariants.iter().map(|&index| label(Property::Invariant(index)));
                ("ok", needs.collect::<Vec<_>>())
            }
            Answer::Refuted => ("failed", Vec::new()),
            Answer::Unknown(Exhausted::Cancelled) => return Err(Exhausted::Cancelled.into()),
            Answer::Unknown(_) => ("unknown", Vec::new()),
        };
        let unchanged = proof.is_unchanged;
        rows.push(json!({
            "claim": claim, "action": action, "outcome": outcome, "needs": needs, "unchanged": unchanged,
        }));
    }
    let standings = found.claims.iter().map(|entry| {
        let standing = match entry.standing {
            Standing::Goal => "goal",
            Standing::Needed | Standing::Replaceable { .. } => "needed",
            Standing::Unneeded => "unneeded",
            Standing::Open | Standing::Unknown(_) => "open",
        };
        json!({ "claim": label(entry.property), "standing": standing })
    });
    let standings: Vec<Value> = standings.collect();
    Ok(json!({ "proofs": rows, "claims": standings }))
}

/// Returns which claims each proof uses, if a command has found that out.
pub(super) fn known(context: &Context<'_>, verification: &Verification) -> Option<Value> {
    let system = context.system;
    let mut rows = Vec::new();
    let mut used: Vec<&str> = Vec::new();
    let mut is_known = false;
    for result in &verification.results {
        let Some((claim, action)) = check::place(system, result.origin) else { continue };
        let (outcome, needs) = match &result.outcome {
            Outcome::Holds { core } => {
                is_known |= !core.is_empty();
                let needs = core.iter().filter_map(|origin| match *origin {
                    HypothesisOrigin::Invariant(index) => Some(system.invariants[index].label.as_str()),
                    _ => None,
                });
                ("ok", needs.collect::<Vec<_>>())
            }
            Outcome::Fails(_) => ("failed", Vec::new()),
            Outcome::Unknown(_) | Outcome::InternalError(_) => ("unknown", Vec::new()),
            Outcome::Skipped => continue,
        };
        used.extend(needs.iter().filter(|&&need| need != claim));
        rows.push(json!({
            "claim": claim, "action": action, "outcome": outcome, "needs": needs, "unchanged": false,
        }));
    }
    let is_all = rows.iter().all(|row| row["outcome"] == "ok");
    let standings = system.invariants.iter().map(|it| {
        let standing = match (it.is_safety, used.contains(&it.label.as_str())) {
            (true, _) => "goal",
            (false, true) => "needed",
            (false, false) => {
                if is_all {
                    "unneeded"
                } else {
                    "open"
                }
            }
        };
        json!({ "claim": it.label, "standing": standing })
    });
    is_known.then(|| json!({ "proofs": rows, "claims": standings.collect::<Vec<_>>() }))
}
