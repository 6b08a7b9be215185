//! The property-directed loop: the only place where a set of lemmas is found to be inductive.
//!
//! Safety comes first. For each lemma that the proof of safety needs and each transition, consecution is asked with few
//! hypotheses. If it holds, the hypotheses of the proof have to be proved as well. Otherwise the state before the
//! transition tells which known lemma to assume in addition; if none excludes it, a separating clause becomes a lemma.
//! If there is no such clause, the state is part of one that every universal invariant allows, so that the state after
//! the transition is allowed as well: it refutes the goal. A refuted safety property has no universal invariant.
//!
//! See `Ivy` (PLDI 2016) for diagrams, and Karbyshev et al. (CAV 2015) for relaxed executions.

use std::cmp::Reverse;
use std::sync::Arc;

use super::oracle::{Claim, Consecution, Cti, Found, LemmaId, Oracle};
use super::sample::sample;
use super::separate::{Edge, Separation, Separator};
use super::state::{Matcher, Pattern, State};
use super::{Counts, Event, Observer};
use crate::ask::Failure;
use crate::base::budget::{Budget, Exhausted};
use crate::base::hash::{Map, Set};
use crate::logic::Elem;
use crate::query::Call;

/// Number of a state in the store.
pub(super) type StateId = usize;

/// Number of clauses tried for one that needs no new lemma.
const TRIES: usize = 12;
/// Maximum number of remembered steps.
const MAX_STEPS: usize = 200;
/// Number of reachable states beyond which no more random executions are made.
const MAX_SAMPLES: u64 = 1_000;
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
    /// A call leads to it from another state of the store.
    Step(StateId, Call),
    /// A call leads to it from a state that is a substructure of another state of the store.
    Relaxed(Box<RelaxedStep>),
}

/// A step from a substructure of a state.
#[derive(Clone, Debug)]
pub(super) struct RelaxedStep {
    pub(super) parent: StateId,
    /// Per element of the substructure, sort by sort, the element of the parent.
    pub(super) elements: Vec<u16>,
    pub(super) pre: Found,
    pub(super) call: Call,
}

/// A lemma, candidate or property.
#[derive(Clone, Debug)]
pub(super) struct Lemma {
    pub(super) claim: Claim,
    pub(super) name: Option<String>,
    matcher: Option<Matcher>,
    /// The number of the last frame that it belongs to, for methods with frames.
    pub(super) level: u32,
    /// Whether it is no lemma: a goal of a question, or the initial condition.
    pub(super) is_frame: bool,
    /// Whether it has to hold.
    pub(super) is_safety: bool,
    pub(super) is_alive: bool,
    is_initial: bool,
    /// Per transition, the lemmas that imply it afterwards, once proved.
    pub(super) proofs: Vec<Option<Vec<LemmaId>>>,
    /// Per transition, the hypotheses of the last attempt.
    tried: Vec<Vec<LemmaId>>,
    /// Number of proofs that use it.
    used: u32,
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
    known: Map<Pattern, LemmaId>,
    /// States that every universal invariant allows.
    pub(super) allowed: Vec<Found>,
    pub(super) origins: Vec<Origin>,
    /// Whether the origins of a state lead to an initial state without relaxed steps.
    pub(super) is_reachable: Vec<bool>,
    tables: Vec<Arc<State>>,
    seen: Set<Arc<State>>,
    separator: Separator,
    /// Steps from states that no lemma excludes.
    steps: Vec<Edge>,
    /// The least level of lemmas that questions may assume.
    pub(super) floor: u32,
    /// Whether no lemmas are proposed.
    pub(super) is_closed: bool,
    /// The work after which lemmas without proof are dropped.
    restart_at: u64,
    /// The work between the last restart and the next one.
    restart_step: u64,
    /// States after steps from states that satisfy all lemmas; an inductive subset of them satisfies these as well.
    posts: Vec<Found>,
    /// Work of earlier turns.
    pub(super) work: u64,
    /// Number of random executions.
    runs: usize,
    /// The work after which more random executions are made.
    next_sample: u64,
    seed: u64,
    pub(super) counts: Counts,
}

enum Attempt {
    Proved,
    Stuck,
    Refuted,
    Violated(LemmaId, StateId),
}

enum Proposal {
    Lemma(LemmaId),
    /// The state is a substructure of an allowed one; the values are the elements of the latter.
    Embedded(StateId, Vec<u16>),
    /// A state of the store violates a property.
    Violated(LemmaId, StateId),
}

impl Search {
    pub(super) fn new(oracle: Oracle, seed: u64) -> Search {
        Search {
            oracle,
            lemmas: Vec::new(),
            known: Map::default(),
            allowed: Vec::new(),
            origins: Vec::new(),
            is_reachable: Vec::new(),
            tables: Vec::new(),
            seen: Set::default(),
            separator: Separator::default(),
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

    /// Adds a lemma, and returns its number.
    pub(super) fn add(&mut self, claim: Claim, name: Option<String>, is_safety: bool) -> LemmaId {
        let id = self.lemmas.len();
        let matcher = match &claim {
            Claim::Excludes(pattern) => {
                self.known.insert(pattern.clone(), id);
                Some(Matcher::new(pattern))
            }
            Claim::Formula(_) => None,
        };
        let transitions = self.oracle.transitions();
        self.lemmas.push(Lemma {
            claim,
            name,
            matcher,
            level: u32::MAX,
            is_frame: false,
            is_safety,
            is_alive: true,
            is_initial: false,
            proofs: vec![None; transitions],
            tried: vec![Vec::new(); transitions],
            used: 0,
            ctis: vec![None; transitions],
        });
        id
    }

    /// Adds a state that every universal invariant allows. Returns its number, and the first safety property that it
    /// violates. Lemmas that it violates are dropped.
    pub(super) fn allow(
        &mut self,
        found: Found,
        origin: Origin,
        observer: &mut dyn Observer,
        budget: &mut Budget,
    ) -> Result<(StateId, Option<LemmaId>), Failure> {
        // First what may fail: a search that continues after its budget ran out finds a consistent store.
        let mut false_lemmas = Vec::new();
        for (id, lemma) in self.lemmas.iter().enumerate() {
            if lemma.is_alive && !lemma.is_frame && !self.holds(id, &found, budget)? {
                false_lemmas.push(id);
            }
        }
        let id = self.allowed.len();
        let is_reachable = match &origin {
            Origin::Initial => true,
            Origin::Step(parent, _) => self.is_reachable[*parent],
            Origin::Relaxed(_) => false,
        };
        if !self.seen.insert(Arc::clone(&found.state)) {
            let known = self.tables.iter().position(|state| *state == found.state).unwrap_or(0);
            if is_reachable && !self.is_reachable[known] {
                self.is_reachable[known] = true;
                self.origins[known] = origin;
            }
            return Ok((known, None));
        }
        if is_reachable {
            self.counts.reachable += 1
        } else {
            self.counts.relaxed += 1
        }
        self.is_reachable.push(is_reachable);
        self.tables.push(Arc::clone(&found.state));
        self.allowed.push(found.clone());
        self.origins.push(origin);
        let mut violated = None;
        for lemma in false_lemmas {
            if self.lemmas[lemma].is_safety {
                violated = violated.or(Some(lemma));
            } else {
                self.drop(lemma);
                self.counts.refuted += 1;
                self.tell(observer, &Event::Refuted { lemma, is_reachable });
            }
        }
        Ok((id, violated))
    }

    fn tell(&self, observer: &mut dyn Observer, event: &Event<'_>) {
        observer.event(self.oracle.system.syntax(), event, &self.counts);
    }

    /// Evaluates a lemma in a state.
    pub(super) fn holds(&self, lemma: LemmaId, found: &Found, budget: &mut Budget) -> Result<bool, Failure> {
        match (&self.lemmas[lemma].matcher, &self.lemmas[lemma].claim) {
            (Some(matcher), _) => {
                let mut work = 1;
                let is_false = matcher.find(&self.oracle.vocabulary, &found.state, &mut work).is_some();
                budget.spend(work)?;
                Ok(!is_false)
            }
            (None, Claim::Formula(formula)) => self.oracle.holds(*formula, found, budget),
            (None, Claim::Excludes(_)) => Ok(true),
        }
    }

    /// Checks whether no allowed state refutes a clause.
    pub(super) fn is_allowed(&self, claim: &Claim) -> bool {
        let Claim::Excludes(pattern) = claim else { return true };
        let matcher = Matcher::new(pattern);
        !self.tables.iter().any(|state| matcher.find(&self.oracle.vocabulary, state, &mut 0).is_some())
    }

    /// Drops a lemma, and all proofs that use it.
    pub(super) fn drop(&mut self, dropped: LemmaId) {
        self.lemmas[dropped].is_alive = false;
        self.oracle.retire(dropped);
        for lemma in &mut self.lemmas {
            for proof in &mut lemma.proofs {
                if proof.as_ref().is_some_and(|core| core.contains(&dropped)) {
                    *proof = None;
                }
            }
        }
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
            self.restart_if_stuck(self.work + budget.spent(), observer);
            let (needed, open) = self.needed();
            self.counts.obligations = open.len() as u64;
            let Some(&(lemma, transition)) = open.first() else { return Ok(Verdict::Inductive(needed)) };
            let attempt = match transition {
                None => self.initiation(lemma, observer, budget)?,
                Some(transition) => self.consecution(lemma, transition, observer, budget)?,
            };
            match attempt {
                Attempt::Violated(lemma, state) => return Ok(Verdict::Violated(lemma, state)),
                Attempt::Stuck => return Ok(Verdict::Stuck),
                Attempt::Proved | Attempt::Refuted => {}
            }
        }
    }

    /// Drops all lemmas that are not proved after a while. A lemma that holds in all allowed states may be far from
    /// inductive, and so may be the lemmas that exclude its counterexamples. The states that were learned since are kept,
    /// so that better lemmas take their place.
    fn restart_if_stuck(&mut self, work: u64, observer: &mut dyn Observer) {
        if self.is_closed || work < self.restart_at {
            return;
        }
        let alive = |id: &LemmaId| self.lemmas[*id].is_alive && !self.lemmas[*id].is_safety;
        let proved = self.proved();
        let unproved: Vec<LemmaId> =
            (0..self.lemmas.len()).filter(|id| alive(id) && !proved.contains(id)).collect();
        for lemma in unproved {
            self.drop(lemma);
        }
        self.restart_step += self.restart_step / 2;
        self.restart_at = work + self.restart_step;
        self.counts.restarts += 1;
        let method = super::Method::Separation;
        self.tell(observer, &Event::Started(method));
    }

    /// Returns the lemmas that are inductive together with the properties as far as these are.
    fn proved(&self) -> Set<LemmaId> {
        let mut proved: Set<LemmaId> = (0..self.lemmas.len())
            .filter(|&id| {
                let lemma = &self.lemmas[id];
                lemma.is_alive
                    && !lemma.is_safety
                    && lemma.is_initial
                    && lemma.proofs.iter().all(Option::is_some)
            })
            .collect();
        loop {
            let is_closed = |id: &LemmaId| {
                let cores = self.lemmas[*id].proofs.iter().flatten().flatten();
                cores.into_iter().all(|other| proved.contains(other) || self.lemmas[*other].is_safety)
            };
            let lost: Vec<LemmaId> = proved.iter().copied().filter(|id| !is_closed(id)).collect();
            if lost.is_empty() {
                return proved;
            }
            lost.iter().for_each(|id| {
                proved.remove(id);
            });
        }
    }

    /// Returns the lemmas that safety needs as far as known, and those of their obligations that have no proof.
    fn needed(&self) -> (Vec<LemmaId>, Vec<(LemmaId, Option<usize>)>) {
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

    fn initiation(
        &mut self,
        lemma: LemmaId,
        observer: &mut dyn Observer,
        budget: &mut Budget,
    ) -> Result<Attempt, Failure> {
        let Search { oracle, lemmas, .. } = self;
        let found = oracle.initiation(&lemmas[lemma].claim, budget)?;
        self.counts.questions = self.oracle.questions;
        match found {
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
                    self.tell(observer, &Event::Preserved { lemma, transition, core: &core });
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

    /// Drops all lemmas that are false after a step from a state that satisfies them all.
    fn refute(
        &mut self,
        goal: LemmaId,
        cti: Cti,
        observer: &mut dyn Observer,
        budget: &mut Budget,
    ) -> Result<Attempt, Failure> {
        for lemma in 0..self.lemmas.len() {
            let it = &self.lemmas[lemma];
            if it.is_alive && !it.is_safety && !self.holds(lemma, &cti.post, budget)? {
                self.drop(lemma);
                self.counts.refuted += 1;
                self.tell(observer, &Event::Refuted { lemma, is_reachable: false });
            }
        }
        self.posts.push(cti.post);
        Ok(if self.lemmas[goal].is_safety { Attempt::Stuck } else { Attempt::Refuted })
    }

    /// Returns the obligations without proof of the lemmas that safety needs as far as known.
    pub(super) fn open(&self) -> Vec<(LemmaId, Option<usize>)> {
        self.needed().1
    }

    /// Returns the number of states that refuted lemmas.
    pub(super) fn posts(&self) -> usize {
        self.posts.len()
    }

    /// Returns the states that every inductive subset of the lemmas allows, reachable ones first.
    pub(super) fn seen_states(&self) -> Vec<Arc<State>> {
        self.tables.iter().cloned().chain(self.posts.iter().map(|found| Arc::clone(&found.state))).collect()
    }

    /// Checks whether a clause is or was a lemma.
    pub(super) fn is_known(&self, pattern: &Pattern) -> bool {
        self.known.contains_key(pattern)
    }

    /// Drops lemmas until the others are inductive as a set, and returns these.
    ///
    /// # Errors
    /// Returns an error if the budget runs out.
    pub(super) fn inductive_subset(
        &mut self,
        observer: &mut dyn Observer,
        budget: &mut Budget,
    ) -> Result<Vec<LemmaId>, Failure> {
        self.floor = 0;
        for id in 0..self.lemmas.len() {
            if self.lemmas[id].is_frame && self.lemmas[id].is_alive {
                self.drop(id);
            }
        }
        let is_open = |lemma: &Lemma| lemma.is_alive && !lemma.is_safety && !lemma.is_frame;
        loop {
            let next = (0..self.lemmas.len()).find_map(|id| {
                let lemma = Some(&self.lemmas[id]).filter(|lemma| is_open(lemma))?;
                if !lemma.is_initial {
                    return Some((id, None));
                }
                // Safety may not be assumed: it is not proved.
                let is_proved = |proof: &Option<Vec<LemmaId>>| {
                    proof.as_ref().is_some_and(|core| !core.iter().any(|&it| self.lemmas[it].is_safety))
                };
                lemma.proofs.iter().position(|proof| !is_proved(proof)).map(|at| (id, Some(at)))
            });
            let Some((id, transition)) = next else {
                return Ok((0..self.lemmas.len()).filter(|&id| is_open(&self.lemmas[id])).collect());
            };
            let Some(transition) = transition else {
                let Search { oracle, lemmas, .. } = self;
                match oracle.initiation(&lemmas[id].claim, budget)? {
                    None => self.lemmas[id].is_initial = true,
                    Some(_) => self.drop(id),
                }
                continue;
            };
            let Search { oracle, lemmas, .. } = self;
            let assumed = lemmas.iter().enumerate().filter(|(_, lemma)| is_open(lemma));
            let claims: Vec<(LemmaId, &Claim)> = assumed.map(|(id, lemma)| (id, &lemma.claim)).collect();
            match oracle.consecution(transition, (id, &lemmas[id].claim), &claims, budget)? {
                Consecution::Preserved(core) => self.lemmas[id].proofs[transition] = Some(core),
                Consecution::Violated(cti) => {
                    self.refute(id, *cti, observer, budget)?;
                }
            }
        }
    }

    /// Adds the state after a step from a substructure of an allowed state.
    pub(super) fn allow_after(
        &mut self,
        cti: Cti,
        parent: StateId,
        elements: Vec<u16>,
        observer: &mut dyn Observer,
        budget: &mut Budget,
    ) -> Result<(StateId, Option<LemmaId>), Failure> {
        let Cti { pre, post, call } = cti;
        let origin = self.origin(RelaxedStep { parent, elements, pre, call });
        self.allow(post, origin, observer, budget)
    }

    /// Returns the origin of a state after a step.
    fn origin(&self, step: RelaxedStep) -> Origin {
        if self.allowed[step.parent].state == step.pre.state {
            return Origin::Step(step.parent, step.call);
        }
        Origin::Relaxed(Box::new(step))
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

    /// Proposes a lemma that is false in the state and true in all allowed and all initial states. One that the known
    /// lemmas suffice to prove is preferred.
    fn separate(
        &mut self,
        found: &Found,
        goal: (LemmaId, usize),
        observer: &mut dyn Observer,
        budget: &mut Budget,
    ) -> Result<Proposal, Failure> {
        let mut tries = TRIES;
        loop {
            let steps = if tries > 0 { self.live_steps(budget)? } else { Vec::new() };
            let Search { separator, oracle, tables, .. } = self;
            let pattern =
                match separator.separate(&oracle.vocabulary, &found.state, tables, &steps, budget)? {
                    Separation::Clause(pattern) => pattern,
                    Separation::Embedded(state, elements) => return Ok(Proposal::Embedded(state, elements)),
                    Separation::Blocked => {
                        tries = 0;
                        continue;
                    }
                    Separation::TooLarge => return Err(Failure::Exhausted(Exhausted::FormulaSize)),
                };
            let claim = Claim::Excludes(pattern);
            let initial = self.oracle.initiation(&claim, budget)?;
            self.counts.questions = self.oracle.questions;
            if let Some(initial) = initial {
                if let (state, Some(property)) = self.allow(initial, Origin::Initial, observer, budget)? {
                    return Ok(Proposal::Violated(property, state));
                }
                continue;
            }
            let id = self.add(claim, None, false);
            self.lemmas[id].is_initial = true;
            if tries == 0 {
                self.proposed(id, Some(goal), observer);
                return Ok(Proposal::Lemma(id));
            }
            tries -= 1;
            match self.self_sufficient(id, observer, budget)? {
                None => {
                    self.proposed(id, Some(goal), observer);
                    return Ok(Proposal::Lemma(id));
                }
                Some(cti) => {
                    self.drop(id);
                    let Search { separator, oracle, tables, .. } = self;
                    if let Some((parent, elements)) =
                        separator.embedding(&oracle.vocabulary, &cti.pre.state, tables, budget)?
                    {
                        if let (state, Some(property)) =
                            self.allow_after(*cti, parent, elements, observer, budget)?
                        {
                            return Ok(Proposal::Violated(property, state));
                        }
                        continue;
                    }
                    self.steps.push((cti.pre.state, cti.post.state));
                    if self.steps.len() > MAX_STEPS {
                        self.steps.remove(0);
                    }
                }
            }
        }
    }

    /// Tells the observer about a new lemma.
    pub(super) fn proposed(
        &mut self,
        id: LemmaId,
        goal: Option<(LemmaId, usize)>,
        observer: &mut dyn Observer,
    ) {
        self.counts.lemmas += 1;
        let (goal, transition) = goal.unzip();
        let mut terms = self.oracle.system.terms.clone();
        let formula = self.oracle.formula(&self.lemmas[id].claim, &mut terms);
        let syntax = terms.over(&self.oracle.system.sig);
        observer.event(syntax, &Event::Proposed { lemma: id, formula, goal, transition }, &self.counts);
    }

    /// Returns a clause that is false in the state, true in all allowed states, and respects the steps.
    pub(super) fn separated(
        &mut self,
        found: &Found,
        steps: &[Edge],
        budget: &mut Budget,
    ) -> Result<Option<Pattern>, Failure> {
        let Search { separator, oracle, tables, .. } = self;
        match separator.separate(&oracle.vocabulary, &found.state, tables, steps, budget)? {
            Separation::Clause(pattern) => Ok(Some(pattern)),
            Separation::Embedded(..) | Separation::Blocked => Ok(None),
            Separation::TooLarge => Err(Failure::Exhausted(Exhausted::FormulaSize)),
        }
    }

    /// Returns an allowed state of which this one is a substructure, with the elements that its elements stand for.
    pub(super) fn embedding(
        &mut self,
        found: &Found,
        budget: &mut Budget,
    ) -> Result<Option<(StateId, Vec<u16>)>, Failure> {
        let Search { separator, oracle, tables, .. } = self;
        Ok(separator.embedding(&oracle.vocabulary, &found.state, tables, budget)?)
    }

    /// Returns the diagram of a state.
    pub(super) fn diagram(&mut self, found: &Found) -> Result<Pattern, Failure> {
        let diagram = self.separator.diagram(&self.oracle.vocabulary, &found.state);
        diagram.ok_or(Failure::Exhausted(Exhausted::FormulaSize))
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

    /// Checks whether the known lemmas suffice for consecution by all transitions. Returns a counterexample otherwise.
    fn self_sufficient(
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

    /// Returns the remembered steps from states that no lemma excludes.
    fn live_steps(&self, budget: &mut Budget) -> Result<Vec<Edge>, Exhausted> {
        let mut work = 1;
        let mut is_live = |before: &State| {
            !self.lemmas.iter().any(|lemma| {
                let matcher = lemma.matcher.as_ref().filter(|_| lemma.is_alive);
                matcher.is_some_and(|it| it.find(&self.oracle.vocabulary, before, &mut work).is_some())
            })
        };
        let live = self.steps.iter().filter(|(before, _)| is_live(before)).cloned().collect();
        budget.spend(work)?;
        Ok(live)
    }

    /// Returns the value that an element of a substructure has in the parent.
    pub(super) fn parent_element(step: &RelaxedStep, sort: usize, elem: Elem) -> Elem {
        let before: u32 = step.pre.state.sizes.iter().take(sort).skip(1).sum();
        step.elements.get((before + elem) as usize).map_or(0, |&value| u32::from(value))
    }
}
