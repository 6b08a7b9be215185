//! Choice of the next decision variable and its phase.

use super::lit::{Lit, Var};
use super::observer::Observer;
use super::solver::Solver;
use crate::base::ids::Id;

impl<O: Observer> Solver<O> {
    /// Returns the variable to decide next, or `None` if all are assigned.
    pub(super) fn next_variable(&mut self) -> Option<Var> {
        if self.trail.len() == self.vars.len() {
            return None;
        }
        let values = &self.values;
        let assigned = |var: Var| values[var.positive().index()] != 0;
        if !self.mode.stable {
            return self.queue.next(assigned);
        }
        while let Some(var) = self.heap.first() {
            if !assigned(var) {
                return Some(var);
            }
            self.heap.pop();
        }
        None
    }

    /// Decides `var` with its phase.
    pub(super) fn decide(&mut self, var: Var) {
        self.stats.decisions += 1;
        let lit: Lit = var.literal(self.phases.choose(var, self.mode.stable));
        self.decide_literal(lit);
    }
}
