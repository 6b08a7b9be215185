//! Messages of tests that cannot run in this environment.

use std::io::{Write as _, stderr};

/// Writes one line directly to standard error: `eprintln!` is captured when a test passes.
pub fn skipped(why: impl std::fmt::Display) {
    let _ = stderr().write_all(format!("skipped: {why}\n").as_bytes());
}
