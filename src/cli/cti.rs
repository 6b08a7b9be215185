//! `ramsey cti`: counterexamples to induction.

use super::args::CtiArgs;
use std::io;
use std::path::Path;
use std::sync::Arc;
use std::time::Instant;

use super::claims::{has_claims, nothing_to_check};
use super::edit::edit_model;
use super::files::check_parents;
use super::output::{print_diagnostics, stderr_palette};
use super::progress::Progress;
use super::select::{not_declared, select, unknown_names};
use super::shared::Model;
use super::signals;
use super::sources::{display, in_document, read_text};
use super::ui::{Subject, with_report};
use ramsey_app::models::{Methods, Policy};
use ramsey_app::{Executions, Findings};
use ramsey_core::base::budget::Budget;
use ramsey_core::base::span::Sources;
use ramsey_core::diag::{Code, Diagnostic, Severity};
use ramsey_core::logic::{SymId, SymbolKind};
use ramsey_core::system::System;
use ramsey_engine::infer::lemmas;
use ramsey_engine::query::bmc::{Depth, Outcome as Bounded};
use ramsey_engine::query::cti::{
    Answer, KnownState, Measure, Options, Sameness, Search, complete, without_invariants,
};
use ramsey_engine::query::triage::{self, Refuted, Triage};
use ramsey_engine::query::verify::Limits;
use ramsey_kernel::obligations::{Property, Question};
use ramsey_report::Verdict;
use ramsey_report::cti::Report;
use ramsey_report::finding::origin_text;
use ramsey_report::fragment;
use ramsey_report::json::{States, read_counterexamples};
use ramsey_report::render::{Render as _, Shown};
use ramsey_report::triage::{Triaged, removal_reason};
use ramsey_services::workbench::{Removal, remove_claims};
use ramsey_solver::ask::Statistics;

/// Work units for comparing a known state with others up to the names of elements.
const KNOWN_STATE_WORK: u64 = 10_000_000;

/// Shows the first counterexamples to induction.
pub(super) fn run(args: &CtiArgs) -> io::Result<Verdict> {
    let misplaced = check_parents([&args.output]);
    if !misplaced.is_empty() {
        print_diagnostics(&misplaced, &Sources::new(), stderr_palette(args.form.color));
        return Ok(Verdict::BadInput);
    }
    let mut sources = Sources::new();
    let start = Instant::now();
    let reading = args.limits.reading(start);
    let (language, strictness) = args.form.rules();
    let rules = (language, Policy { methods: Methods::Told, ..strictness.into() });
    let mut model = Model::read(&args.model, rules, args.form.how(), &mut sources, reading);
    if model.system.as_ref().is_some_and(|system| !has_claims(system, &Question::Verify)) {
        model.diagnostics.push(nothing_to_check(&model.name, &Question::Verify, false));
    }
    let system = model.system.take();
    model.print_new(&sources);
    let found = system.and_then(|system| search(args, &mut model, system, &sources, start));
    let report = Report {
        path: &model.name.clone(),
        sources: &sources,
        triaged: found.as_ref().and_then(|found| found.triaged(args)),
        answer: found
            .as_ref()
            .and_then(|found| found.answer.as_ref())
            .map(|(system, answer)| (&**system, answer)),
        count: args.count.into(),
        are_known: !args.another.is_empty(),
    };
    let shown = Shown { negative: args.print_negative_tuples, ..Shown::default() };
    let explanations = args.limits.explanations(&report.exhausted());
    let verdict = model.answer(&report, (shown, explanations, args.output.as_deref()), &sources)?;
    let depths = found.as_ref().and_then(|found| found.triage.as_ref()).map(depths);
    Ok(with_report(&args.report, args.form.color, verdict, || {
        let limits = args.limits.limits(start);
        subject(args, &model, found.as_ref()?, depths.as_deref(), (&sources, verdict, limits))
    }))
}

/// Returns the answer of a search for claims that are false in reachable states, as that of a bounded check.
fn depths(triage: &Triage) -> Vec<Depth> {
    let depth = |steps: Option<u16>, outcome| Depth {
        steps,
        outcome,
        by_induction: triage.by_induction,
        is_shortest: true,
        certificates: Vec::new(),
        statistics: Statistics::default(),
    };
    match triage.refuted.first() {
        Some(it) => vec![depth(it.steps, Bounded::Violated(Box::new(it.violation.clone())))],
        None => triage.checked.map(|steps| depth(Some(steps), Bounded::Holds)).into_iter().collect(),
    }
}

/// Returns what the report of the run shows.
fn subject<'a>(
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
        folders: &args.form.language.folders,
        model: model.shown(system, sources)?,
        lemmas: Vec::new(),
        findings: Findings {
            verification: answer.map(|it| &it.verification),
            executions: asked,
            is_part: false,
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

impl Found {
    fn triaged<'a>(&'a self, args: &CtiArgs) -> Option<Triaged<'a>> {
        let (bound, triage) = (args.bound?, self.triage.as_ref()?);
        Some(Triaged { system: &self.system, bound, triage, removed: &self.removed })
    }
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
                model.warn_before_search(warning, &limits, sources);
            }
            let progress = Progress::new(true);
            search.run(&limits, &mut |origin| progress.say(|| origin_text(&rest, origin)))
        }),
        Err(_) => None,
    };
    if let Some(answer) = &answer {
        model.diagnostics.extend(gallery.failures(&model.name, &rest, &answer.verification).err());
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
    let search = triage::Search::new(Arc::clone(system), &properties, bound, Some(lemmas), args.seed, None);
    if let Some((steps, cycle)) = search.cycle() {
        let concerned = format!("concerned are states that are reached in {steps} or more steps");
        let warning = fragment::executions_warning(system, cycle, None, "executions are", concerned);
        model.warn_before_search(warning, limits, sources);
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
    let removed = edit_model("--remove", (&args.model, model.part()), text, |_, load| {
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
