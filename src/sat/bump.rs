//! Bringing the variables of a conflict to the front of the decision order.

use super::observer::Observer;
use super::solver::Solver;

/// How much less a bump counts at each later conflict in stable mode.
const DECAY: f64 = 0.95;

impl<O: Observer> Solver<O> {
    /// Bumps all variables that the last analysis met.
    pub(super) fn bump_analyzed(&mut self) {
        let Solver { analysis, heap, queue, mode, .. } = self;
        if mode.stable {
            for &var in &analysis.analyzed {
                heap.bump(var);
            }
            heap.decay(DECAY);
        } else {
            // In the order of their earlier bumps: the queue keeps the relative order of what moves.
            analysis.analyzed.sort_unstable_by_key(|&var| queue.stamp(var));
            for &var in &analysis.analyzed {
                queue.bump(var);
            }
        }
    }
}
