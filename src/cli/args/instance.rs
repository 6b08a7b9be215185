//! `ramsey instance`

use std::path::PathBuf;

use clap::{Args, ValueEnum};

use super::results::FormArgs;
use super::shared::{EXIT_CODES, LimitArgs, PictureArgs};

/// How values of functions become bits.
#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) enum FunctionEncoding {
    #[default]
    OneHot,
    Binary,
}

/// `ramsey instance`
#[derive(Args, Debug)]
#[command(
    after_help = format!("\
Examples:
  ramsey instance lock.pyv node=3
  ramsey instance lock.pyv node=3 --states --graph states.dot
  ramsey instance lock.pyv node=3 --out lock.aig --certify lock.cert
                                     then: ramsey-check lock.aig lock.cert

With a number of elements for each sort a model is a finite system, which is decided for executions
of any length: it is safe at these sizes, or an execution that violates the property is shown.

{EXIT_CODES}")
)]
pub(crate) struct InstanceArgs {
    /// A model, or `-` for standard input
    #[arg(value_name = "MODEL")]
    pub(crate) path: PathBuf,

    /// How many elements each sort has; a sort whose elements the axioms name needs no size
    #[arg(value_name = "SORT=N")]
    pub(crate) sizes: Vec<String>,

    /// Check this only: the name (or L and line) of an invariant or assertion, or a formula
    /// (may be repeated) [default: safety properties and assertions]
    #[arg(short, long, value_name = "NAME|FORMULA", help_heading = "What to check")]
    pub(crate) property: Vec<String>,

    /// Store values of functions with a bit per value, or as numbers
    #[arg(long, value_enum, value_name = "ENCODING", default_value_t, help_heading = "Circuit")]
    pub(crate) functions: FunctionEncoding,

    /// Do not fix orders and constants that are the same up to the names of elements
    #[arg(long, help_heading = "Circuit")]
    pub(crate) keep_symmetry: bool,

    /// Do not make a circuit of more nodes than this
    #[arg(long, value_name = "N", default_value_t = ramsey_circuit::finite::MAX_NODES, help_heading = "Circuit")]
    pub(crate) max_nodes: usize,

    /// Write the circuit to a file: .aig, .aag (AIGER) or .vmt
    #[arg(long, value_name = "FILE", help_heading = "Circuit")]
    pub(crate) out: Option<PathBuf>,

    /// Write AIGER 1.0 with --out, as ABC reads it: outputs for bad states, no constraints, no reset values
    #[arg(long, requires = "out", conflicts_with = "certify", help_heading = "Circuit")]
    pub(crate) plain: bool,

    /// Write a certificate of the answer, which `ramsey-check` accepts for the circuit of --out
    #[arg(long, value_name = "FILE", requires = "out", help_heading = "Circuit")]
    pub(crate) certify: Option<PathBuf>,

    /// Write the answer as a theorem of the proof assistant Rocq, with the proof: a folder, in which `make` checks it
    /// (implies --keep-symmetry)
    #[arg(long, value_name = "DIR", help_heading = "Certificates")]
    pub(crate) rocq: Option<PathBuf>,

    /// List the variables of a state, and what is known of the others
    #[arg(long, help_heading = "Circuit")]
    pub(crate) show: bool,

    /// Print the invariant that shows that the property holds: its clauses, as facts of the model
    #[arg(long, help_heading = "Circuit")]
    pub(crate) invariant: bool,

    /// Count the reachable states
    #[arg(long, help_heading = "States")]
    pub(crate) states: bool,

    /// Count states that differ in the names of elements alone once
    #[arg(long, requires = "states", help_heading = "States")]
    pub(crate) up_to_isomorphism: bool,

    /// Stop counting at so many states
    #[arg(long, value_name = "N", default_value_t = 10_000, requires = "states", help_heading = "States")]
    pub(crate) max_states: usize,

    /// Draw the reachable states and the steps between them as a graph for Graphviz
    #[arg(long, value_name = "FILE", requires = "states", help_heading = "States")]
    pub(crate) graph: Option<PathBuf>,

    #[command(flatten)]
    pub(crate) pictures: PictureArgs,

    #[command(flatten)]
    pub(crate) limits: LimitArgs,

    /// Start the search elsewhere; answers stay the same, executions may differ
    #[arg(long, value_name = "N", default_value_t = 0, help_heading = "Search")]
    pub(crate) seed: u64,

    /// Tell what the answer cost
    #[arg(long, help_heading = "Output")]
    pub(crate) stats: bool,

    /// In executions, list where relations are false as well
    #[arg(long, help_heading = "Output")]
    pub(crate) print_negative_tuples: bool,

    /// Tell only what is not as it should be
    #[arg(short, long, help_heading = "Output")]
    pub(crate) quiet: bool,

    #[command(flatten)]
    pub(crate) form: FormArgs,
}
