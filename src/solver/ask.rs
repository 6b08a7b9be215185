//! Checks, and what they find.

use super::{Answer, Asked, Cause, Label, Last, Misuse, Solver, Term};
use crate::base::budget::{Budget, Exhausted};
use crate::epr::{self, Measure, Minimum, PATIENCE};
use crate::logic::{Evaluator, Structure, TermId};

/// Work units for evaluating a structure, on top of the check's own: first these, ..
const EVALUATION: u64 = 1_000_000;
/// .. and once the structure has been made as small as it can be, these.
const MORE_EVALUATION: u64 = 100_000_000;

impl Solver {
    /// Whether all assertions hold together in some structure.
    pub fn check(&mut self, budget: &mut Budget) -> Answer {
        self.tidy();
        self.asked.clear();
        self.ask_labelled(None);
        self.answer(budget)
    }

    /// Whether all assertions hold together with some assumptions, which are any closed formulas.
    ///
    /// # Errors
    /// An assumption is no closed formula of this solver.
    pub fn check_assuming(&mut self, assumptions: &[Term], budget: &mut Budget) -> Result<Answer, Misuse> {
        self.ask_about(None, assumptions)?;
        Ok(self.answer(budget))
    }

    /// Whether the assertions without labels hold together with those that have one of these labels, and with some
    /// assumptions.
    ///
    /// # Errors
    /// An assumption is no closed formula of this solver, or a label is not that of an assertion that counts.
    pub fn check_selected(
        &mut self,
        labels: &[Label],
        assumptions: &[Term],
        budget: &mut Budget,
    ) -> Result<Answer, Misuse> {
        self.ask_about(Some(labels), assumptions)?;
        Ok(self.answer(budget))
    }

    fn ask_about(&mut self, labels: Option<&[Label]>, assumptions: &[Term]) -> Result<(), Misuse> {
        let formulas: Vec<TermId> =
            assumptions.iter().map(|&assumption| self.closed(assumption)).collect::<Result<_, _>>()?;
        if let Some(labels) = labels {
            let counting = self.labels();
            if labels.iter().any(|label| !counting.contains(label)) {
                return Err(Misuse::Foreign);
            }
        }
        self.tidy();
        self.asked.clear();
        self.ask_labelled(labels);
        for (index, formula) in formulas.into_iter().enumerate() {
            let inner = self.assumption(formula);
            self.asked.push(Asked { cause: Cause::Assumption(index), formula, inner });
        }
        Ok(())
    }

    fn ask_labelled(&mut self, labels: Option<&[Label]>) {
        for assertion in &self.assertions {
            if let Some((label, inner)) = assertion.label
                && labels.is_none_or(|labels| labels.contains(&label))
            {
                self.asked.push(Asked { cause: Cause::Label(label), formula: assertion.formula, inner });
            }
        }
    }

    /// What stands for an assumption. The engine keeps it as long as the scope is open that it was first made in.
    fn assumption(&mut self, formula: TermId) -> epr::Label {
        if let Some(&(label, _)) = self.assumptions.get(&formula) {
            return label;
        }
        let label = self.engine.assert_labelled(formula);
        self.assumptions.insert(formula, (label, self.scopes.len()));
        label
    }

    pub(super) fn answer(&mut self, budget: &mut Budget) -> Answer {
        self.last = Last::Nothing;
        let labels: Vec<epr::Label> = self.asked.iter().map(|asked| asked.inner).collect();
        match self.engine.check(&labels, budget) {
            Err(exhausted) => Answer::Unknown(exhausted),
            Ok(epr::Answer::Unsat) => {
                let core = self.engine.core();
                let causes = self.asked.iter().filter(|asked| core.contains(&asked.inner));
                self.last = Last::Core(causes.map(|asked| asked.cause).collect());
                Answer::Unsat
            }
            Ok(epr::Answer::Sat) => {
                let mut structure = self.engine.structure(1);
                let mut satisfies = self.satisfies(&structure, budget.grace(EVALUATION));
                if satisfies == Err(Exhausted::Work) {
                    // Evaluation tries all values of variables: there should be few.
                    if let Some(found) = self.smaller(&[Measure::Elements], budget) {
                        structure = found.structure;
                    }
                    satisfies = self.satisfies(&structure, budget.grace(MORE_EVALUATION));
                }
                match satisfies {
                    Err(exhausted) => Answer::Unknown(exhausted),
                    Ok(false) => Answer::Defect,
                    Ok(true) => {
                        self.last = Last::Model(Box::new(structure));
                        Answer::Sat
                    }
                }
            }
        }
    }

    /// Whether what the last check was about is true in a structure.
    fn satisfies(&self, structure: &Structure, budget: Budget) -> Result<bool, Exhausted> {
        let mut eval = Evaluator::new(self.engine.signature(), self.engine.terms(), structure);
        eval.budget = budget;
        let unlabelled = self.assertions.iter().filter(|assertion| assertion.label.is_none());
        let formulas = unlabelled.map(|assertion| assertion.formula);
        let holds =
            formulas.chain(self.asked.iter().map(|asked| asked.formula)).all(|formula| eval.holds(formula));
        eval.exhausted.map_or(Ok(holds), Err)
    }

    /// After the answer [`Answer::Sat`]: a model that is minimal by the measures, in lexicographic order (Algorithm 1 of
    /// the Ivy paper), with the number of measures that are known to have their least value. It becomes the model that
    /// [`Self::model`] has. If the budget runs out, it is the smallest one found by then.
    ///
    /// # Errors
    /// [`Misuse::NoModel`]; a measure of another solver's sort or symbol, or of what is no relation.
    pub fn minimal_model(&mut self, measures: &[Measure], budget: &mut Budget) -> Result<Minimum, Misuse> {
        let Last::Model(known) = &self.last else { return Err(Misuse::NoModel) };
        let sig = self.engine.signature();
        let fits = |measure: &Measure| match *measure {
            Measure::Elements => true,
            Measure::Size(sort) => sig.uninterpreted_sorts().any(|known| known == sort),
            Measure::Positive(sym, step) | Measure::Negative(sym, step) => {
                step == 0 && sig.symbols.get(sym).is_some_and(crate::logic::Symbol::is_relation)
            }
        };
        if !measures.iter().all(fits) {
            return Err(Misuse::Foreign);
        }
        let known = Minimum { structure: known.as_ref().clone(), proved: 0 };
        let found = self.smaller(measures, budget).unwrap_or_else(|| known.clone());
        // A defect of the search for small models is no reason to give up the model that was found first.
        let is_model = self.satisfies(&found.structure, budget.grace(MORE_EVALUATION)) == Ok(true);
        let minimum = if is_model { found } else { known };
        self.last = Last::Model(Box::new(minimum.structure.clone()));
        Ok(minimum)
    }

    /// A structure for the last check, which found one, that is small by the measures.
    fn smaller(&mut self, measures: &[Measure], budget: &mut Budget) -> Option<Minimum> {
        let labels: Vec<epr::Label> = self.asked.iter().map(|asked| asked.inner).collect();
        // The bounds that the search asserts go with the scope.
        self.engine.push();
        let answer = self.engine.check(&labels, &mut budget.clone());
        let found = (answer == Ok(epr::Answer::Sat))
            .then(|| self.engine.minimize_by(&labels, measures, 1, PATIENCE, budget));
        self.engine.pop();
        found
    }
}
