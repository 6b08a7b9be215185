//! Evaluation of a formula in a structure, with an explanation of the value.

use ramsey_core::base::budget::{Budget, Exhausted};
use ramsey_core::logic::{Evaluator, Structure, Syntax, TermId};
use ramsey_solver::ask::Falsification;
use ramsey_solver::ask::find_falsification;

/// Truth value of a formula, with an explanation.
#[derive(Clone, Debug)]
pub struct Evaluation {
    /// Whether the formula is true.
    pub value: bool,
    /// The smallest part that determines the value, with values of variables: the part that makes a false formula
    /// false, or a true one true.
    pub shown: Falsification,
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
    let shown = find_falsification(&mut eval, formula, value);
    match eval.exhausted {
        Some(exhausted) => Err(exhausted),
        None => Ok(Evaluation { value, shown }),
    }
}
