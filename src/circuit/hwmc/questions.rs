//! A SAT solver for questions about the edges of a graph.

use super::cnf::{Encoder, TRUE, uses};
use super::graph::{Edge, Graph};
use ramsey_solver::sat::{Config, Lit, Silent, Solver};

/// A solver with the clauses of the edges that questions are about.
pub struct Questions {
    encoder: Encoder,
    /// The solver.
    pub solver: Solver,
    /// Number of clauses that the solver has.
    loaded: usize,
}

impl Questions {
    /// Creates a solver without clauses.
    pub fn new(config: Config) -> Questions {
        let solver = Solver::with_config(config, Silent);
        Questions { encoder: Encoder::new(), solver, loaded: 0 }
    }

    /// Loads what the constraints and some other edges depend on, for questions about a step of which all constraints
    /// hold.
    pub fn of_step(graph: &Graph, constraints: &[Edge], others: impl IntoIterator<Item = Edge>) -> Questions {
        let roots: Vec<Edge> = constraints.iter().copied().chain(others).collect();
        let mut questions = Questions::new(Config::default());
        questions.load(graph, &uses(graph, roots.iter().copied()), roots);
        constraints.iter().for_each(|&edge| questions.require(edge));
        questions
    }

    /// Loads what edges depend on, with the number of uses by node; nodes without a number are used once.
    pub fn load(&mut self, graph: &Graph, uses: &[u32], edges: impl IntoIterator<Item = Edge>) {
        self.encoder.encode(graph, uses, edges);
        let missing = self.encoder.gates().len() - self.solver.num_vars();
        self.solver.new_vars(missing);
        self.encoder.clauses(self.loaded).for_each(|clause| self.solver.add_clause(clause));
        self.loaded = self.encoder.num_clauses();
    }

    /// Returns the literal of an edge; `None` if nothing that was loaded depends on it.
    pub fn known(&self, edge: Edge) -> Option<Lit> {
        self.encoder.known(edge)
    }

    /// Returns the literal of an edge that was loaded.
    pub fn lit(&self, edge: Edge) -> Lit {
        self.known(edge).unwrap_or(TRUE.positive())
    }

    /// Adds that an edge that was loaded is true.
    pub fn require(&mut self, edge: Edge) {
        let lit = self.lit(edge);
        self.solver.add_clause(&[lit]);
    }
}
