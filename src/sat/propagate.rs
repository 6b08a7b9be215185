//! Unit propagation over the watch lists.

use super::arena::ClauseRef;
use super::lit::Lit;
use super::observer::Observer;
use super::solver::Solver;
use super::watch::Watch;
use crate::base::ids::Id;

/// Watches per cache line.
const WATCHES_PER_TICK: usize = 8;

impl<O: Observer> Solver<O> {
    /// Propagates all literals on the trail; returns a clause that became false, if any.
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

    /// Visits the clauses watched by `falsified`.
    #[inline]
    fn visit(&mut self, falsified: Lit, ticks: &mut u64) -> Option<ClauseRef> {
        let (start, end) = self.watches.range(falsified);
        *ticks += 1 + ((end - start) / WATCHES_PER_TICK) as u64;
        let mut conflict = None;
        let (mut read, mut write) = (start, start);
        'watches: while read < end {
            let watch = self.watches.pool[read];
            read += 1;
            let blocked = self.values[watch.blocker.index()];
            if blocked > 0 {
                self.watches.pool[write] = watch;
                write += 1;
                continue;
            }
            let clause = watch.clause();
            if watch.is_binary() {
                self.watches.pool[write] = watch;
                write += 1;
                if blocked < 0 {
                    conflict = Some(clause);
                    break;
                }
                self.assign(watch.blocker, clause);
                continue;
            }
            *ticks += 1;
            let (lits, position) = self.arena.lits_and_position(clause);
            let other = Lit::from_word(lits[0].word() ^ lits[1].word() ^ falsified.word());
            let other_value = self.values[other.index()];
            if other_value > 0 {
                self.watches.pool[write] = watch.blocked_by(other);
                write += 1;
                continue;
            }
            let values = &self.values;
            let from = (position.word() as usize).min(lits.len());
            let not_false = |&(_, lit): &(usize, &Lit)| values[lit.index()] >= 0;
            let replacement = lits
                .iter()
                .enumerate()
                .skip(from)
                .find(not_false)
                .or_else(|| lits[..from].iter().enumerate().skip(2).find(not_false))
                .map(|(at, &lit)| (at, lit, values[lit.index()]));
            if let Some((at, lit, value)) = replacement {
                *position = Lit::from_word(at as u32);
                if value > 0 {
                    // A true literal that is not watched blocks as well as one that is.
                    self.watches.pool[write] = watch.blocked_by(lit);
                    write += 1;
                } else {
                    lits[0] = other;
                    lits[1] = lit;
                    lits[at] = falsified;
                    self.watches.push(lit, Watch::new(other, clause, false));
                }
                continue 'watches;
            }
            self.watches.pool[write] = watch.blocked_by(other);
            write += 1;
            if other_value < 0 {
                conflict = Some(clause);
                break;
            }
            self.assign(other, clause);
        }
        if write < read {
            self.watches.pool.copy_within(read..end, write);
            self.watches.truncate(falsified, write + (end - read));
        }
        conflict
    }

    /// Turns the literals that propagation made true at the root into unit clauses.
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
