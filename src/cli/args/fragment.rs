//! `ramsey fragment`

use std::path::PathBuf;

use clap::Args;

use super::shared::{ColorArgs, LanguageArgs, OutputFormat, StrictArgs};

/// `ramsey fragment`
#[derive(Args, Debug)]
#[command(after_help = "\
Example:
  ramsey fragment lock.pyv

In stratified EPR, functions and `forall .. exists` lead from sort to sort without a cycle; then every
question has an answer in finite time. For each obligation outside, the cycle is shown with its places.
Exit code 0 if all obligations are inside, 1 if some are not.")]
pub(crate) struct FragmentArgs {
    /// Models, directories (every model below is taken), or `-` for standard input
    #[arg(required = true, value_name = "FILE|DIR", help = super::models_help())]
    pub(crate) paths: Vec<PathBuf>,

    /// The form of the answer; json: one document (spec/fragment.schema.json)
    #[arg(long, value_enum, value_name = "FORM", default_value_t)]
    pub(crate) format: OutputFormat,

    #[command(flatten)]
    pub(crate) strictness: StrictArgs,

    #[command(flatten)]
    pub(crate) language: LanguageArgs,

    #[command(flatten)]
    pub(crate) color: ColorArgs,
}
