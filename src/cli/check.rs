//! `ramsey check`

use std::fs::File;
use std::io::{self, BufReader, Write as _};

use super::args::CheckArgs;
use super::output::{Status, print_diagnostics, stderr_palette, stdout, stdout_palette};
use super::sources::read_models;
use crate::base::span::Sources;
use crate::check::check;
use crate::diag::{Code, Diagnostic};

/// Checks a certificate against a model.
pub(super) fn run(args: &CheckArgs) -> io::Result<Status> {
    let mut sources = Sources::new();
    let palette = stderr_palette(args.color);
    let mut errors = Vec::new();
    let mut system = None;
    let mut text = "";
    let inputs = read_models(std::slice::from_ref(&args.model), args.language, &mut sources);
    for input in inputs {
        let (loaded, found) = input.load(&sources);
        system = loaded;
        errors.extend(found.into_iter().filter(|it| it.severity == crate::diag::Severity::Error));
        if let Ok(file) = input.file {
            text = &sources[file].text;
        }
    }
    let certificate = File::open(&args.certificate).map_err(|error| {
        let message = format!("cannot read `{}`: {error}", args.certificate.display());
        Diagnostic::error_nowhere(Code::Unreadable, message)
    });
    let (Some(system), Ok(certificate)) = (&system, &certificate) else {
        errors.extend(certificate.err());
        print_diagnostics(&errors, &sources, palette);
        return Ok(Status::BadInput);
    };
    let mut out = stdout();
    let colors = stdout_palette(args.color);
    let status = match check(system, text, BufReader::new(certificate)) {
        Ok(summary) => {
            writeln!(out, "{}: {}, {summary}", colors.good("accepted"), summary.claim)?;
            if !summary.same_source {
                writeln!(out, "note: the certificate was made for another text of the model")?;
            }
            Status::Ok
        }
        Err(rejection) => {
            writeln!(out, "{}: {rejection}", colors.bad("rejected"))?;
            Status::Counterexample
        }
    };
    out.flush()?;
    Ok(status)
}
