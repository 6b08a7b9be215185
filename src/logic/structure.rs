//! Finite structures: what a counterexample is.

use std::collections::BTreeMap;

use super::sig::{Signature, SortId, SymId};
use crate::base::ids::{Id as _, IdVec};

/// An element of the universe of a sort: a number below the sort's size. Of `bool`: 0 is false, 1 true.
pub type Elem = u32;

/// The meaning of one symbol: a default and what differs from it.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Interpretation {
    /// The value at all arguments that `entries` does not list.
    pub default: Elem,
    /// Values by argument tuple.
    pub entries: BTreeMap<Box<[Elem]>, Elem>,
}

impl Interpretation {
    /// The value at `args`.
    pub fn get(&self, args: &[Elem]) -> Elem {
        self.entries.get(args).copied().unwrap_or(self.default)
    }

    /// Sets the value at `args`.
    pub fn set(&mut self, args: &[Elem], value: Elem) {
        self.entries.insert(args.into(), value);
    }
}

/// A sequence of states over common universes and a common meaning of the immutable symbols.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Structure {
    /// Size of the universe of each sort; 2 for `bool`, at least 1 for all others.
    pub sizes: IdVec<SortId, u32>,
    /// Meaning of symbols that do not change.
    immutable: IdVec<SymId, Interpretation>,
    /// Per state, meaning of mutable symbols (entries of immutable ones are unused).
    states: Vec<IdVec<SymId, Interpretation>>,
}

impl Structure {
    /// One element per sort, `states` states, every relation empty.
    pub fn new(sig: &Signature, states: usize) -> Self {
        let mut sizes = IdVec::filled(sig.sorts.len(), 1);
        sizes[SortId::BOOL] = 2;
        let empty = IdVec::filled(sig.symbols.len(), Interpretation::default());
        Structure { sizes, immutable: empty.clone(), states: vec![empty; states] }
    }

    /// Gives sorts and symbols that were declared since a meaning: one element, and the first value everywhere.
    pub fn grow_to(&mut self, sig: &Signature) {
        self.sizes.grow_to(sig.sorts.len(), || 1);
        for interpretations in self.states.iter_mut().chain([&mut self.immutable]) {
            interpretations.grow_to(sig.symbols.len(), Interpretation::default);
        }
    }

    /// How many states there are.
    pub fn states(&self) -> usize {
        self.states.len()
    }

    /// The meaning of `sym` in state `step` (any step where the symbol is immutable). A step beyond the
    /// last state reads the last state.
    pub fn interpretation(&self, sig: &Signature, sym: SymId, step: usize) -> &Interpretation {
        match self.states.get(step.min(self.states.len().saturating_sub(1))) {
            Some(state) if sig.symbols[sym].kind.is_mutable() => &state[sym],
            _ => &self.immutable[sym],
        }
    }

    /// The same, to change it.
    pub fn interpretation_mut(&mut self, sig: &Signature, sym: SymId, step: usize) -> &mut Interpretation {
        let last = self.states.len().saturating_sub(1);
        match self.states.get_mut(step.min(last)) {
            Some(state) if sig.symbols[sym].kind.is_mutable() => &mut state[sym],
            _ => &mut self.immutable[sym],
        }
    }

    /// The structure with state `step` as its only state.
    #[must_use]
    pub fn state(&self, sig: &Signature, step: usize) -> Structure {
        let states = self.states.first().cloned().into_iter().collect();
        let mut result = Structure { sizes: self.sizes.clone(), immutable: self.immutable.clone(), states };
        for (sym, symbol) in sig.symbols.iter_enumerated() {
            if symbol.kind.is_mutable() {
                *result.interpretation_mut(sig, sym, 0) = self.interpretation(sig, sym, step).clone();
            }
        }
        result
    }

    /// Adds state `step` of a structure with the same universes as the last state.
    pub fn push_state(&mut self, sig: &Signature, from: &Structure, step: usize) {
        let mut state = IdVec::filled(sig.symbols.len(), Interpretation::default());
        for (sym, symbol) in sig.symbols.iter_enumerated() {
            if symbol.kind.is_mutable() {
                state[sym] = from.interpretation(sig, sym, step).clone();
            }
        }
        self.states.push(state);
    }

    /// The structure without the symbols that `sig` does not have: those after its last one.
    #[must_use]
    pub fn reduct(&self, sig: &Signature) -> Structure {
        let symbols = |from: &IdVec<SymId, Interpretation>| {
            let mut reduct = IdVec::new();
            for (_, meaning) in from.iter_enumerated().take(sig.symbols.len()) {
                reduct.push(meaning.clone());
            }
            reduct
        };
        Structure {
            sizes: self.sizes.clone(),
            immutable: symbols(&self.immutable),
            states: self.states.iter().map(symbols).collect(),
        }
    }

    /// All argument tuples over `sorts`, in lexicographic order.
    pub fn tuples(&self, sorts: &[SortId]) -> Tuples {
        let sizes: Vec<u32> = sorts.iter().map(|&sort| self.sizes[sort]).collect();
        Tuples::new(sizes)
    }
}

/// Iterates over all tuples below given sizes, in lexicographic order.
#[derive(Clone, Debug)]
pub struct Tuples {
    sizes: Vec<u32>,
    next: Option<Vec<Elem>>,
}

impl Tuples {
    /// All tuples `t` with `t[i] < sizes[i]`.
    pub fn new(sizes: Vec<u32>) -> Self {
        let next = sizes.iter().all(|&size| size > 0).then(|| vec![0; sizes.len()]);
        Tuples { sizes, next }
    }

    /// How many tuples there are for these sizes (saturating).
    pub fn count_all(sizes: &[u32]) -> u64 {
        sizes.iter().fold(1, |product: u64, &size| product.saturating_mul(size.into()))
    }
}

impl Iterator for Tuples {
    type Item = Vec<Elem>;

    fn next(&mut self) -> Option<Vec<Elem>> {
        let current = self.next.take()?;
        let mut following = current.clone();
        for at in (0..following.len()).rev() {
            following[at] += 1;
            if following[at] < self.sizes[at] {
                self.next = Some(following);
                break;
            }
            following[at] = 0;
        }
        Some(current)
    }
}

/// The name of an element: its sort's name and its number, apart by `_` where the sort's name ends in a digit.
pub fn element_name(sig: &Signature, sort: SortId, elem: Elem) -> String {
    let name = &sig.sorts[sort].name;
    if sort.index() == SortId::BOOL.index() {
        return if elem == 0 { "false".into() } else { "true".into() };
    }
    let gap = if name.ends_with(|c: char| c.is_ascii_digit()) { "_" } else { "" };
    format!("{name}{gap}{elem}")
}

#[cfg(test)]
mod tests {
    use super::{Elem, Tuples};

    #[test]
    fn tuples_are_complete_and_ordered() {
        assert_eq!(Tuples::new(vec![]).collect::<Vec<_>>(), [Vec::<Elem>::new(); 1], "one empty tuple");
        assert_eq!(
            Tuples::new(vec![2, 3]).collect::<Vec<_>>(),
            [[0, 0], [0, 1], [0, 2], [1, 0], [1, 1], [1, 2]]
        );
        assert_eq!(Tuples::new(vec![2, 0]).count(), 0);
    }
}
