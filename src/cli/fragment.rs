//! `ramsey fragment`: decidability of obligations.

use std::io;

use super::args::{FragmentArgs, PlainFormat};
use super::limits;
use super::output::{diagnostics_dto, print_diagnostics, print_part, stderr_palette, stdout_palette};
use super::sources::read_models;
use ramsey_core::base::span::Sources;
use ramsey_core::diag::Severity;
use ramsey_engine::query::fragment;
use ramsey_kernel::obligations::Obligations;
use ramsey_report::Verdict;
use ramsey_report::fragment::{diagnostics, summary};
use ramsey_report::json::check::{FragmentContent, FragmentFile, fragment_obligations};
use ramsey_report::json::{Document, Head};

/// Reports for each obligation whether it lies in stratified EPR.
pub(super) fn run(args: &FragmentArgs) -> io::Result<Verdict> {
    let mut sources = Sources::new();
    let inputs = read_models(&args.paths, &args.form.language, &mut sources);
    let palette = stderr_palette(args.form.color);
    let mut verdict = Verdict::Ok;
    let mut files = Vec::new();
    for input in inputs {
        let policy = args.form.strictness.into();
        let (system, mut found) = input.read(&policy, &sources, &mut limits::reading());
        let mut here = Verdict::of_diagnostics(&found);
        let mut obligations = Vec::new();
        if let Some(system) = system {
            let memberships = fragment(&system, &Obligations::new(&system));
            let outside: Vec<_> =
                memberships.iter().filter_map(|(origin, cycle)| Some((*origin, cycle.as_deref()?))).collect();
            if !outside.is_empty() {
                here = here.max(Verdict::Counterexample);
            }
            found.extend(diagnostics(&system, outside, Severity::Warning));
            match args.form.format {
                PlainFormat::Text => {
                    let name = stdout_palette(args.form.color).bold(&input.name);
                    print_part(&format!("{name}\n{}", summary(&system, &memberships)))?;
                }
                PlainFormat::Json => obligations = fragment_obligations(&system, &memberships),
            }
        }
        verdict = verdict.max(here);
        match args.form.format {
            PlainFormat::Text => print_diagnostics(&found, &sources, palette),
            PlainFormat::Json => files.push(FragmentFile {
                path: input.name,
                parts: input.parts,
                verdict: here.into(),
                diagnostics: diagnostics_dto(&found, &sources),
                obligations,
            }),
        }
    }
    if args.form.format == PlainFormat::Json {
        print_part(&Document::new(Head::from(verdict), FragmentContent { files }).text()?)?;
    }
    Ok(verdict)
}
