//! Watch lists: the clauses to visit when a literal becomes false.

use super::arena::ClauseRef;
use super::lit::Lit;
use ramsey_core::base::ids::Id;

const BINARY: u32 = 1 << 31;

/// A clause in the watch list of one of its first two literals.
#[derive(Clone, Copy, Debug)]
pub(super) struct Watch {
    /// Another literal of the clause. While it is true, the clause need not be visited. In a binary clause it is always
    /// the other literal.
    pub(super) blocker: Lit,
    tagged: u32,
}

impl Watch {
    #[inline]
    pub(super) fn new(blocker: Lit, clause: ClauseRef, binary: bool) -> Watch {
        Watch { blocker, tagged: clause.word() | if binary { BINARY } else { 0 } }
    }

    #[inline]
    pub(super) fn clause(self) -> ClauseRef {
        ClauseRef::from_word(self.tagged & !BINARY)
    }

    #[inline]
    pub(super) fn is_binary(self) -> bool {
        self.tagged & BINARY != 0
    }

    /// Returns the same watch with another blocker.
    #[inline]
    pub(super) fn blocked_by(self, blocker: Lit) -> Watch {
        Watch { blocker, tagged: self.tagged }
    }
}

/// Position of one list in the pool.
#[derive(Clone, Copy, Debug, Default)]
struct Span {
    start: u32,
    len: u32,
    capacity: u32,
}

/// The watch lists of all literals in one flat pool, so that a new variable or a copy of the solver costs no allocation
/// per list.
///
/// A full list moves to the end of the pool with twice the capacity. The abandoned ranges add up to less than the
/// capacities in use, so the pool needs no maintenance other than an occasional [`Watches::rebuild`].
#[derive(Clone, Debug, Default)]
pub(super) struct Watches {
    pub(super) pool: Vec<Watch>,
    /// By literal. The spans do not overlap.
    lists: Vec<Span>,
}

impl Watches {
    /// Adds empty lists for the two literals of a new variable.
    pub(super) fn grow(&mut self) {
        self.lists.extend([Span::default(); 2]);
    }

    /// Reserves capacity for the lists of `vars` more variables.
    pub(super) fn reserve(&mut self, vars: usize) {
        self.lists.reserve(2 * vars);
    }

    /// Returns the cost of [`Self::rebuild`]: the size of the pool, or the number of lists if most of them are empty.
    pub(super) fn size(&self) -> usize {
        self.pool.len().max(self.lists.len())
    }

    /// Returns the start and the end (exclusive) of the list of `lit` in the pool.
    #[inline]
    pub(super) fn range(&self, lit: Lit) -> (usize, usize) {
        let span = self.lists[lit.index()];
        (span.start as usize, (span.start + span.len) as usize)
    }

    /// Returns the list of `lit`.
    pub(super) fn list(&self, lit: Lit) -> &[Watch] {
        let (start, end) = self.range(lit);
        &self.pool[start..end]
    }

    /// Truncates the list of `lit` to end at position `end` of the pool.
    #[inline]
    pub(super) fn truncate(&mut self, lit: Lit, end: usize) {
        let span = &mut self.lists[lit.index()];
        debug_assert!(end as u32 - span.start <= span.len);
        span.len = end as u32 - span.start;
    }

    /// Appends a watch to the list of `lit`. No other list moves.
    #[inline]
    pub(super) fn push(&mut self, lit: Lit, watch: Watch) {
        let span = self.lists[lit.index()];
        if span.len == span.capacity {
            self.move_to_end(lit);
        }
        let span = &mut self.lists[lit.index()];
        self.pool[(span.start + span.len) as usize] = watch;
        span.len += 1;
    }

    #[cold]
    fn move_to_end(&mut self, lit: Lit) {
        let span = &mut self.lists[lit.index()];
        let (start, len) = (span.start as usize, span.len as usize);
        let capacity = (2 * len).max(4);
        let filler = Watch::new(lit, ClauseRef::NONE, false);
        if start + len == self.pool.len() {
            self.pool.resize(start + capacity, filler);
        } else {
            span.start = self.pool.len() as u32;
            self.pool.extend_from_within(start..start + len);
            self.pool.resize(span.start as usize + capacity, filler);
        }
        span.capacity = capacity as u32;
    }

    /// Removes `clause` from the list of `lit` and keeps the order of the others.
    pub(super) fn remove(&mut self, lit: Lit, clause: ClauseRef) {
        let (start, end) = self.range(lit);
        let list = &mut self.pool[start..end];
        if let Some(at) = list.iter().position(|watch| watch.clause() == clause) {
            list.copy_within(at + 1.., at);
            self.truncate(lit, end - 1);
        }
    }

    /// Replaces each watch by the result of `update`, and lays out the lists in the order of the literals.
    pub(super) fn rebuild(&mut self, mut update: impl FnMut(Lit, Watch) -> Option<Watch>) {
        let mut pool = Vec::with_capacity(self.pool.len());
        for (index, span) in self.lists.iter_mut().enumerate() {
            let lit = Lit::new(index);
            let start = pool.len();
            let old = &self.pool[span.start as usize..][..span.len as usize];
            pool.extend(old.iter().filter_map(|&watch| update(lit, watch)));
            let len = pool.len() - start;
            // Spare capacity; without it the first push would relocate the list.
            let capacity = len + len.min(4);
            pool.resize(start + capacity, Watch::new(lit, ClauseRef::NONE, false));
            *span = Span { start: start as u32, len: len as u32, capacity: capacity as u32 };
        }
        self.pool = pool;
    }
}
