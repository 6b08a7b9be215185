//! A server with an application that records, and a client.

use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::TcpStream;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Condvar, Mutex, mpsc};
use std::thread::{self, JoinHandle};
use std::time::Duration;

use crate::ui::server::{Application, Config, Reply, Server};

/// Time after which a test fails that waits for the server.
pub(super) const LONG: Duration = Duration::from_secs(60);

/// Application that keeps the messages, and has the events that the test gives it.
#[derive(Default)]
pub(super) struct Recorder {
    pub(super) messages: Mutex<Vec<String>>,
    events: Mutex<Vec<String>>,
    changed: Condvar,
}

impl Recorder {
    pub(super) fn push(&self, event: &str) {
        self.events.lock().expect("no panic").push(event.into());
        self.changed.notify_all();
    }
}

impl Application for Recorder {
    fn message(&self, body: &str) -> Reply {
        self.messages.lock().expect("no panic").push(body.into());
        let status = if body.contains("conflict") { 409 } else { 200 };
        Reply { status, body: format!("{{\"got\":{body}}}") }
    }

    fn events(&self, since: u64, patience: Duration) -> (u64, Vec<String>) {
        let events = self.events.lock().expect("no panic");
        let since = usize::try_from(since).unwrap_or(usize::MAX);
        let (events, _) = self
            .changed
            .wait_timeout_while(events, patience, |events| events.len() <= since)
            .expect("no panic");
        (since.max(events.len()) as u64, events.get(since..).unwrap_or_default().to_vec())
    }
}

/// A server that runs until the test ends.
pub(super) struct Running {
    pub(super) app: Arc<Recorder>,
    pub(super) url: String,
    pub(super) port: u16,
    pub(super) token: String,
    end: Arc<AtomicBool>,
    thread: Option<JoinHandle<()>>,
}

impl Running {
    pub(super) fn new() -> Running {
        Running::with(Config { heartbeat: Duration::from_millis(50), ..Config::default() })
    }

    pub(super) fn with(config: Config) -> Running {
        let app = Arc::<Recorder>::default();
        let server = Server::bind(config, Arc::clone(&app) as _).expect("a free port");
        let end = Arc::<AtomicBool>::default();
        let (sender, receiver) = mpsc::channel();
        let thread = thread::spawn({
            let end = Arc::clone(&end);
            move || {
                let mut announce = |url: &str| sender.send(url.to_owned()).expect("the test waits");
                server.run(&mut announce, &|| end.load(Ordering::SeqCst)).expect("threads");
            }
        });
        let url = receiver.recv_timeout(LONG).expect("an address");
        let (address, token) = url.split_once("/#k=").expect("a token");
        let port = address.strip_prefix("http://127.0.0.1:").expect("the loopback address");
        let (port, token) = (port.parse().expect("a port"), token.to_owned());
        Running { app, url, port, token, end, thread: Some(thread) }
    }

    /// Ends the server and waits for that.
    pub(super) fn end(&mut self) {
        self.end.store(true, Ordering::SeqCst);
        if let Some(thread) = self.thread.take() {
            thread.join().expect("no panic");
        }
    }

    pub(super) fn has_ended(&self) -> bool {
        self.thread.as_ref().is_none_or(JoinHandle::is_finished)
    }

    pub(super) fn connect(&self) -> TcpStream {
        let stream = TcpStream::connect(("127.0.0.1", self.port)).expect("the server listens");
        stream.set_read_timeout(Some(LONG)).expect("a limit");
        stream
    }

    /// Sends bytes and reads the answer up to its end.
    pub(super) fn exchange(&self, request: &[u8]) -> Answer {
        let mut stream = self.connect();
        // The server may answer before it has all of a request that it refuses.
        let _ = stream.write_all(request);
        let mut bytes = Vec::new();
        stream.read_to_end(&mut bytes).expect("an answer");
        Answer::parse(&bytes)
    }

    /// Returns a request to this server, without the headers of a browser.
    pub(super) fn request(&self, line: &str) -> Request {
        Request { line: line.into(), host: format!("127.0.0.1:{}", self.port), ..Request::default() }
    }

    /// Returns a request of the page for a route of the interface.
    pub(super) fn api(&self, line: &str) -> Request {
        let json = ("Content-Type", "application/json");
        self.request(line).header("X-Ramsey-Token", &self.token).header(json.0, json.1)
    }

    pub(super) fn status(&self, request: &Request) -> u16 {
        self.exchange(&request.bytes()).status
    }

    /// Opens a stream of events and reads its head.
    pub(super) fn events(&self, since: u64) -> BufReader<TcpStream> {
        let mut stream = self.connect();
        let request = self.api(&format!("GET /api/v1/events?since={since}"));
        stream.write_all(&request.bytes()).expect("a request");
        let mut reader = BufReader::new(stream);
        let mut head = String::new();
        while !head.ends_with("\r\n\r\n") {
            assert_ne!(reader.read_line(&mut head).expect("a line"), 0, "{head}");
        }
        assert!(head.starts_with("HTTP/1.1 200 ") && head.contains("application/x-ndjson"), "{head}");
        reader
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        self.end.store(true, Ordering::SeqCst);
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
    }
}

/// Reads the next event, past blank lines.
pub(super) fn next_event(stream: &mut BufReader<TcpStream>) -> Option<String> {
    loop {
        let mut line = String::new();
        if stream.read_line(&mut line).expect("a line") == 0 {
            return None;
        }
        if line != "\n" {
            return Some(line.trim_end().to_owned());
        }
    }
}

/// A request, made of its parts.
#[derive(Clone, Default)]
pub(super) struct Request {
    line: String,
    host: String,
    headers: String,
    body: String,
}

impl Request {
    pub(super) fn host(mut self, host: &str) -> Request {
        self.host = host.into();
        self
    }

    pub(super) fn header(mut self, name: &str, value: &str) -> Request {
        self.headers += &format!("{name}: {value}\r\n");
        self
    }

    /// Adds a body with its length.
    pub(super) fn body(mut self, body: &str) -> Request {
        self.body = body.into();
        self.header("Content-Length", &body.len().to_string())
    }

    pub(super) fn bytes(&self) -> Vec<u8> {
        let Request { line, host, headers, body } = self;
        format!("{line} HTTP/1.1\r\nHost: {host}\r\n{headers}\r\n{body}").into_bytes()
    }
}

/// An answer of the server.
#[derive(Debug)]
pub(super) struct Answer {
    pub(super) status: u16,
    pub(super) headers: Vec<(String, String)>,
    pub(super) body: String,
}

impl Answer {
    #[track_caller]
    pub(super) fn parse(bytes: &[u8]) -> Answer {
        let text = str::from_utf8(bytes).expect("text");
        let (head, body) = text.split_once("\r\n\r\n").unwrap_or_else(|| panic!("no head in {text:?}"));
        let mut lines = head.split("\r\n");
        let status = lines.next().and_then(|line| line.strip_prefix("HTTP/1.1 ")).expect("a status line");
        let headers = lines.map(|line| line.split_once(": ").expect("a header"));
        let headers: Vec<_> =
            headers.map(|(name, value)| (name.to_ascii_lowercase(), value.to_owned())).collect();
        let answer =
            Answer { status: status[..3].parse().expect("a status"), headers, body: body.to_owned() };
        assert_eq!(answer.header("content-length"), Some(body.len().to_string().as_str()), "{text}");
        answer
    }

    pub(super) fn header(&self, name: &str) -> Option<&str> {
        let mut found = self.headers.iter().filter(|(known, _)| known == name);
        let value = found.next().map(|(_, value)| value.as_str());
        assert_eq!(found.next(), None, "{name} is repeated");
        value
    }
}
