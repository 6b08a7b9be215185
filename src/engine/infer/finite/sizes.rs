//! The numbers of elements of instances.

use ramsey_circuit::finite;
use ramsey_core::base::ids::{Id as _, IdVec};
use ramsey_core::logic::SortId;
use ramsey_core::system::System;

/// Number of elements of a sort in the first instance.
const FIRST: u32 = 2;
/// Number of instances that may have no structures one after the other before a sort is taken to be full.
const EMPTY: u32 = 4;

/// Number of elements that a sort which grows on its own may have more than another one.
const SPREAD: u32 = 2;

/// The sizes of the current instance.
#[derive(Clone, Debug)]
pub(super) struct Sizes {
    current: finite::Sizes,
    /// The sorts that may have more elements.
    sorts: Vec<SortId>,
    /// The last sizes with structures.
    inhabited: Option<finite::Sizes>,
    /// The sort that grew first after these.
    first: Option<SortId>,
    /// Number of instances without structures since.
    empty: u32,
}

impl Sizes {
    /// Returns the sizes of the first instance.
    pub(super) fn new(system: &System) -> Sizes {
        let sorts: Vec<SortId> = system.sig.uninterpreted_sorts().collect();
        let mut current = IdVec::filled(system.sig.sorts.len(), FIRST);
        current[SortId::BOOL] = 2;
        Sizes { current, sorts, inhabited: None, first: None, empty: 0 }
    }

    /// Returns the sizes of the current instance.
    pub(super) fn current(&self) -> finite::Sizes {
        self.current.clone()
    }

    /// Checks whether a state of these sizes has no more elements than an instance.
    pub(super) fn contain(&self, wanted: &[u32]) -> bool {
        self.sorts.iter().all(|&sort| wanted.get(sort.index()).is_none_or(|&it| it <= self.current[sort]))
    }

    /// Takes note that the current instance has structures.
    pub(super) fn is_inhabited(&mut self) {
        self.inhabited = Some(self.current.clone());
        self.first = None;
        self.empty = 0;
    }

    /// Goes on from an instance without structures. `least` has the sizes of an initial state. If more elements of other
    /// sorts do not help either, the sort that grew is full: axioms say how many elements it has. Returns whether there is
    /// another instance.
    pub(super) fn leave_empty(&mut self, least: Option<&[u32]>) -> bool {
        let Some(inhabited) = &self.inhabited else {
            let least = |sort: SortId| least.and_then(|least| least.get(sort.index())).copied();
            self.empty += 1;
            for &sort in &self.sorts {
                let size = least(sort).unwrap_or(FIRST);
                // First with more elements than need be.
                self.current[sort] = if self.empty == 1 { size.max(FIRST) } else { size };
            }
            return self.empty <= 2;
        };
        self.empty += 1;
        if self.empty < EMPTY {
            self.grow_any();
            return true;
        }
        let full = self.first.take();
        self.sorts.retain(|&sort| Some(sort) != full);
        self.current = inhabited.clone();
        self.empty = 0;
        self.grow_any();
        !self.sorts.is_empty()
    }

    /// Adds an element to a sort of which a state of these sizes has more: the one that has fewest. A state may have many
    /// more elements than matter, so that no sort gets far ahead of the others. Returns whether any sort may grow.
    pub(super) fn grow(&mut self, wanted: &[u32]) -> bool {
        let is_wanted =
            |sort: SortId| wanted.get(sort.index()).is_some_and(|&wanted| wanted > self.current[sort]);
        let least = self.sorts.iter().map(|&sort| self.current[sort]).min().unwrap_or_default();
        let is_near = |sort: SortId| self.current[sort] - least < SPREAD;
        let sorts = self.sorts.iter().copied().filter(|&sort| is_wanted(sort) && is_near(sort));
        match sorts.min_by_key(|&sort| self.current[sort]) {
            Some(sort) => self.add(sort),
            None => self.grow_any(),
        }
        !self.sorts.is_empty()
    }

    /// Adds an element to the sort that has fewest.
    fn grow_any(&mut self) {
        if let Some(sort) = self.sorts.iter().copied().min_by_key(|&sort| self.current[sort]) {
            self.add(sort);
        }
    }

    fn add(&mut self, sort: SortId) {
        self.current[sort] = self.current[sort].saturating_add(1);
        self.first = self.first.or(Some(sort));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use ramsey_core::logic::Sort;

    fn sizes() -> Sizes {
        let mut system = System::new();
        for name in ["a", "b"] {
            system.sig.sorts.push(Sort::new(name));
        }
        Sizes::new(&system)
    }

    fn both(sizes: &Sizes) -> [u32; 2] {
        [SortId::new(1), SortId::new(2)].map(|sort| sizes.current()[sort])
    }

    #[test]
    fn sorts_grow_that_have_more_elements_in_a_state() {
        let mut sizes = sizes();
        sizes.is_inhabited();
        assert_eq!(both(&sizes), [2, 2]);
        assert!(sizes.contain(&[2, 2, 1]) && !sizes.contain(&[2, 1, 3]));
        assert!(sizes.grow(&[2, 1, 9]));
        assert_eq!(both(&sizes), [2, 3]);
        assert!(sizes.grow(&[2, 3, 9]));
        assert_eq!(both(&sizes), [3, 3], "the smaller one of two");
        for expected in [[3, 4], [3, 5], [4, 5]] {
            assert!(sizes.grow(&[2, 1, 9]));
            assert_eq!(both(&sizes), expected, "no sort gets far ahead");
        }
    }

    #[test]
    fn a_sort_is_full_if_more_elements_are_impossible() {
        let mut sizes = sizes();
        assert!(sizes.leave_empty(Some(&[2, 1, 6])));
        assert_eq!(both(&sizes), [2, 6], "as many as an initial state needs");
        assert!(sizes.leave_empty(Some(&[2, 1, 6])));
        assert_eq!(both(&sizes), [1, 6], "exactly as many");
        sizes.is_inhabited();
        assert!(sizes.grow(&[2, 2, 6]));
        assert_eq!(both(&sizes), [2, 6]);
        let mut tried = 0;
        while both(&sizes)[0] > 1 {
            assert!(sizes.leave_empty(None));
            tried += 1;
            assert!(tried <= EMPTY);
        }
        assert_eq!(both(&sizes), [1, 7], "only the other sort grows");
        while sizes.leave_empty(None) {
            tried += 1;
            assert!(tried <= 2 * EMPTY);
        }
    }
}
