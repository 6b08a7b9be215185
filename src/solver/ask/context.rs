//! Contexts: solvers with assumptions and retractable hypotheses.

use crate::epr::{Answer, Assertions, Clock, Fixed, Label, Measure, Minimum, PATIENCE};

pub use crate::epr::AssertionId as HypothesisId;
use ramsey_core::base::budget::{Budget, Exhausted};
use ramsey_core::base::ids::IdVec;
use ramsey_core::logic::{Signature, SortId, Structure, SymId, TermId, Terms};

use super::cost::{Failure, Statistics};

/// Requested size of a structure.
#[derive(Clone, Copy, Debug)]
pub enum Size<'q> {
    /// The structure as found.
    AsFound,
    /// Minimized by these measures in order of priority, within the budget and this number of work units.
    Small(&'q [Measure], u64),
    /// With few elements of each sort, one sort after the other, within the budget and this number of work units.
    Shrunk(u64),
}

impl<'q> Size<'q> {
    /// Requests minimization by the measures, if there are any, with the default patience.
    pub fn by(measures: Option<&'q [Measure]>) -> Size<'q> {
        measures.map_or(Size::AsFound, |measures| Size::Small(measures, PATIENCE))
    }

    /// Requests few elements of each sort, with the default patience.
    pub fn shrunk() -> Size<'q> {
        Size::Shrunk(PATIENCE)
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
#[derive(Clone, Debug)]
pub struct Context {
    /// The base and the hypotheses, and in a scope the formulas of the last question.
    solver: Assertions,
    /// Counters of the earlier solvers.
    earlier: Statistics,
    /// The formulas of the last question. Its scope is open until a formula or hypothesis is added.
    posed: Vec<TermId>,
}

/// Size of a solver that is not built anew.
pub(super) const MIN_REBUILD_SIZE: usize = 200_000;

impl Context {
    /// Creates a context without assumptions.
    pub fn new(sig: Signature, terms: Terms, seed: u64, clock: Option<Clock>) -> Context {
        let mut solver = Assertions::new(sig, terms, seed, MIN_REBUILD_SIZE);
        solver.set_clock(clock);
        Context { solver, earlier: Statistics::default(), posed: Vec::new() }
    }

    /// Creates a context that assumes these formulas.
    pub fn of(
        (sig, terms): (&Signature, &Terms),
        formulas: impl IntoIterator<Item = TermId>,
        budget: &mut Budget,
    ) -> Context {
        let mut context = Context::new(sig.clone(), terms.clone(), 0, None);
        formulas.into_iter().for_each(|formula| context.assume(formula, budget));
        context
    }

    /// Has searches decide these relations before all others; see [`Solver::decide_first`](crate::epr::Solver::decide_first).
    pub fn decide_first(&mut self, relations: &[SymId]) {
        self.solver.decide_first(relations);
    }

    /// Keeps what earlier questions have left in the solver up to this size, in units of its memory. That pays where each question is
    /// much like the ones before it, and takes long.
    pub fn keep_up_to(&mut self, size: usize) {
        self.solver.keep_up_to(size);
    }

    /// Returns the signature.
    pub fn signature(&self) -> &Signature {
        self.solver.signature()
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
        self.solver.labelled()
    }

    /// Checks whether there are no hypotheses.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Assumes a closed formula in every later question.
    pub fn assume(&mut self, formula: TermId, budget: &mut Budget) {
        self.solver.pop_to(0);
        self.solver.within(budget, |solver| solver.assert(formula));
    }

    /// Adds a closed formula that is active in the questions that name it.
    pub fn add(&mut self, formula: TermId, budget: &mut Budget) -> HypothesisId {
        self.solver.pop_to(0);
        self.solver.within(budget, |solver| solver.assert_labelled(formula))
    }

    /// Retires a hypothesis; later questions that name it ignore it.
    pub fn retire(&mut self, hypothesis: HypothesisId) {
        self.solver.retire(hypothesis);
    }

    /// Begins a question: asserts these formulas in addition to the base, until the next question begins. Outside of
    /// stratified EPR one with the same formulas, and other hypotheses, goes on where the last one ended.
    pub fn pose(&mut self, formulas: &[TermId], budget: &mut Budget) {
        let is_open = self.solver.depth() == 1 && self.solver.unfinished().is_none();
        if is_open && self.posed == formulas && !self.solver.is_large() && self.solver.is_outside() {
            return;
        }
        self.posed = formulas.to_vec();
        self.solver.pop_to(0);
        if let Some(old) = self.solver.within(budget, Assertions::renew) {
            self.earlier.add(&Statistics::of_solver(&old));
        }
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
        let labels = self.labels(hypotheses);
        Ok(self.solver.check(&labels, budget)? == Answer::Sat)
    }

    /// Returns those of the hypotheses that suffice for unsatisfiability, after [`Self::search`] returned `false`.
    pub fn needed(&self, hypotheses: &[HypothesisId]) -> Vec<HypothesisId> {
        let core = self.solver.core();
        let is_needed = |id: &&HypothesisId| self.solver.label(**id).is_some_and(|it| core.contains(&it));
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
                let labels = self.labels(hypotheses);
                self.solver.minimize_by(&labels, measures, states, patience, budget)
            }
            Size::Shrunk(patience) => {
                let labels = self.labels(hypotheses);
                let structure = self.solver.shrink(&labels, states, patience, budget);
                Minimum { structure, proved: 0 }
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

    fn labels(&self, hypotheses: &[HypothesisId]) -> Vec<Label> {
        hypotheses.iter().filter_map(|&id| self.solver.label(id)).collect()
    }

    /// Returns a structure of the base with these sizes, in which the fixed symbols have the values that they have there;
    /// see [`Solver::sample`](crate::epr::Solver::sample).
    ///
    /// # Errors
    /// Returns an error if the budget runs out.
    pub fn sample(
        &mut self,
        sizes: &IdVec<SortId, u32>,
        fixed: Option<Fixed<'_>>,
        states: u16,
        seed: u64,
        budget: &mut Budget,
    ) -> Result<Option<Structure>, Exhausted> {
        self.solver.pop_to(0);
        self.solver.sample(sizes, fixed, states, seed, budget)
    }

    /// Returns the least sizes of structures of the base with the given sizes; see
    /// [`Solver::smallest_sizes`](crate::epr::Solver::smallest_sizes).
    ///
    /// # Errors
    /// Returns an error if the budget runs out.
    pub fn smallest_sizes(
        &mut self,
        given: &[(SortId, u32)],
        bound: u32,
        budget: &mut Budget,
    ) -> Result<Option<IdVec<SortId, u32>>, Exhausted> {
        self.solver.pop_to(0);
        self.solver.smallest_sizes(given, bound, budget)
    }
}
