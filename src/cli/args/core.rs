//! `ramsey core`

use std::path::PathBuf;

use clap::Args;

use super::shared::{ColorArgs, LanguageArgs};

/// `ramsey core`
#[derive(Args, Debug)]
#[command(after_help = "\
Example:
  ramsey core lock.pyv > lock.core

In the closed form nothing is implicit: definitions are expanded, variables are counted, frame conditions and steps are
written down. spec/core.md describes it; `ramsey verify --rocq` proves theorems about it.")]
pub(crate) struct CoreArgs {
    /// A model, a problem in SMT-LIB or TPTP, or `-` for a model on standard input
    #[arg(value_name = "FILE")]
    pub(crate) path: PathBuf,

    #[command(flatten)]
    pub(crate) language: LanguageArgs,

    #[command(flatten)]
    pub(crate) color: ColorArgs,
}
