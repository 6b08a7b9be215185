//! Which value to try first, and moving that elsewhere from time to time.

use super::lit::Lit;
use super::observer::Observer;
use super::solver::Solver;
use crate::base::ids::Id;

impl<O: Observer> Solver<O> {
    /// Remembers the assignment before a conflict if it is the largest so far: the levels below the last one had none.
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

    /// Whether it is time to change the phases.
    pub(super) fn is_rephase_due(&self) -> bool {
        self.stats.conflicts >= self.schedule.rephase
    }

    /// Changes the saved phases: now and then back to the start or to chance, mostly to the best so far.
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
        self.schedule.rephase =
            self.stats.conflicts + self.config.rephase_interval * (self.stats.rephases + 1);
    }
}

/// Overwrites `phases` with the values on the trail; other variables keep theirs.
fn copy(phases: &mut [i8], trail: &[Lit]) {
    for lit in trail {
        phases[lit.var().index()] = if lit.is_negative() { -1 } else { 1 };
    }
}
