//! Time and memory limits, which the library leaves to its caller.

use std::sync::Arc;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::{Duration, Instant};

use super::args::LimitArgs;
use super::signals;
use crate::base::budget::{Exhausted, Probe};
use crate::query::verify::ProbeFactory;

/// Number of calls of a probe per reading of memory use, which costs microseconds.
const MEMORY_EVERY: u32 = 8;

/// Limits of a run, and of each of its queries.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct ClockLimits {
    /// Wall-clock time of one query.
    pub(super) query: Option<Duration>,
    /// Time at which the run has to end.
    pub(super) deadline: Option<Instant>,
    /// Maximum resident memory of the process, in bytes.
    pub(super) memory: Option<u64>,
}

impl ClockLimits {
    /// Returns a factory that makes a probe for each query. The query's time begins when its probe is made.
    pub(super) fn factory(self) -> ProbeFactory {
        Arc::new(move || self.probe())
    }

    /// Returns the probe of one query that starts now. It also reports signals.
    pub(super) fn probe(self) -> Probe {
        let query_deadline = self.query.and_then(|time| Instant::now().checked_add(time));
        let calls = AtomicU32::new(0);
        Arc::new(move || {
            signals::watch_if_long();
            if signals::is_interrupted() {
                return Some(Exhausted::Cancelled);
            }
            if query_deadline.is_some() || self.deadline.is_some() {
                let now = Instant::now();
                if self.deadline.is_some_and(|deadline| now >= deadline) {
                    return Some(Exhausted::RunTime);
                }
                if query_deadline.is_some_and(|deadline| now >= deadline) {
                    return Some(Exhausted::QueryTime);
                }
            }
            let limit = self.memory?;
            let is_due = calls.fetch_add(1, Ordering::Relaxed).is_multiple_of(MEMORY_EVERY);
            (is_due && resident_bytes().is_some_and(|bytes| bytes > limit)).then_some(Exhausted::Memory)
        })
    }
}

impl LimitArgs {
    /// Returns the time and memory limits of a run that began at `start`.
    pub(super) fn clocks(self, start: Instant) -> ClockLimits {
        ClockLimits {
            query: self.timeout,
            deadline: self.run_timeout.and_then(|time| start.checked_add(time)),
            memory: self.memory.map(|megabytes| megabytes.saturating_mul(1 << 20)),
        }
    }
}

/// Returns the resident memory of the process, or `None` if the system does not report it.
pub(super) fn resident_bytes() -> Option<u64> {
    let statm = std::fs::read_to_string("/proc/self/statm").ok()?;
    let pages: u64 = statm.split_ascii_whitespace().nth(1)?.parse().ok()?;
    pages.checked_mul(page_size())
}

/// Returns the size of a memory page.
fn page_size() -> u64 {
    static SIZE: OnceLock<u64> = OnceLock::new();
    *SIZE.get_or_init(|| {
        // AT_PAGESZ of the auxiliary vector: pairs of native words, key 6.
        let auxv = std::fs::read("/proc/self/auxv").unwrap_or_default();
        let (words, _) = auxv.as_chunks::<{ size_of::<usize>() }>();
        let words: Vec<u64> = words.iter().map(|&word| usize::from_ne_bytes(word) as u64).collect();
        let pair = words.chunks_exact(2).find(|pair| pair[0] == 6);
        pair.map_or(4096, |pair| pair[1]).clamp(1024, 1 << 20)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_runs_out_without_a_limit() {
        assert_eq!(ClockLimits::default().factory()()(), None);
    }

    #[test]
    fn each_query_has_its_own_deadline() {
        let limits = ClockLimits { query: Some(Duration::from_millis(20)), ..ClockLimits::default() };
        let first = limits.probe();
        assert_eq!(first(), None);
        std::thread::sleep(Duration::from_millis(25));
        assert_eq!(first(), Some(Exhausted::QueryTime));
        assert_eq!(limits.probe()(), None, "a later query starts anew");
    }

    #[test]
    fn the_run_ends_for_all_queries() {
        let limits = ClockLimits { deadline: Some(Instant::now()), ..ClockLimits::default() };
        assert_eq!(limits.probe()(), Some(Exhausted::RunTime));
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn memory_is_read() {
        let bytes = resident_bytes().unwrap_or(0);
        assert!((100_000..100_000_000_000).contains(&bytes), "{bytes}");
        let limits = ClockLimits { memory: Some(1), ..ClockLimits::default() };
        assert_eq!(limits.probe()(), Some(Exhausted::Memory));
    }
}
