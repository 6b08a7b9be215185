//! When to restart, and how far.

use super::average::{Average, Reluctant};
use super::config::Config;
use super::observer::Observer;
use super::solver::Solver;

/// Conflicts over which the recent glue is averaged, inverted.
const FAST: f64 = 0.03;
/// The same for the glue to compare with.
const SLOW: f64 = 1e-5;

/// What decides on restarts.
#[derive(Clone, Debug)]
pub(super) struct Restart {
    fast: Average,
    slow: Average,
    reluctant: Reluctant,
    /// The reluctant doubling sequence asks for a restart.
    due: bool,
    /// No restart before this many conflicts.
    not_before: u64,
}

impl Restart {
    pub(super) fn new(config: &Config) -> Restart {
        Restart {
            fast: Average::new(FAST),
            slow: Average::new(SLOW),
            reluctant: Reluctant::new(config.reluctant_period),
            due: false,
            not_before: 0,
        }
    }

    /// Takes a conflict with this glue into account.
    pub(super) fn note_conflict(&mut self, glue: u32, stable: bool) {
        self.fast.update(f64::from(glue));
        self.slow.update(f64::from(glue));
        if stable && self.reluctant.tick() {
            self.due = true;
        }
    }
}

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
