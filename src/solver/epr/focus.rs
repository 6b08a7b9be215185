//! The atoms that a query decides, where most atoms are those of earlier queries.

use super::atoms::{GroundClauses, GroundId};
use crate::sat::{Lit, Silent, Solver as Sat, Var};

/// Minimum number of atoms for each live clause of the query before.
const MIN_ATOMS_PER_CLAUSE: usize = 12;

/// Minimum number of atoms. Few are decided faster than they are told apart.
const MIN_ATOMS: usize = 1_000;

/// Limits the SAT solver to the atoms of live clauses and of lemmas about them. Values of other atoms would only satisfy dormant
/// clauses, and a candidate that violates one is found by the join like any other.
#[derive(Clone, Debug, Default)]
pub(super) struct Focus {
    /// Whether all queries are limited, and not only those where that saves time.
    pub(super) always: bool,
    /// Whether the current query is limited.
    pub(super) is_on: bool,
    /// Whether the SAT solver is limited, by this or an earlier query.
    is_set: bool,
    /// The live clauses of the last query that had any, if there was one. All of them are in its focus.
    live: Option<Vec<GroundId>>,
    /// Atoms that come into the focus in the next round.
    fresh: Vec<Var>,
}

impl Focus {
    /// Begins a query with so many atoms. Limits it if that pays.
    pub(super) fn begin(&mut self, sat: &mut Sat<Silent>, atoms: usize) {
        let pays = |live: &Vec<GroundId>| atoms > MIN_ATOMS.max(MIN_ATOMS_PER_CLAUSE * live.len());
        self.is_on = self.always || self.live.as_ref().is_some_and(pays);
        self.fresh.clear();
        if self.is_on || self.is_set {
            sat.set_scope(self.is_on.then_some(&[]));
        }
        self.is_set = self.is_on;
    }

    /// Adds the atoms of a lemma.
    pub(super) fn add(&mut self, lemma: &[Lit]) {
        if self.is_on {
            self.fresh.extend(lemma.iter().map(|lit| lit.var()));
        }
    }

    /// Adds the atoms of the live clauses that were not seen.
    pub(super) fn extend(
        &mut self,
        sat: &mut Sat<Silent>,
        ground: &GroundClauses,
        seen: &mut usize,
        live: &[GroundId],
    ) {
        if !self.is_on {
            return;
        }
        for &clause in &live[std::mem::replace(seen, live.len())..] {
            self.fresh.extend(ground.lits(clause).iter().map(|lit| lit.var()));
        }
        sat.extend_scope(&self.fresh);
        self.fresh.clear();
    }

    /// Ends a query with these live clauses, if it has any.
    pub(super) fn end(&mut self, live: Option<Vec<GroundId>>) {
        self.live = live.or_else(|| self.live.take());
    }

    /// Returns the live clauses of the last query if it was limited to them.
    pub(super) fn clauses(&self) -> Option<&[GroundId]> {
        self.live.as_deref().filter(|_| self.is_on)
    }
}
