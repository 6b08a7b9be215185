//! The binary of `explain`: text, documents, graphs, exit codes.

use crate::common::binary::{Dir, broken_lock};
use crate::common::svg::check_svg;

const LOCK: &str = include_str!("../../examples/lock_server.pyv");
const COMMIT: &str = include_str!("../../examples/two_phase_commit.pyv");

fn dir() -> Dir {
    let dir = Dir::new();
    dir.file("lock.pyv", LOCK).file("commit.pyv", COMMIT).file("broken.pyv", broken_lock());
    dir
}

#[test]
fn proofs_and_excluded_states_are_told() {
    let run = dir().run(&["explain", "lock.pyv"]).ends_with(0).silent_on_stderr();
    let run = run.prints("lock.pyv: inductive; 1 goal, 3 other claims, needed\n");
    let run = run.prints("\nsafety mutex: forall C:client, D:client. holds(C) & holds(D) -> C = D\n  init: nothing else\n  receive_lock: one_owner\n  unlock: itself\n  request, grant, receive_return: unchanged\n");
    let run = run.prints("\n  needed by mutex (receive_lock), one_place (receive_return)\n");
    run.prints("\n  without it `receive_lock` breaks `mutex`, from state 0 here:\n    universes:\n");
}

#[test]
fn what_is_not_needed_is_told() {
    let dir = dir();
    let run = dir.run(&["explain", "commit.pyv", "--only-proofs"]).ends_with(0);
    let run = run.prints("  not needed, all of them: orders\n");
    let run = run.prints("  not needed: the goals are proved without it\n");
    assert!(!run.out.contains("state 0"), "{}", run.out);
    // Another goal needs less.
    let run = dir.run(&["explain", "commit.pyv", "--goal", "said_when_ready", "--invariant", "promise"]);
    let run = run.ends_with(0).prints("1 goal, 6 other claims");
    let run = run.prints("  not needed, all of them: agreement, commit_by_order, commit_of_all, heard_was_said, promise, orders\n");
    assert_eq!(run.out.matches("\ninvariant ").count(), 1, "{}", run.out);
}

#[test]
fn documents_have_the_form_of_the_schema() {
    let dir = dir();
    for (model, code, inductive) in [("lock.pyv", 0, true), ("commit.pyv", 0, true), ("broken.pyv", 1, false)]
    {
        let document = dir.run(&["explain", model, "--format", "json"]).ends_with(code).json();
        assert_eq!(document["inductive"], inductive);
        let claims = document["claims"].as_array().expect("a list");
        let standings: Vec<&str> = claims.iter().filter_map(|it| it["standing"].as_str()).collect();
        assert_eq!(standings.contains(&"unneeded"), model == "commit.pyv");
        assert_eq!(standings.contains(&"needed"), inductive);
    }
    let run = dir.run(&["explain", "lock.pyv", "-o", "answer.json"]).ends_with(0);
    assert!(run.out.contains("safety mutex"));
    let document: serde_json::Value = serde_json::from_str(&dir.read("answer.json")).expect("JSON");
    let of_safety = &document["claims"][0]["obligations"];
    let find = |place: &str| of_safety.as_array()?.iter().find(|it| it["place"] == place);
    assert_eq!(find("receive_lock").expect("a transition")["invariants"], serde_json::json!(["one_owner"]));
    assert_eq!(find("request").expect("a transition")["unchanged"], true);
    let excluded = &document["claims"][1]["excludes"];
    assert_eq!([&excluded["claim"], &excluded["place"]], ["mutex", "receive_lock"]);
    assert_eq!(excluded["counterexample"]["violated"]["state"], 1);
    let document = dir.run(&["explain", "nowhere.pyv", "--format", "json"]).ends_with(2).json();
    assert_eq!(document["inductive"], serde_json::Value::Null);
}

#[test]
fn graphs_are_drawn() {
    let dir = dir();
    let args = ["explain", "commit.pyv", "--graph", "graph.svg", "--svg", "state.svg"];
    dir.run(&args).ends_with(0);
    for picture in ["graph.svg", "state.svg", "state-2.svg"] {
        check_svg(&dir.read(picture));
    }
    assert!(dir.read("graph.svg").contains("not needed"));
    dir.run(&["explain", "commit.pyv", "--only-proofs", "--graph", "graph.dot"]).ends_with(0);
    let graph = dir.read("graph.dot");
    assert!(graph.contains("<b>agreement</b><br/><font") && graph.contains("give_up, obey"), "{graph}");
}

#[test]
fn failures_are_told() {
    let dir = dir();
    let run = dir.run(&["explain", "broken.pyv"]).ends_with(1);
    let run =
        run.prints("broken.pyv: not inductive, 1 of 3 obligations without a proof; ").prints(": no proof\n");
    run.prints("`ramsey cti` shows why an obligation has no proof");
    let run = dir.run(&["explain", "lock.pyv", "--work", "1"]).ends_with(3);
    run.prints("24 of 24 obligations unknown").prints("unknown (work budget)");
    // All obligations are proved, and a limit leaves open what the goals need.
    dir.file("moved.rml", include_str!("../../examples/distributed_lock.rml"));
    let with_work = |work: u32| dir.run(&["explain", "moved.rml", "--work", &work.to_string()]);
    let mut runs = (10..40).map(|at| with_work(100 * at)).filter(|run| run.out.contains(": inductive; "));
    let run = runs.find(|run| run.code == Some(3)).expect("a limit");
    run.prints("\n  unknown (work budget): whether the goals have a proof without it\n");
    dir.run(&["explain", "lock.pyv", "--invariant", "mutx"]).ends_with(2).complains("did you mean `mutex`?");
    let run = dir.run(&["explain", "lock.pyv", "--goal", "mutx"]).ends_with(2);
    run.complains("--goal: there is no invariant or assertion `mutx`").complains("did you mean `mutex`?");
    let run = dir.run(&["explain", "lock.pyv", "--graph", "graph.png"]).ends_with(2);
    run.complains("--graph: the file is called .svg or .dot");
    let run = dir.run(&["explain", "lock.pyv", "--graph", "no/graph.svg"]).ends_with(2);
    assert_eq!(run.out, "");
    dir.run(&["explain", "lock.pyv", "--graph", "x.svg", "-o", "x.svg"]).ends_with(2);
    // Obligations outside the fragment are told before the search.
    let outside = "sort thing\nmutable relation r(thing, thing)\ninit r(X, Y)\n\
        transition t(a: thing)\n  modifies r\n  forall X, Y. new(r(X, Y)) <-> r(X, Y) | X = a\n\
        safety [seen] forall X:thing. exists Y:thing. r(X, Y)\n";
    dir.file("outside.pyv", outside).run(&["explain", "outside.pyv"]).ends_with(0).complains("R015");
    dir.file("empty.pyv", "sort thing\n");
    let run = dir.run(&["explain", "empty.pyv"]).ends_with(0).complains("R026");
    assert_eq!(run.out, "");
}
