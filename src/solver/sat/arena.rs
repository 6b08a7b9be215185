//! Clause arena: all clauses of two or more literals, stored contiguously in one vector.

use super::lit::{ClauseId, Lit};

/// Number of header words before the literals of a clause: length, flags with glue, id, and the position of the watch
/// found last. Resuming the search for a watch there, and not at the front, avoids scanning long clauses repeatedly
/// (Gent, JAIR 2013).
const HEADER: usize = 4;
const POSITION: usize = 3;

const LEARNED: u32 = 1;
const GARBAGE: u32 = 1 << 1;
/// Flag of a relocated clause. Its id word holds the new reference.
const MOVED: u32 = 1 << 2;
const VIVIFIED: u32 = 1 << 3;
const SUBSUMPTION_TRIED: u32 = 1 << 4;
const USED_SHIFT: u32 = 5;
const USED_MASK: u32 = 3 << USED_SHIFT;
const GLUE_SHIFT: u32 = 8;

/// Reference to a clause in the [`Arena`]. It has 31 bits because a watch uses one bit as a tag. This bounds the arena
/// at 8 GB; a memory budget is exhausted earlier.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) struct ClauseRef(u32);

impl ClauseRef {
    /// Null reference: the reason of decisions and of root literals.
    pub(super) const NONE: ClauseRef = ClauseRef(u32::MAX >> 1);

    #[inline]
    pub(super) fn word(self) -> u32 {
        self.0
    }

    #[inline]
    pub(super) fn from_word(word: u32) -> ClauseRef {
        ClauseRef(word)
    }
}

/// Clauses addressed by [`ClauseRef`].
///
/// Header words are stored as [`Lit`]s too, so that the literals of a clause are a slice of one vector.
#[derive(Clone, Debug, Default)]
pub(super) struct Arena {
    words: Vec<Lit>,
    /// Number of words of clauses marked as garbage.
    wasted: usize,
}

impl Arena {
    /// Appends a clause and returns its reference.
    pub(super) fn alloc(&mut self, lits: &[Lit], id: ClauseId, learned: bool, glue: u32) -> ClauseRef {
        debug_assert!(lits.len() >= 2, "units live on the trail");
        let at = self.words.len();
        debug_assert!(at < ClauseRef::NONE.0 as usize);
        let glue = glue.min(u32::MAX >> GLUE_SHIFT);
        let flags = u32::from(learned) | glue << GLUE_SHIFT;
        self.words.extend([lits.len() as u32, flags, id.word(), 2].map(Lit::from_word));

        self.words.extend_from_slice(lits);
        ClauseRef(at as u32)
    }

    /// Returns the number of words, garbage included.
    pub(super) fn size(&self) -> usize {
        self.words.len()
    }

    /// Returns the number of words of clauses marked as garbage.
    pub(super) fn wasted(&self) -> usize {
        self.wasted
    }

    #[inline]
    pub(super) fn len(&self, clause: ClauseRef) -> usize {
        self.words[clause.0 as usize].word() as usize
    }

    #[inline]
    pub(super) fn lits(&self, clause: ClauseRef) -> &[Lit] {
        let rest = &self.words[clause.0 as usize..];
        let len = rest[0].word() as usize;
        &rest[HEADER..][..len]
    }

    /// Returns the literals, and the header word with the position at which propagation starts to look for a new watch.
    #[inline]
    pub(super) fn lits_and_position(&mut self, clause: ClauseRef) -> (&mut [Lit], &mut Lit) {
        let rest = &mut self.words[clause.0 as usize..];
        let len = rest[0].word() as usize;
        let (header, rest) = rest.split_at_mut(HEADER);
        (&mut rest[..len], &mut header[POSITION])
    }

    #[inline]
    fn flags(&self, clause: ClauseRef) -> u32 {
        self.words[clause.0 as usize + 1].word()
    }

    #[inline]
    fn set_flags(&mut self, clause: ClauseRef, flags: u32) {
        self.words[clause.0 as usize + 1] = Lit::from_word(flags);
    }

    #[inline]
    pub(super) fn id(&self, clause: ClauseRef) -> ClauseId {
        ClauseId::from_word(self.words[clause.0 as usize + 2].word())
    }

    #[inline]
    pub(super) fn is_learned(&self, clause: ClauseRef) -> bool {
        self.flags(clause) & LEARNED != 0
    }

    pub(super) fn is_garbage(&self, clause: ClauseRef) -> bool {
        self.flags(clause) & GARBAGE != 0
    }

    pub(super) fn mark_garbage(&mut self, clause: ClauseRef) {
        debug_assert!(!self.is_garbage(clause));
        self.set_flags(clause, self.flags(clause) | GARBAGE);
        self.wasted += HEADER + self.len(clause);
    }

    /// Makes a learned clause irredundant. Used when it subsumes an original clause and replaces it.
    pub(super) fn mark_irredundant(&mut self, clause: ClauseRef) {
        self.set_flags(clause, self.flags(clause) & !LEARNED);
    }

    #[inline]
    pub(super) fn glue(&self, clause: ClauseRef) -> u32 {
        self.flags(clause) >> GLUE_SHIFT
    }

    pub(super) fn set_glue(&mut self, clause: ClauseRef, glue: u32) {
        let flags = self.flags(clause) & ((1 << GLUE_SHIFT) - 1);
        self.set_flags(clause, flags | glue.min(u32::MAX >> GLUE_SHIFT) << GLUE_SHIFT);
    }

    /// Returns the number of further reductions for which this clause counts as recently used.
    #[inline]
    pub(super) fn used(&self, clause: ClauseRef) -> u32 {
        (self.flags(clause) & USED_MASK) >> USED_SHIFT
    }

    pub(super) fn set_used(&mut self, clause: ClauseRef, used: u32) {
        self.set_flags(clause, self.flags(clause) & !USED_MASK | used << USED_SHIFT);
    }

    /// Checks whether vivification has tried this clause.
    pub(super) fn is_vivified(&self, clause: ClauseRef) -> bool {
        self.flags(clause) & VIVIFIED != 0
    }

    pub(super) fn set_vivified(&mut self, clause: ClauseRef, to: bool) {
        let flags = self.flags(clause) & !VIVIFIED;
        self.set_flags(clause, if to { flags | VIVIFIED } else { flags });
    }

    /// Checks whether subsumption has tried this clause.
    pub(super) fn is_subsumption_tried(&self, clause: ClauseRef) -> bool {
        self.flags(clause) & SUBSUMPTION_TRIED != 0
    }

    pub(super) fn set_subsumption_tried(&mut self, clause: ClauseRef) {
        self.set_flags(clause, self.flags(clause) | SUBSUMPTION_TRIED);
    }

    /// Returns the first clause at or after word `from` that is not garbage.
    fn skip_garbage(&self, mut from: usize) -> Option<ClauseRef> {
        while from < self.words.len() {
            let clause = ClauseRef(from as u32);
            if !self.is_garbage(clause) {
                return Some(clause);
            }
            from += HEADER + self.len(clause);
        }
        None
    }

    /// Returns the first clause that is not garbage.
    pub(super) fn first(&self) -> Option<ClauseRef> {
        self.skip_garbage(0)
    }

    /// Returns the next clause after `clause` that is not garbage.
    pub(super) fn next(&self, clause: ClauseRef) -> Option<ClauseRef> {
        self.skip_garbage(clause.0 as usize + HEADER + self.len(clause))
    }

    /// Iterates over the clauses that are not garbage, in memory order.
    pub(super) fn iter(&self) -> impl Iterator<Item = ClauseRef> + '_ {
        std::iter::successors(self.first(), |&clause| self.next(clause))
    }

    /// Copies `clause` from `old` without the literals in `dropped`, and stores the new reference in `old`.
    pub(super) fn adopt(
        &mut self,
        old: &mut Arena,
        clause: ClauseRef,
        id: ClauseId,
        dropped: impl Fn(Lit) -> bool,
    ) -> ClauseRef {
        let at = self.words.len();
        self.words.extend([0, old.flags(clause), id.word(), 2].map(Lit::from_word));
        self.words.extend(old.lits(clause).iter().filter(|&&lit| !dropped(lit)));
        let len = (self.words.len() - at - HEADER) as u32;
        self.words[at] = Lit::from_word(len);
        let new = ClauseRef(at as u32);
        if self.glue(new) >= len {
            self.set_glue(new, len - 1);
        }
        old.set_flags(clause, old.flags(clause) | MOVED);
        old.words[clause.0 as usize + 2] = Lit::from_word(new.0);
        new
    }

    /// Returns the reference to which [`Arena::adopt`] moved `clause`, or `None` if the clause was not copied.
    pub(super) fn moved(&self, clause: ClauseRef) -> Option<ClauseRef> {
        (self.flags(clause) & MOVED != 0).then(|| ClauseRef(self.words[clause.0 as usize + 2].word()))
    }

    /// Creates an empty arena with capacity for the clauses of this arena that are not garbage.
    pub(super) fn successor(&self) -> Arena {
        Arena { words: Vec::with_capacity(self.words.len() - self.wasted), wasted: 0 }
    }
}
