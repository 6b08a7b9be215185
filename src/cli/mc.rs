//! `ramsey mc`: eager abstraction.

use std::io;
use std::path::Path;
use std::sync::Arc;
use std::time::Instant;

use super::args::McArgs;
use super::files::{check_parents, write_whole};
use super::instance::{Kind, kind, too_large};
use super::lemmas::lift;
use super::progress::Progress;
use super::select::all_named;
use super::shared::Model;
use super::signals;
use ramsey_circuit::hwmc::Circuit;
use ramsey_core::base::budget::Budget;
use ramsey_core::base::span::Sources;
use ramsey_core::diag::{Code, Diagnostic};
use ramsey_core::system::System;
use ramsey_engine::query::mc::{Claims, Options};
use ramsey_kernel::obligations::Property;
use ramsey_lang::aiger::{write_ascii, write_binary};
use ramsey_lang::prophecy::Prophecies;
use ramsey_report::Verdict;
use ramsey_report::mc::{Answered, Found, Report};
use ramsey_report::render::Shown;

/// Work units to find an execution of the model for one of the abstraction.
const REPLAY: u64 = 20_000_000;

/// Decides the claims of a model by eager abstraction.
pub(super) fn run(args: &McArgs) -> io::Result<Verdict> {
    let start = Instant::now();
    let mut sources = Sources::new();
    let reading = Budget::new(None, Some(args.limits.clocks(start).probe()));
    let mut model = Model::read(&args.path, args.form.rules(), args.form.how(), &mut sources, reading);
    let prophecies = model.prophecies(&sources);
    let wanted = wanted(args, &mut model);
    model.diagnostics.extend(check_parents([&args.out, &args.lemmas, &args.certify]));
    model.print_new(&sources);
    let system = model.system.take().filter(|_| model.verdict() == Verdict::Ok);
    let found = match system.as_ref().zip(prophecies) {
        Some((system, prophecies)) => {
            let Prophecies { system: goals_system, goals, instances } = prophecies;
            let mut budget = budget(args, start);
            let claims = Claims::new(Arc::clone(system), goals_system, &goals, &instances, &mut budget);
            Some(answer(args, &mut model, (system, &claims), &wanted, (&sources, start))?)
        }
        None => None,
    };
    let report = Report { path: &model.name.clone(), sources: &sources, is_full: args.full, found };
    let seconds = args.stats.then(|| start.elapsed().as_secs_f64());
    let shown = Shown { quiet: args.quiet, stats: args.stats, seconds, ..Shown::default() };
    model.answer(&report, (shown, Vec::new(), None), &sources)
}

/// Returns the claims with these names; empty for all. What does not fit is added to the diagnostics of the model.
fn wanted(args: &McArgs, model: &mut Model) -> Vec<Property> {
    let Some(system) = &model.system else { return Vec::new() };
    let (wanted, mut errors) = all_named(system, "--property", &args.property);
    if let Some(path) = &args.out {
        if !matches!(kind(path), Some(Kind::Binary | Kind::Ascii)) {
            let what = format!("--out: `{}` does not tell the format", path.display());
            let error = Diagnostic::error_nowhere(Code::Usage, what);
            errors.push(error.help("a name that ends in `.aig` or `.aag` is for AIGER"));
        } else if wanted.len() > 1 {
            let error = Diagnostic::error_nowhere(Code::Usage, "--out: several claims have several circuits");
            errors.push(error.help("name one claim with `--property`"));
        }
    }
    if system.invariants.is_empty() && system.assertions.is_empty() {
        let error = Diagnostic::error_nowhere(Code::NothingToCheck, "the model claims nothing of its states");
        errors.push(error.help("declare an `invariant`"));
    }
    model.diagnostics.extend(errors);
    wanted
}

/// Asks about the claims, and writes the files that are asked for.
fn answer<'a>(
    args: &McArgs,
    model: &mut Model,
    (system, claims): (&'a Arc<System>, &Claims),
    wanted: &[Property],
    (sources, start): (&Sources, Instant),
) -> io::Result<Found<'a>> {
    let all = claims.properties();
    let asked: Vec<Property> =
        all.iter().copied().filter(|it| wanted.is_empty() || wanted.contains(it)).collect();
    signals::end_with_summary();
    let progress = Progress::new(!args.quiet);
    let mut answers: Vec<Answered> =
        asked.iter().map(|&property| answered(args, system, claims, property, start, &progress)).collect();
    // Each proof assumes all claims of the past, so it stands if all claims are proved.
    let is_joint = asked.len() == all.len() && answers.iter().all(|it| it.answer.outcome.is_safe());
    for answered in &mut answers {
        if let (Some(path), Some(abstraction)) = (args.out.as_deref(), &answered.answer.abstraction) {
            match write_circuit(path, &abstraction.circuit)? {
                Ok(bytes) => answered.circuit = Some((path.display().to_string(), bytes)),
                Err(error) => model.diagnostics.push(error),
            }
        }
    }
    let mut found = Found { system, answers, is_joint, lifting: None };
    if let Some(path) = &args.lemmas {
        match lift(args, path, model, &found, sources, start) {
            Ok(lifting) => found.lifting = Some(lifting),
            Err(error) => model.diagnostics.push(error),
        }
    }
    Ok(found)
}

fn budget(args: &McArgs, start: Instant) -> Budget {
    Budget::new(args.limits.work, Some(args.limits.clocks(start).probe()))
}

/// Asks about a claim.
fn answered(
    args: &McArgs,
    system: &System,
    claims: &Claims,
    property: Property,
    start: Instant,
    progress: &Progress,
) -> Answered {
    let options = Options {
        max_nodes: args.max_nodes,
        generations: args.generations,
        seed: args.seed,
        replay: REPLAY,
        lemmas: args.lemmas.is_some(),
    };
    progress.say(|| format!("abstracting {}", property.label(system)));
    let mut answer = claims.answer(property, &options, &mut budget(args, start));
    progress.say(|| format!("prophecy variables for {}", property.label(system)));
    let mut suggestions = claims.suggestions(&answer, args.auto_prophecy, &options, &budget(args, start));
    // Which prophecy variables there are makes no difference to what the claim says.
    if args.auto_prophecy
        && let Some((abstraction, outcome)) = suggestions.iter_mut().find_map(|it| it.proved.take())
    {
        answer.outcome = outcome;
        answer.abstraction = Some(abstraction);
    }
    progress.clear();
    Answered { answer, suggestions, circuit: None }
}

/// Writes a circuit, and returns its size in bytes.
fn write_circuit(path: &Path, circuit: &Circuit) -> io::Result<Result<usize, Diagnostic>> {
    let Some(file) = circuit.to_aiger(Vec::new()) else { return Ok(Err(too_large("--out"))) };
    let mut bytes = Vec::new();
    match kind(path) {
        Some(Kind::Ascii) => write_ascii(&file, &mut bytes)?,
        _ => write_binary(&file, &mut bytes)?,
    }
    Ok(write_whole(path, &bytes).map(|()| bytes.len()))
}
