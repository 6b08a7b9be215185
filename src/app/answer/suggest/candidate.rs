//! Candidates for a suggestion, their order, and how they are told.

use crate::answer::context::Context;
use crate::answer::reach::conjecture;
use crate::answer::scenes;
use crate::reply::{Merit, Refuted, Suggestion, Suggestions};
use ramsey_core::logic::SymId;
use ramsey_core::system::System;
use ramsey_solver::forms::{ElementNames, Fact, Partial, Pretty};

/// Maximum number of suggestions.
pub(super) const MAX: usize = 12;

/// A conjecture.
pub(super) struct Candidate {
    /// Indices of the facts that it excludes together.
    pub(super) facts: Vec<usize>,
    pub(super) partial: Partial,
    pub(super) formula: String,
    /// The number of steps within which it is known to be true.
    pub(super) bound: u16,
    /// The number of steps after which it is false.
    pub(super) refuted: Option<u16>,
    /// Whether that is an execution of a small instance, and perhaps not the shortest one.
    pub(super) explored: bool,
    pub(super) inductive: bool,
    pub(super) merit: Option<Merit>,
    /// Relations and functions in it that change.
    mutable: usize,
}

impl Candidate {
    pub(super) fn new(system: &System, facts: Vec<usize>, partial: Partial, bound: u16) -> Candidate {
        let (with_formula, formula) = conjecture(system, &partial);
        let mut symbols: Vec<SymId> = partial.facts.iter().filter_map(Fact::symbol).collect();
        symbols.sort_unstable();
        symbols.dedup();
        let mutable = symbols.into_iter().filter(|&sym| system.sig.symbols[sym].kind.is_mutable()).count();
        Candidate {
            facts,
            partial,
            formula: Pretty::new(with_formula.syntax(), formula).to_string(),
            bound,
            refuted: None,
            explored: false,
            inductive: false,
            merit: None,
            mutable,
        }
    }
}

/// Notes which candidates are false after this number of steps.
pub(super) fn judge(candidates: &mut [Candidate], excluded: Vec<bool>, steps: u16) {
    for (candidate, is_excluded) in candidates.iter_mut().zip(excluded) {
        if is_excluded {
            candidate.bound = candidate.bound.max(steps);
        } else if candidate.refuted.is_none_or(|known| known > steps) {
            candidate.refuted = Some(steps);
            candidate.explored = false;
        }
    }
}

/// Sorts the candidates, the best first.
pub(super) fn rank(candidates: &mut [Candidate]) {
    candidates.sort_by_cached_key(|it| {
        let is_open = it.merit.as_ref().is_none_or(|merit| merit.fails > 0);
        // Where more has to be added anyway, what is simple counts for more than what excludes much.
        let merit = it.merit.as_ref().filter(|_| it.inductive);
        let left = merit.map_or(0, |merit| merit.of - merit.excludes);
        let size = (it.mutable, it.facts.len(), it.formula.clone());
        (it.refuted.is_some(), is_open, !it.inductive, left, size)
    });
}

/// Returns those that are not refuted, as many as are suggested.
pub(super) fn good(candidates: &mut [Candidate]) -> impl Iterator<Item = &mut Candidate> {
    candidates.iter_mut().filter(|it| it.refuted.is_none()).take(MAX)
}

/// Returns the answer, as far as it is known. `deepening` is the number of steps that were looked at last.
pub(super) fn told(
    context: &Context<'_>,
    names: &ElementNames,
    candidates: &[Candidate],
    deepening: Option<u16>,
    is_complete: bool,
) -> Suggestions {
    let sig = &context.system.sig;
    let good = candidates.iter().filter(|it| it.refuted.is_none()).take(MAX).enumerate();
    let suggestion = |(at, candidate): (usize, &Candidate)| Suggestion {
        formula: candidate.formula.clone(),
        needed: scenes::texts(sig, names, &candidate.partial),
        bound: candidate.bound,
        inductive: candidate.inductive,
        svg: scenes::partial(context, names, &candidate.partial, &format!("p{at}")),
        merit: candidate.merit.clone(),
    };
    let refuted = |it: &Candidate| {
        Some(Refuted {
            formula: it.formula.clone(),
            steps: it.refuted?,
            explored: it.explored,
            needed: scenes::texts(sig, names, &it.partial),
        })
    };
    Suggestions {
        suggestions: good.map(suggestion).collect(),
        refuted: candidates.iter().filter_map(refuted).collect(),
        deepening,
        complete: is_complete,
    }
}
