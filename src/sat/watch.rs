//! Watch lists: which clauses to look at when a literal becomes false.

use super::arena::ClauseRef;
use super::lit::Lit;
use crate::base::ids::Id;

const BINARY: u32 = 1 << 31;

/// One clause in the watch list of one of its first two literals.
#[derive(Clone, Copy, Debug)]
pub(super) struct Watch {
    /// Another literal of the clause: while it is true the clause need not be looked at.
    /// In a binary clause always the other literal.
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

    /// The same watch with another blocker.
    #[inline]
    pub(super) fn blocked_by(self, blocker: Lit) -> Watch {
        Watch { blocker, tagged: self.tagged }
    }
}

/// The place of one list in the pool.
#[derive(Clone, Copy, Debug, Default)]
struct Span {
    start: u32,
    len: u32,
    capacity: u32,
}

/// The watch lists of all literals in one flat pool, so that a new variable or a copy of the solver costs no
/// allocation per list.
///
/// A full list moves to the end of the pool with twice the capacity; the places left behind add up to less than
/// the capacities in use, so the pool needs no other care than [`Watches::rebuild`] now and then.
#[derive(Clone, Debug, Default)]
pub(super) struct Watches {
    pub(super) pool: Vec<Watch>,
    /// Indexed by literals. The spans do not overlap.
    lists: Vec<Span>,
}

impl Watches {
    /// Adds empty lists for the two literals of a new variable.
    pub(super) fn grow(&mut self) {
        self.lists.extend([Span::default(); 2]);
    }

    /// Makes room for the lists of this many more variables.
    pub(super) fn reserve(&mut self, vars: usize) {
        self.lists.reserve(2 * vars);
    }

    /// What [`Self::rebuild`] takes time for: places in the pool, or lists where most of them are empty.
    pub(super) fn size(&self) -> usize {
        self.pool.len().max(self.lists.len())
    }

    /// First and one-past-last place of the list of `lit` in the pool.
    #[inline]
    pub(super) fn range(&self, lit: Lit) -> (usize, usize) {
        let span = self.lists[lit.index()];
        (span.start as usize, (span.start + span.len) as usize)
    }

    /// The list of `lit`.
    pub(super) fn list(&self, lit: Lit) -> &[Watch] {
        let (start, end) = self.range(lit);
        &self.pool[start..end]
    }

    /// Cuts the list of `lit` to end at place `end` of the pool.
    #[inline]
    pub(super) fn truncate(&mut self, lit: Lit, end: usize) {
        let span = &mut self.lists[lit.index()];
        debug_assert!(end as u32 - span.start <= span.len);
        span.len = end as u32 - span.start;
    }

    /// Appends to the list of `lit`. No other list moves.
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

    /// Takes `clause` out of the list of `lit`; the others keep their order.
    pub(super) fn remove(&mut self, lit: Lit, clause: ClauseRef) {
        let (start, end) = self.range(lit);
        let list = &mut self.pool[start..end];
        if let Some(at) = list.iter().position(|watch| watch.clause() == clause) {
            list.copy_within(at + 1.., at);
            self.truncate(lit, end - 1);
        }
    }

    /// Replaces each watch by what `update` makes of it, in lists that lie in the order of the literals.
    pub(super) fn rebuild(&mut self, mut update: impl FnMut(Lit, Watch) -> Option<Watch>) {
        let mut pool = Vec::with_capacity(self.pool.len());
        for (index, span) in self.lists.iter_mut().enumerate() {
            let lit = Lit::new(index);
            let start = pool.len();
            let old = &self.pool[span.start as usize..][..span.len as usize];
            pool.extend(old.iter().filter_map(|&watch| update(lit, watch)));
            let len = pool.len() - start;
            // Some room to grow, or the first push would move the list away at once.
            let capacity = len + len.min(4);
            pool.resize(start + capacity, Watch::new(lit, ClauseRef::NONE, false));
            *span = Span { start: start as u32, len: len as u32, capacity: capacity as u32 };
        }
        self.pool = pool;
    }
}
