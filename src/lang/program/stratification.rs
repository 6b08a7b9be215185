//! Stratification of functions: a program should have no cycle from argument sorts to result sorts.

use std::collections::VecDeque;

use crate::fol::names::Globals;
use crate::shared::report::Report;
use ramsey_core::base::hash::Set;
use ramsey_core::base::ids::IdVec;
use ramsey_core::base::span::Span;
use ramsey_core::diag::{Code, Diagnostic, advice};
use ramsey_core::logic::{SortId, SymId};

/// An edge from an argument sort to the result sort of a function.
#[derive(Clone, Copy)]
struct Edge {
    from: SortId,
    to: SortId,
    sym: SymId,
}

/// Reports a warning with a shortest cycle, if there is one.
pub(super) fn check(globals: &Globals<'_>, report: &mut Report) {
    let mut edges: Vec<Edge> = Vec::new();
    let mut known: Set<(SortId, SortId)> = Set::default();
    for (sym, symbol) in globals.sig.symbols.iter_enumerated() {
        if symbol.is_relation() {
            continue;
        }
        for &from in &symbol.args {
            // A sort that could not be resolved is `bool`, and the error has been reported.
            if from != SortId::BOOL && known.insert((from, symbol.result)) {
                edges.push(Edge { from, to: symbol.result, sym });
            }
        }
    }
    let Some(cycle) = shortest_cycle(&edges, globals.sig.sorts.len()) else { return };
    let span = |sym: SymId| globals.sig.symbols[sym].span;
    let sort = |sort: SortId| globals.sig.sorts[sort].name.as_str();
    let name = |sym: SymId| globals.sig.symbols[sym].name.as_str();
    let [first, rest @ ..] = cycle.as_slice() else { return };
    let Some(place) = span(first.sym) else { return };
    let step =
        |edge: &Edge| format!("`{}` leads from `{}` to `{}`", name(edge.sym), sort(edge.from), sort(edge.to));
    let mut path: Vec<&str> = cycle.iter().map(|edge| sort(edge.from)).collect();
    path.push(sort(first.from));
    let message = format!("the functions are not stratified: {}", path.join(" -> "));
    let mut warning = Diagnostic::warning(Code::Stratification, place, message).label(step(first));
    for edge in rest.iter().take(8) {
        let at: Option<Span> = span(edge.sym);
        if let Some(at) = at {
            warning = warning.also(at, format!("and {}", step(edge)));
        }
    }
    let args = |edge: &Edge| globals.sig.symbols[edge.sym].args.len();
    let help = match cycle.as_slice() {
        [a, b] if args(a) == 1 && args(b) == 1 => advice::keep_one(name(a.sym), name(b.sym)),
        _ => advice::relation_for(name(first.sym), args(first)),
    };
    report.push(
        warning
            .note(
                "with such a cycle there are infinitely many terms, and what is claimed may not be decidable",
            )
            .help(help),
    );
}

/// Returns a cycle of minimal length among those through one of its sorts.
fn shortest_cycle(edges: &[Edge], sorts: usize) -> Option<Vec<Edge>> {
    let mut outgoing: IdVec<SortId, Vec<usize>> = IdVec::filled(sorts, Vec::new());
    let mut waiting: IdVec<SortId, usize> = IdVec::filled(sorts, 0);
    for (index, edge) in edges.iter().enumerate() {
        outgoing[edge.from].push(index);
        waiting[edge.to] += 1;
    }
    // Sorts without incoming edges are on no cycle. Removing their edges may yield further such sorts.
    let mut free: Vec<SortId> = waiting.ids().filter(|&sort| waiting[sort] == 0).collect();
    while let Some(sort) = free.pop() {
        for &index in &outgoing[sort] {
            let to = edges[index].to;
            waiting[to] -= 1;
            if waiting[to] == 0 {
                free.push(to);
            }
        }
    }
    // The remaining sorts are on cycles or reachable from them. Following edges backwards as often as there are sorts
    // ends on a cycle.
    let mut at = waiting.ids().find(|&sort| waiting[sort] > 0)?;
    let mut entering: IdVec<SortId, Option<SortId>> = IdVec::filled(sorts, None);
    for edge in edges.iter().rev().filter(|edge| waiting[edge.from] > 0) {
        entering[edge.to] = Some(edge.from);
    }
    for _ in 0..sorts {
        at = entering[at]?;
    }
    cycle_through(at, edges, &outgoing)
}

fn cycle_through(start: SortId, edges: &[Edge], outgoing: &IdVec<SortId, Vec<usize>>) -> Option<Vec<Edge>> {
    // The edge by which each sort was reached.
    let mut via: IdVec<SortId, Option<usize>> = IdVec::filled(outgoing.len(), None);
    let mut queue = VecDeque::from([start]);
    while let Some(sort) = queue.pop_front() {
        for &index in &outgoing[sort] {
            let to = edges[index].to;
            if via[to].is_none() {
                via[to] = Some(index);
                queue.push_back(to);
            }
        }
    }
    let mut cycle = Vec::new();
    let mut at = start;
    loop {
        let edge = edges[via[at]?];
        cycle.push(edge);
        at = edge.from;
        if at == start {
            cycle.reverse();
            return Some(cycle);
        }
    }
}
