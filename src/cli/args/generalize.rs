//! `ramsey generalize`

use std::path::PathBuf;

use clap::Args;

use super::diagram::StateArgs;
use super::results::PlainFormArgs;
use super::shared::{PictureArgs, SearchLimitArgs};
use ramsey_core::system::MAX_STEPS;

/// `ramsey generalize`
#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  ramsey cti ring.pyv --output cti.json
  ramsey generalize cti.json --model ring.pyv --bound 3 --drop pnd,btw
  ramsey generalize cti.json --model ring.pyv --bound 3 --drop -leader --check-induction --add
  ramsey generalize cti.json --model ring.pyv --bound 2 --deepen 5 --add
  ramsey generalize cti.json --model ring.pyv --bound 3 --reached cti4.json --add --remove

The facts of the state, without those that --drop and --keep-only leave out, are the upper bound. If
a state with all of them is reached in at most --bound steps, it is shown with the way to it. If not,
facts are left out as long as that stays so, but for those that --keep names; the rest, forbidden,
is the conjecture.
sort:S and elements name all facts about them, R all facts of a relation or function, +R those that
hold, -R those that do not, and `pnd(id0,node0)`, `!pnd(id0,node1)`, `idn(node0) = id0`,
`node0 != node1` one fact.

Exit code 0 if there is a conjecture, 1 if a state is reached, 3 if a limit ended the search before.")]
pub(crate) struct GeneralizeArgs {
    #[command(flatten)]
    pub(crate) state: StateArgs,

    /// Steps within which the conjecture has to hold
    #[arg(short, long, value_name = "K", value_parser = clap::value_parser!(u16).range(..=i64::from(MAX_STEPS)))]
    pub(crate) bound: u16,

    /// Then check it within K steps, and where it is false take facts back that were left out
    #[arg(long, value_name = "K", value_parser = clap::value_parser!(u16).range(..=i64::from(MAX_STEPS)))]
    pub(crate) deepen: Option<u16>,

    /// The conjecture has to hold in the states of this document too, which are known to be reached
    /// (may be repeated)
    #[arg(long, value_name = "REACHED.json")]
    pub(crate) reached: Vec<PathBuf>,

    /// If the state is reached and a step leads from it to one in which invariants are false, make
    /// comments of these in the model, unless they are safety properties
    #[arg(long)]
    pub(crate) remove: bool,

    /// Tell whether the conjecture is inductive together with the invariants of the model
    #[arg(long)]
    pub(crate) check_induction: bool,

    /// Suggest other conjectures that exclude the state, generalized from fewer facts, the best first
    #[arg(long)]
    pub(crate) suggest: bool,

    /// Add the conjecture to the model, as an invariant with a new name
    #[arg(long)]
    pub(crate) add: bool,

    /// The name of the added invariant [default: conjecture_1 or the next that is free]
    #[arg(long, value_name = "NAME", requires = "add")]
    pub(crate) name: Option<String>,

    /// Write a certificate, which `ramsey check` accepts, that the conjecture holds within so many steps
    #[arg(long, value_name = "FILE", help_heading = "Certificates")]
    pub(crate) certify: Option<PathBuf>,

    #[command(flatten)]
    pub(crate) pictures: PictureArgs,

    #[command(flatten)]
    pub(crate) limits: SearchLimitArgs,

    /// Start the search elsewhere; other facts may be left out
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
