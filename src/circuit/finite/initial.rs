//! Initial states as values at reset, as far as they are.

use crate::hwmc::graph::{Edge, Graph};

/// What a leaf of the graph stands for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Leaf {
    /// A bit of an immutable symbol.
    Immutable,
    /// A bit of a symbol that changes, by position among all bits.
    Mutable(usize),
    /// An input.
    Input,
}

/// Initial conditions taken apart.
pub(super) struct Initial {
    /// The bits with the same value in all initial states.
    pub(super) values: Vec<(usize, bool)>,
    /// What else is required, and whether that is about immutable symbols alone.
    pub(super) others: Vec<(Edge, bool)>,
}

/// Takes initial conditions apart. `always` holds in every state. `leaf` says what leaves stand for.
pub(super) fn analyze(
    graph: &mut Graph,
    conditions: &[Edge],
    always: &[Edge],
    leaf: &dyn Fn(usize) -> Option<Leaf>,
) -> Initial {
    let mut values: Vec<(usize, bool)> = Vec::new();
    let mut edges: Vec<Edge> = conditions.iter().chain(always).copied().collect();
    loop {
        let mut known: Vec<Option<bool>> = vec![None; graph.len()];
        let mut stack = edges.clone();
        let mut seen = vec![false; graph.len()];
        let before = values.len();
        while let Some(edge) = stack.pop() {
            match graph.operands(edge.node()) {
                Some(operands) if !edge.is_negated() => {
                    if !std::mem::replace(&mut seen[edge.node()], true) {
                        stack.extend(operands);
                    }
                }
                Some(_) => {}
                None => {
                    if let Some(Leaf::Mutable(bit)) = leaf(edge.node())
                        && known[edge.node()].is_none()
                    {
                        known[edge.node()] = Some(!edge.is_negated());
                        values.push((bit, !edge.is_negated()));
                    }
                }
            }
        }
        if values.len() == before {
            break;
        }
        substitute(graph, &known, &mut edges);
    }
    edges.truncate(conditions.len());
    let is_immutable = immutable(graph, leaf);
    let mut others = conjuncts(graph, edges);
    others.retain(|&edge| edge != Edge::TRUE);
    Initial { values, others: others.into_iter().map(|edge| (edge, is_immutable[edge.node()])).collect() }
}

/// Replaces leaves by their known values.
fn substitute(graph: &mut Graph, known: &[Option<bool>], edges: &mut [Edge]) {
    let mut images: Vec<Edge> = Vec::with_capacity(known.len());
    let image = |images: &[Edge], edge: Edge| images[edge.node()].negated_if(edge.is_negated());
    for (node, value) in known.iter().enumerate() {
        let new = match (value, graph.operands(node)) {
            (Some(value), _) => Edge::FALSE.negated_if(*value),
            (None, None) => Edge::positive(node),
            (None, Some([left, right])) => {
                let (left, right) = (image(&images, left), image(&images, right));
                graph.and(left, right)
            }
        };
        images.push(new);
    }
    for edge in edges {
        *edge = image(&images, *edge);
    }
}

/// Returns the edges whose conjunction is that of these edges.
fn conjuncts(graph: &Graph, edges: Vec<Edge>) -> Vec<Edge> {
    let mut parts = Vec::new();
    let mut seen = vec![false; graph.len()];
    let mut stack = edges;
    while let Some(edge) = stack.pop() {
        match graph.operands(edge.node()) {
            Some(operands) if !edge.is_negated() => {
                if !std::mem::replace(&mut seen[edge.node()], true) {
                    stack.extend(operands);
                }
            }
            _ => parts.push(edge),
        }
    }
    parts.sort_unstable();
    parts.dedup();
    parts
}

/// Returns, by node, whether it depends on immutable symbols alone.
pub(super) fn immutable(graph: &Graph, leaf: &dyn Fn(usize) -> Option<Leaf>) -> Vec<bool> {
    let mut is_immutable = vec![true];
    for node in 1..graph.len() {
        is_immutable.push(match graph.operands(node) {
            Some(operands) => operands.iter().all(|edge| is_immutable[edge.node()]),
            None => leaf(node) == Some(Leaf::Immutable),
        });
    }
    is_immutable
}
