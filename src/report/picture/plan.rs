//! How each symbol is drawn.

use super::classify::{Shape, is_order, shape};
use super::scene::Table;
use super::theme::Projection;
use super::{MAX_ELEMENTS, MAX_NODES, MAX_TRIPLES, Picture};
use crate::base::ids::IdVec;
use crate::logic::{Elem, SortId, SymId, Symbol, SymbolKind};
use crate::report::orders::is_reflexive;

/// Display of the tuples of a symbol.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum SymbolDisplay {
    Hidden,
    /// In the box of the argument with this index.
    Box(usize),
    Edge,
    /// Edges for the pairs in the transitive reduction of an order.
    Cover,
    /// Edges between the arguments at the first two of these indices, labelled by the argument at the third.
    Triple([usize; 3]),
    /// In the cell of a table: the indices of the arguments for row, column and text.
    Cell {
        row: usize,
        column: usize,
        chip: Option<usize>,
    },
    List,
}

/// Display of all sorts and symbols.
pub(super) struct DisplayPlan {
    /// Per sort, the placement of its elements.
    pub(super) shapes: IdVec<SortId, Shape>,
    /// The sorts that are drawn, in order; none if facts are listed instead.
    pub(super) sorts: Vec<SortId>,
    /// The sorts that are not drawn because nothing else is to be said of them.
    pub(super) folded: Vec<SortId>,
    pub(super) tables: Vec<Table>,
    pub(super) displays: IdVec<SymId, SymbolDisplay>,
    /// Projections, with the elements at their fixed arguments.
    pub(super) projections: Vec<(Projection, Vec<Option<Elem>>)>,
    /// Relations that hold between each element and itself in every state.
    pub(super) reflexive: Vec<SymId>,
    pub(super) captions: Vec<String>,
}

impl DisplayPlan {
    /// Returns the plan in which all facts are listed as text.
    pub(super) fn listed(self) -> DisplayPlan {
        let count = self.displays.len();
        DisplayPlan {
            sorts: Vec::new(),
            folded: Vec::new(),
            tables: Vec::new(),
            displays: IdVec::filled(count, SymbolDisplay::List),
            projections: Vec::new(),
            captions: vec!["too large to be drawn: facts are listed".to_owned()],
            ..self
        }
    }
}

/// Decides how sorts and symbols are drawn.
pub(super) fn plan(picture: &Picture) -> DisplayPlan {
    let Picture { system, sig, structure, theme, .. } = *picture;
    let mut shapes = IdVec::filled(sig.sorts.len(), Shape::Plain);
    for sort in picture.sorts() {
        shapes[sort] = match matrix(picture, sort) {
            Some((sym, members)) => Shape::Matrix(sym, members),
            None => shape(system, sig, structure, sort, MAX_ELEMENTS),
        };
    }
    let displays = displays(picture, &shapes);
    let mut captions = captions(picture, &shapes);
    let reduced = |(sym, display): &(SymId, &SymbolDisplay)| {
        **display == SymbolDisplay::Cover && !theme.hidden.contains(sym)
    };
    for (sym, _) in displays.iter_enumerated().filter(reduced) {
        let name = &sig.symbols[sym].name;
        captions.push(format!("{name}: an order; pairs with an element between them are not drawn"));
    }
    for (sort, name) in theme.missing(system, sig, structure) {
        captions.push(format!("there is no element {name} of sort {} to project at", sig.sorts[sort].name));
    }
    let resolved = |it: &Projection| Some((it.clone(), it.resolve(system, sig, structure)?));
    let edges = displays
        .iter_enumerated()
        .filter(|(_, display)| **display == SymbolDisplay::Edge)
        .map(|(sym, _)| sym);
    let reflexive = edges.filter(|&sym| is_reflexive(system, sig, sym)).collect();
    let projections = theme.projections.iter().filter_map(resolved).collect();
    let (folded, tables) = (Vec::new(), Vec::new());
    let sorts: Vec<SortId> = picture.sorts().collect();
    let sizes = || sorts.iter().map(|&sort| structure.sizes[sort]);
    let is_small =
        sizes().all(|size| size <= MAX_ELEMENTS) && sizes().map(u64::from).sum::<u64>() <= MAX_NODES;
    let plan = DisplayPlan { shapes, sorts, folded, tables, displays, projections, reflexive, captions };
    if is_small { plan } else { plan.listed() }
}

/// Explains the placement of elements.
fn captions(picture: &Picture, shapes: &IdVec<SortId, Shape>) -> Vec<String> {
    let sig = picture.sig;
    let mut captions = Vec::new();
    for sort in picture.sorts() {
        let name = &sig.sorts[sort].name;
        let symbol = |sym: SymId| &sig.symbols[sym].name;
        captions.push(match shapes[sort] {
            Shape::Column(sym, _) => format!("{name}: ordered by {}, greatest on top", symbol(sym)),
            Shape::Ring(sym, _) => format!("{name}: ring of {}, clockwise", symbol(sym)),
            Shape::Ranks(sym, _) => format!("{name}: ranks of {}, least at top", symbol(sym)),
            Shape::Matrix(sym, members) => {
                let members = &sig.sorts[members].name;
                format!("{name}: a dot below each {members} of which {} holds", symbol(sym))
            }
            Shape::Plain => continue,
        });
    }
    captions
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
