//! The binary `ramsey-close FILE`: prints the closed form of a model or problem (exit code 0), or why there is none (2).
//! `-I DIR` is a folder where else included files of models are.

use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use ramsey_naive::{core, decoded, language};

/// Returns the closed form of a file, whose language the ending of its name tells.
fn closed(path: &Path, folders: &[PathBuf]) -> Result<String, String> {
    let usage = "usage: ramsey-close [-I DIR].. FILE";
    let bytes = std::fs::read(path).map_err(|error| format!("{error}\n{usage}"))?;
    let text = decoded(bytes).ok_or("it is no text")?;
    let closed = language(path).and_then(|language| core(language, path, &text, folders));
    let closed = closed.ok_or("expected a file with the ending `.pyv`, `.rml`, `.ivy`, `.smt2` or `.p`")?;
    closed.map_err(|it| {
        let what = if it.is_uncovered { "not covered: " } else { "" };
        format!("{}:{}: {what}{}", it.line, it.column, it.what)
    })
}

fn main() -> ExitCode {
    let (mut path, mut folders) = (PathBuf::new(), Vec::new());
    let mut arguments = std::env::args_os().skip(1);
    while let Some(argument) = arguments.next() {
        match argument == "-I" {
            true => folders.extend(arguments.next().map(PathBuf::from)),
            false => path = argument.into(),
        }
    }
    // What is not written whole has no digest at its end.
    let written = closed(&path, &folders)
        .and_then(|closed| std::io::stdout().write_all(closed.as_bytes()).map_err(|error| error.to_string()));
    let Err(reason) = written else { return ExitCode::SUCCESS };
    let _ = writeln!(std::io::stderr(), "{}: {reason}", path.display());
    ExitCode::from(2)
}
