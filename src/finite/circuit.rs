//! Graphs as circuits.

use crate::lang::aiger::{Circuit, Latch, Lit, Symbol};
use crate::mc::graph::{Edge, Graph};

/// A latch over a graph.
pub struct GraphLatch {
    /// The leaf.
    pub leaf: Edge,
    /// The value in the next state.
    pub next: Edge,
    /// The value in initial states; `None` if it is arbitrary.
    pub reset: Option<bool>,
}

/// A circuit over a graph.
pub struct Parts<'a> {
    /// The graph.
    pub graph: &'a Graph,
    /// The leaves of inputs.
    pub inputs: Vec<Edge>,
    /// The latches.
    pub latches: Vec<GraphLatch>,
    /// For each property, its bad states.
    pub bad: Vec<Edge>,
    /// What holds in each step.
    pub constraints: Vec<Edge>,
    /// Names of inputs and latches.
    pub symbols: Vec<Symbol>,
}

impl Parts<'_> {
    /// Returns the circuit, with the gates that something depends on; `None` if a leaf is neither an input nor a latch.
    pub fn circuit(self) -> Option<Circuit> {
        let Parts { graph, inputs, latches, bad, constraints, symbols } = self;
        let mut lits: Vec<Option<Lit>> = vec![None; graph.len()];
        *lits.first_mut()? = Some(Lit::FALSE);
        let leaves = inputs.iter().copied().chain(latches.iter().map(|latch| latch.leaf));
        for (at, leaf) in leaves.enumerate() {
            *lits.get_mut(leaf.node())? = Some(Lit::positive(1 + at));
        }
        let mut is_used = vec![false; graph.len()];
        let nexts = latches.iter().map(|latch| latch.next);
        let mut stack: Vec<usize> =
            nexts.chain(bad.iter().chain(&constraints).copied()).map(Edge::node).collect();
        while let Some(node) = stack.pop() {
            if !std::mem::replace(&mut is_used[node], true) {
                stack.extend(graph.operands(node).into_iter().flatten().map(Edge::node));
            }
        }
        let first = 1 + inputs.len() + latches.len();
        let mut gates = Vec::new();
        let lit = |lits: &[Option<Lit>], edge: Edge| {
            let lit = (*lits.get(edge.node())?)?;
            Some(if edge.is_negated() { !lit } else { lit })
        };
        for node in 0..graph.len() {
            if let Some([left, right]) = graph.operands(node).filter(|_| is_used[node]) {
                let (left, right) = (lit(&lits, left)?, lit(&lits, right)?);
                // The order of the binary encoding.
                gates.push([left.max(right), left.min(right)]);
                lits[node] = Some(Lit::positive(first + gates.len() - 1));
            }
        }
        let all = |edges: &[Edge]| edges.iter().map(|&edge| lit(&lits, edge)).collect::<Option<Vec<Lit>>>();
        let latches = latches
            .iter()
            .map(|latch| Some(Latch { next: lit(&lits, latch.next)?, reset: latch.reset }))
            .collect::<Option<Vec<Latch>>>()?;
        Circuit::new(inputs.len(), latches, gates, all(&bad)?, all(&constraints)?, symbols)
    }
}
