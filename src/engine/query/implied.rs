//! Detection of invariants implied by the others. Such invariants are redundant, not wrong.

use super::unroll::state_hypotheses;
use super::verify::Limits;
use ramsey_core::base::budget::Budget;
use ramsey_core::logic::TermId;
use ramsey_core::system::System;
use ramsey_solver::ask::{Context, Failure, HypothesisId, Judged, Question, Size};

/// An invariant implied by axioms, derived relations and other invariants.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Implied {
    /// Index of the invariant.
    pub invariant: usize,
    /// Indices of invariants that suffice, ascending.
    pub by: Vec<usize>,
}

/// Checks whether a formula implies another one, both over step 0 in the terms of `system`, in all states.
///
/// # Errors
/// Returns an error if the budget runs out, or for an internal error.
pub fn implies(system: &System, a: TermId, b: TermId, limits: &Limits) -> Result<bool, Failure> {
    let mut terms = system.terms.clone();
    let negated = [terms.not(b)];
    let mut context = Context::new(system.sig.clone(), terms, 0, None);
    let mut budget = limits.budget();
    for (formula, _) in state_hypotheses(system, false) {
        context.assume(formula, &mut budget);
    }
    context.assume(a, &mut budget);
    let question = Question { hypotheses: &[], negated: &negated, states: 1, size: Size::AsFound };
    Ok(matches!(context.ask(&question, &mut budget, |_| Ok(()))?, Judged::Proved(_)))
}

/// Work units per question.
const QUESTION_WORK: u64 = 200_000;

/// Returns invariants implied by the others; all of them could be omitted together. Safety properties are proof goals
/// and are never reported. Later invariants are tried first, so that the first of two equivalent ones is kept. Each
/// question has a small budget; if it runs out, the invariant is not reported.
pub fn implied(system: &System, limits: &Limits) -> Vec<Implied> {
    let mut terms = system.terms.clone();
    let negated: Vec<TermId> = system.invariants.iter().map(|it| terms.not(it.formula)).collect();
    let mut context = Context::new(system.sig.clone(), terms, 0, None);
    let mut budget = Budget::new(Some(QUESTION_WORK), limits.probe.as_ref().map(|make| make()));
    for (formula, _) in state_hypotheses(system, false) {
        context.assume(formula, &mut budget);
    }
    let all: Vec<HypothesisId> =
        system.invariants.iter().map(|it| context.add(it.formula, &mut budget)).collect();
    let mut kept: Vec<bool> = vec![true; all.len()];
    let mut found = Vec::new();
    for (index, invariant) in system.invariants.iter().enumerate().rev() {
        if invariant.is_safety {
            continue;
        }
        let others: Vec<HypothesisId> = all
            .iter()
            .enumerate()
            .filter(|&(other, _)| other != index && kept[other])
            .map(|(_, &hypothesis)| hypothesis)
            .collect();
        let mut budget = Budget::new(Some(QUESTION_WORK), limits.probe.as_ref().map(|make| make()));
        let negated = &[negated[index]];
        let question = Question { hypotheses: &others, negated, states: 1, size: Size::AsFound };
        if let Ok(Judged::Proved(needed)) = context.ask(&question, &mut budget, |_| Ok(())) {
            kept[index] = false;
            let by = (0..all.len()).filter(|&other| needed.contains(&all[other])).collect();
            found.push(Implied { invariant: index, by });
        }
    }
    found.reverse();
    found
}
