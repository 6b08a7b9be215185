//! Contexts: solvers with assumptions and retractable hypotheses.

use crate::epr::{Answer, Clock, Label, Measure, Minimum, PATIENCE, Solver};
use ramsey_core::base::budget::{Budget, Exhausted};
use ramsey_core::base::hash::Map;
use ramsey_core::logic::{Signature, Structure, TermId, Terms};

use super::cost::{Failure, Statistics};

/// A hypothesis of a [`Context`].
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct HypothesisId(u64);

#[derive(Clone, Copy, Debug)]
struct Hypothesis {
    formula: TermId,
    /// Label of the formula in the current solver.
    label: Label,
}

/// Requested size of a structure.
#[derive(Clone, Copy, Debug)]
pub enum Size<'q> {
    /// The structure as found.
    AsFound,
    /// Minimized by these measures in order of priority, within the budget and this number of work units.
    Small(&'q [Measure], u64),
}

impl<'q> Size<'q> {
    /// Requests minimization by the measures, if there are any, with the default patience.
    pub fn by(measures: Option<&'q [Measure]>) -> Size<'q> {
        measures.map_or(Size::AsFound, |measures| Size::Small(measures, PATIENCE))
    }
}

/// A question: whether the base of a context and some of its hypotheses are inconsistent with these formulas.
#[derive(Clone, Copy, Debug)]
pub struct Question<'q> {
    /// The active hypotheses.
    pub hypotheses: &'q [HypothesisId],
    /// Closed formulas, for example the negation of a goal. For a question that is asked repeatedly, add the formula
    /// as a hypothesis instead and leave this empty; repetition then leaves nothing in the solver.
    pub negated: &'q [TermId],
    /// Number of states of a structure.
    pub states: u16,
    /// Requested size of a structure.
    pub size: Size<'q>,
}

/// Answer to a question.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Judged<T> {
    /// Inconsistent; these hypotheses suffice.
    Proved(Vec<HypothesisId>),
    /// Consistent; the result of the judge for a structure.
    Refuted(T),
}

/// Structure found by a search, passed to a judge.
#[derive(Debug)]
pub struct Found<'a> {
    /// The structure, over the signature of the context.
    pub structure: Structure,
    /// Number of measures with a provably least value.
    pub proved: usize,
    /// The arena of the context.
    pub terms: &'a Terms,
    /// Budget for the evaluation.
    pub budget: Budget,
}

/// A base of closed formulas, and hypotheses that are activated per question and can be retired.
///
/// The underlying solver keeps all instances and terms that it creates. Once most of them stem from past questions and
/// retired hypotheses, the solver is rebuilt from the live formulas. Memory is therefore proportional to the live
/// formulas, and the total rebuild time is a fraction of the time spent on creating the instances.
#[derive(Clone, Debug)]
pub struct Context {
    solver: Solver,
    /// Assumptions of every question, in order.
    base: Vec<TermId>,
    hypotheses: Map<HypothesisId, Hypothesis>,
    /// Number of the next hypothesis.
    next: u64,
    seed: u64,
    clock: Option<Clock>,
    /// Counters of the earlier solvers.
    earlier: Statistics,
    /// Size of the solver beyond which it is rebuilt.
    rebuild_size: usize,
}

/// Minimum size of a solver that is rebuilt.
pub(super) const MIN_REBUILD_SIZE: usize = 200_000;

impl Context {
    /// Creates a context without assumptions.
    pub fn new(sig: Signature, terms: Terms, seed: u64, clock: Option<Clock>) -> Context {
        let mut solver = Solver::new(sig, terms, seed);
        solver.set_clock(clock);
        Context {
            solver,
            base: Vec::new(),
            hypotheses: Map::default(),
            next: 0,
            seed,
            clock,
            earlier: Statistics::default(),
            rebuild_size: MIN_REBUILD_SIZE,
        }
    }

    /// Returns the arena of formulas, to add new ones.
    pub fn terms_mut(&mut self) -> &mut Terms {
        self.solver.terms_mut()
    }

    /// Returns the arena of formulas.
    pub fn terms(&self) -> &Terms {
        self.solver.terms()
    }

    /// Returns the counters of all solvers so far, which only grow.
    pub fn statistics(&self) -> Statistics {
        let mut statistics = self.earlier;
        statistics.add(&Statistics::of_solver(&self.solver));
        statistics
    }

    /// Returns the size of the solver, in units of its memory.
    #[cfg(test)]
    pub(super) fn size(&self) -> usize {
        self.solver.size()
    }

    /// Returns the number of hypotheses that are not retired.
    pub fn len(&self) -> usize {
        self.hypotheses.len()
    }

    /// Checks whether there are no hypotheses.
    pub fn is_empty(&self) -> bool {
        self.hypotheses.is_empty()
    }

    /// Assumes a closed formula in every later question.
    pub fn assume(&mut self, formula: TermId, budget: &mut Budget) {
        self.solver.pop_to(0);
        self.base.push(formula);
        self.solver.within(budget, |solver| solver.assert(formula));
    }

    /// Adds a closed formula that is active in the questions that name it.
    pub fn add(&mut self, formula: TermId, budget: &mut Budget) -> HypothesisId {
        self.solver.pop_to(0);
        let label = self.solver.within(budget, |solver| solver.assert_labelled(formula));
        let id = HypothesisId(self.next);
        self.next += 1;
        self.hypotheses.insert(id, Hypothesis { formula, label });
        id
    }

    /// Retires a hypothesis; later questions that name it ignore it.
    pub fn retire(&mut self, hypothesis: HypothesisId) {
        if let Some(Hypothesis { label, .. }) = self.hypotheses.remove(&hypothesis) {
            self.solver.retire(label);
        }
    }

    /// Begins a question: asserts these formulas in addition to the base, until the next question begins.
    pub fn pose(&mut self, formulas: &[TermId], budget: &mut Budget) {
        self.rebuild_if_obsolete(budget);
        self.solver.pop_to(0);
        if formulas.is_empty() {
            return;
        }
        self.solver.push();
        self.solver.within(budget, |solver| formulas.iter().for_each(|&formula| solver.assert(formula)));
    }

    /// Checks whether the base, the posed formulas and these hypotheses are satisfiable.
    ///
    /// # Errors
    /// Returns an error if the budget runs out.
    pub fn search(&mut self, hypotheses: &[HypothesisId], budget: &mut Budget) -> Result<bool, Exhausted> {
        let known = hypotheses.iter().filter_map(|id| self.hypotheses.get(id));
        let labels: Vec<Label> = known.map(|hypothesis| hypothesis.label).collect();
        Ok(self.solver.check(&labels, budget)? == Answer::Sat)
    }

    /// Returns those of the hypotheses that suffice for unsatisfiability, after [`Self::search`] returned `false`.
    pub fn needed(&self, hypotheses: &[HypothesisId]) -> Vec<HypothesisId> {
        let core = self.solver.core();
        let is_needed = |id: &&HypothesisId| {
            self.hypotheses.get(id).is_some_and(|hypothesis| core.contains(&hypothesis.label))
        };
        hypotheses.iter().filter(is_needed).copied().collect()
    }

    /// Returns the structure found, not yet judged, after [`Self::search`] returned `true`.
    pub fn structure(
        &mut self,
        hypotheses: &[HypothesisId],
        states: u16,
        size: Size<'_>,
        budget: &mut Budget,
    ) -> Minimum {
        match size {
            Size::AsFound => Minimum { structure: self.solver.structure(states), proved: 0 },
            Size::Small(measures, patience) => {
                let known = hypotheses.iter().filter_map(|id| self.hypotheses.get(id));
                let labels: Vec<Label> = known.map(|hypothesis| hypothesis.label).collect();
                self.solver.minimize_by(&labels, measures, states, patience, budget)
            }
        }
    }

    /// Answers a question. A structure is passed to `judge`, which completes and evaluates it.
    ///
    /// # Errors
    /// Returns an error if the budget runs out, or if the judge rejects the structure.
    pub fn ask<T>(
        &mut self,
        question: &Question<'_>,
        budget: &mut Budget,
        judge: impl FnOnce(Found<'_>) -> Result<T, Failure>,
    ) -> Result<Judged<T>, Failure> {
        let Question { hypotheses, negated, states, size } = *question;
        budget.check()?;
        self.pose(negated, budget);
        if !self.search(hypotheses, budget)? {
            return Ok(Judged::Proved(self.needed(hypotheses)));
        }
        let Minimum { structure, proved } = self.structure(hypotheses, states, size, budget);
        let budget = super::judge::evaluation_budget(budget);
        judge(Found { structure, proved, terms: self.solver.terms(), budget }).map(Judged::Refuted)
    }

    /// Rebuilds the solver if most of its contents are obsolete.
    fn rebuild_if_obsolete(&mut self, budget: &mut Budget) {
        if self.solver.size() <= self.rebuild_size {
            return;
        }
        self.earlier.add(&Statistics::of_solver(&self.solver));
        let (sig, terms) = self.solver.language_mut();
        let (sig, terms) = (std::mem::take(sig), std::mem::take(terms));
        self.solver = Solver::new(sig, terms, self.seed);
        self.solver.set_clock(self.clock);
        let Context { solver, base, hypotheses, .. } = self;
        let mut live: Vec<(&HypothesisId, &mut Hypothesis)> = hypotheses.iter_mut().collect();
        live.sort_by_key(|(id, _)| **id);
        solver.within(budget, |solver| {
            base.iter().for_each(|&formula| solver.assert(formula));
            for (_, hypothesis) in live {
                hypothesis.label = solver.assert_labelled(hypothesis.formula);
            }
        });
        self.rebuild_size = MIN_REBUILD_SIZE.max(4 * self.solver.size());
    }
}
