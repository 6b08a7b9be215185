//! Unit propagation over the watch lists.

use super::arena::ClauseRef;
use super::lit::Lit;
use super::observer::Observer;
use super::solver::{Solver, VarInfo};
use super::watch::Watch;
use ramsey_core::base::ids::Id;

/// Watches per cache line.
const WATCHES_PER_TICK: usize = 8;

impl<O: Observer> Solver<O> {
    /// Propagates all literals on the trail. Returns a clause that became false, if any.
    pub(super) fn propagate(&mut self) -> Option<ClauseRef> {
        let before = self.head;
        let mut ticks = 0;
        let mut conflict = None;
        while conflict.is_none() {
            let Some(&lit) = self.trail.get(self.head) else { break };
            self.head += 1;
            conflict = self.visit(!lit, &mut ticks);
        }
        self.stats.propagations += (self.head - before) as u64;
        self.stats.ticks += ticks;
        if self.levels.is_empty() {
            self.settle();
        }
        conflict
    }

    /// Visits the clauses in the watch list of `falsified`.
    #[inline]
    fn visit(&mut self, falsified: Lit, ticks: &mut u64) -> Option<ClauseRef> {
        let (start, end) = self.watches.range(falsified);
        *ticks += 1 + ((end - start) / WATCHES_PER_TICK) as u64;
        let level = self.levels.len() as u32;
        // Root literals are propagated to all clauses, because they stay when the scope changes.
        let is_limited = self.scope.is_limited() && level > 0;
        let Solver { values, vars, trail, arena, watches, moved, scope, .. } = self;
        let values = values.as_mut_slice();
        let list = &mut watches.pool[start..end];
        let mut assign = |values: &mut [i8], lit: Lit, reason: ClauseRef| {
            values[lit.index()] = 1;
            values[(!lit).index()] = -1;
            vars[lit.var().index()] = VarInfo { level, reason, trail: trail.len() as u32 };
            trail.push(lit);
        };
        let mut conflict = None;
        let (mut read, mut write) = (0, 0);
        while read < list.len() {
            let watch = list[read];
            list[write] = watch;
            read += 1;
            write += 1;
            let blocked = values[watch.blocker.index()];
            if blocked > 0 {
                continue;
            }
            if is_limited && blocked == 0 && !scope.contains(watch.blocker.var()) {
                // The literal stays unassigned, so the clause cannot become unit or false.
                continue;
            }
            let clause = watch.clause();
            if watch.is_binary() {
                if blocked < 0 {
                    conflict = Some(clause);
                    break;
                }
                assign(values, watch.blocker, clause);
                continue;
            }
            *ticks += 1;
            let (lits, position) = arena.lits_and_position(clause);
            let other = Lit::from_word(lits[0].word() ^ lits[1].word() ^ falsified.word());
            let other_value = values[other.index()];
            if other_value > 0 {
                list[write - 1] = watch.blocked_by(other);
                continue;
            }
            let from = (position.word() as usize).min(lits.len());
            let (before, behind) = lits.split_at(from);
            let not_false = |lit: &Lit| values[lit.index()] >= 0;
            let found = match behind.iter().position(not_false) {
                Some(at) => Some(from + at),
                None => before.iter().skip(2).position(not_false).map(|at| at + 2),
            };
            if let Some(at) = found {
                *position = Lit::from_word(at as u32);
                let lit = lits[at];
                if values[lit.index()] > 0 {
                    // A true literal is a valid blocker even if it is not watched.
                    list[write - 1] = watch.blocked_by(lit);
                } else {
                    lits[0] = other;
                    lits[1] = lit;
                    lits[at] = falsified;
                    moved.push((lit, Watch::new(other, clause, false)));
                    write -= 1;
                }
                continue;
            }
            list[write - 1] = watch.blocked_by(other);
            if other_value < 0 {
                conflict = Some(clause);
                break;
            }
            if is_limited && !scope.contains(other.var()) {
                continue;
            }
            assign(values, other, clause);
        }
        if write < read {
            list.copy_within(read.., write);
            watches.truncate(falsified, end - (read - write));
        }
        // Deferred, because lists must not move while one of them is read.
        for (lit, watch) in moved.drain(..) {
            watches.push(lit, watch);
        }
        conflict
    }

    /// Converts literals that propagation assigned at the root into unit clauses.
    fn settle(&mut self) {
        while let Some(&lit) = self.trail.get(self.settled) {
            self.settled += 1;
            let index = lit.var().index();
            let reason = std::mem::replace(&mut self.vars[index].reason, ClauseRef::NONE);
            if O::ACTIVE && reason != ClauseRef::NONE {
                let id = self.fresh_id();
                self.explain(&[lit], reason);
                self.observer.learned(id, &[lit], &self.analysis.hints);
                self.unit_ids[index] = id;
            }
        }
    }
}
