//! Orders of the sorts, in which witnesses depend on variables of earlier ones.

use std::sync::Arc;

use super::alternating;
use crate::infer::prover::Prover;
use ramsey_core::base::hash::Set;
use ramsey_core::logic::{Signature, SortId, TermId};
use ramsey_core::system::System;

/// An order of the sorts, in which witnesses depend on variables of earlier ones.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(in crate::infer) struct Ordering {
    pub(super) sorts: Vec<SortId>,
    /// The sort that comes as late as the edges allow: its witnesses depend on as many other sorts as they can.
    pub(super) latest: SortId,
    /// The edges of which no one leads backwards, but for those on cycles.
    pub(super) edges: Arc<Set<(SortId, SortId)>>,
    /// The sorts that a quantifier alternation relates.
    pub(super) alternating: Arc<[SortId]>,
}

impl Ordering {
    /// Checks whether other sorts come after the latest one, on which they depend.
    pub(super) fn is_late(&self) -> bool {
        self.sorts.last() != Some(&self.latest)
    }
}

/// Returns the orders of the sorts: those for all edges, and those for the edges that stem not from transitions alone. With a lemma
/// of one of the latter, a question about a transition may be outside of stratified EPR, and be answered all the same.
pub(super) fn orderings(prover: &Prover, properties: &[TermId]) -> Vec<Ordering> {
    let sig = &prover.system().sig;
    let mut sorts = sorts(sig);
    // What no property mentions is likely to be a witness that depends on what they mention: a decision was made in some round.
    let mentioned = mentioned(prover.system(), properties);
    sorts.sort_by_key(|sort| !mentioned.contains(sort));
    let mut orderings: Vec<Ordering> = Vec::new();
    let alternating: Arc<[SortId]> = alternating(sig, &prover.sort_edges(properties)).into();
    for edges in [prover.step_edges(properties), prover.lasting_edges(properties)] {
        let edges = Arc::new(edges);
        for (latest, sorts) in orders(&sorts, &edges) {
            if orderings.iter().all(|it| it.sorts != sorts) {
                let (edges, alternating) = (Arc::clone(&edges), Arc::clone(&alternating));
                orderings.push(Ordering { sorts, latest, edges, alternating });
            }
        }
    }
    orderings
}

/// Returns the sorts in the order that is tried first.
pub(in crate::infer) fn first_order(prover: &Prover, properties: &[TermId]) -> Vec<SortId> {
    orderings(prover, properties).into_iter().next().map_or_else(Vec::new, |order| order.sorts)
}

/// Returns the sorts that formulas speak of.
fn mentioned(system: &System, formulas: &[TermId]) -> Set<SortId> {
    let System { sig, terms, .. } = system;
    let symbols = formulas.iter().flat_map(|&formula| terms.symbols(formula));
    symbols.flat_map(|sym| sig.symbols[sym].args.iter().copied()).collect()
}

/// Returns the sorts that lemmas are about.
pub(super) fn sorts(sig: &Signature) -> Vec<SortId> {
    let mut sorts: Vec<SortId> = sig.uninterpreted_sorts().collect();
    // What no state speaks of, such as a quorum, is a witness that depends on what states speak of.
    let is_static = |sort: SortId| {
        let mut symbols = sig.symbols.iter().filter(|symbol| symbol.kind.is_mutable());
        !symbols.any(|symbol| symbol.result == sort || symbol.args.contains(&sort))
    };
    sorts.sort_by_key(|&sort| is_static(sort));
    sorts
}

/// Checks whether edges lead from a sort to another one, or both are one.
pub(in crate::infer) fn is_reached(edges: &Set<(SortId, SortId)>, from: SortId, to: SortId) -> bool {
    let (mut reached, mut at) = (vec![from], 0);
    while at < reached.len() {
        let next = edges.iter().filter(|edge| edge.0 == reached[at]).map(|edge| edge.1);
        let next: Vec<SortId> = next.filter(|sort| !reached.contains(sort)).collect();
        reached.extend(next);
        at += 1;
    }
    reached.contains(&to)
}

/// Returns orders of the sorts in which no edge leads backwards, but for edges on cycles, with the sort that is as late in each as
/// it can be. There is one for each sort that can be the last one, and one for each other sort that has some sort before it in no
/// order so far. Sorts without edges come first.
pub(super) fn orders(sorts: &[SortId], edges: &Set<(SortId, SortId)>) -> Vec<(SortId, Vec<SortId>)> {
    // Of a cycle, each edge may be the one against which a witness is chosen.
    let leads =
        |from: SortId, to: SortId| from != to && edges.contains(&(from, to)) && !is_reached(edges, to, from);
    let is_last = |&last: &SortId| !sorts.iter().any(|&sort| leads(last, sort));
    let has_edges = |sort: SortId| sorts.iter().any(|&other| leads(sort, other) || leads(other, sort));
    let (mut lasts, others): (Vec<SortId>, Vec<SortId>) = sorts.iter().copied().partition(is_last);
    // A sort that others already lead to is the likeliest one to have witnesses.
    lasts.sort_by_key(|&last| !sorts.iter().any(|&sort| leads(sort, last)));
    let leading: Set<(SortId, SortId)> =
        edges.iter().copied().filter(|&(from, to)| leads(from, to)).collect();
    let sorted = |latest: SortId| {
        let mut rest: Vec<SortId> = sorts.to_vec();
        let is_after = |sort: SortId| is_reached(&leading, latest, sort);
        rest.sort_by_key(|&sort| (is_after(sort), sort != latest, has_edges(sort)));
        let mut order = Vec::new();
        while !rest.is_empty() {
            let is_free = |&sort: &SortId| !rest.iter().any(|&other| leads(other, sort));
            let next = rest.iter().position(is_free).unwrap_or(0);
            order.push(rest.remove(next));
        }
        order
    };
    let mut orders: Vec<(SortId, Vec<SortId>)> = lasts.into_iter().map(|last| (last, sorted(last))).collect();
    for latest in others {
        let order = sorted(latest);
        let before = order.iter().take_while(|&&sort| sort != latest);
        let is_known = |sort: &SortId| {
            let place = |order: &[SortId], of: SortId| order.iter().position(|&it| it == of);
            orders.iter().any(|(_, order)| place(order, *sort) < place(order, latest))
        };
        if !before.clone().all(is_known) {
            orders.push((latest, order));
        }
    }
    orders
}
