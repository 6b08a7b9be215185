//! `ramsey completions`: shell completion scripts.

use std::io::{self, Write as _};

use clap::CommandFactory as _;

use super::args::{Cli, CompletionsArgs};
use super::output::stdout;
use ramsey_report::Verdict;

/// Writes the completion script.
pub(super) fn run(args: &CompletionsArgs) -> io::Result<Verdict> {
    let mut script = Vec::new();
    clap_complete::generate(args.shell, &mut Cli::command(), "ramsey", &mut script);
    let mut out = stdout();
    out.write_all(&script)?;
    out.flush()?;
    Ok(Verdict::Ok)
}
