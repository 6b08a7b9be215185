//! `ramsey infer` through the binary.

use std::fs;

use serde_json::Value;

use crate::common::binary::{Dir, LOCK, broken_lock};

const LOCK_SERVER: &str = include_str!("../../examples/lock_server.pyv");
const LOCK_PROGRAM: &str = include_str!("../../examples/lock_server.rml");

/// Example models that have a universal inductive invariant.
const UNIVERSAL: [(&str, &str); 7] = [
    ("lock_server.pyv", LOCK_SERVER),
    ("lock_server.rml", LOCK_PROGRAM),
    ("ring_leader.pyv", include_str!("../../examples/ring_leader.pyv")),
    ("two_phase_commit.pyv", include_str!("../../examples/two_phase_commit.pyv")),
    ("leader_election.rml", include_str!("../../examples/leader_election.rml")),
    ("distributed_lock.rml", include_str!("../../examples/distributed_lock.rml")),
    ("learning_switch.rml", include_str!("../../examples/learning_switch.rml")),
];

fn names(document: &Value) -> Vec<&str> {
    let lemmas = document["lemmas"].as_array().expect("a list");
    lemmas.iter().map(|it| it["name"].as_str().unwrap_or_default()).collect()
}

#[test]
fn arguments_that_do_not_fit_are_refused() {
    let dir = Dir::new();
    dir.file("lock.pyv", LOCK).file("other.pyv", LOCK).file("text.txt", "words");
    dir.run(&["infer", "none.pyv"]).ends_with(2).complains("there is no file `none.pyv`");
    for (args, what) in [
        (&["--method", "guess"][..], "invalid value 'guess'"),
        (&["--add", "--out", "new.pyv"], "cannot be used with"),
        (&["--certify", "lock.cert"], "required arguments were not provided"),
        (&["--out", "lock.pyv"], "this run reads it"),
        (&["--out", "other.pyv"], "it is no model that ramsey wrote"),
        (&["--out", "other.pyv"], "or replace it with `--force`"),
        (&["--out", "lock.pyv", "--force"], "this run reads it"),
        (&["--out", "-"], "the output cannot go to standard output"),
        (&["--out", "new.rml"], "no name for a model in this language"),
        (&["--out", "none/new.pyv"], "there is no folder `none`"),
        (&["--hints", "none.pyv"], "there is no file `none.pyv`"),
        (&["--from", "none.pyv"], "there is no file `none.pyv`"),
        (&["--from", "text.txt"], "this is no JSON document"),
        (&["--log-file", "log", "--output", "log"], "is where the output of"),
        (&["--hints", "text.txt", "--log-file", "text.txt"], "this run reads it"),
        (&["--edges", "held"], "no picture is asked for"),
    ] {
        let args: Vec<&str> = ["infer", "lock.pyv"].into_iter().chain(args.iter().copied()).collect();
        dir.run(&args).ends_with(2).complains(what);
    }
    fs::create_dir(dir.0.join("elsewhere")).expect("a folder");
    dir.file("part.rml", "sort client\n")
        .file("whole.rml", LOCK_PROGRAM.replace("sort client", "include \"part.rml\""));
    let run = dir.run(&["infer", "whole.rml", "--out", "elsewhere/whole.rml"]).ends_with(2);
    run.complains("--out: at `elsewhere/whole.rml` the model could not be read");
    dir.run_with(&["infer", "--add", "-"], LOCK)
        .ends_with(2)
        .complains("there is no file to add the lemmas to");
    assert_eq!(dir.read("lock.pyv"), LOCK);
    assert!(!dir.0.join("new.pyv").exists() && !dir.0.join("log").exists());
}

#[test]
fn errors_are_in_the_document() {
    let dir = Dir::new();
    let unsafe_only = LOCK.replace("safety [mutex]", "invariant [mutex]");
    dir.file("claims.pyv", unsafe_only);
    dir.run(&["infer", "claims.pyv"]).ends_with(2).complains("the model has no safety property to show");
    let found = dir.run(&["infer", "--format", "json", "claims.pyv"]).ends_with(2).silent_on_stderr().json();
    assert_eq!((&found["answer"], &found["verdict"]), (&Value::Null, &"bad-input".into()));
    assert_eq!(found["diagnostics"][0]["code"], "R017");
}

#[test]
fn hints_are_claims_in_the_language_of_the_model() {
    let dir = Dir::new();
    dir.file("lock.pyv", LOCK).file("lock.rml", LOCK_PROGRAM);
    for (hints, what) in [
        ("invariant held(N) -> hold(N)\n", " --> hints:1:22"),
        ("invariant held(N\n", "error[R"),
        ("# Not for a state.\ninvariant new(held(N))\n", " --> hints:2:"),
        ("axiom true\n", "`hints` declares more than claims"),
        ("sort other\n", "`hints` declares more than claims"),
        ("init held(N)\n", "`hints` declares more than claims"),
    ] {
        dir.file("hints", hints);
        dir.run(&["infer", "lock.pyv", "--hints", "hints"]).ends_with(2).complains(what);
    }
    dir.file("hints", "conjecture holds(C) -> !freed\n");
    dir.run(&["infer", "lock.rml", "--hints", "hints"]).ends_with(2).complains("did you mean `free`?");
    dir.file("hints", "free := true\n");
    dir.run(&["infer", "lock.rml", "--hints", "hints"]).ends_with(2).complains("declares more than claims");
}

#[test]
fn lemmas_that_do_not_fit_are_told() {
    let dir = Dir::new();
    let earlier = "sort node\nmutable relation held(node)\nmutable relation lost(node)\ninit !held(N) & !lost(N)\n\
                   invariant [none_lost] !lost(N)\nsafety [mutex] held(N1) & held(N2) -> N1 = N2\n";
    dir.file("lock.pyv", LOCK).file("earlier.pyv", earlier).file("broken.pyv", "sort\n");
    let run = dir.run(&["infer", "lock.pyv", "--from", "earlier.pyv"]);
    run.prints("  does not fit: invariant [none_lost] forall N:node. !lost(N)\n    `lost` is not declared\n");
    let found = dir.run(&["infer", "lock.pyv", "--from", "earlier.pyv", "--format", "json"]).json();
    assert_eq!(found["skipped"].as_array().map(Vec::len), Some(1), "{found}");
    assert_eq!(found["skipped"][0]["name"], "none_lost");
    dir.run(&["infer", "lock.pyv", "--from", "broken.pyv"]).ends_with(2).complains("broken.pyv:");
}

#[test]
fn what_is_found_is_accepted_by_verify_and_check() {
    for (name, text) in UNIVERSAL {
        let dir = Dir::new();
        let out = name.replace('.', "-out.");
        dir.file(name, text);
        let args = ["infer", name, "--out", &out, "--certify", "found.cert", "--output", "found.json"];
        let run = dir.run(&args).ends_with(0).silent_on_stderr();
        run.prints(&format!("  written to {out}\n")).prints("\nsafe: the properties are part of ");
        assert_eq!(dir.read(name), text, "the model itself stays as it is");
        dir.run(&["verify", &out]).ends_with(0);
        dir.run(&["check", &out, "found.cert"]).ends_with(0).prints("accepted: claim proved, ");
        // Its lemmas are enough for another run, by candidates alone.
        let args = ["infer", name, "--from", "found.json", "--method", "houdini", "--format", "json"];
        let found = dir.run(&args).ends_with(0).json();
        assert_eq!(
            (&found["answer"], &found["found_by"]),
            (&"invariant".into(), &"houdini".into()),
            "{name}"
        );
        assert_eq!(found["verified"]["ok"], found["verified"]["obligations"]);
    }
}

#[test]
fn every_method_finds_an_invariant() {
    let dir = Dir::new();
    dir.file("lock.pyv", LOCK_SERVER);
    for method in ["auto", "updr", "separation", "pd"] {
        let run = dir.run(&["infer", "lock.pyv", "--method", method, "--format", "json"]).ends_with(0);
        let found = run.json();
        assert_eq!((&found["answer"], &found["method"]), (&"invariant".into(), &method.into()));
        // The answer does not depend on the number of threads.
        for jobs in ["1", "2"] {
            let args = ["infer", "lock.pyv", "--method", method, "--format", "json", "-j", jobs];
            assert_eq!(dir.run(&args).out, run.out, "{method} -j{jobs}");
        }
    }
}

#[test]
fn primal_dual_houdini_has_every_kind_of_answer() {
    let dir = Dir::new();
    let commit = include_str!("../../examples/two_phase_commit.pyv");
    let broken = include_str!("../../examples/two_phase_commit_broken.pyv");
    let toy = include_str!("../../examples/toy_consensus.pyv");
    dir.file("commit.pyv", commit).file("broken.pyv", broken).file("toy.pyv", toy);
    for (name, code, answer) in [
        ("commit.pyv", 0, "invariant"),
        ("broken.pyv", 1, "unsafe"),
        ("toy.pyv", 1, "no-universal-invariant"),
    ] {
        let run = dir.run(&["infer", name, "--method", "pd", "--format", "json"]).ends_with(code);
        let found = run.json();
        assert_eq!((&found["answer"], &found["found_by"]), (&answer.into(), &"pd".into()), "{name}");
    }
    dir.run(&["infer", "commit.pyv", "--method", "pd", "--add"]).ends_with(0);
    dir.run(&["verify", "commit.pyv"]).ends_with(0);
    // Candidates are lemmas from the start, also those with quantifiers of both kinds.
    dir.run(&["infer", "toy.pyv", "--method", "pd", "--use-invariants"]).ends_with(0);
}

#[test]
fn candidates_are_enough_for_houdini() {
    let dir = Dir::new();
    let invariants = ["one_owner", "one_place", "one_form"];
    dir.file("lock.pyv", LOCK_SERVER);
    let args = ["infer", "lock.pyv", "--method", "houdini", "--use-invariants", "--format", "json"];
    let found = dir.run(&args).ends_with(0).json();
    assert_eq!(names(&found), invariants);
    assert!(
        found["lemmas"].as_array().is_some_and(|it| it.iter().all(|it| it["declared"] == true)),
        "{found}"
    );
    assert_eq!(found["lemmas"][1]["formula"], "owns(C) -> !free");
    // No clause of the template is a lemma that needs an existential quantifier.
    dir.file("toy.pyv", include_str!("../../examples/toy_consensus.pyv"));
    let run = dir.run(&["infer", "toy.pyv", "--method", "houdini"]).ends_with(3);
    run.prints("unknown: no part of the candidates is inductive and implies the properties");
    // The needless candidate does not come into the model.
    dir.file("hints.pyv", "invariant [idle] requested(C) -> requested(C)\n");
    let args = ["infer", "lock.pyv", "--method", "houdini", "--use-invariants", "--hints", "hints.pyv"];
    let run = dir.run(&args).ends_with(0);
    assert!(!run.out.contains("idle"), "{}", run.out);
}

#[test]
fn templates_are_the_clauses_that_houdini_tries() {
    let dir = Dir::new();
    dir.file("lock.pyv", LOCK_SERVER);
    let infer = |shape: &str, more: &[&str]| {
        let args = ["infer", "lock.pyv", "--method", "houdini", "--template", shape];
        dir.run(&[&args, more].concat())
    };
    infer("client=2:3:holds,granted,returned,free", &["--format", "json"]).ends_with(0);
    infer(" client = 2 : 3 ", &[]).ends_with(0);
    infer("client=1:3", &[]).ends_with(3).prints("no part of the candidates is inductive");
    infer("client=2:3:holds", &[]).ends_with(3).prints("no part of the candidates is inductive");
    for (shape, what) in [
        ("", "--template, character 1: expected SORT=VARIABLES"),
        ("", "the sorts of the model are `client`"),
        ("client", "character 1: expected SORT=VARIABLES"),
        ("client=2", "character 9: expected `:` and the maximum number of literals"),
        ("client=two:3", "character 8: expected a number of variables from 0 to 16"),
        ("client=-1:3", "character 8: expected a number of variables"),
        ("client=1, client=2:3", "character 10: expected a sort that is not listed yet, not `client` again"),
        ("klient=2:3", "character 1: there is no sort `klient`"),
        ("klient=2:3", "did you mean `client`?"),
        ("client=2,node=1:3", "character 10: there is no sort `node`"),
        ("client=2,node=1:3", "declared: `client`"),
        ("client=2:", "character 10: expected a number of literals from 1 to 16"),
        ("client=2:99999999999999999999", "character 10: expected a number of literals"),
        ("client=2:3:", "character 12: there is no symbol ``"),
        ("client=2:3:holds,hold", "character 18: there is no symbol `hold`"),
        ("client=2:3:free:1", "character 16: expected the end of the template"),
        ("é=2:3", "character 1: there is no sort `é`"),
    ] {
        infer(shape, &[]).ends_with(2).complains(what);
    }
    let run = dir.run(&["infer", "lock.pyv", "--template", "client=2:3"]).ends_with(2);
    run.complains("--template: this method has no use for it");
}

#[test]
fn prefixes_are_those_of_lemmas_with_witnesses() {
    let dir = Dir::new();
    dir.file("toy.pyv", include_str!("../../examples/toy_consensus.pyv"));
    let infer = |prefix: &[&str], more: &[&str]| {
        let options = prefix.iter().flat_map(|it| ["--prefix", *it]);
        let args: Vec<&str> =
            ["infer", "toy.pyv"].into_iter().chain(options).chain(more.iter().copied()).collect();
        dir.run(&args)
    };
    let exists = &["--method", "exists"][..];
    let found = "forall value exists quorum forall node";
    infer(&[found], exists).ends_with(0).prints("(exists Q:quorum. forall N:node. !member(N, Q) | ");
    infer(&[found], &[]).ends_with(0);
    infer(&[" exists\tnode ", found, "forall node value"], exists).ends_with(0);
    // These are not enough.
    infer(&["forall value exists quorum"], exists)
        .ends_with(3)
        .prints("no invariant was found in the languages");
    infer(&["forall node node value value"], exists).ends_with(3);
    let large = "forall node node node node node value value value value value exists quorum";
    infer(&[large], exists).ends_with(3).prints("size of a formula");
    for (prefix, what) in [
        ("", "--prefix, character 1: expected `forall` or `exists`"),
        ("", "write `forall SORT ..`"),
        ("node", "character 1: expected `forall` or `exists`"),
        ("forall", "character 7: expected the sort of a variable"),
        ("forall exists node", "character 8: expected the sort of a variable"),
        ("forall node exists quorum forall", "character 33: expected the sort of a variable"),
        ("forall node forall node", "character 13: expected a sort, or the end of the prefix"),
        ("forall node exists node forall node exists node", "character 37: expected a sort, or the end"),
        ("forall node  quorun", "character 14: there is no sort `quorun`"),
        ("forall quorun", "did you mean `quorum`?"),
        ("forall node:quorum", "declared: `node`, `value`, `quorum`"),
        (&format!("exists {}", "node ".repeat(17)), "character 88: expected at most 16 variables"),
    ] {
        infer(&[prefix], exists).ends_with(2).complains(what);
    }
    let run = infer(&[found], &["--method", "updr"]).ends_with(2);
    run.complains("--prefix: this method has no use for it");
}

#[test]
fn the_model_is_extended_or_written_anew() {
    let hints = "invariant [whole] (owns(C) & owns(D) -> C = D) & (owns(C) -> !free) & !(granted(C) & holds(C)) & \
                 !(granted(C) & returned(C)) & !(holds(C) & returned(C))\n";
    let houdini = ["--method", "houdini", "--hints", "hints.pyv"];
    let dir = Dir::new();
    dir.file("hints.pyv", hints).file("lock.pyv", LOCK_SERVER);
    let run = |args: &[&str]| dir.run(&[&["infer"], args, &houdini].concat());
    run(&["lock.pyv", "--add", "--certify", "lock.cert"]).ends_with(0).prints("  written to lock.pyv\n");
    let added = dir.read("lock.pyv");
    assert!(added.starts_with(LOCK_SERVER) && added.contains("\n\ninvariant [whole] forall "), "{added}");
    dir.run(&["check", "lock.pyv", "lock.cert"]).ends_with(0).prints("accepted: claim proved, ");
    // Other invariants go; one that a theorem names becomes a definition.
    dir.file("lock.pyv", LOCK_SERVER);
    run(&["lock.pyv", "--out", "new.pyv"]).ends_with(0);
    let new = dir.read("new.pyv");
    assert!(!new.contains("[one_owner]") && !new.contains("[one_form]"), "{new}");
    assert!(new.contains("definition one_owner() = owns(C) & owns(D) -> C = D\n"), "{new}");
    assert!(new.contains("theorem [mutex_follows] one_owner -> mutex\n"), "{new}");
    dir.run(&["verify", "new.pyv"]).ends_with(0);
    // An invariant of the model that is not inductive does not stay beside the lemmas.
    let wrong = format!("{LOCK_SERVER}invariant [wrong] holds(C) -> requested(C)\n");
    dir.file("wrong.pyv", &wrong);
    run(&["wrong.pyv", "--add"])
        .ends_with(2)
        .complains("its own invariants are not inductive with the lemmas")
        .complains("`--out FILE`");
    assert_eq!(dir.read("wrong.pyv"), wrong);
    run(&["wrong.pyv", "--out", "right.pyv"]).ends_with(0);
    dir.run(&["verify", "right.pyv"]).ends_with(0);
    // A theorem that is not valid keeps `verify` from accepting the result.
    dir.file("theorem.pyv", format!("{LOCK_SERVER}theorem [wrong] mutex -> one_owner\n"));
    run(&["theorem.pyv", "--out", "no.pyv"]).ends_with(2).complains("theorem `wrong` is not valid");
    assert!(!dir.0.join("no.pyv").exists());
}

#[test]
fn what_an_earlier_run_wrote_is_replaced() {
    let ivy = "#lang ivy1.7\ntype t\nrelation r(X:t)\nafter init { r(X) := false }\n\
               action a(x:t) = { r(x) := false }\nexport a\ninvariant ~r(X)\n";
    for (model, text) in [("a.pyv", LOCK_SERVER), ("a.rml", LOCK_PROGRAM), ("a.ivy", ivy)] {
        let dir = Dir::new();
        let out = model.replace('a', "out");
        dir.file(model, text);
        let args = ["infer", model, "--method", "separation", "--out", &out, "--certify", "out.cert"];
        dir.run(&args).ends_with(0);
        let written = dir.read(&out);
        let mark = "# Written by ramsey, which replaces this file when it is told to, as long as this line is here.\n";
        let lang = if model == "a.ivy" { "#lang ivy1.7\n" } else { "" };
        assert!(written.starts_with(&format!("{lang}{mark}")), "{written}");
        dir.run(&["verify", &out]).ends_with(0);
        dir.run(&["check", &out, "out.cert"]).ends_with(0);
        let again = [&args[..], &["--seed", "1"]].concat();
        dir.run(&again).ends_with(0).prints(&format!("  written to {out}\n"));
        dir.run(&["check", &out, "out.cert"]).ends_with(0);
        // A lemma more does not make another line.
        dir.run(&["infer", &out, "--method", "separation", "--out", model, "--force"]).ends_with(0);
        assert_eq!(dir.read(model).matches(mark).count(), 1);
        // Whoever removes the line keeps the file.
        let kept = written.replace(mark, "");
        dir.file(&out, &kept).file(model, text);
        dir.run(&args).ends_with(2).complains("stays as it is: it is no model that ramsey wrote");
        assert_eq!(dir.read(&out), kept);
        dir.run(&[&args[..], &["--force"]].concat()).ends_with(0);
        assert_ne!(dir.read(&out), kept);
    }
}

#[test]
fn lemmas_survive_a_change_of_the_model() {
    let dir = Dir::new();
    dir.file("lock.pyv", LOCK_SERVER).file("new.pyv", LOCK_SERVER.replace("returned", "on_its_way_back"));
    let args = ["infer", "new.pyv", "--from", "lock.pyv", "--format", "json"];
    let found = dir.run(&args).ends_with(0).json();
    assert_eq!(found["skipped"][0]["reason"], "`returned` is not declared");
    assert!(names(&found).contains(&"one_owner"), "{found}");
}

#[test]
fn unsafe_models_have_an_execution() {
    let dir = Dir::new();
    dir.file("broken.pyv", broken_lock());
    let run = dir.run(&["infer", "broken.pyv", "--svg", "broken.svg"]).ends_with(1);
    let run = run.prints("error: safety property `mutex` is violated after 2 steps\n  --> broken.pyv:15:1");
    run.prints("\nunsafe: an execution of 2 steps violates safety property `mutex`\n");
    assert!(dir.read("broken.svg").contains("<svg"));
    let run = dir.run(&["infer", "broken.pyv", "--format", "json", "--out", "new.pyv"]).ends_with(1);
    let found = run.json();
    assert_eq!((&found["answer"], &found["verdict"]), (&"unsafe".into(), &"counterexample".into()));
    assert_eq!(found["violation"]["counterexample"]["states"].as_array().map(Vec::len), Some(3));
    assert!(!dir.0.join("new.pyv").exists());
    dir.file("found.json", &run.out);
    dir.run(&["show", "found.json", "--model", "broken.pyv"]).ends_with(0).prints("state 2, after ");
}

#[test]
fn models_without_a_universal_invariant_have_a_relaxed_execution() {
    let dir = Dir::new();
    dir.file("toy.pyv", include_str!("../../examples/toy_consensus.pyv"));
    let run = dir.run(&["infer", "toy.pyv", "--method", "separation"]).ends_with(1);
    run.prints("  transition relax()\n").prints("\nno universal invariant: a relaxed execution of ");
    let run = dir.run(&["infer", "toy.pyv", "--method", "updr", "--format", "json"]).ends_with(1);
    let found = run.json();
    assert_eq!((&found["answer"], &found["relaxed"]), (&"no-universal-invariant".into(), &true.into()));
    dir.file("found.json", &run.out);
    dir.run(&["show", "found.json", "--model", "toy.pyv"]).ends_with(0).prints("relax");
    // There is one with quantifiers of both kinds, which is found, and one among the given candidates.
    let args = ["infer", "toy.pyv", "--out", "proved.pyv", "--certify", "proved.cert"];
    dir.run(&args).ends_with(0).prints("(by exists)");
    dir.run(&["verify", "proved.pyv"]).ends_with(0);
    dir.run(&["check", "proved.pyv", "proved.cert"]).ends_with(0).prints("accepted: claim proved, ");
    dir.run(&["infer", "toy.pyv", "--use-invariants", "--method", "houdini"]).ends_with(0);
}

#[test]
fn limits_end_the_search() {
    let dir = Dir::new();
    dir.file("ring.pyv", include_str!("../../examples/ring_leader.pyv"));
    let run = dir.run(&["infer", "ring.pyv", "--work", "10"]).ends_with(3);
    run.prints("\nunknown: neither an invariant nor a violation was found (work budget)\n");
    let found = dir.run(&["infer", "ring.pyv", "--work", "10", "--format", "json"]).ends_with(3).json();
    assert_eq!((&found["answer"], &found["verdict"]), (&"unknown".into(), &"unknown".into()));
    assert!(found["explanations"].as_array().is_some_and(|it| !it.is_empty()));
}

#[test]
fn assertions_that_are_inductive_are_lemmas() {
    let dir = Dir::new();
    // Verification shows an assertion of states with the claims and does not assume it of other states.
    let text = "sort s\nrelation q: s\nassume !q(X)\nwhile * {\nassert !q(X)\nq(X) := false\n}\n";
    dir.file("changing.rml", text).file("fixed.rml", text.replace("q(X) := false", "skip"));
    for method in ["auto", "houdini", "updr", "separation", "pd", "finite"] {
        dir.run(&["infer", "fixed.rml", "--method", method]).ends_with(0).prints("lemma_1");
        dir.run(&["infer", "changing.rml", "--method", method]).ends_with(0).prints("lemma_1");
    }
}

#[test]
fn each_lemma_is_in_the_log() {
    let dir = Dir::new();
    dir.file("lock.pyv", LOCK_SERVER);
    dir.run(&["infer", "lock.pyv", "--log-file", "log.jsonl"]).ends_with(0);
    let log = dir.read("log.jsonl");
    let lines: Vec<Value> =
        log.lines().map(|line| serde_json::from_str(line).expect("a JSON object")).collect();
    assert_eq!(lines[0]["event"], "started");
    let proposed: Vec<&Value> = lines.iter().filter(|it| it["event"] == "proposed").collect();
    assert!(!proposed.is_empty());
    assert!(proposed.iter().all(|it| it["formula"].is_string() && it["lemma"].is_u64()), "{log}");
    assert!(lines.iter().any(|it| it["event"] == "preserved" && it["transition"] == "grant"), "{log}");
}

#[test]
fn threads_change_nothing() {
    let dir = Dir::new();
    for (name, text, work) in [
        ("commit.pyv", UNIVERSAL[3].1, "1000000000"),
        ("ring.pyv", UNIVERSAL[2].1, "1000000"),
        ("chain.rml", include_str!("../../examples/chain_replication.rml"), "24000000"),
        ("broken.pyv", include_str!("../../examples/two_phase_commit_broken.pyv"), "1000000000"),
        ("toy.pyv", include_str!("../../examples/toy_consensus.pyv"), "1000000000"),
    ] {
        dir.file(name, text);
        let [alone, two, four] = ["1", "2", "4"].map(|jobs| {
            let (log, checkpoint) = (format!("{jobs}.jsonl"), format!("{jobs}_{name}.json"));
            let outputs = ["--log-file", &log, "--checkpoint", &checkpoint, "--output", "found.json"];
            let run = dir.run(&[&["infer", name, "-j", jobs, "--work", work], &outputs[..]].concat());
            // The command that goes on has the name of the checkpoint.
            let named = |text: String| text.replace(&checkpoint, "CHECKPOINT");
            (named(run.out), ["found.json", &log, &checkpoint].map(|output| named(dir.read(output))))
        });
        assert!(alone.1.iter().all(|output| !output.is_empty()));
        assert_eq!(alone, two, "{name}: -j 2");
        assert_eq!(alone, four, "{name}: -j 4");
    }
}

#[test]
fn invariants_of_finite_instances_are_certified_and_logged() {
    let dir = Dir::new();
    for (name, text) in [UNIVERSAL[0], UNIVERSAL[2]] {
        dir.file(name, text);
        let out = format!("proved_{name}");
        let found = ["--out", &out, "--certify", "found.cert", "--output", "found.json"];
        let args = [&["infer", name, "--method", "finite", "--log-file", "log.jsonl"], &found[..]].concat();
        dir.run(&args).ends_with(0).prints("part of an inductive invariant (by finite)\n");
        dir.run(&["verify", &out]).ends_with(0);
        dir.run(&["check", &out, "found.cert"]).ends_with(0).prints("accepted: claim proved, ");
        let log = dir.read("log.jsonl");
        let lines: Vec<Value> =
            log.lines().map(|line| serde_json::from_str(line).expect("a JSON object")).collect();
        let instances: Vec<&Value> = lines.iter().filter(|it| it["event"] == "instance").collect();
        let first = instances.first().expect("an instance");
        assert_eq!(first["answer"], "safe", "{log}");
        assert!(first["sizes"].as_object().is_some_and(|sizes| sizes.values().all(|it| it == 2)), "{log}");
        assert!(first["clauses"].is_u64() && first["candidates"].is_u64(), "{log}");
        // A ring of two nodes is too small.
        let outgrown = lines.iter().filter(|it| it["event"] == "outgrown").count();
        assert_eq!(outgrown > 0, name == "ring_leader.pyv", "{log}");
        let document: Value = serde_json::from_str(&dir.read("found.json")).expect("a JSON object");
        assert_eq!(document["found_by"], "finite");
        let decided = instances.iter().filter(|it| it["answer"] != "empty").count();
        assert_eq!(document["counts"]["instances"].as_u64(), Some(decided as u64), "{document}");
    }
}

/// A program whose assertions depend on choices.
const CHOICES: &str = "\
sort s
relation chosen: s
relation sent: s
assume !chosen(X) & !sent(X)
while * do {
  action choose(x: s) {
    if * { chosen.insert(x) } else {
      assume chosen(x)
      if * { sent.insert(x) }
    }
    if * { assert CONDITION }
  }
}
safety [order] sent(X) -> chosen(X)
";

#[test]
fn assertions_under_choices_hold_for_all_of_them() {
    let dir = Dir::new();
    dir.file("safe.rml", CHOICES.replace("CONDITION", "!sent(x) | chosen(x)"));
    dir.file("broken.rml", CHOICES.replace("CONDITION", "!sent(x) | !chosen(x)"));
    dir.run(&["infer", "safe.rml", "--add"]).ends_with(0);
    dir.run(&["verify", "safe.rml"]).ends_with(0);
    let run = dir.run(&["infer", "broken.rml"]).ends_with(1);
    run.prints("    11 | assert !sent(x) | !chosen(x)           violated\n");
}

#[test]
fn relaxed_executions_have_the_choices_of_their_steps() {
    let dir = Dir::new();
    let text = "\
sort node
sort value
sort quorum
relation member: node, quorum
function common: quorum, quorum -> node
axiom [meet] member(common(Q, R), Q) & member(common(Q, R), R)
relation vote: node, value
relation decided: value
assume !vote(N, V) & !decided(V)
while * do {
  action cast(n: node, v: value) {
    if * {
      assume forall W. !vote(n, W)
      vote.insert(n, v)
    }
  }
| action decide(v: value, q: quorum) {
    assume forall N:node. member(N, q) -> vote(N, v)
    if * { decided.insert(v) }
  }
}
safety [agreement] decided(V) & decided(W) -> V = W
";
    dir.file("toy.rml", text);
    let args = ["infer", "toy.rml", "--no-strict", "--method", "separation"];
    dir.run(&args).ends_with(1).prints("\nno universal invariant: a relaxed execution of ");
    let found = dir.run(&[&args[..], &["--format", "json"]].concat()).ends_with(1).json();
    let steps = found["violation"]["counterexample"]["transitions"].as_array().expect("a list");
    assert!(!steps.is_empty(), "{found}");
}

#[test]
fn assertions_before_the_initial_states_are_checked() {
    let dir = Dir::new();
    let text = "sort s\nrelation r: s\nvariable v: s\nassert r(v)\nwhile * {\n  r(v) := true\n}\nsafety r(X) -> r(X)\n";
    dir.file("start.rml", text);
    let run = dir.run(&["infer", "start.rml"]).ends_with(1);
    run.prints("\nunsafe: assertion `L4` is violated before the initial states\n");
}

#[test]
fn lemmas_about_immutable_symbols_are_joined_to_others() {
    let dir = Dir::new();
    let text = "\
sort s
immutable relation good(s)
mutable relation on(s)
init good(X)
init !on(X)
transition put(x: s)
  modifies on
  new(on(X)) <-> on(X) | X = x
safety [only_good] on(X) -> good(X)
";
    dir.file("switch.pyv", text);
    let found = dir.run(&["infer", "switch.pyv", "--format", "json", "--add"]).ends_with(0).json();
    assert_eq!(names(&found).len(), 1, "{found}");
    dir.run(&["verify", "switch.pyv"]).ends_with(0);
}

#[test]
fn executions_of_programs_with_local_variables_are_right() {
    let dir = Dir::new();
    let text = "\
#lang ivy1.7
type node
relation next(X:node, Y:node)
relation unused(X:node)
relation token(X:node)
relation done(X:node)
individual start : node
after init { token(X) := X = start; done(X) := false }
action successor(x:node) returns (y:node) = { assume next(x, y) }
action pass(n:node) = {
    var m : node;
    require token(n);
    m := successor(n);
    token(n) := *;
    token(m) := true
}
action finish(n:node) = {
    var m : node;
    require token(n);
    m := successor(n);
    if m ~= n { done(m) := true }
}
export pass
export finish
invariant [safety] done(X) & done(Y) -> X = Y
";
    dir.file("ring.ivy", text);
    for seed in 0..12 {
        for method in ["separation", "updr", "pd"] {
            let args = ["infer", "ring.ivy", "--method", method, "--seed", &seed.to_string()];
            dir.run(&args).ends_with(1).prints("\nunsafe: an execution of ");
        }
    }
}

#[test]
fn a_sort_without_symbols_does_no_harm() {
    let dir = Dir::new();
    dir.file("toy.pyv", include_str!("../../examples/toy_consensus.pyv").to_owned() + "\nsort idle\n");
    dir.file("lock.pyv", LOCK_SERVER.to_owned() + "\nsort idle\n");
    let args = ["infer", "toy.pyv", "--method", "separation"];
    dir.run(&args).ends_with(1).prints("\nno universal invariant: ");
    dir.run(&["infer", "toy.pyv"]).ends_with(0).prints("(by exists)");
    for method in ["separation", "updr", "pd", "houdini"] {
        dir.run(&["infer", "lock.pyv", "--method", method]).ends_with(0);
    }
}

/// Lemmas of long searches are evaluated in the states explored before they are asked for.
#[test]
fn long_searches_explore_states() {
    let dir = Dir::new();
    dir.file("paxos.pyv", include_str!("../../examples/paxos.pyv"));
    // Beside a prefix nothing is guessed, so that the search is long.
    let prefixes = ["--prefix", "forall node round round value value quorum exists node"];
    let args = [&["infer", "paxos.pyv", "--format", "json", "--method", "exists"][..], &prefixes].concat();
    let run = dir.run(&args).ends_with(0);
    let document = run.json();
    assert!(document["counts"]["explored"].as_u64() > Some(0), "{}", document["counts"]);
}

/// A premise may speak of elements that the witness does not depend on.
#[test]
fn premises_have_variables_of_their_own() {
    let dir = Dir::new();
    let text = "\
sort node
mutable relation voted(node)
mutable relation seen(node)
mutable relation bad(node)
init !voted(N)
init !seen(N)
init !bad(N)
transition vote(n: node)
  modifies voted
  new(voted(N)) <-> voted(N) | N = n
transition see(n: node, m: node)
  modifies seen
  & voted(m)
  & (new(seen(N)) <-> seen(N) | N = n)
transition fail(n: node)
  modifies bad
  & seen(n)
  & (forall M. !voted(M))
  & (new(bad(N)) <-> bad(N) | N = n)
safety !bad(N)
";
    dir.file("seen.pyv", text);
    let run = dir.run(&["infer", "seen.pyv", "--out", "proved.pyv"]).ends_with(0);
    run.prints("forall N1:node. seen(N1) -> (exists N2:node. voted(N2))\n");
    dir.run(&["verify", "proved.pyv", "--certify", "proved.cert"]).ends_with(0);
    dir.run(&["check", "proved.pyv", "proved.cert"]).ends_with(0);
    dir.run(&["fragment", "proved.pyv"]).ends_with(0).prints("in stratified EPR");
}

/// Without an initial state, every claim holds, and a contradiction is inductive. It is joined to a claim about what changes.
#[test]
fn a_model_without_initial_states_has_an_invariant() {
    let dir = Dir::new();
    dir.file(
        "m.pyv",
        "sort s\nmutable constant c: s\nmutable relation r(s)\ninit c != c\n\
         transition t() modifies r (exists X. r(X)) & (forall X. !new(r(X)))\nsafety r(c)\nsafety c = c\n",
    );
    dir.run(&["infer", "m.pyv", "--no-strict", "--out", "found.pyv"])
        .ends_with(0)
        .prints("6 obligations, 6 ok");
}
