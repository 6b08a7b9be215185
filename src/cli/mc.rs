//! `ramsey mc`: eager abstraction.

use std::io;
use std::path::Path;
use std::sync::Arc;
use std::time::Instant;

use super::args::{LimitArgs, McArgs};
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
            let claims = claims(system, prophecies, &mut budget(&args.limits, start));
            Some(answer(args, &mut model, (system, &claims), &wanted, (&sources, start))?)
        }
        None => None,
    };
    let report =
        Report { path: &model.name.clone(), isolate: None, sources: &sources, is_full: args.full, found };
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
    let is_asked = |it: &Property| wanted.is_empty() || wanted.contains(it);
    let asked: Vec<Property> = claims.properties().into_iter().filter(is_asked).collect();
    signals::end_with_summary();
    let progress = Progress::new(!args.quiet);
    let options = Options {
        max_nodes: args.max_nodes,
        generations: args.generations,
        lemmas: args.lemmas.is_some(),
        ..Options::new(args.seed)
    };
    let search = Search { options, auto_prophecy: args.auto_prophecy, limits: args.limits, start };
    let (mut answers, is_joint) = search.answers(system, claims, &asked, &progress);
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

fn budget(limits: &LimitArgs, start: Instant) -> Budget {
    Budget::new(limits.work, Some(limits.clocks(start).probe()))
}

/// Reads the claims of a model together with what their proofs name.
pub(super) fn claims(system: &Arc<System>, prophecies: Prophecies, budget: &mut Budget) -> Claims {
    let Prophecies { system: goals_system, goals, instances } = prophecies;
    Claims::new(Arc::clone(system), goals_system, &goals, &instances, budget)
}

/// How answers are searched.
pub(super) struct Search {
    /// Options of each answer.
    pub(super) options: Options,
    /// Whether prophecy variables are looked for that prove a claim.
    pub(super) auto_prophecy: bool,
    /// The limits of each answer.
    pub(super) limits: LimitArgs,
    /// When the run began.
    pub(super) start: Instant,
}

impl Search {
    /// Asks about claims. The second value tells whether all claims of the model are proved: each proof assumes all of them of the
    /// past, so it stands if they all do.
    pub(super) fn answers(
        &self,
        system: &System,
        claims: &Claims,
        asked: &[Property],
        progress: &Progress,
    ) -> (Vec<Answered>, bool) {
        let answers: Vec<Answered> =
            asked.iter().map(|&property| self.answered(system, claims, property, progress)).collect();
        let has_all = claims.properties().iter().all(|it| asked.contains(it));
        let is_joint = has_all && answers.iter().all(|it| it.answer.outcome.is_safe());
        (answers, is_joint)
    }

    /// Asks about a claim.
    fn answered(
        &self,
        system: &System,
        claims: &Claims,
        property: Property,
        progress: &Progress,
    ) -> Answered {
        let Search { options, auto_prophecy, limits, start } = self;
        progress.say(|| format!("abstracting {}", property.label(system)));
        let mut answer = claims.answer(property, options, &mut budget(limits, *start));
        progress.say(|| format!("prophecy variables for {}", property.label(system)));
        let mut suggestions = claims.suggestions(&answer, *auto_prophecy, options, &budget(limits, *start));
        // Which prophecy variables there are makes no difference to what the claim says.
        if *auto_prophecy
            && let Some((abstraction, outcome)) = suggestions.iter_mut().find_map(|it| it.proved.take())
        {
            answer.outcome = outcome;
            answer.abstraction = Some(abstraction);
        }
        progress.clear();
        Answered { answer, suggestions, circuit: None }
    }
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
