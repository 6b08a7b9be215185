//! Values of formulas in states.

use super::context::{Context, Failed};
use super::counterexamples::{nth, up_to};
use crate::reply::Evaluation;
use ramsey_core::logic::{Signature, Structure};
use ramsey_engine::query::evaluate::evaluate;
use ramsey_lang::FormulaKind;

pub(super) fn answer(
    context: &Context<'_>,
    formula: &str,
    claim: &str,
    action: &str,
    number: usize,
) -> Result<Evaluation, Failed> {
    let found = up_to(context, claim, action, number)?;
    let counterexample = nth(&found, number)?;
    let values = values(context, formula, &found.verification.obligations.sig, &counterexample.structure)?;
    Ok(Evaluation { formula: formula.to_owned(), values })
}

/// Returns the value of a formula in each state of a structure over an extension of the model's signature.
pub(super) fn values(
    context: &Context<'_>,
    formula: &str,
    sig: &Signature,
    structure: &Structure,
) -> Result<Vec<bool>, Failed> {
    let kind = FormulaKind::Question { states: 1, constants: &[] };
    let loaded = context.model.with_formula(formula, kind);
    let (system, formula) = loaded.map_err(|error| Failed::Unfit(error.text()))?;
    let mut values = Vec::new();
    for step in 0..structure.states().max(1) {
        // The formula's signature has the model's symbols first, in the same order.
        let mut state = structure.state(sig, step);
        state.grow_to(&system.sig);
        let budget = context.limits.budget();
        values.push(evaluate(system.syntax(), &state, formula, budget)?.value);
    }
    Ok(values)
}
