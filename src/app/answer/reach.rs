//! Executions of small instances to states that a conjecture would exclude.

use std::sync::Arc;

use super::context::{Context, Failed};
use super::counterexamples::{before, counterexample};
use crate::reply::Reach;
use ramsey_core::base::budget::Exhausted;
use ramsey_engine::conjectures::EXPLORATION;
use ramsey_engine::infer::Exploration;
use ramsey_engine::query::generalize::conjecture;
use ramsey_services::workbench::{Items, select};

/// Seed of the executions: an answer is a function of the question.
const SEED: u64 = 0;

/// Returns the states of small instances of the model.
pub(super) fn exploration(context: &Context<'_>) -> Result<Arc<Exploration>, Failed> {
    context.model.exploration.derive((), || {
        let mut budget = context.limits.budget().part(EXPLORATION);
        let explored = Exploration::new(context.system, SEED, &mut budget)?;
        // What was cut off by a person is not kept, since answers do not depend on when that happened.
        if budget.check() == Err(Exhausted::Cancelled) {
            return Err(Exhausted::Cancelled.into());
        }
        Ok(explored)
    })
}

/// Answers whether a state with some facts of a counterexample is known to be reachable.
pub(super) fn answer(
    context: &Context<'_>,
    (claim, action, number): (&str, &str, usize),
    facts: &[String],
) -> Result<Reach, Failed> {
    let (structure, names) = before(context, claim, action, number)?;
    let items = Items { only: facts.to_vec(), drop: Vec::new(), keep: Vec::new() };
    let selected = select(context.system, &structure, &names, 0, &items, ["facts", "drop", "keep"]);
    let partial = selected.map_err(|errors| Failed::unfit(&errors))?.upper;
    let exploration = exploration(context)?;
    let states = exploration.states();
    let (with_formula, formula) = conjecture(context.system, &partial);
    let reached = exploration.reach(&with_formula, &partial, formula, &mut context.limits.budget())?;
    let Some(found) = reached else {
        return Ok(Reach { states, steps: None, execution: None });
    };
    let execution = counterexample(context, with_formula.syntax(), &found, "x")?;
    Ok(Reach { states, steps: Some(found.calls.len()), execution: Some(execution) })
}
