//! Colours of sorts, symbols, variables and terms, which do not depend on their order and names.
//!
//! They are refined until they tell no more apart (Weisfeiler and Leman, 1968): the colour of a term follows from those of its
//! parts, and the *place* of a term from those of what contains it. The colour of a symbol or variable follows from the
//! terms and places in which it occurs, that of a sort from its symbols and variables. What has equal colours then is
//! hardly ever different: one of them gets a colour of its own, whichever it is, and refinement goes on. Where it is different
//! all the same nothing is wrong but the order.

use ramsey_core::base::hash::Set;
use ramsey_core::base::ids::{Id as _, IdVec};
use ramsey_core::logic::{Node, Signature, SortId, SymId, Symbol, TermId, Terms, VarId};

/// A colour.
pub(super) type Color = u64;

/// Maximum number of refinements at a time.
const ROUNDS: usize = 16;
/// Maximum number of times that something gets a colour of its own.
const MAX_TIES: usize = 64;

/// A formula or term of a system, with a number that says what it is there for.
#[derive(Clone, Debug)]
pub(super) struct Root {
    pub(super) term: TermId,
    pub(super) role: u64,
    /// The symbol that it is about, if there is one.
    pub(super) sym: Option<SymId>,
    /// Variables that are free in it and have an order.
    pub(super) vars: Vec<VarId>,
    /// Variables that are free in it and have none.
    pub(super) params: Vec<VarId>,
}

/// The colours of a system.
#[derive(Debug)]
pub(super) struct Colors {
    pub(super) sorts: IdVec<SortId, Color>,
    pub(super) symbols: IdVec<SymId, Color>,
    pub(super) vars: IdVec<VarId, Color>,
    pub(super) terms: IdVec<TermId, Color>,
    /// The symbols that the roots mention or are about.
    pub(super) is_used: IdVec<SymId, bool>,
    /// By term, what contains it.
    places: IdVec<TermId, Color>,
    /// The terms of the roots, parts first.
    reached: Vec<TermId>,
}

/// Joins colours in an order.
fn join(a: Color, b: Color) -> Color {
    let mut x = (a.rotate_left(25) ^ b).wrapping_add(0x9E37_79B9_7F4A_7C15);
    x = (x ^ (x >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    x = (x ^ (x >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    x ^ (x >> 31)
}

/// Joins a colour with a multiset of others.
fn join_all(a: Color, others: impl IntoIterator<Item = Color>) -> Color {
    join(a, others.into_iter().fold(0, |sum: u64, other| sum.wrapping_add(join(0, other))))
}

impl Colors {
    /// Computes the colours of what these formulas and terms are about.
    pub(super) fn new(sig: &Signature, terms: &Terms, roots: &[Root]) -> Colors {
        let reached = reached(terms, roots);
        let mut is_used = IdVec::filled(sig.symbols.len(), false);
        let mentioned = reached.iter().filter_map(|&term| match terms.node(term) {
            Node::App { sym, .. } => Some(sym),
            _ => None,
        });
        mentioned.chain(roots.iter().filter_map(|root| root.sym)).for_each(|sym| is_used[sym] = true);
        let mut colors = Colors {
            sorts: sig.sorts.ids().map(|sort| Color::from(sort != SortId::BOOL)).collect(),
            symbols: sig.symbols.iter().map(of_symbol).collect(),
            vars: IdVec::filled(terms.var_count(), 0),
            terms: IdVec::filled(terms.len(), 0),
            is_used,
            places: IdVec::filled(terms.len(), 0),
            reached,
        };
        for root in roots {
            for (at, &var) in root.vars.iter().enumerate() {
                colors.vars[var] = join(root.role, at as u64);
            }
        }
        colors.settle(sig, terms, roots);
        for _ in 0..MAX_TIES {
            if !colors.break_ties(terms, roots) {
                break;
            }
            colors.settle(sig, terms, roots);
        }
        colors
    }

    /// Refines colours until they tell no more apart.
    fn settle(&mut self, sig: &Signature, terms: &Terms, roots: &[Root]) {
        let mut count = 0;
        for _ in 0..ROUNDS {
            self.refine(sig, terms, roots);
            let of_all = self.sorts.iter().chain(self.symbols.iter()).chain(self.vars.iter());
            let distinct = of_all.collect::<Set<_>>().len();
            if distinct <= count {
                break;
            }
            count = distinct;
        }
        self.color_terms(terms);
    }

    /// Gives one of several symbols with equal colours another one; if there are none, a variable of each formula.
    /// Returns whether there are any.
    fn break_ties(&mut self, terms: &Terms, roots: &[Root]) -> bool {
        let symbols = self.symbols.ids().filter(|&sym| self.is_used[sym]);
        let symbols: Vec<(Color, SymId)> = symbols.map(|sym| (self.symbols[sym], sym)).collect();
        if let Some(sym) = first_tied(symbols) {
            self.symbols[sym] = join(self.symbols[sym], 30);
            return true;
        }
        let vars: Set<VarId> = roots.iter().filter_map(|root| self.tied_variable(terms, root)).collect();
        vars.iter().for_each(|&var| self.vars[var] = join(self.vars[var], 31));
        !vars.is_empty()
    }

    /// Returns a variable of a formula that has the colour of another one of the same quantifier.
    fn tied_variable(&self, terms: &Terms, root: &Root) -> Option<VarId> {
        let tied = |vars: &mut dyn Iterator<Item = VarId>| {
            first_tied(vars.map(|var| (self.vars[var], var)).collect())
        };
        if let Some(param) = tied(&mut root.params.iter().copied()) {
            return Some(param);
        }
        let (mut seen, mut open, mut best) = (Set::default(), vec![root.term], None);
        while let Some(term) = open.pop() {
            if !terms.has_vars(term) || !seen.insert(term) {
                continue;
            }
            if let Node::Forall(vars, _) | Node::Exists(vars, _) = terms.node(term)
                && vars.len() > 1
                && let Some(var) = tied(&mut terms.bound_vars(vars))
            {
                let rank = (self.terms[term], self.places[term], var);
                best = Some(best.map_or(rank, |best: (Color, Color, VarId)| best.min(rank)));
            }
            open.extend(terms.children(term));
        }
        best.map(|(_, _, var)| var)
    }

    fn refine(&mut self, sig: &Signature, terms: &Terms, roots: &[Root]) {
        self.color_terms(terms);
        self.color_places(terms, roots);
        let (mut of_symbols, mut of_vars) =
            (IdVec::filled(self.symbols.len(), 0_u64), IdVec::filled(self.vars.len(), 0_u64));
        for &term in &self.reached {
            let seen = join(self.terms[term], self.places[term]);
            match terms.node(term) {
                Node::App { sym, .. } => of_symbols[sym] = of_symbols[sym].wrapping_add(join(1, seen)),
                Node::Var(var) => of_vars[var] = of_vars[var].wrapping_add(join(2, seen)),
                _ => {}
            }
        }
        for root in roots {
            if let Some(sym) = root.sym {
                of_symbols[sym] = of_symbols[sym].wrapping_add(join(root.role, self.terms[root.term]));
            }
        }
        let mut of_sorts = IdVec::filled(self.sorts.len(), 0_u64);
        for (sym, symbol) in sig.symbols.iter_enumerated().filter(|&(sym, _)| self.is_used[sym]) {
            let sorts = symbol.args.iter().chain([&symbol.result]);
            let signature = sorts.clone().fold(0, |color, &sort| join(color, self.sorts[sort]));
            self.symbols[sym] = join(join(self.symbols[sym], of_symbols[sym]), signature);
            for (at, &sort) in sorts.enumerate() {
                of_sorts[sort] = of_sorts[sort].wrapping_add(join(at as u64, self.symbols[sym]));
            }
        }
        for &term in &self.reached {
            if let Node::Var(var) = terms.node(term) {
                let sort = terms.var_info(var).sort;
                self.vars[var] = join(join(self.vars[var], of_vars[var]), self.sorts[sort]);
                of_sorts[sort] = of_sorts[sort].wrapping_add(join(3, self.vars[var]));
            }
        }
        for sort in sig.uninterpreted_sorts() {
            self.sorts[sort] = join(self.sorts[sort], of_sorts[sort]);
        }
    }

    /// Gives each term a colour that follows from those of its parts.
    fn color_terms(&mut self, terms: &Terms) {
        for at in 0..self.reached.len() {
            let term = self.reached[at];
            let of = |term: TermId| self.terms[term];
            self.terms[term] = match terms.node(term) {
                Node::True => 10,
                Node::False => 11,
                Node::Var(var) => join(12, self.vars[var]),
                Node::App { sym, step, args } => {
                    let head = join(join(13, self.symbols[sym]), step.into());
                    terms.args(args).iter().fold(head, |color, &arg| join(color, of(arg)))
                }
                Node::Eq(a, b) => join_all(14, [of(a), of(b)]),
                Node::Iff(a, b) => join_all(15, [of(a), of(b)]),
                Node::Distinct(args) => join_all(16, terms.args(args).iter().map(|&arg| of(arg))),
                Node::And(args) => join_all(17, terms.args(args).iter().map(|&arg| of(arg))),
                Node::Or(args) => join_all(18, terms.args(args).iter().map(|&arg| of(arg))),
                Node::Not(a) => join(19, of(a)),
                Node::Implies(a, b) => join(join(20, of(a)), of(b)),
                Node::Ite(a, b, c) => join(join(join(21, of(a)), of(b)), of(c)),
                Node::Forall(vars, body) => {
                    join_all(join(22, of(body)), terms.args(vars).iter().map(|&var| of(var)))
                }
                Node::Exists(vars, body) => {
                    join_all(join(23, of(body)), terms.args(vars).iter().map(|&var| of(var)))
                }
            };
        }
    }

    /// Gives each term a place that follows from the terms of which it is a part, and from the roots that it is.
    fn color_places(&mut self, terms: &Terms, roots: &[Root]) {
        for &term in &self.reached {
            self.places[term] = 0;
        }
        let symbol = |root: &Root| root.sym.map_or(0, |sym| self.symbols[sym]);
        let of_roots: Vec<Color> = roots.iter().map(|root| join(root.role, symbol(root))).collect();
        for (root, color) in roots.iter().zip(of_roots) {
            self.places[root.term] = self.places[root.term].wrapping_add(color);
        }
        for at in (0..self.reached.len()).rev() {
            let term = self.reached[at];
            let node = terms.node(term);
            let is_ordered = matches!(node, Node::App { .. } | Node::Implies(..) | Node::Ite(..));
            // The variables of a quantifier have no order.
            let variables = match node {
                Node::Forall(vars, _) | Node::Exists(vars, _) => vars.len(),
                _ => usize::MAX,
            };
            let place = join(self.places[term], self.terms[term]);
            for (at, child) in terms.children(term).enumerate() {
                let position = match () {
                    () if at == variables => u64::MAX,
                    () if is_ordered => at as u64 + 1,
                    () => 0,
                };
                self.places[child] = self.places[child].wrapping_add(join(place, position));
            }
        }
    }
}

/// Returns the first one of those with the smallest colour that several have.
fn first_tied<I: Copy + Ord>(mut all: Vec<(Color, I)>) -> Option<I> {
    all.sort_unstable();
    all.windows(2).find(|pair| pair[0].0 == pair[1].0).map(|pair| pair[0].1)
}

/// Returns the terms of the roots, parts first: a term has a greater id than its parts.
fn reached(terms: &Terms, roots: &[Root]) -> Vec<TermId> {
    let mut seen = vec![false; terms.len()];
    let mut open: Vec<TermId> = roots.iter().map(|root| root.term).collect();
    while let Some(term) = open.pop() {
        if !std::mem::replace(&mut seen[term.index()], true) {
            open.extend(terms.children(term));
        }
    }
    (0..seen.len()).filter(|&at| seen[at]).map(TermId::new).collect()
}

/// Returns what tells symbols apart that occur in the same places.
fn of_symbol(symbol: &Symbol) -> Color {
    let kind = join(symbol.kind as u64, symbol.is_declared().into());
    let operator =
        symbol.operator().unwrap_or_default().bytes().fold(0, |color, byte| join(color, byte.into()));
    join(kind, operator)
}
