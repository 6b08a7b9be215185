//! What questions have in common: how they fail, and what they cost.

use super::outcome::Statistics;
use crate::base::budget::Exhausted;
use crate::epr::{Clock, Solver, Stats};

/// Why a question has no answer.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Failure {
    /// A budget ran out.
    Exhausted(Exhausted),
    /// The tool contradicted itself.
    Internal(String),
    /// The question is not one about this system: an index or an element is out of range.
    Misuse(String),
}

impl From<Exhausted> for Failure {
    fn from(exhausted: Exhausted) -> Failure {
        Failure::Exhausted(exhausted)
    }
}

/// What a solver had done at some moment.
#[derive(Clone, Copy, Debug)]
pub(super) struct Meter {
    engine: Stats,
    conflicts: u64,
    terms: usize,
    started: u64,
    clock: Option<Clock>,
}

impl Meter {
    /// Starts to measure.
    pub(super) fn start(solver: &Solver, clock: Option<Clock>) -> Meter {
        Meter {
            engine: solver.stats(),
            conflicts: solver.sat_stats().conflicts,
            terms: solver.term_count(),
            started: clock.map_or(0, |clock| clock()),
            clock,
        }
    }

    /// What has been done since the start, with these work units.
    pub(super) fn read(&self, solver: &Solver, work: u64) -> Statistics {
        let after = Meter::start(solver, self.clock);
        Statistics {
            queries: after.engine.checks - self.engine.checks,
            rounds: after.engine.rounds - self.engine.rounds,
            instances: after.engine.instances - self.engine.instances,
            lemmas: after.engine.lemmas - self.engine.lemmas,
            conflicts: after.conflicts - self.conflicts,
            terms: (after.terms - self.terms) as u64,
            work,
            sat_ns: after.engine.sat_ns - self.engine.sat_ns,
            candidate_ns: after.engine.candidate_ns - self.engine.candidate_ns,
            join_ns: after.engine.join_ns - self.engine.join_ns,
            total_ns: after.started.saturating_sub(self.started),
        }
    }
}
