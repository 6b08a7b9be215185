//! `ramsey solve` on circuits: answers, exit codes, errors and certificates.

use std::process::Command;

use crate::common::binary::Dir;

/// A counter of two bits that counts while its input is true, and a latch that stays as it is. The first property is
/// violated when the counter is 3, the second one when the latch is true.
const MODEL: &str = "aag 11 1 3 0 7 2\n2\n4 12\n6 20\n8 8\n22\n8\n10 4 2\n12 11 15\n14 5 3\n16 6 10\n18 7 11\n20 17 19\n\
                     22 4 6\nb0 full\n";

#[test]
fn properties_answer_as_in_the_competition() {
    let dir = Dir::new();
    dir.file("model.aag", MODEL);
    let run = dir.run(&["solve", "model.aag"]).ends_with(10);
    let lines: Vec<&str> = run.out.lines().collect();
    assert!(lines[0].starts_with("c property 0 `full` is violated after "), "{}", run.out);
    assert_eq!(lines[1..4], ["1", "b0", "000"], "{}", run.out);
    let end = lines.iter().position(|&line| line == ".").expect("an end");
    assert!(lines[4..end].iter().all(|line| *line == "0" || *line == "1"));
    assert!(lines[end + 1].starts_with("c property 1 is safe"), "{}", run.out);
    assert_eq!(lines[end + 2..], ["0", "b1", "."]);
    let quiet = dir.run(&["solve", "-q", "model.aag"]).ends_with(10).out;
    assert!(quiet.contains("\n1\nb0\n.\n"), "{quiet}");
    dir.run_with(&["solve", "-"], MODEL).ends_with(10);
    dir.file("safe.aag", "aag 1 0 1 1 0\n2 2\n2\n");
    dir.run(&["solve", "safe.aag"]).ends_with(20).prints("c property 0 is safe");
    dir.run(&["solve", "--work", "1", "--stats", "model.aag"]).prints("\n2\nb0\n");
}

#[test]
fn errors_have_places() {
    let dir = Dir::new();
    dir.file("bad.aag", "aag 1 1 0 1 0\n2\n4\n");
    dir.run(&["solve", "bad.aag"]).ends_with(2).complains("bad.aag:3:1").complains("literal 4 is beyond");
    dir.file("live.aag", "aag 1 1 0 0 0 0 0 0 1\n2\n2\n");
    dir.run(&["solve", "live.aag"]).ends_with(2).complains("R032").complains("fairness constraints");
    dir.file("bad.aig", b"aig 1 0 0 0 1\n\xFF\xFF");
    dir.run(&["solve", "bad.aig"]).ends_with(2).complains("byte 16: the text ends in the gates");
    dir.run(&["solve", "--proof", "x", "bad.aag"]).ends_with(2).complains("--certify");
    dir.run(&["solve", "--export", "x", "bad.aag"]).ends_with(2).complains("bad.aag:3:1");
    assert!(!dir.0.join("x").exists());
    dir.run(&["solve", "--input", "dimacs", "bad.aag"]).ends_with(2).complains("AIGER");
}

#[test]
fn documents_fit_the_schema() {
    let dir = Dir::new();
    dir.file("model.aag", MODEL);
    let document = dir.run(&["solve", "--format", "json", "--stats", "model.aag"]).ends_with(10).json();
    assert_eq!(document["answers"][0]["answer"], "unsafe");
    assert_eq!(document["answers"][0]["items"][0], "000");
    assert_eq!(document["answers"][1]["answer"], "safe");
    assert_eq!(document["answers"][1]["property"], 1);
    assert_eq!(document["language"], "aiger");
}

#[test]
fn witnesses_are_written_for_other_checkers() {
    let dir = Dir::new();
    dir.file("model.aag", MODEL);
    dir.run(&["solve", "-q", "--export", "out", "model.aag"])
        .ends_with(10)
        .prints("c exports out/model.aag.export: 1 witness circuits, 1 executions");
    let read = |name: &str| dir.read(&format!("out/model.aag.export/{name}"));
    let witness = read("b1.witness.aag");
    let names: Vec<&str> = witness.lines().filter(|line| line.contains('=')).collect();
    assert_eq!(names, ["i0 = 2", "l0 = 4", "l1 = 6", "l2 = 8"]);
    // The property of the witness is inductive, so that no invariant is needed.
    let circuit = ramsey::lang::aiger::parse(witness.as_bytes()).expect("a circuit");
    assert_eq!((circuit.num_inputs(), circuit.latches().len(), circuit.properties().len()), (1, 3, 1));
    dir.file("witness.aag", &witness);
    dir.run(&["solve", "witness.aag"]).ends_with(20);
    assert!(read("b0.stim").starts_with("1\nb0\n000\n") && read("b0.stim").ends_with("\n.\n"));
    for (name, code) in [("b0.aag", 10), ("b1.aag", 20)] {
        dir.file(name, read(name)).run(&["solve", name]).ends_with(code);
    }
    dir.run_with(&["solve", "--export", "out", "-"], MODEL).ends_with(2).complains("standard input");
}

#[test]
fn certificates_are_checked() {
    let dir = Dir::new();
    dir.file("model.aag", MODEL).file("other.aag", MODEL.replace("8 8\n", "8 8 1\n"));
    let check = |model: &str, certificate: &str| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_ramsey-check"));
        let output = command.current_dir(&dir.0).args([model, certificate]).output().expect("the checker");
        (output.status.code(), String::from_utf8_lossy(&output.stdout).into_owned())
    };
    dir.run(&["solve", "-q", "--certify", "a.cert", "model.aag"])
        .ends_with(10)
        .prints("certificate a.cert: 1 proofs");
    let (code, out) = check("model.aag", "a.cert");
    assert_eq!(code, Some(0), "{out}");
    assert!(out.starts_with("accepted: ") && out.contains("property 1: safe"), "{out}");
    let (code, out) = check("other.aag", "a.cert");
    assert_eq!(code, Some(1), "{out}");
    let text = std::fs::read_to_string(dir.0.join("a.cert")).expect("text");
    dir.file("b.cert", text.replace("violated 0", "violated 1").replace("safe 1", "safe 0"));
    let (code, out) = check("model.aag", "b.cert");
    assert!(code == Some(1) && out.starts_with("rejected: b.cert: line "), "{out}");
    dir.run(&["solve", "-q", "--certify", "a.cert.gz", "model.aag"]).ends_with(10);
    assert_eq!(check("model.aag", "a.cert.gz").0, Some(0));
    assert_eq!(check("model.aag", "missing").0, Some(2));
    dir.run_with(&["solve", "--certify", "c.cert", "-"], MODEL).ends_with(2).complains("standard input");
}

#[test]
fn certificates_are_checked_by_the_solver_too() {
    let dir = Dir::new();
    dir.file("model.aag", MODEL).file("other.aag", MODEL.replace("8 8\n", "8 8 1\n"));
    dir.file("commented.aag", format!("{MODEL}c\na comment\n")).file("bad.aag", "aag 1 1 0 1 0\n2\n4\n");
    dir.run(&["solve", "-q", "--certify", "a.cert", "model.aag"]).ends_with(10);
    let run = dir
        .run(&["check", "model.aag", "a.cert"])
        .ends_with(0)
        .prints("accepted: 1 properties safe in ")
        .prints("property 1: safe\n")
        .prints("property 0: violated after ");
    assert!(!run.out.contains("note: "), "{}", run.out);
    dir.run(&["check", "commented.aag", "a.cert"])
        .ends_with(0)
        .prints("note: the certificate was made for another file of the circuit");
    dir.run(&["check", "other.aag", "a.cert"]).ends_with(1).prints("rejected: line ");
    dir.run(&["check", "bad.aag", "a.cert"]).ends_with(2).complains("bad.aag:3:1");
    dir.run(&["check", "model.aag", "missing"]).ends_with(2).complains("missing");
    dir.run(&["check", "missing.aag", "a.cert"]).ends_with(2).complains("missing.aag");

    let document = dir.run(&["check", "--format", "json", "model.aag", "a.cert"]).ends_with(0).json();
    let accepted = &document["accepted"];
    assert_eq!((&accepted["claim"], &accepted["proved"]), (&"circuit".into(), &1.into()));
    assert_eq!(accepted["properties"][0], serde_json::json!({ "property": 0, "proved": false }));
    assert_eq!(accepted["properties"][1], serde_json::json!({ "property": 1, "proved": true }));
    let document = dir.run(&["check", "--format", "json", "other.aag", "a.cert"]).ends_with(1).json();
    assert!(document["rejected"]["line"].as_u64().is_some_and(|line| line > 2), "{document}");
}
