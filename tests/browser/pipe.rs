//! The DevTools protocol of Chromium over pipes: messages in JSON, each ended by a NUL byte.

use std::env;
use std::fs::{self, File};
use std::io::{BufRead as _, BufReader, Write as _};
use std::os::unix::fs::MetadataExt as _;
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::atomic::{AtomicU32, AtomicU64, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use serde_json::{Value, json};

/// Time within which the browser answers, also where others keep the processors busy.
pub const PATIENCE: Duration = Duration::from_secs(30);

/// Programs that are tried if RAMSEY_CHROMIUM is not set.
const PROGRAMS: [&str; 5] =
    ["chromium-headless-shell", "chrome-headless-shell", "chromium", "chromium-browser", "google-chrome"];

/// The protocol takes its pipes from the descriptors 3 and 4, which `Command` cannot set.
const REDIRECTED: &str = "exec \"$0\" \"$@\" 3<&0 4>&1 0</dev/null 1>/dev/null";

/// Returns the browser's program, if one is installed. None is wanted where RAMSEY_CHROMIUM is empty.
pub fn program() -> Option<PathBuf> {
    if let Some(given) = env::var_os("RAMSEY_CHROMIUM") {
        return (!given.is_empty()).then(|| given.into());
    }
    let folders: Vec<PathBuf> = env::split_paths(&env::var_os("PATH")?).collect();
    PROGRAMS.iter().flat_map(|name| folders.iter().map(move |it| it.join(name))).find(|path| path.is_file())
}

/// A running browser, for several threads. It ends when this is dropped.
pub struct Pipe {
    child: Mutex<Child>,
    /// Directory with the browser's profile and its standard error.
    dir: PathBuf,
    /// `None` once the browser is to end.
    input: Mutex<Option<ChildStdin>>,
    last_id: AtomicU64,
    inbox: Arc<Inbox>,
}

/// What the browser has said.
#[derive(Default)]
struct Inbox {
    messages: Mutex<Messages>,
    arrived: Condvar,
}

#[derive(Default)]
struct Messages {
    /// Answers that nobody has taken.
    answers: Vec<Value>,
    /// Events that nobody has taken.
    events: Vec<Value>,
}

fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
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
            // Several pages are open at once, and none of them is in the background.
            "--disable-background-timer-throttling",
            "--disable-backgrounding-occluded-windows",
            "--disable-renderer-backgrounding",
            "--disable-component-update",
            "--disable-dev-shm-usage",
            "--disable-gpu",
            "--disable-software-rasterizer",
        ]);
        command.arg(format!("--user-data-dir={}", dir.join("profile").display()));
        // Chromium's sandbox refuses to run as root, as in the containers of automatic tests.
        if fs::metadata(&dir).is_ok_and(|it| it.uid() == 0) {
            command.arg("--no-sandbox");
        }
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(errors);
        let mut child = command.spawn().expect("a shell");
        let output = child.stdout.take().expect("a pipe");
        let inbox = Arc::new(Inbox::default());
        let filled = Arc::clone(&inbox);
        thread::spawn(move || {
            for message in BufReader::new(output).split(0).map_while(Result::ok) {
                let message: Value = serde_json::from_slice(&message).expect("messages are JSON");
                let mut messages = locked(&filled.messages);
                if message["id"].is_null() {
                    messages.events.push(message)
                } else {
                    messages.answers.push(message)
                }
                drop(messages);
                filled.arrived.notify_all();
            }
        });
        let input = Mutex::new(child.stdin.take());
        Pipe { child: Mutex::new(child), dir, input, last_id: AtomicU64::new(0), inbox }
    }

    /// Calls a method, of the whole browser or of a page's session, and returns its result.
    pub fn call(&self, session: Option<&str>, method: &str, params: Value) -> Result<Value, String> {
        let id = self.send(session, method, params);
        let is_answer = |message: &Value| message["id"] == json!(id);
        let messages = locked(&self.inbox.messages);
        let waits = |messages: &mut Messages| !messages.answers.iter().any(is_answer);
        let waited = self.inbox.arrived.wait_timeout_while(messages, PATIENCE, waits);
        let (mut messages, _) = waited.unwrap_or_else(PoisonError::into_inner);
        let Some(at) = messages.answers.iter().position(is_answer) else {
            drop(messages);
            let errors = fs::read_to_string(self.dir.join("stderr")).unwrap_or_default();
            return Err(format!("no answer to {method}; the browser said:\n{errors}"));
        };
        let mut answer = messages.answers.swap_remove(at);
        match &answer["error"] {
            Value::Null => Ok(answer["result"].take()),
            error => Err(format!("{method}: {error}")),
        }
    }

    fn send(&self, session: Option<&str>, method: &str, params: Value) -> u64 {
        let id = self.last_id.fetch_add(1, Ordering::Relaxed) + 1;
        let mut message = json!({ "id": id, "method": method, "params": params });
        if let Some(session) = session {
            message["sessionId"] = session.into();
        }
        if let Some(input) = &mut *locked(&self.input) {
            // A browser that has ended does not answer, which is reported.
            let _ = input.write_all(format!("{message}\0").as_bytes());
        }
        id
    }

    /// Takes the events of a session that `wanted` holds for.
    pub fn take_events(&self, session: &str, wanted: impl Fn(&Value) -> bool) -> Vec<Value> {
        let is_wanted = |event: &mut Value| event["sessionId"] == session && wanted(event);
        locked(&self.inbox.messages).events.extract_if(.., is_wanted).collect()
    }

    /// Closes all pages of a context, and forgets what they have said.
    pub fn dispose(&self, context: &str, session: &str) {
        self.send(None, "Target.disposeBrowserContext", json!({ "browserContextId": context }));
        self.take_events(session, |_| true);
    }
}

impl Drop for Pipe {
    fn drop(&mut self) {
        self.send(None, "Browser.close", json!({}));
        *locked(&self.input) = None;
        let until = Instant::now() + PATIENCE;
        let mut child = locked(&self.child);
        while Instant::now() < until && matches!(child.try_wait(), Ok(None)) {
            thread::sleep(Duration::from_millis(10));
        }
        let _ = child.kill();
        let _ = child.wait();
        let _ = fs::remove_dir_all(&self.dir);
    }
}
