//! `ramsey typecheck`

use std::path::PathBuf;

use clap::Args;

use super::results::FormArgs;

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

    #[command(flatten)]
    pub(crate) form: FormArgs,
}
