//! Contents of the picture of each state: boxes, edges, and facts listed below.

use super::classify::{Shape, is_cover, is_order, shape};
use super::theme::Projection;
use super::{MAX_EDGES, MAX_ELEMENTS, MAX_NODES, MAX_TRIPLES, Picture};
use crate::base::ids::IdVec;
use crate::logic::{Elem, Evaluator, SortId, SymId, Symbol, SymbolKind};
use crate::report::Names;
use crate::report::orders::is_reflexive;
use crate::report::trace::{Fact, Part, fact_text, facts, is_of_system};

/// Change of a fact relative to the previous state.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Mark {
    /// Unchanged, or there is no previous state.
    Same,
    /// Became true.
    Added,
    /// Became false.
    Removed,
    /// Has a new value.
    Changed,
    /// Known to be false, in a partial structure.
    False,
}

impl Mark {
    /// Returns the sign before the text, followed by a blank.
    pub fn sign(self) -> &'static str {
        match self {
            Mark::Same => "",
            Mark::Added => "+ ",
            Mark::Removed => "- ",
            Mark::Changed => "~ ",
            Mark::False => "!",
        }
    }
}

/// A line of text with its mark.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Line {
    /// Change relative to the previous state.
    pub mark: Mark,
    /// The text, including the sign.
    pub text: String,
}

/// A drawn element.
#[derive(Clone, Debug)]
pub struct Node {
    /// Its sort.
    pub sort: SortId,
    /// The element within the sort.
    pub elem: Elem,
    /// Its name, with the constants that have it as their value.
    pub name: String,
    /// Facts about it.
    pub lines: Vec<Line>,
    /// For a row of a matrix: for each node of the other sort, in order, whether it is a member.
    pub dots: Vec<bool>,
}

/// A tuple of a binary relation, drawn as an edge.
#[derive(Clone, Debug)]
pub struct Edge {
    /// Index of the source node.
    pub from: usize,
    /// Index of the target node.
    pub to: usize,
    /// Name of the relation, with its sign.
    pub label: Line,
}

/// Picture of a state.
#[derive(Clone, Debug)]
pub struct Panel {
    /// `state 1`, with the transition that led to it.
    pub title: String,
    /// Nodes, the same in all states; empty if states are shown as tables.
    pub nodes: Vec<Node>,
    /// Edges.
    pub edges: Vec<Edge>,
    /// Facts listed below the picture.
    pub lines: Vec<Line>,
}

impl Panel {
    /// Returns the names of the members of a set, for a node that is a row of a matrix with members of this sort.
    pub fn members(&self, node: &Node, sort: SortId) -> Vec<&str> {
        let columns = self.nodes.iter().filter(|it| it.sort == sort);
        columns.zip(&node.dots).filter(|(_, is_member)| **is_member).map(|(it, _)| it.name.as_str()).collect()
    }
}

/// Pictures of all states, with the placement of elements common to all.
#[derive(Clone, Debug)]
pub struct Scene {
    /// Per sort, the placement of its elements.
    pub shapes: IdVec<SortId, Shape>,
    /// Per state, its picture.
    pub panels: Vec<Panel>,
    /// Explanations of the placement, and of omissions.
    pub captions: Vec<String>,
}

/// Display of the tuples of a symbol.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum SymbolDisplay {
    Hidden,
    /// In the box of the argument with this index.
    Box(usize),
    Edge,
    /// Edges for the pairs in the transitive reduction of an order.
    Cover,
    /// Edges between the arguments at the first two of these indices, labelled by the argument at the third.
    Triple([usize; 3]),
    List,
}

/// Display of all symbols.
struct DisplayPlan {
    displays: IdVec<SymId, SymbolDisplay>,
    /// Projections, with the elements at their fixed arguments.
    projections: Vec<(Projection, Vec<Option<Elem>>)>,
    /// Relations that hold between each element and itself in every state.
    reflexive: Vec<SymId>,
}

/// Builds the scene of a picture.
pub fn scene(picture: &Picture) -> Scene {
    let sig = picture.sig;
    let mut shapes = IdVec::filled(sig.sorts.len(), Shape::Plain);
    let mut captions = Vec::new();
    for sort in picture.sorts() {
        shapes[sort] = match matrix(picture, sort) {
            Some((sym, members)) => Shape::Matrix(sym, members),
            None => shape(picture.system, sig, picture.structure, sort, MAX_ELEMENTS),
        };
        let name = &sig.sorts[sort].name;
        match &shapes[sort] {
            Shape::Column(sym, _) => {
                captions.push(format!("{name}: ordered by {}, least at top", sig.symbols[*sym].name));
            }
            Shape::Ring(sym, _) => {
                captions.push(format!("{name}: ring of {}, clockwise", sig.symbols[*sym].name));
            }
            Shape::Ranks(sym, _) => {
                captions.push(format!("{name}: ranks of {}, least at top", sig.symbols[*sym].name));
            }
            Shape::Matrix(sym, members) => {
                let (sym, members) = (&sig.symbols[*sym].name, &sig.sorts[*members].name);
                captions.push(format!("{name}: a dot below each {members} of which {sym} holds"));
            }
            Shape::Plain => {}
        }
    }
    let mut scene = Scene { shapes, panels: Vec::new(), captions };
    let sizes = || picture.sorts().map(|sort| picture.structure.sizes[sort]);
    let is_small =
        sizes().all(|size| size <= MAX_ELEMENTS) && sizes().map(u64::from).sum::<u64>() <= MAX_NODES;
    if is_small {
        let plan = plan(picture, &scene.shapes, &mut scene.captions);
        scene.panels = panels(picture, &scene.shapes, Some(&plan));
    }
    if !is_small || scene.panels.iter().any(|panel| panel.edges.len() > MAX_EDGES) {
        scene.captions = vec!["too large to be drawn: facts are listed".to_owned()];
        scene.panels = panels(picture, &scene.shapes, None);
    }
    scene
}

/// Returns all facts of a state, immutable ones first.
fn all_facts(picture: &Picture, names: &Names, step: usize) -> Vec<Fact> {
    let sig = picture.sig;
    let listed = |part| facts(sig, picture.structure, names, part, false);
    listed(Part::Immutable)
        .into_iter()
        .chain(listed(Part::State(step)))
        .filter(|(sym, _)| is_of_system(picture.system, *sym))
        .filter(|(sym, _)| {
            let symbol = &sig.symbols[*sym];
            let is_shown = |&sort: &SortId| sort == SortId::BOOL || picture.is_shown(sort);
            !symbol.has_annotation("no_print")
                && symbol.args.iter().all(is_shown)
                && !picture.theme.hidden.contains(sym)
        })
        .flat_map(|(_, facts)| facts)
        .collect()
}

fn plan(picture: &Picture, shapes: &IdVec<SortId, Shape>, captions: &mut Vec<String>) -> DisplayPlan {
    let Picture { sig, structure, theme, .. } = *picture;
    let displays = displays(picture, shapes);
    let reduced = |(sym, display): &(SymId, &SymbolDisplay)| {
        **display == SymbolDisplay::Cover && !theme.hidden.contains(sym)
    };
    for (sym, _) in displays.iter_enumerated().filter(reduced) {
        let name = &sig.symbols[sym].name;
        captions.push(format!("{name}: an order; pairs with an element between them are not drawn"));
    }
    for (sort, name) in theme.missing(picture.system, sig, structure) {
        captions.push(format!("there is no element {name} of sort {} to project at", sig.sorts[sort].name));
    }
    let resolved = |it: &Projection| Some((it.clone(), it.resolve(picture.system, sig, structure)?));
    let edges = displays
        .iter_enumerated()
        .filter(|(_, display)| **display == SymbolDisplay::Edge)
        .map(|(sym, _)| sym);
    let reflexive = edges.filter(|&sym| is_reflexive(picture.system, sig, sym)).collect();
    let projections = theme.projections.iter().filter_map(resolved).collect();
    DisplayPlan { displays, projections, reflexive }
}

fn displays(picture: &Picture, shapes: &IdVec<SortId, Shape>) -> IdVec<SymId, SymbolDisplay> {
    let sig = picture.sig;
    let mut displays = IdVec::filled(sig.symbols.len(), SymbolDisplay::List);
    for (sym, symbol) in sig.symbols.iter_enumerated() {
        let drawn = |sort: SortId| sort != SortId::BOOL && picture.is_shown(sort);
        let is_order = || is_order(sig, picture.structure, sym, MAX_ELEMENTS);
        let wanted = picture.theme.edges.contains(&sym);
        displays[sym] = match symbol.args[..] {
            [a, b] if wanted && drawn(a) && drawn(b) => {
                if is_order() {
                    SymbolDisplay::Cover
                } else {
                    SymbolDisplay::Edge
                }
            }
            [a] if wanted && drawn(a) && drawn(symbol.result) => SymbolDisplay::Edge,
            [a, b, c] if wanted && [a, b, c].into_iter().all(drawn) => {
                SymbolDisplay::Triple(ends(picture, [a, b, c]))
            }
            _ if shapes.iter().any(|shape| shape.symbol() == Some(sym)) => SymbolDisplay::Hidden,
            [] if !symbol.is_relation() && drawn(symbol.result) => SymbolDisplay::Box(0),
            [only] if drawn(only) => SymbolDisplay::Box(0),
            [a, b] if symbol.is_relation() && drawn(a) && drawn(b) => {
                if a == b {
                    if is_order() { SymbolDisplay::Cover } else { SymbolDisplay::Edge }
                } else if few_sources(picture, sym, b) {
                    SymbolDisplay::Box(1)
                } else {
                    SymbolDisplay::Edge
                }
            }
            [a, b, c]
                if symbol.is_relation()
                    && symbol.kind != SymbolKind::Immutable
                    && [a, b, c].into_iter().all(drawn) =>
            {
                // Edges in all directions within one sort would be hard to read.
                match most_tuples(picture, sym) {
                    0..=MAX_TRIPLES if a != b || b != c => SymbolDisplay::Triple(ends(picture, [a, b, c])),
                    _ => SymbolDisplay::Box(0),
                }
            }
            _ => SymbolDisplay::List,
        };
    }
    displays
}

/// Returns, for a ternary relation, the argument indices of the ends of its edges and of their labels. The ends are of
/// one sort, or of the sorts placed closest to each other.
fn ends(picture: &Picture, sorts: [SortId; 3]) -> [usize; 3] {
    let column = |place: usize| picture.sorts().position(|sort| sort == sorts[place]).unwrap_or(0);
    let distance = |[from, to, _]: &[usize; 3]| column(*from).abs_diff(column(*to));
    [[0, 1, 2], [0, 2, 1], [1, 2, 0]].into_iter().min_by_key(distance).unwrap_or([0, 1, 2])
}

/// Returns the maximum number of tuples of a relation in any state.
fn most_tuples(picture: &Picture, sym: SymId) -> usize {
    let of_step = |step| {
        let entries = &picture.structure.interpretation(picture.sig, sym, step).entries;
        entries.values().filter(|&&value| value != 0).count()
    };
    (0..picture.steps()).map(of_step).max().unwrap_or(0)
}

/// Returns the membership relation of a sort whose elements are sets, and the sort of the members.
fn matrix(picture: &Picture, sort: SortId) -> Option<(SymId, SortId)> {
    let drawn = |other: SortId| other != sort && other != SortId::BOOL && picture.is_shown(other);
    picture.sig.symbols.iter_enumerated().find_map(|(sym, symbol)| {
        let members = match symbol.args[..] {
            [a, b] if b == sort && symbol.is_relation() => a,
            [a, b] if a == sort && symbol.is_relation() => b,
            _ => return None,
        };
        let is_matrix = drawn(members) && is_set(picture, sort, sym) && !picture.theme.edges.contains(&sym);
        is_matrix.then_some((sym, members))
    })
}

/// Checks whether the elements of a sort are only sets: an immutable relation defines their members, and the sort
/// occurs otherwise only in constants and in relations with three and more arguments.
fn is_set(picture: &Picture, sort: SortId, sym: SymId) -> bool {
    let symbols = &picture.sig.symbols;
    let is_harmless = |symbol: &Symbol| match symbol.args.len() {
        0 => true,
        1 | 2 => symbol.result != sort && !symbol.args.contains(&sort),
        _ => symbol.is_relation(),
    };
    symbols[sym].kind == SymbolKind::Immutable
        && symbols
            .iter_enumerated()
            .filter(|(_, it)| it.kind != SymbolKind::Parameter)
            .all(|(it, symbol)| it == sym || is_harmless(symbol))
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

pub(super) fn line(mark: Mark, text: &str) -> Line {
    Line { mark, text: format!("{}{text}", mark.sign()) }
}

fn panels(picture: &Picture, shapes: &IdVec<SortId, Shape>, plan: Option<&DisplayPlan>) -> Vec<Panel> {
    (0..picture.steps())
        .map(|step| {
            let names = Names::new(picture.system, picture.sig, picture.structure, step);
            let mut title = format!("state {step}");
            if let Some(call) = step.checked_sub(1).and_then(|before| picture.calls.get(before)) {
                let before = Names::new(picture.system, picture.sig, picture.structure, step - 1);
                let call = crate::report::trace::call_text(picture.system, &before, call);
                title = format!("{title}, after {call}");
            }
            let mut panel = Panel { title, nodes: Vec::new(), edges: Vec::new(), lines: Vec::new() };
            if plan.is_some() {
                panel.nodes = nodes(picture, shapes, &names);
            }
            for fact in all_facts(picture, &names, step) {
                let Some(plan) = plan else {
                    add(picture, &names, &mut panel, &fact, SymbolDisplay::List);
                    continue;
                };
                let is_projected = project(picture, &mut panel, &fact, plan);
                let display = match plan.displays[fact.sym] {
                    SymbolDisplay::List if is_projected => SymbolDisplay::Hidden,
                    SymbolDisplay::Cover if is_covering(picture, &fact, step) => SymbolDisplay::Edge,
                    SymbolDisplay::Cover => SymbolDisplay::Hidden,
                    SymbolDisplay::Edge if plan.reflexive.contains(&fact.sym) && is_loop(&fact) => {
                        SymbolDisplay::Hidden
                    }
                    display => display,
                };
                add(picture, &names, &mut panel, &fact, display);
            }
            if plan.is_some() {
                define(picture, &mut panel, step);
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
            Shape::Ranks(_, rows) => rows.concat(),
            Shape::Matrix(..) | Shape::Plain => (0..picture.structure.sizes[sort]).collect(),
        };
        nodes.extend(order.into_iter().map(|elem| Node {
            sort,
            elem,
            name: names.name(sort, elem).to_owned(),
            lines: Vec::new(),
            dots: Vec::new(),
        }));
    }
    for at in 0..nodes.len() {
        let Shape::Matrix(sym, members) = shapes[nodes[at].sort] else { continue };
        let relation = picture.structure.interpretation(picture.sig, sym, 0);
        let set = nodes[at].elem;
        let is_first = picture.sig.symbols[sym].args[0] == members;
        let tuple = |member: Elem| if is_first { [member, set] } else { [set, member] };
        let columns = nodes.iter().filter(|it| it.sort == members);
        nodes[at].dots = columns.map(|it| relation.get(&tuple(it.elem)) != 0).collect();
    }
    nodes
}

/// Checks whether no element is between those of a pair of an order. A removed pair is checked in the previous state.
fn is_covering(picture: &Picture, fact: &Fact, step: usize) -> bool {
    let step = if fact.value == 0 { step.saturating_sub(1) } else { step };
    let [a, b] = fact.args[..] else { return false };
    is_cover(picture.sig, picture.structure, fact.sym, step, [a, b])
}

fn is_loop(fact: &Fact) -> bool {
    matches!(fact.args[..], [a, b] if a == b)
}

/// Adds edges for the definitions to be drawn.
fn define(picture: &Picture, panel: &mut Panel, step: usize) {
    let Picture { system, sig, structure, .. } = *picture;
    for definition in picture.theme.definitions.iter().filter_map(|&at| system.definitions.get(at)) {
        let [from, to] = definition.params[..] else { continue };
        let sorts = [from, to].map(|var| system.terms.var_info(var).sort);
        let pairs = |step: usize| -> Vec<Vec<Elem>> {
            let state = structure.state(sig, step);
            let mut eval = Evaluator::new(system.terms.over(sig), &state);
            let mut holds = |pair: &Vec<Elem>| {
                eval.env = [(from, pair[0]), (to, pair[1])].into_iter().collect();
                eval.holds(definition.body)
            };
            structure.tuples(&sorts).filter(|pair| holds(pair)).collect()
        };
        let now = pairs(step);
        let before = step.checked_sub(1).map(pairs);
        let gone = before.iter().flatten().filter(|pair| !now.contains(pair));
        for pair in now.iter().chain(gone) {
            let mark = match &before {
                Some(before) if !before.contains(pair) => Mark::Added,
                Some(_) if !now.contains(pair) => Mark::Removed,
                _ => Mark::Same,
            };
            let ends = (find(&panel.nodes, sorts[0], pair[0]), find(&panel.nodes, sorts[1], pair[1]));
            if let (Some(from), Some(to)) = ends {
                panel.edges.push(Edge { from, to, label: line(mark, &definition.name) });
            }
        }
    }
}

/// Adds an edge labelled by elements; edges between the same nodes are merged and their labels joined.
pub(super) fn add_labelled(panel: &mut Panel, from: usize, to: usize, mark: Mark, name: &str, label: &str) {
    let Line { text, .. } = line(mark, &format!("{name}: "));
    let known = panel.edges.iter_mut().find(|edge| {
        (edge.from, edge.to, edge.label.mark) == (from, to, mark) && edge.label.text.starts_with(&text)
    });
    match known {
        Some(edge) => {
            edge.label.text.push_str(", ");
            edge.label.text.push_str(label);
        }
        None => panel.edges.push(Edge { from, to, label: Line { mark, text: format!("{text}{label}") } }),
    }
}

fn find(nodes: &[Node], sort: SortId, elem: Elem) -> Option<usize> {
    nodes.iter().position(|node| node.sort == sort && node.elem == elem)
}

/// Adds the projections of a tuple; returns whether any was added.
fn project(picture: &Picture, panel: &mut Panel, fact: &Fact, plan: &DisplayPlan) -> bool {
    let sorts = &picture.sig.symbols[fact.sym].args;
    let mut is_shown = false;
    for (projection, fixed) in plan.projections.iter().filter(|(it, _)| it.sym == fact.sym) {
        if fixed.iter().zip(&fact.args).any(|(fixed, arg)| fixed.is_some_and(|it| it != *arg)) {
            continue;
        }
        let open: Option<Vec<usize>> = (0..fixed.len())
            .filter(|&place| fixed[place].is_none())
            .map(|place| find(&panel.nodes, sorts[place], fact.args[place]))
            .collect();
        let label = line(mark(picture, fact), &projection.text(picture.sig));
        match open.as_deref() {
            Some(&[from, to]) => panel.edges.push(Edge { from, to, label }),
            Some(&[at]) => panel.nodes[at].lines.push(label),
            _ => continue,
        }
        is_shown = true;
    }
    is_shown
}

fn add(picture: &Picture, names: &Names, panel: &mut Panel, fact: &Fact, display: SymbolDisplay) {
    let symbol = &picture.sig.symbols[fact.sym];
    let mark = mark(picture, fact);
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
    match display {
        SymbolDisplay::Hidden | SymbolDisplay::Cover => {}
        SymbolDisplay::Box(place) => {
            let (sort, elem, text) = match fact.args[..] {
                [] => (symbol.result, fact.value, format!("= {}", symbol.name)),
                [arg] if symbol.is_relation() => (symbol.args[0], arg, symbol.name.clone()),
                [arg] => (symbol.args[0], arg, function_text()),
                [arg, b, c] => {
                    let (b, c) = (names.name(symbol.args[1], b), names.name(symbol.args[2], c));
                    (symbol.args[0], arg, format!("{}: {b}, {c}", symbol.name))
                }
                ref args => {
                    let other = 1 - place;
                    let name = names.name(symbol.args[other], args[other]);
                    (symbol.args[place], args[place], format!("{}: {name}", symbol.name))
                }
            };
            // A constant with the name of its element is redundant.
            if fact.args.is_empty() && names.name(sort, elem) == symbol.name && mark == Mark::Same {
                return;
            }
            if let Some(at) = find(&panel.nodes, sort, elem) {
                panel.nodes[at].lines.push(line(mark, &text));
            }
            if let (Some(before), []) = (before, &fact.args[..])
                && let Some(at) = find(&panel.nodes, sort, before)
            {
                panel.nodes[at].lines.push(line(mark, &format!("was {}", symbol.name)));
            }
        }
        SymbolDisplay::Edge if !symbol.is_relation() => {
            let Some(from) = find(&panel.nodes, symbol.args[0], fact.args[0]) else { return };
            let (now, gone) = if before.is_some() { (Mark::Added, before) } else { (Mark::Same, None) };
            for (value, mark) in [(Some(fact.value), now), (gone, Mark::Removed)] {
                if let Some(to) = value.and_then(|value| find(&panel.nodes, symbol.result, value)) {
                    panel.edges.push(Edge { from, to, label: line(mark, &symbol.name) });
                }
            }
        }
        SymbolDisplay::Edge => {
            let ends = (
                find(&panel.nodes, symbol.args[0], fact.args[0]),
                find(&panel.nodes, symbol.args[1], fact.args[1]),
            );
            if let (Some(from), Some(to)) = ends {
                panel.edges.push(Edge { from, to, label: line(mark, &symbol.name) });
            }
        }
        SymbolDisplay::Triple([from, to, label]) => {
            let node = |place: usize| find(&panel.nodes, symbol.args[place], fact.args[place]);
            if let (Some(a), Some(b)) = (node(from), node(to)) {
                let label = names.name(symbol.args[label], fact.args[label]);
                add_labelled(panel, a, b, mark, &symbol.name, label);
            }
        }
        SymbolDisplay::List => {
            let text = fact_text(picture.sig, names, fact);
            let text = if mark == Mark::Removed { text.trim_start_matches('!') } else { &text };
            panel.lines.push(line(mark, text));
        }
    }
}
