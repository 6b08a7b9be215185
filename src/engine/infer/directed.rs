//! The property-directed loop: what safety needs is proved, and what counterexamples to induction ask for is proposed.
//!
//! Safety comes first. For each lemma that the proof of safety needs and each transition, consecution is asked with few
//! hypotheses. If it holds, the hypotheses of the proof have to be proved as well. Otherwise the state before the
//! transition tells which known lemma to assume in addition; if none excludes it, a separating clause or formula becomes a
//! lemma. If there is none, the state is part of one that every universal invariant allows, so that the state after the
//! transition is allowed as well: it refutes the goal. A refuted safety property has no universal invariant.

use std::collections::VecDeque;
use std::sync::Arc;

use super::claim::{Claim, Cti, Found, LemmaId};
use super::engine::{Engine, Goal};
use super::exists::Source;
use super::explore::Explorer;
use super::language::{Language, languages};
use super::outcome::{self, Event, Method, Observer, Reason};
use super::provenance::{Suggested, within_edges};
use super::regression::{Regression, weakest};
use super::relational::Function;
use super::search::{Search, Verdict, Violation};
use super::separate::{Edge, Separation};
use super::state::{Pattern, State};
use super::store::{Origin, Role, StateId};
use ramsey_core::base::budget::{Budget, Exhausted};
use ramsey_solver::ask::Failure;

/// Work before the first restart.
const RESTART: u64 = 40_000_000;
/// The same with formulas with witnesses. A restart drops formulas that took long to find, and most of them are found again.
const PATIENCE: u64 = 1_000_000_000;
/// Work for a formula that transitions suggest. Where the system is outside of stratified EPR, a question about it may not end.
const SUGGESTION: u64 = 2_000_000;
/// Number of clauses tried for one that needs no new lemma.
const TRIES: usize = 12;
/// Maximum number of remembered steps.
const MAX_STEPS: usize = 200;

/// Number of languages that are searched to the end before clauses are read from steps. What small clauses prove is found by
/// these in a better order.
const LANGUAGES_BEFORE: u64 = 2;
/// Number of clauses read from steps per language. Without an end, a search for an invariant that does not exist would not
/// allow the states that tell so.
const MAX_REGRESSED: usize = 24;

/// Where lemmas come from.
#[derive(Debug)]
enum Proposals {
    /// No lemmas are proposed.
    None,
    /// Clauses; the first language is in use, and without one there is no limit.
    Clauses(VecDeque<Language>),
    /// Clauses, and formulas with witnesses.
    Formulas(Box<Source>),
}

/// State of the search.
#[derive(Debug)]
pub(super) struct Directed {
    search: Search,
    proposals: Proposals,
    /// Reachable states of small instances, in which lemmas are evaluated before they are proposed.
    explorer: Option<Box<Explorer>>,
    /// Steps from states that no lemma excluded, at most [`MAX_STEPS`].
    steps: Vec<Edge>,
    /// States after steps from states that satisfy all lemmas; an inductive subset of them satisfies these as well.
    posts: Vec<Arc<State>>,
    /// The last language that was searched to the end.
    exhausted: Option<outcome::Language>,
    /// What clauses are read from.
    regression: Option<Box<Regression>>,
    /// Number of clauses that were read from steps in this language.
    read: usize,
    /// Formulas that transitions suggest, before they are proved or dropped.
    suggested: Vec<LemmaId>,
    /// The work after which lemmas without proof are dropped.
    restart_at: u64,
    /// The work between the last restart and the next one.
    restart_step: u64,
}

/// What became of an obligation.
enum Attempt {
    Proved,
    Stuck,
    Refuted,
    Violated(LemmaId, StateId),
}

/// What becomes of a counterexample to induction.
enum Proposal {
    Lemma(LemmaId),
    /// The state is a substructure of an allowed one; the values are the elements of the latter.
    Embedded(StateId, Vec<u16>),
    /// No clause of the language excludes the state.
    Outside,
    /// A state of the store violates a property.
    Violated(LemmaId, StateId),
}

/// What the source of lemmas has for a state.
enum Candidate {
    Claim(Claim),
    /// The state is a substructure of an allowed one; the values are the elements of the latter.
    Embedded(StateId, Vec<u16>),
    None,
}

impl Engine for Directed {
    fn search(&mut self) -> &mut Search {
        &mut self.search
    }

    fn settle_origin(&mut self, state: StateId) {
        if let Some(explorer) = &self.explorer {
            explorer.settle_origin(&mut self.search, state);
        }
    }

    fn languages(&self) -> Vec<outcome::Language> {
        self.exhausted.iter().cloned().chain(self.language()).collect()
    }

    fn advance(&mut self, observer: &mut dyn Observer, budget: &mut Budget) -> Result<Verdict, Failure> {
        self.settle_suggested(observer, budget)?;
        loop {
            if let Some(violation) = self.search.sampled_in_time(observer, budget)? {
                return Ok(violation.into());
            }
            if let Some(violation) = self.explored(observer, budget)? {
                return Ok(violation.into());
            }
            self.restart_if_stuck(self.search.work(budget));
            let (needed, open) = self.search.lemmas.needed();
            self.search.counts.obligations = open.len() as u64;
            let Some(&(lemma, transition)) = open.first() else { return Ok(Verdict::Inductive(needed)) };
            let attempt = match transition {
                None => self.initiation(lemma, observer, budget)?,
                Some(transition) => self.consecution(lemma, transition, observer, budget)?,
            };
            match attempt {
                Attempt::Violated(_, state) if self.search.states[state].is_bounded => {
                    if !self.widen(observer) {
                        return Ok(Verdict::Stuck(Reason::NoInvariant));
                    }
                }
                Attempt::Violated(lemma, state) => return Ok(Verdict::Violated(lemma, state)),
                Attempt::Stuck => return Ok(Verdict::Stuck(Reason::NoSubset)),
                Attempt::Proved | Attempt::Refuted => {}
            }
        }
    }
}

impl Directed {
    fn new(search: Search, proposals: Proposals, explorer: Option<Box<Explorer>>, restart: u64) -> Directed {
        let (steps, posts) = (Vec::new(), Vec::new());
        let (exhausted, regression, read, suggested) = (None, None, 0, Vec::new());
        let (restart_at, restart_step) = (restart, restart);
        Directed {
            search,
            proposals,
            explorer,
            steps,
            posts,
            exhausted,
            regression,
            read,
            suggested,
            restart_at,
            restart_step,
        }
    }

    /// Starts a search that proposes separating clauses.
    pub(super) fn with_clauses(goal: &Goal<'_>) -> Box<dyn Engine> {
        let proposals = Proposals::Clauses(languages(goal.system, goal.claims));
        Box::new(Directed::new(goal.search(), proposals, Some(Box::default()), RESTART))
    }

    /// Starts a search that proposes separating formulas.
    pub(super) fn with_formulas(goal: &Goal<'_>) -> Box<dyn Engine> {
        Directed::with_functions(goal, Vec::new())
    }

    /// Starts the same search where relations stand for functions.
    pub(super) fn with_functions(goal: &Goal<'_>, functions: Vec<Function>) -> Box<dyn Engine> {
        let mut search = goal.search();
        search.prover.prefer_values(functions);
        // Prefixes that are given leave no others.
        let none = Suggested::default();
        let Suggested { formulas, guesses, .. } =
            if goal.options.prefixes.is_empty() { goal.suggested } else { &none };
        let suggested = within_edges(&search.prover, formulas, goal.claims);
        let suggested =
            suggested.into_iter().map(|it| search.lemmas.add(Claim::Formula(it), None, Role::Lemma));
        let suggested = suggested.collect();
        let source = Source::new(&search.prover, goal.claims, &goal.options.prefixes, guesses);
        let proposals = Proposals::Formulas(Box::new(source));
        let directed = Directed::new(search, proposals, Some(Box::default()), PATIENCE);
        Box::new(Directed { suggested, ..directed })
    }

    /// Starts a search that proposes no lemmas. What is known does not imply safety if it ends with [`Verdict::Stuck`].
    pub(super) fn closed(search: Search) -> Directed {
        Directed::new(search, Proposals::None, None, RESTART)
    }

    /// Returns the states that every inductive subset of the lemmas allows, reachable ones first.
    pub(super) fn seen_states(&self) -> Vec<Arc<State>> {
        self.search.states.tables().iter().chain(&self.posts).cloned().collect()
    }

    /// Drops formulas that transitions suggest until the others are inductive as a set.
    fn settle_suggested(&mut self, observer: &mut dyn Observer, budget: &mut Budget) -> Result<(), Failure> {
        let search = &mut self.search;
        while !self.suggested.is_empty() {
            let mut is_closed = true;
            for lemma in self.suggested.clone() {
                let mut part = budget.part(SUGGESTION);
                let holds = search.suggestion_holds(lemma, observer, &mut part);
                budget.absorb(&part)?;
                budget.check()?;
                let holds = match holds {
                    Err(Failure::Exhausted(Exhausted::Work)) if budget.left() > 0 => false,
                    known => known?,
                };
                if !holds {
                    search.drop(lemma);
                    self.suggested.retain(|&it| it != lemma);
                    is_closed = false;
                }
            }
            if is_closed {
                self.suggested.drain(..).for_each(|lemma| search.proposed(lemma, None, observer));
            }
        }
        Ok(())
    }

    fn initiation(
        &mut self,
        lemma: LemmaId,
        observer: &mut dyn Observer,
        budget: &mut Budget,
    ) -> Result<Attempt, Failure> {
        match self.search.initially(lemma, budget)? {
            None => {
                self.search.lemmas.holds_initially(lemma);
                Ok(Attempt::Proved)
            }
            Some(found) => Ok(self.search.allow(found, Origin::Initial, observer, budget)?.into()),
        }
    }

    fn consecution(
        &mut self,
        lemma: LemmaId,
        transition: usize,
        observer: &mut dyn Observer,
        budget: &mut Budget,
    ) -> Result<Attempt, Failure> {
        let search = &mut self.search;
        if search.is_unchanged(lemma, transition) {
            search.prove_unchanged(lemma);
            return Ok(Attempt::Proved);
        }
        let mut assumed = search.lemmas.first_hypotheses(lemma, transition);
        loop {
            let search = &mut self.search;
            let Some(cti) = search.preserve(lemma, transition, &mut assumed, observer, budget)? else {
                return Ok(Attempt::Proved);
            };
            search.counts.ctis += 1;
            search.lemmas.set_cti(lemma, transition, cti.clone());
            if matches!(self.proposals, Proposals::None) {
                if search.refute_after(&cti, observer, budget)? {
                    self.posts.push(cti.post.state);
                }
                let is_property = search.lemmas[lemma].is_property();
                return Ok(if is_property { Attempt::Stuck } else { Attempt::Refuted });
            }
            search.lemmas.set_tried(lemma, transition, &assumed);
            match self.separate(&cti, (lemma, transition), observer, budget)? {
                Proposal::Lemma(new) => {
                    // States found on the way may have refuted the goal, or hypotheses.
                    let lemmas = &self.search.lemmas;
                    if !lemmas[lemma].is_alive {
                        return Ok(Attempt::Refuted);
                    }
                    assumed.push(new);
                    assumed.retain(|&id| lemmas[id].is_alive);
                }
                Proposal::Violated(property, state) => return Ok(Attempt::Violated(property, state)),
                Proposal::Outside => {
                    return Ok(self.search.allow(cti.post, Origin::Outside, observer, budget)?.into());
                }
                Proposal::Embedded(parent, elements) => {
                    return Ok(self.search.allow_after(*cti, parent, elements, observer, budget)?.into());
                }
            }
        }
    }

    /// Proposes a lemma that is false in the state and true in all allowed and all initial states. One that the known
    /// lemmas suffice to prove is preferred.
    fn separate(
        &mut self,
        cti: &Cti,
        goal: (LemmaId, usize),
        observer: &mut dyn Observer,
        budget: &mut Budget,
    ) -> Result<Proposal, Failure> {
        let found = &cti.pre;
        let mut tries = TRIES;
        let reason = self.reason(goal.0, cti, budget)?;
        loop {
            if let Some((property, state)) = self.explored(observer, budget)? {
                return Ok(Proposal::Violated(property, state));
            }
            let steps = if tries > 0 { self.live_steps(budget)? } else { Vec::new() };
            let candidate = match self.regressed(reason.as_ref(), &steps, budget)? {
                Some(claim) => Candidate::Claim(claim),
                None => self.candidate(found, &steps, budget)?,
            };
            let claim = match candidate {
                Candidate::Claim(claim) => claim,
                Candidate::Embedded(state, elements) => return Ok(Proposal::Embedded(state, elements)),
                Candidate::None if steps.is_empty() => return Ok(Proposal::Outside),
                Candidate::None => {
                    tries = 0;
                    continue;
                }
            };
            let Directed { search, explorer, .. } = self;
            let refuted =
                explorer.as_mut().map(|it| it.refute(search, &claim, observer, budget)).transpose()?;
            match refuted.flatten() {
                Some((state, Some(property))) => return Ok(Proposal::Violated(property, state)),
                Some((_, None)) => continue,
                None => {}
            }
            let initial = search.prover.initiation(&claim, budget)?;
            search.counts.questions = search.prover.questions();
            if let Some(initial) = initial {
                if let (state, Some(property)) = search.allow(initial, Origin::Initial, observer, budget)? {
                    return Ok(Proposal::Violated(property, state));
                }
                continue;
            }
            let id = search.lemmas.add(claim, None, Role::Lemma);
            search.lemmas.holds_initially(id);
            if tries == 0 {
                search.proposed(id, Some(goal), observer);
                return Ok(Proposal::Lemma(id));
            }
            tries -= 1;
            let Some(cti) = search.self_sufficient(id, observer, budget)? else {
                search.proposed(id, Some(goal), observer);
                return Ok(Proposal::Lemma(id));
            };
            search.drop(id);
            let Some((parent, elements)) = self.embedding(&cti.pre, budget)? else {
                self.remember(*cti);
                continue;
            };
            let (state, violated) = self.search.allow_after(*cti, parent, elements, observer, budget)?;
            if let Some(property) = violated {
                return Ok(Proposal::Violated(property, state));
            }
        }
    }

    /// Checks whether clauses are read from steps.
    fn regresses(&self) -> bool {
        matches!(self.proposals, Proposals::Clauses(_))
            && self.search.counts.widened >= LANGUAGES_BEFORE
            && self.read < MAX_REGRESSED
    }

    /// Returns what of the state before a step makes it violate a lemma, if clauses are read from that.
    fn reason(
        &mut self,
        lemma: LemmaId,
        cti: &Cti,
        budget: &mut Budget,
    ) -> Result<Option<Pattern>, Exhausted> {
        if !self.regresses() {
            return Ok(None);
        }
        let Directed { search, regression, .. } = self;
        let regression = regression.get_or_insert_with(|| Box::new(Regression::new(search.prover.system())));
        regression.reason(&search.prover, &search.lemmas[lemma].claim, cti, budget)
    }

    /// Returns a claim that is false where the reason holds, true in all allowed states, and respects the steps.
    fn regressed(
        &mut self,
        reason: Option<&Pattern>,
        steps: &[Edge],
        budget: &mut Budget,
    ) -> Result<Option<Claim>, Exhausted> {
        let Some(reason) = reason.filter(|_| self.regresses()) else { return Ok(None) };
        let found = weakest(reason, self.search.states.tables(), steps, budget)?;
        self.read += usize::from(found.is_some());
        Ok(found.map(Claim::Excludes))
    }

    fn remember(&mut self, cti: Cti) {
        self.steps.push((cti.pre.state, cti.post.state));
        if self.steps.len() > MAX_STEPS {
            self.steps.remove(0);
        }
    }

    /// Returns the remembered steps from states that no lemma excludes.
    fn live_steps(&self, budget: &mut Budget) -> Result<Vec<Edge>, Exhausted> {
        let mut work = 1;
        let mut is_live = |before: &State| {
            !self.search.lemmas.iter().any(|lemma| lemma.is_alive && lemma.excludes(before, &mut work))
        };
        let live = self.steps.iter().filter(|(before, _)| is_live(before)).cloned().collect();
        budget.spend(work)?;
        Ok(live)
    }

    /// Returns a claim that is false in the state, true in all allowed states, and respects the steps.
    fn candidate(
        &mut self,
        found: &Found,
        steps: &[Edge],
        budget: &mut Budget,
    ) -> Result<Candidate, Failure> {
        let (separator, vocabulary, tables) = self.search.separating();
        let language = match &mut self.proposals {
            Proposals::Formulas(source) => {
                let claim = source.separate((separator, vocabulary), &found.state, tables, steps, budget);
                let guessing = source.guessing();
                self.search.set_aside(guessing);
                let claim = claim?;
                return Ok(claim.map_or(Candidate::None, Candidate::Claim));
            }
            Proposals::Clauses(languages) => languages.front(),
            Proposals::None => None,
        };
        match separator.separate(vocabulary, &found.state, tables, steps, language, budget)? {
            Separation::Clause(pattern) => Ok(Candidate::Claim(Claim::Excludes(pattern))),
            Separation::Embedded(state, elements) => Ok(Candidate::Embedded(state, elements)),
            Separation::Blocked | Separation::Outside => Ok(Candidate::None),
            Separation::TooLarge => Err(Failure::Exhausted(Exhausted::FormulaSize)),
        }
    }

    /// Returns an allowed state of which this one is a substructure, with the elements that its elements stand for.
    fn embedding(
        &mut self,
        found: &Found,
        budget: &mut Budget,
    ) -> Result<Option<(StateId, Vec<u16>)>, Failure> {
        if matches!(self.proposals, Proposals::Formulas(_)) {
            // Only the state itself is known to be allowed, not its substructures.
            let known = self.search.states.number(&found.state);
            return Ok(known.map(|at| (at, found.state.identity())));
        }
        self.search.embedding(found, budget)
    }

    /// Explores more states if it is time. Returns a property and a state that violates it, if one is reached.
    fn explored(
        &mut self,
        observer: &mut dyn Observer,
        budget: &mut Budget,
    ) -> Result<Option<Violation>, Failure> {
        let Directed { search, explorer, .. } = self;
        explorer.as_mut().map_or(Ok(None), |it| it.explore(search, observer, budget))
    }

    /// Returns the language in use, if lemmas are proposed.
    fn language(&self) -> Option<outcome::Language> {
        let method = Method::SEPARATION;
        let language = |it: Option<&Language>, prefixes| {
            let variables = it.map(|it| it.variables.iter().copied().collect());
            let literals = it.map(|it| it.literals);
            outcome::Language { method, variables, prefixes, literals, is_exhausted: false }
        };
        match &self.proposals {
            Proposals::None => None,
            Proposals::Clauses(languages) => Some(language(languages.front(), Vec::new())),
            Proposals::Formulas(source) => {
                let (clauses, prefixes, literals) = source.language()?;
                let literals = Some(literals);
                Some(outcome::Language {
                    method: Method::EXISTS,
                    literals,
                    ..language(Some(clauses), prefixes)
                })
            }
        }
    }

    /// Goes on with the next language. Forgets the states that were allowed for want of clauses. Returns `false` if there
    /// is no other language.
    fn widen(&mut self, observer: &mut dyn Observer) -> bool {
        self.exhausted = self.language().map(|it| outcome::Language { is_exhausted: true, ..it });
        let Directed { search, proposals, .. } = self;
        search.forget_bounded();
        self.read = 0;
        let (variables, literals, is_last) = match proposals {
            Proposals::Formulas(source) => {
                let literals = source.widen(search.prover.vocabulary());
                (None, literals, literals.is_none())
            }
            Proposals::Clauses(languages) => {
                languages.pop_front();
                let language = languages.front();
                (language.map(|it| it.variables.clone()), language.map(|it| it.literals), false)
            }
            Proposals::None => (None, None, true),
        };
        search.counts.widened += 1;
        search.tell(observer, &Event::Widened { variables, literals });
        !is_last
    }

    /// Drops all clauses that are not proved after a while. A lemma that holds in all allowed states may be far from
    /// inductive, and so may be the lemmas that exclude its counterexamples. The states that were learned since are kept,
    /// so that better lemmas take their place. Given candidates stay.
    fn restart_if_stuck(&mut self, work: u64) {
        if matches!(self.proposals, Proposals::None) || work < self.restart_at {
            return;
        }
        let unproved = self.search.lemmas.unproved();
        unproved.into_iter().for_each(|lemma| self.search.drop(lemma));
        self.restart_step += self.restart_step / 2;
        self.restart_at = work + self.restart_step;
        self.search.counts.restarts += 1;
    }
}

impl From<(StateId, Option<LemmaId>)> for Attempt {
    /// Returns what became of an obligation that a state of the store refutes, with the property that it violates.
    fn from((state, violated): (StateId, Option<LemmaId>)) -> Attempt {
        violated.map_or(Attempt::Refuted, |property| Attempt::Violated(property, state))
    }
}
