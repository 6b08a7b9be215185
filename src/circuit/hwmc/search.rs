//! The search: property directed reachability, bounded model checking and induction in turns of counted work.

use super::circuit::Circuit;
use super::needed::needed;
use super::outcome::{Clause, Outcome, Proof, Stats, Trace};
use super::pdr::{self, Pdr};
use super::simulate::witness;
use super::system::System;
use super::unroll::Unrolling;
use ramsey_core::base::budget::{Budget, Exhausted};

/// The methods of a search.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Method {
    /// All methods in turns.
    #[default]
    All,
    /// Property directed reachability alone.
    Reachability,
    /// Bounded model checking alone, which finds shortest executions and proves nothing.
    Bounded,
    /// Induction over several steps, with bounded model checking for the beginning of executions.
    Induction,
}

/// Options of a search.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Options {
    /// The methods.
    pub method: Method,
    /// The seed of the SAT solvers.
    pub seed: u64,
}

/// Work of the first turn. Later ones are in proportion to the work so far.
const FIRST_TURN: u64 = 2_000_000;

/// Work of the first turn where property directed reachability has none.
const SMALL_TURN: u64 = 20_000;

/// The part of the work so far that property directed reachability may spend on, for each unit of the other methods.
const SHARE: u64 = 16;

/// The search for one property.
struct Search<'s> {
    system: &'s System,
    bounded: Unrolling,
    /// Number of steps after which bounded model checking found no bad state.
    checked: usize,
    /// Number of steps that property directed reachability found no bad state in.
    known: usize,
    /// Whether the last step was asked about but not answered yet.
    is_open: bool,
    induction: Unrolling,
    is_induction_open: bool,
}

/// An answer before it is about the circuit.
enum Found {
    Trace(Trace),
    Invariant(Vec<Clause>),
    Induction(usize),
}

/// Decides whether a bad state of the property is reachable. Returns `None` if the circuit has no such property.
pub fn check(
    circuit: &Circuit,
    property: usize,
    options: &Options,
    budget: &mut Budget,
) -> Option<(Outcome, Stats)> {
    let system = System::new(circuit, property)?;
    let mut search = Search {
        system: &system,
        bounded: Unrolling::new(options.seed),
        checked: 0,
        known: 0,
        is_open: false,
        induction: Unrolling::new(options.seed),
        is_induction_open: false,
    };
    let mut pdr = match options.method {
        Method::All | Method::Reachability => Some(Pdr::new(&system, options.seed)),
        Method::Bounded | Method::Induction => None,
    };
    let found = search.run(pdr.as_mut(), options.method, budget);
    let of_pdr = pdr.as_ref().map(Pdr::stats).unwrap_or_default();
    let stats = Stats {
        latches: system.latches.len() as u64,
        inputs: system.inputs.len() as u64,
        constants: system.constants.len() as u64,
        bmc: search.bounded.len() as u64,
        induction: search.induction.len() as u64,
        conflicts: of_pdr.conflicts + search.bounded.conflicts() + search.induction.conflicts(),
        ..of_pdr
    };
    let outcome = match found {
        Ok(found) => outcome(circuit, property, &system, found),
        Err(exhausted) => {
            let known = pdr.and_then(|pdr| pdr.bound());
            Outcome::Unknown { exhausted, bound: known.max(search.checked.checked_sub(1)) }
        }
    };
    Some((outcome, stats))
}

/// Returns an answer about the circuit.
fn outcome(circuit: &Circuit, property: usize, system: &System, found: Found) -> Outcome {
    let constants = system.constants.iter().map(|&constant| vec![constant]);
    match found {
        Found::Trace(trace) => match witness(circuit, property, system, &trace) {
            Some(witness) => Outcome::Unsafe(witness),
            None => Outcome::Defect,
        },
        Found::Invariant(clauses) => {
            let origin = |(latch, value): (usize, bool)| Some((system.latches.get(latch)?.origin, value));
            // A clause holds where the decided latches have their values.
            let others = system.decided.iter().map(|&(latch, value)| (latch, !value));
            let clauses = clauses
                .into_iter()
                .map(|clause| clause.into_iter().filter_map(origin).chain(others.clone()).collect());
            Outcome::Safe(Proof { invariant: constants.chain(clauses).collect(), induction: 0 })
        }
        Found::Induction(induction) => Outcome::Safe(Proof { invariant: constants.collect(), induction }),
    }
}

/// Returns the clauses of an invariant that the proof needs, as far as about as much work tells as was spent so far.
fn proving(system: &System, clauses: Vec<Clause>, budget: &Budget) -> Vec<Clause> {
    let mut part = budget.part(budget.spent().max(FIRST_TURN));
    needed(system, &clauses, &mut part).unwrap_or(clauses)
}

/// Property directed reachability for one property, which may be interrupted and continued.
pub struct Reachability {
    property: usize,
    system: System,
    pdr: Pdr,
}

impl Reachability {
    /// Starts a search. `None` if the circuit has no such property.
    pub fn new(circuit: &Circuit, property: usize, seed: u64) -> Option<Reachability> {
        let system = System::new(circuit, property)?;
        let pdr = Pdr::new(&system, seed);
        Some(Reachability { property, system, pdr })
    }

    /// Continues until the answer is known. `circuit` is the one that the search was started with.
    ///
    /// # Errors
    /// Returns the budget that was exhausted. The search can be continued with another one.
    pub fn advance(&mut self, circuit: &Circuit, budget: &mut Budget) -> Result<Outcome, Exhausted> {
        loop {
            let found = match self.pdr.advance(u64::MAX, budget)? {
                Some(pdr::Answer::Safe(clauses)) => Found::Invariant(proving(&self.system, clauses, budget)),
                Some(pdr::Answer::Unsafe(trace)) => Found::Trace(trace),
                None => continue,
            };
            return Ok(outcome(circuit, self.property, &self.system, found));
        }
    }

    /// Returns about how many bytes the search takes.
    pub fn memory(&self) -> usize {
        self.pdr.memory()
    }
}

impl Search<'_> {
    /// Runs the methods in turns until one has an answer.
    fn run(
        &mut self,
        mut pdr: Option<&mut Pdr>,
        method: Method,
        budget: &mut Budget,
    ) -> Result<Found, Exhausted> {
        budget.check()?;
        loop {
            let turn = if pdr.is_some() { FIRST_TURN } else { SMALL_TURN }.max(budget.spent());
            if let Some(pdr) = pdr.as_deref_mut() {
                let until = budget.spent() + turn;
                let answer = pdr.advance(until, budget)?;
                self.known = pdr.bound().map_or(0, |bound| bound + 1);
                match answer {
                    Some(pdr::Answer::Safe(clauses)) => {
                        return Ok(Found::Invariant(proving(self.system, clauses, budget)));
                    }
                    Some(pdr::Answer::Unsafe(trace)) => return self.shorten(trace, budget).map(Found::Trace),
                    None => {}
                }
            }
            let turn = if method == Method::All { turn / SHARE } else { turn };
            if method != Method::Reachability
                && let Some(trace) = self.bounded_turn(turn, budget)?
            {
                return Ok(Found::Trace(trace));
            }
            if matches!(method, Method::All | Method::Induction)
                && let Some(depth) = self.induction_turn(turn, budget)?
            {
                return Ok(Found::Induction(depth));
            }
        }
    }

    /// Looks for an execution that is shorter than `trace`, for at most as much work as was spent to find it.
    fn shorten(&mut self, trace: Trace, budget: &mut Budget) -> Result<Trace, Exhausted> {
        let mut part = budget.part(budget.spent().max(FIRST_TURN));
        let mut shortest = None;
        while self.checked.max(self.known) + 1 < trace.inputs.len() && shortest.is_none() {
            match self.bounded_step(&mut part) {
                Ok(found) => shortest = found,
                Err(_) => break,
            }
        }
        Ok(shortest.unwrap_or(trace))
    }

    /// Asks about more and more steps, for about so much work.
    fn bounded_turn(&mut self, work: u64, budget: &mut Budget) -> Result<Option<Trace>, Exhausted> {
        let mut part = budget.part(work);
        let found = loop {
            match self.bounded_step(&mut part) {
                Ok(Some(trace)) => break Ok(Some(trace)),
                Ok(None) => {}
                Err(Exhausted::Work) => break Ok(None),
                Err(exhausted) => break Err(exhausted),
            }
        };
        budget.absorb(&part)?;
        found
    }

    /// Asks about the next number of steps.
    fn bounded_step(&mut self, budget: &mut Budget) -> Result<Option<Trace>, Exhausted> {
        if !self.is_open {
            self.bounded.push(self.system, true, budget)?;
            self.is_open = true;
        }
        if self.bounded.len() > self.known && self.bounded.is_bad_possible(budget)? {
            return Ok(Some(self.bounded.trace()));
        }
        self.bounded.exclude_bad();
        self.is_open = false;
        self.checked = self.bounded.len();
        Ok(None)
    }

    /// Asks whether no bad state follows on more and more steps without one, for about so much work.
    fn induction_turn(&mut self, work: u64, budget: &mut Budget) -> Result<Option<usize>, Exhausted> {
        let mut part = budget.part(work);
        // What is proved for more steps than were checked from the initial states proves nothing yet.
        let found = loop {
            if !self.is_induction_open && self.induction.len() > self.checked {
                break Ok(None);
            }
            match self.induction_step(&mut part) {
                Ok(Some(depth)) => break Ok(Some(depth)),
                Ok(None) => {}
                Err(Exhausted::Work) => break Ok(None),
                Err(exhausted) => break Err(exhausted),
            }
        };
        budget.absorb(&part)?;
        found
    }

    fn induction_step(&mut self, budget: &mut Budget) -> Result<Option<usize>, Exhausted> {
        if !self.is_induction_open {
            self.induction.push(self.system, false, budget)?;
            self.is_induction_open = true;
        }
        let is_possible = self.induction.is_bad_possible(budget)?;
        if !is_possible {
            return Ok(self.induction.len().checked_sub(1));
        }
        self.induction.exclude_bad();
        self.is_induction_open = false;
        Ok(None)
    }
}
