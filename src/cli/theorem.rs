//! `ramsey theorem`

use std::io;
use std::path::PathBuf;

use clap::Args;

use super::args::{EXIT_CODES, VerifyArgs};
use super::output::Status;
use super::shared::{AnswerArgs, LimitArgs};
use super::verify;
use crate::vc::Question;

/// `ramsey theorem`
#[derive(Args, Debug)]
#[command(
    after_help = format!("\
Example:
  ramsey theorem lock.pyv

`theorem` claims a formula of all states (or pairs of states) that satisfy the axioms, whatever the
invariants are. `ramsey verify` checks the same, and the invariants.
With several models, `--certify` names a folder, in which each model has its certificate.

{EXIT_CODES}")
)]
pub(super) struct TheoremArgs {
    /// Models, directories (every model below is taken), or `-` for standard input
    #[arg(required = true, value_name = "FILE|DIR")]
    pub(super) paths: Vec<PathBuf>,

    /// Theorems to work on at once [default: one per processor]
    #[arg(short, long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    jobs: Option<u16>,

    /// Refuse models with theorems outside the decidable fragment, and runs without any theorem
    #[arg(long, conflicts_with = "no_strict")]
    strict: bool,

    /// Pictures.
    #[command(flatten)]
    pub(super) pictures: super::picture::PictureArgs,

    /// Limits.
    #[command(flatten)]
    limits: LimitArgs,

    /// Answers.
    #[command(flatten)]
    pub(super) answer: AnswerArgs,
}

/// Checks the theorems of every model.
pub(super) fn run(args: TheoremArgs) -> io::Result<Status> {
    let TheoremArgs { paths, jobs, strict, pictures, limits, answer } = args;
    let args = VerifyArgs {
        pictures,
        paths,
        jobs,
        check_transition: Vec::new(),
        check_invariant: Vec::new(),
        all: true,
        strict,
        lint: false,
        strictness: answer.strictness,
        compress: false,
        certify: answer.certify,
        export: None,
        limits,
        seed: answer.seed,
        no_minimize: answer.no_minimize,
        format: answer.format,
        stats: answer.stats,
        cores: false,
        print_negative_tuples: answer.print_negative_tuples,
        verbose: false,
        quiet: answer.quiet,
        language: answer.language,
        color: answer.color,
    };
    verify::run(&args, &Question::Theorems)
}
