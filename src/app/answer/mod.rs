//! Questions about the state of a session, and their answers.
//!
//! An answer is a function of the question and of the state's model: it has no times and no random choices, so that it
//! can be kept, and replayed on another machine.

mod bounded;
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
mod verify;

use super::findings::Findings;
use super::models::Database;
use super::reply::Answer;
use super::state::State;
use context::Context;
pub use context::{Asked, Failed, Progress, Question};
use ramsey_engine::query::Limits;
pub(super) use verify::place;

/// Answers a question about a state.
///
/// # Errors
/// Returns the reason why there is no answer.
pub fn answer(
    models: &Database,
    state: &State,
    question: &Question,
    limits: &Limits,
    progress: Progress<'_>,
) -> Result<Answer, Failed> {
    let model = &state.model;
    if *question == Question::Source {
        return Ok(Answer::Source(source::answer(models, model)));
    }
    let Some(system) = &model.system else { return Err(Failed::Unfit("the model has an error".to_owned())) };
    let context = Context { models, state, model, system, limits };
    Ok(match question {
        Question::Check => Answer::Check(verify::answer(&context, progress)?),
        Question::Counterexamples { claim, action } => {
            Answer::Counterexamples(counterexamples::answer(&context, claim, action, progress)?)
        }
        Question::Generalize(asked) => Answer::Generalization(Box::new(generalize::answer(&context, asked)?)),
        Question::Suggest(asked) => Answer::Suggestions(suggest::answer(&context, asked, progress)?),
        Question::Bounded { formula, claims, from, depth } => {
            let asked = (formula.as_deref(), claims.as_slice());
            Answer::Bounded(Box::new(bounded::answer(&context, asked, *from, *depth, progress)?))
        }
        Question::Early => Answer::Bounded(Box::new(bounded::early(&context, progress)?)),
        Question::Reach { claim, action, number, facts } => {
            Answer::Reach(Box::new(reach::answer(&context, (claim, action, *number), facts)?))
        }
        Question::Induction { formula } => Answer::Induction(induction::answer(&context, formula)?),
        Question::Sufficient { formula, claim, action } => {
            Answer::Sufficient(Box::new(induction::sufficient(&context, formula, claim, action)?))
        }
        Question::Proof => Answer::Proof(proof::answer(&context)?),
        Question::Simulate { walk, watches } => {
            Answer::Walk(Box::new(simulate::answer(&context, walk, watches)?))
        }
        Question::Evaluate { formula, claim, action, number } => {
            Answer::Evaluation(evaluate::answer(&context, formula, claim, action, *number)?)
        }
        Question::Names => Answer::Names(source::names(&context)),
        Question::Infer => Answer::Inference(Box::new(infer::answer(&context, &[], progress)?)),
        Question::Houdini { formulas } => {
            Answer::Inference(Box::new(infer::answer(&context, formulas, progress)?))
        }
        Question::Source => Answer::Source(source::answer(models, model)),
    })
}

/// Answers a question from what a command has found out.
///
/// # Errors
/// Returns the reason why there is no answer.
pub(super) fn known(
    models: &Database,
    state: &State,
    question: &Question,
    findings: &Findings<'_>,
    limits: &Limits,
) -> Result<Answer, Failed> {
    let model = &state.model;
    let Some(system) = &model.system else { return Err(Failed::Unfit("the model has an error".to_owned())) };
    let context = Context { models, state, model, system, limits };
    let not_asked = |what: &str| Failed::Unfit(what.to_owned());
    Ok(match (question, findings.verification) {
        (Question::Check, verification) => Answer::Check(verify::known(&context, verification)),
        (Question::Proof, Some(verification)) => Answer::Proof(
            proof::known(&context, verification)
                .ok_or_else(|| not_asked("`ramsey verify --cores --html` tells what each proof uses"))?,
        ),
        (Question::Counterexamples { claim, action }, Some(verification)) => {
            Answer::Counterexamples(counterexamples::known_ones(&context, claim, action, verification)?)
        }
        (Question::Bounded { .. }, _) => match findings.executions {
            Some((_, system, depths)) => Answer::Bounded(Box::new(bounded::told(&context, system, depths)?)),
            None => return Err(not_asked("no executions were looked for")),
        },
        _ => return Err(not_asked("not part of this report")),
    })
}
