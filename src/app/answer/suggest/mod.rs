//! Conjectures that exclude a state, ranked.
//!
//! Upper bounds of the generalization are the facts of the state without those about up to two relations, and those about
//! up to two of the relations that change, at several numbers of steps; executions are unrolled once for all of them.
//! What is true for few steps and false after some more, or in an execution of a small instance, is told as refuted. The
//! others are ranked: those that complete the proof first, then inductive ones, then those that exclude all counterexamples,
//! that have few relations that change, and few facts.

mod candidate;
mod refine;
mod subsets;

use std::sync::Arc;

use self::candidate::{Candidate, good, judge, rank, told};
use self::refine::Refiner;
use self::subsets::subsets;
use super::context::{Asked, Context, Failed, Progress};
use super::generalize::chosen;
use super::reach::{self, conjecture};
use super::{counterexamples, induction};
use crate::reply::{Answer, Merit, Suggestions};
use ramsey_core::base::budget::Exhausted;
use ramsey_core::base::hash::Set;
use ramsey_core::logic::TermId;
use ramsey_core::system::System;
use ramsey_engine::infer::Exploration;
use ramsey_engine::query::cti::{with_invariant, without_invariants};
use ramsey_engine::query::generalize::{Generalizer, Options};
use ramsey_engine::query::verify;
use ramsey_engine::query::{Limits, Outcome, Plan, implies};
use ramsey_solver::forms::Partial;

/// Maximum number of steps for which those that one more step refutes are generalized again.
const MAX_AGAIN: u16 = 3;
/// Number of steps that suggestions survive.
const SURVIVED: u16 = 6;
/// Maximum number of claims of which it is asked whether a conjecture makes them unnecessary: each takes all obligations.
const MOST_UNNECESSARY: usize = 40;
/// Work units of a question about more steps than the person asked for.
const DEEPER: u64 = 3_000_000;

pub(super) fn answer(
    context: &Context<'_>,
    asked: &Asked,
    progress: Progress<'_>,
) -> Result<Suggestions, Failed> {
    let Context { system, limits, .. } = *context;
    let chosen = chosen(context, asked)?;
    let upper = &chosen.selection.upper;
    let kept = &chosen.selection.kept;
    let mut candidates: Vec<Candidate> = Vec::new();
    let mut seen: Set<String> = Set::default();
    let mut add = |candidates: &mut Vec<Candidate>, generalizer: &Generalizer, facts: Vec<usize>| {
        let partial = generalizer.partial(&facts).without_strays(&system.sig);
        let candidate = Candidate::new(system, facts, partial, generalizer.bound());
        if seen.insert(candidate.formula.clone()) {
            candidates.push(candidate);
        }
    };
    let mut tell = |candidates: &mut [Candidate], deepening: Option<u16>| {
        rank(candidates);
        let told = told(context, &chosen.names, candidates, deepening, false);
        progress(Answer::Suggestions(told));
    };
    let options = Options { bound: asked.bound, ..Options::default() };
    let mut generalizer = Generalizer::new(system, upper, &options, limits)?;
    // Each upper bound with what it was generalized to.
    let mut cores: Vec<(Vec<usize>, Vec<usize>)> = Vec::new();
    for all in subsets(upper, kept, system) {
        if let Some(core) = generalizer.generalize(&all, kept, limits)? {
            add(&mut candidates, &generalizer, core.clone());
            cores.push((all, core));
        }
    }
    tell(&mut candidates, None);
    let exploration = reach::exploration(context)?;
    explore(context, &exploration, &mut candidates)?;
    tell(&mut candidates, None);
    let refiner = Refiner { context, exploration: &exploration, upper, kept };
    for (all, core) in &mut cores {
        if let Some(facts) = refiner.refined(&mut generalizer, all, core)? {
            add(&mut candidates, &generalizer, facts.clone());
            *core = facts;
        }
    }
    tell(&mut candidates, None);
    let work = limits.work.map_or(DEEPER, |work| work.min(DEEPER));
    let shallow = Limits { work: Some(work), ..limits.clone() };
    while generalizer.bound() < SURVIVED {
        match deepen(&mut generalizer, &mut candidates, &shallow) {
            Ok(()) => {}
            Err(Exhausted::Cancelled) => return Err(Exhausted::Cancelled.into()),
            // What is known of fewer steps has to do.
            Err(_) => break,
        }
        if generalizer.bound() == asked.bound + 1 && asked.bound <= MAX_AGAIN {
            // What one more step refutes is generalized once more.
            let refuted: Vec<Vec<usize>> =
                candidates.iter().filter(|it| it.refuted.is_some()).map(|it| it.facts.clone()).collect();
            for (all, _) in cores.iter().filter(|(_, core)| refuted.contains(core)) {
                if let Some(core) = generalizer.generalize(all, kept, limits)? {
                    let facts = refiner.refined(&mut generalizer, all, &core)?;
                    add(&mut candidates, &generalizer, facts.unwrap_or(core));
                }
            }
            explore(context, &exploration, &mut candidates)?;
        }
        tell(&mut candidates, Some(generalizer.bound()));
    }
    merge(system, &mut candidates, context)?;
    for candidate in good(&mut candidates) {
        let (with_formula, formula) = conjecture(system, &candidate.partial);
        candidate.inductive = induction::is_inductive(&with_formula, formula, limits)?;
    }
    tell(&mut candidates, None);
    for candidate in good(&mut candidates) {
        candidate.merit = Some(merit(context, asked, &candidate.partial)?);
    }
    rank(&mut candidates);
    Ok(told(context, &chosen.names, &candidates, None, true))
}

/// Notes which candidates are false in a state explored.
fn explore(
    context: &Context<'_>,
    exploration: &Exploration,
    candidates: &mut [Candidate],
) -> Result<(), Failed> {
    for candidate in candidates.iter_mut().filter(|it| it.refuted.is_none()) {
        if let Some((_, found)) = reach::reached(context, exploration, &candidate.partial)? {
            candidate.refuted = u16::try_from(found.calls.len()).ok();
            candidate.explored = true;
        }
    }
    Ok(())
}

/// Looks at executions of one more step.
fn deepen(
    generalizer: &mut Generalizer,
    candidates: &mut [Candidate],
    limits: &Limits,
) -> Result<(), Exhausted> {
    let sets: Vec<Vec<usize>> = candidates.iter().map(|it| it.facts.clone()).collect();
    let excluded = generalizer.extend(&sets, limits)?;
    judge(candidates, excluded, generalizer.bound());
    Ok(())
}

/// Removes candidates that the axioms make equivalent to another one with fewer facts.
fn merge(system: &System, candidates: &mut Vec<Candidate>, context: &Context<'_>) -> Result<(), Failed> {
    let mut with_all = system.clone();
    let formulas: Vec<_> = candidates.iter().map(|it| it.partial.conjecture(with_all.syntax_mut())).collect();
    let mut redundant = vec![false; candidates.len()];
    for at in 0..candidates.len().min(candidate::MAX) {
        for before in 0..at {
            if redundant[before] || redundant[at] || candidates[before].refuted != candidates[at].refuted {
                continue;
            }
            let implied = |a, b| implies(&with_all, a, b, context.limits);
            redundant[at] =
                implied(formulas[before], formulas[at])? && implied(formulas[at], formulas[before])?;
        }
    }
    let mut flags = redundant.into_iter();
    candidates.retain(|_| !flags.next().unwrap_or(false));
    Ok(())
}

/// Returns what a conjecture would do.
fn merit(context: &Context<'_>, asked: &Asked, partial: &Partial) -> Result<Merit, Failed> {
    let Context { system, limits, .. } = *context;
    let found = counterexamples::all(context, &asked.claim, &asked.action)?;
    let all = found.verification.results.len();
    let mut excluded = 0;
    for number in 1..=all {
        let counterexample = counterexamples::nth(&found, number)?;
        let is_in = partial.is_in(&system.sig, &counterexample.structure, 0, &mut limits.budget())?;
        excluded += usize::from(is_in);
    }
    let (with_formula, formula) = conjecture(system, partial);
    let fails = failures(&with_formula, formula, &[], limits);
    let mut unnecessary = Vec::new();
    if fails == 0 && system.invariants.len() <= MOST_UNNECESSARY {
        for (index, invariant) in system.invariants.iter().enumerate().filter(|(_, it)| !it.is_safety) {
            if failures(&with_formula, formula, &[index], limits) == 0 {
                unnecessary.push(invariant.label.clone());
            }
        }
    }
    Ok(Merit { excludes: excluded, of: all, fails, unnecessary })
}

/// Returns the number of obligations that do not hold with another claim and without some.
fn failures(system: &System, added: TermId, removed: &[usize], limits: &Limits) -> usize {
    let system = without_invariants(&with_invariant(system, added), removed);
    let options = verify::Options { all: true, minimize: false, ..verify::Options::default() };
    let verification = Plan::new(Arc::new(system), options).run(limits);
    let holds = |outcome: &Outcome| matches!(outcome, Outcome::Holds { .. });
    verification.results.iter().filter(|result| !holds(&result.outcome)).count()
}
