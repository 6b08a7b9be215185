//! Text output of `ramsey verify`.

use std::fmt::Write as _;

use super::diagnostics::{Message, render_message};
use super::listing::Listing;
use super::trace::{Known, TraceStyle, claim_text};
use super::{Palette, Tally};
use crate::ask::Statistics;
use crate::base::ids::Id as _;
use crate::base::span::{FileId, LINE_ENDS, Sources, Span};
use crate::diag::{Label, Severity};
use crate::forms::Pretty;
use crate::logic::{TermId, Terms};
use crate::query::{ObligationResult, Outcome, Verification};
use crate::system::System;
use crate::vc::{Origin, Property};

/// Maximum width of the excerpt of an unnamed formula, in columns.
const EXCERPT: usize = 60;

/// Verbosity and style of the output.
#[derive(Clone, Copy, Debug)]
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
    let out = String::new();
    let mut writer = Writer { system, verification, sources, style, out, has_failure: false };
    for result in &verification.results {
        writer.failure(result);
    }
    if style.stats {
        writer.out.push_str(&stats_text(&verification.statistics));
    }
    if writer.has_failure && style.brief {
        writer.out.push('\n');
    }
    writer.out
}

/// Returns the line for a file without obligations.
pub fn nothing_text(path: &str, palette: Palette) -> String {
    format!("{}: {}\n", palette.bold(path), palette.dim("nothing to check"))
}

/// Returns the lines for files of a directory that belong to the model at `whole`.
pub fn parts_text(whole: &str, parts: &[String], palette: Palette) -> String {
    let told = palette.dim(&format!("part of {whole}"));
    parts.iter().map(|path| format!("{}: {told}\n", palette.bold(path))).collect()
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

pub(super) fn tally_text(tally: Tally, palette: Palette) -> String {
    let paint = |word: &str, text: &str| match word {
        "ok" => palette.good(text),
        "unknown" => palette.open(text),
        "skipped" => palette.dim(text),
        _ => palette.bad(text),
    };
    let parts: Vec<String> =
        tally.parts().into_iter().map(|(count, word)| paint(word, &format!("{count} {word}"))).collect();
    parts.join(", ")
}

/// Returns a formula on one line, truncated if long.
pub fn formula_excerpt(system: &System, terms: &Terms, formula: TermId) -> String {
    if terms.tree_size(formula) > 2_000 {
        return "(a large formula)".to_owned();
    }
    let text = Pretty::new(&system.sig, terms, formula).to_string();
    match text.char_indices().nth(EXCERPT) {
        None => text,
        Some((at, _)) => format!("{}...", text[..at].trim_end()),
    }
}

/// Claim of an obligation.
pub(super) struct Claim<'a> {
    pub(super) noun: &'static str,
    pub(super) label: &'a str,
    pub(super) is_named: bool,
    pub(super) formula: TermId,
    pub(super) span: Span,
}

/// Returns the claim of the obligation of this origin.
pub(super) fn claim(system: &System, origin: Origin) -> Claim<'_> {
    match origin {
        Origin::Initiation { invariant } | Origin::Consecution { invariant, .. } => {
            let it = &system.invariants[invariant];
            Claim {
                noun: if it.is_safety { "safety property" } else { "invariant" },
                label: &it.label,
                is_named: it.name.is_some(),
                formula: it.formula,
                span: it.span,
            }
        }
        Origin::Assertion { assertion } => {
            let it = &system.assertions[assertion];
            Claim { noun: "assertion", label: &it.label, is_named: false, formula: it.formula, span: it.span }
        }
        Origin::Theorem { theorem } => {
            let it = &system.theorems[theorem];
            Claim {
                noun: "theorem",
                label: &it.label,
                is_named: it.name.is_some(),
                formula: it.formula,
                span: it.span,
            }
        }
        Origin::Bounded { property: Property::Invariant(invariant), .. } => {
            claim(system, Origin::Initiation { invariant })
        }
        Origin::Bounded { property: Property::Assertion(assertion), .. } => {
            claim(system, Origin::Assertion { assertion })
        }
        Origin::Trace { trace } => Claim {
            noun: "trace",
            label: "",
            is_named: false,
            formula: TermId::new(0),
            span: system.traces[trace].span,
        },
        // Obligations of a system never have this origin.
        Origin::Query { .. } => Claim {
            noun: "query",
            label: "",
            is_named: false,
            formula: TermId::new(0),
            span: Span { file: FileId::new(0), start: 0, end: 0 },
        },
    }
}

struct Writer<'a> {
    system: &'a System,
    verification: &'a Verification,
    sources: &'a Sources,
    style: TextStyle,
    out: String,
    has_failure: bool,
}

impl Writer<'_> {
    fn failure(&mut self, result: &ObligationResult) {
        let claim = claim(self.system, result.origin);
        let label = claim.label;
        let noun = claim.noun;
        let (counterexample, notes) = match &result.outcome {
            Outcome::Fails(counterexample) => (Some(counterexample), vec![]),
            Outcome::InternalError(what) => (None, vec![what.clone()]),
            Outcome::Holds { .. } | Outcome::Unknown(_) | Outcome::Skipped => return,
        };
        let mut secondary = Vec::new();
        let (mut text, remark) = match result.origin {
            Origin::Initiation { .. } => {
                if let [init] = &self.system.inits[..] {
                    let text = "the only condition on initial states".to_owned();
                    secondary.push(Label { span: init.span, text });
                }
                (
                    format!("{noun} `{label}` does not hold in every initial state"),
                    "false in an initial state",
                )
            }
            Origin::Consecution { transition, .. } => {
                let transition = &self.system.transitions[transition];
                let text = "true before this transition".to_owned();
                secondary.push(Label { span: self.first_line(transition.span), text });
                (
                    format!("transition `{}` does not preserve {noun} `{label}`", transition.name),
                    "false after the transition",
                )
            }
            Origin::Assertion { .. } => {
                (format!("assertion `{label}` is violated"), "false here in some execution")
            }
            Origin::Theorem { .. } => (format!("theorem `{label}` is not valid"), "false in some structure"),
            Origin::Bounded { steps, .. } => {
                (format!("{noun} `{label}` is violated after {steps} steps"), "false in a reachable state")
            }
            Origin::Trace { .. } => ("there is such an execution".to_owned(), "this trace"),
            Origin::Query { .. } => ("the query has a structure".to_owned(), "this query"),
        };
        let mut remark = remark.to_owned();
        if counterexample.is_none() {
            text = format!("internal error at {noun} `{label}`: the answer is not to be trusted");
            remark = "this is a bug in ramsey; please report it with the model".to_owned();
        }
        let primary = Label { span: claim.span, text: remark };
        let message = Message {
            severity: Severity::Error,
            code: None,
            text: &text,
            primary: Some(&primary),
            secondary: &secondary,
            notes: &notes,
            help: None,
        };
        if !self.style.quiet || self.has_failure {
            self.out.push('\n');
        }
        self.out.push_str(&render_message(&message, self.sources, self.style.palette));
        if let Some(counterexample) = counterexample {
            let obligations = &self.verification.obligations;
            let Writer { sources, style, .. } = self;
            let style =
                TraceStyle { palette: style.palette, negative: style.negative, sources: Some(sources) };
            let known = Known::of(result.origin);
            let (sig, terms) = (&obligations.sig, &obligations.terms);
            self.out.push('\n');
            self.out.push_str(&claim_text(self.system, sig, terms, counterexample, known, style));
        }
        self.has_failure = true;
    }

    /// Returns the span of the first line of a declaration, which names it.
    fn first_line(&self, span: Span) -> Span {
        let text = self.sources.get(span.file).map_or("", |source| source.text.as_str());
        let declaration = text.get(span.start as usize..span.end as usize).unwrap_or("");
        let line = declaration.split(LINE_ENDS).next().unwrap_or("");
        Span { end: span.start + line.trim_end().len() as u32, ..span }
    }
}
