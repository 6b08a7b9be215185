//! Confirmation of structures found by search: they are evaluated, not trusted.

use super::cost::Failure;
use ramsey_core::base::budget::{Budget, Exhausted};
use ramsey_core::base::hash::Map;
use ramsey_core::logic::{Evaluator, Structure, Syntax, TermId, VarId};

/// Work units for evaluating a structure and explaining the result, in addition to the question's own budget. No
/// answer is lost because the search used up nearly all of its budget.
const EVALUATION_WORK: u64 = 100_000_000;

/// Returns the budget for evaluating an answer that was found within `budget`.
pub fn evaluation_budget(budget: &Budget) -> Budget {
    budget.grace(EVALUATION_WORK)
}

/// Evaluates a formula, charging the cost to the budget.
pub fn holds(
    syntax: Syntax<'_>,
    structure: &Structure,
    env: &Map<VarId, u32>,
    formula: TermId,
    budget: &mut Budget,
) -> Result<bool, Failure> {
    let mut eval = Evaluator::new(syntax, structure);
    eval.env.clone_from(env);
    std::mem::swap(&mut eval.budget, budget);
    let value = eval.holds(formula);
    std::mem::swap(&mut eval.budget, budget);
    match eval.exhausted {
        Some(exhausted) => Err(Failure::Exhausted(exhausted)),
        None => Ok(value),
    }
}

/// Evaluates the assumptions and the claim. The structure is a counterexample if all assumptions are true and the
/// claim is false. `what` describes the assumption with an index, for messages.
///
/// # Errors
/// Returns an error if the budget runs out, and [`Failure::Internal`] if the structure is no counterexample.
pub fn judge(
    syntax: Syntax<'_>,
    structure: &Structure,
    assumed: impl IntoIterator<Item = TermId>,
    claim: TermId,
    budget: &mut Budget,
    what: impl Fn(usize) -> String,
) -> Result<(), Failure> {
    let mut eval = Evaluator::new(syntax, structure);
    std::mem::swap(&mut eval.budget, budget);
    let broken = assumed.into_iter().position(|formula| !eval.holds(formula));
    let holds = eval.holds(claim);
    std::mem::swap(&mut eval.budget, budget);
    let exhausted: Option<Exhausted> = eval.exhausted;
    match (exhausted, broken) {
        (Some(exhausted), _) => Err(exhausted.into()),
        (None, Some(at)) => Err(Failure::Internal(format!("a model does not satisfy {}", what(at)))),
        (None, None) if holds => {
            Err(Failure::Internal("a model satisfies the claim that it is to refute".to_owned()))
        }
        (None, None) => Ok(()),
    }
}
