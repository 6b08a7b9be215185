//! Finite instance first (Ma et al., I4, SOSP 2019).
//!
//! Property directed reachability decides a small instance of the system, whose invariant is a set of ground clauses.
//! Each of them becomes a universal clause: elements are variables, and what is fixed in the instance about the elements
//! of the clause is a condition (`orbit`). Houdini over these clauses proves safety of the system, or ends with a step
//! that shows in which sort the instance was too small (`sizes`). Then there is a larger instance.

mod classes;
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
use classes::Immutables;
use orbit::Generalizer;
use sizes::Sizes;

/// Work units for the first instance. Each instance that is not decided leaves twice as many for the next one.
const INSTANCE: u64 = 100_000_000;

/// Maximum number of classes of structures that are looked at one by one.
const CLASSES: usize = 4;

/// What has been asked about the instance of the current sizes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Stage {
    /// Nothing.
    New,
    /// It was decided, and the clauses of its invariant are lemmas.
    Whole,
    /// The same with each interpretation of immutable symbols on its own.
    Classes,
}

/// State of the search.
#[derive(Debug)]
pub(super) struct Finite {
    pub(super) search: Search,
    /// The conjunction of the properties.
    safety: TermId,
    sizes: Sizes,
    stage: Stage,
    /// The clauses of all instances so far. One that was no part of an inductive set may be part of a larger one.
    clauses: Vec<Pattern>,
    /// Work units for an instance.
    turn: u64,
    seed: u64,
}

/// What an instance says.
enum Finding {
    /// No structure of these sizes satisfies the axioms.
    Empty,
    /// It was not decided.
    Open,
    /// It is safe. The clauses of its invariant, as clauses of the system.
    Safe(Vec<Pattern>),
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
        Finite { search, safety, sizes, stage: Stage::New, clauses: Vec::new(), turn: INSTANCE, seed }
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
            if self.stage == Stage::New {
                match self.whole(observer, budget)? {
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
                    Finding::Safe(patterns) => {
                        self.add(patterns, observer, budget)?;
                        self.stage = Stage::Whole;
                    }
                }
            }
            match self.search.advance(observer, budget)? {
                Verdict::Stuck if self.stage == Stage::Whole => {
                    let patterns = self.by_class(observer, budget)?;
                    self.add(patterns, observer, budget)?;
                    self.stage = Stage::Classes;
                }
                Verdict::Stuck => {
                    self.grow();
                    self.stage = Stage::New;
                }
                verdict => return Ok(verdict),
            }
        }
    }

    /// Expands the system over the current sizes. `None` if that takes too long.
    fn instance(&self, options: finite::Options, budget: &mut Budget) -> Result<Option<Instance>, Failure> {
        let system = Arc::clone(&self.search.oracle.system);
        let targets = vec![("safety".to_owned(), self.safety)];
        let options = finite::Options { targets, ..options };
        let mut part = budget.part(self.turn);
        let instance = Instance::new(system, &self.sizes.current(), &options, &mut part);
        budget.absorb(&part)?;
        match instance {
            Ok(instance) => Ok(Some(instance)),
            Err(Refusal::Exhausted(Exhausted::Work, _)) => Ok(None),
            Err(Refusal::Exhausted(exhausted, _)) => Err(exhausted.into()),
            Err(Refusal::TooLarge(_)) => Err(Failure::Exhausted(Exhausted::FormulaSize)),
            Err(refusal) => Err(Failure::Internal(refusal.to_string())),
        }
    }

    /// Asks whether an instance is safe.
    fn check(&self, instance: &Instance, budget: &mut Budget) -> Result<mc::Outcome, Failure> {
        let mut part = budget.part(self.turn);
        let options = mc::Options { method: mc::Method::Reachability, seed: self.seed };
        let outcome = mc::check(instance.circuit(), 0, &options, &mut part);
        budget.absorb(&part)?;
        let Some((outcome, stats)) = outcome else {
            return Err(Failure::Internal("an instance has no property".to_owned()));
        };
        eprintln!("instance {:?}: {:?} work {}", self.sizes.current(), stats, part.spent());
        Ok(outcome)
    }

    /// Decides the instance, whatever the immutable symbols are.
    fn whole(&mut self, observer: &mut dyn Observer, budget: &mut Budget) -> Result<Finding, Failure> {
        let Some(instance) = self.instance(finite::Options::default(), budget)? else {
            return Ok(Finding::Open);
        };
        if instance.is_empty() {
            return Ok(Finding::Empty);
        }
        match self.check(&instance, budget)? {
            mc::Outcome::Safe(proof) => {
                let generalizer = Generalizer::new(&instance, &self.search.oracle.vocabulary);
                Ok(Finding::Safe(generalizer.patterns(&proof.invariant, budget)?))
            }
            mc::Outcome::Unsafe(witness) => self.violated(&instance, &witness, observer, budget),
            mc::Outcome::Unknown { .. } => Ok(Finding::Open),
            mc::Outcome::Defect => Err(Failure::Internal("an execution of an instance is none".to_owned())),
        }
    }

    /// Decides the instance for some interpretations of the immutable symbols, each on its own. Returns clauses about all
    /// elements that these symbols are about.
    fn by_class(&mut self, observer: &mut dyn Observer, budget: &mut Budget) -> Result<Vec<Pattern>, Failure> {
        let mut patterns = Vec::new();
        let Some(instance) = self.instance(finite::Options::default(), budget)? else { return Ok(patterns) };
        let plain = finite::Options { break_symmetry: false, ..finite::Options::default() };
        let Some(plain) = self.instance(plain, budget)? else { return Ok(patterns) };
        let immutables = (Immutables::new(&instance, self.seed), Immutables::new(&plain, self.seed));
        let (Some(mut broken), Some(mut plain)) = immutables else { return Ok(patterns) };
        if !broken.vary() {
            return Ok(patterns);
        }
        let sorts = broken.sorts();
        for fixed in broken.classes(CLASSES, budget)? {
            let options = finite::Options { fixed, ..finite::Options::default() };
            let Some(instance) = self.instance(options, budget)? else { continue };
            let mc::Outcome::Safe(proof) = self.check(&instance, budget)? else { continue };
            let generalizer = Generalizer::new(&instance, &self.search.oracle.vocabulary);
            let facts = plain.reduced(generalizer.facts().to_vec(), budget)?;
            let generalizer = generalizer.with_all(&sorts, facts);
            patterns.extend(generalizer.patterns(&proof.invariant, budget)?);
        }
        let _ = observer;
        Ok(patterns)
    }

    /// Makes all clauses candidates, those of earlier instances as well.
    fn add(
        &mut self,
        patterns: Vec<Pattern>,
        observer: &mut dyn Observer,
        budget: &mut Budget,
    ) -> Result<(), Failure> {
        eprintln!("patterns {}", patterns.len());
        for pattern in patterns {
            if !self.clauses.contains(&pattern) {
                self.clauses.push(pattern);
            }
        }
        for pattern in self.clauses.clone() {
            self.propose(pattern, observer, budget)?;
        }
        Ok(())
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
