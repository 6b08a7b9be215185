//! Minimization of learned clauses: removal of literals implied by the others.

use super::analyze::{POISON, REMOVABLE, SEEN};
use super::arena::ClauseRef;
use super::lit::Lit;
use super::observer::Observer;
use super::solver::Solver;
use ramsey_core::base::ids::Id;

/// Maximum recursion depth. Longer chains of reasons are rare, and the stack is finite.
const MAX_DEPTH: u32 = 500;
/// Maximum clause length for binary strengthening, which pays only on short clauses of low glue (Audemard and Simon,
/// Glucose).
const MAX_BINARY_LEN: usize = 30;
const MAX_BINARY_GLUE: u32 = 6;

impl<O: Observer> Solver<O> {
    /// Removes the literals of the learned clause that follow from the others through their reasons.
    pub(super) fn minimize(&mut self) {
        let mut learned = std::mem::take(&mut self.analysis.learned);
        let mut kept = 1;
        for at in 1..learned.len() {
            let lit = learned[at];
            if !self.is_implied(lit, 0) {
                learned[kept] = lit;
                kept += 1;
            }
        }
        learned.truncate(kept);
        self.analysis.learned = learned;
    }

    /// Checks whether the other literals of the learned clause imply that `lit` is false.
    fn is_implied(&mut self, lit: Lit, depth: u32) -> bool {
        let index = lit.var().index();
        let info = self.vars[index];
        let flags = self.analysis.flags[index];
        if info.level == 0 || flags & REMOVABLE != 0 || (depth > 0 && flags & SEEN != 0) {
            return true;
        }
        if info.reason == ClauseRef::NONE || flags & POISON != 0 || depth > MAX_DEPTH {
            return false;
        }
        // A literal can only be implied by earlier literals of its level and by literals of other levels in the clause.
        let level = &self.levels[info.level as usize - 1];
        if (depth == 0 && level.seen < 2) || info.trail <= level.first_seen {
            return false;
        }
        let mut implied = true;
        for at in 0..self.arena.len(info.reason) {
            let other = self.arena.lits(info.reason)[at];
            if other != !lit && !self.is_implied(other, depth + 1) {
                implied = false;
                break;
            }
        }
        self.analysis.flags[index] |= if implied { REMOVABLE } else { POISON };
        self.analysis.minimized.push(lit.var());
        implied
    }

    /// Removes a literal `l` from the learned clause if there is a binary clause of its first literal `p` and `!l`.
    /// Puts those binary clauses in front of the hints: they become unit if `p` is false.
    pub(super) fn strengthen_by_binaries(&mut self, glue: u32) {
        let Solver { analysis, arena, watches, stats, .. } = self;
        if analysis.learned.len() < 3 || analysis.learned.len() > MAX_BINARY_LEN || glue > MAX_BINARY_GLUE {
            return;
        }
        let point = analysis.learned[0];
        let list = watches.list(point);
        stats.ticks += (list.len() / 8) as u64;
        for watch in list {
            if !watch.is_binary() {
                continue;
            }
            let lit = !watch.blocker;
            if analysis.flags[lit.var().index()] & SEEN == 0 {
                continue;
            }
            if let Some(at) = analysis.learned.iter().skip(1).position(|&other| other == lit) {
                analysis.learned.swap_remove(at + 1);
                if O::ACTIVE {
                    analysis.hints.insert(0, arena.id(watch.clause()));
                }
            }
        }
    }
}
