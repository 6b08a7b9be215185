//! Runs of the binary on models outside the decidable fragment, where a query may not terminate: warnings before the
//! search, results as soon as they are known, and the end of the run.

use std::io::{BufRead as _, BufReader, Read as _};
use std::process::{Child, Command};

use crate::common::binary::{Dir, Run, ramsey_binary};
use crate::common::effort::is_long;
use crate::common::skip::skipped;

/// Outside the fragment, and without a finite counterexample to the first obligation: an infinite order.
const ENDLESS: &str = "\
sort n
immutable relation lt(n,n)
mutable relation p(n)
axiom forall X. exists Y. lt(X,Y)
axiom lt(X,Y) & lt(Y,Z) -> lt(X,Z)
axiom !lt(X,X)
init p(N)
transition t() modifies p p'(N) <-> p(N)
safety exists N. !p(N)
";

/// Returns a model with the same order, relevant only after the initial states.
fn endless_later() -> String {
    ENDLESS
        .replace("init p(N)", "init !p(N)")
        .replace("t() modifies p p'(N) <-> p(N)", "t() modifies p p'(N)")
        + "sat trace {\n  t\n}\n"
}

/// Reads standard output up to and including `last`, without waiting for more.
fn lines_until(child: &mut Child, last: &str) -> String {
    let mut out = String::new();
    let lines = BufReader::new(child.stdout.take().expect("a pipe")).lines();
    for line in lines.map_while(Result::ok) {
        out.push_str(&line);
        out.push('\n');
        if line.contains(last) {
            return out;
        }
    }
    panic!("no {last:?} in\n{out}");
}

/// Kills the process and returns its output on standard error.
fn errors(mut child: Child) -> String {
    child.kill().expect("it still runs");
    let mut text = String::new();
    child.stderr.take().expect("a pipe").read_to_string(&mut text).expect("UTF-8");
    child.wait().expect("it ends");
    text
}

/// Takes as long as the default limit is. That queries end by such a limit is tested with a lower one, too.
#[test]
fn a_query_outside_the_fragment_ends_by_itself() {
    if !is_long() {
        skipped("the default limit outside of the fragment, as RAMSEY_TESTS is not long");
        return;
    }
    let dir = Dir::new();
    dir.file("m.pyv", ENDLESS);
    let run = dir.run(&["verify", "--format", "json", "m.pyv"]).ends_with(3);
    let document = run.json();
    let file = &document["files"][0];
    assert_eq!(file["diagnostics"][0]["code"], "R015");
    assert_eq!(file["obligations"][0]["outcome"], "unknown");
    assert_eq!(file["obligations"][0]["reason"], "default limit outside the decidable fragment");
    assert_eq!(file["obligations"][1]["outcome"], "ok");
    let explanation = document["explanations"][0].as_str().expect("text");
    for option in ["500,000,000 steps", "`--unlimited`", "`--work STEPS`", "`--timeout SECONDS`"] {
        assert!(explanation.contains(option), "{explanation}");
    }
}

#[test]
fn a_limit_that_is_given_replaces_the_default() {
    let dir = Dir::new();
    dir.file("m.pyv", ENDLESS);
    let run = dir.run(&["verify", "--work", "100000", "m.pyv"]).ends_with(3).prints("unknown (work budget)");
    assert!(!run.out.contains("--unlimited") && !run.err.contains("500,000,000"), "{}\n{}", run.out, run.err);
    for time in ["0.2", "200ms", "0.2s"] {
        dir.run(&["verify", "--timeout", time, "m.pyv"])
            .ends_with(3)
            .prints("unknown (time limit of the query)");
    }
    for command in [["verify", "m.pyv"], ["mc", "m.pyv"], ["simulate", "m.pyv"], ["bmc", "m.pyv"]] {
        let [command, model] = command;
        dir.run(&[command, model, "--timeout", "2x"]).ends_with(2).complains("30s, 2m or 1h");
        dir.run(&[command, model, "--timeout", "1m", "--run-timeout", "500ms", "--work", "10"]);
    }
}

#[test]
fn groups_are_told_as_they_finish_and_the_warning_before_them() {
    let dir = Dir::new();
    dir.file("m.pyv", endless_later());
    for jobs in ["1", "2"] {
        let mut child =
            dir.start(&mut Command::new(ramsey_binary()), &["verify", "--unlimited", "-j", jobs, "m.pyv"]);
        let out = lines_until(&mut child, "ok");
        assert_eq!(out, "m.pyv\n  init\n    L9  ok  exists N:n. !p(N)\n");
        let err = errors(child);
        assert!(err.contains("warning[R015]: 2 obligations are outside"), "{err}");
    }
    let mut child = dir.start(&mut Command::new(ramsey_binary()), &["verify", "m.pyv"]);
    lines_until(&mut child, "ok");
    let err = errors(child);
    assert!(err.contains("each such query ends after 500,000,000 steps"), "{err}");
}

/// Limits apply to reading, too.
#[test]
fn limits_hold_while_a_model_is_read() {
    let mut pyv = String::from("sort n\nmutable relation p(n)\nmutable relation q(n, n)\ninit !p(N)\n");
    let mut rml = String::from("sort n\nrelation p(n)\nrelation q(n, n)\n");
    for i in 0..200_000 {
        let claim = format!("[c{i}] forall X:n, Y:n. p(X) & q(X, Y) -> p(Y) | X = Y\n");
        pyv += &format!("invariant {claim}");
        rml += &format!("conjecture {claim}");
    }
    let dir = Dir::new();
    dir.file("huge.pyv", pyv).file("huge.rml", rml);
    for (command, model) in [("verify", "huge.pyv"), ("bmc", "huge.pyv"), ("verify", "huge.rml")] {
        for (limit, value) in [("--run-timeout", "0.2"), ("--timeout", "0.2"), ("--memory", "60")] {
            let result = dir.run(&[command, model, limit, value]).ends_with(3);
            result.complains("R028").complains(&format!("`{model}` was not read to its end"));
        }
    }
}

/// Runs a command with less address space than the system has, in kilobytes.
#[cfg(target_os = "linux")]
fn run_in(dir: &Dir, kilobytes: u32, command: &str) -> Run {
    let script = format!("ulimit -v {kilobytes}; exec {} {command}", ramsey_binary());
    let child = dir.start(Command::new("sh").env("RUST_BACKTRACE", "0"), &["-c", &script]);
    let output = child.wait_with_output().expect("it ends");
    Run::of(command, output)
}

/// Also where nothing is searched, and where one allocation is larger than what is left.
#[cfg(target_os = "linux")]
#[test]
fn memory_that_the_system_refuses_is_a_limit() {
    let mut pyv = String::from("sort n\nmutable relation p(n)\nmutable relation q(n, n)\ninit !p(N)\n");
    for i in 0..150_000 {
        pyv += &format!("invariant [c{i}] forall X:n, Y:n. p(X) & q(X, Y) -> p(Y) | X = Y\n");
    }
    let dir = Dir::new();
    dir.file("huge.pyv", &pyv).file("huge.smt2", format!("(assert (and true{}))", " true".repeat(9_000_000)));
    let commands = [
        "verify",
        "verify --format json",
        "bmc",
        "cti",
        "explain",
        "fragment",
        "infer",
        "instance",
        "mc",
        "print",
        "print --to rml",
        "simulate",
        "theorem",
        "trace",
        "typecheck",
    ];
    for command in commands {
        let run = run_in(&dir, 220_000, &format!("{command} huge.pyv")).ends_with(3);
        let told = format!("{}{}", run.out, run.err);
        assert!(told.contains("memory"), "{command}: {told}");
    }
    let run = run_in(&dir, 100_000, "solve huge.smt2");
    assert!(matches!(run.code, Some(0..=3)), "{:?}: {}", run.code, run.err);
}

/// The normal form has no cycle, and limits of queries do not apply to the analysis.
#[test]
fn small_limits_do_not_move_a_model_outside_the_fragment() {
    let dir = Dir::new();
    let model = "sort s\nmutable relation p(s)\ninit p(X)\ntransition t()\n  modifies p\n  p'(X)\n\
                 safety [a] forall X. exists Z. p(X) | p(Z)\n";
    dir.file("m.pyv", model);
    dir.run(&["fragment", "m.pyv"]).ends_with(0);
    for work in ["1", "10", "1000000"] {
        let run = dir.run(&["verify", "m.pyv", "--work", work]);
        assert!(!run.err.contains("R015"), "{work}: {}", run.err);
    }
}

/// States are counted within limits.
#[test]
fn limits_hold_while_states_are_counted() {
    let dir = Dir::new();
    dir.file(
        "many.pyv",
        "sort n\nmutable relation p(n, n)\nmutable relation q(n, n)\nsafety p(X, Y) | true\n",
    );
    let count = ["instance", "many.pyv", "n=6", "--states", "--max-states", "100000000"];
    let run = dir.run(&[&count[..], &["--work", "200000"]].concat());
    run.ends_with(3).prints("states not counted: work budget");
    let run = dir.run(&[&count[..], &["--timeout", "500ms"]].concat());
    run.ends_with(3).prints("states not counted: time limit of the query");
}

/// Short certificates that take a while, or some memory, end by limits of the run.
#[test]
fn limits_hold_while_a_certificate_is_checked() {
    let dir = Dir::new();
    let digits = "0".repeat(64);
    let certificate = |claim: &str, lines: &str| {
        format!("ramsey-certificate 2\nsource {digits}\ncore {digits}\nclaim {claim}\n{lines}end\n")
    };
    dir.file(
        "triples.core",
        "ramsey-core 1\nsort 0 s\ntheorem 0 t ~ ! 0 ! 0 ! 0 & 0\n\
        digest 8bdfdbffd6a0f323ca2f461a888b6a030913f185ca8529d069969ae6cac33bcc\n",
    );
    let triples = |size: u32| certificate("refuted", &format!("s 0\nsize 0 {size}\nend\n"));
    dir.file("small.cert", triples(2));
    dir.file("large.cert", triples(65_536));
    dir.run(&["check", "triples.core", "small.cert", "--run-timeout", "60"]).ends_with(0);
    let run = dir.run(&["check", "triples.core", "large.cert", "--run-timeout", "500ms"]);
    run.ends_with(3).complains("time limit of the run reached before the answer");
    let wide = format!("d & 0\nd & 100000{}\n{}", " 1".repeat(100_000), "A 2\n".repeat(2000));
    dir.file("wide.cert", certificate("proved", &wide));
    let run = dir.run(&["check", "triples.core", "wide.cert", "--memory", "200"]);
    run.ends_with(3).complains("memory limit reached before the answer");
}
