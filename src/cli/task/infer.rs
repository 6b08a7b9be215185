//! Searches for an invariant: by workers, and the check of what they find.

use std::ffi::OsString;
use std::io;
use std::sync::Arc;
use std::time::Instant;

use super::failure::{Failure, reason};
use super::results::{Found, Given, judged};
use crate::args::{Command, ImportArgs, InferArgs};
use crate::command;
use crate::infer::{Task, run_by, shown};
use crate::limits::reading;
use crate::output::print_part;
use crate::shared::Model;
use crate::threads::{Threads, pool};
use ramsey_core::base::budget::Budget;
use ramsey_core::base::span::Sources;
use ramsey_core::diag::Severity;
use ramsey_core::logic::Syntax;
use ramsey_core::system::System;
use ramsey_engine::infer::{
    self, Counts, Event, InOrder, Inference, Method, Observer, Options, Reason, RelaxedExecution, Template,
    infer_on,
};
use ramsey_engine::query::Counterexample;
use ramsey_engine::query::bmc::{Target, Violation};
use ramsey_kernel::obligations::{Property, Relaxed};
use ramsey_report::Verdict;
use ramsey_report::json::task::{Answer, Execution, InferPlan, InferQuestion, Plan};
use ramsey_solver::ask::Statistics;

/// Maximum number of lemmas that a round takes over from its results.
const MAX_LEMMAS: usize = 2_000;
/// Maximum number of bytes of a lemma.
const MAX_LEMMA: usize = 4_096;

/// Nobody who watches.
struct Unseen;

impl Observer for Unseen {
    fn event(&mut self, _: Syntax<'_>, _: &Event, _: &Counts) {}
}

/// Returns the arguments of an inference, without options.
fn arguments(model: OsString) -> Option<InferArgs> {
    let line: [OsString; 4] = ["ramsey".into(), "infer".into(), "--".into(), model];
    match command::parse(&line).ok()?.command {
        Command::Infer(args) => Some(args),
        _ => None,
    }
}

/// Carries out the search of a task.
pub(super) fn answer(
    question: &InferQuestion,
    model: &mut Model,
    sources: &mut Sources,
    jobs: u16,
    budget: &mut Budget,
) -> Result<Answer, Failure> {
    let args = arguments("task".into()).ok_or_else(|| Failure::Internal("`infer` has no defaults".into()))?;
    let args = InferArgs {
        method: question.method.0,
        prefix: question.prefixes.clone(),
        seed: question.seed,
        use_invariants: question.use_invariants,
        ..args
    };
    let Some(task) = Task::new(&args, &question.lemmas, model, sources) else {
        let errors = model.diagnostics.iter().filter(|it| it.severity == Severity::Error);
        return Err(Failure::Bad(errors.cloned().collect()));
    };
    let options = Options {
        method: args.method,
        candidates: task.candidates.clone(),
        template: None,
        prefixes: task.prefixes.clone(),
        until_stopped: true,
        seed: args.seed,
        clock: None,
    };
    let threads = Threads(pool(Some(jobs), args.method.parts().len()));
    let found = infer_on(&threads, &task.system, &options, budget, &mut Unseen);
    let system = &*found.system;
    let lemmas = |lemmas: &[infer::Lemma]| texts(system, lemmas);
    Ok(match &found.answer {
        infer::Answer::Invariant(found) => Answer::Invariant { lemmas: lemmas(found) },
        infer::Answer::Unsafe(_, found) => {
            let Counterexample { structure, calls, .. } = &**found;
            Answer::Violation { execution: Execution::new(system, structure, calls) }
        }
        infer::Answer::NoUniversal(found) => {
            let Counterexample { structure, calls, .. } = &found.counterexample;
            Answer::NoUniversalInvariant {
                execution: Execution::new(&found.relaxed.system, structure, calls),
            }
        }
        infer::Answer::Unknown { reason: why, lemmas: found, .. } => {
            let reason = match *why {
                Reason::Exhausted(exhausted) => reason(exhausted)?,
                Reason::NoSubset => "the candidates do not suffice".to_owned(),
                Reason::NoInvariant => "the languages that were tried have no invariant".to_owned(),
                Reason::Undecidable => "the lemmas leave the decidable fragment".to_owned(),
            };
            Answer::Unknown { reason, lemmas: lemmas(found) }
        }
        infer::Answer::InternalError(what) => return Err(Failure::Internal(what.clone())),
    })
}

/// Options with which candidates are tried, and nothing else.
fn candidates_only(options: &Options, task: &Task) -> Options {
    let template = Template { variables: Vec::new(), literals: 0, symbols: Some(Vec::new()) };
    Options {
        method: Method::HOUDINI,
        candidates: task.candidates.clone(),
        template: Some(template),
        ..options.clone()
    }
}

/// Tells the answer that the results give. Returns the plan of the next round as well, if there has to be one.
pub(super) fn import(
    args: &ImportArgs,
    plan: &InferPlan,
    work: u64,
    given: &mut Given,
) -> io::Result<(Verdict, Option<Plan>)> {
    let start = Instant::now();
    let Some(infer) = arguments(args.path.clone().into_os_string()) else {
        return Ok((Verdict::InternalError, None));
    };
    let infer = InferArgs {
        method: Method::HOUDINI,
        out: args.out.clone(),
        certify: args.certify.clone(),
        jobs: args.jobs,
        limits: args.limits,
        form: args.form.clone(),
        ..infer
    };
    let budget = || Budget::new(Some(work), Some(args.limits.limits.clocks(start).probe()));
    let mut by_candidates =
        |_: &Threads, task: &Task, options: &Options, _: &mut Budget, observer: &mut dyn Observer| {
            let options = candidates_only(options, task);
            infer_on(&InOrder, &task.system, &options, &mut budget(), observer)
        };
    let mut all = plan.lemmas.clone();
    let mut next = plan.clone();
    for at in 0..given.tasks() {
        let found = given.first(at, |answer| match answer {
            Answer::Invariant { lemmas } => {
                let lemmas = bounded(lemmas);
                if is_invariant_with(&infer, &lemmas, &budget) {
                    return Ok(Found { is_whole: true, content: Told::Lemmas(lemmas) });
                }
                // What is true in it may still help.
                all.extend(lemmas);
                Err("the properties are not inductive with its lemmas".to_owned())
            }
            Answer::Unknown { lemmas, .. } => {
                Ok(Found { is_whole: false, content: Told::Lemmas(bounded(lemmas)) })
            }
            Answer::Violation { execution } => told_of(&infer, execution, false)
                .map(|()| Found { is_whole: true, content: Told::Execution(execution.clone()) }),
            Answer::NoUniversalInvariant { execution } => {
                let is_last = !plan.methods.iter().any(|it| it.0.takes_prefixes());
                let content = Told::RelaxedExecution(execution.clone());
                told_of(&infer, execution, true).map(|()| Found { is_whole: is_last, content })
            }
            Answer::Bounded { .. } | Answer::Instance { .. } => {
                Err("it is no search for an invariant".to_owned())
            }
        });
        let Some(Found { is_whole, content }) = found else { continue };
        match content {
            Told::Lemmas(lemmas) if is_whole => {
                given.tell(args);
                return Ok((run_by(&infer, &lemmas, Some(&mut by_candidates))?, None));
            }
            Told::Lemmas(lemmas) => all.extend(lemmas),
            // Lemmas with witnesses are all that is left to be tried.
            Told::RelaxedExecution(_) if !is_whole => next.methods.retain(|it| it.0.takes_prefixes()),
            Told::Execution(execution) => {
                given.tell(args);
                return Ok((tell_execution(&infer, &execution, false)?, None));
            }
            Told::RelaxedExecution(execution) => {
                given.tell(args);
                return Ok((tell_execution(&infer, &execution, true)?, None));
            }
        }
    }
    given.tell(args);
    let all = distinct(all);
    let lemmas = match joined(&infer, &all, &budget) {
        Some(Joined::Open(lemmas)) => lemmas,
        // That there is no universal invariant ends nothing here while another kind is looked for.
        Some(Joined::NoUniversal) if next.methods.iter().any(|it| it.0.takes_prefixes()) => {
            plan.lemmas.clone()
        }
        _ => return Ok((run_by(&infer, &all, Some(&mut by_candidates))?, None)),
    };
    let (count, tasks) = (lemmas.len(), given.tasks());
    let plural = if count == 1 { "lemma is" } else { "lemmas are" };
    print_part(&format!("unknown: {tasks} tasks have no invariant; {count} {plural} inductive together\n"))?;
    next.first_seed = plan.first_seed.wrapping_add(plan.seeds);
    next.lemmas = lemmas;
    Ok((Verdict::Unknown, Some(Plan::Infer(next))))
}

/// What the lemmas of all results are good for.
enum Joined {
    /// These are inductive together, and there is no answer.
    Open(Vec<String>),
    /// They are not needed to see that there is no universal invariant.
    NoUniversal,
    /// They lead to an answer.
    Answer,
    /// They lead to an internal error.
    Defect,
}

/// Tries lemmas as candidates; `None` if the model could not be read.
fn joined(args: &InferArgs, lemmas: &[String], budget: &dyn Fn() -> Budget) -> Option<Joined> {
    let task = task_of(args, lemmas)?;
    let options = candidates_only(&Options { seed: args.seed, ..Options::default() }, &task);
    let found = infer_on(&InOrder, &task.system, &options, &mut budget(), &mut Unseen);
    Some(match &found.answer {
        infer::Answer::Unknown { lemmas, .. } => Joined::Open(texts(&found.system, lemmas)),
        infer::Answer::NoUniversal(_) => Joined::NoUniversal,
        infer::Answer::Invariant(_) | infer::Answer::Unsafe(..) => Joined::Answer,
        infer::Answer::InternalError(_) => Joined::Defect,
    })
}

/// Returns lemmas in the language of the model.
fn texts(system: &System, lemmas: &[infer::Lemma]) -> Vec<String> {
    let mut terms = system.terms.clone();
    lemmas.iter().map(|lemma| shown(system, &mut terms, lemma).formula).collect()
}

/// What a result tells, once checked.
enum Told {
    /// Lemmas, with which the properties are inductive if they are the whole answer.
    Lemmas(Vec<String>),
    /// An execution that violates a property.
    Execution(Execution),
    /// One in which elements disappear.
    RelaxedExecution(Execution),
}

/// Returns lemmas of a length that is taken over.
fn bounded(lemmas: &[String]) -> Vec<String> {
    lemmas.iter().filter(|it| it.len() <= MAX_LEMMA).take(MAX_LEMMAS).cloned().collect()
}

/// Returns the first lemmas, each once.
fn distinct(lemmas: Vec<String>) -> Vec<String> {
    let mut seen = ramsey_core::base::hash::Set::default();
    lemmas.into_iter().filter(|it| seen.insert(it.clone())).take(MAX_LEMMAS).collect()
}

/// Reads the model as a question about it, with further candidates.
fn task_of(args: &InferArgs, lemmas: &[String]) -> Option<Task> {
    let mut sources = Sources::new();
    let mut model = Model::read(&args.path, args.form.rules(), args.form.how(), &mut sources, reading());
    Task::new(args, lemmas, &mut model, &mut sources)
}

/// Checks whether some of these lemmas make the properties inductive.
fn is_invariant_with(args: &InferArgs, lemmas: &[String], budget: &dyn Fn() -> Budget) -> bool {
    matches!(joined(args, lemmas, budget), Some(Joined::Answer))
}

/// Confirms that an execution of the model, or of its relaxed form, violates a property.
fn told_of(args: &InferArgs, execution: &Execution, is_relaxed: bool) -> Result<(), String> {
    let task = task_of(args, &[]).ok_or("the model could not be read")?;
    confirmed(&task, execution, is_relaxed).map(drop)
}

/// Tells of an execution that violates a property as `infer` does.
fn tell_execution(args: &InferArgs, execution: &Execution, is_relaxed: bool) -> io::Result<Verdict> {
    let mut by = |_: &Threads, task: &Task, options: &Options, _: &mut Budget, _: &mut dyn Observer| {
        let answer = confirmed(task, execution, is_relaxed).unwrap_or_else(infer::Answer::InternalError);
        Inference {
            answer,
            no_universal: None,
            languages: Vec::new(),
            system: Arc::clone(&task.system),
            method: options.method,
            counts: Counts::default(),
            statistics: Statistics::default(),
        }
    };
    run_by(args, &[], Some(&mut by))
}

/// Evaluates an execution of the model, or of its relaxed form. Returns the answer that it is.
fn confirmed(task: &Task, execution: &Execution, is_relaxed: bool) -> Result<infer::Answer, String> {
    let relaxed = is_relaxed.then(|| Relaxed::new(&task.system));
    let system = relaxed.as_ref().map_or(&*task.system, |it| &it.system);
    let (structure, calls) = execution.read(system)?;
    let targets: Vec<Target> = Property::safety(system).into_iter().map(Target::Model).collect();
    let Violation { target, counterexample } = judged(system, structure, calls, &targets)?;
    let Target::Model(property) = target else { return Err("it violates no property".to_owned()) };
    Ok(match relaxed {
        None => infer::Answer::Unsafe(property, Box::new(counterexample)),
        Some(relaxed) => {
            let relaxed = Box::new(relaxed);
            infer::Answer::NoUniversal(Box::new(RelaxedExecution { relaxed, property, counterexample }))
        }
    })
}
