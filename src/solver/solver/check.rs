//! Checks and their results.

use super::{Answer, Cause, CheckedFormula, Label, LastResult, Misuse, Solver, Term};
use crate::epr::{self, Measure, Minimum, PATIENCE};
use ramsey_core::base::budget::{Budget, Exhausted};
use ramsey_core::logic::{Evaluator, Structure, TermId};

/// Work units for the evaluation of a structure, in addition to the budget of the check.
const EVALUATION: u64 = 1_000_000;
/// Work units for the evaluation of a structure after its minimization.
const MORE_EVALUATION: u64 = 100_000_000;

impl Solver {
    /// Checks whether the assertions are satisfiable.
    pub fn check(&mut self, budget: &mut Budget) -> Answer {
        self.tidy();
        self.checked.clear();
        self.select_labelled(None);
        self.answer(budget)
    }

    /// Checks whether the assertions are satisfiable together with assumptions, which may be any closed formulas.
    ///
    /// # Errors
    /// Returns an error if an assumption is not a closed formula of this solver.
    pub fn check_assuming(&mut self, assumptions: &[Term], budget: &mut Budget) -> Result<Answer, Misuse> {
        self.select(None, assumptions)?;
        Ok(self.answer(budget))
    }

    /// Checks whether the assertions without labels are satisfiable together with those that have one of these labels,
    /// and with the assumptions.
    ///
    /// # Errors
    /// Returns an error if an assumption is not a closed formula of this solver, or a label is not that of an active
    /// assertion.
    pub fn check_selected(
        &mut self,
        labels: &[Label],
        assumptions: &[Term],
        budget: &mut Budget,
    ) -> Result<Answer, Misuse> {
        self.select(Some(labels), assumptions)?;
        Ok(self.answer(budget))
    }

    fn select(&mut self, labels: Option<&[Label]>, assumptions: &[Term]) -> Result<(), Misuse> {
        let formulas: Vec<TermId> =
            assumptions.iter().map(|&assumption| self.closed(assumption)).collect::<Result<_, _>>()?;
        if let Some(labels) = labels {
            let counting = self.labels();
            if labels.iter().any(|label| !counting.contains(label)) {
                return Err(Misuse::Foreign);
            }
        }
        self.tidy();
        self.checked.clear();
        self.select_labelled(labels);
        for (index, formula) in formulas.into_iter().enumerate() {
            let inner = self.assumption(formula);
            self.checked.push(CheckedFormula { cause: Cause::Assumption(index), formula, inner });
        }
        Ok(())
    }

    fn select_labelled(&mut self, labels: Option<&[Label]>) {
        if self.engine.labelled() == 0 {
            return;
        }
        for (formula, id) in self.engine.iter() {
            if let Some(label) = id.map(Label)
                && labels.is_none_or(|labels| labels.contains(&label))
                && let Some(inner) = self.engine.label(label.0)
            {
                self.checked.push(CheckedFormula { cause: Cause::Label(label), formula, inner });
            }
        }
    }

    /// Returns the engine's label of an assumption. The engine keeps it as long as the scope in which it was created is
    /// open.
    fn assumption(&mut self, formula: TermId) -> epr::Label {
        if let Some(&(label, _)) = self.assumptions.get(&formula) {
            return label;
        }
        // It is not to be asserted again when the engine is built anew.
        let label = epr::Solver::assert_labelled(&mut self.engine, formula);
        self.assumptions.insert(formula, (label, self.depth()));
        label
    }

    pub(super) fn answer(&mut self, budget: &mut Budget) -> Answer {
        self.last = LastResult::Nothing;
        let checked = self.checked.iter().map(|checked| checked.formula);
        match self.kept.suffices(&self.engine, checked, budget) {
            Err(exhausted) => return Answer::Unknown(exhausted),
            Ok(false) => {}
            Ok(true) => {
                self.earlier_stats.checks += 1;
                self.last = LastResult::Model;
                return Answer::Sat;
            }
        }
        let before = budget.spent();
        let labels: Vec<epr::Label> = self.checked.iter().map(|checked| checked.inner).collect();
        let answer = self.engine.check(&labels, budget);
        self.kept.searched(budget.spent() - before);
        match answer {
            Err(exhausted) => Answer::Unknown(exhausted),
            Ok(epr::Answer::Unsat) => {
                let core = self.engine.core();
                let causes = self.checked.iter().filter(|checked| core.contains(&checked.inner));
                self.last = LastResult::Core(causes.map(|checked| checked.cause).collect());
                Answer::Unsat
            }
            Ok(epr::Answer::Sat) => {
                let mut structure = self.engine.structure(1);
                let mut satisfies = self.satisfies(&structure, budget.grace(EVALUATION));
                if satisfies == Err(Exhausted::Work) {
                    // Evaluation enumerates all values of variables, so the structure should be small.
                    if let Some(found) = self.smaller(&[Measure::Elements], budget) {
                        structure = found.structure;
                    }
                    satisfies = self.satisfies(&structure, budget.grace(MORE_EVALUATION));
                }
                match satisfies {
                    Err(exhausted) => Answer::Unknown(exhausted),
                    Ok(false) => Answer::Defect,
                    Ok(true) => {
                        self.kept.keep(structure, &self.engine);
                        self.last = LastResult::Model;
                        Answer::Sat
                    }
                }
            }
        }
    }

    /// Checks whether a structure satisfies the formulas of the last check.
    fn satisfies(&self, structure: &Structure, budget: Budget) -> Result<bool, Exhausted> {
        let mut eval = Evaluator::new(self.engine.syntax(), structure);
        eval.budget = budget;
        let unlabelled = self.engine.iter().filter(|(_, id)| id.is_none());
        let holds = unlabelled
            .map(|(formula, _)| formula)
            .chain(self.checked.iter().map(|checked| checked.formula))
            .all(|formula| eval.holds(formula));
        eval.exhausted.map_or(Ok(holds), Err)
    }

    /// Returns, after the answer [`Answer::Sat`], a model that is minimal by the measures in lexicographic order
    /// (Algorithm 1 of the Ivy paper), with the number of measures known to have their least value. It replaces the
    /// model returned by [`Self::model`]. If the budget is exhausted, returns the smallest model found so far.
    ///
    /// # Errors
    /// Returns [`Misuse::NoModel`], or an error if a measure is of a sort or symbol of another solver, or of a symbol
    /// that is not a relation.
    pub fn minimal_model(&mut self, measures: &[Measure], budget: &mut Budget) -> Result<Minimum, Misuse> {
        let known = self.model()?.structure().clone();
        let sig = self.engine.signature();
        let fits = |measure: &Measure| match *measure {
            Measure::Elements => true,
            Measure::Size(sort) => sig.uninterpreted_sorts().any(|known| known == sort),
            Measure::Positive(sym, step) | Measure::Negative(sym, step) => {
                step == 0 && sig.symbols.get(sym).is_some_and(ramsey_core::logic::Symbol::is_relation)
            }
        };
        if !measures.iter().all(fits) {
            return Err(Misuse::Foreign);
        }
        let known = Minimum { structure: known, proved: 0 };
        let found = self.smaller(measures, budget).unwrap_or_else(|| known.clone());
        // If the search for small models returns a structure that is not a model, the first model is kept.
        let is_model = self.satisfies(&found.structure, budget.grace(MORE_EVALUATION)) == Ok(true);
        let minimum = if is_model { found } else { known };
        self.kept.keep(minimum.structure.clone(), &self.engine);
        Ok(minimum)
    }

    /// Returns a structure for the last check, which was satisfiable, that is small by the measures.
    fn smaller(&mut self, measures: &[Measure], budget: &mut Budget) -> Option<Minimum> {
        let labels: Vec<epr::Label> = self.checked.iter().map(|checked| checked.inner).collect();
        // The bounds asserted by the search are retracted with the scope.
        self.engine.push();
        let answer = self.engine.check(&labels, &mut budget.clone());
        let found = (answer == Ok(epr::Answer::Sat))
            .then(|| self.engine.minimize_by(&labels, measures, 1, PATIENCE, budget));
        self.engine.pop();
        found
    }
}
