//! Proposals: what excludes a counterexample to induction.

use super::oracle::{Claim, Found, LemmaId};
use super::outcome::{Event, Observer};
use super::search::{Origin, Search, StateId};
use super::separate::{Edge, Separation};
use super::state::Pattern;
use ramsey_core::base::budget::{Budget, Exhausted};
use ramsey_solver::ask::Failure;

/// Number of clauses tried for one that needs no new lemma.
const TRIES: usize = 12;
/// Maximum number of remembered steps.
const MAX_STEPS: usize = 200;

/// What becomes of a counterexample to induction.
pub(super) enum Proposal {
    Lemma(LemmaId),
    /// The state is a substructure of an allowed one; the values are the elements of the latter.
    Embedded(StateId, Vec<u16>),
    /// No clause of the language excludes the state.
    Outside,
    /// A state of the store violates a property.
    Violated(LemmaId, StateId),
}

/// What the source of lemmas proposes.
enum Candidate {
    Claim(Claim),
    /// The state is a substructure of an allowed one; the values are the elements of the latter.
    Embedded(StateId, Vec<u16>),
    None,
}

impl Search {
    /// Proposes a lemma that is false in the state and true in all allowed and all initial states. One that the known
    /// lemmas suffice to prove is preferred.
    pub(super) fn separate(
        &mut self,
        found: &Found,
        goal: (LemmaId, usize),
        observer: &mut dyn Observer,
        budget: &mut Budget,
    ) -> Result<Proposal, Failure> {
        let mut tries = TRIES;
        loop {
            if let Some((property, state)) = self.explored(observer, budget)? {
                return Ok(Proposal::Violated(property, state));
            }
            let steps = if tries > 0 { self.live_steps(budget)? } else { Vec::new() };
            let claim = match self.candidate(found, &steps, budget)? {
                Candidate::Claim(claim) => claim,
                Candidate::Embedded(state, elements) => return Ok(Proposal::Embedded(state, elements)),
                Candidate::None if steps.is_empty() => return Ok(Proposal::Outside),
                Candidate::None => {
                    tries = 0;
                    continue;
                }
            };
            match self.refuted_by_exploration(&claim, observer, budget)? {
                Some((state, Some(property))) => return Ok(Proposal::Violated(property, state)),
                Some((_, None)) => continue,
                None => {}
            }
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
                    if let Some((parent, elements)) = self.embedding(&cti.pre, budget)? {
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

    /// Returns a claim that is false in the state, true in all allowed states, and respects the steps.
    fn candidate(
        &mut self,
        found: &Found,
        steps: &[Edge],
        budget: &mut Budget,
    ) -> Result<Candidate, Failure> {
        let Search { separator, source, oracle, tables, languages, .. } = self;
        if let Some(source) = source {
            let own = (separator, &oracle.vocabulary);
            let claim = source.separate(own, &found.state, tables, steps, budget)?;
            return Ok(claim.map_or(Candidate::None, Candidate::Claim));
        }
        let language = languages.front();
        let separation =
            separator.separate(&oracle.vocabulary, &found.state, tables, steps, language, budget)?;
        match separation {
            Separation::Clause(pattern) => Ok(Candidate::Claim(Claim::Excludes(pattern))),
            Separation::Embedded(state, elements) => Ok(Candidate::Embedded(state, elements)),
            Separation::Blocked | Separation::Outside => Ok(Candidate::None),
            Separation::TooLarge => Err(Failure::Exhausted(Exhausted::FormulaSize)),
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
        let Search { oracle, lemmas, .. } = self;
        let (syntax, formula) = oracle.shown((id, &lemmas[id].claim));
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
        match separator.separate(&oracle.vocabulary, &found.state, tables, steps, None, budget)? {
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
        let Search { separator, oracle, tables, source, .. } = self;
        if source.is_some() {
            // Only the state itself is known to be allowed, not its substructures.
            let known = tables.iter().position(|state| **state == *found.state);
            return Ok(known.map(|at| (at, found.state.identity())));
        }
        Ok(separator.embedding(&oracle.vocabulary, &found.state, tables, budget)?)
    }

    /// Returns the diagram of a state.
    pub(super) fn diagram(&mut self, found: &Found) -> Result<Pattern, Failure> {
        let diagram = self.separator.diagram(&self.oracle.vocabulary, &found.state);
        diagram.ok_or(Failure::Exhausted(Exhausted::FormulaSize))
    }
}
