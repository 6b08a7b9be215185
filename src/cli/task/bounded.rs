//! Bounded model checking in parts: by workers, and the check of what they find.

use std::ffi::OsString;
use std::io;
use std::sync::Arc;

use super::failure::{Failure, reason};
use super::parts::{cases, targets};
use super::results::{Found, Given, judged};
use crate::args::{BmcArgs, Command, ImportArgs};
use crate::bmc::run_by;
use crate::command;
use crate::limits::reading;
use crate::shared::Model;
use ramsey_core::base::budget::Exhausted;
use ramsey_core::base::span::Sources;
use ramsey_core::system::System;
use ramsey_engine::query::Limits;
use ramsey_engine::query::bmc::{Bmc, Depth, Outcome, Target, Violation};
use ramsey_engine::query::cases::with_cases;
use ramsey_engine::query::certify::of_traces;
use ramsey_engine::query::trace::{self, TraceResult, trace};
use ramsey_kernel::check::check;
use ramsey_kernel::obligations::Question as Claimed;
use ramsey_report::Verdict;
use ramsey_report::json::task::{Answer, BmcPlan, BmcQuestion, Execution, Question};
use ramsey_solver::ask::Statistics;

/// The targets of a task that are about reached states. Those of the part before the initial states are one obligation each,
/// which whoever imports asks.
fn reached(targets: Vec<Target>, system: &System) -> Vec<Target> {
    targets.into_iter().filter(|it| !is_before(*it, system)).collect()
}

fn is_before(target: Target, system: &System) -> bool {
    matches!(target, Target::Model(property) if property.is_before_init(system))
}

/// Carries out a task.
pub(super) fn answer(
    question: &BmcQuestion,
    model: &mut Model,
    sources: &mut Sources,
    limits: Limits,
) -> Result<Answer, Failure> {
    let targets = targets(&question.properties, model, sources)?;
    let system = model.system.take().ok_or_else(|| Failure::Internal("the model has no system".into()))?;
    let cases = cases(question, &system)?;
    let asked = Arc::new(with_cases(&system, &reached(targets, &system), &cases));
    let options = trace::Options { minimize: true, certify: true, seed: question.seed, clock: None };
    let mut left = limits.work.unwrap_or(u64::MAX);
    let mut proved: Vec<TraceResult> = Vec::new();
    let (mut violation, mut open) = (None, None);
    for at in 0..cases.len() {
        let result = trace(&asked, at, &options, &Limits { work: Some(left), ..limits.clone() });
        left = left.saturating_sub(result.statistics.work);
        match &result.outcome {
            trace::Outcome::Unsat => proved.push(result),
            trace::Outcome::Sat(found) => {
                violation = Some(Execution::new(&system, &found.structure, &found.calls));
                break;
            }
            trace::Outcome::Unknown(exhausted) => {
                open = Some(reason(*exhausted)?);
                break;
            }
            trace::Outcome::InternalError(what) => return Err(Failure::Internal(what.clone())),
        }
    }
    let lengths = u16::try_from(proved.len()).unwrap_or(u16::MAX);
    let source = model.source_text(sources);
    let accepted = if proved.is_empty() {
        None
    } else {
        of_traces(&asked, &source, &mut proved, false)
            .map_err(|rejected| Failure::Internal(rejected.message))?
    };
    let certificate = accepted.map(|it| String::from_utf8_lossy(&it.bytes).into_owned());
    Ok(Answer::Bounded { lengths, certificate, violation, reason: open })
}

/// What is known of the lengths of a task.
struct Known {
    from: u16,
    /// Number of lengths from there without a violation.
    lengths: u16,
    to: u16,
    violation: Option<Violation>,
}

/// Tells the answer that the results give. Returns which tasks are answered as well.
pub(super) fn import(
    args: &ImportArgs,
    (plan, work): (&BmcPlan, u64),
    parts: &[Question],
    given: &mut Given,
) -> io::Result<Verdict> {
    let mut known = Vec::new();
    for (at, part) in parts.iter().enumerate() {
        let Question::Bmc(question) = part else { continue };
        let found = given.first(at, |answer| checked(args, question, answer));
        known.push(
            found.map_or(Known { from: question.from, lengths: 0, to: question.to, violation: None }, |it| {
                it.content
            }),
        );
    }
    given.tell(args);
    let line: [OsString; 4] =
        ["ramsey".into(), "bmc".into(), "--".into(), args.path.clone().into_os_string()];
    let Some(Command::Bmc(mut bmc)) = command::parse(&line).ok().map(|it| it.command) else {
        return Ok(Verdict::InternalError);
    };
    bmc.depth = plan.depth;
    bmc.property.clone_from(&plan.properties);
    (bmc.limits, bmc.answer.form) = (args.limits, args.form.clone());
    // What is open is so because of the limits of the tasks.
    bmc.limits.limits.work = bmc.limits.limits.work.or(Some(work));
    tell(&bmc, plan, known)
}

/// Checks what a worker says of a task.
fn checked(args: &ImportArgs, question: &BmcQuestion, answer: &Answer) -> Result<Found<Known>, String> {
    let Answer::Bounded { lengths, certificate, violation, .. } = answer else {
        return Err("it is no answer about bounded executions".to_owned());
    };
    let unread = || "the model could not be read".to_owned();
    let mut sources = Sources::new();
    let mut model = Model::read(&args.path, args.form.rules(), args.form.how(), &mut sources, reading());
    let targets = targets(&question.properties, &mut model, &mut sources).map_err(|it| it.message)?;
    let system = model.system.take().ok_or_else(unread)?;
    let targets = reached(targets, &system);
    let mut cases = cases(question, &system).map_err(|it| it.message)?;
    let all = cases.len();
    let count = usize::from(*lengths);
    if count > all {
        return Err("it is about other lengths".to_owned());
    }
    let next = cases.get(count).cloned();
    cases.truncate(count);
    match certificate {
        Some(text) if count > 0 => {
            let asked = with_cases(&system, &targets, &cases);
            let source = model.source_text(&sources);
            let summary = check(&asked, &source, text.as_bytes())
                .map_err(|rejection| format!("the certificate is rejected: {rejection}"))?;
            let claim = &summary.claim;
            if claim.question != Claimed::Traces((0..count).collect()) || !claim.proved {
                return Err("the certificate claims something else".to_owned());
            }
        }
        None if count == 0 => {}
        _ => return Err("the certificate and the lengths do not fit".to_owned()),
    }
    let violation = match (violation, next) {
        (None, _) => None,
        (Some(_), None) => return Err("it has an execution of another length".to_owned()),
        (Some(execution), Some(case)) => {
            let (structure, calls) = execution.read(&system)?;
            if calls.len() != usize::from(case.steps) {
                return Err("it has an execution of another length".to_owned());
            }
            Some(judged(&system, structure, calls, &targets)?)
        }
    };
    let is_whole = count == all || violation.is_some();
    let known = Known { from: question.from, lengths: *lengths, to: question.to, violation };
    Ok(Found { is_whole, content: known })
}

/// Tells what is known as the answer of `bmc` for each length.
fn tell(args: &BmcArgs, plan: &BmcPlan, known: Vec<Known>) -> io::Result<Verdict> {
    let mut depths = depths(plan, known).into_iter();
    let (mut is_first, mut is_over) = (true, false);
    run_by(args, &mut |bmc: &mut Bmc, limits: &Limits| {
        let asks_before = || bmc.targets().iter().any(|it| is_before(*it, bmc.system()));
        if std::mem::take(&mut is_first) && asks_before() {
            let depth = bmc.advance(limits)?;
            is_over = !matches!(depth.outcome, Outcome::Holds);
            return Some(depth);
        }
        depths.next().filter(|_| !is_over)
    })
}

/// Returns the answers for the lengths, up to the first one that is no proof.
fn depths(plan: &BmcPlan, mut known: Vec<Known>) -> Vec<Depth> {
    let depth = |steps, outcome, is_shortest| Depth {
        steps: Some(steps),
        outcome,
        by_induction: None,
        is_shortest,
        certificates: Vec::new(),
        statistics: Statistics::default(),
    };
    let mut depths = Vec::new();
    for steps in 0..=plan.depth {
        let asked = known.iter().filter(|it| (it.from..=it.to).contains(&steps));
        // Some task is about each length.
        let mut asked = asked.peekable();
        let is_proved = asked.peek().is_some() && asked.all(|it| steps - it.from < it.lengths);
        if is_proved {
            depths.push(depth(steps, Outcome::Holds, true));
            continue;
        }
        // The shortest violation of the first task that has one.
        let length = |it: &Known| it.violation.as_ref().map(|it| it.counterexample.calls.len());
        let first = known.iter().enumerate().filter_map(|(at, it)| Some((length(it)?, at))).min();
        depths.push(match first.and_then(|(length, at)| Some((length, known[at].violation.take()?))) {
            Some((length, violation)) => {
                let is_shortest = length == usize::from(steps);
                let length = u16::try_from(length).unwrap_or(u16::MAX);
                depth(length, Outcome::Violated(Box::new(violation)), is_shortest)
            }
            None => depth(steps, Outcome::Unknown(Exhausted::Work), true),
        });
        break;
    }
    depths
}
