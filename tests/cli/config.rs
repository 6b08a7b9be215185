//! `ramsey verify` with the checks of a configuration.

use serde_json::Value;

use crate::common::binary::{Dir, LOCK, broken_lock};
use crate::common::schema::{check, check_sarif};

const CONFIG: &str = "\
[[check]]
models = [\"models\"]
exclude = [\"models/b*.pyv\"]

[[check]]
models = [\"models/b?d.pyv\"]
command = \"bmc\"
depth = 4
expect = \"fails at depth 2\"
";

fn project() -> Dir {
    let dir = Dir::new();
    dir.file("ramsey.toml", CONFIG).file("models/lock.pyv", LOCK).file("models/bad.pyv", broken_lock());
    dir.file("models/more/lock2.pyv", LOCK).file("models/notes.txt", "no model\n");
    dir
}

#[test]
fn all_checks_are_run() {
    let dir = project();
    dir.run(&["verify"])
        .ends_with(0)
        .prints("models/lock.pyv  verify  proved (3)\n")
        .prints("models/more/lock2.pyv  verify  proved (3)\n")
        .prints("models/bad.pyv  bmc --depth 4  fails at depth 2, as expected\n")
        .prints("3 checks: all as expected")
        .silent_on_stderr();
    assert_eq!(dir.run(&["verify", "-q"]).ends_with(0).out.trim(), "3 checks: all as expected");
    // One model, and one folder.
    let one =
        dir.run(&["verify", "models/bad.pyv", "--config", "ramsey.toml"]).ends_with(0).prints("1 check:");
    assert!(!one.out.contains("lock"));
    dir.run(&["verify", "models/more", "--config", "ramsey.toml"]).ends_with(0).prints("1 check:");
    dir.run(&["verify", "other", "--config", "ramsey.toml"])
        .ends_with(2)
        .complains("no check of `ramsey.toml`");
    // With a model on the command line, the file does not count, whatever is in it.
    dir.file("ramsey.toml", "nonsense");
    dir.run(&["verify", "models/lock.pyv"]).ends_with(0).prints("3 obligations: 3 ok");
    dir.run(&["verify"]).ends_with(2).complains("ramsey.toml:1:");
}

#[test]
fn the_file_is_found_above() {
    let dir = project();
    let below = Dir(dir.0.join("models/more"));
    below.run(&["verify"]).ends_with(0).prints("../../models/lock.pyv  verify  proved");
    std::mem::forget(below);
    let without = Dir::new();
    without.run(&["verify"]).ends_with(2).complains("`ramsey init` writes a configuration");
}

#[test]
fn other_outcomes_than_expected_have_a_place() {
    let dir = project();
    dir.file("ramsey.toml", CONFIG.replace("depth 2", "depth 3"));
    dir.run(&["verify"])
        .ends_with(1)
        .prints("fails at depth 2, but expected: fails at depth 3")
        .prints("error[R035]")
        .prints("--> ramsey.toml:9:10")
        .prints("3 checks: 2 as expected, 1 not as expected");
    dir.file("ramsey.toml", CONFIG.replace("fails at depth 2", "proved"));
    dir.run(&["verify"]).ends_with(1).prints("violated in state 2");
    // What is repaired is not as expected either.
    dir.file("ramsey.toml", CONFIG).file("models/bad.pyv", LOCK);
    dir.run(&["verify"]).ends_with(1).prints("proved (1), but expected: fails at depth 2");
    dir.file("models/bad.pyv", "sort\n");
    dir.run(&["verify"]).ends_with(2).prints("error[R003]").prints("1 with errors");
    dir.file("ramsey.toml", CONFIG.replace("fails at depth 2", "error R003"));
    dir.run(&["verify"]).ends_with(0).prints("error R003, as expected");
}

#[test]
fn models_expect_in_comments() {
    let dir = project();
    dir.file("ramsey.toml", "[[check]]\nmodels = [\"models/bad.pyv\"]\n");
    dir.run(&["verify"]).ends_with(1).prints("verify  fails");
    let told = |comments: &str| {
        dir.file("models/bad.pyv", format!("{comments}\n{}", broken_lock()));
        dir.run(&["verify"])
    };
    told("# ramsey: bmc depth=3 => fails at depth 2\n  # ramsey: => fails")
        .ends_with(0)
        .prints("bmc depth=3  fails at depth 2, as expected")
        .prints("verify  fails, as expected")
        .prints("2 checks: all as expected");
    told("# ramsey: bmc depth=1 => fails").ends_with(1).prints("--> models/bad.pyv:1:1");
    told("# ramsey: instance node=2 => fails at depth 2").ends_with(0);
    told("# ramsey: bmc depht=1 => fails")
        .ends_with(2)
        .complains("--> models/bad.pyv:1:1")
        .complains("depth=N");
    // They say nothing to a check that says what it does, and to a command line with a model.
    dir.file(
        "ramsey.toml",
        "[[check]]\nmodels = [\"models/bad.pyv\"]\ncommand = \"verify\"\nexpect = \"fails\"\n",
    );
    told("# ramsey: nonsense").ends_with(0);
    dir.run(&["verify", "models/bad.pyv"]).ends_with(1);
}

#[test]
fn what_claims_nothing_is_not_proved() {
    let dir = Dir::new();
    dir.file("a.pyv", "# ramsey: verify => proved\nsort node\nmutable relation r(node)\ninit !r(X)\n");
    dir.file("ramsey.toml", "[[check]]\nmodels = [\"a.pyv\"]\n");
    dir.run(&["verify"])
        .ends_with(1)
        .prints("nothing to check, but expected: proved")
        .prints("warning[R026]");
    // What another model includes is checked there.
    dir.file("main.rml", "include \"part.rml\"\n");
    let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("examples/lock_server.rml");
    dir.file("part.rml", std::fs::read(folder).expect("an example"));
    dir.file("ramsey.toml", "[[check]]\nmodels = [\"*.rml\"]\nexpect = \"proved\"\n");
    dir.run(&["verify"])
        .ends_with(0)
        .prints("main.rml  verify  proved")
        .prints("part.rml  verify  part of another model\n");
}

#[test]
fn reports_are_about_all_models() {
    let dir = project();
    dir.file("ramsey.toml", CONFIG.replace("depth 2", "depth 3"));
    let run = dir.run(&["verify", "--format", "sarif", "--report", "junit=j.xml", "--report", "json=j.json"]);
    let log: Value = serde_json::from_str(&run.ends_with(1).silent_on_stderr().out).expect("JSON");
    check_sarif(&log).expect("SARIF");
    let results = log["runs"][0]["results"].as_array().expect("results");
    let rules: Vec<&Value> =
        results.iter().filter(|it| it["level"] == "error").map(|it| &it["ruleId"]).collect();
    assert_eq!(rules, ["bounded", "R035"]);
    let document: Value = serde_json::from_str(&dir.read("j.json")).expect("JSON");
    check(&document).expect("the schema");
    assert_eq!(document["summary"]["as_expected"], 2);
    assert!(dir.read("j.xml").contains("tests=\"8\" failures=\"2\""), "{}", dir.read("j.xml"));
    // What is expected is no error in any format.
    dir.file("ramsey.toml", CONFIG);
    let github = dir.run(&["verify", "--format", "github"]).ends_with(0);
    assert!(!github.out.contains("::error"), "{}", github.out);
    let junit = dir.run(&["verify", "--format", "junit"]).ends_with(0);
    assert!(junit.out.contains("failures=\"0\" errors=\"0\""), "{}", junit.out);
}

#[test]
fn only_what_is_new_fails() {
    let dir = project();
    dir.file("ramsey.toml", "[[check]]\nmodels = [\"models\"]\n");
    dir.run(&["verify", "--report", "sarif=base.sarif"]).ends_with(1);
    dir.run(&["verify", "--baseline", "base.sarif"]).ends_with(0).prints("0 new, 1 known, 0 absent");
    dir.file("models/more/lock2.pyv", broken_lock());
    dir.run(&["verify", "--baseline", "base.sarif"]).ends_with(1).prints("1 new, 1 known");
}

#[test]
fn what_is_wrong_is_told_with_its_place() {
    let dir = project();
    for (config, place, message) in [
        ("[[check]]\nmodels = [\"models\"]\ndpeth = 3\n", "3:1", "did you mean `depth`?"),
        ("[[check]]\nmodels = [\"modles\"]\n", "2:11", "no model matches `modles`"),
        ("[[check]]\nmodels = [\"models/[.pyv\"]\n", "2:11", "is no pattern"),
        ("include = [\"lib\"]\n[[check]]\nmodels = [\"models\"]\n", "1:12", "`lib` is no folder"),
        ("[[check]]\nmodels = [\"models\"]\ncommand = \"infer\"\nmethod = \"magic\"\n", "1:1", "magic"),
        ("[[check]]\nmodels = \"models\"\n", "2:10", "invalid type"),
        ("[limits]\ntimeout = 0\n", "2:11", "must be more than 0"),
    ] {
        dir.file("ramsey.toml", config);
        let place = format!("--> ramsey.toml:{place}\n");
        dir.run(&["verify"]).ends_with(2).complains(&place).complains(message).complains("= help: ");
        let json = dir.run(&["verify", "--format", "json"]).ends_with(2).silent_on_stderr();
        let document: Value = serde_json::from_str(&json.out).expect("JSON");
        assert_eq!(document["exit_code"], 2, "{config}");
    }
    dir.file("ramsey.toml", CONFIG);
    dir.run(&["verify", "--certify", "x"]).ends_with(2).complains("options of their own");
    dir.run(&["verify", "--config", "none.toml"]).ends_with(2).complains("none.toml");
}

#[test]
fn limits_of_the_command_line_count() {
    let dir = project();
    let limits = "[limits]\nwork = 1\n";
    dir.file(
        "ramsey.toml",
        format!("{limits}[[check]]\nmodels = [\"models/lock.pyv\"]\nexpect = \"unknown\"\n"),
    );
    dir.run(&["verify"]).ends_with(0).prints("unknown, as expected");
    dir.run(&["verify", "--work", "1000000"]).ends_with(1).prints("proved (3), but expected: unknown");
    dir.file("ramsey.toml", format!("{limits}[[check]]\nmodels = [\"models/lock.pyv\"]\nwork = 1000000\n"));
    dir.run(&["verify"]).ends_with(0);
}

const GROWING: &str = "\
sort s
mutable relation p(s)
init !p(S)
transition t(x: s)
  modifies p
  & (new(p(S)) <-> p(S) | S = x)
safety [a] !p(S)
";

/// What no command has looked at is no part of another model.
#[test]
fn parts_are_what_others_include() {
    let dir = Dir::new();
    dir.file("good.pyv", LOCK);
    let check = |options: &str| format!("[[check]]\nmodels = [\"*.pyv\", \"*.ivy\"]\n{options}");
    let only = |options: &str| format!("[[check]]\nmodels = [\"*.pyv\"]\n{options}");
    dir.file("ramsey.toml", only("command = \"typecheck\"\nexpect = \"error R006\"\n"));
    dir.run(&["verify"]).ends_with(1).prints("but expected: error R006");
    dir.file("ramsey.toml", only("invariants = [\"a\"]\nexpect = \"proved\"\n"));
    dir.file("growing.pyv", GROWING.replace("| S = x", "& S != x"));
    dir.run(&["verify"]).ends_with(1).prints("nothing to check, but expected: proved");
    // A file is a part of a program that includes it and can be read.
    dir.file(
        "part.ivy",
        "#lang ivy1.7\ntype t\nrelation r(X:t)\nafter init { r(X) := true }\ninvariant ~r(X)\n",
    );
    dir.file("whole.ivy", "#lang ivy1.7\ninclude part\naction f = {}\nexport f\n");
    dir.file("ramsey.toml", check(""));
    dir.run(&["verify"])
        .ends_with(1)
        .prints("part.ivy  verify  part of another model")
        .prints("whole.ivy  verify  fails");
    dir.file("whole.ivy", "#lang ivy1.7\ninclude part\naction f = {\n");
    dir.file("ramsey.toml", "[[check]]\nmodels = [\"*.ivy\"]\nexpect = \"error\"\n");
    dir.run(&["verify"]).ends_with(1).prints("part.ivy  verify  nothing to check, but expected: error");
}

/// Names of files are no options, and each of them is read or told.
#[cfg(unix)]
#[test]
fn patterns_find_all_that_matches() {
    use std::ffi::OsStr;
    use std::fs;
    use std::os::unix::ffi::OsStrExt as _;
    use std::os::unix::fs::symlink;

    let dir = Dir::new();
    for name in ["-I.pyv", "--certify=x.pyv", "good.pyv", "below/deep/x.pyv"] {
        dir.file(name, if name == "good.pyv" { LOCK } else { GROWING });
    }
    fs::write(dir.0.join(OsStr::from_bytes(b"\xff.txt")), "no model").expect("written");
    // Around in a circle.
    symlink("..", dir.0.join("below/up")).expect("a link");
    dir.file("ramsey.toml", "[[check]]\nmodels = [\"*.pyv\"]\n");
    dir.run(&["verify"])
        .ends_with(1)
        .prints("./-I.pyv  verify  fails")
        .prints("./--certify=x.pyv  verify  fails")
        .prints("3 checks: 1 as expected");
    assert!(!dir.0.join("x.pyv").exists());
    dir.file("ramsey.toml", "[[check]]\nmodels = [\"**/**/[!g]*.pyv\"]\nexclude = [\"-*\"]\n");
    dir.run(&["verify"]).ends_with(1).prints("below/deep/x.pyv  verify  fails").prints("1 check:");
    // At the end of a pattern, `**` is all that is below.
    dir.file("ramsey.toml", "[[check]]\nmodels = [\"below/d**\"]\n");
    dir.run(&["verify"]).ends_with(2).complains("is no pattern");
    dir.file("ramsey.toml", "[[check]]\nmodels = [\"below/d*/**\", \"**\"]\nexclude = [\"-*\"]\n");
    dir.run(&["verify"]).ends_with(1).prints("below/deep/x.pyv  verify  fails").prints("2 checks:");
    dir.file("ramsey.toml", "[[check]]\nmodels = [\"below/*/?.pyv\", \"below/d*\"]\n");
    dir.run(&["verify"]).ends_with(1).prints("below/deep/x.pyv  verify  fails").prints("1 check:");
    // A model that no check is about is told, also beside others.
    dir.file("ramsey.toml", "[[check]]\nmodels = [\"good.pyv\"]\n");
    dir.run(&["verify", "--config", "ramsey.toml", "good.pyv", "below"])
        .ends_with(2)
        .complains("no check of `ramsey.toml` is about `below`");
    // A configuration that is there counts, whether it can be read or not.
    symlink("nowhere", dir.0.join("below/ramsey.toml")).expect("a link");
    let below = Dir(dir.0.join("below"));
    below.run(&["verify"]).ends_with(2).complains("link to `nowhere`");
    std::mem::forget(below);
    let sizes = "[[check]]\nmodels = [\"good.pyv\"]\ncommand = \"instance\"\nsizes = { \"--work\" = 1 }\n";
    dir.file("ramsey.toml", sizes);
    dir.run(&["verify"]).ends_with(2).complains("`--work` is no sort");
    dir.file("good.pyv", format!("\u{feff}# ramsey: instance --work=1 => unknown\n{LOCK}"));
    dir.file("ramsey.toml", "[[check]]\nmodels = [\"good.pyv\"]\n");
    dir.run(&["verify"]).ends_with(2).complains("`--work=1` is no option of `instance`");
}
