//! Evaluation of a formula in a structure, with an explanation of the value.

use crate::ask::Breach;
use crate::ask::find_breach;
use crate::base::budget::{Budget, Exhausted};
use crate::logic::{Evaluator, Structure, Syntax, TermId};

/// Truth value of a formula, with an explanation.
#[derive(Clone, Debug)]
pub struct Evaluation {
    /// Whether the formula is true.
    pub value: bool,
    /// The smallest part that determines the value, with values of variables: the part that makes a false formula
    /// false, or a true one true.
    pub shown: Breach,
}

/// Evaluates a closed formula.
///
/// # Errors
/// Returns an error if the budget runs out.
pub fn evaluate(
    syntax: Syntax<'_>,
    structure: &Structure,
    formula: TermId,
    budget: Budget,
) -> Result<Evaluation, Exhausted> {
    let mut eval = Evaluator::new(syntax, structure);
    eval.budget = budget;
    let value = eval.holds(formula);
    let shown = find_breach(&mut eval, formula, value);
    match eval.exhausted {
        Some(exhausted) => Err(exhausted),
        None => Ok(Evaluation { value, shown }),
    }
}
