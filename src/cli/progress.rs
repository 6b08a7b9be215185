//! One line on a terminal that says how far a long run is.

use std::io::{self, IsTerminal as _, Write as _};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use super::{logging, signals};

/// Shorter work shows no progress.
const PATIENCE: Duration = Duration::from_millis(300);
/// Time between two updates.
const REFRESH: Duration = Duration::from_millis(100);
/// A longer line is cut: where it wrapped, it could not be taken away.
const WIDTH: usize = 76;
/// Stack of the thread that keeps the line up to date.
const STACK: usize = 256 << 10;

/// The progress line. A thread writes it to standard error, and only if that is a terminal: work goes on for minutes between
/// two calls, and the seconds tell that it does.
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
    /// What is being done; `None` while other output may go to the terminal.
    what: Option<String>,
    /// What the terminal shows.
    shown: Option<String>,
    is_over: bool,
}

impl Progress {
    /// A line that says nothing yet. A log would break it, so there is none beside one.
    pub(super) fn new(wanted: bool) -> Self {
        let is_dumb = || std::env::var_os("TERM").is_some_and(|value| value == "dumb");
        let line = Arc::new(Line { start: Instant::now(), state: Mutex::default(), ended: Condvar::new() });
        // Without a thread there is no line, and nothing else is missing.
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

    /// From now on the line says this, and the seconds since the run began. Signals are watched for here too: a long run may
    /// consist of queries that are too small to do it.
    pub(super) fn say(&self, what: impl FnOnce() -> String) {
        signals::watch_if_long();
        if self.ticker.is_some() {
            self.line.state().what = Some(what());
        }
    }

    /// Takes the line away, so that other output can go there, until there is something new to say.
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

    /// Keeps the terminal up to date until the run is over.
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
    /// Shows a line in the place of the one before.
    fn draw(&mut self, line: Option<String>) {
        if self.shown != line {
            // Nobody who reads this is no reason to stop.
            let _ = write!(io::stderr(), "\r\x1b[K{}", line.as_deref().unwrap_or_default());
            let _ = io::stderr().flush();
            self.shown = line;
        }
    }
}
