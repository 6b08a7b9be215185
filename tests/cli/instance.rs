//! `ramsey instance`: sizes, answers, exit codes, circuits, certificates, states, documents.

use std::fs;
use std::process::Command;

use crate::common::binary::{Dir, broken_lock};

/// A token that goes round; `lost` is the state in which nobody has it.
const TOKEN: &str = "\
sort node
immutable relation le(node, node)
mutable relation has(node)
axiom le(X, X)
axiom le(X, Y) & le(Y, Z) -> le(X, Z)
axiom le(X, Y) & le(Y, X) -> X = Y
axiom le(X, Y) | le(Y, X)
init (forall N. has(N) <-> (forall M. le(N, M)))
transition pass(a: node, b: node)
  modifies has
  & has(a) & (new(has(N)) <-> has(N) & N != a | N = b)
safety [one] has(A) & has(B) -> A = B
invariant [some] exists N. has(N)
";

fn dir() -> Dir {
    let dir = Dir::new();
    dir.file("token.pyv", TOKEN).file("bad.pyv", broken_lock());
    dir
}

#[test]
fn sizes_are_asked_for() {
    let dir = dir();
    let run = dir.run(&["instance", "token.pyv"]).ends_with(2);
    run.complains("a sort has no size: node").complains("`node=2`");
    for (size, error) in [
        ("node", "`node` is not of the form SORT=N"),
        ("nod=2", "did you mean `node`?"),
        ("node=0", "node=0: `0` is no number from 1 to 1000"),
        ("node=x", "`x` is no number"),
    ] {
        dir.run(&["instance", "token.pyv", size]).ends_with(2).complains(error);
    }
    let run = dir.run(&["instance", "token.pyv", "node=3", "node=4"]).ends_with(2);
    run.complains("node=4: sort `node` has the size 3 already").complains("give each sort one size");
    dir.run(&["instance", "token.pyv", "node=3", "node=3"]).ends_with(0);
    dir.run(&["instance", "token.pyv", "node=2", "-p", "nothing"]).ends_with(2).complains("nothing");
    dir.run(&["instance", "token.pyv", "node=2", "--out", "x.txt"]).ends_with(2).complains(".vmt");
    dir.run(&["instance", "token.pyv", "node=2", "--out", "x.vmt", "--certify", "y"]).ends_with(2);
    dir.run(&["instance", "token.pyv", "node=2", "--out", "token.pyv"]).ends_with(2).complains("R017");
}

#[test]
fn answers_have_their_exit_codes() {
    let dir = dir();
    let safe = dir.run(&["instance", "token.pyv", "node=3", "--stats", "--show"]).ends_with(0);
    safe.prints("  node=3: 3 latches, ")
        .prints("  safe (")
        .prints("  node ordered by le\n")
        .prints("variable has(node0)");
    dir.run(&["instance", "token.pyv", "node=3", "-p", "some", "--functions", "binary"]).ends_with(0);
    let run = dir.run(&["instance", "token.pyv", "node=3", "-p", "!has(N)"]).ends_with(1);
    run.prints("VIOLATED after 0 steps").prints("state 0:");
    let run = dir.run(&["instance", "token.pyv", "node=3", "-p", "forall N. has(N) -> (forall M. le(N, M))"]);
    run.ends_with(1)
        .prints("VIOLATED after 1 step\n")
        .prints("transition pass(a = node0, b = node")
        .prints("has(node0)");
    dir.run(&["instance", "token.pyv", "node=2", "--work", "1"])
        .ends_with(3)
        .prints("no answer: work budget");
    dir.run(&["instance", "token.pyv", "node=4", "--max-nodes", "50"])
        .ends_with(3)
        .prints("the circuit is too large");
    dir.run(&["instance", "token.pyv", "node=1000", "--max-nodes", "100000"]).ends_with(3);
    dir.file("wide.pyv", "sort s\nmutable relation r(s, s, s)\ninit !r(X, Y, Z)\nsafety !r(X, X, X)\n");
    dir.run(&["instance", "wide.pyv", "s=1000"]).ends_with(3).prints("the tuples of `r`");
    dir.run(&["instance", "wide.pyv", "s=2"]).ends_with(0).prints("safe");
    dir.file("none.pyv", format!("{TOKEN}axiom exists A:node, B:node. A != B\n"));
    let none = dir.run(&["instance", "none.pyv", "node=1", "--out", "none.aag"]).ends_with(2);
    assert!(!none.out.contains("safe (") && !dir.0.join("none.aag").exists(), "{}", none.out);
    none.complains("R017").complains("no structure of these sizes satisfies the axioms");
    dir.file("still.pyv", format!("{TOKEN}init forall N. !has(N)\n"));
    dir.run(&["instance", "still.pyv", "node=2"]).ends_with(0).prints("no state of these sizes is initial");
    // Structures that satisfy the axioms are there, but an initial condition about immutable symbols excludes them.
    dir.file("fixed.pyv", format!("{TOKEN}init forall N:node, M:node. !le(N, M)\n"));
    dir.run(&["instance", "fixed.pyv", "node=2"]).ends_with(0).prints("no state of these sizes is initial");
}

#[test]
fn executions_are_shown_as_those_of_bmc() {
    let dir = dir();
    let bmc = dir.run(&["bmc", "bad.pyv", "--no-minimize", "-q"]).ends_with(1);
    let run =
        dir.run(&["instance", "bad.pyv", "node=2", "-q", "--dot", "x.dot", "--svg", "x.svg"]).ends_with(1);
    let first = |text: &str| text.lines().find(|line| line.contains("error")).map(str::to_owned);
    assert_eq!(first(&run.out), first(&bmc.out), "{}\n{}", run.out, bmc.out);
    assert!(run.out.contains("state 0:") && run.out.contains("transition "), "{}", run.out);
    assert!(fs::read_to_string(dir.0.join("x.dot")).expect("a picture").starts_with("digraph"));
    assert!(fs::read_to_string(dir.0.join("x.svg")).expect("a picture").contains("<svg"));
}

#[test]
fn circuits_and_certificates_are_written() {
    let dir = dir();
    for (property, code, files) in [("one", 0, ["a.aig", "a.aag"]), ("!has(N)", 1, ["b.aig", "b.aag"])] {
        for out in files {
            let args =
                ["instance", "token.pyv", "node=3", "-p", property, "--out", out, "--certify", "x.cert"];
            dir.run(&args).ends_with(code).prints("  certificate x.cert: ");
            let mut command = Command::new(env!("CARGO_BIN_EXE_ramsey-check"));
            let output = command.current_dir(&dir.0).args([out, "x.cert"]).output().expect("the checker");
            assert_eq!(output.status.code(), Some(0), "{}", String::from_utf8_lossy(&output.stdout));
            dir.run(&["solve", "-q", out]).ends_with(if code == 0 { 20 } else { 10 });
        }
    }
    dir.run(&["instance", "token.pyv", "node=2", "-p", "!has(N)", "--out", "x.vmt"]).ends_with(1);
    let text = fs::read_to_string(dir.0.join("x.vmt")).expect("a transition system");
    for part in [":next |has(node0)'|", ":init true", ":trans true", ":invar-property 0"] {
        assert!(text.contains(part), "{part}\n{text}");
    }
    // Whether there is a first state, a step from it, and one that is not bad.
    let questions = "(assert .init) (check-sat) (assert .trans) (check-sat) (assert .property0) (check-sat)";
    dir.file("x.smt2", format!("{text}{questions}\n"));
    let answers = dir.run(&["solve", "x.smt2"]).ends_with(0).out;
    assert_eq!(answers.lines().collect::<Vec<_>>(), ["sat", "sat", "unsat"]);
}

/// What ties initial values to each other are local variables and values before statements, which no state has.
#[test]
fn states_agree_with_hidden_values() {
    let dir = Dir::new();
    let declarations =
        "sort s\nsort t\nvariable a: t\nvariable b: t\nfunction f: s -> t\nfunction g: s -> t\nrelation p\n";
    for (init, claim, sizes, count) in [
        ("local c: t\na := c\nb := c\n", "a = b", &["s=1", "t=2"][..], 16),
        ("f(X) := ite(X != X, g(X), f(X))\ng(X) := f(X)\n", "f(X) = g(X)", &["s=1", "t=2"], 16),
    ] {
        dir.file("m.rml", format!("{declarations}{init}while * {{ p := true }}\nsafety {claim}\n"));
        for encoding in ["one-hot", "binary"] {
            let options = ["--states", "--keep-symmetry", "--functions", encoding];
            dir.run(&[&["instance", "m.rml"], sizes, &options].concat()).ends_with(0).prints(&format!(
                "  {count} reachable states: {count} initial, 0 without a successor, 0 that violate the property\n"
            ));
        }
    }
}

#[test]
fn states_are_counted_and_drawn() {
    let dir = dir();
    let run = dir.run(&["instance", "token.pyv", "node=3", "--states", "--graph", "x.dot"]).ends_with(0);
    run.prints("  3 reachable states: 1 initial, 0 without a successor, 0 that violate the property\n")
        .prints("  9 steps, at most 1 to a state\n");
    let graph = fs::read_to_string(dir.0.join("x.dot")).expect("a graph");
    assert_eq!(graph.matches(" -> ").count(), 9, "{graph}");
    assert!(graph.contains("has(node1)"), "{graph}");
    dir.run(&["instance", "token.pyv", "node=3", "--states", "--keep-symmetry"])
        .ends_with(0)
        .prints("  18 reachable states: 6 initial");
    dir.run(&["instance", "token.pyv", "node=3", "--states", "--keep-symmetry", "--up-to-isomorphism"])
        .ends_with(0)
        .prints("  3 reachable states up to isomorphism: 1 initial");
    dir.run(&["instance", "token.pyv", "node=3", "--states", "--max-states", "2"])
        .ends_with(3)
        .prints("more than 2 reachable states");
    dir.run(&["instance", "token.pyv", "node=3", "--graph", "x.dot"]).ends_with(2);
}

#[test]
fn states_of_programs_are_those_of_what_they_declare() {
    let dir = Dir::new();
    // The program keeps what `r` and `last` were before, `first`, and the value of `other`, which is assigned.
    dir.file(
        "program.rml",
        "sort node
relation r: node
variable last: node
local first: node
r(X) := r(X) & X = first
assume last = first
assume !r(X)
while * {
  action add(n: node) {
    local other: node
    other := n
    if * { assert !r(other) } else { r.insert(other) }
    last := other
  }
}
",
    );
    for functions in ["one-hot", "binary"] {
        dir.run(&[
            "instance",
            "program.rml",
            "node=2",
            "--functions",
            functions,
            "--states",
            "--keep-symmetry",
        ])
        .ends_with(1)
        .prints("VIOLATED after 1 step\n")
        .prints("  8 reachable states: 2 initial, 0 without a successor, 6 that violate the property\n");
        let args = ["instance", "program.rml", "node=2", "--functions", functions];
        dir.run(&[&args[..], &["--states", "--up-to-isomorphism"]].concat())
            .ends_with(1)
            .prints("  4 reachable states up to isomorphism: 1 initial, ")
            .prints("3 that violate the property\n");
    }
}

#[test]
fn many_initial_states_are_counted() {
    let dir = Dir::new();
    let text =
        "sort node\nmutable relation r(node)\nmutable constant c: node\ninit r(c)\nsafety r(c) | !r(c)\n";
    dir.file("many.pyv", text);
    // Each relation in which the constant lies, for each constant: 7 * 2^6.
    dir.run(&["instance", "many.pyv", "node=7", "--states", "--keep-symmetry"])
        .ends_with(0)
        .prints("  448 reachable states: 448 initial, 448 without a successor, 0 that violate");
    dir.run(&["instance", "many.pyv", "node=7", "--states", "--keep-symmetry", "--max-states", "447"])
        .ends_with(3)
        .prints("more than 447 reachable states");
}

#[test]
fn documents_follow_the_schema() {
    let dir = dir();
    let cases: [(&[&str], i32, &str); 6] = [
        (&["token.pyv", "node=3", "--states", "--show", "--stats"], 0, "ok"),
        (&["token.pyv", "node=3", "--out", "x.aig", "--certify", "x.cert"], 0, "ok"),
        (&["bad.pyv", "node=2", "--print-negative-tuples"], 1, "counterexample"),
        (&["token.pyv"], 2, "bad-input"),
        (&["missing.pyv"], 2, "bad-input"),
        (&["token.pyv", "node=3", "--work", "1"], 3, "unknown"),
    ];
    for (args, code, verdict) in cases {
        let args = [&["instance", "--format", "json"], args].concat();
        let document = dir.run(&args).ends_with(code).silent_on_stderr().json();
        assert_eq!(document["verdict"], verdict, "{args:?}");
    }
    let document = dir.run(&["instance", "--format", "json", "token.pyv", "node=3", "--states"]).json();
    assert_eq!(document["states"]["states"], 3);
    assert_eq!(document["outcome"], "safe");
    assert_eq!(document["symmetry"][0]["kind"], "order");
}

/// Constants that are all elements of their sort tell how many there are, in whatever language.
#[test]
fn enumerations_have_the_size_of_their_constructors() {
    let dir = Dir::new();
    dir.file(
        "light.ivy",
        "#lang ivy1.7\ntype node\ntype color = {red, green, blue}\nrelation c(N:node, K:color)\n\
         after init { c(N,K) := false }\nexport action set(n:node,k:color) = { c(n,k) := true }\n\
         invariant [safety] ~c(N,red)\n",
    );
    dir.file(
        "light.pyv",
        "sort node\nsort color\nimmutable constant red: color\nimmutable constant green: color\n\
         mutable relation c(node, color)\naxiom X = red | green = X\naxiom red != green\ninit !c(N, K)\n\
         transition set(n: node, k: color)\n  modifies c\n  c'(N, K) <-> c(N, K) | N = n & K = k\n\
         safety !c(N, red)\n",
    );
    for (model, size, other) in [("light.ivy", "color=3", "color=2"), ("light.pyv", "color=2", "color=3")] {
        let missing = dir.run(&["instance", model]).ends_with(2).complains("a sort has no size: node");
        assert!(missing.err.contains("has: `node=2`\n"), "{}", missing.err);
        dir.run(&["instance", model, "node=2"]).ends_with(1).prints(&format!("  node=2 {size}: "));
        dir.run(&["instance", model, "node=2", size]).ends_with(1);
        let refused = dir.run(&["instance", model, "node=2", other]).ends_with(2);
        refused.complains(&format!("{other}: the axioms say that sort `color` has")).complains("red, green");
    }
    // Not all of these constants are different, and not all elements are named.
    for axiom in ["axiom X = red | green = X\n", "axiom red != green\n"] {
        let text = dir.read("light.pyv").replace(axiom, "");
        dir.file("open.pyv", text);
        dir.run(&["instance", "open.pyv", "node=2"]).ends_with(2).complains("a sort has no size: color");
    }
    let json = dir.run(&["instance", "light.pyv", "node=1", "--format", "json"]).ends_with(1).json();
    assert_eq!(json["sizes"][1]["size"], 2, "{json}");
}

#[test]
fn plain_circuits_have_no_constraints_and_the_same_answers() {
    let dir = dir();
    for (model, sizes, code) in
        [("token.pyv", "node=3", 20), ("bad.pyv", "node=2", 10), ("token.pyv", "node=1", 20)]
    {
        for name in ["plain.aag", "plain.aig"] {
            let _ = fs::remove_file(dir.0.join(name));
            for more in [&[][..], &["--keep-symmetry", "--functions", "binary"]] {
                let args = [&["instance", model, sizes, "--plain", "--out", name], more].concat();
                dir.run(&args).ends_with(if code == 20 { 0 } else { 1 });
                dir.run(&["solve", "-q", name]).ends_with(code);
                dir.run(&["solve", "-q", name, "--certify", "plain.cert"]).ends_with(code);
                let bytes = fs::read(dir.0.join(name)).expect("a circuit");
                let header = bytes.split(|&byte| byte == b'\n').next().expect("a line");
                // The numbers of variables, inputs, latches, outputs and gates, and no others.
                assert_eq!(String::from_utf8_lossy(header).split(' ').count(), 6, "{model} {more:?}");
                fs::remove_file(dir.0.join(name)).expect("it is there");
            }
        }
    }
    dir.run(&["instance", "token.pyv", "node=2", "--plain"]).ends_with(2);
    dir.run(&["instance", "token.pyv", "node=2", "--plain", "--out", "x.vmt"])
        .ends_with(2)
        .complains("--plain");
}

#[test]
fn invariants_are_told_in_terms_of_the_model() {
    let dir = dir();
    let args = ["instance", "token.pyv", "node=3", "--invariant"];
    let run = dir.run(&args).ends_with(0);
    let clauses: Vec<&str> = run.out.lines().filter(|line| line.starts_with("    ")).collect();
    let is_clause = |line: &&str| line.contains("has(node") && !line.contains('@');
    assert!(!clauses.is_empty() && clauses.iter().all(is_clause), "{}", run.out);
    let json = dir.run(&[&args[..], &["--format", "json"]].concat()).ends_with(0).json();
    let list = json["invariant"]["list"].as_array().expect("clauses");
    assert_eq!(list.len(), clauses.len());
    assert!(list[0][0]["fact"].as_str().is_some_and(|fact| fact.starts_with("has(node")), "{json}");
    let violated = ["instance", "bad.pyv", "node=2", "--invariant", "--format", "json"];
    assert!(dir.run(&violated).ends_with(1).json().get("invariant").is_none());
}
