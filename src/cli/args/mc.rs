//! `ramsey mc`

use std::path::PathBuf;

use clap::Args;

use super::results::FormArgs;
use super::shared::{EXIT_CODES, LimitArgs};

/// `ramsey mc`
#[derive(Args, Debug)]
#[command(
    after_help = format!("\
Examples:
  ramsey mc german.ivy
  ramsey mc german.ivy --property coherent --out coherent.aig
  ramsey mc german.ivy --lemmas proved.ivy --certify proved.cert

Each claim becomes a circuit: its variables are fixed, and of all other elements only is known which
of them they are equal to. The other claims are assumed of the past. If no circuit has an execution to
a violation, the claims hold in all reachable states, with any number of elements. An execution of
a circuit need not be one of the model; what is told of it is what the circuit knows.

{EXIT_CODES}")
)]
pub(crate) struct McArgs {
    /// A model, or `-` for standard input
    #[arg(value_name = "MODEL")]
    pub(crate) path: PathBuf,

    /// Check this only: the name (or L and line) of an invariant or assertion (may be repeated)
    #[arg(short, long, value_name = "NAME", help_heading = "What to check")]
    pub(crate) property: Vec<String>,

    /// Do not make a circuit of more nodes than this
    #[arg(long, value_name = "N", default_value_t = ramsey_circuit::eager::MAX_NODES, help_heading = "Circuit")]
    pub(crate) max_nodes: usize,

    /// Instantiate axioms and schemata for the terms that occur so often (0: for constants only)
    #[arg(long, value_name = "N", default_value_t = ramsey_circuit::eager::GENERATIONS, help_heading = "Circuit")]
    pub(crate) generations: usize,

    /// Write the circuit of the property to a file: .aig or .aag (AIGER)
    #[arg(long, value_name = "FILE", requires = "property", help_heading = "Circuit")]
    pub(crate) out: Option<PathBuf>,

    /// Write the model with the lemmas of the proofs, which are an inductive invariant with the claims; it
    /// is verified first
    #[arg(long, value_name = "FILE", conflicts_with = "property", help_heading = "Result")]
    pub(crate) lemmas: Option<PathBuf>,

    /// Write a certificate of that model, which `ramsey check` and `ramsey-check` accept
    #[arg(long, value_name = "FILE", requires = "lemmas", help_heading = "Result")]
    pub(crate) certify: Option<PathBuf>,

    /// Look for prophecy variables that prove a claim, several at a time, and prove it with them
    #[arg(long, help_heading = "Search")]
    pub(crate) auto_prophecy: bool,

    #[command(flatten)]
    pub(crate) limits: LimitArgs,

    /// Start the search elsewhere; answers stay the same, executions may differ
    #[arg(long, value_name = "N", default_value_t = 0, help_heading = "Search")]
    pub(crate) seed: u64,

    /// Tell all facts of executions, not only those that violations depend on
    #[arg(long, help_heading = "Output")]
    pub(crate) full: bool,

    /// Tell what the answers cost
    #[arg(long, help_heading = "Output")]
    pub(crate) stats: bool,

    /// Tell only what is not as it should be
    #[arg(short, long, help_heading = "Output")]
    pub(crate) quiet: bool,

    #[command(flatten)]
    pub(crate) form: FormArgs,
}
