//! A circuit with one property, reduced to what the property depends on.

use super::decided::decided;
use super::graph::{Edge, Graph};
use crate::lang::aiger::{Circuit, Lit};

/// A latch of a system.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Latch {
    /// Its leaf in the graph.
    pub leaf: Edge,
    /// Its value in the next state.
    pub next: Edge,
    /// Its value in initial states; `None` if it is arbitrary.
    pub reset: Option<bool>,
    /// Its position in the circuit.
    pub origin: usize,
}

/// An input of a system.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Input {
    /// Its leaf in the graph.
    pub leaf: Edge,
    /// Its position in the circuit.
    pub origin: usize,
}

/// A transition system: latches, inputs, and the bad states of one property.
#[derive(Clone, Debug)]
pub struct System {
    /// The graph that all edges belong to.
    pub graph: Graph,
    /// The latches in the cone of the property and the constraints.
    pub latches: Vec<Latch>,
    /// The inputs in the cone.
    pub inputs: Vec<Input>,
    /// The bad states.
    pub bad: Edge,
    /// Conditions that hold in every step of an execution.
    pub constraints: Vec<Edge>,
    /// Latches of the circuit that have the same value in all reachable states, found by ternary simulation, with that
    /// value. That they have it is an inductive invariant.
    pub constants: Vec<(usize, bool)>,
    /// Latches of the circuit that no step changes, with the value that they have in each execution to a bad state.
    /// Here they are constants, so what holds in this system holds in the circuit where they have these values.
    pub decided: Vec<(usize, bool)>,
}

impl System {
    /// Returns the system of a property of the circuit, by its position; `None` if there is no such property.
    pub fn new(circuit: &Circuit, property: usize) -> Option<System> {
        let constants = constants(circuit);
        let system = System::reduced(circuit, property, constants, Vec::new())?;
        let decided = decided(&system);
        if decided.is_empty() {
            return Some(system);
        }
        System::reduced(circuit, property, system.constants, decided)
    }

    /// Returns the system of a property, with constants in the place of latches.
    fn reduced(
        circuit: &Circuit,
        property: usize,
        constants: Vec<(usize, bool)>,
        decided: Vec<(usize, bool)>,
    ) -> Option<System> {
        let bad = *circuit.properties().get(property)?;
        let mut graph = Graph::new();
        let mut edges = vec![Edge::FALSE];
        edges.extend((0..circuit.num_inputs()).map(|_| graph.leaf()));
        let leaves: Vec<Edge> = circuit.latches().iter().map(|_| graph.leaf()).collect();
        edges.extend(&leaves);
        for &(latch, value) in constants.iter().chain(&decided) {
            edges[circuit.first_latch() + latch] = Edge::FALSE.negated_if(value);
        }
        let edge = |edges: &[Edge], lit: Lit| edges[lit.var()].negated_if(lit.is_negated());
        for &[left, right] in circuit.gates() {
            let gate = graph.and(edge(&edges, left), edge(&edges, right));
            edges.push(gate);
        }
        let bad = edge(&edges, bad);
        let mut constraints: Vec<Edge> = circuit.constraints().iter().map(|&lit| edge(&edges, lit)).collect();
        constraints.sort_unstable();
        constraints.dedup();
        constraints.retain(|&constraint| constraint != Edge::TRUE);
        let nexts: Vec<Edge> = circuit.latches().iter().map(|latch| edge(&edges, latch.next)).collect();
        let seen = cone(&graph, &leaves, &nexts, constraints.iter().copied().chain([bad]));
        let latches = circuit.latches().iter().zip(&leaves).zip(&nexts).enumerate();
        let latches = latches.filter(|(_, ((_, leaf), _))| seen[leaf.node()]);
        let latches = latches
            .map(|(origin, ((latch, &leaf), &next))| Latch { leaf, next, reset: latch.reset, origin })
            .collect();
        let inputs = (0..circuit.num_inputs()).filter(|origin| seen[1 + origin]);
        let inputs = inputs.map(|origin| Input { leaf: Edge::positive(1 + origin), origin }).collect();
        Some(System { graph, latches, inputs, bad, constraints, constants, decided })
    }
}

/// Returns, by node, whether it is in the cone of the roots, across latches.
fn cone(graph: &Graph, leaves: &[Edge], nexts: &[Edge], roots: impl Iterator<Item = Edge>) -> Vec<bool> {
    let mut next_of = vec![None; graph.len()];
    for (leaf, &next) in leaves.iter().zip(nexts) {
        next_of[leaf.node()] = Some(next);
    }
    let mut seen = vec![false; graph.len()];
    let mut stack: Vec<Edge> = roots.collect();
    while let Some(edge) = stack.pop() {
        let node = edge.node();
        if !std::mem::replace(&mut seen[node], true) {
            stack.extend(graph.operands(node).into_iter().flatten());
            stack.extend(next_of[node]);
        }
    }
    seen
}

/// Returns the latches that keep their initial value if all inputs, and all latches that do not, are unknown.
fn constants(circuit: &Circuit) -> Vec<(usize, bool)> {
    let mut state: Vec<Option<bool>> = circuit.latches().iter().map(|latch| latch.reset).collect();
    loop {
        let mut values = vec![Some(false)];
        values.resize(circuit.first_latch(), None);
        values.extend(&state);
        let value =
            |values: &[Option<bool>], lit: Lit| values[lit.var()].map(|value| value != lit.is_negated());
        for &[left, right] in circuit.gates() {
            let gate = match (value(&values, left), value(&values, right)) {
                (Some(false), _) | (_, Some(false)) => Some(false),
                (Some(true), Some(true)) => Some(true),
                _ => None,
            };
            values.push(gate);
        }
        let mut is_stable = true;
        for (known, latch) in state.iter_mut().zip(circuit.latches()) {
            if known.is_some() && value(&values, latch.next) != *known {
                *known = None;
                is_stable = false;
            }
        }
        if is_stable {
            let known = state.iter().enumerate();
            return known.filter_map(|(latch, value)| Some((latch, (*value)?))).collect();
        }
    }
}
