//! Signals: an interrupted run removes its temporary files, prints its results so far, and ends by the signal.

use std::fs;
use std::io::{BufRead as _, BufReader, Read as _};
use std::os::unix::process::ExitStatusExt as _;
use std::process::{Child, Command, Output, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

use serde_json::Value;

use crate::common::binary::{Dir, LOCK, pigeonhole, pigeonhole_formula, ramsey_binary};

/// Number of holes for which no search ends before the test does.
const HOLES: usize = 40;

/// Maximum time to wait for an expected event.
const PATIENCE: Duration = Duration::from_secs(60);

/// Resets signals to their default effect for the program. A parent such as `nohup`, or a shell that runs this in the
/// background, may have them ignored, which is inherited and which `ramsey` respects.
fn with_usual_signals(program: &str) -> Command {
    let reset = "--default-signal=INT,TERM,HUP";
    let is_known = Command::new("env").args([reset, "true"]).stderr(Stdio::null()).status();
    if is_known.is_ok_and(|status| status.success()) {
        let mut command = Command::new("env");
        command.args([reset, program]);
        command
    } else {
        Command::new(program)
    }
}

fn start(dir: &Dir, args: &[&str]) -> Child {
    dir.start(&mut with_usual_signals(&ramsey_binary()), args)
}

#[track_caller]
fn wait_until(what: &str, mut happened: impl FnMut() -> bool) {
    let start = Instant::now();
    while !happened() {
        assert!(start.elapsed() < PATIENCE, "{what} takes too long");
        sleep(Duration::from_millis(5));
    }
}

fn signal(child: &Child, name: &str) {
    let sent = Command::new("kill").args(["-s", name, &child.id().to_string()]).status();
    assert!(sent.expect("kill runs").success());
}

#[track_caller]
fn end_of(mut child: Child) -> Output {
    wait_until("the end", || child.try_wait().expect("a status").is_some());
    child.wait_with_output().expect("its output")
}

fn temporary_files(dir: &Dir) -> Vec<String> {
    let entries = fs::read_dir(&dir.0).expect("the directory").flatten();
    let names = entries.map(|entry| entry.file_name().to_string_lossy().into_owned());
    names.filter(|name| name.ends_with(".tmp")).collect()
}

/// Returns the pigeonhole principle as a theorem.
fn pigeonhole_model() -> String {
    let (declarations, formula) = pigeonhole_formula(HOLES);
    format!(
        "sort s\nmutable relation r(s)\ninit r(X)\n{declarations}theorem [pigeons] !({formula})\nsafety [all] r(X)\n"
    )
}

#[test]
fn a_signal_leaves_no_temporary_file() {
    for (name, number) in [("INT", 2), ("TERM", 15), ("HUP", 1)] {
        let dir = Dir::new();
        dir.file("php.cnf", pigeonhole(HOLES));
        let args = ["solve", "--proof", "php.drat", "--proof-format", "drat", "php.cnf"];
        let child = start(&dir, &args);
        wait_until("the temporary file", || !temporary_files(&dir).is_empty());
        signal(&child, name);
        let output = end_of(child);
        assert_eq!(output.status.signal(), Some(number), "{name}: {:?}", output.status);
        assert_eq!(temporary_files(&dir), [] as [&str; 0], "{name}");
        assert!(!dir.0.join("php.drat").exists());
    }
}

#[test]
fn an_interrupted_run_tells_what_it_has() {
    let dir = Dir::new();
    dir.file("php.pyv", pigeonhole_model());
    for jobs in ["1", "2"] {
        // While the model is read there is no result to print.
        let told = [500, 2_000, 8_000].into_iter().map(Duration::from_millis).any(|time| {
            let child = start(&dir, &["verify", "-j", jobs, "php.pyv"]);
            sleep(time);
            signal(&child, "INT");
            let output = end_of(child);
            assert_eq!(output.status.signal(), Some(2), "{:?}", output.status);
            let out = String::from_utf8_lossy(&output.stdout);
            out.contains("unknown (cancelled)") && out.contains("1 unknown")
        });
        assert!(told, "-j {jobs}");
    }
}

#[test]
fn an_interrupted_inference_tells_how_far_it_came() {
    let dir = Dir::new();
    let (declarations, formula) = pigeonhole_formula(HOLES);
    // Nothing satisfies the initial condition, but no search finds out in time.
    dir.file("php.pyv", format!("{declarations}init {formula}\nsafety [first] !x_0_0\n"));
    for jobs in ["1", "2"] {
        let told = [500, 2_000, 8_000].into_iter().map(Duration::from_millis).any(|time| {
            let child = start(&dir, &["infer", "-j", jobs, "php.pyv"]);
            sleep(time);
            signal(&child, "INT");
            let output = end_of(child);
            assert_eq!(output.status.signal(), Some(2), "{:?}", output.status);
            String::from_utf8_lossy(&output.stdout).contains("\nunknown: the run was interrupted\n")
        });
        assert!(told, "-j {jobs}");
    }
}

#[test]
fn a_walk_is_told_step_by_step() {
    const STEPS: usize = 100_000;
    let dir = Dir::new();
    dir.file("lock.pyv", LOCK);
    let mut child = start(&dir, &["simulate", "--steps", &STEPS.to_string(), "lock.pyv"]);
    let mut out = BufReader::new(child.stdout.take().expect("a pipe"));
    let mut line = String::new();
    while line != "  state 10000:\n" {
        line.clear();
        assert_ne!(out.read_line(&mut line).expect("a line"), 0, "the walk is too short");
    }
    signal(&child, "INT");
    let mut rest = String::new();
    out.read_to_string(&mut rest).expect("the rest");
    assert_eq!(end_of(child).status.signal(), Some(2));
    let summary = rest.lines().find(|line| line.contains("steps, then a limit was reached: cancelled"));
    let steps = summary.and_then(|line| line.split(' ').next()).and_then(|steps| steps.parse::<usize>().ok());
    assert!(steps.is_some_and(|steps| (10_000..STEPS).contains(&steps)), "{steps:?}");
}

#[test]
fn a_signal_that_is_ignored_stays_so() {
    let dir = Dir::new();
    dir.file("php.cnf", pigeonhole(HOLES));
    let command = format!("trap '' HUP; exec '{}' solve --timeout 2 php.cnf", ramsey_binary());
    let child = Command::new("sh")
        .args(["-c", &command])
        .current_dir(&dir.0)
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .spawn()
        .expect("a shell");
    sleep(Duration::from_millis(500));
    signal(&child, "HUP");
    let output = end_of(child);
    assert_eq!(output.status.code(), Some(0), "{:?}", output.status);
    assert!(String::from_utf8_lossy(&output.stdout).contains("s UNKNOWN"));
}

/// The answers so far and the statistics are printed in comments of each format.
#[test]
fn an_interrupted_solver_tells_what_it_has() {
    let dir = Dir::new();
    let clauses = pigeonhole(HOLES);
    let lines = || clauses.lines().filter(|line| !line.starts_with('p'));
    let name = |word: &str| format!("x{}", word.trim_start_matches('-'));
    let literals = |line: &str, not: [&str; 2]| -> Vec<String> {
        let words = line.split_ascii_whitespace().filter(|word| *word != "0");
        let literal = |word: &str| match word.starts_with('-') {
            true => format!("{}{}{}", not[0], name(word), not[1]),
            false => name(word),
        };
        words.map(literal).collect()
    };
    let declared: String =
        (1..=HOLES * (HOLES + 1)).map(|at| format!("(declare-const x{at} Bool)")).collect();
    let asserted: String =
        lines().map(|line| format!("(assert (or {}))\n", literals(line, ["(not ", ")"]).join(" "))).collect();
    let axioms: String =
        lines().map(|line| format!("cnf(a, axiom, {}).\n", literals(line, ["~ ", ""]).join(" | "))).collect();
    dir.file("php.cnf", &clauses)
        .file("php.smt2", format!("(check-sat){declared}{asserted}(check-sat)(check-sat)"))
        .file("php.p", axioms);
    let cases = [
        ("php.cnf", "s UNKNOWN", "c interrupted after "),
        ("php.smt2", "sat\nunknown\n; interrupted", " s: 1 sat, 1 unknown\n"),
        ("php.p", "% SZS status User for php.p", "% interrupted after "),
    ];
    for (name, answer, summary) in cases {
        // While the problem is read there is no result to print.
        let told = [500, 2_000, 8_000].into_iter().map(Duration::from_millis).any(|time| {
            let child = start(&dir, &["solve", name]);
            sleep(time);
            signal(&child, "INT");
            let output = end_of(child);
            assert_eq!(output.status.signal(), Some(2), "{:?}", output.status);
            let out = String::from_utf8_lossy(&output.stdout);
            out.contains(answer) && out.contains(summary)
        });
        assert!(told, "{name}");
    }
    let child = start(&dir, &["solve", "--format", "json", "php.cnf"]);
    sleep(Duration::from_millis(2_000));
    signal(&child, "INT");
    let out = end_of(child).stdout;
    assert!(String::from_utf8_lossy(&out).contains("\"interrupted\": true"));
}

#[test]
fn a_limit_on_the_size_of_files_leaves_no_temporary_file() {
    let dir = Dir::new();
    dir.file("m.pyv", "sort s\nmutable relation r(s)\ninit r(X)\nsafety r(X)\n");
    let script = format!("ulimit -f 0; exec '{}' verify -q --certify m.cert m.pyv", ramsey_binary());
    let mut command = Command::new("sh");
    let output = command.args(["-c", &script]).current_dir(&dir.0).output().expect("a shell");
    assert_eq!(output.status.signal(), None, "{:?}", output.status);
    assert_ne!(output.status.code(), Some(0));
    assert!(String::from_utf8_lossy(&output.stderr).contains("m.cert"));
    assert_eq!(temporary_files(&dir), [] as [&str; 0]);
    assert!(!dir.0.join("m.cert").exists());
}

#[test]
fn a_later_run_goes_on_from_the_checkpoint_of_an_interrupted_one() {
    let dir = Dir::new();
    dir.file("ring.pyv", include_str!("../../examples/ring_leader.pyv"));
    let infer =
        ["infer", "ring.pyv", "--method", "updr", "--checkpoint", "ring.json", "--log-file", "ring.log"];
    let log = || fs::read_to_string(dir.0.join("ring.log")).unwrap_or_default();
    let kept = || -> Value {
        let text = fs::read_to_string(dir.0.join("ring.json")).expect("the checkpoint");
        serde_json::from_str(&text).expect("a document")
    };
    // A run may end before the signal arrives.
    let is_interrupted = (0..5).any(|_| {
        let _ = (fs::remove_file(dir.0.join("ring.json")), fs::remove_file(dir.0.join("ring.log")));
        let mut child = start(&dir, &infer);
        wait_until("the first lemmas", || {
            log().matches("\"proposed\"").count() > 3 || child.try_wait().expect("a status").is_some()
        });
        signal(&child, "INT");
        let output = end_of(child);
        let out = String::from_utf8_lossy(&output.stdout);
        let is_interrupted = output.status.signal() == Some(2);
        assert!(is_interrupted == out.contains("\nunknown: the run was interrupted\n"), "{out}");
        is_interrupted
    });
    assert!(is_interrupted);
    let first = kept();
    assert_eq!(first["runs"], 1, "{first}");
    let lemmas: Vec<Value> = first["lemmas"].as_array().expect("a list").clone();
    assert!(!lemmas.is_empty(), "{first}");
    dir.run(&infer).ends_with(0).prints("\nsafe: ");
    let second = kept();
    assert_eq!(second["runs"], 2);
    assert!(second["questions"].as_u64() > first["questions"].as_u64(), "{second}");
    assert!(second["lemmas"].as_array().is_some_and(|it| it.starts_with(&lemmas)), "{second}");
}
