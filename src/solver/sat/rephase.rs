//! Rephasing: periodic changes of the saved phases.

use super::lit::Lit;
use super::observer::Observer;
use super::solver::Solver;
use crate::telemetry::{SAT, event};
use ramsey_core::base::ids::Id;

impl<O: Observer> Solver<O> {
    /// Saves the assignment before a conflict as target or best phases if it is the largest so far. The levels below
    /// the last one are free of conflicts.
    pub(super) fn note_assignment(&mut self) {
        if !self.mode.stable {
            return;
        }
        let size = self.levels.last().map_or(0, |level| level.start as usize);
        let Solver { phases, trail, .. } = self;
        if size > phases.target_size {
            phases.target_size = size;
            copy(&mut phases.target, &trail[..size]);
        }
        if size > phases.best_size {
            phases.best_size = size;
            copy(&mut phases.best, &trail[..size]);
        }
    }

    /// Checks whether a rephasing is due.
    pub(super) fn is_rephase_due(&self) -> bool {
        self.stats.conflicts >= self.schedule.rephase
    }

    /// Changes the saved phases: mostly to the best assignment, sometimes to initial, flipped or random values.
    pub(super) fn rephase(&mut self) {
        self.backtrack(0);
        match self.stats.rephases {
            0 => self.phases.reset(),
            round => match round % 6 {
                1 => self.phases.flip(),
                3 => self.phases.randomize(&mut self.rng),
                5 => self.phases.reset(),
                _ => self.phases.take_best(),
            },
        }
        self.phases.forget_target();
        self.phases.target.fill(0);
        self.stats.rephases += 1;
        event!(Debug, SAT, "rephase {} at {} conflicts", self.stats.rephases, self.stats.conflicts);
        self.schedule.rephase =
            self.stats.conflicts + self.config.rephase_interval * (self.stats.rephases + 1);
    }
}

/// Overwrites `phases` with the values on the trail. Other variables keep their phases.
fn copy(phases: &mut [i8], trail: &[Lit]) {
    for lit in trail {
        phases[lit.var().index()] = if lit.is_negative() { -1 } else { 1 };
    }
}
