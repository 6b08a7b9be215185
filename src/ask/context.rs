//! Contexts: what questions are asked of.

use crate::base::budget::{Budget, Exhausted};
use crate::base::hash::Map;
use crate::epr::{Answer, Clock, Label, Measure, Minimum, PATIENCE, Solver, Stats};
use crate::logic::{Signature, Structure, TermId, Terms};

use super::cost::Failure;

/// A hypothesis of a [`Context`].
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct HypothesisId(u64);

#[derive(Clone, Copy, Debug)]
struct Hypothesis {
    formula: TermId,
    /// What stands for it in the present solver.
    label: Label,
}

/// How small a structure is to be.
#[derive(Clone, Copy, Debug)]
pub enum Size<'q> {
    /// As it was found.
    AsFound,
    /// Minimal by these measures, the first of which counts most, as far as the budget and so much work go.
    Small(&'q [Measure], u64),
}

impl<'q> Size<'q> {
    /// Minimal by these measures, if there are any, with the usual patience.
    pub fn by(measures: Option<&'q [Measure]>) -> Size<'q> {
        measures.map_or(Size::AsFound, |measures| Size::Small(measures, PATIENCE))
    }
}

/// A question: whether the base of a context and some of its hypotheses exclude that all of these formulas are true.
#[derive(Clone, Copy, Debug)]
pub struct Question<'q> {
    /// The hypotheses that count.
    pub hypotheses: &'q [HypothesisId],
    /// Closed formulas: the negation of a goal, for example. A question that is asked again and again has it among the
    /// hypotheses instead, and none here; then it leaves nothing behind.
    pub negated: &'q [TermId],
    /// How many states a structure has.
    pub states: u16,
    /// How small it is to be.
    pub size: Size<'q>,
}

/// The answer to a question.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Judged<T> {
    /// They do, and these hypotheses suffice.
    Proved(Vec<HypothesisId>),
    /// They do not: what the judge made of a structure.
    Refuted(T),
}

/// What a search has found, for a judge.
#[derive(Debug)]
pub struct Found<'a> {
    /// Over the signature of the context.
    pub structure: Structure,
    /// How many of the measures have their least value for certain.
    pub proved: usize,
    /// The arena of the context.
    pub terms: &'a Terms,
    /// For evaluating it.
    pub budget: Budget,
}

/// A base of closed formulas, and hypotheses that questions switch on and that can be retired.
///
/// The solver below keeps all instances and terms that it ever makes. Once most of them can only be left over from questions
/// and from hypotheses that are retired, it is made anew from what counts; so memory is in proportion to what counts, and in
/// the long run the time for it is a part of the time that went into making the instances.
#[derive(Clone, Debug)]
pub struct Context {
    solver: Solver,
    /// What is assumed in every question, in order.
    base: Vec<TermId>,
    hypotheses: Map<HypothesisId, Hypothesis>,
    /// The next hypothesis.
    next: u64,
    seed: u64,
    clock: Option<Clock>,
    /// What the solvers before the present one did.
    earlier: Stats,
    /// The size of the solver beyond which it is made anew.
    most: usize,
}

/// Solvers smaller than this are not made anew.
pub(super) const LEAST: usize = 200_000;

impl Context {
    /// A context without assumptions.
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
            earlier: Stats::default(),
            most: LEAST,
        }
    }

    /// The arena of formulas, to make some.
    pub fn terms_mut(&mut self) -> &mut Terms {
        self.solver.terms_mut()
    }

    /// The arena of formulas.
    pub fn terms(&self) -> &Terms {
        self.solver.terms()
    }

    /// The solver below, to read what it has done.
    pub fn solver(&self) -> &Solver {
        &self.solver
    }

    /// What has been done so far.
    pub fn stats(&self) -> Stats {
        let mut stats = self.earlier;
        stats.add(&self.solver.stats());
        stats
    }

    /// How many hypotheses are not retired.
    pub fn len(&self) -> usize {
        self.hypotheses.len()
    }

    /// Whether there is no hypothesis.
    pub fn is_empty(&self) -> bool {
        self.hypotheses.is_empty()
    }

    /// Assumes a closed formula in every question from now on.
    pub fn assume(&mut self, formula: TermId, budget: &mut Budget) {
        self.solver.pop_to(0);
        self.base.push(formula);
        self.solver.within(budget, |solver| solver.assert(formula));
    }

    /// Adds a closed formula that counts in the questions that name it.
    pub fn add(&mut self, formula: TermId, budget: &mut Budget) -> HypothesisId {
        self.solver.pop_to(0);
        let label = self.solver.within(budget, |solver| solver.assert_labelled(formula));
        let id = HypothesisId(self.next);
        self.next += 1;
        self.hypotheses.insert(id, Hypothesis { formula, label });
        id
    }

    /// A hypothesis is not needed any more; questions that name it from now on do without it.
    pub fn retire(&mut self, hypothesis: HypothesisId) {
        if let Some(Hypothesis { label, .. }) = self.hypotheses.remove(&hypothesis) {
            self.solver.retire(label);
        }
    }

    /// Begins a question: these formulas count, beside the base, until the next one begins.
    pub fn pose(&mut self, formulas: &[TermId], budget: &mut Budget) {
        self.tidy(budget);
        self.solver.pop_to(0);
        if formulas.is_empty() {
            return;
        }
        self.solver.push();
        self.solver.within(budget, |solver| formulas.iter().for_each(|&formula| solver.assert(formula)));
    }

    /// Whether all that counts, with these hypotheses, is true in some structure.
    ///
    /// # Errors
    /// The budget that ran out.
    pub fn search(&mut self, hypotheses: &[HypothesisId], budget: &mut Budget) -> Result<bool, Exhausted> {
        let known = hypotheses.iter().filter_map(|id| self.hypotheses.get(id));
        let labels: Vec<Label> = known.map(|hypothesis| hypothesis.label).collect();
        Ok(self.solver.check(&labels, budget)? == Answer::Sat)
    }

    /// After [`Self::search`] found nothing: those of the hypotheses that suffice for that.
    pub fn needed(&self, hypotheses: &[HypothesisId]) -> Vec<HypothesisId> {
        let core = self.solver.core();
        let is_needed = |id: &&HypothesisId| {
            self.hypotheses.get(id).is_some_and(|hypothesis| core.contains(&hypothesis.label))
        };
        hypotheses.iter().filter(is_needed).copied().collect()
    }

    /// After [`Self::search`] found something: the structure, not judged yet.
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

    /// Answers a question. A structure goes to the judge, who completes and evaluates it.
    ///
    /// # Errors
    /// The budget that ran out, and what the judge refuses.
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

    /// Makes the solver anew where most of what it has can only be left over.
    fn tidy(&mut self, budget: &mut Budget) {
        if self.solver.size() <= self.most {
            return;
        }
        self.earlier.add(&self.solver.stats());
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
        self.most = LEAST.max(4 * self.solver.size());
    }
}
