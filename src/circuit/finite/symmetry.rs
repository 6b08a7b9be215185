//! Values of immutable symbols that can be fixed before the search.
//!
//! # Why symmetries may be broken
//!
//! Formulas of a system are closed and name no element, so they have the same truth values in isomorphic structures, and
//! an execution that is renamed by a permutation of each sort is an execution again. So it suffices to look at one
//! structure of each isomorphism class of the immutable symbols, and any choice that keeps at least one will do.
//!
//! *Orders.* If the axioms imply that a relation is a total order of a sort (or a strict one), then in each structure
//! exactly one permutation of this sort makes it the order of the numbers. The relation is fixed to that order.
//!
//! *Constants.* Otherwise, let c1, c2, .. be the immutable constants of a sort. The permutation that numbers elements as
//! they first occur in this list makes c1 the element 0, and each further constant at most one more than the largest one
//! before it. This restriction is required of the structures.
//!
//! Each sort is permuted for one of these reasons alone, and permutations of different sorts do not interfere. Sorts of
//! symbols that the caller fixes are left alone, since the caller names elements.
//!
//! What then follows from the axioms, whatever the reason, is fixed too: the bits with the same value in all of their
//! models.

use super::expand::Expander;
use super::layout::{Layout, Value, any, exactly_one};
use super::options::{Break, Encoding, Options};
use super::refusal::{Refusal, Stop};
use crate::hwmc::graph::{Edge, Graph};
use crate::hwmc::questions::Questions;
use ramsey_core::base::budget::{Budget, Exhausted};
use ramsey_core::logic::{Signature, SortId, SymId, SymbolKind, TermId};
use ramsey_solver::sat::{Answer, Config, Lit};

/// Work for the question whether a relation is an order, and for each question about a bit.
const WORK: u64 = 2_000_000;

/// Work for all questions about bits.
const ALL_WORK: u64 = 100_000_000;

/// What is known of the immutable symbols.
pub(super) struct Fixed {
    /// The value of each bit, if it is known.
    pub(super) known: Vec<Option<bool>>,
    /// How symmetries are broken.
    pub(super) breaks: Vec<Break>,
    /// Whether there is no structure.
    pub(super) is_empty: bool,
    /// Whether there is none for the axioms alone.
    pub(super) contradicts_axioms: bool,
}

/// Adds that an edge is true.
fn require(questions: &mut Questions, graph: &Graph, edge: Edge) {
    questions.load(graph, &[], [edge]);
    questions.require(edge);
}

/// Asks whether the edge can be true. `None` if the question is too hard.
fn is_possible(
    questions: &mut Questions,
    graph: &Graph,
    edge: Edge,
    budget: &mut Budget,
) -> Result<Option<bool>, Exhausted> {
    questions.load(graph, &[], [edge]);
    let lit = questions.lit(edge);
    let mut part = budget.part(WORK);
    let answer = questions.solver.solve(&[lit], &mut part);
    budget.absorb(&part)?;
    match answer {
        Ok(answer) => Ok(Some(answer == Answer::Sat)),
        Err(Exhausted::Work) => Ok(None),
        Err(exhausted) => Err(exhausted),
    }
}

/// Returns what is known of the bits of immutable symbols. `expander` gets their values, each bit a leaf unless the caller
/// fixes it; `formulas` are about immutable symbols alone, each with its name, the first `axioms` of them are axioms.
///
/// # Errors
/// Returns why the formulas could not be expanded.
pub(super) fn fix(
    expander: &mut Expander<'_>,
    layout: &Layout,
    formulas: &[(TermId, String)],
    axioms: usize,
    options: &Options,
) -> Result<Fixed, Refusal> {
    let sig = expander.syntax.sig;
    let is_immutable = |sym: SymId| sig.symbols[sym].kind == SymbolKind::Immutable;
    let mut known: Vec<Option<bool>> = vec![None; layout.atoms.len()];
    for (sym, interpretation) in &options.fixed {
        let bits = layout.atoms.iter().enumerate().filter(|(_, atom)| atom.sym == *sym && is_immutable(*sym));
        for (at, atom) in bits {
            known[at] = Some(atom.meaning.is_true_of(interpretation.get(&atom.args)));
        }
    }
    let bits: Vec<Edge> = layout
        .atoms
        .iter()
        .zip(&known)
        .map(|(atom, known)| match known {
            Some(value) => Edge::FALSE.negated_if(*value),
            None if is_immutable(atom.sym) => expander.graph.leaf(),
            None => Edge::FALSE,
        })
        .collect();
    for sym in sig.symbols.ids().filter(|&sym| is_immutable(sym) && layout.start(sym).is_some()) {
        let table = layout.table(sig, &mut expander.graph, sym, &bits);
        expander.set_now(sym, table);
    }
    let mut required = functional(expander, layout, is_immutable);
    let axioms = axioms + required.len();
    for (formula, name) in formulas {
        required.push(expander.formula(*formula, 0).map_err(|stop| stop.at(name.as_str()))?);
    }
    let mut questions = Questions::new(Config::default());
    required.iter().for_each(|&edge| require(&mut questions, &expander.graph, edge));
    let what = "the axioms";
    let stopped = |exhausted: Exhausted| Stop::Exhausted(exhausted).at(what);
    let mut fixed = Fixed { known, breaks: Vec::new(), is_empty: false, contradicts_axioms: false };
    if is_possible(&mut questions, &expander.graph, Edge::TRUE, expander.budget).map_err(stopped)?
        == Some(false)
    {
        fixed.is_empty = true;
        let mut questions = Questions::new(Config::default());
        required.iter().take(axioms).for_each(|&edge| require(&mut questions, &expander.graph, edge));
        let is_possible = is_possible(&mut questions, &expander.graph, Edge::TRUE, expander.budget);
        fixed.contradicts_axioms = is_possible.map_err(stopped)? == Some(false);
        return Ok(fixed);
    }
    if options.break_symmetry {
        let mentioned =
            formulas.iter().flat_map(|(formula, _)| expander.syntax.terms.symbols(*formula)).collect();
        fixed.breaks = orders(expander, &mut questions, &mentioned, options).map_err(stopped)?;
        constants(sig, layout, options, &mut fixed.breaks);
        for edge in break_edges(expander, &fixed.breaks).map_err(|stop| stop.at(what))? {
            require(&mut questions, &expander.graph, edge);
        }
    }
    let mut part = expander.budget.part(ALL_WORK);
    let found = backbone(&expander.graph, &mut questions, &bits, &mut fixed, &mut part);
    expander.budget.absorb(&part).map_err(stopped)?;
    match found {
        // What was found until then is right.
        Ok(()) | Err(Exhausted::Work) => Ok(fixed),
        Err(exhausted) => Err(stopped(exhausted)),
    }
}

/// Finds the bits that have the same value in all models.
fn backbone(
    graph: &Graph,
    questions: &mut Questions,
    bits: &[Edge],
    fixed: &mut Fixed,
    budget: &mut Budget,
) -> Result<(), Exhausted> {
    if is_possible(questions, graph, Edge::TRUE, budget)? != Some(true) {
        return Ok(());
    }
    let open: Vec<usize> = (0..bits.len()).filter(|&at| graph.operands(bits[at].node()).is_none()).collect();
    let open: Vec<usize> = open.into_iter().filter(|&at| bits[at].node() != 0).collect();
    questions.load(graph, &[], open.iter().map(|&at| bits[at]));
    let lits: Vec<Lit> = open.iter().map(|&at| questions.lit(bits[at])).collect();
    if is_possible(questions, graph, Edge::TRUE, budget)? != Some(true) {
        return Ok(());
    }
    // The value in all models so far; `None` if there are both.
    let mut values: Vec<Option<bool>> = lits.iter().map(|&lit| Some(questions.solver.value(lit))).collect();
    for at in 0..open.len() {
        let Some(value) = values[at] else { continue };
        match is_possible(questions, graph, bits[open[at]].negated_if(value), budget)? {
            Some(false) => {
                fixed.known[open[at]] = Some(value);
                require(questions, graph, bits[open[at]].negated_if(!value));
            }
            Some(true) => {
                for (value, &lit) in values.iter_mut().zip(&lits) {
                    *value = value.filter(|&value| questions.solver.value(lit) == value);
                }
            }
            None => {}
        }
    }
    Ok(())
}

/// Returns, for each function among these symbols, that it has exactly one value at each tuple.
pub(super) fn functional(
    expander: &mut Expander<'_>,
    layout: &Layout,
    of: impl Fn(SymId) -> bool,
) -> Vec<Edge> {
    let sig = expander.syntax.sig;
    let mut edges = Vec::new();
    for sym in sig.symbols.ids().filter(|&sym| of(sym) && layout.start(sym).is_some()) {
        let Some(table) = expander.table(0, sym).cloned() else { continue };
        for value in table.iter() {
            if let Value::Term(row) = value {
                edges.push(match layout.encoding {
                    Encoding::OneHot => exactly_one(&mut expander.graph, row),
                    // At most one number is that of the bits.
                    Encoding::Binary => any(&mut expander.graph, row.iter().copied()),
                });
            }
        }
    }
    edges
}

/// Returns whether the elements of a sort may be permuted.
fn is_free(sig: &Signature, options: &Options, sort: SortId) -> bool {
    sort != SortId::BOOL
        && options.fixed.iter().all(|(sym, _)| {
            sig.symbols.get(*sym).is_some_and(|it| !it.args.contains(&sort) && it.result != sort)
        })
}

/// Finds relations that are total orders in all models, at most one per sort.
fn orders(
    expander: &mut Expander<'_>,
    questions: &mut Questions,
    mentioned: &ramsey_core::base::hash::Set<SymId>,
    options: &Options,
) -> Result<Vec<Break>, Exhausted> {
    let sig = expander.syntax.sig;
    let mut found: Vec<Break> = Vec::new();
    for (sym, symbol) in sig.symbols.iter_enumerated() {
        let &[sort, other] = symbol.args.as_slice() else { continue };
        let is_candidate = symbol.kind == SymbolKind::Immutable
            && symbol.is_relation()
            && sort == other
            && mentioned.contains(&sym)
            && is_free(sig, options, sort)
            && u64::from(expander.sizes[sort]).saturating_pow(3) <= options.max_nodes as u64
            && found.iter().all(|it| it.sort() != sort);
        let Some(table) = expander.table(0, sym).cloned().filter(|_| is_candidate) else { continue };
        let size = expander.sizes[sort] as usize;
        let edge = |i: usize, j: usize| match table.get(i * size + j) {
            Some(Value::Formula(edge)) => *edge,
            _ => Edge::FALSE,
        };
        for is_strict in [false, true] {
            let order = total_order(&mut expander.graph, size, edge, is_strict);
            if is_possible(questions, &expander.graph, !order, expander.budget)? == Some(false) {
                found.push(Break::Order { sort, sym, is_strict });
                break;
            }
        }
    }
    Ok(found)
}

/// Returns whether a relation is a total order.
fn total_order(graph: &mut Graph, size: usize, edge: impl Fn(usize, usize) -> Edge, is_strict: bool) -> Edge {
    let mut all = Edge::TRUE;
    for i in 0..size {
        all = graph.and(all, edge(i, i).negated_if(is_strict));
        for j in 0..size {
            if i < j {
                // Exactly one of both directions.
                let one = graph.or(edge(i, j), edge(j, i));
                let both = graph.and(edge(i, j), edge(j, i));
                let exactly = graph.and(one, !both);
                all = graph.and(all, exactly);
            }
            for k in 0..size {
                let path = graph.and(edge(i, j), edge(j, k));
                let step = graph.and(path, !edge(i, k));
                all = graph.and(all, !step);
            }
        }
    }
    all
}

/// Adds the lists of immutable constants of sorts that have no order.
fn constants(sig: &Signature, layout: &Layout, options: &Options, breaks: &mut Vec<Break>) {
    for sort in sig.uninterpreted_sorts() {
        if !is_free(sig, options, sort) || breaks.iter().any(|it| it.sort() == sort) {
            continue;
        }
        let of_sort = sig.symbols.iter_enumerated().filter(|(sym, symbol)| {
            symbol.kind == SymbolKind::Immutable
                && symbol.args.is_empty()
                && symbol.result == sort
                && layout.start(*sym).is_some()
        });
        let symbols: Vec<SymId> = of_sort.map(|(sym, _)| sym).collect();
        if !symbols.is_empty() {
            breaks.push(Break::Constants { sort, symbols });
        }
    }
}

/// Returns what is required of structures by this choice among isomorphic ones.
pub(super) fn break_edges(expander: &mut Expander<'_>, breaks: &[Break]) -> Result<Vec<Edge>, Stop> {
    let mut edges = Vec::new();
    for it in breaks {
        match it {
            Break::Order { sort, sym, is_strict } => {
                let size = expander.sizes[*sort];
                for i in 0..size {
                    for j in 0..size {
                        let Value::Formula(edge) = expander.lookup(*sym, 0, &[i, j])? else { continue };
                        let holds = i < j || (i == j && !is_strict);
                        edges.push(edge.negated_if(!holds));
                    }
                }
            }
            Break::Constants { symbols, .. } => {
                let mut before: Vec<Edge> = Vec::new();
                for &sym in symbols {
                    let Value::Term(row) = expander.lookup(sym, 0, &[])? else { continue };
                    before.resize(row.len(), Edge::FALSE);
                    for (value, &edge) in row.iter().enumerate().skip(1) {
                        let smaller = before.get(value - 1).copied().unwrap_or(Edge::FALSE);
                        let bad = expander.graph.and(edge, !smaller);
                        edges.push(!bad);
                    }
                    for (before, &edge) in before.iter_mut().zip(row.iter()) {
                        *before = expander.graph.or(*before, edge);
                    }
                }
            }
        }
    }
    Ok(edges)
}
