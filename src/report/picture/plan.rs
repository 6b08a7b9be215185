//! Decides which sorts are drawn, and how.

use super::classify::{Shape, shape};
use super::displays::{SymbolDisplay, displays, is_shown, matrix, tables};
use super::scene::Table;
use super::theme::Projection;
use super::{MAX_ELEMENTS, MAX_NODES, Picture};
use crate::Names;
use ramsey_core::base::ids::IdVec;
use ramsey_core::logic::{Elem, SortId, SymId};
use ramsey_engine::query::dead_variables;
use ramsey_engine::query::orders::{enumeration, is_reflexive};
use ramsey_kernel::obligations::Relaxed;

/// Maximum number of elements of a sort for which orders and rings are recognized.
const MAX_CLASSIFIED: u32 = 60;

/// Display of all sorts and symbols.
pub(super) struct DisplayPlan {
    /// Per sort, the placement of its elements.
    pub(super) shapes: IdVec<SortId, Shape>,
    /// The sorts that are drawn, in order; none if facts are listed instead.
    pub(super) sorts: Vec<SortId>,
    /// Per sort, the elements that are drawn.
    pub(super) elements: IdVec<SortId, Vec<Elem>>,
    /// The sorts that are not drawn because nothing else is to be said of them.
    pub(super) folded: Vec<SortId>,
    pub(super) tables: Vec<Table>,
    pub(super) displays: IdVec<SymId, SymbolDisplay>,
    /// Projections, with the elements at their fixed arguments.
    pub(super) projections: Vec<(Projection, Vec<Option<Elem>>)>,
    /// Relations that hold between each element and itself in every state.
    pub(super) reflexive: Vec<SymId>,
    /// In a relaxed execution, the relations that tell which elements are there.
    pub(super) active: Vec<(SortId, SymId)>,
    pub(super) captions: Vec<String>,
}

impl DisplayPlan {
    /// Returns the plan in which facts are listed as text: those of the first state, then changes.
    pub(super) fn listed(mut self) -> DisplayPlan {
        for display in self.displays.iter_mut().filter(|display| **display != SymbolDisplay::Hidden) {
            *display = SymbolDisplay::List;
        }
        DisplayPlan {
            sorts: Vec::new(),
            folded: Vec::new(),
            tables: Vec::new(),
            projections: Vec::new(),
            captions: vec![
                "too large to be drawn: facts are listed, and after the first state changes alone".to_owned(),
            ],
            ..self
        }
    }

    /// Checks whether facts are listed.
    pub(super) fn is_listed(&self) -> bool {
        self.sorts.is_empty()
    }
}

/// Decides how sorts and symbols are drawn.
pub(super) fn plan(picture: &Picture) -> DisplayPlan {
    let Picture { system, sig, structure, theme, .. } = *picture;
    let mut shapes = IdVec::filled(sig.sorts.len(), Shape::Plain);
    for sort in picture.sorts() {
        shapes[sort] = match matrix(picture, sort) {
            Some((sym, members)) => Shape::Matrix(sym, members),
            None => shape(system, sig, structure, sort, MAX_CLASSIFIED),
        };
    }
    let is_plain = |sort: &SortId| shapes[*sort] == Shape::Plain;
    let named: Vec<SortId> = picture
        .sorts()
        .filter(is_plain)
        .filter(|&sort| sig.sorts[sort].annotation("printed_by").is_none())
        .filter(|&sort| enumeration(sig, structure, sort).is_some())
        .collect();
    let tables = tables(picture, &shapes, &named);
    // Sets of elements that head a table are listed there, and those that do so themselves are no matrix.
    for sort in picture.sorts() {
        if let Shape::Matrix(_, members) = shapes[sort]
            && tables.iter().any(|it| [it.rows, it.columns].iter().any(|head| [members, sort].contains(head)))
        {
            shapes[sort] = Shape::Plain;
        }
    }
    let mut displays = displays(picture, &shapes, &tables, &named);
    let active = Relaxed::activity(system);
    for &(_, sym) in &active {
        displays[sym] = SymbolDisplay::Hidden;
    }
    let has_variables = sig.symbols.iter().any(|symbol| symbol.kind.is_mutable() && symbol.args.is_empty());
    let unread = if has_variables { dead_variables(system) } else { Vec::new() };
    for &sym in &unread {
        displays[sym] = SymbolDisplay::Hidden;
    }
    let elements: IdVec<SortId, Vec<Elem>> =
        sig.sorts.ids().map(|sort| elements(picture, &displays, sort)).collect();
    let folded = folded(picture, &shapes, &displays);
    let sorts: Vec<SortId> = picture.sorts().filter(|sort| !folded.contains(sort)).collect();
    let mut captions = captions(picture, &shapes, &displays, &sorts);
    captions.extend(omissions(picture, &elements, &folded, &sorts));
    let unread: Vec<&str> = unread
        .iter()
        .filter(|&&sym| is_shown(picture, sym))
        .map(|&sym| sig.symbols[sym].name.as_str())
        .collect();
    if !unread.is_empty() {
        captions.push(format!("read by nothing, left out: {}", unread.join(", ")));
    }
    for (sort, name) in theme.missing(system, sig, structure) {
        captions.push(format!("there is no element {name} of sort {} to project at", sig.sorts[sort].name));
    }
    let resolved = |it: &Projection| Some((it.clone(), it.resolve(system, sig, structure)?));
    let projections = theme.projections.iter().filter_map(resolved).collect();
    let drawn = displays
        .iter_enumerated()
        .filter(|(_, display)| matches!(display, SymbolDisplay::Edge | SymbolDisplay::Box(_)))
        .map(|(sym, _)| sym);
    let reflexive = drawn.filter(|&sym| is_reflexive(system, sig, sym)).collect();
    let count: usize = sorts.iter().map(|&sort| elements[sort].len()).sum();
    let plan = DisplayPlan {
        shapes,
        sorts,
        elements,
        folded,
        tables,
        displays,
        projections,
        reflexive,
        active,
        captions,
    };
    if count <= MAX_NODES { plan } else { plan.listed() }
}

/// Returns the elements of a sort that are drawn: all of a small sort, and of a large one those that change or are
/// witnesses, or else the first ones.
fn elements(picture: &Picture, displays: &IdVec<SymId, SymbolDisplay>, sort: SortId) -> Vec<Elem> {
    let Picture { sig, structure, .. } = *picture;
    let size = structure.sizes[sort];
    if size <= MAX_ELEMENTS {
        return (0..size).collect();
    }
    let mut chosen: Vec<Elem> =
        picture.witnesses.iter().filter(|witness| witness.1 == sort).map(|witness| witness.2).collect();
    for (sym, symbol) in sig.symbols.iter_enumerated() {
        if !symbol.kind.is_mutable() || !is_shown(picture, sym) || displays[sym] == SymbolDisplay::Hidden {
            continue;
        }
        for step in 1..picture.steps() {
            let (before, now) =
                (structure.interpretation(sig, sym, step - 1), structure.interpretation(sig, sym, step));
            let known = before.entries.keys().chain(now.entries.keys());
            for args in known.filter(|args| before.get(args) != now.get(args)) {
                let values = [(symbol.result, before.get(args)), (symbol.result, now.get(args))];
                let args = symbol.args.iter().copied().zip(args.iter().copied());
                chosen.extend(args.chain(values).filter(|it| it.0 == sort).map(|it| it.1));
            }
        }
    }
    let mut kept: Vec<Elem> = Vec::new();
    let all = if chosen.is_empty() { (0..size).collect() } else { chosen };
    for elem in all {
        if !kept.contains(&elem) && kept.len() < MAX_ELEMENTS as usize {
            kept.push(elem);
        }
    }
    kept.sort_unstable();
    kept
}

/// Returns the sorts that need no boxes: nothing is to be drawn at their elements. One that is placed is drawn as long
/// as something else speaks of it.
fn folded(
    picture: &Picture,
    shapes: &IdVec<SortId, Shape>,
    displays: &IdVec<SymId, SymbolDisplay>,
) -> Vec<SortId> {
    let Picture { system, sig, theme, .. } = *picture;
    let shown = || {
        sig.symbols
            .iter_enumerated()
            .filter(|&(sym, _)| is_shown(picture, sym))
            .filter(|&(sym, _)| displays[sym] != SymbolDisplay::Hidden)
    };
    let projected = theme.projections.iter().flat_map(|it| &sig.symbols[it.sym].args);
    let defined = theme.definitions.iter().filter_map(|&at| system.definitions.get(at));
    let defined = defined.flat_map(|it| &it.params).map(|&var| system.terms.var_info(var).sort);
    let asked: Vec<SortId> = projected.copied().chain(defined).collect();
    let is_needed = |sort: SortId| {
        let is_member = shapes.iter().any(|shape| matches!(shape, Shape::Matrix(_, it) if *it == sort));
        let is_used = shown().any(|(sym, symbol)| displays[sym].sorts(symbol).contains(&sort));
        is_member
            || is_used
            || asked.contains(&sort)
            || match shapes[sort] {
                Shape::Matrix(..) => true,
                Shape::Plain => false,
                Shape::Column(..) | Shape::Ring(..) | Shape::Ranks(..) => shown().any(|(sym, it)| {
                    shapes[sort].symbol() != Some(sym) && (it.args.contains(&sort) || it.result == sort)
                }),
            }
    };
    let folded: Vec<SortId> = picture.sorts().filter(|&sort| !is_needed(sort)).collect();
    if folded.len() == picture.sorts().count() { Vec::new() } else { folded }
}

/// Explains the placement of elements.
fn captions(
    picture: &Picture,
    shapes: &IdVec<SortId, Shape>,
    displays: &IdVec<SymId, SymbolDisplay>,
    sorts: &[SortId],
) -> Vec<String> {
    let sig = picture.sig;
    let mut captions = Vec::new();
    for &sort in sorts {
        let name = &sig.sorts[sort].name;
        let symbol = |sym: SymId| &sig.symbols[sym].name;
        captions.push(match shapes[sort] {
            Shape::Column(sym, _) => format!("{name}: ordered by {}, greatest on top", symbol(sym)),
            Shape::Ring(sym, _) => format!("{name}: ring of {}, clockwise", symbol(sym)),
            Shape::Ranks(sym, _) => format!("{name}: ranks of {}, greatest on top", symbol(sym)),
            Shape::Matrix(sym, members) => {
                let members = &sig.sorts[members].name;
                format!("{name}: a dot below each {members} of which {} holds", symbol(sym))
            }
            Shape::Plain => continue,
        });
    }
    let reduced = |(sym, display): &(SymId, &SymbolDisplay)| {
        **display == SymbolDisplay::Cover && is_shown(picture, *sym)
    };
    for (sym, _) in displays.iter_enumerated().filter(reduced) {
        let name = &sig.symbols[sym].name;
        captions.push(format!("{name}: an order; pairs with an element between them are not drawn"));
    }
    captions
}

/// Tells which elements are not drawn.
fn omissions(
    picture: &Picture,
    elements: &IdVec<SortId, Vec<Elem>>,
    folded: &[SortId],
    sorts: &[SortId],
) -> Vec<String> {
    let Picture { system, sig, structure, .. } = *picture;
    let mut captions = Vec::new();
    if !folded.is_empty() {
        let names = Names::new(system, sig, structure, 0);
        let text = |&sort: &SortId| {
            let mut list: Vec<&str> = names
                .elements(sort)
                .into_iter()
                .take(MAX_ELEMENTS as usize)
                .map(|elem| names.name(sort, elem))
                .collect();
            if structure.sizes[sort] > MAX_ELEMENTS {
                list.push("..");
            }
            format!(
                "{} ({})",
                sig.sorts[sort].name,
                list.join(if names.is_ordered(sort) { " < " } else { ", " })
            )
        };
        let folded: Vec<String> = folded.iter().map(text).collect();
        captions.push(format!("not drawn: {}", folded.join("; ")));
    }
    for &sort in sorts {
        let more = structure.sizes[sort] as usize - elements[sort].len();
        if more > 0 {
            let name = &sig.sorts[sort].name;
            captions.push(format!("{name}: \u{2026} {more} more, with the facts about them"));
        }
    }
    captions
}
