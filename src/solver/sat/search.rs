//! Main loop of the search.

use super::arena::ClauseRef;
use super::assume::Assumed;
use super::config::Stats;
use super::lit::Lit;
use super::observer::Observer;
use super::solver::{Answer, Solver};
use crate::telemetry::{SAT, event};
use ramsey_core::base::budget::{Budget, Exhausted};

impl<O: Observer> Solver<O> {
    /// Searches for a model of all clauses in which all literals of `assumptions` are true.
    ///
    /// # Errors
    /// Returns an error if the budget is exhausted. The solver stays usable and keeps the learned clauses.
    pub fn solve(&mut self, assumptions: &[Lit], budget: &mut Budget) -> Result<Answer, Exhausted> {
        self.stats.solves += 1;
        let answer = self.search(assumptions, budget);
        let Stats { solves, conflicts, decisions, restarts, .. } = self.stats;
        event!(
            Debug,
            SAT,
            "solve {solves} under {} assumptions: {answer:?}; so far {conflicts} conflicts, {decisions} decisions, {restarts} \
             restarts",
            assumptions.len()
        );
        answer
    }

    fn search(&mut self, assumptions: &[Lit], budget: &mut Budget) -> Result<Answer, Exhausted> {
        self.core.clear();
        if self.refuted {
            return Ok(Answer::Unsat);
        }
        self.core_clause = None;
        self.adopt_assumptions(assumptions);
        if self.is_collect_due() {
            self.backtrack(0);
            if let Some(conflict) = self.propagate() {
                self.refute(conflict);
                return Ok(Answer::Unsat);
            }
            self.collect();
        }
        let mut charged = self.stats.ticks;
        loop {
            let conflict = self.propagate();
            match conflict {
                Some(conflict) if self.levels.is_empty() => {
                    self.refute(conflict);
                    return Ok(Answer::Unsat);
                }
                Some(conflict) => self.learn_from(conflict),
                None => {}
            }
            // Only after the conflict is handled, because an error returned before would lose it.
            budget.spend(self.stats.ticks - charged)?;
            charged = self.stats.ticks;
            if conflict.is_none()
                && let Some(answer) = self.step()
            {
                return Ok(answer);
            }
        }
    }

    /// Performs one step after complete propagation: maintenance, an assumption or a decision.
    fn step(&mut self) -> Option<Answer> {
        if self.is_mode_switch_due() {
            self.switch_mode();
        } else if self.is_restart_due() {
            self.restart();
        } else if self.is_rephase_due() {
            self.rephase();
        } else if self.is_reduce_due() {
            self.reduce();
        } else if self.is_subsume_due() {
            self.subsume();
        } else if self.is_vivify_due() {
            self.vivify();
        } else {
            match self.assume() {
                Assumed::Decided => {}
                Assumed::Failed => return Some(Answer::Unsat),
                Assumed::All => match self.next_variable() {
                    Some(var) => self.decide(var),
                    None => match self.next_uncovered() {
                        Some(lit) => {
                            self.stats.decisions += 1;
                            self.decide_literal(lit);
                        }
                        None => return Some(Answer::Sat),
                    },
                },
            }
        }
        self.refuted.then_some(Answer::Unsat)
    }

    /// Derives the empty clause from a clause that is false at the root.
    pub(super) fn refute(&mut self, conflict: ClauseRef) {
        debug_assert!(self.levels.is_empty());
        self.refuted = true;
        let id = self.fresh_id();
        if O::ACTIVE {
            self.explain(&[], conflict);
            self.observer.learned(id, &[], &self.analysis.hints);
            self.core_clause = Some(id);
        }
    }
}
