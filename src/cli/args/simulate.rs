//! `ramsey simulate`

use std::path::PathBuf;

use clap::Args;

use super::results::PlainFormArgs;
use super::shared::{PictureArgs, SearchLimitArgs};

/// Longer walks are refused: all states are kept and shown.
const MOST_STEPS: i64 = 100_000;

/// `ramsey simulate`
#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  ramsey simulate lock.pyv                                ten steps at random
  ramsey simulate --size node=2 --seed 7 lock.pyv         other states, other steps
  ramsey simulate --actions 'acquire(node0),release' lock.pyv
  ramsey simulate --steps 100 --until release lock.pyv

The walk begins in an initial state and takes transitions that are possible, all ways to take one
being equally likely. Every state is judged by the safety properties, assertions and invariants.
In each state but the first, `+` marks what became true, `-` what ceased to be true, `~` what changed
its value.

Exit codes:
  0  walked, and no safety property or assertion was violated
  1  one was, or a transition that was told cannot be taken, or there is no initial state
  2  bad input or usage
  3  a budget (time, work, memory) ran out before the end
  4  internal error")]
pub(crate) struct SimulateArgs {
    /// A model, or `-` for standard input
    #[arg(value_name = "MODEL")]
    pub(crate) path: PathBuf,

    /// How many elements sorts have [default: 3, or else 2, or else as few as an initial state needs]
    #[arg(long, value_name = "SORT=N,..", value_delimiter = ',')]
    pub(crate) size: Vec<String>,

    /// Take so many steps
    #[arg(long, value_name = "N", default_value_t = 10, value_parser = clap::value_parser!(u32).range(..=MOST_STEPS))]
    pub(crate) steps: u32,

    /// Begin elsewhere and decide otherwise
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub(crate) seed: u64,

    /// Take these transitions, `send` or `send(node0,_)`, instead of random ones
    #[arg(long, value_name = "NAME,..")]
    pub(crate) actions: Option<String>,

    /// Follow an execution: a trace (ITF), or a JSON document with a counterexample; tell where it leaves the model
    #[arg(
        long,
        value_name = "FILE",
        conflicts_with_all = ["size", "steps", "seed", "actions", "random", "until"]
    )]
    pub(crate) replay: Option<PathBuf>,

    /// Write the walk as a trace of Apalache (ITF)
    #[arg(long, value_name = "FILE", help_heading = "Output")]
    pub(crate) itf: Option<PathBuf>,

    /// After the transitions of --actions go on at random
    #[arg(long, requires = "actions")]
    pub(crate) random: bool,

    /// Stop once this transition was taken or a claim is violated
    #[arg(long, value_name = "NAME")]
    pub(crate) until: Option<String>,

    /// List where relations are false as well
    #[arg(long)]
    pub(crate) print_negative_tuples: bool,

    #[command(flatten)]
    pub(crate) pictures: PictureArgs,

    #[command(flatten)]
    pub(crate) limits: SearchLimitArgs,

    #[command(flatten)]
    pub(crate) form: PlainFormArgs,
}
