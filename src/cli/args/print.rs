//! `ramsey print`

use std::path::PathBuf;

use clap::Args;

use super::shared::{ColorArgs, LanguageArgs};
use ramsey_lang::Language;

/// `ramsey print`
#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  ramsey print lock.pyv > lock-canonical.pyv
  ramsey print --to rml lock.pyv > lock.rml

The output means the same model. Without --to, comments are not kept, and syntax is checked, but not names and sorts:
`ramsey typecheck` does that.")]
pub(crate) struct PrintArgs {
    /// A model, or `-` for standard input
    #[arg(value_name = "FILE")]
    pub(crate) path: PathBuf,

    #[command(flatten)]
    pub(crate) language: LanguageArgs,

    /// Translate the model to this language
    #[arg(long, value_name = "LANGUAGE", value_parser = super::shared::languages())]
    pub(crate) to: Option<Language>,

    #[command(flatten)]
    pub(crate) color: ColorArgs,
}
