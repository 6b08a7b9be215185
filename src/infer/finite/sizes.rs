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

    /// Adds an element to the sort which has most elements beyond the current ones in a state of these sizes.
    pub(super) fn grow(&mut self, wanted: &[u32]) {
        let missing = |sort: SortId| {
            let wanted = wanted.get(sort.index()).copied().unwrap_or(0);
            wanted.saturating_sub(self.current[sort])
        };
        let most = self.sorts.iter().copied().max_by_key(|&sort| (missing(sort), std::cmp::Reverse(sort)));
        match most.filter(|&sort| missing(sort) > 0) {
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
