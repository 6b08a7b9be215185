//! Term bank: hash-consed ground terms, and patterns whose leaves may be variables of universal clauses.
//!
//! Terms are never removed, so that instances survive from one query to the next.

use std::hash::{Hash, Hasher as _};

use hashbrown::HashTable;

use super::symbols::{Fun, Symbols};
use ramsey_core::base::hash::{Hasher, Map, Set};
use ramsey_core::base::ids::{Id as _, IdVec};
use ramsey_core::logic::SortId;
use ramsey_core::typed_id;

typed_id! {
    /// A term of the bank, in which variables may occur as slots. A pattern without slots is a ground term.
    pub(crate) struct Pattern;
    /// A variable of a universal clause, numbered within the clause.
    pub(crate) struct SlotId;
}

/// Maximum depth at which terms are traversed as trees. Deeper terms may share many subterms and are traversed as
/// graphs.
const MAX_TREE_DEPTH: u16 = 3;

#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub(crate) enum Head {
    /// A function or constant.
    Fun(Fun),
    /// A variable of a universal clause.
    Slot(SlotId),
}

#[derive(Clone, Copy, Debug)]
struct Entry {
    head: Head,
    start: u32,
    len: u32,
    sort: SortId,
    ground: bool,
    /// Nesting depth of functions; 0 for constants and slots.
    depth: u16,
}

#[derive(Clone, Debug, Default)]
pub(crate) struct Bank {
    entries: IdVec<Pattern, Entry>,
    args: Vec<Pattern>,
    table: HashTable<Pattern>,
}

fn hash_of(head: Head, sort: SortId, args: &[Pattern]) -> u64 {
    let mut hasher = Hasher::default();
    head.hash(&mut hasher);
    sort.hash(&mut hasher);
    args.hash(&mut hasher);
    hasher.finish()
}

impl Bank {
    pub(crate) fn len(&self) -> usize {
        self.entries.len()
    }

    pub(crate) fn head(&self, term: Pattern) -> Head {
        self.entries[term].head
    }

    pub(crate) fn args(&self, term: Pattern) -> &[Pattern] {
        let entry = &self.entries[term];
        &self.args[entry.start as usize..][..entry.len as usize]
    }

    pub(crate) fn sort(&self, term: Pattern) -> SortId {
        self.entries[term].sort
    }

    pub(crate) fn is_ground(&self, term: Pattern) -> bool {
        self.entries[term].ground
    }

    pub(crate) fn depth(&self, term: Pattern) -> u16 {
        self.entries[term].depth
    }

    pub(crate) fn slot(&mut self, slot: SlotId, sort: SortId) -> Pattern {
        self.intern(Head::Slot(slot), sort, &[])
    }

    pub(crate) fn app(&mut self, symbols: &Symbols, fun: Fun, args: &[Pattern]) -> Pattern {
        self.intern(Head::Fun(fun), symbols.funs[fun].result, args)
    }

    fn intern(&mut self, head: Head, sort: SortId, args: &[Pattern]) -> Pattern {
        let hash = hash_of(head, sort, args);
        let found = self.table.find(hash, |&other| {
            let entry = &self.entries[other];
            entry.head == head && entry.sort == sort && self.args(other) == args
        });
        if let Some(&found) = found {
            return found;
        }
        let start = self.args.len() as u32;
        let ground = !matches!(head, Head::Slot(_)) && args.iter().all(|&arg| self.is_ground(arg));
        let depth = args.iter().map(|&arg| self.depth(arg).saturating_add(1)).max().unwrap_or(0);
        self.args.extend_from_slice(args);
        let len = args.len() as u32;
        let term = self.entries.push(Entry { head, start, len, sort, ground, depth });
        let (entries, all_args) = (&self.entries, &self.args);
        self.table.insert_unique(hash, term, |&other| {
            let entry = &entries[other];
            hash_of(entry.head, entry.sort, &all_args[entry.start as usize..][..entry.len as usize])
        });
        term
    }

    /// Replaces each slot `i` in `term` by `map[i]`.
    pub(crate) fn instantiate(&mut self, symbols: &Symbols, term: Pattern, map: &[Pattern]) -> Pattern {
        self.map_slots(symbols, term, &|slot, _| map[slot.index()], &mut Map::default())
    }

    /// Replaces one slot in `term` by `value`.
    pub(crate) fn replace_slot(
        &mut self,
        symbols: &Symbols,
        term: Pattern,
        slot: SlotId,
        value: Pattern,
    ) -> Pattern {
        let by = |other: SlotId, term: Pattern| if other == slot { value } else { term };
        self.map_slots(symbols, term, &by, &mut Map::default())
    }

    /// Replaces each slot in `term` by what `by` returns for its number and itself. `memo` has the results for deep terms.
    pub(crate) fn map_slots(
        &mut self,
        symbols: &Symbols,
        term: Pattern,
        by: &impl Fn(SlotId, Pattern) -> Pattern,
        memo: &mut Map<Pattern, Pattern>,
    ) -> Pattern {
        match self.head(term) {
            _ if self.is_ground(term) => term,
            Head::Slot(slot) => by(slot, term),
            Head::Fun(fun) => {
                let is_deep = self.depth(term) > MAX_TREE_DEPTH;
                if is_deep && let Some(&done) = memo.get(&term) {
                    return done;
                }
                let args: smallvec::SmallVec<[Pattern; 6]> = self.args(term).into();
                let args: smallvec::SmallVec<[Pattern; 6]> =
                    args.into_iter().map(|arg| self.map_slots(symbols, arg, by, memo)).collect();
                let result = self.app(symbols, fun, &args);
                if is_deep {
                    memo.insert(term, result);
                }
                result
            }
        }
    }

    /// Appends the slots in `term` to `found`, each once, in order of occurrence.
    pub(crate) fn collect_slots(&self, term: Pattern, found: &mut Vec<SlotId>) {
        self.collect_new_slots(term, found, &mut Set::default());
    }

    fn collect_new_slots(&self, term: Pattern, found: &mut Vec<SlotId>, seen: &mut Set<Pattern>) {
        if self.is_ground(term) || (self.depth(term) > MAX_TREE_DEPTH && !seen.insert(term)) {
            return;
        }
        if let Head::Slot(slot) = self.head(term)
            && !found.contains(&slot)
        {
            found.push(slot);
        }
        for &arg in self.args(term) {
            self.collect_new_slots(arg, found, seen);
        }
    }

    /// Appends the slots in the arguments of Skolem functions in `term` to `found`, each once.
    pub(crate) fn collect_skolem_slots(
        &self,
        symbols: &Symbols,
        term: Pattern,
        found: &mut Vec<SlotId>,
        seen: &mut Set<Pattern>,
    ) {
        if self.is_ground(term) || (self.depth(term) > MAX_TREE_DEPTH && !seen.insert(term)) {
            return;
        }
        if let Head::Fun(fun) = self.head(term)
            && symbols.funs[fun].is_skolem
        {
            self.collect_slots(term, found);
            return;
        }
        for &arg in self.args(term) {
            self.collect_skolem_slots(symbols, arg, found, seen);
        }
    }

    pub(crate) fn index_bound(&self) -> usize {
        self.entries.next_id().index()
    }
}
