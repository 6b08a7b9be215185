//! `ramsey trace`: trace queries.

use super::args::TraceArgs;
use std::io;
use std::sync::Arc;
use std::time::Instant;

use super::args::AnswerArgs;
use super::certify::{names_gzip, no_certificate, write_accepted};
use super::claims::nothing_to_check;
use super::files::check_parents;
use super::output::print_part;
use super::progress::Progress;
use super::rocq::write_traces;
use super::shared::Model;
use super::signals;
use ramsey_core::base::span::Sources;
use ramsey_core::diag::{Code, Diagnostic};
use ramsey_core::system::System;
use ramsey_engine::query::certify::of_traces;
use ramsey_engine::query::trace::{Options, Outcome, TraceResult, cycles, trace};
use ramsey_kernel::obligations::Question;
use ramsey_report::Verdict;
use ramsey_report::fragment;
use ramsey_report::render::Render as _;
use ramsey_report::trace_queries::{self as report, Report};

/// Answers trace queries.
pub(super) fn run(args: &TraceArgs) -> io::Result<Verdict> {
    let start = Instant::now();
    let mut sources = Sources::new();
    let reading = args.limits.reading(start);
    let mut model =
        Model::read(&args.path, args.answer.form.rules(), args.answer.form.how(), &mut sources, reading);
    let selected = select(args, &mut model, &sources);
    model.check_pictures(&args.pictures, &args.path);
    model.diagnostics.extend(check_parents([&args.answer.certify, &args.answer.rocq]));
    if args.lines.is_empty() && model.system.as_ref().is_some_and(|system| system.traces.is_empty()) {
        let question = Question::Traces(Vec::new());
        model.diagnostics.push(nothing_to_check(&model.name, &question, args.strict));
    }
    model.print_new(&sources);
    let found = match model.system.take().filter(|_| model.verdict() == Verdict::Ok) {
        Some(system) => {
            let mut results = answers(args, &mut model, &system, &selected, &sources, start)?;
            let written = certify(args, &model, &system, &mut results, &sources);
            let drawn =
                written.and_then(|line| draw(args, &model.name, &system, &results, &sources).map(|()| line));
            let certificate = drawn.unwrap_or_else(|error| {
                model.diagnostics.push(error);
                None
            });
            Some((system, results, certificate))
        }
        None => None,
    };
    let report = Report {
        path: &model.name.clone(),
        sources: &sources,
        found: found.as_ref().map(|(system, results, _)| (&**system, results.as_slice())),
        certificate: found.as_ref().and_then(|(.., line)| line.as_deref()),
    };
    let explanations = args.limits.explanations(&report.exhausted());
    model.answer(&report, (args.answer.shown(start), explanations, None), &sources)
}

/// Returns the trace blocks selected by the command line. If there are none in a file, an error is added to its
/// diagnostics.
fn select(args: &TraceArgs, model: &mut Model, sources: &Sources) -> Vec<usize> {
    let Some(system) = &model.system else { return Vec::new() };
    if args.lines.is_empty() {
        return (0..system.traces.len()).collect();
    }
    let lines: Vec<usize> = system.traces.iter().map(|it| report::line(sources, it.span)).collect();
    let mut selected = Vec::new();
    for wanted in &args.lines {
        let number = wanted.strip_prefix('L').unwrap_or(wanted).parse().ok();
        match number.and_then(|number: usize| lines.iter().position(|&line| line == number)) {
            Some(index) => selected.push(index),
            None => {
                let what = format!("no trace block begins in line `{wanted}`");
                let error = Diagnostic::error_nowhere(Code::Usage, what);
                let known: Vec<String> = lines.iter().map(usize::to_string).collect();
                model.diagnostics.push(if known.is_empty() {
                    error.note("the model has no trace block")
                } else {
                    error.help(format!("trace blocks begin in lines {}", known.join(", ")))
                });
            }
        }
    }
    selected.sort_unstable();
    selected.dedup();
    selected
}

/// Answers the selected trace blocks one after the other, and prints the answers.
fn answers(
    args: &TraceArgs,
    model: &mut Model,
    system: &Arc<System>,
    selected: &[usize],
    sources: &Sources,
    start: Instant,
) -> io::Result<Vec<TraceResult>> {
    let AnswerArgs { quiet, .. } = args.answer;
    let is_text = args.answer.form.results.is_text();
    let options = Options {
        minimize: !args.answer.no_minimize,
        certify: args.answer.certify.is_some() || args.answer.rocq.is_some(),
        seed: args.answer.seed,
        clock: args.answer.clock(),
    };
    let limits = args.limits.limits(start);
    let shown = args.answer.shown(start);
    let outside = cycles(system, selected);
    if let Some((trace, cycle)) = outside.first() {
        let what = match outside.len() {
            1 => "a trace is".to_owned(),
            count => format!("{count} traces are"),
        };
        let span = system.traces[*trace].span;
        let concerned = format!("the first one concerned is trace L{}", report::line(sources, span));
        let warning = fragment::executions_warning(system, cycle, Some(span), &what, concerned);
        model.warn_before_search(warning, &limits, sources);
    }
    model.warn_of_no_start(system, &limits, sources);
    signals::end_with_summary();
    let progress = Progress::new(!quiet);
    if is_text && !quiet {
        print_part(&format!("{}\n", shown.palette.bold(&model.name)))?;
    }
    let mut results = Vec::new();
    for &index in selected {
        progress.say(|| format!("trace L{}", report::line(sources, system.traces[index].span)));
        let result = trace(system, index, &options, &limits);
        progress.clear();
        if is_text {
            print_part(&report::result_text(system, sources, &result, shown))?;
        }
        results.push(result);
    }
    Ok(results)
}

/// Writes the certificate and the theorems, as far as they are requested, and returns the line that reports the certificate.
fn certify(
    args: &TraceArgs,
    model: &Model,
    system: &System,
    results: &mut [TraceResult],
    sources: &Sources,
) -> Result<Option<String>, Diagnostic> {
    let AnswerArgs { certify, rocq, .. } = &args.answer;
    if certify.is_none() && rocq.is_none() {
        return Ok(None);
    }
    let compressed = certify.as_deref().is_some_and(names_gzip);
    let accepted = match of_traces(system, &model.source_text(sources), results, compressed) {
        Ok(Some(accepted)) => accepted,
        Ok(None) => return Ok(None),
        Err(rejected) => return Err(no_certificate(&rejected)),
    };
    let line = certify.as_ref().map(|path| write_accepted(&accepted, path)).transpose()?;
    if let Some(folder) = rocq {
        write_traces(folder, &model.name, system, sources, results)?;
    }
    Ok(line)
}

/// Draws the executions.
fn draw(
    args: &TraceArgs,
    name: &str,
    system: &System,
    results: &[TraceResult],
    sources: &Sources,
) -> Result<(), Diagnostic> {
    let Ok(mut gallery) = args.pictures.gallery(system, &args.path) else { return Ok(()) };
    for result in results {
        if let Outcome::Sat(execution) = &result.outcome {
            let line = report::line(sources, system.traces[result.trace].span);
            gallery.execution(&format!("{name}: trace L{line}"), system, execution)?;
        }
    }
    Ok(())
}
