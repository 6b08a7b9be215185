//! All that the page shows of a session, for a page without a session behind it.

use serde::Serialize;
use serde_json::{Value, json};

use super::answer::{Asked, Failed, Question, answer};
use super::message;
use super::session::Session;
use crate::query::Limits;

/// Maximum number of failing obligations with counterexamples.
const MAX_FAILING: usize = 40;

/// What executions are looked for.
#[derive(Serialize, Clone, PartialEq, Eq, Debug)]
pub struct Executions {
    /// The number of steps.
    pub depth: u16,
    /// The claims that they are to violate, one of them; all if there are none.
    pub claims: Vec<String>,
    /// A formula that they are to violate instead.
    pub formula: Option<String>,
}

/// Returns the state of a session, and the answers to the questions that its page asks: the obligations, all of their
/// counterexamples, conjectures for the first, what each proof uses, executions. Questions that exceed the limits have
/// no answer.
///
/// # Errors
/// Fails only if serialization does.
pub fn report(
    session: &Session,
    executions: Option<&Executions>,
    limits: &Limits,
) -> serde_json::Result<Value> {
    let state = session.state();
    let mut answers: Vec<Value> = Vec::new();
    let mut ask = |question: Question| -> serde_json::Result<Value> {
        let (found, why) = match answer(session.loader(), state, &question, limits, &mut |_| ()) {
            Ok(value) => (value, None),
            Err(Failed::Unfit(why) | Failed::Internal(why)) => (Value::Null, Some(why)),
            Err(Failed::Exhausted(exhausted)) => (Value::Null, Some(exhausted.to_string())),
        };
        answers.push(json!({ "question": serde_json::to_value(&question)?, "value": found, "why": why }));
        Ok(found)
    };
    ask(Question::Source)?;
    if state.model.system.is_some() {
        let check = ask(Question::Check)?;
        ask(Question::Proof)?;
        ask(Question::Names)?;
        let cells = check["cells"].as_array().map_or(&[][..], Vec::as_slice);
        let failing = cells.iter().filter(|cell| cell["outcome"] == "failed").take(MAX_FAILING);
        let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
        for (at, cell) in failing.enumerate() {
            let (claim, action) = (text(&cell["claim"]), text(&cell["action"]));
            let found = ask(Question::Counterexamples { claim: claim.clone(), action: action.clone() })?;
            let is_excludable = found["counterexamples"][0]["excludable"] == true;
            if at == 0 && is_excludable {
                let asked = Asked {
                    claim,
                    action,
                    number: 1,
                    dropped: Vec::new(),
                    kept: Vec::new(),
                    bound: state.bound,
                };
                ask(Question::Generalize(asked.clone()))?;
                ask(Question::Suggest(asked))?;
            }
        }
        if let Some(Executions { depth, claims, formula }) = executions.cloned() {
            ask(Question::Bounded { formula, claims, from: 0, depth })?;
        }
    }
    let mut state = message::state(session);
    state["executions"] = json!(executions);
    Ok(json!({ "schema": "ramsey/report/1", "state": state, "answers": answers }))
}
