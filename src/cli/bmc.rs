//! `ramsey bmc`: bounded model checking.

use super::args::BmcArgs;
use std::io;
use std::sync::Arc;
use std::time::Instant;

use super::args::{AnswerArgs, FormArgs};
use super::certify::{Beside, certify_beside, names_gzip, no_certificate, write_accepted};
use super::files::check_parents;
use super::output::{print_part, stdout_palette};
use super::progress::Progress;
use super::rocq::write_executions;
use super::select::{named, not_claimed};
use super::shared::Model;
use super::signals;
use super::ui::{Subject, executions_of, with_report};
use ramsey_app::Findings;
use ramsey_core::base::span::{Sources, Span};
use ramsey_core::diag::{Code, Diagnostic};
use ramsey_core::logic::Node;
use ramsey_core::system::System;
use ramsey_engine::infer::lemmas;
use ramsey_engine::query::Limits;
use ramsey_engine::query::bmc::{Bmc, Depth, Options, Outcome, Target};
use ramsey_engine::query::certify::of_depths;
use ramsey_engine::query::deadlock::DeadlockFreedom;
use ramsey_kernel::obligations::Property;
use ramsey_kernel::obligations::{Relaxed, with_progress};
use ramsey_report::Verdict;
use ramsey_report::bmc::{self as report, Aim, Found, Report};
use ramsey_report::finding::Claim;
use ramsey_report::fragment;
use ramsey_report::render::{Render as _, Shown};

/// Source name of the formula given by `--property`.
pub(super) const FORMULA: &str = "<--property>";

/// Checks executions up to a depth.
pub(super) fn run(args: &BmcArgs) -> io::Result<Verdict> {
    run_by(args, &mut |bmc, limits| bmc.advance(limits))
}

/// How the answer for the next length comes about.
pub(super) type Search<'a> = &'a mut dyn FnMut(&mut Bmc, &Limits) -> Option<Depth>;

/// Tells the answers for the lengths.
pub(super) fn run_by(args: &BmcArgs, by: Search<'_>) -> io::Result<Verdict> {
    let start = Instant::now();
    let mut sources = Sources::new();
    let reading = args.limits.reading(start);
    let mut model =
        Model::read(&args.path, args.answer.form.rules(), args.answer.form.how(), &mut sources, reading);
    let targets = targets(args, &mut model, &mut sources);
    model.check_pictures(&args.pictures, &args.path);
    model.diagnostics.extend(check_parents([&args.answer.certify, &args.answer.rocq]));
    let formula = formula_place(&sources);
    model.print_new(&sources);
    let aim = match args {
        BmcArgs { deadlock: true, .. } => Aim::Deadlock,
        BmcArgs { relax: true, .. } => Aim::Relaxed,
        _ => Aim::Violation,
    };
    let limits = args.limits.limits(start);
    let found = match model.system.take().filter(|_| model.verdict() == Verdict::Ok) {
        Some(system) => Some(search((args, by), &mut model, system, targets, (&sources, formula), &limits)?),
        None => None,
    };
    let answer =
        Report { path: &model.name.clone(), sources: &sources, formula, depth: args.depth, aim, found };
    let explanations = args.limits.explanations(&answer.exhausted());
    let verdict = model.answer(&answer, (args.answer.shown(start), explanations, None), &sources)?;
    Ok(with_report(&args.report, args.answer.form.color, verdict, || {
        let Found { searched, depths, .. } = answer.found.as_ref()?;
        Some(Subject {
            path: &args.path,
            folders: &args.answer.form.language.folders,
            model: model.shown(searched, &sources)?,
            lemmas: Vec::new(),
            findings: Findings {
                verification: None,
                executions: Some((executions_of(searched, args.depth, &args.property), searched, depths)),
                is_part: false,
                told: report::summary_text(searched, depths, aim),
                verdict: answer.verdict().unwrap_or_default(),
            },
            limits,
        })
    }))
}

/// Checks whether the answers need proofs.
fn is_certified(args: &BmcArgs) -> bool {
    args.answer.certify.is_some() || args.answer.rocq.is_some()
}

/// Returns the properties to check. If the arguments do not fit the model, an error is added to its diagnostics.
fn targets(args: &BmcArgs, model: &mut Model, sources: &mut Sources) -> Vec<Target> {
    if args.deadlock {
        // Enabledness is a formula that the search itself builds.
        return Vec::new();
    }
    let targets = named_targets(&args.property, model, sources);
    if is_certified(args) {
        model.system = model.system.take().map(|system| with_targets(system, &targets, sources));
    }
    targets
}

/// Returns a system that has all of these targets: certificates are about what the system has.
pub(super) fn with_targets(system: Arc<System>, targets: &[Target], sources: &Sources) -> Arc<System> {
    let formula = targets.iter().find_map(|target| match target {
        Target::Formula(formula) => Some(*formula),
        Target::Model(_) | Target::Deadlock(_) => None,
    });
    match (formula, formula_place(sources)) {
        (Some(formula), Some(place)) => {
            let text = &sources[place.file].text;
            Arc::new((*system).clone().with_claim(text, formula, place))
        }
        _ => system,
    }
}

/// Returns the properties with these names or of these formulas, or those of the model if there are none. An error is added to
/// the diagnostics of the model.
pub(super) fn named_targets(properties: &[String], model: &mut Model, sources: &mut Sources) -> Vec<Target> {
    let Some(system) = &model.system else { return Vec::new() };
    if properties.is_empty() {
        let targets: Vec<Target> = Property::safety(system).into_iter().map(Target::Model).collect();
        if targets.is_empty() {
            let error = Diagnostic::error_nowhere(Code::Usage, "the model has no safety property to check");
            let help = "declare one with `safety`, or give an invariant or a formula with `--property`";
            model.diagnostics.push(error.help(help));
        }
        return targets;
    }
    let mut targets: Vec<Target> = Vec::new();
    let mut formulas = Vec::new();
    for text in properties {
        let named = named(system, text);
        if named.is_empty() {
            formulas.push(text);
        }
        for target in named.into_iter().map(Target::Model) {
            if !targets.contains(&target) {
                targets.push(target);
            }
        }
    }
    match formulas.as_slice() {
        [] => {}
        [formula]
            if is_identifier(formula)
                && !is_symbol(system, formula)
                && !is_formula(model, formula, sources) =>
        {
            let error = not_claimed(system, "--property", formula, ", and it is no formula");
            model.diagnostics.push(error);
        }
        [formula] => {
            let formula = model.add_formula(FORMULA, formula, sources);
            targets.extend(formula.map(Target::Formula));
        }
        [_, _, ..] => {
            let what = "`--property` was given several formulas";
            let error = Diagnostic::error_nowhere(Code::Usage, what).help("join them by `&`");
            model.diagnostics.push(error);
        }
    }
    targets
}

fn is_identifier(text: &str) -> bool {
    text.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_')
}

fn is_symbol(system: &System, name: &str) -> bool {
    ["true", "false"].contains(&name) || system.sig.symbols.iter().any(|symbol| symbol.name == name)
}

/// Checks whether a name is that of a definition or macro without parameters, and not of a variable, which all languages but `.pyv`
/// read as well.
fn is_formula(model: &Model, name: &String, sources: &Sources) -> bool {
    let is_variable = |system: &System, formula| match system.terms.node(formula) {
        Node::Forall(_, body) => matches!(system.terms.node(body), Node::Var(_)),
        _ => false,
    };
    let read = model.read_back(std::iter::once(name), sources, &|system, formula| {
        is_variable(system, formula).to_string()
    });
    read.into_iter().all(|read| read.is_some_and(|is_variable| is_variable == "false"))
}

/// Returns the span of the command line's formula among the sources.
pub(super) fn formula_place(sources: &Sources) -> Option<Span> {
    let file = sources.ids().find(|&file| sources[file].name == FORMULA)?;
    Some(Span { file, start: 0, end: sources[file].text.len() as u32 })
}

/// Searches the depths one after the other, prints their answers, and writes the files that are asked for.
fn search(
    (args, by): (&BmcArgs, Search<'_>),
    model: &mut Model,
    system: Arc<System>,
    targets: Vec<Target>,
    (sources, formula): (&Sources, Option<Span>),
    limits: &Limits,
) -> io::Result<Found> {
    let AnswerArgs { quiet, form: FormArgs { color, .. }, .. } = args.answer;
    let is_text = args.answer.form.results.is_text();
    let options = Options {
        minimize: !args.answer.no_minimize,
        certify: is_certified(args) && !args.deadlock,
        induction: true,
        lemmas: Some(lemmas),
        seed: args.answer.seed,
        clock: args.answer.clock(),
        ..Options::new(targets.clone(), args.depth)
    };
    let original = Arc::clone(&system);
    let mut bmc = if args.relax {
        relaxed(&system, options)
    } else if args.deadlock {
        Bmc::deadlock(DeadlockFreedom::new(&system), options)
    } else {
        Bmc::new(Arc::clone(&system), options)
    };
    let system = if args.deadlock { Arc::clone(bmc.system()) } else { system };
    let targets = bmc.deadlock_target().map_or(targets, |deadlock| vec![deadlock]);
    if let Some((steps, cycle)) = bmc.cycle() {
        let claim = targets.first().and_then(|&target| Claim::of_target(&system, target, formula).span);
        let concerned = format!("concerned are executions of {steps} or more steps");
        let what = "executions are";
        let mut warning = fragment::executions_warning(bmc.system(), cycle, claim, what, concerned);
        if args.deadlock {
            // The help text is about claims of the model, and none is checked here.
            warning.help = None;
        }
        model.warn_before_search(warning, limits, sources);
    }
    let shown = Shown { palette: stdout_palette(color), stats: args.answer.stats, ..Shown::default() };
    let print = |text: &dyn Fn() -> String| if is_text && !quiet { print_part(&text()) } else { Ok(()) };
    print(&|| report::heading_text(&model.name, &system, &targets, shown.palette))?;
    signals::end_with_summary();
    let progress = Progress::new(!quiet);
    let mut depths = Vec::new();
    loop {
        progress.say(|| format!("depth {} of {}", bmc.next_depth(), args.depth));
        let Some(depth) = by(&mut bmc, limits) else { break };
        progress.clear();
        print(&|| report::depth_text(&depth, shown))?;
        depths.push(depth);
    }
    progress.clear();
    if depths.last().is_none_or(|depth| matches!(depth.outcome, Outcome::Holds)) {
        // A program that always violates an assertion before its loop has no initial state either.
        model.warn_of_no_start(&system, limits, sources);
    }
    let searched = Arc::clone(bmc.system());
    let mut found = Found { system, searched, targets, depths, certificate: None };
    let written = if args.deadlock {
        certify_progress(args, model, &mut found, &original, sources, limits)
    } else {
        certify(args, model, &mut found, sources)
    };
    let written = written.and_then(|()| draw(args, &model.name, &found));
    model.diagnostics.extend(written.err());
    Ok(found)
}

/// Writes the certificate and the theorem, as far as they are requested.
fn certify(args: &BmcArgs, model: &Model, found: &mut Found, sources: &Sources) -> Result<(), Diagnostic> {
    if !is_certified(args) {
        return Ok(());
    }
    let Found { system, targets, depths, .. } = found;
    let source = &model.source_text(sources);
    let compressed = args.answer.certify.as_deref().is_some_and(names_gzip);
    let accepted = match of_depths(system, source, (args.depth, args.relax), targets, depths, compressed) {
        Ok(Some(accepted)) => accepted,
        Ok(None) => return Ok(()),
        // A defect is an outcome, which is reported with the others.
        Err(rejected) if rejected.is_defect => return Ok(()),
        Err(rejected) => return Err(no_certificate(&rejected)),
    };
    if let Some(path) = &args.answer.certify {
        found.certificate = Some(write_accepted(&accepted, path)?);
    }
    match &args.answer.rocq {
        Some(folder) => {
            let question = &accepted.summary.claim.question;
            write_executions(folder, &model.name, system, sources, question, depths)
        }
        None => Ok(()),
    }
}

/// Writes the certificate that some transition can be taken in all states, if it is requested and so.
fn certify_progress(
    args: &BmcArgs,
    model: &Model,
    found: &mut Found,
    system: &System,
    sources: &Sources,
    limits: &Limits,
) -> Result<(), Diagnostic> {
    let Some(path) = &args.answer.certify else { return Ok(()) };
    match found.depths.last().map(|depth| &depth.outcome) {
        Some(Outcome::Holds) => {}
        Some(Outcome::Violated(_)) => {
            found.certificate = Some("  no certificate: a deadlock has none\n".to_owned());
            return Ok(());
        }
        _ => return Ok(()),
    }
    let Some(system) = with_progress(system).map(Arc::new) else { return Ok(()) };
    let asked = (args.depth, args.answer.seed);
    found.certificate = Some(
        match certify_beside(&system, asked, limits, &model.source_text(sources), path)? {
            Beside::Written(line) => line,
            Beside::Violated => {
                let what = "there is no certificate: in some state only transitions can be taken that say more of the next one than its values";
                return Err(Diagnostic::error_nowhere(Code::Usage, what));
            }
            Beside::Unknown => "  no certificate: a limit was reached\n".to_owned(),
        },
    );
    Ok(())
}

/// Draws the violation, if there is one.
fn draw(args: &BmcArgs, title: &str, Found { searched, depths, .. }: &Found) -> Result<(), Diagnostic> {
    if let Some(Outcome::Violated(violation)) = depths.last().map(|depth| &depth.outcome)
        && let Ok(mut gallery) = args.pictures.gallery(searched, &args.path)
    {
        gallery.counterexample(title, searched, searched.syntax(), &violation.counterexample)?;
    }
    Ok(())
}

/// Searches the relaxed form of a system and of its targets.
fn relaxed(system: &System, mut options: Options) -> Bmc {
    let mut relaxed = Relaxed::new(system);
    for target in &mut options.targets {
        if let Target::Formula(formula) = target {
            // Where answers are certified the system has it.
            *formula = match (&system.beside, relaxed.system.invariants.last()) {
                (Some(_), Some(last)) => last.formula,
                _ => relaxed.relativize(*formula),
            };
        }
    }
    Bmc::relaxed(&relaxed, options)
}
