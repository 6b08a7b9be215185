//! `ramsey task run`: the work of a task. The result depends on the bytes of the task alone.

use std::io;

use super::failure::Failure;
use super::model::input_of;
use super::{bounded, infer, instance};
use crate::args::{How, PlainFormat, RunArgs};
use crate::files::{Target, check_parents, write_whole};
use crate::limits::{ClockLimits, reading};
use crate::output::{print_diagnostics, print_part, stderr_palette};
use crate::shared::Model;
use crate::sources::{in_document, read_text};
use ramsey_app::models::Policy;
use ramsey_core::base::budget::Budget;
use ramsey_core::base::span::Sources;
use ramsey_core::diag::{Code, Diagnostic, Severity};
use ramsey_engine::query::Limits;
use ramsey_report::Verdict;
use ramsey_report::json::task::{Answer, Kind as _, Question, Task, TaskResult};

/// Carries out a task.
pub(super) fn run(args: &RunArgs) -> io::Result<Verdict> {
    let mut sources = Sources::new();
    let told = |errors: &[Diagnostic], sources: &Sources, verdict: Verdict| {
        print_diagnostics(errors, sources, stderr_palette(args.color));
        Ok(verdict)
    };
    let mut misplaced = check_parents([&args.out]);
    let probe = args.out.as_deref().map(|path| Target::new(path).and_then(|target| target.probe()));
    misplaced.extend(probe.and_then(Result::err).filter(|_| misplaced.is_empty()));
    if !misplaced.is_empty() {
        return told(&misplaced, &sources, Verdict::BadInput);
    }
    let nowhere = |what: String| Diagnostic::error_nowhere(Code::Limit, what);
    let result = match read_text(&args.task).map_err(Failure::from).and_then(|text| {
        let task = read(&text).map_err(|error| in_document(&args.task, error))?;
        let answer = answer(&task, args.jobs, &mut sources)?;
        Ok(TaskResult::new(&task, answer))
    }) {
        Ok(result) => result,
        Err(Failure::Bad(errors)) => return told(&errors, &sources, Verdict::BadInput),
        Err(Failure::Machine(exhausted)) => {
            let error = nowhere(format!("there is no result: {exhausted} ended the work, and not the task"));
            return told(&[error], &sources, Verdict::Unknown);
        }
        Err(Failure::Internal(what)) => {
            return told(&[nowhere(format!("internal error: {what}"))], &sources, Verdict::InternalError);
        }
    };
    let text = result.text()?;
    match &args.out {
        Some(path) => {
            if let Err(error) = write_whole(path, text.as_bytes()) {
                return told(&[error], &sources, Verdict::BadInput);
            }
        }
        None => print_part(&text)?,
    }
    Ok(match result.answer {
        Answer::Invariant { .. }
        | Answer::Violation { .. }
        | Answer::Bounded { reason: None, .. }
        | Answer::Instance { reason: None, .. } => Verdict::Ok,
        // It ends some searches, and not all.
        Answer::NoUniversalInvariant { .. }
        | Answer::Unknown { .. }
        | Answer::Bounded { .. }
        | Answer::Instance { .. } => Verdict::Unknown,
    })
}

/// Reads a task for this version of the program.
fn read(text: &str) -> Result<Task, Diagnostic> {
    let wrong = |what: String| Diagnostic::error_nowhere(Code::Document, what);
    let task = Task::read(text)?;
    let version = env!("CARGO_PKG_VERSION");
    if task.version != version {
        let error = wrong(format!("the task is for version {} of ramsey; this is {version}", task.version));
        return Err(error.help("all machines need the program that has written the tasks"));
    }
    if task.digest().ok().as_ref() != Some(&task.id) {
        return Err(wrong("the task is damaged: its content has another digest than its id".to_owned()));
    }
    Ok(task)
}

fn answer(task: &Task, jobs: u16, sources: &mut Sources) -> Result<Answer, Failure> {
    let input = input_of(&task.model, sources)?;
    let policy = Policy { is_strict: task.model.strict, ..Policy::LENIENT };
    let how = How::plain(PlainFormat::Text, crate::args::ColorArgs::default());
    let mut model = Model::of(input, policy, how, sources, reading());
    let errors = |model: &Model| -> Vec<Diagnostic> {
        model.diagnostics.iter().filter(|it| it.severity == Severity::Error).cloned().collect()
    };
    if model.system.is_none() {
        return Err(Failure::Bad(errors(&model)));
    }
    let probe = ClockLimits::default();
    match &task.question {
        Question::Infer(question) => {
            let mut budget = Budget::new(Some(task.work), Some(probe.probe()));
            infer::answer(question, &mut model, sources, jobs, &mut budget)
        }
        Question::Bmc(question) => {
            let limits = Limits { work: Some(task.work), outside: None, probe: Some(probe.factory()) };
            bounded::answer(question, &mut model, sources, limits)
        }
        Question::Instance(question) => {
            let mut budget = Budget::new(Some(task.work), Some(probe.probe()));
            instance::answer(question, &mut model, sources, &mut budget)
        }
    }
}
