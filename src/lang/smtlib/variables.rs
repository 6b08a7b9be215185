//! Variables, used again wherever that confuses nothing.
//!
//! A formula that is read twice is to become the same term, so a binder takes the first variable of its name and sort that
//! is *available*. No variable may be bound twice on a path of a formula. Those of binders that enclose the place are
//! therefore not available; and since values of `let`, and arguments of macros, are put at places below further binders,
//! neither are those that are bound in such values (they are *held*).

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use super::names::Name;
use crate::base::hash::Map;
use crate::base::ids::{Id as _, IdVec};
use crate::logic::{SortId, Terms, VarId};

/// All variables that were made.
#[derive(Clone, Debug, Default)]
pub(super) struct Variables {
    pools: Map<(Name, SortId), usize>,
    /// For each name and sort the variables that may be available.
    free: Vec<BinaryHeap<Reverse<VarId>>>,
    states: IdVec<VarId, State>,
    /// What was bound inside of values, in order.
    log: Vec<VarId>,
    /// So many entries of the log are held.
    held: usize,
    /// How many values enclose the place.
    inside: usize,
}

#[derive(Clone, Copy, Debug)]
struct State {
    pool: usize,
    /// How often it is bound or held.
    uses: u32,
    /// Whether it lies in its pool.
    is_pooled: bool,
}

impl Variables {
    /// A variable for a binder, available no more.
    pub(super) fn bind(&mut self, terms: &mut Terms, name: Name, text: &str, sort: SortId) -> VarId {
        let next = self.free.len();
        let pool = *self.pools.entry((name, sort)).or_insert(next);
        if pool == next {
            self.free.push(BinaryHeap::new());
        }
        let var = self.take(terms, pool, |terms| terms.new_var(text, sort));
        self.note(var);
        var
    }

    /// A variable like `var`, available no more.
    pub(super) fn rename(&mut self, terms: &mut Terms, var: VarId) -> VarId {
        self.take(terms, self.states[var].pool, |terms| terms.copy_var(var))
    }

    fn take(&mut self, terms: &mut Terms, pool: usize, make: impl FnOnce(&mut Terms) -> VarId) -> VarId {
        while let Some(Reverse(var)) = self.free[pool].pop() {
            self.states[var].is_pooled = false;
            // Others come back when they are released.
            if self.states[var].uses == 0 {
                self.states[var].uses = 1;
                return var;
            }
        }
        let var = make(terms);
        // Whoever else makes variables in the arena has no pool.
        self.states.grow_to(var.index() + 1, || State { pool: usize::MAX, uses: 1, is_pooled: false });
        self.states[var] = State { pool, uses: 1, is_pooled: false };
        var
    }

    /// Ends a use.
    pub(super) fn release(&mut self, var: VarId) {
        let state = &mut self.states[var];
        state.uses -= 1;
        if state.uses == 0 && !state.is_pooled {
            state.is_pooled = true;
            self.free[state.pool].push(Reverse(var));
        }
    }

    /// Begins a use of a variable, wherever it is used already.
    pub(super) fn reserve(&mut self, var: VarId) {
        self.states[var].uses += 1;
    }

    /// Whether a binder could take it.
    pub(super) fn is_available(&self, var: VarId) -> bool {
        self.states[var].uses == 0
    }

    /// Records that a variable is bound here.
    pub(super) fn note(&mut self, var: VarId) {
        if self.inside > 0 {
            self.log.push(var);
        }
    }

    /// Enters values. The result is for [`Self::hold`] and [`Self::leave`].
    pub(super) fn enter(&mut self) -> usize {
        self.inside += 1;
        self.log.len()
    }

    /// Behind the values: what they bind is held.
    pub(super) fn hold(&mut self) {
        self.inside -= 1;
        for index in self.held..self.log.len() {
            self.states[self.log[index]].uses += 1;
        }
        self.held = self.log.len();
    }

    /// Where the values are out of scope. Inside of other values, what they bind stays held until those are.
    pub(super) fn leave(&mut self, mark: usize) {
        if self.inside == 0 {
            while self.log.len() > mark
                && let Some(var) = self.log.pop()
            {
                self.release(var);
            }
            self.held = self.log.len();
        }
    }

    /// Ends all holds, after an error; binders have released theirs.
    pub(super) fn reset(&mut self) {
        self.inside = 0;
        while let Some(var) = self.log.pop() {
            if self.log.len() < self.held {
                self.release(var);
            }
        }
        self.held = 0;
    }
}
