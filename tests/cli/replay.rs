//! Executions that are followed, by `simulate --replay`: as they were found, and changed.

use std::fs;
use std::path::Path;

use serde_json::{Value, json};

use crate::common::binary::{Dir, broken_lock};

#[test]
fn executions_of_the_model_are_followed() {
    let dir = Dir::new();
    dir.file("bad.pyv", broken_lock());
    dir.run(&["bmc", "bad.pyv", "--itf", "t.json", "--report", "json=b.json"]).ends_with(1);
    for document in ["t.json", "b.json"] {
        dir.run(&["simulate", "bad.pyv", "--replay", document])
            .ends_with(1)
            .prints("transition acquire(n = node1)")
            .prints("violated: safety property `mutex` in state 2")
            .prints("2 steps; a claim is violated");
    }
    let json =
        dir.run(&["simulate", "bad.pyv", "--replay", "t.json", "--format", "json"]).ends_with(1).json();
    assert_eq!((&json["end"]["reason"], &json["violations"][0]["label"]), (&"steps".into(), &"mutex".into()));
}

/// The values of parameters of sort `bool` are written like elements.
#[test]
fn executions_with_truth_values_are_followed() {
    let dir = Dir::new();
    dir.file(
        "m.rml",
        "sort s\nrelation p: s\nassume !p(X)\nwhile * {\n  action go(x: s, m: bool) { if m { p(x) := true } }\n}\nsafety [none] !p(X)\n",
    );
    dir.run(&["bmc", "m.rml", "--itf", "t.json", "--report", "json=b.json"]).ends_with(1);
    for document in ["t.json", "b.json"] {
        dir.run(&["simulate", "m.rml", "--replay", document])
            .ends_with(1)
            .prints("transition go(x = s0, m = true)")
            .prints("1 step; a claim is violated");
    }
    dir.run(&["show", "--model", "m.rml", "b.json"])
        .ends_with(0)
        .prints("state 1, after go(x = s0, m = true):");
}

#[test]
fn changed_executions_are_not() {
    let dir = Dir::new();
    dir.file("bad.pyv", broken_lock());
    dir.run(&["bmc", "bad.pyv", "--itf", "t.json"]).ends_with(1);
    let trace: Value = serde_json::from_str(&dir.read("t.json")).expect("JSON");
    let changed = |change: &dyn Fn(&mut Value), text: &str| {
        let mut trace = trace.clone();
        change(&mut trace);
        dir.file("changed.json", trace.to_string());
        let run = dir.run(&["simulate", "bad.pyv", "--replay", "changed.json"]).ends_with(1).prints(text);
        assert!(!run.out.contains("claim is violated"), "{}", run.out);
        let json = dir.run(&["simulate", "bad.pyv", "--replay", "changed.json", "--format", "json"]).json();
        assert_eq!(json["end"]["reason"], "departed");
    };
    let release = |trace: &mut Value| trace["states"][1]["mbt::actionTaken"] = "release".into();
    changed(&release, "`release` does not lead from state 0 to state 1");
    let argument = |trace: &mut Value| trace["states"][1]["mbt::nondetPicks"]["n"]["value"] = "node1".into();
    changed(&argument, "`acquire` does not lead from state 0 to state 1");
    let initial = |trace: &mut Value| trace["states"][0]["held"]["#set"] = json!(["node1"]);
    changed(&initial, "state 0 is no initial state of the model: false: !held(N) for N = node1");
    let without = |trace: &mut Value| {
        for state in trace["states"].as_array_mut().expect("states") {
            let fields = state.as_object_mut().expect("a state");
            fields.retain(|name, _| !name.starts_with("mbt::"));
        }
        trace["vars"] = json!(["held"]);
    };
    // Without transitions, any will do; a state too few has none.
    let leap = |trace: &mut Value| {
        without(trace);
        trace["states"].as_array_mut().expect("states").remove(1);
    };
    changed(&leap, "no transition leads from state 0 to state 1");
    let mut plain = trace.clone();
    without(&mut plain);
    dir.file("plain.json", plain.to_string());
    dir.run(&["simulate", "bad.pyv", "--replay", "plain.json"])
        .ends_with(1)
        .prints("2 steps; a claim is violated");
}

#[test]
fn walks_through_examples_come_back() {
    let dir = Dir::new();
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("examples");
    let mut count = 0;
    for entry in fs::read_dir(folder).expect("examples") {
        let path = entry.expect("an example").path();
        if !path.extension().is_some_and(|it| ["pyv", "rml", "ivy"].iter().any(|e| it == *e)) {
            continue;
        }
        let path = path.to_str().expect("UTF-8");
        let walked =
            dir.run(&["simulate", path, "--steps", "3", "--itf", "w.json", "--format", "json"]).json();
        if walked["end"]["reason"] != "steps" {
            continue;
        }
        let back = dir.run(&["simulate", path, "--replay", "w.json", "--format", "json"]).json();
        for field in ["execution", "violations", "end"] {
            assert_eq!(back[field], walked[field], "{path}");
        }
        let shown = dir.run(&["show", "w.json", "--model", path, "--itf", "again.json"]).ends_with(0);
        assert_eq!(shown.out, "");
        let states = |name: &str| {
            let trace: Value = serde_json::from_str(&dir.read(name)).expect("JSON");
            trace["states"].clone()
        };
        assert_eq!(states("again.json"), states("w.json"), "{path}");
        count += 1;
    }
    assert!(count > 15, "{count}");
}

/// Documents do not tell which functions and relations a step chose; there are some that lead to the next state, or there are none.
#[test]
fn executions_with_chosen_functions_are_followed() {
    let dir = Dir::new();
    dir.file(
        "m.ivy",
        "#lang ivy1.7\ntype t\nindividual a:t\nfunction f(X:t):t\nrelation r(X:t)\n\
         after init { f(X) := *; assume f(a) = a; r(X) := false }\n\
         action go = { f(X) := *; r(X) := *; assume f(a) ~= a; assume r(X) <-> f(X) = a }\nexport go\n\
         invariant [own] exists X. f(X) = X\n",
    );
    dir.run(&["bmc", "m.ivy", "--itf", "t.json", "--report", "json=b.json"]).ends_with(1);
    for document in ["t.json", "b.json"] {
        dir.run(&["simulate", "m.ivy", "--replay", document])
            .ends_with(1)
            .prints("1 step; a claim is violated");
    }
    dir.run(&["show", "--model", "m.ivy", "b.json"]).ends_with(0).prints("state 1, after go():");
    let mut trace: Value = serde_json::from_str(&dir.read("t.json")).expect("JSON");
    trace["states"][1]["r"] = json!({ "#set": [] });
    dir.file("changed.json", trace.to_string());
    let run = dir.run(&["simulate", "m.ivy", "--replay", "changed.json"]).ends_with(1);
    assert!(!run.out.contains("claim is violated"), "{}", run.out);
}

/// Where the part before the initial states goes wrong, there is no initial state to begin in.
#[test]
fn violations_before_the_initial_states_are_followed() {
    let dir = Dir::new();
    let program = "sort s\nrelation p: s\nvariable n: s\nif * { p(X) := true } else { p(X) := false }\n\
                   assert !p(n)\nwhile * {\n  p(X) := false\n}\nsafety p(X) | !p(X)\n";
    dir.file("m.rml", program).file("never.rml", program.replace(":= false }", ":= true }"));
    dir.run(&["bmc", "m.rml", "--itf", "t.json", "--report", "json=b.json"]).ends_with(1);
    for document in ["t.json", "b.json"] {
        dir.run(&["simulate", "m.rml", "--replay", document])
            .ends_with(1)
            .prints("violated before the initial states: assertion `L5`")
            .prints("5 | assert !p(n)")
            .prints("0 steps; a claim is violated");
    }
    dir.run(&["simulate", "never.rml", "--replay", "t.json"])
        .ends_with(1)
        .prints("violated before the initial states: assertion `L5`");
    dir.file("right.rml", program.replace(":= true", ":= false"));
    let run = dir.run(&["simulate", "right.rml", "--replay", "t.json"]).ends_with(0);
    assert!(!run.out.contains("claim is violated"), "{}", run.out);
}
