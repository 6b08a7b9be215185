//! Time and memory limits, which the library leaves to its caller.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use super::args::{LimitArgs, RunLimitArgs};
use super::memory::{self, resident_bytes};
use super::signals;
use ramsey_core::base::budget::{Budget, Exhausted, Probe};
use ramsey_core::diag::{Code, Diagnostic};
use ramsey_engine::query::verify::ProbeFactory;

/// Nanoseconds between two readings of memory use, each of which costs as much as a simple query.
const MEMORY_EVERY: u64 = 2_000_000;

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
    /// Returns these limits with half of the time that the run has left.
    pub(super) fn halved(self) -> ClockLimits {
        let now = Instant::now();
        let half = |deadline: Instant| now + deadline.saturating_duration_since(now) / 2;
        ClockLimits { deadline: self.deadline.map(half), ..self }
    }

    /// Returns a factory that makes a probe for each query. The query's time begins when its probe is made.
    pub(super) fn factory(self) -> ProbeFactory {
        let memory = Arc::new(MemoryClock::new());
        Arc::new(move || self.timed(Arc::clone(&memory)))
    }

    /// Returns the probe of one query that starts now. It also reports signals.
    pub(super) fn probe(self) -> Probe {
        self.timed(Arc::new(MemoryClock::new()))
    }

    /// Returns the probe of one query that starts now, which reads memory use in turn with those of others.
    fn timed(self, memory: Arc<MemoryClock>) -> Probe {
        let query_deadline = self.query.and_then(|time| Instant::now().checked_add(time));
        Arc::new(move || {
            if signals::watch_if_long() {
                memory::watch();
            }
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
            (memory.is_due() && self.is_memory_exhausted()).then(|| {
                // The next query looks at once.
                memory.next.store(0, Ordering::Relaxed);
                Exhausted::Memory
            })
        })
    }

    /// Watches these limits for work that asks no probe: from now on, a process that reaches one ends with a message and the exit
    /// code of an exhausted budget.
    pub(super) fn watch(self) {
        if self.deadline.is_none() && self.memory.is_none() {
            return;
        }
        let watch = move || {
            let reached = loop {
                if self.deadline.is_some_and(|deadline| Instant::now() >= deadline) {
                    break Exhausted::RunTime;
                }
                if self.is_memory_exhausted() {
                    break Exhausted::Memory;
                }
                thread::sleep(Duration::from_nanos(MEMORY_EVERY));
            };
            memory::end(Diagnostic::error_nowhere(
                Code::Limit,
                format!("{reached} reached before the answer"),
            ))
        };
        // Without the thread the guards against the system's limits remain.
        let _ = thread::Builder::new().name("limits".into()).stack_size(memory::STACK).spawn(watch);
    }

    /// Checks whether the process has more memory than it may, or comes close to what the system lets it have.
    fn is_memory_exhausted(self) -> bool {
        let limit = self.memory.unwrap_or(u64::MAX);
        resident_bytes().is_some_and(|bytes| bytes > limit) || memory::is_short()
    }
}

/// When memory use is read next.
#[derive(Debug)]
struct MemoryClock {
    start: Instant,
    /// In nanoseconds since the start.
    next: AtomicU64,
}

impl MemoryClock {
    /// Creates a clock by which a reading is due.
    fn new() -> MemoryClock {
        MemoryClock { start: Instant::now(), next: AtomicU64::new(0) }
    }

    /// Checks whether a reading is due. If so, the next one is due after [`MEMORY_EVERY`].
    fn is_due(&self) -> bool {
        let now = u64::try_from(self.start.elapsed().as_nanos()).unwrap_or(u64::MAX);
        let is_due = now >= self.next.load(Ordering::Relaxed);
        if is_due {
            self.next.store(now.saturating_add(MEMORY_EVERY), Ordering::Relaxed);
        }
        is_due
    }
}

/// Returns the budget for reading a model in commands without limits of their own. It ends when memory is short.
pub(super) fn reading() -> Budget {
    Budget::new(None, Some(ClockLimits::default().probe()))
}

impl LimitArgs {
    /// Checks whether a user has set a limit that ends a search of any length.
    pub(super) fn end_a_run(self) -> bool {
        self.timeout.is_some() || self.run.run_timeout.is_some() || self.work.is_some()
    }

    /// Returns the time and memory limits of a run that began at `start`.
    pub(super) fn clocks(self, start: Instant) -> ClockLimits {
        ClockLimits { query: self.timeout, ..self.run.clocks(start) }
    }
}

impl RunLimitArgs {
    /// Returns the time and memory limits of a run that began at `start`.
    pub(super) fn clocks(self, start: Instant) -> ClockLimits {
        ClockLimits {
            query: None,
            deadline: self.run_timeout.and_then(|time| start.checked_add(time)),
            memory: self.memory.map(|megabytes| megabytes.saturating_mul(1 << 20)),
        }
    }
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

    #[test]
    fn half_of_the_time_is_half_of_what_is_left() {
        let deadline = Instant::now() + Duration::from_secs(100);
        let limits = ClockLimits { deadline: Some(deadline), ..ClockLimits::default() };
        let half = limits.halved().deadline.expect("a deadline");
        assert!(half < deadline - Duration::from_secs(49) && half > deadline - Duration::from_secs(52));
        assert_eq!(ClockLimits::default().halved().deadline, None);
    }

    #[test]
    fn memory_is_read_in_intervals() {
        let clock = MemoryClock::new();
        assert!(clock.is_due());
        clock.next.store(u64::MAX, Ordering::Relaxed);
        assert!(!clock.is_due());
        let soon = clock.start.elapsed().as_nanos() as u64;
        clock.next.store(soon, Ordering::Relaxed);
        assert!(clock.is_due() && clock.next.load(Ordering::Relaxed) >= soon + MEMORY_EVERY);
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn memory_is_read() {
        let limits = ClockLimits { memory: Some(1), ..ClockLimits::default() };
        let factory = limits.factory();
        for _ in 0..3 {
            assert_eq!(factory()(), Some(Exhausted::Memory), "each query looks while there is too little");
        }
    }
}
