//! Generalization of a state conjectured to be unreachable (Ivy, PLDI 2016, section 4.5): a smallest partial structure
//! that no state reached within a bounded number of steps contains.
//!
//! The facts of the upper bound are literals over constants that stand for the elements, and each has a label. For
//! every number of steps up to the bound there is a solver with the executions of that length and the literals
//! evaluated in the last state; a set of labels is excluded if it is excluded at every length. The facts of a first
//! core are then dropped one by one while the others suffice. The solvers are kept between these questions.
//!
//! Such a conjecture may be false of states that take more steps to reach. Deepening looks for these, one number of
//! steps after the other, and takes as few of the dropped facts back as exclude them. It asks far fewer questions about
//! long executions than a generalization within their length.

mod induction;
mod run;
mod shared;

use std::sync::Arc;

use super::dead_variables::dead_variables;
use super::fragment::Cycle;
use super::outcome::Counterexample;
use super::unroll::{Start, Unrolling};
use super::verify::Limits;
use ramsey_core::base::budget::Exhausted;
use ramsey_core::logic::{Structure, TermId};
use ramsey_core::system::System;
use ramsey_solver::ask::{Failure, blame, evaluation_budget, judge};
use ramsey_solver::epr::Clock;
use ramsey_solver::formulas::{Fact, Partial};
use run::{Run, Verdict};

pub use induction::{InductionCheck, check_induction, false_after_step};
pub use shared::Generalizer;

/// Options of a generalization.
#[derive(Clone, Debug, Default)]
pub struct Options {
    /// The number of steps within which the states must not be reachable.
    pub bound: u16,
    /// The number of steps up to which the conjecture is checked then, and weakened where it is false. At most `bound`
    /// for no such check.
    pub deepen: u16,
    /// States, over the system's signature, in which the conjecture has to hold as well. Only the first state of each
    /// structure counts.
    pub reached: Vec<Structure>,
    /// Seed of the search.
    pub seed: u64,
    /// Clock for time measurements.
    pub clock: Option<Clock>,
}

/// Conjecture that holds in all states reached within the bound.
#[derive(Clone, Debug)]
pub struct Conjecture {
    /// The partial structure that it excludes.
    pub partial: Partial,
    /// The formula, over step 0, in the terms of `system`.
    pub formula: TermId,
    /// The number of steps within which it holds.
    pub bound: u16,
    /// Those of the facts that were dropped at first and taken back, each with the number of steps after which a state
    /// without it is reached.
    pub taken_back: Vec<(u16, Fact)>,
    /// Whether no fact of the partial structure can be dropped, except those that must be kept; `false` if a budget
    /// ran out during the search.
    pub is_minimal: bool,
    /// The first budget that ran out.
    pub exhausted: Option<Exhausted>,
    /// The system with the formula among its terms.
    pub system: Arc<System>,
}

/// Result of generalizing an upper bound.
#[derive(Clone, Debug)]
pub enum Generalization {
    /// The generalized conjecture.
    Conjecture(Box<Conjecture>),
    /// A state with these facts is reachable. The structure is over the signature of the accompanying system; the
    /// falsification refers to its terms.
    Reachable(Box<Counterexample>, Arc<System>),
    /// The state with this index in [`Options::reached`] has these facts.
    Known(usize),
    /// A budget ran out first.
    Unknown(Exhausted),
    /// Internal inconsistency of the tool.
    InternalError(String),
}

/// Stage of a generalization, for progress reports.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Stage {
    /// Checks whether a state with all facts is reached in this number of steps.
    Unrolling(u16),
    /// Checks whether a state with the facts that are left is reached in this number of steps, and takes facts back.
    Deepening(u16),
    /// Drops facts.
    Shrinking {
        /// Number of facts left.
        kept: usize,
        /// Number of facts and elements tried so far.
        tried: usize,
        /// Number of facts and elements to try in total.
        all: usize,
    },
}

/// Generalizes `upper`, a partial structure over the system's signature, and calls `begins` with each stage. The facts
/// at the indices `kept` stay, even if they are not needed.
pub fn generalize(
    system: &System,
    upper: &Partial,
    kept: &[usize],
    options: &Options,
    limits: &Limits,
    begins: &mut dyn FnMut(Stage),
) -> Generalization {
    begins(Stage::Unrolling(options.bound));
    let mut run = match Run::new(system, upper, options, limits) {
        Ok(run) => run,
        Err(failure) => return failed(failure),
    };
    let all: Vec<usize> = (0..upper.facts.len()).collect();
    let core = match run.excludes(&all, limits) {
        Ok(Verdict::Excluded(core)) => core,
        Ok(Verdict::Known(index)) => return Generalization::Known(index),
        Ok(Verdict::Reached(depth)) => {
            let found = reachable_execution(system, upper, depth, options, limits);
            return found.map_or_else(failed, |(found, system)| Generalization::Reachable(found, system));
        }
        Err(exhausted) => return failed(exhausted.into()),
    };
    let (mut facts, mut exhausted) = run.shrink(upper, core, kept, limits, begins);
    let mut bound = options.bound;
    let mut taken_back = Vec::new();
    while bound < options.deepen {
        begins(Stage::Deepening(bound + 1));
        match run.deepen(&mut facts, upper.facts.len(), limits) {
            Ok(None) => {
                let found = reachable_execution(system, upper, bound + 1, options, limits);
                return found.map_or_else(failed, |(found, system)| Generalization::Reachable(found, system));
            }
            Ok(Some(more)) => taken_back.extend(more.into_iter().map(|fact| (bound + 1, fact))),
            Err(reason) => {
                exhausted = exhausted.or(Some(reason));
                break;
            }
        }
        bound += 1;
    }
    if !taken_back.is_empty() {
        // With these, others may no longer be needed.
        for fact in facts.clone() {
            if kept.contains(&fact) {
                continue;
            }
            match run.drop(&facts, fact, bound, limits) {
                Ok(rest) => facts = rest,
                Err(reason) => exhausted = exhausted.or(Some(reason)),
            }
        }
        taken_back.retain(|(_, fact)| facts.contains(fact));
    }
    let partial = Partial { facts: facts.into_iter().map(|index| upper.facts[index].clone()).collect() };
    let (system, formula) = conjecture(system, &partial);
    let taken_back = taken_back.into_iter().map(|(steps, fact)| (steps, upper.facts[fact].clone())).collect();
    Generalization::Conjecture(Box::new(Conjecture {
        partial,
        formula,
        bound,
        taken_back,
        is_minimal: exhausted.is_none(),
        exhausted,
        system: Arc::new(system),
    }))
}

/// Returns the system with the conjecture of a partial structure among its terms, and that formula.
pub fn conjecture(system: &System, partial: &Partial) -> (System, TermId) {
    let mut system = system.clone();
    let formula = partial.conjecture(system.syntax_mut());
    (system, formula)
}

fn failed(failure: Failure) -> Generalization {
    match failure {
        Failure::Exhausted(exhausted) => Generalization::Unknown(exhausted),
        Failure::Internal(what) | Failure::Misuse(what) => Generalization::InternalError(what),
    }
}

/// Returns the cycles that take questions about initial states, and about later states within the bound, out of
/// stratified EPR. `facts` are quantifier-free, or a conjecture.
fn cycles(unrolling: &Unrolling, facts: &[TermId], bound: u16) -> [Option<Cycle>; 2] {
    let claims: Vec<(TermId, bool)> = facts.iter().map(|&fact| (fact, false)).collect();
    let all: Vec<usize> = (0..unrolling.system().transitions.len()).collect();
    let later = if bound == 0 { None } else { unrolling.cycle(&all, &claims) };
    [unrolling.cycle(&[], &claims), later]
}

/// Returns a cycle that takes questions about states with these facts out of stratified EPR, if there is one, with the
/// smallest number of steps that it affects.
pub fn cycle(system: &System, upper: &Partial, bound: u16) -> Option<(u16, Cycle)> {
    let (system, formula) = conjecture(system, upper);
    let unrolling = Unrolling::new(Arc::new(system), Start::Initial, 0, None);
    let cycles = cycles(&unrolling, &[formula], bound);
    (0..).zip(cycles).find_map(|(steps, cycle)| Some((steps, cycle?)))
}

/// Returns a shortest execution to a state with all facts; an execution with `depth` steps is known to exist.
fn reachable_execution(
    system: &System,
    upper: &Partial,
    depth: u16,
    options: &Options,
    limits: &Limits,
) -> Result<(Box<Counterexample>, Arc<System>), Failure> {
    let (system, formula) = conjecture(system, upper);
    let system = Arc::new(system);
    let mut unrolling = Unrolling::new(Arc::clone(&system), Start::Initial, options.seed, options.clock);
    let [initial, later] = cycles(&unrolling, &[formula], depth);
    let mut budget = limits.budget_of(if depth == 0 { initial.is_some() } else { later.is_some() });
    for _ in 0..depth {
        unrolling.extend(&mut budget);
    }
    let claim = unrolling.at(formula, depth);
    let context = unrolling.context_mut();
    let negated = context.terms_mut().not(claim);
    context.pose(&[negated], &mut budget);
    if !context.search(&[], &mut budget)? {
        return Err(Failure::Internal("two searches disagree about an execution".into()));
    }
    let execution = unrolling.execution(true, &mut |_, _, _| true, &mut budget)?;
    let last = execution.structure.state(&system.sig, depth.into());
    judge(system.syntax(), &last, [], formula, &mut evaluation_budget(&budget), |_| String::new())?;
    let falsification = blame(system.syntax(), &last, formula, &budget);
    let found = Counterexample { structure: execution.structure, calls: execution.calls, falsification };
    Ok((Box::new(found), system))
}

/// Checks whether a partial structure has all facts of a state, but those about variables that nothing reads.
pub fn is_whole(system: &System, partial: &Partial, structure: &Structure, step: usize) -> bool {
    let dead = dead_variables(system);
    Partial::of_state(&system.sig, structure, step).is_ok_and(|all| {
        let is_said = |fact: &Fact| {
            fact.symbol().is_some_and(|sym| dead.contains(&sym)) || partial.facts.contains(fact)
        };
        all.without_implied().facts.iter().all(is_said)
    })
}
