//! How the tuples of each symbol are drawn.

use super::classify::{Shape, is_order};
use super::scene::Table;
use super::{MAX_ELEMENTS, MAX_TRIPLES, Picture};
use crate::trace::is_of_system;
use ramsey_core::base::ids::IdVec;
use ramsey_core::logic::{SortId, SymId, Symbol, SymbolKind};

/// Display of the tuples of a symbol.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum SymbolDisplay {
    Hidden,
    /// In the box of the argument with this index; of a constant, in that of its value.
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

impl SymbolDisplay {
    /// Returns the sorts of the boxes that the display needs.
    pub(super) fn sorts(self, symbol: &Symbol) -> Vec<SortId> {
        match self {
            SymbolDisplay::Hidden | SymbolDisplay::List => Vec::new(),
            SymbolDisplay::Box(_) if symbol.args.is_empty() => vec![symbol.result],
            SymbolDisplay::Box(place) => vec![symbol.args[place]],
            SymbolDisplay::Edge if !symbol.is_relation() => vec![symbol.args[0], symbol.result],
            SymbolDisplay::Edge | SymbolDisplay::Cover => symbol.args.clone(),
            SymbolDisplay::Triple([from, to, _]) => vec![symbol.args[from], symbol.args[to]],
            SymbolDisplay::Cell { row, column, .. } => vec![symbol.args[row], symbol.args[column]],
        }
    }
}

/// Checks whether facts about a symbol are shown at all.
pub(super) fn is_shown(picture: &Picture, sym: SymId) -> bool {
    let symbol = &picture.sig.symbols[sym];
    let has_states = matches!(symbol.kind, SymbolKind::Immutable | SymbolKind::Mutable | SymbolKind::Derived);
    let is_drawn = |&sort: &SortId| sort == SortId::BOOL || picture.is_shown(sort);
    has_states
        && (is_of_system(picture.system, sym) || picture.theme.added.contains(&sym))
        && !symbol.has_annotation("no_print")
        && symbol.args.iter().all(is_drawn)
        && !picture.theme.hidden.contains(&sym)
}

/// Decides how each symbol is drawn. `named` has the sorts whose elements are called by constants.
pub(super) fn displays(
    picture: &Picture,
    shapes: &IdVec<SortId, Shape>,
    tables: &[Table],
    named: &[SortId],
) -> IdVec<SymId, SymbolDisplay> {
    let sig = picture.sig;
    let size = |sort: SortId| picture.structure.sizes[sort];
    let in_table = |sort: SortId| {
        tables.iter().any(|table| table.rows == sort) as u32 * 2
            + tables.iter().any(|table| table.columns == sort) as u32
    };
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
            [] if named.contains(&symbol.result) => SymbolDisplay::List,
            [] if !symbol.is_relation() && drawn(symbol.result) => SymbolDisplay::Box(0),
            [only] if drawn(only) => SymbolDisplay::Box(0),
            _ if cell(symbol, tables).is_some() => cell(symbol, tables).unwrap_or(SymbolDisplay::List),
            [a, b] if symbol.is_relation() && drawn(a) && drawn(b) => {
                if a == b && size(a) == 1 {
                    SymbolDisplay::Box(0)
                } else if a == b {
                    if is_order() { SymbolDisplay::Cover } else { SymbolDisplay::Edge }
                } else if in_table(a) != in_table(b) {
                    SymbolDisplay::Box(usize::from(in_table(b) > in_table(a)))
                } else if named.contains(&a) != named.contains(&b) {
                    SymbolDisplay::Box(usize::from(named.contains(&a)))
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

/// Returns the display of a symbol of two or three arguments in a table.
fn cell(symbol: &Symbol, tables: &[Table]) -> Option<SymbolDisplay> {
    let place = |sort: SortId| {
        let mut places = (0..symbol.args.len()).filter(|&at| symbol.args[at] == sort);
        let first = places.next()?;
        places.next().is_none().then_some(first)
    };
    tables.iter().find_map(|table| {
        let (row, column) = (place(table.rows)?, place(table.columns)?);
        let mut others = (0..symbol.args.len()).filter(|&at| at != row && at != column);
        let chip = others.next();
        let has_value = chip.is_some() && !symbol.is_relation();
        (others.next().is_none() && !has_value).then_some(SymbolDisplay::Cell { row, column, chip })
    })
}

/// Returns the tables: for two sorts, the first of which is ordered, with a relation of three arguments (or a function
/// of two) about both, or two relations of two. Sorts that most symbols speak of come first.
pub(super) fn tables(picture: &Picture, shapes: &IdVec<SortId, Shape>, named: &[SortId]) -> Vec<Table> {
    let sig = picture.sig;
    let candidates = || {
        picture.sorts().filter(|sort| {
            let size = picture.structure.sizes[*sort];
            (1..=MAX_ELEMENTS).contains(&size) && !named.contains(sort)
        })
    };
    let mut found: Vec<(usize, Table)> = Vec::new();
    let is_ordered = |sort: SortId| matches!(shapes[sort], Shape::Column(..));
    for rows in candidates() {
        for columns in candidates().filter(|&sort| sort != rows) {
            let table = Table { rows, columns };
            let speakers = sig.symbols.iter_enumerated().filter(|&(sym, symbol)| {
                let is_edge = picture.theme.edges.contains(&sym);
                is_shown(picture, sym) && !is_edge && cell(symbol, &[table]).is_some()
            });
            let speakers: Vec<(SymId, &Symbol)> = speakers.collect();
            let is_wide = speakers.iter().any(|(_, it)| it.args.len() == 3 || !it.is_relation());
            let is_asked = speakers.iter().any(|(sym, symbol)| {
                picture.theme.tables.contains(sym) && symbol.args[..2] == [rows, columns]
            });
            let is_usual = is_ordered(rows) && matches!(shapes[columns], Shape::Plain | Shape::Column(..));
            if is_asked {
                found.push((usize::MAX, table));
            } else if is_usual && (is_wide || speakers.len() >= 2) {
                found.push((speakers.len(), table));
            }
        }
    }
    found.sort_by_key(|(count, _)| std::cmp::Reverse(*count));
    let mut tables: Vec<Table> = Vec::new();
    for (_, table) in found {
        let is_used = |sort: SortId| tables.iter().any(|it| it.rows == sort || it.columns == sort);
        if !is_used(table.rows) && !is_used(table.columns) {
            tables.push(table);
        }
    }
    tables
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
pub(super) fn matrix(picture: &Picture, sort: SortId) -> Option<(SymId, SortId)> {
    let drawn = |other: SortId| other != sort && other != SortId::BOOL && picture.is_shown(other);
    picture.sig.symbols.iter_enumerated().find_map(|(sym, symbol)| {
        let members = match symbol.args[..] {
            [a, b] if b == sort && symbol.is_relation() => a,
            [a, b] if a == sort && symbol.is_relation() => b,
            _ => return None,
        };
        let is_matrix =
            drawn(members) && is_set(picture, sort, members, sym) && !picture.theme.edges.contains(&sym);
        is_matrix.then_some((sym, members))
    })
}

/// Checks whether the elements of a sort are sets: one immutable relation defines their members, nothing else immutable
/// speaks of them but constants and relations of three and more arguments, and fewer symbols do than of the members.
fn is_set(picture: &Picture, sort: SortId, members: SortId, sym: SymId) -> bool {
    let symbols = &picture.sig.symbols;
    let speaks = |symbol: &Symbol, sort: SortId| symbol.args.contains(&sort) || symbol.result == sort;
    let is_harmless = |symbol: &Symbol| match symbol.args.len() {
        0 => true,
        1 | 2 => symbol.kind != SymbolKind::Immutable || !speaks(symbol, sort),
        _ => symbol.is_relation(),
    };
    let known = || symbols.iter_enumerated().filter(|(_, it)| it.kind != SymbolKind::Parameter);
    let count = |sort: SortId| known().filter(|(_, it)| speaks(it, sort)).count();
    let is_second = symbols[sym].args.get(1) == Some(&sort);
    symbols[sym].kind == SymbolKind::Immutable
        && known().all(|(it, symbol)| it == sym || is_harmless(symbol))
        && (count(sort), !is_second) < (count(members), is_second)
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
