//! When to restart, and how far.

use super::observer::Observer;
use super::solver::Solver;

impl<O: Observer> Solver<O> {
    /// Whether it is time for a restart.
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

    /// Goes back to the assumptions, or as far as the next decisions would differ from those in place.
    pub(super) fn restart(&mut self) {
        self.stats.restarts += 1;
        self.restart.due = false;
        self.restart.not_before = self.stats.conflicts + self.config.restart_interval;
        let level = self.reusable_levels();
        self.backtrack(level);
    }

    /// The number of levels whose decisions come before the next one in the decision order.
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
