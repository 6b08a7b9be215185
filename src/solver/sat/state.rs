//! State that the parts of the search keep between calls.

use super::arena::ClauseRef;
use super::average::{Average, Reluctant};
use super::config::Config;
use super::lit::{ClauseId, Lit, Var};
use ramsey_core::base::ids::Id;
use ramsey_core::base::rng::Rng;

/// Scratch memory of conflict analysis and of `explain`.
#[derive(Clone, Debug, Default)]
pub(super) struct Analysis {
    /// By variable; all zero between analyses.
    pub(super) flags: Vec<u8>,
    /// The clause being learned; the first unique implication point comes first.
    pub(super) learned: Vec<Lit>,
    /// The variables marked `SEEN`.
    pub(super) analyzed: Vec<Var>,
    /// The variables marked `POISON` or `REMOVABLE`.
    pub(super) minimized: Vec<Var>,
    /// The levels of the seen literals.
    pub(super) levels: Vec<u32>,
    /// Learned clauses that took part in the analysis.
    pub(super) used: Vec<ClauseRef>,
    /// By level: the value of `clock` when the level was last counted for a glue.
    pub(super) stamps: Vec<u64>,
    pub(super) clock: u64,
    /// The antecedents of the clause explained last.
    pub(super) hints: Vec<ClauseId>,
    /// Explained reasons with their trail positions.
    pub(super) chain: Vec<(u32, ClauseRef)>,
    /// The variables marked `EXPLAINED`.
    pub(super) explained: Vec<Var>,
}

impl Analysis {
    /// Makes room for one more variable.
    pub(super) fn grow(&mut self) {
        self.flags.push(0);
    }

    /// Reserves capacity for `vars` more variables.
    pub(super) fn reserve(&mut self, vars: usize) {
        self.flags.reserve(vars);
    }
}

/// Search mode and the schedule of its changes.
#[derive(Clone, Debug)]
pub(super) struct Mode {
    pub(super) stable: bool,
    /// Number of conflicts at which the first focused phase ends. That phase measures the unit of work.
    pub(super) first_end: u64,
    /// Ticks of the first phase, once it is over.
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

/// Schedule of everything besides the search itself.
#[derive(Clone, Debug)]
pub(super) struct Schedule {
    /// Conflicts at which the phases are changed next.
    pub(super) rephase: u64,
    /// Conflicts at which the learned clauses are reduced next.
    pub(super) reduce: u64,
    /// Conflicts at which clauses are vivified next.
    pub(super) vivify: u64,
    /// Conflicts at which subsumption runs next.
    pub(super) subsume: u64,
    /// Ticks at the end of the last vivification.
    pub(super) vivified: u64,
    /// Ticks at the end of the last subsumption.
    pub(super) subsumed: u64,
    /// Ticks at the last garbage collection.
    pub(super) collected: u64,
    /// Number of root literals at the last garbage collection.
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

/// Values that decisions try first.
#[derive(Clone, Debug, Default)]
pub(super) struct Phases {
    /// By variable: its last value.
    pub(super) saved: Vec<bool>,
    /// By variable: its initial value.
    pub(super) initial: Vec<bool>,
    /// By variable: its value in the largest conflict-free assignment since the last rephasing; 0 if it has none.
    pub(super) target: Vec<i8>,
    /// Like `target`, but kept until the phases are set to the best assignment.
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

    /// Reserves capacity for `vars` more variables.
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

    /// Returns the value to try first for `var`.
    #[inline]
    pub(super) fn choose(&self, var: Var, stable: bool) -> bool {
        let target = if stable { self.target[var.index()] } else { 0 };
        if target == 0 { self.saved[var.index()] } else { target > 0 }
    }

    /// Resets the size of the target, so that the next assignment replaces it.
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

/// Weight of a new value in the fast average of the glue.
const FAST_ALPHA: f64 = 0.03;
/// Weight of a new value in the slow average of the glue.
const SLOW_ALPHA: f64 = 1e-5;

/// State of the restart policies.
#[derive(Clone, Debug)]
pub(super) struct Restart {
    pub(super) fast: Average,
    pub(super) slow: Average,
    pub(super) reluctant: Reluctant,
    /// Whether the reluctant doubling sequence requires a restart.
    pub(super) due: bool,
    /// Number of conflicts before which there is no restart.
    pub(super) not_before: u64,
}

impl Restart {
    pub(super) fn new(config: &Config) -> Restart {
        Restart {
            fast: Average::new(FAST_ALPHA),
            slow: Average::new(SLOW_ALPHA),
            reluctant: Reluctant::new(config.reluctant_period),
            due: false,
            not_before: 0,
        }
    }

    /// Updates the averages with the glue of a conflict.
    pub(super) fn note_conflict(&mut self, glue: u32, stable: bool) {
        self.fast.update(f64::from(glue));
        self.slow.update(f64::from(glue));
        if stable && self.reluctant.tick() {
            self.due = true;
        }
    }
}
