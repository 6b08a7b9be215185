//! `ramsey cti`: counterexamples to induction.

use super::args::CtiArgs;
use std::io::{self, Write as _};
use std::path::Path;
use std::sync::Arc;
use std::time::Instant;

use super::args::OutputFormat;
use super::claims::{has_claims, nothing_to_check};
use super::files::check_parents;
use super::output::{print_diagnostics, stderr_palette, stdout, stdout_palette};
use super::picture::Gallery;
use super::progress::Progress;
use super::select::{listed, select, unknown_names};
use super::shared::{Model, write_document};
use super::signals;
use super::sources::{display, in_document, read_text};
use crate::base::budget::{Budget, Exhausted};
use crate::base::span::Sources;
use crate::diag::{Code, Diagnostic, Severity, nearest};
use crate::logic::{SymId, SymbolKind};
use crate::query::Outcome;
use crate::query::cti::{Answer, KnownState, Measure, Options, Sameness, Search, complete};
use crate::report::Verdict;
use crate::report::cti::{inductive_text, measures_text, origin_text, unknown_text};
use crate::report::json::cti::content;
use crate::report::json::{Document, Head, States, read_counterexamples};
use crate::report::verify::{TextStyle, failure_text};
use crate::report::{Palette, Tally, fragment, unknown};
use crate::system::System;
use crate::vc::Question;

/// Work units for comparing a known state with others up to the names of elements.
const KNOWN_STATE_WORK: u64 = 10_000_000;

/// Shows the first counterexamples to induction.
pub(super) fn run(args: &CtiArgs) -> io::Result<Verdict> {
    let misplaced = check_parents([&args.output]);
    if !misplaced.is_empty() {
        print_diagnostics(&misplaced, &Sources::new(), stderr_palette(args.color));
        return Ok(Verdict::BadInput);
    }
    let mut sources = Sources::new();
    let start = Instant::now();
    let reading = args.limits.reading(start);
    let mut model = Model::read(&args.model, args.language, args.strictness, &mut sources, reading);
    if model.system.as_ref().is_some_and(|system| !has_claims(system, &Question::Verify)) {
        model.diagnostics.push(nothing_to_check(&model.name, &Question::Verify, false));
    }
    let system = model.system.take().map(Arc::new);
    model.print_new((args.format, args.color), &sources);
    let answer = system.as_ref().and_then(|system| search(args, &mut model, system, &sources, start));
    write(args, &mut model, system.as_deref().zip(answer.as_ref()), &sources)
}

/// Searches the selected obligations and draws the counterexamples. Returns `None` if there is nothing to search.
fn search(
    args: &CtiArgs,
    model: &mut Model,
    system: &Arc<System>,
    sources: &Sources,
    start: Instant,
) -> Option<Answer> {
    let (options, gallery) = match (options(args, system), args.pictures.gallery(system)) {
        (Ok(options), Ok(gallery)) => (options?, gallery),
        (options, gallery) => {
            model.diagnostics.extend(options.err().into_iter().chain(gallery.err()).flatten());
            return None;
        }
    };
    let limits = args.limits.limits(start);
    let search = Search::new(Arc::clone(system), &options);
    let outside = fragment::diagnostics(system, search.outside(&limits), Severity::Warning);
    if let Some(warning) = outside.into_iter().next() {
        model.warn_before_search(warning, &limits, (args.format, args.color), sources);
    }
    signals::end_with_summary();
    let progress = Progress::new(true);
    let found = search.run(&limits, &mut |origin| progress.say(|| origin_text(system, origin)));
    drop(progress);
    model.diagnostics.extend(draw(gallery, &model.name, system, &found).err());
    Some(found)
}

/// Writes the answer as text or JSON.
fn write(
    args: &CtiArgs,
    model: &mut Model,
    found: Option<(&System, &Answer)>,
    sources: &Sources,
) -> io::Result<Verdict> {
    let mut verdict = model.verdict();
    let mut reasons: Vec<Exhausted> = Vec::new();
    if let Some((_, answer)) = found {
        verdict = verdict.max(Verdict::of_tally(Tally::of(&answer.verification.results)));
        reasons.extend(answer.unknown.iter().map(|&(_, exhausted)| exhausted));
        if !reasons.is_empty() {
            verdict = verdict.max(Verdict::Unknown);
        }
    }
    let explanations = args.limits.explanations(&reasons);
    let how = (args.format, args.color);
    let written = write_document(args.output.as_deref(), how, || {
        let head = Head {
            diagnostics: model.diagnostics_dto(sources),
            explanations: explanations.clone(),
            ..Head::from(verdict)
        };
        Document::new(head, content(&model.name, found, sources, args.print_negative_tuples)).text()
    })?;
    model.print_new(how, sources);
    let mut out = stdout();
    if let (OutputFormat::Text, Some((system, answer))) = (args.format, found) {
        let palette = stdout_palette(args.color);
        let text = answer_text(args, &model.name, system, answer, sources, palette);
        out.write_all(text.as_bytes())?;
        out.write_all(unknown::explanations_text(&explanations).as_bytes())?;
    }
    out.flush()?;
    Ok(verdict.max(written))
}

fn draw(mut gallery: Gallery, title: &str, system: &System, answer: &Answer) -> Result<(), Diagnostic> {
    let syntax = answer.verification.obligations.syntax();
    for result in &answer.verification.results {
        if let Outcome::Fails(found) = &result.outcome {
            gallery.counterexample(title, system, syntax, found)?;
        }
    }
    Ok(())
}

fn answer_text(
    args: &CtiArgs,
    name: &str,
    system: &System,
    answer: &Answer,
    sources: &Sources,
    palette: Palette,
) -> String {
    let style = TextStyle {
        palette,
        verbose: false,
        quiet: true,
        brief: false,
        negative: args.print_negative_tuples,
        stats: false,
        cores: false,
    };
    let mut text = String::new();
    for (at, result) in answer.verification.results.iter().enumerate() {
        if at > 0 {
            text.push('\n');
        }
        text.push_str(&failure_text(system, &answer.verification.obligations, sources, result, style));
        let reached = answer.reached.get(at).map_or(&[][..], Vec::as_slice);
        text.push_str(&measures_text(&system.sig, reached, palette));
    }
    text.push_str(&unknown_text(system, &answer.unknown, palette));
    let count = answer.verification.results.len();
    if count < args.count.into() && answer.unknown.is_empty() && !answer.has_internal_error() {
        if count > 0 {
            text.push('\n');
        }
        text.push_str(&inductive_text(name, count > 0 || !args.another.is_empty(), palette));
    }
    text
}

/// Returns the search options for this model, or `None` if the model has none of the selected obligations.
fn options(args: &CtiArgs, system: &System) -> Result<Option<Options>, Vec<Diagnostic>> {
    let mut errors = unknown_names([system], "", &args.transition, &args.invariant);
    let mut measures = Vec::new();
    for text in &args.minimize {
        match measure(system, text.trim()) {
            Ok(measure) if measures.contains(&measure) => {}
            Ok(measure) => measures.push(measure),
            Err(error) => errors.push(error),
        }
    }
    let sameness = if args.isomorphic { Sameness::Isomorphic } else { Sameness::Containing };
    let mut known = Vec::new();
    for path in &args.another {
        match known_states(system, path, sameness) {
            Ok(states) => known.extend(states),
            Err(error) => errors.push(error),
        }
    }
    if args.isomorphic && args.another.is_empty() && args.count == 1 {
        let what = "--isomorphic: no counterexample is left out without `--another` or `--count`";
        errors.push(Diagnostic::error_nowhere(Code::Usage, what));
    }
    if !errors.is_empty() {
        return Err(errors);
    }
    Ok(select(system, &args.transition, &args.invariant).map(|selection| Options {
        transitions: selection.transitions,
        invariants: selection.invariants,
        measures: complete(&system.sig, &measures),
        known,
        sameness,
        count: args.count.into(),
        seed: args.seed,
        clock: None,
    }))
}

/// Reads the first states of all counterexamples in a document.
fn known_states(system: &System, path: &Path, sameness: Sameness) -> Result<Vec<KnownState>, Diagnostic> {
    let all = read_counterexamples(system, &read_text(path)?).map_err(|error| in_document(path, error))?;
    let known = |states: &States| {
        let mut budget = Budget::new(Some(KNOWN_STATE_WORK), None);
        KnownState::new(system, &states.structure, sameness, &mut budget).map_err(|count| {
            let what =
                format!("--another: a state in `{}` has {count} facts, which is too many", display(path));
            Diagnostic::error_nowhere(Code::Usage, what)
        })
    };
    all.iter().map(known).collect()
}

/// Reads a measure: `sort:S`, `pos:R`, `neg:R` or `elements`.
fn measure(system: &System, text: &str) -> Result<Measure, Diagnostic> {
    if text == "elements" {
        return Ok(Measure::Elements);
    }
    let sig = &system.sig;
    let (kind, name) = text.split_once(':').map_or((text, ""), |(kind, name)| (kind.trim(), name.trim()));
    match kind {
        "sort" => {
            let sorts: Vec<&str> =
                sig.uninterpreted_sorts().map(|sort| sig.sorts[sort].name.as_str()).collect();
            let found = sig.uninterpreted_sorts().find(|&sort| sig.sorts[sort].name == name);
            found.map(Measure::Size).ok_or_else(|| unknown("sort", name, &sorts))
        }
        "pos" | "neg" => {
            let declared =
                |&sym: &SymId| !matches!(sig.symbols[sym].kind, SymbolKind::Parameter | SymbolKind::Choice);
            let relations: Vec<&str> = sig
                .symbols
                .ids()
                .filter(declared)
                .filter(|&sym| sig.symbols[sym].is_relation())
                .map(|sym| sig.symbols[sym].name.as_str())
                .collect();
            let found = sig.symbols.ids().filter(declared).find(|&sym| sig.symbols[sym].name == name);
            match found {
                Some(sym) if !sig.symbols[sym].is_relation() => Err(Diagnostic::error_nowhere(
                    Code::Usage,
                    format!("--minimize: `{name}` is a function, and only relations have tuples to count"),
                )),
                Some(sym) if kind == "pos" => Ok(Measure::Positive(sym, 0)),
                Some(sym) => Ok(Measure::Negative(sym, 0)),
                None => Err(unknown("relation", name, &relations)),
            }
        }
        _ => Err(Diagnostic::error_nowhere(Code::Usage, format!("--minimize: `{text}` is no measure"))
            .help("measures are `sort:S`, `pos:R`, `neg:R` and `elements`")),
    }
}

fn unknown(kind: &str, name: &str, known: &[&str]) -> Diagnostic {
    let error = Diagnostic::error_nowhere(Code::Usage, format!("--minimize: there is no {kind} `{name}`"));
    match nearest(name, known.iter().copied()) {
        Some(near) => error.help(format!("did you mean `{near}`?")),
        None if known.is_empty() => error.note(format!("no {kind} is declared at all")),
        None => error.help(format!("declared: {}", listed(known))),
    }
}
