//! Reachable states of small sizes, from random executions.

use std::sync::Arc;

use super::outcome::Observer;
use super::search::{Search, Violation};
use crate::query::Limits;
use crate::query::simulate::{Simulator, StepRequest};
use ramsey_core::base::budget::Budget;
use ramsey_core::base::rng::Rng;
use ramsey_core::logic::SortId;
use ramsey_solver::ask::Failure;

/// Steps of a random execution.
const STEPS: usize = 12;
/// Maximum number of elements per sort.
const MAX_SIZE: usize = 3;
/// Work units of each query of a random execution.
const WORK: u64 = 200_000;
/// Work units charged per state.
const CHARGE: u64 = 5_000;

/// Adds the states of random executions, which have these numbers, to the store. Returns a property and a state that
/// violates it, if one is reached.
///
/// # Errors
/// Returns an error if the budget runs out, or for an internal error.
pub(super) fn sample(
    search: &mut Search,
    runs: std::ops::Range<usize>,
    observer: &mut dyn Observer,
    budget: &mut Budget,
) -> Result<Option<Violation>, Failure> {
    let system = Arc::clone(search.prover.system());
    let seed = search.seed();
    let limits = Limits { work: Some(WORK), outside: None, probe: None };
    let sorts: Vec<SortId> = system.sig.uninterpreted_sorts().collect();
    let mut simulator = Simulator::new(Arc::clone(&system), seed.wrapping_add(runs.start as u64), limits);
    let mut rng = Rng::new(seed ^ runs.start as u64);
    let mut taken = vec![0; system.transitions.len()];
    for run in runs {
        budget.spend(CHARGE)?;
        // With a single node, say, a protocol gets far in few steps.
        let least = if run % 2 == 1 { 1 } else { 2 };
        let size = |sort: SortId, rng: &mut Rng| (sort, (least + rng.below(MAX_SIZE + 1 - least)) as u32);
        let sizes: Vec<(SortId, u32)> =
            if run % 4 == 0 { Vec::new() } else { sorts.iter().map(|&sort| size(sort, &mut rng)).collect() };
        match simulator.start(&sizes) {
            Ok(true) => {}
            Ok(false) | Err(Failure::Exhausted(_)) => continue,
            Err(failure) => return Err(failure),
        }
        match walk(&mut simulator, STEPS + run / 2, &mut taken, &mut rng) {
            // An execution that ends early has states all the same.
            Ok(()) | Err(Failure::Exhausted(_)) => {}
            Err(failure) => return Err(failure),
        }
        let Some(structure) = simulator.structure() else { continue };
        let calls = simulator.calls().to_vec();
        if let Some(violation) = search.allow_execution(&structure, &calls, CHARGE, observer, budget)? {
            return Ok(Some(violation));
        }
    }
    Ok(None)
}

/// Walks at random. Every second step takes a transition that was taken least often, so that transitions with many
/// parameters or rare conditions are taken as well.
fn walk(simulator: &mut Simulator, steps: usize, taken: &mut [u32], rng: &mut Rng) -> Result<(), Failure> {
    for _ in 0..steps {
        let mut is_taken = false;
        if rng.one_in(2) {
            let mut order: Vec<usize> = (0..taken.len()).collect();
            order.sort_by_key(|&transition| taken[transition]);
            for transition in order.into_iter().take(3) {
                if simulator.step(&StepRequest { transition, args: None })?.is_none() {
                    taken[transition] += 1;
                    is_taken = true;
                    break;
                }
            }
        }
        if !is_taken {
            match simulator.random_step()? {
                Some(transition) => taken[transition] += 1,
                None => return Ok(()),
            }
        }
    }
    Ok(())
}
