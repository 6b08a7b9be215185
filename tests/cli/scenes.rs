//! What pictures of examples show: placement by the rules of `spec/pictures.md`, and theme files.

use crate::common::binary::{Dir, Run};
use crate::common::svg::check_svg;

/// Runs a command on an example with `--svg`; returns its output and the picture.
fn drawn(dir: &Dir, name: &str, text: &str, args: &[&str]) -> (Run, String) {
    dir.file(name, text);
    let args: Vec<&str> =
        args[..1].iter().chain(&[name, "--svg", "x.svg"]).chain(&args[1..]).copied().collect();
    let run = dir.run(&args);
    let svg = dir.read("x.svg");
    check_svg(&svg);
    (run, svg)
}

/// Relations of nodes and rounds, and of these and values, are cells; the sorts of values and quorums need no boxes.
#[test]
fn rounds_and_nodes_make_a_table() {
    let dir = Dir::new();
    let (_, svg) = drawn(&dir, "paxos.pyv", include_str!("../../examples/paxos_broken.pyv"), &["cti"]);
    for part in [
        "class=\"grid\"",
        ">le \u{2191} greatest</text>",
        ">voted: value",
        ">left</text>",
        "not drawn: value (",
    ] {
        assert!(svg.contains(part), "{part} in {svg}");
    }
    assert!(!svg.contains("data-sort=\"value\"") && !svg.contains("data-sort=\"quorum\""), "{svg}");
    assert!(svg.contains("data-fact=\"voted(node") && svg.contains("data-fact=\"member(node"), "{svg}");
}

/// Elements that constants name are called so, and a long execution with facts about single elements is one table.
#[test]
fn long_executions_are_timelines() {
    let dir = Dir::new();
    let text = include_str!("../../examples/two_phase_commit_broken.pyv");
    let (run, svg) = drawn(&dir, "commit.pyv", text, &["bmc", "--depth", "8"]);
    run.ends_with(1).prints("state(participant0) = working");
    assert!(
        svg.contains(">state 7</text>") && svg.contains(">obey</text>") && !svg.contains("class=\"panel\"")
    );
    assert!(svg.contains("not drawn: phase (working, prepared, committed, aborted)"), "{svg}");
    assert!(
        svg.contains(">~ state = prepared</text>")
            && !svg.contains(">state = phase")
            && !svg.contains(">working = working<")
    );
}

/// What no executed statement chose is shown nowhere, and documents without it are read.
#[test]
fn parameters_that_were_not_chosen_are_not_shown() {
    let dir = Dir::new();
    let text = include_str!("../../examples/leader_election_start.rml");
    let (run, svg) = drawn(&dir, "leader.rml", text, &["cti", "--output", "cti.json"]);
    run.ends_with(1).prints("transition branch2(i = id0, n = node0)\n");
    assert!(svg.contains("after branch2(i = id0, n = node0)<"), "{svg}");
    let document = dir.read("cti.json");
    let value: serde_json::Value = serde_json::from_str(&document).expect("a document");
    let params = &value["counterexample"]["transitions"][0]["params"];
    let expected = serde_json::json!([{"name": "i", "value": "id0"}, {"name": "n", "value": "node0"}]);
    assert_eq!(params, &expected);
    dir.run(&["show", "cti.json", "--model", "leader.rml"])
        .ends_with(0)
        .prints("branch2(i = id0, n = node0)");
    dir.file("odd.json", document.replace("\"name\": \"n\"", "\"name\": \"q\""));
    dir.run(&["show", "odd.json", "--model", "leader.rml"]).ends_with(2).complains("no parameter `q`");
    // A ring of two, and variables that nothing reads.
    assert!(svg.contains("class=\"placement\" data-symbol=\"btw\"") && svg.contains("-ring)\"/>"), "{svg}");
    assert!(svg.contains("read by nothing, left out: n, m, i") && svg.contains(">n1</text>"), "{svg}");
}

/// The names of the elements are the same in text, documents and pictures, and ascend along orders.
#[test]
fn names_are_the_same_everywhere() {
    let dir = Dir::new();
    let text = include_str!("../../examples/paxos_broken.pyv");
    drawn(&dir, "paxos.pyv", text, &["cti", "--output", "cti.json"]);
    let value: serde_json::Value = serde_json::from_str(&dir.read("cti.json")).expect("a document");
    let universes = value["counterexample"]["universes"].as_array().expect("universes");
    let rounds = universes.iter().find(|it| it["sort"] == "round").expect("rounds");
    assert!(rounds.get("shown").is_none(), "{rounds}");
    let facts = value["counterexample"]["immutable"].as_array().expect("facts");
    for fact in facts.iter().filter(|fact| fact["symbol"] == "le") {
        assert!(fact["args"][0].as_str() <= fact["args"][1].as_str(), "{fact}");
    }
}

#[test]
fn a_theme_file_stands_beside_the_model() {
    let dir = Dir::new();
    let text = include_str!("../../examples/leader_election_start.rml");
    dir.file("leader.theme", "# who is who\nname node0 Alice\nhide leader   # told by colour\n\nedges pnd\n");
    let (run, svg) = drawn(&dir, "leader.rml", text, &["cti", "--output", "cti.json"]);
    run.ends_with(1).prints("leader(node1)");
    assert!(svg.contains(">Alice</text>") && svg.contains("data-element=\"node0\""), "{svg}");
    assert!(!svg.contains(">leader</text>") && svg.contains("class=\"edge\""), "{svg}");
    dir.run(&["show", "cti.json", "--model", "leader.rml"]).ends_with(0).prints("    Alice\n");
    for (line, place, complaint) in [
        ("  hide leder", "leader.theme:2:8", "did you mean `leader`"),
        ("table leader", "leader.theme:2:7", "not about elements of two sorts"),
        ("project btw(_,_,_)", "leader.theme:2:9", "3 places"),
        ("name nobody Bob", "leader.theme:2:6", "the name of a sort with a number"),
        ("name node1", "leader.theme:2:6", "no name"),
        ("edges", "leader.theme:2:1", "nothing follows `edges`"),
        ("paint leader red", "leader.theme:2:7", "no wish"),
    ] {
        dir.file("leader.theme", format!("# first\n{line}\n"));
        let run = dir.run(&["cti", "leader.rml", "--svg", "y.svg"]).ends_with(2);
        run.complains(complaint).complains(place);
        // Who draws nothing does not read it.
        dir.run(&["cti", "leader.rml"]).ends_with(1);
    }
    dir.file("leader.theme", "table pnd\n");
    let (_, svg) = drawn(&dir, "leader.rml", text, &["cti"]);
    assert!(svg.contains("class=\"grid\""), "also where nodes are a ring: {svg}");
}
