//! The store of states and lemmas: what is added, refuted and dropped.

use std::sync::Arc;

use super::oracle::{Claim, Consecution, Cti, Found, LemmaId};
use super::outcome::{Event, Observer};
use super::search::{Attempt, Lemma, Origin, Search, StateId, Step};
use super::separate::{Edge, Separator};
use super::state::{Matcher, Pattern, State};
use ramsey_core::base::budget::{Budget, Exhausted};
use ramsey_core::base::hash::Set;
use ramsey_core::logic::Elem;
use ramsey_solver::ask::Failure;

impl Search {
    /// Adds a lemma, and returns its number.
    pub(super) fn add(&mut self, claim: Claim, name: Option<String>, is_safety: bool) -> LemmaId {
        let id = self.lemmas.len();
        let matcher = match &claim {
            Claim::Excludes(pattern) => {
                self.known.insert(pattern.clone());
                Some(Matcher::new(pattern))
            }
            Claim::Formula(_) | Claim::Alternates(_) => None,
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
            Origin::Initial | Origin::Explored(_) => true,
            Origin::Step(step) => {
                let is_whole = self.allowed[step.parent].state.sizes == step.pre.state.sizes;
                is_whole && self.is_reachable[step.parent]
            }
            Origin::Outside => false,
        };
        let is_bounded = match &origin {
            Origin::Initial | Origin::Explored(_) => false,
            Origin::Step(step) => self.is_bounded[step.parent],
            Origin::Outside => true,
        };
        if !self.seen.insert(Arc::clone(&found.state)) {
            let known = self.tables.iter().position(|state| *state == found.state).unwrap_or(0);
            if is_reachable && !self.is_reachable[known] || !is_bounded && self.is_bounded[known] {
                self.is_reachable[known] = is_reachable;
                self.is_bounded[known] = is_bounded;
                self.origins[known] = origin;
                // Variables of commands may have other values, which belong to the new origin.
                self.allowed[known] = found;
            }
            return Ok((known, None));
        }
        if is_reachable {
            self.counts.reachable += 1
        } else if !is_bounded {
            self.counts.relaxed += 1
        }
        self.is_reachable.push(is_reachable);
        self.is_bounded.push(is_bounded);
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

    /// Goes on with the next language. Forgets the states that were allowed for want of clauses. Returns `false` if there
    /// is no other language.
    pub(super) fn widen(&mut self, observer: &mut dyn Observer) -> bool {
        self.languages.pop_front();
        let is_bounded = std::mem::take(&mut self.is_bounded);
        let mut kept = 0;
        let places: Vec<StateId> = is_bounded
            .iter()
            .map(|is_bounded| {
                kept += usize::from(!is_bounded);
                kept.saturating_sub(1)
            })
            .collect();
        for origin in &mut self.origins {
            if let Origin::Step(step) = origin {
                step.parent = places[step.parent];
            }
        }
        retain(&mut self.allowed, &is_bounded);
        retain(&mut self.origins, &is_bounded);
        retain(&mut self.is_reachable, &is_bounded);
        self.tables = self.allowed.iter().map(|found| Arc::clone(&found.state)).collect();
        self.seen = self.tables.iter().cloned().collect();
        self.is_bounded = vec![false; self.allowed.len()];
        self.separator = Separator::default();
        let source = self.source.as_mut().map(|source| source.widen(&self.oracle.vocabulary));
        let language = self.languages.front();
        let widened = Event::Widened {
            variables: language.map(|it| it.variables.clone()),
            literals: source.unwrap_or_else(|| language.map(|it| it.literals)),
        };
        self.counts.widened += 1;
        self.tell(observer, &widened);
        source != Some(None)
    }

    /// Evaluates a lemma in a state.
    pub(super) fn holds(&self, lemma: LemmaId, found: &Found, budget: &mut Budget) -> Result<bool, Failure> {
        let it = &self.lemmas[lemma];
        if let Claim::Formula(formula) = it.claim {
            return self.oracle.holds(formula, found, budget);
        }
        let mut work = 1;
        let is_false = it.excludes(&found.state, &mut work);
        budget.spend(work)?;
        Ok(!is_false)
    }

    /// Checks whether no allowed state refutes a clause.
    pub(super) fn is_allowed(&self, claim: &Claim, budget: &mut Budget) -> Result<bool, Exhausted> {
        let mut work = 1;
        let is_refuted = match claim {
            Claim::Excludes(pattern) => {
                let matcher = Matcher::new(pattern);
                self.tables.iter().any(|state| matcher.find(state, &mut work).is_some())
            }
            Claim::Alternates(it) => {
                self.tables.iter().any(|state| it.refutation(state, &mut work).is_some())
            }
            Claim::Formula(_) => false,
        };
        budget.spend(work)?;
        Ok(!is_refuted)
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

    /// Drops all clauses that are not proved after a while. A lemma that holds in all allowed states may be far from
    /// inductive, and so may be the lemmas that exclude its counterexamples. The states that were learned since are kept,
    /// so that better lemmas take their place. Given candidates stay.
    pub(super) fn restart_if_stuck(&mut self, work: u64) {
        if self.is_closed || work < self.restart_at {
            return;
        }
        let is_found = |lemma: &Lemma| !matches!(lemma.claim, Claim::Formula(_));
        let alive = |id: &LemmaId| self.lemmas[*id].is_alive && is_found(&self.lemmas[*id]);
        let proved = self.proved();
        let unproved: Vec<LemmaId> =
            (0..self.lemmas.len()).filter(|id| alive(id) && !proved.contains(id)).collect();
        for lemma in unproved {
            self.drop(lemma);
        }
        self.restart_step += self.restart_step / 2;
        self.restart_at = work + self.restart_step;
        self.counts.restarts += 1;
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

    /// Drops all lemmas that are false after a step from a state that satisfies them all.
    pub(super) fn refute(
        &mut self,
        goal: LemmaId,
        cti: Cti,
        observer: &mut dyn Observer,
        budget: &mut Budget,
    ) -> Result<Attempt, Failure> {
        let mut is_refuted = false;
        for lemma in 0..self.lemmas.len() {
            let it = &self.lemmas[lemma];
            if it.is_alive && !it.is_safety && !it.is_frame && !self.holds(lemma, &cti.post, budget)? {
                self.drop(lemma);
                self.counts.refuted += 1;
                self.tell(observer, &Event::Refuted { lemma, is_reachable: false });
                is_refuted = true;
            }
        }
        if is_refuted {
            self.posts.push(cti.post);
        }
        Ok(if self.lemmas[goal].is_safety { Attempt::Stuck } else { Attempt::Refuted })
    }

    /// Returns the states that every inductive subset of the lemmas allows, reachable ones first.
    pub(super) fn seen_states(&self) -> Vec<Arc<State>> {
        self.tables.iter().cloned().chain(self.posts.iter().map(|found| Arc::clone(&found.state))).collect()
    }

    /// Checks whether a clause is or was a lemma.
    pub(super) fn is_known(&self, pattern: &Pattern) -> bool {
        self.known.contains(pattern)
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
                match self.initially(id, budget)? {
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
        let origin = Origin::Step(Box::new(Step { parent, elements, pre, call }));
        self.allow(post, origin, observer, budget)
    }

    /// Returns the remembered steps from states that no lemma excludes.
    pub(super) fn live_steps(&self, budget: &mut Budget) -> Result<Vec<Edge>, Exhausted> {
        let mut work = 1;
        let mut is_live = |before: &State| {
            !self.lemmas.iter().any(|lemma| lemma.is_alive && lemma.excludes(before, &mut work))
        };
        let live = self.steps.iter().filter(|(before, _)| is_live(before)).cloned().collect();
        budget.spend(work)?;
        Ok(live)
    }

    /// Returns the value that an element of a substructure has in the parent.
    pub(super) fn parent_element(step: &Step, sort: usize, elem: Elem) -> Elem {
        let before: u32 = step.pre.state.sizes.iter().take(sort).skip(1).sum();
        let value = step.elements.get((before + elem) as usize).copied().unwrap_or_default();
        // The single element of a sort that no symbol has stands for any one.
        if value == u16::MAX { 0 } else { value.into() }
    }
}

/// Keeps the items that are not left out.
fn retain<T>(items: &mut Vec<T>, is_left_out: &[bool]) {
    let mut left_out = is_left_out.iter();
    items.retain(|_| !left_out.next().is_some_and(|&it| it));
}
