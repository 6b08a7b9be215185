//! Placement of the elements of a sort, recognized by evaluating relations in the structure.

use ramsey_core::logic::{Elem, Signature, SortId, Structure, SymId, SymbolKind};
use ramsey_core::system::System;
use ramsey_engine::query::orders::{ring, total_order};

/// Placement of the elements of a sort.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Shape {
    /// A column in a total order, least element first.
    Column(SymId, Vec<Elem>),
    /// A circle, clockwise from the top.
    Ring(SymId, Vec<Elem>),
    /// Rows in a partial order, least elements first: no element is placed above a lesser one.
    Ranks(SymId, Vec<Vec<Elem>>),
    /// Rows of a matrix with a dot for each member: the relation is membership of elements of this sort.
    Matrix(SymId, SortId),
    /// A column in the order of the names.
    Plain,
}

impl Shape {
    /// Returns the symbol that the placement represents, which need not be drawn.
    pub fn symbol(&self) -> Option<SymId> {
        match self {
            Shape::Column(sym, _) | Shape::Ring(sym, _) | Shape::Matrix(sym, _) => Some(*sym),
            Shape::Ranks(..) | Shape::Plain => None,
        }
    }
}

/// Determines the placement of a sort: by its first immutable symbol that is a ring or a total order, otherwise by its
/// first partial order. Sorts with more than `most` elements are not analysed. Does not recognize matrices.
pub fn shape(system: &System, sig: &Signature, structure: &Structure, sort: SortId, most: u32) -> Shape {
    let size = structure.sizes[sort];
    if size < 2 || size > most {
        return Shape::Plain;
    }
    if let Some(ring) = ring(system, sig, structure, sort) {
        return Shape::Ring(ring.sym, ring.elements);
    }
    if let Some(order) = total_order(system, sig, structure, sort) {
        return Shape::Column(order.sym, order.elements);
    }
    let mut orders: Vec<SymId> =
        sig.symbols.ids().filter(|&sym| sig.symbols[sym].args.first() == Some(&sort)).collect();
    orders.retain(|&sym| is_order(sig, structure, sym, most));
    orders.sort_by_key(|&sym| sig.symbols[sym].kind != SymbolKind::Immutable);
    let ranks = orders.iter().find_map(|&sym| Some(Shape::Ranks(sym, ranks(sig, structure, sym)?)));
    ranks.unwrap_or(Shape::Plain)
}

fn steps(sig: &Signature, structure: &Structure, sym: SymId) -> usize {
    if sig.symbols[sym].kind.is_mutable() { structure.states().max(1) } else { 1 }
}

/// Checks whether a binary relation on one sort is a partial order, reflexive or strict, in each state. To exclude
/// coincidences, a strict order must have a chain of three elements.
pub(super) fn is_order(sig: &Signature, structure: &Structure, sym: SymId, most: u32) -> bool {
    let symbol = &sig.symbols[sym];
    let [a, b] = symbol.args[..] else { return false };
    let size = structure.sizes[a];
    let has_states = matches!(symbol.kind, SymbolKind::Immutable | SymbolKind::Mutable | SymbolKind::Derived);
    if a != b || !symbol.is_relation() || !has_states || size > most {
        return false;
    }
    let steps = steps(sig, structure, sym);
    let relation = |step: usize, a, b| structure.interpretation(sig, sym, step).get(&[a, b]) != 0;
    let reflexive = relation(0, 0, 0);
    let (mut pairs, mut chains) = (0, 0);
    for step in 0..steps {
        for a in 0..size {
            if relation(step, a, a) != reflexive {
                return false;
            }
            for b in (0..size).filter(|&b| b != a && relation(step, a, b)) {
                pairs += 1;
                if relation(step, b, a) {
                    return false;
                }
                for c in (0..size).filter(|&c| c != b && relation(step, b, c)) {
                    chains += 1;
                    if !relation(step, a, c) {
                        return false;
                    }
                }
            }
        }
    }
    if reflexive { pairs > 0 } else { chains > 0 }
}

/// Checks whether a pair of an order is in its transitive reduction, that is, no element is between the two.
pub(super) fn is_cover(
    sig: &Signature,
    structure: &Structure,
    sym: SymId,
    step: usize,
    pair: [Elem; 2],
) -> bool {
    let relation = structure.interpretation(sig, sym, step);
    let [a, b] = pair;
    let between = |c: Elem| c != a && c != b && relation.get(&[a, c]) != 0 && relation.get(&[c, b]) != 0;
    a != b && relation.get(&pair) != 0 && !(0..structure.sizes[sig.symbols[sym].args[0]]).any(between)
}

/// Groups the elements by the maximum length of the chains below them in any state, the longest first; returns `None` if
/// states contradict each other. Within a row, elements are placed near their neighbours in the order.
fn ranks(sig: &Signature, structure: &Structure, sym: SymId) -> Option<Vec<Vec<Elem>>> {
    const SWEEPS: usize = 4;
    let size = structure.sizes[sig.symbols[sym].args[0]];
    let steps = steps(sig, structure, sym);
    let is_any = |pair: [Elem; 2]| (0..steps).any(|step| is_cover(sig, structure, sym, step, pair));
    let pairs: Vec<[Elem; 2]> =
        (0..size).flat_map(|a| (0..size).map(move |b| [a, b])).filter(|&pair| is_any(pair)).collect();
    let mut level = vec![0_usize; size as usize];
    let mut is_stable = false;
    for _ in 0..=size {
        is_stable = true;
        for &[a, b] in &pairs {
            if level[b as usize] <= level[a as usize] {
                level[b as usize] = level[a as usize] + 1;
                is_stable = false;
            }
        }
    }
    if !is_stable {
        return None;
    }
    let mut rows = vec![Vec::new(); level.iter().max()? + 1];
    (0..size).for_each(|elem| rows[level[elem as usize]].push(elem));
    let mut place = vec![0.0; size as usize];
    for sweep in 0..SWEEPS {
        for row in &rows {
            let middle = (row.len() as f64 - 1.0) / 2.0;
            row.iter().enumerate().for_each(|(at, &elem)| place[elem as usize] = at as f64 - middle);
        }
        let is_down = sweep.is_multiple_of(2);
        let count = rows.len();
        for at in 0..count {
            let row = if is_down { at } else { count - 1 - at };
            let wish = |elem: Elem| {
                let near: Vec<f64> = pairs
                    .iter()
                    .filter(|pair| pair[usize::from(is_down)] == elem)
                    .map(|pair| place[pair[usize::from(!is_down)] as usize])
                    .collect();
                if near.is_empty() {
                    place[elem as usize]
                } else {
                    near.iter().sum::<f64>() / near.len() as f64
                }
            };
            rows[row].sort_by(|&a, &b| wish(a).total_cmp(&wish(b)));
            let middle = (rows[row].len() as f64 - 1.0) / 2.0;
            rows[row].iter().enumerate().for_each(|(at, &elem)| place[elem as usize] = at as f64 - middle);
        }
    }
    rows.reverse();
    Some(rows)
}
