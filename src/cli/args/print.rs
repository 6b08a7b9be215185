//! `ramsey print`

use std::path::PathBuf;

use clap::Args;

use super::shared::{ColorArgs, LanguageArgs};

/// `ramsey print`
#[derive(Args, Debug)]
#[command(after_help = "\
Example:
  ramsey print lock.pyv > lock-canonical.pyv

The output means the same model. Comments are not kept. Syntax is checked, names and sorts are not: `ramsey typecheck` does that.")]
pub(in crate::cli) struct PrintArgs {
    /// A model, or `-` for standard input
    #[arg(value_name = "FILE")]
    pub(in crate::cli) path: PathBuf,

    /// The language of standard input.
    #[command(flatten)]
    pub(in crate::cli) language: LanguageArgs,

    /// Colours.
    #[command(flatten)]
    pub(in crate::cli) color: ColorArgs,
}
