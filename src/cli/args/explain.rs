//! `ramsey explain`

use std::path::PathBuf;

use clap::Args;

use super::results::PlainFormArgs;
use super::shared::{EXIT_CODES, PictureArgs, SearchLimitArgs};

/// `ramsey explain`
#[derive(Args, Debug)]
#[command(
    after_help = format!("\
Examples:
  ramsey explain lock.pyv
  ramsey explain lock.pyv --invariant mutex
  ramsey explain lock.pyv --only-proofs --graph proof.svg

For each claim and each transition: the invariants and axioms that the proof needs, none of which can
be left out of it. For each invariant: whether the goals (safety properties and assertions; all
invariants if there are none) have a proof without it, and a smallest state that it excludes, from
which without it a transition leads to a state that violates another claim.

{EXIT_CODES}")
)]
pub(crate) struct ExplainArgs {
    /// The model, or `-` for standard input
    #[arg(value_name = "MODEL")]
    pub(crate) model: PathBuf,

    /// Explain this invariant only: its name, or L and its line (may be repeated)
    #[arg(long, value_name = "NAME", help_heading = "What to explain")]
    pub(crate) invariant: Vec<String>,

    /// What is to be proved, for which the other claims are there: the name, or L and the line, of an
    /// invariant or assertion (may be repeated) [default: safety properties and assertions]
    #[arg(long, value_name = "NAME", help_heading = "What to explain")]
    pub(crate) goal: Vec<String>,

    /// Tell what each proof needs, and do not ask what would be without an invariant
    #[arg(long, help_heading = "What to explain")]
    pub(crate) only_proofs: bool,

    /// Draw which claim needs which others: .svg, or .dot for Graphviz
    #[arg(long, value_name = "FILE", help_heading = "Pictures")]
    pub(crate) graph: Option<PathBuf>,

    #[command(flatten)]
    pub(crate) pictures: PictureArgs,

    #[command(flatten)]
    pub(crate) limits: SearchLimitArgs,

    /// Start the search elsewhere; proofs may need other claims, and states may be others
    #[arg(long, value_name = "N", default_value_t = 0, help_heading = "Search")]
    pub(crate) seed: u64,

    /// Write the answer as JSON to this file
    #[arg(short, long, value_name = "FILE", help_heading = "Output")]
    pub(crate) output: Option<PathBuf>,

    /// List where relations are false as well
    #[arg(long, help_heading = "Output")]
    pub(crate) print_negative_tuples: bool,

    #[command(flatten)]
    pub(crate) form: PlainFormArgs,
}
