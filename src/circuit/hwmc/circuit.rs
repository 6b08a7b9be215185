//! Sequential circuits: and-inverter graphs with latches, constraints and bad states.

use super::graph::{Edge, Graph, Value};
use super::outcome::Witness;
use ramsey_lang::aiger;

/// Maximum number of nodes of a circuit.
const MAX_NODES: usize = 1 << 29;

/// A latch.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Latch {
    /// Its value in the next state.
    pub next: Edge,
    /// Its value in initial states; `None` if it is arbitrary.
    pub reset: Option<bool>,
}

/// A circuit. Its nodes are numbered as in the binary encoding of AIGER: after the constant come inputs, latches and
/// gates.
#[derive(Clone, Debug)]
pub struct Circuit {
    graph: Graph,
    num_inputs: usize,
    latches: Vec<Latch>,
    bad: Vec<Edge>,
    constraints: Vec<Edge>,
}

impl Circuit {
    /// Creates a circuit of the gates that something depends on. Latches come with their leaves; `bad` has the bad states
    /// of each property. Returns `None` if a leaf is neither an input nor a latch, or if there are too many nodes.
    pub fn new(
        graph: &Graph,
        inputs: impl IntoIterator<Item = Edge>,
        latches: &[(Edge, Latch)],
        bad: &[Edge],
        constraints: &[Edge],
    ) -> Option<Circuit> {
        let nexts = latches.iter().map(|(_, latch)| latch.next);
        let is_used = graph.cone(nexts.chain(bad.iter().chain(constraints).copied()), |_| None);
        let mut made = Graph::new();
        // By node: its edge in the circuit.
        let mut edges: Vec<Option<Edge>> = vec![None; graph.len()];
        *edges.first_mut()? = Some(Edge::FALSE);
        for leaf in inputs {
            *edges.get_mut(leaf.node())? = Some(made.leaf());
        }
        let num_inputs = made.len() - 1;
        for (leaf, _) in latches {
            *edges.get_mut(leaf.node())? = Some(made.leaf());
        }
        let image = |edges: &[Option<Edge>], edge: Edge| {
            Some((*edges.get(edge.node())?)?.negated_if(edge.is_negated()))
        };
        for (node, [left, right]) in graph.gates().filter(|&(node, _)| is_used[node]) {
            let (left, right) = (image(&edges, left)?, image(&edges, right)?);
            // The order of the binary encoding.
            edges[node] = Some(made.gate([left.max(right), left.min(right)]));
        }
        let all = |list: &[Edge]| list.iter().map(|&edge| image(&edges, edge)).collect::<Option<Vec<Edge>>>();
        let latches =
            latches.iter().map(|(_, it)| Some(Latch { next: image(&edges, it.next)?, reset: it.reset }));
        let circuit = Circuit {
            num_inputs,
            latches: latches.collect::<Option<_>>()?,
            bad: all(bad)?,
            constraints: all(constraints)?,
            graph: made,
        };
        (circuit.graph.len() <= MAX_NODES).then_some(circuit)
    }

    /// Returns the gates.
    pub fn graph(&self) -> &Graph {
        &self.graph
    }

    /// Returns the number of gates.
    pub fn num_gates(&self) -> usize {
        self.graph.len() - self.first_gate()
    }

    /// Returns the number of inputs.
    pub fn num_inputs(&self) -> usize {
        self.num_inputs
    }

    /// Returns the latches.
    pub fn latches(&self) -> &[Latch] {
        &self.latches
    }

    /// Returns the bad states of each property.
    pub fn bad(&self) -> &[Edge] {
        &self.bad
    }

    /// Returns what holds in each step.
    pub fn constraints(&self) -> &[Edge] {
        &self.constraints
    }

    /// Returns the leaf of an input.
    pub fn input(&self, index: usize) -> Edge {
        Edge::positive(1 + index)
    }

    /// Returns the leaf of a latch.
    pub fn latch(&self, index: usize) -> Edge {
        Edge::positive(self.first_latch() + index)
    }

    /// Returns the node of the first latch. Others follow in order.
    pub fn first_latch(&self) -> usize {
        1 + self.num_inputs
    }

    /// Returns the node of the first gate. Others follow in order.
    pub fn first_gate(&self) -> usize {
        self.first_latch() + self.latches.len()
    }

    /// Returns the values of all nodes in a state with inputs. Values that are missing are false.
    pub fn values(&self, state: &[bool], inputs: &[bool]) -> Vec<bool> {
        let mut values = Vec::with_capacity(self.graph.len());
        values.push(false);
        values.extend(inputs);
        values.resize(self.first_latch(), false);
        values.extend(state);
        values.resize(self.first_gate(), false);
        self.graph.evaluate(&mut values, |left, right| left && right);
        values
    }

    /// Returns the next values of the latches, for the values of all nodes.
    pub fn next<V: Value>(&self, values: &[V]) -> Vec<V> {
        self.latches.iter().map(|latch| latch.next.of(values)).collect()
    }

    /// Returns the values of all nodes in each step of an execution.
    pub fn run<'a>(&'a self, execution: &'a Witness) -> impl Iterator<Item = Vec<bool>> + 'a {
        let mut state = execution.state.clone();
        execution.inputs.iter().map(move |inputs| {
            let values = self.values(&state, inputs);
            state = self.next(&values);
            values
        })
    }

    /// Returns the values of the latches, for the values of all nodes.
    pub fn state<'a>(&self, values: &'a [bool]) -> &'a [bool] {
        &values[self.first_latch()..self.first_gate()]
    }

    /// Returns the circuit in AIGER format, with these names; `None` if it has too many variables.
    pub fn to_aiger(&self, symbols: Vec<aiger::Symbol>) -> Option<aiger::Circuit> {
        let lit = |edge: Edge| {
            let lit = aiger::Lit::positive(edge.node());
            if edge.is_negated() { !lit } else { lit }
        };
        let all = |edges: &[Edge]| edges.iter().map(|&edge| lit(edge)).collect();
        let latches = self.latches.iter().map(|it| aiger::Latch { next: lit(it.next), reset: it.reset });
        let gates = self.graph.gates().map(|(_, operands)| operands.map(lit)).collect();
        let (bad, constraints) = (all(&self.bad), all(&self.constraints));
        aiger::Circuit::new(self.num_inputs, latches.collect(), gates, bad, constraints, symbols)
    }
}

impl From<&aiger::Circuit> for Circuit {
    /// Takes the gates as they are in the file.
    fn from(file: &aiger::Circuit) -> Circuit {
        let edge = |lit: aiger::Lit| Edge::positive(lit.var()).negated_if(lit.is_negated());
        let all = |lits: &[aiger::Lit]| lits.iter().map(|&lit| edge(lit)).collect();
        let mut graph = Graph::new();
        for _ in 1..file.first_gate() {
            graph.leaf();
        }
        for gate in file.gates() {
            graph.gate(gate.map(edge));
        }
        let latches = file.latches().iter().map(|it| Latch { next: edge(it.next), reset: it.reset });
        Circuit {
            graph,
            num_inputs: file.num_inputs(),
            latches: latches.collect(),
            bad: all(file.properties()),
            constraints: all(file.constraints()),
        }
    }
}
