//! Answers in the formats of pipelines, comparison with earlier ones, and executions in the Informal Trace Format.

use std::collections::BTreeSet;

use std::path::Path;

use quick_xml::Reader;
use quick_xml::events::{BytesStart, Event};
use serde_json::Value;

use crate::common::binary::{Dir, LOCK, Run, broken_lock};
use crate::common::schema::{check, check_sarif};

/// A lock with a trace block that is as declared, and one that is not.
fn traced_lock() -> String {
    format!("{LOCK}\nsat trace {{\n  acquire\n}}\nsat trace {{\n  acquire\n  acquire\n}}\n")
}

#[track_caller]
fn sarif(text: &str) -> Value {
    let log: Value = serde_json::from_str(text).expect("JSON");
    check_sarif(&log).unwrap_or_else(|why| panic!("{why}\n{text}"));
    for result in results(&log) {
        let index = result["ruleIndex"].as_u64().expect("an index") as usize;
        assert_eq!(log["runs"][0]["tool"]["driver"]["rules"][index]["id"], result["ruleId"]);
        // Levels other than `none` are for violations alone.
        assert_eq!(result["kind"] == "fail", result["level"] != "none", "{result}");
        assert!(!result["locations"].as_array().expect("locations").is_empty(), "{result}");
    }
    log
}

fn results(log: &Value) -> &[Value] {
    log["runs"][0]["results"].as_array().expect("results")
}

/// Returns the elements of a document with their attributes, and checks that tags are closed.
#[track_caller]
fn elements(text: &str) -> Vec<(String, Vec<(String, String)>)> {
    let mut reader = Reader::from_str(text);
    reader.config_mut().check_end_names = true;
    let mut found = Vec::new();
    let element = |start: &BytesStart<'_>| {
        let attributes = start.attributes().map(|it| it.expect("an attribute"));
        let text = |it: &str| it.to_owned();
        let attributes = attributes.map(|it| (text(it.key.as_ref()), text(&it.value)));
        (text(start.name().as_ref()), attributes.collect::<Vec<_>>())
    };
    loop {
        match reader.read_event().unwrap_or_else(|error| panic!("{error}\n{text}")) {
            Event::Start(start) | Event::Empty(start) => found.push(element(&start)),
            Event::Eof => return found,
            _ => {}
        }
    }
}

fn attribute<'a>((_, attributes): &'a (String, Vec<(String, String)>), name: &str) -> &'a str {
    attributes.iter().find(|(key, _)| key == name).map_or("", |(_, value)| value)
}

fn in_format(dir: &Dir, command: &[&str], format: &str) -> Run {
    let mut args = command.to_vec();
    args.extend(["--format", format]);
    dir.run(&args)
}

#[test]
fn every_command_that_judges_writes_every_format() {
    let dir = Dir::new();
    dir.file("good.pyv", LOCK).file("bad.pyv", broken_lock()).file("traced.pyv", traced_lock());
    dir.file("wrong.pyv", "sort node\ninit held(X)\n");
    dir.run(&["verify", "good.pyv", "--certify", "good.cert"]).ends_with(0);
    let commands: &[(&[&str], i32, usize)] = &[
        (&["verify", "good.pyv", "bad.pyv"], 1, 1),
        (&["bmc", "bad.pyv"], 1, 1),
        (&["bmc", "good.pyv", "--deadlock"], 0, 0),
        (&["mc", "bad.pyv"], 1, 1),
        (&["mc", "good.pyv"], 0, 0),
        (&["instance", "bad.pyv", "node=2"], 1, 1),
        (&["instance", "good.pyv", "node=2"], 0, 0),
        (&["trace", "traced.pyv"], 1, 1),
        (&["theorem", "good.pyv"], 0, 0),
        (&["check", "good.pyv", "good.cert"], 0, 0),
        (&["check", "bad.pyv", "good.cert"], 1, 1),
        (&["infer", "good.pyv"], 0, 0),
        (&["infer", "bad.pyv"], 1, 1),
        (&["typecheck", "good.pyv", "wrong.pyv"], 2, 1),
        (&["verify", "good.pyv", "wrong.pyv"], 2, 1),
        (&["bmc", "missing.pyv"], 2, 1),
        (&["verify", "good.pyv", "--check-invariant", "nothing"], 2, 1),
    ];
    for &(command, code, errors) in commands {
        let context = command.join(" ");
        let log = sarif(&in_format(&dir, command, "sarif").ends_with(code).silent_on_stderr().out);
        let run = &log["runs"][0];
        assert_eq!(run["invocations"][0]["exitCode"], code, "{context}");
        assert_eq!(run["automationDetails"]["id"], format!("ramsey/{}/", command[0]), "{context}");
        let of_run = run["invocations"][0]["toolExecutionNotifications"].as_array();
        let all = results(&log).iter().chain(of_run.into_iter().flatten());
        assert_eq!(all.filter(|it| it["level"] == "error").count(), errors, "{context}: {log:#}");

        let xml = in_format(&dir, command, "junit").ends_with(code).silent_on_stderr().out;
        let elements = elements(&xml);
        let count = |name: &str| elements.iter().filter(|it| it.0 == name).count();
        assert_eq!(count("failure") + count("error"), errors, "{context}: {xml}");
        let root = &elements[0];
        for (name, tag) in [("tests", "testcase"), ("failures", "failure"), ("errors", "error")] {
            assert_eq!(attribute(root, name), count(tag).to_string(), "{context}: {xml}");
        }
        let cases: Vec<_> = elements.iter().filter(|it| it.0 == "testcase").collect();
        let names: BTreeSet<_> =
            cases.iter().map(|it| (attribute(it, "classname"), attribute(it, "name"))).collect();
        assert_eq!(names.len(), cases.len(), "{context}: {xml}");

        let commands = in_format(&dir, command, "github").ends_with(code).silent_on_stderr().out;
        assert_eq!(commands.lines().filter(|it| it.starts_with("::error ")).count(), errors, "{context}");
        assert!(commands.lines().all(|it| it.starts_with("::")), "{context}: {commands}");

        let issues = in_format(&dir, command, "gitlab").ends_with(code).silent_on_stderr().out;
        let issues: Vec<Value> = serde_json::from_str(&issues).expect("a list");
        let severe = ["critical", "blocker"];
        let count =
            issues.iter().filter(|it| severe.iter().any(|severity| it["severity"] == *severity)).count();
        assert_eq!(count, errors, "{context}: {issues:?}");
        let distinct: BTreeSet<&str> =
            issues.iter().map(|it| it["fingerprint"].as_str().expect("a text")).collect();
        assert_eq!(distinct.len(), issues.len(), "{context}");
    }
}

#[test]
fn examples_are_valid_logs() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("examples");
    let dir = Dir::new();
    let folder = folder.to_str().expect("UTF-8");
    let run =
        dir.run(&["verify", folder, "--work", "30000", "--format", "sarif", "--report", "junit=all.xml"]);
    let log = sarif(&run.out);
    assert!(results(&log).len() > 100);
    elements(&dir.read("all.xml"));
}

#[test]
fn a_violation_is_told_step_by_step() {
    let dir = Dir::new();
    dir.file("bad.pyv", broken_lock());
    let log = sarif(&dir.run(&["bmc", "bad.pyv", "--format", "sarif"]).ends_with(1).out);
    let result = &results(&log)[0];
    let flow = result["codeFlows"][0]["threadFlows"][0]["locations"].as_array().expect("a flow");
    let texts: Vec<&str> =
        flow.iter().map(|it| it["location"]["message"]["text"].as_str().expect("a text")).collect();
    assert_eq!(
        texts,
        [
            "state 0 is initial",
            "acquire(n=node0) leads to state 1",
            "acquire(n=node1) leads to state 2",
            "false: held(N1) & held(N2) -> N1 = N2 for N1=node0, N2=node1",
        ]
    );
    let region = &flow[1]["location"]["physicalLocation"]["region"];
    assert_eq!((&region["startLine"], &region["startColumn"]), (&7.into(), &1.into()));
    assert_eq!(flow[2]["state"]["held(node1)"]["text"], "true");
    assert_eq!(result["locations"][0]["physicalLocation"]["artifactLocation"]["uri"], "bad.pyv");
}

/// Returns rule and fingerprints of all results.
fn fingerprints(log: &Value) -> BTreeSet<String> {
    results(log).iter().map(|it| format!("{} {}", it["ruleId"], it["partialFingerprints"])).collect()
}

#[test]
fn fingerprints_do_not_depend_on_lines() {
    let dir = Dir::new();
    let log = |text: String| {
        dir.file("bad.pyv", text);
        sarif(&dir.run(&["verify", "--all", "bad.pyv", "--format", "sarif"]).ends_with(1).out)
    };
    let (before, after) = (log(broken_lock()), log(format!("# a\n\n{}", broken_lock())));
    assert_ne!(before, after);
    assert_eq!(fingerprints(&before), fingerprints(&after));
    assert_eq!(fingerprints(&before).len(), results(&before).len());
}

#[test]
fn quiet_logs_have_only_what_is_wrong() {
    let dir = Dir::new();
    dir.file("bad.pyv", broken_lock());
    let levels = |args: &[&str]| {
        let log = sarif(&dir.run(args).ends_with(1).out);
        results(&log).iter().map(|it| it["kind"].as_str().unwrap_or_default().to_owned()).collect::<Vec<_>>()
    };
    assert_eq!(levels(&["verify", "bad.pyv", "--format", "sarif", "-q"]), ["fail"]);
    assert_eq!(levels(&["verify", "bad.pyv", "--format", "sarif"]), ["pass", "fail", "pass"]);
}

#[test]
fn only_what_is_new_fails() {
    let dir = Dir::new();
    dir.file("bad.pyv", broken_lock());
    for (format, name) in [("sarif", "base.sarif"), ("json", "base.json")] {
        let report = format!("{format}={name}");
        dir.run(&["verify", "--all", "bad.pyv", "--report", &report]).ends_with(1);
        let compare = ["verify", "--all", "bad.pyv", "--baseline", name];
        dir.file("bad.pyv", format!("# moved\n{}", broken_lock()));
        dir.run(&compare).ends_with(0).prints(&format!("compared with {name}: 0 new, 1 known, 0 absent"));
        let mut json = compare.to_vec();
        json.extend(["--format", "json"]);
        let document = dir.run(&json).ends_with(0).json();
        assert_eq!((&document["verdict"], &document["comparison"]["known"]), (&"ok".into(), &1.into()));
        // Another claim that fails is new.
        dir.file("bad.pyv", format!("{}invariant [some] exists X. held(X)\n", broken_lock()));
        dir.run(&compare).ends_with(1).prints("2 new, 1 known, 0 absent");
        // What is repaired is told.
        dir.file("bad.pyv", LOCK);
        dir.run(&compare).ends_with(0).prints("no more: bad.pyv").prints("0 new, 0 known, 1 absent");
        // What cannot be read is never known.
        dir.file("bad.pyv", "sort\n");
        dir.run(&compare).ends_with(2);
        dir.file("bad.pyv", broken_lock());
    }
    dir.run(&["bmc", "bad.pyv", "--report", "sarif=bmc.sarif"]).ends_with(1);
    dir.run(&["bmc", "bad.pyv", "--baseline", "bmc.sarif"]).ends_with(0);
    // The question is another one.
    dir.run(&["bmc", "bad.pyv", "--baseline", "base.sarif"]).ends_with(1);
    dir.file("no.json", "{\n  \"runs\": [,]\n}\n");
    dir.run(&["verify", "bad.pyv", "--baseline", "no.json"])
        .ends_with(2)
        .complains("--> no.json:2:12")
        .complains("earlier results are what");
}

/// What a known violation kept from being asked about may be new.
#[test]
fn nothing_new_hides_behind_what_is_known() {
    let dir = Dir::new();
    let one = "sort s\nmutable relation p(s)\nmutable relation q(s)\ninit !p(S)\ninit !q(S)\nsafety [a] !p(S)\n\
               safety [b] !q(S)\ntransition t(x: s)\n  modifies p\n  & (new(p(S)) <-> p(S) | S = x)\n";
    let both = format!("{}  & (new(q(S)) <-> q(S) | S = x)\n", one.replace("modifies p", "modifies p, q"));
    dir.file("m.pyv", one);
    dir.run(&["verify", "m.pyv", "--report", "sarif=base"]).ends_with(1);
    dir.run(&["verify", "m.pyv", "--baseline", "base"]).ends_with(0).prints("0 new, 1 known, 0 absent\n");
    dir.run(&["bmc", "m.pyv", "--report", "sarif=bmc"]).ends_with(1);
    dir.run(&["bmc", "m.pyv", "-p", "a", "--baseline", "bmc"]).ends_with(0);
    dir.file("m.pyv", &both);
    dir.run(&["verify", "m.pyv", "--baseline", "base"]).ends_with(1).prints("1 new, 1 known, 0 absent\n");
    dir.run(&["bmc", "m.pyv", "--baseline", "bmc"])
        .ends_with(3)
        .prints("0 new, 1 known, 0 absent, 1 not asked about, as a known answer came first\n");
    dir.run(&["bmc", "m.pyv", "-p", "b", "--baseline", "bmc"]).ends_with(1);
    // Results say no more than is known.
    let results = dir.run(&["instance", "m.pyv", "s=2", "--format", "junit"]).ends_with(1);
    assert!(results.out.contains("`b` was not asked about"), "{}", results.out);
    let results = dir.run(&["instance", "m.pyv", "s=2", "--work", "1", "--format", "github"]).ends_with(3);
    assert!(results.out.contains("there is no answer about safety property `a`"), "{}", results.out);
    let results = dir.run(&["bmc", "m.pyv", "--work", "1", "--format", "github"]).ends_with(3);
    assert!(!results.out.contains("violates"), "{}", results.out);
}

#[test]
fn reports_replace_only_their_own_kind() {
    let dir = Dir::new();
    dir.file("bad.pyv", broken_lock()).file("notes.txt", "mine\n");
    dir.run(&["verify", "bad.pyv", "--report", "sarif=notes.txt"]).ends_with(2).complains("no SARIF log");
    assert_eq!(dir.read("notes.txt"), "mine\n");
    for form in ["json", "sarif", "junit", "github", "gitlab"] {
        let report = format!("{form}=out.{form}");
        for _ in 0..2 {
            dir.run(&["verify", "bad.pyv", "--report", &report]).ends_with(1);
        }
        assert!(!dir.read(&format!("out.{form}")).is_empty());
    }
    let document: Value = serde_json::from_str(&dir.read("out.json")).expect("JSON");
    check(&document).expect("the schema");
    dir.run(&["verify", "bad.pyv", "--report", "sarif=a", "--report", "junit=a"]).ends_with(2);
    dir.run(&["verify", "bad.pyv", "--report", "text=a"]).ends_with(2).complains("no form of a file");
    dir.run(&["verify", "bad.pyv", "--report", "sarif=no/folder"]).ends_with(2);
    assert!(!dir.0.join("no").exists());
}

#[test]
fn executions_go_out_and_come_in_as_traces() {
    let dir = Dir::new();
    dir.file("bad.pyv", broken_lock());
    dir.run(&["bmc", "bad.pyv", "--itf", "trace.itf.json"]).ends_with(1);
    let trace: Value = serde_json::from_str(&dir.read("trace.itf.json")).expect("JSON");
    assert_eq!(trace["#meta"]["format"], "ITF");
    assert_eq!(trace["states"][1]["mbt::actionTaken"], "acquire");
    assert_eq!(trace["states"][2]["held"]["#set"].as_array().map(Vec::len), Some(2));
    dir.run(&["eval", "held(node0) & held(node1)", "trace.itf.json", "--model", "bad.pyv", "--state", "2"])
        .ends_with(0)
        .prints("true");
    dir.run(&["show", "trace.itf.json", "--model", "bad.pyv"]).ends_with(0).prints("acquire");
    // Further executions have a number.
    dir.file("two.pyv", format!("{}invariant [some] exists X. held(X)\n", broken_lock()));
    dir.run(&["verify", "--all", "two.pyv", "--itf", "two.json"]).ends_with(1);
    assert!(dir.0.join("two-2.json").is_file());
    let damaged = dir.read("trace.itf.json").replacen("\"#set\": []", "\"#set\": [1]", 1);
    dir.file("damaged.json", damaged);
    dir.run(&["show", "damaged.json", "--model", "bad.pyv"])
        .ends_with(2)
        .complains("a tuple of elements is expected here")
        .complains("states/0/held/#set/0");
}
