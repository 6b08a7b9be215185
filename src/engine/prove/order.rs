//! Order of steps in which each formula, or a witness of it, is introduced before its use.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use super::expand::{Constant, Expansion, Literal, Step};
use ramsey_core::base::hash::{Map, Set};
use ramsey_core::logic::{Node, TermId};

/// Returns the literals that a step introduces. The clause of each step, except an input, starts with the formula
/// being decomposed.
pub(super) fn introduced_literals<'a>(step: &Step, clause: &'a [Literal]) -> &'a [Literal] {
    match step {
        Step::Input(_) => clause,
        Step::Equality => &[],
        _ => clause.get(1..).unwrap_or_default(),
    }
}

/// Returns, for each formula, a step that introduces it and requires only formulas introduced before. Steps are
/// scheduled as soon as they can be written, `used` ones first.
pub(super) fn introductions(expansion: &Expansion, used: &[bool]) -> Map<TermId, usize> {
    let mut introduction: Map<TermId, usize> = Map::default();
    let mut waiting: Map<TermId, Vec<usize>> = Map::default();
    let mut missing: Vec<usize> = Vec::with_capacity(expansion.steps.len());
    let mut ready: BinaryHeap<Reverse<(bool, usize)>> = BinaryHeap::new();
    for (index, (step, clause)) in expansion.steps.iter().enumerate() {
        let mut needs: Vec<TermId> = Vec::new();
        if !matches!(step, Step::Input(_) | Step::Equality) {
            needs.extend(clause.first().map(|&(_, formula)| formula));
        }
        if let Step::Instance(_, tuple) = step {
            needs.extend(witnessed(expansion, tuple));
        }
        needs.sort_unstable();
        needs.dedup();
        missing.push(needs.len());
        if needs.is_empty() {
            ready.push(Reverse((!used[index], index)));
        }
        for formula in needs {
            waiting.entry(formula).or_default().push(index);
        }
    }
    while let Some(Reverse((_, index))) = ready.pop() {
        let (step, clause) = &expansion.steps[index];
        for &(_, formula) in introduced_literals(step, clause) {
            if introduction.contains_key(&formula) {
                continue;
            }
            introduction.insert(formula, index);
            for waiter in waiting.remove(&formula).unwrap_or_default() {
                missing[waiter] -= 1;
                if missing[waiter] == 0 {
                    ready.push(Reverse((!used[waiter], waiter)));
                }
            }
        }
    }
    introduction
}

/// Returns the formulas whose witnesses occur in these terms.
fn witnessed(expansion: &Expansion, tuple: &[TermId]) -> Vec<TermId> {
    let mut found = Vec::new();
    let mut pending = tuple.to_vec();
    let mut seen: Set<TermId> = Set::default();
    while let Some(term) = pending.pop() {
        if !seen.insert(term) {
            continue;
        }
        if let Node::App { sym, args, .. } = expansion.vocabulary.terms.node(term) {
            if let Some(&Constant::Witness(formula, _)) = expansion.vocabulary.constants.get(&sym) {
                found.push(formula);
            }
            pending.extend(expansion.vocabulary.terms.args(args));
        }
    }
    found
}
