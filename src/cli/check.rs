//! `ramsey check`

use std::fs::File;
use std::io::{self, BufReader, Write as _};

use super::args::CheckArgs;
use super::output::{Status, print_diagnostics, stderr_palette, stdout, stdout_palette};
use super::sources::{load_problem, read_models};
use crate::base::span::Sources;
use crate::check::{Subject, check};
use crate::diag::{Code, Diagnostic, Severity};
use crate::lang::{Kind, Loaded};

/// Checks a certificate against a model or a problem.
pub(super) fn run(args: &CheckArgs) -> io::Result<Status> {
    let mut sources = Sources::new();
    let palette = stderr_palette(args.color);
    let mut errors = Vec::new();
    let mut loaded = None;
    let mut file = None;
    let kind = Kind::of_name(&args.model.to_string_lossy());
    if matches!(kind, Kind::Model(_)) {
        for input in read_models(std::slice::from_ref(&args.model), args.language, &mut sources) {
            let (system, found) = input.load(&sources);
            loaded = system.map(Box::new).map(Loaded::System);
            errors.extend(found);
            file = input.file.ok();
        }
    } else {
        (loaded, file, errors) = load_problem(&args.model, kind, &mut sources);
    }
    errors.retain(|it| it.severity == Severity::Error);
    let text = file.map_or("", |file| sources[file].text.as_str());
    let certificate = File::open(&args.certificate).map_err(|error| {
        let message = format!("cannot read `{}`: {error}", args.certificate.display());
        Diagnostic::error_nowhere(Code::Unreadable, message)
    });
    let (Some(loaded), Ok(certificate)) = (&loaded, &certificate) else {
        errors.extend(certificate.err());
        print_diagnostics(&errors, &sources, palette);
        return Ok(Status::BadInput);
    };
    let mut out = stdout();
    let colors = stdout_palette(args.color);
    let subject: Subject<'_> = match loaded {
        Loaded::System(system) => (&**system).into(),
        Loaded::Problem(problem) => problem.into(),
    };
    let status = match check(subject, text, BufReader::new(certificate)) {
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
