//! The binary `ramsey-close MODEL`: prints the closed form of a `.pyv` model (exit code 0), or why there is none (2).

use std::io::Write as _;
use std::process::ExitCode;

fn main() -> ExitCode {
    let path = std::path::PathBuf::from(std::env::args_os().nth(1).unwrap_or_default());
    let text = std::fs::read_to_string(&path).map_err(|error| format!("{error}\nusage: ramsey-close MODEL"));
    let closed = text.and_then(|text| {
        ramsey_naive::pyv::core(&text).map_err(|it| format!("{}:{}: {}", it.line, it.column, it.what))
    });
    // What is not written whole has no digest at its end.
    let written = closed
        .and_then(|closed| std::io::stdout().write_all(closed.as_bytes()).map_err(|error| error.to_string()));
    let Err(reason) = written else { return ExitCode::SUCCESS };
    let _ = writeln!(std::io::stderr(), "{}: {reason}", path.display());
    ExitCode::from(2)
}
