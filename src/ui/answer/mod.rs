//! Questions about the state of a session, and their answers as JSON values.
//!
//! An answer is a function of the question and of the state's model: it has no times and no random choices, so that it
//! can be kept, and replayed on another machine.

mod bounded;
mod check;
mod context;
mod counterexamples;
mod evaluate;
mod generalize;
mod induction;
mod infer;
mod proof;
mod reach;
mod scenes;
mod simulate;
mod source;
mod suggest;

use serde_json::Value;

use super::findings::Findings;
use super::loader::Loader;
use super::state::State;
use crate::query::Limits;
pub(super) use check::place;
use context::Context;
pub use context::{Asked, Failed, Progress, Question};

/// Answers a question about a state.
///
/// # Errors
/// Returns the reason why there is no answer.
pub fn answer(
    loader: &Loader,
    state: &State,
    question: &Question,
    limits: &Limits,
    progress: Progress<'_>,
) -> Result<Value, Failed> {
    let model = &state.model;
    if *question == Question::Source {
        return source::answer(loader, model);
    }
    let Some(system) = &model.system else { return Err(Failed::Unfit("the model has an error".to_owned())) };
    let context = Context { loader, state, model, system, limits };
    match question {
        Question::Check => check::answer(&context, progress),
        Question::Counterexamples { claim, action } => {
            counterexamples::answer(&context, claim, action, progress)
        }
        Question::Generalize(asked) => generalize::answer(&context, asked),
        Question::Suggest(asked) => suggest::answer(&context, asked, progress),
        Question::Bounded { formula, claims, from, depth } => {
            bounded::answer(&context, (formula.as_deref(), claims), *from, *depth, progress)
        }
        Question::Early => bounded::early(&context, progress),
        Question::Reach { claim, action, number, facts } => {
            reach::answer(&context, (claim, action, *number), facts)
        }
        Question::Induction { formula } => induction::answer(&context, formula),
        Question::Sufficient { formula, claim, action } => {
            induction::sufficient(&context, formula, claim, action)
        }
        Question::Proof => proof::answer(&context),
        Question::Simulate { walk, watches } => simulate::answer(&context, walk, watches),
        Question::Evaluate { formula, claim, action, number } => {
            evaluate::answer(&context, formula, claim, action, *number)
        }
        Question::Names => source::names(&context),
        Question::Infer => infer::answer(&context, &[], progress),
        Question::Houdini { formulas } => infer::answer(&context, formulas, progress),
        Question::Source => source::answer(loader, model),
    }
}

/// Answers a question from what a command has found out.
///
/// # Errors
/// Returns the reason why there is no answer.
pub(super) fn known(
    loader: &Loader,
    state: &State,
    question: &Question,
    findings: &Findings<'_>,
    limits: &Limits,
) -> Result<Value, Failed> {
    let model = &state.model;
    let Some(system) = &model.system else { return Err(Failed::Unfit("the model has an error".to_owned())) };
    let context = Context { loader, state, model, system, limits };
    let not_asked = |what: &str| Failed::Unfit(what.to_owned());
    match (question, findings.verification) {
        (Question::Check, verification) => check::known(&context, verification),
        (Question::Proof, Some(verification)) => proof::known(&context, verification)
            .ok_or_else(|| not_asked("`ramsey verify --cores --html` tells what each proof uses")),
        (Question::Counterexamples { claim, action }, Some(verification)) => {
            counterexamples::known_ones(&context, claim, action, verification)
        }
        (Question::Bounded { .. }, _) => match findings.executions {
            Some((_, system, depths)) => bounded::told(&context, system, depths),
            None => Err(not_asked("no executions were looked for")),
        },
        _ => Err(not_asked("not part of this report")),
    }
}
