//! `ramsey man`

use std::path::PathBuf;

use clap::Args;

use super::shared::ColorArgs;

/// `ramsey man`
#[derive(Args, Debug)]
#[command(after_help = "\
Example:
  ramsey man ~/.local/share/man/man1; man ramsey-verify")]
pub(crate) struct ManArgs {
    /// The folder; it is made if it is not there
    #[arg(value_name = "DIR")]
    pub(crate) folder: PathBuf,

    #[command(flatten)]
    pub(crate) color: ColorArgs,
}
