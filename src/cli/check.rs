//! `ramsey check`: certificate checking.

use std::fmt::Display;
use std::fs::File;
use std::io::{self, BufReader, Write as _};

use super::args::{CheckArgs, OutputFormat};
use super::limits;
use super::output::{print_diagnostics, stderr_palette, stdout, stdout_palette};
use super::solve::aiger;
use super::sources::{display, load_problem, read_bytes, read_models, unreadable};
use ramsey_app::models::Policy;
use ramsey_core::base::budget::Budget;
use ramsey_core::base::span::Sources;
use ramsey_core::diag::{Code, Diagnostic, Severity};
use ramsey_kernel::check::{Subject, check, circuit};
use ramsey_lang::aiger::Circuit;
use ramsey_lang::{Format, Loaded};
use ramsey_report::Verdict;
use ramsey_report::json::check::{Accepted, CheckContent, CheckVerdict, Rejected};
use ramsey_report::json::diagnostics::to_dto;
use ramsey_report::json::{Document, Head};

/// What certificates are about.
enum Model {
    /// A model or a problem, with the text that the digest is of.
    Text(Loaded, String),
    /// A circuit, with the bytes of its file.
    Circuit(Circuit, Vec<u8>),
}

/// The kernel's answer, as a line and as data.
enum Answer {
    Accepted(String, Accepted),
    Rejected(String, Rejected),
}

impl Answer {
    fn accepted(line: String, summary: impl Into<Accepted>) -> Answer {
        Answer::Accepted(line, summary.into())
    }

    fn rejected(rejection: impl Display + Into<Rejected>) -> Answer {
        Answer::Rejected(rejection.to_string(), rejection.into())
    }
}

/// Checks a certificate against a model, a problem or a circuit.
pub(super) fn run(args: &CheckArgs) -> io::Result<Verdict> {
    let mut sources = Sources::new();
    let palette = stderr_palette(args.color);
    let (model, mut errors) = read(args, &mut sources);
    let certificate = File::open(&args.certificate).map_err(|error| unreadable(&args.certificate, &error));
    let answer = match (&model, certificate) {
        (Some(model), Ok(certificate)) => match judge(model, BufReader::new(certificate)) {
            Ok(answer) => Some(answer),
            Err(reason) => {
                let what = format!("`{}`: {reason}", args.certificate.display());
                errors.push(Diagnostic::error_nowhere(Code::Unreadable, what));
                None
            }
        },
        (_, certificate) => {
            errors.extend(certificate.err());
            None
        }
    };
    let verdict = match &answer {
        Some(Answer::Accepted(..)) => Verdict::Ok,
        Some(Answer::Rejected(..)) => Verdict::Counterexample,
        None => Verdict::without_answer(&errors),
    };
    let mut out = stdout();
    if args.format == OutputFormat::Json {
        let (accepted, rejected) = match answer {
            Some(Answer::Accepted(_, content)) => (Some(content), None),
            Some(Answer::Rejected(_, content)) => (None, Some(content)),
            None => (None, None),
        };
        let diagnostics = errors.iter().map(|it| to_dto(it, &sources)).collect();
        let head = Head { diagnostics, ..Head::from(verdict) };
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
    let word = CheckVerdict::from(verdict).word();
    let same_source = match answer {
        Some(Answer::Accepted(line, content)) => {
            writeln!(out, "{}: {line}", colors.good(word))?;
            Some(content.same_source)
        }
        Some(Answer::Rejected(line, content)) => {
            writeln!(out, "{}: {line}", colors.bad(word))?;
            content.same_source
        }
        None => None,
    };
    if same_source == Some(false) {
        let what = if matches!(model, Some(Model::Circuit(..))) {
            "file of the circuit"
        } else {
            "text of the model"
        };
        writeln!(out, "note: the certificate was made for another {what}")?;
    }
    out.flush()?;
    Ok(verdict)
}

/// Reads the model. Returns errors if there is none.
fn read(args: &CheckArgs, sources: &mut Sources) -> (Option<Model>, Vec<Diagnostic>) {
    let format = Format::of_name(&args.model.to_string_lossy()).filter(|it| it.language().is_none());
    let (mut loaded, mut text, mut errors) = (None, String::new(), Vec::new());
    match format {
        Some(Format::Aiger) => {
            // An unlimited budget is never exhausted.
            let budget = &mut Budget::unlimited();
            let bytes = read_bytes(&args.model);
            return match bytes.and_then(|bytes| aiger::parse(&args.model, bytes, budget, sources)) {
                Ok(read) => (read.ok().map(|(circuit, bytes)| Model::Circuit(circuit, bytes)), Vec::new()),
                Err(error) => (None, vec![error]),
            };
        }
        Some(format) => (loaded, text, errors) = load_problem(&args.model, format, sources),
        None => {
            for input in read_models(std::slice::from_ref(&args.model), args.language, sources) {
                let (system, found) = input.read(&Policy::LENIENT, sources, &mut limits::reading());
                loaded = system.map(Loaded::System);
                errors.extend(found);
                text = input.source_text(sources).into_owned();
            }
        }
    }
    errors.retain(|it| it.severity == Severity::Error);
    (loaded.map(|loaded| Model::Text(loaded, text)), errors)
}

/// Asks the kernel. Returns the reason if the certificate cannot be read.
fn judge(model: &Model, certificate: BufReader<File>) -> Result<Answer, String> {
    match model {
        Model::Text(loaded, text) => {
            let subject: Subject<'_> = match loaded {
                Loaded::System(system) => (&**system).into(),
                Loaded::Problem(problem) => problem.into(),
            };
            match check(subject, text, certificate) {
                Ok(summary) => Ok(Answer::accepted(format!("{}, {summary}", summary.claim), summary)),
                Err(rejection) if rejection.is_unreadable => Err(rejection.reason),
                Err(rejection) => Ok(Answer::rejected(rejection)),
            }
        }
        Model::Circuit(circuit, bytes) => match circuit::check(circuit, bytes, certificate) {
            Ok(summary) => Ok(Answer::accepted(summary.to_string(), summary)),
            Err(rejection) if rejection.is_unreadable => Err(rejection.reason),
            Err(rejection) => Ok(Answer::rejected(rejection)),
        },
    }
}
