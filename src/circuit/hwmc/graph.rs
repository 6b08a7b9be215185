//! And-inverter graphs with structural hashing.
//!
//! New gates are simplified by the rules of R. Brummayer and A. Biere (Local Two-Level And-Inverter Graph Minimization
//! without Blowup, MEMICS 2006) that make no node besides the one asked for.

use std::ops::Not;

use ramsey_core::base::hash::Map;

/// A node of a graph, or its negation.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Edge(u32);

impl Edge {
    /// The constant false.
    pub const FALSE: Edge = Edge(0);
    /// The constant true.
    pub const TRUE: Edge = Edge(1);

    /// Returns the positive edge to a node.
    pub fn positive(node: usize) -> Edge {
        Edge((node as u32) << 1)
    }

    /// Returns the node.
    pub fn node(self) -> usize {
        (self.0 >> 1) as usize
    }

    /// Checks whether the edge negates its node.
    pub fn is_negated(self) -> bool {
        self.0 & 1 == 1
    }

    /// Returns the edge, negated if `negate`.
    #[must_use]
    pub fn negated_if(self, negate: bool) -> Edge {
        Edge(self.0 ^ u32::from(negate))
    }

    /// Returns the value of the edge for those of nodes.
    pub fn of<V: Value>(self, values: &[V]) -> V {
        values[self.node()].negated_if(self.is_negated())
    }
}

impl Not for Edge {
    type Output = Edge;
    fn not(self) -> Edge {
        Edge(self.0 ^ 1)
    }
}

/// What edges may have for values: truth values, words of them, or edges of another graph.
pub trait Value: Copy {
    /// The value of the constant false.
    const FALSE: Self;
    /// Returns the value of an edge for that of its node.
    #[must_use]
    fn negated_if(self, negate: bool) -> Self;
}

impl Value for bool {
    const FALSE: Self = false;
    fn negated_if(self, negate: bool) -> Self {
        self != negate
    }
}

/// Values of ternary simulation: `None` is an unknown one.
impl Value for Option<bool> {
    const FALSE: Self = Some(false);
    fn negated_if(self, negate: bool) -> Self {
        self.map(|value| value != negate)
    }
}

/// A truth value per bit.
impl Value for u64 {
    const FALSE: Self = 0;
    fn negated_if(self, negate: bool) -> Self {
        if negate { !self } else { self }
    }
}

impl Value for Edge {
    const FALSE: Self = Edge::FALSE;
    fn negated_if(self, negate: bool) -> Self {
        Edge::negated_if(self, negate)
    }
}

/// Gates of a graph in a form that is fast to evaluate, for 64 executions at a time.
#[derive(Clone, Debug)]
pub struct Words {
    /// Each gate with its operands as edges; operands come before the gates that have them.
    gates: Box<[[u32; 3]]>,
}

impl Words {
    /// Computes the values of the gates from those of leaves, by node of the graph; all of its nodes have places.
    pub fn evaluate(&self, values: &mut [u64]) {
        for &[node, left, right] in &self.gates {
            let value = |edge: u32| values[(edge >> 1) as usize] ^ u64::from(edge & 1).wrapping_neg();
            values[node as usize] = value(left) & value(right);
        }
    }

    /// Returns the number of gates.
    pub fn len(&self) -> usize {
        self.gates.len()
    }

    /// Checks whether there are no gates.
    pub fn is_empty(&self) -> bool {
        self.gates.is_empty()
    }
}

/// What the constant and leaves have in the place of operands.
const LEAF: [Edge; 2] = [Edge(u32::MAX); 2];

/// A graph. Node 0 is the constant false; operands of a gate come before it.
#[derive(Clone, Debug)]
pub struct Graph {
    /// The operands by node.
    nodes: Vec<[Edge; 2]>,
    gates: Map<[Edge; 2], u32>,
}

impl Default for Graph {
    fn default() -> Self {
        Graph { nodes: vec![LEAF], gates: Map::default() }
    }
}

impl Graph {
    /// Creates a graph of the constant alone.
    pub fn new() -> Graph {
        Graph::default()
    }

    /// Returns the number of nodes.
    pub fn len(&self) -> usize {
        self.nodes.len()
    }

    /// Checks whether there is nothing but the constant.
    pub fn is_empty(&self) -> bool {
        self.nodes.len() == 1
    }

    /// Adds a leaf.
    pub fn leaf(&mut self) -> Edge {
        self.gate(LEAF)
    }

    /// Adds a gate as it is, without simplification. Its operands are edges of the graph.
    pub(super) fn gate(&mut self, operands: [Edge; 2]) -> Edge {
        self.nodes.push(operands);
        Edge::positive(self.nodes.len() - 1)
    }

    /// Returns the operands of a gate; `None` for leaves and the constant.
    pub fn operands(&self, node: usize) -> Option<[Edge; 2]> {
        self.nodes.get(node).copied().filter(|&operands| operands != LEAF)
    }

    /// Iterates over the nodes of gates and their operands.
    pub fn gates(&self) -> impl Iterator<Item = (usize, [Edge; 2])> + '_ {
        self.nodes.iter().copied().enumerate().filter(|&(_, operands)| operands != LEAF)
    }

    /// Computes the values of all gates from those of leaves, by node. Leaves that are missing are false.
    pub fn evaluate<V: Value>(&self, values: &mut Vec<V>, mut and: impl FnMut(V, V) -> V) {
        values.resize(self.len(), V::FALSE);
        for (node, [left, right]) in self.gates() {
            values[node] = and(left.of(values), right.of(values));
        }
    }

    /// Returns the gates among these nodes, for evaluation in many executions at a time.
    pub fn words(&self, is_needed: impl Fn(usize) -> bool) -> Words {
        let gates = self.gates().filter(|&(node, _)| is_needed(node));
        Words { gates: gates.map(|(node, [left, right])| [node as u32, left.0, right.0]).collect() }
    }

    /// Returns, by node, whether it is in the cone of influence of the roots. `next` gives the next value of a latch, by
    /// its leaf.
    pub fn cone(
        &self,
        roots: impl IntoIterator<Item = Edge>,
        next: impl Fn(usize) -> Option<Edge>,
    ) -> Vec<bool> {
        let mut seen = vec![false; self.len()];
        let mut stack: Vec<Edge> = roots.into_iter().collect();
        while let Some(edge) = stack.pop() {
            let node = edge.node();
            if !std::mem::replace(&mut seen[node], true) {
                match self.operands(node) {
                    Some(operands) => stack.extend(operands),
                    None => stack.extend(next(node)),
                }
            }
        }
        seen
    }

    /// Returns the conjunction of all edges.
    pub fn all(&mut self, edges: impl IntoIterator<Item = Edge>) -> Edge {
        edges.into_iter().fold(Edge::TRUE, |all, edge| self.and(all, edge))
    }

    /// Returns the conjunction of two edges.
    pub fn and(&mut self, left: Edge, right: Edge) -> Edge {
        let (mut left, mut right) = (left, right);
        // Each round replaces an operand by one of smaller nodes, so this ends.
        loop {
            if left < right {
                (left, right) = (right, left);
            }
            if right == Edge::FALSE || left == !right {
                return Edge::FALSE;
            }
            if right == Edge::TRUE || left == right {
                return left;
            }
            match self.rule(left, right).or_else(|| self.rule(right, left)).or_else(|| self.both(left, right))
            {
                Some(Rule::Known(edge)) => return edge,
                Some(Rule::Operands(new)) => [left, right] = new,
                None => break,
            }
        }
        let nodes = &mut self.nodes;
        let node = *self.gates.entry([left, right]).or_insert_with(|| {
            nodes.push([left, right]);
            (nodes.len() - 1) as u32
        });
        Edge::positive(node as usize)
    }

    /// Returns the disjunction of two edges.
    pub fn or(&mut self, left: Edge, right: Edge) -> Edge {
        !self.and(!left, !right)
    }

    /// Returns `if condition then a else b`.
    pub fn mux(&mut self, condition: Edge, a: Edge, b: Edge) -> Edge {
        if a == b {
            return a;
        }
        let yes = self.and(condition, a);
        let no = self.and(!condition, b);
        self.or(yes, no)
    }

    /// Returns the equivalence of two edges.
    pub fn iff(&mut self, a: Edge, b: Edge) -> Edge {
        let both = self.and(a, b);
        let none = self.and(!a, !b);
        self.or(both, none)
    }

    /// Applies a rule about the operands of `gate` and the edge `other`.
    fn rule(&self, gate: Edge, other: Edge) -> Option<Rule> {
        let [a, b] = self.operands(gate.node())?;
        match gate.is_negated() {
            // Contradiction, idempotence.
            false if a == !other || b == !other => Some(Rule::Known(Edge::FALSE)),
            false if a == other || b == other => Some(Rule::Known(gate)),
            // Subsumption, substitution.
            true if a == !other || b == !other => Some(Rule::Known(other)),
            true if a == other => Some(Rule::Operands([!b, other])),
            true if b == other => Some(Rule::Operands([!a, other])),
            _ => None,
        }
    }

    /// Applies a rule about the operands of two gates.
    fn both(&self, left: Edge, right: Edge) -> Option<Rule> {
        let (x, y) = (self.operands(left.node())?, self.operands(right.node())?);
        let shares = |edge: Edge| y.contains(&edge);
        match (left.is_negated(), right.is_negated()) {
            // Contradiction.
            (false, false) if shares(!x[0]) || shares(!x[1]) => Some(Rule::Known(Edge::FALSE)),
            // Subsumption: one gate is false if the other one is true.
            (false, true) if shares(!x[0]) || shares(!x[1]) => Some(Rule::Known(left)),
            (true, false) if shares(!x[0]) || shares(!x[1]) => Some(Rule::Known(right)),
            // Substitution: an operand of the negated gate is known to be true.
            (false, true) if y[0] == x[0] || y[0] == x[1] => Some(Rule::Operands([left, !y[1]])),
            (false, true) if y[1] == x[0] || y[1] == x[1] => Some(Rule::Operands([left, !y[0]])),
            (true, false) if x[0] == y[0] || x[0] == y[1] => Some(Rule::Operands([right, !x[1]])),
            (true, false) if x[1] == y[0] || x[1] == y[1] => Some(Rule::Operands([right, !x[0]])),
            // Resolution.
            (true, true) if x[0] == y[0] && x[1] == !y[1] => Some(Rule::Known(!x[0])),
            (true, true) if x[0] == y[1] && x[1] == !y[0] => Some(Rule::Known(!x[0])),
            (true, true) if x[1] == y[1] && x[0] == !y[0] => Some(Rule::Known(!x[1])),
            (true, true) if x[1] == y[0] && x[0] == !y[1] => Some(Rule::Known(!x[1])),
            _ => None,
        }
    }
}

/// Result of a rule of simplification.
enum Rule {
    /// The conjunction is this edge.
    Known(Edge),
    /// The conjunction is that of these edges.
    Operands([Edge; 2]),
}

#[cfg(test)]
mod tests {
    use super::*;
    use ramsey_core::base::rng::Rng;

    /// Every edge has the truth table of what it was made from.
    #[test]
    fn rules_keep_the_meaning() {
        for seed in 0..500 {
            let mut rng = Rng::new(seed);
            let mut graph = Graph::new();
            let leaves = [0xFF00_u64, 0xF0F0, 0xCCCC, 0xAAAA];
            let mut known = vec![(Edge::FALSE, 0_u64)];
            known.extend(leaves.map(|table| (graph.leaf(), table)));
            for _ in 0..60 {
                let pick = |rng: &mut Rng| {
                    let (edge, table) = known[rng.below(known.len())];
                    if rng.one_in(2) { (!edge, !table) } else { (edge, table) }
                };
                let ((left, x), (right, y)) = (pick(&mut rng), pick(&mut rng));
                known.push((graph.and(left, right), x & y));
            }
            let mut tables = vec![0, leaves[0], leaves[1], leaves[2], leaves[3]];
            graph.evaluate(&mut tables, |left, right| left & right);
            assert!(graph.gates().all(|(node, it)| it.iter().all(|edge| edge.node() < node)));
            for (edge, table) in known {
                assert_eq!(edge.of(&tables), table, "seed {seed}");
            }
        }
    }

    #[test]
    fn equal_gates_are_one() {
        let mut graph = Graph::new();
        let [a, b] = [graph.leaf(), graph.leaf()];
        assert_eq!(graph.and(a, b), graph.and(b, a));
        let nand = !graph.and(a, b);
        assert_eq!(graph.and(a, nand), graph.and(a, !b));
        assert_eq!(graph.or(a, !a), Edge::TRUE);
        assert_eq!((graph.len(), graph.is_empty()), (5, false));
    }
}
