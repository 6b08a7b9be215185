//! `ramsey explain`: why an invariant is inductive, and what each part of it is there for.

use std::io::{self, Write as _};
use std::path::Path;
use std::sync::Arc;
use std::time::Instant;

use super::args::{ExplainArgs, OutputFormat};
use super::claims::{has_claims, nothing_to_check};
use super::files::{check_parents, write_whole};
use super::output::{print_diagnostics, stderr_palette, stdout, stdout_palette};
use super::picture::Gallery;
use super::progress::Progress;
use super::select::{named, not_claimed, unknown_names};
use super::shared::{Model, write_document};
use super::signals;
use ramsey_core::base::budget::Exhausted;
use ramsey_core::base::span::Sources;
use ramsey_core::diag::{Code, Diagnostic};
use ramsey_core::system::System;
use ramsey_engine::query::Outcome;
use ramsey_engine::query::explain::{self, Answer, Explanation, Options, Standing, explain};
use ramsey_kernel::obligations::{Property, Question};
use ramsey_report::Verdict;
use ramsey_report::cti::origin_text;
use ramsey_report::explain::{Report, verdict};
use ramsey_report::json::explain::content;
use ramsey_report::json::{Document, Head};
use ramsey_report::picture::{dot_of, svg_of};
use ramsey_report::unknown;

/// Explains the claims of a model.
pub(super) fn run(args: &ExplainArgs) -> io::Result<Verdict> {
    let misplaced = misplaced(args);
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
    let found = system.and_then(|system| {
        let explanation = search(args, &mut model, &system, &sources, start)?;
        Some((system, explanation))
    });
    if let Some((system, explanation)) = &found {
        let report = Report { path: &model.name, system, sources: &sources, explanation };
        let drawn = draw(args, &report);
        model.diagnostics.extend(drawn.err());
    }
    write(args, &mut model, found.as_ref(), &sources)
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
    let mut goals: Vec<Property> = Vec::new();
    for goal in &args.goal {
        let found = named(system, goal);
        if found.is_empty() {
            errors.push(not_claimed(system, "--goal", goal, ""));
        }
        goals.extend(found.into_iter().filter(|it| !goals.contains(it)).collect::<Vec<_>>());
    }
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
    model.warn_of_fragment(system, &limits, (args.format, args.color), sources);
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
fn draw(args: &ExplainArgs, report: &Report<'_>) -> Result<(), Diagnostic> {
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
        let verification = &excluded.answer.verification;
        for result in &verification.results {
            if let Outcome::Fails(found) = &result.outcome {
                let syntax = verification.obligations.syntax();
                gallery.counterexample(report.path, &excluded.system, syntax, found)?;
            }
        }
    }
    Ok(())
}

fn write(
    args: &ExplainArgs,
    model: &mut Model,
    found: Option<&(Arc<System>, Explanation)>,
    sources: &Sources,
) -> io::Result<Verdict> {
    let how = (args.format, args.color);
    let verdict = found.map_or(Verdict::Ok, |(_, it)| verdict(it)).max(model.verdict());
    let proofs = found.iter().flat_map(|(_, it)| &it.proofs);
    let of_proofs = proofs.filter_map(|proof| match proof.answer {
        Answer::Unknown(exhausted) => Some(exhausted),
        Answer::Proved(_) | Answer::Refuted => None,
    });
    let claims = found.iter().flat_map(|(_, it)| &it.claims);
    let of_claims = claims.filter_map(|entry| match entry.standing {
        Standing::Unknown(exhausted) => Some(exhausted),
        _ => None,
    });
    let reasons: Vec<Exhausted> = of_proofs.chain(of_claims).collect();
    let explanations = args.limits.explanations(&reasons);
    let name = model.name.clone();
    let report = found.map(|(system, explanation)| Report { path: &name, system, sources, explanation });
    let written = write_document(args.output.as_deref(), how, || {
        let head = Head {
            diagnostics: model.diagnostics_dto(sources),
            explanations: explanations.clone(),
            ..Head::from(verdict)
        };
        Document::new(head, content(&name, report.as_ref(), args.print_negative_tuples)).text()
    })?;
    model.print_new(how, sources);
    let mut out = stdout();
    if let Some(report) = report.filter(|_| args.format == OutputFormat::Text) {
        let is_shown = |property: Property| {
            args.invariant.is_empty() || args.invariant.iter().any(|it| it == property.label(report.system))
        };
        let text = report.text(&is_shown, stdout_palette(args.color), args.print_negative_tuples);
        out.write_all(text.as_bytes())?;
        out.write_all(unknown::explanations_text(&explanations).as_bytes())?;
    }
    out.flush()?;
    Ok(verdict.max(written))
}
