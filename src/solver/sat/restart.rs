//! Restarts: when they happen, and how many levels they keep.

use super::observer::Observer;
use super::solver::Solver;
use crate::telemetry::{SAT, event};

impl<O: Observer> Solver<O> {
    /// Checks whether a restart is due.
    pub(super) fn is_restart_due(&self) -> bool {
        if self.levels.len() <= self.assumptions.len() {
            return false;
        }
        let restart = &self.restart;
        if self.mode.stable {
            restart.due
        } else {
            self.stats.conflicts >= restart.not_before
                && restart.slow.value() * self.config.restart_margin <= restart.fast.value()
        }
    }

    /// Backtracks to the assumptions, or to the last level that the next decisions would repeat.
    pub(super) fn restart(&mut self) {
        self.stats.restarts += 1;
        self.restart.due = false;
        self.restart.not_before = self.stats.conflicts + self.config.restart_interval;
        let level = self.reusable_levels();
        event!(Trace, SAT, "restart {} keeps {level} of {} levels", self.stats.restarts, self.levels.len());
        self.backtrack(level);
    }

    /// Returns the number of levels whose decisions precede the next decision in the decision order.
    fn reusable_levels(&mut self) -> u32 {
        let first = self.assumptions.len().min(self.levels.len());
        let Some(next) = self.next_variable() else { return first as u32 };
        let kept = self.levels[first..]
            .iter()
            .take_while(|level| {
                let var = level.decision.var();
                if self.mode.stable {
                    self.heap.precedes(var, next)
                } else {
                    self.queue.stamp(var) > self.queue.stamp(next)
                }
            })
            .count();
        (first + kept) as u32
    }
}
