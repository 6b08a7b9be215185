//! `ramsey theorem`

use std::path::PathBuf;

use clap::Args;

use super::shared::{AnswerArgs, CacheArgs, EXIT_CODES, PictureArgs, SearchLimitArgs};

/// `ramsey theorem`
#[derive(Args, Debug)]
#[command(
    after_help = format!("\
Example:
  ramsey theorem lock.pyv

`theorem` claims a formula of all states (or pairs of states) that satisfy the axioms, whatever the
invariants are. `ramsey verify` checks the same, and the invariants.
With several models, `--certify` names a folder, in which each model has its certificate.

{EXIT_CODES}")
)]
pub(crate) struct TheoremArgs {
    /// Models, directories (every model below is taken), or `-` for standard input
    #[arg(required = true, value_name = "FILE|DIR")]
    pub(crate) paths: Vec<PathBuf>,

    /// Theorems to work on at once [default: one per processor]
    #[arg(short, long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    pub(crate) jobs: Option<u16>,

    /// Refuse models with theorems outside the decidable fragment, and runs without any theorem
    #[arg(long, conflicts_with = "no_strict")]
    pub(crate) strict: bool,

    #[command(flatten)]
    pub(crate) pictures: PictureArgs,

    #[command(flatten)]
    pub(crate) limits: SearchLimitArgs,

    #[command(flatten)]
    pub(crate) cache: CacheArgs,

    #[command(flatten)]
    pub(crate) answer: AnswerArgs,
}
