//! Backtracking.

use super::observer::Observer;
use super::solver::Solver;
use ramsey_core::base::ids::Id;

impl<O: Observer> Solver<O> {
    /// Undoes all levels above `level`, and saves the undone values as phases.
    pub(super) fn backtrack(&mut self, level: u32) {
        let Some(undone) = self.levels.get(level as usize) else { return };
        let start = undone.start as usize;
        self.cover.rewind(undone.covered);
        for &lit in &self.trail[start..] {
            let var = lit.var();
            self.values[lit.index()] = 0;
            self.values[(!lit).index()] = 0;
            self.phases.save(var, !lit.is_negative());
            self.queue.unassigned(var);
            if self.mode.stable {
                self.heap.insert(var);
            }
        }
        self.first.rewind();
        self.trail.truncate(start);
        self.levels.truncate(level as usize);
        self.head = self.head.min(start);
    }
}
