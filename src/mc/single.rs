//! A SAT solver for questions about a single step, of which all constraints hold.

use super::cnf::{Encoder, TRUE, uses};
use super::graph::{Edge, Graph};
use crate::sat::{Config, Lit, Silent, Solver};

/// The clauses of a step.
pub(super) struct SingleStep {
    encoder: Encoder,
    pub(super) solver: Solver,
}

impl SingleStep {
    /// Loads what the constraints and some other edges depend on.
    pub(super) fn new(graph: &Graph, constraints: &[Edge], others: impl IntoIterator<Item = Edge>) -> Self {
        let roots: Vec<Edge> = constraints.iter().copied().chain(others).collect();
        let mut encoder = Encoder::new();
        let uses = uses(graph, roots.iter().copied());
        encoder.encode(graph, &uses, roots);
        let mut solver = Solver::with_config(Config::default(), Silent);
        solver.new_vars(encoder.gates().len());
        encoder.clauses(0).for_each(|clause| solver.add_clause(clause));
        let mut step = SingleStep { encoder, solver };
        constraints.iter().for_each(|&edge| step.require(edge));
        step
    }

    /// Returns the literal of an edge; `None` if nothing that was loaded depends on it.
    pub(super) fn known(&self, edge: Edge) -> Option<Lit> {
        self.encoder.known(edge)
    }

    /// Returns the literal of an edge that was loaded.
    pub(super) fn lit(&self, edge: Edge) -> Lit {
        self.known(edge).unwrap_or(TRUE.positive())
    }

    /// Adds that an edge is true.
    pub(super) fn require(&mut self, edge: Edge) {
        let lit = self.lit(edge);
        self.solver.add_clause(&[lit]);
    }
}
