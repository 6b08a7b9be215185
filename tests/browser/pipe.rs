//! The DevTools protocol of Chromium over pipes: messages in JSON, each ended by a NUL byte.

use std::cell::RefCell;
use std::env;
use std::fs::{self, File};
use std::io::{BufRead as _, BufReader, Write as _};
use std::os::unix::fs::MetadataExt as _;
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::mpsc::{self, Receiver};
use std::thread;
use std::time::{Duration, Instant};

use serde_json::{Value, json};

/// Time within which the browser answers, also where others keep the processors busy.
pub const PATIENCE: Duration = Duration::from_secs(30);

/// Programs that are tried if RAMSEY_CHROMIUM is not set.
const PROGRAMS: [&str; 3] = ["chromium", "chromium-browser", "google-chrome"];

/// The protocol takes its pipes from the descriptors 3 and 4, which `Command` cannot set.
const REDIRECTED: &str = "exec \"$0\" \"$@\" 3<&0 4>&1 0</dev/null 1>/dev/null";

/// Returns the browser's program, if one is installed.
pub fn program() -> Option<PathBuf> {
    if let Some(given) = env::var_os("RAMSEY_CHROMIUM") {
        return Some(given.into());
    }
    let folders: Vec<PathBuf> = env::split_paths(&env::var_os("PATH")?).collect();
    PROGRAMS.iter().flat_map(|name| folders.iter().map(move |it| it.join(name))).find(|path| path.is_file())
}

/// A running browser. It ends when this is dropped.
pub struct Pipe {
    child: Child,
    /// Directory with the browser's profile and its standard error.
    dir: PathBuf,
    messages: Receiver<Value>,
    state: RefCell<State>,
}

struct State {
    /// `None` once the browser is to end.
    input: Option<ChildStdin>,
    last_id: u64,
    /// Events that nobody has taken.
    events: Vec<Value>,
}

impl Pipe {
    /// Starts a browser.
    pub fn start(program: &Path) -> Pipe {
        static COUNT: AtomicU32 = AtomicU32::new(0);
        let count = COUNT.fetch_add(1, Ordering::Relaxed);
        let dir =
            Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("browser-{}-{count}", std::process::id()));
        fs::create_dir_all(&dir).expect("a directory for the browser");
        let errors = File::create(dir.join("stderr")).expect("a file for the browser");
        let mut command = Command::new("sh");
        command.args(["-c", REDIRECTED]).arg(program).args([
            "--headless=new",
            "--remote-debugging-pipe",
            "--no-first-run",
            "--no-default-browser-check",
            "--disable-background-networking",
            "--disable-component-update",
            "--disable-dev-shm-usage",
            "--disable-gpu",
        ]);
        command.arg(format!("--user-data-dir={}", dir.join("profile").display()));
        // Chromium's sandbox refuses to run as root, as in the containers of automatic tests.
        if fs::metadata(&dir).is_ok_and(|it| it.uid() == 0) {
            command.arg("--no-sandbox");
        }
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(errors);
        let mut child = command.spawn().expect("a shell");
        let output = child.stdout.take().expect("a pipe");
        let (sender, messages) = mpsc::channel();
        thread::spawn(move || {
            for message in BufReader::new(output).split(0).map_while(Result::ok) {
                let message = serde_json::from_slice(&message).expect("messages are JSON");
                if sender.send(message).is_err() {
                    break;
                }
            }
        });
        let state = State { input: child.stdin.take(), last_id: 0, events: Vec::new() };
        Pipe { child, dir, messages, state: RefCell::new(state) }
    }

    /// Calls a method, of the whole browser or of a page's session, and returns its result.
    pub fn call(&self, session: Option<&str>, method: &str, params: Value) -> Result<Value, String> {
        let id = self.send(session, method, params);
        let until = Instant::now() + PATIENCE;
        loop {
            let left = until.saturating_duration_since(Instant::now());
            let Ok(mut message) = self.messages.recv_timeout(left) else {
                let errors = fs::read_to_string(self.dir.join("stderr")).unwrap_or_default();
                return Err(format!("no answer to {method}; the browser said:\n{errors}"));
            };
            if message["id"] != json!(id) {
                self.state.borrow_mut().events.push(message);
            } else if message["error"].is_null() {
                return Ok(message["result"].take());
            } else {
                return Err(format!("{method}: {}", message["error"]));
            }
        }
    }

    fn send(&self, session: Option<&str>, method: &str, params: Value) -> u64 {
        let mut state = self.state.borrow_mut();
        state.last_id += 1;
        let mut message = json!({ "id": state.last_id, "method": method, "params": params });
        if let Some(session) = session {
            message["sessionId"] = session.into();
        }
        if let Some(input) = &mut state.input {
            // A browser that has ended does not answer, which is reported.
            let _ = input.write_all(format!("{message}\0").as_bytes());
        }
        state.last_id
    }

    /// Takes the events of a session that `wanted` holds for.
    pub fn take_events(&self, session: &str, wanted: impl Fn(&Value) -> bool) -> Vec<Value> {
        let mut state = self.state.borrow_mut();
        state.events.extend(self.messages.try_iter());
        let is_wanted = |event: &mut Value| event["sessionId"] == session && wanted(event);
        state.events.extract_if(.., is_wanted).collect()
    }
}

impl Drop for Pipe {
    fn drop(&mut self) {
        self.send(None, "Browser.close", json!({}));
        self.state.borrow_mut().input = None;
        let until = Instant::now() + PATIENCE;
        while Instant::now() < until && matches!(self.child.try_wait(), Ok(None)) {
            thread::sleep(Duration::from_millis(10));
        }
        let _ = self.child.kill();
        let _ = self.child.wait();
        let _ = fs::remove_dir_all(&self.dir);
    }
}
