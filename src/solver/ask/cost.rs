//! Failures and costs of questions.

use crate::epr::{Clock, Solver};
use crate::telemetry::counters;
use ramsey_core::base::budget::Exhausted;

/// Reason why a question has no answer.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Failure {
    /// A budget ran out.
    Exhausted(Exhausted),
    /// Internal inconsistency of the tool.
    Internal(String),
    /// The question does not fit the system: an index or an element is out of range.
    Misuse(String),
}

impl From<Exhausted> for Failure {
    fn from(exhausted: Exhausted) -> Failure {
        Failure::Exhausted(exhausted)
    }
}

counters! {
    /// What an answer cost.
    pub struct Statistics {
        /// Satisfiability queries, minimization of counterexamples included.
        queries => "queries",
        /// Rounds of candidate structures.
        rounds => "rounds",
        /// Ground instances of universal clauses that were added.
        instances => "instances",
        /// Ground terms that were made.
        terms => "terms",
        /// Conflicts of the SAT solver.
        conflicts => "conflicts",
        /// Lemmas of the congruence closure.
        lemmas => "lemmas",
        /// Deterministic work units.
        work => "work",
        /// Nanoseconds in the SAT solver; 0 where no clock was given.
        sat_ns => "sat",
        /// Nanoseconds in building candidate structures (implicant, congruence); 0 where no clock was given.
        candidate_ns => "candidates",
        /// Nanoseconds in the search for violated instances; 0 where no clock was given.
        join_ns => "joins",
        /// Nanoseconds in all; 0 where no clock was given.
        total_ns => "total",
    }
}

impl Statistics {
    /// Returns what a solver has counted since it was made.
    pub fn of_solver(solver: &Solver) -> Statistics {
        let engine = solver.stats();
        Statistics {
            queries: engine.checks,
            rounds: engine.rounds,
            instances: engine.instances,
            terms: solver.term_count() as u64,
            conflicts: solver.sat_stats().conflicts,
            lemmas: engine.lemmas,
            sat_ns: engine.sat_ns,
            candidate_ns: engine.candidate_ns,
            join_ns: engine.join_ns,
            ..Statistics::default()
        }
    }
}

/// Snapshot of counters, to measure the cost of later work.
#[derive(Clone, Copy, Debug)]
pub struct Meter {
    before: Statistics,
    started: u64,
    clock: Option<Clock>,
}

impl Meter {
    /// Starts a measurement at these counters, which only grow.
    pub fn start(before: Statistics, clock: Option<Clock>) -> Meter {
        Meter { before, started: clock.map_or(0, |clock| clock()), clock }
    }

    /// Returns the cost since the start, with the given number of work units. `after` are the same counters now.
    pub fn read(&self, after: &Statistics, work: u64) -> Statistics {
        let now = self.clock.map_or(0, |clock| clock());
        Statistics { work, total_ns: now.saturating_sub(self.started), ..after.since(&self.before) }
    }
}
