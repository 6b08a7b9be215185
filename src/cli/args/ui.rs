//! Arguments of `ramsey ui`.

use std::path::PathBuf;

use clap::Args;

use super::shared::{ColorArgs, LanguageArgs, StrictArgs};

const EXAMPLES: &str = "\
Examples:
  ramsey ui lock.rml                 look at counterexamples, find conjectures
  ramsey ui --write lock.rml         .. and let the page write them into the model
  ramsey ui --port 4000 --no-open lock.rml
                                     on another machine, behind `ssh -L 4000:127.0.0.1:4000`
  ramsey ui --replay lock.rml.session lock.rml
                                     carry out a session without a browser, as JSON

What is done goes into the file MODEL.session beside the model, and is there again the next time.";

/// Options of `ramsey ui`.
#[derive(Args, Debug)]
#[command(after_help = EXAMPLES)]
pub(crate) struct UiArgs {
    /// A model
    #[arg(value_name = "MODEL")]
    pub(crate) model: PathBuf,

    /// Let the page write claims into the model's file; without it no file but the session is written
    #[arg(long)]
    pub(crate) write: bool,

    /// Keep the session in this file instead of MODEL.session
    #[arg(long, value_name = "FILE")]
    pub(crate) session: Option<PathBuf>,

    /// Serve the page at this port; without it the system chooses one that is free
    #[arg(long, value_name = "PORT", default_value_t = 0)]
    pub(crate) port: u16,

    /// Open no browser
    #[arg(long)]
    pub(crate) no_open: bool,

    /// Carry out this session without a page, and print the state that it leads to as JSON
    #[arg(long, value_name = "FILE", conflicts_with_all = ["write", "port", "no_open", "session"])]
    pub(crate) replay: Option<PathBuf>,

    #[command(flatten)]
    pub(crate) language: LanguageArgs,

    #[command(flatten)]
    pub(crate) strictness: StrictArgs,

    #[command(flatten)]
    pub(crate) color: ColorArgs,
}
