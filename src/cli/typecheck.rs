//! `ramsey typecheck`: errors and warnings of models.

use std::io;

use super::args::{OutputFormat, TypecheckArgs};
use super::limits;
use super::output::{diagnostics_dto, print_diagnostics, print_part, stderr_palette};
use super::results::{messages, publish};
use super::shared::told;
use super::sources::read_models;
use ramsey_app::models::Policy;
use ramsey_core::base::span::Sources;
use ramsey_report::Verdict;
use ramsey_report::json::check::{TypecheckContent, TypecheckFile};
use ramsey_report::json::{Content as _, Document, Head};
use ramsey_report::results::Results;

/// Reads every model and reports its diagnostics.
pub(super) fn run(args: &TypecheckArgs) -> io::Result<Verdict> {
    let mut sources = Sources::new();
    let inputs = read_models(&args.paths, &args.form.language, &mut sources);
    let palette = stderr_palette(args.form.color);
    let how = args.form.how();
    let (mut verdict, mut usage) = (Verdict::Ok, Vec::new());
    let baseline = how.results.prepare(&mut sources, &mut usage);
    let (mut files, mut entries) = (Vec::new(), messages(&usage, "", &sources));
    let policy = Policy { has_lints: true, ..args.form.strictness.into() };
    for input in inputs {
        let (_, found) = input.read(&policy, &sources, &mut limits::reading());
        let here = Verdict::of_diagnostics(&found);
        verdict = verdict.max(here);
        if how.is_text() {
            print_diagnostics(&found, &sources, palette);
        }
        entries.extend(messages(&found, &input.name, &sources));
        let diagnostics = diagnostics_dto(&found, &sources);
        files.push(TypecheckFile { path: input.name, parts: input.parts, verdict: here, diagnostics });
    }
    if how.is_text() {
        print_diagnostics(&usage, &sources, palette);
    }
    let command = TypecheckContent::command().to_owned();
    let (explanations, comparison) = (Vec::new(), None);
    let verdict = verdict.max(Verdict::of_diagnostics(&usage));
    let mut results =
        Results { command, verdict, entries, explanations, is_quiet: false, parts: Vec::new(), comparison };
    results.complete(baseline.as_ref());
    let head = Head {
        diagnostics: diagnostics_dto(&usage, &sources),
        comparison: results.comparison.as_ref().map(Into::into),
        ..Head::from(results.verdict)
    };
    let document = Document::new(head, TypecheckContent { files }).text()?;
    if args.form.results.format == OutputFormat::Json {
        print_part(&document)?;
    }
    let published = publish(&how, &results, || Ok(document.clone()))?;
    let verdict = results.verdict;
    if let Some(collector) = &how.results.collector {
        collector.put(results);
    }
    Ok(verdict.max(told(published, args.form.color)))
}
