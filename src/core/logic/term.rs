//! Hash-consed terms and formulas.
//!
//! Terms and formulas are one type: a formula is a term of sort `bool`. Equal terms have equal ids, so a formula is a
//! directed acyclic graph and equality is comparison of two integers. Constructors simplify only what their
//! documentation states, so that formulas are printed as they were written.
//!
//! A symbol is applied *at a step*: step 0 is the current state, step 1 the next one, and so on. Immutable symbols are
//! always at step 0. Bound variables are [`VarId`]s. Binders introduced by the front ends are distinct, and
//! substitution renames a binder that would capture a variable.

use std::hash::{Hash, Hasher as _};
use std::sync::Arc;

use hashbrown::HashTable;

use super::sig::{Signature, SortId, SymId};
use crate::base::hash::Hasher;
use crate::base::ids::{Id as _, IdVec};
use crate::base::span::Span;
use crate::typed_id;

typed_id! {
    /// A term or formula of one [`Terms`].
    pub struct TermId;
    /// A logical variable of one [`Terms`].
    pub struct VarId;
}

/// A list of terms in the pool of one [`Terms`], accessed by [`Terms::args`].
///
/// Equal lists may be stored at different places of the pool, hence no `Eq`.
#[derive(Clone, Copy, Debug)]
pub struct Args {
    start: u32,
    len: u32,
}

impl Args {
    /// Returns the length of the list.
    pub fn len(self) -> usize {
        self.len as usize
    }

    /// Returns whether the list is empty.
    pub fn is_empty(self) -> bool {
        self.len == 0
    }
}

/// The outermost constructor of a term.
#[derive(Clone, Copy, Debug)]
pub enum Node {
    /// The true formula.
    True,
    /// The false formula.
    False,
    /// A variable.
    Var(VarId),
    /// An application of a relation, function or constant at a step.
    App {
        /// The symbol.
        sym: SymId,
        /// The step at which the symbol is read: 0 is the current state; always 0 for immutable symbols.
        step: u16,
        /// The arguments, one per argument sort.
        args: Args,
    },
    /// Equality of two terms of one uninterpreted sort (equality of formulas is [`Node::Iff`]).
    Eq(TermId, TermId),
    /// At least two pairwise distinct terms of one uninterpreted sort.
    Distinct(Args),
    /// Negation.
    Not(TermId),
    /// Conjunction of at least two formulas.
    And(Args),
    /// Disjunction of at least two formulas.
    Or(Args),
    /// Implication.
    Implies(TermId, TermId),
    /// Equivalence.
    Iff(TermId, TermId),
    /// `if condition then a else b`, for formulas and for terms.
    Ite(TermId, TermId, TermId),
    /// Universal quantification over a non-empty list of variables.
    Forall(Args, TermId),
    /// Existential quantification over a non-empty list of variables.
    Exists(Args, TermId),
}

/// Data of a variable.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Var {
    /// The name in the source; not necessarily unique. Arenas are copied for each thread and group of questions, and have a variable for each quantifier.
    pub name: Arc<str>,
    /// The sort; may be `bool`.
    pub sort: SortId,
    /// The binder in the source, if there is one.
    pub span: Option<Span>,
}

/// Arena of hash-consed terms.
#[derive(Clone, Debug, Default)]
pub struct Terms {
    nodes: IdVec<TermId, Node>,
    /// Parallel to `nodes`.
    info: IdVec<TermId, NodeInfo>,
    pool: Vec<TermId>,
    table: HashTable<TermId>,
    vars: IdVec<VarId, Var>,
}

/// A checkpoint of an arena, for [`Terms::rewind`].
#[derive(Clone, Copy, Debug)]
pub struct Mark {
    nodes: usize,
    pool: usize,
    vars: usize,
}

/// Stands for the number of `if`s where there is a quantifier.
const QUANTIFIED: u8 = u8::MAX;

/// Attributes of a node, computed when it is interned.
#[derive(Clone, Copy, Debug)]
struct NodeInfo {
    sort: SortId,
    /// Length of the longest path to a leaf; 1 for leaves.
    depth: u32,
    /// Number of nodes as a tree, saturating.
    tree_size: u32,
    /// Whether a variable occurs, free or bound.
    has_vars: bool,
    /// Whether the term is or contains an `if` of a sort other than `bool`.
    has_choice: bool,
    /// How many `if`s are each in the condition of the one before, saturating; [`QUANTIFIED`] if there is a quantifier.
    choices: u8,
    /// The maximal step of an application; 0 if there is none.
    max_step: u16,
}

/// Initial capacity of the hash table, in terms.
const INITIAL_CAPACITY: usize = 1_700;

/// Tree size above which terms may share so many subterms that they must be traversed as graphs.
pub const LARGE_TREE: u32 = 10_000;

impl Terms {
    /// Creates an empty arena.
    pub fn new() -> Self {
        // Most arenas grow to some thousand terms. Rehashing would cost more than the memory.
        Terms { table: HashTable::with_capacity(INITIAL_CAPACITY), ..Self::default() }
    }

    /// Returns the outermost constructor of `term`.
    #[inline]
    pub fn node(&self, term: TermId) -> Node {
        self.nodes[term]
    }

    /// Returns the terms of a list.
    #[inline]
    pub fn args(&self, args: Args) -> &[TermId] {
        &self.pool[args.start as usize..][..args.len()]
    }

    /// Returns the sort of `term`; `bool` for formulas.
    pub fn sort(&self, term: TermId) -> SortId {
        self.info[term].sort
    }

    /// Returns the length of the longest path from `term` to a leaf; 1 for leaves.
    pub fn depth(&self, term: TermId) -> usize {
        self.info[term].depth as usize
    }

    /// Returns the number of nodes of `term` as a tree (saturating at `u32::MAX`).
    pub fn tree_size(&self, term: TermId) -> u32 {
        self.info[term].tree_size
    }

    /// Returns the maximal step at which `term` reads a symbol; 0 if there is none.
    pub fn max_step(&self, term: TermId) -> u16 {
        self.info[term].max_step
    }

    /// Returns whether a variable, free or bound, occurs in `term`.
    pub fn has_vars(&self, term: TermId) -> bool {
        self.info[term].has_vars
    }

    /// Returns whether `term` is or contains an `if` of a sort other than `bool`.
    pub fn has_choice(&self, term: TermId) -> bool {
        self.info[term].has_choice
    }

    /// Returns how many `if`s are each in the condition of the one before, at most 254; `None` if there is a quantifier. As a closed
    /// form, a formula is about two to the power of that as large.
    pub fn choices(&self, term: TermId) -> Option<u8> {
        Some(self.info[term].choices).filter(|&choices| choices < QUANTIFIED)
    }

    /// Returns the number of distinct terms.
    pub fn len(&self) -> usize {
        self.nodes.len()
    }

    /// Returns whether the arena is empty.
    pub fn is_empty(&self) -> bool {
        self.nodes.is_empty()
    }

    /// Returns a checkpoint of the current state.
    pub fn mark(&self) -> Mark {
        Mark { nodes: self.nodes.len(), pool: self.pool.len(), vars: self.vars.len() }
    }

    /// Removes all terms and variables created since `mark`. Their ids will be reused.
    pub fn rewind(&mut self, mark: Mark) {
        for index in mark.nodes..self.nodes.len() {
            let id = TermId::new(index);
            let hash = self.hash_of(self.nodes[id]);
            if let Ok(entry) = self.table.find_entry(hash, |&other| other == id) {
                entry.remove();
            }
        }
        self.nodes.truncate(mark.nodes);
        self.info.truncate(mark.nodes);
        self.pool.truncate(mark.pool);
        self.vars.truncate(mark.vars);
    }

    /// Creates a variable, distinct from all others.
    pub fn new_var(&mut self, name: impl Into<Arc<str>>, sort: SortId) -> VarId {
        self.vars.push(Var { name: name.into(), sort, span: None })
    }

    /// Sets the binder of a variable in the source.
    pub fn locate_var(&mut self, var: VarId, span: Span) {
        self.vars[var].span = Some(span);
    }

    /// Creates a variable with the data of `var`.
    pub fn copy_var(&mut self, var: VarId) -> VarId {
        let info = self.vars[var].clone();
        self.vars.push(info)
    }

    /// Returns the number of variables.
    pub fn var_count(&self) -> usize {
        self.vars.len()
    }

    /// Returns the data of a variable.
    pub fn var_info(&self, var: VarId) -> &Var {
        &self.vars[var]
    }

    /// Returns the variable if `term` is one.
    pub fn as_var(&self, term: TermId) -> Option<VarId> {
        match self.node(term) {
            Node::Var(var) => Some(var),
            _ => None,
        }
    }

    /// Returns the variables bound by a quantifier.
    pub fn bound_vars(&self, vars: Args) -> impl DoubleEndedIterator<Item = VarId> + '_ {
        self.args(vars).iter().filter_map(|&var| self.as_var(var))
    }

    fn children_of(&self, node: Node) -> Children<'_> {
        let (list, fixed): (&[TermId], [Option<TermId>; 3]) = match node {
            Node::True | Node::False | Node::Var(_) => (&[], [None; 3]),
            Node::App { args, .. } | Node::Distinct(args) | Node::And(args) | Node::Or(args) => {
                (self.args(args), [None; 3])
            }
            Node::Not(a) => (&[], [Some(a), None, None]),
            Node::Eq(a, b) | Node::Implies(a, b) | Node::Iff(a, b) => (&[], [Some(a), Some(b), None]),
            Node::Ite(a, b, c) => (&[], [Some(a), Some(b), Some(c)]),
            Node::Forall(vars, body) | Node::Exists(vars, body) => {
                (self.args(vars), [Some(body), None, None])
            }
        };
        Children { list, fixed }
    }

    /// Returns the direct subterms of `term`, in order; for a quantifier, its variables and its body.
    pub fn children(&self, term: TermId) -> impl Iterator<Item = TermId> + '_ {
        let Children { list, fixed } = self.children_of(self.node(term));
        list.iter().copied().chain(fixed.into_iter().flatten())
    }

    fn hash_of(&self, node: Node) -> u64 {
        let mut hasher = Hasher::default();
        std::mem::discriminant(&node).hash(&mut hasher);
        let list = |hasher: &mut Hasher, args| self.args(args).iter().for_each(|child| child.hash(hasher));
        match node {
            Node::True | Node::False => {}
            Node::Var(var) => var.hash(&mut hasher),
            Node::App { sym, step, args } => {
                (sym, step).hash(&mut hasher);
                list(&mut hasher, args);
            }
            Node::Distinct(args) | Node::And(args) | Node::Or(args) => list(&mut hasher, args),
            Node::Not(a) => a.hash(&mut hasher),
            Node::Eq(a, b) | Node::Implies(a, b) | Node::Iff(a, b) => (a, b).hash(&mut hasher),
            Node::Ite(a, b, c) => (a, b, c).hash(&mut hasher),
            Node::Forall(vars, body) | Node::Exists(vars, body) => {
                list(&mut hasher, vars);
                body.hash(&mut hasher);
            }
        }
        hasher.finish()
    }

    fn equal_nodes(&self, a: Node, b: Node) -> bool {
        let equal = |x: Args, y: Args| self.args(x) == self.args(y);
        match (a, b) {
            (Node::App { sym: f, step: i, args: x }, Node::App { sym: g, step: j, args: y }) => {
                f == g && i == j && equal(x, y)
            }
            (Node::Distinct(x), Node::Distinct(y))
            | (Node::And(x), Node::And(y))
            | (Node::Or(x), Node::Or(y)) => equal(x, y),
            (Node::Forall(x, p), Node::Forall(y, q)) | (Node::Exists(x, p), Node::Exists(y, q)) => {
                p == q && equal(x, y)
            }
            (Node::True, Node::True) | (Node::False, Node::False) => true,
            (Node::Var(x), Node::Var(y)) => x == y,
            (Node::Not(x), Node::Not(y)) => x == y,
            (Node::Eq(p, q), Node::Eq(x, y))
            | (Node::Implies(p, q), Node::Implies(x, y))
            | (Node::Iff(p, q), Node::Iff(x, y)) => (p, q) == (x, y),
            (Node::Ite(p, q, r), Node::Ite(x, y, z)) => (p, q, r) == (x, y, z),
            _ => false,
        }
    }

    /// Interns `node`. Its list, if it has one, must be the last one made by [`Self::list`].
    fn intern(&mut self, node: Node, sort: SortId) -> TermId {
        let hash = self.hash_of(node);
        if let Some(&found) = self.table.find(hash, |&other| self.equal_nodes(self.nodes[other], node)) {
            return found;
        }
        let mut info = NodeInfo {
            sort,
            depth: 1,
            tree_size: 1,
            has_vars: matches!(node, Node::Var(_)),
            has_choice: matches!(node, Node::Ite(..)) && sort != SortId::BOOL,
            choices: if matches!(node, Node::Forall(..) | Node::Exists(..)) { QUANTIFIED } else { 0 },
            max_step: if let Node::App { step, .. } = node { step } else { 0 },
        };
        let Children { list, fixed } = self.children_of(node);
        for child in list.iter().copied().chain(fixed.into_iter().flatten()) {
            let below = self.info[child];
            info.depth = info.depth.max(below.depth + 1);
            info.tree_size = info.tree_size.saturating_add(below.tree_size);
            info.has_vars |= below.has_vars;
            info.has_choice |= below.has_choice;
            info.choices = info.choices.max(below.choices);
            info.max_step = info.max_step.max(below.max_step);
        }
        if let Node::Ite(condition, ..) = node {
            let below = self.info[condition].choices;
            info.choices = info.choices.max(if below < QUANTIFIED - 1 { below + 1 } else { below });
        }
        let id = self.nodes.push(node);
        self.info.push(info);
        let mut table = std::mem::take(&mut self.table);
        table.insert_unique(hash, id, |&other| self.hash_of(self.nodes[other]));
        self.table = table;
        id
    }

    fn list(&mut self, items: &[TermId]) -> Args {
        // Wrapping would identify distinct terms.
        let end = u32::try_from(self.pool.len() + items.len()).expect("less than 2^32 places of arguments");
        self.pool.extend_from_slice(items);
        let len = items.len() as u32;
        Args { start: end - len, len }
    }

    /// Interns a node with a list, and releases the list if the node already existed.
    fn intern_list(&mut self, items: &[TermId], sort: SortId, make: impl FnOnce(Args) -> Node) -> TermId {
        let args = self.list(items);
        let before = self.nodes.len();
        let id = self.intern(make(args), sort);
        if self.nodes.len() == before {
            self.pool.truncate(args.start as usize);
        }
        id
    }

    /// Returns the true formula.
    pub fn tru(&mut self) -> TermId {
        self.intern(Node::True, SortId::BOOL)
    }

    /// Returns the false formula.
    pub fn fals(&mut self) -> TermId {
        self.intern(Node::False, SortId::BOOL)
    }

    /// Returns the variable as a term.
    pub fn var(&mut self, var: VarId) -> TermId {
        let sort = self.vars[var].sort;
        self.intern(Node::Var(var), sort)
    }

    /// Applies a symbol at `step` (replaced by 0 if the symbol is immutable).
    pub fn app(&mut self, sig: &Signature, sym: SymId, step: u16, args: &[TermId]) -> TermId {
        let symbol = &sig.symbols[sym];
        debug_assert_eq!(symbol.args.len(), args.len(), "arity of {}", symbol.name);
        let step = if symbol.kind.is_mutable() { step } else { 0 };
        self.intern_list(args, symbol.result, |args| Node::App { sym, step, args })
    }

    /// Returns the equality of two terms; an equivalence ([`Node::Iff`]) if they are formulas.
    pub fn eq(&mut self, a: TermId, b: TermId) -> TermId {
        debug_assert_eq!(self.sort(a), self.sort(b));
        if self.sort(a) == SortId::BOOL { self.iff(a, b) } else { self.intern(Node::Eq(a, b), SortId::BOOL) }
    }

    /// Returns the pairwise difference: true for fewer than two terms, a negated equality for two. For formulas it is
    /// expanded into equivalences.
    pub fn distinct(&mut self, items: &[TermId]) -> TermId {
        match items {
            [] | [_] => self.tru(),
            &[a, b] => {
                let eq = self.eq(a, b);
                self.not(eq)
            }
            &[a, ..] if self.sort(a) == SortId::BOOL => {
                let mut parts = Vec::new();
                for (i, &a) in items.iter().enumerate() {
                    for &b in &items[i + 1..] {
                        let iff = self.iff(a, b);
                        parts.push(self.not(iff));
                    }
                }
                self.and(&parts)
            }
            _ => self.intern_list(items, SortId::BOOL, Node::Distinct),
        }
    }

    /// Returns the negation of a formula.
    pub fn not(&mut self, a: TermId) -> TermId {
        self.intern(Node::Not(a), SortId::BOOL)
    }

    /// Returns the conjunction: true for an empty list, the formula itself for a single one.
    pub fn and(&mut self, items: &[TermId]) -> TermId {
        match items {
            [] => self.tru(),
            &[only] => only,
            _ => self.intern_list(items, SortId::BOOL, Node::And),
        }
    }

    /// Returns the disjunction: false for an empty list, the formula itself for a single one.
    pub fn or(&mut self, items: &[TermId]) -> TermId {
        match items {
            [] => self.fals(),
            &[only] => only,
            _ => self.intern_list(items, SortId::BOOL, Node::Or),
        }
    }

    /// Returns an implication.
    pub fn implies(&mut self, a: TermId, b: TermId) -> TermId {
        self.intern(Node::Implies(a, b), SortId::BOOL)
    }

    /// Returns an equivalence.
    pub fn iff(&mut self, a: TermId, b: TermId) -> TermId {
        self.intern(Node::Iff(a, b), SortId::BOOL)
    }

    /// Returns `if condition then a else b`; `a` and `b` have the same sort.
    pub fn ite(&mut self, condition: TermId, a: TermId, b: TermId) -> TermId {
        debug_assert_eq!(self.sort(a), self.sort(b));
        let sort = self.sort(a);
        self.intern(Node::Ite(condition, a, b), sort)
    }

    /// Quantifies universally; returns the body itself if `vars` is empty.
    pub fn forall(&mut self, vars: &[VarId], body: TermId) -> TermId {
        self.quantify(vars, body, Node::Forall)
    }

    /// Quantifies existentially; returns the body itself if `vars` is empty.
    pub fn exists(&mut self, vars: &[VarId], body: TermId) -> TermId {
        self.quantify(vars, body, Node::Exists)
    }

    fn quantify(&mut self, vars: &[VarId], body: TermId, make: fn(Args, TermId) -> Node) -> TermId {
        if vars.is_empty() {
            return body;
        }
        let vars: Vec<TermId> = vars.iter().map(|&var| self.var(var)).collect();
        self.intern_list(&vars, SortId::BOOL, |vars| make(vars, body))
    }

    /// Applies the constructor of `term` to other subterms, in the order of [`Self::children`].
    pub fn rebuild(&mut self, term: TermId, children: &[TermId]) -> TermId {
        let sort = self.sort(term);
        match self.node(term) {
            Node::True | Node::False | Node::Var(_) => term,
            Node::App { sym, step, .. } => {
                self.intern_list(children, sort, |args| Node::App { sym, step, args })
            }
            Node::Eq(..) => self.eq(children[0], children[1]),
            Node::Distinct(_) => self.distinct(children),
            Node::Not(_) => self.not(children[0]),
            Node::And(_) => self.and(children),
            Node::Or(_) => self.or(children),
            Node::Implies(..) => self.implies(children[0], children[1]),
            Node::Iff(..) => self.iff(children[0], children[1]),
            Node::Ite(..) => self.ite(children[0], children[1], children[2]),
            Node::Forall(..) => self.requantify(children, Node::Forall),
            Node::Exists(..) => self.requantify(children, Node::Exists),
        }
    }

    fn requantify(&mut self, children: &[TermId], make: fn(Args, TermId) -> Node) -> TermId {
        let (body, vars) = children.split_last().expect("a quantifier has a body");
        self.intern_list(vars, SortId::BOOL, |vars| make(vars, *body))
    }

    /// Returns the conjuncts of a formula, with nested conjunctions flattened.
    pub fn conjuncts(&self, formula: TermId) -> Vec<TermId> {
        let mut found = Vec::new();
        let mut stack = vec![formula];
        while let Some(next) = stack.pop() {
            match self.node(next) {
                Node::And(args) => stack.extend(self.args(args).iter().rev()),
                Node::True => {}
                _ => found.push(next),
            }
        }
        found
    }
}

struct Children<'a> {
    list: &'a [TermId],
    fixed: [Option<TermId>; 3],
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;
    use crate::logic::sig::{Sort, Symbol, SymbolKind};

    /// A sort `s` and a mutable relation `r(s, s)`.
    pub(crate) fn signature() -> (Signature, SortId, SymId) {
        let mut sig = Signature::new();
        let s = sig.sorts.push(Sort::new("s"));
        let r = sig.symbols.push(Symbol::new("r", vec![s, s], SortId::BOOL, SymbolKind::Mutable));
        (sig, s, r)
    }

    #[test]
    fn equal_terms_have_equal_ids() {
        let (sig, s, r) = signature();
        let mut terms = Terms::new();
        let x = terms.new_var("x", s);
        let x = terms.var(x);
        let a = terms.app(&sig, r, 0, &[x, x]);
        let pool = terms.pool.len();
        assert_eq!(a, terms.app(&sig, r, 0, &[x, x]));
        assert_eq!(terms.pool.len(), pool, "a term that is there already takes no memory");
        assert_ne!(a, terms.app(&sig, r, 1, &[x, x]));
    }
}
