//! Computation of the next state from the updates of an action.

use super::action::{Action, Update};
use ramsey_core::base::budget::{Budget, Exhausted};
use ramsey_core::logic::{Evaluator, Interpretation, Structure, SymId, Syntax};

impl Action {
    /// Computes state 1 from state 0 by the updates. Symbols with free updates keep their values in state 1.
    ///
    /// # Errors
    /// Returns an error if the budget is exhausted; the structure is then incomplete.
    pub fn apply(
        &self,
        syntax: Syntax<'_>,
        model: &mut Structure,
        budget: &mut Budget,
    ) -> Result<(), Exhausted> {
        let sig = syntax.sig;
        let mutable: Vec<SymId> =
            sig.symbols.ids().filter(|&sym| sig.symbols[sym].kind.is_mutable()).collect();
        for sym in mutable {
            match self.update(sym) {
                Update::Free => {}
                Update::Unchanged => {
                    let now = model.interpretation(sig, sym, 0).clone();
                    *model.interpretation_mut(sig, sym, 1) = now;
                }
                Update::Definition { vars, value } => {
                    let mut next = Interpretation::default();
                    let mut eval = Evaluator::new(syntax, model);
                    std::mem::swap(&mut eval.budget, budget);
                    for args in model.tuples(&sig.symbols[sym].args) {
                        eval.env.extend(vars.iter().copied().zip(args.iter().copied()));
                        // Most values are the default, which needs no entry.
                        let value = eval.eval(*value);
                        if value != next.default {
                            next.set(&args, value);
                        }
                        if let Some(exhausted) = eval.exhausted.or(eval.budget.spend(1).err()) {
                            return Err(exhausted);
                        }
                    }
                    std::mem::swap(&mut eval.budget, budget);
                    *model.interpretation_mut(sig, sym, 1) = next;
                }
            }
        }
        Ok(())
    }
}
