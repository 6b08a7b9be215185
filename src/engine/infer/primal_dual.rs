//! Primal-dual Houdini (Padon et al., POPL 2022).
//!
//! Two searches share the store. The primal one is Houdini: the greatest inductive subset of the lemmas is the
//! invariant so far, and the counterexamples to the others are open states. The dual one takes states in place of
//! lemmas: a set of clauses is proved from the lemmas that are true in all open states that remain, such that an open
//! state is excluded; the lemmas that are true in all the others may then be assumed as well, and so on. New clauses are
//! lemmas for the primal search, which may find new states.
//!
//! As lemmas are to be inductive together with the safety properties, the latter are assumed throughout. Bounds on the
//! number of literals of a clause, and of clauses that are proved together (the induction width), grow whenever neither
//! search makes progress.

use std::sync::Arc;

use super::claim::{Cti, Found, LemmaId};
use super::edge::{Edges, Progress};
use super::engine::{Engine, Goal};
use super::outcome::Observer;
use super::search::{Search, Verdict, Violation};
use super::state::{Matcher, State};
use super::store::{Lemma, Origin};
use ramsey_core::base::budget::Budget;
use ramsey_core::base::hash::Map;
use ramsey_solver::ask::Failure;

/// Literals of a clause at the beginning.
const LITERALS: usize = 3;
/// Clauses that are tried for an open state at the beginning.
const TRIES: usize = 24;
/// Work units charged per round, so that a search without questions ends too.
const ROUND: u64 = 1_000;

/// The bounds of the search for clauses.
#[derive(Clone, Copy, Debug)]
pub(super) struct Bounds {
    /// Maximum number of literals of a clause.
    pub(super) literals: usize,
    /// Maximum number of clauses that are proved together.
    pub(super) width: usize,
    /// Maximum number of clauses that are tried for a state.
    pub(super) tries: usize,
}

/// A state that neither a lemma of the invariant excludes, nor every universal invariant is known to allow.
#[derive(Debug)]
struct Open {
    found: Found,
    diagram: Matcher,
    /// Number of allowed states of which it is known to be no substructure.
    checked: usize,
    is_open: bool,
    /// The states that lead to it or contain it.
    before: Vec<usize>,
    /// The known steps from it.
    steps: Vec<Arc<Cti>>,
}

/// State of the search.
#[derive(Debug)]
pub(super) struct PrimalDual {
    search: Search,
    bounds: Bounds,
    states: Vec<Open>,
    places: Map<Arc<State>, usize>,
    edges: Edges,
    /// Steps to states that could not be excluded, from states that are to be excluded first.
    ahead: Vec<Arc<Cti>>,
    is_begun: bool,
}

/// What the search has; a round that changes none of it is a fixed point.
type Extent = (usize, usize, usize, usize);

impl Engine for PrimalDual {
    fn search(&mut self) -> &mut Search {
        &mut self.search
    }

    fn advance(&mut self, observer: &mut dyn Observer, budget: &mut Budget) -> Result<Verdict, Failure> {
        self.search.lemmas.assume_from(1);
        // Those of an attempt that was interrupted.
        self.search.drop_goals();
        if !self.is_begun {
            if let Some(verdict) = self.begin_states(observer, budget)? {
                return Ok(verdict);
            }
            self.is_begun = true;
        }
        loop {
            budget.spend(ROUND)?;
            let before = self.extent();
            if let Some(violation) = self.search.sampled_in_time(observer, budget)? {
                return Ok(violation.into());
            }
            if let Some(verdict) = self.settled(None, observer, budget)? {
                return Ok(verdict);
            }
            if let Some(verdict) = self.primal(observer, budget)? {
                return Ok(verdict);
            }
            if let Some(verdict) = self.dual(observer, budget)? {
                return Ok(verdict);
            }
            if self.extent() == before {
                let Bounds { literals, width, tries } = &mut self.bounds;
                *literals = literals.saturating_add(1);
                *width = width.saturating_mul(2);
                *tries = tries.saturating_mul(2);
                for cti in std::mem::take(&mut self.ahead) {
                    if let Some(verdict) = self.learn(cti, observer, budget)? {
                        return Ok(verdict);
                    }
                }
            }
        }
    }
}

impl PrimalDual {
    /// Starts a search. Lemmas that are given are candidates.
    pub(super) fn begin(goal: &Goal<'_>) -> Box<dyn Engine> {
        Box::new(PrimalDual {
            search: goal.search(),
            bounds: Bounds { literals: LITERALS, width: 1, tries: TRIES },
            states: Vec::new(),
            places: Map::default(),
            edges: Edges::default(),
            ahead: Vec::new(),
            is_begun: false,
        })
    }

    fn extent(&self) -> Extent {
        let closed = self.states.iter().filter(|state| !state.is_open).count();
        (
            self.search.states.len(),
            self.search.lemmas.iter().filter(|it| it.is_alive).count(),
            self.states.len(),
            closed,
        )
    }

    /// Checks the properties and candidates in the initial states.
    fn begin_states(
        &mut self,
        observer: &mut dyn Observer,
        budget: &mut Budget,
    ) -> Result<Option<Verdict>, Failure> {
        for id in 0..self.search.lemmas.len() {
            if !self.search.lemmas[id].is_alive || self.search.lemmas[id].is_initial {
                continue;
            }
            match self.search.initially(id, budget)? {
                None => self.search.lemmas.holds_initially(id),
                Some(found) => {
                    let (state, violated) = self.search.allow(found, Origin::Initial, observer, budget)?;
                    if let Some(property) = violated {
                        return Ok(Some(Verdict::Violated(property, state)));
                    }
                }
            }
        }
        Ok(None)
    }

    /// Returns the lemmas that are no properties.
    fn lemmas(&self) -> Vec<LemmaId> {
        self.search.lemmas.which(Lemma::is_lemma)
    }

    /// Houdini: reduces the lemmas to the greatest inductive subset, which excludes states, and collects
    /// counterexamples. Returns the verdict if the subset implies safety.
    fn primal(
        &mut self,
        observer: &mut dyn Observer,
        budget: &mut Budget,
    ) -> Result<Option<Verdict>, Failure> {
        for id in self.lemmas() {
            self.search.lemmas.set_level(id, 1);
        }
        loop {
            let mut is_reduced = false;
            for id in self.lemmas() {
                if self.search.lemmas[id].level == 0 || !self.search.lemmas[id].is_alive {
                    continue;
                }
                let Some(cti) = self.unproved(id, observer, budget)? else { continue };
                let cti: Arc<Cti> = Arc::from(cti);
                is_reduced = true;
                let post = cti.post.clone();
                if let Some(verdict) = self.learn(cti, observer, budget)? {
                    return Ok(Some(verdict));
                }
                for other in self.lemmas() {
                    if !self.search.holds(other, &post, budget)? {
                        self.search.lemmas.set_level(other, 0);
                    }
                }
            }
            if !is_reduced {
                break;
            }
        }
        for id in self.search.lemmas.which(|lemma| lemma.is_lemma() && lemma.level > 0) {
            for at in 0..self.states.len() {
                if self.states[at].is_open && !self.search.holds(id, &self.states[at].found, budget)? {
                    self.states[at].is_open = false;
                }
            }
        }
        let mut is_safe = true;
        for id in self.search.lemmas.which(Lemma::is_property) {
            if let Some(cti) = self.unproved(id, observer, budget)?.map(Arc::from) {
                is_safe = false;
                if let Some(verdict) = self.learn(cti, observer, budget)? {
                    return Ok(Some(verdict));
                }
            }
        }
        self.search.counts.obligations = self.states.iter().filter(|state| state.is_open).count() as u64;
        Ok(is_safe.then(|| Verdict::Inductive(self.search.lemmas.needed().0)))
    }

    /// Asks for the proofs of a lemma that assumable lemmas do not imply as far as known. Returns a counterexample if
    /// there is none.
    fn unproved(
        &mut self,
        id: LemmaId,
        observer: &mut dyn Observer,
        budget: &mut Budget,
    ) -> Result<Option<Box<Cti>>, Failure> {
        for transition in 0..self.search.prover.transitions() {
            if self.search.is_unchanged(id, transition) {
                continue;
            }
            let lemmas = &self.search.lemmas;
            let is_assumable = |it: &LemmaId| *it == id || lemmas.is_assumable(*it);
            let known = lemmas[id].proofs[transition].as_ref();
            if known.is_some_and(|core| core.iter().all(is_assumable)) {
                continue;
            }
            if let Some(cti) = lemmas[id].cti(transition)
                && !self.is_excluded(&cti.pre, budget)?
            {
                return Ok(Some(Box::new(cti.clone())));
            }
            let mut assumed = lemmas.first_hypotheses(id, transition);
            if let Some(cti) = self.search.preserve(id, transition, &mut assumed, observer, budget)? {
                self.search.lemmas.set_cti(id, transition, cti.clone());
                return Ok(Some(cti));
            }
        }
        Ok(None)
    }

    /// Checks whether a lemma that may be assumed excludes a state.
    fn is_excluded(&self, found: &Found, budget: &mut Budget) -> Result<bool, Failure> {
        for id in self.search.lemmas.which(|lemma| lemma.is_lemma() && lemma.level > 0) {
            if !self.search.holds(id, found, budget)? {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Adds the states of a step. The step may show that states are allowed; returns the verdict if one of these violates
    /// a property.
    fn learn(
        &mut self,
        cti: Arc<Cti>,
        observer: &mut dyn Observer,
        budget: &mut Budget,
    ) -> Result<Option<Verdict>, Failure> {
        let place = |found: &Found| self.places.get(&found.state).copied();
        if let (Some(before), Some(after)) = (place(&cti.pre), place(&cti.post))
            && self.states[after].before.contains(&before)
        {
            return Ok(None);
        }
        self.search.counts.ctis += 1;
        self.edges.remember(Arc::clone(&cti));
        if let Some((parent, elements)) = self.search.embedding(&cti.pre, budget)? {
            let (state, violated) =
                self.search.allow_after((*cti).clone(), parent, elements, observer, budget)?;
            return self.settled(violated.map(|property| (property, state)), observer, budget);
        }
        let before = self.add(&cti.pre, budget)?;
        let after = self.add(&cti.post, budget)?;
        self.states[after].before.push(before);
        self.states[before].steps.push(cti);
        self.settled(None, observer, budget)
    }

    /// Adds a state, and returns its number.
    fn add(&mut self, found: &Found, budget: &mut Budget) -> Result<usize, Failure> {
        if let Some(&at) = self.places.get(&found.state) {
            return Ok(at);
        }
        let diagram = Matcher::new(&self.search.diagram(found)?);
        let at = self.states.len();
        let (mut before, mut work) = (Vec::new(), 1);
        let mut inside = Vec::new();
        for (other, state) in self.states.iter().enumerate() {
            if diagram.find(&state.found.state, &mut work).is_some() {
                before.push(other);
            }
            if state.diagram.find(&found.state, &mut work).is_some() {
                inside.push(other);
            }
        }
        budget.spend(work)?;
        inside.into_iter().for_each(|other| self.states[other].before.push(at));
        self.places.insert(Arc::clone(&found.state), at);
        let found = found.clone();
        self.states.push(Open { found, diagram, checked: 0, is_open: true, before, steps: Vec::new() });
        Ok(at)
    }

    /// Allows the states after known steps from open states that are parts of allowed ones.
    fn settled(
        &mut self,
        violated: Option<Violation>,
        observer: &mut dyn Observer,
        budget: &mut Budget,
    ) -> Result<Option<Verdict>, Failure> {
        if let Some(violation) = violated {
            return Ok(Some(violation.into()));
        }
        let mut at = 0;
        while at < self.states.len() {
            let open = &mut self.states[at];
            let mut work = 1;
            let mut parent = None;
            while open.is_open && parent.is_none() && open.checked < self.search.states.len() {
                let state = &self.search.states.tables()[open.checked];
                parent = open.diagram.find(state, &mut work).map(|elements| (open.checked, elements));
                open.checked += usize::from(parent.is_none());
            }
            budget.spend(work)?;
            let Some((parent, elements)) = parent else {
                at += 1;
                continue;
            };
            for cti in self.states[at].steps.clone() {
                let (state, violated) =
                    self.search.allow_after((*cti).clone(), parent, elements.clone(), observer, budget)?;
                if let Some(property) = violated {
                    return Ok(Some(Verdict::Violated(property, state)));
                }
            }
            self.states[at].is_open = false;
            // The new states may contain others.
            at = 0;
        }
        Ok(None)
    }

    /// Excludes open states by clauses that are proved from lemmas that are true in all that remain.
    fn dual(&mut self, observer: &mut dyn Observer, budget: &mut Budget) -> Result<Option<Verdict>, Failure> {
        let mut remaining: Vec<usize> =
            (0..self.states.len()).filter(|&at| self.states[at].is_open).collect();
        self.ahead.clear();
        loop {
            self.assume(&mut remaining, budget)?;
            let mut is_excluded = false;
            for root in self.roots(&remaining, budget)? {
                if !remaining.contains(&root) {
                    continue;
                }
                let goal = self.states[root].found.clone();
                let others: Vec<Arc<State>> =
                    remaining.iter().map(|&at| Arc::clone(&self.states[at].found.state)).collect();
                match self.edges.exclude(&mut self.search, &goal, &others, self.bounds, observer, budget)? {
                    Progress::Excluded => {
                        is_excluded = true;
                        self.retain(&mut remaining, budget)?;
                    }
                    Progress::Failed(last) => self.ahead.extend(last),
                    Progress::Allowed(violated) => return self.settled(violated, observer, budget),
                }
            }
            if !is_excluded {
                break;
            }
            self.ahead.clear();
        }
        Ok(None)
    }

    /// Lets exactly those lemmas be assumed that are true in all remaining states, and those that follow by known proofs.
    /// The latter may exclude states, so that this is repeated.
    fn assume(&mut self, remaining: &mut Vec<usize>, budget: &mut Budget) -> Result<(), Failure> {
        loop {
            for id in self.lemmas() {
                let mut is_true = true;
                for &at in remaining.iter() {
                    is_true = is_true && self.search.holds(id, &self.states[at].found, budget)?;
                }
                self.search.lemmas.set_level(id, is_true.into());
            }
            self.search.lemmas.assume_proved();
            let before = remaining.len();
            self.retain(remaining, budget)?;
            if remaining.len() == before {
                return Ok(());
            }
        }
    }

    /// Removes the states that a lemma which may be assumed excludes.
    fn retain(&self, remaining: &mut Vec<usize>, budget: &mut Budget) -> Result<(), Failure> {
        let mut kept = Vec::new();
        for &at in remaining.iter() {
            if !self.is_excluded(&self.states[at].found, budget)? {
                kept.push(at);
            }
        }
        *remaining = kept;
        Ok(())
    }

    /// Returns states such that whoever excludes any state has to exclude one of them, small ones first: a clause that is
    /// preserved and false in a state is false in all states that lead to it or contain it.
    fn roots(&self, states: &[usize], budget: &mut Budget) -> Result<Vec<usize>, Failure> {
        let mut ancestors: Map<usize, Vec<usize>> = Map::default();
        for &at in states {
            let mut found = vec![at];
            let mut next = 0;
            while let Some(&one) = found.get(next) {
                next += 1;
                for &before in &self.states[one].before {
                    if states.contains(&before) && !found.contains(&before) {
                        found.push(before);
                    }
                }
            }
            budget.spend(found.len() as u64)?;
            ancestors.insert(at, found);
        }
        // Of states that lead to each other, the first one is enough.
        let is_root = |at: &usize| {
            ancestors[at].iter().all(|before| before == at || *before > *at && ancestors[before].contains(at))
        };
        let mut roots: Vec<usize> = states.iter().copied().filter(is_root).collect();
        roots.sort_by_key(|&at| self.states[at].found.state.sizes.iter().sum::<u32>());
        Ok(roots)
    }
}
