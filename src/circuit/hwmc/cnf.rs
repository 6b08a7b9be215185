//! Graphs as clauses (G. Tseitin, On the Complexity of Derivation in Propositional Calculus, 1968).
//!
//! Gates that are used once disappear in larger ones: conjunctions of several edges, exclusive disjunctions and
//! multiplexers.

use super::gates::{Gate, Gates};
use super::graph::{Edge, Graph};
use ramsey_core::base::ids::Id as _;
use ramsey_solver::sat::{Lit, Var};

/// Largest number of operands of a conjunction.
const MAX_OPERANDS: usize = 16;

/// The variable that is true.
pub const TRUE: Var = Var::ZERO;

/// Clauses of a graph, with a variable for each node that counts.
#[derive(Clone, Debug, Default)]
pub struct Encoder {
    /// By node: its variable.
    vars: Vec<Option<Var>>,
    /// By variable.
    gates: Gates,
    /// The literals of all clauses, one after the other.
    lits: Vec<Lit>,
    /// The end of each clause in `lits`.
    ends: Vec<usize>,
}

impl Encoder {
    /// Creates an encoder that knows the constant.
    pub fn new() -> Encoder {
        let mut encoder = Encoder { vars: vec![Some(TRUE)], ..Encoder::default() };
        encoder.gates.push(Gate::Leaf);
        encoder.clause(&[TRUE.positive()]);
        encoder
    }

    /// Returns the gate of each variable. Operands of a gate have smaller variables.
    pub fn gates(&self) -> &Gates {
        &self.gates
    }

    /// Iterates over the clauses from number `from` on.
    pub fn clauses(&self, from: usize) -> impl Iterator<Item = &[Lit]> {
        let mut start = from.checked_sub(1).and_then(|before| self.ends.get(before)).copied().unwrap_or(0);
        self.ends.iter().skip(from).map(move |&end| {
            let clause = &self.lits[start..end];
            start = end;
            clause
        })
    }

    /// Returns the number of clauses.
    pub fn num_clauses(&self) -> usize {
        self.ends.len()
    }

    /// Returns the literal of an edge that has a variable already.
    pub fn known(&self, edge: Edge) -> Option<Lit> {
        let var = self.vars.get(edge.node()).copied().flatten()?;
        // The constant node is false, and its variable is true.
        Some(var.literal(edge.is_negated() == (edge.node() == 0)))
    }

    /// Encodes the roots with all that they depend on. `uses` has the number of uses by node ([`uses`]).
    pub fn encode(&mut self, graph: &Graph, uses: &[u32], roots: impl IntoIterator<Item = Edge>) {
        self.vars.resize(self.vars.len().max(graph.len()), None);
        let mut stack: Vec<usize> = Vec::new();
        for root in roots {
            stack.push(root.node());
            while let Some(&node) = stack.last() {
                if self.vars[node].is_some() {
                    stack.pop();
                    continue;
                }
                let shape = shape(graph, uses, node);
                let open = stack.len();
                let operands = shape.operands();
                stack.extend(operands.iter().map(|edge| edge.node()).filter(|&it| self.vars[it].is_none()));
                if stack.len() == open {
                    stack.pop();
                    self.define(node, &shape);
                }
            }
        }
    }

    /// Returns the literal of an edge whose node was encoded.
    fn lit(&self, edge: Edge) -> Lit {
        self.known(edge).unwrap_or(TRUE.positive())
    }

    fn clause(&mut self, lits: &[Lit]) {
        self.lits.extend_from_slice(lits);
        self.ends.push(self.lits.len());
    }

    /// Makes the variable of a node whose operands have theirs.
    fn define(&mut self, node: usize, shape: &Shape) {
        let var = Var::new(self.gates.len());
        self.vars[node] = Some(var);
        let own = var.positive();
        match shape {
            Shape::Leaf => self.gates.push(Gate::Leaf),
            Shape::And(edges) => {
                let lits: Vec<Lit> = edges.iter().map(|&edge| self.lit(edge)).collect();
                let mut long = vec![own];
                for &lit in &lits {
                    self.clause(&[!own, lit]);
                    long.push(!lit);
                }
                self.clause(&long);
                self.gates.push(Gate::And(&lits));
            }
            Shape::Choice(edges) => {
                let lits = edges.map(|edge| self.lit(edge));
                let [condition, yes, no] = lits;
                self.clause(&[!own, !condition, yes]);
                self.clause(&[!own, condition, no]);
                self.clause(&[own, !condition, !yes]);
                self.clause(&[own, condition, !no]);
                // Redundant, but propagates where the condition is unknown.
                if yes != !no {
                    self.clause(&[!own, yes, no]);
                    self.clause(&[own, !yes, !no]);
                }
                self.gates.push(Gate::Choice(lits));
            }
        }
    }
}

/// Returns, by node, how often it is an operand or a root.
pub fn uses(graph: &Graph, roots: impl IntoIterator<Item = Edge>) -> Vec<u32> {
    let mut uses = vec![0; graph.len()];
    let mut stack: Vec<Edge> = roots.into_iter().collect();
    while let Some(edge) = stack.pop() {
        let count = &mut uses[edge.node()];
        *count += 1;
        if *count == 1 {
            stack.extend(graph.operands(edge.node()).into_iter().flatten());
        }
    }
    uses
}

/// A gate over edges.
enum Shape {
    Leaf,
    And(Vec<Edge>),
    Choice([Edge; 3]),
}

impl Shape {
    fn operands(&self) -> &[Edge] {
        match self {
            Shape::Leaf => &[],
            Shape::And(edges) => edges,
            Shape::Choice(edges) => edges,
        }
    }
}

/// Recognizes the gate at a node.
fn shape(graph: &Graph, uses: &[u32], node: usize) -> Shape {
    let Some([left, right]) = graph.operands(node) else { return Shape::Leaf };
    let is_private = |edge: Edge| uses.get(edge.node()).is_none_or(|&count| count <= 1);
    if left.is_negated()
        && right.is_negated()
        && is_private(left)
        && is_private(right)
        && let (Some(x), Some(y)) = (graph.operands(left.node()), graph.operands(right.node()))
    {
        // Neither `c & a` nor `!c & b`: if c then !a else !b.
        for (condition, yes) in [(x[0], x[1]), (x[1], x[0])] {
            for (other, no) in [(y[0], y[1]), (y[1], y[0])] {
                if condition == !other {
                    return Shape::Choice([condition, !yes, !no]);
                }
            }
        }
    }
    let mut operands = vec![left, right];
    let mut at = 0;
    while let Some(&edge) = operands.get(at) {
        match graph.operands(edge.node()) {
            Some([left, right])
                if !edge.is_negated() && is_private(edge) && operands.len() < MAX_OPERANDS =>
            {
                operands[at] = left;
                operands.push(right);
            }
            _ => at += 1,
        }
    }
    operands.sort_unstable();
    operands.dedup();
    Shape::And(operands)
}
