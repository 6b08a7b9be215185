//! Command-line arguments as clap parses them, before validation. Help texts are written to be read from top to bottom.

mod bmc;
mod check;
mod completions;
mod core;
mod cti;
mod diagram;
mod eval;
mod explain;
mod fragment;
mod generalize;
mod infer;
mod init;
mod instance;
mod man;
mod mc;
mod print;
mod results;
mod shared;
mod show;
mod simulate;
mod solve;
mod task;
mod theorem;
mod trace;
mod typecheck;
mod ui;
mod verify;

use clap::{Args, Parser, Subcommand};

use super::logging::{Directive, directive};
pub(super) use bmc::BmcArgs;
pub(super) use check::CheckArgs;
pub(super) use completions::CompletionsArgs;
pub(super) use core::CoreArgs;
pub(super) use cti::CtiArgs;
pub(super) use diagram::{DiagramArgs, ItemList, StateArgs};
pub(super) use eval::EvalArgs;
pub(super) use explain::ExplainArgs;
pub(super) use fragment::FragmentArgs;
pub(super) use generalize::GeneralizeArgs;
pub(super) use infer::InferArgs;
pub(super) use init::{InitArgs, Service};
pub(super) use instance::{FunctionEncoding, InstanceArgs};
pub(super) use man::ManArgs;
pub(super) use mc::McArgs;
pub(super) use print::PrintArgs;
use ramsey_core::diag::Code;
use ramsey_kernel::check::format::HEADER;
pub(super) use results::{Collector, FormArgs, How, OutputFormat, PlainFormat, ReportFile, ResultArgs};
pub(super) use shared::{
    AnswerArgs, CacheArgs, ColorArgs, ColorChoice, LanguageArgs, LimitArgs, PictureArgs, ReportArgs,
    RunLimitArgs, SearchLimitArgs, StrictArgs,
};
pub(super) use show::ShowArgs;
pub(super) use simulate::SimulateArgs;
pub(super) use solve::{ProofFormat, SolveArgs};
use std::sync::LazyLock;
pub(super) use task::{ExportArgs, ImportArgs, Purpose, RunArgs, TaskArgs, TaskCommand};
pub(super) use theorem::TheoremArgs;
pub(super) use trace::TraceArgs;
pub(super) use typecheck::TypecheckArgs;
pub(super) use ui::UiArgs;
pub(super) use verify::VerifyArgs;

/// Returns the help of arguments that are models and directories.
fn models_help() -> String {
    let extensions = ramsey_lang::Language::extensions("and");
    format!("Models, directories (every {extensions} file below is taken), or `-` for standard input")
}

const TOP_EXAMPLES: &str = "\
Examples, in the order in which a new model needs them:
  ramsey typecheck lock.pyv         only read and check names, sorts, states
  ramsey simulate lock.pyv          does the model do what it should?
  ramsey bmc lock.pyv               is there a bug within a few steps?
  ramsey verify lock.pyv            is the invariant inductive? if not, show why
  ramsey infer lock.pyv             which lemmas make it inductive?
  ramsey explain lock.pyv           which claim needs which?
  ramsey verify -j 4 models/        every model below a directory
  ramsey solve problem.smt2         a question without a model

docs/tutorial.md leads from an idea to a certified invariant.

`ramsey help COMMAND` tells more about one command.

Exit codes:
  0  everything is proved (or: as expected)
  1  a counterexample was found
  2  bad input or usage
  3  a budget (time, work, memory) ran out before the answer
  4  internal error";

/// What `--version` tells (`-V` tells the first line): how the program was built, and which certificates it writes. Scripts that build it
/// set the commit.
pub(super) static LONG_VERSION: LazyLock<String> = LazyLock::new(|| {
    let commit = option_env!("RAMSEY_COMMIT").unwrap_or("unknown");
    let profile = if cfg!(debug_assertions) { "debug" } else { "release" };
    let (os, arch) = (std::env::consts::OS, std::env::consts::ARCH);
    let libc = if cfg!(target_env = "musl") { ", static with musl" } else { "" };
    format!(
        "{}\ncommit: {commit}\nfeatures: cli, json, log\nbuild: {profile}, {arch} {os}{libc}\ncertificates: {HEADER}",
        env!("CARGO_PKG_VERSION")
    )
});

/// Verifies safety of distributed protocols, with no external solver.
#[derive(Parser, Debug)]
#[command(name = "ramsey", version, long_version = LONG_VERSION.as_str(), after_help = TOP_EXAMPLES, max_term_width = 100)]
pub(super) struct Cli {
    /// What to do.
    #[command(subcommand)]
    pub(super) command: Command,

    #[command(flatten)]
    pub(super) common: CommonArgs,
}

/// Options of all commands.
#[derive(Args, Debug)]
pub(super) struct CommonArgs {
    /// Do not tell warnings with this code (may be repeated)
    #[arg(long, value_name = "CODE", global = true, value_parser = shared::warning_code)]
    pub(super) allow: Vec<Code>,

    /// Write events of the search to standard error; targets: engine, sat, query; levels: info,
    /// debug, trace
    #[arg(
        long,
        value_name = "TARGET=LEVEL,..",
        global = true,
        value_delimiter = ',',
        value_parser = directive
    )]
    pub(super) log: Vec<Directive>,

    /// Let outputs replace files of other kinds
    #[arg(long, global = true)]
    pub(super) force: bool,
}

/// The commands.
#[derive(Subcommand, Debug)]
pub(super) enum Command {
    /// Check that the invariants hold initially and that every transition preserves them
    Verify(VerifyArgs),
    /// Check that no execution of at most so many steps violates the property
    Bmc(BmcArgs),
    /// Decide whether the property holds with so many elements of each sort, at any length
    Instance(InstanceArgs),
    /// Decide whether the claims hold with any number of elements, by abstraction to circuits
    Mc(McArgs),
    /// Show the first counterexample to induction, as small as can be
    Cti(CtiArgs),
    /// Turn a state that cannot be reached into a conjecture that excludes it and more
    Generalize(GeneralizeArgs),
    /// Find lemmas with which the safety properties are inductive
    Infer(InferArgs),
    /// Tell why the invariant is inductive: which claim needs which, and what each one is there for
    Explain(ExplainArgs),
    /// Print the diagram of a state: the formula of all states that contain it
    Diagram(DiagramArgs),
    /// Tell the value of a formula in a state
    Eval(EvalArgs),
    /// Check the model's trace blocks: is there an execution of this shape?
    Trace(TraceArgs),
    /// Check that the theorems are valid
    Theorem(TheoremArgs),
    /// Read models and report errors and warnings, without proving anything
    Typecheck(TypecheckArgs),
    /// Tell which obligations lie in the decidable fragment, and show the cycle if not
    Fragment(FragmentArgs),
    /// Walk through a model at random or as told, and show the states
    Simulate(SimulateArgs),
    /// Check a certificate against its model, trusting nothing else
    Check(CheckArgs),
    /// Print a model in canonical form
    Print(PrintArgs),
    /// Print a model in closed form, in which nothing is implicit; or read one, and show what it claims
    Core(CoreArgs),
    /// Draw or tell a counterexample that is in a JSON document
    Show(ShowArgs),
    /// Answer questions without a model: SMT-LIB scripts and sessions, TPTP problems, DIMACS
    Solve(SolveArgs),
    /// Find an inductive invariant in the browser: counterexamples as pictures, conjectures to choose from
    Ui(UiArgs),
    /// Let many machines search, and check what they find: tasks as files, results as files
    Task(TaskArgs),
    /// Write a first model, a configuration and a pipeline, none of which may be there
    Init(InitArgs),
    /// Write a completion script for a shell to standard output
    Completions(CompletionsArgs),
    /// Write the pages of the manual into a folder
    Man(ManArgs),
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::CommandFactory as _;

    #[test]
    fn the_definition_is_consistent() {
        Cli::command().debug_assert();
    }
}
