//! Handling of SIGINT, SIGTERM and SIGHUP: temporary files are removed, and then the process ends by the signal.
//!
//! Signals are watched only once there is something to lose: a temporary file, or work that has taken a while. Before
//! that they have their default effect. The watching thread would cost a fifth of a small run.
//!
//! A command that prints a summary when interrupted calls [`end_with_summary`]. From then on the first signal only
//! makes every search report [`Exhausted::Cancelled`](ramsey_core::base::budget::Exhausted::Cancelled); the command prints
//! its results and returns, and then the process ends by the signal. A second signal ends it at once, and so does
//! exceeding [`GRACE`] before the command returns.

#[cfg(unix)]
use std::sync::Once;
use std::sync::atomic::{AtomicBool, AtomicI32, Ordering};
use std::time::Duration;

use super::clock::clock;

/// Maximum time for a command to print its results after a signal.
const GRACE: Duration = Duration::from_secs(3);

/// Duration up to which a run has nothing to lose.
const SHORT: Duration = Duration::from_millis(20);

/// The first signal received; 0 if there is none.
static RECEIVED: AtomicI32 = AtomicI32::new(0);
/// Whether the first signal only interrupts searches, and the command ends the run.
static HAS_SUMMARY: AtomicBool = AtomicBool::new(false);

/// Makes the first signal only end searches, from now on.
pub(super) fn end_with_summary() {
    HAS_SUMMARY.store(true, Ordering::SeqCst);
}

/// Makes the first signal end the process, from now on.
pub(super) fn end_at_once() {
    HAS_SUMMARY.store(false, Ordering::SeqCst);
}

/// Checks whether a signal was received.
pub(super) fn is_interrupted() -> bool {
    RECEIVED.load(Ordering::Relaxed) != 0
}

/// Makes writing beyond the file size limit return an error, as on a full disk, instead of ending the process.
pub(super) fn report_file_size() {
    #[cfg(unix)]
    unix::report_file_size();
}

/// Begins to watch for signals if the run has already taken a while, and tells whether it has.
pub(super) fn watch_if_long() -> bool {
    let is_long = u128::from(clock()) >= SHORT.as_nanos();
    if is_long {
        watch();
    }
    is_long
}

/// From now on, an abort that no panic comes before ends the process with the exit code of an exhausted budget: an
/// allocation failed.
pub(super) fn end_as_exhausted_on_abort() {
    #[cfg(unix)]
    unix::end_as_exhausted_on_abort();
}

/// Makes aborts end the process by their signal again.
pub(super) fn end_by_signal_on_abort() {
    #[cfg(unix)]
    unix::end_by_signal_on_abort();
}

/// Begins to watch for signals. If no thread can be started they keep their default effect.
pub(super) fn watch() {
    #[cfg(unix)]
    {
        static WATCHED: Once = Once::new();
        WATCHED.call_once(unix::start);
    }
}

/// Ends the process by the received signal, if there is one, so that the parent process sees the interruption.
pub(super) fn end_if_interrupted() {
    #[cfg(unix)]
    match RECEIVED.load(Ordering::SeqCst) {
        0 => {}
        signal => unix::end(signal),
    }
}

#[cfg(unix)]
mod unix {
    use std::ffi::c_int;
    use std::process;
    use std::sync::atomic::{AtomicBool, Ordering};
    use std::sync::{Arc, OnceLock, mpsc};
    use std::thread;
    use std::time::{Duration, Instant};

    use signal_hook::consts::{SIGABRT, SIGHUP, SIGINT, SIGTERM, SIGXFSZ};
    use signal_hook::flag;
    use signal_hook::iterator::Signals;
    use signal_hook::low_level::emulate_default_handler;

    use super::{GRACE, HAS_SUMMARY, RECEIVED};
    use crate::temporary;
    use ramsey_report::Verdict;

    /// Interval of polling for a second signal.
    const POLL: Duration = Duration::from_millis(20);
    /// Stack size of the thread that waits for signals.
    const STACK: usize = 256 << 10;

    pub(super) fn report_file_size() {
        let _ = flag::register(SIGXFSZ, Arc::default());
    }

    /// Whether an abort has the exit code of an exhausted budget.
    static EXHAUSTED_ON_ABORT: OnceLock<Arc<AtomicBool>> = OnceLock::new();

    pub(super) fn end_as_exhausted_on_abort() {
        let is_on = EXHAUSTED_ON_ABORT.get_or_init(|| Arc::new(AtomicBool::new(true)));
        let code = Verdict::Unknown.code().into();
        let _ = flag::register_conditional_shutdown(SIGABRT, code, Arc::clone(is_on));
    }

    pub(super) fn end_by_signal_on_abort() {
        if let Some(is_on) = EXHAUSTED_ON_ABORT.get() {
            is_on.store(false, Ordering::SeqCst);
        }
    }

    pub(super) fn start() {
        let (sender, receiver) = mpsc::channel::<Signals>();
        // The thread is started first: handlers without a thread to act on them would suppress signals.
        let watcher = thread::Builder::new().name("signals".into()).stack_size(STACK).spawn(move || {
            if let Ok(signals) = receiver.recv() {
                watch(signals);
            }
        });
        if watcher.is_err() {
            return;
        }
        let ignored = ignored();
        let wanted = [SIGINT, SIGTERM, SIGHUP].into_iter().filter(|&signal| match ignored {
            // Signals ignored on entry (`nohup`, a background job of a shell) stay ignored.
            Some(mask) => mask >> (signal - 1) & 1 == 0,
            None => signal != SIGHUP,
        });
        if let Ok(signals) = Signals::new(wanted) {
            let _ = sender.send(signals);
        }
    }

    /// Returns the signals that the process ignores, as a mask with bit 0 for signal 1, or `None` if the system does
    /// not report it.
    fn ignored() -> Option<u64> {
        let status = std::fs::read_to_string("/proc/self/status").ok()?;
        let mask = status.lines().find_map(|line| line.strip_prefix("SigIgn:"))?;
        u64::from_str_radix(mask.trim(), 16).ok()
    }

    fn watch(mut signals: Signals) {
        let Some(first) = signals.forever().next() else { return };
        if !HAS_SUMMARY.load(Ordering::SeqCst) {
            end(first);
        }
        RECEIVED.store(first, Ordering::SeqCst);
        let end_at = Instant::now() + GRACE;
        while Instant::now() < end_at {
            if let Some(second) = signals.pending().next() {
                end(second);
            }
            thread::sleep(POLL);
        }
        end(first);
    }

    /// Removes temporary files and ends the process by a signal.
    pub(super) fn end(signal: c_int) -> ! {
        let _files = temporary::remove_temporary();
        let _ = emulate_default_handler(signal);
        process::exit(128 + signal);
    }
}
