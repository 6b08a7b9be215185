//! Exit codes, which depend on the verdict and not on closed output or the number of threads, and the messages about
//! them.

use std::fs;
use std::io::pipe;
use std::process::{Command, Stdio};

use crate::common::binary::{Dir, LOCK, broken_lock, ramsey_binary};

/// Returns a directory, and command lines with an exit code other than 0 or long output, each with its code.
fn commands() -> (Dir, Vec<(&'static [&'static str], i32)>) {
    let dir = Dir::new();
    let trace = "unsat trace {\n  acquire\n  acquire\n}\ntheorem [empty] forall N. held(N)\n";
    dir.file("bad.pyv", format!("{}{trace}", broken_lock())).file("wrong.pyv", "sort node\ninit held(N)\n");
    dir.file(
        "out.pyv",
        "sort s\nimmutable function f(s): s\nmutable relation r(s)\ninit r(X)\nsafety r(f(X))\n",
    );
    dir.file("p.cnf", "p cnf 1 2\n1 0\n-1 0\n").file("bad.smt2", "(check-sat)\n(assert x)\n");
    dir.file("p.p", "fof(a, conjecture, p).\n").file("ok.pyv", LOCK);
    dir.run(&["verify", "ok.pyv", "--certify", "ok.cert"]).ends_with(0);
    let commands: Vec<(&[&str], i32)> = vec![
        (&["verify", "bad.pyv"], 1),
        (&["verify", "--format", "json", "bad.pyv"], 1),
        (&["verify", "bad.pyv", "wrong.pyv"], 2),
        (&["verify", "--work", "1", "ok.pyv"], 3),
        (&["theorem", "bad.pyv"], 1),
        (&["bmc", "bad.pyv"], 1),
        (&["trace", "bad.pyv"], 1),
        (&["cti", "bad.pyv"], 1),
        (&["typecheck", "wrong.pyv"], 2),
        (&["fragment", "out.pyv"], 1),
        (&["simulate", "--actions", "release(node0),acquire(node0),acquire(node1)", "bad.pyv"], 1),
        (&["check", "bad.pyv", "ok.cert"], 1),
        (&["print", "wrong.pyv"], 0),
        (&["solve", "p.cnf"], 20),
        (&["solve", "p.p"], 1),
        (&["solve", "bad.smt2"], 2),
        (&["help", "verify"], 0),
        (&["verify", "--no-such-option"], 2),
    ];
    (dir, commands)
}

fn code(dir: &Dir, args: &[&str], out: impl Into<Stdio>, err: impl Into<Stdio>) -> Option<i32> {
    let mut command = Command::new(ramsey_binary());
    command.args(args).current_dir(&dir.0).stdin(Stdio::null()).stdout(out).stderr(err);
    command.status().expect("the binary runs").code()
}

#[test]
fn the_code_is_that_of_the_verdict_whoever_reads() {
    let closed = || {
        let (reader, writer) = pipe().expect("a pipe");
        drop(reader);
        writer
    };
    let (dir, commands) = commands();
    for (args, expected) in commands {
        let codes = [
            code(&dir, args, Stdio::null(), Stdio::null()),
            code(&dir, args, closed(), Stdio::null()),
            code(&dir, args, Stdio::null(), closed()),
            code(&dir, args, closed(), closed()),
        ];
        assert_eq!(codes, [Some(expected); 4], "{args:?}");
    }
}

#[cfg(target_os = "linux")]
#[test]
fn output_that_is_lost_is_an_error() {
    let (dir, _) = commands();
    let full = || fs::File::options().write(true).open("/dev/full").expect("a device");
    for args in [&["verify", "ok.pyv"][..], &["bmc", "ok.pyv"], &["solve", "p.cnf"], &["fragment", "ok.pyv"]]
    {
        assert_eq!(code(&dir, args, full(), Stdio::null()), Some(2), "{args:?}");
    }
}

#[test]
fn a_model_that_claims_nothing_is_told() {
    let dir = Dir::new();
    let empty = LOCK.split("safety").next().unwrap_or_default().to_owned();
    dir.file("none.pyv", &empty).file("ok.pyv", LOCK).file("th.pyv", format!("{empty}theorem true\n"));
    dir.file("none.rml", "sort s\nrelation r: s\n");
    dir.run(&["verify", "none.pyv"]).ends_with(0).complains("R026").complains("nothing to check: `none.pyv`");
    dir.run(&["verify", "none.rml", "ok.pyv"]).ends_with(0).complains("`none.rml` has no invariant");
    dir.run(&["verify", "--strict", "none.pyv", "ok.pyv"]).ends_with(2).complains("error[R026]");
    dir.run(&["verify", "th.pyv", "ok.pyv"]).ends_with(0).silent_on_stderr();
    let document = dir.run(&["verify", "--format", "json", "none.pyv"]).ends_with(0).json();
    assert_eq!(document["files"][0]["diagnostics"][0]["code"], "R026");
    dir.run(&["theorem", "ok.pyv"]).ends_with(0).complains("R026").complains("no theorem");
    dir.run(&["theorem", "--strict", "ok.pyv"]).ends_with(2).complains("error[R026]");
    dir.run(&["theorem", "--strict", "ok.pyv", "th.pyv"]).ends_with(0).silent_on_stderr();
    dir.run(&["trace", "ok.pyv"]).ends_with(0).complains("R026").complains("no trace block");
    dir.run(&["trace", "--strict", "ok.pyv"]).ends_with(2).complains("error[R026]");
    dir.run(&["cti", "none.pyv"]).ends_with(0).complains("R026");
    dir.run(&["bmc", "none.pyv"]).ends_with(2).complains("no safety property");
    dir.run(&["verify", "--check-transition", "release", "ok.pyv"]).ends_with(0).silent_on_stderr();
}

#[test]
fn certificates_are_unreadable_or_rejected() {
    let dir = Dir::new();
    dir.file("ok.pyv", LOCK).file("text.cert", "hello\n").file("empty.cert", "").file("folder/x", "");
    dir.file("damaged.cert", b"\x1f\x8b\x08\x00\xff\xff\xff\xff");
    let checker = |certificate: &str| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_ramsey-check"));
        command.args(["ok.pyv", certificate]).current_dir(&dir.0);
        command.output().expect("the binary runs").status.code()
    };
    let cases =
        [("text.cert", 1), ("empty.cert", 1), ("damaged.cert", 1), ("folder", 2), ("missing.cert", 2)];
    for (certificate, expected) in cases {
        let run = dir.run(&["check", "ok.pyv", certificate]).ends_with(expected);
        assert_eq!(run.out.contains("rejected"), expected == 1, "{certificate}");
        assert_eq!(run.err.contains(certificate), expected == 2, "{certificate}: {}", run.err);
        assert_eq!(checker(certificate), Some(expected), "{certificate}");
    }
}

/// Returns a formula with so many quantified truth values that its cases are more than the search takes.
fn large_formula() -> String {
    let names: Vec<String> = (0..22).map(|at| format!("B{at}")).collect();
    let binders: Vec<String> = names.iter().map(|name| format!("{name}:bool")).collect();
    format!("forall {}. {} | !({})", binders.join(", "), names.join(" | "), names.join(" | "))
}

#[test]
fn limits_that_nobody_set_are_explained() {
    let dir = Dir::new();
    dir.file("large.pyv", format!("{LOCK}axiom {}\n", large_formula()));
    for args in [&["verify", "large.pyv"][..], &["bmc", "large.pyv"], &["cti", "large.pyv"]] {
        dir.run(args)
            .ends_with(3)
            .prints("size of a formula")
            .prints("whatever the limits are: cut it in parts");
    }
    let binders: Vec<String> = (0..22).map(|at| format!("(b{at} Bool)")).collect();
    let args: Vec<String> = (0..22).map(|at| format!("b{at}")).collect();
    let problem = format!(
        "(declare-fun p ({}) Bool)(assert (forall ({}) (p {})))(check-sat)(get-info :reason-unknown)",
        "Bool ".repeat(22),
        binders.join(" "),
        args.join(" ")
    );
    dir.file("large.smt2", problem).run(&["solve", "large.smt2"]).prints("unknown").prints("incomplete");
}

#[cfg(target_os = "linux")]
#[test]
fn few_threads_are_enough() {
    let dir = Dir::new();
    dir.file("ok.pyv", LOCK);
    let expected = dir.run(&["verify", "-j", "1", "ok.pyv"]).ends_with(0).out;
    // Memory for the stacks of two worker threads, of one, and of none, and for an unoptimized binary.
    for kilobytes in [190_000, 130_000, 90_000] {
        let script = format!("ulimit -v {kilobytes}; exec '{}' verify -j 16 ok.pyv", ramsey_binary());
        let output = Command::new("sh").args(["-c", &script]).current_dir(&dir.0).output().expect("a shell");
        assert_eq!(output.status.code(), Some(0), "{kilobytes}: {}", String::from_utf8_lossy(&output.stderr));
        assert_eq!(String::from_utf8_lossy(&output.stdout), expected, "{kilobytes}");
    }
}

#[cfg(target_os = "linux")]
#[test]
fn threads_are_as_many_as_the_work() {
    let dir = Dir::new();
    dir.file("ok.pyv", LOCK);
    // A thousand threads with separate stacks would exceed this limit.
    let script = format!("ulimit -v 1000000; exec '{}' verify -j 1000 ok.pyv", ramsey_binary());
    let output = Command::new("sh").args(["-c", &script]).current_dir(&dir.0).output().expect("a shell");
    assert_eq!(output.status.code(), Some(0), "{}", String::from_utf8_lossy(&output.stderr));
}

#[test]
fn documents_follow_their_schemas() {
    let (dir, _) = commands();
    dir.file("a.smt2", "(assert true)\n(check-sat)\n(assert false)\n(check-sat)\n");
    dir.run(&["solve", "a.smt2", "--certify", "a.cert"]).ends_with(0);
    dir.run(&["cti", "bad.pyv", "-o", "cti.json"]).ends_with(1);
    dir.file("m/lib.rml", "sort s\nrelation r: s\n");
    dir.file("m/p.rml", "include \"lib.rml\"\nassume !r(X)\nwhile * { skip }\nsafety !r(X)\n");
    let cases: [(&[&str], i32, &str); 16] = [
        (&["check", "ok.pyv", "ok.cert"], 0, "accepted"),
        (&["check", "a.smt2", "a.cert"], 0, "accepted"),
        (&["check", "bad.pyv", "ok.cert"], 1, "rejected"),
        (&["check", "wrong.pyv", "ok.cert"], 2, "bad-input"),
        (&["check", "ok.pyv", "missing.cert"], 2, "bad-input"),
        (&["check", "ok.pyv", "m"], 2, "bad-input"),
        (&["fragment", "ok.pyv", "bad.pyv"], 0, "inside"),
        (&["fragment", "ok.pyv", "out.pyv"], 1, "outside"),
        (&["fragment", "wrong.pyv", "out.pyv"], 2, "bad-input"),
        (&["fragment", "m"], 0, "inside"),
        (&["typecheck", "ok.pyv", "bad.pyv"], 0, "ok"),
        (&["typecheck", "ok.pyv", "wrong.pyv"], 2, "bad-input"),
        (&["typecheck", "missing.pyv"], 2, "bad-input"),
        (&["typecheck", "m"], 0, "ok"),
        (&["diagram", "cti.json", "--model", "bad.pyv"], 0, "ok"),
        (&["diagram", "ok.cert", "--model", "bad.pyv"], 2, "bad-input"),
    ];
    for (args, expected, verdict) in cases {
        let run = dir.run(&[args, &["--format", "json"]].concat()).ends_with(expected).silent_on_stderr();
        let document = run.json();
        assert_eq!((&document["verdict"], &document["exit_code"]), (&verdict.into(), &expected.into()));
    }
    let accepted = &dir.run(&["check", "a.smt2", "a.cert", "--format", "json"]).json()["accepted"];
    assert_eq!(accepted["queries"][1]["proved"], true, "{accepted}");
    let outside = dir.run(&["fragment", "out.pyv", "--format", "json"]).json();
    let cycles = outside["files"][0]["obligations"].as_array().expect("a list").iter().map(|it| &it["cycle"]);
    assert!(cycles.clone().any(|cycle| *cycle == serde_json::json!(["s", "s"])), "{outside}");
}
