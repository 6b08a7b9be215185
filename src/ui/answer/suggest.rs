//! Conjectures that exclude a state, ranked.
//!
//! Upper bounds of the generalization are the facts of the state without those about up to two relations, at several
//! numbers of steps; executions are unrolled once for all of them. What is true for few steps and false after some more
//! is told as refuted. The others are ranked: inductive ones first, then those with few relations that change, then
//! those with few facts.

use std::sync::Arc;

use serde_json::{Value, json};

use super::context::{Asked, Context, Failed, Progress};
use super::generalize::chosen;
use super::{counterexamples, induction, scenes};
use crate::base::budget::Exhausted;
use crate::base::hash::Set;
use crate::forms::{Fact, Partial, Pretty};
use crate::logic::{SymId, TermId};
use crate::query::cti::{with_invariant, without_invariants};
use crate::query::generalize::{Generalizer, Options};
use crate::query::verify;
use crate::query::{Limits, Outcome, Plan, implies};
use crate::system::System;

/// Number of steps that suggestions survive.
const SURVIVED: u16 = 6;
/// Work units of a question about more steps than the person asked for.
const DEEPER: u64 = 10_000_000;
/// Maximum number of upper bounds.
const MAX_UPPER: usize = 40;
/// Maximum number of suggestions.
const MAX: usize = 12;

/// A conjecture.
struct Candidate {
    /// Indices of the facts that it excludes together.
    facts: Vec<usize>,
    partial: Partial,
    formula: String,
    /// The number of steps within which it is known to be true.
    bound: u16,
    /// The number of steps after which it is false.
    refuted: Option<u16>,
    inductive: bool,
    /// Relations and functions in it that change.
    mutable: usize,
}

pub(super) fn answer(context: &Context<'_>, asked: &Asked, progress: Progress<'_>) -> Result<Value, Failed> {
    let Context { system, limits, .. } = *context;
    let chosen = chosen(context, asked)?;
    let upper = &chosen.selection.upper;
    let kept = &chosen.selection.kept;
    let mut candidates: Vec<Candidate> = Vec::new();
    let mut seen: Set<String> = Set::default();
    let bounds: &[u16] = if asked.bound < 4 { &[0, 1] } else { &[0] };
    let options = Options { bound: asked.bound, ..Options::default() };
    let mut generalizer = Generalizer::new(system, upper, &options, limits)?;
    let subsets = subsets(upper, kept, system);
    for more in bounds {
        if *more > 0 {
            let sets: Vec<Vec<usize>> = candidates.iter().map(|it| it.facts.clone()).collect();
            judge(&mut candidates, generalizer.extend(&sets, limits)?, generalizer.bound());
        }
        for facts in &subsets {
            let Some(facts) = generalizer.generalize(facts, kept, limits)? else { continue };
            let partial = generalizer.partial(&facts);
            let formula = formula(system, &partial);
            if seen.insert(formula.clone()) {
                let bound = generalizer.bound();
                let mutable = mutable(system, &partial);
                candidates.push(Candidate {
                    facts,
                    partial,
                    formula,
                    bound,
                    refuted: None,
                    inductive: false,
                    mutable,
                });
            }
        }
        rank(&mut candidates);
        progress(told(context, &chosen.names, &candidates, &[], None)?);
    }
    let shallow =
        Limits { work: Some(limits.work.map_or(DEEPER, |work| work.min(DEEPER))), ..limits.clone() };
    while generalizer.bound() < SURVIVED {
        let sets: Vec<Vec<usize>> = candidates.iter().map(|it| it.facts.clone()).collect();
        match generalizer.extend(&sets, &shallow) {
            Ok(excluded) => judge(&mut candidates, excluded, generalizer.bound()),
            Err(Exhausted::Cancelled) => return Err(Exhausted::Cancelled.into()),
            // What is known of fewer steps has to do.
            Err(_) => break,
        }
        rank(&mut candidates);
        progress(told(context, &chosen.names, &candidates, &[], Some(generalizer.bound()))?);
    }
    merge(system, &mut candidates, context)?;
    for candidate in candidates.iter_mut().filter(|it| it.refuted.is_none()).take(MAX) {
        let (with_formula, formula) = conjecture(system, &candidate.partial);
        candidate.inductive = induction::is_inductive(&with_formula, formula, limits)?;
    }
    rank(&mut candidates);
    progress(told(context, &chosen.names, &candidates, &[], None)?);
    let mut merits = Vec::new();
    for candidate in candidates.iter().filter(|it| it.refuted.is_none()).take(MAX) {
        merits.push(merit(context, asked, &candidate.partial)?);
    }
    told(context, &chosen.names, &candidates, &merits, None)
}

/// Notes which candidates are false after this number of steps.
fn judge(candidates: &mut [Candidate], excluded: Vec<bool>, steps: u16) {
    for (candidate, is_excluded) in candidates.iter_mut().zip(excluded) {
        match candidate.refuted {
            Some(_) => {}
            None if is_excluded => candidate.bound = steps,
            None => candidate.refuted = Some(steps),
        }
    }
}

fn rank(candidates: &mut [Candidate]) {
    candidates.sort_by_key(|it| {
        (it.refuted.is_some(), !it.inductive, it.mutable, it.facts.len(), it.formula.clone())
    });
}

/// Returns the upper bounds, as indices of facts: all facts, and those that are not about one or two of the relations.
fn subsets(upper: &Partial, kept: &[usize], system: &System) -> Vec<Vec<usize>> {
    let is_kept = |sym: SymId| kept.iter().any(|&at| upper.facts[at].symbol() == Some(sym));
    let mut symbols: Vec<SymId> = Vec::new();
    for fact in &upper.facts {
        if let Some(sym) = fact.symbol()
            && !symbols.contains(&sym)
            && !is_kept(sym)
        {
            symbols.push(sym);
        }
    }
    // Relations that change distinguish states, so the first to be left out are these.
    symbols.sort_by_key(|&sym| !system.sig.symbols[sym].kind.is_mutable());
    let mut left_out: Vec<Vec<SymId>> = vec![Vec::new()];
    left_out.extend(symbols.iter().map(|&sym| vec![sym]));
    for (at, &a) in symbols.iter().enumerate() {
        left_out.extend(symbols[at + 1..].iter().map(|&b| vec![a, b]));
    }
    left_out.truncate(MAX_UPPER);
    let remaining = |out: Vec<SymId>| {
        let stays = |fact: &Fact| fact.symbol().is_none_or(|sym| !out.contains(&sym));
        let facts = upper.facts.iter().filter(|fact| stays(fact)).cloned().collect();
        let rest = Partial { facts }.without_strays(&system.sig);
        (0..upper.facts.len()).filter(|&at| rest.facts.contains(&upper.facts[at])).collect()
    };
    left_out.into_iter().map(remaining).collect()
}

fn mutable(system: &System, partial: &Partial) -> usize {
    let mut symbols: Vec<SymId> = partial.facts.iter().filter_map(Fact::symbol).collect();
    symbols.sort_unstable();
    symbols.dedup();
    symbols.into_iter().filter(|&sym| system.sig.symbols[sym].kind.is_mutable()).count()
}

/// Returns the system with the conjecture of a partial structure among its terms.
fn conjecture(system: &System, partial: &Partial) -> (System, TermId) {
    let mut system = system.clone();
    let formula = partial.conjecture(system.syntax_mut());
    (system, formula)
}

fn formula(system: &System, partial: &Partial) -> String {
    let (system, formula) = conjecture(system, partial);
    Pretty::new(system.syntax(), formula).to_string()
}

/// Removes candidates that the axioms make equivalent to another one with fewer facts.
fn merge(system: &System, candidates: &mut Vec<Candidate>, context: &Context<'_>) -> Result<(), Failed> {
    let mut with_all = system.clone();
    let formulas: Vec<_> = candidates.iter().map(|it| it.partial.conjecture(with_all.syntax_mut())).collect();
    let mut redundant = vec![false; candidates.len()];
    for at in 0..candidates.len().min(MAX) {
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

/// Returns what a conjecture would do: how many of the counterexamples to the obligation it excludes, how many obligations fail with it,
/// and which claims it makes unnecessary.
fn merit(context: &Context<'_>, asked: &Asked, partial: &Partial) -> Result<Value, Failed> {
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
    if fails == 0 {
        for (index, invariant) in system.invariants.iter().enumerate().filter(|(_, it)| !it.is_safety) {
            if failures(&with_formula, formula, &[index], limits) == 0 {
                unnecessary.push(invariant.label.clone());
            }
        }
    }
    Ok(json!({ "excludes": excluded, "of": all, "fails": fails, "unnecessary": unnecessary }))
}

/// Returns the number of obligations that do not hold with another claim and without some.
fn failures(system: &System, added: TermId, removed: &[usize], limits: &Limits) -> usize {
    let system = without_invariants(&with_invariant(system, added), removed);
    let options = verify::Options { all: true, minimize: false, ..verify::Options::default() };
    let verification = Plan::new(Arc::new(system), options).run(limits);
    let holds = |outcome: &Outcome| matches!(outcome, Outcome::Holds { .. });
    verification.results.iter().filter(|result| !holds(&result.outcome)).count()
}

fn told(
    context: &Context<'_>,
    names: &crate::forms::ElementNames,
    candidates: &[Candidate],
    merits: &[Value],
    deepening: Option<u16>,
) -> Result<Value, Failed> {
    let sig = &context.system.sig;
    let mut list = Vec::new();
    let good = candidates.iter().filter(|it| it.refuted.is_none()).take(MAX);
    for (at, candidate) in good.enumerate() {
        let mut value = json!({
            "formula": candidate.formula,
            "needed": scenes::texts(sig, names, &candidate.partial),
            "bound": candidate.bound,
            "inductive": candidate.inductive,
            "svg": scenes::partial(context, names, &candidate.partial, &format!("p{at}")),
        });
        if let Some(merit) = merits.get(at) {
            value["merit"] = merit.clone();
        }
        list.push(value);
    }
    let refuted: Vec<Value> = candidates
        .iter()
        .filter_map(|it| {
            it.refuted.map(|steps| {
                json!({
                    "formula": it.formula,
                    "steps": steps,
                    "needed": scenes::texts(sig, names, &it.partial),
                })
            })
        })
        .collect();
    let complete = !merits.is_empty() || list.is_empty();
    Ok(json!({ "suggestions": list, "refuted": refuted, "deepening": deepening, "complete": complete }))
}
