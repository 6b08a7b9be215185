//! What a test says that cannot run here.

use std::io::{Write as _, stderr};

/// One line straight to standard error: `eprintln!` is swallowed when a test passes.
pub fn skipped(why: impl std::fmt::Display) {
    let _ = stderr().write_all(format!("skipped: {why}\n").as_bytes());
}
