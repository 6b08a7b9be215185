//! Bounded model checking: which executions of at most so many steps end in a state that violates a property.
//!
//! k-invariance as in section 4.1 of the Ivy paper (PLDI 2016), equation (3), for k = 0, 1, 2, ..: each length is asked on top of
//! the shorter ones, so the first counterexample has as few steps as possible.

use std::sync::Arc;

use super::outcome::{Counterexample, Statistics};
use super::search::{Failure, Meter};
use super::unroll::{Execution, Start, Unrolling, holds};
use super::verify::{Limits, breach};
use crate::base::budget::{Budget, Exhausted};
use crate::base::hash::Map;
use crate::epr::{Answer, Clock, Solver};
use crate::logic::{Evaluator, TermId};
use crate::system::{Site, System};

/// A claim about every reachable state.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Property {
    /// The invariant with this index.
    Invariant(usize),
    /// The assertion with this index.
    Assertion(usize),
    /// A closed formula of the system's arena, over step 0.
    Formula(TermId),
}

impl Property {
    /// The formula that is claimed.
    pub fn formula(self, system: &System) -> TermId {
        match self {
            Property::Invariant(index) => system.invariants[index].formula,
            Property::Assertion(index) => system.assertions[index].formula,
            Property::Formula(formula) => formula,
        }
    }

    /// Whether it is an assertion about what leads to the initial states.
    pub fn is_before_init(self, system: &System) -> bool {
        matches!(self, Property::Assertion(index) if system.assertions[index].site == Site::Init)
    }
}

/// What is claimed of a system where nothing else is asked for: its safety properties and all assertions.
pub fn safety(system: &System) -> Vec<Property> {
    let invariants = system.invariants.iter().enumerate().filter(|(_, it)| it.is_safety);
    let invariants = invariants.map(|(index, _)| Property::Invariant(index));
    invariants.chain((0..system.assertions.len()).map(Property::Assertion)).collect()
}

/// What to check, and how.
#[derive(Clone, Debug)]
pub struct Options {
    /// At least one for an answer that says something.
    pub properties: Vec<Property>,
    /// Steps of the longest executions to look at.
    pub depth: u16,
    /// Make counterexamples small.
    pub minimize: bool,
    /// Seed of the search.
    pub seed: u64,
    /// Measures time by this clock; without it times are 0.
    pub clock: Option<Clock>,
}

/// The answer for executions of one length.
#[derive(Clone, Debug)]
pub enum Outcome {
    /// None of them ends in a violation.
    Holds,
    /// This one does.
    Violated(Box<Violation>),
    /// A budget ran out.
    Unknown(Exhausted),
    /// The tool contradicted itself.
    InternalError(String),
}

/// An execution that violates a property. Evaluated, not believed.
#[derive(Clone, Debug)]
pub struct Violation {
    /// What its last state violates, the first if there are several.
    pub property: Property,
    /// The execution, over the system's signature.
    pub counterexample: Counterexample,
}

/// The answer for one length with its cost.
#[derive(Clone, Debug)]
pub struct Depth {
    /// How many steps the executions have; `None` for what comes before the initial states.
    pub steps: Option<u16>,
    /// The answer.
    pub outcome: Outcome,
    /// What it cost.
    pub statistics: Statistics,
}

/// Bounded model checking that is under way: an iterator in spirit, length by length.
#[derive(Clone, Debug)]
pub struct Bmc {
    options: Options,
    /// Claims of every state.
    properties: Vec<Property>,
    /// Claims about what leads to the initial states.
    before: Vec<Property>,
    unrolling: Unrolling,
    /// The next length.
    next: Option<u16>,
    done: bool,
}

impl Bmc {
    /// Prepares the check of `system`.
    pub fn new(system: Arc<System>, options: Options) -> Bmc {
        let (before, properties) =
            options.properties.iter().partition(|property| property.is_before_init(&system));
        let unrolling = Unrolling::new(system, Start::Initial, options.seed, options.clock);
        Bmc { options, properties, before, unrolling, next: None, done: false }
    }

    /// Answers for the next length, within limits of its own. `None` after the last one, and after an answer other than
    /// [`Outcome::Holds`].
    pub fn advance(&mut self, limits: &Limits) -> Option<Depth> {
        if self.next.is_none() && self.before.is_empty() {
            self.next = Some(0);
        }
        if self.done || self.next.is_some_and(|next| next > self.options.depth) {
            return None;
        }
        let meter = Meter::start(self.unrolling.solver(), self.options.clock);
        let mut budget = limits.budget();
        let (answer, statistics) = match self.next {
            None => {
                let system = Arc::clone(self.unrolling.system());
                let mut solver = Solver::new(system.sig.clone(), system.terms.clone(), self.options.seed);
                solver.set_clock(self.options.clock);
                let meter = Meter::start(&solver, self.options.clock);
                let answer = self.before_init(&system, &mut solver, &mut budget);
                (answer, meter.read(&solver, budget.spent()))
            }
            Some(steps) => {
                while self.unrolling.depth() < steps {
                    self.unrolling.extend();
                }
                let answer = self.at_depth(&mut budget);
                (answer, meter.read(self.unrolling.solver(), budget.spent()))
            }
        };
        let outcome = match answer {
            Ok(None) => Outcome::Holds,
            Ok(Some(violation)) => Outcome::Violated(Box::new(violation)),
            Err(Failure::Exhausted(exhausted)) => Outcome::Unknown(exhausted),
            Err(Failure::Internal(what)) => Outcome::InternalError(what),
        };
        self.done = !matches!(outcome, Outcome::Holds);
        let steps = self.next;
        self.next = Some(steps.map_or(0, |steps| steps + 1));
        Some(Depth { steps, outcome, statistics })
    }

    /// Looks for an execution of the unrolling's depth whose last state violates a property.
    fn at_depth(&mut self, budget: &mut Budget) -> Result<Option<Violation>, Failure> {
        budget.check()?;
        let system = Arc::clone(self.unrolling.system());
        let depth = self.unrolling.depth();
        let claims: Vec<TermId> = self.properties.iter().map(|it| it.formula(&system)).collect();
        let claims: Vec<TermId> = claims.into_iter().map(|claim| self.unrolling.at(claim, depth)).collect();
        let solver = self.unrolling.solver_mut();
        solver.open_goal();
        let claim = solver.terms_mut().and(&claims);
        let negated = solver.terms_mut().not(claim);
        solver.assert(negated);
        if solver.check(&[], budget)? == Answer::Unsat {
            return Ok(None);
        }
        let execution = self.unrolling.execution(self.options.minimize, &mut |_, _, _| true, budget)?;
        violation(&system, &self.properties, execution, budget).map(Some)
    }

    /// Looks for a structure in which something goes wrong on the way to the initial states.
    fn before_init(
        &self,
        system: &System,
        solver: &mut Solver,
        budget: &mut Budget,
    ) -> Result<Option<Violation>, Failure> {
        budget.check()?;
        for axiom in &system.axioms {
            solver.assert(axiom.formula);
        }
        solver.open_goal();
        let claims: Vec<TermId> = self.before.iter().map(|it| it.formula(system)).collect();
        let claim = solver.terms_mut().and(&claims);
        let negated = solver.terms_mut().not(claim);
        solver.assert(negated);
        if solver.check(&[], budget)? == Answer::Unsat {
            return Ok(None);
        }
        let structure = if self.options.minimize {
            solver.minimize(&[], &super::unroll::measures(&system.sig, 1), 1, budget)
        } else {
            solver.structure(1)
        };
        for axiom in &system.axioms {
            if !holds(&system.sig, &system.terms, &structure, &Map::default(), axiom.formula, budget)? {
                return Err(Failure::Internal("a model does not satisfy an axiom".into()));
            }
        }
        let execution = Execution { structure, calls: Vec::new() };
        violation(system, &self.before, execution, budget).map(Some)
    }
}

/// The first of the properties that the last state violates.
fn violation(
    system: &System,
    properties: &[Property],
    execution: Execution,
    budget: &mut Budget,
) -> Result<Violation, Failure> {
    let Execution { structure, calls } = execution;
    let last = structure.state(&system.sig, calls.len());
    for &property in properties {
        let formula = property.formula(system);
        if !holds(&system.sig, &system.terms, &last, &Map::default(), formula, budget)? {
            let breach = breach(&mut Evaluator::new(&system.sig, &system.terms, &last), formula);
            let counterexample = Counterexample { structure, calls, breach };
            return Ok(Violation { property, counterexample });
        }
    }
    Err(Failure::Internal("an execution satisfies the property that it is to violate".into()))
}
