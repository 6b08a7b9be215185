//! Invariants that follow from the others, which is worth knowing and no mistake.

use super::unroll::state_hypotheses;
use super::verify::Limits;
use crate::ask::{Context, HypothesisId, Judged, Question, Size};
use crate::base::budget::Budget;
use crate::logic::TermId;
use crate::system::System;

/// An invariant that axioms, derived relations and other invariants imply.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Implied {
    /// The invariant, by its index.
    pub invariant: usize,
    /// Invariants that suffice, by their indices in ascending order.
    pub by: Vec<usize>,
}

/// Work units for one of the questions.
const WORK: u64 = 200_000;

/// Invariants that follow from the others; all of them could be left out together. Safety properties are to be shown and
/// are left alone. Later ones are left out first, so that of two that say the same the first stays. Each question has a small
/// budget, and where that runs out nothing is said.
pub fn implied(system: &System, limits: &Limits) -> Vec<Implied> {
    let mut terms = system.terms.clone();
    let negated: Vec<TermId> = system.invariants.iter().map(|it| terms.not(it.formula)).collect();
    let mut context = Context::new(system.sig.clone(), terms, 0, None);
    let mut budget = Budget::new(Some(WORK), limits.probe.as_ref().map(|make| make()));
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
        let mut budget = Budget::new(Some(WORK), limits.probe.as_ref().map(|make| make()));
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
