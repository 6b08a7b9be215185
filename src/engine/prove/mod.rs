//! Construction of certificates from the answers of search.
//!
//! Proofs are searched on the plain obligations, in a normal form (`normal`). The instances that the search used are
//! steps of a calculus about the obligations as they stand (`expand`). The steps are then refuted once more
//! propositionally, with a derivation, and the steps that the derivation needs are written (`emit`). Nothing in this
//! module is trusted.

mod apart;
mod emit;
mod expand;
mod frames;
mod judge;
pub(crate) mod lines;
mod link;
pub mod normal;
mod order;
mod proof;
pub(crate) mod standing;
#[cfg(test)]
mod tests;
mod unchanged;
mod walk;
mod witness;

pub use judge::can_be_judged;
pub use proof::{Export, Proof};

use std::sync::Arc;

use apart::Apart;
use frames::Frames;
use normal::{Normalizer, TooLarge};
use ramsey_core::base::budget::{Budget, Exhausted};
use ramsey_core::base::hash::{Map, Set};
use ramsey_core::logic::{Structure, SymId, TermId, Terms};
use ramsey_kernel::check::MAX_DEPTH;
use ramsey_kernel::core::spelled_out;
use ramsey_kernel::obligations::{Goal, Group, Hypothesis, HypothesisOrigin, Obligations, Origin};
use ramsey_solver::epr::{Answer, Clock, Measure, PATIENCE, Refutation, Solver};

/// Work units of a search with quantifiers in place, whose formulas may be outside of the decidable fragment.
const WORK_IN_PLACE: u64 = 100_000_000;

/// Work units of the search before the first goal.
const WORK_OF_WARM_UP: u64 = 1_000_000;

/// Number of goals after which a search begins without the instances of earlier goals. A goal often needs instances of the one
/// before, and seldom those of hundreds.
const MAX_GOALS: usize = 256;

/// Answer to an obligation, with its certificate.
#[derive(Clone, Debug)]
pub enum Certified {
    /// The obligation holds. The export is present if requested.
    Proof(Proof, Option<Export>),
    /// The obligation does not hold.
    Refuted,
    /// The derivation could not be written as a proof. This is a defect of the tool.
    NoProof,
}

/// Hypotheses shared by the certifiers of several groups, asserted once.
#[derive(Clone, Debug)]
pub struct Foundation {
    solver: Solver,
    /// The asserted formulas, in order, each with its place among the hypotheses.
    formulas: Vec<(usize, TermId)>,
    /// The same without quantifiers over `bool`.
    inputs: Vec<TermId>,
    /// The symbols that they read in the next state.
    next: Set<SymId>,
    /// Normal forms of the negations of formulas that several groups search, by formula.
    negations: Arc<Map<TermId, Result<TermId, TooLarge>>>,
    /// Reason why a hypothesis is missing, if one is. Nothing can be proved then.
    unfinished: Option<Exhausted>,
}

/// A goal without quantifiers over `bool`, and the normal form of its negation as it is searched.
type SearchedGoal = Result<(TermId, TermId), TooLarge>;

impl Foundation {
    /// Asserts hypotheses, each with its place among those of the groups. They are over the signature and the arena of `obligations`.
    pub fn new<'a>(
        obligations: &Obligations,
        hypotheses: impl IntoIterator<Item = (usize, &'a Hypothesis)>,
        seed: u64,
        clock: Option<Clock>,
        budget: &mut Budget,
    ) -> Foundation {
        let mut solver = Solver::new(obligations.sig.clone(), obligations.terms.clone(), seed);
        solver.set_clock(clock);
        solver.keep_record();
        let mut foundation = Foundation {
            solver,
            formulas: Vec::new(),
            inputs: Vec::new(),
            next: Set::default(),
            negations: Arc::default(),
            unfinished: None,
        };
        foundation.assert(hypotheses, budget);
        foundation
    }

    /// Brings the negations of the hypotheses into normal form, once for all groups: a goal that a transition leaves alone says of this
    /// state what one of them says.
    #[must_use]
    pub fn with_negations(mut self) -> Foundation {
        let (mut normalizer, terms) = (Normalizer::default(), self.solver.terms_mut());
        let negation = |&formula: &TermId| (formula, normalizer.of(terms, formula, false));
        self.negations = Arc::new(self.inputs.iter().map(negation).collect());
        self
    }

    /// Returns a copy with more hypotheses.
    pub fn extended<'a>(
        &self,
        hypotheses: impl IntoIterator<Item = (usize, &'a Hypothesis)>,
        budget: &mut Budget,
    ) -> Foundation {
        let mut extended = self.clone();
        extended.assert(hypotheses, budget);
        extended
    }

    /// Returns the number of hypotheses of the foundation, if they are in their places among `hypotheses`.
    pub fn shared(&self, hypotheses: &[Hypothesis]) -> Option<usize> {
        let is_there = |&(at, formula): &(usize, TermId)| {
            hypotheses.get(at).is_some_and(|hypothesis| hypothesis.formula == formula)
        };
        self.formulas.iter().all(is_there).then_some(self.formulas.len())
    }

    /// Checks whether all hypotheses were asserted completely.
    pub fn is_complete(&self) -> bool {
        self.unfinished.is_none() && self.solver.unfinished().is_none()
    }

    fn assert<'a>(
        &mut self,
        hypotheses: impl IntoIterator<Item = (usize, &'a Hypothesis)>,
        budget: &mut Budget,
    ) {
        let mut normalizer = Normalizer::default();
        for (at, hypothesis) in hypotheses {
            let terms = self.solver.terms_mut();
            let input = spelled(terms, hypothesis.formula);
            let normal = input.and_then(|input| Ok((input, normalizer.of(terms, input, true)?)));
            let Ok((input, normal)) = normal else {
                self.unfinished = Some(Exhausted::FormulaSize);
                return;
            };
            self.next.extend(frames::read_next(terms, input));
            self.solver.within(budget, |solver| solver.assert_normal(normal));
            self.formulas.push((at, hypothesis.formula));
            self.inputs.push(input);
        }
    }
}

/// Proves the obligations of one group in a form that can be certified.
#[derive(Debug)]
pub struct Certifier {
    /// Vocabulary of the proofs. Subformulas of the inputs have the same ids here as in the solver.
    vocabulary: expand::Vocabulary,
    foundation: Arc<Foundation>,
    /// The normal forms of the hypotheses that are not in the foundation.
    rest: Vec<TermId>,
    solver: Solver,
    /// The solver before any goal, if there are many.
    pristine: Option<Box<Solver>>,
    /// A solver that another has taken the place of.
    retired: Option<Solver>,
    /// The hypotheses of all obligations of the group, without quantifiers over `bool`.
    hypotheses: Vec<TermId>,
    /// By number of an assertion, the place of the hypothesis that it is.
    places: Arc<[usize]>,
    /// Per goal, the same, and the normal form of its negation.
    goals: Vec<SearchedGoal>,
    /// Per goal, the hypothesis that says of this state what it says of the next one, if it does.
    claims: Vec<Option<usize>>,
    /// What the transition says of symbols, if there is one.
    frames: Option<Frames>,
    /// Reason why a hypothesis is missing, if one is.
    unfinished: Option<Exhausted>,
    /// Number of assertions that the solver has received.
    asserted: usize,
}

impl Certifier {
    /// Prepares the obligations of `group`, on `foundation` if its hypotheses are a prefix of the group's.
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
            None => Arc::new(Foundation::new(obligations, [], seed, clock, budget)),
        };
        let mut solver = foundation.solver.clone();
        let mut unfinished = foundation.unfinished;
        let mut hypotheses = Vec::with_capacity(group.hypotheses.len());
        let (mut normalizer, terms) = (Normalizer::default(), solver.terms_mut());
        let formulas = foundation.formulas.iter().map(|&(at, _)| at);
        let known: Map<usize, TermId> = formulas.clone().zip(foundation.inputs.iter().copied()).collect();
        for (at, hypothesis) in group.hypotheses.iter().enumerate() {
            match known.get(&at).map_or_else(|| spelled(terms, hypothesis.formula), |&input| Ok(input)) {
                Ok(input) => hypotheses.push(input),
                Err(TooLarge) => unfinished = Some(Exhausted::FormulaSize),
            }
        }
        let own: Vec<usize> = (0..group.hypotheses.len()).filter(|at| !known.contains_key(at)).collect();
        let asserted_places: Arc<[usize]> = formulas.chain(own.iter().copied()).collect();
        let places: Map<HypothesisOrigin, usize> =
            group.hypotheses.iter().zip(0..).map(|(hypothesis, at)| (hypothesis.origin, at)).collect();
        let transition = group.kind.transition().map(HypothesisOrigin::Transition);
        let transition = transition.and_then(|origin| places.get(&origin).copied());
        let transition = transition.filter(|at| unfinished.is_none() && own.contains(at));
        let params = group.kind.transition().map_or(&[][..], |index| &obligations.params[index]);
        let mut frames = transition
            .map(|at| Frames::new(&obligations.sig, terms, (at, hypotheses[at]), &foundation.next, params));
        let mut searched = |terms: &mut Terms, formula| match &mut frames {
            Some(frames) => frames.searched(&obligations.sig, terms, formula),
            None => formula,
        };
        let mut rest = Vec::new();
        for input in own.iter().filter_map(|&at| hypotheses.get(at).copied()) {
            let formula = searched(terms, input);
            match normalizer.of(terms, formula, true) {
                Ok(normal) => rest.push(normal),
                Err(TooLarge) => unfinished = Some(Exhausted::FormulaSize),
            }
        }
        let mut goal = |goal: &Goal| {
            let input = spelled(terms, goal.formula)?;
            let formula = searched(terms, input);
            let known = foundation.negations.get(&formula).copied();
            Ok((input, known.unwrap_or_else(|| normalizer.of(terms, formula, false))?))
        };
        let goals: Vec<SearchedGoal> = group.goals.iter().map(&mut goal).collect();
        solver.within(budget, |solver| rest.iter().for_each(|&normal| solver.assert_normal(normal)));
        let vocabulary = expand::Vocabulary::new(obligations.sig.clone(), solver.terms().clone());
        let claim = |goal: &Goal| match goal.origin {
            Origin::Consecution { invariant, .. } => {
                places.get(&HypothesisOrigin::Invariant(invariant)).copied()
            }
            _ => None,
        };
        let claims = group.goals.iter().map(claim).collect();
        let asserted = hypotheses.len();
        let pristine = (group.goals.len() > MAX_GOALS).then(|| Box::new(solver.clone()));
        Certifier {
            vocabulary,
            foundation,
            rest,
            solver,
            pristine,
            retired: None,
            hypotheses,
            places: asserted_places,
            goals,
            claims,
            frames,
            unfinished,
            asserted,
        }
    }

    /// Returns the underlying solver, for its statistics.
    pub fn solver(&self) -> &Solver {
        &self.solver
    }

    /// Returns the solver that another has taken the place of since the last call, if one has, for its statistics.
    pub fn retired(&mut self) -> Option<Solver> {
        self.retired.take()
    }

    /// Returns a structure with `states` states that satisfies the hypotheses and violates the goal, after the answer
    /// [`Certified::Refuted`]. It is minimized by the measures, if there are any, within the budget.
    pub fn structure(&mut self, states: u16, measures: &[Measure], budget: &mut Budget) -> Structure {
        let mut structure = match measures {
            [] => self.solver.structure(states),
            _ => self.solver.minimize_by(&[], measures, states, PATIENCE, budget).structure,
        };
        if let Some(frames) = &self.frames {
            frames.complete(&self.vocabulary.sig, &self.vocabulary.terms, &mut structure);
        }
        structure
    }

    /// Checks whether the hypotheses are satisfiable.
    ///
    /// # Errors
    /// Returns an error if the budget runs out.
    pub fn is_consistent(&mut self, budget: &mut Budget) -> Result<bool, Exhausted> {
        self.solver.pop_to(0);
        Ok(self.solver.check(&[], budget)? == Answer::Sat)
    }

    /// Answers the goal with index `goal` of the group.
    ///
    /// # Errors
    /// Returns an error if the budget runs out, and [`Exhausted::FormulaSize`] if the kernel would reject a formula
    /// for its size.
    pub fn answer(&mut self, goal: usize, export: bool, budget: &mut Budget) -> Result<Certified, Exhausted> {
        self.unfinished.map_or(Ok(()), Err)?;
        if let Some(certified) = self.unchanged(goal, export) {
            return Ok(certified);
        }
        if self.asserted > self.hypotheses.len() + MAX_GOALS {
            let fresh = self.fresh(budget);
            self.retired = Some(std::mem::replace(&mut self.solver, fresh));
            self.asserted = self.hypotheses.len();
        }
        if self.frames.is_some() && self.asserted == self.hypotheses.len() {
            self.warm_up(budget)?;
        }
        let mut certified = self.try_answer(goal, export, budget)?;
        if matches!(certified, Certified::NoProof) && self.asserted > self.hypotheses.len() + 1 {
            // Lemmas of earlier goals may interfere: try again without them.
            let fresh = self.fresh(budget);
            let solver = std::mem::replace(&mut self.solver, fresh);
            let asserted = std::mem::replace(&mut self.asserted, self.hypotheses.len());
            let again = self.try_answer(goal, export, budget);
            // Continue with the old solver: its statistics are counted, and its instances are reused.
            (self.solver, self.asserted) = (solver, asserted);
            certified = again?;
        }
        if matches!(certified, Certified::NoProof) {
            return self.answer_in_place(goal, export, budget);
        }
        Ok(certified)
    }

    /// Searches for a structure that satisfies the hypotheses, whether there is one or not. The first goal then begins with
    /// instances of the hypotheses that others need as well.
    fn warm_up(&mut self, budget: &mut Budget) -> Result<(), Exhausted> {
        self.solver.pop_to(0);
        let mut part = budget.part(WORK_OF_WARM_UP);
        let _ = self.solver.check(&[], &mut part);
        budget.absorb(&part)
    }

    /// Proves a goal that says what a hypothesis says of the state before, if the transition changes nothing in it.
    fn unchanged(&mut self, goal: usize, export: bool) -> Option<Certified> {
        let (claim, frames) = (self.claims[goal]?, self.frames.as_ref()?);
        let (formula, _) = self.goals[goal].ok()?;
        if !frames.cover(&self.vocabulary.terms, formula) {
            return None;
        }
        let mut inputs = std::mem::take(&mut self.hypotheses);
        inputs.push(formula);
        let vocabulary = std::mem::take(&mut self.vocabulary);
        let mut expansion = expand::Expansion::new(vocabulary, inputs, &self.places, 0);
        let derivation = unchanged::derivation(&mut expansion, frames, claim);
        let certified = derivation.map(|derivation| {
            let export = export.then(|| derivation.export(&expansion));
            Certified::Proof(derivation.proof(), export)
        });
        self.vocabulary = expansion.vocabulary;
        self.hypotheses = expansion.inputs;
        self.hypotheses.pop();
        certified
    }

    /// Returns a solver that has searched no goal.
    fn fresh(&self, budget: &mut Budget) -> Solver {
        match &self.pristine {
            Some(pristine) => {
                let mut fresh = Solver::clone(pristine);
                *fresh.terms_mut() = self.solver.terms().clone();
                fresh
            }
            None => {
                let mut fresh = self.foundation.solver.clone();
                *fresh.terms_mut() = self.solver.terms().clone();
                let rest = &self.rest;
                fresh.within(budget, |fresh| rest.iter().for_each(|&normal| fresh.assert_normal(normal)));
                fresh
            }
        }
    }

    /// Answers a goal by a search of its own, in a normal form whose witnesses are those of the inputs. Otherwise one witness of the
    /// normal form may be many of an input, which has it for each value of a variable that the normal form does without, or in
    /// several formulas that bind the same variable and have the same normal form.
    fn answer_in_place(
        &mut self,
        goal: usize,
        export: bool,
        budget: &mut Budget,
    ) -> Result<Certified, Exhausted> {
        let (formula, negated) = self.goals[goal].map_err(|TooLarge| Exhausted::FormulaSize)?;
        let mut solver = Solver::new(self.vocabulary.sig.clone(), self.solver.terms().clone(), 0);
        solver.keep_record();
        let (mut apart, mut normalizer) = (Apart::default(), Normalizer::in_place());
        let mut hypotheses = Vec::with_capacity(self.hypotheses.len());
        for &hypothesis in &self.hypotheses {
            let hypothesis = apart.of(solver.terms_mut(), hypothesis);
            let normal = normalizer.of(solver.terms_mut(), hypothesis, true);
            let normal = normal.map_err(|TooLarge| Exhausted::FormulaSize)?;
            solver.within(budget, |solver| solver.assert_normal(normal));
            hypotheses.push(hypothesis);
        }
        let input = apart.of(solver.terms_mut(), formula);
        let in_place = normalizer.of(solver.terms_mut(), input, false);
        let in_place = in_place.map_err(|TooLarge| Exhausted::FormulaSize)?;
        let vocabulary = expand::Vocabulary::new(self.vocabulary.sig.clone(), solver.terms().clone());
        let vocabulary = std::mem::replace(&mut self.vocabulary, vocabulary);
        let solver = std::mem::replace(&mut self.solver, solver);
        let asserted = std::mem::replace(&mut self.asserted, hypotheses.len());
        let places = std::mem::replace(&mut self.places, (0..hypotheses.len()).collect());
        let hypotheses = std::mem::replace(&mut self.hypotheses, hypotheses);
        // This search has the whole transition.
        let frames = self.frames.take();
        self.goals[goal] = Ok((input, in_place));
        let mut part = budget.part(WORK_IN_PLACE);
        let answer = self.try_answer(goal, export, &mut part);
        self.goals[goal] = Ok((formula, negated));
        (self.vocabulary, self.solver, self.asserted) = (vocabulary, solver, asserted);
        (self.places, self.hypotheses, self.frames) = (places, hypotheses, frames);
        budget.absorb(&part)?;
        // That the terms may grow forever in this form says nothing about the obligation.
        if matches!(answer, Err(Exhausted::Work)) { Ok(Certified::NoProof) } else { answer }
    }

    fn try_answer(&mut self, goal: usize, export: bool, budget: &mut Budget) -> Result<Certified, Exhausted> {
        let (goal, negated) = self.goals[goal].map_err(|TooLarge| Exhausted::FormulaSize)?;
        self.solver.pop_to(0);
        self.solver.push();
        self.solver.within(budget, |solver| solver.assert_normal(negated));
        let number = self.asserted;
        self.asserted += 1;
        if self.solver.check(&[], budget)? == Answer::Sat {
            return Ok(Certified::Refuted);
        }
        let Some(refutation) = self.solver.refutation(&[], budget)? else { return Ok(Certified::NoProof) };
        let mut inputs = std::mem::take(&mut self.hypotheses);
        inputs.push(goal);
        let vocabulary = std::mem::take(&mut self.vocabulary);
        let mut expansion = expand::Expansion::new(vocabulary, inputs, &self.places, number);
        if let Some(frames) = &self.frames {
            expansion.place_params(frames);
        }
        let derivation = derivation(&mut expansion, &refutation, self.frames.as_ref(), budget);
        let certified = derivation.map(|derivation| match derivation {
            Some(derivation) => {
                let export = export.then(|| derivation.export(&expansion));
                Certified::Proof(derivation.proof(), export)
            }
            None => Certified::NoProof,
        });
        self.vocabulary = expansion.vocabulary;
        self.hypotheses = expansion.inputs;
        self.hypotheses.pop();
        certified
    }
}

/// Returns the steps that a refutation becomes; `None` if they do not suffice.
fn derivation(
    expansion: &mut expand::Expansion,
    refutation: &Refutation,
    frames: Option<&Frames>,
    budget: &mut Budget,
) -> Result<Option<proof::Derivation>, Exhausted> {
    for is_thorough in [false, true] {
        expansion.expand(refutation, is_thorough, budget)?;
        if let Some(frames) = frames {
            link::link(expansion, frames);
        }
        if let Some(found) = emit::derivation(expansion, budget)? {
            return Ok(Some(found));
        }
    }
    // A lemma is about one witness of the normal form, which may be several of an input.
    let lacks_lemmas = refutation.lacks_lemmas || !expansion.others.is_empty();
    if lacks_lemmas && expansion.complete(budget)? {
        return emit::derivation(expansion, budget);
    }
    Ok(None)
}

/// Returns a formula without quantifiers over `bool` and choices between terms. Returns an error if it is too large or nested too
/// deeply.
fn spelled(terms: &mut Terms, formula: TermId) -> Result<TermId, TooLarge> {
    if terms.depth(formula) > MAX_DEPTH {
        return Err(TooLarge);
    }
    let spelled = spelled_out(terms, formula).map_err(|_| TooLarge)?;
    standing::without_choices(terms, spelled)
}
