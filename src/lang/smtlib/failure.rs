//! Errors of reading commands, and common limits.

pub use crate::shared::Error;

/// Error of reading a command, boxed because errors are large and rare.
pub(super) type Failure = Box<Error>;
pub(super) type Result<T> = std::result::Result<T, Failure>;

/// Maximum depth of terms, which makes recursion over terms safe.
pub(super) const MAX_DEPTH: usize = 2_000;

/// Hint for scripts that use a theory.
pub(super) const UNINTERPRETED: &str = "there are uninterpreted sorts only: declare a sort and functions, and assert what has to be known of them";
