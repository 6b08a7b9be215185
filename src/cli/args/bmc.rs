//! `ramsey bmc`

use std::path::PathBuf;

use clap::Args;

use super::shared::{AnswerArgs, EXIT_CODES, PictureArgs, ReportArgs, SearchLimitArgs};
use ramsey_core::system::MAX_STEPS;

/// `ramsey bmc`
#[derive(Args, Debug)]
#[command(
    after_help = format!("\
Examples:
  ramsey bmc lock.pyv --depth 8
  ramsey bmc lock.pyv --property mutex
  ramsey bmc lock.pyv --property 'forall N1, N2. held(N1) & held(N2) -> N1 = N2'
  ramsey bmc lock.pyv --relax        is there an inductive invariant without `exists` at all?

An execution begins in an initial state; executions of 0, 1, 2, .. steps are looked at one after the
other, so the first violation has as few steps as possible. It is shown state by state.
With --relax elements may disappear between states. If such an execution ends in a violation,
no universally quantified inductive invariant implies the property.

{EXIT_CODES}")
)]
pub(crate) struct BmcArgs {
    /// A model, or `-` for standard input
    #[arg(value_name = "MODEL")]
    pub(crate) path: PathBuf,

    /// Steps of the longest executions to look at
    #[arg(
        short,
        long,
        value_name = "K",
        default_value_t = 5,
        value_parser = clap::value_parser!(u16).range(..=i64::from(MAX_STEPS)),
        help_heading = "What to check"
    )]
    pub(crate) depth: u16,

    /// Check this only: the name (or L and line) of an invariant or assertion, or a formula
    /// (may be repeated) [default: safety properties and assertions]
    #[arg(short, long, value_name = "NAME|FORMULA", help_heading = "What to check")]
    pub(crate) property: Vec<String>,

    /// Let elements disappear between states; this is a step of its own
    #[arg(long, help_heading = "What to check")]
    pub(crate) relax: bool,

    /// Look for a state in which no transition can be taken
    #[arg(long, help_heading = "What to check", conflicts_with_all = ["property", "relax", "rocq"])]
    pub(crate) deadlock: bool,

    #[command(flatten)]
    pub(crate) report: ReportArgs,

    #[command(flatten)]
    pub(crate) pictures: PictureArgs,

    #[command(flatten)]
    pub(crate) limits: SearchLimitArgs,

    #[command(flatten)]
    pub(crate) answer: AnswerArgs,
}
