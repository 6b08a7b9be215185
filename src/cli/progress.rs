//! Progress of a long run, as one line on a terminal.

use std::io::{self, IsTerminal as _, Write as _};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use super::{logging, signals};

/// Time before the first display: shorter work shows no progress.
const PATIENCE: Duration = Duration::from_millis(300);
/// Time between two updates.
const REFRESH: Duration = Duration::from_millis(100);
/// Maximum length of the line; longer ones are truncated, since a wrapped line could not be erased.
const WIDTH: usize = 76;
/// Stack size of the thread that updates the line.
const STACK: usize = 256 << 10;

/// The progress line. A thread writes it to standard error if that is a terminal. It updates the elapsed seconds even
/// if minutes pass between two calls.
#[derive(Debug)]
pub(super) struct Progress {
    line: Arc<Line>,
    ticker: Option<JoinHandle<()>>,
}

#[derive(Debug)]
struct Line {
    start: Instant,
    state: Mutex<State>,
    ended: Condvar,
}

#[derive(Default, Debug)]
struct State {
    /// Current activity; `None` while other output may go to the terminal.
    what: Option<String>,
    /// Text currently shown on the terminal.
    shown: Option<String>,
    is_over: bool,
}

impl Progress {
    /// Creates an empty line. It is disabled while events are logged, since log lines would break it.
    pub(super) fn new(wanted: bool) -> Self {
        let is_dumb = || std::env::var_os("TERM").is_some_and(|value| value == "dumb");
        let line = Arc::new(Line { start: Instant::now(), state: Mutex::default(), ended: Condvar::new() });
        // If the thread cannot be started there is no progress line, with no other effect.
        let ticker = (wanted && !logging::is_on() && io::stderr().is_terminal() && !is_dumb())
            .then(|| {
                let line = Arc::clone(&line);
                thread::Builder::new()
                    .name("progress".into())
                    .stack_size(STACK)
                    .spawn(move || line.keep())
                    .ok()
            })
            .flatten();
        Progress { line, ticker }
    }

    /// Sets the text of the line, which is followed by the seconds since the run began. Also starts to watch for
    /// signals: a long run may consist of queries that are too small to do so.
    pub(super) fn say(&self, what: impl FnOnce() -> String) {
        signals::watch_if_long();
        if self.ticker.is_some() {
            self.line.state().what = Some(what());
        }
    }

    /// Erases the line, so that other output can be written, until the next text is set.
    pub(super) fn clear(&self) {
        if self.ticker.is_some() {
            let mut state = self.line.state();
            state.what = None;
            state.draw(None);
        }
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        if let Some(ticker) = self.ticker.take() {
            self.line.state().is_over = true;
            self.line.ended.notify_all();
            let _ = ticker.join();
        }
    }
}

impl Line {
    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Updates the terminal until the run is over.
    fn keep(&self) {
        let mut state = self.state();
        while !state.is_over {
            let waited = self.ended.wait_timeout(state, REFRESH);
            state = waited.unwrap_or_else(PoisonError::into_inner).0;
            let elapsed = self.start.elapsed();
            if elapsed >= PATIENCE
                && let Some(what) = &state.what
            {
                let line = format!("{what}, {} s", elapsed.as_secs());
                state.draw(Some(line.chars().take(WIDTH).collect()));
            }
        }
        state.draw(None);
    }
}

impl State {
    /// Replaces the displayed line.
    fn draw(&mut self, line: Option<String>) {
        if self.shown != line {
            // Failures to write are ignored.
            let _ = write!(io::stderr(), "\r\x1b[K{}", line.as_deref().unwrap_or_default());
            let _ = io::stderr().flush();
            self.shown = line;
        }
    }
}
