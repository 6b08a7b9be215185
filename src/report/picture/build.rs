//! Builds scenes of states: boxes, edges, cells of tables, and facts listed below.

use super::classify::{Shape, is_cover};
use super::displays::{SymbolDisplay, is_shown};
use super::plan::{DisplayPlan, plan};
use super::scene::{Action, Cell, Dot, Edge, Line, Mark, Node, Panel, Scene};
use super::{MAX_EDGES, Picture};
use crate::Names;
use crate::replay::unchosen;
use crate::trace::{Fact, Part, call_text, call_values, fact_text, facts};
use ramsey_core::logic::{Elem, Evaluator, SortId, Symbol};

/// Builds the scene of a picture.
pub fn scene(picture: &Picture) -> Scene {
    let mut plan = plan(picture);
    let ids = Names::plain(picture.sig, picture.structure);
    let mut panels = Builder { picture, plan: &plan, ids: &ids }.panels();
    if panels.iter().any(|panel| panel.edges.len() > MAX_EDGES) {
        plan = plan.listed();
        panels = Builder { picture, plan: &plan, ids: &ids }.panels();
    }
    let sig = picture.sig;
    let DisplayPlan { shapes, folded, tables, captions, .. } = plan;
    Scene {
        sorts: sig.sorts.iter().map(|sort| sort.name.clone()).collect(),
        symbols: sig.symbols.iter().map(|symbol| symbol.name.clone()).collect(),
        shapes,
        folded,
        tables,
        panels,
        captions,
    }
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

fn find(nodes: &[Node], sort: SortId, elem: Elem) -> Option<usize> {
    nodes.iter().position(|node| node.sort == sort && node.elem == elem)
}

/// Adds an edge; facts with the same ends, mark and symbol share one.
pub(super) fn add_edge(panel: &mut Panel, from: usize, to: usize, line: Line) {
    let is_same = |edge: &&mut Edge| {
        let ends = (edge.from, edge.to, edge.mark()) == (from, to, line.mark);
        ends && line.symbol.is_some() && edge.labels.iter().all(|label| label.symbol == line.symbol)
    };
    match panel.edges.iter_mut().find(is_same) {
        Some(edge) => edge.labels.push(line),
        None => panel.edges.push(Edge::new(from, to, line)),
    }
}

struct Builder<'a> {
    picture: &'a Picture<'a>,
    plan: &'a DisplayPlan,
    /// Canonical names.
    ids: &'a Names,
}

impl Builder<'_> {
    fn panels(&self) -> Vec<Panel> {
        (0..self.picture.steps()).map(|step| self.panel(step)).collect()
    }

    fn names(&self, step: usize) -> Names {
        let Picture { system, sig, structure, theme, .. } = *self.picture;
        let mut names = Names::new(system, sig, structure, step);
        theme.names.iter().for_each(|(sort, elem, name)| names.rename(*sort, *elem, name));
        names
    }

    fn panel(&self, step: usize) -> Panel {
        let picture = self.picture;
        let names = self.names(step);
        let mut panel = Panel::new(format!("state {step}"));
        if let Some(call) = step.checked_sub(1).and_then(|before| picture.calls.get(before)) {
            let before = self.names(step - 1);
            let omitted = unchosen(picture.system, picture.sig, picture.structure, step - 1, call);
            let text = call_text(picture.system, &before, call, &omitted);
            let (name, parameters) = call_values(picture.system, &before, call, &omitted);
            let without = self.without(&before, step);
            panel.title = match &without[..] {
                [] => format!("{}, after {text}", panel.title),
                gone => format!("{}, after {name} without {}", panel.title, gone.join(", ")),
            };
            panel.action = Some(Action { name, parameters, without });
        }
        panel.nodes = self.nodes(&names, step);
        for fact in self.facts(&names, step) {
            let is_projected = self.project(&mut panel, &fact);
            let display = match self.plan.displays[fact.sym] {
                SymbolDisplay::List if is_projected => SymbolDisplay::Hidden,
                SymbolDisplay::Cover if is_covering(picture, &fact, step) => SymbolDisplay::Edge,
                SymbolDisplay::Cover => SymbolDisplay::Hidden,
                SymbolDisplay::Edge | SymbolDisplay::Box(_)
                    if self.plan.reflexive.contains(&fact.sym) && is_loop(&fact) =>
                {
                    SymbolDisplay::Hidden
                }
                display => display,
            };
            self.add(&names, &mut panel, &fact, display);
        }
        self.define(&mut panel, step);
        panel
    }

    /// Returns all facts of a state, immutable ones first.
    fn facts(&self, names: &Names, step: usize) -> Vec<Fact> {
        let Picture { sig, structure, .. } = *self.picture;
        let listed = |part| facts(sig, structure, names, part, false);
        let is_listed_again = |fact: &Fact| step == 0 || !self.plan.is_listed() || fact.changed();
        listed(Part::Immutable)
            .into_iter()
            .chain(listed(Part::State(step)))
            .filter(|(sym, _)| is_shown(self.picture, *sym))
            .flat_map(|(_, facts)| facts)
            .filter(is_listed_again)
            .collect()
    }

    /// Checks whether an element is there, in a relaxed execution.
    fn is_there(&self, sort: SortId, elem: Elem, step: usize) -> bool {
        let Picture { sig, structure, .. } = *self.picture;
        let mut active = self.plan.active.iter().filter(|(of, _)| *of == sort);
        active.all(|&(_, sym)| structure.interpretation(sig, sym, step).get(&[elem]) != 0)
    }

    /// Returns the elements that disappear in the step to a state.
    fn without(&self, names: &Names, step: usize) -> Vec<String> {
        let sizes = &self.picture.structure.sizes;
        let elements = self.picture.sorts().flat_map(|sort| (0..sizes[sort]).map(move |elem| (sort, elem)));
        let is_lost = |&(sort, elem): &(SortId, Elem)| {
            self.is_there(sort, elem, step - 1) && !self.is_there(sort, elem, step)
        };
        elements.filter(is_lost).map(|(sort, elem)| names.name(sort, elem).to_owned()).collect()
    }

    fn nodes(&self, names: &Names, step: usize) -> Vec<Node> {
        let Picture { sig, structure, .. } = *self.picture;
        let shapes = &self.plan.shapes;
        let mut nodes: Vec<Node> = Vec::new();
        for &sort in &self.plan.sorts {
            let mut order = match &shapes[sort] {
                Shape::Column(_, order) | Shape::Ring(_, order) => order.clone(),
                Shape::Ranks(_, rows) => rows.concat(),
                Shape::Matrix(..) | Shape::Plain => (0..structure.sizes[sort]).collect(),
            };
            order.retain(|elem| self.plan.elements[sort].contains(elem));
            nodes.extend(order.into_iter().map(|elem| Node {
                sort,
                elem,
                id: self.ids.name(sort, elem).to_owned(),
                name: names.name(sort, elem).to_owned(),
                tags: self.tags(sort, elem),
                is_gone: !self.is_there(sort, elem, step),
                lines: Vec::new(),
                dots: Vec::new(),
            }));
        }
        for at in 0..nodes.len() {
            let Shape::Matrix(sym, members) = shapes[nodes[at].sort] else { continue };
            let relation = structure.interpretation(sig, sym, 0);
            let set = nodes[at].elem;
            let is_first = sig.symbols[sym].args[0] == members;
            let dot = |member: &Node| {
                let args = if is_first { vec![member.elem, set] } else { vec![set, member.elem] };
                let value = relation.get(&args);
                let fact = Fact { sym, args, value, before: None };
                Dot { is_member: value != 0, fact: self.line(&fact, Mark::Same, String::new()) }
            };
            nodes[at].dots = nodes.iter().filter(|it| it.sort == members).map(dot).collect();
        }
        nodes
    }

    /// Returns the variables of the violated claim with this value.
    fn tags(&self, sort: SortId, elem: Elem) -> Vec<String> {
        let is_it = |it: &&(String, SortId, Elem)| (it.1, it.2) == (sort, elem);
        self.picture.witnesses.iter().filter(is_it).map(|(name, ..)| name.clone()).collect()
    }

    /// Returns the line of a fact.
    fn line(&self, fact: &Fact, mark: Mark, text: String) -> Line {
        let is_relation = self.picture.sig.symbols[fact.sym].is_relation();
        let shown = match mark {
            Mark::Removed if is_relation => Fact { value: 1, ..fact.clone() },
            Mark::Removed => Fact { value: fact.before.unwrap_or(fact.value), ..fact.clone() },
            _ => fact.clone(),
        };
        let id = fact_text(self.picture.sig, self.ids, &shown);
        Line { mark, text, before: None, fact: Some(id), symbol: Some(fact.sym) }
    }

    /// Adds edges for the definitions to be drawn.
    fn define(&self, panel: &mut Panel, step: usize) {
        let Picture { system, sig, structure, theme, .. } = *self.picture;
        for definition in theme.definitions.iter().filter_map(|&at| system.definitions.get(at)) {
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
                    panel.edges.push(Edge::new(from, to, Line::remark(mark, &definition.name)));
                }
            }
        }
    }

    /// Adds the projections of a tuple; returns whether any was added.
    fn project(&self, panel: &mut Panel, fact: &Fact) -> bool {
        let sorts = &self.picture.sig.symbols[fact.sym].args;
        let mut is_shown = false;
        for (projection, fixed) in self.plan.projections.iter().filter(|(it, _)| it.sym == fact.sym) {
            if fixed.iter().zip(&fact.args).any(|(fixed, arg)| fixed.is_some_and(|it| it != *arg)) {
                continue;
            }
            let open: Option<Vec<usize>> = (0..fixed.len())
                .filter(|&place| fixed[place].is_none())
                .map(|place| find(&panel.nodes, sorts[place], fact.args[place]))
                .collect();
            let line = self.line(fact, mark(self.picture, fact), projection.text(self.picture.sig));
            match open.as_deref() {
                Some(&[from, to]) => panel.edges.push(Edge::new(from, to, line)),
                Some(&[at]) => panel.nodes[at].lines.push(line),
                _ => continue,
            }
            is_shown = true;
        }
        is_shown
    }

    fn add(&self, names: &Names, panel: &mut Panel, fact: &Fact, display: SymbolDisplay) {
        let symbol = &self.picture.sig.symbols[fact.sym];
        let mark = mark(self.picture, fact);
        let before = fact.before.filter(|_| mark == Mark::Changed);
        let name = |place: usize| names.name(symbol.args[place], fact.args[place]);
        let node = |panel: &Panel, place: usize| find(&panel.nodes, symbol.args[place], fact.args[place]);
        match display {
            SymbolDisplay::Hidden | SymbolDisplay::Cover => {}
            SymbolDisplay::Box(_) if fact.args.is_empty() => self.constant(names, panel, fact),
            SymbolDisplay::Box(place) => {
                let others: Vec<&str> = (0..fact.args.len()).filter(|&it| it != place).map(name).collect();
                let mut text = symbol.name.clone();
                if !others.is_empty() {
                    text = format!("{text}: {}", others.join(", "));
                }
                if !symbol.is_relation() {
                    text = format!("{text} = {}", names.name(symbol.result, fact.value));
                }
                let before = before.map(|before| names.name(symbol.result, before).to_owned());
                if let Some(at) = node(panel, place) {
                    panel.nodes[at].lines.push(Line { before, ..self.line(fact, mark, text) });
                }
            }
            SymbolDisplay::Edge if !symbol.is_relation() => {
                let Some(from) = node(panel, 0) else { return };
                let (now, gone) = if before.is_some() { (Mark::Added, before) } else { (Mark::Same, None) };
                for (value, mark) in [(Some(fact.value), now), (gone, Mark::Removed)] {
                    if let Some(to) = value.and_then(|value| find(&panel.nodes, symbol.result, value)) {
                        panel.edges.push(Edge::new(from, to, self.line(fact, mark, symbol.name.clone())));
                    }
                }
            }
            SymbolDisplay::Edge => {
                if let (Some(from), Some(to)) = (node(panel, 0), node(panel, 1)) {
                    panel.edges.push(Edge::new(from, to, self.line(fact, mark, symbol.name.clone())));
                }
            }
            SymbolDisplay::Triple([from, to, label]) => {
                if let (Some(a), Some(b)) = (node(panel, from), node(panel, to)) {
                    let text = format!("{}: {}", symbol.name, name(label));
                    add_edge(panel, a, b, self.line(fact, mark, text));
                }
            }
            SymbolDisplay::Cell { row, column, chip } => {
                let mut text = symbol.name.clone();
                if let Some(chip) = chip {
                    text = format!("{text}: {}", name(chip));
                }
                if !symbol.is_relation() {
                    text = format!("{text} = {}", names.name(symbol.result, fact.value));
                }
                let before = before.map(|before| names.name(symbol.result, before).to_owned());
                if let (Some(row), Some(column)) = (node(panel, row), node(panel, column)) {
                    let line = Line { before, ..self.line(fact, mark, text) };
                    panel.cells.push(Cell { row, column, line });
                }
            }
            SymbolDisplay::List if is_tautology(names, symbol, fact) => {}
            SymbolDisplay::List => {
                let shown = match mark {
                    Mark::Removed => Fact { value: 1, ..fact.clone() },
                    _ => fact.clone(),
                };
                let text = fact_text(self.picture.sig, names, &shown);
                panel.lines.push(self.line(fact, mark, text));
            }
        }
    }

    /// Adds a constant to the box of its value, and to that of the value before.
    fn constant(&self, names: &Names, panel: &mut Panel, fact: &Fact) {
        let symbol = &self.picture.sig.symbols[fact.sym];
        let mark = mark(self.picture, fact);
        if is_tautology(names, symbol, fact) {
            return;
        }
        if let Some(at) = find(&panel.nodes, symbol.result, fact.value) {
            panel.nodes[at].lines.push(self.line(fact, mark, format!("= {}", symbol.name)));
        }
        if let Some(before) = fact.before.filter(|_| mark == Mark::Changed)
            && let Some(at) = find(&panel.nodes, symbol.result, before)
        {
            let line = Line::remark(mark, format!("was {}", symbol.name));
            panel.nodes[at].lines.push(Line { symbol: Some(fact.sym), ..line });
        }
    }
}

/// Checks whether no element is between those of a pair of an order. A removed pair is checked in the previous state.
fn is_covering(picture: &Picture, fact: &Fact, step: usize) -> bool {
    let step = if fact.value == 0 { step.saturating_sub(1) } else { step };
    let [a, b] = fact.args[..] else { return false };
    is_cover(picture.sig, picture.structure, fact.sym, step, [a, b])
}

/// Checks whether a fact only equates a constant with the element named after it.
fn is_tautology(names: &Names, symbol: &Symbol, fact: &Fact) -> bool {
    let is_constant = symbol.args.is_empty() && !symbol.is_relation();
    is_constant && !fact.changed() && names.name(symbol.result, fact.value) == symbol.name
}

fn is_loop(fact: &Fact) -> bool {
    matches!(fact.args[..], [a, b] if a == b)
}
