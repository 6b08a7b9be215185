//! `ramsey trace`: trace queries.

use super::args::TraceArgs;
use std::io::{self, Write as _};
use std::sync::Arc;
use std::time::Instant;

use super::args::{AnswerArgs, OutputFormat};
use super::certify::{names_gzip, write_accepted};
use super::claims::nothing_to_check;
use super::files::check_parents;
use super::output::{print_diagnostics, stderr_palette, stdout, stdout_palette};
use super::progress::Progress;
use super::shared::Model;
use super::signals;
use ramsey_core::base::budget::Exhausted;
use ramsey_core::base::span::Sources;
use ramsey_core::diag::{Code, Diagnostic};
use ramsey_core::system::System;
use ramsey_engine::query::certify::of_traces;
use ramsey_engine::query::trace::{Options, Outcome, TraceResult, cycles, trace};
use ramsey_kernel::obligations::Question;
use ramsey_report::Verdict;
use ramsey_report::finding::trace_status;
use ramsey_report::json::{Document, Head, dto};
use ramsey_report::trace::TraceStyle;
use ramsey_report::trace_queries as report;
use ramsey_report::verify::stats_text;
use ramsey_report::{fragment, unknown};

/// Answers trace queries.
pub(super) fn run(args: &TraceArgs) -> io::Result<Verdict> {
    let start = Instant::now();
    let mut sources = Sources::new();
    let reading = args.limits.reading(start);
    let mut model =
        Model::read(&args.path, args.answer.language, args.answer.strictness, &mut sources, reading);
    let selected = select(args, &mut model, &sources);
    if let Some(system) = &model.system
        && let Err(errors) = args.pictures.gallery(system, &args.path)
    {
        model.diagnostics.extend(errors);
    }
    model.diagnostics.extend(check_parents([&args.answer.certify]));
    if args.lines.is_empty() && model.system.as_ref().is_some_and(|system| system.traces.is_empty()) {
        let question = Question::Traces(Vec::new());
        model.diagnostics.push(nothing_to_check(&model.name, &question, args.strict));
    }
    model.print_new((args.answer.format, args.answer.color), &sources);
    let mut run = Run { args, sources: &sources, start, results: Vec::new() };
    match model.system.take().filter(|_| model.verdict() == Verdict::Ok) {
        Some(system) => run.answer(&mut model, &system, &selected),
        None => {
            let verdict = Verdict::without_answer(&model.diagnostics);
            if args.answer.format == OutputFormat::Json {
                run.json(&model, None, None, verdict)?;
            }
            Ok(verdict)
        }
    }
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

/// State of a run, with its results so far.
struct Run<'a> {
    args: &'a TraceArgs,
    sources: &'a Sources,
    start: Instant,
    results: Vec<TraceResult>,
}

impl Run<'_> {
    fn answer(&mut self, model: &mut Model, system: &Arc<System>, selected: &[usize]) -> io::Result<Verdict> {
        let AnswerArgs { format, quiet, color, stats, print_negative_tuples, .. } = self.args.answer;
        let options = Options {
            minimize: !self.args.answer.no_minimize,
            certify: self.args.answer.certify.is_some(),
            seed: self.args.answer.seed,
            clock: self.args.answer.clock(),
        };
        let limits = self.args.limits.limits(self.start);
        let style = TraceStyle {
            palette: stdout_palette(color),
            negative: print_negative_tuples,
            sources: Some(self.sources),
        };
        let outside = cycles(system, selected);
        if let Some((trace, cycle)) = outside.first() {
            let what = match outside.len() {
                1 => "a trace is".to_owned(),
                count => format!("{count} traces are"),
            };
            let span = system.traces[*trace].span;
            let concerned = format!("the first one concerned is trace L{}", report::line(self.sources, span));
            let warning = fragment::executions_warning(system, cycle, Some(span), &what, concerned);
            model.warn_before_search(warning, &limits, (format, color), self.sources);
        }
        model.warn_of_no_start(system, &limits, (format, color), self.sources);
        signals::end_with_summary();
        let progress = Progress::new(!quiet);
        let mut out = stdout();
        if format == OutputFormat::Text && !quiet {
            writeln!(out, "{}", style.palette.bold(&model.name))?;
            out.flush()?;
        }
        for &index in selected {
            progress.say(|| format!("trace L{}", report::line(self.sources, system.traces[index].span)));
            let result = trace(system, index, &options, &limits);
            progress.clear();
            if format == OutputFormat::Text {
                let is_printed = !quiet || result.is_expected(system) != Some(true);
                if is_printed {
                    out.write_all(report::result_text(system, self.sources, &result, style).as_bytes())?;
                }
                if stats {
                    out.write_all(stats_text(&result.statistics).as_bytes())?;
                }
                out.flush()?;
            }
            self.results.push(result);
        }
        let mut verdict = self.verdict(system);
        let written = self.certify(model, system).and_then(|line| {
            self.draw(&model.name, system)?;
            Ok(line)
        });
        verdict = verdict.max(self.verdict(system));
        if let Err(error) = &written {
            verdict = verdict.max(Verdict::BadInput);
            if format == OutputFormat::Text {
                print_diagnostics(std::slice::from_ref(error), self.sources, stderr_palette(color));
            }
        }
        match format {
            OutputFormat::Json => self.json(model, Some(system), written.err(), verdict)?,
            OutputFormat::Text if !quiet => {
                if let Ok(Some(line)) = written {
                    out.write_all(line.as_bytes())?;
                }
                let summary = report::summary_text(system, &self.results);
                writeln!(out, "\n{summary}{}", self.args.answer.time_text(self.start))?;
                out.write_all(unknown::explanations_text(&self.explanations()).as_bytes())?;
            }
            OutputFormat::Text => {}
        }
        out.flush()?;
        Ok(verdict)
    }

    fn verdict(&self, system: &System) -> Verdict {
        let of = |result| Verdict::from(trace_status(system, result));
        self.results.iter().map(of).max().unwrap_or_default()
    }

    /// Writes the certificate, if one is requested, and returns the line that reports it.
    fn certify(&mut self, model: &Model, system: &System) -> Result<Option<String>, Diagnostic> {
        let Some(path) = &self.args.answer.certify else { return Ok(None) };
        let source = &model.source_text(self.sources);
        match of_traces(system, source, &mut self.results, names_gzip(path)) {
            Ok(Some(accepted)) => write_accepted(&accepted, path).map(Some),
            Ok(None) => Ok(None),
            Err(rejected) => {
                Err(Diagnostic::error_nowhere(Code::Usage, format!("internal error: {}", rejected.message)))
            }
        }
    }

    /// Returns advice for traces without an answer.
    fn explanations(&self) -> Vec<String> {
        let reason = |result: &TraceResult| match result.outcome {
            Outcome::Unknown(exhausted) => Some(exhausted),
            _ => None,
        };
        let reasons: Vec<Exhausted> = self.results.iter().filter_map(reason).collect();
        self.args.limits.explanations(&reasons)
    }

    /// Draws the executions.
    fn draw(&self, name: &str, system: &System) -> Result<(), Diagnostic> {
        let Ok(mut gallery) = self.args.pictures.gallery(system, &self.args.path) else { return Ok(()) };
        for result in &self.results {
            if let Outcome::Sat(execution) = &result.outcome {
                let line = report::line(self.sources, system.traces[result.trace].span);
                gallery.execution(&format!("{name}: trace L{line}"), system, execution)?;
            }
        }
        Ok(())
    }

    fn json(
        &self,
        model: &Model,
        system: Option<&System>,
        error: Option<Diagnostic>,
        verdict: Verdict,
    ) -> io::Result<()> {
        let AnswerArgs { stats, print_negative_tuples: negative, .. } = self.args.answer;
        let mut diagnostics = model.diagnostics_dto(self.sources);
        diagnostics.extend(error.map(|it| ramsey_report::json::diagnostics::to_dto(&it, self.sources)));
        let traces = system.map_or(Vec::new(), |system| {
            let dto = |result| report::result_dto(system, self.sources, result, negative, stats);
            self.results.iter().map(dto).collect()
        });
        let head = Head {
            diagnostics,
            explanations: self.explanations(),
            seconds: stats.then(|| self.start.elapsed().as_secs_f64()),
            ..Head::from(verdict)
        };
        let content = dto::TraceContent { path: model.name.clone(), traces };
        let mut out = stdout();
        out.write_all(Document::new(head, content).text()?.as_bytes())?;
        out.flush()
    }
}
