//! `ramsey typecheck`: errors and warnings of models.

use std::io::{self, Write as _};

use super::args::{OutputFormat, TypecheckArgs};
use super::output::{Status, diagnostics_dto, print_diagnostics, stderr_palette, stdout};
use super::sources::read_models;
use crate::base::budget::Budget;
use crate::base::span::Sources;
use crate::report::json::check::{TYPECHECK_SCHEMA, TypecheckDocument, TypecheckFile};

/// Reads every model and reports its diagnostics.
pub(super) fn run(args: &TypecheckArgs) -> io::Result<Status> {
    let mut sources = Sources::new();
    let inputs = read_models(&args.paths, args.language, &mut sources);
    let palette = stderr_palette(args.color);
    let mut status = Status::Ok;
    let mut files = Vec::new();
    for input in inputs {
        let (_, found) = input.load_with_lints(args.strictness, &sources, &mut Budget::unlimited());
        let here = Status::of_diagnostics(&found);
        status = status.max(here);
        match args.format {
            OutputFormat::Text => print_diagnostics(&found, &sources, palette),
            OutputFormat::Json => files.push(TypecheckFile {
                path: input.name,
                parts: input.parts,
                verdict: here.word(),
                diagnostics: diagnostics_dto(&found, &sources),
            }),
        }
    }
    if args.format == OutputFormat::Json {
        let document = TypecheckDocument {
            schema: TYPECHECK_SCHEMA,
            version: env!("CARGO_PKG_VERSION"),
            verdict: status.word(),
            exit_code: status.code(),
            files,
        };
        let mut out = stdout();
        serde_json::to_writer_pretty(&mut out, &document)?;
        writeln!(out)?;
        out.flush()?;
    }
    Ok(status)
}
