//! Finite structures, which represent counterexamples.

use std::collections::BTreeMap;

use super::sig::{Signature, SortId, SymId};
use crate::base::ids::{Id as _, IdVec};

/// An element of the universe of a sort: a number below the sort's size. For `bool`, 0 is false and 1 is true.
pub type Elem = u32;

/// The interpretation of a symbol: a default value and the exceptions.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Interpretation {
    /// The value at all arguments not listed in `entries`.
    pub default: Elem,
    /// Values by argument tuple.
    pub entries: BTreeMap<Box<[Elem]>, Elem>,
}

impl Interpretation {
    /// Returns the value at `args`.
    pub fn get(&self, args: &[Elem]) -> Elem {
        self.entries.get(args).copied().unwrap_or(self.default)
    }

    /// Sets the value at `args`.
    pub fn set(&mut self, args: &[Elem], value: Elem) {
        self.entries.insert(args.into(), value);
    }
}

/// A sequence of states with common universes and a common interpretation of the immutable symbols.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Structure {
    /// Size of the universe of each sort; 2 for `bool`, at least 1 for all others.
    pub sizes: IdVec<SortId, u32>,
    /// Interpretations of immutable symbols.
    immutable: IdVec<SymId, Interpretation>,
    /// Interpretations of mutable symbols per state (entries of immutable symbols are unused).
    states: Vec<IdVec<SymId, Interpretation>>,
}

impl Structure {
    /// Creates a structure with one element per sort, `states` states, and every relation empty.
    pub fn new(sig: &Signature, states: usize) -> Self {
        let mut sizes = IdVec::filled(sig.sorts.len(), 1);
        sizes[SortId::BOOL] = 2;
        let empty = IdVec::filled(sig.symbols.len(), Interpretation::default());
        Structure { sizes, immutable: empty.clone(), states: vec![empty; states] }
    }

    /// Extends the structure to sorts and symbols added to `sig` since: one element per sort, and the first value
    /// everywhere.
    pub fn grow_to(&mut self, sig: &Signature) {
        self.sizes.grow_to(sig.sorts.len(), || 1);
        for interpretations in self.states.iter_mut().chain([&mut self.immutable]) {
            interpretations.grow_to(sig.symbols.len(), Interpretation::default);
        }
    }

    /// Returns the number of states.
    pub fn states(&self) -> usize {
        self.states.len()
    }

    /// Returns the interpretation of `sym` in state `step` (any step for immutable symbols). Steps beyond the last
    /// state denote the last state.
    pub fn interpretation(&self, sig: &Signature, sym: SymId, step: usize) -> &Interpretation {
        match self.states.get(step.min(self.states.len().saturating_sub(1))) {
            Some(state) if sig.symbols[sym].kind.is_mutable() => &state[sym],
            _ => &self.immutable[sym],
        }
    }

    /// Mutable version of [`Self::interpretation`].
    pub fn interpretation_mut(&mut self, sig: &Signature, sym: SymId, step: usize) -> &mut Interpretation {
        let last = self.states.len().saturating_sub(1);
        match self.states.get_mut(step.min(last)) {
            Some(state) if sig.symbols[sym].kind.is_mutable() => &mut state[sym],
            _ => &mut self.immutable[sym],
        }
    }

    /// Returns the structure with state `step` as its only state.
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

    /// Appends state `step` of a structure with the same universes.
    pub fn push_state(&mut self, sig: &Signature, from: &Structure, step: usize) {
        let mut state = IdVec::filled(sig.symbols.len(), Interpretation::default());
        for (sym, symbol) in sig.symbols.iter_enumerated() {
            if symbol.kind.is_mutable() {
                state[sym] = from.interpretation(sig, sym, step).clone();
            }
        }
        self.states.push(state);
    }

    /// Returns the structure restricted to the symbols of `sig`, which are a prefix of its own.
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

    /// Returns all argument tuples over `sorts`, in lexicographic order.
    pub fn tuples(&self, sorts: &[SortId]) -> Tuples {
        let sizes: Vec<u32> = sorts.iter().map(|&sort| self.sizes[sort]).collect();
        Tuples::new(sizes)
    }
}

/// Iterator over all tuples below given sizes, in lexicographic order.
#[derive(Clone, Debug)]
pub struct Tuples {
    sizes: Vec<u32>,
    next: Option<Vec<Elem>>,
}

impl Tuples {
    /// Creates the iterator over all tuples `t` with `t[i] < sizes[i]`.
    pub fn new(sizes: Vec<u32>) -> Self {
        let next = sizes.iter().all(|&size| size > 0).then(|| vec![0; sizes.len()]);
        Tuples { sizes, next }
    }

    /// Returns the number of tuples for these sizes (saturating).
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

/// Returns the name of an element: the name of its sort and its number, separated by `_` if the sort's name ends in a
/// digit.
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
