//! Whether a conjecture is inductive, and which invariants a known step refutes.

use std::sync::Arc;

use crate::query::cti::with_invariant;
use crate::query::outcome::Outcome;
use crate::query::unroll::state_hypotheses;
use crate::query::verify::{self, Limits, Plan};
use ramsey_core::base::budget::{Budget, Exhausted};
use ramsey_core::base::hash::Map;
use ramsey_core::logic::{Structure, SymId, SymbolKind, TermId};
use ramsey_core::system::System;
use ramsey_kernel::obligations::Origin;
use ramsey_kernel::obligations::plain::transition_formula;
use ramsey_solver::ask::{Context, Failure, holds};
use ramsey_solver::epr::Fixed;

/// Returns the indices of the invariants that are false in the second state of a structure, if a transition leads there
/// from the first one and both satisfy the axioms; otherwise none. If the first state is (part of) a reachable one, no
/// inductive invariant (that is universally quantified) contains them.
///
/// # Errors
/// Returns an error if the budget runs out.
pub fn false_after_step(
    system: &System,
    structure: &Structure,
    budget: &mut Budget,
) -> Result<Vec<usize>, Failure> {
    if structure.states() < 2 {
        return Ok(Vec::new());
    }
    let mut system = system.clone();
    let steps: Vec<TermId> = (0..system.transitions.len())
        .map(|index| {
            let System { sig, terms, transitions, .. } = &mut system;
            transition_formula(terms.over_mut(sig), &transitions[index])
        })
        .collect();
    let states = [structure.state(&system.sig, 0), structure.state(&system.sig, 1)];
    let is_true = |structure: &Structure, formula: TermId, budget: &mut Budget| {
        holds(system.syntax(), structure, &Map::default(), formula, budget)
    };
    for (formula, _) in state_hypotheses(&system, false) {
        for state in &states {
            if !is_true(state, formula, budget)? {
                return Ok(Vec::new());
            }
        }
    }
    let mut pair = states[0].clone();
    pair.push_state(&system.sig, &states[1], 0);
    if !is_step(&system, &pair, &steps, budget)? {
        return Ok(Vec::new());
    }
    let mut refuted = Vec::new();
    for (index, invariant) in system.invariants.iter().enumerate() {
        if !is_true(&states[1], invariant.formula, budget)? {
            refuted.push(index);
        }
    }
    Ok(refuted)
}

/// Checks whether one of these two-state formulas is true of two states, for some values of the choices.
fn is_step(
    system: &System,
    states: &Structure,
    formulas: &[TermId],
    budget: &mut Budget,
) -> Result<bool, Failure> {
    let is_given = |sym: SymId, _: u16| system.sig.symbols[sym].kind != SymbolKind::Choice;
    for &formula in formulas {
        let fixed = Fixed { structure: states, is_given: &is_given };
        let mut context = Context::of((&system.sig, &system.terms), [formula], budget);
        let found = context.sample(&states.sizes, Some(fixed), 2, 0, budget)?;
        if let Some(found) = found
            && holds(system.syntax(), &found, &Map::default(), formula, budget)?
        {
            return Ok(true);
        }
    }
    Ok(false)
}

/// Result of checking whether a conjecture is inductive.
#[derive(Debug)]
pub struct InductionCheck {
    /// Initiation and consecution of the conjecture, in the order of the source; consecution assumes the system's
    /// invariants and the conjecture itself.
    pub obligations: Vec<(Origin, Outcome)>,
}

impl InductionCheck {
    /// Returns whether all obligations hold; `None` if none fails and one has no answer.
    pub fn is_inductive(&self) -> Option<bool> {
        let mut outcomes = self.obligations.iter().map(|(_, outcome)| outcome);
        if outcomes.clone().any(|outcome| matches!(outcome, Outcome::Fails(_))) {
            return Some(false);
        }
        outcomes.all(|outcome| matches!(outcome, Outcome::Holds { .. })).then_some(true)
    }

    /// Returns whether all obligations hold. One without an answer does not count as such.
    ///
    /// # Errors
    /// Returns an error if the check was cancelled.
    pub fn unless_cancelled(&self) -> Result<bool, Exhausted> {
        let is_cancelled = |outcome: &Outcome| matches!(outcome, Outcome::Unknown(Exhausted::Cancelled));
        match self.obligations.iter().any(|(_, outcome)| is_cancelled(outcome)) {
            true => Err(Exhausted::Cancelled),
            false => Ok(self.is_inductive() == Some(true)),
        }
    }
}

/// Checks whether a formula (over step 0, in the terms of `system`) is inductive together with the invariants.
pub fn check_induction(system: &System, formula: TermId, seed: u64, limits: &Limits) -> InductionCheck {
    let system = with_invariant(system, formula);
    let options = verify::Options {
        invariants: vec![system.invariants.len() - 1],
        seed,
        minimize: false,
        ..Default::default()
    };
    let verification = Plan::new(Arc::new(system), options).run(limits);
    let answers = verification.results.into_iter().map(|result| (result.origin, result.outcome));
    InductionCheck { obligations: answers.collect() }
}
