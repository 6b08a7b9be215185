//! What is in the picture of each state: boxes, edges, and facts listed beneath.

use super::classify::{Shape, shape};
use super::{MOST_EDGES, MOST_ELEMENTS, MOST_NODES, Picture};
use crate::base::ids::IdVec;
use crate::logic::{Elem, SortId, SymId, SymbolKind};
use crate::report::Names;
use crate::report::trace::{Fact, Part, fact_text, facts};

/// What a fact is to the state before.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Mark {
    /// As before, or there is no state before.
    Same,
    /// Became true.
    Added,
    /// Ceased to be true.
    Removed,
    /// Has another value.
    Changed,
}

impl Mark {
    /// The sign before the text, a blank behind it.
    pub fn sign(self) -> &'static str {
        match self {
            Mark::Same => "",
            Mark::Added => "+ ",
            Mark::Removed => "- ",
            Mark::Changed => "~ ",
        }
    }
}

/// A line of text with its mark.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Line {
    /// What it is to the state before.
    pub mark: Mark,
    /// The text with its sign.
    pub text: String,
}

/// An element.
#[derive(Clone, Debug)]
pub struct Node {
    /// Its sort.
    pub sort: SortId,
    /// The element.
    pub elem: Elem,
    /// Its name with those of the constants that it is the value of.
    pub name: String,
    /// Facts about it.
    pub lines: Vec<Line>,
}

/// A tuple of a binary relation.
#[derive(Clone, Debug)]
pub struct Edge {
    /// Index of a node.
    pub from: usize,
    /// Index of a node.
    pub to: usize,
    /// The relation, with its sign.
    pub label: Line,
}

/// A state.
#[derive(Clone, Debug)]
pub struct Panel {
    /// `state 1`, with the transition that led to it.
    pub title: String,
    /// The same elements in all states; none where the states are tables.
    pub nodes: Vec<Node>,
    /// Edges.
    pub edges: Vec<Edge>,
    /// Facts listed beneath.
    pub lines: Vec<Line>,
}

/// All states, and how elements are placed in each.
#[derive(Clone, Debug)]
pub struct Scene {
    /// Per sort.
    pub shapes: IdVec<SortId, Shape>,
    /// Per state.
    pub panels: Vec<Panel>,
    /// What placement stands for, and what is left out.
    pub captions: Vec<String>,
}

/// How the tuples of a symbol are shown.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Way {
    Hidden,
    /// In the box of the argument at this place.
    Box(usize),
    Edge,
    List,
}

/// Makes the scene of a picture.
pub fn scene(picture: &Picture) -> Scene {
    let sig = picture.sig;
    let mut shapes = IdVec::filled(sig.sorts.len(), Shape::Plain);
    let mut captions = Vec::new();
    for sort in picture.sorts() {
        shapes[sort] = shape(sig, picture.structure, sort, MOST_ELEMENTS);
        let name = &sig.sorts[sort].name;
        match &shapes[sort] {
            Shape::Column(sym, _) => {
                captions.push(format!("{name}: ordered by {}, least at top", sig.symbols[*sym].name));
            }
            Shape::Ring(sym, _) => {
                captions.push(format!("{name}: ring of {}, clockwise", sig.symbols[*sym].name));
            }
            Shape::Plain => {}
        }
    }
    let mut scene = Scene { shapes, panels: Vec::new(), captions };
    let sizes = || picture.sorts().map(|sort| picture.structure.sizes[sort]);
    let is_small =
        sizes().all(|size| size <= MOST_ELEMENTS) && sizes().map(u64::from).sum::<u64>() <= MOST_NODES;
    if is_small {
        let ways = ways(picture, &scene.shapes);
        scene.panels = panels(picture, &scene.shapes, Some(&ways));
    }
    if !is_small || scene.panels.iter().any(|panel| panel.edges.len() > MOST_EDGES) {
        scene.captions = vec!["too large to be drawn: facts are listed".to_owned()];
        scene.panels = panels(picture, &scene.shapes, None);
    }
    scene
}

/// All facts of a state with those that no transition changes first.
fn all_facts(picture: &Picture, names: &Names, step: usize) -> Vec<Fact> {
    let sig = picture.sig;
    let listed = |part| facts(sig, picture.structure, names, part, false);
    listed(Part::Immutable)
        .into_iter()
        .chain(listed(Part::State(step)))
        .filter(|(sym, _)| !sig.symbols[*sym].has_annotation("no_print"))
        .flat_map(|(_, facts)| facts)
        .collect()
}

fn ways(picture: &Picture, shapes: &IdVec<SortId, Shape>) -> IdVec<SymId, Way> {
    let sig = picture.sig;
    let mut ways = IdVec::filled(sig.symbols.len(), Way::List);
    for (sym, symbol) in sig.symbols.iter_enumerated() {
        let drawn = |sort: SortId| sort != SortId::BOOL && picture.is_shown(sort);
        ways[sym] = match symbol.args[..] {
            _ if shapes.iter().any(|shape| shape.symbol() == Some(sym)) => Way::Hidden,
            [] if !symbol.is_relation() && drawn(symbol.result) => Way::Box(0),
            [only] if drawn(only) => Way::Box(0),
            [a, b] if symbol.is_relation() && drawn(a) && drawn(b) => {
                if a == b {
                    Way::Edge
                } else if is_set(picture, a, sym) {
                    Way::Box(0)
                } else if is_set(picture, b, sym) || few_sources(picture, sym, b) {
                    Way::Box(1)
                } else {
                    Way::Edge
                }
            }
            _ => Way::List,
        };
    }
    ways
}

/// Whether the elements of a sort are nothing but sets: an immutable relation tells the members, and nothing else speaks
/// of the sort.
fn is_set(picture: &Picture, sort: SortId, sym: SymId) -> bool {
    let symbols = &picture.sig.symbols;
    symbols[sym].kind == SymbolKind::Immutable
        && symbols
            .iter_enumerated()
            .filter(|(_, it)| it.kind != SymbolKind::Parameter)
            .all(|(it, symbol)| it == sym || (symbol.result != sort && !symbol.args.contains(&sort)))
}

fn few_sources(picture: &Picture, sym: SymId, target: SortId) -> bool {
    const FEW: usize = 4;
    (0..picture.steps()).all(|step| {
        let mut count = vec![0; picture.structure.sizes[target] as usize];
        let entries = &picture.structure.interpretation(picture.sig, sym, step).entries;
        for (args, _) in entries.iter().filter(|(_, value)| **value != 0) {
            count[args[1] as usize] += 1;
        }
        count.iter().all(|&count| count <= FEW)
    })
}

fn mark(picture: &Picture, fact: &Fact) -> Mark {
    let symbol = &picture.sig.symbols[fact.sym];
    match (fact.changed(), symbol.is_relation() && !symbol.args.is_empty()) {
        (false, _) => Mark::Same,
        (true, false) => Mark::Changed,
        (true, true) if fact.value != 0 => Mark::Added,
        (true, true) => Mark::Removed,
    }
}

fn line(mark: Mark, text: &str) -> Line {
    Line { mark, text: format!("{}{text}", mark.sign()) }
}

fn panels(picture: &Picture, shapes: &IdVec<SortId, Shape>, ways: Option<&IdVec<SymId, Way>>) -> Vec<Panel> {
    (0..picture.steps())
        .map(|step| {
            let names = Names::new(picture.sig, picture.structure, step);
            let mut title = format!("state {step}");
            if let Some(call) = step.checked_sub(1).and_then(|before| picture.calls.get(before)) {
                let before = Names::new(picture.sig, picture.structure, step - 1);
                let call = crate::report::trace::call_text(picture.system, &before, call);
                title = format!("{title}, after {call}");
            }
            let mut panel = Panel { title, nodes: Vec::new(), edges: Vec::new(), lines: Vec::new() };
            if ways.is_some() {
                panel.nodes = nodes(picture, shapes, &names);
            }
            for fact in all_facts(picture, &names, step) {
                let way = ways.map_or(Way::List, |ways| ways[fact.sym]);
                add(picture, &names, &mut panel, &fact, way);
            }
            panel
        })
        .collect()
}

fn nodes(picture: &Picture, shapes: &IdVec<SortId, Shape>, names: &Names) -> Vec<Node> {
    let mut nodes = Vec::new();
    for sort in picture.sorts() {
        let order = match &shapes[sort] {
            Shape::Column(_, order) | Shape::Ring(_, order) => order.clone(),
            Shape::Plain => (0..picture.structure.sizes[sort]).collect(),
        };
        nodes.extend(order.into_iter().map(|elem| Node {
            sort,
            elem,
            name: names.name(sort, elem).to_owned(),
            lines: Vec::new(),
        }));
    }
    nodes
}

fn add(picture: &Picture, names: &Names, panel: &mut Panel, fact: &Fact, way: Way) {
    let symbol = &picture.sig.symbols[fact.sym];
    let mark = mark(picture, fact);
    let find = |nodes: &[Node], sort: SortId, elem: Elem| {
        nodes.iter().position(|node| node.sort == sort && node.elem == elem)
    };
    let before = fact.before.filter(|_| mark == Mark::Changed);
    let function_text = || match before {
        Some(before) => format!(
            "{} = {} (was {})",
            symbol.name,
            names.name(symbol.result, fact.value),
            names.name(symbol.result, before)
        ),
        None => format!("{} = {}", symbol.name, names.name(symbol.result, fact.value)),
    };
    match way {
        Way::Hidden => {}
        Way::Box(place) => {
            let (sort, elem, text) = match fact.args[..] {
                [] => (symbol.result, fact.value, format!("= {}", symbol.name)),
                [arg] if symbol.is_relation() => (symbol.args[0], arg, symbol.name.clone()),
                [arg] => (symbol.args[0], arg, function_text()),
                ref args => {
                    let other = 1 - place;
                    let name = names.name(symbol.args[other], args[other]);
                    (symbol.args[place], args[place], format!("{}: {name}", symbol.name))
                }
            };
            // A constant that is called like its element says nothing.
            if fact.args.is_empty() && names.name(sort, elem) == symbol.name && mark == Mark::Same {
                return;
            }
            if let Some(at) = find(&panel.nodes, sort, elem) {
                panel.nodes[at].lines.push(line(mark, &text));
            }
        }
        Way::Edge => {
            let ends = (
                find(&panel.nodes, symbol.args[0], fact.args[0]),
                find(&panel.nodes, symbol.args[1], fact.args[1]),
            );
            if let (Some(from), Some(to)) = ends {
                panel.edges.push(Edge { from, to, label: line(mark, &symbol.name) });
            }
        }
        Way::List => {
            let text = fact_text(picture.sig, names, fact);
            let text = if mark == Mark::Removed { text.trim_start_matches('!') } else { &text };
            panel.lines.push(line(mark, text));
        }
    }
}
