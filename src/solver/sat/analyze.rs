//! Conflict analysis: derivation of a first-UIP clause from a false clause.

use super::arena::ClauseRef;
use super::lit::Lit;
use super::observer::Observer;
use super::solver::Solver;
use crate::telemetry::{SAT, event};
use ramsey_core::base::ids::Id;

/// Mark of a variable whose literal was met in the analysis.
pub(super) const SEEN: u8 = 1;
/// Mark of a variable whose literal is not implied by the rest of the clause, found by minimization.
pub(super) const POISON: u8 = 1 << 1;
/// Mark of a variable whose literal is implied by the rest of the clause, found by minimization.
pub(super) const REMOVABLE: u8 = 1 << 2;
/// Mark of a variable whose literal is in the clause to explain.
pub(super) const KEPT: u8 = 1 << 3;
/// Mark of a variable whose reason is part of the explanation.
pub(super) const EXPLAINED: u8 = 1 << 4;

impl<O: Observer> Solver<O> {
    /// Learns a clause from a conflict above the root, backjumps and asserts the learned clause.
    pub(super) fn learn_from(&mut self, conflict: ClauseRef) {
        self.stats.conflicts += 1;
        self.note_assignment();
        self.resolve(conflict);
        let glue = self.analysis.levels.len() as u32 - 1;
        self.restart.note_conflict(glue, self.mode.stable);

        let before = self.analysis.learned.len();
        self.minimize();
        if O::ACTIVE {
            // Binary strengthening replaces reasons on the trail by clauses that are not on it. The explanation is
            // therefore made for the clause before strengthening, and the binary clauses are put in front.
            let learned = std::mem::take(&mut self.analysis.learned);
            self.explain(&learned, conflict);
            self.analysis.learned = learned;
        }
        self.strengthen_by_binaries(glue);
        self.stats.minimized_literals += (before - self.analysis.learned.len()) as u64;

        self.bump_analyzed();
        let mut learned = std::mem::take(&mut self.analysis.learned);
        event!(Trace, SAT, "conflict {}: {} literals, glue {glue}", self.stats.conflicts, learned.len());
        self.forget_analysis();
        self.assert_learned(&mut learned, glue);
        self.analysis.learned = learned;
    }

    /// Resolves `conflict` with the reasons of its literals until one literal of the last level is left.
    fn resolve(&mut self, conflict: ClauseRef) {
        let level = self.level();
        let Solver { analysis, arena, vars, levels, trail, .. } = self;
        analysis.learned.clear();
        analysis.learned.push(Lit::new(0));
        let mut open = 0;
        let mut at = trail.len();
        let mut clause = conflict;
        let point = loop {
            if arena.is_learned(clause) {
                analysis.used.push(clause);
            }
            for &lit in arena.lits(clause) {
                let var = lit.var();
                let info = vars[var.index()];
                if info.level == 0 || analysis.flags[var.index()] & SEEN != 0 {
                    continue;
                }
                analysis.flags[var.index()] |= SEEN;
                analysis.analyzed.push(var);
                let on = &mut levels[info.level as usize - 1];
                if on.seen == 0 {
                    analysis.levels.push(info.level);
                }
                on.seen += 1;
                on.first_seen = on.first_seen.min(info.trail);
                if info.level == level {
                    open += 1;
                } else {
                    analysis.learned.push(lit);
                }
            }
            debug_assert!(open > 0, "a conflict has a literal of the last level");
            let resolved = loop {
                at -= 1;
                let lit = trail[at];
                if analysis.flags[lit.var().index()] & SEEN != 0 {
                    break lit;
                }
            };
            open -= 1;
            if open == 0 {
                break resolved;
            }
            clause = vars[resolved.var().index()].reason;
        };
        analysis.learned[0] = !point;
        self.refresh_used();
    }

    /// Marks learned clauses that took part in the conflict as used, and updates their glue if it has improved.
    fn refresh_used(&mut self) {
        let mut used = std::mem::take(&mut self.analysis.used);
        for &clause in &used {
            let glue = self.arena.glue(clause);
            if glue > self.config.core_glue {
                let now = self.current_glue(clause);
                if now < glue {
                    self.arena.set_glue(clause, now);
                }
            }
            let glue = self.arena.glue(clause);
            self.arena.set_used(clause, if glue <= self.config.tier2_glue { 2 } else { 1 });
        }
        used.clear();
        self.analysis.used = used;
    }

    /// Returns the number of levels, less one, in a clause whose literals are all assigned.
    fn current_glue(&mut self, clause: ClauseRef) -> u32 {
        let Solver { analysis, arena, vars, levels, .. } = self;
        analysis.clock += 1;
        if analysis.stamps.len() <= levels.len() {
            analysis.stamps.resize(levels.len() + 1, 0);
        }
        let mut count: u32 = 0;
        for lit in arena.lits(clause) {
            let stamp = &mut analysis.stamps[vars[lit.var().index()].level as usize];
            if *stamp != analysis.clock {
                *stamp = analysis.clock;
                count += 1;
            }
        }
        count.saturating_sub(1)
    }

    /// Clears the marks of an analysis.
    fn forget_analysis(&mut self) {
        let Solver { analysis, levels, .. } = self;
        for var in analysis.analyzed.drain(..) {
            analysis.flags[var.index()] = 0;
        }
        for var in analysis.minimized.drain(..) {
            analysis.flags[var.index()] = 0;
        }
        for level in analysis.levels.drain(..) {
            let level = &mut levels[level as usize - 1];
            level.seen = 0;
            level.first_seen = u32::MAX;
        }
    }

    /// Adds the learned clause, with its antecedents in `analysis.hints`, and backjumps to the level where it is unit.
    fn assert_learned(&mut self, learned: &mut [Lit], glue: u32) {
        self.stats.learned += 1;
        self.stats.learned_literals += learned.len() as u64;
        let id = self.fresh_id();
        if O::ACTIVE {
            self.observer.learned(id, learned, &self.analysis.hints);
        }
        let point = learned[0];
        if learned.len() == 1 {
            self.backtrack(0);
            self.assign_unit(point, id);
            return;
        }
        let level = |at: usize| self.var_info(learned[at]).level;
        let second = (2..learned.len()).fold(1, |best, at| if level(at) > level(best) { at } else { best });
        let jump = level(second);
        learned.swap(1, second);
        let clause = self.attach(learned, id, true, glue.min(learned.len() as u32 - 1));
        self.arena.set_used(clause, if glue <= self.config.tier2_glue { 2 } else { 1 });
        self.backtrack(jump);
        self.assign(point, clause);
    }
}
