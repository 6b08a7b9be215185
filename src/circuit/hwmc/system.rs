//! A circuit with one property, reduced to what the property depends on.

use super::circuit::{self, Circuit};
use super::decided::decided;
use super::graph::{Edge, Graph};

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
        let bad = *circuit.bad().get(property)?;
        let mut graph = Graph::new();
        // The leaves are numbered as in the circuit.
        let mut edges = vec![Edge::FALSE];
        edges.extend((1..circuit.first_gate()).map(|_| graph.leaf()));
        for &(latch, value) in constants.iter().chain(&decided) {
            edges[circuit.latch(latch).node()] = Edge::FALSE.negated_if(value);
        }
        circuit.graph().evaluate(&mut edges, |left, right| graph.and(left, right));
        let bad = bad.of(&edges);
        let mut constraints: Vec<Edge> = circuit.constraints().iter().map(|edge| edge.of(&edges)).collect();
        constraints.sort_unstable();
        constraints.dedup();
        constraints.retain(|&constraint| constraint != Edge::TRUE);
        let nexts = circuit.next(&edges);
        let next = |node: usize| nexts.get(node.checked_sub(circuit.first_latch())?).copied();
        let seen = graph.cone(constraints.iter().copied().chain([bad]), next);
        let latch = |(origin, (latch, &next)): (usize, (&circuit::Latch, &Edge))| {
            let leaf = circuit.latch(origin);
            seen[leaf.node()].then_some(Latch { leaf, next, reset: latch.reset, origin })
        };
        let latches = circuit.latches().iter().zip(&nexts).enumerate().filter_map(latch).collect();
        let inputs = (0..circuit.num_inputs()).map(|origin| Input { leaf: circuit.input(origin), origin });
        let inputs = inputs.filter(|input| seen[input.leaf.node()]).collect();
        Some(System { graph, latches, inputs, bad, constraints, constants, decided })
    }
}

/// Returns the latches that keep their initial value if all inputs, and all latches that do not, are unknown.
fn constants(circuit: &Circuit) -> Vec<(usize, bool)> {
    let mut state: Vec<Option<bool>> = circuit.latches().iter().map(|latch| latch.reset).collect();
    let mut values = Vec::with_capacity(circuit.graph().len());
    loop {
        values.clear();
        values.push(Some(false));
        values.resize(circuit.first_latch(), None);
        values.extend(&state);
        circuit.graph().evaluate(&mut values, |left, right| match (left, right) {
            (Some(false), _) | (_, Some(false)) => Some(false),
            (Some(true), Some(true)) => Some(true),
            _ => None,
        });
        let mut is_stable = true;
        for (known, next) in state.iter_mut().zip(circuit.next(&values)) {
            if known.is_some() && next != *known {
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
