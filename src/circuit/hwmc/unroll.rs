//! A system unrolled: one graph of several steps, with its clauses in one solver.

use super::graph::{Edge, Graph};
use super::outcome::Trace;
use super::questions::Questions;
use super::system::System;
use ramsey_core::base::budget::{Budget, Exhausted};
use ramsey_solver::sat::{Answer, Config, Lit};

/// The values of one step.
struct Step {
    latches: Vec<Edge>,
    /// The latches of the next step.
    next: Vec<Edge>,
    inputs: Vec<Edge>,
    bad: Edge,
}

/// Steps of a system from its initial states, or from any state.
pub(super) struct Unrolling {
    graph: Graph,
    steps: Vec<Step>,
    questions: Questions,
}

impl Unrolling {
    /// Creates an unrolling without steps.
    pub(super) fn new(seed: u64) -> Unrolling {
        let config = Config { seed, ..Config::default() };
        Unrolling { graph: Graph::new(), steps: Vec::new(), questions: Questions::new(config) }
    }

    /// Returns the number of steps.
    pub(super) fn len(&self) -> usize {
        self.steps.len()
    }

    /// Adds a step, whose constraints hold. The first one is in an initial state if `is_initial`.
    ///
    /// # Errors
    /// Returns the budget that was exhausted.
    pub(super) fn push(
        &mut self,
        system: &System,
        is_initial: bool,
        budget: &mut Budget,
    ) -> Result<(), Exhausted> {
        budget.spend(system.graph.len() as u64)?;
        let graph = &mut self.graph;
        let mut edges = vec![Edge::FALSE; system.graph.len()];
        let latches: Vec<Edge> = match self.steps.last() {
            Some(last) => last.next.clone(),
            None => system
                .latches
                .iter()
                .map(|latch| match latch.reset.filter(|_| is_initial) {
                    Some(value) => Edge::FALSE.negated_if(value),
                    None => graph.leaf(),
                })
                .collect(),
        };
        let inputs: Vec<Edge> = system.inputs.iter().map(|_| graph.leaf()).collect();
        for (latch, &edge) in system.latches.iter().zip(&latches) {
            edges[latch.leaf.node()] = edge;
        }
        for (input, &edge) in system.inputs.iter().zip(&inputs) {
            edges[input.leaf.node()] = edge;
        }
        system.graph.evaluate(&mut edges, |left, right| graph.and(left, right));
        let bad = system.bad.of(&edges);
        let constraints: Vec<Edge> = system.constraints.iter().map(|it| it.of(&edges)).collect();
        let next = system.latches.iter().map(|latch| latch.next.of(&edges)).collect();
        self.steps.push(Step { latches, next, inputs, bad });
        for constraint in constraints {
            self.require(constraint);
        }
        Ok(())
    }

    /// Asks whether the bad state of the last step is possible, for work up to that of the budget.
    ///
    /// # Errors
    /// Returns the budget that was exhausted; the question may be asked again.
    pub(super) fn is_bad_possible(&mut self, budget: &mut Budget) -> Result<bool, Exhausted> {
        let Some(bad) = self.steps.last().map(|step| step.bad) else { return Ok(false) };
        let bad = self.load(bad);
        Ok(self.questions.solver.solve(&[bad], budget)? == Answer::Sat)
    }

    /// Excludes the bad state of the last step.
    pub(super) fn exclude_bad(&mut self) {
        if let Some(bad) = self.steps.last().map(|step| step.bad) {
            self.require(!bad);
        }
    }

    /// Returns the execution of the last model.
    pub(super) fn trace(&self) -> Trace {
        let values = |edges: &[Edge]| edges.iter().map(|&edge| self.value(edge)).collect();
        Trace {
            state: self.steps.first().map(|step| values(&step.latches)).unwrap_or_default(),
            inputs: self.steps.iter().map(|step| values(&step.inputs)).collect(),
        }
    }

    /// Returns the value of an edge in the last model; false if nothing depends on it.
    fn value(&self, edge: Edge) -> bool {
        self.questions.known(edge).is_some_and(|lit| self.questions.solver.value(lit))
    }

    /// Returns the conflicts so far.
    pub(super) fn conflicts(&self) -> u64 {
        self.questions.solver.stats().conflicts
    }

    fn require(&mut self, edge: Edge) {
        let lit = self.load(edge);
        self.questions.solver.add_clause(&[lit]);
    }

    /// Returns the literal of an edge, after loading the clauses that it depends on.
    fn load(&mut self, edge: Edge) -> Lit {
        self.questions.load(&self.graph, &[], [edge]);
        self.questions.lit(edge)
    }
}
