//! Pictures of partial structures, in which each fact is known to be true, known to be false, or unknown: the output
//! of `diagram` and `generalize`.

use super::build::add_edge;
use super::classify::Shape;
use super::scene::{Line, Mark, Node, Panel, Scene};
use ramsey_core::base::ids::IdVec;
use ramsey_core::logic::{Elem, Signature, SortId};
use ramsey_core::system::System;
use ramsey_engine::query::orders::is_reflexive;
use ramsey_solver::formulas::{ElementNames, fact_text};
use ramsey_solver::formulas::{Fact, Partial};

/// Builds the scene of a partial structure: one panel, with false facts dashed and marked with `!`.
pub fn partial_scene(system: &System, names: &ElementNames, partial: &Partial) -> Scene {
    let sig = &system.sig;
    let name = |sort: SortId, elem: Elem| -> String {
        names.get(sort).and_then(|of_sort| of_sort.get(elem as usize)).cloned().unwrap_or_else(|| "?".into())
    };
    let node = |(sort, elem): (SortId, Elem)| Node {
        sort,
        elem,
        id: name(sort, elem),
        name: name(sort, elem),
        tags: Vec::new(),
        is_gone: false,
        lines: Vec::new(),
        dots: Vec::new(),
    };
    let nodes: Vec<Node> = partial.elements(sig).into_iter().map(node).collect();
    let mut panel = Panel { nodes, ..Panel::new("what is known") };
    for fact in partial.facts.iter().filter(|fact| !is_plain_loop(system, fact)) {
        add(sig, names, &mut panel, fact);
    }
    let mut captions = Vec::new();
    if partial.facts.iter().any(|fact| !fact.is_positive() && fact.symbol().is_some()) {
        captions.push("dashed, and with !: false".to_owned());
    }
    captions.push("nothing is said of what is not shown".to_owned());
    let same = maybe_same(&panel.nodes, partial);
    if !same.is_empty() {
        captions.push(format!("may be one element: {}", same.join("; ")));
    }
    Scene {
        sorts: sig.sorts.iter().map(|sort| sort.name.clone()).collect(),
        symbols: sig.symbols.iter().map(|symbol| symbol.name.clone()).collect(),
        shapes: IdVec::filled(sig.sorts.len(), Shape::Plain),
        folded: Vec::new(),
        tables: Vec::new(),
        panels: vec![panel],
        captions,
    }
}

/// Checks whether a fact about one element follows from the axioms for all elements.
fn is_plain_loop(system: &System, fact: &Fact) -> bool {
    match fact {
        Fact::Relation { sym, args, positive: true } => {
            matches!(args[..], [a, b] if a == b) && is_reflexive(system, &system.sig, *sym)
        }
        _ => false,
    }
}

/// Returns the pairs of elements of a sort that may be equal.
fn maybe_same(nodes: &[Node], partial: &Partial) -> Vec<String> {
    let mut pairs = Vec::new();
    for (at, a) in nodes.iter().enumerate() {
        for b in nodes[at + 1..].iter().filter(|b| b.sort == a.sort) {
            let pair = [a.elem.min(b.elem), a.elem.max(b.elem)];
            if !partial.facts.contains(&Fact::Distinct { sort: a.sort, pair }) {
                pairs.push(format!("{} and {}", a.name, b.name));
            }
        }
    }
    pairs
}

fn add(sig: &Signature, names: &ElementNames, panel: &mut Panel, fact: &Fact) {
    let mark = if fact.is_positive() { Mark::Same } else { Mark::False };
    let Some(sym) = fact.symbol() else { return };
    let symbol = &sig.symbols[sym];
    let elements = fact.elements(sig);
    let places: Vec<Option<usize>> = elements
        .iter()
        .map(|&(sort, elem)| panel.nodes.iter().position(|node| node.sort == sort && node.elem == elem))
        .collect();
    let line = |text: String| Line {
        mark,
        text,
        before: None,
        fact: Some(fact_text(sig, names, fact)),
        symbol: Some(sym),
    };
    let is_relation = symbol.is_relation();
    match places[..] {
        [Some(at)] if is_relation => panel.nodes[at].lines.push(line(symbol.name.clone())),
        // A constant with the name of its element is redundant.
        [Some(at)] if mark == Mark::Same && panel.nodes[at].name == symbol.name => {}
        [Some(at)] => panel.nodes[at].lines.push(line(format!("= {}", symbol.name))),
        [Some(from), Some(to)] => add_edge(panel, from, to, line(symbol.name.clone())),
        [Some(from), Some(to), Some(label)] if is_relation => {
            let text = format!("{}: {}", symbol.name, panel.nodes[label].name);
            add_edge(panel, from, to, line(text));
        }
        _ => {
            let text = fact_text(sig, names, fact);
            // The sign of a negative fact is that of its mark, but in equations.
            let bare = text.strip_prefix('!').map(str::to_owned);
            let mark = if bare.is_some() { mark } else { Mark::Same };
            panel.lines.push(Line { mark, ..line(bare.unwrap_or(text)) });
        }
    }
}
