//! `ramsey fragment`

use std::path::PathBuf;

use clap::Args;

use super::results::PlainFormArgs;

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

    #[command(flatten)]
    pub(crate) form: PlainFormArgs,
}
