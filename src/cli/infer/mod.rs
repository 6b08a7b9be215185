//! `ramsey infer`: inference of inductive invariants.

mod candidates;
mod checkpoint;
mod next;
mod page;
mod prefix;
mod result;
mod template;
mod watch;

use std::io;
use std::sync::Arc;
use std::time::Instant;

use super::args::InferArgs;
use super::cache;
use super::clock::clock;
use super::files::check_parents;
use super::opened::Opened;
use super::output::{print_part, stdout_palette};
use super::progress::Progress;
use super::shared::Model;
use super::signals;
use super::sources::{display, format_of, models_at};
use super::threads::{Threads, pool};
use super::ui::with_report;
pub(crate) use candidates::Task;
use checkpoint::Keeper;
pub(crate) use prefix::prefix;
use ramsey_core::base::budget::Budget;
use ramsey_core::base::span::Sources;
use ramsey_core::diag::{Code, Diagnostic, Severity};
use ramsey_engine::cache::Cache;
use ramsey_engine::infer::{Answer, Inference, Kept, Observer, Options, Reason, infer_on};
use ramsey_engine::query::Limits;
use ramsey_lang::{Format, Language};
use ramsey_report::infer::Report;
use ramsey_report::render::{Render as _, Shown};
use ramsey_report::{self as report, Verdict};
pub(crate) use result::shown;
use result::{Resulting, resulting};
use watch::{Log, Watch};

/// Steps for each obligation of a model with the lemmas of the cache. Lemmas that need more are not kept.
const CHECK: u64 = 100_000_000;

/// How an inference is made: with threads, of the task with options, within a budget, under the eyes of an observer.
pub(super) type Search<'a> =
    &'a mut dyn FnMut(&Threads, &Task, &Options, &mut Budget, &mut dyn Observer) -> Inference;

/// Searches for an inductive invariant.
pub(super) fn run(args: &InferArgs) -> io::Result<Verdict> {
    run_by(args, &[], None)
}

/// Tells what a search answers, with further candidates, and verifies it as any other answer. A search by other means has nothing in a
/// cache.
pub(super) fn run_by(args: &InferArgs, lemmas: &[String], by: Option<Search<'_>>) -> io::Result<Verdict> {
    let start = Instant::now();
    let mut sources = Sources::new();
    let reading = args.limits.reading(start);
    let mut model = Model::read(&args.path, args.form.rules(), args.form.how(), &mut sources, reading);
    let mut task = Task::new(args, lemmas, &mut model, &mut sources);
    let keeper = task.as_mut().and_then(|task| task.keeper.take());
    let errors = misplaced(args, &model, &sources);
    model.diagnostics.extend(errors);
    if let Some(task) = &task {
        model.diagnostics.extend(args.pictures.gallery(&task.system, &args.path).err().into_iter().flatten());
    }
    let is_by_others = by.is_some();
    let opened = match by {
        Some(_) => None,
        None => cache::open(&args.cache, None).unwrap_or_else(|error| {
            model.diagnostics.push(error);
            None
        }),
    };
    let task = task.filter(|_| model.verdict() == Verdict::Ok);
    let log = task.as_ref().and(args.log_file.as_deref()).map(Log::create).transpose();
    let (task, log) = match log {
        Ok(log) => (task, log),
        Err(error) => {
            model.diagnostics.push(error);
            (None, None)
        }
    };
    model.print_new(&sources);
    let cache = opened.as_ref().map(|opened| &opened.cache);
    let found = match &task {
        Some(task) => Some(search((args, cache, by), &mut model, task, (log, keeper), &sources, start)?),
        None => None,
    };
    // A cache of several runs is closed by who has opened it.
    let opened = opened.filter(|_| args.cache.opened.is_none());
    model.diagnostics.extend(opened.as_ref().and_then(Opened::close));
    let next = match &found {
        Some(found) if !is_by_others => next::next(args, &found.inference),
        _ => Vec::new(),
    };
    let report = Report {
        path: &model.name.clone(),
        sources: &sources,
        method: args.method,
        found: task.as_ref().zip(found.as_ref()).map(|(task, found)| found.report(task, &model)),
        next: &next,
        cache: opened.map(|opened| opened.tally()),
    };
    let mut explanations = args.limits.explanations(&report.exhausted());
    explanations.extend(report::infer::advice(&report));
    let seconds = args.stats.then(|| start.elapsed().as_secs_f64());
    let negative = args.print_negative_tuples;
    let shown = Shown { stats: args.stats, negative, seconds, ..Shown::default() };
    let verdict = model.answer(&report, (shown, explanations, args.output.as_deref()), &sources)?;
    let depths = found.as_ref().map_or(Vec::new(), page::depths);
    Ok(with_report(&args.report, args.form.color, verdict, || {
        let rest = (&sources, args.limits.limits(start), report.verdict().unwrap_or_default());
        page::subject(args, &model, (task.as_ref()?, found.as_ref()?), &depths, rest)
    }))
}

/// An inference with what became of its answer.
struct Found {
    inference: Inference,
    result: Resulting,
}

/// Returns the errors about places of outputs.
fn misplaced(args: &InferArgs, model: &Model, sources: &Sources) -> Vec<Diagnostic> {
    let usage = |what: String| Diagnostic::error_nowhere(Code::Usage, what);
    let mut errors =
        check_parents([&args.out, &args.certify, &args.log_file, &args.checkpoint, &args.output]);
    if args.add && args.path.as_os_str() == "-" {
        let error = usage("--add: there is no file to add the lemmas to".to_owned());
        errors.push(error.help("`--out FILE` writes the model with them"));
    }
    let language = model.language();
    if language == Language::Core {
        let error = usage(
            "lemmas are written as claims of a model, and a closed form has no place for them".to_owned(),
        );
        errors.push(error.help("`infer` takes the model that the closed form was made from"));
    }
    if let Some(out) = &args.out
        && format_of(out).and_then(Format::language) != Some(language)
    {
        let error = usage(format!("--out: `{}` is no name for a model in this language", display(out)));
        errors.push(error.help(format!("the name of such a model ends in `.{}`", language.extension())));
    } else if let (Some(out), Some(file), Verdict::Ok) = (&args.out, model.file, model.verdict()) {
        // Included files are looked for from the folder of the model.
        let found =
            models_at(out, language, model.part(), args.form.strictness.into()).load(&sources[file].text);
        let failure = found.diagnostics.iter().find(|it| it.severity == Severity::Error);
        let what = |it: &str| format!("--out: at `{}` the model could not be read ({it})", display(out));
        errors.extend(failure.map(|error| usage(what(&error.message))));
    }
    errors
}

/// Searches, and verifies what is found.
fn search(
    (args, cache, by): (&InferArgs, Option<&Arc<Cache>>, Option<Search<'_>>),
    model: &mut Model,
    task: &Task,
    (mut log, mut keeper): (Option<Log>, Option<Keeper>),
    sources: &Sources,
    start: Instant,
) -> io::Result<Found> {
    let limits = args.limits.limits(start);
    model.warn_of_fragment(&task.system, &limits, sources);
    if args.form.results.is_text() {
        let palette = stdout_palette(args.form.color);
        print_part(&report::infer::properties_text(&model.name, &task.system, palette))?;
    }
    signals::end_with_summary();
    if keeper.is_some() {
        // What a search finds in its first moments goes into the checkpoint too.
        signals::watch();
    }
    let options = Options {
        method: args.method,
        candidates: task.candidates.clone(),
        template: task.template.clone(),
        prefixes: task.prefixes.clone(),
        until_stopped: args.limits.limits.end_a_run() || args.limits.unlimited,
        seed: args.seed,
        clock: args.stats.then_some(clock as fn() -> u64),
    };
    let progress = Progress::new(true);
    let mut kept = cache.and_then(|cache| Kept::new(cache, &task.system, &options));
    let known = kept.as_ref().and_then(|kept| {
        progress.say(|| "verifying the lemmas of the cache".to_owned());
        known((args, cache), model, task, kept, sources, &args.limits.limits_of_check(start, CHECK))
    });
    let (inference, result) = match known {
        Some(known) => known,
        None => {
            progress.say(|| "looking for lemmas".to_owned());
            let (log, seen) = (log.as_mut(), keeper.as_mut());
            let mut watch = Watch::new(&task.system, options.method, &progress, log, seen);
            let threads = Threads(pool(args.jobs, options.method.parts().len()));
            let mut budget = limits.budget();
            let mut inference = match (by, &mut kept) {
                (Some(by), _) => by(&threads, task, &options, &mut budget, &mut watch),
                (None, Some(kept)) => kept.search(&threads, &mut budget, &mut watch),
                (None, None) => infer_on(&threads, &task.system, &options, &mut budget, &mut watch),
            };
            drop(threads);
            // Without a search there is nothing to write there.
            model.diagnostics.extend(keeper.and_then(Keeper::finish));
            progress.say(|| "verifying the lemmas".to_owned());
            let result = resulting((args, cache), model, task, &mut inference, sources, &limits);
            let is_cheap = result.model.as_ref().is_none_or(|model| model.work() <= CHECK);
            if let Some(kept) = kept.filter(|_| is_cheap && is_whole(&inference, &result)) {
                kept.keep();
            }
            (inference, result)
        }
    };
    model.diagnostics.extend(log.and_then(|log| log.failure()));
    drop(progress);
    if matches!(inference.answer, Answer::Invariant(_)) {
        model.warn_of_no_start(&task.model, &limits, sources);
    }
    model.diagnostics.extend(draw(args, &model.name, &inference).err());
    Ok(Found { inference, result })
}

/// Checks whether an answer is one that later runs can tell, as far as it is theirs: the model with its lemmas holds.
fn is_whole(inference: &Inference, result: &Resulting) -> bool {
    match &inference.answer {
        Answer::Invariant(_) => result.model.is_some(),
        Answer::Unsafe(..) | Answer::NoUniversal(_) => true,
        Answer::Unknown { .. } | Answer::InternalError(_) => false,
    }
}

/// Returns the answer of the cache, if it has one that is right. A warning tells of one that is not.
fn known(
    (args, cache): (&InferArgs, Option<&Arc<Cache>>),
    model: &mut Model,
    task: &Task,
    kept: &Kept<'_>,
    sources: &Sources,
    limits: &Limits,
) -> Option<(Inference, Resulting)> {
    let rejected = match kept.answer() {
        Ok(found) => {
            let mut inference = found?;
            let before = model.diagnostics.len();
            let result = resulting((args, cache), model, task, &mut inference, sources, limits);
            if is_whole(&inference, &result) {
                return Some((inference, result));
            }
            // What other lemmas are in the way of need not be in the way of those of a search.
            let told = model.diagnostics.split_off(before);
            model.diagnostics.extend(told.into_iter().filter(|it| it.severity != Severity::Error));
            match &inference.answer {
                Answer::Invariant(_) | Answer::Unsafe(..) | Answer::NoUniversal(_) => {
                    kept.reject("the model cannot be written with its lemmas".to_owned())
                }
                Answer::InternalError(what) => kept.reject(what.clone()),
                Answer::Unknown { reason: Reason::Exhausted(exhausted), .. } => {
                    kept.reject(format!("its lemmas are not verified ({exhausted})"))
                }
                Answer::Unknown { .. } => kept.reject("the model may not claim its lemmas".to_owned()),
            }
        }
        Err(rejected) => rejected,
    };
    model.diagnostics.extend(cache::rejected(&[rejected]));
    None
}

/// Draws the executions of an answer.
fn draw(args: &InferArgs, title: &str, inference: &Inference) -> Result<(), Diagnostic> {
    let (system, found) = match &inference.answer {
        Answer::Unsafe(_, found) => (&*inference.system, vec![&**found]),
        Answer::NoUniversal(found) => (&found.relaxed.system, vec![&found.counterexample]),
        Answer::Unknown { open, .. } => {
            (&*inference.system, open.iter().filter_map(|it| it.counterexample.as_deref()).collect())
        }
        Answer::Invariant(_) | Answer::InternalError(_) => return Ok(()),
    };
    let Ok(mut gallery) = args.pictures.gallery(system, &args.path) else { return Ok(()) };
    found.into_iter().try_for_each(|it| gallery.counterexample(title, system, system.syntax(), it))
}

impl Found {
    fn report<'a>(&'a self, task: &'a Task, model: &Model) -> report::infer::Found<'a> {
        report::infer::Found {
            keyword: model.keyword(),
            inference: &self.inference,
            lemmas: &self.result.lemmas,
            verified: self.result.verified,
            written: self.result.written.as_deref(),
            certificate: self.result.certificate.as_ref(),
            skipped: &task.skipped,
            falsification: self.result.falsification.as_deref(),
        }
    }
}
