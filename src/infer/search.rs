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
use super::separate::{Separation, Separator};
use super::state::{Matcher, Pattern, State};
use super::{Counts, Event, Observer};
use crate::ask::Failure;
use crate::base::budget::{Budget, Exhausted};
use crate::base::hash::{Map, Set};
use crate::logic::Elem;
use crate::query::Call;

/// Number of a state in the store.
pub(super) type StateId = usize;

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
pub(super) enum Found_ {
    /// The needed lemmas are inductive.
    Inductive(Vec<LemmaId>),
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
    pub(super) counts: Counts,
}

enum Attempt {
    Proved,
    Refuted,
    Violated(LemmaId, StateId),
}

impl Search {
    pub(super) fn new(oracle: Oracle) -> Search {
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
        for lemma in 0..self.lemmas.len() {
            if !self.lemmas[lemma].is_alive || self.holds(lemma, &found, budget)? {
                continue;
            }
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

    /// Drops a lemma, and all proofs that use it.
    fn drop(&mut self, dropped: LemmaId) {
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
    ) -> Result<Found_, Failure> {
        loop {
            let (needed, next) = self.next_unproved();
            let Some((lemma, transition)) = next else { return Ok(Found_::Inductive(needed)) };
            let attempt = match transition {
                None => self.initiation(lemma, observer, budget)?,
                Some(transition) => self.consecution(lemma, transition, observer, budget)?,
            };
            if let Attempt::Violated(lemma, state) = attempt {
                return Ok(Found_::Violated(lemma, state));
            }
        }
    }

    /// Returns the lemmas that safety needs as far as known, and the first obligation among them without proof.
    fn next_unproved(&mut self) -> (Vec<LemmaId>, Option<(LemmaId, Option<usize>)>) {
        let mut needed: Vec<LemmaId> =
            (0..self.lemmas.len()).filter(|&lemma| self.lemmas[lemma].is_safety).collect();
        let mut is_needed: Vec<bool> = self.lemmas.iter().map(|lemma| lemma.is_safety).collect();
        let mut first = None;
        let mut open = 0;
        let mut next = 0;
        while let Some(&lemma) = needed.get(next) {
            next += 1;
            if !self.lemmas[lemma].is_initial {
                first = first.or(Some((lemma, None)));
                open += 1;
            }
            for (transition, proof) in self.lemmas[lemma].proofs.iter().enumerate() {
                let Some(core) = proof else {
                    first = first.or(Some((lemma, Some(transition))));
                    open += 1;
                    continue;
                };
                for &other in core {
                    if !std::mem::replace(&mut is_needed[other], true) {
                        needed.push(other);
                    }
                }
            }
        }
        self.counts.obligations = open;
        (needed, first)
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
            let Search { oracle, lemmas, .. } = self;
            let claims: Vec<(LemmaId, &Claim)> = assumed.iter().map(|&id| (id, &lemmas[id].claim)).collect();
            let answer = oracle.consecution(transition, (lemma, &lemmas[lemma].claim), &claims, budget)?;
            self.counts.questions = self.oracle.questions;
            let cti = match answer {
                Consecution::Preserved(core) => {
                    core.iter().for_each(|&used| self.lemmas[used].used += 1);
                    self.lemmas[lemma].tried[transition].clone_from(&core);
                    self.tell(observer, &Event::Preserved { lemma, transition, core: &core });
                    self.lemmas[lemma].proofs[transition] = Some(core);
                    return Ok(Attempt::Proved);
                }
                Consecution::Violated(cti) => cti,
            };
            if let Some(known) = self.excluding(&cti.pre, &assumed, budget)? {
                assumed.push(known);
                continue;
            }
            self.counts.ctis += 1;
            self.lemmas[lemma].tried[transition].clone_from(&assumed);
            match self.separate(&cti.pre, (lemma, transition), observer, budget)? {
                Ok(new) => assumed.push(new),
                Err(Attempt::Violated(property, state)) => return Ok(Attempt::Violated(property, state)),
                Err(Attempt::Proved | Attempt::Refuted) => {
                    let allowed = self.embedding(&cti.pre, budget)?;
                    let Some((parent, elements)) = allowed else {
                        return Err(Failure::Exhausted(Exhausted::FormulaSize));
                    };
                    let Cti { pre, post, call } = *cti;
                    let step = RelaxedStep { parent, elements, pre, call };
                    let origin = self.origin(step);
                    let (state, violated) = self.allow(post, origin, observer, budget)?;
                    return Ok(match violated {
                        Some(property) => Attempt::Violated(property, state),
                        None => Attempt::Refuted,
                    });
                }
            }
        }
    }

    /// Returns the origin of a state after a step.
    fn origin(&self, step: RelaxedStep) -> Origin {
        if self.allowed[step.parent].state == step.pre.state {
            return Origin::Step(step.parent, step.call);
        }
        Origin::Relaxed(Box::new(step))
    }

    /// Returns the hypotheses of the first question: the lemma, safety, those of the last attempt, and often used ones.
    fn first_hypotheses(&self, lemma: LemmaId, transition: usize) -> Vec<LemmaId> {
        let mut assumed = vec![lemma];
        let mut include = |id: LemmaId| {
            if self.lemmas[id].is_alive && !assumed.contains(&id) {
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
            if !lemma.is_alive || assumed.contains(&id) || best.is_some_and(|(used, _)| used >= lemma.used) {
                continue;
            }
            if !self.holds(id, found, budget)? {
                best = Some((lemma.used, id));
            }
        }
        Ok(best.map(|(_, id)| id))
    }

    /// Returns a new lemma that is false in the state and true in all allowed and all initial states. If there is none,
    /// the state is embedded in an allowed one ([`Attempt::Refuted`]).
    fn separate(
        &mut self,
        found: &Found,
        goal: (LemmaId, usize),
        observer: &mut dyn Observer,
        budget: &mut Budget,
    ) -> Result<Result<LemmaId, Attempt>, Failure> {
        loop {
            let Search { separator, oracle, tables, .. } = self;
            let pattern = match separator.separate(&oracle.vocabulary, &found.state, tables, budget)? {
                Separation::Clause(pattern) => pattern,
                Separation::Embedded(..) => return Ok(Err(Attempt::Refuted)),
                Separation::TooLarge => return Err(Failure::Exhausted(Exhausted::FormulaSize)),
            };
            let claim = Claim::Excludes(pattern);
            let initial = self.oracle.initiation(&claim, budget)?;
            self.counts.questions = self.oracle.questions;
            if let Some(initial) = initial {
                if let (state, Some(property)) = self.allow(initial, Origin::Initial, observer, budget)? {
                    return Ok(Err(Attempt::Violated(property, state)));
                }
                continue;
            }
            let id = self.add(claim, None, false);
            self.lemmas[id].is_initial = true;
            self.counts.lemmas += 1;
            let (goal, transition) = (Some(goal.0), Some(goal.1));
            let mut terms = self.oracle.system.terms.clone();
            let formula = self.oracle.formula(&self.lemmas[id].claim, &mut terms);
            let syntax = terms.over(&self.oracle.system.sig);
            observer.event(syntax, &Event::Proposed { lemma: id, formula, goal, transition }, &self.counts);
            return Ok(Ok(id));
        }
    }

    /// Returns an allowed state of which this one is a substructure, with the elements that its elements stand for.
    fn embedding(
        &mut self,
        found: &Found,
        budget: &mut Budget,
    ) -> Result<Option<(StateId, Vec<u16>)>, Failure> {
        let Search { separator, oracle, tables, .. } = self;
        match separator.separate(&oracle.vocabulary, &found.state, tables, budget)? {
            Separation::Embedded(state, elements) => Ok(Some((state, elements))),
            _ => Ok(None),
        }
    }

    /// Returns the value that an element of a substructure has in the parent.
    pub(super) fn parent_element(step: &RelaxedStep, sort: usize, elem: Elem) -> Elem {
        let before: u32 = step.pre.state.sizes.iter().take(sort).skip(1).sum();
        step.elements.get((before + elem) as usize).map_or(0, |&value| u32::from(value))
    }
}
