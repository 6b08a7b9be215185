//! `ramsey trace`

use std::path::PathBuf;

use clap::Args;

use super::shared::{AnswerArgs, EXIT_CODES, PictureArgs, SearchLimitArgs};

/// `ramsey trace`
#[derive(Args, Debug)]
#[command(
    after_help = format!("\
Examples:
  ramsey trace lock.pyv
  ramsey trace lock.pyv 128 L140        the blocks in these lines

`sat trace {{ .. }}` claims that there is an execution of this shape: it is shown, or the code is 1.
`unsat trace {{ .. }}` claims that there is none: if there is one, it is shown, and the code is 1.

{EXIT_CODES}")
)]
pub(crate) struct TraceArgs {
    /// A model, or `-` for standard input
    #[arg(value_name = "MODEL")]
    pub(crate) path: PathBuf,

    /// The lines in which the trace blocks to check begin [default: all]
    #[arg(value_name = "LINE")]
    pub(crate) lines: Vec<String>,

    /// Refuse a model without trace blocks
    #[arg(long)]
    pub(crate) strict: bool,

    #[command(flatten)]
    pub(crate) pictures: PictureArgs,

    #[command(flatten)]
    pub(crate) limits: SearchLimitArgs,

    #[command(flatten)]
    pub(crate) answer: AnswerArgs,
}
