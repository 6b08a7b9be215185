//! `ramsey verify` without models: all checks of the configuration.

use std::ffi::OsString;
use std::io;
use std::path::PathBuf;
use std::time::Instant;

use super::args::{CacheArgs, Collector, Command, How, LimitArgs, OutputFormat, ResultArgs, VerifyArgs};
use super::cache;
use super::config::{self, Found, Target, Task};
use super::opened::Opened;
use super::output::{diagnostics_dto, print_diagnostics, print_part, stderr_palette, stdout_palette};
use super::results::{messages, publish};
use super::shared::told;
use super::sources::display;
use super::{bmc, command, infer, instance, mc, signals, theorem, trace, typecheck, verify};
use ramsey_app::config::{CommandName, FILE, Outcome};
use ramsey_core::base::span::Sources;
use ramsey_core::diag::{Code, Diagnostic, Label};
use ramsey_kernel::obligations::Question;
use ramsey_report::Verdict;
use ramsey_report::finding::{Rule, Status};
use ramsey_report::job::{Check, Report};
use ramsey_report::json::job::JobContent;
use ramsey_report::json::{Content as _, Document, Head};
use ramsey_report::render::Shown;
use ramsey_report::results::{Comparison, Entry, Results};
use ramsey_report::verify::cache_text;

/// Runs the checks of the configuration: all of them, or those of the models of the command line.
pub(super) fn run(args: &VerifyArgs) -> io::Result<Verdict> {
    let start = Instant::now();
    let mut sources = Sources::new();
    let mut errors = misused(args);
    let how = args.form.how();
    let baseline = how.results.prepare(&mut sources, &mut errors);
    let planned = plan(args, &mut sources).map_err(|found| errors.extend(found)).ok();
    let planned = planned.filter(|_| errors.is_empty());
    let has_time = args.stats || io::IsTerminal::is_terminal(&io::stdout());
    let mut shown = Shown { quiet: args.quiet, palette: stdout_palette(how.color), ..Shown::default() };
    let mut report = Report { config: String::new(), checks: Vec::new() };
    let opened = planned.as_ref().and_then(|(found, ..)| {
        let (path, size) = found.cache();
        let own = CacheArgs { cache_size: args.cache.cache_size.or(size), ..args.cache.clone() };
        cache::open(&own, path.as_deref()).map_err(|error| errors.push(error)).ok().flatten()
    });
    if how.is_text() {
        print_diagnostics(&errors, &sources, stderr_palette(how.color));
    }
    if let Some((found, folders, tasks)) = planned.filter(|_| errors.is_empty()) {
        report.config = display(&found.path);
        signals::end_with_summary();
        let traced: Vec<String> = tasks
            .iter()
            .filter(|task| task.command == CommandName::Trace)
            .flat_map(|task| task.models.iter().map(|it| display(&it.path)))
            .collect();
        for task in tasks {
            let checks = match results_of((args, opened.as_ref()), &task, &folders) {
                Ok(mut results) => {
                    let is_elsewhere = |it: &Entry| it.rule == Rule::Code(Code::TraceElsewhere);
                    results.entries.retain(|it| !is_elsewhere(it) || !traced.contains(&it.path));
                    checked(&task, results, &sources)
                }
                Err(error) => {
                    errors.push(error);
                    continue;
                }
            };
            for check in checks {
                if how.is_text() {
                    print_part(&check.text(shown))?;
                }
                report.checks.push(check);
            }
        }
        if let Some(opened) = &opened {
            errors.extend(opened.close());
        }
        if how.is_text() {
            print_diagnostics(&errors, &sources, stderr_palette(how.color));
            if let Some(opened) = opened.filter(|_| args.stats) {
                print_part(&cache_text(&opened.tally()))?;
            }
        }
    }
    shown.seconds = has_time.then(|| start.elapsed().as_secs_f64());
    finish(&how, report, (errors, &sources), baseline.as_ref(), shown)
}

/// Returns the errors about options that need a model on the command line.
fn misused(args: &VerifyArgs) -> Vec<Diagnostic> {
    let VerifyArgs { certify, export, rocq, report, pictures, .. } = args;
    let options = [
        ("--certify", certify.is_some()),
        ("--export", export.is_some()),
        ("--rocq", rocq.is_some()),
        ("--html", report.html.is_some()),
        ("--svg", pictures.svg.is_some()),
        ("--dot", pictures.dot.is_some()),
        ("--check-transition", !args.check_transition.is_empty()),
        ("--check-invariant", !args.check_invariant.is_empty()),
        ("--isolate", args.form.language.isolate.is_some()),
        ("--all", args.all),
        ("--whole", args.whole),
        ("--inductive", args.inductive),
        ("--safety-only", args.safety_only),
        ("--strict", args.strict),
        ("--no-strict", args.form.strictness.no_strict),
        ("--lint", args.lint),
        ("--cores", args.cores),
        ("--no-minimize", args.no_minimize),
    ];
    let error = |name: &str| {
        let what = format!("{name}: the checks of `{FILE}` have options of their own");
        let error = Diagnostic::error_nowhere(Code::Usage, what);
        error.help("name a model without `--config`, or write the option into the check, if it has it")
    };
    options.iter().filter(|(_, is_set)| *is_set).map(|(name, _)| error(name)).collect()
}

/// Returns the configuration, folders for included files, and what is to be run.
fn plan(
    args: &VerifyArgs,
    sources: &mut Sources,
) -> Result<(Found, Vec<PathBuf>, Vec<Task>), Vec<Diagnostic>> {
    let path = args.config.clone().or_else(config::find).ok_or_else(|| {
        let what = format!("no model is named, and there is no `{FILE}` in this folder or above");
        let error = Diagnostic::error_nowhere(Code::Usage, what);
        vec![error.help("`ramsey verify FILE` verifies a model, `ramsey init` writes a configuration")]
    })?;
    let found = config::read(&path, sources)?;
    let folders = args.form.language.folders.iter().cloned().chain(found.include()?).collect();
    let tasks = found.tasks(&args.paths, sources)?;
    Ok((found, folders, tasks))
}

/// Runs a command, and returns its results.
fn results_of(
    (args, opened): (&VerifyArgs, Option<&Opened>),
    task: &Task,
    folders: &[PathBuf],
) -> Result<Results, Diagnostic> {
    let mut line: Vec<OsString> = vec!["ramsey".into(), task.command.word().into()];
    for folder in folders {
        line.extend(["--include".into(), folder.clone().into_os_string()]);
    }
    line.extend(task.models.iter().map(|it| it.path.clone().into_os_string()));
    line.extend(task.arguments.iter().map(Into::into));
    let error = |what: &str| Diagnostic::error(Code::Configuration, task.span, what);
    let parsed = command::parse(&line).map_err(|refused| {
        let text = refused.to_string();
        let text = text.lines().next().unwrap_or_default();
        let help = format!("`ramsey help {}` has the options", task.command.word());
        error(text.strip_prefix("error: ").unwrap_or(text)).help(help)
    })?;
    let collector = Collector::default();
    let collected = ResultArgs { collector: Some(collector.clone()), ..ResultArgs::default() };
    let limits = |own: &mut LimitArgs| args.limits.limits.over(own);
    let cache = CacheArgs { opened: opened.cloned(), no_cache: opened.is_none(), ..CacheArgs::default() };
    let ended = match parsed.command {
        Command::Verify(mut it) => {
            (it.form.results, it.jobs) = (collected, args.jobs);
            // What a known failure keeps from being asked may be new.
            it.all |= args.form.results.baseline.is_some();
            it.found = task.models.iter().filter(|it| !it.is_named).map(|it| it.path.clone()).collect();
            limits(&mut it.limits.limits);
            it.cache = cache;
            verify::run(&it, &Question::Verify)
        }
        Command::Theorem(mut it) => {
            (it.answer.form.results, it.jobs) = (collected, args.jobs);
            limits(&mut it.limits.limits);
            it.cache = cache;
            theorem::run(it)
        }
        Command::Bmc(mut it) => {
            it.answer.form.results = collected;
            limits(&mut it.limits.limits);
            bmc::run(&it)
        }
        Command::Instance(mut it) => {
            it.form.results = collected;
            limits(&mut it.limits);
            instance::run(&it)
        }
        Command::Mc(mut it) => {
            it.form.results = collected;
            limits(&mut it.limits);
            mc::run(&it)
        }
        Command::Infer(mut it) => {
            (it.form.results, it.jobs) = (collected, args.jobs);
            limits(&mut it.limits.limits);
            it.cache = cache;
            infer::run(&it)
        }
        Command::Trace(mut it) => {
            it.answer.form.results = collected;
            limits(&mut it.limits.limits);
            trace::run(&it)
        }
        Command::Typecheck(mut it) => {
            it.form.results = collected;
            typecheck::run(&it)
        }
        _ => return Err(error("this command judges nothing")),
    };
    ended.map_err(|failed| error(&format!("no answer: {failed}")))?;
    collector.take().ok_or_else(|| error("the command has no answer"))
}

/// Returns what became of each model of a task.
fn checked(task: &Task, results: Results, sources: &Sources) -> Vec<Check> {
    let beyond = results.entries.iter().map(Entry::verdict).max().unwrap_or_default() < results.verdict;
    // What no entry tells, such as that states were not counted, is about the only model.
    let whole = if beyond && task.models.len() == 1 { results.verdict } else { Verdict::Ok };
    let mut entries = results.entries;
    let mut checks = Vec::new();
    for target in &task.models {
        let name = display(&target.path);
        let (mut own, others): (Vec<Entry>, Vec<Entry>) =
            entries.into_iter().partition(|entry| entry.path == name || task.models.len() == 1);
        entries = others;
        for entry in &mut own {
            entry.path.clone_from(&name);
            if entry.status.is_some() && task.command != CommandName::Verify {
                // The same claim may be asked about by several commands.
                entry.title = format!("{}: {}", task.title, entry.title);
            }
        }
        let is_part = results.parts.contains(&name);
        checks.push(check(task, name, own, (whole, is_part), target, sources));
    }
    if let (Some(first), false) = (checks.first_mut(), entries.is_empty()) {
        // What belongs to no model is told once.
        first.verdict = entries.iter().map(Entry::verdict).fold(first.verdict, Verdict::max);
        first.entries.extend(entries);
    }
    checks
}

/// Compares what became of a model with what is expected of it.
fn check(
    task: &Task,
    model: String,
    mut entries: Vec<Entry>,
    (whole, is_part): (Verdict, bool),
    target: &Target,
    sources: &Sources,
) -> Check {
    let outcome = outcome(task, &entries, whole);
    let proved = entries.iter().filter(|it| it.status == Some(Status::Holds)).count();
    let mut verdict = outcome.verdict;
    // What another model of the run includes is checked there.
    let is_part = entries.is_empty() && is_part;
    let expected = target.expected.as_ref().filter(|_| !is_part);
    if let Some((expected, span)) = expected {
        let fits = expected.fits(&outcome);
        let status = match outcome.verdict {
            _ if fits => Status::Holds,
            Verdict::Unknown => Status::Unknown,
            Verdict::InternalError => Status::InternalError,
            _ => Status::Violated,
        };
        let message = match fits {
            true => format!("`{}` has the outcome `{outcome}`, as expected", task.title),
            false => format!("`{}` has the outcome `{outcome}`, and `{expected}` is expected", task.title),
        };
        let asked = format!("{} => {expected}", task.title);
        let text = "expected here".to_owned();
        let entry = Entry::of_question(&model, Rule::Code(Code::Unexpected), status, &asked, message);
        if fits {
            entries.iter_mut().for_each(Entry::expect);
        }
        entries.push(entry.at(&Label { span: *span, text }, sources));
        verdict = if fits { Verdict::Ok } else { Verdict::from(status).max(outcome.verdict) };
    }
    let told = match outcome.verdict {
        Verdict::Ok if is_part => "part of another model".to_owned(),
        Verdict::Ok if proved > 0 => format!("{outcome} ({proved})"),
        _ => outcome.to_string(),
    };
    let expected = expected.map(|(it, _)| it.to_string());
    Check { model, title: task.title.clone(), expected, outcome: told, verdict, entries }
}

fn outcome(task: &Task, entries: &[Entry], whole: Verdict) -> Outcome {
    let is_execution = matches!(
        task.command,
        CommandName::Bmc | CommandName::Instance | CommandName::Mc | CommandName::Infer
    );
    let violated = entries.iter().filter(|it| it.status == Some(Status::Violated));
    let depths = violated.filter_map(|it| it.flow.as_ref()).map(|flow| flow.execution.transitions.len());
    let codes =
        entries.iter().filter(|it| it.verdict() == Verdict::BadInput).map(|it| it.rule.word().to_owned());
    Outcome {
        verdict: entries.iter().map(Entry::verdict).fold(whole, Verdict::max),
        depth: depths.min().filter(|_| is_execution),
        codes: codes.collect(),
        is_empty: task.command != CommandName::Typecheck
            && !entries.iter().any(|it| it.status == Some(Status::Holds)),
    }
}

/// Tells the last line, the document or the results, and writes the files that are asked for.
fn finish(
    how: &How,
    mut report: Report,
    (errors, sources): (Vec<Diagnostic>, &Sources),
    baseline: Option<&ramsey_report::results::baseline::Baseline>,
    shown: Shown,
) -> io::Result<Verdict> {
    let verdict =
        report.checks.iter().map(|it| it.verdict).fold(Verdict::of_diagnostics(&errors), Verdict::max);
    let (summary, content) = (report.summary_text(shown), report.content());
    let mut entries = messages(&errors, &report.config, sources);
    entries.extend(report.checks.iter_mut().flat_map(|check| check.entries.drain(..)));
    let mut results = Results {
        command: JobContent::command().to_owned(),
        verdict,
        entries,
        explanations: Vec::new(),
        is_quiet: shown.quiet,
        parts: Vec::new(),
        comparison: None,
    };
    results.complete(baseline);
    if how.is_text() && !report.checks.is_empty() {
        print_part(&format!("\n{summary}"))?;
        print_part(&results.comparison.as_ref().map_or(String::new(), Comparison::text))?;
    }
    let head = Head {
        diagnostics: diagnostics_dto(&errors, sources),
        comparison: results.comparison.as_ref().map(Into::into),
        seconds: None,
        ..Head::from(results.verdict)
    };
    let document = Document::new(head, content).text()?;
    if how.results.format == OutputFormat::Json {
        print_part(&document)?;
    }
    let published = publish(how, &results, || Ok(document.clone()))?;
    Ok(results.verdict.max(told(published, how.color)))
}

/// Returns whether `verify` runs a configuration.
pub(super) fn is_meant(args: &VerifyArgs) -> bool {
    args.paths.is_empty() || args.config.is_some()
}
