//! The property-directed loop: the only place where a set of lemmas is found to be inductive.
//!
//! Safety comes first. For each lemma that the proof of safety needs and each transition, consecution is asked with few
//! hypotheses. If it holds, the hypotheses of the proof have to be proved as well. Otherwise the state before the
//! transition tells which known lemma to assume in addition; if none excludes it, a separating clause becomes a lemma.
//! If there is no such clause, the state is part of one that every universal invariant allows, so that the state after
//! the transition is allowed as well: it refutes the goal. A refuted safety property has no universal invariant.
//!
//! See Padon et al. (PLDI 2016) for diagrams, and Karbyshev et al. (CAV 2015) for relaxed executions.

use std::cmp::Reverse;
use std::collections::VecDeque;
use std::sync::Arc;

use super::exists::Source;
use super::explore::explorer::{Explorer, Place};
use super::language::Language;
use super::oracle::{Claim, Consecution, Cti, Found, LemmaId, Oracle};
use super::outcome::{Counts, Event, Observer};
use super::propose::Proposal;
use super::sample::sample;
use super::separate::{Edge, Separator};
use super::state::{Matcher, Pattern, State};
use crate::query::Call;
use ramsey_core::base::budget::Budget;
use ramsey_core::base::hash::Set;
use ramsey_solver::ask::Failure;

/// Number of a state in the store.
pub(super) type StateId = usize;

/// Number of reachable states beyond which no more random executions are made.
const MAX_SAMPLES: u64 = 400;
/// Number of random executions made at a time.
const RUNS: usize = 8;
/// Work of the search per work of random executions.
const SHARE: u64 = 8;
/// Work before the first restart.
const RESTART: u64 = 40_000_000;
/// Number of often used lemmas that are assumed from the start.
const FAVOURITES: usize = 6;

/// Where a state of the store comes from.
#[derive(Clone, Debug)]
pub(super) enum Origin {
    /// It is initial.
    Initial,
    /// A call leads to it from a substructure of another state of the store.
    Step(Box<Step>),
    /// A random execution of a small instance leads to it.
    Explored(Place),
    /// A call leads to it from a state that no clause of the language excludes.
    Outside,
}

/// A step from a substructure of a state, which may be the whole state.
#[derive(Clone, Debug)]
pub(super) struct Step {
    pub(super) parent: StateId,
    /// Per element of the substructure, sort by sort, the element of the parent.
    pub(super) elements: Vec<u16>,
    /// The substructure, with the choices of the step.
    pub(super) pre: Found,
    pub(super) call: Call,
}

impl Step {
    /// Returns a step from a whole state of the store.
    pub(super) fn whole(parent: StateId, pre: Found, call: Call) -> Step {
        let elements = pre.state.identity();
        Step { parent, elements, pre, call }
    }
}

/// A lemma, candidate or property.
#[derive(Clone, Debug)]
pub(super) struct Lemma {
    pub(super) claim: Claim,
    pub(super) name: Option<String>,
    pub(super) matcher: Option<Matcher>,
    /// The number of the last frame that it belongs to, for methods with frames.
    pub(super) level: u32,
    /// Whether it is no lemma: a goal of a question, or the initial condition.
    pub(super) is_frame: bool,
    /// Whether it has to hold.
    pub(super) is_safety: bool,
    pub(super) is_alive: bool,
    pub(super) is_initial: bool,
    /// Per transition, the lemmas that imply it afterwards, once proved.
    pub(super) proofs: Vec<Option<Vec<LemmaId>>>,
    /// Per transition, the hypotheses of the last attempt.
    pub(super) tried: Vec<Vec<LemmaId>>,
    /// Number of proofs that use it.
    pub(super) used: u32,
    /// Per transition, the last counterexample to induction.
    pub(super) ctis: Vec<Option<Box<Cti>>>,
}

/// Result of a search.
#[derive(Debug)]
pub(super) enum Verdict {
    /// The needed lemmas are inductive.
    Inductive(Vec<LemmaId>),
    /// A property is not preserved, and no lemma may be added.
    Stuck,
    /// The property is false in this state of the store.
    Violated(LemmaId, StateId),
}

/// State of the search.
#[derive(Debug)]
pub(super) struct Search {
    pub(super) oracle: Oracle,
    pub(super) lemmas: Vec<Lemma>,
    /// The clauses that are or were lemmas.
    pub(super) known: Set<Pattern>,
    /// States that every universal invariant allows.
    pub(super) allowed: Vec<Found>,
    pub(super) origins: Vec<Origin>,
    /// Whether the origins of a state lead to an initial state without relaxed steps.
    pub(super) is_reachable: Vec<bool>,
    /// Whether a state is allowed only by universal invariants in the language.
    pub(super) is_bounded: Vec<bool>,
    pub(super) tables: Vec<Arc<State>>,
    pub(super) seen: Set<Arc<State>>,
    pub(super) separator: Separator,
    /// Where formulas come from instead of the separator, for a method that has them.
    pub(super) source: Option<Box<Source>>,
    /// Reachable states of small instances, for a method that evaluates clauses in them.
    pub(super) explorer: Option<Box<Explorer>>,
    /// The clauses to be tried; the first language is in use, and without one there is no limit.
    pub(super) languages: VecDeque<Language>,
    /// Steps from states that no lemma excludes.
    pub(super) steps: Vec<Edge>,
    /// The least level of lemmas that questions may assume.
    pub(super) floor: u32,
    /// Whether no lemmas are proposed.
    pub(super) is_closed: bool,
    /// The work after which lemmas without proof are dropped.
    pub(super) restart_at: u64,
    /// The work between the last restart and the next one.
    pub(super) restart_step: u64,
    /// States after steps from states that satisfy all lemmas; an inductive subset of them satisfies these as well.
    pub(super) posts: Vec<Found>,
    /// Work of earlier turns.
    pub(super) work: u64,
    /// Number of random executions.
    pub(super) runs: usize,
    /// The work after which more random executions are made.
    pub(super) next_sample: u64,
    pub(super) seed: u64,
    pub(super) counts: Counts,
}

pub(super) enum Attempt {
    Proved,
    Stuck,
    Refuted,
    Violated(LemmaId, StateId),
}

impl Lemma {
    /// Checks whether the lemma is a found one and false in a state. Adds the number of tests to `work`.
    pub(super) fn excludes(&self, state: &State, work: &mut u64) -> bool {
        match (&self.matcher, &self.claim) {
            (Some(matcher), _) => matcher.find(state, work).is_some(),
            (None, Claim::Alternates(it)) => it.refutation(state, work).is_some(),
            (None, Claim::Formula(_) | Claim::Excludes(_)) => false,
        }
    }
}

impl Search {
    pub(super) fn new(oracle: Oracle, seed: u64) -> Search {
        Search {
            oracle,
            lemmas: Vec::new(),
            known: Set::default(),
            allowed: Vec::new(),
            origins: Vec::new(),
            is_reachable: Vec::new(),
            is_bounded: Vec::new(),
            languages: VecDeque::new(),
            tables: Vec::new(),
            seen: Set::default(),
            separator: Separator::default(),
            source: None,
            explorer: None,
            steps: Vec::new(),
            floor: 0,
            work: 0,
            is_closed: false,
            restart_at: RESTART,
            restart_step: RESTART,
            posts: Vec::new(),
            runs: 0,
            next_sample: 0,
            seed,
            counts: Counts::default(),
        }
    }

    pub(super) fn tell(&self, observer: &mut dyn Observer, event: &Event) {
        observer.event(self.oracle.syntax(), event, &self.counts);
    }

    /// Continues until the answer is known.
    ///
    /// # Errors
    /// Returns an error if the budget runs out; progress is kept.
    pub(super) fn advance(
        &mut self,
        observer: &mut dyn Observer,
        budget: &mut Budget,
    ) -> Result<Verdict, Failure> {
        loop {
            if self.work + budget.spent() >= self.next_sample
                && self.counts.reachable < MAX_SAMPLES
                && let Some((property, state)) = self.sampled(observer, budget)?
            {
                return Ok(Verdict::Violated(property, state));
            }
            if let Some((property, state)) = self.explored(observer, budget)? {
                return Ok(Verdict::Violated(property, state));
            }
            self.restart_if_stuck(self.work + budget.spent());
            let (needed, open) = self.needed();
            self.counts.obligations = open.len() as u64;
            let Some(&(lemma, transition)) = open.first() else { return Ok(Verdict::Inductive(needed)) };
            let attempt = match transition {
                None => self.initiation(lemma, observer, budget)?,
                Some(transition) => self.consecution(lemma, transition, observer, budget)?,
            };
            match attempt {
                Attempt::Violated(_, state) if self.is_bounded[state] => {
                    if !self.widen(observer) {
                        return Ok(Verdict::Stuck);
                    }
                }
                Attempt::Violated(lemma, state) => return Ok(Verdict::Violated(lemma, state)),
                Attempt::Stuck => return Ok(Verdict::Stuck),
                Attempt::Proved | Attempt::Refuted => {}
            }
        }
    }

    /// Returns the lemmas that safety needs as far as known, and those of their obligations that have no proof.
    pub(super) fn needed(&self) -> (Vec<LemmaId>, Vec<(LemmaId, Option<usize>)>) {
        let mut needed: Vec<LemmaId> =
            (0..self.lemmas.len()).filter(|&id| self.lemmas[id].is_safety).collect();
        let mut is_needed: Vec<bool> = self.lemmas.iter().map(|lemma| lemma.is_safety).collect();
        let mut open = Vec::new();
        let mut next = 0;
        while let Some(&id) = needed.get(next) {
            next += 1;
            if !self.lemmas[id].is_initial {
                open.push((id, None));
            }
            for (transition, proof) in self.lemmas[id].proofs.iter().enumerate() {
                let Some(core) = proof else {
                    open.push((id, Some(transition)));
                    continue;
                };
                for &other in core {
                    if !std::mem::replace(&mut is_needed[other], true) {
                        needed.push(other);
                    }
                }
            }
        }
        (needed, open)
    }

    /// Returns an initial state in which a lemma is false, if there is one.
    pub(super) fn initially(
        &mut self,
        lemma: LemmaId,
        budget: &mut Budget,
    ) -> Result<Option<Found>, Failure> {
        let Search { oracle, lemmas, counts, .. } = self;
        let found = oracle.initiation(&lemmas[lemma].claim, budget);
        counts.questions = oracle.questions;
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
    ) -> Result<Option<(LemmaId, StateId)>, Failure> {
        let first = |open: Vec<(LemmaId, Option<usize>)>| open.into_iter().find(|(_, at)| at.is_none());
        while let Some((lemma, _)) = first(self.open()) {
            let Some(found) = self.initially(lemma, budget)? else {
                self.lemmas[lemma].is_initial = true;
                continue;
            };
            let (state, violated) = self.allow(found, Origin::Initial, observer, budget)?;
            // A state that is known already refutes nothing anew.
            let own = Some(lemma).filter(|&lemma| self.lemmas[lemma].is_safety);
            if let Some(property) = violated.or(own) {
                return Ok(Some((property, state)));
            }
            if self.lemmas[lemma].is_alive {
                self.drop(lemma);
            }
        }
        Ok(None)
    }

    fn initiation(
        &mut self,
        lemma: LemmaId,
        observer: &mut dyn Observer,
        budget: &mut Budget,
    ) -> Result<Attempt, Failure> {
        match self.initially(lemma, budget)? {
            None => {
                self.lemmas[lemma].is_initial = true;
                Ok(Attempt::Proved)
            }
            Some(found) => match self.allow(found, Origin::Initial, observer, budget)? {
                (state, Some(property)) => Ok(Attempt::Violated(property, state)),
                (_, None) => Ok(Attempt::Refuted),
            },
        }
    }

    fn consecution(
        &mut self,
        lemma: LemmaId,
        transition: usize,
        observer: &mut dyn Observer,
        budget: &mut Budget,
    ) -> Result<Attempt, Failure> {
        if self.oracle.is_unchanged(transition, &self.lemmas[lemma].claim) {
            self.lemmas[lemma].proofs[transition] = Some(vec![lemma]);
            return Ok(Attempt::Proved);
        }
        let mut assumed = self.first_hypotheses(lemma, transition);
        loop {
            let Some(cti) = self.preserve(lemma, transition, &mut assumed, observer, budget)? else {
                return Ok(Attempt::Proved);
            };
            self.counts.ctis += 1;
            self.lemmas[lemma].ctis[transition] = Some(cti.clone());
            if self.is_closed {
                return self.refute(lemma, *cti, observer, budget);
            }
            self.lemmas[lemma].tried[transition].clone_from(&assumed);
            match self.separate(&cti.pre, (lemma, transition), observer, budget)? {
                Proposal::Lemma(new) => {
                    // States found on the way may have refuted the goal, or hypotheses.
                    if !self.lemmas[lemma].is_alive {
                        return Ok(Attempt::Refuted);
                    }
                    assumed.push(new);
                    assumed.retain(|&id| self.lemmas[id].is_alive);
                }
                Proposal::Violated(property, state) => return Ok(Attempt::Violated(property, state)),
                Proposal::Outside => {
                    return Ok(match self.allow(cti.post, Origin::Outside, observer, budget)? {
                        (state, Some(property)) => Attempt::Violated(property, state),
                        (_, None) => Attempt::Refuted,
                    });
                }
                Proposal::Embedded(parent, elements) => {
                    return Ok(match self.allow_after(*cti, parent, elements, observer, budget)? {
                        (state, Some(property)) => Attempt::Violated(property, state),
                        (_, None) => Attempt::Refuted,
                    });
                }
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
            let Search { oracle, lemmas, .. } = self;
            let claims: Vec<(LemmaId, &Claim)> = assumed.iter().map(|&id| (id, &lemmas[id].claim)).collect();
            let answer = oracle.consecution(transition, (lemma, &lemmas[lemma].claim), &claims, budget)?;
            self.counts.questions = self.oracle.questions;
            match answer {
                Consecution::Preserved(core) => {
                    core.iter().for_each(|&used| self.lemmas[used].used += 1);
                    self.lemmas[lemma].tried[transition].clone_from(&core);
                    self.tell(observer, &Event::Preserved { lemma, transition, core: core.clone() });
                    self.lemmas[lemma].proofs[transition] = Some(core);
                    return Ok(None);
                }
                Consecution::Violated(cti) => match self.excluding(&cti.pre, assumed, budget)? {
                    Some(known) => assumed.push(known),
                    None => return Ok(Some(cti)),
                },
            }
        }
    }

    /// Returns the obligations without proof of the lemmas that safety needs as far as known.
    pub(super) fn open(&self) -> Vec<(LemmaId, Option<usize>)> {
        self.needed().1
    }

    /// Returns the hypotheses of the first question: the lemma, safety, those of the last attempt, and often used ones.
    pub(super) fn first_hypotheses(&self, lemma: LemmaId, transition: usize) -> Vec<LemmaId> {
        let mut assumed = vec![lemma];
        let mut include = |id: LemmaId| {
            let it = &self.lemmas[id];
            if it.is_alive && (it.level >= self.floor || it.is_safety) && !assumed.contains(&id) {
                assumed.push(id);
            }
        };
        (0..self.lemmas.len()).filter(|&id| self.lemmas[id].is_safety).for_each(&mut include);
        self.lemmas[lemma].tried[transition].iter().copied().for_each(&mut include);
        let mut favourites: Vec<LemmaId> = (0..self.lemmas.len())
            .filter(|&id| self.lemmas[id].is_alive && self.lemmas[id].used > 0)
            .collect();
        favourites.sort_by_key(|&id| Reverse(self.lemmas[id].used));
        favourites.into_iter().take(FAVOURITES).for_each(&mut include);
        assumed
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
            if lemma.level < self.floor
                || !lemma.is_alive
                || assumed.contains(&id)
                || best.is_some_and(|(used, _)| used >= lemma.used)
            {
                continue;
            }
            if !self.holds(id, found, budget)? {
                best = Some((lemma.used, id));
            }
        }
        Ok(best.map(|(_, id)| id))
    }

    /// Adds the states of random executions. Returns a property and a state that violates it, if one is reached.
    pub(super) fn sampled(
        &mut self,
        observer: &mut dyn Observer,
        budget: &mut Budget,
    ) -> Result<Option<(LemmaId, StateId)>, Failure> {
        let start = budget.spent();
        let runs = self.runs..self.runs + RUNS;
        self.runs = runs.end;
        let violated = sample(self, runs, self.seed, observer, budget)?;
        self.next_sample = self.work + budget.spent() + SHARE * (budget.spent() - start);
        Ok(violated)
    }

    /// Checks whether the lemmas of at least the level [`Self::floor`] suffice for consecution by all transitions. Returns
    /// a counterexample otherwise.
    pub(super) fn self_sufficient(
        &mut self,
        lemma: LemmaId,
        observer: &mut dyn Observer,
        budget: &mut Budget,
    ) -> Result<Option<Box<Cti>>, Failure> {
        for transition in 0..self.oracle.transitions() {
            if self.oracle.is_unchanged(transition, &self.lemmas[lemma].claim) {
                self.lemmas[lemma].proofs[transition] = Some(vec![lemma]);
                continue;
            }
            let mut assumed = self.first_hypotheses(lemma, transition);
            if let Some(cti) = self.preserve(lemma, transition, &mut assumed, observer, budget)? {
                return Ok(Some(cti));
            }
        }
        Ok(None)
    }
}
