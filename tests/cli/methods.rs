//! `ramsey verify` about programs in `.ivy` that tell how their claims are decided.

use crate::common::binary::Dir;

const LOCK: &str = "#lang ivy1.7
type node
relation held(N:node)
individual free : bool
after init { held(N) := false; free := true }
action take(n:node) = { require free; held(n) := true; free := false }
action drop(n:node) = { require held(n); held(n) := false; free := true }
export take
export drop
invariant [one] held(N) & held(M) -> N = M
";

const ISOLATES: &str = "#lang ivy1.7
type node
object lock = {
  relation held(N:node)
  individual free : bool
  after init { held(N) := false; free := true }
  action take(n:node) = { require free; held(n) := true; free := false }
  action drop(n:node) = { require held(n); held(n) := false; free := true }
  invariant [one] held(N) & held(M) -> N = M
}
object other = {
  relation p
  after init { p := true }
  action q = { p := p }
  invariant [yes] p
}
export lock.take
export lock.drop
export other.q
isolate first = lock
isolate second = other
";

const CALLED_BACK: &str = "#lang ivy1.7
object ext = {
  action go
  object impl = { implement go { foo.back } }
}
object foo = {
  relation p
  after init { p := false }
  action a = { p := true; ext.go; p := false }
  action back = { assert ~p }
}
isolate inner = foo
isolate outer = ext
export foo.a
attribute inner.method = mc
";

/// Returns a folder with `lock.ivy`, which is right and not inductive, and `bad.ivy`, which is wrong, decided in this way.
fn with_method(method: &str) -> Dir {
    let dir = Dir::new();
    let text = format!("{LOCK}{method}\n");
    dir.file("lock.ivy", &text).file("bad.ivy", text.replace("require free;", ""));
    dir
}

#[test]
fn claims_are_decided_by_executions_of_any_length() {
    for method in ["attribute method = mc", "proof [this] { showgoals; tactic mc }"] {
        let dir = with_method(method);
        let run = dir.run(&["verify", "lock.ivy"]).ends_with(0).silent_on_stderr();
        run.prints("safety property one  ").prints("  proved (an invariant of ").prints("1 obligation: 1 ok");
        dir.run(&["verify", "lock.ivy", "-q"]).ends_with(0).prints("");
        dir.run(&["verify", "lock.ivy", "--inductive"]).ends_with(1).prints("one  FAILED");
        let run = dir.run(&["verify", "bad.ivy"]).ends_with(1).prints("VIOLATED after 2 steps");
        run.prints("  step 2: take(").prints("1 obligation: 1 failed");
        dir.run(&["verify", "lock.ivy", "--work", "1"]).ends_with(3).prints("unknown (work budget)");
        let run = dir.run(&["verify", "lock.ivy", "bad.ivy"]).ends_with(1).prints("lock.ivy: 1 ok");
        run.prints("2 obligations: 1 ok, 1 failed");
    }
    // Without `require`, what is assumed of the past is not proved.
    let dir = Dir::new();
    let more = "relation r\nafter init { r := false }\naction set = { r := true }\nexport set\ninvariant [none] ~r\n";
    dir.file("both.ivy", format!("{LOCK}{more}attribute method = mc\n"));
    for command in ["mc", "verify"] {
        let run = dir.run(&[command, "both.ivy"]).ends_with(1).prints("safety property none  ");
        run.prints("holds as long as the other claims have held").prints("VIOLATED after 1 step");
    }
    dir.run(&["verify", "both.ivy", "--check-invariant", "one"])
        .ends_with(3)
        .prints("holds as long as the other claims have held");
}

#[test]
fn claims_of_executions_up_to_a_length_are_unknown() {
    let dir = with_method("attribute method = bmc[1][2]");
    let run = dir.run(&["verify", "lock.ivy"]).ends_with(3).silent_on_stderr();
    run.prints("safety property one  unknown (bounded): no execution of at most 2 steps violates it");
    // One more step than invariants are checked after has its assertions checked, so a violation is one more step away.
    dir.run(&["verify", "bad.ivy"])
        .ends_with(1)
        .prints("VIOLATED after 2 steps")
        .prints("violated in state 2:");
    let dir = with_method("attribute method = bmc[0]");
    let run = dir.run(&["verify", "bad.ivy"]).ends_with(3);
    run.prints("unknown (bounded): no execution of at most 1 step violates it");
    dir.run(&["verify", "bad.ivy", "--work", "1"]).ends_with(3).prints("unknown (work budget)");
}

#[test]
fn commands_about_induction_say_that_they_are() {
    let dir = with_method("attribute method = mc");
    for command in ["cti", "explain"] {
        dir.run(&[command, "lock.ivy"])
            .complains("warning[R049]: the claims of the model are to be decided by executions")
            .complains("11 | attribute method = mc")
            .complains("with `--inductive` it asks this question");
        let run = dir.run(&[command, "lock.ivy", "--allow", "R049"]);
        assert!(!run.err.contains("R049"), "{}", run.err);
    }
    // The page has the remark above its table of claims.
    for (name, is_told) in [("lock.ivy", true), ("plain.ivy", false)] {
        dir.file("plain.ivy", LOCK);
        let opening = serde_json::json!({"ramsey_session": 1, "model": name, "text": dir.read(name)});
        dir.file("log.session", format!("{opening}\n"));
        let run = dir.run(&["ui", name, "--replay", "log.session"]).ends_with(0);
        let document: serde_json::Value = serde_json::from_str(&run.out).expect("a document");
        let remark = document["check"]["heads"]["remark"].as_str().unwrap_or_default();
        assert_eq!(remark.contains("it is asked whether they are inductive"), is_told, "{document}");
    }
    let run = dir.run(&["cti", "plain.ivy"]).ends_with(1);
    assert!(!run.err.contains("R049"), "{}", run.err);
    for command in ["mc", "bmc", "infer"] {
        let run = dir.run(&[command, "lock.ivy"]).ends_with(0);
        assert!(!run.err.contains("R049"), "{}", run.err);
    }
}

#[test]
fn theorems_are_shown_beside_executions() {
    let dir = Dir::new();
    let text = format!("{LOCK}property [lie] exists X:node. forall Y:node. X = Y\nattribute method = mc\n");
    dir.file("lie.ivy", text);
    let run = dir.run(&["verify", "lie.ivy"]).ends_with(1).prints("lie  FAILED").prints("proved (");
    run.prints("2 obligations: 1 ok, 1 failed");
    dir.file(
        "temporal.ivy",
        format!("{LOCK}temporal property [always] globally free\nattribute method = mc\n"),
    );
    dir.run(&["verify", "temporal.ivy"]).ends_with(3).prints("unknown (temporal, not checked)");
    dir.run(&["verify", "temporal.ivy", "--safety-only"]).ends_with(0);
    dir.run(&["theorem", "lie.ivy"]).ends_with(1).prints("1 obligation: 1 failed");
}

/// Returns which isolates of a program are decided by executions.
fn checked(text: &str) -> Vec<String> {
    let dir = Dir::new();
    dir.file("program.ivy", text);
    let document = dir.run(&["verify", "program.ivy", "--format", "json"]).json();
    let files = document["files"].as_array().expect("a list").iter();
    let checked = files.filter(|file| {
        assert_ne!(file["verdict"], "bad-input", "{document:#}");
        file["checked"].is_object()
    });
    checked.map(|file| file["isolate"].as_str().unwrap_or("-").to_owned()).collect()
}

#[test]
fn the_attribute_is_that_of_an_isolate() {
    let with = |attribute: &str| checked(&format!("{ISOLATES}{attribute}\n"));
    assert_eq!(with("attribute first.method = mc"), ["first"]);
    assert_eq!(with("attribute second.method = bmc[2]"), ["second"]);
    assert_eq!(with("proof [first] { tactic mc }"), ["first"]);
    assert_eq!(with("proof [first] { tactic vcgen }"), [""; 0]);
    // An object is no isolate, and other attributes and values say nothing.
    for other in ["lock.method = mc", "first.mc = mc", "first.method = mc[2]", "first.method = vmt"] {
        assert_eq!(with(&format!("attribute {other}")), [""; 0], "{other}");
    }
    assert_eq!(with("attribute first.method = \"mc\""), [""; 0]);
    // The last one counts.
    assert_eq!(with("attribute first.method = mc\nattribute first.method = ic"), [""; 0]);
    assert_eq!(with("attribute first.method = ic\nattribute first.method = bmc[2]"), ["first"]);
    // The object around `iso` may have it.
    let inner = ISOLATES.replace("isolate first = lock", "object f = { isolate iso = lock }");
    assert_eq!(checked(&format!("{inner}attribute f.method = mc\n")), ["f.iso"]);
    assert_eq!(checked(&format!("{inner}attribute f.method = mc\nattribute f.iso.method = ic\n")), [""; 0]);
    assert_eq!(checked(&format!("{ISOLATES}attribute method = mc\n")), [""; 0]);
    let iso = ISOLATES.replace("isolate first", "isolate iso");
    assert_eq!(checked(&format!("{iso}attribute method = mc\n")), ["iso"]);
    // Without isolates, all of a program is one from version 1.7 on.
    let whole = format!("{LOCK}attribute method = mc\n");
    assert_eq!(checked(&whole), ["-"]);
    let early = whole.replace("1.7", "1.6").replace("invariant", "conjecture").replace("require", "assume");
    assert_eq!(checked(&early), [""; 0]);
    // A module may bring it along.
    let module = "#lang ivy1.7
module isolate m = { relation r after init { r := true } action a = { r := r } invariant r attribute method = mc }
instance x : m
export x.a
";
    assert_eq!(checked(module), ["x.iso"]);
}

#[test]
fn other_commands_ask_their_own_questions() {
    let dir = with_method("attribute method = mc");
    dir.run(&["infer", "lock.ivy", "--out", "inferred.ivy"]).ends_with(0);
    dir.run(&["verify", "inferred.ivy"]).ends_with(0).prints("proved (");
    dir.run(&["verify", "inferred.ivy", "--inductive", "--certify", "x.cert"]).ends_with(0);
    dir.run(&["check", "inferred.ivy", "x.cert"]).ends_with(0);
    dir.run(&["bmc", "lock.ivy", "--depth", "2"]).ends_with(0);
    dir.run(&["bmc", "bad.ivy"]).ends_with(1);
    dir.run(&["cti", "lock.ivy"]).ends_with(1).prints("take");
    dir.file("isolates.ivy", format!("{ISOLATES}attribute first.method = mc\n"));
    dir.run(&["verify", "isolates.ivy", "--whole"]).ends_with(1).prints("lock.one   FAILED");
    dir.run(&["verify", "isolates.ivy", "--isolate", "first"]).ends_with(0).prints("proved (");
    dir.run(&["mc", "isolates.ivy", "--isolate", "first"]).ends_with(0).prints("proved (");
}

#[test]
fn what_executions_have_no_answer_for_is_an_error() {
    let dir = with_method("attribute method = mc");
    for option in [&["--check-transition", "take"][..], &["--html", "x.html"]] {
        let mut args = vec!["verify", "lock.ivy"];
        args.extend(option);
        let run = dir.run(&args).ends_with(2).complains("are decided by executions");
        run.complains("`--inductive` asks");
    }
    for option in ["--certify", "--export", "--rocq"] {
        let run = dir.run(&["verify", "lock.ivy", option, "written"]).ends_with(2).prints("proved (");
        run.complains("has no certificate");
        assert!(!dir.0.join("written").exists(), "{option}");
    }
    dir.file("back.ivy", CALLED_BACK);
    dir.run(&["verify", "back.ivy"]).ends_with(2).complains("error[R013]: the isolate may be called");
    dir.run(&["verify", "back.ivy", "--inductive"]).ends_with(1).prints("FAILED");
    let numbers = "#lang ivy1.7\ntype t\ninterpret t -> nat\nindividual n : t\nafter init { n := 0 }\n\
                   action up = { n := n + 1 }\nexport up\ninvariant 0 <= n\nattribute method = mc\n";
    dir.file("up.ivy", numbers);
    let run = dir.run(&["verify", "up.ivy"]).ends_with(2).complains("error[R013]: of `+` on numbers");
    run.complains("`--inductive` asks");
    dir.run(&["verify", "up.ivy", "--inductive"]).ends_with(0);
    let admitted = format!("{LOCK}property [lie] free proof {{ tactic sorry }}\nattribute method = mc\n");
    dir.file("admitted.ivy", admitted);
    dir.run(&["verify", "admitted.ivy"]).ends_with(2).complains("error[R013]: a property is admitted here");
}

#[test]
fn answers_by_executions_have_every_format() {
    let dir = Dir::new();
    let text = ISOLATES.replace("require free;", "");
    dir.file("program.ivy", format!("{text}attribute first.method = mc\nattribute second.method = bmc[2]\n"));
    let verify = ["verify", "program.ivy"];
    let with = |more: &[&'static str]| [&verify[..], more].concat();
    let document = dir.run(&with(&["--format", "json"])).ends_with(1).json();
    let (first, second) = (&document["files"][0], &document["files"][1]);
    assert_eq!((&first["isolate"], &second["isolate"]), (&"first".into(), &"second".into()));
    assert_eq!(first["checked"]["steps"], serde_json::Value::Null);
    assert_eq!(first["checked"]["answers"][0]["outcome"], "violated");
    assert!(first["checked"]["answers"][0]["violation"].is_object(), "{document:#}");
    assert_eq!(second["checked"]["steps"], 3);
    assert_eq!(second["checked"]["answers"][0]["outcome"], "bounded");
    assert_eq!(document["summary"]["failed"], 1);
    assert_eq!(document["summary"]["unknown"], 1);
    let log = dir.run(&with(&["--format", "sarif"])).ends_with(1).out.clone();
    assert!(log.contains("no execution of at most 3 steps violates"), "{log}");
    assert!(log.contains("is violated after 2 steps"), "{log}");
    let xml = dir.run(&with(&["--format", "junit"])).ends_with(1).out.clone();
    assert!(xml.contains("tests=\"2\" failures=\"1\" errors=\"1\""), "{xml}");
    // What was so before is not new.
    dir.file("before.json", dir.run(&with(&["--format", "json"])).out.clone()).file("before.sarif", log);
    for baseline in ["before.json", "before.sarif"] {
        dir.run(&with(&["--baseline", baseline])).ends_with(0);
    }
}
