//! `ramsey verify`

use std::path::PathBuf;

use clap::Args;

use super::results::FormArgs;
use super::shared::{CacheArgs, EXIT_CODES, PictureArgs, ReportArgs};

/// `ramsey verify`
#[derive(Args, Debug)]
#[command(
    after_help = format!("\
Examples:
  ramsey verify lock.pyv
  ramsey verify --all lock.pyv               every failing obligation, not only the first
  ramsey verify --check-transition acquire --check-invariant mutex lock.pyv
  ramsey verify --timeout 10 --format json models/ > result.json
  ramsey verify --report junit=ramsey.xml    all checks of ramsey.toml

Each transition is checked with all invariants assumed before it. A failing obligation is shown
with a counterexample: a state (or two, with the transition between them) in which all that may
be assumed is true and the invariant is false. In the second state, `+` marks what became true,
`-` what ceased to be true, `~` what changed its value.

{EXIT_CODES}")
)]
pub(crate) struct VerifyArgs {
    /// Models, directories (every model below is taken), or `-` for standard input
    #[arg(value_name = "FILE|DIR", help = format!("{}; without any, all checks of ramsey.toml are run", super::models_help()))]
    pub(crate) paths: Vec<PathBuf>,

    /// Run the checks of this configuration: all, or those of the models that are named
    #[arg(long, value_name = "FILE", help_heading = "What to check")]
    pub(crate) config: Option<PathBuf>,

    /// Verify again what changes, until the program is interrupted
    #[arg(long, conflicts_with_all = ["format", "reports", "itf", "certify", "export", "rocq"])]
    pub(crate) watch: bool,

    /// Those of the paths that were found in folders, and may be parts of other models.
    #[arg(skip)]
    pub(crate) found: Vec<PathBuf>,

    /// Transitions to work on at once [default: one per processor]
    #[arg(short, long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    pub(crate) jobs: Option<u16>,

    /// Check this transition only (may be repeated)
    #[arg(long, value_name = "NAME", help_heading = "What to check")]
    pub(crate) check_transition: Vec<String>,

    /// Check this invariant only: its name, or L and its line (may be repeated)
    #[arg(long, value_name = "NAME", help_heading = "What to check")]
    pub(crate) check_invariant: Vec<String>,

    /// Go on after the first failing obligation of a transition
    #[arg(long, help_heading = "What to check")]
    pub(crate) all: bool,

    /// Leave out temporal properties of .ivy, which are told as unknown otherwise
    #[arg(long, help_heading = "What to check", conflicts_with_all = ["certify", "rocq"])]
    pub(crate) safety_only: bool,

    /// Verify a program in .ivy at once; without it each of its isolates is verified by itself, with what it sees
    #[arg(long, help_heading = "What to check", conflicts_with = "isolate")]
    pub(crate) whole: bool,

    /// Ask whether the claims are inductive, also where `attribute method` of .ivy wants them to be decided by executions
    #[arg(long, help_heading = "What to check")]
    pub(crate) inductive: bool,

    /// Refuse models with obligations outside the decidable fragment, and models that claim nothing
    #[arg(long, help_heading = "What to check", conflicts_with = "no_strict")]
    pub(crate) strict: bool,

    /// Tell which invariants follow from the others (R043), by a small query for each
    #[arg(long, help_heading = "What to check")]
    pub(crate) lint: bool,

    /// Write a certificate that `ramsey check` and `ramsey-check` accept: a file, or a directory for several models
    #[arg(
        long,
        value_name = "PATH",
        help_heading = "Certificates",
        conflicts_with_all = ["check_transition", "check_invariant"]
    )]
    pub(crate) certify: Option<PathBuf>,

    /// Compress certificates (gzip); without this option too, if PATH is a file that ends in .gz
    #[arg(long, requires = "certify", help_heading = "Certificates")]
    pub(crate) compress: bool,

    /// Write the proofs for other checkers too: instances as SMT-LIB (QF_UF), clauses as DIMACS with LRAT
    #[arg(long, value_name = "DIR", help_heading = "Certificates")]
    pub(crate) export: Option<PathBuf>,

    /// Write the answers as theorems of the proof assistant Rocq, with the proof: a folder, in which `make` checks it
    #[arg(
        long,
        value_name = "DIR",
        help_heading = "Certificates",
        conflicts_with_all = ["check_transition", "check_invariant"]
    )]
    pub(crate) rocq: Option<PathBuf>,

    #[command(flatten)]
    pub(crate) limits: super::shared::SearchLimitArgs,

    #[command(flatten)]
    pub(crate) cache: CacheArgs,

    /// Start the search elsewhere; answers stay the same, counterexamples may differ
    #[arg(long, value_name = "N", default_value_t = 0, help_heading = "Search")]
    pub(crate) seed: u64,

    /// Show the first counterexample found, not a smallest one
    #[arg(long, help_heading = "Search")]
    pub(crate) no_minimize: bool,

    /// Tell what the answers cost
    #[arg(long, help_heading = "Output")]
    pub(crate) stats: bool,

    /// For what is proved, tell which hypotheses suffice (takes a little longer)
    #[arg(long, help_heading = "Output")]
    pub(crate) cores: bool,

    /// In counterexamples, list where relations are false as well
    #[arg(long, help_heading = "Output")]
    pub(crate) print_negative_tuples: bool,

    /// A line for each obligation, however many there are
    #[arg(short, long, conflicts_with = "quiet", help_heading = "Output")]
    pub(crate) verbose: bool,

    /// Tell failures only
    #[arg(short, long, help_heading = "Output")]
    pub(crate) quiet: bool,

    #[command(flatten)]
    pub(crate) report: ReportArgs,

    #[command(flatten)]
    pub(crate) pictures: PictureArgs,

    #[command(flatten)]
    pub(crate) form: FormArgs,
}
