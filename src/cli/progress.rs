//! One line on a terminal that says how far a long run is.

use std::io::{self, IsTerminal as _, Write as _};
use std::time::{Duration, Instant};

/// Shorter work shows no progress.
const PATIENCE: Duration = Duration::from_millis(300);
/// Time between two updates.
const REFRESH: Duration = Duration::from_millis(100);

/// The progress line. Writes to standard error, and only if that is a terminal.
#[derive(Debug)]
pub(super) struct Progress {
    total: usize,
    done: usize,
    start: Instant,
    last: Option<Instant>,
    is_active: bool,
}

impl Progress {
    /// A line for `total` pieces of work.
    pub(super) fn new(total: usize, wanted: bool) -> Self {
        let is_active = wanted && io::stderr().is_terminal();
        Progress { total, done: 0, start: Instant::now(), last: None, is_active }
    }

    /// One more piece is done.
    pub(super) fn advance(&mut self) {
        self.done += 1;
        self.show();
    }

    /// How long to wait for news before the line should be shown again; `None` for as long as it takes.
    pub(super) fn patience(&self) -> Option<Duration> {
        self.is_active.then_some(REFRESH)
    }

    /// Shows the line if it is time.
    pub(super) fn show(&mut self) {
        let now = Instant::now();
        let is_due = self.last.is_none_or(|last| now - last >= REFRESH);
        if !self.is_active || now - self.start < PATIENCE || !is_due {
            return;
        }
        self.last = Some(now);
        let seconds = (now - self.start).as_secs();
        let _ = write!(io::stderr(), "\r\x1b[K{}/{} groups, {seconds} s", self.done, self.total);
        let _ = io::stderr().flush();
    }

    /// Takes the line away, so that other output can go there.
    pub(super) fn clear(&mut self) {
        if self.last.take().is_some() {
            let _ = write!(io::stderr(), "\r\x1b[K");
            let _ = io::stderr().flush();
        }
    }
}
