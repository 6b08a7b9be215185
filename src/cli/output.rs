//! Output streams, their colours, and the exit code of a run.

use super::args::{ColorArgs, ColorChoice};
use std::io::{self, BufWriter, IsTerminal as _, StdoutLock, Write};
use std::sync::OnceLock;
use std::sync::atomic::{AtomicU64, Ordering};

use ramsey_core::base::span::Sources;
use ramsey_core::diag::{CODES, Code, Diagnostic, Severity};
use ramsey_report::json::diagnostics::to_dto;
use ramsey_report::json::dto;
use ramsey_report::{Palette, diagnostics};

/// Maximum number of diagnostics printed per file; the others are counted.
const MAX_DIAGNOSTICS: usize = 20;

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

/// Prints a part of the output at once.
pub(super) fn print_part(text: &str) -> io::Result<()> {
    let mut out = stdout();
    out.write_all(text.as_bytes())?;
    out.flush()
}

/// Tells something beside the answer, on standard error. Failures to write are ignored.
pub(super) fn tell(text: &str) {
    let _ = io::stderr().lock().write_all(text.as_bytes());
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
    for diagnostic in diagnostics.iter().take(MAX_DIAGNOSTICS) {
        let _ = writeln!(err, "{}", diagnostics::render(diagnostic, sources, palette));
    }
    if let Some(more) = diagnostics.len().checked_sub(MAX_DIAGNOSTICS).filter(|&more| more > 0) {
        let _ = writeln!(err, "... and {more} more like these\n");
    }
}
