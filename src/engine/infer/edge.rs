//! Dual edges (Padon et al., POPL 2022): clauses that are proved together from lemmas that are true in given states.

use std::sync::Arc;

use super::claim::{Claim, Cti, Found, LemmaId};
use super::outcome::Observer;
use super::primal_dual::Bounds;
use super::search::{Search, Violation};
use super::separate::{Edge, Separation, Separator};
use super::state::{Atom, Literal, Matcher, Pattern, State};
use super::store::{Origin, Role};
use ramsey_core::base::budget::{Budget, Exhausted};
use ramsey_core::base::hash::Set;
use ramsey_solver::ask::Failure;

/// Maximum number of remembered steps.
const MAX_STEPS: usize = 300;
/// Number of clauses that are tried as the first one of several that are proved together.
const BRANCHES: usize = 4;
/// Number of latest steps that are tried to be made irrelevant.
const LATEST: usize = 6;
/// Number of clauses that are tried for a state by themselves, before several.
const SINGLE: usize = 24;

/// Result of an attempt to exclude a state.
#[derive(Debug)]
pub(super) enum Progress {
    /// New lemmas exclude the state.
    Excluded,
    /// No lemmas were found within the bounds. The steps that no clause which excludes the state respects.
    Failed(Vec<Arc<Cti>>),
    /// A state was added to those that every universal invariant allows; it may violate a property.
    Allowed(Option<Violation>),
}

/// Finds dual edges. Remembers steps that were counterexamples to induction.
#[derive(Debug, Default)]
pub(super) struct Edges {
    steps: Vec<Arc<Cti>>,
}

/// An attempt in progress.
struct Attempt<'a> {
    search: &'a mut Search,
    known: &'a mut Edges,
    bounds: Bounds,
    /// The states in which lemmas that are only assumed have to be true.
    others: Vec<Arc<State>>,
    separator: Separator,
    /// The lemmas of this attempt, with a flag for those that are new.
    tried: Vec<(LemmaId, bool)>,
    /// The clauses that exclude the state together.
    group: Vec<LemmaId>,
    /// Number of clauses that may still be tried.
    left: usize,
    /// The steps that no clause which excludes the state respects.
    obstacles: Vec<Edge>,
    /// States that no clause excludes which could be assumed.
    hopeless: Set<Arc<State>>,
}

impl Edges {
    /// Remembers a step.
    pub(super) fn remember(&mut self, cti: Arc<Cti>) {
        self.steps.push(cti);
        if self.steps.len() > MAX_STEPS {
            self.steps.remove(0);
        }
    }

    /// Looks for clauses within the bounds of which one is false in `goal`, and that are inductive relative to lemmas
    /// that may be assumed and to further clauses that are true in all of `others`. Makes lemmas of them.
    ///
    /// # Errors
    /// Returns an error if the budget runs out.
    pub(super) fn exclude(
        &mut self,
        search: &mut Search,
        goal: &Found,
        others: &[Arc<State>],
        bounds: Bounds,
        observer: &mut dyn Observer,
        budget: &mut Budget,
    ) -> Result<Progress, Failure> {
        let others = search.states.tables().iter().chain(others).cloned().collect();
        let mut attempt = Attempt {
            search,
            known: self,
            bounds,
            others,
            separator: Separator::default(),
            tried: Vec::new(),
            group: Vec::new(),
            left: bounds.tries,
            obstacles: Vec::new(),
            hopeless: Set::default(),
        };
        let progress = attempt.edge(goal, observer, budget)?;
        attempt.finish(matches!(progress, Progress::Excluded), observer);
        Ok(match progress {
            Progress::Failed(_) => {
                let obstacles = attempt.obstacles;
                let is_one = |cti: &&Arc<Cti>| {
                    let mut all = obstacles.iter();
                    all.any(|(pre, post)| {
                        Arc::ptr_eq(pre, &cti.pre.state) && Arc::ptr_eq(post, &cti.post.state)
                    })
                };
                Progress::Failed(self.steps.iter().filter(is_one).cloned().collect())
            }
            progress => progress,
        })
    }
}

impl Attempt<'_> {
    /// Excludes a state, by one clause if possible.
    fn edge(
        &mut self,
        goal: &Found,
        observer: &mut dyn Observer,
        budget: &mut Budget,
    ) -> Result<Progress, Failure> {
        match self.single(goal, observer, budget)? {
            Progress::Failed(_) if self.group.len() + 1 < self.bounds.width => {
                self.several(goal, observer, budget)
            }
            progress => Ok(progress),
        }
    }

    /// Excludes a state by a clause that the lemmas at hand prove, and further ones that are true in the other states.
    fn single(
        &mut self,
        goal: &Found,
        observer: &mut dyn Observer,
        budget: &mut Budget,
    ) -> Result<Progress, Failure> {
        let mut steps = self.live_steps(budget)?;
        let least = self.left.saturating_sub(SINGLE);
        while self.left > least {
            self.left -= 1;
            budget.spend(1)?;
            let Some(pattern) = self.clause(goal, &steps, budget)? else {
                let obstacles = self.obstacles(goal, &steps, budget)?;
                if !self.assume_against(&mut steps, &obstacles, budget)? {
                    if self.group.is_empty() {
                        self.obstacles = obstacles;
                    }
                    break;
                }
                continue;
            };
            let claim = Claim::Excludes(pattern);
            if let Some(allowed) = self.initial(&claim, observer, budget)? {
                return Ok(allowed);
            }
            let id = self.take(claim);
            match self.search.self_sufficient(id, observer, budget)? {
                None => {
                    self.group.push(id);
                    return Ok(Progress::Excluded);
                }
                Some(cti) => {
                    self.give_back(self.tried.len() - 1);
                    if let Some(allowed) = self.embedded(&cti, observer, budget)? {
                        return Ok(allowed);
                    }
                    steps.push(self.refuted(cti));
                }
            }
        }
        Ok(Progress::Failed(Vec::new()))
    }

    /// Excludes a state by a clause together with clauses that exclude its counterexamples to induction.
    fn several(
        &mut self,
        goal: &Found,
        observer: &mut dyn Observer,
        budget: &mut Budget,
    ) -> Result<Progress, Failure> {
        // Steps from states that further clauses exclude are no obstacles.
        let mut steps = Vec::new();
        for _ in 0..BRANCHES {
            let Some(pattern) = self.clause(goal, &steps, budget)? else { break };
            let claim = Claim::Excludes(pattern);
            if let Some(allowed) = self.initial(&claim, observer, budget)? {
                return Ok(allowed);
            }
            let (tried, grouped) = (self.tried.len(), self.group.len());
            let id = self.take(claim);
            self.group.push(id);
            loop {
                let Some(cti) = self.search.self_sufficient(id, observer, budget)? else {
                    return Ok(Progress::Excluded);
                };
                if let Some(allowed) = self.embedded(&cti, observer, budget)? {
                    return Ok(allowed);
                }
                let is_narrow = self.group.len() < self.bounds.width && self.left > 0;
                let progress = match is_narrow {
                    true => self.edge(&cti.pre, observer, budget)?,
                    false => Progress::Failed(Vec::new()),
                };
                match progress {
                    Progress::Excluded => {}
                    Progress::Failed(_) => {
                        steps.push(self.refuted(cti));
                        break;
                    }
                    progress => return Ok(progress),
                }
            }
            self.group.truncate(grouped);
            self.give_back(tried);
        }
        Ok(Progress::Failed(Vec::new()))
    }

    /// Returns the steps from states that do not contain the given one into states that do: no clause which excludes it
    /// respects them.
    fn obstacles(&mut self, goal: &Found, steps: &[Edge], budget: &mut Budget) -> Result<Vec<Edge>, Failure> {
        let diagram = Matcher::new(&self.search.diagram(goal)?);
        let mut work = 1;
        let mut is_obstacle = |(before, after): &&Edge| {
            diagram.find(after, &mut work).is_some() && diagram.find(before, &mut work).is_none()
        };
        let found = steps.iter().filter(&mut is_obstacle).cloned().collect();
        budget.spend(work)?;
        Ok(found)
    }

    /// Returns the remembered steps from states that no lemma which may be assumed excludes.
    fn live_steps(&self, budget: &mut Budget) -> Result<Vec<Edge>, Exhausted> {
        let mut work = 1;
        let lemmas = &self.search.lemmas;
        let assumed = (0..lemmas.len()).filter(|&id| lemmas.is_in_frame(id));
        let matchers: Vec<_> = assumed.filter_map(|id| lemmas[id].matcher.as_ref()).collect();
        let mut is_live =
            |before: &State| !matchers.iter().any(|matcher| matcher.find(before, &mut work).is_some());
        let live =
            self.known.steps.iter().filter(|cti| is_live(&cti.pre.state)).map(|cti| edge(cti)).collect();
        budget.spend(work)?;
        Ok(live)
    }

    /// Returns a smallest clause that is false in the state and respects the steps, within the bound.
    fn clause(
        &mut self,
        goal: &Found,
        steps: &[Edge],
        budget: &mut Budget,
    ) -> Result<Option<Pattern>, Failure> {
        let found = self.search.separated(goal, steps, budget)?;
        Ok(found.filter(|pattern| length(pattern) <= self.bounds.literals))
    }

    /// Assumes a clause that is true in the other states, such that fewer steps have to be respected. Returns whether
    /// there is one. All obstacles have to be removed; if there are none, any step may be in the way.
    fn assume_against(
        &mut self,
        steps: &mut Vec<Edge>,
        obstacles: &[Edge],
        budget: &mut Budget,
    ) -> Result<bool, Failure> {
        let has_obstacles = !obstacles.is_empty();
        let candidates: Vec<Arc<State>> = match has_obstacles {
            true => obstacles.iter().map(|(before, _)| Arc::clone(before)).collect(),
            false => steps.iter().rev().take(LATEST).map(|(before, _)| Arc::clone(before)).collect(),
        };
        for before in candidates {
            let Some(id) = self.helper(&before, budget)? else {
                if has_obstacles {
                    return Ok(false);
                }
                continue;
            };
            let Some(matcher) = self.search.lemmas[id].matcher.as_ref() else { continue };
            let mut work = 1;
            steps.retain(|(before, _)| matcher.find(before, &mut work).is_none());
            budget.spend(work)?;
            return Ok(true);
        }
        Ok(false)
    }

    /// Assumes a clause that is false in a state and true in the other ones, if there is one within the bound.
    fn helper(&mut self, state: &Arc<State>, budget: &mut Budget) -> Result<Option<LemmaId>, Failure> {
        if self.hopeless.contains(state) {
            return Ok(None);
        }
        let Attempt { separator, search, others, bounds, .. } = &mut *self;
        let separation = separator.separate(search.prover.vocabulary(), state, others, &[], None, budget)?;
        if let Separation::Clause(pattern) = separation
            && length(&pattern) <= bounds.literals
        {
            let claim = Claim::Excludes(pattern);
            if search.prover.initiation(&claim, budget)?.is_none() {
                return Ok(Some(self.take(claim)));
            }
        }
        self.hopeless.insert(Arc::clone(state));
        Ok(None)
    }

    /// Adds an initial state in which the claim is false, if there is one.
    fn initial(
        &mut self,
        claim: &Claim,
        observer: &mut dyn Observer,
        budget: &mut Budget,
    ) -> Result<Option<Progress>, Failure> {
        let Some(found) = self.search.prover.initiation(claim, budget)? else { return Ok(None) };
        let (state, violated) = self.search.allow(found, Origin::Initial, observer, budget)?;
        Ok(Some(Progress::Allowed(violated.map(|property| (property, state)))))
    }

    /// Adds the state after a step from a part of an allowed state.
    fn embedded(
        &mut self,
        cti: &Cti,
        observer: &mut dyn Observer,
        budget: &mut Budget,
    ) -> Result<Option<Progress>, Failure> {
        let Some((parent, elements)) = self.search.embedding(&cti.pre, budget)? else { return Ok(None) };
        let (state, violated) = self.search.allow_after(cti.clone(), parent, elements, observer, budget)?;
        Ok(Some(Progress::Allowed(violated.map(|property| (property, state)))))
    }

    fn refuted(&mut self, cti: Box<Cti>) -> Edge {
        let edge = edge(&cti);
        self.known.remember(Arc::from(cti));
        edge
    }

    /// Lets a clause that holds initially be assumed in this attempt.
    fn take(&mut self, claim: Claim) -> LemmaId {
        let lemmas = &mut self.search.lemmas;
        let known = if let Claim::Excludes(pattern) = &claim { lemmas.clause(pattern) } else { None };
        let id = known.unwrap_or_else(|| lemmas.add(claim, None, Role::Goal));
        lemmas.set_level(id, 1);
        lemmas.holds_initially(id);
        self.tried.push((id, known.is_none()));
        id
    }

    /// Takes back what was assumed from this place on.
    fn give_back(&mut self, from: usize) {
        for (id, is_new) in self.tried.split_off(from) {
            match is_new {
                true => self.search.drop(id),
                false => self.search.lemmas.set_level(id, 0),
            }
        }
    }

    /// Makes lemmas of the clauses that the proofs use, if the state is excluded, and takes back the others.
    fn finish(&mut self, is_excluded: bool, observer: &mut dyn Observer) {
        let mut used: Vec<LemmaId> = if is_excluded { self.group.clone() } else { Vec::new() };
        let mut next = 0;
        while let Some(&id) = used.get(next) {
            next += 1;
            for core in self.search.lemmas[id].proofs.iter().flatten() {
                for &other in core {
                    if !used.contains(&other) && self.tried.iter().any(|&(it, _)| it == other) {
                        used.push(other);
                    }
                }
            }
        }
        let (kept, others) =
            std::mem::take(&mut self.tried).into_iter().partition(|(id, _)| used.contains(id));
        self.tried = others;
        self.give_back(0);
        let kept: Vec<(LemmaId, bool)> = kept;
        for (id, _) in kept.into_iter().filter(|&(_, is_new)| is_new) {
            self.search.lemmas.set_role(id, Role::Lemma);
            self.search.proposed(id, None, observer);
        }
    }
}

fn edge(cti: &Cti) -> Edge {
    (Arc::clone(&cti.pre.state), Arc::clone(&cti.post.state))
}

/// Returns the number of literals of the clause that excludes a pattern. Values of functions are terms in it.
fn length(pattern: &Pattern) -> usize {
    let is_term = |it: &&Literal| matches!(it.atom, Atom::Value(..)) && it.positive;
    pattern.literals.iter().filter(|it| !is_term(it)).count()
}
