//! What the program answers without a page.

use std::io::{BufRead as _, BufReader, Write as _};
use std::net::TcpStream;
use std::time::Duration;

use serde_json::{Value, json};

use crate::app::{App, PATIENCE, example};
use crate::common::binary::Dir;

/// Sends a message and returns what it is answered, with the status.
fn message(app: &App, message: &Value) -> (u16, Value) {
    let token = app.url.split("#k=").nth(1).expect("a token");
    let head = format!(
        "POST /api/v1/message HTTP/1.1\r\nHost: HOST\r\nX-Ramsey-Token: {token}\r\nContent-Type: application/json\r\n"
    );
    let answer = app.request(&head, &message.to_string());
    let status = answer.split(' ').nth(1).and_then(|it| it.parse().ok()).expect("a status");
    let body = answer.split("\r\n\r\n").nth(1).expect("a body");
    (status, serde_json::from_str(body).unwrap_or_else(|_| panic!("no JSON: {answer}")))
}

fn state(app: &App, request: &Value) -> Value {
    let (status, mut answer) = message(app, request);
    assert_eq!(status, 200, "{answer}");
    answer["ok"].take()
}

/// Asks a question under a number, and returns the event for its end.
fn ask(app: &App, id: u64, question: &Value) -> Value {
    let asked = state(app, &json!({ "m": "ask", "id": id, "question": question, "background": false }));
    if asked.get("done").is_some() {
        return json!({ "e": "done", "value": asked["done"] });
    }
    let (start, token) = app.url.split_once("/#k=").expect("an address");
    let authority = start.trim_start_matches("http://");
    let mut stream = TcpStream::connect(authority).expect("a connection");
    stream.set_read_timeout(Some(Duration::from_secs(PATIENCE))).expect("a limit");
    write!(
        stream,
        "GET /api/v1/events?since=0 HTTP/1.1\r\nHost: {authority}\r\nX-Ramsey-Token: {token}\r\n\r\n"
    )
    .expect("a request");
    BufReader::new(stream)
        .lines()
        .filter_map(|line| serde_json::from_str::<Value>(&line.expect("an answer in time")).ok())
        .find(|event| event["id"] == id && (event["e"] == "done" || event["e"] == "failed"))
        .expect("an end")
}

/// Returns the outcome for each claim and transition.
fn outcomes(answer: &Value) -> Vec<String> {
    let cells = answer["value"]["cells"].as_array().unwrap_or_else(|| panic!("no cells: {answer}"));
    cells
        .iter()
        .map(|it| format!("{}/{} {}", it["action"], it["claim"], it["outcome"]).replace('"', ""))
        .collect()
}

const INCLUDING: &str = "\
sort s
include \"part.rml\"
assume !p(X)
while * do {
  action a(x: s) { p.insert(x) }
}
safety [q] good(X)
";
const GOOD: &str = "relation p: s\nmacro good(x: s) = p(x) | !p(x)\n";
const BAD: &str = "relation p: s\nmacro good(x: s) = !p(x)\n";

#[test]
fn answers_are_about_included_files_too() {
    let dir = Dir::new();
    dir.file("main.rml", INCLUDING).file("part.rml", GOOD);
    let app = App::start(dir, "main.rml", &[]);
    let check = json!({ "q": "check" });
    assert_eq!(outcomes(&ask(&app, 1, &check)), ["init/q ok", "a/q ok"]);
    let before = state(&app, &json!({ "m": "state" }));
    assert_eq!(before["disk"], "same");
    app.dir.file("part.rml", BAD);
    assert_eq!(state(&app, &json!({ "m": "state" }))["disk"], "changed");
    let after = state(&app, &json!({ "m": "reload" }));
    assert_eq!(after["disk"], "same");
    assert_ne!(after["digest"], before["digest"]);
    assert_eq!(outcomes(&ask(&app, 2, &check)), ["init/q ok", "a/q failed"]);
    app.dir.run(&["verify", "main.rml"]).ends_with(1);
    app.dir.file("part.rml", "relation");
    assert_eq!(state(&app, &json!({ "m": "reload" }))["valid"], false);
    assert_eq!(ask(&app, 3, &check)["e"], "failed");
    app.dir.file("part.rml", GOOD);
    state(&app, &json!({ "m": "reload" }));
    assert_eq!(outcomes(&ask(&app, 4, &check)), ["init/q ok", "a/q ok"]);
}

#[test]
fn conjectures_survive_a_text_with_errors() {
    let app = App::example("lock_server_broken.pyv", &[]);
    let add = json!({ "do": "add", "formula": "returned(C) -> !holds(C)", "name": "x1" });
    let added = state(&app, &json!({ "m": "command", "command": add }));
    assert_eq!(added["commands"], json!([add]));
    // What was taken back does not come again, and the order stays.
    for command in [json!({ "do": "hide", "symbol": "free" }), json!({ "do": "show", "symbol": "free" })] {
        state(&app, &json!({ "m": "command", "command": command }));
    }
    state(&app, &json!({ "m": "command", "command": { "do": "add", "formula": "free", "name": "x2" } }));
    state(&app, &json!({ "m": "command", "command": { "do": "hide", "symbol": "free" } }));
    state(&app, &json!({ "m": "undo" }));
    let before = state(&app, &json!({ "m": "undo" }))["commands"].take();
    assert_eq!(before.as_array().map(Vec::len), Some(3), "{before}");
    let text = app.dir.read("lock_server_broken.pyv");
    app.dir.file("lock_server_broken.pyv", "bogus");
    let broken = state(&app, &json!({ "m": "reload" }));
    assert_eq!((&broken["valid"], &broken["misfits"][0]["command"]), (&json!(false), &add));
    assert_ne!(broken["unsaved"], Value::Null);
    // The file of the session still has it.
    let app = app.restarted(&[]);
    assert_eq!(state(&app, &json!({ "m": "state" }))["misfits"][0]["command"], add);
    app.dir.file("lock_server_broken.pyv", &text);
    let mended = state(&app, &json!({ "m": "reload" }));
    assert_eq!((&mended["valid"], &mended["misfits"]), (&json!(true), &json!([])));
    assert_eq!((&mended["commands"], &mended["unsaved"]), (&before, &Value::Null));
    let app = app.restarted(&[]);
    assert_eq!(state(&app, &json!({ "m": "state" }))["commands"], before);
}

#[test]
fn claims_that_share_a_label_are_taken_together() {
    let dir = Dir::new();
    dir.file(
        "shared.pyv",
        "\
sort s
mutable relation p(s)
init !p(X)
transition t(x: s) modifies p & p'(x)
invariant [L6] p(X) | true
safety p(X) -> !p(X)
",
    );
    let app = App::start(dir, "shared.pyv", &[]);
    let check = ask(&app, 1, &json!({ "q": "check" }));
    assert_eq!(outcomes(&check), ["init/L6 ok", "init/L6 ok", "t/L6 ok", "t/L6 failed"]);
    let about = |question: &str| json!({ "q": question, "claim": "L6", "action": "t" });
    let found = ask(&app, 2, &about("counterexamples"));
    assert_eq!(found["value"]["counterexamples"].as_array().map(Vec::len), Some(1), "{found}");
    let mut sufficient = about("sufficient");
    for (id, formula, is_sufficient) in [(3, "p(X) | true", false), (4, "p(X) & !p(X)", true)] {
        sufficient["formula"] = formula.into();
        let end = ask(&app, id, &sufficient);
        assert_eq!(end["value"]["sufficient"], is_sufficient, "{end}");
    }
    // Which of the two would be meant?
    let remove = json!({ "m": "command", "command": { "do": "remove", "claim": "L6" } });
    let (status, why) = message(&app, &remove);
    assert_eq!((status, why["error"].as_str()), (409, Some("several claims are called `L6`")));
}

#[test]
fn questions_about_what_there_is_not_are_refused() {
    let app = App::example("lock_server_broken.pyv", &[]);
    for (id, claims) in [(1, json!(["other"])), (2, json!(["mutex", "other"]))] {
        let end = ask(&app, id, &json!({ "q": "bounded", "depth": 2, "claims": claims }));
        assert_eq!((&end["kind"], &end["why"]), (&json!("unfit"), &json!("there is no claim `other`")));
    }
    assert!(example("lock_server_broken.pyv").contains("[mutex]"));
    assert_eq!(ask(&app, 3, &json!({ "q": "bounded", "depth": 2, "claims": ["mutex"] }))["e"], "done");
}

#[test]
fn events_are_sent_from_any_number() {
    let app = App::example("lock_server_broken.pyv", &[]);
    let (start, token) = app.url.split_once("/#k=").expect("an address");
    let authority = start.trim_start_matches("http://");
    for since in [u64::MAX, u64::MAX - 1, 1 << 63] {
        let mut stream = TcpStream::connect(authority).expect("a connection");
        stream.set_read_timeout(Some(Duration::from_secs(1))).expect("a limit");
        write!(
            stream,
            "GET /api/v1/events?since={since} HTTP/1.1\r\nHost: {authority}\r\nX-Ramsey-Token: {token}\r\n\r\n"
        )
        .expect("a request");
        let first = BufReader::new(stream).lines().map_while(Result::ok).next();
        assert_eq!(first.as_deref(), Some("HTTP/1.1 200 OK"));
    }
}
