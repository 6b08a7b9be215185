//! Which claims the proof of each obligation uses.

use serde_json::{Value, json};

use super::check;
use super::context::{Context, Failed};
use crate::base::budget::Exhausted;
use crate::query::explain::{Answer, Options, Standing, explain};
use crate::vc::Property;

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
