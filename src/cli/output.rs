//! Where output goes, in which colours, and which exit code it ends with.

use super::args::{ColorArgs, ColorChoice};
use std::io::{self, BufWriter, IsTerminal as _, StdoutLock, Write};
use std::sync::OnceLock;
use std::sync::atomic::{AtomicU64, Ordering};

use crate::base::span::Sources;
use crate::diag::{CODES, Code, Diagnostic, Severity};
use crate::report::json::diagnostics::to_dto;
use crate::report::json::dto;
use crate::report::{Palette, Tally, diagnostics};

/// Diagnostics of one file that are printed; the others are counted.
const MANY_DIAGNOSTICS: usize = 20;

/// How a run ended, least severe first. The most severe of several counts.
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
    /// The tool contradicted itself.
    InternalError,
}

impl Status {
    /// The exit code.
    pub(super) fn code(self) -> u8 {
        match self {
            Status::Ok => 0,
            Status::Counterexample => 1,
            Status::BadInput => 2,
            Status::Unknown => 3,
            Status::InternalError => 4,
        }
    }

    /// The word for it in JSON.
    pub(super) fn word(self) -> &'static str {
        match self {
            Status::Ok => "ok",
            Status::Counterexample => "counterexample",
            Status::BadInput => "bad-input",
            Status::Unknown => "unknown",
            Status::InternalError => "internal-error",
        }
    }

    /// What these counts amount to.
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

    /// What these diagnostics amount to where there is no answer.
    pub(super) fn without_answer(diagnostics: &[Diagnostic]) -> Self {
        match Status::of_diagnostics(diagnostics) {
            Status::Ok => Status::BadInput,
            status => status,
        }
    }

    /// What these diagnostics amount to.
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

/// Why standard output takes no more.
static CLOSED: OnceLock<io::Error> = OnceLock::new();

/// Standard output. Once something cannot be written, what follows is dropped in silence: a run goes on to its verdict,
/// which the exit code tells, whoever reads.
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
    /// What `act` does, or `otherwise` where it has no effect any more.
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

/// Standard output, buffered.
pub(super) fn stdout() -> BufWriter<Output> {
    BufWriter::new(Output(io::stdout().lock()))
}

/// Why output is missing, if that is so. A reader that has seen enough is no reason.
pub(super) fn lost_output() -> Option<&'static io::Error> {
    CLOSED.get().filter(|error| error.kind() != io::ErrorKind::BrokenPipe)
}

/// The colours for a stream.
pub(super) fn palette(args: ColorArgs, is_terminal: bool) -> Palette {
    let wanted = || std::env::var_os("NO_COLOR").is_none_or(|value| value.is_empty());
    let dumb = || std::env::var_os("TERM").is_some_and(|value| value == "dumb");
    Palette::new(match args.color {
        ColorChoice::Always => true,
        ColorChoice::Never => false,
        ColorChoice::Auto => is_terminal && wanted() && !dumb(),
    })
}

/// The colours for standard output.
pub(super) fn stdout_palette(args: ColorArgs) -> Palette {
    palette(args, io::stdout().is_terminal())
}

/// The colours for standard error.
pub(super) fn stderr_palette(args: ColorArgs) -> Palette {
    palette(args, io::stderr().is_terminal())
}

/// The codes that `--allow` names, one bit for each place in [`CODES`]. Set once, before any command runs.
static ALLOWED: AtomicU64 = AtomicU64::new(0);

/// Silences warnings with these codes from now on.
pub(super) fn allow(codes: &[Code]) {
    let bits = codes.iter().fold(0, |bits, &code| bits | bit(code));
    ALLOWED.store(bits, Ordering::Relaxed);
}

fn bit(code: Code) -> u64 {
    CODES.iter().position(|&(known, ..)| known == code).map_or(0, |at| 1 << at)
}

/// Whether the user wants to see it: all errors, and what `--allow` does not silence.
pub(super) fn is_shown(diagnostic: &Diagnostic) -> bool {
    diagnostic.severity == Severity::Error || ALLOWED.load(Ordering::Relaxed) & bit(diagnostic.code) == 0
}

/// Diagnostics for machines, without those that `--allow` silences.
pub(super) fn diagnostics_dto(found: &[Diagnostic], sources: &Sources) -> Vec<dto::Diagnostic> {
    found.iter().filter(|it| is_shown(it)).map(|it| to_dto(it, sources)).collect()
}

/// Prints the diagnostics of one file to standard error. Nobody listening is no reason to stop.
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
