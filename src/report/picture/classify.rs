//! Where the elements of a sort are placed, recognized by evaluation on the structure.

use crate::logic::{Elem, Signature, SortId, Structure, SymId, SymbolKind};

/// The placement of a sort.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Shape {
    /// One below the other, the least of a total order first.
    Column(SymId, Vec<Elem>),
    /// A circle, clockwise from the top.
    Ring(SymId, Vec<Elem>),
    /// One below the other in the order of their names.
    Plain,
}

impl Shape {
    /// The symbol that the placement stands for.
    pub fn symbol(&self) -> Option<SymId> {
        match self {
            Shape::Column(sym, _) | Shape::Ring(sym, _) => Some(*sym),
            Shape::Plain => None,
        }
    }
}

/// The placement of a sort: by its first immutable symbol that is a ring or a total order. Nothing is looked for
/// beyond `most` elements.
pub fn shape(sig: &Signature, structure: &Structure, sort: SortId, most: u32) -> Shape {
    let size = structure.sizes[sort];
    if size < 2 || size > most {
        return Shape::Plain;
    }
    let immutable = || {
        sig.symbols
            .iter_enumerated()
            .filter(|(_, it)| it.kind == SymbolKind::Immutable && it.args.iter().all(|&arg| arg == sort))
    };
    for (sym, symbol) in immutable() {
        let found = match (symbol.args.len(), symbol.is_relation()) {
            (3, true) if size > 2 => cyclic_order(sig, structure, sym, size),
            (1, false) if symbol.result == sort => one_cycle(sig, structure, sym, size),
            _ => None,
        };
        if let Some(order) = found {
            return Shape::Ring(sym, order);
        }
    }
    for (sym, symbol) in immutable() {
        if symbol.args.len() == 2
            && symbol.is_relation()
            && let Some(order) = total_order(sig, structure, sym, size)
        {
            return Shape::Column(sym, order);
        }
    }
    Shape::Plain
}

fn holds(sig: &Signature, structure: &Structure, sym: SymId, args: &[Elem]) -> bool {
    structure.interpretation(sig, sym, 0).get(args) != 0
}

/// The elements from the least on, if the relation is a total order, strict or not.
fn total_order(sig: &Signature, structure: &Structure, sym: SymId, size: u32) -> Option<Vec<Elem>> {
    let less = |a, b| holds(sig, structure, sym, &[a, b]);
    let reflexive = less(0, 0);
    let mut order: Vec<Elem> = (0..size).collect();
    order.sort_by_key(|&a| (0..size).filter(|&b| b != a && less(b, a)).count());
    let is_order = order.iter().enumerate().all(|(i, &a)| {
        order.iter().enumerate().all(|(j, &b)| less(a, b) == if i == j { reflexive } else { i < j })
    });
    is_order.then_some(order)
}

/// The elements as they follow each other from the first on, if the function is one cycle.
fn one_cycle(sig: &Signature, structure: &Structure, sym: SymId, size: u32) -> Option<Vec<Elem>> {
    let mut order = vec![0];
    let mut at = structure.interpretation(sig, sym, 0).get(&[0]);
    while at != 0 && order.len() < size as usize {
        order.push(at);
        at = structure.interpretation(sig, sym, 0).get(&[at]);
    }
    (at == 0 && order.len() == size as usize).then_some(order)
}

/// The elements as they follow each other from the first on, if the relation is exactly the cyclic order in which they
/// do (so the axioms of a cyclic order hold).
fn cyclic_order(sig: &Signature, structure: &Structure, sym: SymId, size: u32) -> Option<Vec<Elem>> {
    let between = |a, b, c| holds(sig, structure, sym, &[a, b, c]);
    let mut order: Vec<Elem> = (0..size).collect();
    order[1..].sort_by_key(|&a| (1..size).filter(|&b| b != a && between(0, b, a)).count());
    let n = order.len();
    for i in 0..n {
        for j in 0..n {
            for k in 0..n {
                // Two of the three steps go forward, and one wraps around.
                let forward = usize::from(i < j) + usize::from(j < k) + usize::from(k < i);
                let expected = forward == 2 && i != j && j != k && k != i;
                if between(order[i], order[j], order[k]) != expected {
                    return None;
                }
            }
        }
    }
    Some(order)
}
