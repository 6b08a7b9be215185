//! Theorems of Rocq: what is written, and where `coqc` is there, that it is accepted.

use std::fs;
use std::path::Path;
use std::process::Command;
use std::thread;

use crate::common::binary::Dir;
use crate::common::effort::is_long;
use crate::common::skip::skipped;
use crate::rocq_instances::COLOURS;
use ramsey::base::rng::Rng;
use ramsey::checker::{Core, check};

#[test]
fn theorems_are_in_the_words_of_the_model() {
    let dir = Dir::new();
    dir.file("lock.pyv", include_str!("../../examples/lock_server.pyv"));
    dir.run(&["verify", "lock.pyv", "--rocq", "lock"]).ends_with(0);
    let page = fs::read_to_string(dir.0.join("lock/Theorem.v")).expect("the page");
    for part in [
        "Record state := {\n  free : Prop;\n  requested : client -> Prop;",
        "lock.pyv, line 59: safety [mutex] holds(C) & holds(D) -> C = D *)\nDefinition safety_mutex (s : state) : Prop :=",
        "| by_grant s s' : reach s -> axioms s' -> grant s s' -> reach s'",
        "Definition claim_safe : Prop := (forall P : Prop, P \\/ ~ P) -> inhabited client -> forall s, reach s ->\n  safety_mutex s.",
        "Theorem safe : claim_safe.",
    ] {
        assert!(page.contains(part), "{part}\n\n{page}");
    }
    // A carriage return ends a line.
    dir.file("lines.pyv", "# of old\rmutable relation r\n# kept\ninit r\r\nsafety [kept] r\n");
    dir.run(&["verify", "lines.pyv", "--rocq", "lines"]).ends_with(0);
    let page = fs::read_to_string(dir.0.join("lines/Theorem.v")).expect("the page");
    for part in ["(* # kept\n   lines.pyv, line 4: init r *)", "(* lines.pyv, line 5: safety [kept] r *)"] {
        assert!(page.contains(part), "{part}\n\n{page}");
    }
    // The theory is that of the specification.
    for name in ["Core.v", "Check.v", "Sound.v", "Short.v"] {
        let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("spec/rocq");
        let (here, there) = (fs::read(dir.0.join("lock").join(name)), fs::read(folder.join(name)));
        assert_eq!(here.expect("a file"), there.expect("a file"), "{name}");
    }
}

#[test]
fn executions_are_in_the_words_of_the_model() {
    let dir = Dir::new();
    dir.file("lock.pyv", include_str!("../../examples/lock_server.pyv"));
    dir.run(&["bmc", "lock.pyv", "--depth", "2", "--rocq", "lock"]).ends_with(0);
    let page = fs::read_to_string(dir.0.join("lock/Theorem.v")).expect("the page");
    for part in [
        "Inductive reach_in : nat -> state -> Prop :=\n| start s : axioms s -> init s -> reach_in 0 s\n",
        "| by_grant k s s' : reach_in k s -> axioms s' -> grant s s' -> reach_in (S k) s'\n",
        "inhabited client -> forall k s, k <= 2 -> reach_in k s ->\n  safety_mutex s.",
        "Theorem safe_within : claim_safe_within.",
    ] {
        assert!(page.contains(part), "{part}\n\n{page}");
    }
    // A formula is claimed under its own text, and elements that disappear are told.
    let formula = "free -> !holds(C)";
    dir.run(&["bmc", "lock.pyv", "--depth", "1", "--relax", "-p", formula, "--rocq", "formula"]).ends_with(0);
    let page = fs::read_to_string(dir.0.join("formula/Theorem.v")).expect("the page");
    for part in [
        "Elements may disappear",
        "(* <--property>, line 1: free -> !holds(C) *)\nDefinition property (s : state) : Prop :=",
        "\nDefinition relax (s s' : state) : Prop :=\n  ((forall (X : client), (active_client s' X) -> (active_client s X)) /\\ ",
    ] {
        assert!(page.contains(part), "{part}\n\n{page}");
    }
}

#[test]
fn nothing_is_written_of_what_is_not_proved() {
    let dir = Dir::new();
    dir.file("broken.pyv", include_str!("../../examples/lock_server_broken.pyv"));
    dir.run(&["verify", "broken.pyv", "--work", "1", "--rocq", "broken"]).ends_with(3);
    assert!(!dir.0.join("broken").exists());
    dir.file("proof.pyv", PROOF);
    let closed = dir.run(&["core", "proof.pyv"]).ends_with(0);
    assert!(closed.out.contains("\nquery 1 holds proof%20.0%20.0%20.start"), "{}", closed.out);
    dir.file("a.pyv", "sort t\n");
    dir.run(&["verify", "a.pyv", "--rocq", "a"]).ends_with(2).complains("it claims nothing");
    dir.run(&["bmc", "broken.pyv", "--work", "1", "--rocq", "broken"]).ends_with(3);
    dir.run(&["bmc", "broken.pyv", "--deadlock", "--rocq", "broken"]).ends_with(2);
    dir.file("a.aag", "aag 0 0 0 1 0\n0\n");
    dir.run(&["solve", "a.aag", "--rocq", "broken"]).ends_with(2).complains("`--rocq` is not about circuits");
    assert!(!dir.0.join("broken").exists());
    // Files of other kinds stay as they are.
    std::fs::create_dir(dir.0.join("mine")).expect("a folder");
    dir.file("mine/Makefile", "all:\n");
    dir.file("lock.pyv", include_str!("../../examples/lock_server.pyv"));
    dir.run(&["verify", "lock.pyv", "--rocq", "mine"]).ends_with(2).complains("has other files");
    assert_eq!(dir.read("mine/Makefile"), "all:\n");
    dir.run(&["verify", "a.pyv", "--rocq", "a.pyv"]).ends_with(2).complains("the proofs need a folder");
}

/// A proof by forward and backward induction.
const PROOF: &str = "\
sort t
mutable relation r(t)
init !r(X)
transition a(x: t)
  modifies r
  & (new(r(X)) <-> r(X) & X != x)
safety [none] !r(X)
fbii {
  forward { invariant !r(X) }
}
";

/// Shapes of executions, of which there are none.
const TRACES: &str = "\
sort t
immutable constant b: t
mutable relation r(t)
mutable constant c: t
derived relation d(t): forall X. d(X) <-> !r(X)
axiom exists X:t. X != b
init !r(X)
transition add(x: t, y: t)
  modifies r
  & (new(r(X)) <-> r(X) | X = x & X != b)
transition move(x: t)
  modifies c
  & new(c) = x
# Nothing is added there.
unsat trace {
  add(*, b)
  any transition
  assert r(b)
}
unsat trace {
  assert init
  assert r(c)
}
";

#[test]
fn queries_are_in_the_words_of_the_model() {
    let dir = Dir::new();
    dir.file("names.pyv", NAMES);
    dir.file("traces.pyv", TRACES);
    dir.file("proof.pyv", PROOF);
    dir.file("handover.smt2", include_str!("../../examples/handover.smt2"));
    let check = |run: &[&str], parts: &[&str]| {
        dir.run(&[run, &["--rocq", "page"]].concat()).ends_with(0);
        let page = fs::read_to_string(dir.0.join("page/Theorem.v")).expect("the page");
        for part in parts {
            assert!(page.contains(part), "{run:?}: {part}\n\n{page}");
        }
        assert!(!page.contains("reach"), "{run:?}: {page}");
    };
    check(
        &["theorem", "names.pyv"],
        &[
            "Definition theorem_one (s : state) : Prop :=\n  ((state_ s zero) = zero) -> (In s zero).",
            "forall s s' : state,\n  axiom_same ->\n  always_In s ->\n  always_In s' ->\n  theorem_two s s'.",
            "Theorem theorem_two_holds : claim_theorem_two.",
        ],
    );
    check(
        &["trace", "traces.pyv"],
        &[
            "(* # Nothing is added there.\n   traces.pyv, line 15: unsat trace { *)\n\
         Definition trace_L15 (s0 s1 s2 : state) : Prop :=\n  (init_1 s0) /\\\n  (exists (x : t) (y : t), (y = b) /\\",
            "  ((add s1 s2) \\/ (move s1 s2)) /\\\n  (r s2 b).",
            "forall s0 s1 s2 : state,\n  axiom_1 ->\n  always_d s0 ->\n  always_d s1 ->\n  always_d s2 ->\n  (~ (trace_L15 s0 s1 s2)).",
            "Theorem trace_L20_holds : claim_trace_L20.",
        ],
    );
    check(
        &["verify", "proof.pyv"],
        &[
            "That the claims of the model follow from them is no part of it.",
            "(* obligation proof 0 safety 0 none *)\n",
        ],
    );
    check(
        &["solve", "handover.smt2"],
        &[
            "Definition assumed_1 : Prop :=\n  forall (x : node) (y : node),\n  ((holds x) /\\ (holds y)) -> (x = y).",
            "(* Query 1, of line 16. *)\nDefinition claim_query_1 : Prop := (forall P : Prop, P \\/ ~ P) -> inhabited node ->\n  \
         assumed_1 ->\n  assumed_2 ->\n  assumed_3 ->\n  False.",
            "Theorem query_1_holds : claim_query_1.",
        ],
    );
}

/// A satisfiable problem with names that Rocq gives to what the page defines, and to a proof.
const LISTS: &str =
    "(declare-sort A_ind 0)(declare-sort A 0)(declare-const x A)(declare-fun A_rect (A A_ind) Bool)
(declare-const I Bool)(declare-const y A_ind)(assert (A_rect x y))(check-sat)\n";

#[test]
fn obligations_that_fail_are_in_the_words_of_the_model() {
    let dir = Dir::new();
    dir.file("open.pyv", NOT_INDUCTIVE);
    dir.run(&["verify", "open.pyv", "--rocq", "open"]).ends_with(1);
    let page = fs::read_to_string(dir.0.join("open/Theorem.v")).expect("the page");
    for part in [
        "says nothing about whether an\n   execution reaches it. *)\n",
        "Definition claim_add_none_fails : Prop :=\n  safety_none s /\\\n  add s s' /\\\n  ~ (safety_none s').\n",
        "(* Whether the initial states satisfy none. *)\nDefinition claim_init_none : Prop := (forall P : Prop, P \\/ ~ P) -> inhabited t -> \
         forall s : state,\n  init_1 s ->\n  safety_none s.\n",
        "Theorem init_none_holds : claim_init_none.",
        "(* Whether remove preserves none. *)\n",
        "Theorem add_none_fails : claim_add_none_fails.",
    ] {
        assert!(page.contains(part), "{part}\n\n{page}");
    }
    assert!(!page.contains("claim_add_none :"), "{page}");
    assert!(!page.contains("reach s"), "{page}");
}

/// A system whose safety property is not inductive.
const NOT_INDUCTIVE: &str = "\
sort t
immutable constant one: t
mutable relation r(t)
init !r(X)
transition add(x: t)
  modifies r
  & (new(r(X)) <-> r(X) | X = x)
transition remove(x: t)
  modifies r
  & (new(r(X)) <-> r(X) & X != x)
safety [none] r(X) -> X = one
";

/// Names that mean something there, functions, theorems about no, one and two states, and assertions of programs.
const NAMES: &str = "\
sort Prop
sort nat
sort Parameter
immutable relation r(Parameter)
immutable function f(Parameter): nat
immutable constant Inline: Parameter
mutable relation Build_state
immutable constant zero: nat
immutable function forall_(nat): Prop
mutable relation s(nat, Prop)
mutable function state(nat): nat
mutable relation And
axiom [same] forall X, Y. forall_(X) = forall_(Y)
derived relation In(nat): forall X. In(X) <-> state(X) = X
init [first] state(X) = zero & And & !s(X, Y)
transition match(fun: nat)
  modifies state, s
  & (forall A. new(state(A)) = (if A = fun then zero else state(A)))
  & (forall A, B. new(s(A, B)) <-> s(A, B) | A = fun & B = forall_(zero) & distinct(A, zero))
transition idle() = And
transition reach_ind() = And
transition means_idle() = And
safety [eq_refl] state(X) = zero & And
invariant [pf_x0] r(P) | !r(P) | f(P) = zero & P = Inline & Build_state
invariant [R] s(X, Y) -> Y = forall_(zero)
theorem [none] forall_(zero) = forall_(X)
theorem [one] state(zero) = zero -> In(zero)
twostate theorem [two] (forall X. state(X) = X) & (forall X. new(In(X)) <-> In(X)) -> new(state(zero)) = zero
";

/// A folder with the theory, compiled once.
struct Rocq {
    theory: Dir,
}

impl Rocq {
    /// Compiles the theory; `None` without `coqc`.
    fn new() -> Option<Rocq> {
        let coqc = std::env::var("COQC").unwrap_or_else(|_| "coqc".to_owned());
        if Command::new(&coqc).arg("--version").output().is_err() {
            skipped("Rocq (coqc) is not there");
            return None;
        }
        let theory = Dir::new();
        for name in THEORY.iter().map(|name| format!("{name}.v")).chain(["Makefile".to_owned()]) {
            let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("spec/rocq");
            fs::copy(folder.join(&name), theory.0.join(name)).expect("a file");
        }
        let (is_accepted, said) = make(&theory.0);
        assert!(is_accepted, "{said}");
        assert_eq!(said.matches("Closed under the global context").count(), 4, "{said}");
        assert!(!said.contains("Axioms:"), "{said}");
        Some(Rocq { theory })
    }

    /// Compiles what is in a folder, with this theory. Returns whether it is accepted, and what is said.
    fn accepts(&self, folder: &Path) -> (bool, String) {
        for theory in THEORY.iter().filter(|name| folder.join(format!("{name}.v")).exists()) {
            let compiled = format!("{theory}.vo");
            fs::copy(self.theory.0.join(&compiled), folder.join(&compiled)).expect("compiled");
        }
        make(folder)
    }
}

/// The files of the theory.
const THEORY: [&str; 6] = ["Core", "Check", "Sound", "Short", "Bounded", "Finite"];

fn make(folder: &Path) -> (bool, String) {
    let output = Command::new("make").arg("-C").arg(folder).output().expect("make");
    let said = [output.stdout, output.stderr].concat();
    (output.status.success(), String::from_utf8_lossy(&said).into_owned())
}

#[test]
fn rocq_accepts_the_theorems() {
    let Some(rocq) = Rocq::new() else { return };
    let dir = Dir::new();
    // An assertion before the loop reads what no command has changed.
    dir.file(
        "initial.rml",
        "sort t\nrelation p(t)\nvariable n: t\nassert p(n) | !p(n)\nwhile * { n := * }\n",
    );
    dir.file("before.rml", "sort t\nvariable n: t\nvariable m: t\nassert n = m\nwhile * { n := * }\n");
    // There is no initial state.
    dir.file("none.pyv", "sort t\nmutable relation r(t)\ninit r(X)\ninit exists X. !r(X)\ntransition a() = r(X)\nsafety !r(X)\n");
    dir.file("colours.pyv", COLOURS);
    dir.file("names.pyv", NAMES);
    dir.file("ring.pyv", include_str!("../../examples/ring_leader.pyv"));
    dir.file("lock.pyv", include_str!("../../examples/lock_server.pyv"));
    dir.file("lock.rml", include_str!("../../examples/lock_server.rml"));
    dir.file("service.ivy", include_str!("../../examples/bounded_service.ivy"));
    dir.file("traces.pyv", TRACES);
    dir.file("proof.pyv", PROOF);
    dir.file("open.pyv", NOT_INDUCTIVE);
    // Nothing changes in it.
    dir.file("rigid.ivy", "#lang ivy1.8\naction a(x: bool) = { assert x }\nexport a\n");
    dir.file("handover.smt2", include_str!("../../examples/handover.smt2"));
    dir.file("quorums.p", include_str!("../../examples/quorums.p"));
    dir.file("coloring.p", include_str!("../../examples/two_coloring.p"));
    let words = "(declare-sort bool 0)(declare-fun list (bool) Bool)(declare-const S bool)(declare-fun nat (bool bool) bool)\n\
                 (assert (list (nat S S)))(assert (not (list S)))(check-sat)\n(assert (forall ((x bool)) (= x S)))(check-sat)\n";
    dir.file("words.smt2", words);
    dir.file("lists.smt2", LISTS);
    // Transitions read the new state alone.
    dir.file(
        "new.pyv",
        "mutable relation r\nmutable relation q\ninit r & q\ntransition reset() modifies r, q new(r) & !new(q)\n\
         transition havoc() modifies r, q (new(r) <-> new(r)) & (new(q) <-> new(q))\nsafety r | q\n",
    );
    dir.file("contradiction.pyv", "mutable relation r\ninit false\ntransition t() = r\nsafety r & !r\n");
    let fails = "theorem [false_] r(P)\ntheorem [new_] s(X, Y) <-> state(X) = X\n";
    dir.file("fails.pyv", format!("{}{fails}", NAMES.split("theorem").next().unwrap_or_default()));
    dir.file("fails.pyv", format!("{}theorem [true_] f(P) = f(P)\n", dir.read("fails.pyv")));
    let queries = dir.run(&["core", "handover.smt2"]).ends_with(0).out;
    dir.file("queries.core", &queries);
    let mut runs: Vec<(&[&str], i32, usize)> = vec![
        (&["solve", "handover.smt2"], 0, 2),
        (&["bmc", "lock.pyv", "--property", "free"], 1, 1),
        (&["verify", "open.pyv"], 1, 3),
        (&["instance", "lock.pyv", "client=2"], 0, 2),
        (&["verify", "names.pyv"], 0, 5),
        (&["verify", "service.ivy"], 0, 2),
    ];
    // Each takes Rocq some seconds.
    if is_long() {
        let more: [(&[&str], i32, usize); 25] = [
            (&["trace", "traces.pyv"], 0, 2),
            (&["theorem", "fails.pyv"], 1, 3),
            (&["solve", "coloring.p"], 0, 1),
            (&["verify", "rigid.ivy"], 1, 1),
            (&["instance", "colours.pyv", "lamp=2"], 0, 2),
            (&["verify", "proof.pyv"], 0, 5),
            (&["bmc", "names.pyv", "--depth", "1", "--relax", "--property", "R"], 0, 1),
            (&["verify", "initial.rml", "--no-strict"], 0, 1),
            (&["verify", "ring.pyv"], 0, 3),
            (&["verify", "lock.rml"], 0, 2),
            (&["bmc", "names.pyv", "--depth", "2"], 0, 1),
            (&["bmc", "initial.rml", "--depth", "1", "--no-strict"], 0, 1),
            (&["bmc", "lock.pyv", "--depth", "3", "--relax", "--certify", "lock.cert"], 0, 1),
            (&["bmc", "service.ivy", "--depth", "2"], 0, 1),
            (&["theorem", "names.pyv"], 0, 3),
            (&["solve", "quorums.p", "--certify", "quorums.cert"], 0, 1),
            (&["trace", "lock.pyv"], 0, 2),
            (&["bmc", "names.pyv", "--property", "forall X. s(zero, X)", "--relax"], 1, 1),
            (&["core", "--read", "queries.core"], 0, 2),
            (&["solve", "words.smt2"], 0, 2),
            (&["instance", "colours.pyv", "lamp=3", "--functions", "binary"], 0, 2),
            (&["instance", "colours.pyv", "lamp=2", "-p", "light(X) = red"], 1, 1),
            (&["instance", "before.rml", "t=2", "--no-strict"], 1, 1),
            (&["instance", "service.ivy", "client=2", "ticket=2"], 0, 2),
            (&["instance", "none.pyv", "t=2"], 0, 2),
        ];
        runs.extend(more);
    }
    runs.push((&["solve", "lists.smt2"], 0, 1));
    runs.push((&["bmc", "new.pyv", "--depth", "2"], 1, 1));
    runs.push((&["verify", "contradiction.pyv"], 0, 1));
    let accepts = |(at, &(run, code, theorems)): (usize, &(&[&str], i32, usize))| {
        let folder = format!("theory_{at}");
        dir.run(&[run, &["--rocq", &folder]].concat()).ends_with(code);
        let (is_accepted, said) = rocq.accepts(&dir.0.join(folder));
        assert!(is_accepted, "{run:?}: {said}");
        assert_eq!(said.matches("Closed under the global context").count(), theorems, "{run:?}: {said}");
        assert!(!said.contains("Axioms:"), "{run:?}: {said}");
    };
    // This takes the longest of all tests of commands.
    thread::scope(|scope| {
        for half in 0..2 {
            let (runs, accepts) = (&runs, &accepts);
            scope.spawn(move || runs.iter().enumerate().skip(half).step_by(2).for_each(accepts));
        }
    });
    // Each refusal does, too.
    let refused = if is_long() { usize::MAX } else { 1 };
    // Less is assumed, or another thing.
    let folder = dir.0.join("theory_0");
    let page = fs::read_to_string(folder.join("Theorem.v")).expect("the page");
    let false_pages =
        [page.replace("  assumed_3 ->\n", ""), page.replace("(holds2 x) <-> (x = receiver)", "holds2 x")];
    for page in false_pages.into_iter().take(refused) {
        fs::write(folder.join("Theorem.v"), page).expect("written");
        let (is_accepted, said) = make(&folder);
        assert!(!is_accepted && said.contains("Error"), "{said}");
    }
    // Another structure, or the same one claimed of another formula.
    let folder = dir.0.join("theory_1");
    let page = fs::read_to_string(folder.join("Theorem.v")).expect("the page");
    let proof = fs::read_to_string(folder.join("Proof.v")).expect("the proof");
    let false_pages = [
        (page.replacen("free := true = true", "free := false = true", 1), proof.clone()),
        (page.replace("| client0 => true", "| client0 => false"), proof.clone()),
        (page.replace("~ (init_1 s2)", "init_1 s2"), proof.clone()),
        (page.clone(), proof.replace("(Not (Rel (Some 2) 0 []))", "(Rel (Some 2) 0 [])")),
    ];
    for (at, (false_page, false_proof)) in false_pages.into_iter().enumerate().take(refused) {
        assert!(false_page != page || false_proof != proof, "{at}");
        fs::write(folder.join("Theorem.v"), false_page).expect("written");
        fs::write(folder.join("Proof.v"), false_proof).expect("written");
        let (is_accepted, said) = make(&folder);
        assert!(!is_accepted && said.contains("Error"), "{at}: {said}");
    }
    // Of more elements, or of elements of which nothing is known, this is no proof.
    let folder = dir.0.join("theory_3");
    let page = fs::read_to_string(folder.join("Theorem.v")).expect("the page");
    let false_pages = [
        page.replace("(X = client0) \\/ (X = client1)", "True"),
        page.replace("  (~ (client0 = client1)).\n", "  True.\n"),
        page.replace("((holds s C) /\\ (holds s D_)) -> (C = D_)", "C = D_"),
        page.replacen(
            "Definition axioms (s : state) : Prop := axiom_elements_client /\\ ",
            "Definition axioms (s : state) : Prop := ",
            1,
        ),
    ];
    for (at, false_page) in false_pages.into_iter().enumerate().take(refused) {
        assert_ne!(false_page, page, "{at}");
        fs::write(folder.join("Theorem.v"), false_page).expect("written");
        let (is_accepted, said) = make(&folder);
        assert!(!is_accepted && said.contains("Error"), "{at}: {said}");
    }
    // What fails is no theorem, and what holds does not fail.
    let folder = dir.0.join("theory_2");
    let page = fs::read_to_string(folder.join("Theorem.v")).expect("the page");
    let false_pages = [
        page.replace("  ~ (safety_none s')", "  safety_none s'"),
        page.replacen("  safety_none s /\\\n", "  ~ (safety_none s) /\\\n", 1),
        page.replace("  remove s s' ->\n", "  add s s' ->\n"),
    ];
    for (at, false_page) in false_pages.into_iter().enumerate().take(refused) {
        assert_ne!(false_page, page, "{at}");
        fs::write(folder.join("Theorem.v"), false_page).expect("written");
        let (is_accepted, said) = make(&folder);
        assert!(!is_accepted && said.contains("Error"), "{at}: {said}");
    }
    // What another claim or another depth is proved by does not prove these.
    let run = |depth, property| {
        let folder = format!("lock_{depth}_{property}");
        let property = if property == "free" { "free -> !holds(C)" } else { property };
        dir.run(&["bmc", "lock.pyv", "--depth", depth, "--property", property, "--rocq", &folder])
            .ends_with(0);
        dir.0.join(folder)
    };
    let (two, three, free) = (run("2", "mutex"), run("3", "mutex"), run("2", "free"));
    assert!(rocq.accepts(&two).0);
    let page = fs::read_to_string(two.join("Theorem.v")).expect("the page");
    let proof = fs::read_to_string(two.join("Proof.v")).expect("the proof");
    let of = |folder: &Path, name| fs::read_to_string(folder.join(name)).expect("a file");
    let false_pages = [
        (of(&three, "Theorem.v"), proof.clone()),
        (of(&free, "Theorem.v"), proof.clone()),
        (page.clone(), of(&free, "Proof.v")),
        (page.replace("k <= 2", "k <= 3"), proof.clone()),
        (page.replace("k <= 2", "k <= 3"), proof.replace("depth : nat := 2", "depth : nat := 3")),
    ];
    for (at, (page, proof)) in false_pages.into_iter().enumerate().take(refused) {
        fs::write(two.join("Theorem.v"), page).expect("written");
        fs::write(two.join("Proof.v"), proof).expect("written");
        let (is_accepted, said) = make(&two);
        assert!(!is_accepted && said.contains("Error"), "{at}: {said}");
    }
}

/// Returns a text with a word of a line changed.
fn changed(text: &str, rng: &mut Rng) -> String {
    let mut lines: Vec<String> = text.lines().map(str::to_owned).collect();
    let (at, other) = (rng.below(lines.len()), rng.below(lines.len()));
    if rng.one_in(4) {
        lines.swap(at, other);
    } else if rng.one_in(4) {
        lines.remove(at);
    } else {
        let mut words: Vec<String> = lines[at].split(' ').map(str::to_owned).collect();
        let place = rng.below(words.len());
        words[place] = match words[place].parse::<u32>() {
            Ok(number) => (number + 1).to_string(),
            Err(_) => lines[other].split(' ').next().unwrap_or_default().to_owned(),
        };
        lines[at] = words.join(" ");
    }
    lines.join("\n") + "\n"
}

/// The program that is extracted from the proved checker accepts the same texts as the checker of this library.
#[test]
fn the_proved_program_agrees() {
    let is_there = |program: &str| Command::new(program).arg("-version").output().is_ok();
    let coqc = std::env::var("COQC").unwrap_or_else(|_| "coqc".to_owned());
    if !is_there(&coqc) || !is_there("ocamlfind") || !is_there("ocamlopt") {
        skipped("Rocq (coqc) or OCaml (ocamlfind, ocamlopt) is not there");
        return;
    }
    let dir = Dir::new();
    let theory = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("spec/rocq");
    fs::create_dir_all(dir.0.join("rocq/program")).expect("a folder");
    for name in ["Makefile", "Core.v", "Check.v", "program/Makefile", "program/Extract.v", "program/check.ml"]
    {
        fs::copy(theory.join(name), dir.0.join("rocq").join(name)).expect("a file");
    }
    let output = Command::new("make").arg("-C").arg(dir.0.join("rocq/program")).output().expect("make");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let proved = dir.0.join("rocq/program/ramsey-check-proved");
    let mut rng = Rng::new(1);
    let mut seen = [0; 2];
    for (name, text) in [
        ("ring.pyv", include_str!("../../examples/ring_leader.pyv")),
        ("lock.rml", include_str!("../../examples/lock_server.rml")),
        ("service.ivy", include_str!("../../examples/bounded_service.ivy")),
        ("toy.pyv", include_str!("../../examples/toy_consensus.pyv")),
    ] {
        dir.file(name, text);
        dir.run(&["verify", name, "--certify", "certificate"]).ends_with(0);
        let (form, certificate) = (dir.run(&["core", name]).ends_with(0).out, dir.read("certificate"));
        for number in 0..40 {
            let form = if number > 0 && number % 4 == 0 { changed(&form, &mut rng) } else { form.clone() };
            let certificate =
                if number % 4 == 0 { certificate.clone() } else { changed(&certificate, &mut rng) };
            dir.file("form", &form);
            dir.file("changed", &certificate);
            let here = Core::read(&form).is_ok_and(|core| check(core, certificate.as_bytes()).is_ok());
            let there = Command::new(&proved).current_dir(&dir.0).args(["form", "changed"]).output();
            let code = there.expect("the program").status.code();
            if code == Some(3) {
                continue;
            }
            assert_eq!(code == Some(0), here, "{name} {number}: {code:?}");
            seen[usize::from(here)] += 1;
        }
    }
    assert!(seen[0] >= 60 && seen[1] >= 4, "{seen:?}");
}
