//! All that the page shows of a model, for a page without a session behind it.

use serde_json::{Value, json};

use super::answer::{Asked, Failed, Question, answer, known};
use super::findings::{Executions, Findings};
use super::message;
use super::session::Session;
use crate::query::{Limits, Outcome};
use crate::report::Verdict;

/// Maximum number of failing obligations with counterexamples.
const MAX_FAILING: usize = 40;

/// Returns the state of a session with the answers that a command has found, and within the same limits those about
/// excluding its first counterexample. Questions that exceed the limits have no answer.
///
/// # Errors
/// Fails only if serialization does.
pub fn report(session: &Session, findings: &Findings<'_>, limits: &Limits) -> serde_json::Result<Value> {
    let state = session.state();
    let mut answers: Vec<Value> = Vec::new();
    let mut give = |question: Question, found: Result<Value, Failed>| -> serde_json::Result<Value> {
        let (found, why) = match found {
            Ok(value) => (value, None),
            Err(Failed::Unfit(why) | Failed::Internal(why)) => (Value::Null, Some(why)),
            Err(Failed::Exhausted(exhausted)) => (Value::Null, Some(exhausted.to_string())),
        };
        answers.push(json!({ "question": serde_json::to_value(&question)?, "value": found, "why": why }));
        Ok(found)
    };
    let ask = |question: &Question| answer(session.loader(), state, question, limits, &mut |_| ());
    give(Question::Source, ask(&Question::Source))?;
    if state.model.system.is_some() {
        let known = |question: &Question| known(session.loader(), state, question, findings, limits);
        give(Question::Check, known(&Question::Check))?;
        give(Question::Proof, known(&Question::Proof))?;
        give(Question::Names, ask(&Question::Names))?;
        let results = findings.verification.map_or(&[][..], |it| it.results.as_slice());
        let mut shown: Vec<(String, String)> = Vec::new();
        for result in results.iter().filter(|it| matches!(it.outcome, Outcome::Fails(_))) {
            let place =
                state.model.system.as_ref().and_then(|system| super::answer::place(system, result.origin));
            let Some((claim, action)) = place.map(|(claim, action)| (claim.to_owned(), action.to_owned()))
            else {
                continue;
            };
            if shown.len() == MAX_FAILING || shown.contains(&(claim.clone(), action.clone())) {
                continue;
            }
            let question = Question::Counterexamples { claim: claim.clone(), action: action.clone() };
            let found = known(&question);
            let found = give(question, found)?;
            if shown.is_empty() && found["counterexamples"][0]["excludable"] == true {
                let asked = Asked {
                    claim: claim.clone(),
                    action: action.clone(),
                    number: 1,
                    dropped: Vec::new(),
                    kept: Vec::new(),
                    bound: state.bound,
                };
                for question in [Question::Generalize(asked.clone()), Question::Suggest(asked)] {
                    let found = ask(&question);
                    give(question, found)?;
                }
            }
            shown.push((claim, action));
        }
        if let Some((Executions { depth, claims, formula }, ..)) = findings.executions.clone() {
            let question = Question::Bounded { formula, claims, from: 0, depth };
            let found = known(&question);
            give(question, found)?;
        }
    }
    let mut state = message::state(session);
    state["executions"] = json!(findings.executions.as_ref().map(|(asked, ..)| asked));
    let kind = match findings.verdict {
        Verdict::Ok => "good",
        Verdict::Unknown => "warn",
        Verdict::Counterexample | Verdict::BadInput | Verdict::InternalError => "bad",
    };
    state["verdict"] = json!({ "text": findings.told, "kind": kind });
    Ok(json!({ "schema": "ramsey/report/1", "state": state, "answers": answers }))
}
