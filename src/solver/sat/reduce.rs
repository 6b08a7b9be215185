//! Reduction: removal of learned clauses that are unlikely to be useful.

use super::arena::ClauseRef;
use super::observer::Observer;
use super::solver::Solver;
use crate::telemetry::{SAT, event};
use ramsey_core::base::ids::Id;

impl<O: Observer> Solver<O> {
    /// Checks whether a reduction is due.
    pub(super) fn is_reduce_due(&self) -> bool {
        self.stats.conflicts >= self.schedule.reduce
    }

    /// Removes the worst part of the learned clauses that were not used recently, and collects the garbage.
    pub(super) fn reduce(&mut self) {
        self.stats.reductions += 1;
        self.schedule.reduce =
            self.stats.conflicts + self.config.reduce_interval * (self.stats.reductions + 1);
        let mut candidates = self.reduce_candidates();
        // Worst first: high glue, then length; ties remove the older clause.
        candidates
            .sort_by_key(|&clause| std::cmp::Reverse((self.arena.glue(clause), self.arena.len(clause))));
        let removed = candidates.len() * self.config.reduce_percent / 100;
        for &clause in &candidates[..removed] {
            self.forget(clause);
        }
        self.stats.reduced += removed as u64;
        event!(
            Debug,
            SAT,
            "reduction {} at {} conflicts: {removed} of {} candidates removed",
            self.stats.reductions,
            self.stats.conflicts,
            candidates.len()
        );
        self.collect();
    }

    /// Returns the learned clauses that may be removed, and ages the others.
    fn reduce_candidates(&mut self) -> Vec<ClauseRef> {
        let mut candidates = Vec::new();
        let mut next = self.arena.first();
        while let Some(clause) = next {
            next = self.arena.next(clause);
            if !self.arena.is_learned(clause) || self.arena.glue(clause) <= self.config.core_glue {
                continue;
            }
            let used = self.arena.used(clause);
            if used > 0 {
                self.arena.set_used(clause, used - 1);
            } else if !self.is_reason(clause) {
                candidates.push(clause);
            }
        }
        candidates
    }

    /// Checks whether a literal on the trail has `clause` as its reason.
    pub(super) fn is_reason(&self, clause: ClauseRef) -> bool {
        // Propagation keeps the implied literal in one of the first two positions.
        self.arena.lits(clause)[..2]
            .iter()
            .any(|lit| self.val(*lit) > 0 && self.vars[lit.var().index()].reason == clause)
    }
}
