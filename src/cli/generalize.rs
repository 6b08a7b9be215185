//! `ramsey generalize`

use std::fs;
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};
use std::time::Instant;

use clap::Args;

use super::args::{ColorArgs, LanguageArgs, OutputFormat, StrictArgs};
use super::diagram::{Scene, StateArgs};
use super::files::{check_parents, replace, write_whole};
use super::output::{Status, print_diagnostics, stderr_palette, stdout, stdout_palette};
use super::picture::PictureArgs;
use super::progress::Progress;
use super::shared::{LimitArgs, Model};
use super::signals;
use super::sources::{Input, KnownFiles, display};
use crate::base::budget::{Budget, Exhausted};
use crate::base::span::Sources;
use crate::diag::{Code, Diagnostic, Severity};
use crate::forms::Pretty;
use crate::lang::Language;
use crate::logic::TermId;
use crate::query::Outcome;
use crate::query::generalize::{Generalization, Induction, Options, Stage, cycle, generalize, induction};
use crate::query::verify::Limits;
use crate::report::generalize::{Story, conjecture_document, conjecture_formula, story_text};
use crate::report::picture::partial_scene;
use crate::report::trace::TraceStyle;
use crate::report::{fragment, unknown};
use crate::system::{MAX_STEPS, System};

/// `ramsey generalize`
#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  ramsey cti ring.pyv --output cti.json
  ramsey generalize cti.json --model ring.pyv --bound 3 --drop pnd,btw
  ramsey generalize cti.json --model ring.pyv --bound 3 --drop -leader --check-induction --add

The facts of the state, without those that --drop and --keep-only leave out, are the upper bound. If
a state with all of them is reached in at most --bound steps, it is shown with the way to it. If not,
facts are left out as long as that stays so, but for those that --keep names; the rest, forbidden,
is the conjecture.
sort:S and elements name all facts about them, R all facts of a relation or function, +R those that
hold, -R those that do not, and `pnd(id0,node0)`, `!pnd(id0,node1)`, `idn(node0) = id0`,
`node0 != node1` one fact.

Exit code 0 if there is a conjecture, 1 if a state is reached, 3 if a limit ended the search before.")]
pub(super) struct GeneralizeArgs {
    /// The state.
    #[command(flatten)]
    pub(super) state: StateArgs,

    /// Steps within which the conjecture has to hold
    #[arg(short, long, value_name = "K", value_parser = clap::value_parser!(u16).range(..=i64::from(MAX_STEPS)))]
    bound: u16,

    /// Tell whether the conjecture is inductive together with the invariants of the model
    #[arg(long)]
    check_induction: bool,

    /// Add the conjecture to the model, as an invariant with a new name
    #[arg(long)]
    add: bool,

    /// The name of the added invariant [default: conjecture_1 or the next that is free]
    #[arg(long, value_name = "NAME", requires = "add")]
    name: Option<String>,

    /// Pictures.
    #[command(flatten)]
    pub(super) pictures: PictureArgs,

    /// Limits.
    #[command(flatten)]
    limits: LimitArgs,

    /// Start the search elsewhere; other facts may be left out
    #[arg(long, value_name = "N", default_value_t = 0, help_heading = "Search")]
    seed: u64,

    /// The form of the answer; json: one document (spec/conjecture.schema.json)
    #[arg(long, value_enum, value_name = "FORM", default_value_t, help_heading = "Output")]
    format: OutputFormat,

    /// Write the answer as JSON to this file
    #[arg(short, long, value_name = "FILE", help_heading = "Output")]
    pub(super) output: Option<PathBuf>,

    /// List where relations are false as well
    #[arg(long, help_heading = "Output")]
    print_negative_tuples: bool,

    /// Let programs leave the fragment.
    #[command(flatten)]
    strictness: StrictArgs,

    /// The language of standard input.
    #[command(flatten)]
    language: LanguageArgs,

    /// Colours.
    #[command(flatten)]
    pub(super) color: ColorArgs,
}

/// Generalizes a state.
pub(super) fn run(args: &GeneralizeArgs) -> io::Result<Status> {
    let misplaced = check_parents([&args.output]);
    if !misplaced.is_empty() {
        print_diagnostics(&misplaced, &Sources::new(), stderr_palette(args.color));
        return Ok(Status::BadInput);
    }
    let start = Instant::now();
    let mut sources = Sources::new();
    let reading = args.limits.reading(start);
    let mut model = Model::read(&args.state.model, args.language, args.strictness, &mut sources, reading);
    let system = model.system.take();
    if let Some(Err(errors)) = system.as_ref().map(|system| args.pictures.gallery(system)) {
        model.diagnostics.extend(errors);
    }
    let wanted = system.as_ref().filter(|_| model.status() == Status::Ok);
    let scene = wanted.and_then(|system| match args.state.read(system) {
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
            if let Some((steps, cycle)) = cycle(system, &scene.upper, args.bound) {
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
        let picture = partial_scene(system, &scene.state.names, &found.partial);
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
    let mut status = model.status();
    if let Some((answer, induction)) = &answer {
        status = status.max(status_of(answer, induction.as_ref()));
    }
    let story = match (&system, &scene, &answer) {
        (Some(system), Some(scene), Some((answer, induction))) => Some(Story {
            system,
            names: &scene.state.names,
            upper: &scene.upper,
            bound: args.bound,
            answer,
            induction: induction.as_ref(),
            added: added.as_deref(),
        }),
        _ => None,
    };
    let mut document =
        conjecture_document(&model.name, args.bound, story.as_ref(), &sources, args.print_negative_tuples);
    document.verdict = status.word();
    document.exit_code = status.code();
    document.diagnostics = model.diagnostics_dto(&sources);
    let reasons =
        answer.as_ref().map_or(Vec::new(), |(answer, induction)| reasons(answer, induction.as_ref()));
    document.explanations = args.limits.explanations(&reasons);
    let text = format!("{}\n", serde_json::to_string_pretty(&document)?);
    if let Some(path) = &args.output
        && let Err(error) = write_whole(path, text.as_bytes())
    {
        print_diagnostics(&[error], &sources, stderr_palette(args.color));
        status = status.max(Status::BadInput);
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
            out.write_all(unknown::explanations_text(&document.explanations).as_bytes())?;
        }
    }
    out.flush()?;
    Ok(status)
}

fn answer(
    args: &GeneralizeArgs,
    system: &System,
    scene: &Scene,
    limits: &Limits,
) -> (Generalization, Option<Induction>) {
    let options = Options { bound: args.bound, seed: args.seed, clock: None };
    let progress = Progress::new(true);
    let answer = generalize(system, &scene.upper, &scene.kept, options, limits, &mut |stage| {
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
            Some(induction(&found.system, found.formula, args.seed, limits))
        }
        _ => None,
    };
    (answer, induction)
}

/// Why questions have no answer.
fn reasons(answer: &Generalization, induction: Option<&Induction>) -> Vec<Exhausted> {
    let mut reasons = match answer {
        Generalization::Unknown(exhausted) => vec![*exhausted],
        Generalization::Conjecture(found) => found.exhausted.into_iter().collect(),
        _ => Vec::new(),
    };
    let outcomes = induction.into_iter().flat_map(|it| &it.obligations).map(|(_, outcome)| outcome);
    reasons.extend(unknown::reasons(outcomes));
    reasons
}

/// That a conjecture is not inductive is an answer as good as the other.
fn status_of(answer: &Generalization, induction: Option<&Induction>) -> Status {
    let answer = match answer {
        Generalization::Conjecture(_) => Status::Ok,
        Generalization::Reachable(..) => Status::Counterexample,
        Generalization::Unknown(_) => Status::Unknown,
        Generalization::InternalError(_) => Status::InternalError,
    };
    let outcomes = induction.into_iter().flat_map(|it| &it.obligations).map(|(_, outcome)| match outcome {
        Outcome::Unknown(_) => Status::Unknown,
        Outcome::InternalError(_) => Status::InternalError,
        Outcome::Holds { .. } | Outcome::Fails(_) | Outcome::Skipped => Status::Ok,
    });
    outcomes.fold(answer, Status::max)
}

/// Adds a formula to the text of a model, as an invariant of this or else a new name; its name. `system` is what the
/// text means.
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
    let is_used =
        |name: &str| text.split(|c: char| !(c.is_alphanumeric() || c == '_')).any(|word| word == name);
    let name = match name {
        Some(name) => {
            if let Some(known) = system.invariants.iter().find(|it| it.label == name) {
                let kind = if known.is_safety { "a safety property" } else { "an invariant" };
                return Err(refuse(&format!("there is {kind} `{name}` already")));
            }
            name.to_owned()
        }
        None => (1..=u32::MAX)
            .map(|number| format!("conjecture_{number}"))
            .find(|name| !is_used(name))
            .unwrap_or_else(|| "conjecture".to_owned()),
    };
    let keyword = Language::of_name(&display(path)).claim();
    let gap = if text.ends_with('\n') { "" } else { "\n" };
    let longer = format!("{text}{gap}\n{keyword} [{name}] {formula}\n");
    check_addition(path, &longer, system, formula, &name).map_err(|what| refuse(&what))?;
    let unchanged = fs::read(path).is_ok_and(|now| now == text.as_bytes());
    if !unchanged {
        return Err(refuse("it has changed since it was read"));
    }
    replace(path, longer.as_bytes())?;
    Ok(name)
}

/// Whether the longer text means what the system is, with one more invariant.
fn check_addition(
    path: &Path,
    longer: &str,
    system: &System,
    formula: &str,
    name: &str,
) -> Result<(), String> {
    let mut sources = Sources::new();
    let language = Language::of_name(&display(path));
    let mut known = KnownFiles::default();
    let input = Input::new(path, Ok(longer.to_owned()), language, &mut sources, &mut known);
    let (after, diagnostics) = input.load(&sources, &mut Budget::unlimited());
    let Some(after) = after else {
        let error = diagnostics.iter().find(|it| it.severity == Severity::Error);
        let reason = error.map_or("an error", |it| it.message.as_str());
        return Err(format!("with the conjecture it could not be read ({reason})"));
    };
    let mut meaning = formulas(system);
    meaning.push(format!("{name}: {formula}"));
    if formulas(&after) != meaning {
        return Err("with the conjecture it would mean something else".into());
    }
    Ok(())
}

/// The formulas of a system as text, invariants last.
fn formulas(system: &System) -> Vec<String> {
    let text = |formula: TermId| Pretty::new(&system.sig, &system.terms, formula).to_string();
    let mut formulas: Vec<String> = Vec::new();
    formulas.extend(system.axioms.iter().map(|it| text(it.formula)));
    formulas.extend(system.derived.iter().map(|it| text(it.axiom)));
    formulas.extend(system.inits.iter().map(|it| text(it.formula)));
    formulas.extend(system.transitions.iter().map(|it| format!("{}: {}", it.name, text(it.body))));
    formulas.extend(system.assertions.iter().map(|it| text(it.formula)));
    formulas.extend(system.theorems.iter().map(|it| text(it.formula)));
    formulas.extend(system.invariants.iter().map(|it| format!("{}: {}", it.label, text(it.formula))));
    formulas
}
