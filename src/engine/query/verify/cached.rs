//! Answers to obligations that a cache may have, and solvers that are made for the others alone.

use super::group::{GroupRun, counterexample};
use super::{Limits, Plan};
use crate::cache::{GroupCache, Known};
use crate::elaborate::Certificate;
use crate::query::outcome::{Counterexample, ObligationResult, Outcome};
use crate::query::vacuity::Vacuity;
use ramsey_core::base::budget::Budget;
use ramsey_core::base::hash::{Map, Set};
use ramsey_core::logic::{Elem, Structure, SymId, SymbolKind};
use ramsey_core::system::System;
use ramsey_kernel::obligations::{Goal, Group, Hypothesis, HypothesisOrigin, Origin, plain};
use ramsey_solver::ask::{Failure, Statistics, evaluation_budget, holds};

/// Returns for each obligation of a group whether a cache is asked about it. It is not if a transition preserves an invariant because that
/// speaks of nothing that it may change: this takes no search, which is less than to look up that it has been proved.
pub(super) fn sought(system: &System, group: &Group) -> Vec<bool> {
    let System { sig, terms, transitions, invariants, .. } = system;
    let invariant = |it: &Hypothesis| match it.origin {
        HypothesisOrigin::Invariant(index) => Some(index),
        _ => None,
    };
    let assumed: Set<usize> = group.hypotheses.iter().filter_map(invariant).collect();
    let is_unchanged = |goal: &Goal| {
        let Origin::Consecution { transition, invariant } = goal.origin else { return false };
        let modified = &transitions[transition].modifies;
        let is_kept = |sym: &SymId| match sig.symbols[*sym].kind {
            SymbolKind::Immutable => true,
            SymbolKind::Mutable => !modified.contains(sym),
            SymbolKind::Derived | SymbolKind::Parameter | SymbolKind::Choice => false,
        };
        assumed.contains(&invariant) && terms.symbols(invariants[invariant].formula).iter().all(is_kept)
    };
    group.goals.iter().map(|goal| !is_unchanged(goal)).collect()
}

/// The solvers of a group, made when the first obligation needs them.
pub(super) struct LazyRun<'a> {
    plan: &'a Plan,
    group: &'a Group,
    limits: &'a Limits,
    /// By obligation, its place among those about which a cache is asked.
    places: Vec<Option<usize>>,
    run: Option<GroupRun<'a>>,
}

impl<'a> LazyRun<'a> {
    pub(super) fn new(plan: &'a Plan, group: &'a Group, limits: &'a Limits) -> LazyRun<'a> {
        let places = if plan.uses_cache() {
            let mut count = 0..;
            sought(&plan.system, group).into_iter().map(|it| if it { count.next() } else { None }).collect()
        } else {
            Vec::new()
        };
        LazyRun { plan, group, limits, places, run: None }
    }

    fn get(&mut self) -> &mut GroupRun<'a> {
        let LazyRun { plan, group, limits, run, .. } = self;
        run.get_or_insert_with(|| GroupRun::new(plan, group, limits))
    }

    /// Returns whether entries count. Where certificates are made, they are made of proofs that are found.
    fn reads(&self) -> bool {
        !self.plan.options.certify
    }
}

/// Answers an obligation, which is outside of the decidable fragment or not: by the cache, or by a search whose answer is kept there.
pub(super) fn answer(
    known: &mut Option<GroupCache<'_>>,
    run: &mut LazyRun<'_>,
    (index, is_outside): (usize, bool),
    budget: Budget,
) -> (Outcome, Option<Certificate>, Statistics) {
    let Some(known) = known else { return run.get().answer((index, is_outside), budget) };
    let LazyRun { plan, group, .. } = *run;
    let read = |structure: Structure, params: Vec<Elem>, mut budget: Budget| {
        judged(plan, group, index, structure, &params, &mut budget)
    };
    let Some(&Some(place)) = run.places.get(index) else {
        if run.reads() {
            return (Outcome::Holds { core: Vec::new() }, None, Statistics::default());
        }
        return run.get().answer((index, is_outside), budget);
    };
    if run.reads() {
        match known.answer(place, |structure, params| read(structure, params, evaluation_budget(&budget))) {
            Some(Known::Holds) => {
                return (Outcome::Holds { core: Vec::new() }, None, Statistics::default());
            }
            Some(Known::Fails(found)) => {
                return (Outcome::Fails(Box::new(found)), None, Statistics::default());
            }
            None => {}
        }
    }
    let again = evaluation_budget(&budget);
    let (mut outcome, certificate, statistics) = run.get().answer((index, is_outside), budget);
    match (&mut outcome, &certificate) {
        (Outcome::Holds { .. }, Some(Certificate::Proof(proof, _))) => known.keep_proof(place, proof),
        (Outcome::Fails(found), _) => {
            let params: &[Elem] = found.calls.first().map_or(&[], |call| &call.args);
            let judge = |structure: Structure, params: Vec<Elem>| read(structure, params, again);
            let kept = known.keep_structure(place, &found.structure, params, judge);
            // What is shown now is what will be shown then.
            if let Some(kept) = kept.filter(|_| run.reads()) {
                **found = kept;
            }
        }
        _ => {}
    }
    (outcome, certificate.filter(|_| plan.options.certify), statistics)
}

/// Checks whether the hypotheses of a group contradict each other, after these answers. That they do not is kept in the cache.
pub(super) fn vacuity(
    known: &mut Option<GroupCache<'_>>,
    run: &mut LazyRun<'_>,
    results: &[ObligationResult],
) -> (Option<Vacuity>, Statistics) {
    let LazyRun { plan, group, limits, .. } = *run;
    if plan.vacuous_part(group).is_none() {
        return Default::default();
    }
    let Some(known) = known else { return run.get().vacuity(results, &mut None) };
    let contradiction = known.contradiction();
    let mut budget = evaluation_budget(&limits.budget());
    let mut are_satisfied = |structure: Structure, _: Vec<Elem>| {
        let syntax = plan.obligations.syntax();
        for hypothesis in &group.hypotheses {
            if !holds(syntax, &structure, &Map::default(), hypothesis.formula, &mut budget).map_err(told)? {
                return Err(format!("it does not satisfy the hypothesis {:?}", hypothesis.origin));
            }
        }
        Ok(())
    };
    if run.reads() && known.answer(contradiction, &mut are_satisfied).is_some() {
        return Default::default();
    }
    let mut shown = None;
    let (found, statistics) = run.get().vacuity(results, &mut shown);
    if let Some(structure) = shown {
        known.keep_structure(contradiction, &structure, &[], are_satisfied);
    }
    (found, statistics)
}

/// Returns the counterexample that a structure of the cache is, with values of the parameters of its transition.
fn judged(
    plan: &Plan,
    group: &Group,
    index: usize,
    mut structure: Structure,
    values: &[Elem],
    budget: &mut Budget,
) -> Result<Counterexample, String> {
    let Plan { system, obligations, .. } = plan;
    let sig = &obligations.sig;
    let (transition, params) = match group.kind.transition() {
        Some(index) => (system.transitions.get(index), obligations.params.get(index)),
        None => (None, None),
    };
    let params = params.map_or(&[][..], Vec::as_slice);
    let fits = params.len() == values.len()
        && params.iter().zip(values).all(|(&sym, &value)| value < structure.sizes[sig.symbols[sym].result]);
    if !fits {
        return Err("it has no value for each parameter of the transition".to_owned());
    }
    for (&sym, &value) in params.iter().zip(values) {
        structure.interpretation_mut(sig, sym, 0).set(&[], value);
    }
    if let Some(transition) = transition {
        // The obligation says that there are such values. These are shown, so they have to be some.
        let mut terms = obligations.terms.clone();
        let step = plain::step_formula(terms.over_mut(sig), transition);
        let env: Map<_, _> = transition.params.iter().copied().zip(values.iter().copied()).collect();
        if !holds(terms.over(sig), &structure, &env, step, budget).map_err(told)? {
            return Err("the transition has other values of its parameters".to_owned());
        }
    }
    counterexample(plan, group, index, structure, budget).map_err(told)
}

/// Says why a structure is no answer.
fn told(failure: Failure) -> String {
    match failure {
        Failure::Exhausted(exhausted) => format!("it takes too long to evaluate ({exhausted})"),
        Failure::Internal(what) | Failure::Misuse(what) => what,
    }
}
