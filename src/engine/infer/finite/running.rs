//! An instance in progress, which is interrupted when a turn is over and goes on in the next one.

use std::fmt;

use ramsey_circuit::finite::Instance;
use ramsey_circuit::hwmc::{self, Outcome, Reachability};
use ramsey_core::base::budget::{Budget, Exhausted};

/// Maximum number of bytes of a search that is kept between turns.
const MAX_MEMORY: usize = 512 << 20;

/// An instance that is being decided.
pub(super) struct Running {
    pub(super) instance: Instance,
    search: Reachability,
    /// Work units so far.
    pub(super) spent: u64,
    /// The clauses of the invariant, once they are known.
    pub(super) invariant: Option<Vec<hwmc::Clause>>,
}

impl fmt::Debug for Running {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Running({} units)", self.spent)
    }
}

impl Running {
    /// Starts a search. `None` if the instance has no property.
    pub(super) fn new(instance: Instance, seed: u64) -> Option<Running> {
        let search = Reachability::new(instance.circuit(), 0, seed)?;
        Some(Running { instance, search, spent: 0, invariant: None })
    }

    /// Goes on for at most so many units of work in all. `None` if these do not suffice.
    ///
    /// # Errors
    /// Returns the budget that was exhausted. The search can be continued.
    pub(super) fn advance(&mut self, turn: u64, budget: &mut Budget) -> Result<Option<Outcome>, Exhausted> {
        let mut part = budget.part(turn.saturating_sub(self.spent));
        let result = self.search.advance(self.instance.circuit(), &mut part);
        self.spent = self.spent.saturating_add(part.spent());
        budget.absorb(&part)?;
        match result {
            Ok(outcome) => Ok(Some(outcome)),
            Err(Exhausted::Work) => Ok(None),
            Err(exhausted) => Err(exhausted),
        }
    }

    /// Checks whether the search is small enough to be kept.
    pub(super) fn is_small(&self) -> bool {
        self.search.memory() <= MAX_MEMORY
    }
}
