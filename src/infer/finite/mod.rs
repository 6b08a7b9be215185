//! Finite instance first (Ma et al., I4, SOSP 2019).
//!
//! Property directed reachability decides a small instance of the system, whose invariant is a set of ground clauses.
//! Each of them becomes a universal clause: elements are variables, and what is fixed in the instance about the elements
//! of the clause is a condition (`orbit`). Houdini over these clauses proves safety of the system, or ends with a step
//! that shows in which sort the instance was too small (`sizes`). Then there is a larger instance.

mod orbit;
mod sizes;

use std::sync::Arc;

use super::oracle::{Claim, LemmaId};
use super::outcome::Observer;
use super::search::{Origin, Search, StateId, Step, Verdict};
use super::state::Pattern;
use crate::ask::Failure;
use crate::base::budget::{Budget, Exhausted};
use crate::finite::{self, Instance, Refusal};
use crate::logic::TermId;
use crate::mc;
use crate::query::Call;
use orbit::Generalizer;
use sizes::Sizes;

/// Work units for the first instance. Each instance that is not decided leaves twice as many for the next one.
const INSTANCE: u64 = 100_000_000;

/// State of the search.
#[derive(Debug)]
pub(super) struct Finite {
    pub(super) search: Search,
    /// The conjunction of the properties.
    safety: TermId,
    sizes: Sizes,
    /// Work units for an instance.
    turn: u64,
    /// Whether the instance of these sizes was decided, and its clauses are among the lemmas.
    is_decided: bool,
    seed: u64,
}

/// What an instance says.
enum Finding {
    /// No structure of these sizes satisfies the axioms.
    Empty,
    /// It was not decided.
    Open,
    /// It is safe, and so many clauses are new.
    Safe,
    /// A property is false in a reachable state.
    Violated(LemmaId, StateId),
}

impl Finite {
    /// Starts a search. Lemmas of `search` that are no properties are candidates; `safety` is the conjunction of the
    /// properties.
    pub(super) fn new(mut search: Search, safety: TermId) -> Finite {
        search.is_closed = true;
        let seed = search.seed;
        let sizes = Sizes::new(&search.oracle.system);
        Finite { search, safety, sizes, turn: INSTANCE, is_decided: false, seed }
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
            if !self.is_decided {
                match self.decide(observer, budget)? {
                    Finding::Violated(property, state) => return Ok(Verdict::Violated(property, state)),
                    Finding::Empty => {
                        self.sizes.grow_any();
                        continue;
                    }
                    Finding::Open => {
                        self.turn = self.turn.saturating_mul(2);
                        self.sizes.grow_any();
                        continue;
                    }
                    Finding::Safe => self.is_decided = true,
                }
            }
            match self.search.advance(observer, budget)? {
                Verdict::Stuck => {
                    self.grow();
                    self.is_decided = false;
                }
                verdict => return Ok(verdict),
            }
        }
    }

    /// Decides the instance, and proposes the clauses of its invariant.
    fn decide(&mut self, observer: &mut dyn Observer, budget: &mut Budget) -> Result<Finding, Failure> {
        let system = Arc::clone(&self.search.oracle.system);
        let options = finite::Options {
            targets: vec![("safety".to_owned(), self.safety)],
            ..finite::Options::default()
        };
        let sizes = self.sizes.current();
        let mut part = budget.part(self.turn);
        let instance = Instance::new(system, &sizes, &options, &mut part);
        budget.absorb(&part)?;
        let instance = match instance {
            Ok(instance) => instance,
            Err(Refusal::Exhausted(Exhausted::Work, _)) => return Ok(Finding::Open),
            Err(Refusal::Exhausted(exhausted, _)) => return Err(exhausted.into()),
            Err(Refusal::TooLarge(_)) => return Err(Failure::Exhausted(Exhausted::FormulaSize)),
            Err(refusal) => return Err(Failure::Internal(refusal.to_string())),
        };
        if instance.is_empty() {
            return Ok(Finding::Empty);
        }
        let mut part = budget.part(self.turn);
        let options = mc::Options { method: mc::Method::Reachability, seed: self.seed };
        let outcome = mc::check(instance.circuit(), 0, &options, &mut part);
        budget.absorb(&part)?;
        let Some((outcome, stats)) = outcome else {
            return Err(Failure::Internal("an instance has no property".to_owned()));
        };
        eprintln!("instance {:?}: {:?} work {}", self.sizes.current(), stats, part.spent());
        match outcome {
            mc::Outcome::Safe(proof) => {
                let patterns = self.generalized(&instance, &proof, budget)?;
                eprintln!("clauses {} patterns {}", proof.invariant.len(), patterns.len());
                for pattern in patterns {
                    self.propose(pattern, observer, budget)?;
                }
                Ok(Finding::Safe)
            }
            mc::Outcome::Unsafe(witness) => self.violated(&instance, &witness, observer, budget),
            mc::Outcome::Unknown { .. } => Ok(Finding::Open),
            mc::Outcome::Defect => Err(Failure::Internal("an execution of an instance is none".to_owned())),
        }
    }

    /// Returns the clauses of the invariant of the instance as clauses of the system.
    fn generalized(
        &self,
        instance: &Instance,
        proof: &mc::Proof,
        budget: &mut Budget,
    ) -> Result<Vec<Pattern>, Failure> {
        let generalizer = Generalizer::new(instance, &self.search.oracle.vocabulary);
        let mut patterns = Vec::new();
        for clause in &proof.invariant {
            budget.spend(clause.len() as u64)?;
            let atoms = instance.clause(clause);
            if let Some(pattern) = atoms.and_then(|atoms| generalizer.pattern(&atoms)) {
                if !patterns.contains(&pattern) {
                    patterns.push(pattern);
                }
            }
        }
        Ok(patterns)
    }

    /// Makes a clause a candidate, unless it is one or a known state refutes it.
    fn propose(
        &mut self,
        pattern: Pattern,
        observer: &mut dyn Observer,
        budget: &mut Budget,
    ) -> Result<(), Failure> {
        let is_same = |claim: &Claim| matches!(claim, Claim::Excludes(other) if *other == pattern);
        if self.search.lemmas.iter().any(|lemma| lemma.is_alive && is_same(&lemma.claim)) {
            return Ok(());
        }
        let claim = Claim::Excludes(pattern);
        if self.search.is_allowed(&claim, budget)? {
            let id = self.search.add(claim, None, false);
            self.search.proposed(id, None, observer);
        }
        Ok(())
    }

    /// Adds the states of an execution of the instance to the store.
    fn violated(
        &mut self,
        instance: &Instance,
        witness: &mc::Witness,
        observer: &mut dyn Observer,
        budget: &mut Budget,
    ) -> Result<Finding, Failure> {
        let path = instance.path(witness);
        let mut before = None;
        for step in 0..path.structure.states() {
            let found = self.search.oracle.found(&path.structure, step);
            let origin = match (before, step.checked_sub(1).and_then(|at| path.steps.get(at))) {
                (Some((parent, pre)), Some(step)) => {
                    let call = Call { transition: step.transition, args: step.args.clone() };
                    Origin::Step(Box::new(Step::whole(parent, pre, call)))
                }
                _ => Origin::Initial,
            };
            let (state, violated) = self.search.allow(found.clone(), origin, observer, budget)?;
            if let Some(property) = violated {
                return Ok(Finding::Violated(property, state));
            }
            before = Some((state, found));
        }
        Err(Failure::Internal("an execution of an instance violates no property".to_owned()))
    }

    /// Makes the instance larger, in the sort in which the last step that refuted safety has most elements beyond it.
    fn grow(&mut self) {
        let ctis = self.search.lemmas.iter().filter(|lemma| lemma.is_safety).flat_map(|lemma| &lemma.ctis);
        let wanted = ctis.flatten().map(|cti| cti.pre.state.sizes.clone()).last();
        eprintln!("stuck: wanted {wanted:?}");
        match wanted {
            Some(wanted) => self.sizes.grow(&wanted),
            None => self.sizes.grow_any(),
        }
    }
}
