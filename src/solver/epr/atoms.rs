//! Ground atoms, one for each variable of the SAT solver, and ground clauses over them.

use std::hash::{Hash, Hasher as _};

use hashbrown::HashTable;

use super::bank::{Bank, Pattern};
use super::symbols::Rel;
use crate::sat::{Lit, Var};
use ramsey_core::base::hash::Hasher;
use ramsey_core::base::ids::{Id as _, IdVec};
use ramsey_core::typed_id;

/// Predicate of an atom.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub(crate) enum AtomKind {
    /// A relation of the arguments.
    Rel(Rel),
    /// Equality of the two arguments; the one with the smaller id comes first.
    Eq,
}

#[derive(Clone, Copy, Debug)]
struct Entry {
    kind: AtomKind,
    start: u32,
    len: u32,
}

/// The atoms. The index of an atom is that of its SAT variable.
#[derive(Clone, Debug, Default)]
pub(crate) struct Atoms {
    entries: IdVec<Var, Entry>,
    args: Vec<Pattern>,
    table: HashTable<Var>,
}

fn hash_of(kind: AtomKind, args: &[Pattern]) -> u64 {
    let mut hasher = Hasher::default();
    kind.hash(&mut hasher);
    args.hash(&mut hasher);
    hasher.finish()
}

impl Atoms {
    pub(crate) fn len(&self) -> usize {
        self.entries.len()
    }

    pub(crate) fn kind(&self, var: Var) -> AtomKind {
        self.entries[var].kind
    }

    pub(crate) fn args(&self, var: Var) -> &[Pattern] {
        let entry = &self.entries[var];
        &self.args[entry.start as usize..][..entry.len as usize]
    }

    /// Returns the variable of the atom, and whether it is new. For a new atom the SAT solver needs a variable.
    pub(crate) fn intern(&mut self, kind: AtomKind, args: &[Pattern]) -> (Var, bool) {
        let ordered: [Pattern; 2];
        let args = match (kind, args) {
            (AtomKind::Eq, &[a, b]) if b < a => {
                ordered = [b, a];
                &ordered[..]
            }
            _ => args,
        };
        let hash = hash_of(kind, args);
        let same = |&other: &Var| {
            let entry = &self.entries[other];
            entry.kind == kind && self.args[entry.start as usize..][..entry.len as usize] == *args
        };
        if let Some(&found) = self.table.find(hash, same) {
            return (found, false);
        }
        let start = self.args.len() as u32;
        self.args.extend_from_slice(args);
        let var = self.entries.push(Entry { kind, start, len: args.len() as u32 });
        let (entries, all_args) = (&self.entries, &self.args);
        self.table.insert_unique(hash, var, |&other| {
            let entry = &entries[other];
            hash_of(entry.kind, &all_args[entry.start as usize..][..entry.len as usize])
        });
        (var, true)
    }
}

typed_id! {
    /// A ground clause.
    pub(crate) struct GroundId;
}

#[derive(Clone, Copy, Debug)]
struct GroundClause {
    start: u32,
    len: u32,
    /// Whether it has no literals because it is true, and not because it is false.
    is_true: bool,
}

/// Ground clauses, addressed by [`GroundId`].
///
/// A clause is *live* if all its terms occur in the current query. Only live clauses must hold in the candidate
/// structure. Instances of earlier queries are *dormant* until their terms occur again: the SAT solver keeps them, but
/// they do not enlarge the candidate structure.
#[derive(Clone, Debug, Default)]
pub(crate) struct GroundClauses {
    clauses: IdVec<GroundId, GroundClause>,
    lits: Vec<Lit>,
    /// Clauses of assertions outside of all scopes, without instances.
    pub(crate) base: Vec<GroundId>,
}

impl GroundClauses {
    pub(crate) fn push(&mut self, lits: &[Lit]) -> GroundId {
        let start = self.lits.len() as u32;
        self.lits.extend_from_slice(lits);
        self.clauses.push(GroundClause { start, len: lits.len() as u32, is_true: false })
    }

    /// Adds a trivially true clause.
    pub(crate) fn push_true(&mut self) -> GroundId {
        self.clauses.push(GroundClause { start: self.lits.len() as u32, len: 0, is_true: true })
    }

    /// Checks whether the clause is trivially true.
    pub(crate) fn is_true(&self, clause: GroundId) -> bool {
        self.clauses[clause].is_true
    }

    /// Returns the number of clauses and literals.
    pub(crate) fn size(&self) -> usize {
        self.clauses.len() + self.lits.len()
    }

    pub(crate) fn lits(&self, clause: GroundId) -> &[Lit] {
        let ground = self.clauses[clause];
        &self.lits[ground.start as usize..][..ground.len as usize]
    }
}

/// The set of terms that occur in the current query.
#[derive(Clone, Debug, Default)]
pub(crate) struct LiveTerms {
    /// By term, the number of the last query in which it occurred.
    stamp: Vec<u32>,
    now: u32,
    /// Terms that have become live since this list was last taken.
    pub(crate) fresh: Vec<Pattern>,
}

impl LiveTerms {
    pub(crate) fn start(&mut self) {
        self.now += 1;
        self.fresh.clear();
    }

    pub(crate) fn contains(&self, term: Pattern) -> bool {
        self.stamp.get(term.index()) == Some(&self.now)
    }

    /// Marks `term` and its subterms as live.
    pub(crate) fn mark(&mut self, bank: &Bank, term: Pattern) {
        if self.contains(term) {
            return;
        }
        if self.stamp.len() <= term.index() {
            self.stamp.resize(bank.len(), 0);
        }
        self.stamp[term.index()] = self.now;
        self.fresh.push(term);
        for &arg in bank.args(term) {
            self.mark(bank, arg);
        }
    }

    pub(crate) fn mark_clause(&mut self, bank: &Bank, atoms: &Atoms, lits: &[Lit]) {
        for lit in lits {
            for &arg in atoms.args(lit.var()) {
                self.mark(bank, arg);
            }
        }
    }

    /// Returns a term of the clause that is not live, if any.
    pub(crate) fn missing(&self, atoms: &Atoms, lits: &[Lit]) -> Option<Pattern> {
        lits.iter().flat_map(|lit| atoms.args(lit.var())).copied().find(|&arg| !self.contains(arg))
    }
}
