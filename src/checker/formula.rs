//! Terms and formulas: equal ones have one id.

use crate::Map;

/// A term or formula of a [`Pool`].
pub(crate) type Id = u32;

/// A term or formula. Sorts and symbols are numbers. The state in which a symbol is read is 0 for a rigid one, and otherwise one
/// more than the number of the state.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(crate) enum Node {
    /// The variable that is bound this many binders further out; 0 is the innermost one.
    Var(u32),
    /// A function, read in a state, of terms.
    App(u32, u32, Box<[Id]>),
    /// A constant that a proof introduces: its sort and its number.
    Constant(u32, u32),
    /// A relation, read in a state, of terms.
    Rel(u32, u32, Box<[Id]>),
    /// Equality of two terms of a sort.
    Eq(u32, Id, Id),
    Not(Id),
    And(Box<[Id]>),
    Or(Box<[Id]>),
    Implies(Id, Id),
    Iff(Id, Id),
    /// For all elements of a sort.
    Forall(u32, Id),
    /// For some element of a sort.
    Exists(u32, Id),
}

/// All terms and formulas.
#[derive(Clone, Debug, Default)]
pub(crate) struct Pool {
    nodes: Vec<Node>,
    /// By id, how many binders have to be around it for all of its variables to be bound.
    open: Vec<u32>,
    ids: Map<Node, Id>,
    /// What has been done so far, in steps of about the same cost.
    pub(crate) work: u64,
}

/// Replaced subterms, by id and number of binders around them.
type Done = Map<(Id, u32), Id>;

impl Pool {
    /// Returns the id of a node.
    pub(crate) fn intern(&mut self, node: Node) -> Id {
        if let Some(&known) = self.ids.get(&node) {
            return known;
        }
        let open = |id: Id| self.open[id as usize];
        let of_list = |items: &[Id]| items.iter().map(|&item| open(item)).max().unwrap_or(0);
        let open = match &node {
            Node::Var(at) => at + 1,
            Node::Constant(..) => 0,
            Node::App(_, _, items) | Node::Rel(_, _, items) | Node::And(items) | Node::Or(items) => {
                of_list(items)
            }
            &Node::Eq(_, a, b) | &Node::Implies(a, b) | &Node::Iff(a, b) => open(a).max(open(b)),
            &Node::Not(a) => open(a),
            &Node::Forall(_, a) | &Node::Exists(_, a) => open(a).saturating_sub(1),
        };
        let id = self.nodes.len() as Id;
        self.nodes.push(node.clone());
        self.open.push(open);
        self.ids.insert(node, id);
        id
    }

    /// Returns a node by its id.
    pub(crate) fn node(&self, id: Id) -> &Node {
        &self.nodes[id as usize]
    }

    /// Returns the number of nodes.
    pub(crate) fn len(&self) -> usize {
        self.nodes.len()
    }

    /// Forgets all nodes but the first ones, of which there are so many. They have no others among their parts.
    pub(crate) fn truncate(&mut self, count: usize) {
        for node in self.nodes.drain(count..) {
            self.ids.remove(&node);
        }
        self.open.truncate(count);
    }

    /// Returns a formula without the negations in front of it, and whether their number is odd.
    pub(crate) fn unsigned(&self, mut formula: Id) -> (Id, bool) {
        let mut is_negated = false;
        while let &Node::Not(inner) = self.node(formula) {
            (formula, is_negated) = (inner, !is_negated);
        }
        (formula, is_negated)
    }

    /// Returns the same formula for an equation and its mirror image, which are one proposition; any other formula is its own.
    pub(crate) fn proposition(&mut self, formula: Id) -> Id {
        match *self.node(formula) {
            Node::Eq(sort, a, b) if b < a => self.intern(Node::Eq(sort, b, a)),
            _ => formula,
        }
    }

    /// Returns the body of so many quantifiers with closed terms for their variables, the last of which is that of the innermost
    /// quantifier.
    pub(crate) fn instance(&mut self, body: Id, values: &[Id]) -> Id {
        self.substitute(body, 0, values, &mut Done::new())
    }

    /// `depth` is the number of binders around the node in the body.
    fn substitute(&mut self, id: Id, depth: u32, values: &[Id], done: &mut Done) -> Id {
        if self.open[id as usize] <= depth {
            return id;
        }
        if let Some(&known) = done.get(&(id, depth)) {
            return known;
        }
        let new = match *self.node(id) {
            // As the quantified formula is closed, there is a value for each variable.
            Node::Var(at) => values.iter().rev().nth((at - depth) as usize).copied().unwrap_or(id),
            Node::Forall(..) | Node::Exists(..) => {
                self.rebuilt(id, &mut |pool, part| pool.substitute(part, depth + 1, values, done))
            }
            _ => self.rebuilt(id, &mut |pool, part| pool.substitute(part, depth, values, done)),
        };
        done.insert((id, depth), new);
        new
    }

    /// Returns a formula about one state, read in the state with this number.
    pub(crate) fn in_state(&mut self, id: Id, state: u32, done: &mut Done) -> Id {
        if let Some(&known) = done.get(&(id, state)) {
            return known;
        }
        let mut new = self.rebuilt(id, &mut |pool, part| pool.in_state(part, state, done));
        let moved = match self.node(new).clone() {
            Node::App(at, function, args) if at > 0 => Some(Node::App(state + 1, function, args)),
            Node::Rel(at, relation, args) if at > 0 => Some(Node::Rel(state + 1, relation, args)),
            _ => None,
        };
        if let Some(moved) = moved {
            new = self.intern(moved);
        }
        done.insert((id, state), new);
        new
    }

    /// Returns a node with other parts in place of its parts.
    fn rebuilt(&mut self, id: Id, part: &mut dyn FnMut(&mut Pool, Id) -> Id) -> Id {
        let mut node = self.node(id).clone();
        self.work += 8;
        match &mut node {
            Node::Var(_) | Node::Constant(..) => {}
            Node::App(_, _, items) | Node::Rel(_, _, items) | Node::And(items) | Node::Or(items) => {
                self.work += items.len() as u64;
                items.iter_mut().for_each(|item| *item = part(self, *item));
            }
            Node::Eq(_, a, b) | Node::Implies(a, b) | Node::Iff(a, b) => {
                *a = part(self, *a);
                *b = part(self, *b);
            }
            Node::Not(a) | Node::Forall(_, a) | Node::Exists(_, a) => *a = part(self, *a),
        }
        self.intern(node)
    }
}
