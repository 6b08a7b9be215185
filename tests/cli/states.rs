//! States in readable form: names by orders, guard instances, formulas evaluated in them, and further counterexamples.

use crate::common::binary::{Dir, Run};
use serde_json::Value;

/// Terms are ordered, with a first one, and a node reaches a term that is neither the first nor the last.
const TERMS: &str = "\
sort term
sort node
sort quorum
immutable constant zero: term
immutable constant some: term
immutable relation lt(term, term)
immutable relation edge(node, node)
immutable relation member(node, quorum)
axiom lt(X, Y) & lt(Y, Z) -> lt(X, Z)
axiom !lt(X, X)
axiom lt(X, Y) | lt(Y, X) | X = Y
axiom X = zero | lt(zero, X)
axiom exists A:node, B:node. edge(A, B) & A != B
mutable relation at(node, term)
init at(N, T) <-> T = zero
transition step(n: node, t: term)
  modifies at
  & (exists Q. forall M. member(M, Q) -> at(M, zero))
  & (at(n, t) | !at(n, t))
  & (forall N, T. at'(N, T) <-> at(N, T) | (N = n & T = t))
safety [ends] at(N, T) -> T = zero | !(exists S. lt(T, S))
";

fn verify(text: &str) -> (Dir, Run) {
    let dir = Dir::new();
    dir.file("m.pyv", text);
    let run = dir.run(&["verify", "m.pyv"]).ends_with(1);
    (dir, run)
}

#[test]
fn ordered_elements_are_called_by_their_place() {
    let (dir, run) = verify(TERMS);
    // A relation with one tuple is shown as an order only if the axioms imply that.
    let run = run.prints("    term: zero < term1 < term2\n").prints("    node: node0, node1\n");
    let run = run.prints("    lt(zero,term1)\n    lt(zero,term2)\n    lt(term1,term2)\n");
    run.prints("at(node0,term1)").prints("for N = node0, T = term1");
    let document = dir.run(&["verify", "m.pyv", "--format", "json"]).ends_with(1).json();
    let obligations = document["files"][0]["obligations"].as_array().expect("obligations").clone();
    let found =
        &obligations.iter().find(|it| it["outcome"] == "failed").expect("a failure")["counterexample"];
    let terms = &found["universes"][0];
    assert_eq!(terms["elements"], serde_json::json!(["term0", "term1", "term2"]));
    let mut shown: Vec<&str> =
        terms["shown"].as_array().map(|it| it.iter().filter_map(Value::as_str).collect()).unwrap_or_default();
    shown.sort_unstable();
    assert_eq!(shown, ["term1", "term2", "zero"], "{terms}");
    // A printer requested by the model takes precedence.
    let other = TERMS.replace("sort term\n", "sort term @printed_by(const_printer)\n");
    let (_, run) = verify(&other);
    assert!(!run.out.contains('<') || !run.out.contains("term: zero <"), "{}", run.out);
    // A constant that only happens to be the least element does not determine names.
    let (_, run) = verify(&TERMS.replace("axiom X = zero | lt(zero, X)\n", ""));
    assert!(run.out.contains("term0 < term1"), "{}", run.out);
}

#[test]
fn reflexive_orders_are_recognized_too() {
    let text = TERMS
        .replace("lt(", "le(")
        .replace("axiom !le(X, X)\n", "axiom le(X, X)\naxiom le(X, Y) & le(Y, X) -> X = Y\n")
        .replace("exists S. le(T, S)", "exists S. le(T, S) & S != T");
    verify(&text).1.prints("    term: zero < term1 < term2\n").prints("    le(zero,zero)\n");
}

#[test]
fn a_transition_tells_the_instances_of_its_guard() {
    let (dir, run) = verify(TERMS);
    run.prints("    needs forall M:node. member(M, quorum0) -> at(M, zero)\n");
    let document = dir.run(&["verify", "m.pyv", "--format", "json"]).json();
    let obligations = document["files"][0]["obligations"].as_array().expect("obligations").clone();
    let found =
        &obligations.iter().find(|it| it["outcome"] == "failed").expect("a failure")["counterexample"];
    let needs: Vec<&str> = found["transitions"][0]["needs"]
        .as_array()
        .map(|it| it.iter().filter_map(Value::as_str).collect())
        .unwrap_or_default();
    assert_eq!(needs.len(), 2, "{needs:?}");
    // The true part of the disjunction.
    assert!(needs[1].starts_with("!at(") || needs[1].starts_with("at("), "{needs:?}");
}

/// Creates a directory with a lock without guard, and the state of its counterexample.
fn with_state() -> Dir {
    let dir = Dir::new();
    dir.file("lock.pyv", crate::common::binary::broken_lock());
    dir.run(&["cti", "lock.pyv", "--output", "cti.json"]).ends_with(1);
    dir
}

#[test]
fn bound_variables_may_have_names_of_elements() {
    let dir = with_state();
    for formula in ["exists node0. held(node0)", "exists X:node, node0:node. held(node0) & X = node0"] {
        eval(&dir, formula, &[]).ends_with(0).prints("true");
    }
    eval(&dir, "exists node0. node0 = node1", &[]).ends_with(0).prints("true");
}

fn eval(dir: &Dir, formula: &str, more: &[&str]) -> Run {
    let mut args = vec!["eval", formula, "cti.json", "--model", "lock.pyv"];
    args.extend(more);
    dir.run(&args)
}

#[test]
fn formulas_are_evaluated_in_a_state() {
    let dir = with_state();
    let run = eval(&dir, "exists N. held(N)", &[]).ends_with(0);
    assert!(run.out.starts_with("true\n  held(N)\n  for N = node"), "{}", run.out);
    let run = eval(&dir, "held(N) & N = N", &[]).ends_with(1);
    assert!(run.out.starts_with("false\n  held(N)\n  for N = node"), "{}", run.out);
    eval(&dir, "held(N1) & held(N2) -> N1 = N2", &["--state", "1"])
        .ends_with(1)
        .prints("for N1 = node0, N2 = node1");
    // The next state, if present; elements by name; formulas without mutable symbols.
    eval(&dir, "held(N) -> new(held(N))", &[]).ends_with(0).prints("true");
    eval(&dir, "held'(node0) & held'(node1)", &[]).ends_with(0);
    eval(&dir, "held'(node0)", &["--state", "1"]).ends_with(2).complains("beyond the last state");
    eval(&dir, "node0 = node1", &[]).ends_with(1);
    for (formula, complaint) in
        [("held(node7)", "`node7` is not declared"), ("held(", "<formula>:1:"), ("held", "R00")]
    {
        eval(&dir, formula, &[]).ends_with(2).complains(complaint);
    }
    // The error has no advice about declarations.
    eval(&dir, "held(other)", &[]).ends_with(2).complains("the elements of the state are `node0`, `node1`");
    eval(&dir, "node0", &[]).ends_with(2).complains("what is asked is a formula");
    let deep = format!("{}held(node0)", "!".repeat(1_000));
    let run = eval(&dir, &deep, &[]).ends_with(2).complains("R004");
    assert!(!run.err.contains("definition"), "{}", run.err);
    let run = dir.run(&["bmc", "lock.pyv", "--property", "true"]).ends_with(2).complains("that changes");
    assert!(!run.err.contains("declare"), "{}", run.err);
    eval(&dir, "true", &["--state", "2"]).ends_with(2).complains("there is no state 2");
    eval(&dir, "true", &["--number", "2"]).ends_with(2).complains("one counterexample only");
}

#[test]
fn evaluations_are_documents() {
    let dir = with_state();
    for (formula, verdict, value) in [
        ("exists N. held(N)", "ok", Value::Bool(true)),
        ("held(N)", "counterexample", Value::Bool(false)),
        ("hold(N)", "bad-input", Value::Null),
    ] {
        let document = eval(&dir, formula, &["--format", "json"]).json();
        assert_eq!((&document["verdict"], &document["value"]), (&verdict.into(), &value));
    }
}

#[test]
fn formulas_of_programs_may_have_any_quantifiers() {
    let dir = Dir::new();
    dir.file("m.rml", include_str!("../../examples/leader_election_start.rml"));
    dir.run(&["cti", "m.rml", "--output", "cti.json"]).ends_with(1);
    let eval = |formula| dir.run(&["eval", formula, "cti.json", "--model", "m.rml"]);
    eval("exists X:node. forall Y:node. leader(X) | Y = X").ends_with(0).prints("for X = node1");
    eval("forall X:node. exists Y:node. leader(Y) & X != Y").ends_with(1).prints("for X = node1");
    eval("pnd(id0, node0)").ends_with(0);
}

/// The model of a lock that fails in two ways: with a key, and without one.
fn lock_with_keys() -> String {
    crate::common::binary::broken_lock()
        .replace("mutable relation held(node)\n", "mutable relation held(node)\nmutable relation key(node)\n")
}

/// Several counterexamples in one run are those of several runs, in order.
#[test]
fn several_counterexamples_have_different_states() {
    let dir = Dir::new();
    dir.file("lock.pyv", lock_with_keys());
    let several = |count: &str, more: &[&str]| {
        let args = [&["cti", "lock.pyv", "--format", "json", "--count", count], more].concat();
        let document = dir.run(&args).ends_with(1).json();
        let states = |it: &Value| {
            let found = &it["counterexample"];
            serde_json::json!([found["universes"], found["states"][0]])
        };
        let mut all = vec![states(&document)];
        all.extend(document["others"].as_array().into_iter().flatten().map(states));
        all
    };
    let four = several("9", &[]);
    assert_eq!(four.len(), 4, "{four:#?}");
    assert_eq!(several("2", &[]), four[..2]);
    assert_eq!(several("1", &[]), four[..1]);
    dir.run(&["cti", "lock.pyv", "--count", "9"])
        .ends_with(1)
        .prints("there is no other counterexample to induction");

    // Larger states that contain one of these are other ones where only isomorphic states are the same.
    let many = several("12", &["--isomorphic"]);
    assert_eq!(many.len(), 12);
    assert!(many.iter().enumerate().all(|(at, state)| !many[..at].contains(state)), "{many:#?}");
    dir.run(&["cti", "lock.pyv", "--isomorphic"]).ends_with(2).complains("--isomorphic: no counterexample");

    // All states of a document are known, and each can be generalized.
    dir.run(&["cti", "lock.pyv", "--count", "3", "--output", "three.json"]).ends_with(1);
    let rest = several("9", &["--another", "three.json"]);
    assert_eq!(rest.len(), 1);
    let rest = several("9", &["--another", "three.json", "--isomorphic"]);
    assert!(rest.len() == 9 && !rest.iter().any(|state| four[..3].contains(state)), "{rest:#?}");
    let diagram = |number: &str| {
        let args = ["diagram", "three.json", "--model", "lock.pyv", "--number", number];
        dir.run(&args)
    };
    assert_ne!(diagram("1").ends_with(0).out, diagram("2").ends_with(0).out);
    diagram("4").ends_with(2).complains("3 counterexamples only");
}

#[test]
fn another_counterexample_has_another_state() {
    let dir = Dir::new();
    dir.file("lock.pyv", lock_with_keys());
    let mut known: Vec<String> = Vec::new();
    let mut states: Vec<Value> = Vec::new();
    for number in 0..20 {
        let name = format!("{number}.json");
        let mut args = vec!["cti", "lock.pyv", "--output", &name];
        for before in &known {
            args.extend(["--another", before]);
        }
        let run = dir.run(&args);
        if run.code == Some(0) {
            run.prints("there is no other counterexample to induction");
            break;
        }
        run.ends_with(1);
        let text = std::fs::read_to_string(dir.0.join(&name)).expect("the document");
        let document: Value = serde_json::from_str(&text).expect("a document");
        states.push(document["counterexample"]["states"][0].clone());
        assert!(document["measures"].as_array().is_some_and(|it| it.iter().all(|it| it["minimal"] == true)));
        known.push(name);
    }
    // A node holds the lock and another does not: keys of one, of the other, of both, of none.
    assert_eq!(states.len(), 4, "{states:#?}");
    dir.run(&["cti", "lock.pyv", "--another", "missing.json"]).ends_with(2).complains("missing.json");
}

/// In formulas, capital letters are those of variables.
#[test]
fn elements_of_sorts_in_capital_letters_are_named() {
    let dir = Dir::new();
    dir.file(
        "m.pyv",
        "sort Node\nmutable relation r(Node)\ninit r(X)\n\
         transition t(x: Node)\n  modifies r\n  & (forall Y. new(r(Y)) <-> r(Y) & Y != x)\nsafety r(X)\n",
    );
    dir.run(&["bmc", "m.pyv", "--report", "json=b.json"]).ends_with(1);
    let eval = |formula: &str| dir.run(&["eval", formula, "b.json", "--model", "m.pyv"]);
    eval("r(Node0) & (exists Node1. r(Node1))").ends_with(0).prints("true");
    eval("!r(Node0)").ends_with(1).prints("false");
    eval("r(Node7)").ends_with(2).complains("Node7");
}
