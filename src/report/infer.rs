//! Text and JSON output of `ramsey infer`.

use std::fmt::Write as _;

use super::bmc::{Scene, heading_text, internal_error_text, property_dto, violation_dto, violation_text};
use super::finding::{Claim, Known, Numbers, Refutation, Status, of_target, of_violation};
use super::json::infer::{InferContent, Lemma, MethodName, Skipped};
use super::json::{self, dto, infer};
use super::outcome::InferOutcome;
use super::render::{Render, Shown};
use super::results::{Context, Entry};
use super::trace::{TraceStyle, refutation_text};
use super::verify::{cache_text, stats_text, tally_text};
use super::{Palette, Tally, Verdict};
use ramsey_core::base::budget::Exhausted;
use ramsey_core::base::span::Sources;
use ramsey_core::system::System;
use ramsey_engine::cache;
use ramsey_engine::infer::{
    Answer, Counts, Inference, Language, Method, Open, QuantifierPrefix, Reason, RelaxedExecution,
};
use ramsey_engine::query::Counterexample;
use ramsey_engine::query::bmc::{Target, Violation};
use ramsey_kernel::obligations::Property;
use ramsey_solver::formulas::Pretty;

/// Maximum number of counterexamples to induction that are printed in full.
const MAX_COUNTEREXAMPLES: usize = 3;

/// The answer of `ramsey infer`.
#[derive(Clone, Copy, Debug)]
pub struct Report<'a> {
    /// The model's path as given.
    pub path: &'a str,
    /// Its source texts.
    pub sources: &'a Sources,
    /// The requested method.
    pub method: Method,
    /// What was found; `None` if nothing was searched.
    pub found: Option<Found<'a>>,
    /// Commands that go on where the search ended without an invariant.
    pub next: &'a [String],
    /// What the cache was good for, if there is one that ends with the run.
    pub cache: Option<cache::Tally>,
}

/// An inference with what became of its answer.
#[derive(Clone, Copy, Debug)]
pub struct Found<'a> {
    /// The keyword of invariants in the language of the model.
    pub keyword: &'a str,
    /// The inference.
    pub inference: &'a Inference,
    /// The lemmas of the answer in the language of the model.
    pub lemmas: &'a [Lemma],
    /// Answers to the obligations of the resulting model; `None` if there is no such model.
    pub verified: Option<Tally>,
    /// The file to which the lemmas were written.
    pub written: Option<&'a str>,
    /// The certificate, if it was written.
    pub certificate: Option<&'a dto::Certificate>,
    /// Lemmas of an earlier version that do not fit the model.
    pub skipped: &'a [Skipped],
    /// Why the language does not allow the model to claim the lemmas.
    pub falsification: Option<&'a str>,
}

impl Render for Report<'_> {
    type Content = InferContent;

    fn verdict(&self) -> Option<Verdict> {
        Some(self.found.map_or(Verdict::Ok, |it| InferOutcome::from(&it.inference.answer).into()))
    }

    fn exhausted(&self) -> Vec<Exhausted> {
        match self.found.map(|it| &it.inference.answer) {
            Some(&Answer::Unknown { reason: Reason::Exhausted(exhausted), .. }) => vec![exhausted],
            _ => Vec::new(),
        }
    }

    /// Returns the text after the heading.
    fn text(&self, shown: Shown) -> String {
        let Some(found) = &self.found else { return String::new() };
        let mut counts = if shown.stats { counts_text(found.inference) } else { String::new() };
        counts.extend(self.cache.filter(|_| shown.stats).map(|tally| cache_text(&tally)));
        let next = next_text(self.next);
        format!("{}{counts}\n{}\n{next}", answer_text(found, shown, self.sources), summary_text(found))
    }

    fn entries(&self, shown: Shown) -> Vec<Entry> {
        let Some(found) = &self.found else { return Vec::new() };
        let system = &*found.inference.system;
        let (numbers, sources, negative) = (&Numbers::new(system), self.sources, shown.negative);
        let context = Context { path: self.path, isolate: None, system, numbers, sources, negative };
        let of_others = |target: Target| {
            let (status, reason) = match &found.inference.answer {
                Answer::Invariant(_) => (Status::Holds, None),
                Answer::Unsafe(..) | Answer::NoUniversal(_) => (Status::Skipped, None),
                Answer::Unknown { reason, .. } => (Status::Unknown, Some(reason_text(found, *reason))),
                Answer::InternalError(what) => (Status::InternalError, Some(what.clone())),
            };
            let claim = Claim::of_target(system, target, None);
            let title = claim.title();
            let mut finding = of_target(claim, status, ("execution", None), reason);
            if let Some(message) = match status {
                Status::Holds => Some(format!("{title} is part of an inductive invariant")),
                Status::Unknown => Some(format!("no inductive invariant was found that implies {title}")),
                Status::Skipped => {
                    Some(format!("no inductive invariant was looked for that implies {title}"))
                }
                Status::Violated | Status::InternalError => None,
            } {
                finding.message = message;
            }
            Entry::of_claim(&finding, context)
        };
        let entry = |target: Target| match &found.inference.answer {
            Answer::Unsafe(property, counterexample) if target == Target::Model(*property) => {
                let (steps, violation) = violation(system, *property, counterexample);
                Entry::of_claim(&of_violation(system, None, steps, &violation), context)
            }
            Answer::NoUniversal(execution) if target == Target::Model(execution.property) => {
                let relaxed = &execution.relaxed.system;
                let (steps, violation) = violation(relaxed, execution.property, &execution.counterexample);
                let context = Context { system: relaxed, numbers: &Numbers::new(relaxed), ..context };
                Entry::of_claim(&of_violation(relaxed, None, steps, &violation), context)
            }
            _ => of_others(target),
        };
        properties(system).into_iter().map(entry).collect()
    }

    fn content(&self, shown: Shown) -> InferContent {
        let content = self.found.map(|found| content(&found, shown, self.sources));
        InferContent {
            path: self.path.to_owned(),
            method: MethodName(self.method),
            next: self.next.to_vec(),
            cache: self.cache.filter(|_| shown.stats).map(Into::into),
            ..content.unwrap_or_default()
        }
    }
}

/// Returns the heading: the model and the properties that are to be shown.
pub fn properties_text(path: &str, system: &System, palette: Palette) -> String {
    heading_text(path, system, &properties(system), palette)
}

fn properties(system: &System) -> Vec<Target> {
    Property::safety(system).into_iter().map(Target::Model).collect()
}

/// Returns the progress of a search that has taken this time.
pub fn progress_text(method: Method, counts: &Counts, seconds: f64) -> String {
    let Counts { questions, lemmas, refuted, obligations, frames, ctis, widened, .. } = *counts;
    let rate = questions as f64 / seconds.max(0.001);
    let frames = if frames > 0 { format!(", {frames} frames") } else { String::new() };
    let lemmas = count(lemmas.saturating_sub(refuted), "lemma");
    let level = if widened > 0 { format!(", language {}", widened + 1) } else { String::new() };
    let word = method.name();
    format!("{word}: {lemmas}, {obligations} open{frames}{level}, {ctis} CTIs, {rate:.0} questions/s")
}

/// Returns the answer as text, without the heading and the last line.
fn answer_text(report: &Found<'_>, shown: Shown, sources: &Sources) -> String {
    let style = TraceStyle { sources: Some(sources), ..shown.into() };
    let (palette, system) = (style.palette, &*report.inference.system);
    let mut text = String::new();
    for Skipped { name, formula, reason } in report.skipped {
        let claim = claim_text(report.keyword, name.as_deref(), formula);
        let _ = writeln!(text, "  {} {claim}\n    {reason}", palette.caution("does not fit:"));
    }
    match &report.inference.answer {
        Answer::Invariant(_) => {
            let found = format!("inductive with {}:", count(report.lemmas.len() as u64, "lemma"));
            let found = if report.lemmas.is_empty() { "inductive without lemmas" } else { &found };
            let _ = writeln!(text, "  {}", palette.good(found));
            text.push_str(&lemmas_text(report));
            if let Some(tally) = report.verified {
                let total = count(tally.total() as u64, "obligation");
                let _ = writeln!(text, "  verified: {total}, {}", tally_text(tally, palette));
                if tally.ok < tally.total() {
                    text.push_str(
                        "  what is not ok is a theorem or an `fbii` proof, which have no part in this\n",
                    );
                }
            }
            text.extend(report.certificate.map(dto::Certificate::text));
            if let Some(path) = report.written {
                let _ = writeln!(text, "  written to {path}");
            }
        }
        Answer::Unsafe(property, found) => {
            let scene = Scene { system, sources, formula: None, style };
            let (steps, violation) = violation(system, *property, found);
            let _ = write!(text, "\n{}", violation_text(scene, steps, &violation));
        }
        Answer::NoUniversal(found) => {
            text.push_str(&no_universal_text(found, style, sources));
            text.push_str(&languages_text(report.inference, palette));
        }
        Answer::Unknown { reason, open, .. } => {
            if let Some(found) = &report.inference.no_universal {
                let _ = writeln!(text, "{}", no_universal_text(found, style, sources));
            }
            if !report.lemmas.is_empty() {
                let is_whole = report.verified.is_some() || *reason == Reason::Undecidable;
                let heading = if is_whole { "found, but not verified:" } else { "inductive so far:" };
                let _ = writeln!(text, "  {}\n{}", palette.bold(heading), lemmas_text(report).trim_end());
            }
            text.push_str(&open_text(report, open, style));
            text.push_str(&languages_text(report.inference, palette));
        }
        Answer::InternalError(what) => {
            let _ = write!(text, "\n{}", internal_error_text(what, sources, palette));
        }
    }
    text
}

/// Maximum number of prefixes that are printed of a language.
const MAX_PREFIXES: usize = 3;

/// Returns among which formulas lemmas were looked for, by language, with a line for each prefix.
fn languages_text(inference: &Inference, palette: Palette) -> String {
    let mut text = String::new();
    for language in languages(inference) {
        let infer::Language { method: MethodName(method), prefixes, literals, exhausted } = language;
        let end = if exhausted { "searched to the end" } else { "not searched to the end" };
        let size =
            literals.map_or("any number of literals".to_owned(), |most| format!("up to {most} literals"));
        let _ = writeln!(text, "  {}, by {}, with {size}:", palette.caution(end), method.name());
        let mut lines: Vec<String> = prefixes.iter().take(MAX_PREFIXES).cloned().collect();
        match prefixes.len() {
            0 => lines.push("clauses with any number of variables".to_owned()),
            count if count > MAX_PREFIXES => lines.push(format!("{} more prefixes", count - MAX_PREFIXES)),
            _ => {}
        }
        lines.iter().for_each(|line| {
            let _ = writeln!(text, "    {line}");
        });
    }
    text
}

/// Returns among which formulas lemmas were looked for. If no universal invariant exists, that none was found among clauses says
/// nothing more.
fn languages(inference: &Inference) -> Vec<infer::Language> {
    let sorts = &inference.system.sig.sorts;
    let is_not_universal =
        inference.no_universal.is_some() || matches!(inference.answer, Answer::NoUniversal(_));
    let language = |it: &Language| {
        let clauses = it.variables.iter().map(|variables| {
            let of_sort = variables.iter_enumerated().skip(1);
            let outer = of_sort.flat_map(|(sort, &count)| (0..count).map(move |_| sort)).collect();
            QuantifierPrefix { outer, ..QuantifierPrefix::default() }
        });
        // Clauses are a part of what has witnesses as well.
        let clauses: Vec<QuantifierPrefix> = clauses.filter(|_| it.prefixes.is_empty()).collect();
        let prefixes = clauses.iter().chain(&it.prefixes).map(|prefix| {
            let blocks =
                [("forall", &prefix.outer), ("exists", &prefix.witnesses), ("forall", &prefix.inner)];
            let blocks = blocks.into_iter().filter(|(_, block)| !block.is_empty());
            let words = blocks.flat_map(|(word, block)| {
                std::iter::once(word).chain(block.iter().map(|&sort| sorts[sort].name.as_str()))
            });
            words.collect::<Vec<&str>>().join(" ")
        });
        infer::Language {
            method: MethodName(it.method),
            prefixes: prefixes.collect(),
            literals: it.literals,
            exhausted: it.is_exhausted,
        }
    };
    let relevant = |it: &&Language| !is_not_universal || !it.prefixes.is_empty();
    inference.languages.iter().filter(relevant).map(language).collect()
}

/// Returns the prefixes of the language with witnesses in which the search was cut off, as `--prefix` takes them.
pub fn open_prefixes(inference: &Inference) -> Vec<String> {
    let is_open = |it: &infer::Language| it.method.0 == Method::EXISTS && !it.exhausted;
    languages(inference).into_iter().filter(is_open).flat_map(|it| it.prefixes).collect()
}

/// Returns a relaxed execution with what it says.
fn no_universal_text(found: &RelaxedExecution, style: TraceStyle<'_>, sources: &Sources) -> String {
    let system = &found.relaxed.system;
    let scene = Scene { system, sources, formula: None, style };
    let (steps, violation) = violation(system, found.property, &found.counterexample);
    let mut text = format!("\n{}", violation_text(scene, steps, &violation));
    for line in NO_UNIVERSAL {
        let _ = writeln!(text, "  {line}");
    }
    text
}

/// What a violation by a relaxed execution says about invariants.
const NO_UNIVERSAL: [&str; 6] = [
    "in a step `relax` the elements that are no longer `active` disappear; each state has only those",
    "that are there. Formulas of the form `forall ..` without `exists` stay true when elements",
    "disappear: one that holds initially and is preserved by all transitions is true in the last state.",
    "So no conjunction of the safety properties with universally quantified formulas is inductive.",
    "This is no execution of the model, and the protocol may be safe: an inductive invariant that shows",
    "it needs existential quantifiers, and `--hints FILE` takes formulas that have them as candidates",
];

/// Returns the last line.
fn summary_text(report: &Found<'_>) -> String {
    let system = &*report.inference.system;
    let title = |property| Claim::of_property(system, property).title();
    let steps = |found: &Counterexample| count(found.calls.len() as u64, "step");
    let by = report.inference.method.name();
    match &report.inference.answer {
        Answer::Invariant(_) => format!("safe: the properties are part of an inductive invariant (by {by})"),
        Answer::Unsafe(property, _) if property.is_before_init(system) => {
            format!("unsafe: {} is violated before the initial states", title(*property))
        }
        Answer::Unsafe(property, found) => {
            format!("unsafe: an execution of {} violates {}", steps(found), title(*property))
        }
        Answer::NoUniversal(found) => format!(
            "no universal invariant: a relaxed execution of {} violates {}",
            steps(&found.counterexample),
            title(found.property)
        ),
        Answer::Unknown { reason, .. } => format!("unknown: {}", reason_text(report, *reason)),
        Answer::InternalError(_) => "internal error: there is no answer".to_owned(),
    }
}

/// Returns what was done, and its cost, as indented lines.
fn counts_text(inference: &Inference) -> String {
    let mut text = String::from("  inference:\n");
    for (label, value) in inference.counts.printed() {
        let _ = writeln!(text, "    {label:<10} {value}");
    }
    text + &stats_text(&inference.statistics)
}

/// Returns commands, a line each, which are not wrapped: they are copied.
fn next_text(commands: &[String]) -> String {
    let lines = commands.iter().map(|command| format!("  {command}\n"));
    let heading = commands.first().map(|_| "next, one of:\n".to_owned());
    heading.into_iter().chain(lines).collect()
}

/// Returns advice on how to go on after an inference without an answer.
pub fn advice(Report { found, .. }: &Report<'_>) -> Vec<String> {
    let Some(found) = found else { return Vec::new() };
    let Answer::Unknown { reason, open, .. } = &found.inference.answer else { return Vec::new() };
    let mut advice = Vec::new();
    match reason {
        Reason::Exhausted(Exhausted::Cancelled | Exhausted::Numbers) => {}
        Reason::Exhausted(Exhausted::Work) if found.inference.no_universal.is_some() => {
            advice.push(
                "the search for one with existential quantifiers goes on until `--timeout`, `--run-timeout` or `--work`, if one \
                 is given, and without end with `--unlimited`"
                    .to_owned(),
            );
        }
        Reason::Exhausted(_) => {
            advice.push(
                "a larger limit lets the search go on, another `--method` or `--seed` begins elsewhere"
                    .to_owned(),
            );
        }
        Reason::NoSubset => advice.push(
            "the candidates do not suffice: `--hints FILE` adds some, another `--method` finds lemmas itself"
                .to_owned(),
        ),
        Reason::Undecidable => advice.push(
            "with `--no-strict` they are verified and written, and `ramsey verify --no-strict` takes the model"
                .to_owned(),
        ),
        Reason::NoInvariant => advice.push(
            "the invariant may need more variables, literals or quantifiers: `--hints FILE` has candidates of yours"
                .to_owned(),
        ),
    }
    if !found.lemmas.is_empty() {
        advice.push("`--output FILE` keeps the lemmas, and `--from FILE` begins with them".to_owned());
    }
    if !open.is_empty() {
        advice.push(
            "a lemma that excludes the first state of a counterexample may be what is missing: `ramsey cti` shows \
             a smallest one, `ramsey generalize` makes a conjecture of it, and `--hints FILE` takes that as a candidate"
                .to_owned(),
        );
    }
    advice
}

fn reason_text(report: &Found<'_>, reason: Reason) -> String {
    if report.inference.no_universal.is_some() {
        let end = match reason {
            Reason::Exhausted(Exhausted::Cancelled) => "the run was interrupted".to_owned(),
            Reason::Exhausted(exhausted) => format!("a limit ended the search ({exhausted})"),
            Reason::NoSubset | Reason::NoInvariant | Reason::Undecidable => "none was found".to_owned(),
        };
        return format!("no universal invariant exists, and for one with existential quantifiers {end}");
    }
    match reason {
        Reason::Exhausted(exhausted) if report.verified.is_some() => {
            format!("lemmas were found, and not verified ({exhausted})")
        }
        Reason::Exhausted(Exhausted::Cancelled) => "the run was interrupted".to_owned(),
        Reason::Exhausted(exhausted) => {
            format!("neither an invariant nor a violation was found ({exhausted})")
        }
        Reason::NoSubset => "no part of the candidates is inductive and implies the properties".to_owned(),
        Reason::NoInvariant => "no invariant was found in the languages that are tried".to_owned(),
        Reason::Undecidable => {
            let falsification =
                report.falsification.map_or(String::new(), |falsification| format!(": {falsification}"));
            format!("lemmas were found that the model may not claim without `--no-strict`{falsification}")
        }
    }
}

/// Says of a lemma that the model has it already: a comment, since lemmas are copied.
const DECLARED: &str = "  # declared by the model";

fn lemmas_text(report: &Found<'_>) -> String {
    let line = |it: &Lemma| {
        let remark = if it.declared { DECLARED } else { "" };
        format!("    {}{remark}\n", claim_text(report.keyword, it.name.as_deref(), &it.formula))
    };
    report.lemmas.iter().map(line).collect()
}

fn claim_text(keyword: &str, name: Option<&str>, formula: &str) -> String {
    let name = name.map_or(String::new(), |name| format!("[{name}] "));
    format!("{keyword} {name}{formula}")
}

fn open_text(report: &Found<'_>, open: &[Open], style: TraceStyle<'_>) -> String {
    let mut text = String::new();
    let mut shown = 0;
    for obligation in open {
        let (transition, formula) = open_parts(report, obligation);
        let claim = claim_text(report.keyword, obligation.name.as_deref(), &formula);
        let heading = match transition {
            Some(transition) => format!("not shown that transition `{transition}` preserves"),
            None => "not shown to hold initially".to_owned(),
        };
        let _ = writeln!(text, "  {}\n    {claim}", style.palette.caution(&heading));
        if let Some(refutation) = refutation(report, obligation)
            && shown < MAX_COUNTEREXAMPLES
        {
            shown += 1;
            let shown = refutation_text(refutation, style);
            text.extend(shown.lines().map(|line| format!("  {line}\n")));
        }
    }
    text
}

/// Returns the transition and the formula of an open obligation.
fn open_parts<'a>(report: &Found<'a>, open: &Open) -> (Option<&'a str>, String) {
    let system = &*report.inference.system;
    let transition = open.transition.and_then(|index| system.transitions.get(index));
    (transition.map(|it| it.name.as_str()), Pretty::new(system.syntax(), open.formula).to_string())
}

/// Returns the counterexample to an open obligation.
fn refutation<'a>(report: &Found<'a>, open: &'a Open) -> Option<Refutation<'a>> {
    let system = &*report.inference.system;
    let known = Known { is_initial: open.transition.is_none(), assertion: None, proof: None };
    Some(Refutation { system, syntax: system.syntax(), found: open.counterexample.as_deref()?, known })
}

/// Returns an execution that violates a property, with its number of steps; `None` before the initial states.
fn violation(system: &System, property: Property, found: &Counterexample) -> (Option<u16>, Violation) {
    let steps = (!property.is_before_init(system)).then_some(found.calls.len() as u16);
    (steps, Violation { target: Target::Model(property), counterexample: found.clone() })
}

/// Returns `3 lemmas`.
fn count(number: u64, noun: &str) -> String {
    format!("{number} {noun}{}", if number == 1 { "" } else { "s" })
}

/// Returns the data of the document, without the path and the requested method.
fn content(report: &Found<'_>, shown: Shown, sources: &Sources) -> InferContent {
    let style = TraceStyle { sources: Some(sources), ..shown.into() };
    let (inference, system) = (report.inference, &*report.inference.system);
    let (targets, claims) = (properties(system).into_iter(), (system, &Numbers::new(system)));
    let mut content = InferContent {
        found_by: Some(MethodName(inference.method)),
        answer: Some((&inference.answer).into()),
        properties: targets.map(|target| property_dto(claims, target, sources, None)).collect(),
        lemmas: report.lemmas.to_vec(),
        verified: report.verified.map(json::summary),
        written: report.written.map(str::to_owned),
        certificate: report.certificate.cloned(),
        skipped: report.skipped.to_vec(),
        languages: languages(inference),
        counts: inference.counts.into(),
        stats: shown.stats.then(|| json::stats(&inference.statistics)),
        ..InferContent::default()
    };
    let scene = Scene { system, sources, formula: None, style };
    match &inference.answer {
        Answer::Invariant(_) | Answer::NoUniversal(_) => {}
        Answer::Unsafe(property, found) => {
            let (steps, violation) = violation(system, *property, found);
            content.violation = violation_dto(scene, steps, &violation);
        }
        Answer::Unknown { reason, open, .. } => {
            content.reason = Some(reason_text(report, *reason));
            content.open = open.iter().map(|open| open_dto(report, open, style, sources)).collect();
        }
        Answer::InternalError(what) => content.reason = Some(what.clone()),
    }
    let relaxed = match &inference.answer {
        Answer::NoUniversal(found) => Some(found),
        _ => inference.no_universal.as_ref(),
    };
    if let Some(found) = relaxed {
        let system = &found.relaxed.system;
        let (steps, violation) = violation(system, found.property, &found.counterexample);
        content.violation = violation_dto(Scene { system, ..scene }, steps, &violation);
        content.relaxed = true;
    }
    content
}

fn open_dto(report: &Found<'_>, open: &Open, style: TraceStyle<'_>, sources: &Sources) -> infer::Open {
    let (transition, formula) = open_parts(report, open);
    infer::Open {
        transition: transition.map(str::to_owned),
        name: open.name.clone(),
        formula,
        counterexample: refutation(report, open).map(|it| json::counterexample(it, sources, style.negative)),
    }
}
