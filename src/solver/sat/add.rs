//! Addition of clauses under any assignment.

use super::arena::ClauseRef;
use super::lit::{ClauseId, Lit};
use super::observer::Observer;
use super::solver::Solver;
use ramsey_core::base::ids::Id;

impl<O: Observer> Solver<O> {
    /// Adds a clause. Its variables must exist. Repeated and complementary literals are allowed.
    ///
    /// The current assignment is undone only as far as the clause is unit or false under it.
    pub fn add_clause(&mut self, lits: &[Lit]) {
        debug_assert!(lits.iter().all(|lit| lit.var().index() < self.num_vars()), "variables must exist");
        let id = self.fresh_id();
        if O::ACTIVE {
            self.observer.original(id, lits);
        }
        if self.refuted {
            return;
        }
        let mut clause = std::mem::take(&mut self.clause);
        clause.clear();
        clause.extend_from_slice(lits);
        clause.sort_unstable();
        clause.dedup();
        let useless = clause.windows(2).any(|pair| pair[0] == !pair[1])
            || clause.iter().any(|&lit| self.fixed(lit) == Some(true));
        if useless {
            if O::ACTIVE {
                self.observer.deleted(id, lits);
            }
        } else {
            clause.retain(|&lit| self.fixed(lit).is_none());
            let id = if clause.len() < lits.len() { self.derive_shortened(&clause, lits, id) } else { id };
            self.insert(&mut clause, id);
        }
        self.clause = clause;
    }

    /// Derives `clause` from the clause `id` with literals `from`, by removing literals that are repeated or false at
    /// the root, and deletes the clause `id`.
    pub(super) fn derive_shortened(&mut self, clause: &[Lit], from: &[Lit], id: ClauseId) -> ClauseId {
        let shorter = self.fresh_id();
        if O::ACTIVE {
            let mut hints = std::mem::take(&mut self.analysis.hints);
            hints.clear();
            hints.extend(
                from.iter()
                    .filter(|&&lit| self.fixed(lit) == Some(false))
                    .map(|lit| self.unit_ids[lit.var().index()]),
            );
            hints.sort_unstable();
            hints.dedup();
            hints.push(id);
            self.observer.learned(shorter, clause, &hints);
            self.observer.deleted(id, from);
            self.analysis.hints = hints;
        }
        shorter
    }

    /// Inserts a clause of distinct variables that are unassigned at the root.
    fn insert(&mut self, clause: &mut [Lit], id: ClauseId) {
        match *clause {
            [] => {
                self.refuted = true;
                self.core_clause = O::ACTIVE.then_some(id);
            }
            [unit] => {
                self.backtrack(0);
                self.assign_unit(unit, id);
            }
            [..] => {
                // Unassigned and true literals come first, then the false ones by descending level. The first two
                // literals then satisfy the watch invariant, and the level of the second is the one at which a unit
                // clause propagates.
                let rank = |lit: &Lit| match self.val(*lit) {
                    0 => u32::MAX,
                    1 => u32::MAX - 1,
                    _ => self.var_info(*lit).level,
                };
                for place in 0..2 {
                    let best = (place..clause.len()).fold(place, |best, at| {
                        if rank(&clause[at]) > rank(&clause[best]) { at } else { best }
                    });
                    clause.swap(place, best);
                }
                let reference = self.attach(clause, id, false, 0);
                self.repair(clause[0], clause[1], reference);
            }
        }
    }

    /// Restores the watch invariant for a new clause with the first literals `first` and `second`.
    fn repair(&mut self, first: Lit, second: Lit, clause: ClauseRef) {
        if self.val(second) >= 0 {
            return;
        }
        // All literals but the first are false at this level or below.
        let level = self.var_info(second).level;
        match self.val(first) {
            1 if self.var_info(first).level <= level => {}
            -1 if self.var_info(first).level == level => {
                // Two literals became false at the same level; below it both are unassigned.
                self.backtrack(level - 1);
            }
            _ => {
                self.backtrack(level);
                self.assign(first, clause);
            }
        }
    }
}
