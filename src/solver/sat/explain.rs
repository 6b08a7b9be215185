//! Antecedents of derived clauses.

use super::analyze::{EXPLAINED, KEPT, SEEN};
use super::arena::ClauseRef;
use super::lit::Lit;
use super::observer::Observer;
use super::solver::Solver;
use ramsey_core::base::ids::Id;

impl<O: Observer> Solver<O> {
    /// Collects the antecedents of the clause `kept` in `analysis.hints`, in propagation order. Each literal of `kept`
    /// has a value, and if all of them are false then so is the clause `last`: it contains them, or the reasons lead to
    /// them.
    ///
    /// Reasons in trail order are a valid propagation order for any analysis, so the analysis itself needs no
    /// bookkeeping. Must be called before backtracking; used only with an active observer.
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

    /// Resolves the false clause `start` with all reasons and collects the resulting literals, those of decisions, in
    /// `out`. If `start` is the reason of a literal, that literal is `implied` and comes first.
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
