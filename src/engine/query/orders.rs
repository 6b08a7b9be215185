//! Total orders and rings among the immutable symbols, recognized by evaluation on the structure. Names and pictures
//! use them to display ordered sorts.

use ramsey_core::logic::{Elem, Evaluator, Signature, SortId, Structure, SymId, SymbolKind, TermId};
use ramsey_core::system::System;

/// Total order of a sort.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Order {
    /// The relation.
    pub sym: SymId,
    /// All elements in increasing order.
    pub elements: Vec<Elem>,
}

/// Returns the first immutable relation that is a total order of the sort, reflexive or strict, and not by chance: a
/// single tuple over two elements is an order only if the axioms require one.
pub fn total_order(system: &System, sig: &Signature, structure: &Structure, sort: SortId) -> Option<Order> {
    let size = structure.sizes[sort];
    if sort == SortId::BOOL || size < 2 {
        return None;
    }
    sig.symbols.iter_enumerated().find_map(|(sym, symbol)| {
        if symbol.kind != SymbolKind::Immutable || !symbol.is_relation() || symbol.args != [sort, sort] {
            return None;
        }
        let relation = structure.interpretation(sig, sym, 0);
        let below = |a, b| relation.get(&[a, b]) != 0;
        let place = positions(size, below)?;
        let is_reflexive = below(0, 0);
        if (0..size).any(|elem| below(elem, elem) != is_reflexive)
            || (size == 2 && !is_reflexive && !Small::new(system, sig, &[sym], sort).forces_order(sym))
        {
            return None;
        }
        let mut elements: Vec<Elem> = (0..size).collect();
        elements.sort_by_key(|&elem| place[elem as usize]);
        Some(Order { sym, elements })
    })
}

/// Returns the position of each element if the relation is a total order, reflexive or not.
pub fn positions(size: u32, below: impl Fn(Elem, Elem) -> bool) -> Option<Vec<u32>> {
    let is_decided = (0..size).all(|a| (0..a).all(|b| below(a, b) != below(b, a)));
    let place: Vec<u32> =
        (0..size).map(|a| (0..size).filter(|&b| a != b && below(b, a)).count() as u32).collect();
    let mut sorted = place.clone();
    sorted.sort_unstable();
    // A relation that decides every pair and gives all elements distinct positions has no cycle.
    (is_decided && sorted.into_iter().eq(0..size)).then_some(place)
}

/// Returns, for each element of a sort of at least two, an immutable constant with this value, if there are no others.
pub fn enumeration(sig: &Signature, structure: &Structure, sort: SortId) -> Option<Vec<SymId>> {
    let size = structure.sizes[sort] as usize;
    let constants = sig.symbols.iter_enumerated().filter(|(_, symbol)| {
        symbol.kind == SymbolKind::Immutable
            && symbol.is_declared()
            && symbol.args.is_empty()
            && symbol.result == sort
    });
    let mut names: Vec<Option<SymId>> = vec![None; size];
    for (sym, _) in constants {
        let value = structure.interpretation(sig, sym, 0).get(&[]) as usize;
        // Two constants with one value would be two names of an element.
        if names.get_mut(value)?.replace(sym).is_some() {
            return None;
        }
    }
    if size < 2 { None } else { names.into_iter().collect() }
}

/// Returns the immutable constant that the axioms force to be the least element of an order.
pub fn least_constant(system: &System, sig: &Signature, order: SymId) -> Option<SymId> {
    let sort = *sig.symbols[order].args.first()?;
    let constants = sig.symbols.iter_enumerated().filter(|(_, symbol)| {
        symbol.kind == SymbolKind::Immutable
            && symbol.is_declared()
            && symbol.args.is_empty()
            && symbol.result == sort
    });
    let least: Vec<SymId> = constants
        .map(|(sym, _)| sym)
        .filter(|&sym| Small::new(system, sig, &[order, sym], sort).forces_least(order, sym))
        .collect();
    // With two such constants the position is a better name than either.
    if let [only] = least[..] { Some(only) } else { None }
}

/// Checks whether the axioms make a binary relation on a sort reflexive, so that its diagonal carries no
/// information.
pub fn is_reflexive(system: &System, sig: &Signature, sym: SymId) -> bool {
    let symbol = &sig.symbols[sym];
    let [a, b] = symbol.args[..] else { return false };
    symbol.kind == SymbolKind::Immutable
        && symbol.is_relation()
        && a == b
        && Small::new(system, sig, &[sym], a).forces_reflexive(sym)
}

/// Structure with two elements of one sort, with the axioms over a given set of symbols alone.
struct Small<'a> {
    system: &'a System,
    sig: &'a Signature,
    structure: Structure,
    axioms: Vec<TermId>,
}

impl<'a> Small<'a> {
    fn new(system: &'a System, sig: &'a Signature, syms: &[SymId], sort: SortId) -> Self {
        let terms = &system.terms;
        let axioms = system.axioms.iter().flat_map(|axiom| terms.conjuncts(axiom.formula));
        let speaks_of_them = |formula: &TermId| {
            let used = terms.symbols(*formula);
            !used.is_empty() && used.iter().all(|sym| syms.contains(sym))
        };
        let axioms = axioms.filter(speaks_of_them).collect();
        let mut structure = Structure::new(sig, 1);
        structure.sizes[sort] = 2;
        Small { system, sig, structure, axioms }
    }

    /// Checks whether some relation satisfies the axioms, and all relations that do are as `wanted`.
    fn all(&mut self, sym: SymId, wanted: impl Fn(&dyn Fn(Elem, Elem) -> bool) -> bool) -> bool {
        let mut some = false;
        for tuples in 0..16_u32 {
            let below = |a: Elem, b: Elem| tuples >> (2 * a + b) & 1 != 0;
            for args in [[0, 0], [0, 1], [1, 0], [1, 1]] {
                let value = below(args[0], args[1]).into();
                self.structure.interpretation_mut(self.sig, sym, 0).set(&args, value);
            }
            let mut eval = Evaluator::new(self.system.terms.over(self.sig), &self.structure);
            if self.axioms.iter().all(|&axiom| eval.holds(axiom)) {
                some = true;
                if !wanted(&below) {
                    return false;
                }
            }
        }
        some
    }

    fn forces_order(mut self, sym: SymId) -> bool {
        self.all(sym, |below| below(0, 1) != below(1, 0) && below(0, 0) == below(1, 1))
    }

    fn forces_reflexive(mut self, sym: SymId) -> bool {
        self.all(sym, |below| below(0, 0) && below(1, 1))
    }

    /// Checks whether the axioms hold of the cyclic order of three elements, but neither of the relation that is empty
    /// nor of that which holds of all different elements.
    fn forces_ring(mut self, sym: SymId) -> bool {
        let sort = self.sig.symbols[sym].args[0];
        self.structure.sizes[sort] = 3;
        let mut satisfied = |wanted: &dyn Fn(&[Elem]) -> bool| {
            for args in self.structure.tuples(&[sort; 3]).collect::<Vec<_>>() {
                let value = wanted(&args).into();
                self.structure.interpretation_mut(self.sig, sym, 0).set(&args, value);
            }
            let mut eval = Evaluator::new(self.system.terms.over(self.sig), &self.structure);
            self.axioms.iter().all(|&axiom| eval.holds(axiom))
        };
        let differ = |args: &[Elem]| args[0] != args[1] && args[1] != args[2] && args[2] != args[0];
        let is_forward = |args: &[Elem]| (args[0] + 1) % 3 == args[1] && (args[1] + 1) % 3 == args[2];
        satisfied(&is_forward) && !satisfied(&|_| false) && !satisfied(&differ)
    }

    fn forces_least(mut self, order: SymId, constant: SymId) -> bool {
        [0, 1].into_iter().all(|value| {
            self.structure.interpretation_mut(self.sig, constant, 0).set(&[], value);
            self.all(order, |below| below(value, 1 - value) && !below(1 - value, value))
        })
    }
}

/// Returns the first immutable symbol that is a cyclic order of the sort, and all elements in its order: a relation of
/// three arguments, or a function that is one cycle. Two elements are a ring of a relation if the axioms make it a cyclic
/// order of more.
pub fn ring(system: &System, sig: &Signature, structure: &Structure, sort: SortId) -> Option<Order> {
    let size = structure.sizes[sort];
    if sort == SortId::BOOL || size < 2 {
        return None;
    }
    sig.symbols.iter_enumerated().find_map(|(sym, symbol)| {
        let is_of_sort = symbol.kind == SymbolKind::Immutable && symbol.args.iter().all(|&arg| arg == sort);
        let elements = match (symbol.args.len(), symbol.is_relation()) {
            _ if !is_of_sort => None,
            (3, true) if size > 2 || Small::new(system, sig, &[sym], sort).forces_ring(sym) => {
                cyclic_order(sig, structure, sym, size)
            }
            (1, false) if symbol.result == sort => one_cycle(sig, structure, sym, size),
            _ => None,
        };
        Some(Order { sym, elements: elements? })
    })
}

fn holds(sig: &Signature, structure: &Structure, sym: SymId, args: &[Elem]) -> bool {
    structure.interpretation(sig, sym, 0).get(args) != 0
}

/// Returns the elements in cyclic order from the first one, if the function is one cycle.
fn one_cycle(sig: &Signature, structure: &Structure, sym: SymId, size: u32) -> Option<Vec<Elem>> {
    let mut order = vec![0];
    let mut at = structure.interpretation(sig, sym, 0).get(&[0]);
    while at != 0 && order.len() < size as usize {
        order.push(at);
        at = structure.interpretation(sig, sym, 0).get(&[at]);
    }
    (at == 0 && order.len() == size as usize).then_some(order)
}

/// Returns the elements in cyclic order from the first one, if the relation is exactly that cyclic order (so the
/// axioms of a cyclic order hold).
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
