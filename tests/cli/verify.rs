//! `ramsey verify` through the binary, on models that are right, wrong or malformed.

use crate::common::binary::{Dir, LOCK, broken_lock, pigeonhole};
use serde_json::Value;

/// A program with a counterexample of each kind.
const PROGRAM: &str = "\
sort node
relation held: node
variable n: node
variable m: node
held.insert(n)
while * do { n := *
  if n = m then { assert ¬held(n) }
  held.remove(n)
}
conjecture [every] ∀ x. held(x)
";

#[test]
fn a_proved_model() {
    let dir = Dir::new();
    let run = dir.file("lock.pyv", LOCK).run(&["verify", "lock.pyv"]).ends_with(0).silent_on_stderr();
    insta::assert_snapshot!(run.out, @r"
    lock.pyv
      init
        mutex  ok
      transition acquire
        mutex  ok
      transition release
        mutex  ok

    3 obligations: 3 ok
    ");
}

#[test]
fn a_broken_model() {
    let dir = Dir::new();
    let run =
        dir.file("lock.pyv", broken_lock()).run(&["verify", "lock.pyv"]).ends_with(1).silent_on_stderr();
    insta::assert_snapshot!(run.out, @r"
    lock.pyv
      init
        mutex  ok
      transition acquire
        mutex  FAILED
      transition release
        mutex  ok

    error: transition `acquire` does not preserve safety property `mutex`
      --> lock.pyv:15:1
       |
     7 | transition acquire(n: node)
       | --------------------------- true before this transition
    ...
    15 | safety [mutex] held(N1) & held(N2) -> N1 = N2
       | ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ false after the transition

      universes:
        node: node0, node1
      state 0:
        held(node0)
      transition acquire(n = node1)
      state 1:
        held(node0)
      + held(node1)
      violated in state 1:
        held(N1) & held(N2) -> N1 = N2
        for N1 = node0, N2 = node1

    3 obligations: 2 ok, 1 failed
    ");
}

#[test]
fn quiet_means_failures_only() {
    let dir = Dir::new();
    dir.file("good.pyv", LOCK).file("bad.pyv", broken_lock());
    let run = dir.run(&["verify", "-q", "good.pyv"]).ends_with(0);
    assert_eq!(run.out, "");
    let run = dir.run(&["verify", "-q", "bad.pyv"]).ends_with(1).prints("error: transition `acquire`");
    assert!(!run.out.contains("ok"), "{}", run.out);
}

#[test]
fn directories_are_walked_in_order_and_named_files_count_once() {
    let dir = Dir::new();
    dir.file("m/b.pyv", LOCK).file("m/a/z.pyv", LOCK).file("m/a.pyv", LOCK).file("m/notes.txt", "no model");
    let run = dir.run(&["verify", "m", "m/b.pyv"]).ends_with(0);
    let names: Vec<&str> = run.out.lines().filter_map(|line| line.split_once(": ")).map(|it| it.0).collect();
    assert_eq!(names, ["m/a/z.pyv", "m/a.pyv", "m/b.pyv", "9 obligations"]);
}

#[test]
fn the_most_severe_file_counts() {
    let dir = Dir::new();
    dir.file("good.pyv", LOCK).file("bad.pyv", broken_lock()).file("wrong.pyv", "sort sort\n");
    dir.run(&["verify", "good.pyv", "bad.pyv"]).ends_with(1);
    dir.run(&["verify", "bad.pyv", "wrong.pyv", "good.pyv"]).ends_with(2).prints("good.pyv: 3 ok");
    dir.run(&["verify", "--work", "1", "good.pyv"]).ends_with(3).prints("unknown (work budget)");
    dir.run(&["verify", "--work", "1", "good.pyv", "wrong.pyv"]).ends_with(2);
}

#[test]
fn any_number_of_threads_prints_the_same() {
    let dir = Dir::new();
    for at in 0..9 {
        dir.file(&format!("m{at}.pyv"), if at % 3 == 1 { broken_lock() } else { LOCK.to_owned() });
    }
    for format in ["text", "json"] {
        let runs = ["1", "2", "7"].map(|jobs| {
            let run = dir.run(&["verify", "--all", "--format", format, "-j", jobs, "."]);
            run.ends_with(1).out
        });
        assert!(!runs[0].is_empty() && runs.iter().all(|out| *out == runs[0]), "{}", runs[1]);
    }
}

#[test]
fn names_select_obligations() {
    let dir = Dir::new();
    dir.file("bad.pyv", broken_lock());
    dir.run(&["verify", "--check-transition", "release", "bad.pyv"]).ends_with(0);
    dir.run(&["verify", "--check-transition", "acquire", "bad.pyv"]).ends_with(1);
    dir.run(&["verify", "--check-invariant", "mutex", "bad.pyv"]).ends_with(1);
    let run = dir.run(&["verify", "--check-invariant", "mutexx", "bad.pyv"]).ends_with(2);
    let run = run.complains("R017").complains("did you mean `mutex`?");
    assert_eq!(run.out, "");
    dir.run(&["verify", "--check-transition", "zzzzzz", "bad.pyv"]).ends_with(2).complains("`acquire`");
    dir.file("unnamed.pyv", LOCK.replace("[mutex] ", ""));
    let run = dir.run(&["verify", "--check-invariant", "L16", "unnamed.pyv", "bad.pyv"]).ends_with(0);
    run.prints("unnamed.pyv: 3 ok").prints("bad.pyv: nothing to check");
}

#[test]
fn json_follows_the_schema() {
    let dir = Dir::new();
    dir.file("good.pyv", LOCK)
        .file("bad.pyv", broken_lock().replace("sort node", "sort node @printed_by(const_printer)"))
        .file("wrong.pyv", "sort node\ninit held(N)\n")
        .file("later.pyv", format!("{LOCK}invariant true | held(N)\n"))
        .file("program.rml", PROGRAM);
    let verify = ["verify", "--format", "json"];
    let cases: [(&[&str], i32, &str); 9] = [
        (&["good.pyv", "--cores"], 0, "ok"),
        (&["--stats", "--print-negative-tuples", "bad.pyv"], 1, "counterexample"),
        (&["wrong.pyv", "bad.pyv", "--all"], 2, "bad-input"),
        (&["missing.pyv"], 2, "bad-input"),
        (&["--check-invariant", "nothing", "good.pyv"], 2, "bad-input"),
        (&["--work", "1", "good.pyv"], 3, "unknown"),
        (&["later.pyv", "--work", "1000000000"], 0, "ok"),
        (&["-q", "."], 2, "bad-input"),
        (&["program.rml"], 1, "counterexample"),
    ];
    for (args, code, verdict) in cases {
        let run = dir.run(&[&verify, args].concat()).ends_with(code).silent_on_stderr();
        let document = run.json();
        assert_eq!((&document["verdict"], &document["exit_code"]), (&verdict.into(), &code.into()));
    }
    let document = dir.run(&[&verify, &["bad.pyv"][..]].concat()).json();
    let obligation = &document["files"][0]["obligations"][1];
    assert_eq!(obligation["transition"], "acquire");
    assert_eq!(obligation["invariant"]["line"], 15);
    let counterexample = &obligation["counterexample"];
    assert_eq!(counterexample["universes"][0]["elements"], serde_json::json!(["node0", "node1"]));
    assert_eq!(counterexample["states"].as_array().map(Vec::len), Some(2));
    assert_eq!(counterexample["violated"]["bindings"][0]["name"], "N1");

    let document = dir.run(&[&verify, &["program.rml", "--all"][..]].concat()).json();
    let obligations = &document["files"][0]["obligations"];
    let [initial, step, assertion] = [0, 1, 2].map(|index| &obligations[index]["counterexample"]);
    assert_eq!(initial["initial"][0]["kind"], "assign");
    let kinds = |statements: &Value| -> Vec<String> {
        let list = statements.as_array().into_iter().flatten();
        list.map(|it| format!("{} {}", it["kind"].as_str().unwrap_or("?"), it["line"])).collect()
    };
    assert_eq!(kinds(&step["transitions"][0]["statements"]), ["assign 6", "if 7", "assign 8"]);
    assert_eq!(kinds(&assertion["violated"]["statements"]), ["assign 6", "if 7", "assert 7"]);
    assert_eq!(assertion["violated"]["statements"][2]["value"], false);
}

#[test]
fn bad_input_is_explained() {
    let dir = Dir::new();
    let deep = format!("{LOCK}invariant {}true{}\n", "(".repeat(5000), ")".repeat(5000));
    let garbage: String =
        (0..10 << 20).map(|at: u32| char::from((at.wrapping_mul(at) >> 3) as u8 & 0x7F)).collect();
    dir.file("empty.pyv", "")
        .file("empty.rml", "")
        .file("script.pyv", "(declare-sort node 0)\n(assert true)\n")
        .file("script.rml", "(set-logic UF)\n")
        .file("tla.pyv", "---- MODULE lock ----\nVARIABLE held\n")
        .file("blank.pyv", " \n\t\n")
        .file("utf8.pyv", b"sort node\nsort \xe2\x88\n")
        .file("latin.pyv", b"sort node\nsort \xff\n")
        .file("syntax.pyv", "sort node\ninit forall . true\ninvariant &&\n")
        .file("undeclared.pyv", LOCK.replace("!held(N)\n", "!hled(N)\n"))
        .file("arity.pyv", LOCK.replace("held(N1)", "held(N1, N1)"))
        .file("modifies.pyv", LOCK.replace("    modifies held\n", "    modifies held, held\n"))
        .file("deep.pyv", deep)
        .file("garbage.pyv", &garbage)
        .file("line.pyv", "x".repeat(10 << 20))
        .file("dollars.pyv", "$ ".repeat(5 << 20))
        .file("model.txt", LOCK)
        .file("folder/notes.txt", "");
    let cases = [
        ("empty.pyv", "is empty"),
        ("blank.pyv", "is empty"),
        ("empty.rml", "a loop `while * { .. }`"),
        ("script.pyv", "`ramsey solve`"),
        ("script.rml", "`ramsey solve`"),
        ("tla.pyv", "module in TLA+"),
        ("utf8.pyv", "offset 15 (line 2)"),
        ("latin.pyv", "unexpected character `ÿ`"),
        ("syntax.pyv", "syntax.pyv:2:"),
        ("undeclared.pyv", "did you mean `held`?"),
        ("arity.pyv", "R007"),
        ("deep.pyv", "R004"),
        ("garbage.pyv", "garbage.pyv:"),
        ("line.pyv", "line.pyv:1:1"),
        ("dollars.pyv", "dollars.pyv:1:1"),
        ("model.txt", "extension .pyv, .rml, .ivy or .core"),
        ("folder", "no .pyv, .rml, .ivy or .core file below"),
        ("emtpy.pyv", "did you mean `empty.pyv`?"),
        ("nowhere/lock.pyv", "no directory `nowhere`"),
    ];
    for (file, complaint) in cases {
        for command in ["verify", "typecheck"] {
            let run = dir.run(&[command, file]).ends_with(2).complains(complaint);
            assert!(run.err.len() < 40_000, "{file}: {} bytes of complaints", run.err.len());
            assert_eq!(run.out, "", "{file}");
        }
    }
    dir.run(&["print", "folder"]).ends_with(2).complains("is a directory");
    dir.run(&["solve", "folder"]).ends_with(2).complains("is a directory");
}

/// Formulas that are small as graphs and exponential as trees.
#[test]
fn shared_subformulas_are_no_trees() {
    let dir = Dir::new();
    let chain = |wrap: fn(usize, String) -> String| (0..40).fold("p".to_owned(), |inner, at| wrap(at, inner));
    let symbols = "sort s\nmutable relation p\nmutable relation r(s)\nimmutable constant c: s\n";
    let formulas = [
        ("iff.pyv", chain(|_, inner| format!("(r(X) <-> {inner})"))),
        (
            "split.pyv",
            format!(
                "r(X) | {}",
                chain(|at, inner| format!("({} <-> {inner})", ["p", "r(c)", "r(X)"][at.min(2)]))
            ),
        ),
        ("quantified.pyv", chain(|_, inner| format!("(exists Y. r(Y) & r(X) <-> {inner})"))),
        ("if.pyv", format!("r({}c)", "if r(X) then c else if p then X else ".repeat(20))),
    ];
    for (file, formula) in &formulas {
        let model =
            format!("{symbols}invariant p & forall X. {formula}\ntransition t() modifies p p' <-> !p\n");
        dir.file(file, model);
        dir.run(&["verify", "--all", "--timeout", "20", file]).ends_with(1).prints("2 obligations: 2 failed");
        dir.run(&["fragment", file]).prints("stratified EPR");
    }
}

#[test]
fn several_errors_a_run() {
    let dir = Dir::new();
    dir.file("m.pyv", format!("{LOCK}invariant hled(N)\ninvariant [x] held(N, N)\ninvariant [y] held2\n"));
    dir.run(&["typecheck", "m.pyv"]).ends_with(2).complains(":17:").complains(":18:").complains(":19:");
}

const WRONG_PROGRAM: &str = "\
sort node
relation r: node
assume !r(X)
while * {
  action add(n: node) {
    r.insert(n)
  }
}
safety !r(X)
";

#[test]
fn models_come_from_standard_input_too() {
    let dir = Dir::new();
    dir.run_with(&["verify", "-"], LOCK).ends_with(0).prints("<stdin>");
    dir.run_with(&["typecheck", "-"], "sort sort").ends_with(2).complains("--> <stdin>:1:6");
    dir.run_with(&["typecheck", "-"], "").ends_with(2).complains("`<stdin>` is empty");
    // For standard input only the option determines the language; files do not need it.
    dir.file("lock.pyv", LOCK);
    for command in ["verify", "typecheck", "fragment", "print", "bmc", "simulate"] {
        let is_judged = ["verify", "bmc", "simulate"].contains(&command);
        dir.run_with(&[command, "--language", "rml", "-"], WRONG_PROGRAM).ends_with(i32::from(is_judged));
        dir.run_with(&[command, "-"], WRONG_PROGRAM).ends_with(2);
    }
    dir.run_with(&["typecheck", "--language", "rml", "-", "lock.pyv"], WRONG_PROGRAM).ends_with(0);
}

#[test]
fn printing_gives_the_same_model() {
    let dir = Dir::new();
    let printed = dir.file("lock.pyv", LOCK).run(&["print", "lock.pyv"]).ends_with(0).out;
    let again = dir.file("again.pyv", &printed).run(&["print", "again.pyv"]).ends_with(0).out;
    assert_eq!(printed, again);
    dir.run(&["verify", "again.pyv"]).ends_with(0).prints("3 obligations: 3 ok");
}

#[test]
fn usage_errors_have_their_exit_code() {
    let dir = Dir::new();
    dir.file("lock.pyv", LOCK);
    let bad: [&[&str]; 7] = [
        &[],
        &["verfy", "lock.pyv"],
        &["verify", "--format", "xml", "lock.pyv"],
        &["verify", "-j", "0", "lock.pyv"],
        &["verify", "--timeout", "-1", "lock.pyv"],
        &["verify", "--timeout", "nan", "lock.pyv"],
        &["verify", "-q", "-v", "lock.pyv"],
    ];
    for args in bad {
        let run = dir.run(args).ends_with(2);
        assert!(
            run.out.is_empty() && (run.err.contains("Usage:") || run.err.contains("--help")),
            "{args:?}: {}",
            run.err
        );
    }
    dir.run(&["--help"]).ends_with(0).prints("Exit codes:").silent_on_stderr();
    dir.run(&["verify", "--help"]).ends_with(0).prints("Examples:").prints("--check-invariant <NAME>");
    dir.run(&["--version"]).ends_with(0).prints(env!("CARGO_PKG_VERSION")).prints("\ncommit: ");
    let short = dir.run(&["-V"]).ends_with(0);
    assert_eq!(short.out, concat!("ramsey ", env!("CARGO_PKG_VERSION"), "\n"));
    dir.run(&["man", "pages"]).ends_with(0).silent_on_stderr();
    assert!(dir.read("pages/ramsey-verify.1").contains(".TH RAMSEY-VERIFY 1"));
    dir.run(&["completions", "bash"]).ends_with(0).prints("--check-transition");
}

#[test]
fn colours_only_on_request() {
    let dir = Dir::new();
    dir.file("bad.pyv", broken_lock());
    let plain = dir.run(&["verify", "bad.pyv"]).out;
    assert!(!plain.contains('\x1b'));
    dir.run(&["verify", "--color", "always", "bad.pyv"]).prints("\x1b[1;31mFAILED\x1b[0m");
    dir.run(&["typecheck", "--color", "always", "none.pyv"]).complains("\x1b[");
}

#[cfg(target_os = "linux")]
#[test]
fn limits_end_the_work() {
    let dir = Dir::new();
    // The pigeonhole principle, which has no short resolution proof.
    dir.file("php.cnf", pigeonhole(12));
    dir.run(&["solve", "--timeout", "0.2", "php.cnf"])
        .ends_with(0)
        .prints("c stopped: time limit")
        .prints("s UNKNOWN");
    dir.run(&["solve", "--work", "1000", "php.cnf"]).ends_with(0).prints("c stopped: work budget");
    dir.run(&["solve", "--memory", "1", "php.cnf"]).ends_with(0).prints("c stopped: memory limit");
}

/// Boxes are emptied, but those that are locked. The invariant is not inductive without the proof.
const BOXES: &str = "sort box
immutable relation locked(box)
mutable relation full(box)
axiom exists B. locked(B)
init full(B)
transition empty(b: box)
  modifies full
  !locked(b) & (forall B. new(full(B)) <-> full(B) & B != b)
safety [some] exists B. full(B)
invariant [kept] exists B. locked(B) & full(B)
fbii {
  forward [choose] prophecy w: box { invariant locked(w) }
  backward [drained] { invariant [gone] !full(w) }
}
";

#[test]
fn proofs_are_answered_step_by_step() {
    let dir = Dir::new();
    dir.file("boxes.pyv", BOXES);
    let run = dir.run(&["verify", "boxes.pyv", "--certify", "boxes.cert"]).ends_with(0);
    let run = run
        .prints("  fbii forward choose\n    start L12  ok")
        .prints("    empty L12  ok")
        .prints("    prophecy   ok");
    let run = run.prints(
        "  fbii backward drained\n    start gone  ok\n    empty gone  ok\n  fbii safety\n    some  ok\n",
    );
    run.prints("10 obligations: 10 ok");
    dir.run(&["check", "boxes.pyv", "boxes.cert"]).ends_with(0).prints("10 proved");
    dir.run(&["verify", "--check-transition", "empty", "boxes.pyv"])
        .ends_with(0)
        .prints("2 obligations: 2 ok");

    dir.file("wrong.pyv", BOXES.replace("[gone] !full(w)", "[gone] exists B. !locked(B)"));
    let run = dir.run(&["verify", "--all", "wrong.pyv", "--certify", "wrong.cert"]).ends_with(1);
    let run = run.prints(
        "error: invariant `gone` of step `drained` does not hold in every state that violates the safety property\n",
    );
    let run = run.prints("error: the invariants of the proof do not imply safety property `some`\n");
    run.prints("state 0 is an initial state and state 1 any state after it").prints("    w = box");
    dir.run(&["check", "wrong.pyv", "wrong.cert"]).ends_with(0).prints("2 refuted");
    dir.run(&["check", "boxes.pyv", "wrong.cert"]).ends_with(1);
    dir.run(&["check", "wrong.pyv", "boxes.cert"]).ends_with(1);
}

#[test]
fn refuted_proofs_are_documents() {
    let dir = Dir::new();
    dir.file("start.pyv", BOXES.replace("{ invariant locked(w) }", "{ invariant !locked(w) }"))
        .file("step.pyv", BOXES.replace("{ invariant locked(w) }", "{ invariant full(w) }"))
        .file("witness.pyv", BOXES.replace("{ invariant locked(w) }", "{ invariant locked(w) } by { }"))
        .file(
            "backward.pyv",
            BOXES
                .replace(
                    "forward [choose] prophecy w: box",
                    "forward [choose] prophecy w: box { }\n  forward [nothing]",
                )
                .replace("invariant locked(w)", ""),
        )
        .file("end.pyv", BOXES.replace("[gone] !full(w)", "[gone] full(w) | !full(w)"));
    let cases = [
        ("start.pyv", "start", Some("choose"), "initial", 1),
        ("step.pyv", "transition", Some("choose"), "after", 2),
        ("witness.pyv", "prophecy", Some("choose"), "viable", 1),
        ("backward.pyv", "transition", Some("drained"), "before", 2),
        ("end.pyv", "safety", None, "all invariants", 2),
    ];
    for (model, part, step, remark, states) in cases {
        let run = dir.run(&["verify", "--format", "json", model]).ends_with(1).silent_on_stderr();
        let document = run.json();
        let obligations = document["files"][0]["obligations"].as_array().expect("a list");
        let failed = obligations.iter().find(|it| it["outcome"] == "failed").expect("a failure");
        assert_eq!((&failed["kind"], &failed["proof"]["part"]), (&"fbii".into(), &part.into()), "{model}");
        assert_eq!(failed["proof"]["step"]["name"].as_str(), step, "{model}");
        let found = &failed["counterexample"];
        assert_eq!(found["states"].as_array().map(Vec::len), Some(states), "{model}");
        let violated = if matches!(model, "step.pyv" | "end.pyv") { 1 } else { 0 };
        assert_eq!(found["violated"]["state"], violated, "{model}");
        let is_later = matches!(model, "backward.pyv" | "end.pyv");
        assert_eq!(found["prophecy"][0]["symbol"].as_str(), is_later.then_some("w"), "{model}");
        dir.run(&["verify", model]).ends_with(1).prints(remark);
        // The states are those of the model, whatever the proof says about them.
        dir.file("found.json", &run.out);
        dir.run(&["eval", "exists B. locked(B)", "found.json", "--model", model]).ends_with(0).prints("true");
    }
    let fingerprints = |model: &str| -> Vec<String> {
        let document = dir.run(&["verify", "--format", "json", "--all", model]).json();
        let obligations = document["files"][0]["obligations"].as_array().cloned().unwrap_or_default();
        obligations.iter().map(|it| it["fingerprint"].as_str().unwrap_or_default().to_owned()).collect()
    };
    dir.file("boxes.pyv", BOXES).file("moved.pyv", BOXES.replace("fbii {", "# A proof.\n\nfbii {"));
    let mut known = fingerprints("boxes.pyv");
    assert_eq!(known, fingerprints("moved.pyv"));
    known.sort();
    known.dedup();
    assert_eq!(known.len(), 10);
}
