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
pub(crate) struct TypecheckArgs {
    /// Models, directories (every model below is taken), or `-` for standard input
    #[arg(required = true, value_name = "FILE|DIR", help = super::models_help())]
    pub(crate) paths: Vec<PathBuf>,

    /// The form of the diagnostics; json: one document (spec/typecheck.schema.json)
    #[arg(long, value_enum, value_name = "FORM", default_value_t)]
    pub(crate) format: OutputFormat,

    #[command(flatten)]
    pub(crate) strictness: StrictArgs,

    #[command(flatten)]
    pub(crate) language: LanguageArgs,

    #[command(flatten)]
    pub(crate) color: ColorArgs,
}
