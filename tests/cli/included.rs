//! Certificates of models and problems in several files: the digest covers all of them.

use std::process::Command;

use crate::common::binary::Dir;

/// Checks with both programs; returns the output, and the exit code.
fn check(dir: &Dir, subject: &str) -> (i32, String) {
    let run = dir.run(&["check", subject, "c.cert"]);
    let output = Command::new(env!("CARGO_BIN_EXE_ramsey-check"))
        .args([subject, "c.cert"])
        .current_dir(&dir.0)
        .output()
        .expect("the binary runs");
    assert_eq!(output.status.code(), run.code, "{}{}", run.out, run.err);
    let small = String::from_utf8_lossy(&output.stdout);
    assert_eq!(small.contains("another text"), run.out.contains("another text"), "{small}{}", run.out);
    (run.code.expect("an exit code"), run.out)
}

/// Checks that the certificate of `subject` is accepted until one of the included files changes.
fn covers(dir: &Dir, subject: &str, files: &[(&str, &str, &str)]) {
    let (code, said) = check(dir, subject);
    assert!(code == 0 && !said.contains("another text"), "{subject}: {said}");
    for (name, text, broken) in files {
        dir.file(name, broken);
        let (code, said) = check(dir, subject);
        assert!(code == 1 && said.contains("rejected"), "{name}: {said}");
        // A change without effect is reported, and accepted.
        dir.file(name, format!("{text}\n\n"));
        let (code, said) = check(dir, subject);
        assert!(code == 0 && said.contains("another text"), "{name}: {said}");
        dir.file(name, text);
        let (_, said) = check(dir, subject);
        assert!(!said.contains("another text"), "{name}: {said}");
    }
}

#[test]
fn programs_and_what_they_include() {
    let dir = Dir::new();
    let near = "include \"far.rml\"\nmacro start = quiet\n";
    let far = "relation p\nmacro quiet = !p\n";
    dir.file("near.rml", near).file("far.rml", far);
    dir.file(
        "main.rml",
        "include \"near.rml\"\nsafety [v] !p\nassume start\nwhile * {\n  action a { assume start }\n}\n",
    );
    dir.run(&["verify", "main.rml", "--certify", "c.cert"]).ends_with(0);
    let broken = [near.replace("quiet", "true"), far.replace("!p", "true")];
    covers(&dir, "main.rml", &[("near.rml", near, &broken[0]), ("far.rml", far, &broken[1])]);
    dir.run(&["bmc", "main.rml", "--depth", "2", "--certify", "c.cert"]).ends_with(0);
    covers(&dir, "main.rml", &[("near.rml", near, &broken[0]), ("far.rml", far, &broken[1])]);
}

#[test]
fn problems_and_what_they_include() {
    let dir = Dir::new();
    let axioms = "fof(a, axiom, p).\n";
    dir.file("axioms.ax", axioms);
    dir.file("main.p", "include('axioms.ax').\nfof(c, conjecture, p).\n");
    dir.run(&["solve", "main.p", "--certify", "c.cert"]).ends_with(0).prints("Theorem");
    covers(&dir, "main.p", &[("axioms.ax", axioms, "fof(a, axiom, q).\n")]);
}

/// Files that a model includes are beside it, or in the folders that `-I` names, or in the library.
#[test]
fn folders_of_included_files() {
    let dir = Dir::new();
    for folder in ["near", "far"] {
        std::fs::create_dir(dir.0.join(folder)).expect("a folder");
    }
    let main = "#lang ivy1.7\ninclude parts\ntype t\nrelation r(X:t)\ninstance m : closed(r)\n";
    let part =
        "#lang ivy1.7\nmodule closed(p) = {\n  after init { p(X) := true }\n  invariant [all] p(X)\n}\n";
    dir.file("main.ivy", main).file("far/parts.ivy", part);
    // Errors name the folders.
    dir.run(&["verify", "main.ivy"]).ends_with(2).complains("there is no file `parts.ivy`\n");
    let near = dir.run(&["verify", "main.ivy", "-I", "near", "--include", "."]).ends_with(2);
    near.complains("there is no file `parts.ivy`, nor in `near`, nor in `.`");
    let both = ["-I", "near", "-I", "far"];
    let with = |args: &[&'static str]| dir.run(&[args, &both[..]].concat());
    with(&["verify", "main.ivy", "--certify", "c.cert"]).ends_with(0).prints("m.all");
    // Both fronts look there.
    with(&["check", "main.ivy", "c.cert"]).ends_with(0);
    dir.run(&["check", "main.ivy", "c.cert"]).ends_with(2);
    let small = |args: &[&str]| {
        let mut checker = Command::new(env!("CARGO_BIN_EXE_ramsey-check"));
        checker
            .args(args)
            .args(["main.ivy", "c.cert"])
            .current_dir(&dir.0)
            .output()
            .expect("it runs")
            .status
            .code()
    };
    assert_eq!((small(&both), small(&["-I", "near"])), (Some(0), Some(2)));
    // The first folder counts, and the one of the model comes before.
    dir.file("near/parts.ivy", part.replace("true", "false"));
    with(&["verify", "main.ivy"]).ends_with(1);
    dir.file("parts.ivy", part);
    with(&["verify", "main.ivy"]).ends_with(0);
    with(&["infer", "main.ivy"]).ends_with(0);
    // A file comes before the one of the library with its name, for what is in the library too.
    dir.file(
        "main.ivy",
        "#lang ivy1.7\ninclude tcp\nmodule m = { }\ninstance n : tcp_channel(t, t)\ntype t\n",
    );
    dir.run(&["typecheck", "main.ivy"]).ends_with(0);
    dir.file("order.ivy", "#lang ivy1.7\n");
    dir.run(&["typecheck", "main.ivy"])
        .ends_with(2)
        .complains("the module `unbounded_sequence` is not declared");
    // In `.rml` too.
    dir.file("far/a.rml", "relation p\n")
        .file("main.rml", "include \"a.rml\"\nsafety [v] p | !p\nwhile * { skip }\n");
    dir.run(&["typecheck", "main.rml"]).ends_with(2);
    with(&["typecheck", "main.rml"]).ends_with(0);
}
