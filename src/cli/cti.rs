//! `ramsey cti`: counterexamples to induction.

use super::args::CtiArgs;
use std::io::{self, Write as _};
use std::path::Path;
use std::sync::Arc;
use std::time::Instant;

use super::args::OutputFormat;
use super::claims::{has_claims, nothing_to_check};
use super::edit::edit_model;
use super::files::check_parents;
use super::output::{print_diagnostics, stderr_palette, stdout, stdout_palette};
use super::picture::Gallery;
use super::progress::Progress;
use super::select::{not_declared, select, unknown_names};
use super::shared::{Model, write_document};
use super::signals;
use super::sources::{display, in_document, read_text};
use super::ui::{Subject, with_report};
use ramsey_app::{Executions, Findings};
use ramsey_core::base::budget::{Budget, Exhausted};
use ramsey_core::base::span::Sources;
use ramsey_core::diag::{Code, Diagnostic, Severity};
use ramsey_core::logic::{SymId, SymbolKind};
use ramsey_core::system::System;
use ramsey_engine::query::Outcome;
use ramsey_engine::query::bmc::{Depth, Outcome as Bounded};
use ramsey_engine::query::cti::{
    Answer, KnownState, Measure, Options, Sameness, Search, complete, without_invariants,
};
use ramsey_engine::query::triage::{self, Refuted, Triage};
use ramsey_engine::query::verify::Limits;
use ramsey_kernel::obligations::{Property, Question};
use ramsey_report::Verdict;
use ramsey_report::bmc::Scene;
use ramsey_report::cti::{inductive_text, measures_text, origin_text, unknown_text};
use ramsey_report::json::cti::content;
use ramsey_report::json::{Document, Head, States, read_counterexamples};
use ramsey_report::trace::TraceStyle;
use ramsey_report::triage::{Report, removal_reason, triage_dto, triage_text};
use ramsey_report::verify::{TextStyle, failure_text};
use ramsey_report::{Palette, Tally, fragment, unknown};
use ramsey_services::workbench::{Removal, remove_claims};
use ramsey_solver::ask::Statistics;

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
    let system = model.system.take();
    model.print_new((args.format, args.color), &sources);
    let found = system.and_then(|system| search(args, &mut model, system, &sources, start));
    let verdict = write(args, &mut model, found.as_ref(), &sources)?;
    let depths = found.as_ref().and_then(|found| found.triage.as_ref()).map(depths);
    Ok(with_report(&args.report, args.color, verdict, || {
        let limits = args.limits.limits(start);
        report(args, &model, found.as_ref()?, depths.as_deref(), (&sources, verdict, limits))
    }))
}

/// Returns the answer of a search for claims that are false in reachable states, as that of a bounded check.
fn depths(triage: &Triage) -> Vec<Depth> {
    let depth = |steps: Option<u16>, outcome| Depth {
        steps,
        outcome,
        by_induction: triage.by_induction,
        certificates: Vec::new(),
        statistics: Statistics::default(),
    };
    match triage.refuted.first() {
        Some(it) => vec![depth(it.steps, Bounded::Violated(Box::new(it.violation.clone())))],
        None => triage.checked.map(|steps| depth(Some(steps), Bounded::Holds)).into_iter().collect(),
    }
}

/// Returns what the report of the run shows.
fn report<'a>(
    args: &'a CtiArgs,
    model: &Model,
    found: &'a Found,
    depths: Option<&'a [Depth]>,
    (sources, verdict, limits): (&Sources, Verdict, Limits),
) -> Option<Subject<'a>> {
    let system = found.answer.as_ref().map_or(&found.system, |(system, _)| system);
    let answer = found.answer.as_ref().map(|(_, answer)| answer);
    let executions =
        Executions { depth: args.bound.unwrap_or_default(), claims: args.invariant.clone(), formula: None };
    let asked = depths.map(|depths| (executions, &*found.system, depths));
    let counted = |count: usize| match count {
        1 => "1 counterexample to induction".to_owned(),
        count => format!("{count} counterexamples to induction"),
    };
    let told = match (answer, answer.map_or(0, |it| it.verification.results.len())) {
        (None, _) => "a claim is false in a reachable state".to_owned(),
        (Some(_), 1..) => counted(answer.map_or(0, |it| it.verification.results.len())),
        (Some(answer), 0) if answer.unknown.is_empty() => "no counterexample to induction".to_owned(),
        (Some(answer), 0) => format!("{} obligations have no answer", answer.unknown.len()),
    };
    Some(Subject {
        path: &args.model,
        model: model.shown(system, sources)?,
        lemmas: Vec::new(),
        findings: Findings {
            verification: answer.map(|it| &it.verification),
            executions: asked,
            told,
            verdict,
        },
        limits,
    })
}

/// What was found.
struct Found {
    /// The system as it was read.
    system: Arc<System>,
    /// The claims that are false in reachable states, if these were searched.
    triage: Option<Triage>,
    /// Indices of the invariants that were taken out of the model.
    removed: Vec<usize>,
    /// The system without these, and the counterexamples to induction; `None` if a claim is false that stays.
    answer: Option<(Arc<System>, Answer)>,
}

/// Searches the selected obligations and draws the counterexamples. Returns `None` if there is nothing to search.
fn search(
    args: &CtiArgs,
    model: &mut Model,
    system: Arc<System>,
    sources: &Sources,
    start: Instant,
) -> Option<Found> {
    let chosen = options(args, &system);
    let (mut gallery, is_anything) = match (&chosen, args.pictures.gallery(&system, &args.model)) {
        (Ok(options), Ok(gallery)) => (gallery, options.is_some()),
        (_, gallery) => {
            model.diagnostics.extend(chosen.err().into_iter().chain(gallery.err()).flatten());
            return None;
        }
    };
    if !is_anything {
        return None;
    }
    let limits = args.limits.limits(start);
    signals::end_with_summary();
    let triage = args.bound.map(|bound| triage(args, model, &system, sources, bound, &limits));
    let removed = match &triage {
        Some(triage) if args.remove => remove(args, model, &system, triage, sources),
        _ => Vec::new(),
    };
    if let Some(triage) = &triage {
        let drawn = triage.refuted.iter().try_for_each(|refuted| {
            gallery.counterexample(&model.name, &system, system.syntax(), &refuted.violation.counterexample)
        });
        model.diagnostics.extend(drawn.err());
        let is_removed =
            |it: &Refuted| matches!(it.property, Property::Invariant(index) if removed.contains(&index));
        if triage.internal_error.is_some() || !triage.refuted.iter().all(is_removed) {
            return Some(Found {
                system: Arc::clone(&system),
                triage: Some(triage.clone()),
                removed,
                answer: None,
            });
        }
    }
    let rest = if removed.is_empty() {
        Arc::clone(&system)
    } else {
        Arc::new(without_invariants(&system, &removed))
    };
    // Places in the lists of the system have changed, and an invariant that was chosen may be gone.
    let answer = match options(args, &rest) {
        Ok(options) => options.map(|options| {
            let search = Search::new(Arc::clone(&rest), &options);
            let outside = fragment::diagnostics(&rest, search.outside(&limits), Severity::Warning);
            if let Some(warning) = outside.into_iter().next() {
                model.warn_before_search(warning, &limits, (args.format, args.color), sources);
            }
            let progress = Progress::new(true);
            search.run(&limits, &mut |origin| progress.say(|| origin_text(&rest, origin)))
        }),
        Err(_) => None,
    };
    if let Some(answer) = &answer {
        model.diagnostics.extend(draw(gallery, &model.name, &rest, answer).err());
    }
    Some(Found { system, triage, removed, answer: answer.map(|answer| (rest, answer)) })
}

/// Searches for claims that are false in a reachable state.
fn triage(
    args: &CtiArgs,
    model: &mut Model,
    system: &Arc<System>,
    sources: &Sources,
    bound: u16,
    limits: &Limits,
) -> Triage {
    let is_chosen = |label: &str| args.invariant.is_empty() || args.invariant.iter().any(|it| it == label);
    let invariants = (0..system.invariants.len()).map(Property::Invariant);
    let mut properties: Vec<Property> = invariants.filter(|it| is_chosen(it.label(system))).collect();
    if args.invariant.is_empty() {
        properties.extend((0..system.assertions.len()).map(Property::Assertion));
    }
    let search = triage::Search::new(Arc::clone(system), &properties, bound, args.seed, None);
    if let Some((steps, cycle)) = search.cycle() {
        let concerned = format!("concerned are states that are reached in {steps} or more steps");
        let warning = fragment::executions_warning(system, cycle, None, "executions are", concerned);
        model.warn_before_search(warning, limits, (args.format, args.color), sources);
    }
    let progress = Progress::new(true);
    search.run(limits, &mut |property, steps| {
        progress.say(|| format!("{}: executions of {steps} steps", property.label(system)));
    })
}

/// Takes refuted invariants that are no safety properties out of the model's file, and returns them.
fn remove(
    args: &CtiArgs,
    model: &mut Model,
    system: &System,
    triage: &Triage,
    sources: &Sources,
) -> Vec<usize> {
    let removal = |refuted: &Refuted| match refuted.property {
        Property::Invariant(invariant) if !system.invariants[invariant].is_safety => {
            Some(Removal { invariant, reason: removal_reason(refuted) })
        }
        _ => None,
    };
    let removals: Vec<Removal> = triage.refuted.iter().filter_map(removal).collect();
    let Some(file) = model.file.filter(|_| !removals.is_empty() && !signals::is_interrupted()) else {
        return Vec::new();
    };
    let text = &sources[file].text;
    let removed = edit_model("--remove", &args.model, text, |_, load| {
        Ok((remove_claims(text, file, system, &removals, load)?, ()))
    });
    match removed {
        Ok(()) => removals.iter().map(|removal| removal.invariant).collect(),
        Err(error) => {
            model.diagnostics.push(error);
            Vec::new()
        }
    }
}

/// Writes the answer as text or JSON.
fn write(args: &CtiArgs, model: &mut Model, found: Option<&Found>, sources: &Sources) -> io::Result<Verdict> {
    let mut verdict = model.verdict();
    let mut reasons: Vec<Exhausted> = Vec::new();
    let triage = found.and_then(|found| found.triage.as_ref());
    let answer = found.and_then(|found| found.answer.as_ref());
    if let Some(triage) = triage {
        if triage.internal_error.is_some() {
            verdict = verdict.max(Verdict::InternalError);
        } else if answer.is_none() {
            verdict = verdict.max(Verdict::Counterexample);
        }
        reasons.extend(triage.exhausted);
    }
    if let Some((_, answer)) = answer {
        verdict = verdict.max(Verdict::of_tally(Tally::of(&answer.verification.results)));
        reasons.extend(answer.unknown.iter().map(|&(_, exhausted)| exhausted));
        if !answer.unknown.is_empty() {
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
        let report = triage_report(args, &model.name, found, sources, stdout_palette(args.color));
        let answer = answer.map(|(system, answer)| (&**system, answer));
        let negative = args.print_negative_tuples;
        Document::new(head, content(&model.name, answer, report.as_ref().map(triage_dto), sources, negative))
            .text()
    })?;
    model.print_new(how, sources);
    let mut out = stdout();
    if args.format == OutputFormat::Text {
        let palette = stdout_palette(args.color);
        let mut text = triage_report(args, &model.name, found, sources, palette)
            .map_or(String::new(), |report| triage_text(&report));
        if let Some((system, answer)) = answer {
            if !text.is_empty() {
                text.push('\n');
            }
            text.push_str(&answer_text(args, &model.name, system, answer, sources, palette));
        }
        out.write_all(text.as_bytes())?;
        out.write_all(unknown::explanations_text(&explanations).as_bytes())?;
    }
    out.flush()?;
    Ok(verdict.max(written))
}

fn triage_report<'a>(
    args: &CtiArgs,
    name: &'a str,
    found: Option<&'a Found>,
    sources: &'a Sources,
    palette: Palette,
) -> Option<Report<'a>> {
    let found = found?;
    let style = TraceStyle { palette, negative: args.print_negative_tuples, sources: Some(sources) };
    Some(Report {
        scene: Scene { system: &found.system, sources, formula: None, style },
        model: name,
        bound: args.bound?,
        triage: found.triage.as_ref()?,
        removed: &found.removed,
    })
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
        obligation: None,
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
            found.map(Measure::Size).ok_or_else(|| not_declared("--minimize", "sort", name, &sorts))
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
                None => Err(not_declared("--minimize", "relation", name, &relations)),
            }
        }
        _ => Err(Diagnostic::error_nowhere(Code::Usage, format!("--minimize: `{text}` is no measure"))
            .help("measures are `sort:S`, `pos:R`, `neg:R` and `elements`")),
    }
}
