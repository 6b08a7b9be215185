//! Sessions without a client.

use std::sync::Arc;

use serde::Serialize;
use serde_json::Value;

use super::answer::{Asked, Failed, Question, answer};
use super::log::Log;
use super::message::{self, SessionState};
use super::models::Database;
use super::reply::Answer;
use super::session::{Misfit, Session};
use ramsey_engine::query::Limits;

/// What a client would show after a log.
#[derive(Serialize, Debug)]
struct Replay {
    /// Digest of the log.
    log: String,
    /// Commands that do not fit.
    misfits: Vec<Misfit>,
    state: SessionState,
    check: Told,
    #[serde(skip_serializing_if = "Option::is_none")]
    counterexamples: Option<Told>,
    #[serde(skip_serializing_if = "Option::is_none")]
    generalization: Option<Told>,
    #[serde(skip_serializing_if = "Option::is_none")]
    walk: Option<Told>,
}

/// An answer, or why there is none.
#[derive(Serialize, Debug)]
#[serde(untagged)]
enum Told {
    Answer(Box<Answer>),
    Error { error: String },
    Unknown { unknown: String },
}

/// Carries out a log and returns the state that it leads to, with the answers that a client would show: the obligations,
/// the counterexample that is shown with its generalization, and the walk. The same log gives the same document.
///
/// # Errors
/// Fails only if serialization does.
pub fn replay(models: Arc<Database>, log: Log, limits: &Limits) -> serde_json::Result<Value> {
    let digest = log.digest()?;
    let (session, misfits) = Session::resume(models, log);
    let state = session.state();
    let ask = |question: Question| match answer(session.models(), state, &question, limits, &mut |_| ()) {
        Ok(found) => Told::Answer(Box::new(found)),
        Err(Failed::Exhausted(exhausted)) => Told::Unknown { unknown: exhausted.to_string() },
        Err(failed) => Told::Error { error: failed.why() },
    };
    let mut document = Replay {
        log: digest,
        misfits,
        state: message::state(&session),
        check: ask(Question::Check),
        counterexamples: None,
        generalization: None,
        walk: None,
    };
    if let Some(selected) = state.selected.clone() {
        let (claim, action) = (selected.claim.clone(), selected.action.clone());
        document.counterexamples = Some(ask(Question::Counterexamples { claim, action }));
        let asked = Asked {
            claim: selected.claim,
            action: selected.action,
            number: selected.number,
            dropped: selected.dropped,
            kept: selected.kept,
            bound: state.bound,
        };
        document.generalization = Some(ask(Question::Generalize(asked)));
    }
    if let Some(walk) = state.walk.clone() {
        document.walk = Some(ask(Question::Simulate { walk, watches: state.watches.clone() }));
    }
    let mut document = serde_json::to_value(document)?;
    without_pictures(&mut document);
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
