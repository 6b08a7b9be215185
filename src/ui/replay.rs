//! Sessions without a client.

use std::sync::Arc;

use serde_json::{Value, json};

use super::answer::{Asked, Failed, Question, answer};
use super::loader::Loader;
use super::log::Log;
use super::message;
use super::session::Session;
use crate::query::Limits;

/// Carries out a log and returns the state that it leads to, with the answers that a client would show: the obligations,
/// the counterexample that is shown with its generalization, and the walk. The same log gives the same document.
///
/// # Errors
/// Fails only if serialization does.
pub fn replay(loader: Arc<Loader>, log: Log, limits: &Limits) -> serde_json::Result<Value> {
    let digest = log.digest()?;
    let (session, misfits) = Session::resume(loader, log);
    let state = session.state();
    let ask = |question: Question| {
        let mut found = match answer(session.loader(), state, &question, limits, &mut |_| ()) {
            Ok(value) => value,
            Err(Failed::Unfit(why) | Failed::Internal(why)) => json!({ "error": why }),
            Err(Failed::Exhausted(exhausted)) => json!({ "unknown": exhausted.to_string() }),
        };
        without_pictures(&mut found);
        found
    };
    let mut document = json!({
        "log": digest,
        "misfits": message::misfits(&misfits),
        "state": message::state(&session),
        "check": ask(Question::Check),
    });
    if let Some(selected) = state.selected.clone() {
        let (claim, action) = (selected.claim.clone(), selected.action.clone());
        document["counterexamples"] = ask(Question::Counterexamples { claim, action });
        let asked = Asked {
            claim: selected.claim,
            action: selected.action,
            number: selected.number,
            dropped: selected.dropped,
            kept: selected.kept,
            bound: state.bound,
        };
        document["generalization"] = ask(Question::Generalize(asked));
    }
    if let Some(walk) = state.walk.clone() {
        document["walk"] = ask(Question::Simulate { walk, watches: state.watches.clone() });
    }
    Ok(document)
}

/// Removes pictures from a document, which follow from the rest of it.
fn without_pictures(value: &mut Value) {
    match value {
        Value::Object(fields) => {
            fields.remove("svg");
            fields.values_mut().for_each(without_pictures);
        }
        Value::Array(items) => items.iter_mut().for_each(without_pictures),
        _ => {}
    }
}
