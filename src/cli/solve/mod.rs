//! `ramsey solve`: problems without a model, with one file per format.

pub(super) mod aiger;
mod answer;
mod certify;
mod core;
mod dimacs;
mod inccnf;
mod input;
mod proof;
mod recognize;
mod setup;
mod sink;
mod smtlib;
mod tptp;

use std::io;
use std::path::Path;

use super::args::SolveArgs;
use super::sources::{display, format_of, is_model};
use input::Input;
use ramsey_core::base::span::Sources;
use ramsey_core::diag::{Code, Diagnostic};
use ramsey_lang::Format;
use ramsey_report::Verdict;
use ramsey_report::json::solve::Language;
use recognize::Kind;
use setup::path_of;
use sink::Sink;

/// Solves the problem and prints the answer.
pub(super) fn run(args: &SolveArgs) -> io::Result<u8> {
    let mut sink = Sink::new(args);
    let (format, input) = match open(args) {
        Ok(opened) => opened,
        Err(error) => {
            sink.complain(&[error], &Sources::new());
            return sink.end(Verdict::BadInput);
        }
    };
    let language = match format {
        Format::Dimacs => Language::Dimacs,
        Format::Smtlib => Language::Smtlib,
        Format::Tptp => Language::Tptp,
        Format::Aiger => Language::Aiger,
        Format::Core => Language::Core,
        Format::Pyv | Format::Rml | Format::Ivy => {
            sink.complain(&[no_problem(path_of(args), Kind::Model)], &Sources::new());
            return sink.end(Verdict::BadInput);
        }
    };
    sink.set_language(language);
    match language {
        Language::Dimacs => dimacs::run(args, input, sink),
        Language::Smtlib => smtlib::run(args, input, sink),
        Language::Tptp => tptp::run(args, input, sink),
        Language::Aiger => aiger::run(args, input, sink),
        Language::Core => core::run(args, input, sink),
    }
}

/// Opens the problem and determines its format. Unrecognized text is read as DIMACS, whose parser reports the error.
fn open(args: &SolveArgs) -> Result<(Format, Input<'_>), Diagnostic> {
    let path = path_of(args);
    let mut input = Input::open(path)?;
    if args.interactive {
        return Ok((Format::Smtlib, input));
    }
    let named = args.input.or_else(|| format_of(path).filter(|format| format.language().is_none()));
    let format = match (named, input.kind()?) {
        (Some(named), Kind::Problem(found)) if named != found && !may_begin(named, found) => {
            return Err(another_format(args, path, named, found));
        }
        (Some(named), Kind::Problem(_)) => named,
        (None, Kind::Problem(found)) => found,
        (None, Kind::Unknown) if is_model(path) => return Err(no_problem(path, Kind::Model)),
        (named, Kind::Unknown) => named.unwrap_or(Format::Dimacs),
        (_, kind) => return Err(no_problem(path, kind)),
    };
    check_options(args, format)?;
    Ok((format, input))
}

/// Checks whether a text in the first format may be recognized as one in the second: a lone `%` ends clauses.
fn may_begin(named: Format, found: Format) -> bool {
    (named, found) == (Format::Dimacs, Format::Tptp)
}

/// Returns the error about a text whose format is not the requested one.
fn another_format(args: &SolveArgs, path: &Path, named: Format, found: Format) -> Diagnostic {
    let name = display(path);
    let reason = if args.input.is_some() { "`--input`" } else { "its name" };
    let what = format!(
        "`{name}` begins like {}, and by {reason} it is {}",
        found.descriptor().title,
        named.descriptor().title
    );
    let help = if args.input.is_some() {
        "without `--input` the text tells its format".to_owned()
    } else {
        format!("`--input {}` says that it is {}", found.descriptor().name, found.descriptor().title)
    };
    Diagnostic::error_nowhere(Code::Unreadable, what).help(help)
}

/// Returns the error about a text that is not a problem.
fn no_problem(path: &Path, kind: Kind) -> Diagnostic {
    let name = display(path);
    let file = if path.as_os_str() == "-" { "FILE" } else { &name };
    let (what, help) = match kind {
        Kind::Json => (
            "a JSON document",
            format!("`ramsey show {file}` draws the counterexamples in answers of `--format json`"),
        ),
        Kind::Certificate => {
            ("a certificate", format!("`ramsey check MODEL {file}` checks one against what it is about"))
        }
        Kind::Compressed(program) => {
            ("a compressed file", format!("decompress it: `{program} -dc {file} | ramsey solve -`"))
        }
        Kind::Model | Kind::Problem(_) | Kind::Unknown => (
            "a model",
            format!(
                "`ramsey verify {file}` checks its invariants; `solve` reads DIMACS, SMT-LIB, TPTP and AIGER"
            ),
        ),
    };
    Diagnostic::error_nowhere(Code::Unreadable, format!("`{name}` is no problem but {what}")).help(help)
}

/// Checks that no option is given that does not apply to problems in this format.
fn check_options(args: &SolveArgs, format: Format) -> Result<(), Diagnostic> {
    let refused = |what: &str, help: &str| {
        Err(Diagnostic::error_nowhere(Code::Usage, what.to_owned()).help(help.to_owned()))
    };
    match format {
        Format::Dimacs if args.certify.is_some() || args.export.is_some() || args.rocq.is_some() => refused(
            "`--certify`, `--export` and `--rocq` are not about SAT problems",
            "`--proof FILE` writes the proof for a SAT problem, LRAT or DRAT",
        ),
        Format::Aiger if args.rocq.is_some() => refused(
            "`--rocq` is not about circuits: their certificates have no form in Rocq",
            "`--certify FILE` writes a certificate that `ramsey-check` accepts",
        ),
        Format::Core if args.export.is_some() => refused(
            "`--export` is about SMT-LIB, TPTP and AIGER",
            "`--certify FILE` writes a certificate that `ramsey-check` accepts",
        ),
        Format::Smtlib | Format::Tptp | Format::Aiger | Format::Core if args.proof.is_some() => refused(
            "`--proof` is about SAT problems",
            "`--certify FILE` writes a certificate that `ramsey-check` accepts, `--export FOLDER` proofs for other checkers",
        ),
        Format::Dimacs | Format::Tptp | Format::Aiger | Format::Core if args.minimize => {
            refused("`--minimize` is about SMT-LIB", "models of other problems are not made small")
        }
        _ => Ok(()),
    }
}
