//! The value of a formula in a structure, and what shows it.

use crate::ask::Breach;
use crate::ask::breach;
use crate::base::budget::{Budget, Exhausted};
use crate::logic::{Evaluator, Signature, Structure, TermId, Terms};

/// A truth value with what shows it.
#[derive(Clone, Debug)]
pub struct Evaluation {
    /// Whether the formula is true.
    pub value: bool,
    /// The smallest part that the value comes from, with values of variables: of a false formula what is to blame, of a
    /// true one what suffices.
    pub shown: Breach,
}

/// Evaluates a closed formula.
///
/// # Errors
/// The budget that ran out.
pub fn evaluate(
    sig: &Signature,
    terms: &Terms,
    structure: &Structure,
    formula: TermId,
    budget: Budget,
) -> Result<Evaluation, Exhausted> {
    let mut eval = Evaluator::new(sig, terms, structure);
    eval.budget = budget;
    let value = eval.holds(formula);
    let shown = breach(&mut eval, formula, value);
    match eval.exhausted {
        Some(exhausted) => Err(exhausted),
        None => Ok(Evaluation { value, shown }),
    }
}
