//! Search for a proof by induction, interleaved with the search for executions.
//!
//! A proof shows, with the model's invariants, that the targets hold at all depths. The search for it gets a small
//! share of the actual and expected cost of the lengths: the share is negligible if there is no such proof, and if there
//! is one it is found before the long lengths are searched.

use super::Bmc;
use crate::query::inductive::Induction;
use ramsey_core::base::budget::{Budget, Exhausted};
use ramsey_core::logic::TermId;
use ramsey_solver::ask::Failure;

/// State of the search for a proof by induction.
#[derive(Clone, Debug)]
pub(super) enum InductionState {
    /// Not started.
    Possible,
    /// In progress.
    Begun(Box<Induction>),
    /// A proof was found.
    Found,
    /// The model's invariants admit no proof, or none is requested.
    Impossible,
}

/// Work units for executions, spent or expected, per work unit for induction. A unit of induction takes a few times as
/// long, since its queries are many and short.
const INDUCTION_SHARE: u64 = 24;
/// Minimum number of units to start the search for a proof: twice the cost of its preparation.
const MIN_START: u64 = 12_000;
/// Minimum number of units to continue the search for a proof: enough for a few queries.
const MIN_CONTINUE: u64 = 4_000;
/// Minimum number of units that a query gets before it is interrupted for induction.
const MIN_TURN: u64 = 400_000;
/// Minimum number of units that a query gets before it is interrupted for induction, as a multiple of all earlier
/// work.
const TURN_FACTOR: u64 = 2;

/// Work units spent so far.
#[derive(Clone, Copy, Default, Debug)]
pub(super) struct Costs {
    /// Units for executions.
    executions: u64,
    /// Units of `executions` spent on the current length.
    current: u64,
    /// Units of `executions` spent on the previous length.
    last: u64,
    /// Units of `executions` spent on the length before the previous one.
    before: u64,
    /// Units for induction.
    induction: u64,
}

impl Costs {
    fn spend(&mut self, units: u64) {
        self.executions += units;
        self.current += units;
    }

    pub(super) fn next_length(&mut self) {
        self.before = self.last;
        self.last = self.current;
        self.current = 0;
    }

    /// Returns the total number of units that induction may cost if `lengths` lengths remain to be searched. The cost
    /// per length is expected to keep growing at its previous rate.
    fn share(&self, lengths: u16) -> u64 {
        let (now, then) =
            if self.current > self.last { (self.current, self.last) } else { (self.last, self.before) };
        let growth = (now / then.max(1)).clamp(1, 4);
        let expected = now.saturating_mul(growth.pow(u32::from(lengths.min(3))));
        self.executions.saturating_add(expected) / INDUCTION_SHARE
    }
}

impl Bmc {
    /// Continues the search for a proof by induction within its share of the work, given the number of remaining
    /// lengths. Returns whether the targets are proved for every length.
    pub(super) fn is_proved(&mut self, lengths: u16, budget: &mut Budget) -> Result<bool, Failure> {
        let units = self.costs.share(lengths).saturating_sub(self.costs.induction);
        if units >= MIN_START && matches!(self.proof, InductionState::Possible) {
            let system = self.unrolling.system();
            let claims: Vec<TermId> = self.targets.iter().map(|it| it.formula(system)).collect();
            let induction = Induction::new(system, &claims, self.options.seed, self.options.clock);
            self.proof = InductionState::Begun(Box::new(induction));
            self.costs.induction += MIN_START / 2;
        }
        let InductionState::Begun(induction) = &mut self.proof else {
            return Ok(matches!(self.proof, InductionState::Found));
        };
        if units < MIN_CONTINUE {
            return Ok(false);
        }
        let mut part = budget.part(units);
        let answer = induction.advance(&mut part);
        self.costs.induction += part.spent();
        budget.absorb(&part)?;
        match answer {
            Ok(true) => self.proof = InductionState::Found,
            Err(Exhausted::Work) => {}
            // A clause too large for the proof need not occur in the search for executions.
            Ok(false) | Err(Exhausted::ClauseSize) => self.proof = InductionState::Impossible,
            Err(exhausted) => return Err(exhausted.into()),
        }
        Ok(matches!(self.proof, InductionState::Found))
    }

    /// Checks whether the posed formulas are satisfied by an execution of the unrolling. A long search alternates with
    /// the search for a proof by induction, and returns `false` once that proof is found.
    pub(super) fn search(&mut self, budget: &mut Budget) -> Result<bool, Failure> {
        loop {
            let units = match self.proof {
                InductionState::Found => return Ok(false),
                InductionState::Impossible => u64::MAX,
                InductionState::Possible | InductionState::Begun(_) => {
                    MIN_TURN.max(TURN_FACTOR * self.costs.executions)
                }
            };
            let mut part = budget.part(units);
            let answer = self.unrolling.context_mut().search(&[], &mut part);
            self.costs.spend(part.spent());
            budget.absorb(&part)?;
            match answer {
                Ok(answer) => return Ok(answer),
                Err(Exhausted::Work) => {}
                Err(exhausted) => return Err(exhausted.into()),
            }
            let lengths = self.options.depth.saturating_sub(self.unrolling.depth() + 1);
            self.is_proved(lengths, budget)?;
        }
    }
}
