//! What the parts of the search remember from one call to the next.

use super::arena::ClauseRef;
use super::average::{Average, Reluctant};
use super::config::Config;
use super::lit::{ClauseId, Lit, Var};
use crate::base::ids::Id;
use crate::base::rng::Rng;

/// Scratch memory of conflict analysis and explanation.
#[derive(Clone, Debug, Default)]
pub(super) struct Analysis {
    /// By variable; all zero between analyses.
    pub(super) flags: Vec<u8>,
    /// The clause being learned; the implication point comes first.
    pub(super) learned: Vec<Lit>,
    /// The variables with `SEEN`.
    pub(super) analyzed: Vec<Var>,
    /// The variables with `POISON` or `REMOVABLE`.
    pub(super) minimized: Vec<Var>,
    /// The levels of the seen literals.
    pub(super) levels: Vec<u32>,
    /// Learned clauses met in the analysis.
    pub(super) used: Vec<ClauseRef>,
    /// By level: the last time it was counted for a glue.
    pub(super) stamps: Vec<u64>,
    pub(super) clock: u64,
    /// The antecedents of the clause just explained.
    pub(super) hints: Vec<ClauseId>,
    /// Explained reasons with their places on the trail.
    pub(super) chain: Vec<(u32, ClauseRef)>,
    /// The variables with `EXPLAINED`.
    pub(super) explained: Vec<Var>,
}

impl Analysis {
    /// Makes room for one more variable.
    pub(super) fn grow(&mut self) {
        self.flags.push(0);
    }

    /// Allocates for this many more variables.
    pub(super) fn reserve(&mut self, vars: usize) {
        self.flags.reserve(vars);
    }
}

/// Which mode the search is in, and for how long.
#[derive(Clone, Debug)]
pub(super) struct Mode {
    pub(super) stable: bool,
    /// The first focused phase ends at this many conflicts; it measures the work of a phase.
    pub(super) first_end: u64,
    /// Work of the first phase, once it is over.
    pub(super) unit: u64,
    /// Ticks at which the mode changes next.
    pub(super) next: u64,
    /// Ticks at the start of this phase.
    pub(super) started: u64,
}

impl Mode {
    pub(super) fn new(config: &Config) -> Mode {
        Mode { stable: false, first_end: config.mode_interval, unit: 0, next: 0, started: 0 }
    }
}

/// When what runs besides the search is due.
#[derive(Clone, Debug)]
pub(super) struct Schedule {
    /// Conflicts at which the phases change.
    pub(super) rephase: u64,
    /// Conflicts at which learned clauses are reduced.
    pub(super) reduce: u64,
    /// Conflicts at which clauses are vivified.
    pub(super) vivify: u64,
    /// Conflicts at which clauses are subsumed.
    pub(super) subsume: u64,
    /// Ticks when vivification ended last.
    pub(super) vivified: u64,
    /// Ticks when subsumption ended last.
    pub(super) subsumed: u64,
    /// Ticks when clauses were collected last.
    pub(super) collected: u64,
    /// Root literals when clauses were collected last.
    pub(super) collected_units: usize,
}

impl Schedule {
    pub(super) fn new(config: &Config) -> Schedule {
        Schedule {
            rephase: config.rephase_interval,
            reduce: config.reduce_interval,
            vivify: config.vivify_interval,
            subsume: config.subsume_interval,
            vivified: 0,
            subsumed: 0,
            collected: 0,
            collected_units: 0,
        }
    }
}

/// The values that decisions try first.
#[derive(Clone, Debug, Default)]
pub(super) struct Phases {
    /// By variable: the value it had last.
    pub(super) saved: Vec<bool>,
    /// By variable: the value to start from.
    pub(super) initial: Vec<bool>,
    /// By variable: its value in the largest assignment without conflict since the last change of phases; 0 for none.
    pub(super) target: Vec<i8>,
    /// The same, kept until a change of phases to the best.
    pub(super) best: Vec<i8>,
    pub(super) target_size: usize,
    pub(super) best_size: usize,
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

    pub(super) fn flip(&mut self) {
        self.saved.iter_mut().for_each(|phase| *phase = !*phase);
    }

    pub(super) fn reset(&mut self) {
        self.saved.copy_from_slice(&self.initial);
    }

    pub(super) fn randomize(&mut self, rng: &mut Rng) {
        self.saved.iter_mut().for_each(|phase| *phase = rng.one_in(2));
    }

    pub(super) fn take_best(&mut self) {
        for (phase, &best) in self.saved.iter_mut().zip(&self.best) {
            if best != 0 {
                *phase = best > 0;
            }
        }
        self.best_size = 0;
    }
}

/// Conflicts over which the recent glue is averaged, inverted.
const FAST: f64 = 0.03;
/// The same for the glue to compare with.
const SLOW: f64 = 1e-5;

/// What decides on restarts.
#[derive(Clone, Debug)]
pub(super) struct Restart {
    pub(super) fast: Average,
    pub(super) slow: Average,
    pub(super) reluctant: Reluctant,
    /// The reluctant doubling sequence asks for a restart.
    pub(super) due: bool,
    /// No restart before this many conflicts.
    pub(super) not_before: u64,
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
