//! The commands that `infer` tells where it finds no invariant.

use serde_json::Value;

use crate::common::binary::Dir;

#[test]
fn the_next_commands_go_on() {
    let dir = Dir::new();
    dir.file("a chord.rml", include_str!("../../examples/chord.rml"));
    // Of a model whose name needs quotes: the words of a command, as a shell has them.
    let words = |command: &str| -> Vec<String> {
        let words = command.strip_prefix("ramsey infer 'a chord.rml' ").expect("an inference of the model");
        ["infer", "a chord.rml"].into_iter().chain(words.split(' ')).map(str::to_owned).collect()
    };
    let (mut work, mut is_known) = (1_000_000, false);
    let mut args: Vec<String> = ["infer", "a chord.rml", "--work", "1000000"].map(str::to_owned).to_vec();
    // Each of them has more of what ended the search before.
    for round in 0..8 {
        // Lemmas that a run reads it does not replace.
        let found = format!("found{round}.json");
        let file = ["--output".to_owned(), found.clone()];
        let all: Vec<&str> = args.iter().chain(&file).map(String::as_str).collect();
        let run = dir.run(&all);
        if run.code == Some(0) {
            // The lemmas of the last run helped.
            assert!(is_known);
            return;
        }
        let run = run.ends_with(3);
        let (_, rest) = run.out.split_once("\nnext, one of:\n").expect("commands");
        let told: Vec<&str> = rest.lines().take_while(|it| it.starts_with("  ")).map(str::trim).collect();
        let document: Value = serde_json::from_str(&dir.read(&found)).expect("JSON");
        let next = document["next"].as_array().expect("commands").iter().filter_map(Value::as_str);
        assert_eq!(told, next.collect::<Vec<&str>>());
        work *= 4;
        assert!(told[0].contains(&format!(" --work {work}")), "{}", told[0]);
        is_known |= told[0].contains(&format!(" --from {found}"));
        args = words(told[0]);
    }
    panic!("the search does not end");
}

#[test]
fn the_next_command_has_what_the_search_lacked() {
    let dir = Dir::new();
    dir.file("toy.pyv", include_str!("../../examples/toy_consensus.pyv"));
    let next = |args: &[&str], code: i32| -> Vec<String> {
        let found =
            dir.run(&[&["infer", "toy.pyv", "--format", "json"], args].concat()).ends_with(code).json();
        let next = found["next"].as_array().cloned().unwrap_or_default();
        next.iter().filter_map(Value::as_str).map(str::to_owned).collect()
    };
    // What no universal invariant shows takes witnesses.
    let found = next(&["--method", "updr", "--seed", "3"], 1);
    assert_eq!(found, ["ramsey infer toy.pyv --method exists --seed 3"]);
    assert_eq!(next(&["--method", "exists", "--seed", "3"], 0), [""; 0]);
    // Candidates that do not suffice are joined by lemmas of a search.
    dir.file("hints.pyv", "invariant voted(N, V) -> !decided(V)\n");
    let found = next(&["--method", "houdini", "--hints", "hints.pyv", "--timeout", "2m"], 3);
    assert_eq!(found[0], "ramsey infer toy.pyv --hints hints.pyv --timeout 120");
    // Nothing is told about a model that is gone.
    let text = include_str!("../../examples/ring_leader.pyv");
    let run = dir.run_with(&["infer", "-", "--work", "100"], text).ends_with(3);
    assert!(!run.out.contains("next, one of"), "{}", run.out);
}
