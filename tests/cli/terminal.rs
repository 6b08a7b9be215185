//! Output on a terminal during a long run.

use std::process::{Command, Stdio};

use crate::common::binary::{Dir, pigeonhole, pigeonhole_formula, ramsey_binary};
use crate::common::skip::skipped;

/// Number of holes for which no search ends before the test does.
const HOLES: usize = 40;

/// Returns the output of a run on a terminal, or `None` if `script`, which provides one, is not installed.
fn on_terminal(dir: &Dir, args: &str) -> Option<String> {
    let command = format!("'{}' {args}", ramsey_binary());
    let output = Command::new("script")
        .args(["--quiet", "--flush", "--return", "--command", &command, "/dev/null"])
        .current_dir(&dir.0)
        .env("TERM", "xterm")
        .stdin(Stdio::null())
        .output()
        .ok()?;
    Some(String::from_utf8_lossy(&output.stdout).into_owned())
}

#[test]
fn long_runs_show_progress() {
    let dir = Dir::new();
    let (declarations, formula) = pigeonhole_formula(HOLES);
    let model = |init: &str, safety: &str| {
        format!("sort s\nmutable relation r(s)\n{declarations}init {init}\nsafety [pigeons] {safety}\n")
    };
    dir.file("claim.pyv", model("r(X)", &format!("!({formula})")))
        .file("start.pyv", model(&format!("r(X) & {formula}"), "r(X)"))
        .file("php.cnf", pigeonhole(HOLES));
    let cases = [
        ("verify --timeout 1 claim.pyv", "0/1 groups, "),
        ("bmc --timeout 1 claim.pyv", "depth 0 of 5, "),
        ("cti --timeout 1 claim.pyv", "init, invariant pigeons, "),
        ("simulate --timeout 1 start.pyv", "looking for an initial state, "),
        ("solve --timeout 1 php.cnf", "searching, "),
    ];
    for (args, progress) in cases {
        let Some(shown) = on_terminal(&dir, args) else {
            skipped(format_args!("`script` is not installed"));
            return;
        };
        // The line replaces itself, and is erased at the end.
        let lines: Vec<&str> = shown.split("\r\x1b[K").collect();
        assert!(
            lines.iter().any(|line| line.starts_with(progress) && line.ends_with(" s")),
            "{args}: {shown:?}"
        );
        assert!(lines.last().is_some_and(|line| !line.starts_with(progress)), "{args}: {shown:?}");
    }
}

#[test]
fn long_inferences_show_progress() {
    let dir = Dir::new();
    let (declarations, formula) = pigeonhole_formula(HOLES);
    dir.file("claim.pyv", format!("{declarations}init {formula}\nsafety [pigeons] !({formula})\n"));
    match on_terminal(&dir, "infer --timeout 1 claim.pyv") {
        Some(shown) => {
            let is_progress =
                |line: &str| line.contains(" questions/s, ") || line.starts_with("looking for lemmas, ");
            assert!(shown.split("\r\x1b[K").any(is_progress), "{shown:?}");
        }
        None => skipped(format_args!("`script` is not installed")),
    }
}

#[test]
fn quiet_runs_show_nothing() {
    let dir = Dir::new();
    dir.file("php.cnf", pigeonhole(HOLES));
    match on_terminal(&dir, "solve --quiet --timeout 1 php.cnf") {
        Some(shown) => assert_eq!(shown, "c stopped: time limit of the query\r\ns UNKNOWN\r\n"),
        None => skipped(format_args!("`script` is not installed")),
    }
}
