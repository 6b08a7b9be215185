//! What the axioms say of sorts: which are finite, which have a total order.
//!
//! Orders are not recognized by their form. The decision procedure is asked whether the axioms imply that a relation
//! is a total order, so each fact about an order that the abstraction uses follows from the axioms.

use super::schema::Pattern;
use ramsey_core::base::budget::Budget;
use ramsey_core::base::hash::{Map, Set};
use ramsey_core::logic::{Node, Signature, SortId, SymId, SymbolKind, TermId, Terms};
use ramsey_core::system::System;
use ramsey_solver::ask::{Context, Judged, Question, Size};

/// Work units for each question.
const WORK: u64 = 2_000_000;

/// A total order of a sort.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Order {
    /// The relation.
    pub sym: SymId,
    /// Whether it is irreflexive.
    pub is_strict: bool,
    /// A constant that nothing is below.
    pub least: Option<SymId>,
}

/// What the axioms of a system say of its sorts.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Theory {
    /// Sorts all of whose elements are the values of these constants, which are different.
    pub enumerations: Map<SortId, Vec<SymId>>,
    /// Sorts with a total order.
    pub orders: Map<SortId, Order>,
    /// What is instantiated where terms of a certain form occur.
    pub patterns: Vec<Pattern>,
}

impl Theory {
    /// Reads the axioms of a system. Where the budget does not suffice, less is known.
    pub fn new(system: &System, budget: &mut Budget) -> Theory {
        let mut theory = Theory { enumerations: enumerations(system), ..Theory::default() };
        let mut context = Context::new(system.sig.clone(), system.terms.clone(), 0, None);
        for axiom in &system.axioms {
            context.assume(axiom.formula, budget);
        }
        let sig = &system.sig;
        let spoken: Set<SymId> =
            system.axioms.iter().flat_map(|axiom| system.terms.symbols(axiom.formula)).collect();
        for (sym, symbol) in sig.symbols.iter_enumerated() {
            let &[sort, other] = symbol.args.as_slice() else { continue };
            let is_candidate = sort == other
                && symbol.is_relation()
                && symbol.kind == SymbolKind::Immutable
                && spoken.contains(&sym)
                && !theory.enumerations.contains_key(&sort)
                && !theory.orders.contains_key(&sort);
            if !is_candidate {
                continue;
            }
            let found = [true, false].into_iter().find(|&is_strict| {
                let formula = is_order(sig, context.terms_mut(), sym, sort, is_strict);
                is_implied(&mut context, formula, budget)
            });
            let Some(is_strict) = found else { continue };
            let constants = sig.symbols.iter_enumerated().filter(|(constant, it)| {
                it.args.is_empty()
                    && it.result == sort
                    && it.kind == SymbolKind::Immutable
                    && spoken.contains(constant)
            });
            let least = constants.map(|(constant, _)| constant).find(|&constant| {
                let formula = is_least(sig, context.terms_mut(), sym, sort, is_strict, constant);
                is_implied(&mut context, formula, budget)
            });
            theory.orders.insert(sort, Order { sym, is_strict, least });
        }
        theory.read_axioms(system);
        theory
    }
}

/// Returns whether a formula follows from what a context assumes, as far as a small budget tells.
pub fn is_implied(context: &mut Context, formula: TermId, budget: &mut Budget) -> bool {
    let negated = context.terms_mut().not(formula);
    let question = Question { hypotheses: &[], negated: &[negated], states: 1, size: Size::AsFound };
    let mut part = budget.part(WORK);
    matches!(context.ask(&question, &mut part, |_| Ok(())), Ok(Judged::Proved(_)))
}

/// Returns the formula that a relation is a total order.
fn is_order(sig: &Signature, terms: &mut Terms, sym: SymId, sort: SortId, is_strict: bool) -> TermId {
    let vars = ["X", "Y", "Z"].map(|name| terms.new_var(name, sort));
    let [x, y, z] = vars.map(|var| terms.var(var));
    let below = |terms: &mut Terms, a: TermId, b: TermId| terms.app(sig, sym, 0, &[a, b]);
    let [xy, yz, xz, yx, xx] = [(x, y), (y, z), (x, z), (y, x), (x, x)].map(|(a, b)| below(terms, a, b));
    let both = terms.and(&[xy, yz]);
    let transitive = terms.implies(both, xz);
    let equal = terms.eq(x, y);
    let body = if is_strict {
        let irreflexive = terms.not(xx);
        let total = terms.or(&[xy, equal, yx]);
        terms.and(&[transitive, irreflexive, total])
    } else {
        let both = terms.and(&[xy, yx]);
        let antisymmetric = terms.implies(both, equal);
        let total = terms.or(&[xy, yx]);
        terms.and(&[transitive, antisymmetric, total])
    };
    terms.forall(&vars, body)
}

/// Returns the formula that nothing is below a constant.
fn is_least(
    sig: &Signature,
    terms: &mut Terms,
    sym: SymId,
    sort: SortId,
    is_strict: bool,
    constant: SymId,
) -> TermId {
    let var = terms.new_var("X", sort);
    let (x, least) = (terms.var(var), terms.app(sig, constant, 0, &[]));
    let body = if is_strict {
        let below = terms.app(sig, sym, 0, &[x, least]);
        terms.not(below)
    } else {
        terms.app(sig, sym, 0, &[least, x])
    };
    terms.forall(&[var], body)
}

/// Finds the sorts that an axiom says to consist of certain constants, which another one says to be different.
fn enumerations(system: &System) -> Map<SortId, Vec<SymId>> {
    let terms = &system.terms;
    let mut found = Map::default();
    for axiom in &system.axioms {
        let Some((sort, constants)) = covered(system, axiom.formula) else { continue };
        let mut wanted = constants.clone();
        wanted.sort_unstable();
        wanted.dedup();
        let is_said = |formula: TermId| {
            let list: Vec<TermId> = match terms.node(formula) {
                Node::Distinct(args) => terms.args(args).to_vec(),
                Node::Not(inner) => match terms.node(inner) {
                    Node::Eq(a, b) => vec![a, b],
                    _ => return false,
                },
                _ => return false,
            };
            let mut known: Vec<SymId> = list.iter().filter_map(|&it| constant(system, it)).collect();
            known.sort_unstable();
            known == wanted
        };
        let is_distinct = wanted.len() == 1 || system.axioms.iter().any(|axiom| is_said(axiom.formula));
        if wanted.len() == constants.len() && is_distinct {
            found.entry(sort).or_insert(constants);
        }
    }
    found
}

/// Returns the sort and the constants if a formula says that each element of the sort is the value of one of them.
fn covered(system: &System, formula: TermId) -> Option<(SortId, Vec<SymId>)> {
    let terms = &system.terms;
    let Node::Forall(vars, body) = terms.node(formula) else { return None };
    let vars: Vec<_> = terms.bound_vars(vars).collect();
    let &[var] = vars.as_slice() else { return None };
    let cases = match terms.node(body) {
        Node::Or(args) => terms.args(args).to_vec(),
        _ => vec![body],
    };
    let case = |&case: &TermId| match terms.node(case) {
        Node::Eq(a, b) if terms.as_var(a) == Some(var) => constant(system, b),
        Node::Eq(a, b) if terms.as_var(b) == Some(var) => constant(system, a),
        _ => None,
    };
    let constants = cases.iter().map(case).collect::<Option<Vec<SymId>>>()?;
    Some((terms.var_info(var).sort, constants))
}

/// Returns the symbol if a term is an immutable constant.
fn constant(system: &System, term: TermId) -> Option<SymId> {
    match system.terms.node(term) {
        Node::App { sym, args, .. }
            if args.is_empty() && system.sig.symbols[sym].kind == SymbolKind::Immutable =>
        {
            Some(sym)
        }
        _ => None,
    }
}
