//! `ramsey generalize`: generalization of states to conjectures.

use super::args::GeneralizeArgs;
use std::io;
use std::sync::Arc;
use std::time::Instant;

use super::certify::certify_formula;
use super::diagram::{Scene, read_state};
use super::edit::edit_model;
use super::files::check_parents;
use super::output::{print_diagnostics, stderr_palette};
use super::progress::Progress;
use super::shared::Model;
use super::signals;
use super::sources::{display, in_document, read_text};
use ramsey_core::base::span::Sources;
use ramsey_core::diag::{Code, Diagnostic};
use ramsey_core::logic::Structure;
use ramsey_core::system::System;
use ramsey_engine::conjectures::{Candidate, EXPLORATION, Suggester};
use ramsey_engine::infer::Exploration;
use ramsey_engine::query::Limits;
use ramsey_engine::query::generalize::{
    Generalization, InductionCheck, Options, Stage, check_induction, cycle, false_after_step, generalize,
    is_whole,
};
use ramsey_report::Verdict;
use ramsey_report::fragment;
use ramsey_report::generalize::{Found, Report, conjecture_formula};
use ramsey_report::json::read_counterexample;
use ramsey_report::picture::partial_scene;
use ramsey_report::render::{Render as _, Shown};
use ramsey_services::workbench::{Addition, Removal, add_claim, remove_claims};
use ramsey_solver::ask::Failure;

/// A state with its generalization.
struct Generalized {
    system: Arc<System>,
    scene: Scene,
    answer: Generalization,
    /// The states in which the conjecture has to hold.
    known: Vec<KnownState>,
    /// Result of the induction check, if requested.
    induction: Option<InductionCheck>,
    /// Other conjectures, the best first, if requested.
    suggested: Option<Result<Vec<Candidate>, Failure>>,
    /// Invariants that are false one step after the state, if that is reached.
    refuted: Vec<usize>,
}

/// A state of a document that is known to be reached.
struct KnownState {
    structure: Structure,
    /// Path of the document.
    path: String,
}

/// Generalizes a state.
pub(super) fn run(args: &GeneralizeArgs) -> io::Result<Verdict> {
    let mut misplaced = check_parents([&args.output, &args.certify]);
    if args.deepen.is_some_and(|deepen| deepen < args.bound) {
        let what = "--deepen: the conjecture holds within the smaller number of steps of `--bound` already";
        misplaced.push(Diagnostic::error_nowhere(Code::Usage, what));
    }
    if !misplaced.is_empty() {
        print_diagnostics(&misplaced, &Sources::new(), stderr_palette(args.form.color));
        return Ok(Verdict::BadInput);
    }
    let start = Instant::now();
    let mut sources = Sources::new();
    let reading = args.limits.reading(start);
    let mut model = Model::read(&args.state.model, args.form.rules(), args.form.how(), &mut sources, reading);
    let state = state(args, &mut model);
    model.print_new(&sources);
    let found = state.and_then(|(system, scene)| search(args, &mut model, system, scene, &sources, start));
    let (mut added, mut removed, mut certificate) = (None, Vec::new(), None);
    if let Some(found) = &found {
        model.diagnostics.extend(draw(args, &model.name, found).err());
        added = add_conjecture(args, &mut model, found, &sources);
        removed = remove_refuted(args, &mut model, found, &sources);
        certificate = certify(args, &mut model, found, &mut sources, start);
    }
    let report = Report {
        path: &model.name.clone(),
        sources: &sources,
        bound: args.bound,
        found: found.as_ref().map(|found| found.report(added.as_ref(), &removed, certificate.as_deref())),
    };
    let shown = Shown { negative: args.print_negative_tuples, ..Shown::default() };
    let explanations = args.limits.explanations(&report.exhausted());
    model.answer(&report, (shown, explanations, args.output.as_deref()), &sources)
}

/// Returns the model's system and the state with the selected facts. If there is none, an error is added to the
/// diagnostics.
fn state(args: &GeneralizeArgs, model: &mut Model) -> Option<(Arc<System>, Scene)> {
    let system = model.system.take()?;
    model.diagnostics.extend(args.pictures.gallery(&system, &args.state.model).err().into_iter().flatten());
    if model.verdict() != Verdict::Ok {
        return None;
    }
    match read_state(&args.state, &system) {
        Ok(scene) => Some((system, scene)),
        Err(errors) => {
            model.diagnostics.extend(errors);
            None
        }
    }
}

/// Generalizes the state and, if requested, checks induction.
fn search(
    args: &GeneralizeArgs,
    model: &mut Model,
    system: Arc<System>,
    scene: Scene,
    sources: &Sources,
    start: Instant,
) -> Option<Generalized> {
    let limits = args.limits.limits(start);
    let known = match known_states(args, &system) {
        Ok(known) => known,
        Err(errors) => {
            model.diagnostics.extend(errors);
            return None;
        }
    };
    let deepen = args.deepen.unwrap_or(args.bound);
    if let Some((steps, cycle)) = cycle(&system, &scene.facts.upper, deepen) {
        let concerned = format!("concerned are states that are reached in {steps} or more steps");
        let warning = fragment::executions_warning(&system, &cycle, None, "executions are", concerned);
        model.warn_before_search(warning, &limits, sources);
    }
    signals::end_with_summary();
    let reached = known.iter().map(|state| state.structure.clone()).collect();
    let options = Options { bound: args.bound, deepen, reached, seed: args.seed, clock: None };
    let progress = Progress::new(true);
    let mut watch = |stage| {
        progress.say(|| match stage {
            Stage::Unrolling(steps) | Stage::Deepening(steps) => format!("executions of {steps} steps"),
            Stage::Shrinking { kept, tried, all } => {
                format!("leaving out facts: {kept} left, {tried} of {all} tried")
            }
        });
    };
    let answer = generalize(&system, &scene.facts.upper, &scene.facts.kept, &options, &limits, &mut watch);
    let induction = match &answer {
        Generalization::Conjecture(found) if args.check_induction => {
            progress.say(|| "checking induction".to_owned());
            Some(check_induction(&found.system, found.formula, args.seed, &limits))
        }
        _ => None,
    };
    let suggested = match &answer {
        Generalization::Conjecture(_) if args.suggest => {
            progress.say(|| "suggesting conjectures".to_owned());
            Some(suggestions(args, &system, &scene, &limits, &progress))
        }
        _ => None,
    };
    let refuted = match &answer {
        Generalization::Reachable(..) | Generalization::Known(_)
            if args.state.state == 0 && is_whole(&system, &scene.facts.upper, &scene.states.structure, 0) =>
        {
            // Without an answer nothing is said of invariants.
            false_after_step(&system, &scene.states.structure, &mut limits.budget()).unwrap_or_default()
        }
        _ => Vec::new(),
    };
    Some(Generalized { system, scene, answer, known, induction, suggested, refuted })
}

/// Returns conjectures that exclude the state, the best first.
fn suggestions(
    args: &GeneralizeArgs,
    system: &Arc<System>,
    scene: &Scene,
    limits: &Limits,
    progress: &Progress,
) -> Result<Vec<Candidate>, Failure> {
    let facts = (&scene.facts.upper, &scene.facts.kept[..]);
    let mut suggester = Suggester::new(system, facts, args.bound, limits)?;
    let exploration = Exploration::new(system, args.seed, &mut limits.budget().part(EXPLORATION))?;
    suggester.improve(&exploration, &mut |_, steps| {
        progress.say(|| match steps {
            Some(steps) => format!("conjectures in executions of {steps} steps"),
            None => "suggesting conjectures".to_owned(),
        });
    })?;
    Ok(suggester.suggestions().cloned().collect())
}

/// Reads the states in which the conjecture has to hold.
fn known_states(args: &GeneralizeArgs, system: &System) -> Result<Vec<KnownState>, Vec<Diagnostic>> {
    let mut known = Vec::new();
    let mut errors = Vec::new();
    for path in &args.reached {
        let read = read_text(path)
            .and_then(|text| read_counterexample(system, &text).map_err(|error| in_document(path, error)));
        match read {
            Ok(states) => {
                let structure = &states.structure;
                known.extend((0..structure.states()).map(|step| KnownState {
                    structure: structure.state(&system.sig, step),
                    path: display(path),
                }));
            }
            Err(error) => errors.push(error),
        }
    }
    if errors.is_empty() { Ok(known) } else { Err(errors) }
}

/// Draws the conjecture, or the execution that reaches the state.
fn draw(args: &GeneralizeArgs, title: &str, found: &Generalized) -> Result<(), Diagnostic> {
    match &found.answer {
        Generalization::Reachable(execution, system) => {
            match args.pictures.gallery(system, &args.state.model) {
                Ok(mut gallery) => gallery.counterexample(title, system, system.syntax(), execution),
                Err(_) => Ok(()),
            }
        }
        Generalization::Conjecture(conjecture) => {
            let picture = partial_scene(&found.system, &found.scene.states.names, &conjecture.partial);
            args.pictures.write_partial(title, &found.system, &picture, &conjecture_formula(conjecture))
        }
        Generalization::Known(_) | Generalization::Unknown(_) | Generalization::InternalError(_) => Ok(()),
    }
}

/// Adds the conjecture to the model's file, if requested and not there yet.
fn add_conjecture(
    args: &GeneralizeArgs,
    model: &mut Model,
    found: &Generalized,
    sources: &Sources,
) -> Option<Addition> {
    let (Generalization::Conjecture(conjecture), Some(file)) = (&found.answer, model.file) else {
        return None;
    };
    if !args.add || signals::is_interrupted() {
        return None;
    }
    let formula = conjecture_formula(conjecture);
    let text = &sources[file].text;
    let added = edit_model("--add", (&args.state.model, model.part()), text, |language, load| {
        let addition = add_claim(text, language, &conjecture.system, &formula, args.name.as_deref(), load)?;
        Ok((addition.text.clone(), addition))
    });
    match added {
        Ok(addition) => Some(addition),
        Err(error) => {
            model.diagnostics.push(error);
            None
        }
    }
}

/// Takes the invariants that are false one step after a state that is reached out of the model's file, if requested, and
/// returns them.
fn remove_refuted(
    args: &GeneralizeArgs,
    model: &mut Model,
    found: &Generalized,
    sources: &Sources,
) -> Vec<usize> {
    let removed: Vec<usize> =
        found.refuted.iter().copied().filter(|&index| !found.system.invariants[index].is_safety).collect();
    let Some(file) = model.file.filter(|_| args.remove && !removed.is_empty() && !signals::is_interrupted())
    else {
        return Vec::new();
    };
    let reason = "false in a state that is reached";
    let removals: Vec<Removal> =
        removed.iter().map(|&invariant| Removal { invariant, reason: reason.to_owned() }).collect();
    let text = &sources[file].text;
    let done = edit_model("--remove", (&args.state.model, model.part()), text, |_, load| {
        Ok((remove_claims(text, file, &found.system, &removals, load)?, ()))
    });
    match done {
        Ok(()) => removed,
        Err(error) => {
            model.diagnostics.push(error);
            Vec::new()
        }
    }
}

/// Writes the certificate that the conjecture holds within its number of steps, if requested. Returns a line about it.
fn certify(
    args: &GeneralizeArgs,
    model: &mut Model,
    found: &Generalized,
    sources: &mut Sources,
    start: Instant,
) -> Option<String> {
    let (Generalization::Conjecture(conjecture), Some(path)) = (&found.answer, &args.certify) else {
        return None;
    };
    if signals::is_interrupted() {
        return None;
    }
    let text = conjecture_formula(conjecture);
    let asked = (text.as_str(), conjecture.bound, args.seed);
    let written = certify_formula(model, asked, &args.limits.limits(start), path, sources);
    written.unwrap_or_else(|error| {
        model.diagnostics.push(error);
        None
    })
}

impl Generalized {
    fn report<'a>(
        &'a self,
        added: Option<&'a Addition>,
        removed: &'a [usize],
        certificate: Option<&'a str>,
    ) -> Found<'a> {
        Found {
            certificate,
            system: &self.system,
            names: &self.scene.states.names,
            upper: &self.scene.facts.upper,
            answer: &self.answer,
            induction: self.induction.as_ref(),
            suggested: self.suggested.as_ref(),
            added: added.filter(|it| !it.is_known).map(|it| it.name.as_str()),
            present: added.filter(|it| it.is_known).map(|it| it.name.as_str()),
            known: match self.answer {
                Generalization::Known(index) => self.known.get(index).map(|state| state.path.as_str()),
                _ => None,
            },
            refuted: &self.refuted,
            removed,
        }
    }
}
