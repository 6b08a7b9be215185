//! Canonical names for the elements of structures that searches find.
//!
//! Structures that differ by nothing but the names of their elements are the same answer, and get the same names:
//! ascending along a total order, around a ring, those of immutable constants first, and else by the facts about the
//! elements. All states of an execution share them.

use super::orders::{ring, total_order};
use super::unroll::Call;
use ramsey_core::base::budget::Budget;
use ramsey_core::base::ids::IdVec;
use ramsey_core::logic::{Elem, Interpretation, Signature, SortId, Structure, SymbolKind};
use ramsey_core::system::System;
use ramsey_solver::formulas::canonical_order;

/// Work units for ordering elements by facts. Beyond it, elements keep their order.
const WORK: u64 = 2_000_000;

/// New names for the elements of a structure.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Renaming {
    /// By old name.
    names: IdVec<SortId, Vec<Elem>>,
}

impl Renaming {
    /// Computes the canonical names of the elements of a structure over `sig`, which extends that of the system.
    pub fn new(system: &System, sig: &Signature, structure: &Structure) -> Renaming {
        let mut ranks: IdVec<SortId, Vec<u32>> =
            sig.sorts.ids().map(|sort| vec![0; structure.sizes[sort] as usize]).collect();
        for sort in sig.uninterpreted_sorts() {
            match total_order(system, sig, structure, sort) {
                Some(order) => {
                    let places = order.elements.iter().zip(0..);
                    places.for_each(|(&elem, place)| ranks[sort][elem as usize] = place);
                }
                None => ranks[sort] = by_constants(sig, structure, sort),
            }
        }
        let by_rank = |(sort, ranks): (SortId, &Vec<u32>)| {
            let mut elements: Vec<Elem> = (0..structure.sizes[sort]).collect();
            elements.sort_by_key(|&elem| ranks[elem as usize]);
            elements
        };
        let mut order = canonical_order(sig, structure, &ranks, &mut Budget::new(Some(WORK), None))
            .unwrap_or_else(|_| ranks.iter_enumerated().map(by_rank).collect());
        for sort in sig.uninterpreted_sorts() {
            if total_order(system, sig, structure, sort).is_none()
                && let Some(mut ring) = ring(system, sig, structure, sort)
                && let Some(start) = ring.elements.iter().position(|&elem| order[sort].first() == Some(&elem))
            {
                ring.elements.rotate_left(start);
                order[sort] = ring.elements;
            }
        }
        let invert = |(sort, elements): (SortId, &Vec<Elem>)| {
            let mut names: Vec<Elem> = (0..structure.sizes[sort]).collect();
            elements.iter().zip(0..).for_each(|(&elem, name)| names[elem as usize] = name);
            names
        };
        Renaming { names: order.iter_enumerated().map(invert).collect() }
    }

    /// Returns the new name of an element.
    fn name(&self, sort: SortId, elem: Elem) -> Elem {
        self.names[sort].get(elem as usize).copied().unwrap_or(elem)
    }

    /// Returns a structure with the new names.
    #[must_use]
    pub fn structure(&self, sig: &Signature, structure: &Structure) -> Structure {
        let mut renamed = structure.clone();
        for (sym, symbol) in sig.symbols.iter_enumerated() {
            let states = if symbol.kind.is_mutable() { structure.states().max(1) } else { 1 };
            for step in 0..states {
                let old = structure.interpretation(sig, sym, step);
                let value = |elem: Elem| self.name(symbol.result, elem);
                let entries = old.entries.iter().map(|(args, &result)| {
                    let args = args.iter().zip(&symbol.args).map(|(&arg, &sort)| self.name(sort, arg));
                    (args.collect(), value(result))
                });
                let mut new = Interpretation { default: old.default, entries: entries.collect() };
                // The default stays the same, so that it is the least element still.
                if value(old.default) != old.default {
                    for args in structure.tuples(&symbol.args) {
                        new.entries.entry(args.into()).or_insert(value(old.default));
                    }
                }
                *renamed.interpretation_mut(sig, sym, step) = new;
            }
        }
        renamed
    }

    /// Returns a transition with the new names of its arguments.
    #[must_use]
    pub fn call(&self, system: &System, call: &Call) -> Call {
        let params = &system.transitions[call.transition].params;
        let name = |(&elem, &param)| self.name(system.terms.var_info(param).sort, elem);
        Call { transition: call.transition, args: call.args.iter().zip(params).map(name).collect() }
    }
}

/// Returns the structure with canonical names.
#[must_use]
pub fn renamed(system: &System, sig: &Signature, structure: &Structure) -> Structure {
    Renaming::new(system, sig, structure).structure(sig, structure)
}

/// Returns the rank of each element: that of the first immutable constant with this value; others come last.
fn by_constants(sig: &Signature, structure: &Structure, sort: SortId) -> Vec<u32> {
    let mut ranks = vec![u32::MAX; structure.sizes[sort] as usize];
    let constants = sig.symbols.iter_enumerated().filter(|(_, symbol)| {
        symbol.kind == SymbolKind::Immutable
            && symbol.is_declared()
            && symbol.args.is_empty()
            && symbol.result == sort
    });
    for ((sym, _), place) in constants.zip(0..) {
        let value = structure.interpretation(sig, sym, 0).get(&[]) as usize;
        if let Some(rank) = ranks.get_mut(value) {
            *rank = place.min(*rank);
        }
    }
    ranks
}
