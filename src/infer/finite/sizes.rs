//! The numbers of elements of instances.

use crate::base::ids::{Id as _, IdVec};
use crate::finite;
use crate::logic::SortId;
use crate::system::System;

/// Number of elements of a sort in the first instance.
const FIRST: u32 = 2;

/// The sizes of the current instance.
#[derive(Clone, Debug)]
pub(super) struct Sizes {
    current: finite::Sizes,
    /// The sorts that may have any number of elements.
    sorts: Vec<SortId>,
}

impl Sizes {
    /// Returns the sizes of the first instance.
    pub(super) fn new(system: &System) -> Sizes {
        let sorts: Vec<SortId> = system.sig.uninterpreted_sorts().collect();
        let mut current = IdVec::filled(system.sig.sorts.len(), FIRST);
        current[SortId::BOOL] = 2;
        Sizes { current, sorts }
    }

    /// Returns the sizes of the current instance.
    pub(super) fn current(&self) -> finite::Sizes {
        self.current.clone()
    }

    /// Checks whether a state of these sizes has no more elements than an instance.
    pub(super) fn contain(&self, wanted: &[u32]) -> bool {
        self.sorts.iter().all(|&sort| wanted.get(sort.index()).is_none_or(|&it| it <= self.current[sort]))
    }

    /// Adds an element to a sort of which a state of these sizes has more: the one that has fewest. A state may have many
    /// more elements than matter.
    pub(super) fn grow(&mut self, wanted: &[u32]) {
        let is_wanted =
            |sort: SortId| wanted.get(sort.index()).is_some_and(|&wanted| wanted > self.current[sort]);
        let sorts = self.sorts.iter().copied().filter(|&sort| is_wanted(sort));
        match sorts.min_by_key(|&sort| self.current[sort]) {
            Some(sort) => self.current[sort] += 1,
            None => self.grow_any(),
        }
    }

    /// Adds an element to the sort that has fewest.
    pub(super) fn grow_any(&mut self) {
        if let Some(sort) = self.sorts.iter().copied().min_by_key(|&sort| self.current[sort]) {
            self.current[sort] += 1;
        }
    }
}
