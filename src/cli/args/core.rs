//! `ramsey core`

use std::path::PathBuf;

use clap::Args;

use super::results::PlainFormat;
use super::shared::{ColorArgs, LanguageArgs};

/// `ramsey core`
#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  ramsey core lock.pyv > lock.core
  ramsey core --read lock.core               what `ramsey verify lock.pyv` shows

In the closed form nothing is implicit: definitions are expanded, variables are counted, frame conditions and steps are
written down. spec/core.md describes it; `ramsey verify --rocq` proves theorems about it.

Other commands read a closed form as a model, or as a problem if it has queries: `ramsey verify lock.core`, with all their options.")]
pub(crate) struct CoreArgs {
    /// A model, a problem in SMT-LIB or TPTP, a closed form, or `-` for a model on standard input
    #[arg(value_name = "FILE")]
    pub(crate) path: PathBuf,

    /// Read a closed form (FILE.core), and answer what it claims as `ramsey verify` does, or `ramsey solve` if it has queries
    #[arg(long)]
    pub(crate) read: bool,

    /// Write a certificate that `ramsey check` and `ramsey-check` accept, of the closed form and of the model it was made from
    #[arg(long, value_name = "CERTIFICATE", requires = "read")]
    pub(crate) certify: Option<PathBuf>,

    /// Write what is proved of a model as theorems of the proof assistant Rocq: a folder, in which `make` checks it
    #[arg(long, value_name = "DIR", requires = "read")]
    pub(crate) rocq: Option<PathBuf>,

    /// Go on after the first failing obligation of a transition
    #[arg(long, requires = "read")]
    pub(crate) all: bool,

    /// The form of the answers; json: one document (see spec/)
    #[arg(long, value_enum, value_name = "FORM", default_value_t, requires = "read")]
    pub(crate) format: PlainFormat,

    /// Tell failures only; of a problem, no structures
    #[arg(short, long, requires = "read")]
    pub(crate) quiet: bool,

    #[command(flatten)]
    pub(crate) language: LanguageArgs,

    #[command(flatten)]
    pub(crate) color: ColorArgs,
}
