//! Closed systems: transition systems in which nothing is implicit, as `spec/core.md` describes them.
//!
//! Sorts and symbols have numbers, variables are counted from the innermost binder (de Bruijn indices), and there are no
//! definitions, no `if`, no `distinct`, no frame conditions and no quantifiers over `bool`: what a formula says can be read
//! off it. Formulas are equal if and only if they are the same tree, whatever their variables were called.

mod lift;
mod lower;
mod step;
mod write;

pub use lift::lifted;
pub use lower::{Lowering, Unsupported, both_branches, distinct_pairs, spelled_out};
pub use step::{Literal, Proof, Step, negated};
pub use write::{document, is_small};

pub use ramsey_core::logic::Wanted;

use ramsey_core::base::hash::Map;
use ramsey_core::base::ids::IdVec;
use ramsey_core::typed_id;

typed_id! {
    /// A term or formula in a [`Pool`].
    pub struct NodeId;
}

/// A term or a formula. Sorts, functions and relations are given by their numbers in a [`Core`].
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Node {
    /// The variable that is bound this many binders further out; 0 is the innermost one.
    Var(usize),
    /// A function or constant applied to terms, read in a state; `None` for one that is the same in all states.
    App(Option<u16>, usize, Box<[NodeId]>),
    /// A constant that a proof introduces: its sort and its number, from 1.
    Constant(usize, usize),
    /// A relation applied to terms, read in a state like [`Node::App`].
    Rel(Option<u16>, usize, Box<[NodeId]>),
    /// Equality of two terms of a sort.
    Eq(usize, NodeId, NodeId),
    /// Negation.
    Not(NodeId),
    /// Conjunction of any number of formulas; without any it is true.
    And(Box<[NodeId]>),
    /// Disjunction of any number of formulas; without any it is false.
    Or(Box<[NodeId]>),
    /// Implication.
    Implies(NodeId, NodeId),
    /// Equivalence.
    Iff(NodeId, NodeId),
    /// Universal quantification over one variable of a sort.
    Forall(usize, NodeId),
    /// Existential quantification over one variable of a sort.
    Exists(usize, NodeId),
}

impl Node {
    /// Returns the terms and formulas that it is made of.
    pub fn children(&self) -> Vec<NodeId> {
        match self {
            Node::Var(_) | Node::Constant(..) => Vec::new(),
            Node::App(_, _, items) | Node::Rel(_, _, items) | Node::And(items) | Node::Or(items) => {
                items.to_vec()
            }
            &Node::Eq(_, a, b) | &Node::Implies(a, b) | &Node::Iff(a, b) => vec![a, b],
            &Node::Not(a) | &Node::Forall(_, a) | &Node::Exists(_, a) => vec![a],
        }
    }
}

/// Arena of hash-consed terms and formulas: equal ones have one id.
#[derive(Clone, Debug, Default)]
pub struct Pool {
    nodes: IdVec<NodeId, Node>,
    ids: Map<Node, NodeId>,
}

impl Pool {
    /// Returns the id of a node.
    pub fn intern(&mut self, node: Node) -> NodeId {
        if let Some(&known) = self.ids.get(&node) {
            return known;
        }
        let id = self.nodes.push(node.clone());
        self.ids.insert(node, id);
        id
    }

    /// Returns a node by its id.
    pub fn node(&self, id: NodeId) -> &Node {
        &self.nodes[id]
    }
}

/// A function, constant or relation.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Symbol {
    /// Its name in the model.
    pub name: String,
    /// The sorts of its arguments.
    pub args: Vec<usize>,
    /// Whether its interpretation may differ between states.
    pub is_mutable: bool,
}

/// A formula with its name in the model.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Named {
    /// The name, or `L` and the line of the declaration.
    pub name: String,
    /// The formula. It is closed.
    pub formula: NodeId,
}

/// A formula claimed for all sequences of states. The axioms about immutable symbols are assumed.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Theorem {
    /// The number of states that it speaks of.
    pub states: u16,
    /// Whether the axioms about states are assumed of each of them. They are not where a program asserts something before
    /// its first state.
    pub is_about_states: bool,
    /// Its name and its formula.
    pub claim: Named,
}

/// A closed transition system with its claims.
#[derive(Clone, Debug, Default)]
pub struct Core {
    /// All terms and formulas.
    pub pool: Pool,
    /// The names of the sorts. A sort is a set that is not empty.
    pub sorts: Vec<String>,
    /// Functions and constants, each with the sort of its values.
    pub functions: Vec<(Symbol, usize)>,
    /// Relations.
    pub relations: Vec<Symbol>,
    /// Formulas assumed of every state. The first [`Self::immutable`] of them are about symbols that do not change.
    pub axioms: Vec<Named>,
    /// The number of axioms about immutable symbols.
    pub immutable: usize,
    /// Formulas that hold in initial states.
    pub inits: Vec<Named>,
    /// Relations between a state and its successor: formulas about states 0 and 1.
    pub transitions: Vec<Named>,
    /// Formulas claimed of every reachable state that are inductive together: the invariants.
    pub invariants: Vec<Named>,
    /// Further formulas claimed of every reachable state: what commands assert.
    pub assertions: Vec<Named>,
    /// Theorems, and what programs assert before their first state.
    pub theorems: Vec<Theorem>,
    /// Formulas that queries assume, each with the number of states that it speaks of.
    pub hypotheses: Vec<(u16, Named)>,
    /// Queries. A closed system with queries has nothing else.
    pub queries: Vec<Query>,
}

/// Whether hypotheses imply a goal, in all structures.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Query {
    /// The number of states that it speaks of.
    pub states: u16,
    /// What is claimed of it.
    pub wanted: Wanted,
    /// Its hypotheses, as places in [`Core::hypotheses`].
    pub hypotheses: Vec<usize>,
    /// Its name and its goal.
    pub goal: Named,
}
