//! Bumping: moves the variables of a conflict to the front of the decision order.

use super::analyze::SEEN;
use super::arena::ClauseRef;
use super::lit::Lit;
use super::observer::Observer;
use super::solver::Solver;
use ramsey_core::base::ids::Id;

/// Factor by which the weight of a bump decreases with each later conflict in stable mode.
const DECAY: f64 = 0.95;

impl<O: Observer> Solver<O> {
    /// Bumps all variables met by the last analysis, and those in reasons of the literals of the learned clause.
    /// Another propagation order would have met the latter (reason side rate; Liang et al., SAT 2016).
    pub(super) fn bump_analyzed(&mut self) {
        let depth = if self.mode.stable { 2 } else { 1 };
        for at in 0..self.analysis.learned.len() {
            self.analyze_reason(self.analysis.learned[at], depth);
        }
        let Solver { analysis, heap, queue, mode, cover, .. } = self;
        for &var in &analysis.analyzed {
            cover.bump(var);
        }
        if mode.stable {
            for &var in &analysis.analyzed {
                heap.bump(var);
            }
            heap.decay(DECAY);
        } else {
            // In the order of their earlier bumps, so that the queue keeps their relative order.
            analysis.analyzed.sort_unstable_by_key(|&var| queue.stamp(var));
            for &var in &analysis.analyzed {
                queue.bump(var);
            }
        }
    }

    /// Marks the literals in the reason of `lit` as analyzed, and recursively those in their reasons down to `depth`.
    fn analyze_reason(&mut self, lit: Lit, depth: u32) {
        let reason = self.var_info(lit).reason;
        if reason == ClauseRef::NONE {
            return;
        }
        for at in 0..self.arena.len(reason) {
            let other = self.arena.lits(reason)[at];
            let index = other.var().index();
            if self.analysis.flags[index] & SEEN != 0 || self.vars[index].level == 0 {
                continue;
            }
            self.analysis.flags[index] |= SEEN;
            self.analysis.analyzed.push(other.var());
            if depth > 1 {
                self.analyze_reason(other, depth - 1);
            }
        }
    }
}
