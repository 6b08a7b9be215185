//! `ramsey cti`

use std::path::PathBuf;

use clap::Args;

use super::results::PlainFormArgs;
use super::shared::{PictureArgs, ReportArgs, SearchLimitArgs};
use ramsey_core::system::MAX_STEPS;

/// `ramsey cti`
#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  ramsey cti lock.pyv
  ramsey cti lock.pyv --transition acquire --output cti.json
  ramsey cti lock.pyv --minimize pos:held,sort:node
  ramsey cti lock.pyv --another cti.json --output cti2.json
  ramsey cti lock.pyv --count 5 --isomorphic
  ramsey cti lock.pyv --bound 4 --remove --output cti.json

Looks at the obligations in the order of the source and shows the first that fails, with a smallest
counterexample: the measures are minimized one after the other, each as far as the ones before it
permit. sort:S is the number of elements of S; pos:R and neg:R are the numbers of tuples at which R is
true and false in the state before the transition; elements is the number of elements of all sorts.
What is not listed follows: sizes of sorts, then positive tuples of mutable, then of immutable
relations.

Exit code 0 if the invariants are inductive (with --another: if there is no other counterexample), 1
if a counterexample is shown or a claim is false in a reachable state and stays in the model, 3 if a limit ended the search before.")]
pub(crate) struct CtiArgs {
    /// The model, or `-` for standard input
    #[arg(value_name = "MODEL")]
    pub(crate) model: PathBuf,

    /// Look at this transition only (may be repeated)
    #[arg(long, value_name = "NAME", help_heading = "Where to look")]
    pub(crate) transition: Vec<String>,

    /// Look at this invariant only: its name, or L and its line (may be repeated)
    #[arg(long, value_name = "NAME", help_heading = "Where to look")]
    pub(crate) invariant: Vec<String>,

    /// Show another counterexample than those of this document (may be repeated): its state before
    /// the transition contains none of theirs
    #[arg(long, value_name = "PREV.json", help_heading = "Where to look")]
    pub(crate) another: Vec<PathBuf>,

    /// Show up to N counterexamples, each another one than those before it
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..=1000))]
    #[arg(help_heading = "Where to look")]
    pub(crate) count: u16,

    /// A counterexample is another one unless the states are the same up to the names of elements
    #[arg(long, help_heading = "Where to look")]
    pub(crate) isomorphic: bool,

    /// First look for claims that are false in a state reached in at most K steps, which no inductive
    /// invariant can contain
    #[arg(long, value_name = "K", value_parser = clap::value_parser!(u16).range(..=i64::from(MAX_STEPS)))]
    #[arg(help_heading = "Reachable states")]
    pub(crate) bound: Option<u16>,

    /// Make comments of such invariants in the model, unless they are safety properties, and go on
    #[arg(long, requires = "bound", help_heading = "Reachable states")]
    pub(crate) remove: bool,

    /// What to minimize, most important first: sort:S, pos:R, neg:R, elements
    #[arg(long, value_name = "MEASURE,..", value_delimiter = ',')]
    pub(crate) minimize: Vec<String>,

    #[command(flatten)]
    pub(crate) report: ReportArgs,

    #[command(flatten)]
    pub(crate) pictures: PictureArgs,

    #[command(flatten)]
    pub(crate) limits: SearchLimitArgs,

    /// Start the search elsewhere; the counterexample is as small, and may be another one
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
