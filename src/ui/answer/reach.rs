//! Executions of small instances to states that a conjecture would exclude.

use std::sync::{Arc, PoisonError};

use serde_json::{Value, json};

use super::context::{Context, Failed};
use super::counterexamples::{counterexample, nth, up_to};
use super::scenes;
use crate::base::budget::Exhausted;
use crate::forms::Partial;
use crate::infer::Exploration;
use crate::query::Counterexample;
use crate::workbench::{Items, select};

/// Seed of the executions: an answer is a function of the question.
const SEED: u64 = 0;
/// Work units of the exploration of a model.
const WORK: u64 = 200_000_000;

/// Returns the states of small instances of the model.
pub(super) fn exploration(context: &Context<'_>) -> Result<Arc<Exploration>, Failed> {
    let mut known = context.model.exploration.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some(known) = &*known {
        return Ok(Arc::clone(known));
    }
    let mut budget = context.limits.budget().part(WORK);
    let explored = Arc::new(Exploration::new(context.system, SEED, &mut budget)?);
    // What was cut off by a person is not kept, since answers do not depend on when that happened.
    if budget.check() == Err(Exhausted::Cancelled) {
        return Err(Exhausted::Cancelled.into());
    }
    *known = Some(Arc::clone(&explored));
    Ok(explored)
}

/// Returns an execution to a state with the facts of a partial structure, among those explored.
pub(super) fn reached(
    context: &Context<'_>,
    exploration: &Exploration,
    partial: &Partial,
) -> Result<Option<Counterexample>, Failed> {
    let mut system = (**context.system).clone();
    let formula = partial.conjecture(system.syntax_mut());
    Ok(exploration.reach(&system, partial, formula, &mut context.limits.budget())?)
}

/// Answers whether a state with some facts of a counterexample is known to be reachable.
pub(super) fn answer(
    context: &Context<'_>,
    (claim, action, number): (&str, &str, usize),
    facts: &[String],
) -> Result<Value, Failed> {
    let found = up_to(context, claim, action, number)?;
    let system = context.system;
    let structure = nth(&found, number)?.structure.state(&system.sig, 0);
    let names = scenes::names(&system.sig, &structure);
    let names = scenes::element_names(&system.sig, &structure, &names);
    let items = Items { only: facts.to_vec(), drop: Vec::new(), keep: Vec::new() };
    let selected = select(system, &structure, &names, 0, &items, ["facts", "drop", "keep"]);
    let partial = selected.map_err(|errors| Failed::unfit(&errors))?.upper;
    let exploration = exploration(context)?;
    let Some(found) = reached(context, &exploration, &partial)? else {
        return Ok(json!({ "states": exploration.states() }));
    };
    let mut with_formula = (**system).clone();
    partial.conjecture(with_formula.syntax_mut());
    let execution = counterexample(context, with_formula.syntax(), &found, "x")?;
    Ok(json!({ "states": exploration.states(), "steps": found.calls.len(), "execution": execution }))
}
