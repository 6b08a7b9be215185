//! `ramsey typecheck`

use std::path::PathBuf;

use clap::Args;

use super::shared::{ColorArgs, LanguageArgs, OutputFormat, StrictArgs};

/// `ramsey typecheck`
#[derive(Args, Debug)]
#[command(after_help = "\
Example:
  ramsey typecheck lock.pyv raft.pyv

Errors and warnings go to standard error; exit code 2 if there is an error.")]
pub(in crate::cli) struct TypecheckArgs {
    /// Models, directories (every model below is taken), or `-` for standard input
    #[arg(required = true, value_name = "FILE|DIR", help = super::models_help())]
    pub(in crate::cli) paths: Vec<PathBuf>,

    /// The form of the diagnostics; json: one document (spec/typecheck.schema.json)
    #[arg(long, value_enum, value_name = "FORM", default_value_t)]
    pub(in crate::cli) format: OutputFormat,

    /// Let programs leave the fragment.
    #[command(flatten)]
    pub(in crate::cli) strictness: StrictArgs,

    /// The language of standard input.
    #[command(flatten)]
    pub(in crate::cli) language: LanguageArgs,

    /// Colours.
    #[command(flatten)]
    pub(in crate::cli) color: ColorArgs,
}
