//! Search for a proof that the targets hold at all lengths, interleaved with the search for executions.
//!
//! A proof shows that the targets are part of an inductive invariant: with invariants of the model, or with lemmas that a
//! search of the caller's finds. The former gets a share of the actual and expected cost of the lengths, which is negligible if
//! there is no such proof. The latter gets more than the lengths themselves once they take long: lemmas are found in a small
//! part of the time that many lengths take, if there are any.

use std::fmt;
use std::mem::replace;
use std::sync::Arc;

use super::{Bmc, Options, Violation};
use crate::query::Counterexample;
use crate::query::inductive::Induction;
use ramsey_core::base::budget::{Budget, Exhausted};
use ramsey_core::logic::TermId;
use ramsey_core::system::System;
use ramsey_solver::ask::Failure;
use ramsey_solver::epr::Clock;

/// Lemmas that may make targets inductive.
#[derive(Clone, Debug)]
pub struct Lemmas {
    /// The system that was searched, perhaps with further terms.
    pub system: Arc<System>,
    /// The lemmas: closed formulas over step 0, in the terms of that system.
    pub formulas: Vec<TermId>,
    /// For each target and then each lemma, per transition, the numbers of those that imply it afterwards, in the same order. A
    /// proof begins with these.
    pub hints: Vec<Vec<Option<Vec<usize>>>>,
}

/// What a search for lemmas ends with.
#[derive(Clone, Debug)]
pub enum LemmaAnswer {
    /// Lemmas, which are proved again by who uses them.
    Lemmas(Lemmas),
    /// The number of a target, and an execution that violates it. It is confirmed by evaluation, and need not be a shortest one.
    Violation(usize, Box<Counterexample>),
    /// Neither.
    Nothing,
}

/// A search for lemmas that can be suspended and resumed.
pub trait LemmaSearch: fmt::Debug + Send {
    /// Continues until it has an answer.
    ///
    /// # Errors
    /// Returns an error if the budget runs out; progress is kept.
    fn advance(&mut self, budget: &mut Budget) -> Result<LemmaAnswer, Failure>;
}

/// Prepares a search for lemmas about targets (formulas over step 0) with a seed and a clock; `None` if it cannot be made.
pub type LemmaSource = fn(&Arc<System>, &[TermId], u64, Option<Clock>) -> Option<Box<dyn LemmaSearch>>;

/// What the targets are shown with to be inductive.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Basis {
    /// Invariants of the model.
    Invariants,
    /// Lemmas that were found.
    Lemmas,
}

/// State of the search for a proof by one of the two ways.
#[derive(Debug)]
enum State {
    /// Not started.
    Possible,
    /// Lemmas are searched.
    Searching(Box<dyn LemmaSearch>),
    /// It is searched which candidates are inductive.
    Proving(Box<Induction>),
    /// There is no proof, or none is requested.
    Impossible,
}

/// The search for a proof.
#[derive(Debug)]
pub(super) struct ProofSearch {
    by_invariants: State,
    by_lemmas: State,
    source: Option<LemmaSource>,
    /// Set once a proof is found.
    pub(super) found: Option<Basis>,
    /// Set once an execution is known that violates a target.
    pub(super) known: Option<Box<Known>>,
    costs: Costs,
}

/// A violation that the search for lemmas has found.
#[derive(Debug)]
pub(super) struct Known {
    pub(super) violation: Violation,
    /// Number of units for executions after which no shorter one is looked for.
    limit: u64,
    /// Whether that number is reached.
    pub(super) is_over: bool,
}

/// Work units for executions, spent or expected, per work unit for induction with the model's invariants. A unit of induction
/// takes a few times as long, since its queries are many and short.
const INDUCTION_SHARE: u64 = 24;
/// Work units for lemmas per work unit for executions. A unit of a long unrolling takes longer, up to five times where there is
/// much equality.
const LEMMA_FACTOR: u64 = 2;
/// Minimum number of units to start the search for a proof: twice the cost of its preparation.
const MIN_START: u64 = 12_000;
/// Minimum number of units to continue the search for a proof: enough for a few queries.
const MIN_CONTINUE: u64 = 4_000;
/// Minimum number of units to start or continue the search for lemmas.
const MIN_LEMMAS: u64 = 400_000;
/// Number of units spent on executions or expected with which the search for lemmas starts.
const MIN_EXPECTED: u64 = 400_000;
/// Minimum number of units to look for violations that are shorter than a known one. As much as was spent before is spent again.
const MIN_SHORTER: u64 = 50_000_000;
/// Minimum number of units that a query gets before it is interrupted for a proof; it gets as many as all executions before,
/// if these are more.
const MIN_TURN: u64 = 400_000;

/// Work units spent so far.
#[derive(Clone, Copy, Default, Debug)]
struct Costs {
    /// Units for executions.
    executions: u64,
    /// Units of `executions` spent on the current length.
    current: u64,
    /// Units of `executions` spent on the previous length.
    last: u64,
    /// Units of `executions` spent on the length before the previous one.
    before: u64,
    /// Units for induction with the model's invariants.
    induction: u64,
    /// Units for lemmas.
    lemmas: u64,
}

impl Costs {
    fn spend(&mut self, units: u64) {
        self.executions += units;
        self.current += units;
    }

    fn next_length(&mut self) {
        self.before = self.last;
        self.last = self.current;
        self.current = 0;
    }

    /// Returns the number of units spent on lengths so far and expected for the next ones, if `lengths` lengths remain. The
    /// cost per length is expected to keep growing at its previous rate.
    fn expected(&self, lengths: u16) -> u64 {
        let (now, then) =
            if self.current > self.last { (self.current, self.last) } else { (self.last, self.before) };
        let growth = (now / then.max(1)).clamp(1, 4);
        let expected = now.saturating_mul(growth.pow(u32::from(lengths.min(3))));
        self.executions.saturating_add(expected)
    }
}

impl ProofSearch {
    /// Prepares a search with the model's invariants, if that is wanted, and with lemmas of the source.
    pub(super) fn new(by_invariants: bool, source: Option<LemmaSource>) -> ProofSearch {
        let by_invariants = if by_invariants { State::Possible } else { State::Impossible };
        let by_lemmas = if source.is_some() { State::Possible } else { State::Impossible };
        ProofSearch { by_invariants, by_lemmas, source, found: None, known: None, costs: Costs::default() }
    }

    /// Returns the number of work units spent on executions.
    pub(super) fn executions(&self) -> u64 {
        self.costs.executions
    }

    /// Notes that the next length begins.
    pub(super) fn next_length(&mut self) {
        self.costs.next_length();
    }

    /// Returns whether the current length need not be searched any more.
    pub(super) fn is_settled(&self) -> bool {
        self.found.is_some() || self.known.as_ref().is_some_and(|known| known.is_over)
    }

    fn is_over(&self) -> bool {
        matches!((&self.by_invariants, &self.by_lemmas), (State::Impossible, State::Impossible))
    }
}

impl Bmc {
    /// Continues the search for a proof within its share of the work, given the number of remaining lengths. Returns whether the
    /// targets are proved for every length.
    pub(super) fn is_proved(&mut self, lengths: u16, budget: &mut Budget) -> Result<bool, Failure> {
        if self.proof.found.is_none() {
            self.by_invariants(lengths, budget)?;
        }
        if self.proof.found.is_none() {
            self.by_lemmas(lengths, budget)?;
        }
        Ok(self.proof.found.is_some())
    }

    fn by_invariants(&mut self, lengths: u16, budget: &mut Budget) -> Result<(), Failure> {
        let costs = &self.proof.costs;
        let units = (costs.expected(lengths) / INDUCTION_SHARE).saturating_sub(costs.induction);
        if units >= MIN_START && matches!(self.proof.by_invariants, State::Possible) {
            let induction =
                Induction::new(&self.system, &self.formulas(), self.options.seed, self.options.clock);
            self.proof.by_invariants = State::Proving(Box::new(induction));
            self.proof.costs.induction += MIN_START / 2;
        }
        if units < MIN_CONTINUE {
            return Ok(());
        }
        let mut part = budget.part(units);
        let state = replace(&mut self.proof.by_invariants, State::Impossible);
        let state = self.proved(state, Basis::Invariants, &mut part);
        self.proof.costs.induction += part.spent();
        budget.absorb(&part)?;
        self.proof.by_invariants = state?;
        Ok(())
    }

    fn by_lemmas(&mut self, lengths: u16, budget: &mut Budget) -> Result<(), Failure> {
        let costs = &self.proof.costs;
        // Expectations may be far too high. They say that it is worth to begin.
        let first = if costs.expected(lengths) >= MIN_EXPECTED { MIN_LEMMAS } else { 0 };
        let units = costs.executions.saturating_mul(LEMMA_FACTOR).max(first).saturating_sub(costs.lemmas);
        if units < MIN_LEMMAS {
            return Ok(());
        }
        let mut part = budget.part(units);
        let mut violating = None;
        let mut state = replace(&mut self.proof.by_lemmas, State::Impossible);
        if let (State::Possible, Some(source)) = (&state, self.proof.source) {
            let system = self.unrolling.system();
            let search = source(system, &self.formulas(), self.options.seed, self.options.clock);
            state = search.map_or(State::Impossible, State::Searching);
        }
        if let State::Searching(search) = &mut state {
            match search.advance(&mut part) {
                Ok(LemmaAnswer::Lemmas(Lemmas { system, formulas, hints })) => {
                    let Options { seed, clock, .. } = self.options;
                    let mut induction = Induction::among(&system, &self.formulas(), &formulas, seed, clock);
                    induction.set_hints(hints);
                    state = State::Proving(Box::new(induction));
                }
                Ok(LemmaAnswer::Violation(target, counterexample)) => {
                    if counterexample.calls.len() <= usize::from(self.options.depth)
                        && let Some(&target) = self.targets.get(target)
                    {
                        violating = Some(Violation { target, counterexample: *counterexample });
                    }
                    state = State::Impossible;
                }
                Ok(LemmaAnswer::Nothing) => state = State::Impossible,
                Err(Failure::Exhausted(Exhausted::Work)) => {}
                // What limits the search for lemmas need not limit that for executions.
                Err(Failure::Exhausted(Exhausted::FormulaSize)) => {
                    state = State::Impossible;
                }
                Err(failure) => return Err(failure),
            }
        }
        let state = self.proved(state, Basis::Lemmas, &mut part);
        self.proof.costs.lemmas += part.spent();
        budget.absorb(&part)?;
        self.proof.by_lemmas = state?;
        if let Some(mut violation) = violating {
            if self.is_partial() {
                violation = self.completed(&violation.counterexample.calls, budget)?;
            }
            let spent = self.proof.costs.executions;
            let limit = spent.saturating_add(spent.max(MIN_SHORTER));
            self.proof.known = Some(Box::new(Known { violation, limit, is_over: false }));
        }
        Ok(())
    }

    /// Continues a proof. Returns its state.
    fn proved(&mut self, mut state: State, basis: Basis, budget: &mut Budget) -> Result<State, Failure> {
        let State::Proving(induction) = &mut state else { return Ok(state) };
        match induction.advance(budget) {
            Ok(true) => self.proof.found = Some(basis),
            Err(Exhausted::Work) => {}
            Ok(false) => return Ok(State::Impossible),
            Err(exhausted) => return Err(exhausted.into()),
        }
        Ok(state)
    }

    /// Checks whether the posed formulas are satisfied by an execution of the unrolling. A long search alternates with
    /// the search for a proof, and returns `false` once the length is settled.
    pub(super) fn search(&mut self, budget: &mut Budget) -> Result<bool, Failure> {
        loop {
            if self.proof.is_settled() {
                return Ok(false);
            }
            let spent = self.proof.costs.executions;
            let units = match &self.proof.known {
                Some(known) => known.limit.saturating_sub(spent),
                None if self.proof.is_over() => u64::MAX,
                None => MIN_TURN.max(spent),
            };
            let mut part = budget.part(units);
            let answer = self.unrolling.context_mut().search(&[], &mut part);
            self.proof.costs.spend(part.spent());
            budget.absorb(&part)?;
            match answer {
                Ok(answer) => return Ok(answer),
                Err(Exhausted::Work) if part.left() == 0 => {}
                // An assertion ran out of a budget, so that no further work leads to an answer.
                Err(exhausted) => return Err(exhausted.into()),
            }
            if let Some(known) = &mut self.proof.known {
                known.is_over = self.proof.costs.executions >= known.limit;
                continue;
            }
            let lengths = self.options.depth.saturating_sub(self.unrolling.depth() + 1);
            self.is_proved(lengths, budget)?;
        }
    }
}
