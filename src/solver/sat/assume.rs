//! Assumptions as the first decisions, and cores of failed assumptions.

use super::arena::ClauseRef;
use super::lit::Lit;
use super::observer::Observer;
use super::solver::Solver;
use ramsey_core::base::ids::Id;

/// Result of processing the next assumption.
pub(super) enum Assumed {
    /// A new level was opened; propagation is needed.
    Decided,
    /// All assumptions hold.
    All,
    /// It is false under the earlier assumptions; the core is set.
    Failed,
}

impl<O: Observer> Solver<O> {
    /// Sets new assumptions and keeps the levels of the prefix that they share with the previous ones.
    pub(super) fn adopt_assumptions(&mut self, assumptions: &[Lit]) {
        let same =
            self.levels.iter().zip(assumptions).take_while(|(level, lit)| level.decision == **lit).count();
        // If all assumptions are already decided, the decisions after them are kept as well.
        if same < assumptions.len() {
            self.backtrack(same as u32);
        }
        self.assumptions.clear();
        self.assumptions.extend_from_slice(assumptions);
        if self.scope.is_limited() {
            // Clauses added since may have given values to variables outside of the scope.
            self.backtrack(0);
            assumptions.iter().for_each(|lit| self.include(lit.var()));
        }
    }

    /// Decides the next assumption that is not true yet.
    pub(super) fn assume(&mut self) -> Assumed {
        while let Some(&lit) = self.assumptions.get(self.levels.len()) {
            match self.val(lit) {
                0 => {
                    self.stats.decisions += 1;
                    self.decide_literal(lit);
                    return Assumed::Decided;
                }
                1 => self.open_level(lit),
                _ => {
                    self.fail(lit);
                    return Assumed::Failed;
                }
            }
        }
        Assumed::All
    }

    /// Derives the core from the assumption `failed`, which is false under the earlier ones.
    fn fail(&mut self, failed: Lit) {
        let info = self.var_info(failed);
        self.core.clear();
        self.core.push(failed);
        if info.level == 0 {
            self.core_clause = O::ACTIVE.then(|| self.unit_ids[failed.var().index()]);
            return;
        }
        if info.reason == ClauseRef::NONE {
            // The negation is itself an assumption.
            self.core.push(!failed);
            return;
        }
        let mut clause = std::mem::take(&mut self.clause);
        self.reached_decisions(info.reason, Some(!failed), &mut clause);
        let id = self.fresh_id();
        if O::ACTIVE {
            self.explain(&clause, info.reason);
            self.observer.learned(id, &clause, &self.analysis.hints);
            self.core_clause = Some(id);
        }
        self.core.extend(clause.iter().skip(1).map(|&lit| !lit));
        self.clause = clause;
    }
}
