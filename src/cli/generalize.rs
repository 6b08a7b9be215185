//! `ramsey generalize`: generalization of states to conjectures.

use super::args::GeneralizeArgs;
use std::fs;
use std::io::{self, Write as _};
use std::path::Path;
use std::time::Instant;

use super::args::OutputFormat;
use super::diagram::{Scene, read_state};
use super::files::{check_parents, replace, write_whole};
use super::output::{print_diagnostics, stderr_palette, stdout, stdout_palette};
use super::progress::Progress;
use super::shared::Model;
use super::signals;
use super::sources::{Input, KnownFiles, display};
use crate::base::budget::{Budget, Exhausted};
use crate::base::span::Sources;
use crate::diag::{Code, Diagnostic};
use crate::lang::Language;
use crate::query::Outcome;
use crate::query::generalize::{
    Generalization, InductionCheck, Options, Stage, check_induction, cycle, generalize,
};
use crate::query::verify::Limits;
use crate::report::Verdict;
use crate::report::generalize::{Story, conjecture_content, conjecture_formula, story_text};
use crate::report::json::{Document, Head};
use crate::report::picture::partial_scene;
use crate::report::trace::TraceStyle;
use crate::report::{fragment, unknown};
use crate::system::System;
use crate::workbench::add_claim;

/// Generalizes a state.
pub(super) fn run(args: &GeneralizeArgs) -> io::Result<Verdict> {
    let misplaced = check_parents([&args.output]);
    if !misplaced.is_empty() {
        print_diagnostics(&misplaced, &Sources::new(), stderr_palette(args.color));
        return Ok(Verdict::BadInput);
    }
    let start = Instant::now();
    let mut sources = Sources::new();
    let reading = args.limits.reading(start);
    let mut model = Model::read(&args.state.model, args.language, args.strictness, &mut sources, reading);
    let system = model.system.take();
    if let Some(Err(errors)) = system.as_ref().map(|system| args.pictures.gallery(system)) {
        model.diagnostics.extend(errors);
    }
    let wanted = system.as_ref().filter(|_| model.verdict() == Verdict::Ok);
    let scene = wanted.and_then(|system| match read_state(&args.state, system) {
        Ok(scene) => Some(scene),
        Err(errors) => {
            model.diagnostics.extend(errors);
            None
        }
    });
    let limits = args.limits.limits(start);
    if args.format == OutputFormat::Text {
        print_diagnostics(&model.diagnostics, &sources, stderr_palette(args.color));
    }
    let mut told = model.diagnostics.len();
    let answer = match (&system, &scene) {
        (Some(system), Some(scene)) => {
            if let Some((steps, cycle)) = cycle(system, &scene.facts.upper, args.bound) {
                let concerned = format!("concerned are states that are reached in {steps} or more steps");
                let what = "executions are";
                let warning = fragment::executions_warning(system, &cycle, None, what, concerned);
                model.warn_before_search(warning, &limits, (args.format, args.color), &sources);
                told = model.diagnostics.len();
            }
            signals::end_with_summary();
            Some(answer(args, system, scene, &limits))
        }
        _ => None,
    };
    if let Some((Generalization::Reachable(found, system), _)) = &answer
        && let Ok(mut gallery) = args.pictures.gallery(system)
    {
        let drawn = gallery.counterexample(&model.name, system, (&system.sig, &system.terms), found);
        model.diagnostics.extend(drawn.err());
    }
    if let (Some(system), Some(scene), Some((Generalization::Conjecture(found), _))) =
        (&system, &scene, &answer)
    {
        let picture = partial_scene(system, &scene.states.names, &found.partial);
        let formula = conjecture_formula(found);
        let drawn = args.pictures.write_partial(&model.name, system, &picture, &formula);
        model.diagnostics.extend(drawn.err());
    }
    let mut added = None;
    if let (true, Some((Generalization::Conjecture(found), _)), Some(file)) =
        (args.add && !signals::is_interrupted(), &answer, model.file)
    {
        let formula = conjecture_formula(found);
        let name = args.name.as_deref();
        match add(&args.state.model, &sources[file].text, &found.system, &formula, name) {
            Ok(name) => added = Some(name),
            Err(error) => model.diagnostics.push(error),
        }
    }
    let mut verdict = model.verdict();
    if let Some((answer, induction)) = &answer {
        verdict = verdict.max(verdict_of(answer, induction.as_ref()));
    }
    let story = match (&system, &scene, &answer) {
        (Some(system), Some(scene), Some((answer, induction))) => Some(Story {
            system,
            names: &scene.states.names,
            upper: &scene.facts.upper,
            bound: args.bound,
            answer,
            induction: induction.as_ref(),
            added: added.as_deref(),
        }),
        _ => None,
    };
    let content =
        conjecture_content(&model.name, args.bound, story.as_ref(), &sources, args.print_negative_tuples);
    let reasons =
        answer.as_ref().map_or(Vec::new(), |(answer, induction)| reasons(answer, induction.as_ref()));
    let explanations = args.limits.explanations(&reasons);
    let head = Head {
        diagnostics: model.diagnostics_dto(&sources),
        explanations: explanations.clone(),
        ..Head::from(verdict)
    };
    let text = Document::new(head, content).text()?;
    if let Some(path) = &args.output
        && let Err(error) = write_whole(path, text.as_bytes())
    {
        print_diagnostics(&[error], &sources, stderr_palette(args.color));
        verdict = verdict.max(Verdict::BadInput);
    }
    let mut out = stdout();
    if args.format == OutputFormat::Json {
        if args.output.is_none() {
            out.write_all(text.as_bytes())?;
        }
    } else {
        print_diagnostics(&model.diagnostics[told..], &sources, stderr_palette(args.color));
        if let Some(story) = &story {
            let palette = stdout_palette(args.color);
            let style = TraceStyle { palette, negative: args.print_negative_tuples, sources: Some(&sources) };
            out.write_all(story_text(story, &model.name, style).as_bytes())?;
            out.write_all(unknown::explanations_text(&explanations).as_bytes())?;
        }
    }
    out.flush()?;
    Ok(verdict)
}

fn answer(
    args: &GeneralizeArgs,
    system: &System,
    scene: &Scene,
    limits: &Limits,
) -> (Generalization, Option<InductionCheck>) {
    let options = Options { bound: args.bound, seed: args.seed, clock: None };
    let progress = Progress::new(true);
    let answer = generalize(system, &scene.facts.upper, &scene.facts.kept, options, limits, &mut |stage| {
        progress.say(|| match stage {
            Stage::Unrolling(steps) => format!("executions of {steps} steps"),
            Stage::Shrinking { kept, tried, all } => {
                format!("leaving out facts: {kept} left, {tried} of {all} tried")
            }
        });
    });
    if args.check_induction {
        progress.say(|| "checking induction".to_owned());
    }
    let induction = match &answer {
        Generalization::Conjecture(found) if args.check_induction => {
            Some(check_induction(&found.system, found.formula, args.seed, limits))
        }
        _ => None,
    };
    (answer, induction)
}

/// Returns the reasons for which questions have no answer.
fn reasons(answer: &Generalization, induction: Option<&InductionCheck>) -> Vec<Exhausted> {
    let mut reasons = match answer {
        Generalization::Unknown(exhausted) => vec![*exhausted],
        Generalization::Conjecture(found) => found.exhausted.into_iter().collect(),
        _ => Vec::new(),
    };
    let outcomes = induction.into_iter().flat_map(|it| &it.obligations).map(|(_, outcome)| outcome);
    reasons.extend(unknown::reasons(outcomes));
    reasons
}

/// Returns the verdict of the answer. A conjecture that is not inductive counts as an answer like any other.
fn verdict_of(answer: &Generalization, induction: Option<&InductionCheck>) -> Verdict {
    let answer = match answer {
        Generalization::Conjecture(_) => Verdict::Ok,
        Generalization::Reachable(..) => Verdict::Counterexample,
        Generalization::Unknown(_) => Verdict::Unknown,
        Generalization::InternalError(_) => Verdict::InternalError,
    };
    let outcomes = induction.into_iter().flat_map(|it| &it.obligations).map(|(_, outcome)| match outcome {
        Outcome::Unknown(_) => Verdict::Unknown,
        Outcome::InternalError(_) => Verdict::InternalError,
        Outcome::Holds { .. } | Outcome::Fails(_) | Outcome::Skipped => Verdict::Ok,
    });
    outcomes.fold(answer, Verdict::max)
}

/// Adds a formula to the model at `path` as an invariant called `name`, or a fresh name, and returns the name. `text`
/// is the text that was read, and `system` its meaning.
fn add(
    path: &Path,
    text: &str,
    system: &System,
    formula: &str,
    name: Option<&str>,
) -> Result<String, Diagnostic> {
    let refuse = |what: &str| {
        let message = format!("--add: `{}` stays as it is: {what}", display(path));
        Diagnostic::error_nowhere(Code::Usage, message)
    };
    if path.as_os_str() == "-" {
        return Err(refuse("there is no file to write to"));
    }
    let language = Language::of_name(&display(path));
    let mut load = |text: &str| {
        let mut sources = Sources::new();
        let mut known = KnownFiles::default();
        let input = Input::new(path, Ok(text.to_owned()), language, &mut sources, &mut known);
        input.load(&sources, &mut Budget::unlimited())
    };
    let addition =
        add_claim(text, language, system, formula, name, &mut load).map_err(|what| refuse(&what))?;
    let unchanged = fs::read(path).is_ok_and(|now| now == text.as_bytes());
    if !unchanged {
        return Err(refuse("it has changed since it was read"));
    }
    replace(path, addition.text.as_bytes())?;
    Ok(addition.name)
}
