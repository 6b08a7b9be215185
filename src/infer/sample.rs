//! Reachable states of small sizes, from random executions.

use std::sync::Arc;

use super::Observer;
use super::oracle::LemmaId;
use super::search::{Origin, Search, StateId};
use crate::ask::Failure;
use crate::base::budget::Budget;
use crate::logic::SortId;
use crate::query::Limits;
use crate::query::simulate::Simulator;

/// Steps of a random execution.
const STEPS: usize = 12;
/// Work units of each query of a random execution.
const WORK: u64 = 200_000;
/// Work units charged per state.
const CHARGE: u64 = 5_000;

/// Adds the states of `runs` random executions to the store. Returns a property and a state that violates it, if one
/// is reached.
///
/// # Errors
/// Returns an error if the budget runs out.
pub(super) fn sample(
    search: &mut Search,
    runs: usize,
    seed: u64,
    observer: &mut dyn Observer,
    budget: &mut Budget,
) -> Result<Option<(LemmaId, StateId)>, Failure> {
    let system = Arc::clone(&search.oracle.system);
    let limits = Limits { work: Some(WORK), outside: None, probe: None };
    let sorts: Vec<SortId> = system.sig.uninterpreted_sorts().collect();
    let mut simulator = Simulator::new(Arc::clone(&system), seed, limits);
    for run in 0..runs {
        budget.spend(CHARGE)?;
        // Every second execution has two elements per sort.
        let sizes: Vec<(SortId, u32)> =
            if run % 2 == 1 { sorts.iter().map(|&sort| (sort, 2)).collect() } else { Vec::new() };
        if !matches!(simulator.start(&sizes), Ok(true)) {
            continue;
        }
        // An execution that ends early has states all the same.
        let _ = simulator.walk(&[], STEPS, None);
        let Some(structure) = simulator.structure() else { continue };
        let calls = simulator.calls().to_vec();
        let mut before = None;
        for step in 0..structure.states() {
            budget.spend(CHARGE)?;
            let found = search.oracle.found(&structure, step);
            let origin = match (before, step.checked_sub(1).and_then(|at| calls.get(at))) {
                (Some(parent), Some(call)) => Origin::Step(parent, call.clone()),
                _ => Origin::Initial,
            };
            let (state, violated) = search.allow(found, origin, observer, budget)?;
            if let Some(property) = violated {
                return Ok(Some((property, state)));
            }
            before = Some(state);
        }
    }
    Ok(None)
}
