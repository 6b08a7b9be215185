//! Choice of the next decision variable and its phase.

use super::lit::{Lit, Var};
use super::observer::Observer;
use super::solver::Solver;
use ramsey_core::base::ids::Id;

/// The variables that are decided.
#[derive(Clone, Debug, Default)]
pub(super) struct Scope {
    is_limited: bool,
    /// By variable: the value of `clock` when it was last in the scope. Variables beyond the end never were.
    stamps: Vec<u32>,
    clock: u32,
}

impl Scope {
    #[inline]
    pub(super) fn is_limited(&self) -> bool {
        self.is_limited
    }

    #[inline]
    pub(super) fn contains(&self, var: Var) -> bool {
        !self.is_limited || self.stamps.get(var.index()) == Some(&self.clock)
    }
}

impl<O: Observer> Solver<O> {
    /// Limits the search to these variables until the scope is changed; `None` lifts the limit. Other variables are
    /// neither decided nor propagated, unless they are assumptions. Undoes the current assignment.
    ///
    /// Then [`Answer::Sat`](super::Answer::Sat) means that no clause over the variables of the scope is false. The caller has to
    /// know that every such assignment extends to a model, as where all other variables are gates of a circuit whose leaves
    /// are in the scope.
    pub fn set_scope(&mut self, scope: Option<&[Var]>) {
        self.backtrack(0);
        self.scope.is_limited = scope.is_some();
        self.scope.stamps.resize(self.vars.len(), self.scope.clock);
        self.scope.clock = self.scope.clock.wrapping_add(1);
        for var in scope.unwrap_or_default() {
            if let Some(stamp) = self.scope.stamps.get_mut(var.index()) {
                *stamp = self.scope.clock;
            }
        }
        self.queue.rewind();
        if self.mode.stable {
            self.fill_heap();
        }
    }

    /// Inserts all unassigned variables into the heap.
    pub(super) fn fill_heap(&mut self) {
        for index in 0..self.vars.len() {
            let var = Var::new(index);
            if self.values[var.positive().index()] == 0 {
                self.heap.insert(var);
            }
        }
    }

    /// Returns the variable to decide next, or `None` if all are assigned.
    pub(super) fn next_variable(&mut self) -> Option<Var> {
        if self.trail.len() == self.vars.len() {
            return None;
        }
        let (values, scope) = (&self.values, &self.scope);
        let assigned = |var: Var| values[var.positive().index()] != 0 || !scope.contains(var);
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
