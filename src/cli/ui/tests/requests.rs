//! Which requests are carried out, and what answers look like.

use std::io::{Read as _, Write as _};
use std::net::TcpStream;

use proptest::prelude::*;

use super::client::Running;
use crate::ui::assets::ASSETS;

const MESSAGE: &str = "POST /api/v1/message";

#[test]
fn the_page_is_served_and_nothing_else() {
    let server = Running::new();
    for asset in ASSETS {
        let answer = server.exchange(&server.request(&format!("GET {}", asset.path)).bytes());
        assert_eq!((answer.status, answer.header("content-type")), (200, Some(asset.media_type)));
        assert_eq!(answer.body, (asset.text)());
    }
    for path in [
        "/index.html",
        "/../Cargo.toml",
        "/../../../../etc/passwd",
        "/%2e%2e/%2e%2e/etc/passwd",
        "/..%2fCargo.toml",
        "/app.js/",
        "//app.js",
        "/./app.js",
        "/APP.JS",
        "/app%2ejs",
        "/page/app.js",
        "/favicon.ico",
        "/etc/passwd",
        "/api/v1/",
        "/api/v1/message",
        "*",
        "http://127.0.0.1/app.js",
        "C:\\app.js",
    ] {
        assert_eq!(server.status(&server.api(&format!("GET {path}"))), 404, "{path}");
    }
    assert_eq!(server.status(&server.request("GET /?a=../b")), 200, "the query is no part of the path");
}

#[test]
fn every_answer_has_the_headers_of_a_closed_house() {
    let server = Running::new();
    let policy = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; \
                  connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";
    let requests = [
        server.request("GET /"),
        server.request("GET /nothing"),
        server.request("GET /").host("evil.example"),
        server.api(MESSAGE).body("1"),
        server.api(MESSAGE).body("\"conflict\""),
        server.request("OPTIONS /api/v1/message"),
    ];
    for request in requests {
        let answer = server.exchange(&request.bytes());
        for (name, value) in [
            ("content-security-policy", policy),
            ("x-content-type-options", "nosniff"),
            ("referrer-policy", "no-referrer"),
            ("cross-origin-opener-policy", "same-origin"),
            ("cross-origin-resource-policy", "same-origin"),
            ("cache-control", "no-store"),
            ("connection", "close"),
        ] {
            assert_eq!(answer.header(name), Some(value), "{answer:?}");
        }
        assert!(!answer.headers.iter().any(|(name, _)| name.starts_with("access-control")), "{answer:?}");
        assert_eq!(answer.header("set-cookie"), None);
    }
}

#[test]
fn messages_are_answered_by_the_application() {
    let server = Running::new();
    let answer = server.exchange(&server.api(MESSAGE).body("{\"q\":\"é\"}").bytes());
    assert_eq!((answer.status, answer.header("content-type")), (200, Some("application/json")));
    assert_eq!(answer.body, "{\"got\":{\"q\":\"é\"}}");
    assert_eq!(server.status(&server.api(MESSAGE).body("\"conflict\"")), 409);
    assert_eq!(*server.app.messages.lock().expect("no panic"), ["{\"q\":\"é\"}", "\"conflict\""]);
}

#[test]
fn an_answer_is_one_piece() {
    let server = Running::new();
    let mut stream = server.connect();
    stream.write_all(&server.api(MESSAGE).body("1").bytes()).expect("a request");
    let mut buffer = [0; 1 << 14];
    let count = stream.read(&mut buffer).expect("an answer");
    assert_eq!(super::client::Answer::parse(&buffer[..count]).body, "{\"got\":1}");
}

#[test]
fn the_host_is_an_address_of_the_server() {
    let server = Running::new();
    let port = server.port;
    for host in [format!("127.0.0.1:{port}"), format!("localhost:{port}")] {
        assert_eq!(server.status(&server.request("GET /").host(&host)), 200, "{host}");
    }
    for host in [
        "127.0.0.1".to_owned(),
        "localhost".to_owned(),
        format!("127.0.0.1:{}", port.wrapping_add(1)),
        format!("evil.example:{port}"),
        format!("127.0.0.1.evil.example:{port}"),
        format!("0.0.0.0:{port}"),
        format!("[::1]:{port}"),
        format!("127.0.0.1:{port}, evil.example"),
        format!("127.0.0.1:{port}0"),
        String::new(),
    ] {
        assert_eq!(server.status(&server.request("GET /").host(&host)), 403, "{host}");
    }
    assert_eq!(server.exchange(b"GET / HTTP/1.1\r\n\r\n").status, 403, "no host");
    let twice = server.request("GET /").header("Host", &format!("127.0.0.1:{port}"));
    assert_eq!(server.status(&twice), 400);
}

#[test]
fn the_sender_is_this_page_or_none() {
    let server = Running::new();
    let port = server.port;
    let with = |name, value: &str| {
        let of_page = server.status(&server.request("GET /").header(name, value));
        assert_eq!(of_page, server.status(&server.api(MESSAGE).header(name, value).body("1")), "{value}");
        of_page
    };
    assert_eq!(with("Origin", &format!("http://127.0.0.1:{port}")), 200);
    for origin in [
        "null".to_owned(),
        "http://evil.example".to_owned(),
        format!("https://127.0.0.1:{port}"),
        format!("http://localhost:{port}"),
        "http://127.0.0.1".to_owned(),
        format!("http://127.0.0.1:{port}.evil.example"),
        format!("127.0.0.1:{port}"),
        String::new(),
    ] {
        assert_eq!(with("Origin", &origin), 403, "{origin}");
    }
    for (site, status) in
        [("none", 200), ("same-origin", 200), ("same-site", 403), ("cross-site", 403), ("", 403)]
    {
        assert_eq!(with("Sec-Fetch-Site", site), status, "{site}");
    }
    let own = format!("http://127.0.0.1:{port}");
    let two = server.request("GET /").header("Origin", &own).header("Origin", &own);
    assert_eq!(server.status(&two), 400);
}

#[test]
fn the_interface_wants_the_token() {
    let server = Running::new();
    let token = server.token.clone();
    let other: String = token.chars().map(|it| if it == '0' { '1' } else { '0' }).collect();
    let wrong = [None, Some(String::new()), Some(other), Some(token[1..].into()), Some(format!("{token}0"))];
    for given in wrong {
        for line in ["GET /api/v1/events?since=0", MESSAGE] {
            let mut request = server.request(line).header("Content-Type", "application/json").body("1");
            if let Some(given) = &given {
                request = request.header("X-Ramsey-Token", given);
            }
            assert_eq!(server.status(&request), 403, "{line} {given:?}");
        }
    }
    let twice = server.api(MESSAGE).header("X-Ramsey-Token", &token).body("1");
    assert_eq!(server.status(&twice), 400);
    let in_query = server.request(&format!("GET /api/v1/events?since=0&k={token}"));
    assert_ne!(server.status(&in_query), 200);
    assert_eq!(*server.app.messages.lock().expect("no panic"), [""; 0]);
    assert_ne!(server.token, Running::new().token);
}

#[test]
fn other_pages_have_no_way_to_ask_first() {
    let server = Running::new();
    for line in
        ["OPTIONS /api/v1/message", "OPTIONS /", "OPTIONS *", "PUT /api/v1/message", "HEAD /", "TRACE /"]
    {
        assert_eq!(server.status(&server.api(line)), 404, "{line}");
    }
    let preflight = server
        .request("OPTIONS /api/v1/message")
        .header("Origin", "http://evil.example")
        .header("Access-Control-Request-Method", "POST")
        .header("Access-Control-Request-Headers", "x-ramsey-token");
    assert_eq!(server.status(&preflight), 403);
}

#[test]
fn messages_are_json() {
    let server = Running::new();
    for (media_type, status) in [
        ("application/json", 200),
        ("application/JSON; charset=utf-8", 200),
        ("text/plain", 415),
        ("application/x-www-form-urlencoded", 415),
        ("multipart/form-data; boundary=application/json", 415),
        ("application/jsonp", 415),
        ("", 415),
    ] {
        let request = server.request(MESSAGE).header("X-Ramsey-Token", &server.token);
        assert_eq!(
            server.status(&request.header("Content-Type", media_type).body("1")),
            status,
            "{media_type}"
        );
    }
    let untyped = server.request(MESSAGE).header("X-Ramsey-Token", &server.token).body("1");
    assert_eq!(server.status(&untyped), 415);
    assert_eq!(server.status(&server.api(MESSAGE)), 411);
    let mut bytes = server.api(MESSAGE).body("12").bytes();
    bytes.pop();
    bytes.push(0xff);
    assert_eq!(server.exchange(&bytes).status, 400, "not UTF-8");
}

#[test]
fn sizes_are_limited() {
    let server = Running::new();
    let long = "x".repeat(70 << 10);
    assert_eq!(server.status(&server.request(&format!("GET /{long}"))), 431);
    assert_eq!(server.status(&server.request("GET /").header("X", &long)), 431);
    let most = "1".repeat(1 << 20);
    assert_eq!(server.status(&server.api(MESSAGE).body(&most)), 200);
    assert_eq!(server.status(&server.api(MESSAGE).body(&(most + "1"))), 413);
    let declared = server.api(MESSAGE).header("Content-Length", "99000000000000000000000");
    assert_eq!(server.status(&declared), 413, "a length alone takes no memory");
}

#[test]
fn requests_have_one_meaning() {
    let server = Running::new();
    let message = || server.api(MESSAGE);
    for request in [
        message().header("Transfer-Encoding", "chunked"),
        message().header("Transfer-Encoding", "chunked").body("0\r\n\r\n"),
        message().header("Transfer-Encoding", "identity").body("1"),
        message().header("Content-Length", "1").body("1"),
        message().header("Content-Length", "2").body("1"),
        message().header("Content-Length", "+1"),
        message().header("Content-Length", "1, 1"),
        message().header("Content-Length", "0x1"),
        message().header("Content-Length", "-1"),
        message().header("Content-Length ", "1"),
        message().header(" Content-Length", "1"),
        message().header("X: y\n\nGET / HTTP/1.1\r\nY", "1"),
    ] {
        let text = String::from_utf8(request.bytes()).expect("text");
        assert_eq!(server.status(&request), 400, "{text}");
    }
    assert_eq!(*server.app.messages.lock().expect("no panic"), [""; 0]);
    // What follows a request is no second one.
    let mut two = message().body("1").bytes();
    two.extend(message().body("2").bytes());
    assert_eq!(server.exchange(&two).body, "{\"got\":1}");
    assert_eq!(*server.app.messages.lock().expect("no panic"), ["1"]);
}

#[test]
fn any_bytes_leave_a_server_that_answers() {
    let server = Running::new();
    let good = server.api(MESSAGE).body("1").bytes();
    let strategy = (
        prop::collection::vec(any::<u8>(), 0..200),
        prop::option::of((any::<prop::sample::Index>(), any::<prop::sample::Index>())),
    );
    let config = ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(100) };
    proptest!(config, |((bytes, replaced) in strategy)| {
        // Random bytes alone, or in the place of a part of a good request.
        let request = match replaced {
            None => bytes,
            Some((from, to)) => {
                let (from, to) = (from.index(good.len()), to.index(good.len()));
                [&good[..from.min(to)], &bytes, &good[from.max(to)..]].concat()
            }
        };
        let mut stream = server.connect();
        let _ = stream.write_all(&request);
        let _ = stream.shutdown(std::net::Shutdown::Write);
        let mut answer = Vec::new();
        stream.read_to_end(&mut answer).expect("the end of the answer");
        prop_assert!(answer.is_empty() || answer.starts_with(b"HTTP/1.1 "), "{request:?}");
    });
    assert_eq!(server.exchange(&good).status, 200);
}

#[cfg(target_os = "linux")]
#[test]
fn only_the_loopback_address_is_bound() {
    let server = Running::new();
    assert!(TcpStream::connect(("127.0.0.1", server.port)).is_ok());
    // All of 127.0.0.0/8 reaches a server on all addresses.
    assert!(TcpStream::connect(("127.0.0.2", server.port)).is_err());
}
