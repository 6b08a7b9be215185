//! Reduced form of a group of obligations, used by search: updates substituted, parameters named.
//!
//! It is equisatisfiable goal by goal with the plain form, and [`Reduced::complete`] turns its models into models of the
//! plain form. Correctness does not depend on this, because those models are evaluated.

use crate::transition::{Action, Update};
use ramsey_core::base::budget::{Budget, Exhausted};
use ramsey_core::logic::{Structure, SymId, Syntax, TermId, Terms};
use ramsey_core::system::System;
use ramsey_kernel::obligations::{Group, GroupKind, HypothesisOrigin, Obligations};

/// Hypotheses and goals of a group in reduced form.
#[derive(Clone, Debug)]
pub struct Reduced {
    /// Hypotheses that are independent of the kind of group come first (see [`Reduced::shared`]).
    pub hypotheses: Vec<(TermId, HypothesisOrigin)>,
    /// Number of hypotheses that are axioms, derived relations of state 0, or invariants.
    pub shared: usize,
    /// One per goal of the group. Its negation is to be refuted together with the hypotheses.
    pub goals: Vec<TermId>,
    /// The action, for transitions.
    action: Option<Action>,
}

impl Reduced {
    /// Computes the reduced form of `group`. New terms are added to `terms`, a copy of the obligations' arena.
    pub fn new(system: &System, obligations: &Obligations, terms: &mut Terms, group: &Group) -> Reduced {
        let sig = &obligations.sig;
        let Some(index) = group.kind.transition() else {
            return Reduced {
                hypotheses: group.hypotheses.iter().map(|h| (h.formula, h.origin)).collect(),
                shared: group.hypotheses.len(),
                goals: group.goals.iter().map(|goal| goal.formula).collect(),
                action: None,
            };
        };
        let params: Vec<TermId> =
            obligations.params[index].iter().map(|&param| terms.app(sig, param, 0, &[])).collect();
        let mut action =
            Action::of_transition(system, terms.over_mut(sig), &system.transitions[index], &params);
        if let GroupKind::Proof { proof, .. } = group.kind {
            let steps = system.proofs.list[proof].steps.iter();
            steps.filter_map(|step| step.prophecy.as_ref()).for_each(|it| action.leave_free(it.viable));
        }
        let mut hypotheses: Vec<(TermId, HypothesisOrigin)> = group
            .hypotheses
            .iter()
            .filter(|hypothesis| {
                // The axioms of derived relations in the next state are conjuncts of the action.
                !matches!(
                    hypothesis.origin,
                    HypothesisOrigin::Transition(_) | HypothesisOrigin::Derived(_, 1)
                )
            })
            // Those of proofs speak of the next state as well.
            .map(|hypothesis| (action.post(terms.over_mut(sig), hypothesis.formula), hypothesis.origin))
            .collect();
        let shared = hypotheses.len();
        let origin = HypothesisOrigin::Transition(index);
        hypotheses.extend(action.guard.iter().chain(&action.residual).map(|&formula| (formula, origin)));
        let goals = group.goals.iter().map(|goal| action.post(terms.over_mut(sig), goal.formula)).collect();
        Reduced { hypotheses, shared, goals, action: Some(action) }
    }

    /// Checks whether `sym` at `step` is determined by search, and not computed from the previous state.
    pub fn is_searched(&self, sym: SymId, step: u16) -> bool {
        match &self.action {
            Some(action) if step > 0 => matches!(action.update(sym), Update::Free),
            _ => true,
        }
    }

    /// Computes the next state of a model by the updates.
    ///
    /// # Errors
    /// Returns an error if the budget is exhausted; the model is then incomplete.
    pub fn complete(
        &self,
        syntax: Syntax<'_>,
        model: &mut Structure,
        budget: &mut Budget,
    ) -> Result<(), Exhausted> {
        self.action.as_ref().map_or(Ok(()), |action| action.apply(syntax, model, budget))
    }
}
