//! Files of a run: includes, directories, links, and output paths.

use std::fs;
use std::process::Command;

use crate::common::binary::{Dir, LOCK, broken_lock, ramsey_binary};

/// A sort and a relation, without a program.
const NODES: &str = "sort node\nrelation held: node\n";

/// A macro about a relation that the including file has to declare.
const MUTEX: &str = "macro alone = forall X, Y. held(X) & held(Y) -> X = Y\n";

/// A lock, which needs both.
const PROGRAM: &str = "\
include \"nodes.rml\"
include \"mutex.rml\"
assume !held(N)
while * {
  action acquire(n: node) { assume forall M. !held(M) held.insert(n) } | action release(n: node) { held.remove(n) }
}
safety [mutex] alone
";

fn chain() -> Dir {
    let dir = Dir::new();
    dir.file("a.rml", NODES).file("b.rml", "include \"a.rml\"\naxiom exists N: node. N = N\n");
    dir.file("c.rml", "include \"b.rml\"\nassume !held(N)\nwhile * { skip }\nsafety !held(N)\n");
    dir
}

#[test]
fn models_share_what_they_include() {
    let dir = chain();
    let files = ["a.rml", "b.rml", "c.rml"];
    for order in [[0, 1, 2], [0, 2, 1], [1, 0, 2], [1, 2, 0], [2, 0, 1], [2, 1, 0]] {
        let [first, second, third] = order.map(|at| files[at]);
        dir.run(&["typecheck", first, second, third]).ends_with(0).silent_on_stderr();
        dir.run(&["typecheck", first, third]).ends_with(0).silent_on_stderr();
        dir.run(&["fragment", first, second, third]).ends_with(0).silent_on_stderr();
        dir.run(&["verify", first, second, third]).ends_with(0).prints("c.rml");
    }
}

#[test]
fn a_file_is_included_once_on_whatever_way() {
    let dir = chain();
    let again = "include \"a.rml\"\ninclude \"./a.rml\"\ninclude \"sub/../a.rml\"\ninclude \"sub/d.rml\"\n";
    dir.file("sub/d.rml", "include \"../b.rml\"\ninclude \"../sub/../a.rml\"\n");
    dir.file("e.rml", format!("{again}assume !held(N)\nwhile * {{ skip }}\nsafety !held(N)\n"));
    dir.run(&["verify", "e.rml", "--certify", "e.cert"]).ends_with(0);
    dir.run(&["check", "e.rml", "e.cert"]).ends_with(0);
    let output = std::process::Command::new(env!("CARGO_BIN_EXE_ramsey-check"))
        .args(["e.rml", "e.cert"])
        .current_dir(&dir.0)
        .output()
        .expect("the binary runs");
    assert_eq!(output.status.code(), Some(0), "{output:?}");
}

#[test]
fn files_that_include_each_other_are_an_error() {
    let dir = Dir::new();
    dir.file("a.rml", "include \"b.rml\"\nsort s\n").file("b.rml", "include \"c.rml\"\n");
    dir.file("c.rml", "include \"b.rml\"\n").file("own.rml", "include \"own.rml\"\nsort s\n");
    for args in [
        &["typecheck", "a.rml"][..],
        &["verify", "b.rml"],
        &["typecheck", "b.rml", "c.rml"],
        &["verify", "."],
    ] {
        dir.run(args).ends_with(2).complains("R024").complains("include each other").complains("` -> `");
    }
    dir.run(&["typecheck", "own.rml"]).ends_with(2).complains("the cycle is `own.rml` -> `own.rml`");
}

#[test]
fn a_folder_with_libraries_verifies() {
    let dir = Dir::new();
    dir.file("m/lock.rml", PROGRAM)
        .file("m/nodes.rml", NODES)
        .file("m/mutex.rml", MUTEX)
        .file("m/x.pyv", LOCK);
    let run = dir.run(&["verify", "m"]).ends_with(0).silent_on_stderr();
    run.prints("m/mutex.rml: part of m/lock.rml").prints("m/nodes.rml: part of m/lock.rml").prints("6 ok");
    for command in ["typecheck", "fragment", "theorem"] {
        let run = dir.run(&[command, "m"]).ends_with(0);
        assert!(!run.err.contains("error"), "{}", run.err);
    }
    let document = dir.run(&["verify", "--format", "json", "m"]).ends_with(0).json();
    assert_eq!(document["files"][0]["parts"], serde_json::json!(["m/mutex.rml", "m/nodes.rml"]));
    assert_eq!(document["files"].as_array().map(Vec::len), Some(2));
    // A part that is named explicitly is checked as a model.
    dir.run(&["typecheck", "m", "m/mutex.rml"]).ends_with(2).complains("m/mutex.rml:1:");
    dir.run(&["typecheck", "m/mutex.rml", "m"]).ends_with(2).complains("m/mutex.rml:1:");
    dir.run(&["typecheck", "m/lock.rml", "m"]).ends_with(0).silent_on_stderr();
    // A library of a library is part of a complete model.
    dir.file("m/nodes.rml", format!("include \"base.rml\"\n{NODES}"))
        .file("m/base.rml", "relation r: node\n");
    dir.run(&["verify", "m"]).ends_with(0).prints("m/base.rml: part of m/lock.rml");
}

#[test]
fn a_file_counts_once_by_whatever_name() {
    let dir = Dir::new();
    dir.file("ok.pyv", LOCK).file("sub/x.pyv", broken_lock());
    dir.run(&["verify", "ok.pyv", "./ok.pyv", "sub/../ok.pyv"]).ends_with(0).prints("\n3 obligations: 3 ok");
    dir.run(&["typecheck", ".", "sub", "ok.pyv"]).ends_with(0);
    let run = dir.run(&["verify", "sub", "sub/x.pyv", "./sub"]).ends_with(1);
    run.prints("\n3 obligations: 2 ok, 1 failed");
}

#[cfg(unix)]
#[test]
fn links_are_followed_and_told_when_they_dangle() {
    use std::os::unix::fs::symlink;
    let dir = Dir::new();
    dir.file("m/ok.pyv", LOCK);
    symlink("m/ok.pyv", dir.0.join("link.pyv")).expect("a link");
    dir.run(&["verify", "m/ok.pyv", "link.pyv"]).ends_with(0).prints("\n3 obligations: 3 ok");
    symlink("gone.pyv", dir.0.join("m/z.pyv")).expect("a link");
    for command in ["verify", "typecheck", "fragment", "theorem"] {
        let run = dir.run(&[command, "m"]).ends_with(2);
        run.complains("`m/z.pyv` is a link to `gone.pyv`, and there is no such file");
    }
    dir.run(&["verify", "m"]).ends_with(2).prints("m/ok.pyv");
    symlink("z.pyv", dir.0.join("m/gone.pyv")).expect("a link");
    dir.run(&["verify", "m"]).ends_with(2).complains("cannot read `m/z.pyv`");
}

#[test]
fn names_of_certificates_are_visible_and_different() {
    let dir = Dir::new();
    dir.file("ok.pyv", LOCK).file("sub/x.pyv", LOCK).file("sub/a_b.pyv", LOCK).file("sub/a/b.pyv", LOCK);
    let sub = Dir(dir.0.join("sub"));
    let absolute = dir.0.join("ok.pyv").display().to_string();
    sub.run(&["verify", "--certify", "out", "../ok.pyv", "x.pyv", "a_b.pyv", "a/b.pyv"]).ends_with(0);
    let names = |folder: &str| {
        let entries = fs::read_dir(dir.0.join(folder)).expect("a folder").flatten();
        let mut names: Vec<String> =
            entries.map(|entry| entry.file_name().to_string_lossy().into_owned()).collect();
        names.sort();
        names
    };
    assert_eq!(names("sub/out"), ["+up+_ok.cert", "a__b.cert", "a_b.cert", "x.cert"]);
    sub.run(&["verify", "--certify", "more", &absolute, "x.pyv"]).ends_with(0);
    assert_eq!(names("sub/more").len(), 2);
    assert!(names("sub/more").iter().all(|name| !name.starts_with('.')));
    let run = sub.run(&["verify", "--certify", "x.pyv", "../ok.pyv", "a_b.pyv"]).ends_with(2);
    run.complains("`x.pyv` stays as it is");
    sub.run(&["verify", "--export", "exports", "../ok.pyv"]).ends_with(0);
    assert_eq!(names("sub/exports"), ["+up+_ok.export"]);
}

#[test]
fn folders_of_outputs_have_to_be_there() {
    let dir = Dir::new();
    dir.file("bad.pyv", broken_lock()).file("ok.pyv", LOCK).file("q.smt2", "(assert true)\n(check-sat)\n");
    dir.file("p.cnf", "p cnf 1 2\n1 0\n-1 0\n");
    dir.run(&["cti", "bad.pyv", "-o", "cti.json"]).ends_with(1);
    let outputs: [&[&str]; 12] = [
        &["verify", "bad.pyv", "--svg", "no/sub/x.svg"],
        &["verify", "bad.pyv", "--dot", "no/x.dot"],
        &["verify", "ok.pyv", "--certify", "no/x.cert"],
        &["verify", "ok.pyv", "bad.pyv", "--certify", "no/sub"],
        &["verify", "ok.pyv", "--export", "no/sub"],
        &["bmc", "bad.pyv", "--certify", "no/x.cert"],
        &["bmc", "bad.pyv", "--svg", "no/x.svg"],
        &["trace", "bad.pyv", "--dot", "no/x.dot"],
        &["simulate", "ok.pyv", "--svg", "no/x.svg"],
        &["cti", "bad.pyv", "--output", "no/x.json"],
        &["solve", "q.smt2", "--certify", "no/x.cert"],
        &["solve", "p.cnf", "--proof", "no/x.lrat"],
    ];
    for args in outputs {
        let run = dir.run(args).ends_with(2);
        run.complains("there is no folder `no").complains("make the folder first");
        assert!(!dir.0.join("no").exists(), "{args:?}");
    }
    dir.run(&["show", "cti.json", "--model", "bad.pyv", "--svg", "no/x.svg"])
        .ends_with(2)
        .complains("no folder");
    dir.run(&["generalize", "cti.json", "--model", "bad.pyv", "--bound", "1", "-o", "no/x.json"])
        .ends_with(2)
        .complains("no folder");
    assert!(!dir.0.join("no").exists());
}

#[test]
fn outputs_replace_no_input_and_not_each_other() {
    let dir = Dir::new();
    dir.file("bad.pyv", broken_lock()).file("ok.pyv", LOCK).file("x.txt", "text\n").file("sub/y", "y");
    dir.run(&["cti", "bad.pyv", "-o", "k.json"]).ends_with(1);
    let document = fs::read(dir.0.join("k.json")).expect("a document");
    let kept: [&[&str]; 9] = [
        &["show", "k.json", "--model", "bad.pyv", "--svg", "k.json"],
        &["show", "k.json", "--model", "bad.pyv", "--dot", "./k.json"],
        &["cti", "bad.pyv", "--another", "k.json", "--output", "sub/../k.json"],
        &["generalize", "k.json", "--model", "bad.pyv", "--bound", "1", "--output", "k.json"],
        &["verify", "bad.pyv", "--certify", "ok.pyv"],
        &["verify", "bad.pyv", "--svg", "bad.pyv"],
        &["bmc", "bad.pyv", "--certify", "bad.pyv"],
        &["trace", "bad.pyv", "--dot", "ok.pyv"],
        &["theorem", "bad.pyv", "--certify", "bad.pyv"],
    ];
    for args in kept {
        let run = dir.run(args).ends_with(2).complains("R017").complains("stays as it is");
        assert_eq!(run.out, "", "before the search: {args:?}");
    }
    let refused: [(&[&str], &str); 7] = [
        (&["verify", "bad.pyv", "--svg", "z", "--dot", "./z"], "where the output of `--svg` goes"),
        (&["bmc", "bad.pyv", "--certify", "sub/../z", "--svg", "z"], "where the output of `--certify` goes"),
        (&["verify", "bad.pyv", "--export", "x.txt"], "`x.txt` is a file, and the proofs need a folder"),
        (&["verify", "bad.pyv", "--svg", "sub"], "`sub` is a folder"),
        (&["verify", "bad.pyv", "--certify", "-"], "cannot go to standard output"),
        (&["simulate", "ok.pyv", "--svg", "-"], "cannot go to standard output"),
        (&["cti", "bad.pyv", "--output", "-"], "`--format json` without `--output` writes the document"),
    ];
    for (args, message) in refused {
        let run = dir.run(args).ends_with(2).complains("R017").complains(message);
        assert_eq!(run.out, "", "before the search: {args:?}");
    }
    #[cfg(unix)]
    {
        std::os::unix::fs::symlink("k.json", dir.0.join("l.json")).expect("a link");
        let args = ["show", "k.json", "--model", "bad.pyv", "--svg", "l.json"];
        dir.run(&args).ends_with(2).complains("stays as it is");
        dir.run(&["verify", "bad.pyv", "--svg", "/dev/null", "--dot", "/dev/null"]).ends_with(1);
    }
    assert_eq!(fs::read(dir.0.join("k.json")).expect("a document"), document);
    assert!(!dir.0.join("z").exists());
    let places = ["verify", "ok.pyv", "bad.pyv", "--svg", "no/a.svg", "--dot", "no/b.dot"];
    let told = dir.run(&places).ends_with(2).err;
    assert_eq!(told.matches("no/a.svg").count(), 1, "{told}");
}

/// The model is written at the end of a search, and its certificate after it.
#[test]
fn models_with_lemmas_are_lost_to_no_other_output() {
    let dir = Dir::new();
    dir.file("ok.pyv", LOCK).file("other.pyv", LOCK);
    let refused: [(&[&str], &str); 4] = [
        (
            &["mc", "ok.pyv", "--lemmas", "new.pyv", "--certify", "./new.pyv"],
            "where the output of `--lemmas` goes",
        ),
        (&["mc", "ok.pyv", "--lemmas", "./ok.pyv"], "this run reads it"),
        (&["mc", "ok.pyv", "--lemmas", "other.pyv"], "it is no model that ramsey wrote"),
        (&["mc", "ok.pyv", "--lemmas", "new.pyv", "--certify", "ok.pyv"], "this run reads it"),
    ];
    for (args, message) in refused {
        let run = dir.run(args).ends_with(2).complains("R017").complains(message);
        assert_eq!(run.out, "", "before the search: {args:?}");
    }
    assert!(!dir.0.join("new.pyv").exists());
    dir.run(&["mc", "ok.pyv", "--lemmas", "new.pyv", "--certify", "new.cert"]).ends_with(0);
    dir.run(&["check", "new.pyv", "new.cert"]).ends_with(0);
}

#[test]
fn outputs_replace_only_files_of_their_kind() {
    let dir = Dir::new();
    dir.file("bad.pyv", broken_lock()).file("ok.pyv", LOCK).file("p.cnf", "p cnf 1 2\n1 0\n-1 0\n");
    dir.file("empty", "");
    let outputs: [(&[&str], &str); 12] = [
        (&["verify", "bad.pyv"], "--svg"),
        (&["verify", "bad.pyv"], "--dot"),
        (&["verify", "bad.pyv"], "--html"),
        (&["verify", "ok.pyv"], "--certify"),
        (&["cti", "bad.pyv"], "--output"),
        (&["explain", "ok.pyv"], "--graph"),
        (&["explain", "ok.pyv"], "-o"),
        (&["instance", "ok.pyv", "node=2"], "--out"),
        (&["infer", "ok.pyv"], "--log-file"),
        (&["infer", "ok.pyv"], "--output"),
        (&["solve", "p.cnf"], "--proof"),
        (&["mc", "ok.pyv"], "--lemmas"),
    ];
    for (command, option) in outputs {
        // What tells the format of circuits and graphs is the name.
        let file = match option {
            "--out" => "notes.vmt",
            "--graph" => "notes.dot",
            _ => "notes.txt",
        };
        dir.file(file, "mine\n");
        let args = [command, &[option, file]].concat();
        let run = dir.run(&args).ends_with(2).complains("R017").complains("stays as it is: it is ");
        assert!(run.out.is_empty() && run.err.contains("`--force`"), "{args:?}: {}", run.err);
        assert_eq!(dir.read(file), "mine\n", "{args:?}");
        let forced = dir.run(&[&args, &["--force"][..]].concat());
        assert_ne!(forced.code, Some(2), "{args:?}: {}", forced.err);
        let written = dir.read(file);
        assert_ne!(written, "mine\n", "{args:?}");
        if option != "--lemmas" {
            let again = dir.run(&args);
            assert_eq!(again.code, forced.code, "{args:?}: {}", again.err);
        }
    }
    dir.run(&["verify", "bad.pyv", "--svg", "empty"]).ends_with(1);
}

#[test]
fn errors_in_documents_name_them() {
    let dir = Dir::new();
    dir.file("bad.pyv", broken_lock()).file("a.json", "{").file("b.json", "{}");
    dir.run(&["cti", "bad.pyv", "-o", "k.json"]).ends_with(1);
    dir.run(&["cti", "bad.pyv", "--another", "k.json", "--another", "a.json"])
        .ends_with(2)
        .complains("`a.json`: this is no JSON document");
    for command in ["show", "diagram"] {
        dir.run(&[command, "b.json", "--model", "bad.pyv"])
            .ends_with(2)
            .complains("`b.json`: the document has no counterexample");
    }
    dir.run(&["show", "k.json", "--model", "bad.pyv", "--number", "0"])
        .ends_with(2)
        .complains("numbers start at 1");
}

#[test]
fn a_rejected_certificate_of_another_text_is_told_apart() {
    let dir = Dir::new();
    dir.file("ok.pyv", LOCK).file("more.pyv", format!("{LOCK}invariant [more] held(N) -> held(N)\n"));
    dir.run(&["verify", "ok.pyv", "--certify", "ok.cert"]).ends_with(0);
    let note = "made for another text of the model";
    dir.run(&["check", "more.pyv", "ok.cert"]).ends_with(1).prints("rejected").prints(note);
    let output = std::process::Command::new(env!("CARGO_BIN_EXE_ramsey-check"))
        .args(["more.pyv", "ok.cert"])
        .current_dir(&dir.0)
        .output()
        .expect("the binary runs");
    assert_eq!(output.status.code(), Some(1));
    assert!(String::from_utf8_lossy(&output.stdout).contains(note), "{output:?}");
    let document = dir.run(&["check", "--format", "json", "more.pyv", "ok.cert"]).ends_with(1).json();
    assert_eq!(document["rejected"]["same_source"], false);
    let text = fs::read_to_string(dir.0.join("ok.cert")).expect("a certificate");
    dir.file("cut.cert", text.lines().take(4).map(|line| format!("{line}\n")).collect::<String>());
    let run = dir.run(&["check", "ok.pyv", "cut.cert"]).ends_with(1);
    assert!(!run.out.contains(note), "{}", run.out);
    let document = dir.run(&["check", "--format", "json", "ok.pyv", "cut.cert"]).ends_with(1).json();
    assert_eq!(document["rejected"]["same_source"], true);
    // A certificate of a satisfiable trace contains no refutation.
    dir.file("traced.pyv", format!("{LOCK}sat trace {{\n    acquire\n}}\n"));
    dir.run(&["trace", "traced.pyv", "--certify", "t.cert"]).ends_with(0);
    dir.run(&["check", "traced.pyv", "t.cert"]).ends_with(0).prints("1 trace, 1 with an execution");
    dir.file("bad.pyv", broken_lock());
    dir.run(&["verify", "bad.pyv", "--certify", "bad.cert"]).ends_with(1).prints(", 1 counterexample\n");
}

/// A killed process leaves its temporary file, and in a container the next one has the same process number.
#[cfg(unix)]
#[test]
fn temporary_files_of_others_are_in_nobodys_way() {
    let dir = Dir::new();
    dir.file("m.pyv", LOCK);
    let script =
        format!("echo old > .m.cert.$$.0.tmp; exec '{}' verify -q --certify m.cert m.pyv", ramsey_binary());
    let output = Command::new("sh").args(["-c", &script]).current_dir(&dir.0).output().expect("a shell");
    assert_eq!(output.status.code(), Some(0), "{}", String::from_utf8_lossy(&output.stderr));
    dir.run(&["check", "m.pyv", "m.cert"]).ends_with(0);
    let left = fs::read_dir(&dir.0).expect("the directory").flatten();
    let left = left.filter(|entry| entry.file_name().to_string_lossy().ends_with(".tmp")).count();
    assert_eq!(left, 1, "what is another's stays");
}
