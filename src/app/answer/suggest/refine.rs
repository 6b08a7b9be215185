//! Generalizations that states explored refute, with more facts.

use crate::answer::context::Context;
use ramsey_core::base::budget::Exhausted;
use ramsey_engine::infer::Exploration;
use ramsey_engine::query::generalize::Generalizer;
use ramsey_solver::forms::Partial;

/// Finds more facts where those that exclude executions of few steps occur in a state explored.
pub(super) struct Refiner<'a> {
    pub(super) context: &'a Context<'a>,
    pub(super) exploration: &'a Exploration,
    pub(super) upper: &'a Partial,
    pub(super) kept: &'a [usize],
}

impl Refiner<'_> {
    /// Checks whether a state explored has the facts.
    fn has(&self, facts: &[usize]) -> Result<bool, Exhausted> {
        let Context { system, limits, .. } = *self.context;
        let facts = facts.iter().map(|&fact| self.upper.facts[fact].clone()).collect();
        self.exploration.has(system, &Partial { facts }, &mut limits.budget())
    }

    /// Returns some of the facts at the indices `all`, which no state explored has and no state within the bound, and
    /// without each of which there is one that has them. `core` is what excludes the states within the bound. `None` if it
    /// excludes all states, or a state has all facts.
    pub(super) fn refined(
        &self,
        generalizer: &mut Generalizer,
        all: &[usize],
        core: &[usize],
    ) -> Result<Option<Vec<usize>>, Exhausted> {
        let Context { system, limits, .. } = *self.context;
        if !self.has(core)? || self.has(all)? {
            return Ok(None);
        }
        // Relations that change are dispensable first, disequalities last: most are gone with their elements.
        let mut order: Vec<usize> = all.iter().copied().filter(|fact| !self.kept.contains(fact)).collect();
        order.sort_by_key(|&fact| {
            let symbol = self.upper.facts[fact].symbol();
            let kind = symbol.map_or(2, |sym| u8::from(!system.sig.symbols[sym].kind.is_mutable()));
            (core.contains(&fact), kind)
        });
        let mut facts = all.to_vec();
        for dropped in order {
            let rest: Vec<usize> = facts.iter().copied().filter(|&fact| fact != dropped).collect();
            let needs_core = core.contains(&dropped);
            if !self.has(&rest)? && (!needs_core || generalizer.is_excluded(&rest, limits)?) {
                facts = rest;
            }
        }
        Ok(Some(facts))
    }
}
