//! `ramsey solve`: problems without a model. One file per format.

mod answer;
mod certify;
mod dimacs;
mod inccnf;
mod input;
mod proof;
mod smtlib;
mod tptp;

use std::io;
use std::path::Path;

use super::args::{ProblemFormat, SolveArgs};
use super::limits::Limits;
use super::output::{Status, print_diagnostics, stderr_palette};
use crate::base::span::Sources;
use crate::diag::Diagnostic;
use crate::query::verify;
use input::Input;

/// Solves the problem and prints the answer.
pub(super) fn run(args: &SolveArgs) -> io::Result<u8> {
    match open(args) {
        Ok((ProblemFormat::Dimacs, input)) => dimacs::run(args, input),
        Ok((ProblemFormat::Smtlib, input)) => smtlib::run(args, input),
        Ok((ProblemFormat::Tptp, input)) => tptp::run(args, input),
        Err(error) => {
            print_diagnostics(&[error], &Sources::new(), stderr_palette(args.color));
            Ok(Status::BadInput.code())
        }
    }
}

/// The limits of each query.
fn limits(args: &SolveArgs) -> Limits {
    let memory = args.memory.map(|megabytes| megabytes.saturating_mul(1 << 20));
    Limits { query: args.timeout, deadline: None, memory }
}

/// The same for the library.
fn query_limits(args: &SolveArgs) -> verify::Limits {
    verify::Limits { work: args.work, outside: None, probe: Some(limits(args).factory()) }
}

/// Opens the problem and finds out its format. What looks like none is read as DIMACS, which says what is wrong with it.
fn open(args: &SolveArgs) -> Result<(ProblemFormat, Input<'_>), Diagnostic> {
    let path = args.path.as_deref().unwrap_or(Path::new("-"));
    let mut input = Input::open(path)?;
    let by_option = if args.interactive { Some(ProblemFormat::Smtlib) } else { args.input };
    let format = match by_option.or_else(|| ProblemFormat::of_name(path)) {
        Some(format) => format,
        None => input.first()?.and_then(ProblemFormat::of_first).unwrap_or(ProblemFormat::Dimacs),
    };
    Ok((format, input))
}
