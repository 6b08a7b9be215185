//! Vivification: shortening of learned clauses by propagating the negations of their literals.

use super::arena::ClauseRef;
use super::lit::Lit;
use super::observer::Observer;
use super::solver::Solver;
use crate::telemetry::{SAT, event};
use ramsey_core::base::ids::Id;

/// Maximum number of clauses per round; beyond it the scheduling alone costs too much.
const MAX_CANDIDATES: usize = 20_000;

/// Result of propagating the negation of a clause.
enum Finding {
    /// The clause follows from the others. A learned clause can be removed.
    Redundant,
    /// Some of its literals suffice; they are in `Solver::clause`.
    Shorter,
    Nothing,
}

impl<O: Observer> Solver<O> {
    /// Checks whether vivification is due.
    pub(super) fn is_vivify_due(&self) -> bool {
        self.stats.conflicts >= self.schedule.vivify
    }

    /// Vivifies learned clauses of low glue, those not tried yet first. The work is limited to a share of the work of
    /// the search.
    pub(super) fn vivify(&mut self) {
        self.stats.vivifications += 1;
        let before = self.stats;
        self.backtrack(0);
        let limit =
            self.stats.ticks + (self.stats.ticks - self.schedule.vivified) * self.config.vivify_percent / 100;
        self.collect();
        for (clause, lits) in self.vivify_candidates() {
            if self.stats.ticks > limit || self.refuted {
                break;
            }
            if !self.arena.is_garbage(clause) {
                self.vivify_clause(clause, &lits);
            }
        }
        self.backtrack(0);
        self.schedule.vivified = self.stats.ticks;
        event!(
            Debug,
            SAT,
            "vivification {} at {} conflicts: {} clauses tried, {} shortened or removed",
            before.vivifications,
            before.conflicts,
            self.stats.vivify_tried - before.vivify_tried,
            self.stats.vivified - before.vivified
        );
        self.schedule.vivify =
            self.stats.conflicts + self.config.vivify_interval * (self.stats.vivifications + 1);
    }

    /// Returns the clauses to try, each with its literals ordered by number of occurrences. Clauses that share literals
    /// then share decisions, and sorting makes them adjacent.
    fn vivify_candidates(&mut self) -> Vec<(ClauseRef, Vec<Lit>)> {
        let mut occurrences = vec![0u32; self.values.len()];
        let mut clauses = Vec::new();
        for clause in self.arena.iter() {
            self.arena.lits(clause).iter().for_each(|lit| occurrences[lit.index()] += 1);
            let candidate = self.arena.is_learned(clause)
                && self.arena.len(clause) > 2
                && self.arena.glue(clause) <= self.config.tier2_glue;
            if candidate {
                clauses.push(clause);
            }
        }
        if clauses.iter().all(|&clause| self.arena.is_vivified(clause)) {
            clauses.iter().for_each(|&clause| self.arena.set_vivified(clause, false));
        }
        clauses.retain(|&clause| !self.arena.is_vivified(clause));
        clauses.truncate(MAX_CANDIDATES);
        let key = |lit: &Lit| (std::cmp::Reverse(occurrences[lit.index()]), *lit);
        let mut candidates: Vec<(ClauseRef, Vec<Lit>)> = clauses
            .into_iter()
            .map(|clause| {
                let mut lits = self.arena.lits(clause).to_vec();
                lits.sort_unstable_by_key(key);
                (clause, lits)
            })
            .collect();
        candidates.sort_by(|(_, a), (_, b)| a.iter().map(key).cmp(b.iter().map(key)));
        candidates
    }

    /// Tries to shorten `clause`; `lits` are its literals in the order of decision.
    fn vivify_clause(&mut self, clause: ClauseRef, lits: &[Lit]) {
        self.stats.vivify_tried += 1;
        self.arena.set_vivified(clause, true);
        // Keeps the decisions of the previous clause that this clause shares.
        let same = self.levels.iter().zip(lits).take_while(|(level, lit)| level.decision == !**lit).count();
        self.backtrack(same as u32);
        if lits.iter().any(|&lit| self.fixed(lit) == Some(true)) {
            // The clause is true at the root by a unit clause found in this round.
            self.backtrack(0);
            self.detach(clause);
            return;
        }
        let mut kept = std::mem::take(&mut self.clause);
        match self.probe(clause, lits, &mut kept) {
            Finding::Redundant => {
                self.stats.vivified += 1;
                self.backtrack(0);
                self.detach(clause);
            }
            Finding::Shorter => {
                self.stats.vivified += 1;
                if let Some(new) = self.replace(clause, &kept) {
                    self.arena.set_vivified(new, true);
                }
            }
            Finding::Nothing => {}
        }
        self.clause = kept;
    }

    /// Decides the negations of `lits` until there is a conflict, another literal is implied, or all are decided.
    fn probe(&mut self, clause: ClauseRef, lits: &[Lit], kept: &mut Vec<Lit>) -> Finding {
        let mut start = clause;
        let mut implied = None;
        let mut conflicting = false;
        for &lit in lits {
            match self.val(lit) {
                0 => {
                    self.decide_literal(!lit);
                    if let Some(conflict) = self.propagate() {
                        start = conflict;
                        conflicting = true;
                        break;
                    }
                }
                1 => {
                    // Implied by another clause, or by this one if all its other literals are false.
                    start = self.var_info(lit).reason;
                    implied = Some(lit);
                    break;
                }
                _ => {}
            }
        }
        if !conflicting && implied.is_none() {
            // This clause itself may have implied its last literal.
            implied = lits.iter().copied().find(|&lit| self.val(lit) > 0);
        }
        self.reached_decisions(start, implied, kept);
        if O::ACTIVE && kept.len() < lits.len() {
            self.explain(kept, start);
        }
        if conflicting {
            // The propagation was interrupted by the conflict.
            self.backtrack(self.level() - 1);
        }
        if kept.len() < lits.len() {
            Finding::Shorter
        } else if start != clause && implied.is_some() {
            Finding::Redundant
        } else {
            Finding::Nothing
        }
    }

    /// Replaces `clause` by `kept`, with the antecedents in `analysis.hints`. Returns the new reference, or `None` if
    /// `kept` is a unit clause.
    pub(super) fn replace(&mut self, clause: ClauseRef, kept: &[Lit]) -> Option<ClauseRef> {
        let id = self.fresh_id();
        if O::ACTIVE {
            self.observer.learned(id, kept, &self.analysis.hints);
        }
        self.backtrack(0);
        let learned = self.arena.is_learned(clause);
        let glue = self.arena.glue(clause);
        let used = self.arena.used(clause);
        self.detach(clause);
        if let [unit] = *kept {
            self.assign_unit(unit, id);
            if let Some(conflict) = self.propagate() {
                self.refute(conflict);
            }
            return None;
        }
        let new = self.attach(kept, id, learned, glue.min(kept.len() as u32 - 1));
        self.arena.set_used(new, used);
        Some(new)
    }
}
