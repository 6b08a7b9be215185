//! Answers of `ramsey cti`: verdict, text and data of the document.

use std::fmt::Write as _;

use super::finding::origin_text;
use super::json::cti::{self as json, CtiContent, Other};
use super::json::{JsonStyle, obligations};
use super::render::{Render, Shown};
use super::triage::Triaged;
use super::verify::{TextStyle, failure_text};
use super::{Palette, Tally, Verdict};
use ramsey_core::base::budget::Exhausted;
use ramsey_core::base::span::Sources;
use ramsey_core::logic::Signature;
use ramsey_core::system::System;
use ramsey_engine::query::cti::{Answer, Measure, MeasuredValue};
use ramsey_kernel::obligations::Origin;

/// Counterexamples to induction, and what came before them.
#[derive(Clone, Copy, Debug)]
pub struct Report<'a> {
    /// The model's path as given.
    pub path: &'a str,
    /// Its source texts.
    pub sources: &'a Sources,
    /// Result of the search for claims that are false in a reachable state, if requested.
    pub triaged: Option<Triaged<'a>>,
    /// The system that was searched and the counterexamples; `None` if nothing was searched.
    pub answer: Option<(&'a System, &'a Answer)>,
    /// Maximum number of counterexamples.
    pub count: usize,
    /// Whether some were known before.
    pub are_known: bool,
}

impl Render for Report<'_> {
    type Content = CtiContent;

    fn verdict(&self) -> Option<Verdict> {
        let triage = match (&self.triaged, self.answer) {
            (Some(Triaged { triage, .. }), _) if triage.internal_error.is_some() => Verdict::InternalError,
            (Some(_), None) => Verdict::Counterexample,
            _ => Verdict::Ok,
        };
        let answer = self.answer.map_or(Verdict::Ok, |(_, answer)| {
            let unknown = if answer.unknown.is_empty() { Verdict::Ok } else { Verdict::Unknown };
            Verdict::of_tally(Tally::of(&answer.verification.results)).max(unknown)
        });
        Some(triage.max(answer))
    }

    fn exhausted(&self) -> Vec<Exhausted> {
        let triage = self.triaged.and_then(|it| it.triage.exhausted);
        let unknown = self.answer.iter().flat_map(|(_, answer)| &answer.unknown);
        triage.into_iter().chain(unknown.map(|&(_, exhausted)| exhausted)).collect()
    }

    fn text(&self, shown: Shown) -> String {
        let triage = self.triaged.map(|it| it.text(self.path, self.sources, shown));
        let answer = self.answer.map(|(system, answer)| self.answer_text(system, answer, shown));
        [triage, answer].into_iter().flatten().collect::<Vec<_>>().join("\n")
    }

    fn content(&self, shown: Shown) -> CtiContent {
        let mut content = CtiContent {
            model: self.path.to_owned(),
            triage: self.triaged.map(|it| it.content(self.sources, shown)),
            ..CtiContent::default()
        };
        let Some((system, answer)) = self.answer else { return content };
        let style = JsonStyle { negative: shown.negative, stats: false, cores: false };
        let found = obligations(system, &answer.verification, self.sources, style).into_iter().enumerate();
        let measures = |at: usize| -> Vec<json::Measure> {
            let values = answer.reached.get(at).map_or(&[][..], Vec::as_slice).iter();
            let measure = |it: &MeasuredValue| json::Measure {
                measure: measure_text(&system.sig, it.measure),
                value: it.value,
                minimal: it.is_minimal,
            };
            values.map(measure).collect()
        };
        let mut found = found.map(|(at, mut obligation)| Other {
            counterexample: obligation.counterexample.take(),
            measures: measures(at),
            obligation,
        });
        if let Some(Other { obligation, measures, counterexample }) = found.next() {
            (content.obligation, content.measures) = (Some(obligation), measures);
            content.counterexample = counterexample;
        }
        content.others = found.collect();
        let unknown = answer.unknown.iter().map(|&(origin, exhausted)| json::Unknown {
            obligation: origin_text(system, origin),
            reason: exhausted.to_string(),
        });
        content.unknown = unknown.collect();
        content
    }
}

impl Report<'_> {
    fn answer_text(&self, system: &System, answer: &Answer, shown: Shown) -> String {
        let Shown { palette, negative, .. } = shown;
        let style = TextStyle { palette, negative, quiet: true, ..TextStyle::default() };
        let mut text = String::new();
        for (at, result) in answer.verification.results.iter().enumerate() {
            if at > 0 {
                text.push('\n');
            }
            text.push_str(&failure_text(
                system,
                &answer.verification.obligations,
                self.sources,
                result,
                style,
            ));
            let reached = answer.reached.get(at).map_or(&[][..], Vec::as_slice);
            text.push_str(&measures_text(&system.sig, reached, palette));
        }
        text.push_str(&unknown_text(system, &answer.unknown, palette));
        let count = answer.verification.results.len();
        if count < self.count && answer.unknown.is_empty() && !answer.has_internal_error() {
            if count > 0 {
                text.push('\n');
            }
            text.push_str(&inductive_text(self.path, count > 0 || self.are_known, palette));
        }
        text
    }
}

/// Returns a measure in the syntax of the command line.
fn measure_text(sig: &Signature, measure: Measure) -> String {
    match measure {
        Measure::Elements => "elements".to_owned(),
        Measure::Size(sort) => format!("sort:{}", sig.sorts[sort].name),
        Measure::Positive(sym, _) => format!("pos:{}", sig.symbols[sym].name),
        Measure::Negative(sym, _) => format!("neg:{}", sig.symbols[sym].name),
    }
}

/// Returns the measures with their values, minimal ones on one line and the others on another; empty if there are
/// none.
fn measures_text(sig: &Signature, reached: &[MeasuredValue], palette: Palette) -> String {
    let mut text = String::new();
    for (is_minimal, heading) in [(true, "minimal:"), (false, "not proved minimal:")] {
        let of_kind = reached.iter().filter(|it| it.is_minimal == is_minimal);
        let items: Vec<String> =
            of_kind.map(|it| format!("{} = {}", measure_text(sig, it.measure), it.value)).collect();
        if !items.is_empty() {
            let _ = writeln!(text, "  {}\n    {}", palette.bold(heading), items.join(", "));
        }
    }
    text
}

/// Returns one line for each obligation without an answer.
fn unknown_text(system: &System, unknown: &[(Origin, Exhausted)], palette: Palette) -> String {
    let mut text = String::new();
    for &(origin, exhausted) in unknown {
        let word = palette.caution(&format!("unknown ({exhausted})"));
        let _ = writeln!(text, "{}: {word}", origin_text(system, origin));
    }
    text
}

/// Returns the line for a model without a counterexample to induction, or without one besides those already known.
fn inductive_text(name: &str, are_known: bool, palette: Palette) -> String {
    if are_known {
        return format!("{}: there is no other counterexample to induction\n", palette.bold(name));
    }
    format!(
        "{}: {}, there is no counterexample to induction\n",
        palette.bold(name),
        palette.good("inductive")
    )
}
