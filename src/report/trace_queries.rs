//! Text and JSON output of `ramsey trace`.

use std::fmt::Write as _;

use super::diagnostics::render_finding;
use super::finding::{Claim, of_trace};
use super::json::{self, dto};
use super::outcome::TraceAnswer;
use super::trace::{TraceStyle, execution_text};
use ramsey_core::base::span::{Sources, Span};
use ramsey_core::diag::Severity;
use ramsey_core::system::System;
use ramsey_engine::query::trace::{Outcome, TraceResult};
use ramsey_kernel::obligations::Origin;

/// Returns the line in which a span begins, from 1.
pub fn line(sources: &Sources, span: Span) -> usize {
    sources.get(span.file).map_or(0, |source| source.line_column(span.start).0)
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
        (Outcome::Unknown(exhausted), _) => palette.caution(&format!("unknown ({exhausted})")),
        (Outcome::InternalError(_), _) => palette.bad("INTERNAL ERROR"),
    };
    let mut text = format!("  trace L{}  {answer}\n", line(sources, trace.span));
    let finding = of_trace(system, sources, result);
    if finding.severity == Severity::Error {
        let _ = write!(text, "\n{}\n", render_finding(&finding, sources, palette));
    }
    if let Outcome::Sat(execution) = &result.outcome {
        let found = execution_text(system, &system.sig, &execution.structure, &execution.calls, style);
        text.push_str(&found.lines().fold(String::new(), |text, line| text + "  " + line + "\n"));
    }
    text
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
        fingerprint: claim.fingerprint(system).to_string(),
        expected: if trace.expect_sat { TraceAnswer::Sat } else { TraceAnswer::Unsat },
        answer: (&result.outcome).into(),
        reason,
        execution,
        stats: with_stats.then(|| json::stats(&result.statistics)),
    }
}
