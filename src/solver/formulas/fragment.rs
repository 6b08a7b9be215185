//! Fragment analysis: membership of a set of formulas in stratified EPR.
//!
//! The nodes of the graph are sorts. A function has edges from the sorts of its arguments to that of its result, and so
//! does the Skolem function of an existential variable. If there is no cycle, there are finitely many ground terms and
//! the set is decidable (Padon et al., PLDI 2016, section 3.2; Ge and de Moura, CAV 2009).

use super::miniscope::Miniscope;
use super::nnf::Nnf;
use ramsey_core::base::budget::{Budget, Exhausted};
use ramsey_core::base::hash::{Map, Set};
use ramsey_core::logic::Syntax;
use ramsey_core::logic::sig::{SortId, SymId};
use ramsey_core::logic::term::{Args, LARGE_TREE, Node, TermId, Terms, VarId};

/// Cause of an edge: how terms of one sort produce terms of another.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub enum Cause {
    /// A function of the model, at some step.
    Function(SymId),
    /// A quantifier alternation: each value of the first variable requires one of the second.
    Alternation(VarId, VarId),
}

/// An edge of the graph of sorts.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Edge {
    /// Sort of an argument.
    pub from: SortId,
    /// Sort of the result.
    pub to: SortId,
    /// Cause of the edge.
    pub cause: Cause,
    /// Index of the formula that contains the cause.
    pub formula: usize,
}

/// Graph of the sorts of some formulas.
#[derive(Clone, Debug, Default)]
pub struct SortGraph {
    /// At most one edge per pair of sorts, the first one found.
    edges: Vec<Edge>,
    known: Set<(SortId, SortId)>,
}

/// Converts formulas into the normal form from which the graph is built. Results are cached.
#[derive(Clone, Debug, Default)]
pub struct Normalizer {
    nnf: Nnf,
    miniscope: Miniscope,
}

/// Maximum work for the normal form of one formula.
const MAX_WORK: u64 = 4_000_000;

impl Normalizer {
    /// Returns `formula`, or its negation unless `positive`, in miniscoped negation normal form. New terms are added to
    /// `terms`, which must be the same arena in all calls.
    pub fn of(&mut self, terms: &mut Terms, formula: TermId, positive: bool) -> TermId {
        let normal = self.nnf.of(terms, formula, positive);
        self.miniscope.of(terms, normal)
    }

    /// Like [`Self::of`], within a budget.
    ///
    /// # Errors
    /// Returns an error if the budget is exhausted, and [`Exhausted::FormulaSize`] if the normal form is too large.
    pub fn within(
        &mut self,
        terms: &mut Terms,
        formula: TermId,
        positive: bool,
        budget: &mut Budget,
    ) -> Result<TermId, Exhausted> {
        budget.at_most(MAX_WORK, |budget| {
            std::mem::swap(&mut self.nnf.budget, budget);
            let normal = self.nnf.of(terms, formula, positive);
            std::mem::swap(&mut self.nnf.budget, budget);
            self.nnf.exhausted.take().map_or(Ok(()), Err)?;
            std::mem::swap(&mut self.miniscope.budget, budget);
            let normal = self.miniscope.of(terms, normal);
            std::mem::swap(&mut self.miniscope.budget, budget);
            self.miniscope.exhausted.take().map_or(Ok(normal), Err)
        })
    }
}

impl SortGraph {
    /// Creates a graph without edges.
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds the edges of an asserted formula, which must be the result of a [`Normalizer`]. Edges refer to it by
    /// `index`.
    pub fn add(&mut self, syntax: Syntax<'_>, normal: TermId, index: usize) {
        self.add_as_written(syntax, normal, true, index);
    }

    /// Adds the edges of any asserted formula, or of its negation unless `positive`, with its quantifiers at their
    /// present positions. The normal form may have fewer edges, but not more.
    pub fn add_as_written(&mut self, syntax: Syntax<'_>, formula: TermId, positive: bool, index: usize) {
        let mut walk = Walk {
            graph: self,
            syntax,
            formula: index,
            scope: Map::default(),
            seen: Set::default(),
            seen_terms: Set::default(),
            free: Map::default(),
        };
        walk.formula(formula, positive);
    }

    /// Returns the pairs of sorts with an edge from the first to the second.
    pub fn pairs(&self) -> &Set<(SortId, SortId)> {
        &self.known
    }

    /// Returns a shortest cycle, if any. Each edge starts where the previous one ends.
    pub fn cycle(&self) -> Option<Vec<Edge>> {
        let mut best: Option<Vec<Edge>> = None;
        for start in &self.edges {
            if let Some(path) = self.path(start.to, start.from) {
                let mut cycle = vec![*start];
                cycle.extend(path);
                if best.as_ref().is_none_or(|known| cycle.len() < known.len()) {
                    best = Some(cycle);
                }
            }
        }
        best
    }

    /// Returns a shortest path by breadth-first search.
    fn path(&self, from: SortId, to: SortId) -> Option<Vec<Edge>> {
        let mut reached: Vec<(SortId, Vec<Edge>)> = vec![(from, Vec::new())];
        let mut seen = Set::from_iter([from]);
        let mut at = 0;
        while at < reached.len() {
            let (sort, path) = reached[at].clone();
            if sort == to {
                return Some(path);
            }
            for edge in self.edges.iter().filter(|edge| edge.from == sort) {
                if seen.insert(edge.to) {
                    let mut longer = path.clone();
                    longer.push(*edge);
                    reached.push((edge.to, longer));
                }
            }
            at += 1;
        }
        None
    }

    fn edge(&mut self, from: SortId, to: SortId, cause: Cause, formula: usize) {
        if self.known.insert((from, to)) {
            self.edges.push(Edge { from, to, cause, formula });
        }
    }
}

struct Walk<'a> {
    graph: &'a mut SortGraph,
    syntax: Syntax<'a>,
    formula: usize,
    /// By variable in scope, the universal variables on which its value depends; for a universal variable, itself.
    scope: Map<VarId, Vec<VarId>>,
    /// Visited subformulas, of those that may occur often, each with its polarity and the dependencies of its free
    /// variables.
    seen: Set<(TermId, bool, Vec<Vec<VarId>>)>,
    /// Visited large terms.
    seen_terms: Set<TermId>,
    /// Free variables of large formulas.
    free: Map<TermId, Vec<VarId>>,
}

impl Walk<'_> {
    fn formula(&mut self, formula: TermId, positive: bool) {
        let terms = self.syntax.terms;
        let node = terms.node(formula);
        // Formulas that are read with both polarities would be read exponentially often.
        if matches!(node, Node::Iff(..) | Node::Ite(..)) || terms.tree_size(formula) > LARGE_TREE {
            let free = terms.free_vars_shared(formula, &mut self.free);
            let scope = free.iter().map(|var| self.scope.get(var).cloned().unwrap_or_default()).collect();
            if !self.seen.insert((formula, positive, scope)) {
                return;
            }
        }
        match node {
            Node::Not(body) => self.formula(body, !positive),
            Node::And(args) | Node::Or(args) => {
                for &arg in terms.args(args) {
                    self.formula(arg, positive);
                }
            }
            Node::Implies(left, right) => {
                self.formula(left, !positive);
                self.formula(right, positive);
            }
            Node::Iff(left, right) => [left, right].into_iter().for_each(|side| self.both_polarities(side)),
            Node::Ite(condition, left, right) => {
                self.both_polarities(condition);
                self.formula(left, positive);
                self.formula(right, positive);
            }
            Node::Forall(vars, body) | Node::Exists(vars, body) => {
                if matches!(node, Node::Forall(..)) == positive {
                    for var in terms.bound_vars(vars) {
                        self.scope.insert(var, vec![var]);
                    }
                } else {
                    self.choose(formula, vars);
                }
                self.formula(body, positive);
            }
            _ => self.functions(formula),
        }
    }

    fn both_polarities(&mut self, formula: TermId) {
        self.formula(formula, true);
        self.formula(formula, false);
    }

    /// Adds the Skolem functions of the variables bound by a quantifier, which depend on the dependencies of the
    /// formula.
    fn choose(&mut self, formula: TermId, vars: Args) {
        let terms = self.syntax.terms;
        let mut depends: Vec<VarId> = Vec::new();
        for var in terms.free_vars_shared(formula, &mut self.free) {
            for &universal in self.scope.get(&var).into_iter().flatten() {
                if !depends.contains(&universal) {
                    depends.push(universal);
                }
            }
        }
        for var in terms.bound_vars(vars) {
            for &universal in &depends {
                let (from, to) = (terms.var_info(universal).sort, terms.var_info(var).sort);
                self.graph.edge(from, to, Cause::Alternation(universal, var), self.formula);
            }
            self.scope.insert(var, depends.clone());
        }
    }

    fn functions(&mut self, term: TermId) {
        if self.syntax.terms.tree_size(term) > LARGE_TREE && !self.seen_terms.insert(term) {
            return;
        }
        if let Node::App { sym, .. } = self.syntax.terms.node(term) {
            let symbol = &self.syntax.sig.symbols[sym];
            if !symbol.is_relation() {
                for &arg in &symbol.args {
                    self.graph.edge(arg, symbol.result, Cause::Function(sym), self.formula);
                }
            }
        }
        for child in self.syntax.terms.children(term) {
            self.argument(child);
        }
    }

    /// Visits a term, which may contain conditions, or formulas as arguments. Normal forms contain neither.
    fn argument(&mut self, term: TermId) {
        match self.syntax.terms.node(term) {
            Node::True | Node::False | Node::Var(_) | Node::App { .. } => self.functions(term),
            Node::Ite(condition, left, right) => {
                self.both_polarities(condition);
                self.argument(left);
                self.argument(right);
            }
            _ => self.both_polarities(term),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use ramsey_core::logic::sig::{Signature, Sort, Symbol, SymbolKind};

    struct Fixture {
        sig: Signature,
        terms: Terms,
        a: SortId,
        b: SortId,
        r: SymId,
        p: SymId,
    }

    fn fixture() -> Fixture {
        let mut sig = Signature::new();
        let mut sort = |name: &str| sig.sorts.push(Sort::new(name));
        let (a, b) = (sort("a"), sort("b"));
        let mut relation = |name: &str, args: &[SortId]| {
            sig.symbols.push(Symbol::new(name, args.to_vec(), SortId::BOOL, SymbolKind::Immutable))
        };
        let (r, p) = (relation("r", &[a, b]), relation("p", &[a]));
        Fixture { sig, terms: Terms::new(), a, b, r, p }
    }

    #[test]
    fn alternation_counts_by_polarity() {
        let Fixture { sig, mut terms, a, b, r, .. } = fixture();
        let (x, y) = (terms.new_var("x", a), terms.new_var("y", b));
        let (tx, ty) = (terms.var(x), terms.var(y));
        let body = terms.app(&sig, r, 0, &[tx, ty]);
        let inner = terms.exists(&[y], body);
        let total = terms.forall(&[x], inner);
        let mut graph = SortGraph::new();
        let mut normalizer = Normalizer::default();
        let normal = normalizer.of(&mut terms, total, true);
        graph.add(terms.over(&sig), normal, 0);
        assert_eq!(graph.edges.len(), 1);
        assert_eq!((graph.edges[0].from, graph.edges[0].to), (a, b));
        assert_eq!(graph.cycle(), None);
        // The negation is exists-forall, which needs no Skolem function.
        let mut negated = SortGraph::new();
        let normal = normalizer.of(&mut terms, total, false);
        negated.add(terms.over(&sig), normal, 0);
        assert!(negated.edges.is_empty());
        // Reading the other direction as well closes the cycle.
        let inner = terms.exists(&[x], body);
        let onto = terms.forall(&[y], inner);
        let normal = normalizer.of(&mut terms, onto, true);
        graph.add(terms.over(&sig), normal, 1);
        let cycle = graph.cycle().expect("a to b to a");
        assert_eq!(cycle.iter().map(|edge| edge.formula).collect::<Vec<_>>(), [0, 1]);
        assert_eq!(cycle[1].cause, Cause::Alternation(y, x));
    }

    #[test]
    fn quantifiers_that_do_not_depend_make_no_edge() {
        let Fixture { sig, mut terms, a, p, .. } = fixture();
        // forall x. exists z. p(x) | p(z), with x and z of one sort: miniscoping separates them.
        let (x, z) = (terms.new_var("x", a), terms.new_var("z", a));
        let (tx, tz) = (terms.var(x), terms.var(z));
        let parts = [terms.app(&sig, p, 0, &[tx]), terms.app(&sig, p, 0, &[tz])];
        let body = terms.or(&parts);
        let inner = terms.exists(&[z], body);
        let formula = terms.forall(&[x], inner);
        let mut graph = SortGraph::new();
        let normal = Normalizer::default().of(&mut terms, formula, true);
        graph.add(terms.over(&sig), normal, 0);
        assert_eq!(graph.cycle(), None);
    }
}
