//! Trace queries: search for an execution of a given shape.

use std::fmt;
use std::sync::Arc;

use super::bmc::proofs;
use super::fragment::Cycle;
use super::unroll::Call;
use super::unroll::{Execution, Start, Unrolling};
use super::verify::Limits;
use crate::elaborate::Certificate;
use ramsey_core::base::budget::{Budget, Exhausted};
use ramsey_core::base::hash::Map;
use ramsey_core::logic::{Evaluator, Structure, TermId};
use ramsey_core::system::{System, TraceCall, TraceStep};
use ramsey_kernel::obligations::{GroupKind, Obligations, Origin, Question};
use ramsey_solver::ask::{Failure, Meter, Statistics, holds};
use ramsey_solver::epr::Clock;
use ramsey_solver::telemetry::{QUERY, event};

/// Options of the answers.
#[derive(Clone, Debug)]
pub struct Options {
    /// Minimize executions.
    pub minimize: bool,
    /// Make a certificate of each answer.
    pub certify: bool,
    /// Seed of the search.
    pub seed: u64,
    /// Clock for time measurements; without it times are 0.
    pub clock: Option<Clock>,
}

/// Answer to a trace query.
#[derive(Clone, Debug)]
pub enum Outcome {
    /// There is such an execution, over the system's signature and confirmed by evaluation.
    Sat(Box<Execution>),
    /// There is no such execution.
    Unsat,
    /// A budget ran out.
    Unknown(Exhausted),
    /// Internal inconsistency of the tool.
    InternalError(String),
}

impl fmt::Display for Outcome {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Outcome::Sat(_) => f.write_str("sat"),
            Outcome::Unsat => f.write_str("unsat"),
            Outcome::Unknown(exhausted) => write!(f, "unknown ({exhausted})"),
            Outcome::InternalError(what) => write!(f, "internal error: {what}"),
        }
    }
}

impl From<Failure> for Outcome {
    fn from(failure: Failure) -> Outcome {
        match failure {
            Failure::Exhausted(exhausted) => Outcome::Unknown(exhausted),
            Failure::Internal(what) | Failure::Misuse(what) => Outcome::InternalError(what),
        }
    }
}

/// A trace query with its answer.
#[derive(Clone, Debug)]
pub struct TraceResult {
    /// Index into [`System::traces`].
    pub trace: usize,
    /// The answer.
    pub outcome: Outcome,
    /// Certificate of the answer, if requested.
    pub certificate: Option<Certificate>,
    /// Cost of the answer.
    pub statistics: Statistics,
}

impl TraceResult {
    /// Returns whether the answer is the one that the model expects; `None` if there is no answer.
    pub fn is_expected(&self, system: &System) -> Option<bool> {
        let expect_sat = system.traces[self.trace].expect_sat;
        match &self.outcome {
            Outcome::Sat(_) => Some(expect_sat),
            Outcome::Unsat => Some(!expect_sat),
            Outcome::Unknown(_) | Outcome::InternalError(_) => None,
        }
    }
}

/// Answers the trace query with this index.
pub fn trace(system: &Arc<System>, trace: usize, options: &Options, limits: &Limits) -> TraceResult {
    let mut unrolling = Unrolling::new(Arc::clone(system), Start::Any, options.seed, options.clock);
    let steps = &system.traces[trace].steps;
    let mut budget = limits.budget_of(cycle(&unrolling, steps).is_some());
    let meter = Meter::start(unrolling.context().statistics(), options.clock);
    let answer = answer(&mut unrolling, steps, options.minimize, &mut budget);
    let statistics = meter.read(&unrolling.context().statistics(), budget.spent());
    let answer = answer.and_then(|outcome| {
        let certificate = if options.certify {
            certificate(system, trace, &outcome, options.seed, &mut budget)?
        } else {
            None
        };
        Ok((outcome, certificate))
    });
    let (outcome, certificate) = answer.unwrap_or_else(|failure| (failure.into(), None));
    event!(
        Info,
        QUERY,
        "trace {trace}: {outcome}; {} queries, {} steps of work",
        statistics.queries,
        statistics.work
    );
    TraceResult { trace, outcome, certificate, statistics }
}

/// Looks for a small execution that consists of these steps.
pub(super) fn execution(system: &Arc<System>, steps: &[TraceStep], seed: u64, limits: &Limits) -> Outcome {
    let mut unrolling = Unrolling::new(Arc::clone(system), Start::Any, seed, None);
    let mut budget = limits.budget_of(cycle(&unrolling, steps).is_some());
    answer(&mut unrolling, steps, true, &mut budget).unwrap_or_else(Outcome::from)
}

/// Returns the trace queries outside stratified EPR, each with its index and a cycle.
pub fn cycles(system: &Arc<System>, traces: &[usize]) -> Vec<(usize, Cycle)> {
    let unrolling = Unrolling::new(Arc::clone(system), Start::Any, 0, None);
    let cycle = |trace: usize| cycle(&unrolling, &system.traces[trace].steps);
    traces.iter().filter_map(|&trace| Some((trace, cycle(trace)?))).collect()
}

fn cycle(unrolling: &Unrolling, steps: &[TraceStep]) -> Option<Cycle> {
    let system = unrolling.system();
    let mut transitions: Vec<usize> = Vec::new();
    let mut claims: Vec<(TermId, bool)> = Vec::new();
    for step in steps {
        match step {
            TraceStep::AssertInit => claims.extend(system.inits.iter().map(|init| (init.formula, true))),
            TraceStep::Assert(formula) => claims.push((*formula, true)),
            TraceStep::AnyTransition => transitions.extend(0..system.transitions.len()),
            TraceStep::Transitions(calls) => transitions.extend(calls.iter().map(|call| call.transition)),
        }
    }
    transitions.sort_unstable();
    transitions.dedup();
    unrolling.cycle(&transitions, &claims)
}

fn answer(
    unrolling: &mut Unrolling,
    steps: &[TraceStep],
    minimize: bool,
    budget: &mut Budget,
) -> Result<Outcome, Failure> {
    budget.check()?;
    let system = Arc::clone(unrolling.system());
    // Formulas about a state, with the index of that state.
    let mut claims: Vec<(TermId, u16)> = Vec::new();
    // Per step, the allowed calls; `None` allows any.
    let mut shape: Vec<Option<&[TraceCall]>> = Vec::new();
    for step in steps {
        let at = unrolling.depth();
        match step {
            TraceStep::AssertInit => claims.extend(system.inits.iter().map(|init| (init.formula, at))),
            TraceStep::Assert(formula) => claims.push((*formula, at)),
            TraceStep::AnyTransition => {
                unrolling.extend(budget);
                shape.push(None);
            }
            TraceStep::Transitions(calls) => {
                let mut transitions: Vec<usize> = calls.iter().map(|call| call.transition).collect();
                transitions.sort_unstable();
                transitions.dedup();
                unrolling.extend_by(&transitions, budget);
                let either: Vec<TermId> =
                    calls.iter().map(|call| call_formula(unrolling, call, at)).collect();
                let either = unrolling.context_mut().terms_mut().or(&either);
                unrolling.context_mut().assume(either, budget);
                shape.push(Some(calls));
            }
        }
    }
    for &(formula, at) in &claims {
        let formula = unrolling.at(formula, at);
        unrolling.context_mut().assume(formula, budget);
    }
    if !unrolling.context_mut().search(&[], budget)? {
        return Ok(Outcome::Unsat);
    }
    let mut allowed = |structure: &Structure, step: u16, call: &Call| match shape.get(usize::from(step)) {
        Some(Some(calls)) => calls.iter().any(|allowed| fits(&system, structure, step, allowed, call)),
        _ => true,
    };
    let execution = unrolling.execution(minimize, &mut allowed, budget)?;
    for (formula, at) in claims {
        let state = execution.structure.state(&system.sig, at.into());
        if !holds(system.syntax(), &state, &Map::default(), formula, budget)? {
            return Err(Failure::Internal("an execution violates an assertion of its trace".into()));
        }
    }
    Ok(Outcome::Sat(Box::new(execution)))
}

/// Returns the formula that the transition of `call` is taken at `step`, with the arguments that the call specifies.
fn call_formula(unrolling: &mut Unrolling, call: &TraceCall, step: u16) -> TermId {
    let mut conjuncts = vec![unrolling.taken(call.transition, step)];
    for (index, arg) in call.args.iter().enumerate() {
        if let Some(arg) = *arg {
            let value = unrolling.at(arg, step);
            let param = unrolling.param(call.transition, index, step);
            conjuncts.push(unrolling.context_mut().terms_mut().eq(param, value));
        }
    }
    unrolling.context_mut().terms_mut().and(&conjuncts)
}

/// Checks whether a step of an execution matches a call of a trace.
fn fits(system: &System, structure: &Structure, step: u16, wanted: &TraceCall, call: &Call) -> bool {
    if wanted.transition != call.transition {
        return false;
    }
    let state = structure.state(&system.sig, step.into());
    let mut eval = Evaluator::new(system.syntax(), &state);
    wanted.args.iter().zip(&call.args).all(|(arg, &value)| arg.is_none_or(|arg| eval.eval(arg) == value))
}

/// Returns the certificate of an answer.
fn certificate(
    system: &System,
    trace: usize,
    outcome: &Outcome,
    seed: u64,
    budget: &mut Budget,
) -> Result<Option<Certificate>, Failure> {
    let obligations = Obligations::of_question(system, &Question::Traces(vec![trace]));
    match outcome {
        Outcome::Sat(execution) => Ok(Some(Certificate::Structure(execution.structure.clone()))),
        Outcome::Unsat => {
            let group = obligations.groups.iter().find(|group| group.kind == GroupKind::Trace(trace));
            let Some(group) = group else { return Ok(None) };
            let proofs: Vec<(Origin, Certificate)> = proofs(&obligations, group, seed, budget)?;
            Ok(proofs.into_iter().next().map(|(_, certificate)| certificate))
        }
        Outcome::Unknown(_) | Outcome::InternalError(_) => Ok(None),
    }
}
