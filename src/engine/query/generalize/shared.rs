//! Many generalizations of one state, over the same solvers.

use super::Options;
use super::run::{Run, Verdict};
use crate::query::verify::Limits;
use ramsey_core::base::budget::Exhausted;
use ramsey_core::system::System;
use ramsey_solver::ask::Failure;
use ramsey_solver::formulas::Partial;

/// Generalizes sets of facts of one partial structure. Executions are unrolled once for all of them.
pub struct Generalizer {
    run: Run,
    upper: Partial,
    /// The number of steps within which executions are looked at.
    bound: u16,
}

impl std::fmt::Debug for Generalizer {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Generalizer").field("bound", &self.bound).finish_non_exhaustive()
    }
}

impl Generalizer {
    /// Prepares generalizations of sets of facts of `upper`, a partial structure over the system's signature.
    /// [`Options::deepen`] is not used.
    ///
    /// # Errors
    /// Returns an error if the budget runs out.
    pub fn new(
        system: &System,
        upper: &Partial,
        options: &Options,
        limits: &Limits,
    ) -> Result<Generalizer, Failure> {
        let run = Run::new(system, upper, options, limits)?;
        Ok(Generalizer { run, upper: upper.clone(), bound: options.bound })
    }

    /// Returns the number of steps within which executions are looked at.
    pub fn bound(&self) -> u16 {
        self.bound
    }

    /// Returns the facts.
    pub fn upper(&self) -> &Partial {
        &self.upper
    }

    /// Checks whether no state within the bound has the facts at these indices.
    ///
    /// # Errors
    /// Returns an error if the budget runs out.
    pub fn is_excluded(&mut self, facts: &[usize], limits: &Limits) -> Result<bool, Exhausted> {
        Ok(matches!(self.run.excludes(facts, limits)?, Verdict::Excluded(_)))
    }

    /// Returns the facts, among those at the indices `facts`, that remain when facts are dropped while the others
    /// exclude all states within the bound. Those at the indices `kept` stay. `None` if a state has all of them.
    ///
    /// # Errors
    /// Returns an error if the budget runs out.
    pub fn generalize(
        &mut self,
        facts: &[usize],
        kept: &[usize],
        limits: &Limits,
    ) -> Result<Option<Vec<usize>>, Exhausted> {
        match self.run.excludes(facts, limits)? {
            Verdict::Excluded(core) => {
                let (facts, exhausted) = self.run.shrink(&self.upper, core, kept, limits, &mut |_| ());
                exhausted.map_or(Ok(Some(facts)), Err)
            }
            Verdict::Reached(_) | Verdict::Known(_) => Ok(None),
        }
    }

    /// Looks at executions of one more step, and returns for each set of facts whether no state that they reach has the
    /// facts.
    ///
    /// # Errors
    /// Returns an error if the budget runs out.
    pub fn extend(&mut self, sets: &[Vec<usize>], limits: &Limits) -> Result<Vec<bool>, Exhausted> {
        self.run.extend(&mut limits.budget());
        self.bound += 1;
        sets.iter().map(|facts| self.run.excludes_at(self.bound, facts, limits)).collect()
    }

    /// Returns the partial structure with the facts at these indices.
    pub fn partial(&self, facts: &[usize]) -> Partial {
        Partial { facts: facts.iter().map(|&fact| self.upper.facts[fact].clone()).collect() }
    }
}
