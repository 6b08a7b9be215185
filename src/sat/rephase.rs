//! Which value to try first, and moving that elsewhere from time to time.

use super::lit::{Lit, Var};
use super::observer::Observer;
use super::solver::Solver;
use crate::base::ids::Id;
use crate::base::rng::Rng;

/// The values that decisions try first.
#[derive(Clone, Debug, Default)]
pub(super) struct Phases {
    /// By variable: the value it had last.
    saved: Vec<bool>,
    /// By variable: the value to start from.
    initial: Vec<bool>,
    /// By variable: its value in the largest assignment without conflict since the last change of phases; 0 for none.
    target: Vec<i8>,
    /// The same, kept until a change of phases to the best.
    best: Vec<i8>,
    target_size: usize,
    best_size: usize,
}

impl Phases {
    /// Makes room for one more variable.
    pub(super) fn grow(&mut self) {
        self.saved.push(false);
        self.initial.push(false);
        self.target.push(0);
        self.best.push(0);
    }

    /// Allocates for this many more variables.
    pub(super) fn reserve(&mut self, vars: usize) {
        self.saved.reserve(vars);
        self.initial.reserve(vars);
        self.target.reserve(vars);
        self.best.reserve(vars);
    }

    pub(super) fn set_initial(&mut self, var: Var, phase: bool) {
        self.initial[var.index()] = phase;
        self.saved[var.index()] = phase;
        self.target[var.index()] = 0;
    }

    #[inline]
    pub(super) fn save(&mut self, var: Var, phase: bool) {
        self.saved[var.index()] = phase;
    }

    /// The value to try for `var`.
    #[inline]
    pub(super) fn choose(&self, var: Var, stable: bool) -> bool {
        let target = if stable { self.target[var.index()] } else { 0 };
        if target == 0 { self.saved[var.index()] } else { target > 0 }
    }

    /// Lets the target grow from nothing again; the next assignment becomes the target.
    pub(super) fn forget_target(&mut self) {
        self.target_size = 0;
    }

    fn flip(&mut self) {
        self.saved.iter_mut().for_each(|phase| *phase = !*phase);
    }

    fn reset(&mut self) {
        self.saved.copy_from_slice(&self.initial);
    }

    fn randomize(&mut self, rng: &mut Rng) {
        self.saved.iter_mut().for_each(|phase| *phase = rng.one_in(2));
    }

    fn take_best(&mut self) {
        for (phase, &best) in self.saved.iter_mut().zip(&self.best) {
            if best != 0 {
                *phase = best > 0;
            }
        }
        self.best_size = 0;
    }
}

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
