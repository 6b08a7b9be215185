//! The server: a listener on the loopback address, a thread for each connection, a fixed table of routes.
//!
//! It knows nothing of what the messages and events say. No path of a request reaches the file system.

use std::io::{self, Read, Write as _};
use std::net::{Ipv4Addr, Shutdown, SocketAddr, TcpListener, TcpStream};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use super::assets::{Asset, asset};
use super::guard::{Guard, check_json};
use super::http::{self, Head, Refusal};
use crate::{signals, threads};

/// Maximum number of connections that are served at a time.
const MAX_CONNECTIONS: usize = 32;
/// Maximum number of connections at a time, with those that are told that there are too many.
const MAX_WITH_REFUSED: usize = 2 * MAX_CONNECTIONS;
/// Maximum time for writing a part of an answer.
const WRITE: Duration = Duration::from_secs(10);
/// Interval of looking for the end of the server.
const POLL: Duration = Duration::from_millis(50);
/// Maximum time for open connections to end when the server does.
const GRACE: Duration = Duration::from_secs(1);
/// Time and number of bytes for which the rest of a refused request is read.
const LINGER: (Duration, u64) = (Duration::from_secs(1), 4 << 20);

/// Headers of every answer. None of them lets another page read it.
const HEADERS: &str = "\
Content-Security-Policy: default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; \
connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'\r
X-Content-Type-Options: nosniff\r
Referrer-Policy: no-referrer\r
Cross-Origin-Opener-Policy: same-origin\r
Cross-Origin-Resource-Policy: same-origin\r
Cache-Control: no-store\r
Connection: close\r
";

const TEXT: &str = "text/plain; charset=utf-8";
const JSON: &str = "application/json";
const JSON_LINES: &str = "application/x-ndjson";

const UNKNOWN_ROUTE: Refusal = Refusal::new(404, "There is nothing here.");
const NO_NUMBER: Refusal = Refusal::new(400, "`since` has to be the number of an event.");
const NO_LENGTH: Refusal = Refusal::new(411, "A message needs a body and its Content-Length.");
const BUSY: Refusal = Refusal::new(503, "There are too many connections.");

/// What the server serves, beside the page's files.
pub(super) trait Application: Send + Sync {
    /// Answers a message in JSON by a document in JSON.
    fn message(&self, body: &str) -> Reply;

    /// Waits up to `patience` for events after number `since`. Each is a line of JSON without its line end. Events are
    /// numbered from 1 without gaps; old ones are forgotten. Returns the number of the last one with them.
    fn events(&self, since: u64, patience: Duration) -> (u64, Vec<String>);
}

/// Answer to a message.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Reply {
    /// Status of HTTP.
    pub(super) status: u16,
    /// Document in JSON.
    pub(super) body: String,
}

/// Where and how long a server listens.
#[derive(Clone, Copy, Debug)]
pub(super) struct Config {
    /// Port of the loopback address; 0 for any free one.
    pub(super) port: u16,
    /// Time after which the server ends if there is neither a request nor an open stream of events.
    pub(super) idle: Duration,
    /// Maximum time from a connection to the end of its request.
    pub(super) request: Duration,
    /// Maximum time between two lines in a stream of events. Writing tells that the client has left.
    pub(super) heartbeat: Duration,
}

impl Default for Config {
    fn default() -> Config {
        Config {
            port: 0,
            idle: Duration::from_secs(600),
            request: Duration::from_secs(10),
            heartbeat: Duration::from_secs(2),
        }
    }
}

/// Serves until a signal interrupts the program, or nobody has used the server for a while. Calls `announce` with the
/// address for the user, which contains the token, as soon as the server listens.
pub(super) fn serve(
    config: Config,
    app: Arc<dyn Application>,
    announce: &mut dyn FnMut(&str),
) -> io::Result<()> {
    signals::end_with_summary();
    signals::watch();
    Server::bind(config, app)?.run(announce, &signals::is_interrupted)
}

/// A server that listens.
pub(super) struct Server {
    listener: TcpListener,
    shared: Arc<Shared>,
}

impl Server {
    pub(super) fn bind(config: Config, app: Arc<dyn Application>) -> io::Result<Server> {
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, config.port))?;
        let address = listener.local_addr()?;
        let guard = Guard::new(address.port())?;
        let load = Mutex::new(Load { connections: 0, requests: 0, last_use: Instant::now() });
        let shared =
            Shared { config, app, guard, address, load, left: Condvar::new(), ends: AtomicBool::new(false) };
        Ok(Server { listener, shared: Arc::new(shared) })
    }

    /// Serves until `ends` says so, or nobody has used the server for a while.
    pub(super) fn run(self, announce: &mut dyn FnMut(&str), ends: &dyn Fn() -> bool) -> io::Result<()> {
        let Server { listener, shared } = self;
        let acceptor = {
            let shared = Arc::clone(&shared);
            thread::Builder::new().name("listener".into()).spawn(move || accept(&listener, &shared))?
        };
        announce(&shared.guard.url());
        while !ends() && !shared.load().is_idle(shared.config.idle) {
            thread::sleep(POLL);
        }
        shared.ends.store(true, Ordering::SeqCst);
        // The listener waits for a connection; this one wakes it.
        if TcpStream::connect_timeout(&shared.address, GRACE).is_ok() {
            let _ = acceptor.join();
        }
        let load = shared.load();
        let _ = shared.left.wait_timeout_while(load, GRACE, |load| load.connections > 0);
        Ok(())
    }
}

/// State that all threads share.
struct Shared {
    config: Config,
    app: Arc<dyn Application>,
    guard: Guard,
    address: SocketAddr,
    load: Mutex<Load>,
    /// Notified when a connection ends.
    left: Condvar,
    ends: AtomicBool,
}

impl Shared {
    fn load(&self) -> MutexGuard<'_, Load> {
        self.load.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn ends(&self) -> bool {
        self.ends.load(Ordering::SeqCst)
    }

    /// Judges the head of a request.
    fn admit(&self, head: &Head) -> Result<Route, Refusal> {
        self.guard.check_sender(head)?;
        let route = match (head.method.as_str(), head.path.as_str()) {
            ("POST", "/api/v1/message") => Route::Message,
            ("GET", "/api/v1/events") => Route::Events { since: since(head.query.as_deref())? },
            ("GET", path) => Route::Asset(asset(path).ok_or(UNKNOWN_ROUTE)?),
            _ => return Err(UNKNOWN_ROUTE),
        };
        match route {
            Route::Asset(_) => {}
            Route::Events { .. } => self.guard.check_token(head)?,
            Route::Message => {
                self.guard.check_token(head)?;
                check_json(head)?;
                if head.length == 0 {
                    return Err(NO_LENGTH);
                }
            }
        }
        Ok(route)
    }
}

/// Returns the number of an event from `since=N`.
fn since(query: Option<&str>) -> Result<u64, Refusal> {
    let Some(query) = query else { return Ok(0) };
    query.strip_prefix("since=").and_then(|number| number.parse().ok()).ok_or(NO_NUMBER)
}

/// Use of the server.
struct Load {
    connections: usize,
    /// Number of admitted requests that are not answered yet.
    requests: usize,
    /// Time at which the last request was answered.
    last_use: Instant,
}

impl Load {
    fn is_idle(&self, limit: Duration) -> bool {
        self.requests == 0 && self.last_use.elapsed() >= limit
    }
}

/// Accepts connections until the server ends.
fn accept(listener: &TcpListener, shared: &Arc<Shared>) {
    for stream in listener.incoming() {
        if shared.ends() {
            return;
        }
        let Ok(stream) = stream else {
            // There may be too many open files; some are closed soon.
            thread::sleep(POLL);
            continue;
        };
        // Without a thread, and with far too many connections, the connection is closed without an answer.
        if let Some(connection) = Connection::enter(shared, stream) {
            let builder = thread::Builder::new().name("connection".into()).stack_size(threads::STACK);
            let _ = builder.spawn(move || connection.serve());
        }
    }
}

/// What a request asks for.
enum Route {
    Asset(&'static Asset),
    Message,
    Events { since: u64 },
}

/// A connection, which is counted while it lives.
struct Connection {
    shared: Arc<Shared>,
    stream: TcpStream,
    /// Whether there were too many connections when it came.
    is_refused: bool,
}

impl Connection {
    fn enter(shared: &Arc<Shared>, stream: TcpStream) -> Option<Connection> {
        let mut load = shared.load();
        if load.connections >= MAX_WITH_REFUSED {
            return None;
        }
        let is_refused = load.connections >= MAX_CONNECTIONS;
        load.connections += 1;
        drop(load);
        Some(Connection { shared: Arc::clone(shared), stream, is_refused })
    }

    /// Reads the request and answers it. Failures of the connection concern nobody else.
    fn serve(&self) {
        let _ = self.stream.set_nodelay(true);
        let _ = self.stream.set_write_timeout(Some(WRITE));
        let request = if self.is_refused {
            Err(BUSY)
        } else {
            http::read(self.patient(self.shared.config.request), |head| self.shared.admit(head))
        };
        let _ = match request {
            Ok(None) => Ok(()),
            Ok(Some((route, body))) => {
                let _use = Use::begin(&self.shared);
                match route {
                    Route::Asset(asset) => self.send(200, asset.media_type, (asset.text)()),
                    Route::Message => {
                        let Reply { status, body } = self.shared.app.message(&body);
                        self.send(status, JSON, &body)
                    }
                    Route::Events { since } => self.stream_events(since),
                }
            }
            Err(refusal) => self.refuse(refusal),
        };
    }

    /// Sends an answer, in one piece.
    fn send(&self, status: u16, media_type: &str, body: &str) -> io::Result<()> {
        let head = head(status, media_type);
        let answer = format!("{head}Content-Length: {}\r\n\r\n{body}", body.len());
        (&self.stream).write_all(answer.as_bytes())
    }

    fn refuse(&self, refusal: Refusal) -> io::Result<()> {
        self.send(refusal.status, TEXT, &format!("{}\n", refusal.why))?;
        // A connection that is closed with unread bytes is reset, and the client may lose the answer.
        self.stream.shutdown(Shutdown::Write)?;
        let (time, bytes) = LINGER;
        io::copy(&mut self.patient(time).take(bytes), &mut io::sink()).map(drop)
    }

    /// Sends events as they come, each on a line, until the client leaves or the server ends.
    fn stream_events(&self, mut since: u64) -> io::Result<()> {
        let mut text = format!("{}\r\n", head(200, JSON_LINES));
        loop {
            (&self.stream).write_all(text.as_bytes())?;
            if self.shared.ends() {
                return Ok(());
            }
            let (last, events) = self.shared.app.events(since, self.shared.config.heartbeat);
            since = last;
            text = events.join("\n") + "\n";
        }
    }

    /// Returns the stream with a limit for reading from now on.
    fn patient(&self, time: Duration) -> Patient<'_> {
        Patient { stream: &self.stream, until: Instant::now() + time }
    }
}

impl Drop for Connection {
    fn drop(&mut self) {
        self.shared.load().connections -= 1;
        self.shared.left.notify_all();
    }
}

/// Use of the server by a request, which keeps it from being idle.
struct Use<'a>(&'a Shared);

impl Use<'_> {
    fn begin(shared: &Shared) -> Use<'_> {
        shared.load().requests += 1;
        Use(shared)
    }
}

impl Drop for Use<'_> {
    fn drop(&mut self) {
        let mut load = self.0.load();
        load.requests -= 1;
        load.last_use = Instant::now();
    }
}

/// Stream that is read up to a time, however slowly it comes.
struct Patient<'a> {
    stream: &'a TcpStream,
    until: Instant,
}

impl Read for Patient<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let left = self.until.saturating_duration_since(Instant::now());
        if left.is_zero() {
            return Err(io::ErrorKind::TimedOut.into());
        }
        self.stream.set_read_timeout(Some(left))?;
        self.stream.read(buffer)
    }
}

/// Returns the head of an answer, up to headers about its length.
fn head(status: u16, media_type: &str) -> String {
    format!("HTTP/1.1 {status} {}\r\n{HEADERS}Content-Type: {media_type}\r\n", reason(status))
}

/// Returns the phrase for a status, which clients ignore.
fn reason(status: u16) -> &'static str {
    match status {
        200 => "OK",
        400 => "Bad Request",
        403 => "Forbidden",
        404 => "Not Found",
        408 => "Request Timeout",
        409 => "Conflict",
        411 => "Length Required",
        413 => "Content Too Large",
        415 => "Unsupported Media Type",
        422 => "Unprocessable Content",
        431 => "Request Header Fields Too Large",
        503 => "Service Unavailable",
        _ => "",
    }
}
