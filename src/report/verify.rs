//! Text output of `ramsey verify`.

use std::fmt::Write as _;

use super::diagnostics::render_finding;
use super::finding::{self, Status};
use super::listing::Listing;
use super::trace::{TraceStyle, refutation_text};
use super::{Palette, Tally};
use ramsey_core::base::span::Sources;
use ramsey_core::logic::{Syntax, TermId};
use ramsey_core::system::System;
use ramsey_engine::cache;
use ramsey_engine::query::{ObligationResult, Verification};
use ramsey_kernel::obligations::Obligations;
use ramsey_solver::ask::Statistics;
use ramsey_solver::formulas::Pretty;

/// Maximum width of the excerpt of an unnamed formula, in columns.
const MAX_EXCERPT: usize = 60;

/// Verbosity and style of the output.
#[derive(Clone, Copy, Debug, Default)]
pub struct TextStyle {
    /// Colours.
    pub palette: Palette,
    /// Whether every obligation has its own line.
    pub verbose: bool,
    /// Whether only failures are printed.
    pub quiet: bool,
    /// Whether the file is one of several: the output is one line if everything holds, and ends in a blank line
    /// otherwise.
    pub brief: bool,
    /// Whether tuples at which a relation is false are printed.
    pub negative: bool,
    /// Whether the cost is printed.
    pub stats: bool,
    /// Whether sufficient hypotheses are printed.
    pub cores: bool,
}

/// Returns the answers of one file: a list of obligations, then each failure in full.
pub fn file_text(
    path: &str,
    system: &System,
    verification: &Verification,
    sources: &Sources,
    style: TextStyle,
) -> String {
    let mut out = String::new();
    if !style.quiet {
        let mut listing = Listing::new(path, system, &verification.obligations, sources, style);
        let mut rest = &verification.results[..];
        for group in &verification.obligations.groups {
            let (results, others) = rest.split_at(group.goals.len().min(rest.len()));
            out.push_str(&listing.group(results));
            rest = others;
        }
        out.push_str(&listing.finish());
    }
    out + &failures_text(system, verification, sources, style)
}

/// Returns the text after the list of obligations: each failure in full, and the cost if requested.
pub fn failures_text(
    system: &System,
    verification: &Verification,
    sources: &Sources,
    style: TextStyle,
) -> String {
    let mut out = String::new();
    let mut has_failure = false;
    for result in &verification.results {
        let text = failure_text(system, &verification.obligations, sources, result, style);
        if text.is_empty() {
            continue;
        }
        if !style.quiet || has_failure {
            out.push('\n');
        }
        out.push_str(&text);
        has_failure = true;
    }
    if style.stats {
        out.push_str(&stats_text(&verification.statistics));
    }
    if has_failure && style.brief {
        out.push('\n');
    }
    out
}

/// Returns a failure in full; empty if the answer is another one.
pub fn failure_text(
    system: &System,
    obligations: &Obligations,
    sources: &Sources,
    result: &ObligationResult,
    style: TextStyle,
) -> String {
    if !matches!(Status::of(&result.outcome), Status::Violated | Status::InternalError) {
        return String::new();
    }
    let TextStyle { palette, negative, .. } = style;
    let finding = finding::of_result(system, obligations, sources, result);
    let mut out = render_finding(&finding, sources, palette);
    if let Some(refutation) = finding.refutation() {
        out.push('\n');
        out.push_str(&refutation_text(refutation, TraceStyle { palette, negative, sources: Some(sources) }));
    }
    out
}

/// Returns the line for a file without obligations.
pub fn nothing_text(path: &str, palette: Palette) -> String {
    format!("{}: {}\n", palette.bold(path), palette.dim("nothing to check"))
}

/// Returns the line for a model whose claims all hold.
pub fn brief_text(path: &str, tally: Tally, palette: Palette) -> String {
    format!("{}: {}\n", palette.bold(path), tally_text(tally, palette))
}

/// Returns the lines for files of a directory that belong to the model at `whole`.
pub fn parts_text(whole: &str, parts: &[String], palette: Palette) -> String {
    let part_of = palette.dim(&format!("part of {whole}"));
    parts.iter().map(|path| format!("{}: {part_of}\n", palette.bold(path))).collect()
}

/// Returns the last line of a run: `12 obligations: 11 ok, 1 failed (0.004 s)`.
pub fn summary_text(tally: Tally, seconds: Option<f64>, palette: Palette) -> String {
    let noun = if tally.total() == 1 { "obligation" } else { "obligations" };
    let time = seconds.map_or(String::new(), |seconds| format!(" ({seconds:.3} s)"));
    format!("{} {noun}: {}{time}\n", tally.total(), tally_text(tally, palette))
}

/// Returns the cost of answers as indented lines.
pub fn stats_text(statistics: &Statistics) -> String {
    let mut out = String::from("  statistics:\n");
    for (counter, value) in statistics.values() {
        let Some(label) = counter.label else { continue };
        let value =
            if counter.is_time() { format!("{:.3} ms", value as f64 / 1e6) } else { value.to_string() };
        let _ = writeln!(out, "    {label:<10} {value}");
    }
    out
}

/// Returns what a cache was good for, as indented lines.
pub fn cache_text(tally: &cache::Tally) -> String {
    let cache::Tally { hits, misses, rejected, kept, bytes_read, bytes_written, .. } = tally;
    let milliseconds = |nanoseconds: u64| nanoseconds as f64 / 1e6;
    let (fetch, check) = (milliseconds(tally.fetch_time), milliseconds(tally.check_time));
    format!(
        "  cache:\n    answers    {hits} checked, {misses} not there, {rejected} not valid; {kept} kept\n    bytes      {bytes_read} read, {bytes_written} written\n    reading    {fetch:.3} ms\n    checking   {check:.3} ms\n"
    )
}

pub(super) fn tally_text(tally: Tally, palette: Palette) -> String {
    let paint = |word: &str, text: &str| match word {
        "ok" => palette.good(text),
        "unknown" => palette.caution(text),
        "skipped" => palette.dim(text),
        _ => palette.bad(text),
    };
    let parts: Vec<String> =
        tally.parts().into_iter().map(|(count, word)| paint(word, &format!("{count} {word}"))).collect();
    parts.join(", ")
}

/// Returns a formula on one line, truncated if long.
pub fn formula_excerpt(syntax: Syntax<'_>, formula: TermId) -> String {
    if syntax.terms.tree_size(formula) > 2_000 {
        return "(a large formula)".to_owned();
    }
    let text = Pretty::new(syntax, formula).to_string();
    match text.char_indices().nth(MAX_EXCERPT) {
        None => text,
        Some((at, _)) => format!("{}...", text[..at].trim_end()),
    }
}
