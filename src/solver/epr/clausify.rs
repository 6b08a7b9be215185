//! Clausification: Skolemization, distribution, and naming of subformulas.
//!
//! The input is miniscoped and in negation normal form. Universal variables become slots, existential variables become
//! Skolem terms over the slots on which their formula depends. A conjunction inside a disjunction is distributed if
//! that is cheap, and named otherwise. Names are defined in one direction only, which suffices because negation normal
//! form determines the polarity (Plaisted and Greenbaum 1986).

use smallvec::SmallVec;

use super::bank::{Bank, Pattern, SlotId};
use super::clause::{Bindings, Clause, PatternAtom, PatternClause, PatternLit, renumber, simplify};
use super::symbols::{Fun, Rel, Symbols};
use ramsey_core::base::budget::{Budget, Exhausted};
use ramsey_core::base::hash::{Map, Set};
use ramsey_core::base::ids::IdVec;
use ramsey_core::logic::term::LARGE_TREE;
use ramsey_core::logic::{Node, SortId, Syntax, TermId, VarId};

/// Meaning of a Skolem function: a variable of an existential subformula. The values of the free variables of the
/// subformula depend on the arguments of the function.
#[derive(Clone, Debug)]
pub(crate) struct SkolemOrigin {
    /// Index of the assertion.
    pub(crate) assertion: usize,
    /// The existential subformula.
    pub(crate) formula: TermId,
    /// Index of the variable among those bound by the formula.
    pub(crate) index: usize,
    /// Values of the free variables of the formula, over `slots`.
    pub(crate) env: Bindings,
    /// The slots that are the arguments of the function, in order.
    pub(crate) slots: Vec<SlotId>,
}

/// Record of the symbols introduced by one assertion.
#[derive(Debug)]
pub(crate) struct Origins<'a> {
    /// Index of the assertion.
    pub(crate) assertion: usize,
    /// By Skolem function, its meaning.
    pub(crate) skolems: &'a mut Map<Fun, SkolemOrigin>,
    /// By name of a subformula, the universal variables whose values are its arguments.
    pub(crate) names: &'a mut Map<Rel, Vec<VarId>>,
}

/// Maximum number of clauses made by distributing a disjunction. Beyond it, conjunctions are named.
const MAX_PRODUCT: usize = 4;

/// Like [`MAX_PRODUCT`], for refutations to be explained, where names with arguments are avoided.
const MAX_EXPLAINED_PRODUCT: usize = 4096;

/// Conversion of one assertion into clauses.
pub(crate) struct Clausifier<'a> {
    pub(crate) syntax: Syntax<'a>,
    pub(crate) symbols: &'a mut Symbols,
    pub(crate) bank: &'a mut Bank,
    /// Record of Skolem functions and names, if refutations are to be explained.
    pub(crate) origins: Option<Origins<'a>>,
    /// The universal variables in scope with their slots.
    scope: Bindings,
    /// Sorts of the slots of this assertion. Clauses are renumbered afterwards.
    slots: IdVec<SlotId, SortId>,
    env: Map<VarId, Pattern>,
    /// Names of closed subformulas, so that a shared subformula is defined once.
    names: Map<TermId, Rel>,
    /// Subformulas with several occurrences in a formula that is too large to be traversed as a tree. They are named.
    shared: Set<TermId>,
    /// Names of shared subformulas, by the subformula and the values of its free variables.
    shared_names: Map<(TermId, Vec<Pattern>), PatternLit>,
    /// Whether a subformula contains a universal quantifier.
    universal: Map<TermId, bool>,
    /// Clauses that define names.
    definitions: Vec<Clause>,
    /// Cache of converted large terms without variables.
    ground: Map<TermId, Pattern>,
    /// Cache of converted large terms with variables, valid while the values of the variables do not change.
    open: Map<TermId, Pattern>,
    /// Cache of the free variables of large formulas.
    free: Map<TermId, Vec<VarId>>,
    /// Budget of the conversion: one unit for each literal of each intermediate clause.
    budget: &'a mut Budget,
    /// The exhausted budget, if any. Clauses made afterwards are meaningless.
    exhausted: Option<Exhausted>,
}

/// Maximum number of nodes of terms that are not cached.
const MAX_UNCACHED: u32 = 64;

impl<'a> Clausifier<'a> {
    pub(crate) fn new(
        syntax: Syntax<'a>,
        symbols: &'a mut Symbols,
        bank: &'a mut Bank,
        origins: Option<Origins<'a>>,
        budget: &'a mut Budget,
    ) -> Self {
        Clausifier {
            syntax,
            symbols,
            bank,
            origins,
            scope: Vec::new(),
            slots: IdVec::new(),
            env: Map::default(),
            names: Map::default(),
            shared: Set::default(),
            shared_names: Map::default(),
            universal: Map::default(),
            definitions: Vec::new(),
            ground: Map::default(),
            open: Map::default(),
            free: Map::default(),
            budget,
            exhausted: None,
        }
    }

    /// Converts a closed formula into clauses.
    ///
    /// # Errors
    /// Returns an error if the budget is exhausted.
    pub(crate) fn clauses(mut self, formula: TermId) -> Result<Vec<Clause>, Exhausted> {
        if self.syntax.terms.tree_size(formula) > LARGE_TREE {
            self.find_shared(formula, &mut Set::default());
        }
        let mut clauses = self.cnf(formula);
        clauses.append(&mut self.definitions);
        let mut result = Vec::with_capacity(clauses.len());
        let mut uses: IdVec<SlotId, u32> = self.slots.iter().map(|_| 0).collect();
        for clause in clauses {
            self.spend(clause.lits.len());
            if let Some(exhausted) = self.exhausted {
                return Err(exhausted);
            }
            let skolems_are_choices = self.origins.is_some();
            if let Some(clause) = simplify(self.symbols, self.bank, clause, skolems_are_choices) {
                result.push(renumber(self.symbols, self.bank, &self.slots, &mut uses, clause));
            }
        }
        // Of equal terms the oldest one stands for all. Where a clause does without a variable, that is the constant that fills its
        // sort.
        let open = result.iter().filter(|clause| !clause.is_ground(self.bank)).count() as u32;
        for (slot, &sort) in self.slots.iter_enumerated() {
            if uses[slot] < open {
                let filler = self.symbols.filler(sort);
                self.bank.app(self.symbols, filler, &[]);
            }
        }
        self.exhausted.map_or(Ok(result), Err)
    }

    /// Spends budget.
    fn spend(&mut self, units: usize) {
        if self.exhausted.is_none() {
            self.exhausted = self.budget.spend(1 + units as u64).err();
        }
    }

    /// Creates a clause with these literals under the current bindings.
    fn clause(&self, lits: PatternClause) -> Clause {
        let bindings = if self.origins.is_some() { self.scope.clone() } else { Vec::new() };
        Clause { lits, bindings }
    }

    fn find_shared(&mut self, formula: TermId, seen: &mut Set<TermId>) {
        let terms = self.syntax.terms;
        if !matches!(terms.node(formula), Node::And(_) | Node::Or(_) | Node::Forall(..) | Node::Exists(..)) {
            return;
        }
        if !seen.insert(formula) {
            self.shared.insert(formula);
            return;
        }
        match terms.node(formula) {
            Node::And(args) | Node::Or(args) => {
                for &arg in terms.args(args) {
                    self.find_shared(arg, seen);
                }
            }
            Node::Forall(_, body) | Node::Exists(_, body) => self.find_shared(body, seen),
            _ => {}
        }
    }

    fn cnf(&mut self, formula: TermId) -> Vec<Clause> {
        if self.shared.contains(&formula) {
            let name = self.name_shared(formula);
            return vec![self.clause(vec![name])];
        }
        self.cnf_once(formula)
    }

    /// Like [`Self::cnf`], for a formula that has no name, or is to have one.
    fn cnf_once(&mut self, formula: TermId) -> Vec<Clause> {
        self.spend(0);
        if self.exhausted.is_some() {
            return Vec::new();
        }
        match self.syntax.terms.node(formula) {
            Node::True => Vec::new(),
            Node::False => vec![self.clause(Vec::new())],
            Node::And(args) => {
                let terms = self.syntax.terms;
                terms.args(args).iter().flat_map(|&arg| self.cnf(arg)).collect()
            }
            Node::Or(args) => {
                let terms = self.syntax.terms;
                self.disjunction(terms.args(args))
            }
            Node::Forall(vars, body) => {
                let saved = self.bind(vars, |this, _, sort| {
                    let slot = this.slots.push(sort);
                    this.bank.slot(slot, sort)
                });
                let depth = self.scope.len();
                for (var, _) in &saved {
                    self.scope.push((*var, self.env[var]));
                }
                let clauses = self.cnf(body);
                self.scope.truncate(depth);
                self.restore(saved);
                clauses
            }
            Node::Exists(vars, body) => {
                let env: Bindings = self
                    .free_vars(formula)
                    .into_iter()
                    .filter_map(|var| Some((var, *self.env.get(&var)?)))
                    .collect();
                let mut scope = Vec::new();
                for &(_, value) in &env {
                    self.bank.collect_slots(value, &mut scope);
                }
                let sorts: Vec<SortId> = scope.iter().map(|&slot| self.slots[slot]).collect();
                let args: Vec<Pattern> =
                    scope.iter().zip(&sorts).map(|(&slot, &sort)| self.bank.slot(slot, sort)).collect();
                let saved = self.bind(vars, |this, index, sort| {
                    let fun = this.symbols.skolem(&sorts, sort);
                    if let Some(Origins { assertion, skolems, .. }) = &mut this.origins {
                        let (assertion, env, slots) = (*assertion, env.clone(), scope.clone());
                        skolems.insert(fun, SkolemOrigin { assertion, formula, index, env, slots });
                    }
                    this.bank.app(this.symbols, fun, &args)
                });
                let clauses = self.cnf(body);
                self.restore(saved);
                clauses
            }
            _ => {
                let literal = self.literal(formula);
                vec![self.clause(vec![literal])]
            }
        }
    }

    fn bind(
        &mut self,
        vars: ramsey_core::logic::Args,
        mut value: impl FnMut(&mut Self, usize, SortId) -> Pattern,
    ) -> Vec<(VarId, Option<Pattern>)> {
        let terms = self.syntax.terms;
        self.open.clear();
        terms
            .bound_vars(vars)
            .enumerate()
            .map(|(index, var)| {
                let value = value(self, index, terms.var_info(var).sort);
                (var, self.env.insert(var, value))
            })
            .collect()
    }

    fn restore(&mut self, saved: Vec<(VarId, Option<Pattern>)>) {
        self.open.clear();
        for (var, value) in saved.into_iter().rev() {
            match value {
                Some(value) => self.env.insert(var, value),
                None => self.env.remove(&var),
            };
        }
    }

    fn literal(&mut self, formula: TermId) -> PatternLit {
        let (atom, positive) = match self.syntax.terms.node(formula) {
            Node::Not(atom) => (atom, false),
            _ => (formula, true),
        };
        let terms = self.syntax.terms;
        let atom = match terms.node(atom) {
            Node::Eq(a, b) => PatternAtom::Eq(self.term(a), self.term(b)),
            Node::App { sym, step, args } => {
                let args = terms.args(args).iter().map(|&arg| self.term(arg)).collect();
                PatternAtom::Rel(self.symbols.rel(sym, step), args)
            }
            // Formulas in negation normal form have no other literals. A name without definition makes this function
            // total. It could at most turn an answer into "satisfiable", which is verified by evaluation.
            _ => PatternAtom::Rel(self.symbols.fresh_name(), SmallVec::new()),
        };
        PatternLit { positive, atom }
    }

    fn term(&mut self, term: TermId) -> Pattern {
        let terms = self.syntax.terms;
        match terms.node(term) {
            Node::Var(var) => match self.env.get(&var) {
                Some(&value) => value,
                // A free variable, which closed formulas do not have; it denotes an arbitrary element.
                None => {
                    let filler = self.symbols.filler(terms.var_info(var).sort);
                    self.bank.app(self.symbols, filler, &[])
                }
            },
            Node::App { sym, step, args } => {
                let is_shared = terms.tree_size(term) > MAX_UNCACHED;
                let is_open = terms.has_vars(term);
                let known = if is_open { &self.open } else { &self.ground };
                if is_shared && let Some(&done) = known.get(&term) {
                    return done;
                }
                self.spend(0);
                if self.exhausted.is_some() {
                    let filler = self.symbols.filler(terms.sort(term));
                    return self.bank.app(self.symbols, filler, &[]);
                }
                let args: SmallVec<[Pattern; 4]> =
                    terms.args(args).iter().map(|&arg| self.term(arg)).collect();
                let fun = self.symbols.fun(self.syntax.sig, sym, step);
                let value = self.bank.app(self.symbols, fun, &args);
                if is_shared {
                    let known = if is_open { &mut self.open } else { &mut self.ground };
                    known.insert(term, value);
                }
                value
            }
            _ => {
                let filler = self.symbols.filler(terms.sort(term));
                self.bank.app(self.symbols, filler, &[])
            }
        }
    }

    fn disjunction(&mut self, items: &[TermId]) -> Vec<Clause> {
        let closed_universals =
            items.iter().fold(0, |count, &item| count + usize::from(self.is_closed_universal(item)));
        let mut product: Vec<Clause> = vec![self.clause(Vec::new())];
        let mut plain: Clause = Clause::default();
        // Literals first, because they cost nothing. The widest conjunctions are distributed last or named.
        let mut parts: Vec<(TermId, Vec<Clause>)> = Vec::new();
        for &item in items {
            let is_literal = !matches!(
                self.syntax.terms.node(item),
                Node::And(_) | Node::Or(_) | Node::Forall(..) | Node::Exists(..) | Node::True | Node::False
            );
            if is_literal {
                let literal = self.literal(item);
                plain.lits.push(literal);
                continue;
            }
            // Two universal formulas without common variables: with a name for each, the SAT solver chooses between
            // them; otherwise one clause would join both.
            if closed_universals > 1 && self.is_closed_universal(item) {
                plain.lits.push(self.name_closed(item));
                continue;
            }
            if self.names.contains_key(&item) && self.is_closed(item) {
                plain.lits.push(self.name_closed(item));
                continue;
            }
            let clauses = self.cnf(item);
            match clauses.len() {
                0 => return Vec::new(),
                1 => clauses.into_iter().for_each(|clause| plain.extend(&clause)),
                _ => parts.push((item, clauses)),
            }
        }
        parts.sort_by_key(|(_, clauses)| clauses.len());
        for (item, clauses) in parts {
            if product.len() * clauses.len() <= self.max_product(item) {
                let lits = |all: &[Clause]| all.iter().map(|clause| clause.lits.len()).sum::<usize>();
                self.spend(product.len() * lits(&clauses) + clauses.len() * lits(&product));
                product = product
                    .iter()
                    .flat_map(|left| {
                        clauses.iter().map(move |right| {
                            let mut both = left.clone();
                            both.extend(right);
                            both
                        })
                    })
                    .collect();
            } else {
                let name = self.name(item, clauses);
                plain.lits.push(name);
            }
        }
        self.spend(product.len() * plain.lits.len());
        for clause in &mut product {
            clause.extend(&plain);
        }
        product
    }

    /// Returns the maximum number of clauses made by distributing `item`. To explain a refutation, names must not have
    /// arguments: two instances of a formula are two formulas, and equality of their terms does not make them equal.
    fn max_product(&mut self, item: TermId) -> usize {
        if self.origins.is_some() && !self.is_closed(item) { MAX_EXPLAINED_PRODUCT } else { MAX_PRODUCT }
    }

    fn free_vars(&mut self, formula: TermId) -> Vec<VarId> {
        self.syntax.terms.free_vars_shared(formula, &mut self.free)
    }

    /// Checks whether no slot occurs in the formula. Skolem constants may occur.
    fn is_closed(&mut self, formula: TermId) -> bool {
        self.free_vars(formula)
            .iter()
            .all(|var| self.env.get(var).is_none_or(|&value| self.bank.is_ground(value)))
    }

    fn is_closed_universal(&mut self, formula: TermId) -> bool {
        self.has_forall(formula) && self.is_closed(formula)
    }

    fn has_forall(&mut self, formula: TermId) -> bool {
        let terms = self.syntax.terms;
        match terms.node(formula) {
            Node::Forall(..) => true,
            Node::And(args) | Node::Or(args) => {
                if let Some(&known) = self.universal.get(&formula) {
                    return known;
                }
                let result = terms.args(args).iter().any(|&arg| self.has_forall(arg));
                self.universal.insert(formula, result);
                result
            }
            Node::Exists(_, body) => self.has_forall(body),
            _ => false,
        }
    }

    /// Returns a literal that implies a shared formula under the current values of its variables.
    fn name_shared(&mut self, formula: TermId) -> PatternLit {
        let free = self.free_vars(formula);
        let values = free.iter().filter_map(|var| self.env.get(var).copied()).collect();
        let key = (formula, values);
        if let Some(name) = self.shared_names.get(&key) {
            return name.clone();
        }
        let clauses = self.cnf_once(formula);
        let name = self.name(formula, clauses);
        self.shared_names.insert(key, name.clone());
        name
    }

    /// Returns a literal that implies a formula without slots.
    fn name_closed(&mut self, formula: TermId) -> PatternLit {
        // A name may be shared only if the formula has no free variables: bound to other Skolem constants, it would be
        // another formula.
        let shareable = self.free_vars(formula).is_empty();
        if let Some(&rel) = self.names.get(&formula)
            && shareable
        {
            return PatternLit { positive: true, atom: PatternAtom::Rel(rel, SmallVec::new()) };
        }
        let clauses = self.cnf(formula);
        self.name(formula, clauses)
    }

    /// Returns a literal over the slots of `clauses` that implies all of them.
    fn name(&mut self, formula: TermId, clauses: Vec<Clause>) -> PatternLit {
        let mut scope = Vec::new();
        for var in self.free_vars(formula) {
            if let Some(&value) = self.env.get(&var) {
                self.bank.collect_slots(value, &mut scope);
            }
        }
        let sorts: Vec<SortId> = scope.iter().map(|&slot| self.slots[slot]).collect();
        let rel = self.symbols.fresh_name();
        if self.free_vars(formula).is_empty() {
            self.names.insert(formula, rel);
        }
        let args: SmallVec<[Pattern; 4]> =
            scope.iter().zip(&sorts).map(|(&slot, &sort)| self.bank.slot(slot, sort)).collect();
        if let Some(origins) = &mut self.origins {
            let var_of =
                |slot: &Pattern| self.scope.iter().find(|(_, value)| value == slot).map(|&(var, _)| var);
            origins.names.extend(args.iter().map(var_of).collect::<Option<_>>().map(|vars| (rel, vars)));
        }
        let atom = PatternAtom::Rel(rel, args);
        for mut clause in clauses {
            clause.lits.push(PatternLit { positive: false, atom: atom.clone() });
            self.definitions.push(clause);
        }
        PatternLit { positive: true, atom }
    }
}
