//! `ramsey explain`: why an invariant is inductive, and what each part of it is there for.

use std::io;
use std::path::Path;
use std::sync::Arc;
use std::time::Instant;

use super::args::ExplainArgs;
use super::claims::{has_claims, nothing_to_check};
use super::files::{check_parents, write_whole};
use super::output::{print_diagnostics, stderr_palette};
use super::picture::Gallery;
use super::progress::Progress;
use super::select::{all_named, unknown_names};
use super::shared::Model;
use super::signals;
use ramsey_app::models::{Methods, Policy};
use ramsey_core::base::span::Sources;
use ramsey_core::diag::{Code, Diagnostic};
use ramsey_core::system::System;
use ramsey_engine::query::explain::{self, Explanation, Options, explain};
use ramsey_kernel::obligations::Question;
use ramsey_report::Verdict;
use ramsey_report::explain::{Found, Report};
use ramsey_report::finding::origin_text;
use ramsey_report::picture::{dot_of, svg_of};
use ramsey_report::render::{Render as _, Shown};

/// Explains the claims of a model.
pub(super) fn run(args: &ExplainArgs) -> io::Result<Verdict> {
    let misplaced = misplaced(args);
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
    let found = system.and_then(|system| {
        let explanation = search(args, &mut model, &system, &sources, start)?;
        Some((system, explanation))
    });
    let name = model.name.clone();
    let found = found.as_ref().map(|(system, explanation)| Found {
        path: &name,
        system,
        sources: &sources,
        explanation,
    });
    if let Some(found) = &found {
        model.diagnostics.extend(draw(args, found).err());
    }
    let report = Report { path: &name, only: &args.invariant, found };
    let shown = Shown { negative: args.print_negative_tuples, ..Shown::default() };
    let explanations = args.limits.explanations(&report.exhausted());
    model.answer(&report, (shown, explanations, args.output.as_deref()), &sources)
}

/// Returns the errors about output files.
fn misplaced(args: &ExplainArgs) -> Vec<Diagnostic> {
    let mut errors = check_parents([&args.output, &args.graph]);
    let extension = args.graph.as_deref().and_then(Path::extension);
    if args.graph.is_some() && extension.is_none_or(|it| it != "svg" && it != "dot") {
        let error = Diagnostic::error_nowhere(Code::Usage, "--graph: the file is called .svg or .dot");
        errors.push(error.help("`.dot` is the language of Graphviz"));
    }
    errors
}

/// Searches for the explanation. Returns `None` if an argument is wrong, or there is nothing to explain.
fn search(
    args: &ExplainArgs,
    model: &mut Model,
    system: &Arc<System>,
    sources: &Sources,
    start: Instant,
) -> Option<Explanation> {
    let mut errors = unknown_names([&**system], "", &[], &args.invariant);
    let (goals, unknown) = all_named(system, "--goal", &args.goal);
    errors.extend(unknown);
    if !errors.is_empty() || !has_claims(system, &Question::Verify) {
        model.diagnostics.extend(errors);
        return None;
    }
    if let Err(errors) = args.pictures.gallery(system, &args.model) {
        model.diagnostics.extend(errors);
        return None;
    }
    let chosen = system.invariants.iter().enumerate();
    let chosen = chosen.filter(|(_, it)| args.invariant.contains(&it.label)).map(|(index, _)| index);
    let options =
        Options { goals, invariants: chosen.collect(), only_proofs: args.only_proofs, seed: args.seed };
    let limits = args.limits.limits(start);
    model.warn_of_fragment(system, &limits, sources);
    signals::end_with_summary();
    let progress = Progress::new(true);
    let told = &mut |what: explain::Progress| match what {
        explain::Progress::Proving(origin) => progress.say(|| origin_text(system, origin)),
        explain::Progress::Without(invariant) => {
            progress.say(|| format!("without {}", system.invariants[invariant].label));
        }
    };
    Some(explain(system, &options, &limits, told))
}

/// Draws the graph of the claims and the states that invariants exclude.
fn draw(args: &ExplainArgs, report: &Found<'_>) -> Result<(), Diagnostic> {
    if let Some(path) = &args.graph {
        let scene = report.scene();
        let title = report.path;
        let text = if path.extension().is_some_and(|it| it == "svg") {
            svg_of(&scene, title, "")
        } else {
            dot_of(&report.system.sig, &scene, title, "")
        };
        write_whole(path, text.as_bytes())?;
    }
    let found: Result<Gallery<'_>, _> = args.pictures.gallery(report.system, &args.model);
    let Ok(mut gallery) = found else { return Ok(()) };
    for excluded in report.explanation.claims.iter().filter_map(|entry| entry.excluded.as_ref()) {
        gallery.failures(report.path, &excluded.system, &excluded.answer.verification)?;
    }
    Ok(())
}
