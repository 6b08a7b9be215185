//! Streams of events, limits of time and number, the end of the server.

use std::io::{self, BufRead as _, BufReader, Read as _, Write as _};
use std::process::{Command, Stdio};
use std::sync::Arc;
use std::thread;
use std::time::{Duration, Instant};

use super::client::{Answer, LONG, Recorder, Running, next_event};
use crate::ui::server::{Config, Server, serve};

/// A time that tests wait for nothing to happen.
const SHORT: Duration = Duration::from_millis(300);

fn wait_until(what: &str, mut holds: impl FnMut() -> bool) {
    let start = Instant::now();
    while !holds() {
        assert!(start.elapsed() < LONG, "{what}");
        thread::sleep(Duration::from_millis(10));
    }
}

#[test]
fn events_come_in_order_and_from_where_the_client_stopped() {
    let server = Running::new();
    server.app.push("1");
    server.app.push("2");
    let mut stream = server.events(0);
    assert_eq!(next_event(&mut stream).as_deref(), Some("1"));
    assert_eq!(next_event(&mut stream).as_deref(), Some("2"));
    server.app.push("{\"n\":3}");
    assert_eq!(next_event(&mut stream).as_deref(), Some("{\"n\":3}"));
    let mut second = server.events(2);
    assert_eq!(next_event(&mut second).as_deref(), Some("{\"n\":3}"));
    // Messages are answered beside open streams.
    assert_eq!(server.status(&server.api("POST /api/v1/message").body("1")), 200);
    server.app.push("4");
    for mut stream in [stream, second] {
        assert_eq!(next_event(&mut stream).as_deref(), Some("4"));
    }
}

#[test]
fn streams_want_a_number() {
    let server = Running::new();
    for query in
        ["?since=", "?since=-1", "?since=x", "?since=0&x", "?x=0", "?", "?since=99999999999999999999"]
    {
        assert_eq!(server.status(&server.api(&format!("GET /api/v1/events{query}"))), 400, "{query}");
    }
}

#[test]
fn a_quiet_stream_has_blank_lines() {
    let server = Running::new();
    let mut stream = server.events(0);
    for _ in 0..3 {
        let mut line = String::new();
        stream.read_line(&mut line).expect("a line");
        assert_eq!(line, "\n");
    }
}

#[test]
fn streams_end_with_the_server() {
    let mut server = Running::new();
    let mut stream = server.events(0);
    server.end();
    assert_eq!(next_event(&mut stream), None);
}

#[test]
fn an_unused_server_ends() {
    let idle = SHORT;
    let heartbeat = Duration::from_millis(20);
    let server = Running::with(Config { idle, heartbeat, ..Config::default() });
    let stream = server.events(0);
    thread::sleep(2 * idle);
    assert!(!server.has_ended(), "a stream is open");
    drop(stream);
    wait_until("the client has left", || server.has_ended());
}

#[test]
fn what_is_refused_does_not_keep_a_server_alive() {
    let server = Running::with(Config { idle: SHORT, ..Config::default() });
    let refused = server.request("GET /").host("evil.example").bytes();
    wait_until("only another page asks", || {
        if let Ok(mut stream) = std::net::TcpStream::connect(("127.0.0.1", server.port)) {
            let _ = stream.write_all(&refused);
            let _ = io::copy(&mut stream, &mut io::sink());
        }
        server.has_ended()
    });
}

#[test]
fn slow_requests_are_given_up() {
    let server = Running::with(Config { request: SHORT, ..Config::default() });
    let part = b"GET / HTTP/1.1\r\nHost";
    assert_eq!(server.exchange(part).status, 408);
    let mut body = server.api("POST /api/v1/message").body("123").bytes();
    body.pop();
    assert_eq!(server.exchange(&body).status, 408);
    // A byte now and then does not give it more time.
    let mut stream = server.connect();
    let start = Instant::now();
    for byte in part.iter().cycle() {
        if start.elapsed() > 2 * SHORT || stream.write_all(&[*byte]).is_err() {
            break;
        }
        thread::sleep(SHORT / 20);
    }
    let mut answer = Vec::new();
    stream.read_to_end(&mut answer).expect("an answer");
    assert_eq!(Answer::parse(&answer).status, 408);
    // Browsers open connections in advance; those are closed without a word.
    let mut silent = server.connect();
    answer.clear();
    silent.read_to_end(&mut answer).expect("the end");
    assert_eq!(answer, b"");
}

#[test]
fn connections_are_limited() {
    let server = Running::new();
    let mut open: Vec<_> = (0..32).map(|_| server.events(0)).collect();
    let request = server.request("GET /");
    assert_eq!(server.status(&request), 503);
    open.pop();
    wait_until("a client has left", || server.status(&request) == 200);
    drop(open);
}

#[test]
fn far_too_many_connections_are_closed() {
    let server = Running::new();
    let mut open: Vec<_> = (0..100).map(|_| server.connect()).collect();
    let mut last = open.pop().expect("a connection");
    let mut answer = Vec::new();
    // With a reset or without one.
    let _ = last.read_to_end(&mut answer);
    assert_eq!(answer, b"");
    drop(open);
    wait_until("the clients have left", || server.status(&server.request("GET /")) == 200);
}

#[test]
fn the_port_can_be_given() {
    let mut first = Running::new();
    let port = first.port;
    let taken = Server::bind(Config { port, ..Config::default() }, Arc::<Recorder>::default());
    assert_eq!(taken.err().map(|error| error.kind()), Some(io::ErrorKind::AddrInUse));
    first.end();
    let second = Running::with(Config { port, ..Config::default() });
    assert_eq!((second.port, second.status(&second.request("GET /"))), (port, 200));
    assert!(second.url.starts_with(&format!("http://127.0.0.1:{port}/#k=")), "{}", second.url);
}

/// The server in a process of its own, for [`an_interrupt_ends_the_server`].
#[test]
#[ignore = "started by another test"]
fn serves_until_interrupted() {
    let mut out = io::stdout();
    let _ = writeln!(out);
    let served = serve(Config { idle: LONG, ..Config::default() }, Arc::<Recorder>::default(), &mut |url| {
        let _ = writeln!(io::stdout(), "at {url}");
    });
    let _ = writeln!(out, "ended: {served:?}");
}

/// `env` of GNU gives signals their usual effect back.
#[cfg(target_os = "linux")]
#[test]
fn an_interrupt_ends_the_server() {
    let program = std::env::current_exe().expect("a path");
    // Who started the tests may have interrupts ignored, which is inherited.
    let mut child = Command::new("env")
        .arg("--default-signal=INT")
        .arg(program)
        .args(["--exact", "ui::tests::serving::serves_until_interrupted", "--ignored", "--nocapture"])
        .stdout(Stdio::piped())
        .spawn()
        .expect("the test runs");
    let mut lines = BufReader::new(child.stdout.take().expect("a pipe")).lines().map_while(Result::ok);
    assert!(lines.any(|line| line.starts_with("at http://127.0.0.1:")));
    let start = Instant::now();
    let sent = Command::new("kill").args(["-s", "INT", &child.id().to_string()]).status();
    assert!(sent.expect("kill runs").success());
    assert!(lines.any(|line| line == "ended: Ok(())"));
    assert!(child.wait().expect("an end").success());
    assert!(start.elapsed() < LONG, "it has not ended because it was idle");
}
