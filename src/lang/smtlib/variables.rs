//! Reuse of bound variables.
//!
//! A formula that is read twice should become the same term, so a binder takes the first variable of its name and sort
//! that is *available*. No variable may be bound twice on a path of a formula. Variables of enclosing binders are
//! therefore not available. Values of `let` and arguments of macros are substituted below further binders, so variables
//! bound in such values are not available either (they are *held*).

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use super::names::Name;
use ramsey_core::base::hash::Map;
use ramsey_core::base::ids::{Id as _, IdVec};
use ramsey_core::logic::{SortId, Terms, VarId};

/// All variables created.
#[derive(Clone, Debug, Default)]
pub(super) struct Variables {
    pools: Map<(Name, SortId), usize>,
    /// Variables that may be available, for each name and sort.
    free: Vec<BinaryHeap<Reverse<VarId>>>,
    states: IdVec<VarId, State>,
    /// Variables bound inside values, in order.
    log: Vec<VarId>,
    /// Number of entries of the log that are held.
    held: usize,
    /// Number of values around the current position.
    inside: usize,
}

#[derive(Clone, Copy, Debug)]
struct State {
    pool: usize,
    /// How often it is bound or held.
    uses: u32,
    /// Whether it is in its pool.
    is_pooled: bool,
}

impl Variables {
    /// Returns an available variable for a binder, and makes it unavailable.
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

    /// Like [`Self::bind`], for a variable with the data of `var`.
    pub(super) fn rename(&mut self, terms: &mut Terms, var: VarId) -> VarId {
        self.take(terms, self.states[var].pool, |terms| terms.copy_var(var))
    }

    fn take(&mut self, terms: &mut Terms, pool: usize, make: impl FnOnce(&mut Terms) -> VarId) -> VarId {
        while let Some(Reverse(var)) = self.free[pool].pop() {
            self.states[var].is_pooled = false;
            // A variable in use is returned to its pool when it is released.
            if self.states[var].uses == 0 {
                self.states[var].uses = 1;
                return var;
            }
        }
        let var = make(terms);
        // Variables created elsewhere in the arena have no pool.
        self.states.grow_to(var.index() + 1, || State { pool: usize::MAX, uses: 1, is_pooled: false });
        self.states[var] = State { pool, uses: 1, is_pooled: false };
        var
    }

    /// Ends a use of a variable.
    pub(super) fn release(&mut self, var: VarId) {
        let state = &mut self.states[var];
        state.uses -= 1;
        if state.uses == 0 && !state.is_pooled {
            state.is_pooled = true;
            self.free[state.pool].push(Reverse(var));
        }
    }

    /// Begins a use of a variable, even if it is already in use.
    pub(super) fn reserve(&mut self, var: VarId) {
        self.states[var].uses += 1;
    }

    /// Returns whether a binder could take the variable.
    pub(super) fn is_available(&self, var: VarId) -> bool {
        self.states[var].uses == 0
    }

    /// Records that a variable is bound here.
    pub(super) fn note(&mut self, var: VarId) {
        if self.inside > 0 {
            self.log.push(var);
        }
    }

    /// Enters values. Returns a mark for [`Self::leave`].
    pub(super) fn enter(&mut self) -> usize {
        self.inside += 1;
        self.log.len()
    }

    /// Leaves the values; variables bound in them are held.
    pub(super) fn hold(&mut self) {
        self.inside -= 1;
        for index in self.held..self.log.len() {
            self.states[self.log[index]].uses += 1;
        }
        self.held = self.log.len();
    }

    /// Releases held variables when the values go out of scope. Inside other values, they stay held until those go out
    /// of scope.
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

    /// Releases all held variables after an error. Binders must have released theirs.
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
