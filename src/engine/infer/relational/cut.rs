//! The relations that stand for a function, and what their atoms say of it.

use super::excess::{Excess, Literal, conjuncts};
use ramsey_core::base::budget::Budget;
use ramsey_core::base::hash::Map;
use ramsey_core::logic::{
    Node, Signature, SortId, SymId, Symbol, SymbolKind, SyntaxMut, TermId, Terms, VarId,
};
use ramsey_core::system::System;
use ramsey_solver::ask::Context;

/// Work units for the question whether a relation is a total order.
const ORDER: u64 = 1_000_000;

/// A total order.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Order {
    pub(super) sym: SymId,
    /// Whether no element is before itself.
    pub(super) is_strict: bool,
}

impl Order {
    /// Returns a relation that the axioms make a total order of a sort, if there is one.
    pub(super) fn of(system: &System, sort: SortId, seed: u64) -> Option<Order> {
        let is_binary = |sym: &SymId| {
            let symbol = &system.sig.symbols[*sym];
            symbol.kind == SymbolKind::Immutable && symbol.is_relation() && symbol.args == [sort, sort]
        };
        let orders = system.sig.symbols.ids().filter(is_binary);
        let orders = orders.flat_map(|sym| [false, true].map(|is_strict| Order { sym, is_strict }));
        let mut orders = orders.filter(|order| order.is_total(system, sort, seed));
        orders.next()
    }

    fn is_total(self, system: &System, sort: SortId, seed: u64) -> bool {
        let mut budget = Budget::new(Some(ORDER), None);
        let mut context = Context::new(system.sig.clone(), system.terms.clone(), seed, None);
        system.axioms.iter().for_each(|axiom| context.assume(axiom.formula, &mut budget));
        let (sig, terms) = (&system.sig, context.terms_mut());
        let vars = ["X", "Y", "Z"].map(|name| terms.new_var(name, sort));
        let [x, y, z] = vars.map(|var| terms.var(var));
        let before = |terms: &mut Terms, a, b| terms.app(sig, self.sym, 0, &[a, b]);
        let (xx, xy, yx) = (before(terms, x, x), before(terms, x, y), before(terms, y, x));
        let (yz, xz) = (before(terms, y, z), before(terms, x, z));
        let same = terms.eq(x, y);
        let [both, chain] = [terms.and(&[xy, yx]), terms.and(&[xy, yz])];
        let wanted = [
            if self.is_strict { terms.not(xx) } else { xx },
            terms.implies(both, same),
            terms.implies(chain, xz),
            terms.or(&[xy, yx, same]),
        ];
        let wanted = terms.and(&wanted);
        let wanted = terms.forall(&vars, wanted);
        let negated = terms.not(wanted);
        context.pose(&[negated], &mut budget);
        context.search(&[], &mut budget) == Ok(false)
    }

    /// Returns that one value is at least as great as another one.
    pub(super) fn at_most(self, syntax: SyntaxMut<'_>, less: TermId, greater: TermId) -> TermId {
        let SyntaxMut { sig, terms } = syntax;
        if self.is_strict {
            let after = terms.app(sig, self.sym, 0, &[greater, less]);
            terms.not(after)
        } else {
            terms.app(sig, self.sym, 0, &[less, greater])
        }
    }

    /// Returns that one value is greater than another one.
    pub(super) fn less(self, mut syntax: SyntaxMut<'_>, less: TermId, greater: TermId) -> TermId {
        if self.is_strict {
            return syntax.terms.app(syntax.sig, self.sym, 0, &[less, greater]);
        }
        let converse = self.at_most(syntax.reborrow(), greater, less);
        syntax.terms.not(converse)
    }
}

/// The relations that stand for a function.
#[derive(Clone, Copy, Debug)]
pub(super) enum Table {
    /// By a total order of the values. The places of both relations are the arguments of the function and a value.
    Cut {
        order: Order,
        /// The function has this value or a greater one.
        reaches: SymId,
        /// The function has a greater value.
        exceeds: SymId,
        /// The function has this value: it reaches it and does not exceed it. A fact of one literal in place of two.
        is: SymId,
    },
    /// Arguments, and the value that the function has for them.
    Graph(SymId),
}

impl Table {
    pub(super) fn relations(self) -> Vec<SymId> {
        match self {
            Table::Cut { reaches, exceeds, is, .. } => vec![reaches, exceeds, is],
            Table::Graph(relation) => vec![relation],
        }
    }

    /// Returns the relation between arguments and their value.
    pub(super) fn is(self) -> SymId {
        match self {
            Table::Cut { is, .. } | Table::Graph(is) => is,
        }
    }

    /// Returns that the function has a value for arguments, which are followed by it.
    pub(super) fn has_value(self, syntax: SyntaxMut<'_>, step: u16, places: &[TermId]) -> TermId {
        let SyntaxMut { sig, terms } = syntax;
        terms.app(sig, self.is(), step, places)
    }

    /// Returns that the function has a value for arguments, at step 0.
    pub(super) fn is_defined(self, syntax: SyntaxMut<'_>, args: &[TermId]) -> TermId {
        let SyntaxMut { sig, terms } = syntax;
        let Some(&sort) = sig.symbols[self.is()].args.last() else { return terms.tru() };
        let value = terms.new_var("X", sort);
        let mut places = args.to_vec();
        places.push(terms.var(value));
        let has_value = self.has_value(terms.over_mut(sig), 0, &places);
        terms.exists(&[value], has_value)
    }

    /// Returns what each of its relations says of a term that stands for the value, and of another value.
    pub(super) fn said_of(
        self,
        mut syntax: SyntaxMut<'_>,
        value: TermId,
        other: TermId,
    ) -> Vec<(SymId, TermId)> {
        match self {
            Table::Cut { order, reaches, exceeds, is } => {
                let reached = order.at_most(syntax.reborrow(), other, value);
                let exceeded = order.less(syntax.reborrow(), other, value);
                vec![(reaches, reached), (exceeds, exceeded), (is, syntax.terms.eq(value, other))]
            }
            Table::Graph(relation) => vec![(relation, syntax.terms.eq(value, other))],
        }
    }

    /// Returns what is true of its relations whatever the function is, and can be said without saying that there is a value.
    pub(super) fn axioms(self, syntax: SyntaxMut<'_>) -> Vec<TermId> {
        let SyntaxMut { sig, terms } = syntax;
        let [first, ..] = self.relations()[..] else { return Vec::new() };
        let mut sorts = sig.symbols[first].args.clone();
        let Some(&value) = sorts.last() else { return Vec::new() };
        sorts.push(value);
        let vars: Vec<VarId> = sorts.iter().map(|&sort| terms.new_var("X", sort)).collect();
        let terms_of: Vec<TermId> = vars.iter().map(|&var| terms.var(var)).collect();
        let (&high, places) = terms_of.split_last().unwrap_or((&terms_of[0], &[]));
        let mut other = places.to_vec();
        if let Some(last) = other.last_mut() {
            *last = high;
        }
        let low = places[places.len() - 1];
        match self {
            Table::Cut { order, reaches, exceeds, is } => {
                let reached = terms.app(sig, reaches, 0, places);
                let exceeded = terms.app(sig, exceeds, 0, places);
                let within = terms.implies(exceeded, reached);
                let within = terms.forall(&vars[..places.len()], within);
                let beyond = terms.app(sig, exceeds, 0, &other);
                let ordered = order.at_most(terms.over_mut(sig), low, high);
                let not_reached = terms.not(reached);
                let between = terms.or(&[not_reached, beyond, ordered]);
                let point = terms.app(sig, is, 0, places);
                let not_exceeded = terms.not(exceeded);
                let at = terms.and(&[reached, not_exceeded]);
                let at = terms.iff(point, at);
                let at = terms.forall(&vars[..places.len()], at);
                vec![within, terms.forall(&vars, between), at]
            }
            Table::Graph(relation) => {
                let one = terms.app(sig, relation, 0, places);
                let another = terms.app(sig, relation, 0, &other);
                let (both, same) = (terms.and(&[one, another]), terms.eq(low, high));
                let unique = terms.implies(both, same);
                vec![terms.forall(&vars, unique)]
            }
        }
    }
}

/// Declares relations that stand for a function.
pub(super) fn declare(original: &System, sig: &mut Signature, function: SymId, seed: u64) -> Table {
    let symbol = sig.symbols[function].clone();
    let mut relation = |what: &str| {
        let mut args = symbol.args.clone();
        args.push(symbol.result);
        let name = format!("{}_{what}", symbol.name);
        sig.symbols.push(Symbol::new(name, args, SortId::BOOL, symbol.kind))
    };
    match Order::of(original, symbol.result, seed) {
        Some(order) => {
            let [reaches, exceeds, is] = ["reaches", "exceeds", "is"].map(relation);
            Table::Cut { order, reaches, exceeds, is }
        }
        None => Table::Graph(relation("is")),
    }
}

/// Returns a formula in which atoms of these relations are read as what they say of functions and other relations.
pub(super) fn read(
    (tables, excesses): (&Map<SymId, Table>, &[Excess]),
    syntax: SyntaxMut<'_>,
    formula: TermId,
) -> TermId {
    let relations = tables.iter().flat_map(|(&function, table)| {
        table.relations().into_iter().map(move |relation| (relation, (function, *table)))
    });
    let relations = relations.collect();
    let mut reader = Reader { relations, excesses, sig: syntax.sig, memo: Map::default() };
    let read = reader.term(syntax.terms, formula);
    without_values(tables, syntax.terms, read)
}

/// Returns a formula in which values of functions stand where variables stood that are equal to them: `r(f(X))` for
/// `forall Y. f(X) = Y -> r(Y)`.
fn without_values(tables: &Map<SymId, Table>, terms: &mut Terms, formula: TermId) -> TermId {
    let (vars, body, is_forall) = match terms.node(formula) {
        Node::Forall(vars, body) => (vars, body, true),
        Node::Exists(vars, body) => (vars, body, false),
        _ => {
            let children: Vec<TermId> = terms.children(formula).collect();
            let children: Vec<TermId> =
                children.into_iter().map(|child| without_values(tables, terms, child)).collect();
            return terms.rebuild(formula, &children);
        }
    };
    let mut vars: Vec<VarId> = terms.bound_vars(vars).collect();
    let body = without_values(tables, terms, body);
    let mut literals = Vec::new();
    conjuncts(terms, (body, !is_forall), &mut literals);
    let value = |terms: &Terms, vars: &[VarId], &(atom, is_true): &Literal| {
        let Node::Eq(a, b) = terms.node(atom) else { return None };
        [(a, b), (b, a)].into_iter().find_map(|(side, value)| {
            let var = terms.as_var(side).filter(|var| is_true && vars.contains(var))?;
            let is_value = matches!(terms.node(value), Node::App { sym, .. } if tables.contains_key(&sym));
            (is_value && !terms.free_vars(value).contains(&var)).then_some((var, value))
        })
    };
    let mut is_changed = false;
    while let Some((at, (var, term))) =
        literals.iter().enumerate().find_map(|(at, literal)| Some((at, value(terms, &vars, literal)?)))
    {
        is_changed = true;
        literals.remove(at);
        vars.retain(|&other| other != var);
        let map: Map<VarId, TermId> = [(var, term)].into_iter().collect();
        literals.iter_mut().for_each(|(atom, _)| *atom = terms.substitute(*atom, &map));
    }
    let body = if is_changed {
        let parts = literals.into_iter().map(|(atom, is_true)| match is_true != is_forall {
            true => atom,
            false => terms.not(atom),
        });
        let parts: Vec<TermId> = parts.collect();
        if is_forall { terms.or(&parts) } else { terms.and(&parts) }
    } else {
        body
    };
    if is_forall { terms.forall(&vars, body) } else { terms.exists(&vars, body) }
}

struct Reader<'a> {
    /// By relation, the function and all its relations.
    relations: Map<SymId, (SymId, Table)>,
    excesses: &'a [Excess],
    sig: &'a Signature,
    memo: Map<TermId, TermId>,
}

impl Reader<'_> {
    fn term(&mut self, terms: &mut Terms, term: TermId) -> TermId {
        if let Some(&done) = self.memo.get(&term) {
            return done;
        }
        let children: Vec<TermId> = terms.children(term).collect();
        let children: Vec<TermId> = children.into_iter().map(|child| self.term(terms, child)).collect();
        let read = match (terms.node(term), &children[..]) {
            // What a relation says may be a negation.
            (Node::Not(_), &[child]) => match terms.node(child) {
                Node::Not(inner) => Some(inner),
                _ => None,
            },
            (Node::App { sym, step, .. }, [args @ .., other]) => match self.relations.get(&sym) {
                Some(&(function, table)) => {
                    let value = terms.app(self.sig, function, step, args);
                    let said = table.said_of(terms.over_mut(self.sig), value, *other);
                    said.into_iter().find_map(|(relation, said)| (relation == sym).then_some(said))
                }
                None => {
                    let excess = self.excesses.iter().find(|it| it.sym == sym);
                    excess.and_then(|it| it.said(terms.over_mut(self.sig), step, &children))
                }
            },
            _ => None,
        };
        let result = read.unwrap_or_else(|| terms.rebuild(term, &children));
        self.memo.insert(term, result);
        result
    }
}
