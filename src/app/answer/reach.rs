//! Executions of small instances to states that a conjecture would exclude.

use std::sync::Arc;

use super::context::{Context, Failed};
use super::counterexamples::{before, counterexample};
use crate::reply::Reach;
use ramsey_core::base::budget::Exhausted;
use ramsey_core::logic::TermId;
use ramsey_core::system::System;
use ramsey_engine::infer::Exploration;
use ramsey_engine::query::Counterexample;
use ramsey_services::workbench::{Items, select};
use ramsey_solver::forms::Partial;

/// Seed of the executions: an answer is a function of the question.
const SEED: u64 = 0;
/// Work units of the exploration of a model.
const WORK: u64 = 200_000_000;

/// Returns the states of small instances of the model.
pub(super) fn exploration(context: &Context<'_>) -> Result<Arc<Exploration>, Failed> {
    context.model.exploration.derive((), || {
        let mut budget = context.limits.budget().part(WORK);
        let explored = Exploration::new(context.system, SEED, &mut budget)?;
        // What was cut off by a person is not kept, since answers do not depend on when that happened.
        if budget.check() == Err(Exhausted::Cancelled) {
            return Err(Exhausted::Cancelled.into());
        }
        Ok(explored)
    })
}

/// Returns an execution to a state with the facts of a partial structure, among those explored, with the system that has
/// the conjecture among its terms.
pub(super) fn reached(
    context: &Context<'_>,
    exploration: &Exploration,
    partial: &Partial,
) -> Result<Option<(System, Counterexample)>, Failed> {
    let (system, formula) = conjecture(context.system, partial);
    let found = exploration.reach(&system, partial, formula, &mut context.limits.budget())?;
    Ok(found.map(|found| (system, found)))
}

/// Returns the system with the conjecture of a partial structure among its terms.
pub(super) fn conjecture(system: &System, partial: &Partial) -> (System, TermId) {
    let mut system = system.clone();
    let formula = partial.conjecture(system.syntax_mut());
    (system, formula)
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
    let Some((with_formula, found)) = reached(context, &exploration, &partial)? else {
        return Ok(Reach { states, steps: None, execution: None });
    };
    let execution = counterexample(context, with_formula.syntax(), &found, "x")?;
    Ok(Reach { states, steps: Some(found.calls.len()), execution: Some(execution) })
}
