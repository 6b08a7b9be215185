//! Executions to states with given facts.

use std::sync::Arc;

use super::world::World;
use super::{Maker, STEPS, WORLDS, path};
use crate::infer::claim::Claim;
use crate::infer::executions::confirmed;
use crate::infer::prover::Prover;
use crate::infer::state::Pattern;
use crate::query::Counterexample;
use ramsey_core::base::budget::{Budget, Exhausted};
use ramsey_core::base::rng::Rng;
use ramsey_core::logic::TermId;
use ramsey_core::system::System;
use ramsey_solver::ask::Failure;
use ramsey_solver::formulas::Partial;

/// Number of turns that each world gets.
const TURNS: usize = 4;

/// States that random executions of small instances reach. What they have is reachable; what they do not have may be
/// reachable all the same.
pub struct Exploration {
    prover: Prover,
    worlds: Vec<World>,
}

impl std::fmt::Debug for Exploration {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Exploration").field("worlds", &self.worlds).finish_non_exhaustive()
    }
}

impl Exploration {
    /// Explores instances of a system until they are exhausted or have had their turns, or the budget runs out. The
    /// result depends on the system, the seed and the limit to work alone.
    ///
    /// # Errors
    /// Returns an error if evaluation contradicts the search.
    pub fn new(system: &Arc<System>, seed: u64, budget: &mut Budget) -> Result<Exploration, Failure> {
        let system = System::sharing_without_proofs(system);
        let prover = Prover::new(&system, seed, None);
        let mut exploration = Exploration { prover, worlds: Vec::new() };
        match exploration.explore(&mut Rng::new(seed), budget) {
            Ok(()) | Err(Failure::Exhausted(_)) => Ok(exploration),
            Err(failure) => Err(failure),
        }
    }

    fn explore(&mut self, rng: &mut Rng, budget: &mut Budget) -> Result<(), Failure> {
        let maker = Maker { prover: &self.prover, claims: Vec::new() };
        for number in 0..WORLDS {
            if let Some(mut world) = maker.world(number, rng, budget)? {
                world.tabulate();
                self.worlds.push(world);
            }
        }
        for _ in 0..TURNS {
            for world in &mut self.worlds {
                world.run(STEPS, rng);
                budget.spend(STEPS * world.step_work() + world.tabulate())?;
            }
        }
        Ok(())
    }

    /// Returns the number of states.
    pub fn states(&self) -> usize {
        self.worlds.iter().map(World::tabulated).sum()
    }

    /// Checks whether all facts of a partial structure are true of some elements in one of the states.
    ///
    /// # Errors
    /// Returns an error if the budget runs out.
    pub fn has(&self, system: &System, partial: &Partial, budget: &mut Budget) -> Result<bool, Exhausted> {
        let Some(pattern) = self.pattern(system, partial) else { return Ok(false) };
        let claim = Claim::Excludes(pattern);
        let mut work = 1;
        let has = self.worlds.iter().any(|world| world.refuting(&claim, 0, &mut work).is_some());
        budget.spend(work)?;
        Ok(has)
    }

    fn pattern(&self, system: &System, partial: &Partial) -> Option<Pattern> {
        Pattern::of_facts(partial, &system.sig, self.prover.vocabulary())
    }

    /// Returns an execution to one of the states in which all facts of a partial structure are true of some elements,
    /// if there is one. `formula` is the conjecture of the partial structure, over the terms of `system`, which is the
    /// system explored, perhaps with more terms.
    ///
    /// # Errors
    /// Returns an error if evaluation contradicts the search.
    pub fn reach(
        &self,
        system: &System,
        partial: &Partial,
        formula: TermId,
        budget: &mut Budget,
    ) -> Result<Option<Counterexample>, Failure> {
        let Some(pattern) = self.pattern(system, partial) else { return Ok(None) };
        let claim = Claim::Excludes(pattern);
        let mut work = 1;
        let mut shortest: Option<(&World, usize, usize)> = None;
        for world in &self.worlds {
            if let Some(state) = world.refuting(&claim, 0, &mut work) {
                let steps = world.execution(state).0.inputs.len();
                if shortest.is_none_or(|(.., known)| steps < known) {
                    shortest = Some((world, state, steps));
                }
            }
        }
        budget.spend(work)?;
        let Some((world, state, _)) = shortest else { return Ok(None) };
        let (structure, calls) = path(self.prover.system(), world, state);
        let structure = structure.reduct(&system.sig);
        confirmed(system, structure, calls, formula, budget).map(Some)
    }
}
