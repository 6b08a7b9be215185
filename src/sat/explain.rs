//! Which clauses a derived clause follows from.

use super::analyze::{EXPLAINED, KEPT, SEEN};
use super::arena::ClauseRef;
use super::lit::Lit;
use super::observer::Observer;
use super::solver::Solver;
use crate::base::ids::Id;

impl<O: Observer> Solver<O> {
    /// Collects in `analysis.hints` the antecedents of the clause `kept`, in order: the clause `last` is false
    /// once the literals of `kept` are (each has a value, and `last` contains it or the reasons lead to it).
    ///
    /// Reasons in the order of the trail are a valid order of propagation whatever path the analysis took, so
    /// no part of it needs to keep account. Called before anything is undone, and only where observed.
    pub(super) fn explain(&mut self, kept: &[Lit], last: ClauseRef) {
        for lit in kept {
            self.analysis.flags[lit.var().index()] |= KEPT;
        }
        let analysis = &mut self.analysis;
        analysis.hints.clear();
        analysis.chain.clear();
        let mut clause = last;
        let mut done = 0;
        loop {
            for lit in self.arena.lits(clause) {
                let var = lit.var();
                let flags = &mut analysis.flags[var.index()];
                if *flags & (KEPT | EXPLAINED) != 0 {
                    continue;
                }
                *flags |= EXPLAINED;
                analysis.explained.push(var);
                let info = self.vars[var.index()];
                if info.level == 0 && info.reason == ClauseRef::NONE {
                    analysis.hints.push(self.unit_ids[var.index()]);
                } else {
                    debug_assert_ne!(info.reason, ClauseRef::NONE, "decisions are kept");
                    analysis.chain.push((info.trail, info.reason));
                }
            }
            let Some(&(_, reason)) = analysis.chain.get(done) else { break };
            clause = reason;
            done += 1;
        }
        analysis.chain.sort_unstable();
        analysis.hints.extend(analysis.chain.iter().map(|&(_, reason)| self.arena.id(reason)));
        analysis.hints.push(self.arena.id(last));
        for var in analysis.explained.drain(..) {
            analysis.flags[var.index()] &= !EXPLAINED;
        }
        for lit in kept {
            analysis.flags[lit.var().index()] &= !KEPT;
        }
    }

    /// Collects in `out` the clause that follows from the false clause `start` by resolving with all reasons: the
    /// literals of decisions. Where `start` is the reason of a literal, that is `implied` and comes first.
    pub(super) fn reached_decisions(&mut self, start: ClauseRef, implied: Option<Lit>, out: &mut Vec<Lit>) {
        let Solver { analysis, arena, vars, .. } = self;
        out.clear();
        out.extend(implied);
        if let Some(lit) = implied {
            analysis.flags[lit.var().index()] |= SEEN;
            analysis.explained.push(lit.var());
        }
        let mut clause = start;
        let mut done = analysis.explained.len();
        loop {
            for &lit in arena.lits(clause) {
                let var = lit.var();
                let info = vars[var.index()];
                if info.level == 0 || analysis.flags[var.index()] & SEEN != 0 {
                    continue;
                }
                analysis.flags[var.index()] |= SEEN;
                analysis.explained.push(var);
                if info.reason == ClauseRef::NONE {
                    out.push(lit);
                }
            }
            let next =
                analysis.explained[done..].iter().position(|var| vars[var.index()].reason != ClauseRef::NONE);
            let Some(skipped) = next else { break };
            clause = vars[analysis.explained[done + skipped].index()].reason;
            done += skipped + 1;
        }
        for var in analysis.explained.drain(..) {
            analysis.flags[var.index()] &= !SEEN;
        }
    }
}
