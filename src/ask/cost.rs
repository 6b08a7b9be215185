//! Failures and costs of questions.

use crate::base::budget::Exhausted;
use crate::epr::{Clock, Solver, Stats};

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

/// Cost of an answer.
#[derive(Clone, Copy, Default, PartialEq, Eq, Debug)]
pub struct Statistics {
    /// Satisfiability queries, minimization of counterexamples included.
    pub queries: u64,
    /// Rounds of the search for a candidate structure.
    pub rounds: u64,
    /// Ground instances of universal clauses added.
    pub instances: u64,
    /// Conflicts of the SAT solver.
    pub conflicts: u64,
    /// Lemmas of congruence closure.
    pub lemmas: u64,
    /// Ground terms created.
    pub terms: u64,
    /// Deterministic work units.
    pub work: u64,
    /// Nanoseconds in the SAT solver; 0 without a clock.
    pub sat_ns: u64,
    /// Nanoseconds in building candidate structures (implicant, congruence); 0 without a clock.
    pub candidate_ns: u64,
    /// Nanoseconds in the search for violated instances; 0 without a clock.
    pub join_ns: u64,
    /// Nanoseconds in total; 0 without a clock.
    pub total_ns: u64,
}

impl Statistics {
    /// Adds the cost `other`.
    pub fn add(&mut self, other: &Statistics) {
        self.queries += other.queries;
        self.rounds += other.rounds;
        self.instances += other.instances;
        self.conflicts += other.conflicts;
        self.lemmas += other.lemmas;
        self.terms += other.terms;
        self.work += other.work;
        self.sat_ns += other.sat_ns;
        self.candidate_ns += other.candidate_ns;
        self.join_ns += other.join_ns;
        self.total_ns += other.total_ns;
    }
}

/// Snapshot of a solver's counters, to measure the cost of later work.
#[derive(Clone, Copy, Debug)]
pub struct Meter {
    engine: Stats,
    conflicts: u64,
    terms: usize,
    started: u64,
    clock: Option<Clock>,
}

impl Meter {
    /// Takes a snapshot.
    pub fn start(solver: &Solver, clock: Option<Clock>) -> Meter {
        Meter {
            engine: solver.stats(),
            conflicts: solver.sat_stats().conflicts,
            terms: solver.term_count(),
            started: clock.map_or(0, |clock| clock()),
            clock,
        }
    }

    /// Returns the cost since the snapshot, with the given number of work units.
    pub fn read(&self, solver: &Solver, work: u64) -> Statistics {
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
