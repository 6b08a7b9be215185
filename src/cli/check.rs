//! `ramsey check`: certificate checking.

use std::fs::File;
use std::io::{self, BufReader, Write as _};

use super::args::{CheckArgs, OutputFormat};
use super::output::{print_diagnostics, stderr_palette, stdout, stdout_palette};
use super::sources::{display, load_problem, read_models, unreadable};
use crate::base::budget::Budget;
use crate::base::span::Sources;
use crate::check::{Subject, check};
use crate::diag::{Code, Diagnostic, Severity};
use crate::lang::{Format, Loaded};
use crate::report::Verdict;
use crate::report::json::check::CheckContent;
use crate::report::json::diagnostics::to_dto;
use crate::report::json::{Document, Head};

/// Checks a certificate against a model or a problem.
pub(super) fn run(args: &CheckArgs) -> io::Result<Verdict> {
    let mut sources = Sources::new();
    let palette = stderr_palette(args.color);
    let mut errors = Vec::new();
    let mut loaded = None;
    let mut text = String::new();
    let problem = Format::of_name(&args.model.to_string_lossy()).filter(|it| it.language().is_none());
    if let Some(format) = problem {
        (loaded, text, errors) = load_problem(&args.model, format, &mut sources);
    } else {
        for input in read_models(std::slice::from_ref(&args.model), args.language, &mut sources) {
            let (system, found) = input.load(&sources, &mut Budget::unlimited());
            loaded = system.map(Box::new).map(Loaded::System);
            errors.extend(found);
            text = input.source_text(&sources).into_owned();
        }
    }
    errors.retain(|it| it.severity == Severity::Error);
    let certificate = File::open(&args.certificate).map_err(|error| unreadable(&args.certificate, &error));
    let result = match (&loaded, certificate) {
        (Some(loaded), Ok(certificate)) => {
            let subject: Subject<'_> = match loaded {
                Loaded::System(system) => (&**system).into(),
                Loaded::Problem(problem) => problem.into(),
            };
            match check(subject, &text, BufReader::new(certificate)) {
                Err(rejection) if rejection.is_unreadable => {
                    let what = format!("`{}`: {}", args.certificate.display(), rejection.reason);
                    errors.push(Diagnostic::error_nowhere(Code::Unreadable, what));
                    None
                }
                result => Some(result),
            }
        }
        (_, certificate) => {
            errors.extend(certificate.err());
            None
        }
    };
    let (verdict, word) = match &result {
        Some(Ok(_)) => (Verdict::Ok, "accepted"),
        Some(Err(_)) => (Verdict::Counterexample, "rejected"),
        None => (Verdict::BadInput, Verdict::BadInput.word()),
    };
    let mut out = stdout();
    if args.format == OutputFormat::Json {
        let (accepted, rejected) = match result {
            Some(Ok(summary)) => (Some(summary.into()), None),
            Some(Err(rejection)) => (None, Some(rejection.into())),
            None => (None, None),
        };
        let diagnostics = errors.iter().map(|it| to_dto(it, &sources)).collect();
        let head = Head { verdict: word.into(), diagnostics, ..Head::from(verdict) };
        let content = CheckContent {
            model: display(&args.model),
            certificate: args.certificate.display().to_string(),
            accepted,
            rejected,
        };
        out.write_all(Document::new(head, content).text()?.as_bytes())?;
        out.flush()?;
        return Ok(verdict);
    }
    print_diagnostics(&errors, &sources, palette);
    let colors = stdout_palette(args.color);
    match result {
        Some(Ok(summary)) => {
            writeln!(out, "{}: {}, {summary}", colors.good(word), summary.claim)?;
            if !summary.same_source {
                writeln!(out, "note: the certificate was made for another text of the model")?;
            }
        }
        Some(Err(rejection)) => {
            writeln!(out, "{}: {rejection}", colors.bad(word))?;
            if rejection.same_source == Some(false) {
                writeln!(out, "note: the certificate was made for another text of the model")?;
            }
        }
        None => {}
    }
    out.flush()?;
    Ok(verdict)
}
