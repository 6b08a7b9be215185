//! `ramsey typecheck`: errors and warnings of models.

use std::io;

use super::args::{OutputFormat, TypecheckArgs};
use super::limits;
use super::output::{diagnostics_dto, print_diagnostics, print_part, stderr_palette};
use super::sources::read_models;
use ramsey_app::models::Policy;
use ramsey_core::base::span::Sources;
use ramsey_report::Verdict;
use ramsey_report::json::check::{TypecheckContent, TypecheckFile};
use ramsey_report::json::{Document, Head};

/// Reads every model and reports its diagnostics.
pub(super) fn run(args: &TypecheckArgs) -> io::Result<Verdict> {
    let mut sources = Sources::new();
    let inputs = read_models(&args.paths, &args.form.language, &mut sources);
    let palette = stderr_palette(args.form.color);
    let mut verdict = Verdict::Ok;
    let mut files = Vec::new();
    let policy = Policy { has_lints: true, ..args.form.strictness.into() };
    for input in inputs {
        let (_, found) = input.read(&policy, &sources, &mut limits::reading());
        let here = Verdict::of_diagnostics(&found);
        verdict = verdict.max(here);
        match args.form.format {
            OutputFormat::Text => print_diagnostics(&found, &sources, palette),
            OutputFormat::Json => files.push(TypecheckFile {
                path: input.name,
                parts: input.parts,
                verdict: here,
                diagnostics: diagnostics_dto(&found, &sources),
            }),
        }
    }
    if args.form.format == OutputFormat::Json {
        print_part(&Document::new(Head::from(verdict), TypecheckContent { files }).text()?)?;
    }
    Ok(verdict)
}
