//! Conjectures with what is known of them, and their order.

use crate::query::generalize::conjecture;
use ramsey_core::logic::SymId;
use ramsey_core::system::System;
use ramsey_solver::formulas::{Fact, Partial, Pretty};

/// What a conjecture would do.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Merit {
    /// Number of the given counterexamples that it excludes.
    pub excludes: usize,
    /// Number of the given counterexamples.
    pub of: usize,
    /// Number of obligations that do not hold with it.
    pub fails: usize,
    /// Labels of the claims that it makes unnecessary.
    pub unnecessary: Vec<String>,
}

/// A conjecture.
#[derive(Clone, Debug)]
pub struct Candidate {
    /// The partial structure that it excludes.
    pub partial: Partial,
    /// The formula as text.
    pub formula: String,
    /// The number of steps within which it is known to be true.
    pub bound: u16,
    /// The number of steps after which it is false.
    pub refuted: Option<u16>,
    /// Whether that is an execution of a small instance, and perhaps not the shortest one.
    pub explored: bool,
    /// Whether it is known to be inductive together with the claims.
    pub inductive: bool,
    /// What it would do, once that is known.
    pub merit: Option<Merit>,
    /// Indices of the facts that it excludes together.
    pub(super) facts: Vec<usize>,
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
            formula: Pretty::new(with_formula.syntax(), formula).to_string(),
            partial,
            bound,
            refuted: None,
            explored: false,
            inductive: false,
            merit: None,
            facts,
            mutable,
        }
    }

    /// Notes whether it is false after this number of steps.
    pub(super) fn judge(&mut self, is_excluded: bool, steps: u16) {
        if is_excluded {
            self.bound = self.bound.max(steps);
        } else if self.refuted.is_none_or(|known| known > steps) {
            self.refuted = Some(steps);
            self.explored = false;
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
