//! Clock of the process.

use std::sync::OnceLock;
use std::time::Instant;

/// Returns the start of the run: the time of the first call of a function of this module.
pub(super) fn start() -> Instant {
    static START: OnceLock<Instant> = OnceLock::new();
    *START.get_or_init(Instant::now)
}

/// Returns the nanoseconds since the start of the run.
pub(super) fn clock() -> u64 {
    start().elapsed().as_nanos() as u64
}
