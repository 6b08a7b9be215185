//! What is asked, and how much it may cost.

use std::path::Path;

use crate::cli::args::SolveArgs;
use crate::cli::clock::start;
use crate::cli::limits::ClockLimits;
use crate::query::verify;

/// The path of the problem.
pub(super) fn path_of(args: &SolveArgs) -> &Path {
    args.path.as_deref().unwrap_or(Path::new("-"))
}

/// The limits of each query.
pub(super) fn limits(args: &SolveArgs) -> ClockLimits {
    args.limits.clocks(start())
}

/// The same for the library.
pub(super) fn query_limits(args: &SolveArgs) -> verify::Limits {
    verify::Limits { work: args.limits.work, outside: None, probe: Some(limits(args).factory()) }
}
