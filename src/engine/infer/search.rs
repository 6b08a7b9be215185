//! What all methods share: the store, the prover, and the questions that need both.
//!
//! A state that every universal invariant allows refutes the lemmas that are false in it, and a property that is false in
//! one has no universal invariant. See Padon et al. (PLDI 2016) for diagrams, and Karbyshev et al. (CAV 2015) for relaxed
//! executions.

use std::sync::Arc;

use super::claim::{Claim, Cti, Found, LemmaId};
use super::outcome::{Counts, Event, Observer, Reason};
use super::prover::{Consecution, Prover};
use super::sample::sample;
use super::separate::{Edge, Separation, Separator};
use super::state::{Pattern, State, Vocabulary};
use super::store::{Lemma, Lemmas, Origin, Role, StateId, States, Step};
use crate::query::Call;
use ramsey_core::base::budget::{Budget, Exhausted};
use ramsey_core::logic::{Structure, TermId};
use ramsey_core::system::System;
use ramsey_solver::ask::Failure;

/// Number of reachable states beyond which no more random executions are made.
const MAX_SAMPLES: u64 = 400;
/// Number of random executions made at a time.
const RUNS: usize = 8;
/// Work of the search per work of random executions.
const SHARE: u64 = 8;

/// A property that is false in a state of the store.
pub(super) type Violation = (LemmaId, StateId);

/// Result of a search.
#[derive(Debug)]
pub(super) enum Verdict {
    /// The needed lemmas are inductive.
    Inductive(Vec<LemmaId>),
    /// A property is not preserved, and no lemma may be added for this reason.
    Stuck(Reason),
    /// The property is false in this state of the store.
    Violated(LemmaId, StateId),
}

impl From<Violation> for Verdict {
    fn from((property, state): Violation) -> Verdict {
        Verdict::Violated(property, state)
    }
}

/// What is known during a search.
#[derive(Debug)]
pub(super) struct Search {
    pub(super) prover: Prover,
    pub(super) lemmas: Lemmas,
    /// States that every universal invariant allows.
    pub(super) states: States,
    pub(super) counts: Counts,
    separator: Separator,
    /// Work of earlier turns.
    work: u64,
    /// The part of the work that is set aside, see [`Search::set_aside`].
    aside: u64,
    /// Number of random executions.
    runs: usize,
    /// The work after which more random executions are made.
    next_sample: u64,
    seed: u64,
}

impl Search {
    /// Creates a search without lemmas and states.
    pub(super) fn new(prover: Prover, seed: u64) -> Search {
        Search {
            lemmas: Lemmas::new(prover.transitions()),
            prover,
            states: States::default(),
            counts: Counts::default(),
            separator: Separator::default(),
            work: 0,
            aside: 0,
            runs: 0,
            next_sample: 0,
            seed,
        }
    }

    /// Returns the seed of all choices.
    pub(super) fn seed(&self) -> u64 {
        self.seed
    }

    /// Returns the work of all turns, where the budget of the current one is given, without what is set aside.
    pub(super) fn work(&self, budget: &Budget) -> u64 {
        (self.work + budget.spent()).saturating_sub(self.aside)
    }

    /// Sets the work that does not count for what is done from time to time, so that guesses which come to nothing change
    /// nothing else.
    pub(super) fn set_aside(&mut self, work: u64) {
        self.aside = work;
    }

    /// Counts the work of a turn that is over.
    pub(super) fn end_turn(&mut self, budget: &Budget) {
        self.work += budget.spent();
    }

    pub(super) fn tell(&self, observer: &mut dyn Observer, event: &Event) {
        observer.event(self.prover.syntax(), event, &self.counts);
    }

    /// Tells the observer about a new lemma, and the obligation whose counterexample to induction it excludes.
    pub(super) fn proposed(
        &mut self,
        id: LemmaId,
        goal: Option<(LemmaId, usize)>,
        observer: &mut dyn Observer,
    ) {
        self.counts.lemmas += 1;
        let (goal, transition) = goal.unzip();
        let (syntax, formula) = self.prover.shown((id, &self.lemmas[id].claim));
        observer.event(syntax, &Event::Proposed { lemma: id, formula, goal, transition }, &self.counts);
    }

    /// Adds a lemma that was found, and tells the observer.
    pub(super) fn propose(&mut self, claim: Claim, observer: &mut dyn Observer) {
        let id = self.lemmas.add(claim, None, Role::Lemma);
        self.proposed(id, None, observer);
    }

    /// Returns the formulas of lemmas, and the system with these among its terms.
    pub(super) fn formulas(&self, system: &System, lemmas: &[LemmaId]) -> (System, Vec<TermId>) {
        let mut system = system.clone();
        let formula = |&id: &LemmaId| self.prover.formula(&self.lemmas[id].claim, &mut system.terms);
        let formulas = lemmas.iter().map(formula).collect();
        (system, formulas)
    }

    /// Drops a lemma, and all proofs that use it.
    pub(super) fn drop(&mut self, dropped: LemmaId) {
        self.lemmas.drop(dropped);
        self.prover.retire(dropped);
    }

    /// Drops a lemma that a state refutes.
    fn refute(&mut self, lemma: LemmaId, is_reachable: bool, observer: &mut dyn Observer) {
        self.drop(lemma);
        self.counts.refuted += 1;
        self.tell(observer, &Event::Refuted { lemma, is_reachable });
    }

    /// Evaluates a lemma in a state.
    pub(super) fn holds(&self, lemma: LemmaId, found: &Found, budget: &mut Budget) -> Result<bool, Failure> {
        let it = &self.lemmas[lemma];
        if let Claim::Formula(formula) = it.claim {
            return self.prover.holds(formula, found, budget);
        }
        let mut work = 1;
        let is_false = it.excludes(&found.state, &mut work);
        budget.spend(work)?;
        Ok(!is_false)
    }

    /// Returns those of the lemmas that are false in a state.
    fn false_in(
        &self,
        found: &Found,
        is_asked: impl Fn(&Lemma) -> bool,
        budget: &mut Budget,
    ) -> Result<Vec<LemmaId>, Failure> {
        let mut lemmas = Vec::new();
        for id in self.lemmas.which(is_asked) {
            if !self.holds(id, found, budget)? {
                lemmas.push(id);
            }
        }
        Ok(lemmas)
    }

    /// Adds a state that every universal invariant allows. Returns its number, and the first safety property that it
    /// violates. Lemmas that it violates are dropped.
    ///
    /// # Errors
    /// Returns an error if the budget runs out, and adds nothing then.
    pub(super) fn allow(
        &mut self,
        found: Found,
        origin: Origin,
        observer: &mut dyn Observer,
        budget: &mut Budget,
    ) -> Result<(StateId, Option<LemmaId>), Failure> {
        let false_lemmas = self.false_in(&found, Lemma::is_claimed, budget)?;
        let (id, is_new) = self.states.add(found, origin);
        if !is_new {
            return Ok((id, None));
        }
        let is_reachable = self.states[id].is_reachable;
        if is_reachable {
            self.counts.reachable += 1
        } else if !self.states[id].is_bounded {
            self.counts.relaxed += 1
        }
        let mut violated = None;
        for lemma in false_lemmas {
            if self.lemmas[lemma].is_property() {
                violated = violated.or(Some(lemma));
            } else {
                self.refute(lemma, is_reachable, observer);
            }
        }
        Ok((id, violated))
    }

    /// Adds the state after a step from a substructure of an allowed state.
    ///
    /// # Errors
    /// Returns an error if the budget runs out, and adds nothing then.
    pub(super) fn allow_after(
        &mut self,
        cti: Cti,
        parent: StateId,
        elements: Vec<u16>,
        observer: &mut dyn Observer,
        budget: &mut Budget,
    ) -> Result<(StateId, Option<LemmaId>), Failure> {
        let Cti { pre, post, call } = cti;
        let origin = Origin::Step(Box::new(Step { parent, elements, pre, call }));
        self.allow(post, origin, observer, budget)
    }

    /// Adds the states of an execution, each for this number of work units, up to one that violates a property.
    pub(super) fn allow_execution(
        &mut self,
        structure: &Structure,
        calls: &[Call],
        charge: u64,
        observer: &mut dyn Observer,
        budget: &mut Budget,
    ) -> Result<Option<Violation>, Failure> {
        let mut before: Option<(StateId, Found)> = None;
        for step in 0..structure.states() {
            budget.spend(charge)?;
            let found = self.prover.found(structure, step);
            let origin = Origin::along(before, step.checked_sub(1).and_then(|at| calls.get(at)));
            let (state, violated) = self.allow(found.clone(), origin, observer, budget)?;
            if let Some(property) = violated {
                return Ok(Some((property, state)));
            }
            before = Some((state, found));
        }
        Ok(None)
    }

    /// Drops all lemmas that are false after a step from a state that satisfies them all. Returns whether there are any.
    pub(super) fn refute_after(
        &mut self,
        cti: &Cti,
        observer: &mut dyn Observer,
        budget: &mut Budget,
    ) -> Result<bool, Failure> {
        let mut is_refuted = false;
        for lemma in self.lemmas.which(Lemma::is_lemma) {
            if !self.holds(lemma, &cti.post, budget)? {
                self.refute(lemma, false, observer);
                is_refuted = true;
            }
        }
        Ok(is_refuted)
    }

    /// Returns an initial state in which a lemma is false, if there is one.
    pub(super) fn initially(
        &mut self,
        lemma: LemmaId,
        budget: &mut Budget,
    ) -> Result<Option<Found>, Failure> {
        let found = self.prover.initiation(&self.lemmas[lemma].claim, budget);
        self.counts.questions = self.prover.questions();
        found
    }

    /// Asks of all lemmas that safety needs as far as known, and of safety, whether they hold initially. Drops those that do
    /// not. Returns a property and an initial state that violates it, if there is one.
    ///
    /// # Errors
    /// Returns an error if the budget runs out; progress is kept.
    pub(super) fn settle_initiation(
        &mut self,
        observer: &mut dyn Observer,
        budget: &mut Budget,
    ) -> Result<Option<Violation>, Failure> {
        while let Some((lemma, _)) = self.lemmas.open().into_iter().find(|(_, at)| at.is_none()) {
            let Some(found) = self.initially(lemma, budget)? else {
                self.lemmas.holds_initially(lemma);
                continue;
            };
            let (state, violated) = self.allow(found, Origin::Initial, observer, budget)?;
            // A state that is known already refutes nothing anew.
            let own = Some(lemma).filter(|&lemma| self.lemmas[lemma].is_property());
            if let Some(property) = violated.or(own) {
                return Ok(Some((property, state)));
            }
            if self.lemmas[lemma].is_alive {
                self.drop(lemma);
            }
        }
        Ok(None)
    }

    /// Notes the proof of a lemma all of whose symbols a transition leaves unchanged. Returns whether it does.
    pub(super) fn is_unchanged(&mut self, lemma: LemmaId, transition: usize) -> bool {
        let is_unchanged = self.prover.is_unchanged(transition, &self.lemmas[lemma].claim);
        if is_unchanged {
            self.lemmas.prove(lemma, transition, vec![lemma]);
        }
        is_unchanged
    }

    /// Notes the proofs that a lemma lacks after the transitions that leave all its symbols unchanged. Models of many parts have more
    /// of these than can be looked for one by one.
    pub(super) fn prove_unchanged(&mut self, lemma: LemmaId) {
        for transition in 0..self.prover.transitions() {
            if self.lemmas[lemma].proofs[transition].is_none() {
                self.is_unchanged(lemma, transition);
            }
        }
    }

    /// Asks for consecution, assuming in addition those known lemmas that exclude the counterexamples. Returns a
    /// counterexample that no known lemma excludes.
    pub(super) fn preserve(
        &mut self,
        lemma: LemmaId,
        transition: usize,
        assumed: &mut Vec<LemmaId>,
        observer: &mut dyn Observer,
        budget: &mut Budget,
    ) -> Result<Option<Box<Cti>>, Failure> {
        loop {
            let answer = self.prover.consecution(&self.lemmas, (lemma, transition), assumed, budget)?;
            self.counts.questions = self.prover.questions();
            match answer {
                Consecution::Preserved(core) => {
                    self.lemmas.learn(lemma, transition, core.clone());
                    self.tell(observer, &Event::Preserved { lemma, transition, core });
                    return Ok(None);
                }
                Consecution::Violated(cti) => match self.excluding(&cti.pre, assumed, budget)? {
                    Some(known) => assumed.push(known),
                    None => return Ok(Some(cti)),
                },
            }
        }
    }

    /// Returns a lemma that is false in the state, the most used one first.
    fn excluding(
        &self,
        found: &Found,
        assumed: &[LemmaId],
        budget: &mut Budget,
    ) -> Result<Option<LemmaId>, Failure> {
        let mut best: Option<(u32, LemmaId)> = None;
        for (id, lemma) in self.lemmas.iter().enumerate() {
            let is_better = best.is_none_or(|(used, _)| lemma.used > used);
            if is_better
                && self.lemmas.is_in_frame(id)
                && !assumed.contains(&id)
                && !self.holds(id, found, budget)?
            {
                best = Some((lemma.used, id));
            }
        }
        Ok(best.map(|(_, id)| id))
    }

    /// Checks whether the lemmas that questions may assume suffice for consecution by all transitions. Returns a
    /// counterexample otherwise.
    pub(super) fn self_sufficient(
        &mut self,
        lemma: LemmaId,
        observer: &mut dyn Observer,
        budget: &mut Budget,
    ) -> Result<Option<Box<Cti>>, Failure> {
        for transition in 0..self.prover.transitions() {
            if self.is_unchanged(lemma, transition) {
                continue;
            }
            let mut assumed = self.lemmas.first_hypotheses(lemma, transition);
            if let Some(cti) = self.preserve(lemma, transition, &mut assumed, observer, budget)? {
                return Ok(Some(cti));
            }
        }
        Ok(None)
    }

    /// Checks whether a lemma that nobody has found holds initially, and is preserved where the known ones hold.
    pub(super) fn suggestion_holds(
        &mut self,
        lemma: LemmaId,
        observer: &mut dyn Observer,
        budget: &mut Budget,
    ) -> Result<bool, Failure> {
        if !self.lemmas[lemma].is_initial {
            if self.initially(lemma, budget)?.is_some() {
                return Ok(false);
            }
            self.lemmas.holds_initially(lemma);
        }
        for transition in 0..self.prover.transitions() {
            let is_proved = self.lemmas[lemma].proofs[transition].is_some();
            if is_proved || self.is_unchanged(lemma, transition) {
                continue;
            }
            let mut assumed = self.lemmas.first_hypotheses(lemma, transition);
            if self.preserve(lemma, transition, &mut assumed, observer, budget)?.is_some() {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Drops lemmas until the others are inductive as a set, and returns these.
    pub(super) fn inductive_subset(
        &mut self,
        observer: &mut dyn Observer,
        budget: &mut Budget,
    ) -> Result<Vec<LemmaId>, Failure> {
        self.lemmas.assume_from(0);
        self.drop_goals();
        while let Some((id, transition)) = self.lemmas.open_without_safety() {
            let Some(transition) = transition else {
                match self.initially(id, budget)? {
                    None => self.lemmas.holds_initially(id),
                    Some(_) => self.drop(id),
                }
                continue;
            };
            let assumed = self.lemmas.which(Lemma::is_lemma);
            match self.prover.consecution(&self.lemmas, (id, transition), &assumed, budget)? {
                Consecution::Preserved(core) => self.lemmas.prove(id, transition, core),
                Consecution::Violated(cti) => {
                    self.refute_after(&cti, observer, budget)?;
                }
            }
        }
        Ok(self.lemmas.which(Lemma::is_lemma))
    }

    /// Drops the goals of questions.
    pub(super) fn drop_goals(&mut self) {
        self.lemmas.which(Lemma::is_goal).into_iter().for_each(|id| self.drop(id));
    }

    /// Makes no random executions from now on, unless they are asked for.
    pub(super) fn stop_sampling(&mut self) {
        self.next_sample = u64::MAX;
    }

    /// Adds the states of random executions if it is time. Returns a property and a state that violates it, if one is
    /// reached.
    pub(super) fn sampled_in_time(
        &mut self,
        observer: &mut dyn Observer,
        budget: &mut Budget,
    ) -> Result<Option<Violation>, Failure> {
        if self.work(budget) < self.next_sample || self.counts.reachable >= MAX_SAMPLES {
            return Ok(None);
        }
        self.sampled(observer, budget)
    }

    /// Adds the states of random executions if there are no reachable ones yet. Returns a property and a state that
    /// violates it, if one is reached.
    pub(super) fn sampled_once(
        &mut self,
        observer: &mut dyn Observer,
        budget: &mut Budget,
    ) -> Result<Option<Violation>, Failure> {
        if self.counts.reachable > 0 { Ok(None) } else { self.sampled(observer, budget) }
    }

    fn sampled(
        &mut self,
        observer: &mut dyn Observer,
        budget: &mut Budget,
    ) -> Result<Option<Violation>, Failure> {
        let start = budget.spent();
        let runs = self.runs..self.runs + RUNS;
        self.runs = runs.end;
        let violated = sample(self, runs, observer, budget)?;
        self.next_sample = self.work(budget) + SHARE * (budget.spent() - start);
        Ok(violated)
    }

    /// Returns what separates a state from the states of the store.
    pub(super) fn separating(&mut self) -> (&mut Separator, &Vocabulary, &[Arc<State>]) {
        (&mut self.separator, self.prover.vocabulary(), self.states.tables())
    }

    /// Forgets the states that were allowed for want of clauses.
    pub(super) fn forget_bounded(&mut self) {
        self.states.forget_bounded();
        // It knows states by their numbers.
        self.separator = Separator::default();
    }

    /// Returns a clause that is false in the state, true in all allowed states, and respects the steps.
    ///
    /// # Errors
    /// Returns an error if the budget runs out, or the state is too large.
    pub(super) fn separated(
        &mut self,
        found: &Found,
        steps: &[Edge],
        budget: &mut Budget,
    ) -> Result<Option<Pattern>, Failure> {
        let (separator, vocabulary, tables) = self.separating();
        match separator.separate(vocabulary, &found.state, tables, steps, None, budget)? {
            Separation::Clause(pattern) => Ok(Some(pattern)),
            Separation::Embedded(..) | Separation::Blocked | Separation::Outside => Ok(None),
            Separation::TooLarge => Err(Failure::Exhausted(Exhausted::FormulaSize)),
        }
    }

    /// Returns an allowed state of which this one is a substructure, with the elements that its elements stand for.
    pub(super) fn embedding(
        &mut self,
        found: &Found,
        budget: &mut Budget,
    ) -> Result<Option<(StateId, Vec<u16>)>, Failure> {
        let (separator, vocabulary, tables) = self.separating();
        Ok(separator.embedding(vocabulary, &found.state, tables, budget)?)
    }

    /// Returns the diagram of a state.
    ///
    /// # Errors
    /// Returns an error if the state is too large.
    pub(super) fn diagram(&mut self, found: &Found) -> Result<Pattern, Failure> {
        let diagram = self.separator.diagram(self.prover.vocabulary(), &found.state);
        diagram.ok_or(Failure::Exhausted(Exhausted::FormulaSize))
    }
}
