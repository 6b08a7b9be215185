//! Alternation between focused mode (frequent restarts) and stable mode (few restarts).

use super::observer::Observer;
use super::solver::Solver;
use crate::telemetry::{SAT, event};

impl<O: Observer> Solver<O> {
    /// Checks whether a change of mode is due.
    pub(super) fn is_mode_switch_due(&self) -> bool {
        if self.mode.unit == 0 {
            self.stats.conflicts >= self.mode.first_end
        } else {
            self.stats.ticks >= self.mode.next
        }
    }

    /// Switches between focused and stable mode.
    pub(super) fn switch_mode(&mut self) {
        if self.mode.unit == 0 {
            self.mode.unit = (self.stats.ticks - self.mode.started).max(1);
        }
        self.stats.mode_switches += 1;
        // Phase lengths grow quadratically: 1, 4, 9, ... times the first.
        let round = self.stats.mode_switches.div_ceil(2);
        self.mode.next = self.stats.ticks + self.mode.unit * round * round;
        self.mode.stable = !self.mode.stable;
        let mode = if self.mode.stable { "stable" } else { "focused" };
        event!(Debug, SAT, "{mode} mode from {} conflicts on", self.stats.conflicts);
        if self.mode.stable {
            self.backtrack(self.assumptions.len() as u32);
            self.fill_heap();
        }
        self.phases.forget_target();
    }
}
