//! What SIGINT, SIGTERM and SIGHUP do: temporary files go away, and then the process ends by the signal.
//!
//! Signals are watched from the moment when there is something to lose: a temporary file, or work that has taken a while.
//! Before, they do what they always do. The thread that watches would cost a fifth of a small run.
//!
//! A command that has something to tell when it is interrupted calls [`end_with_summary`]. From then on the first
//! signal only has every search report [`Exhausted::Cancelled`](crate::base::budget::Exhausted::Cancelled); the command
//! prints what it has and returns, and the process ends by the signal after all. A second signal ends it at once, and so
//! does a command that takes longer than [`GRACE`] to come to its end.

#[cfg(unix)]
use std::sync::Once;
use std::sync::atomic::{AtomicBool, AtomicI32, Ordering};
use std::time::Duration;

use super::clock::clock;

/// How long a command may take to tell what it has.
const GRACE: Duration = Duration::from_secs(3);

/// Runs up to this length have nothing to lose.
const SHORT: Duration = Duration::from_millis(20);

/// The first signal that has come; 0 if there is none.
static RECEIVED: AtomicI32 = AtomicI32::new(0);
/// Whether the first signal leaves the end to the command.
static HAS_SUMMARY: AtomicBool = AtomicBool::new(false);

/// From now on the first signal ends searches only.
pub(super) fn end_with_summary() {
    HAS_SUMMARY.store(true, Ordering::SeqCst);
}

/// From now on the first signal ends the process.
pub(super) fn end_at_once() {
    HAS_SUMMARY.store(false, Ordering::SeqCst);
}

/// Whether a signal asks to come to an end.
pub(super) fn is_interrupted() -> bool {
    RECEIVED.load(Ordering::Relaxed) != 0
}

/// Has writing beyond the largest size of files report an error, as on a full disk, instead of ending the process.
pub(super) fn report_file_size() {
    #[cfg(unix)]
    unix::report_file_size();
}

/// Watches for signals from now on if the run has taken a while, from the first call on.
pub(super) fn watch_if_long() {
    if u128::from(clock()) >= SHORT.as_nanos() {
        watch();
    }
}

/// Watches for signals from now on. Where no thread can be had for that they do what they always do.
pub(super) fn watch() {
    #[cfg(unix)]
    {
        static WATCHED: Once = Once::new();
        WATCHED.call_once(unix::start);
    }
}

/// Ends the process by the signal that has come, if there is one: who started it shall see that it was interrupted.
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
    use std::sync::atomic::Ordering;
    use std::sync::{Arc, mpsc};
    use std::thread;
    use std::time::{Duration, Instant};

    use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM, SIGXFSZ};
    use signal_hook::flag;
    use signal_hook::iterator::Signals;
    use signal_hook::low_level::emulate_default_handler;

    use super::{GRACE, HAS_SUMMARY, RECEIVED};
    use crate::cli::temporary;

    /// Time between two looks for a second signal.
    const POLL: Duration = Duration::from_millis(20);
    /// The stack of the thread that waits for signals.
    const STACK: usize = 256 << 10;

    pub(super) fn report_file_size() {
        let _ = flag::register(SIGXFSZ, Arc::default());
    }

    pub(super) fn start() {
        let (sender, receiver) = mpsc::channel::<Signals>();
        // The thread comes first: with handlers and no thread to act on them signals would do nothing at all.
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
            // What a parent has the process ignore (`nohup`, a shell's job in the background) stays ignored.
            Some(mask) => mask >> (signal - 1) & 1 == 0,
            None => signal != SIGHUP,
        });
        if let Ok(signals) = Signals::new(wanted) {
            let _ = sender.send(signals);
        }
    }

    /// The signals that the process ignores, as a mask with bit 0 for signal 1; `None` where the system does not tell.
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

    /// Ends the process by a signal. Temporary files are gone then.
    pub(super) fn end(signal: c_int) -> ! {
        let _files = temporary::remove_temporary();
        let _ = emulate_default_handler(signal);
        process::exit(128 + signal);
    }
}
