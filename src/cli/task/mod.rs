//! `ramsey task`: searches on many machines. `spec/tasks.md` describes the files, and why nothing in them is believed.

mod bounded;
mod export;
mod failure;
mod import;
mod infer;
mod instance;
mod model;
mod parts;
mod results;
mod round;
mod work;

use std::io;

use super::args::{TaskArgs, TaskCommand};
use ramsey_report::Verdict;

/// Carries out a step of a round.
pub(super) fn run(args: TaskArgs) -> io::Result<Verdict> {
    match args.command {
        TaskCommand::Export(args) => export::run(&args),
        TaskCommand::Run(args) => work::run(&args),
        TaskCommand::Import(args) => import::run(&args),
    }
}
