//! Relations for bounds that a relation exceeds.
//!
//! A guard may compare all that a relation is true of with a bound, as "no acceptor has joined a later ballot":
//! `forall B. joined(a, B) -> le(B, b)`. Some value above the bound is what a lemma about a quorum then speaks of, below
//! quantifiers on whose sorts that value may not depend. The *excess* of the relation is true of arguments and of a
//! bound, `exists B. B > X & joined(A, B)`, and changes together with the relation (compare `left_rnd` of Padon et al., Paxos
//! Made EPR, OOPSLA 2017, where a function is replaced). That it is true only if there is such a value stays unsaid.

use super::cut::Order;
use ramsey_core::base::hash::{Map, Set};
use ramsey_core::logic::{
    Node, Signature, SortId, SymId, Symbol, SymbolKind, SyntaxMut, TermId, Terms, VarId,
};
use ramsey_core::system::{Init, System};

/// Maximum number of cases of the value that a transition gives to a relation.
const MOST_CASES: usize = 64;

/// What an excess is of.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Base {
    /// The relation.
    of: SymId,
    order: Order,
    /// Its place that is compared with the bound.
    place: usize,
    /// Its places that may have any value, in ascending order.
    any: Vec<usize>,
}

/// A relation that is true of arguments of another one, and of a bound, if that one is true of them and something greater.
/// Its places are the other arguments in their order, and the bound.
#[derive(Clone, Debug)]
pub(super) struct Excess {
    pub(super) sym: SymId,
    base: Base,
}

/// Some value above a bound for which a relation is true.
struct Exceeding {
    base: Base,
    step: u16,
    /// The arguments of the excess.
    places: Vec<TermId>,
}

/// A literal: an atom, and whether it is true.
pub(super) type Literal = (TermId, bool);

/// Returns a comparison of two terms by an order: the less one, the greater one, and whether they differ.
fn comparison(terms: &Terms, order: Order, (atom, is_true): Literal) -> Option<(TermId, TermId, bool)> {
    let Node::App { sym, args, .. } = terms.node(atom) else { return None };
    let &[a, b] = terms.args(args) else { return None };
    let (less, greater) = if is_true { (a, b) } else { (b, a) };
    (sym == order.sym).then_some((less, greater, order.is_strict == is_true))
}

/// Adds the literals whose conjunction a formula is, or its negation if it is not to be true.
pub(super) fn conjuncts(terms: &Terms, (formula, is_true): Literal, literals: &mut Vec<Literal>) {
    match (terms.node(formula), is_true) {
        (Node::Not(a), _) => conjuncts(terms, (a, !is_true), literals),
        (Node::And(_), true) | (Node::Or(_), false) => {
            terms.children(formula).for_each(|part| conjuncts(terms, (part, is_true), literals));
        }
        (Node::Implies(a, b), false) => {
            conjuncts(terms, (a, true), literals);
            conjuncts(terms, (b, false), literals);
        }
        _ => literals.push((formula, is_true)),
    }
}

/// Finds the total orders of sorts.
pub(super) struct Orders<'a> {
    system: &'a System,
    seed: u64,
    known: Map<SortId, Option<Order>>,
}

impl<'a> Orders<'a> {
    pub(super) fn new(system: &'a System, seed: u64) -> Orders<'a> {
        Orders { system, seed, known: Map::default() }
    }

    fn of(&mut self, sort: SortId) -> Option<Order> {
        *self.known.entry(sort).or_insert_with(|| Order::of(self.system, sort, self.seed))
    }

    /// Returns the relations whose excess a transition or a claim speaks of.
    pub(super) fn exceeding(&mut self) -> Vec<Base> {
        let System { terms, transitions, invariants, assertions, .. } = self.system;
        let claims = invariants.iter().map(|it| it.formula).chain(assertions.iter().map(|it| it.formula));
        let mut stack: Vec<TermId> = claims.chain(transitions.iter().map(|it| it.body)).collect();
        let effects = transitions.iter().filter_map(|it| it.effect.as_ref());
        stack.extend(effects.flat_map(|effect| effect.assumptions.iter().copied()));
        let (mut found, mut seen) = (Vec::new(), Set::default());
        while let Some(term) = stack.pop() {
            if !seen.insert(term) {
                continue;
            }
            stack.extend(terms.children(term));
            if let Some((Exceeding { base, .. }, _)) = self.matched(terms, term)
                && !found.contains(&base)
            {
                found.push(base);
            }
        }
        found.sort_unstable_by(|a: &Base, b| (a.of, a.place, &a.any).cmp(&(b.of, b.place, &b.any)));
        found
    }

    /// Reads a formula as that there is some value above a bound, or that there is none.
    fn matched(&mut self, terms: &Terms, formula: TermId) -> Option<(Exceeding, bool)> {
        let (vars, body, exists) = match terms.node(formula) {
            Node::Exists(vars, body) => (vars, body, true),
            Node::Forall(vars, body) => (vars, body, false),
            _ => return None,
        };
        let vars: Vec<VarId> = terms.bound_vars(vars).collect();
        let mut literals = Vec::new();
        conjuncts(terms, (body, exists), &mut literals);
        let &[first, second] = &literals[..] else { return None };
        let mut both = [(first, second), (second, first)].into_iter();
        both.find_map(|((atom, is_true), bound)| {
            let Node::App { sym, step, args } = terms.node(atom) else { return None };
            let symbol = &self.system.sig.symbols.get(sym)?;
            if !is_true || symbol.kind != SymbolKind::Mutable || !symbol.is_relation() {
                return None;
            }
            let is_bound = |term: TermId| terms.as_var(term).filter(|var| vars.contains(var));
            let args = terms.args(args);
            let (mut place, mut any, mut places, mut used) = (None, Vec::new(), Vec::new(), Vec::new());
            for (at, &arg) in args.iter().enumerate() {
                let Some(var) = is_bound(arg) else {
                    places.push(arg);
                    continue;
                };
                if used.contains(&var) {
                    return None;
                }
                used.push(var);
                let order = self.of(terms.sort(arg));
                let compared = order.and_then(|order| Some((order, comparison(terms, order, bound)?)));
                match compared {
                    Some((order, (less, greater, true))) if greater == arg && place.is_none() => {
                        place = Some((at, order, less));
                    }
                    _ => any.push(at),
                }
            }
            let (place, order, less) = place?;
            places.push(less);
            let is_free = |&term: &TermId| !terms.free_vars(term).iter().any(|var| vars.contains(var));
            let base = Base { of: sym, order, place, any };
            let is_whole = used.len() == vars.len() && places.iter().all(is_free);
            is_whole.then_some((Exceeding { base, step, places }, exists))
        })
    }
}

impl Base {
    /// Returns the sorts of the arguments that an excess of it has besides the bound.
    pub(super) fn others(&self, sig: &Signature) -> Vec<SortId> {
        let args = sig.symbols[self.of].args.iter().enumerate();
        args.filter(|(at, _)| *at != self.place && !self.any.contains(at)).map(|(_, &sort)| sort).collect()
    }

    /// Returns the sort of the bound.
    pub(super) fn bound(&self, sig: &Signature) -> SortId {
        sig.symbols[self.of].args[self.place]
    }

    /// Declares the excess.
    pub(super) fn declare(self, sig: &mut Signature) -> Excess {
        let mut args = self.others(sig);
        args.push(self.bound(sig));
        let name = format!("{}_exceeds", sig.symbols[self.of].name);
        let sym = sig.symbols.push(Symbol::new(name, args, SortId::BOOL, SymbolKind::Mutable));
        Excess { sym, base: self }
    }
}

impl Excess {
    /// Returns the relation that it is of.
    pub(super) fn of(&self) -> SymId {
        self.base.of
    }

    /// Returns what it says of its arguments: the variables that exist, the comparison, and the atom of the relation.
    fn parts(
        &self,
        syntax: SyntaxMut<'_>,
        step: u16,
        places: &[TermId],
    ) -> Option<(Vec<VarId>, [TermId; 2])> {
        let SyntaxMut { sig, terms } = syntax;
        let Base { of, order, place, any } = &self.base;
        let (&bound, others) = places.split_last()?;
        let (mut others, mut vars, mut value) = (others.iter(), Vec::new(), bound);
        let mut args = Vec::new();
        for (at, &sort) in sig.symbols[*of].args.iter().enumerate() {
            if at != *place && !any.contains(&at) {
                args.push(*others.next()?);
                continue;
            }
            let var = terms.new_var("X", sort);
            vars.push(var);
            args.push(terms.var(var));
            if at == *place {
                value = terms.var(var);
            }
        }
        let less = order.less(terms.over_mut(sig), bound, value);
        Some((vars, [less, terms.app(sig, *of, step, &args)]))
    }

    /// Returns what it says of its arguments.
    pub(super) fn said(&self, syntax: SyntaxMut<'_>, step: u16, places: &[TermId]) -> Option<TermId> {
        let SyntaxMut { sig, terms } = syntax;
        let (vars, parts) = self.parts(terms.over_mut(sig), step, places)?;
        let body = terms.and(&parts);
        Some(terms.exists(&vars, body))
    }

    /// Returns what is true of it and can be said without saying that there is a value: it is true below all values of
    /// the relation, and below all bounds of which it is true.
    pub(super) fn axioms(&self, syntax: SyntaxMut<'_>) -> Vec<TermId> {
        let SyntaxMut { sig, terms } = syntax;
        let sorts = sig.symbols[self.sym].args.clone();
        let vars: Vec<VarId> = sorts.iter().map(|&sort| terms.new_var("X", sort)).collect();
        let places: Vec<TermId> = vars.iter().map(|&var| terms.var(var)).collect();
        let own = terms.app(sig, self.sym, 0, &places);
        let Some((more, parts)) = self.parts(terms.over_mut(sig), 0, &places) else { return Vec::new() };
        let body = terms.and(&parts);
        let below = terms.implies(body, own);
        let below = terms.forall(&[vars.clone(), more].concat(), below);
        let greater = terms.new_var("X", self.base.bound(sig));
        let mut places = places;
        let bound = places.pop();
        places.push(terms.var(greater));
        let of_greater = terms.app(sig, self.sym, 0, &places);
        let Some((bound, &greater_term)) = bound.zip(places.last()) else { return vec![below] };
        let less = self.base.order.less(terms.over_mut(sig), bound, greater_term);
        let both = terms.and(&[less, of_greater]);
        let closed = terms.implies(both, own);
        vec![below, terms.forall(&[vars, vec![greater]].concat(), closed)]
    }

    /// Returns the variables and the value of the excess where the relation has a value, in which it occurs itself at step 0;
    /// `None` if that takes a quantifier.
    pub(super) fn update(
        &self,
        syntax: SyntaxMut<'_>,
        vars: &[VarId],
        value: TermId,
    ) -> Option<(Vec<VarId>, TermId)> {
        let SyntaxMut { sig, terms } = syntax;
        let Base { order, place, any, .. } = &self.base;
        let is_given = |at: &usize| *at == *place || any.contains(at);
        let (given, own): (Vec<usize>, Vec<usize>) = (0..vars.len()).partition(is_given);
        let [given, own] =
            [given, own].map(|places| places.into_iter().map(|at| vars[at]).collect::<Vec<VarId>>());
        let bound = terms.new_var("X", self.base.bound(sig));
        let bound_term = terms.var(bound);
        let above = terms.var(*vars.get(*place)?);
        let above = order.less(terms.over_mut(sig), bound_term, above);
        let mut cases = Vec::new();
        let value = terms.and(&[above, value]);
        cases_of(terms, (value, true), &given, &mut cases)?;
        let mut parts = Vec::new();
        for case in cases {
            parts.push(self.case(terms.over_mut(sig), &given, vars, bound_term, case)?);
        }
        let own = own.into_iter().chain([bound]).collect();
        Some((own, terms.or(&parts)))
    }

    /// Returns that there are values of the variables `given` for which all literals are true.
    fn case(
        &self,
        syntax: SyntaxMut<'_>,
        given: &[VarId],
        vars: &[VarId],
        bound: TermId,
        mut case: Vec<Literal>,
    ) -> Option<TermId> {
        let SyntaxMut { sig, terms } = syntax;
        let is_about =
            |terms: &Terms, term: TermId| terms.free_vars(term).iter().any(|it| given.contains(it));
        // What a variable is equal to is its value.
        let value = |terms: &Terms, &(atom, is_true): &Literal| {
            let Node::Eq(a, b) = terms.node(atom) else { return None };
            let mut sides = [(a, b), (b, a)].into_iter();
            sides.find_map(|(side, other)| {
                let var = terms.as_var(side).filter(|var| is_true && given.contains(var))?;
                (!is_about(terms, other)).then_some((var, other))
            })
        };
        while let Some((var, term)) = case.iter().find_map(|literal| value(terms, literal)) {
            let map: Map<VarId, TermId> = [(var, term)].into_iter().collect();
            case.iter_mut().for_each(|(atom, _)| *atom = terms.substitute(*atom, &map));
        }
        let (about, mut rest): (Vec<Literal>, Vec<Literal>) =
            case.into_iter().partition(|&(atom, _)| is_about(terms, atom));
        if !about.is_empty() {
            let bounded = self.bounded(terms.over_mut(sig), given, &about);
            match bounded {
                Some(bounds) => rest.extend(bounds),
                None => rest.push((self.kept(terms.over_mut(sig), vars, bound, &about)?, true)),
            }
        }
        let rest = rest.into_iter().map(|(atom, is_true)| if is_true { atom } else { terms.not(atom) });
        let rest: Vec<TermId> = rest.collect();
        Some(terms.and(&rest))
    }

    /// Returns that there is a value within bounds, the greater of which it may have.
    fn bounded(&self, syntax: SyntaxMut<'_>, given: &[VarId], about: &[Literal]) -> Option<Vec<Literal>> {
        let SyntaxMut { sig, terms } = syntax;
        let order = self.base.order;
        let (mut least, mut greatest, mut values) = (Vec::new(), None, Vec::new());
        let is_about = |term: TermId| terms.free_vars(term).iter().any(|it| given.contains(it));
        for &literal in about {
            let (less, greater, is_strict) = comparison(terms, order, literal)?;
            match (is_about(less), is_about(greater)) {
                (false, true) => {
                    values.push(terms.as_var(greater)?);
                    least.push((less, is_strict));
                }
                (true, false) if !is_strict && greatest.is_none() => {
                    values.push(terms.as_var(less)?);
                    greatest = Some(greater);
                }
                _ => return None,
            }
        }
        // Bounds of two values would say something of each.
        values.dedup();
        if values.len() != 1 {
            return None;
        }
        let greatest = greatest?;
        let bounds = least.into_iter().map(|(less, is_strict)| {
            let syntax = terms.over_mut(sig);
            let compared = if is_strict {
                order.less(syntax, less, greatest)
            } else {
                order.at_most(syntax, less, greatest)
            };
            (compared, true)
        });
        Some(bounds.collect())
    }

    /// Returns the excess before, where what is said is that the relation was true of something greater than the bound.
    fn kept(
        &self,
        syntax: SyntaxMut<'_>,
        vars: &[VarId],
        bound: TermId,
        about: &[Literal],
    ) -> Option<TermId> {
        let SyntaxMut { sig, terms } = syntax;
        let Base { of, order, place, any } = &self.base;
        let &[first, second] = about else { return None };
        let is_above = |literal: Literal| {
            comparison(terms, *order, literal).is_some_and(|(less, greater, is_strict)| {
                is_strict && less == bound && terms.as_var(greater) == Some(vars[*place])
            })
        };
        let (atom, is_true) = if is_above(first) {
            second
        } else if is_above(second) {
            first
        } else {
            return None;
        };
        let Node::App { sym, step: 0, args } = terms.node(atom) else { return None };
        if !is_true || sym != *of {
            return None;
        }
        let mut places = Vec::new();
        for (at, &arg) in terms.args(args).iter().enumerate() {
            if at == *place || any.contains(&at) {
                if terms.as_var(arg) != Some(vars[at]) {
                    return None;
                }
            } else if terms
                .free_vars(arg)
                .iter()
                .any(|it| *it == vars[*place] || any.iter().any(|&at| *it == vars[at]))
            {
                return None;
            } else {
                places.push(arg);
            }
        }
        places.push(bound);
        Some(terms.app(sig, self.sym, 0, &places))
    }

    /// Returns what an initial condition that says where the relation is true says of the excess.
    pub(super) fn initially(&self, syntax: SyntaxMut<'_>, init: &Init) -> Option<TermId> {
        let SyntaxMut { sig, terms } = syntax;
        let Node::Forall(bound, body) = terms.node(init.formula) else { return None };
        let bound: Vec<VarId> = terms.bound_vars(bound).collect();
        let own = |terms: &Terms, term: TermId| {
            let Node::App { sym, args, .. } = terms.node(term) else { return None };
            let vars: Option<Vec<VarId>> = terms.args(args).iter().map(|&arg| terms.as_var(arg)).collect();
            let vars = vars.filter(|vars| {
                sym == self.base.of && vars.len() == bound.len() && bound.iter().all(|it| vars.contains(it))
            })?;
            Some(vars)
        };
        let (vars, value) = match terms.node(body) {
            Node::Iff(a, b) => match (own(terms, a), own(terms, b)) {
                (Some(vars), _) => (vars, b),
                (_, Some(vars)) => (vars, a),
                _ => return None,
            },
            Node::Not(a) => (own(terms, a)?, terms.fals()),
            _ => (own(terms, body)?, terms.tru()),
        };
        let (vars, value) = self.update(terms.over_mut(sig), &vars, value)?;
        let places: Vec<TermId> = vars.iter().map(|&var| terms.var(var)).collect();
        let excess = terms.app(sig, self.sym, 0, &places);
        let defined = terms.iff(excess, value);
        Some(terms.forall(&vars, defined))
    }
}

/// Adds the cases in which a formula is true, or false if it is not to be true, as far as it is about variables: conjunctions of
/// literals. Returns `None` if there are too many.
fn cases_of(
    terms: &Terms,
    (formula, is_true): Literal,
    vars: &[VarId],
    cases: &mut Vec<Vec<Literal>>,
) -> Option<()> {
    let is_about = terms.free_vars(formula).iter().any(|var| vars.contains(var));
    let of = |literals: &[Literal]| {
        // Each case of the first one with each case of the others.
        let mut all: Vec<Vec<Literal>> = vec![Vec::new()];
        for &literal in literals {
            let mut own = Vec::new();
            cases_of(terms, literal, vars, &mut own)?;
            let both = all.iter().flat_map(|a| own.iter().map(move |b| [a.clone(), b.clone()].concat()));
            all = both.collect();
            if all.len() > MOST_CASES {
                return None;
            }
        }
        Some(all)
    };
    match (terms.node(formula), is_true) {
        (Node::True, true) | (Node::False, false) => cases.push(Vec::new()),
        (Node::True, false) | (Node::False, true) => {}
        _ if !is_about => cases.push(vec![(formula, is_true)]),
        (Node::Not(a), _) => cases_of(terms, (a, !is_true), vars, cases)?,
        (Node::And(_), true) | (Node::Or(_), false) => {
            let parts: Vec<Literal> = terms.children(formula).map(|part| (part, is_true)).collect();
            cases.extend(of(&parts)?);
        }
        (Node::Or(_), true) | (Node::And(_), false) => {
            terms.children(formula).try_for_each(|part| cases_of(terms, (part, is_true), vars, cases))?;
        }
        (Node::Implies(a, b), true) => {
            cases_of(terms, (a, false), vars, cases)?;
            cases_of(terms, (b, true), vars, cases)?;
        }
        (Node::Implies(a, b), false) => cases.extend(of(&[(a, true), (b, false)])?),
        (Node::Iff(a, b), _) => {
            cases.extend(of(&[(a, true), (b, is_true)])?);
            cases.extend(of(&[(a, false), (b, !is_true)])?);
        }
        (Node::Ite(condition, a, b), _) => {
            cases.extend(of(&[(condition, true), (a, is_true)])?);
            cases.extend(of(&[(condition, false), (b, is_true)])?);
        }
        _ => cases.push(vec![(formula, is_true)]),
    }
    (cases.len() <= MOST_CASES).then_some(())
}

/// The excesses of a relational form.
pub(super) struct Rewriter<'a> {
    orders: Orders<'a>,
    excesses: &'a [Excess],
    memo: Map<TermId, TermId>,
}

impl<'a> Rewriter<'a> {
    pub(super) fn new(orders: Orders<'a>, excesses: &'a [Excess]) -> Rewriter<'a> {
        Rewriter { orders, excesses, memo: Map::default() }
    }

    /// Returns a formula with excesses in place of what they say.
    pub(super) fn formula(&mut self, syntax: SyntaxMut<'_>, formula: TermId) -> TermId {
        if self.excesses.is_empty() {
            return formula;
        }
        let SyntaxMut { sig, terms } = syntax;
        if let Some(&done) = self.memo.get(&formula) {
            return done;
        }
        let own =
            self.orders.matched(terms, formula).and_then(|(Exceeding { base, step, places }, exists)| {
                let excess = self.excesses.iter().find(|it| it.base == base)?;
                let atom = terms.app(sig, excess.sym, step, &places);
                Some(if exists { atom } else { terms.not(atom) })
            });
        let result = own.unwrap_or_else(|| {
            let children: Vec<TermId> = terms.children(formula).collect();
            let children: Vec<TermId> =
                children.into_iter().map(|child| self.formula(terms.over_mut(sig), child)).collect();
            terms.rebuild(formula, &children)
        });
        self.memo.insert(formula, result);
        result
    }
}
