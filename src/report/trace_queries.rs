//! Answers of `ramsey trace`: verdict, text and data of the document.

use std::fmt::Write as _;

use super::Verdict;
use super::diagnostics::render_finding;
use super::finding::{Claim, Numbers, of_trace, trace_status};
use super::json::{self, dto};
use super::outcome::TraceAnswer;
use super::render::{Render, Shown};
use super::results::{Context, Entry};
use super::trace::{TraceStyle, execution_text};
use super::verify::stats_text;
use ramsey_core::base::budget::Exhausted;
use ramsey_core::base::span::{Sources, Span};
use ramsey_core::diag::Severity;
use ramsey_core::system::System;
use ramsey_engine::query::trace::{Outcome, TraceResult};
use ramsey_kernel::obligations::Origin;

/// The answers to trace blocks.
#[derive(Clone, Copy, Debug)]
pub struct Report<'a> {
    /// The model's path as given.
    pub path: &'a str,
    /// Its source texts.
    pub sources: &'a Sources,
    /// The model with the answers; `None` if nothing was asked.
    pub found: Option<(&'a System, &'a [TraceResult])>,
    /// The line about the certificate, if one was written.
    pub certificate: Option<&'a str>,
}

impl Render for Report<'_> {
    type Content = dto::TraceContent;

    fn verdict(&self) -> Option<Verdict> {
        let (system, results) = self.found?;
        Some(results.iter().map(|it| trace_status(system, it).into()).max().unwrap_or_default())
    }

    fn exhausted(&self) -> Vec<Exhausted> {
        let results = self.found.iter().flat_map(|(_, results)| *results);
        let limit = |result: &TraceResult| match result.outcome {
            Outcome::Unknown(exhausted) => Some(exhausted),
            _ => None,
        };
        results.filter_map(limit).collect()
    }

    /// Returns the text that follows the answers.
    fn text(&self, shown: Shown) -> String {
        let Some((system, results)) = self.found.filter(|_| !shown.quiet) else { return String::new() };
        let certificate = self.certificate.unwrap_or_default();
        format!("{certificate}\n{}{}\n", summary_text(system, results), shown.time_text())
    }

    fn entries(&self, shown: Shown) -> Vec<Entry> {
        let Some((system, results)) = self.found else { return Vec::new() };
        let (numbers, sources, negative) = (&Numbers::default(), self.sources, shown.negative);
        let context = Context { path: self.path, isolate: None, system, numbers, sources, negative };
        results.iter().map(|it| Entry::of_claim(&of_trace(system, sources, it), context)).collect()
    }

    fn content(&self, shown: Shown) -> dto::TraceContent {
        let all = self.found.iter().flat_map(|&(system, results)| results.iter().map(move |it| (system, it)));
        let traces = all.map(|(system, it)| result_dto(system, self.sources, it, shown)).collect();
        dto::TraceContent { path: self.path.to_owned(), traces }
    }
}

/// Returns the line in which a span begins, from 1.
pub fn line(sources: &Sources, span: Span) -> usize {
    sources.get(span.file).map_or(0, |source| source.line_column(span.start).0)
}

/// Returns an answer as text: a line, the execution if any, an error if the answer differs from the declared one, and the
/// cost if that is shown.
pub fn result_text(system: &System, sources: &Sources, result: &TraceResult, shown: Shown) -> String {
    let cost = if shown.stats { stats_text(&result.statistics) } else { String::new() };
    if shown.quiet && result.is_expected(system) == Some(true) {
        return cost;
    }
    let trace = &system.traces[result.trace];
    let palette = shown.palette;
    let answer = match (&result.outcome, result.is_expected(system)) {
        (Outcome::Sat(_), Some(true)) => palette.good("sat, as declared"),
        (Outcome::Unsat, Some(true)) => palette.good("unsat, as declared"),
        (Outcome::Sat(_), _) => palette.bad("SAT"),
        (Outcome::Unsat, _) => palette.bad("UNSAT"),
        (Outcome::Unknown(exhausted), _) => palette.caution(&format!("unknown ({exhausted})")),
        (Outcome::InternalError(_), _) => palette.bad("INTERNAL ERROR"),
    };
    let mut text = format!("  trace L{}  {answer}\n", line(sources, trace.span));
    let finding = of_trace(system, sources, result);
    if finding.severity == Severity::Error {
        let _ = write!(text, "\n{}\n", render_finding(&finding, sources, palette));
    }
    if let Outcome::Sat(execution) = &result.outcome {
        let style = TraceStyle { sources: Some(sources), ..shown.into() };
        let found = execution_text(system, &system.sig, &execution.structure, &execution.calls, style);
        text.push_str(&found.lines().fold(String::new(), |text, line| text + "  " + line + "\n"));
    }
    text + &cost
}

/// Returns the last line: `3 traces: 2 as declared, 1 not`.
fn summary_text(system: &System, results: &[TraceResult]) -> String {
    let count = |wanted| results.iter().filter(|it| it.is_expected(system) == wanted).count();
    let noun = if results.len() == 1 { "trace" } else { "traces" };
    if results.is_empty() {
        return "nothing to check: the model has no trace block".to_owned();
    }
    let parts = [(Some(true), "as declared"), (Some(false), "not as declared"), (None, "unknown")];
    let parts: Vec<String> = parts
        .into_iter()
        .map(|(wanted, word)| (count(wanted), word))
        .filter(|&(count, _)| count > 0)
        .map(|(count, word)| format!("{count} {word}"))
        .collect();
    format!("{} {noun}: {}", results.len(), parts.join(", "))
}

/// Converts an answer to JSON data.
fn result_dto(
    system: &System,
    sources: &Sources,
    result: &TraceResult,
    Shown { negative, stats, .. }: Shown,
) -> dto::Trace {
    let trace = &system.traces[result.trace];
    let claim = Claim::of_origin(system, Origin::Trace { trace: result.trace });
    let (line, column) = claim.line_column(sources).unwrap_or_default();
    let (mut reason, mut execution) = (None, None);
    match &result.outcome {
        Outcome::Sat(found) => {
            let view =
                json::View { system, sig: &system.sig, sources, prophecy: &[], negative, is_initial: false };
            execution = Some(view.execution(&found.structure, &found.calls));
        }
        Outcome::Unsat => {}
        Outcome::Unknown(exhausted) => reason = Some(exhausted.to_string()),
        Outcome::InternalError(what) => reason = Some(what.clone()),
    }
    dto::Trace {
        line,
        column,
        fingerprint: claim.fingerprint(system, &Numbers::default()).to_string(),
        expected: if trace.expect_sat { TraceAnswer::Sat } else { TraceAnswer::Unsat },
        answer: (&result.outcome).into(),
        reason,
        execution,
        stats: stats.then(|| json::stats(&result.statistics)),
    }
}
