//! Garbage collection of the clause arena, with simplification by root literals.

use super::arena::{Arena, ClauseRef};
use super::observer::Observer;
use super::solver::Solver;
use super::watch::Watch;
use ramsey_core::base::ids::Id;

/// Minimum ticks since the last collection, per word of a collection.
const WORK_PER_WORD: u64 = 2;

impl<O: Observer> Solver<O> {
    /// Checks whether new root literals justify a collection between two solves.
    pub(super) fn is_collect_due(&self) -> bool {
        self.settled > self.schedule.collected_units
            && self.stats.ticks - self.schedule.collected
                > WORK_PER_WORD * (self.arena.size() + self.watches.size()) as u64
    }

    /// Removes garbage and clauses that are true at the root, removes literals that are false at the root, and compacts
    /// the arena. Everything on the trail must have been propagated.
    pub(super) fn collect(&mut self) {
        self.stats.collections += 1;
        self.schedule.collected = self.stats.ticks;
        if self.settled > self.schedule.collected_units {
            self.forget_satisfied();
        }
        if self.arena.wasted() == 0 && self.settled == self.schedule.collected_units {
            return;
        }
        self.move_clauses();
        self.schedule.collected_units = self.settled;
    }

    fn forget_satisfied(&mut self) {
        let mut next = self.arena.first();
        while let Some(clause) = next {
            next = self.arena.next(clause);
            if self.arena.lits(clause).iter().any(|&lit| self.fixed(lit) == Some(true)) {
                self.forget(clause);
            }
        }
    }

    fn move_clauses(&mut self) {
        let mut old: Arena = std::mem::take(&mut self.arena);
        let mut new = old.successor();
        let mut next = old.first();
        let shorten = self.settled > self.schedule.collected_units;
        let mut literals = std::mem::take(&mut self.clause);
        while let Some(clause) = next {
            next = old.next(clause);
            let mut id = old.id(clause);
            if shorten && old.lits(clause).iter().any(|&lit| self.fixed(lit).is_some()) {
                literals.clear();
                literals.extend(old.lits(clause).iter().filter(|&&lit| self.fixed(lit).is_none()));
                id = self.derive_shortened(&literals, old.lits(clause), id);
            }
            new.adopt(&mut old, clause, id, |lit| shorten && self.fixed(lit).is_some());
        }
        self.clause = literals;
        for lit in &self.trail {
            let reason = &mut self.vars[lit.var().index()].reason;
            if *reason != ClauseRef::NONE {
                debug_assert!(old.moved(*reason).is_some(), "reasons are never garbage");
                *reason = old.moved(*reason).unwrap_or(ClauseRef::NONE);
            }
        }
        self.watches.rebuild(|lit, watch| {
            let clause = old.moved(watch.clause())?;
            let lits = new.lits(clause);
            let binary = lits.len() == 2;
            let blocker = if binary { if lits[0] == lit { lits[1] } else { lits[0] } } else { watch.blocker };
            Some(Watch::new(blocker, clause, binary))
        });
        self.arena = new;
    }
}
