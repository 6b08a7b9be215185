//! From the answers of search to certificates.
//!
//! Proofs are found on the plain obligations, in the normal form that the kernel computes: then the instances that
//! search used are steps of the kernel's calculus, one by one (`expand`), what they amount to is
//! refuted once more propositionally with a derivation, and what the derivation needs is written down (`emit`).
//! Nothing here is trusted.

mod certificate;
mod emit;
mod expand;
mod order;
mod proof;

pub use certificate::{Accepted, Certificate, Rejected, Sizes, assemble, structure, text};
pub use proof::{Export, Proof, Size};

use std::sync::Arc;

use crate::base::budget::{Budget, Exhausted};
use crate::check::MAX_DEPTH;
pub use crate::check::can_be_judged;
use crate::check::normal::{Normalizer, TooLarge};
use crate::epr::{Answer, Clock, Measure, PATIENCE, Solver};
use crate::logic::{Structure, TermId, Terms};
use crate::vc::{Group, Hypothesis, Obligations};

/// The answer to an obligation, with its certificate.
#[derive(Clone, Debug)]
pub enum Certified {
    /// The obligation holds. The export is there where it was asked for.
    Proof(Proof, Option<Export>),
    /// The obligation does not hold.
    Refuted,
    /// The derivation could not be written as a proof. This is a defect of the tool.
    NoProof,
}

/// Hypotheses that the certifiers of several groups begin with, asserted once.
#[derive(Clone, Debug)]
pub struct Foundation {
    normalizer: Normalizer,
    solver: Solver,
    /// The formulas, in order, ..
    formulas: Vec<TermId>,
    /// .. and the kernel's inputs that they become.
    inputs: Vec<TermId>,
    /// Why one of them is not there, if one is not. Then nothing can be proved.
    unfinished: Option<Exhausted>,
}

impl Foundation {
    /// Asserts `hypotheses`, which are over the signature and the arena of `obligations`.
    pub fn new(
        obligations: &Obligations,
        hypotheses: &[Hypothesis],
        seed: u64,
        clock: Option<Clock>,
        budget: &mut Budget,
    ) -> Foundation {
        let mut solver = Solver::new(obligations.sig.clone(), obligations.terms.clone(), seed);
        solver.set_clock(clock);
        solver.keep_record();
        let mut foundation = Foundation {
            normalizer: Normalizer::default(),
            solver,
            formulas: Vec::new(),
            inputs: Vec::new(),
            unfinished: None,
        };
        foundation.assert(hypotheses, budget);
        foundation
    }

    /// The same with more hypotheses.
    pub fn extended(&self, hypotheses: &[Hypothesis], budget: &mut Budget) -> Foundation {
        let mut extended = self.clone();
        extended.assert(hypotheses, budget);
        extended
    }

    /// How many hypotheses it has, if they are the first ones of these.
    pub fn shared(&self, hypotheses: &[Hypothesis]) -> Option<usize> {
        let known = &self.formulas;
        let fits = known.len() <= hypotheses.len()
            && known.iter().zip(hypotheses).all(|(&formula, hypothesis)| formula == hypothesis.formula);
        fits.then_some(known.len())
    }

    /// Whether all hypotheses that it was given are there.
    pub fn is_complete(&self) -> bool {
        self.unfinished.is_none() && self.solver.unfinished().is_none()
    }

    fn assert(&mut self, hypotheses: &[Hypothesis], budget: &mut Budget) {
        for hypothesis in hypotheses {
            let terms = self.solver.terms_mut();
            let Ok(input) = input(&mut self.normalizer, terms, hypothesis.formula, true) else {
                self.unfinished = Some(Exhausted::FormulaSize);
                return;
            };
            self.solver.within(budget, |solver| solver.assert_normal(input));
            self.formulas.push(hypothesis.formula);
            self.inputs.push(input);
        }
    }
}

/// Proves the obligations of one group in a form that can be certified.
#[derive(Debug)]
pub struct Certifier {
    /// Subformulas of the inputs have the same ids here as in the solver.
    words: expand::Vocabulary,
    foundation: Arc<Foundation>,
    /// The hypotheses that are not in the foundation.
    rest: Vec<Hypothesis>,
    solver: Solver,
    /// The kernel's inputs that all obligations of the group share.
    hypotheses: Vec<TermId>,
    /// Per goal, the input that is its negation.
    goals: Vec<Result<TermId, TooLarge>>,
    /// Why a hypothesis is not there, if one is not.
    unfinished: Option<Exhausted>,
    /// How many assertions the solver has had.
    asserted: usize,
}

impl Certifier {
    /// Prepares the obligations of `group`, on a foundation if its hypotheses are the first ones of the group.
    pub fn new(
        obligations: &Obligations,
        group: &Group,
        foundation: Option<&Arc<Foundation>>,
        seed: u64,
        clock: Option<Clock>,
        budget: &mut Budget,
    ) -> Certifier {
        let fits = |foundation: &&Arc<Foundation>| foundation.shared(&group.hypotheses).is_some();
        let foundation = match foundation.filter(fits) {
            Some(foundation) => Arc::clone(foundation),
            None => Arc::new(Foundation::new(obligations, &[], seed, clock, budget)),
        };
        let rest = group.hypotheses[foundation.formulas.len()..].to_vec();
        let Foundation { mut solver, mut normalizer, inputs: hypotheses, unfinished, .. } =
            foundation.extended(&rest, budget);
        let terms = solver.terms_mut();
        let goals =
            group.goals.iter().map(|goal| input(&mut normalizer, terms, goal.formula, false)).collect();
        let words = expand::Vocabulary::new(obligations.sig.clone(), solver.terms().clone());
        let asserted = hypotheses.len();
        Certifier { words, foundation, rest, solver, hypotheses, goals, unfinished, asserted }
    }

    /// The solver below, for its statistics.
    pub fn solver(&self) -> &Solver {
        &self.solver
    }

    /// After the answer [`Certified::Refuted`]: a structure that satisfies the hypotheses and not the goal, with so many
    /// states; minimal by the measures, as far as the budget goes, if there are any.
    pub fn structure(&mut self, states: u16, measures: &[Measure], budget: &mut Budget) -> Structure {
        match measures {
            [] => self.solver.structure(states),
            _ => self.solver.minimize_by(&[], measures, states, PATIENCE, budget).structure,
        }
    }

    /// Whether the hypotheses hold together in some structure.
    ///
    /// # Errors
    /// The budget that ran out.
    pub fn is_consistent(&mut self, budget: &mut Budget) -> Result<bool, Exhausted> {
        self.solver.pop_to(0);
        Ok(self.solver.check(&[], budget)? == Answer::Sat)
    }

    /// Answers goal number `goal` of the group.
    ///
    /// # Errors
    /// The budget that ran out; [`Exhausted::FormulaSize`] where the kernel would refuse a formula for its size.
    pub fn answer(&mut self, goal: usize, export: bool, budget: &mut Budget) -> Result<Certified, Exhausted> {
        self.unfinished.map_or(Ok(()), Err)?;
        let certified = self.try_answer(goal, export, budget)?;
        if matches!(certified, Certified::NoProof) && self.asserted > self.hypotheses.len() + 1 {
            // Lemmas left over from earlier goals may be in the way: once more without them. The same formulas are
            // normalized in the same order, and get the same ids.
            let Foundation { solver: mut fresh, .. } = self.foundation.extended(&self.rest, budget);
            *fresh.terms_mut() = self.solver.terms().clone();
            let solver = std::mem::replace(&mut self.solver, fresh);
            let asserted = std::mem::replace(&mut self.asserted, self.hypotheses.len());
            let again = self.try_answer(goal, export, budget);
            // The solver with its history goes on: what it has done is counted, and its instances serve.
            (self.solver, self.asserted) = (solver, asserted);
            return again;
        }
        Ok(certified)
    }

    fn try_answer(&mut self, goal: usize, export: bool, budget: &mut Budget) -> Result<Certified, Exhausted> {
        let negated = self.goals[goal].map_err(|TooLarge| Exhausted::FormulaSize)?;
        self.solver.pop_to(0);
        self.solver.push();
        self.solver.within(budget, |solver| solver.assert_normal(negated));
        let number = self.asserted;
        self.asserted += 1;
        if self.solver.check(&[], budget)? == Answer::Sat {
            return Ok(Certified::Refuted);
        }
        let Some(refutation) = self.solver.refutation(&[], budget)? else { return Ok(Certified::NoProof) };
        let mut inputs = self.hypotheses.clone();
        inputs.push(negated);
        let words = std::mem::take(&mut self.words);
        let mut expansion = expand::Expansion::new(words, inputs.clone(), number);
        expansion.expand(&refutation, false);
        let mut derivation = emit::derivation(&expansion, budget);
        if matches!(derivation, Ok(None)) {
            expansion = expand::Expansion::new(expansion.words, inputs, number);
            expansion.expand(&refutation, true);
            derivation = emit::derivation(&expansion, budget);
        }
        if refutation.lacks_lemmas && matches!(derivation, Ok(None)) {
            derivation = match expansion.complete(budget) {
                Ok(true) => emit::derivation(&expansion, budget),
                Ok(false) => Ok(None),
                Err(exhausted) => Err(exhausted),
            };
        }
        let certified = derivation.map(|derivation| match derivation {
            Some(derivation) => {
                let export = export.then(|| derivation.export(&expansion));
                Certified::Proof(derivation.proof(), export)
            }
            None => Certified::NoProof,
        });
        self.words = expansion.words;
        certified
    }
}

/// A formula as the kernel's input; it refuses formulas that are nested too deep, too.
fn input(
    normalizer: &mut Normalizer,
    terms: &mut Terms,
    formula: TermId,
    positive: bool,
) -> Result<TermId, TooLarge> {
    if terms.depth(formula) > MAX_DEPTH {
        return Err(TooLarge);
    }
    normalizer.of(terms, formula, positive)
}
