//! Text and JSON output of `ramsey trace`.

use std::fmt::Write as _;

use super::diagnostics::{Message, render_message};
use super::json::{self, dto};
use super::trace::{Known, TraceStyle, execution_text};
use crate::base::span::{LINE_ENDS, Sources, Span};
use crate::diag::{Label, Severity};
use crate::query::trace::{Outcome, TraceResult};
use crate::system::System;

/// Returns the line in which a span begins, from 1.
pub fn line(sources: &Sources, span: Span) -> usize {
    sources.get(span.file).map_or(0, |source| source.line_column(span.start).0)
}

fn word(expect_sat: bool) -> &'static str {
    if expect_sat { "sat" } else { "unsat" }
}

/// Returns an answer as text: a line, the execution if any, and an error if the answer differs from the declared
/// one.
pub fn result_text(system: &System, sources: &Sources, result: &TraceResult, style: TraceStyle) -> String {
    let trace = &system.traces[result.trace];
    let palette = style.palette;
    let answer = match (&result.outcome, result.is_expected(system)) {
        (Outcome::Sat(_), Some(true)) => palette.good("sat, as declared"),
        (Outcome::Unsat, Some(true)) => palette.good("unsat, as declared"),
        (Outcome::Sat(_), _) => palette.bad("SAT"),
        (Outcome::Unsat, _) => palette.bad("UNSAT"),
        (Outcome::Unknown(exhausted), _) => palette.open(&format!("unknown ({exhausted})")),
        (Outcome::InternalError(_), _) => palette.bad("INTERNAL ERROR"),
    };
    let mut text = format!("  trace L{}  {answer}\n", line(sources, trace.span));
    let (message, remark) = match (&result.outcome, trace.expect_sat) {
        (Outcome::Sat(_), false) => {
            ("there is an execution of this shape", "declared to be impossible".to_owned())
        }
        (Outcome::Unsat, true) => {
            ("there is no execution of this shape", "declared to be possible".to_owned())
        }
        (Outcome::InternalError(what), _) => {
            ("internal error: the answer is not to be trusted", format!("a bug in ramsey: {what}"))
        }
        _ => ("", String::new()),
    };
    if !message.is_empty() {
        let primary = Label { span: first_line(sources, trace.span), text: remark };
        let message = Message {
            severity: Severity::Error,
            code: None,
            text: message,
            primary: Some(&primary),
            secondary: &[],
            notes: &[],
            help: None,
        };
        let _ = write!(text, "\n{}\n", render_message(&message, sources, palette));
    }
    if let Outcome::Sat(execution) = &result.outcome {
        let found = execution_text(system, &system.sig, &execution.structure, &execution.calls, style);
        text.push_str(&found.lines().fold(String::new(), |text, line| text + "  " + line + "\n"));
    }
    text
}

/// Returns the span of the first line of a block.
fn first_line(sources: &Sources, span: Span) -> Span {
    let text = sources.get(span.file).map_or("", |source| source.text.as_str());
    let block = text.get(span.start as usize..span.end as usize).unwrap_or("");
    let line = block.split(LINE_ENDS).next().unwrap_or("");
    Span { end: span.start + line.trim_end().len() as u32, ..span }
}

/// Returns the last line: `3 traces: 2 as declared, 1 not`.
pub fn summary_text(system: &System, results: &[TraceResult]) -> String {
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
pub fn result_dto(
    system: &System,
    sources: &Sources,
    result: &TraceResult,
    negative: bool,
    with_stats: bool,
) -> dto::Trace {
    let trace = &system.traces[result.trace];
    let (line, column) =
        sources.get(trace.span.file).map_or((0, 0), |source| source.line_column(trace.span.start));
    let (mut reason, mut execution) = (None, None);
    let answer = match &result.outcome {
        Outcome::Sat(found) => {
            let known = Known::default();
            let view = json::View { system, sig: &system.sig, sources, negative, known };
            execution = Some(view.execution(&found.structure, &found.calls));
            "sat"
        }
        Outcome::Unsat => "unsat",
        Outcome::Unknown(exhausted) => {
            reason = Some(exhausted.to_string());
            "unknown"
        }
        Outcome::InternalError(what) => {
            reason = Some(what.clone());
            "internal-error"
        }
    };
    dto::Trace {
        line,
        column,
        expected: word(trace.expect_sat).into(),
        answer: answer.into(),
        reason,
        execution,
        stats: with_stats.then(|| json::stats(&result.statistics)),
    }
}
