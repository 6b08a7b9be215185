//! Detection of vacuity: unsatisfiable hypotheses, from which every claim follows.
//!
//! A transition that is impossible in every state that satisfies axioms and invariants trivially preserves all
//! invariants, which is rarely intended. Therefore, once the obligations of a group are answered and no counterexample
//! has shown that its hypotheses are satisfiable, the hypotheses are checked without a claim. Only a refutation is
//! reported: the question has a small budget, and nothing is reported if it runs out.

use super::unroll::state_hypotheses;
use ramsey_core::base::budget::{Budget, Exhausted};
use ramsey_core::logic::{Signature, Syntax, TermId};
use ramsey_core::system::System;
use ramsey_kernel::obligations::HypothesisOrigin;
use ramsey_solver::ask::{Context, HypothesisId};
use ramsey_solver::formulas::Pretty;

/// The part of a model that is unsatisfiable.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum VacuousPart {
    /// Axioms, including those of derived relations: there is no state.
    Axioms,
    /// The initial conditions.
    Initial,
    /// The invariants.
    Invariants,
    /// The transition with this index, in a state that satisfies the invariants.
    Transition(usize),
}

/// Unsatisfiable hypotheses, established by a refutation.
#[derive(Clone, Debug)]
pub struct Vacuity {
    /// The unsatisfiable part.
    pub what: VacuousPart,
    /// Contradictory hypotheses, minimal if the budget sufficed; empty if it did not suffice to find any.
    pub core: Vec<HypothesisOrigin>,
    /// The conjuncts of the transition's normal form in the core, in the syntax of `.pyv`, without large ones.
    pub conjuncts: Vec<String>,
}

/// Maximum number of symbols in a conjunct that is printed.
const MAX_CONJUNCT_SIZE: u32 = 60;

/// Work units to minimize the contradictory hypotheses. Few models need any.
const CORE_WORK: u64 = 5_000_000;

/// Work units for the question whether there is an initial state.
const INITIAL_STATE_WORK: u64 = 10_000;

/// Checks whether no state satisfies the axioms and the initial conditions, so that there are no executions. Returns
/// `None` if one does, or if a small part of `budget` does not suffice to decide it.
pub fn no_initial_state(system: &System, budget: &Budget) -> Option<Vacuity> {
    let hypotheses = state_hypotheses(system, true);
    let mut budget = budget.part(INITIAL_STATE_WORK);
    let mut context = Context::new(system.sig.clone(), system.terms.clone(), 0, None);
    hypotheses.iter().for_each(|&(formula, _)| context.assume(formula, &mut budget));
    let found = vacuity(VacuousPart::Initial, &system.sig, &hypotheses, &mut context, &[], &mut budget);
    found.unwrap_or_default()
}

/// Checks whether the hypotheses asserted in `context`, in its base and by these ids, contradict each other.
/// `hypotheses` lists the same hypotheses individually.
///
/// # Errors
/// Returns an error if the budget runs out.
pub(super) fn vacuity(
    what: VacuousPart,
    sig: &Signature,
    hypotheses: &[(TermId, HypothesisOrigin)],
    context: &mut Context,
    labelled: &[HypothesisId],
    budget: &mut Budget,
) -> Result<Option<Vacuity>, Exhausted> {
    context.pose(&[], budget);
    if context.search(labelled, budget)? {
        return Ok(None);
    }
    let mut patience = budget.grace(CORE_WORK);
    let mut core = core_of(context.terms().over(sig), hypotheses, &mut patience);
    let is_invariant = |origin| matches!(origin, HypothesisOrigin::Invariant(_));
    if matches!(what, VacuousPart::Transition(_)) && core.iter().any(|&(_, origin)| is_invariant(origin)) {
        // A core without invariants is the stronger statement: no state at all admits the transition.
        let others: Vec<(TermId, HypothesisOrigin)> =
            hypotheses.iter().copied().filter(|&(_, origin)| !is_invariant(origin)).collect();
        let without = core_of(context.terms().over(sig), &others, &mut patience);
        if !without.is_empty() {
            core = without;
        }
    }
    let conjuncts = core
        .iter()
        .filter(|&&(formula, origin)| {
            matches!(origin, HypothesisOrigin::Transition(_))
                && context.terms().tree_size(formula) <= MAX_CONJUNCT_SIZE
        })
        .map(|&(formula, _)| Pretty::new(context.terms().over(sig), formula).to_string())
        .collect();
    let mut core: Vec<HypothesisOrigin> = core.into_iter().map(|(_, origin)| origin).collect();
    core.sort_unstable();
    core.dedup();
    let is_axiom = |origin| matches!(origin, HypothesisOrigin::Axiom(_) | HypothesisOrigin::Derived(..));
    let is_invariant = |origin| is_axiom(origin) || matches!(origin, HypothesisOrigin::Invariant(_));
    let what = if core.is_empty() {
        what
    } else if core.iter().all(|&origin| is_axiom(origin)) {
        VacuousPart::Axioms
    } else if core.iter().all(|&origin| is_invariant(origin)) {
        VacuousPart::Invariants
    } else {
        what
    };
    Ok(Some(Vacuity { what, core, conjuncts }))
}

/// Returns contradictory hypotheses, as few as the budget allows to find. Each is dropped in turn, the most specific
/// first, so that general ones remain.
fn core_of(
    syntax: Syntax<'_>,
    hypotheses: &[(TermId, HypothesisOrigin)],
    budget: &mut Budget,
) -> Vec<(TermId, HypothesisOrigin)> {
    let mut context = Context::new(syntax.sig.clone(), syntax.terms.clone(), 0, None);
    let all: Vec<(HypothesisId, usize)> = hypotheses
        .iter()
        .enumerate()
        .map(|(index, &(formula, _))| (context.add(formula, budget), index))
        .collect();
    let mut refuted = |tried: &[(HypothesisId, usize)]| -> Option<Vec<(HypothesisId, usize)>> {
        let ids: Vec<HypothesisId> = tried.iter().map(|&(id, _)| id).collect();
        let is_refuted = context.search(&ids, budget) == Ok(false);
        let needed = context.needed(&ids);
        is_refuted.then(|| tried.iter().copied().filter(|(id, _)| needed.contains(id)).collect())
    };
    let Some(mut core) = refuted(&all) else { return Vec::new() };
    let mut order: Vec<usize> = (0..hypotheses.len()).collect();
    order.sort_by_key(|&index| std::cmp::Reverse((hypotheses[index].1, index)));
    for left_out in order {
        if core.iter().any(|&(_, index)| index == left_out) {
            let rest: Vec<(HypothesisId, usize)> =
                core.iter().copied().filter(|&(_, index)| index != left_out).collect();
            core = refuted(&rest).unwrap_or(core);
        }
    }
    core.into_iter().map(|(_, index)| hypotheses[index]).collect()
}
