//! What matters in an execution of an abstraction: the leaves of the circuit that its violation depends on.

use super::build::Abstraction;
use super::fact::{Fact, Input};
use super::path::{Known, Step};
use crate::hwmc::Witness;
use crate::hwmc::graph::Edge;
use ramsey_core::base::hash::{Map, Set};
use ramsey_core::logic::TermId;

/// What matters in a step of an execution.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Relevant {
    /// The formulas and terms of the state whose values matter.
    pub state: Set<TermId>,
    /// What the abstraction does not know, with the values that the execution chooses.
    pub assumed: Vec<(TermId, Known)>,
}

/// What it costs to tell a leaf.
const LATCH: u32 = 2;
const INPUT: u32 = 1;

impl Abstraction {
    /// Returns for each step of an execution leaves from whose values the violation follows: each decides the bad
    /// state, the guard of a transition that is taken, or the next value of a latch that matters. Where one of two
    /// operands decides a gate, it is the one that depends on less.
    pub fn relevant(&self, witness: &Witness, steps: &[Step]) -> Vec<Relevant> {
        let circuit = &self.circuit;
        let first = circuit.first_latch();
        let all: Vec<Vec<bool>> = circuit.run(witness).collect();
        let guards = self.guards();
        // The latches whose next values matter.
        let mut latches: Set<usize> = Set::default();
        let mut found = Vec::new();
        for (values, (inputs, step)) in all.iter().zip(witness.inputs.iter().zip(steps)).rev() {
            let mut costs = self.costs(values);
            let mut roots: Vec<Edge> = guards.clone();
            if found.is_empty() {
                // What matters anyway costs nothing: unless the violation is within the step, there is no guard.
                roots.extend(circuit.bad());
                circuit.bad().iter().for_each(|bad| costs[bad.node()] = 0);
            }
            roots.extend(latches.iter().map(|&latch| circuit.latches()[latch].next));
            let leaves = self.leaves(values, &costs, roots);
            latches = leaves.iter().filter_map(|node| node.checked_sub(first)).collect();
            let state = latches.iter().filter_map(|&latch| match self.latches.get(latch)? {
                Fact::Truth(term) | Fact::Is(term, _) => Some(*term),
                Fact::Below(..) | Fact::First => None,
            });
            let state = state.collect();
            let read: Set<usize> = leaves.iter().filter(|&&node| node < first).map(|node| node - 1).collect();
            found.push(Relevant { state, assumed: self.assumed(inputs, &read, step) });
        }
        found.reverse();
        found
    }

    /// Returns the constraints that depend on which transition is taken.
    fn guards(&self) -> Vec<Edge> {
        let mut depends = vec![false];
        depends.extend(self.inputs.iter().map(|input| matches!(input, Input::Transition(_))));
        depends.resize(self.circuit.first_gate(), false);
        for (_, [left, right]) in self.circuit.graph().gates() {
            depends.push(depends[left.node()] || depends[right.node()]);
        }
        self.circuit.constraints().iter().copied().filter(|edge| depends[edge.node()]).collect()
    }

    /// Returns how many leaves the value of each node depends on, roughly.
    fn costs(&self, values: &[bool]) -> Vec<u32> {
        let circuit = &self.circuit;
        let mut costs = vec![0_u32];
        costs.extend(self.inputs.iter().map(|input| match input {
            Input::Transition(_) => 0,
            _ => INPUT,
        }));
        costs.resize(circuit.first_gate(), LATCH);
        for (_, [left, right]) in circuit.graph().gates() {
            let (a, b) = (costs[left.node()], costs[right.node()]);
            costs.push(match (left.of(values), right.of(values)) {
                (true, true) => a.saturating_add(b),
                (false, false) => a.min(b),
                (false, true) => a,
                (true, false) => b,
            });
        }
        costs
    }

    /// Returns the inputs and latches that the values of roots depend on.
    fn leaves(&self, values: &[bool], costs: &[u32], roots: Vec<Edge>) -> Set<usize> {
        let mut seen: Set<usize> = Set::default();
        let mut leaves = Set::default();
        let mut left: Vec<usize> = roots.into_iter().map(Edge::node).collect();
        while let Some(node) = left.pop() {
            if node == 0 || !seen.insert(node) {
                continue;
            }
            let Some([a, b]) = self.circuit.graph().operands(node) else {
                leaves.insert(node);
                continue;
            };
            let (x, y) = (a.node(), b.node());
            match (a.of(values), b.of(values)) {
                (true, true) => left.extend([x, y]),
                (false, true) => left.push(x),
                (true, false) => left.push(y),
                (false, false) => left.push(if costs[y] < costs[x] { y } else { x }),
            }
        }
        leaves
    }

    /// Returns what the inputs say that are read, but for the transition and its parameters.
    fn assumed(&self, inputs: &[bool], read: &Set<usize>, step: &Step) -> Vec<(TermId, Known)> {
        let args = step.transition.and_then(|it| self.arguments.get(it)).map(Vec::as_slice);
        let args = args.unwrap_or_default();
        let mut indices: Map<TermId, usize> = Map::default();
        for (input, &is_set) in self.inputs.iter().zip(inputs) {
            if let Input::Index(term, bit) = *input {
                *indices.entry(term).or_default() |= usize::from(is_set) << bit;
            }
        }
        let mut found: Vec<(TermId, Known)> = Vec::new();
        for (at, (input, &is_set)) in self.inputs.iter().zip(inputs).enumerate() {
            let known = match *input {
                _ if !read.contains(&at) => None,
                Input::Fact(Fact::Truth(formula)) => Some((formula, Known::Truth(is_set))),
                Input::Index(term, _) => Some((term, self.tracked_at(term, indices.get(&term).copied()))),
                Input::Fact(_) | Input::Above(..) | Input::Transition(_) => None,
            };
            let known = known.filter(|(term, _)| !args.contains(term));
            found.extend(known.filter(|(term, _)| found.iter().all(|(other, _)| other != term)));
        }
        found
    }
}
