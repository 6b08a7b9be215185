//! `ramsey bmc --deadlock` through the binary, and deadlocks met by random walks.

use crate::common::binary::{Dir, LOCK};

/// Two processes that wait for each other.
const WAITING: &str = "\
sort node
mutable relation waits(node, node)
axiom exists X:node, Y. X != Y
init !waits(X, Y)
transition wait(a: node, b: node)
  modifies waits
  a != b & (forall X. !waits(a, X)) & (new(waits(X, Y)) <-> waits(X, Y) | X = a & Y = b)
transition go(a: node, b: node)
  modifies waits
  waits(a, b) & (forall X. !waits(b, X)) & (new(waits(X, Y)) <-> waits(X, Y) & !(X = a & Y = b))
";

/// A transition whose next state is given by a relation between the two states.
const LOSES: &str = "\
sort node
mutable relation q(node)
init q(X)
transition lose()
  modifies q
  (forall X. new(q(X)) -> q(X)) & (exists X. q(X) & !new(q(X)))
";

#[test]
fn a_deadlock_is_found_and_told() {
    let dir = Dir::new();
    dir.file("m.pyv", WAITING);
    let run = dir.run(&["bmc", "m.pyv", "--deadlock"]).ends_with(1);
    for text in [
        "depth 1  ok",
        "depth 2  VIOLATED",
        "a deadlock is reached after 2 steps: no transition can be taken",
        "why no transition can be taken:",
        "the shortest way to a deadlock has 2 steps",
    ] {
        assert!(run.out.contains(text), "no {text:?} in\n{}", run.out);
    }
    let run = dir.run(&["bmc", "m.pyv", "--deadlock", "--format", "json"]).ends_with(1);
    let document = run.json();
    assert_eq!(document["properties"][0]["kind"], "deadlock");
    let blocked = document["violation"]["blocked"].as_array().expect("a list");
    let names: Vec<&str> = blocked.iter().filter_map(|it| it["name"].as_str()).collect();
    assert_eq!(names, ["wait", "go"]);
    dir.run(&["bmc", "m.pyv", "--deadlock", "--svg", "d.svg"]).ends_with(1);
    assert!(dir.0.join("d.svg").exists());
}

#[test]
fn what_can_go_on_has_no_deadlock() {
    let dir = Dir::new();
    dir.file("lock.pyv", LOCK);
    dir.run(&["bmc", "lock.pyv", "--deadlock"])
        .ends_with(0)
        .prints("no execution of at most 5 steps ends in a deadlock")
        .silent_on_stderr();
}

#[test]
fn progress_is_certified() {
    let dir = Dir::new();
    dir.file("lock.pyv", LOCK);
    dir.run(&["bmc", "lock.pyv", "--deadlock", "--depth", "3", "--certify", "cert"])
        .ends_with(0)
        .prints("  certificate cert: 4 obligations, 4 proved");
    let check = |model: &str| {
        let mut command = std::process::Command::new(env!("CARGO_BIN_EXE_ramsey-check"));
        let output = command.current_dir(&dir.0).args([model, "cert"]).output().expect("the checker");
        (output.status.code(), String::from_utf8_lossy(&output.stdout).into_owned())
    };
    let claim = "claim bmc 3 invariant:1 deadlock proved";
    dir.run(&["check", "lock.pyv", "cert"]).ends_with(0).prints(claim);
    let (code, out) = check("lock.pyv");
    assert!(code == Some(0) && out.contains(claim), "{out}");
    // Where nobody gives the lock back, nobody gets it again.
    let (without, _) = LOCK.split_once("transition release").expect("a transition");
    dir.file("stuck.pyv", format!("{without}safety [mutex] held(N1) & held(N2) -> N1 = N2\n"));
    dir.run(&["check", "stuck.pyv", "cert"]).ends_with(1);
    assert_eq!(check("stuck.pyv").0, Some(1));
    dir.file("none.pyv", "sort node\nmutable relation held(node)\ninit !held(N)\nsafety !held(N)\n");
    dir.run(&["check", "none.pyv", "cert"]).ends_with(2).complains("the model has no transition");
    assert_eq!(check("none.pyv").0, Some(2));
    // A deadlock has no certificate, and neither has progress by a transition that is left out.
    dir.run(&["bmc", "stuck.pyv", "--deadlock", "--certify", "no"]).ends_with(1).prints("no certificate: ");
    dir.file(
        "loses.pyv",
        LOSES.replace(
            "  (forall X. new(q(X)) -> q(X)) & (exists X. q(X) & !new(q(X)))",
            "  (forall X. new(q(X)) -> q(X))",
        ),
    );
    dir.run(&["bmc", "loses.pyv", "--deadlock", "--certify", "no"]).ends_with(3);
    assert!(!dir.0.join("no").exists());
}

#[test]
fn a_next_state_that_no_formula_describes() {
    let dir = Dir::new();
    // The transition is enabled, but no formula expresses that.
    dir.file("on.pyv", LOSES);
    let run = dir.run(&["bmc", "on.pyv", "--deadlock"]).ends_with(3);
    assert!(run.out.contains("has a way out by `lose`"), "{}", run.out);
    // It is not enabled, which a search detects.
    dir.file("off.pyv", LOSES.replace("init q(X)", "init !q(X)"));
    dir.run(&["bmc", "off.pyv", "--deadlock"]).ends_with(1).prints("an initial state is a deadlock");
    // Irrelevant if another transition is always enabled.
    dir.file("both.pyv", format!("{LOSES}transition stay()\n  = true\n"));
    dir.run(&["bmc", "both.pyv", "--deadlock"]).ends_with(0);
}

#[test]
fn an_action_that_cannot_complete() {
    let dir = Dir::new();
    let program = "sort node\nrelation up(node)\nvariable n: node\nassume !up(X)\n\
                   while * { n := *; assume !up(n); up.insert(n) }\n";
    dir.file("m.rml", program);
    let run = dir.run(&["bmc", "m.rml", "--deadlock"]).ends_with(1);
    assert!(run.out.contains("a deadlock is reached after 1 step"), "{}", run.out);
    dir.file("free.rml", program.replace("assume !up(n); ", ""));
    dir.run(&["bmc", "free.rml", "--deadlock"]).ends_with(0);
}

#[test]
fn a_walk_begins_where_something_can_move() {
    let dir = Dir::new();
    dir.file(
        "m.pyv",
        "sort n\nimmutable constant a: n\nimmutable constant b: n\nmutable relation p(n)\ninit !p(X)\n\
         transition set()\n  modifies p\n  a = b & (new(p(X)) <-> X = a)\n\
         transition never()\n  = false\n",
    );
    for seed in ["0", "1", "2", "3", "4", "5"] {
        let run = dir.run(&["simulate", "m.pyv", "--steps", "1", "--seed", seed]).ends_with(0);
        assert!(run.out.contains("\n1 step\n  never taken: never\n"), "{}", run.out);
    }
    let run = dir.run(&["simulate", "m.pyv", "--steps", "1", "--format", "json"]).ends_with(0);
    let document = run.json();
    assert_eq!(document["never_taken"][0], "never");
    assert_eq!(document["sizes_tried"][0][0]["size"], 3);
}

#[test]
fn the_sizes_that_were_tried_are_told() {
    let dir = Dir::new();
    dir.file("none.pyv", "sort n\nmutable relation p(n)\ninit p(X)\ninit !p(X)\n");
    dir.run(&["simulate", "none.pyv"])
        .ends_with(1)
        .prints("there is no initial state of the sizes that were tried: n=3; n=2");
}

/// The values of a relation that an action chooses at once do not differ from those at its points.
#[test]
fn what_no_chosen_relation_satisfies_is_a_deadlock() {
    let dir = Dir::new();
    let model = |statements: &str| {
        format!(
            "#lang ivy1.7\ntype t\nindividual a:t\nrelation p(X:t)\nfunction f(X:t):t\nafter init {{ p(X) := false; f(X) := X }}\n\
             action go = {{ {statements} }}\nexport go\n"
        )
    };
    dir.file("none.ivy", model("p(X) := *; assume p(a); assume forall Y. ~p(Y)"))
        .file("some.ivy", model("p(X) := *; assume p(a); assume exists Y. ~p(Y)"))
        .file("function.ivy", model("f(X) := *; assume f(a) ~= a; assume forall Y. f(Y) ~= Y"));
    let found = "an initial state is a deadlock: no transition can be taken";
    dir.run(&["bmc", "--deadlock", "--depth", "1", "none.ivy"]).ends_with(1).prints(found);
    for name in ["some.ivy", "function.ivy"] {
        dir.run(&["bmc", "--deadlock", "--depth", "1", name]).ends_with(1).prints(found).prints("t: t0\n");
    }
}
