//! The binary `ramsey-close FILE`: prints the closed form of a model or problem (exit code 0), or why there is none (2).

use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use ramsey_naive::{core, decoded, language};

/// Returns the closed form of a file, whose language the ending of its name tells.
fn closed(path: &Path) -> Result<String, String> {
    let bytes = std::fs::read(path).map_err(|error| format!("{error}\nusage: ramsey-close FILE"))?;
    let text = decoded(bytes).ok_or("it is no text")?;
    let closed = language(path).and_then(|language| core(language, path, &text));
    let closed = closed.ok_or("expected a file with the ending `.pyv`, `.rml`, `.ivy`, `.smt2` or `.p`")?;
    closed.map_err(|it| {
        let what = if it.is_uncovered { "not covered: " } else { "" };
        format!("{}:{}: {what}{}", it.line, it.column, it.what)
    })
}

fn main() -> ExitCode {
    let path = PathBuf::from(std::env::args_os().nth(1).unwrap_or_default());
    // What is not written whole has no digest at its end.
    let written = closed(&path)
        .and_then(|closed| std::io::stdout().write_all(closed.as_bytes()).map_err(|error| error.to_string()));
    let Err(reason) = written else { return ExitCode::SUCCESS };
    let _ = writeln!(std::io::stderr(), "{}: {reason}", path.display());
    ExitCode::from(2)
}
