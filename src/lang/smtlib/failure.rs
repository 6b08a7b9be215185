//! How reading a command fails, and limits that all of it has.

pub use crate::lang::shared::Error;

/// Errors are boxed while a command is read: they are large and rare.
pub(super) type Failure = Box<Error>;
pub(super) type Result<T> = std::result::Result<T, Failure>;

/// Terms are at most so deep, so that others may recurse over them.
pub(super) const MAX_DEPTH: usize = 2_000;

/// The hint where a script uses a theory.
pub(super) const UNINTERPRETED: &str = "there are uninterpreted sorts only: declare a sort and functions, and assert what has to be known of them";
