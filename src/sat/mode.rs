//! Alternating between focused mode (fast restarts) and stable mode (few restarts).

use super::config::Config;
use super::lit::Var;
use super::observer::Observer;
use super::solver::Solver;
use crate::base::ids::Id;

/// Which mode the search is in, and for how long.
#[derive(Clone, Debug)]
pub(super) struct Mode {
    pub(super) stable: bool,
    /// The first focused phase ends at this many conflicts; it measures the work of a phase.
    first_end: u64,
    /// Work of the first phase, once it is over.
    unit: u64,
    /// Ticks at which the mode changes next.
    next: u64,
    /// Ticks at the start of this phase.
    started: u64,
}

impl Mode {
    pub(super) fn new(config: &Config) -> Mode {
        Mode { stable: false, first_end: config.mode_interval, unit: 0, next: 0, started: 0 }
    }
}

impl<O: Observer> Solver<O> {
    /// Whether it is time to change the mode.
    pub(super) fn is_mode_switch_due(&self) -> bool {
        if self.mode.unit == 0 {
            self.stats.conflicts >= self.mode.first_end
        } else {
            self.stats.ticks >= self.mode.next
        }
    }

    /// Changes the mode.
    pub(super) fn switch_mode(&mut self) {
        if self.mode.unit == 0 {
            self.mode.unit = (self.stats.ticks - self.mode.started).max(1);
        }
        self.stats.mode_switches += 1;
        // Each phase of a mode is longer than the one before: 1, 4, 9, ... times the first.
        let round = self.stats.mode_switches.div_ceil(2);
        self.mode.next = self.stats.ticks + self.mode.unit * round * round;
        self.mode.stable = !self.mode.stable;
        if self.mode.stable {
            self.backtrack(self.assumptions.len() as u32);
            for index in 0..self.vars.len() {
                let var = Var::new(index);
                if self.values[var.positive().index()] == 0 {
                    self.heap.insert(var);
                }
            }
        }
        self.phases.forget_target();
    }
}
