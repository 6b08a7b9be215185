//! The course of an inference: what is tried, in which order, with how much work.

use std::sync::Arc;

use super::oracle::{Claim, LemmaId, Oracle};
use super::sample::sample;
use super::search::{Found_, Search};
use super::{Answer, Event, Inference, Lemma, Observer, Options, Reason};
use crate::ask::Failure;
use crate::base::budget::Budget;
use crate::base::hash::Map;
use crate::forms::Partial;
use crate::logic::{SymbolKind, TermId, Terms};
use crate::system::System;
use crate::vc::Property;

/// Random executions at the beginning.
const RUNS: usize = 12;

/// Returns the formula of a property for all values of the choices in it.
fn for_all_choices(system: &System, terms: &mut Terms, formula: TermId) -> TermId {
    if !terms.has_choice(formula) {
        return formula;
    }
    let mut formulas = vec![formula];
    for sym in terms.symbols(formula) {
        if system.sig.symbols[sym].kind == SymbolKind::Choice {
            let choice = terms.app(&system.sig, sym, 0, &[]);
            let values = [terms.tru(), terms.fals()];
            formulas = formulas
                .into_iter()
                .flat_map(|formula| values.map(|value| (formula, value)))
                .map(|(formula, value)| replace(terms, formula, choice, value, &mut Map::default()))
                .collect();
        }
    }
    terms.and(&formulas)
}

/// Replaces a subterm.
fn replace(
    terms: &mut Terms,
    term: TermId,
    from: TermId,
    to: TermId,
    memo: &mut Map<TermId, TermId>,
) -> TermId {
    if term == from {
        return to;
    }
    if !terms.has_choice(term) {
        return term;
    }
    if let Some(&done) = memo.get(&term) {
        return done;
    }
    let children: Vec<TermId> = terms.children(term).collect();
    let children: Vec<TermId> =
        children.into_iter().map(|child| replace(terms, child, from, to, memo)).collect();
    let result = terms.rebuild(term, &children);
    memo.insert(term, result);
    result
}

/// Runs an inference.
pub(super) fn run(
    system: &Arc<System>,
    options: &Options,
    budget: &mut Budget,
    observer: &mut dyn Observer,
) -> Inference {
    let mut extended = (**system).clone();
    let properties: Vec<Property> =
        Property::safety(system).into_iter().filter(|property| !property.is_before_init(system)).collect();
    let claims: Vec<TermId> = properties
        .iter()
        .map(|property| for_all_choices(system, &mut extended.terms, property.formula(system)))
        .collect();
    let system = Arc::new(extended);
    let mut search = Search::new(Oracle::new(&system, options.seed, options.clock));
    for (property, &formula) in properties.iter().zip(&claims) {
        search.add(Claim::Formula(formula), Some(property.label(&system).to_owned()), true);
    }
    for candidate in &options.candidates {
        search.add(Claim::Formula(candidate.formula), candidate.name.clone(), false);
    }
    observer.event(system.syntax(), &Event::Started(options.method), &search.counts);
    let found =
        sample(&mut search, RUNS, options.seed, observer, budget).and_then(|violated| match violated {
            Some((property, state)) => Ok(Found_::Violated(property, state)),
            None => search.advance(observer, budget),
        });
    let mut extended = (*system).clone();
    let answer = match found {
        Ok(Found_::Inductive(needed)) => {
            Answer::Invariant(needed.iter().filter_map(|&id| lemma(&search, id, &mut extended)).collect())
        }
        Ok(Found_::Violated(property, state)) => Answer::InternalError(format!(
            "violated {property} in {state} reachable {}",
            search.is_reachable[state]
        )),
        Err(Failure::Exhausted(exhausted)) => {
            Answer::Unknown { reason: Reason::Exhausted(exhausted), lemmas: Vec::new(), open: Vec::new() }
        }
        Err(Failure::Internal(what) | Failure::Misuse(what)) => Answer::InternalError(what),
    };
    Inference {
        answer,
        system: Arc::new(extended),
        method: options.method,
        counts: search.counts,
        statistics: search.oracle.statistics(),
    }
}

/// Returns a lemma of the search; `None` for a property.
fn lemma(search: &Search, id: LemmaId, system: &mut System) -> Option<Lemma> {
    let it = &search.lemmas[id];
    if it.is_safety {
        return None;
    }
    let formula = search.oracle.formula(&it.claim, &mut system.terms);
    let excluded = match &it.claim {
        Claim::Excludes(pattern) => Some(Partial { facts: pattern.facts(&search.oracle.vocabulary) }),
        Claim::Formula(_) => None,
    };
    Some(Lemma { name: it.name.clone(), formula, excluded })
}
