//! Judging of what a search finds: structures are evaluated, not believed.

use super::cost::Failure;
use crate::base::budget::{Budget, Exhausted};
use crate::base::hash::Map;
use crate::logic::{Evaluator, Signature, Structure, TermId, Terms, VarId};

/// Work units for evaluating a structure once more, and for what it is to be told about it, on top of the question's own. No
/// answer is lost because the search for it took nearly all of its budget.
const EVALUATION: u64 = 100_000_000;

/// The budget for work that follows up on an answer that had this budget.
pub fn evaluation_budget(budget: &Budget) -> Budget {
    budget.grace(EVALUATION)
}

/// Evaluates a formula; what the evaluation costs counts.
pub fn holds(
    sig: &Signature,
    terms: &Terms,
    structure: &Structure,
    env: &Map<VarId, u32>,
    formula: TermId,
    budget: &mut Budget,
) -> Result<bool, Failure> {
    let mut eval = Evaluator::new(sig, terms, structure);
    eval.env.clone_from(env);
    std::mem::swap(&mut eval.budget, budget);
    let value = eval.holds(formula);
    std::mem::swap(&mut eval.budget, budget);
    match eval.exhausted {
        Some(exhausted) => Err(Failure::Exhausted(exhausted)),
        None => Ok(value),
    }
}

/// Evaluates what is assumed, and what is claimed; the structure is a counterexample if all that is assumed is true and the
/// claim is not. `what` tells in words what the assumption at a place is.
///
/// # Errors
/// The budget that ran out; [`Failure::Internal`] where the structure is no counterexample.
pub fn judge(
    (sig, terms): (&Signature, &Terms),
    structure: &Structure,
    assumed: impl IntoIterator<Item = TermId>,
    claim: TermId,
    budget: &mut Budget,
    what: impl Fn(usize) -> String,
) -> Result<(), Failure> {
    let mut eval = Evaluator::new(sig, terms, structure);
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
