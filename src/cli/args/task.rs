//! `ramsey task`

use std::path::PathBuf;

use clap::{Args, Subcommand, ValueEnum};

use super::infer::methods;
use super::results::FormArgs;
use super::shared::{ColorArgs, LanguageArgs, SearchLimitArgs, StrictArgs};
use ramsey_core::system::MAX_STEPS;
use ramsey_engine::infer::Method;

/// Default limit of work of a task of the first round: some 10 to 20 seconds.
const WORK: u64 = 500_000_000;

/// `ramsey task`
#[derive(Args, Debug)]
#[command(after_help = "\
Example:
  ramsey task export paxos.pyv --for infer --to round1
  for task in round1/tasks/*.json; do ramsey task run $task --out round1/results/${task##*/}; done
  ramsey task import paxos.pyv round1 --next round2

The loop is what other machines do, in any order and number; nothing that they answer is believed.
docs/many-machines.md has scripts for GNU parallel, HyperQueue and Slurm, and spec/tasks.md the files.")]
pub(crate) struct TaskArgs {
    #[command(subcommand)]
    pub(crate) command: TaskCommand,
}

/// The steps of a round.
#[derive(Subcommand, Debug)]
pub(crate) enum TaskCommand {
    /// Write tasks, each of which is a file that needs nothing but the program
    Export(Box<ExportArgs>),
    /// Carry out a task, and write its result
    Run(RunArgs),
    /// Check the results, tell what follows, and write the tasks of the next round if something is open
    Import(Box<ImportArgs>),
}

/// What tasks are for.
#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Purpose {
    Infer,
    Bmc,
    Instance,
}

/// `ramsey task export`
#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  ramsey task export paxos.pyv --for infer --seeds 250 --to round1
  ramsey task export lock.pyv --for bmc --depth 12 --split 1 --to round1
  ramsey task export lock.pyv --for instance node=1..4 --per-claim --to round1")]
pub(crate) struct ExportArgs {
    /// The model
    #[arg(value_name = "MODEL")]
    pub(crate) path: PathBuf,

    /// How many elements each sort has, with --for instance: a number or a range
    #[arg(value_name = "SORT=N..M")]
    pub(crate) sizes: Vec<String>,

    /// What the tasks are for: an inductive invariant, executions up to a depth, finite instances
    #[arg(long = "for", value_enum, value_name = "KIND")]
    pub(crate) purpose: Purpose,

    /// Write the tasks and their manifest into this new folder
    #[arg(long = "to", value_name = "DIR")]
    pub(crate) folder: PathBuf,

    /// End each task after this many steps of search; each round has twice as many
    #[arg(long, value_name = "STEPS", default_value_t = WORK, value_parser = clap::value_parser!(u64).range(1..))]
    pub(crate) work: u64,

    /// Begin with this seed
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub(crate) seed: u64,

    /// A method, each with its own tasks (may be repeated) [default: separation, updr, finite, exists]
    #[arg(long = "method", value_name = "METHOD", value_parser = methods(), help_heading = "--for infer")]
    pub(crate) methods: Vec<Method>,

    /// Lemmas with witnesses have this prefix, as of `infer`; each has its own tasks (may be repeated)
    #[arg(long = "prefix", value_name = "PREFIX", help_heading = "--for infer")]
    pub(crate) prefixes: Vec<String>,

    /// Tasks per method and prefix, each with a seed of its own
    #[arg(long, value_name = "N", default_value_t = 4, value_parser = clap::value_parser!(u64).range(1..=1_000_000), help_heading = "--for infer")]
    pub(crate) seeds: u64,

    /// Let the model's invariants that are no safety properties be candidates
    #[arg(long, help_heading = "--for infer")]
    pub(crate) use_invariants: bool,

    /// Steps of the longest executions to look at
    #[arg(short, long, value_name = "K", default_value_t = 5, value_parser = clap::value_parser!(u16).range(..=i64::from(MAX_STEPS)), help_heading = "--for bmc")]
    pub(crate) depth: u16,

    /// Lengths of executions in one task
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..), help_heading = "--for bmc")]
    pub(crate) lengths: u16,

    /// Split tasks by the first N transitions that are taken
    #[arg(long, value_name = "N", default_value_t = 0, help_heading = "--for bmc")]
    pub(crate) split: u16,

    /// Check this only: the name (or L and line) of an invariant or assertion, or a formula
    /// (may be repeated) [default: safety properties and assertions]
    #[arg(short, long = "property", value_name = "NAME|FORMULA", help_heading = "--for bmc, --for instance")]
    pub(crate) properties: Vec<String>,

    /// Tasks of its own for each claim
    #[arg(long, help_heading = "--for bmc, --for instance")]
    pub(crate) per_claim: bool,

    #[command(flatten)]
    pub(crate) language: LanguageArgs,

    #[command(flatten)]
    pub(crate) strictness: StrictArgs,

    #[command(flatten)]
    pub(crate) color: ColorArgs,
}

/// `ramsey task run`
#[derive(Args, Debug)]
#[command(after_help = "\
The same task gives the same bytes, on any machine and with any number of threads.
Exit code 0 if there is an answer, whatever it is, 3 if there is none, 2 if the file is no task for
this version, 4 for an internal error. A result is written with 0 and 3, unless memory ran out.")]
pub(crate) struct RunArgs {
    /// The task
    #[arg(value_name = "FILE")]
    pub(crate) task: PathBuf,

    /// Write the result to this file instead of standard output
    #[arg(short, long, value_name = "FILE")]
    pub(crate) out: Option<PathBuf>,

    /// Threads
    #[arg(short, long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..=1024))]
    pub(crate) jobs: u16,

    #[command(flatten)]
    pub(crate) color: ColorArgs,
}

/// `ramsey task import`
#[derive(Args, Debug)]
#[command(after_help = "\
Results are checked against the model that is named here: invariants by its obligations, executions
by evaluation, certificates by the checker. Lemmas are candidates. What does not pass is told and
counts as missing. The answer is that of `infer`, `bmc` or `instance`, and so is the exit code; 3 if
something is open, and then --next has the tasks that go on.")]
pub(crate) struct ImportArgs {
    /// The model
    #[arg(value_name = "MODEL")]
    pub(crate) path: PathBuf,

    /// The folder of the tasks, with their results
    #[arg(value_name = "DIR")]
    pub(crate) folder: PathBuf,

    /// If something is open, write the tasks of the next round into this new folder
    #[arg(long, value_name = "DIR")]
    pub(crate) next: Option<PathBuf>,

    /// Write the model with the safety properties and the lemmas that were inferred
    #[arg(long, value_name = "FILE")]
    pub(crate) out: Option<PathBuf>,

    /// Write a certificate of that model, which `ramsey check` and `ramsey-check` accept
    #[arg(long, value_name = "FILE", requires = "out")]
    pub(crate) certify: Option<PathBuf>,

    /// Threads [default: one per processor]
    #[arg(short, long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    pub(crate) jobs: Option<u16>,

    #[command(flatten)]
    pub(crate) limits: SearchLimitArgs,

    #[command(flatten)]
    pub(crate) form: FormArgs,
}
