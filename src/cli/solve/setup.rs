//! Path and limits of a problem, from the arguments.

use std::path::Path;

use crate::args::SolveArgs;
use crate::clock::start;
use crate::limits::ClockLimits;
use ramsey_engine::query::verify;

/// Returns the path of the problem.
pub(super) fn path_of(args: &SolveArgs) -> &Path {
    args.path.as_deref().unwrap_or(Path::new("-"))
}

/// Returns the limits of each query.
pub(super) fn limits(args: &SolveArgs) -> ClockLimits {
    args.limits.clocks(start())
}

/// Returns the limits of each query in the library's form.
pub(super) fn query_limits(args: &SolveArgs) -> verify::Limits {
    verify::Limits { work: args.limits.work, outside: None, probe: Some(limits(args).factory()) }
}
