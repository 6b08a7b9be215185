//! Output streams, their colours, and the exit code of a run.

use super::args::{ColorArgs, ColorChoice};
use std::io::{self, BufWriter, IsTerminal as _, StdoutLock, Write};
use std::sync::OnceLock;
use std::sync::atomic::{AtomicU64, Ordering};

use crate::base::span::Sources;
use crate::diag::{CODES, Code, Diagnostic, Severity};
use crate::report::json::diagnostics::to_dto;
use crate::report::json::dto;
use crate::report::{Palette, Tally, diagnostics};

/// Maximum number of diagnostics printed per file; the others are counted.
const MANY_DIAGNOSTICS: usize = 20;

/// Result of a run, least severe first. The most severe of several counts.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Default)]
pub(super) enum Status {
    /// Proved, or as expected.
    #[default]
    Ok,
    /// A budget ran out.
    Unknown,
    /// A counterexample was found.
    Counterexample,
    /// The input or the arguments are wrong.
    BadInput,
    /// An internal contradiction was detected.
    InternalError,
}

impl Status {
    /// Returns the exit code.
    pub(super) fn code(self) -> u8 {
        match self {
            Status::Ok => 0,
            Status::Counterexample => 1,
            Status::BadInput => 2,
            Status::Unknown => 3,
            Status::InternalError => 4,
        }
    }

    /// Returns the name in JSON.
    pub(super) fn word(self) -> &'static str {
        match self {
            Status::Ok => "ok",
            Status::Counterexample => "counterexample",
            Status::BadInput => "bad-input",
            Status::Unknown => "unknown",
            Status::InternalError => "internal-error",
        }
    }

    /// Returns the status of a tally of answers.
    pub(super) fn of_tally(tally: Tally) -> Self {
        if tally.internal > 0 {
            Status::InternalError
        } else if tally.failed > 0 {
            Status::Counterexample
        } else if tally.unknown > 0 {
            Status::Unknown
        } else {
            Status::Ok
        }
    }

    /// Returns the status of a run with these diagnostics and without an answer.
    pub(super) fn without_answer(diagnostics: &[Diagnostic]) -> Self {
        match Status::of_diagnostics(diagnostics) {
            Status::Ok => Status::BadInput,
            status => status,
        }
    }

    /// Returns the status of these diagnostics.
    pub(super) fn of_diagnostics(diagnostics: &[Diagnostic]) -> Self {
        let mut errors = diagnostics.iter().filter(|it| it.severity == Severity::Error).peekable();
        if errors.peek().is_none() {
            Status::Ok
        } else if errors.all(|error| error.code == Code::Limit) {
            Status::Unknown
        } else {
            Status::BadInput
        }
    }
}

/// The error that closed standard output.
static CLOSED: OnceLock<io::Error> = OnceLock::new();

/// Standard output. After an error all further output is dropped silently: the run continues to its verdict, which the
/// exit code reports in any case.
#[derive(Debug)]
pub(super) struct Output(StdoutLock<'static>);

impl Write for Output {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.unless_closed(bytes.len(), |out| out.write(bytes))
    }

    fn flush(&mut self) -> io::Result<()> {
        self.unless_closed((), io::Write::flush)
    }
}

impl Output {
    /// Calls `act`, or returns `otherwise` once output is closed.
    fn unless_closed<T>(
        &mut self,
        otherwise: T,
        act: impl FnOnce(&mut StdoutLock<'static>) -> io::Result<T>,
    ) -> io::Result<T> {
        if CLOSED.get().is_some() {
            return Ok(otherwise);
        }
        match act(&mut self.0) {
            Err(error) if error.kind() != io::ErrorKind::Interrupted => {
                let _ = CLOSED.set(error);
                Ok(otherwise)
            }
            result => result,
        }
    }
}

/// Returns standard output, buffered.
pub(super) fn stdout() -> BufWriter<Output> {
    BufWriter::new(Output(io::stdout().lock()))
}

/// Returns the error that output was lost to, if any. A pipe closed by its reader is not an error.
pub(super) fn lost_output() -> Option<&'static io::Error> {
    CLOSED.get().filter(|error| error.kind() != io::ErrorKind::BrokenPipe)
}

/// Returns the palette for a stream.
pub(super) fn palette(args: ColorArgs, is_terminal: bool) -> Palette {
    let wanted = || std::env::var_os("NO_COLOR").is_none_or(|value| value.is_empty());
    let dumb = || std::env::var_os("TERM").is_some_and(|value| value == "dumb");
    Palette::new(match args.color {
        ColorChoice::Always => true,
        ColorChoice::Never => false,
        ColorChoice::Auto => is_terminal && wanted() && !dumb(),
    })
}

/// Returns the palette for standard output.
pub(super) fn stdout_palette(args: ColorArgs) -> Palette {
    palette(args, io::stdout().is_terminal())
}

/// Returns the palette for standard error.
pub(super) fn stderr_palette(args: ColorArgs) -> Palette {
    palette(args, io::stderr().is_terminal())
}

/// Codes silenced by `--allow`, one bit for each position in [`CODES`]. Set once, before any command runs.
static ALLOWED: AtomicU64 = AtomicU64::new(0);

/// Silences warnings with these codes from now on.
pub(super) fn allow(codes: &[Code]) {
    let bits = codes.iter().fold(0, |bits, &code| bits | bit(code));
    ALLOWED.store(bits, Ordering::Relaxed);
}

fn bit(code: Code) -> u64 {
    CODES.iter().position(|&(known, ..)| known == code).map_or(0, |at| 1 << at)
}

/// Checks whether a diagnostic is shown: all errors are, and warnings that `--allow` does not silence.
pub(super) fn is_shown(diagnostic: &Diagnostic) -> bool {
    diagnostic.severity == Severity::Error || ALLOWED.load(Ordering::Relaxed) & bit(diagnostic.code) == 0
}

/// Returns diagnostics for JSON, without those that `--allow` silences.
pub(super) fn diagnostics_dto(found: &[Diagnostic], sources: &Sources) -> Vec<dto::Diagnostic> {
    found.iter().filter(|it| is_shown(it)).map(|it| to_dto(it, sources)).collect()
}

/// Prints the diagnostics of one file to standard error. Failures to write are ignored.
pub(super) fn print_diagnostics(diagnostics: &[Diagnostic], sources: &Sources, palette: Palette) {
    let diagnostics: Vec<&Diagnostic> = diagnostics.iter().filter(|it| is_shown(it)).collect();
    let mut err = io::stderr().lock();
    for diagnostic in diagnostics.iter().take(MANY_DIAGNOSTICS) {
        let _ = writeln!(err, "{}", diagnostics::render(diagnostic, sources, palette));
    }
    if let Some(more) = diagnostics.len().checked_sub(MANY_DIAGNOSTICS).filter(|&more| more > 0) {
        let _ = writeln!(err, "... and {more} more like these\n");
    }
}

#[cfg(test)]
mod tests {
    use super::Status;

    #[test]
    fn the_most_severe_counts() {
        let all =
            [Status::Unknown, Status::InternalError, Status::Ok, Status::BadInput, Status::Counterexample];
        let mut sorted = all;
        sorted.sort();
        assert_eq!(sorted.map(Status::code), [0, 3, 1, 2, 4]);
    }
}
