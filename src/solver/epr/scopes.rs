//! Scopes: assertions that can be retracted in reverse order.

use super::atoms::GroundId;
use super::solver::{Label, Solver};
use crate::sat::Lit;

/// An open scope.
#[derive(Clone, Debug)]
pub(super) struct Scope {
    /// Assumption of all queries while the scope is open. Every clause of the scope is guarded by it.
    pub(super) guard: Lit,
    /// Ground clauses asserted in the scope.
    pub(super) clauses: Vec<GroundId>,
    /// Instances of universal clauses asserted in the scope.
    pub(super) instances: Vec<GroundId>,
    /// Literals of the labels created in the scope.
    pub(super) labels: Vec<Lit>,
    /// Number of active universal clauses when the scope was opened.
    active: usize,
    /// Whether a long search outside of stratified EPR has found a structure in the scope.
    pub(super) has_found: bool,
}

impl Solver {
    /// Opens a scope.
    pub fn push(&mut self) {
        let guard = self.fresh_literal();
        let (clauses, instances, labels) = (Vec::new(), Vec::new(), Vec::new());
        self.scopes.push(Scope {
            guard,
            clauses,
            instances,
            labels,
            active: self.active.len(),
            has_found: false,
        });
        self.symbols.push();
    }

    /// Closes the innermost scope, and retracts its assertions and labels. Does nothing if none is open.
    pub fn pop(&mut self) {
        let Some(scope) = self.scopes.pop() else { return };
        for retired in scope.labels.into_iter().chain([scope.guard]) {
            self.sat.add_clause(&[!retired]);
        }
        self.active.truncate(scope.active);
        self.symbols.pop();
        let depth = self.scopes.len();
        self.unfinished = self.unfinished.filter(|&(_, within)| within <= depth);
    }

    /// Drops the assertions under a label: no query may name it from now on.
    pub fn retire(&mut self, label: Label) {
        self.sat.add_clause(&[!label.0]);
    }

    /// Returns the number of open scopes.
    pub fn depth(&self) -> usize {
        self.scopes.len()
    }

    /// Closes scopes until at most `depth` are open.
    pub fn pop_to(&mut self, depth: usize) {
        while self.scopes.len() > depth {
            self.pop();
        }
    }

    /// Returns the guard of assertions in the innermost scope.
    pub(super) fn guard(&self) -> Option<Lit> {
        self.scopes.last().map(|scope| scope.guard)
    }
}
