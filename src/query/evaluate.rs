//! The value of a formula in a structure, and what shows it.

use super::outcome::Breach;
use super::verify::breach;
use crate::base::budget::{Budget, Exhausted};
use crate::logic::{Evaluator, Node, Signature, Structure, TermId, Terms, VarId};

/// A truth value with what shows it.
#[derive(Clone, Debug)]
pub struct Evaluation {
    /// Whether the formula is true.
    pub value: bool,
    /// Of a false formula, the smallest part that is to blame, with values of its universally quantified variables. Of a true
    /// one, what is left without leading `exists`, with witnesses.
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
    let shown = if value { support(&mut eval, formula) } else { breach(&mut eval, formula) };
    match eval.exhausted {
        Some(exhausted) => Err(exhausted),
        None => Ok(Evaluation { value, shown }),
    }
}

/// Witnesses of the `exists` that a true formula begins with.
fn support(eval: &mut Evaluator<'_>, mut formula: TermId) -> Breach {
    let mut bindings = Vec::new();
    while let Node::Exists(vars, body) = eval.terms.node(formula) {
        let Some(values) = eval.witness(vars, body, true) else { break };
        let vars: Vec<VarId> = eval.terms.bound_vars(vars).collect();
        for (var, value) in vars.into_iter().zip(values) {
            eval.env.insert(var, value);
            bindings.push((var, value));
        }
        formula = body;
    }
    Breach { formula, bindings }
}
