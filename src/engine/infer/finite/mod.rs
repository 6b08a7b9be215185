//! Finite instance first (Ma et al., I4, SOSP 2019).
//!
//! Property directed reachability decides a small instance of the system, whose invariant is a set of ground clauses.
//! Each of them becomes a universal clause: elements are variables, and what is fixed in the instance about the elements
//! of the clause is a condition (`orbit`). Houdini over these clauses proves safety of the system, or ends with a step
//! from a state that shows what is missing: a condition (`classes`), or elements of a sort (`sizes`).

mod classes;
mod dependencies;
mod orbit;
mod running;
mod sizes;

use std::collections::VecDeque;
use std::sync::Arc;

use super::claim::Claim;
use super::directed::Directed;
use super::engine::{Engine, Goal};
use super::outcome::{Event, InstanceAnswer, Observer, Reason};
use super::search::{Search, Verdict, Violation};
use super::state::Pattern;
use crate::query::Call;
use classes::{Class, Immutables};
use orbit::Generalizer;
use ramsey_circuit::finite::{self, Atom, Instance, Refusal};
use ramsey_circuit::hwmc;
use ramsey_core::base::budget::{Budget, Exhausted};
use ramsey_core::base::hash::Set;
use ramsey_core::logic::TermId;
use ramsey_core::system::System;
use ramsey_solver::ask::Failure;
use running::Running;
use sizes::Sizes;

/// Work units for the first instance. Each instance that is not decided leaves twice as many for the next one.
const INSTANCE: u64 = 100_000_000;

/// Work units for an instance beyond which it is decided a second time with another seed, before there is a larger one:
/// that has another invariant, and a larger instance takes many times as long.
const EXPENSIVE: u64 = 5_000_000;

/// Maximum number of classes of structures that are looked at one by one.
const CLASSES: usize = 4;

/// What has been asked about the instance of the current sizes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Stage {
    /// Nothing.
    New,
    /// It was decided, and the clauses of its invariant are lemmas.
    Whole,
    /// It was not decided, or its clauses do not suffice; it remains to fix the immutable symbols.
    Open,
    /// It was decided with interpretations of the immutable symbols, each on its own.
    Classes,
}

/// State of the search.
#[derive(Debug)]
pub(super) struct Finite {
    /// Houdini over the clauses of instances.
    directed: Directed,
    system: Arc<System>,
    /// The conjunction of the properties.
    safety: TermId,
    sizes: Sizes,
    stage: Stage,
    /// The clauses of all instances so far. One that was no part of an inductive set may be part of a larger one.
    clauses: Vec<Pattern>,
    /// Work units for an instance.
    turn: u64,
    /// How often the instance of the current sizes was decided.
    tries: u64,
    /// Work units that the last instance took.
    cost: u64,
    /// The instance that was interrupted when the last turn was over.
    running: Option<Running>,
    /// The interpretations of immutable symbols that are still to be looked at.
    classes: Option<Classes>,
    /// Whether initial states were asked for.
    is_started: bool,
    seed: u64,
}

/// Interpretations of the immutable symbols that are looked at one by one.
#[derive(Debug)]
struct Classes {
    open: VecDeque<(usize, Class)>,
    /// Clauses of the system found so far.
    patterns: Vec<Pattern>,
}

/// What an instance says.
enum Finding {
    /// No structure of these sizes satisfies the axioms.
    Empty,
    /// It was not decided.
    Open,
    /// It is safe, or nothing is known against it. The clauses of its invariant, as clauses of the system.
    Safe(Vec<Pattern>),
    /// A property is false in a reachable state.
    Violated(Violation),
}

impl Engine for Finite {
    fn search(&mut self) -> &mut Search {
        self.directed.search()
    }

    fn advance(&mut self, observer: &mut dyn Observer, budget: &mut Budget) -> Result<Verdict, Failure> {
        if !self.is_started {
            self.without_states(observer, budget)?;
            self.is_started = true;
        }
        loop {
            let finding = match self.stage {
                Stage::New => Some(self.whole(observer, budget)?),
                Stage::Open => Some(self.by_class(observer, budget)?),
                Stage::Whole | Stage::Classes => None,
            };
            match finding {
                Some(Finding::Violated(violation)) => return Ok(violation.into()),
                Some(Finding::Empty) => {
                    // No state satisfies a claim that is false.
                    let never = Claim::Excludes(Pattern { sorts: Vec::new(), literals: Vec::new() });
                    let initial = self.search().prover.initiation(&never, budget)?;
                    let least = initial.as_ref().map(|found| found.state.sizes.as_slice());
                    if !self.sizes.leave_empty(least) {
                        return Ok(Verdict::Stuck(Reason::NoSubset));
                    }
                    continue;
                }
                Some(Finding::Open) if self.stage == Stage::Open => self.stage = Stage::Classes,
                Some(Finding::Open) => {
                    self.turn = self.turn.saturating_mul(2);
                    self.stage = Stage::Open;
                    continue;
                }
                Some(Finding::Safe(patterns)) => {
                    self.add(patterns, observer, budget)?;
                    self.stage = if self.stage == Stage::New { Stage::Whole } else { Stage::Classes };
                }
                None => {}
            }
            match self.directed.advance(observer, budget)? {
                Verdict::Stuck(_) if self.outgrown(observer) => {}
                verdict => return Ok(verdict),
            }
        }
    }
}

impl Finite {
    /// Starts a search. Lemmas that are given are candidates.
    pub(super) fn begin(goal: &Goal<'_>) -> Box<dyn Engine> {
        let mut search = goal.search();
        // The clauses of an instance are true in all states that random executions of its sizes reach.
        search.stop_sampling();
        Box::new(Finite {
            directed: Directed::closed(search),
            system: Arc::clone(goal.system),
            safety: goal.safety,
            sizes: Sizes::new(goal.system),
            stage: Stage::New,
            clauses: Vec::new(),
            turn: INSTANCE,
            tries: 0,
            cost: 0,
            running: None,
            classes: None,
            is_started: false,
            seed: goal.options.seed,
        })
    }

    /// Decides what to ask next, after a step that refutes safety. If its first state has no more elements than the
    /// instance, clauses that say more of the immutable symbols may exclude it. Otherwise the instance is too small.
    /// Returns whether there is anything left to ask.
    fn outgrown(&mut self, observer: &mut dyn Observer) -> bool {
        let search = self.directed.search();
        let open = search.lemmas.open();
        let cti = open.first().and_then(|&(id, transition)| search.lemmas[id].cti(transition?));
        let wanted = cti.map(|cti| cti.pre.state.sizes.clone());
        let kept = search.lemmas.iter().filter(|lemma| lemma.is_lemma()).count();
        if let Some((goal, Some(transition))) = open.first().copied() {
            search.tell(observer, &Event::Outgrown { kept, goal, transition });
        }
        let fits = wanted.as_ref().is_some_and(|wanted| self.sizes.contain(wanted));
        if fits && self.stage == Stage::Whole {
            self.stage = Stage::Open;
            return true;
        }
        self.stage = Stage::New;
        self.tries += 1;
        if self.tries == 1 && self.cost > EXPENSIVE {
            return true;
        }
        self.tries = 0;
        self.sizes.grow(&wanted.unwrap_or_default())
    }

    /// Makes the clause that no state satisfies a lemma if there is no initial state.
    fn without_states(&mut self, observer: &mut dyn Observer, budget: &mut Budget) -> Result<(), Failure> {
        let never = Claim::Excludes(Pattern { sorts: Vec::new(), literals: Vec::new() });
        let search = self.search();
        if search.prover.initiation(&never, budget)?.is_none() {
            search.propose(never, observer);
        }
        Ok(())
    }

    /// Expands the system over the current sizes. `None` if that takes too long.
    fn instance(&self, options: finite::Options, budget: &mut Budget) -> Result<Option<Instance>, Failure> {
        let system = Arc::clone(&self.system);
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

    /// Starts to decide an instance.
    fn start(&mut self, instance: Instance) -> Result<Running, Failure> {
        let seed = self.seed.wrapping_add(self.tries << 32);
        let running = Running::new(instance, seed);
        running.ok_or_else(|| Failure::Internal("an instance has no property".to_owned()))
    }

    /// Goes on with an instance, and keeps it if the budget runs out. `class` is the number of the interpretation of its
    /// immutable symbols, if they are fixed.
    fn decide(
        &mut self,
        mut running: Running,
        class: Option<usize>,
        observer: &mut dyn Observer,
        budget: &mut Budget,
    ) -> Result<Finding, Failure> {
        let result = self.outcome(&mut running, class, observer, budget);
        if matches!(result, Err(Failure::Exhausted(_))) && running.is_small() {
            self.running = Some(running);
        }
        result
    }

    fn outcome(
        &mut self,
        running: &mut Running,
        class: Option<usize>,
        observer: &mut dyn Observer,
        budget: &mut Budget,
    ) -> Result<Finding, Failure> {
        let sizes = running.instance.sizes().clone();
        let mut tell = |search: &mut Search, answer: InstanceAnswer| {
            search.counts.instances += 1;
            search.tell(observer, &Event::Instance { sizes: sizes.clone(), class, answer });
        };
        let outcome = match running.invariant.take() {
            Some(invariant) => Some(hwmc::Outcome::Safe(hwmc::Proof { invariant, induction: 0 })),
            None => running.advance(self.turn, budget)?,
        };
        self.cost = running.spent;
        match outcome {
            Some(hwmc::Outcome::Safe(proof)) => {
                let clauses = proof.invariant.len();
                let patterns = self.lifted(&running.instance, &proof.invariant, class, budget);
                if patterns.is_err() {
                    running.invariant = Some(proof.invariant);
                }
                let patterns = patterns?;
                tell(self.search(), InstanceAnswer::Safe { clauses, candidates: patterns.len() });
                Ok(Finding::Safe(patterns))
            }
            Some(hwmc::Outcome::Unsafe(witness)) => {
                tell(self.search(), InstanceAnswer::Unsafe);
                self.violated(&running.instance, &witness, observer, budget)
            }
            Some(hwmc::Outcome::Unknown { .. }) | None => {
                tell(self.search(), InstanceAnswer::Open);
                Ok(Finding::Open)
            }
            Some(hwmc::Outcome::Defect) => {
                Err(Failure::Internal("an execution of an instance is none".to_owned()))
            }
        }
    }

    /// Returns the clauses of the system for those of the invariant of an instance: each under the conditions that its proof
    /// needs, and under all those that are about its elements.
    fn lifted(
        &mut self,
        instance: &Instance,
        invariant: &[hwmc::Clause],
        class: Option<usize>,
        budget: &mut Budget,
    ) -> Result<Vec<Pattern>, Failure> {
        let generalizer = Generalizer::new(instance, self.directed.search().prover.vocabulary());
        let plain = finite::Options { break_symmetry: false, ..finite::Options::default() };
        let Some(plain) = self.instance(plain, budget)? else {
            return Ok(generalizer.patterns(invariant, budget)?);
        };
        let facts = generalizer.conditions();
        let mut patterns = Vec::new();
        if let Some(needs) = dependencies::needs(&plain, instance, &facts, invariant, self.seed, budget)? {
            for (clause, needed) in invariant.iter().zip(&needs) {
                let facts: Vec<(Atom, bool)> =
                    needed.iter().filter_map(|&fact| facts.get(fact).cloned()).collect();
                patterns.extend(generalizer.patterns_with(clause, &facts, budget)?);
            }
        }
        let generalizer = match class {
            None => generalizer,
            Some(_) => {
                let Some(mut plain) = Immutables::new(&plain, self.seed) else { return Ok(patterns) };
                let facts = plain.reduced(generalizer.facts().to_vec(), budget)?;
                generalizer.with_all(&plain.sorts(), facts)
            }
        };
        patterns.extend(generalizer.patterns(invariant, budget)?);
        let mut seen = Set::default();
        patterns.retain(|pattern| seen.insert(pattern.clone()));
        Ok(patterns)
    }

    /// Decides the instance, whatever the immutable symbols are.
    fn whole(&mut self, observer: &mut dyn Observer, budget: &mut Budget) -> Result<Finding, Failure> {
        let running = match self.running.take() {
            Some(running) => running,
            None => {
                let Some(instance) = self.instance(finite::Options::default(), budget)? else {
                    return Ok(Finding::Open);
                };
                if instance.is_empty() {
                    let answer = InstanceAnswer::Empty;
                    let empty = Event::Instance { sizes: instance.sizes().clone(), class: None, answer };
                    self.search().tell(observer, &empty);
                    return Ok(Finding::Empty);
                }
                self.sizes.is_inhabited();
                self.start(instance)?
            }
        };
        self.decide(running, None, observer, budget)
    }

    /// Decides the instance for some interpretations of the immutable symbols, each on its own. Returns clauses about all
    /// elements that these symbols are about.
    fn by_class(&mut self, observer: &mut dyn Observer, budget: &mut Budget) -> Result<Finding, Failure> {
        let mut classes = match self.classes.take() {
            Some(classes) => classes,
            None => Classes { open: self.representatives(budget)?, patterns: Vec::new() },
        };
        while let Some((class, fixed)) = classes.open.front().cloned() {
            match self.by_one(class, fixed, observer, budget) {
                Ok(Finding::Safe(patterns)) => classes.patterns.extend(patterns),
                Ok(Finding::Violated(violation)) => return Ok(Finding::Violated(violation)),
                Ok(Finding::Empty | Finding::Open) => {}
                Err(failure) => {
                    self.classes = Some(classes);
                    return Err(failure);
                }
            }
            classes.open.pop_front();
        }
        Ok(Finding::Safe(classes.patterns))
    }

    /// Decides the instance for one interpretation of the immutable symbols.
    fn by_one(
        &mut self,
        class: usize,
        fixed: Class,
        observer: &mut dyn Observer,
        budget: &mut Budget,
    ) -> Result<Finding, Failure> {
        let running = match self.running.take() {
            Some(running) => running,
            None => {
                let options = finite::Options { fixed, ..finite::Options::default() };
                let Some(instance) = self.instance(options, budget)? else { return Ok(Finding::Open) };
                self.start(instance)?
            }
        };
        self.decide(running, Some(class), observer, budget)
    }

    /// Returns some interpretations of the immutable symbols, no two of which are isomorphic.
    fn representatives(&self, budget: &mut Budget) -> Result<VecDeque<(usize, Class)>, Failure> {
        let Some(instance) = self.instance(finite::Options::default(), budget)? else {
            return Ok(VecDeque::new());
        };
        let plain = finite::Options { break_symmetry: false, ..finite::Options::default() };
        let Some(plain) = self.instance(plain, budget)? else { return Ok(VecDeque::new()) };
        let is_varied = Immutables::new(&plain, self.seed).is_some_and(|it| it.vary());
        match Immutables::new(&instance, self.seed) {
            Some(mut broken) if is_varied => {
                Ok(broken.classes(CLASSES, budget)?.into_iter().enumerate().collect())
            }
            _ => Ok(VecDeque::new()),
        }
    }

    /// Makes all clauses candidates, those of earlier instances as well.
    fn add(
        &mut self,
        patterns: Vec<Pattern>,
        observer: &mut dyn Observer,
        budget: &mut Budget,
    ) -> Result<(), Failure> {
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
        let search = self.search();
        if search.lemmas.clause(&pattern).is_some() {
            return Ok(());
        }
        let claim = Claim::Excludes(pattern);
        if search.states.satisfy(&claim, budget)? {
            search.propose(claim, observer);
        }
        Ok(())
    }

    /// Adds the states of an execution of the instance to the store.
    fn violated(
        &mut self,
        instance: &Instance,
        witness: &hwmc::Witness,
        observer: &mut dyn Observer,
        budget: &mut Budget,
    ) -> Result<Finding, Failure> {
        let path = instance.path(witness);
        let calls: Vec<Call> = path.steps.into_iter().map(Call::from).collect();
        let violation = self.search().allow_execution(&path.structure, &calls, 0, observer, budget)?;
        violation
            .map(Finding::Violated)
            .ok_or_else(|| Failure::Internal("an execution of an instance violates no property".to_owned()))
    }
}
