//! The clock of the process.

use std::sync::OnceLock;
use std::time::Instant;

/// When the run began: at the first call of a function of this module.
pub(super) fn start() -> Instant {
    static START: OnceLock<Instant> = OnceLock::new();
    *START.get_or_init(Instant::now)
}

/// Nanoseconds since the run began.
pub(super) fn clock() -> u64 {
    start().elapsed().as_nanos() as u64
}
