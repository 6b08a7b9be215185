//! Decision queue of focused mode: a linked list of variables ordered by the time of their last bump (VMTF).

use super::lit::Var;
use ramsey_core::base::ids::Id;

const NONE: u32 = u32::MAX;

#[derive(Clone, Copy, Debug)]
struct Link {
    prev: u32,
    next: u32,
    /// Time of the last bump; ascends along the list.
    stamp: u64,
}

/// A doubly linked list of all variables, the most recently bumped one last.
#[derive(Clone, Debug)]
pub(super) struct Queue {
    links: Vec<Link>,
    last: u32,
    clock: u64,
    /// All variables after this one are assigned. `NONE` only if there are no variables.
    search: u32,
}

impl Default for Queue {
    fn default() -> Self {
        Queue { links: Vec::new(), last: NONE, clock: 0, search: NONE }
    }
}

impl Queue {
    /// Appends a new, unassigned variable.
    pub(super) fn grow(&mut self) {
        let index = self.links.len() as u32;
        self.links.push(Link { prev: NONE, next: NONE, stamp: 0 });
        self.append(index);
        self.search = index;
    }

    /// Reserves capacity for `vars` more variables.
    pub(super) fn reserve(&mut self, vars: usize) {
        self.links.reserve(vars);
    }

    fn append(&mut self, index: u32) {
        self.clock += 1;
        self.links[index as usize] = Link { prev: self.last, next: NONE, stamp: self.clock };
        if self.last != NONE {
            self.links[self.last as usize].next = index;
        }
        self.last = index;
    }

    /// Returns the time of the last bump of `var`.
    #[inline]
    pub(super) fn stamp(&self, var: Var) -> u64 {
        self.links[var.index()].stamp
    }

    /// Moves the assigned variable `var` to the end.
    pub(super) fn bump(&mut self, var: Var) {
        let index = var.index() as u32;
        let Link { prev, next, .. } = self.links[var.index()];
        if next == NONE {
            return;
        }
        self.links[next as usize].prev = prev;
        if prev != NONE {
            self.links[prev as usize].next = next;
        }
        if self.search == index {
            // The variable and all variables after it are assigned, so the search can continue before it.
            self.search = if prev == NONE { next } else { prev };
        }
        self.append(index);
    }

    /// Updates the search position after `var` became unassigned.
    #[inline]
    pub(super) fn unassigned(&mut self, var: Var) {
        if self.links[self.search as usize].stamp < self.links[var.index()].stamp {
            self.search = var.index() as u32;
        }
    }

    /// Starts the search at the end again, because `next` may have skipped variables that now count.
    pub(super) fn rewind(&mut self) {
        self.search = self.last;
    }

    /// Returns the last variable that is not `assigned`, if any.
    pub(super) fn next(&mut self, assigned: impl Fn(Var) -> bool) -> Option<Var> {
        let mut at = self.search;
        while at != NONE {
            let var = Var::new(at as usize);
            if !assigned(var) {
                self.search = at;
                return Some(var);
            }
            self.search = at;
            at = self.links[at as usize].prev;
        }
        None
    }
}
