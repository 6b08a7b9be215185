//! `ramsey show`

use std::path::PathBuf;

use clap::Args;

use super::shared::{ColorArgs, LanguageArgs, PictureArgs};

/// `ramsey show`
#[derive(Args, Debug)]
#[command(after_help = "\
Example:
  ramsey verify --format json lock.pyv > lock.json
  ramsey show lock.json --model lock.pyv --svg lock.svg

Reads any document with a counterexample, and those of diagram and generalize. What is drawn how is described in spec/pictures.md.")]
pub(crate) struct ShowArgs {
    /// A JSON document with a counterexample, or `-` for standard input
    #[arg(value_name = "FILE.json")]
    pub(crate) document: PathBuf,

    /// The model that it was made with
    #[arg(long, value_name = "FILE")]
    pub(crate) model: PathBuf,

    /// Which of several counterexamples, in the order of the document
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub(crate) number: usize,

    /// Tell the states as text (also without --svg and --dot)
    #[arg(long)]
    pub(crate) text: bool,

    /// Write the states as a trace of Apalache (ITF)
    #[arg(long, value_name = "FILE")]
    pub(crate) itf: Option<PathBuf>,

    #[command(flatten)]
    pub(crate) pictures: PictureArgs,

    #[command(flatten)]
    pub(crate) language: LanguageArgs,

    #[command(flatten)]
    pub(crate) color: ColorArgs,
}
