//! `ramsey init`

use std::path::PathBuf;

use clap::{Args, ValueEnum};

use super::shared::ColorArgs;

/// A service that runs pipelines. (Doc comments on the values would make the help text longer.)
#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Service {
    Github,
    Gitlab,
    Azure,
    Circleci,
    Jenkins,
}

/// `ramsey init`
#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  ramsey init                          a model and ramsey.toml in this folder
  ramsey init protocols --ci github    in another one, with a workflow for GitHub Actions

Writes models/lock.pyv, ramsey.toml and the pipeline, or nothing if one of them is there. Then
`ramsey verify` runs the checks. docs/ci.md has more about pipelines.")]
pub(crate) struct InitArgs {
    /// The folder
    #[arg(value_name = "DIR", default_value = ".")]
    pub(crate) folder: PathBuf,

    /// Write a pipeline for this service too
    #[arg(long, value_enum, value_name = "SERVICE")]
    pub(crate) ci: Option<Service>,

    #[command(flatten)]
    pub(crate) color: ColorArgs,
}
