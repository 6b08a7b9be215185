//! Property-directed reachability with diagrams (Karbyshev et al., CAV 2015).
//!
//! Frame `i` over-approximates the states reached in at most `i` steps. It consists of the lemmas of level at least `i`;
//! frame 0 is the initial states. A state before a violation becomes an obligation: its diagram is to be unreachable in
//! one step from the frame before. The lemma that excludes it is a separating clause that is inductive relative to that
//! frame, or else a smallest part of the diagram. If the diagram of an obligation is satisfied by an initial state, the
//! obligations up to the violation are a relaxed execution.

use std::sync::Arc;

use super::claim::{Claim, Cti, Found, LemmaId};
use super::engine::{Engine, Goal};
use super::minimize::closed;
use super::outcome::Observer;
use super::search::{Search, Verdict};
use super::separate::Edge;
use super::state::{Matcher, Pattern};
use super::store::{Lemma, Origin, Role};
use ramsey_core::base::budget::Budget;
use ramsey_solver::ask::Failure;

/// Number of clauses tried as a generalization of an obligation.
const TRIES: usize = 8;
/// The level of lemmas that are inductive relative to each other.
const INFINITE: u32 = u32::MAX;

/// A state that is to be excluded at a level.
#[derive(Debug)]
struct Obligation {
    state: Found,
    /// The diagram of the state.
    diagram: Pattern,
    /// The step from the state to a state that contains the next one; the last step violates a property.
    step: Box<Cti>,
    /// The obligation that `step` leads to; `None` for a violation.
    next: Option<usize>,
}

/// State of the search.
#[derive(Debug)]
pub(super) struct Updr {
    search: Search,
    /// The number of the last frame.
    top: u32,
    /// Candidates that have no level yet.
    candidates: Vec<LemmaId>,
    obligations: Vec<Obligation>,
    /// Obligations to be discharged, with their levels.
    queue: Vec<(u32, usize)>,
}

impl Engine for Updr {
    fn search(&mut self) -> &mut Search {
        &mut self.search
    }

    fn advance(&mut self, observer: &mut dyn Observer, budget: &mut Budget) -> Result<Verdict, Failure> {
        if let Some(violation) = self.search.sampled_once(observer, budget)? {
            return Ok(violation.into());
        }
        self.admit_candidates(observer, budget)?;
        loop {
            self.search.counts.frames = u64::from(self.top);
            self.search.counts.obligations = self.queue.len() as u64;
            if let Some(verdict) = self.discharge(observer, budget)? {
                return Ok(verdict);
            }
            // Properties first: they hold in the last frame once each transition preserves them from the one before.
            let lemmas = &self.search.lemmas;
            let open = lemmas.iter().position(|lemma| lemma.is_property() && lemma.level < self.top);
            if let Some(property) = open {
                if let Some(verdict) = self.push_property(property, observer, budget)? {
                    return Ok(verdict);
                }
                continue;
            }
            self.propagate(observer, budget)?;
            if let Some(verdict) = self.fixed_point(budget)? {
                return Ok(verdict);
            }
            self.top += 1;
        }
    }
}

impl Updr {
    /// Starts a search. Lemmas that are given are candidates.
    pub(super) fn begin(goal: &Goal<'_>) -> Box<dyn Engine> {
        let mut search = goal.search();
        let candidates = search.lemmas.which(Lemma::is_lemma);
        for id in 0..search.lemmas.len() {
            search.lemmas.set_level(id, 0);
        }
        candidates.iter().for_each(|&id| search.lemmas.set_role(id, Role::Goal));
        let mut updr = Updr { search, top: 1, candidates, obligations: Vec::new(), queue: Vec::new() };
        updr.add_goal(Claim::Formula(goal.init));
        Box::new(updr)
    }

    /// Raises the level of a property by one, or adds an obligation.
    fn push_property(
        &mut self,
        property: LemmaId,
        observer: &mut dyn Observer,
        budget: &mut Budget,
    ) -> Result<Option<Verdict>, Failure> {
        let level = self.search.lemmas[property].level;
        if level == 0
            && let Some(found) = self.search.initially(property, budget)?
        {
            let (state, violated) = self.search.allow(found, Origin::Initial, observer, budget)?;
            return Ok(violated.map(|property| Verdict::Violated(property, state)));
        }
        match self.relative(property, level, observer, budget)? {
            None => self.search.lemmas.set_level(property, level + 1),
            Some(step) => {
                let state = step.pre.clone();
                let diagram = self.search.diagram(&state)?;
                self.queue.push((level, self.obligations.len()));
                self.obligations.push(Obligation { state, diagram, step, next: None });
            }
        }
        Ok(None)
    }

    /// Asks whether all transitions preserve a lemma from the states of frame `level` that satisfy it. Returns a
    /// counterexample otherwise.
    fn relative(
        &mut self,
        lemma: LemmaId,
        level: u32,
        observer: &mut dyn Observer,
        budget: &mut Budget,
    ) -> Result<Option<Box<Cti>>, Failure> {
        self.search.lemmas.assume_from(level);
        self.search.self_sufficient(lemma, observer, budget)
    }

    /// Adds a clause that is no lemma yet.
    fn add_goal(&mut self, claim: Claim) -> LemmaId {
        let id = self.search.lemmas.add(claim, None, Role::Goal);
        self.search.lemmas.set_level(id, 0);
        id
    }

    /// Gives candidates the levels that they have without further lemmas, and drops those that have none.
    fn admit_candidates(&mut self, observer: &mut dyn Observer, budget: &mut Budget) -> Result<(), Failure> {
        // Only those that hold in the initial states may be assumed there.
        for at in 0..self.candidates.len() {
            let id = self.candidates[at];
            let mut is_false = self.search.initially(id, budget)?.is_some();
            for state in 0..self.search.states.len() {
                let found = &self.search.states[state].found;
                is_false = is_false || !self.search.holds(id, found, budget)?;
            }
            if is_false {
                self.search.drop(id);
            }
        }
        while let Some(&id) = self.candidates.last() {
            if self.search.lemmas[id].is_alive {
                self.raise(id, observer, budget)?;
            }
            if self.search.lemmas[id].level == 0 {
                self.search.drop(id);
            }
            self.search.lemmas.set_role(id, Role::Lemma);
            self.candidates.pop();
        }
        Ok(())
    }

    /// Discharges all obligations. Returns the verdict if one of them is satisfied by an initial state.
    fn discharge(
        &mut self,
        observer: &mut dyn Observer,
        budget: &mut Budget,
    ) -> Result<Option<Verdict>, Failure> {
        while let Some(at) = (0..self.queue.len()).min_by_key(|&at| (self.queue[at].0, usize::MAX - at)) {
            let (level, obligation) = self.queue[at];
            let state = self.obligations[obligation].state.clone();
            let claim = Claim::Excludes(self.obligations[obligation].diagram.clone());
            if let Some((parent, elements)) = self.search.embedding(&state, budget)? {
                return self.replay(obligation, parent, elements, observer, budget).map(Some);
            }
            if let Some(initial) = self.search.prover.initiation(&claim, budget)? {
                let (_, violated) = self.search.allow(initial, Origin::Initial, observer, budget)?;
                if let Some(property) = violated {
                    return Ok(Some(Verdict::Violated(property, self.search.states.len() - 1)));
                }
                continue;
            }
            if level == 0 {
                return Err(Failure::Internal("a state of the first frame is not initial".to_owned()));
            }
            if self.is_excluded(&state, level, budget)? {
                self.queue.remove(at);
                continue;
            }
            let goal = self.add_goal(claim);
            let answer = self.relative(goal, level - 1, observer, budget)?;
            self.search.drop(goal);
            match answer {
                Some(step) => {
                    let state = step.pre.clone();
                    let diagram = self.search.diagram(&state)?;
                    self.queue.push((level - 1, self.obligations.len()));
                    self.obligations.push(Obligation { state, diagram, step, next: Some(obligation) });
                }
                None => {
                    self.generalize(obligation, level, observer, budget)?;
                    self.queue.remove(at);
                    if level < self.top {
                        self.queue.push((level + 1, obligation));
                    }
                }
            }
        }
        Ok(None)
    }

    fn is_excluded(&self, state: &Found, level: u32, budget: &mut Budget) -> Result<bool, Failure> {
        for (id, lemma) in self.search.lemmas.iter().enumerate() {
            if lemma.is_claimed() && lemma.level >= level && !self.search.holds(id, state, budget)? {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Adds a lemma that excludes the state of an obligation at this level, and at higher ones as far as possible.
    fn generalize(
        &mut self,
        obligation: usize,
        level: u32,
        observer: &mut dyn Observer,
        budget: &mut Budget,
    ) -> Result<(), Failure> {
        let found = self.obligations[obligation].state.clone();
        let mut steps: Vec<Edge> = Vec::new();
        let mut lemma = None;
        for _ in 0..TRIES {
            let Some(pattern) = self.search.separated(&found, &steps, budget)? else { break };
            let claim = Claim::Excludes(pattern);
            if let Some(initial) = self.search.prover.initiation(&claim, budget)? {
                self.search.allow(initial, Origin::Initial, observer, budget)?;
                continue;
            }
            let id = self.add_goal(claim);
            match self.relative(id, level - 1, observer, budget)? {
                None => {
                    lemma = Some(id);
                    break;
                }
                Some(cti) => {
                    self.search.drop(id);
                    steps.push((cti.pre.state, cti.post.state));
                }
            }
        }
        let id = match lemma {
            Some(id) => id,
            None => self.reduced(obligation, level, observer, budget)?,
        };
        self.search.lemmas.set_role(id, Role::Lemma);
        self.search.lemmas.set_level(id, level);
        self.search.proposed(id, None, observer);
        self.raise(id, observer, budget)
    }

    /// Returns a lemma that excludes a smallest part of the diagram of an obligation.
    fn reduced(
        &mut self,
        obligation: usize,
        level: u32,
        observer: &mut dyn Observer,
        budget: &mut Budget,
    ) -> Result<LemmaId, Failure> {
        let mut pattern = self.obligations[obligation].diagram.clone();
        let mut id = self.add_goal(Claim::Excludes(pattern.clone()));
        let mut at = pattern.literals.len();
        while at > 0 {
            at -= 1;
            let mut smaller = pattern.clone();
            smaller.literals.remove(at);
            let claim = Claim::Excludes(smaller.clone().normalized());
            if !self.search.states.satisfy(&claim, budget)?
                || self.search.prover.initiation(&claim, budget)?.is_some()
            {
                continue;
            }
            let tried = self.add_goal(claim);
            match self.relative(tried, level - 1, observer, budget)? {
                None => {
                    self.search.drop(id);
                    (id, pattern) = (tried, smaller);
                }
                Some(_) => self.search.drop(tried),
            }
        }
        Ok(id)
    }

    /// Raises the level of a lemma as far as its transitions preserve it.
    fn raise(
        &mut self,
        id: LemmaId,
        observer: &mut dyn Observer,
        budget: &mut Budget,
    ) -> Result<(), Failure> {
        if self.relative(id, INFINITE, observer, budget)?.is_none() {
            self.search.lemmas.set_level(id, INFINITE);
            return Ok(());
        }
        for level in self.search.lemmas[id].level..self.top {
            if self.relative(id, level, observer, budget)?.is_some() {
                break;
            }
            self.search.lemmas.set_level(id, level + 1);
        }
        Ok(())
    }

    fn propagate(&mut self, observer: &mut dyn Observer, budget: &mut Budget) -> Result<(), Failure> {
        for level in 1..self.top {
            for id in self.search.lemmas.which(|lemma| lemma.is_lemma() && lemma.level == level) {
                self.raise(id, observer, budget)?;
            }
        }
        Ok(())
    }

    /// Returns the lemmas of a frame that equals the next one, if there is one.
    fn fixed_point(&mut self, budget: &mut Budget) -> Result<Option<Verdict>, Failure> {
        for level in 1..=self.top {
            let lemmas = &mut self.search.lemmas;
            if lemmas.iter().any(|lemma| lemma.is_lemma() && lemma.level == level) {
                continue;
            }
            let is_in = |it: &Lemma| it.is_claimed() && (it.is_property() || it.level > level);
            let frame = lemmas.which(is_in);
            lemmas.forget_proofs();
            lemmas.assume_from(0);
            if let Some((needed, proofs)) = closed(&mut self.search, &frame, budget)? {
                for (lemma, transition, core) in proofs {
                    self.search.lemmas.prove(lemma, transition, core);
                }
                return Ok(Some(Verdict::Inductive(needed)));
            }
        }
        Ok(None)
    }

    /// Adds the steps from an obligation, which is a substructure of an allowed state, up to the violation to the store.
    fn replay(
        &mut self,
        first: usize,
        mut parent: usize,
        mut elements: Vec<u16>,
        observer: &mut dyn Observer,
        budget: &mut Budget,
    ) -> Result<Verdict, Failure> {
        let mut next = Some(first);
        while let Some(at) = next {
            let step = (*self.obligations[at].step).clone();
            next = self.obligations[at].next;
            let post = Arc::clone(&step.post.state);
            let (state, violated) = self.search.allow_after(step, parent, elements, observer, budget)?;
            if let Some(property) = violated {
                return Ok(Verdict::Violated(property, state));
            }
            let Some(after) = next else { break };
            parent = state;
            let matcher = Matcher::new(&self.obligations[after].diagram);
            elements = matcher
                .find(&post, &mut 0)
                .ok_or_else(|| Failure::Internal("a step does not lead to the next obligation".to_owned()))?;
        }
        Err(Failure::Internal("the last obligation does not lead to a violation".to_owned()))
    }
}
