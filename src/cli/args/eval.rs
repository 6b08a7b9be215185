//! `ramsey eval`

use std::path::PathBuf;

use clap::Args;

use super::results::PlainFormat;
use super::shared::{ColorArgs, LanguageArgs, SearchLimitArgs};

/// `ramsey eval`
#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  ramsey cti lock.pyv --output cti.json
  ramsey eval 'held(N) -> !free' cti.json --model lock.pyv
  ramsey eval 'exists N. held(N) & N != node0' cti.json --model lock.pyv --state 1
  ramsey eval \"held'(node0)\" cti.json --model lock.pyv

The formula is one of the model's language: names in capital letters that are not bound are
universally quantified. Elements of the state are called as they are shown, or by sort and number. In
a .pyv model, primes and `new` speak of the next state, if the document has one; in a formula with
`old(..)`, all outside of it does.

Exit code 0 if the formula is true, 1 if it is false.")]
pub(crate) struct EvalArgs {
    /// The formula
    #[arg(value_name = "FORMULA")]
    pub(crate) formula: String,

    /// A document with a counterexample: the JSON of cti, verify, bmc, trace, simulate; `-` for standard input
    #[arg(value_name = "STATE.json")]
    pub(crate) document: PathBuf,

    /// The model that the state belongs to
    #[arg(short, long, value_name = "MODEL")]
    pub(crate) model: PathBuf,

    /// Which state of the counterexample, from 0
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub(crate) state: usize,

    /// Which of several counterexamples, in the order of the document
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub(crate) number: usize,

    #[command(flatten)]
    pub(crate) limits: SearchLimitArgs,

    /// The form of the answer; json: one document (spec/eval.schema.json)
    #[arg(long, value_enum, value_name = "FORM", default_value_t, help_heading = "Output")]
    pub(crate) format: PlainFormat,

    #[command(flatten)]
    pub(crate) language: LanguageArgs,

    #[command(flatten)]
    pub(crate) color: ColorArgs,
}
