//! `ramsey bmc`, `trace` and `theorem` through the binary.

use std::fs;
use std::path::Path;
use std::process::Command;

use crate::common::binary::{Dir, LOCK, broken_lock};
use ramsey::check::format::{HEADER, sha256};

/// Returns the lock with two trace blocks, one with a right and one with a wrong declaration.
fn traced_lock() -> String {
    format!(
        "{LOCK}theorem [once] forall N. held(N) -> held(N)\n\
         sat trace {{\n  acquire\n  release\n  assert forall N. !held(N)\n}}\n\
         unsat trace {{\n  any transition\n  assert exists N. held(N)\n}}\n"
    )
}

#[test]
fn bounded_checks_show_shortest_executions() {
    let dir = Dir::new();
    dir.file("good.pyv", LOCK).file("bad.pyv", broken_lock());
    let run = dir.run(&["bmc", "--depth", "3", "good.pyv"]).ends_with(0).silent_on_stderr();
    run.prints("depth 3  ok").prints("\nno execution of at most 3 steps violates the property\n");
    let run = dir.run(&["bmc", "bad.pyv"]).ends_with(1).silent_on_stderr();
    let run = run
        .prints("depth 1  ok\n  depth 2  VIOLATED\n")
        .prints("error: safety property `mutex` is violated after 2 steps\n  --> bad.pyv:15:1")
        .prints("  state 2:\n")
        .prints("  violated in state 2:\n")
        .prints("\nthe shortest violation has 2 steps\n");
    assert_eq!(run.out.matches("  transition acquire(n = node").count(), 2);
    dir.run(&["bmc", "-q", "good.pyv"]).ends_with(0).silent_on_stderr();
    assert_eq!(dir.run(&["bmc", "-q", "good.pyv"]).out, "");
    dir.run(&["bmc", "--work", "1", "good.pyv"]).ends_with(3).prints("unknown (work budget)");
}

#[test]
fn properties_are_names_or_formulas() {
    let dir = Dir::new();
    dir.file("lock.pyv", LOCK).file("no.pyv", "sort s\n");
    let bmc = |property: &str| dir.run(&["bmc", "lock.pyv", "--depth", "2", "-p", property]);
    bmc("mutex").ends_with(0).prints("safety property mutex");
    bmc("!held(N)")
        .ends_with(1)
        .prints("error: the formula is violated after 1 step\n --> <--property>:1:1")
        .prints("!held(N)");
    bmc("held(N) -> N = M | true").ends_with(0);
    bmc("mutx").ends_with(2).complains("there is no invariant or assertion `mutx`").complains("`mutex`?");
    bmc("held(N) & grabbed(N)").ends_with(2).complains("--> <--property>:1:11").complains("not declared");
    bmc("held(N").ends_with(2).complains("<--property>:1").complains("expected an operator or `)`");
    bmc("held(N) held(N)").ends_with(2).complains("expected the end of the formula");
    bmc("new(held(N))").ends_with(2).complains("<--property>:1");
    bmc("").ends_with(2).complains("error");
    dir.run(&["bmc", "lock.pyv", "-p", "held(N)", "-p", "!held(N)"])
        .ends_with(2)
        .complains("several formulas");
    dir.run(&["bmc", "lock.pyv", "-p", "held(N)", "--certify", "x"]).ends_with(1).prints("certificate x: ");
    dir.run(&["bmc", "no.pyv"]).ends_with(2).complains("no safety property");
}

#[test]
fn traces_have_the_declared_answers() {
    let dir = Dir::new();
    dir.file("lock.pyv", traced_lock()).file("none.pyv", LOCK);
    let run = dir.run(&["trace", "lock.pyv"]).ends_with(1).silent_on_stderr();
    run.prints("trace L18  sat, as declared\n")
        .prints("trace L23  SAT\n")
        .prints("error: there is an execution of this shape\n  --> lock.pyv:23:1")
        .prints("transition acquire(n = node0)")
        .prints("\n2 traces: 1 as declared, 1 not as declared\n");
    dir.run(&["trace", "lock.pyv", "L18"]).ends_with(0).prints("1 trace: 1 as declared");
    dir.run(&["trace", "lock.pyv", "18", "23"]).ends_with(1);
    dir.run(&["trace", "lock.pyv", "19"]).ends_with(2).complains("begin in lines 18, 23");
    dir.run(&["trace", "none.pyv"]).ends_with(0).prints("no trace block");
    dir.run(&["verify", "lock.pyv"]).ends_with(0).silent_on_stderr().prints(
        "\n4 obligations: 4 ok\n2 trace blocks are not checked here: `ramsey trace lock.pyv` checks them\n",
    );
    let run = dir.run(&["verify", "--quiet", "lock.pyv"]).ends_with(0).silent_on_stderr();
    assert_eq!(run.out, "");
    dir.file("other.pyv", traced_lock());
    let run = dir.run(&["verify", "lock.pyv", "other.pyv"]).ends_with(0).silent_on_stderr();
    run.prints("8 obligations: 8 ok\n2 files have trace blocks, which `ramsey trace` checks\n");
    let run = dir.run(&["verify", "lock.pyv", "--check-transition", "missing"]).ends_with(2);
    assert!(!run.err.contains("trace block") && !run.out.contains("trace block"), "{run:?}");
    let document = dir.run(&["verify", "lock.pyv", "--format", "json"]).ends_with(0).json();
    assert_eq!(document["files"][0]["diagnostics"][0]["code"], "R018");
}

#[test]
fn traces_that_are_too_long_are_refused() {
    // If steps had 16 bits and wrapped, the state after 2^16 transitions would be the one before the first again.
    let model = "mutable relation r\ninit !r\ntransition t()\n  modifies r\n  & r'\nunsat trace {\n";
    let text = format!("{model}{}assert r\n}}\n", "t\n".repeat(1 << 16));
    let certificate = format!(
        "{HEADER}\nsource {}\nclaim trace 0 proved\nobligation trace 0\nproof\ni 0\na 1 0\na 1 65537\nr 0 1 2 3\nend\n",
        sha256(&text)
    );
    let dir = Dir::new();
    dir.file("long.pyv", text).file("long.cert", certificate);
    dir.run(&["trace", "long.pyv"])
        .ends_with(2)
        .complains("error[R027]: the trace has more than 1000 transitions")
        .complains(" --> long.pyv:1007:1")
        .complains("help: ");
    for command in ["typecheck", "verify"] {
        dir.run(&[command, "long.pyv"]).ends_with(2).complains("error[R027]");
    }
    dir.run(&["check", "long.pyv", "long.cert"]).ends_with(2).complains("error[R027]");
    let output = Command::new(env!("CARGO_BIN_EXE_ramsey-check"))
        .args(["long.pyv", "long.cert"])
        .current_dir(&dir.0)
        .output()
        .expect("the binary runs");
    assert_eq!(output.status.code(), Some(2));
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(said.contains("long.pyv:1007:1: the trace has more than 1000 transitions"), "{said}");
}

#[test]
fn what_transitions_say_of_derived_relations_counts() {
    let model = |body: &str| {
        format!(
            "sort s\nsort t\nimmutable function f(t): s\nmutable constant c: s\n\
             derived relation e: e <-> (forall Z. f(Z) = c)\ninit !e\n\
             transition tr(x: s)\n  modifies c\n  & c' = x & {body}\n\
             safety [v] !e\nsat trace {{ tr }}\nunsat trace {{ tr tr assert e tr assert !e }}\n"
        )
    };
    let dir = Dir::new();
    // The relation in the next state: as a literal, as an equivalence, and unchanged.
    for (body, bmc) in
        [("e'", 1), ("(e' <-> true)", 1), ("(e' <-> e)", 0), ("(e' <-> !e | e)", 1), ("(e -> e')", 1)]
    {
        dir.file("m.pyv", model(body));
        dir.run(&["trace", "m.pyv", "--certify", "t.cert"]).ends_with(0).prints("2 traces: 2 as declared");
        dir.run(&["check", "m.pyv", "t.cert"]).ends_with(0);
        dir.run(&["bmc", "m.pyv", "--depth", "3"]).ends_with(bmc);
    }
}

#[test]
fn theorems_alone() {
    let dir = Dir::new();
    dir.file("bad.pyv", broken_lock().replace("safety", "theorem [all] held(N)\nsafety"));
    let run = dir.run(&["theorem", "bad.pyv"]).ends_with(1).silent_on_stderr();
    run.prints("theorem `all` is not valid").prints("1 obligation: 1 failed");
    dir.file("lock.pyv", traced_lock());
    dir.run(&["theorem", "lock.pyv", "--certify", "lock.cert"]).ends_with(0).silent_on_stderr();
    dir.run(&["check", "lock.pyv", "lock.cert"]).ends_with(0).prints("claim theorem proved, 1 obligation");
}

#[test]
fn certificates_of_executions_are_checked() {
    let dir = Dir::new();
    dir.file("lock.pyv", traced_lock()).file("bad.pyv", broken_lock());
    dir.run(&["bmc", "lock.pyv", "--certify", "b.cert"])
        .ends_with(0)
        .prints("certificate b.cert: 6 obligations");
    dir.run(&["check", "lock.pyv", "b.cert"])
        .ends_with(0)
        .prints("claim bmc 5 invariant:0 proved, 6 obligations");
    dir.run(&["check", "bad.pyv", "b.cert"]).ends_with(1);
    dir.run(&["bmc", "bad.pyv", "--certify", "v.cert"]).ends_with(1);
    dir.run(&["bmc", "bad.pyv", "--certify", "v.cert.gz"]).ends_with(1).prints("certificate v.cert.gz: ");
    assert!(fs::read(dir.0.join("v.cert.gz")).expect("a certificate").starts_with(&[0x1f, 0x8b]));
    dir.run(&["check", "bad.pyv", "v.cert.gz"]).ends_with(0).prints("accepted");
    dir.run(&["check", "bad.pyv", "v.cert"]).ends_with(0).prints("refuted, 6 obligations, 2 proved");
    dir.run(&["check", "lock.pyv", "v.cert"]).ends_with(1);
    dir.run(&["trace", "lock.pyv", "--certify", "t.cert"]).ends_with(1);
    dir.run(&["check", "lock.pyv", "t.cert"]).ends_with(0).prints("claim trace 0 1 refuted");
    dir.run(&["trace", "lock.pyv", "18", "--certify", "t.cert"]).ends_with(0);
    dir.run(&["check", "lock.pyv", "t.cert"]).ends_with(0).prints("claim trace 0 proved");
    dir.run(&["bmc", "lock.pyv", "--certify", "lock.pyv/b.cert"]).ends_with(2).complains("cannot write");
}

#[test]
fn formulas_and_relaxed_checks_are_certified() {
    let dir = Dir::new();
    dir.file("lock.pyv", include_str!("../../examples/lock_server.pyv"));
    dir.file("other.pyv", include_str!("../../examples/lock_server.pyv").replace("holds", "has"));
    let formula = ["bmc", "lock.pyv", "--depth", "2", "--property", "!holds(X)", "--certify", "f.cert"];
    dir.run(&formula).ends_with(0).prints("3 obligations, 3 proved");
    dir.run(&["check", "lock.pyv", "f.cert"])
        .ends_with(0)
        .prints("bmc 2 invariant:4 formula:!holds(X) proved");
    dir.run(&["check", "other.pyv", "f.cert"]).ends_with(2).complains("holds");
    let violated = ["bmc", "lock.pyv", "--depth", "3", "--property", "!holds(X)", "--certify", "v.cert"];
    dir.run(&violated).ends_with(1);
    dir.run(&["check", "lock.pyv", "v.cert"]).ends_with(0).prints("formula:!holds(X) refuted");
    dir.run(&["bmc", "lock.pyv", "--depth", "2", "--relax", "--certify", "r.cert.gz"]).ends_with(0);
    dir.run(&["check", "lock.pyv", "r.cert.gz"]).ends_with(0).prints("bmc 2 relaxed invariant:0 proved");
    let both = [&formula[..], &["--relax"]].concat();
    dir.run(&both).ends_with(0);
    dir.run(&["check", "lock.pyv", "f.cert"])
        .ends_with(0)
        .prints("bmc 2 relaxed invariant:4 formula:!holds(X) proved");
    dir.file("broken.pyv", include_str!("../../examples/lock_server_broken.pyv"));
    dir.run(&["cti", "broken.pyv", "--output", "cti.json"]).ends_with(1);
    let found = ["generalize", "cti.json", "--model", "broken.pyv", "--bound", "1", "--certify", "g.cert"];
    dir.run(&found).ends_with(0).prints("certificate g.cert: 2 obligations, 2 proved");
    dir.run(&["check", "broken.pyv", "g.cert"]).ends_with(0).prints("claim bmc 1 invariant:");
}

#[test]
fn relaxed_checks_explain_themselves() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("examples/toy_consensus.pyv");
    let dir = Dir::new();
    dir.file("consensus.pyv", fs::read(path).expect("an example"));
    let run = dir.run(&["bmc", "--relax", "consensus.pyv"]).ends_with(1);
    run.prints("transition relax()")
        .prints("no universally quantified inductive invariant implies the property");
    dir.run(&["bmc", "consensus.pyv"]).ends_with(0);
}

#[test]
fn long_searches_that_replace_their_solver_count_on() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("examples/chord_bug.rml");
    let dir = Dir::new();
    dir.file("chord.rml", fs::read(path).expect("an example"));
    let run = dir.run(&["bmc", "--relax", "chord.rml", "--stats", "--format", "json"]).ends_with(1);
    assert_eq!(run.json()["depths"][2]["outcome"], "violated");
}

#[test]
fn warnings_are_printed_once() {
    let dir = Dir::new();
    let model = "sort node\nrelation r: node\nfunction f: node -> node\nvariable n0: node\nassume !r(N)\n\
                 while * {\n  r.remove(f(n0))\n}\nsafety [s] !r(N)\nsat trace {\n  any transition\n}\n";
    dir.file("m.rml", model);
    for command in ["bmc", "trace", "cti", "verify"] {
        let run = dir.run(&[command, "m.rml", "--no-strict"]);
        for code in ["warning[R021]", "warning[R015]"] {
            assert_eq!(run.err.matches(code).count(), 1, "{command}: {}", run.err);
        }
    }
}

#[test]
fn documents_about_executions_follow_their_schemas() {
    let dir = Dir::new();
    dir.file("lock.pyv", traced_lock()).file("bad.pyv", broken_lock()).file("wrong.pyv", "sort s\ninit r\n");
    let cases: [(&[&str], i32, &str); 11] = [
        (&["bmc", "lock.pyv", "--stats"], 0, "ok"),
        (&["bmc", "bad.pyv", "--print-negative-tuples"], 1, "counterexample"),
        (&["bmc", "bad.pyv", "--relax", "--depth", "2"], 1, "counterexample"),
        (&["bmc", "bad.pyv", "-p", "!held(N)"], 1, "counterexample"),
        (&["bmc", "bad.pyv", "-p", "nothing"], 2, "bad-input"),
        (&["bmc", "wrong.pyv"], 2, "bad-input"),
        (&["bmc", "missing.pyv"], 2, "bad-input"),
        (&["bmc", "lock.pyv", "--work", "1"], 3, "unknown"),
        (&["trace", "lock.pyv", "--stats"], 1, "counterexample"),
        (&["trace", "lock.pyv", "--work", "1"], 3, "unknown"),
        (&["trace", "wrong.pyv"], 2, "bad-input"),
    ];
    for (args, code, verdict) in cases {
        let run = dir.run(&[args, &["--format", "json"]].concat()).ends_with(code).silent_on_stderr();
        let document = run.json();
        assert_eq!(
            (&document["verdict"], &document["exit_code"]),
            (&verdict.into(), &code.into()),
            "{args:?}"
        );
    }
    let document = dir.run(&["bmc", "bad.pyv", "--format", "json"]).json();
    assert_eq!(document["depths"].as_array().map(Vec::len), Some(3));
    let counterexample = &document["violation"]["counterexample"];
    assert_eq!(counterexample["states"].as_array().map(Vec::len), Some(3));
    assert_eq!(counterexample["transitions"][1]["name"], "acquire");
    assert_eq!(counterexample["violated"]["state"], 2);
}

/// Choices of a program inside an action are part of the counterexample, also for the kernel.
#[test]
fn certificates_know_the_choices_of_programs() {
    let dir = Dir::new();
    let text = "sort s\nrelation r: s\nassume !r(X)\nwhile * do {\n  action go(x: s) {\n    \
        { r.insert(x) } | { skip }\n    { skip } | { assert !r(x) }\n  }\n}\n\
        safety [few] r(X) & r(Y) -> X = Y\n";
    dir.file("choose.rml", text);
    dir.run(&["bmc", "choose.rml", "--certify", "c.cert"]).ends_with(1).prints("assertion `L7` is violated");
    dir.run(&["check", "choose.rml", "c.cert"]).ends_with(0).prints("refuted");
}

/// Each program fails in a part of its own: before the initial states, in an action, after the loop. The report has the
/// smallest false part, by polarity, with values of all relevant variables.
#[test]
fn what_is_violated_has_witnesses() {
    let model = |property: &str| {
        format!(
            "sort node\nmutable relation a(node)\nmutable relation b(node)\nmutable relation z\n\
             init exists N. a(N) & b(N)\ninit !z\ninvariant [bad] {property}\n"
        )
    };
    let cases = [
        ("!(exists N. a(N) & b(N))", "!(a(N) & b(N))", 1),
        ("!(z | (exists N. a(N)))", "!a(N)", 1),
        ("!!(forall N. !a(N))", "!a(N)", 1),
        ("!(z -> b(N))", "!b(N)", 1),
        ("!(a(N) & !(exists M. b(M)) -> z)", "!b(M)", 2),
        ("(exists N. a(N)) -> z", "a(N) -> z", 1),
        ("z | !(exists N. a(N) & b(N))", "z | !(a(N) & b(N))", 1),
        ("if z then !z else (forall N. !b(N))", "if z then !z else !b(N)", 1),
    ];
    let dir = Dir::new();
    for (property, part, values) in cases {
        dir.file("model.pyv", model(property));
        let run = dir.run(&["verify", "model.pyv", "--format", "json"]).ends_with(1);
        let document: serde_json::Value = serde_json::from_str(&run.out).expect("JSON");
        let text = document.to_string();
        let violated = find(&document, "violated").unwrap_or_else(|| panic!("{text}"));
        assert_eq!(violated["formula"], part, "{property}: {violated}");
        assert_eq!(violated["bindings"].as_array().map(Vec::len), Some(values), "{property}: {violated}");
    }
    dir.file("model.pyv", model("!(exists N. a(N) & b(N))"));
    dir.run(&["verify", "model.pyv"]).ends_with(1).prints("!(a(N) & b(N))").prints("N = node0");
}

/// Returns the first object under this name, anywhere in a document.
fn find<'a>(document: &'a serde_json::Value, name: &str) -> Option<&'a serde_json::Value> {
    match document {
        serde_json::Value::Object(fields) => fields
            .get(name)
            .filter(|it| it.is_object())
            .or_else(|| fields.values().find_map(|field| find(field, name))),
        serde_json::Value::Array(items) => items.iter().find_map(|item| find(item, name)),
        _ => None,
    }
}

fn program(init: &str, action: &str, last: &str) -> String {
    format!(
        "sort node\nrelation r: node\nvariable at: node\nassume !r(X)\n{init}\nwhile * {{\n  action add(n: node) {{\n    \
         r.insert(n)\n    {action}\n  }}\n}}\n{last}\ntheorem [all] r(X) | !r(X)\ntheorem [none] r(X)\n"
    )
}

#[test]
fn violated_assertions_are_shown_statement_by_statement() {
    let dir = Dir::new();
    dir.file("init.rml", program("assert r(at)", "", ""));
    let run = dir.run(&["bmc", "init.rml"]).ends_with(1).silent_on_stderr();
    let run =
        run.prints("assertion `L5` is violated on the way to an initial state").prints("5 | assert r(at)");
    assert!(!run.out.contains("transition add"), "{}", run.out);
    dir.file("action.rml", program("", "assert exists X. !r(X) | X = at & !r(at)", ""));
    // Only what is assumed of earlier states would be outside the decidable fragment.
    let run = dir.run(&["bmc", "action.rml"]).ends_with(1).silent_on_stderr();
    run.prints("assertion `L9` is violated").prints("| assert exists X").prints("  transition add(n = node");
    dir.file("last.rml", program("", "", "assert !r(X)"));
    let run = dir.run(&["bmc", "last.rml"]).ends_with(1).silent_on_stderr();
    run.prints("is violated after 1 step").prints("  final part\n").prints("| assert !r(X)");
    dir.file("right.rml", program("", "assert r(n)", ""));
    dir.run(&["bmc", "right.rml"]).ends_with(0).silent_on_stderr();
}

#[test]
fn programs_have_properties_and_theorems_too() {
    let dir = Dir::new();
    dir.file("p.rml", program("", "", ""));
    let bmc = |property: &str| dir.run(&["bmc", "p.rml", "--depth", "2", "-p", property]);
    bmc("!r(X)").ends_with(1).prints("error: the formula is violated after 1 step").prints("r.insert(n)");
    bmc("r(X) & r(Y) -> X = Y").ends_with(1).prints("violated after 2 steps");
    bmc("r(X) | !r(X)").ends_with(0);
    bmc("q(X)").ends_with(2).complains("--> <--property>:1:1");
    let run = dir.run(&["theorem", "p.rml", "--allow", "R044"]).ends_with(1).silent_on_stderr();
    run.prints("theorem `none` is not valid").prints("2 obligations: 1 ok, 1 failed");
    dir.file("valid.rml", program("", "", "").replace("theorem [none] r(X)\n", ""));
    dir.run(&["theorem", "valid.rml", "--allow", "R044", "--certify", "t.cert"])
        .ends_with(0)
        .silent_on_stderr();
    dir.run(&["check", "valid.rml", "t.cert"]).ends_with(0).prints("claim theorem proved, 1 obligation");
}

/// Large transitions have named subformulas, and this refutation needs that equal arguments give equal values.
#[test]
fn refutations_with_named_subformulas_are_written() {
    let dir = Dir::new();
    let program = "\
sort s
relation p(s)
relation q(s)
relation e(s, s)
relation b
relation h
variable c: s
variable d: s
assume !(!q(c) | c != d)
while * {
  action a0(x: s) {
    {
      e(x, Y) := e(c, Y) <-> q(c)
    } | {
      if h & p(x) {
        d := x
        e(x, Y) := d != Y | e(Y, d)
      } else {
        assume x = c
        b := h | b
      }
      {
        c := *
      } | {
      }
    }
    {
      e(x, Y) := e(c, c) & c = x
    } | {
      p(d) := true
    }
    if e(d, c) -> q(c) | e(c, d) & p(d) | b {
      assume q(d) <-> b
      assume b | !b -> b | e(x, x)
      e(d, Y) := b -> p(x)
    }
  } | {
  }
}
unsat trace {
  any transition
  a0
  assert !p(d)
  any transition
  assert !b
}
";
    dir.file("large.rml", program);
    dir.run(&["trace", "large.rml", "--certify", "large.cert"]).ends_with(0).prints("unsat, as declared");
    let accepted = "1 trace, 0 with an execution, 1 shown to have none";
    dir.run(&["check", "large.rml", "large.cert"]).ends_with(0).prints(accepted);
}

#[test]
fn properties_named_again_are_checked_once() {
    let dir = Dir::new();
    dir.file("p.pyv", "sort s\nmutable relation r(s)\ninit r(X)\nsafety [a] r(X)\ninvariant [b] r(X)\n");
    let args = ["bmc", "p.pyv", "-p", "a", "-p", "b", "-p", "a", "--certify", "p.cert"];
    dir.run(&args).ends_with(0);
    dir.run(&["check", "p.pyv", "p.cert"]).ends_with(0);
}

#[test]
fn the_fragment_is_asked_of_what_is_claimed() {
    let dir = Dir::new();
    let text = "sort s\nmutable relation g(s,s)\nmutable relation r(s)\ninit r(X)\ntransition t()\n  modifies r\n  \
                & (forall X. r'(X) <-> (exists Y. g(X, Y) & r(Y)))\nsafety r(X) -> (exists Y. g(X, Y) & r(Y))\n\
                zerostate theorem [trivial] forall X:s. X = X\n";
    dir.file("r.pyv", text);
    dir.run(&["verify", "--strict", "r.pyv"]).ends_with(2).complains("error[R015]");
    dir.run(&["theorem", "--strict", "r.pyv"]).ends_with(0);
}

/// The sizes of enumerations are their own, and parameters of actions that are called have the values of the call alone.
#[test]
fn walks_choose_no_more_than_the_model_leaves_open() {
    const MODEL: &str = "\
#lang ivy1.7
type node
type color = {red, green, blue, black}
relation sent(K:color, N:node)
after init { sent(K,N) := false }
action send(k:color, n:node) = {
    if k = blue { k := red };
    sent(k,n) := true
}
export action tell(n:node) = { call send(red, n) }
export action wait = { }
invariant [safety] sent(K,N) -> K = red
";
    let dir = Dir::new();
    dir.file("calls.ivy", MODEL);
    let run = dir.run(&["simulate", "calls.ivy", "--steps", "40"]).ends_with(0);
    let run = run.prints("node: node0, node1, node2\n").prints("color: red, green, blue, black\n");
    let calls: Vec<&str> =
        run.out.lines().filter(|line| line.trim_start().starts_with("transition")).collect();
    assert!(calls.iter().all(|it| it.contains("tell(n = node") && !it.contains(',') || it.contains("wait")));
    // There are three ways to tell and one to wait.
    let waits = calls.iter().filter(|it| it.contains("wait")).count();
    assert!((2..20).contains(&waits), "{}", run.out);
    assert!(!run.out.contains("k = green") && !run.out.contains("k = black"), "{}", run.out);
}

/// The axiom of a derived relation constrains states also where it says nothing about the relation.
#[test]
fn derived_relations_that_constrain_others_are_kept() {
    let dir = Dir::new();
    dir.file(
        "m.pyv",
        "sort s\nmutable relation h(s)\nmutable constant q: s\nderived relation d: h(q)\ninit h(X) -> X = q\n\
         transition t(x: s)\n  modifies h\n  & (forall Y. new(h(Y)) <-> h(Y) & Y != x)\nsafety h(q)\n",
    );
    dir.run(&["bmc", "m.pyv", "--depth", "2"]).ends_with(0);
    dir.run(&["bmc", "m.pyv", "--depth", "2", "--deadlock"])
        .ends_with(1)
        .prints("an initial state is a deadlock");
    dir.run(&["bmc", "m.pyv", "--depth", "2", "-p", "h(X)"]).ends_with(1).prints("depth 0  VIOLATED");
}
