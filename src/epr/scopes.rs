//! Scopes: assertions that can be taken back, the last ones first.

use super::solver::{Label, Solver};
use crate::sat::Lit;

/// An open scope.
#[derive(Clone, Debug)]
pub(super) struct Scope {
    /// Assumed in queries as long as the scope is open; every clause of the scope is under this condition.
    pub(super) guard: Lit,
    /// Ground clauses that are asserted in it.
    pub(super) clauses: Vec<u32>,
    /// Instances of universal clauses that are asserted in it.
    pub(super) instances: Vec<u32>,
    /// The literals of labels that are made in it.
    pub(super) labels: Vec<Lit>,
    /// How many universal clauses counted before it was opened.
    active: usize,
}

impl Solver {
    /// Opens a scope.
    pub fn push(&mut self) {
        let guard = self.fresh_literal();
        let (clauses, instances, labels) = (Vec::new(), Vec::new(), Vec::new());
        self.scopes.push(Scope { guard, clauses, instances, labels, active: self.active.len() });
        self.symbols.push();
    }

    /// Closes the innermost scope: what was asserted in it, and the labels made in it, count no more. Nothing happens if
    /// none is open.
    pub fn pop(&mut self) {
        let Some(scope) = self.scopes.pop() else { return };
        for retired in scope.labels.into_iter().chain([scope.guard]) {
            self.sat.add_clause(&[!retired]);
        }
        self.active.truncate(scope.active);
        self.symbols.pop();
        let depth = self.scopes.len();
        self.unfinished = self.unfinished.filter(|&(_, within)| within <= depth);
        self.incomplete = self.incomplete.filter(|&within| within <= depth);
    }

    /// What was asserted under a label counts no more.
    pub fn retire(&mut self, label: Label) {
        self.sat.add_clause(&[!label.0]);
    }

    /// How many scopes are open.
    pub fn depth(&self) -> usize {
        self.scopes.len()
    }

    /// Closes scopes until so many are open, if there are more.
    pub fn pop_to(&mut self, depth: usize) {
        while self.scopes.len() > depth {
            self.pop();
        }
    }

    /// What assertions in the innermost scope are under.
    pub(super) fn guard(&self) -> Option<Lit> {
        self.scopes.last().map(|scope| scope.guard)
    }
}
