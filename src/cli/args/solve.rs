//! `ramsey solve`

use std::path::PathBuf;

use clap::{Args, ValueEnum};

use super::results::PlainFormat;
use super::shared::{ColorArgs, LimitArgs, problem_formats};
use ramsey_lang::Format;

/// The formats of propositional proofs.
#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) enum ProofFormat {
    #[default]
    Lrat,
    Drat,
}

/// `ramsey solve`
#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  ramsey solve queries.smt2
  ramsey solve --interactive                      where a program expects `z3 -in`
  ramsey solve --certify a.cert queries.smt2; ramsey-check queries.smt2 a.cert
  ramsey solve problem.p
  xz -dc big.cnf.xz | ramsey solve -
  ramsey solve --proof problem.lrat problem.cnf; cake_lpr problem.cnf problem.lrat
  ramsey solve --certify a.cert circuit.aig; ramsey-check circuit.aig a.cert

Exit codes: DIMACS 10 satisfiable, 20 unsatisfiable, 0 unknown; TPTP 0 proved or decided,
1 counterexample, 3 unknown; AIGER 10 violated, 20 safe, 0 unknown; SMT-LIB 0 whatever the answers; 2 bad input, also where an
error was answered; 4 internal error.")]
pub(crate) struct SolveArgs {
    /// A problem, or `-` for standard input
    #[arg(value_name = "FILE", required_unless_present = "interactive")]
    pub(crate) path: Option<PathBuf>,

    /// Carry out SMT-LIB commands from standard input as they come
    #[arg(long, conflicts_with_all = ["path", "input", "proof"])]
    pub(crate) interactive: bool,

    /// The format of the problem; without it the name of the file tells, or else how the text begins
    #[arg(long, value_name = "FORMAT", value_parser = problem_formats())]
    pub(crate) input: Option<Format>,

    #[command(flatten)]
    pub(crate) limits: LimitArgs,

    /// Start the search elsewhere
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub(crate) seed: u64,

    /// Where the answer is UNSATISFIABLE, write a proof of it to this file
    #[arg(long, value_name = "FILE")]
    pub(crate) proof: Option<PathBuf>,

    /// The format of the proof: lrat is trimmed, and kept in memory until the end; drat is written during the search
    #[arg(long, value_enum, value_name = "FORMAT", requires = "proof", default_value_t)]
    pub(crate) proof_format: ProofFormat,

    /// Write the proof in the binary encoding
    #[arg(long, requires = "proof")]
    pub(crate) binary_proof: bool,

    /// SMT-LIB, TPTP, AIGER: write a certificate of the answers, which `ramsey-check FILE CERTIFICATE` accepts
    #[arg(long, value_name = "CERTIFICATE", conflicts_with_all = ["interactive", "proof"])]
    pub(crate) certify: Option<PathBuf>,

    /// Write each proof for other checkers to this folder: SMT-LIB, TPTP: QF_UF, DIMACS and LRAT; AIGER: witness circuits, and
    /// executions
    #[arg(long, value_name = "FOLDER", conflicts_with_all = ["interactive", "proof"])]
    pub(crate) export: Option<PathBuf>,

    /// SMT-LIB, TPTP: write the answers as theorems of the proof assistant Rocq, with the proof: a folder, in which `make`
    /// checks it
    #[arg(long, value_name = "DIR", conflicts_with_all = ["interactive", "proof"])]
    pub(crate) rocq: Option<PathBuf>,

    /// SMT-LIB: give models with few elements and few true tuples (`:minimize-models`)
    #[arg(long)]
    pub(crate) minimize: bool,

    /// The form of the answers; json: one document at the end (spec/solve.schema.json)
    #[arg(long, value_enum, value_name = "FORM", default_value_t, conflicts_with = "interactive")]
    pub(crate) format: PlainFormat,

    /// Do not print the satisfying assignment, or the execution of a circuit
    #[arg(short, long)]
    pub(crate) quiet: bool,

    /// Tell what the answer cost, as comment lines
    #[arg(long)]
    pub(crate) stats: bool,

    #[command(flatten)]
    pub(crate) color: ColorArgs,
}
