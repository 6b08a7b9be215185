//! Line ends and byte order marks: each language counts lines as an editor does. If a comment continued after a
//! carriage return, a claim would be dropped silently.

use std::process::Command;

use crate::common::binary::Dir;

/// Line ends of a comment that is followed by other text.
const ENDS: [&str; 3] = ["\n", "\r", "\r\n"];

/// Returns the text with other line ends, and once with a byte order mark.
fn variants(text: &str) -> Vec<String> {
    let mut all: Vec<String> = ENDS.iter().map(|end| text.replace('\n', end)).collect();
    all.push(format!("\u{feff}{text}"));
    all.push(format!("\u{feff}{}", text.replace('\n', "\r")));
    all
}

#[test]
fn claims_of_models_do_not_vanish() {
    let dir = Dir::new();
    let pyv = "# a comment\nmutable relation p\ninit !p # another\ntransition t()\n  modifies p\n  & p'\n# last\nsafety [v] !p\n";
    for text in variants(pyv) {
        dir.file("m.pyv", &text);
        dir.run(&["verify", "m.pyv"]).ends_with(1).prints("v  FAILED").prints(" --> m.pyv:8:1");
        dir.run(&["print", "--to", "ivy", "m.pyv"]).ends_with(0).prints("# last\ninvariant [v] ~p");
        dir.file("w.pyv", text.replace("p #", "q #"));
        let run = dir.run(&["verify", "w.pyv"]).ends_with(2).complains(" --> w.pyv:3:7\n");
        assert!(!run.err.contains('\r'), "{:?}", run.err);
        dir.file("w.pyv", text.replace("# a comment", "$"));
        dir.run(&["verify", "w.pyv"]).ends_with(2).complains(" --> w.pyv:1:1\n");
    }
    let rml = "# a comment\nrelation p\n// another\nsafety [v] !p # why\nassume !p\nwhile * {\n  action a { p := true }\n}\n";
    for text in variants(rml) {
        dir.file("m.rml", &text);
        let run = dir.run(&["verify", "m.rml"]).ends_with(1);
        assert!(run.out.contains("v  FAILED"), "{text:?}\n{}", run.out);
    }
}

#[test]
fn assertions_of_problems_do_not_vanish() {
    let dir = Dir::new();
    let script = "; a comment\n(declare-const p Bool)\n(assert p) ; another\n(assert ; inside\n(not p)) ; last\n(check-sat)\n";
    for text in variants(script) {
        let unsat = |run: crate::common::binary::Run| {
            let run = run.ends_with(0).silent_on_stderr();
            assert_eq!(run.out, "unsat\n", "{text:?}");
        };
        dir.file("s.smt2", &text).file("s", &text);
        unsat(dir.run(&["solve", "s.smt2"]));
        unsat(dir.run(&["solve", "s"]));
        unsat(dir.run_with(&["solve", "--input", "smtlib", "-"], &text));
        let run = dir.run(&["solve", "s.smt2", "--certify", "s.cert"]).ends_with(0);
        assert!(run.out.starts_with("unsat\n"), "{}", run.out);
        dir.run(&["check", "s.smt2", "s.cert"]).ends_with(0).prints("(line 6): unsatisfiable");
        dir.file("w.smt2", text.replace("(not p)", "(not q)"));
        let run = dir.run(&["solve", "w.smt2"]).ends_with(2);
        assert!(run.out.contains("line 5 column 6"), "{}", run.out);
    }
    let problem =
        "% a comment\nfof(a, axiom, p). % another\nfof(b, axiom, p => q).\n% last\nfof(c, conjecture, q).\n";
    for text in variants(problem) {
        dir.file("t.p", &text).file("t", &text);
        for path in ["t.p", "t"] {
            dir.run(&["solve", path]).ends_with(0).prints("Theorem");
        }
        dir.file("w.p", text.replace("p => q", "p => Q"));
        dir.run(&["solve", "w.p"]).ends_with(2).complains(" --> w.p:3:");
    }
    let clauses = "c a comment\np cnf 2 3\nc 1 0\n1 0\n-1 2 0\nc 2 0\n-2 0\n";
    for text in variants(clauses) {
        dir.file("d.cnf", &text);
        dir.run(&["solve", "d.cnf"]).ends_with(20).prints("s UNSATISFIABLE");
        dir.file("w.cnf", text.replace("-1 2", "-1 x"));
        dir.run(&["solve", "w.cnf"]).ends_with(2).complains("w.cnf:5:4");
    }
    let questions = "c a comment\np inccnf\nc 1 0\n1 0\n-1 2 0\na -2 0\n";
    for text in variants(questions) {
        dir.file("i.icnf", &text);
        dir.run(&["solve", "i.icnf"]).ends_with(20).prints("s UNSATISFIABLE");
    }
}

#[test]
fn certificates_and_documents_may_come_from_other_tools() {
    let dir = Dir::new();
    let model = "mutable relation p\ninit !p\ntransition t()\n  modifies p\n  & p'\nsafety [v] !p\n";
    dir.file("bad.pyv", model).file("good.pyv", model.replace("& p'", "& !p'"));
    let read = |name: &str| std::fs::read(dir.0.join(name)).expect("a file that was written");
    dir.run(&["verify", "good.pyv", "--certify", "good.cert"]).ends_with(0);
    let certificate = String::from_utf8(read("good.cert")).expect("text");
    let certificates = [certificate.clone(), format!("\u{feff}{certificate}")];
    for (index, text) in certificates.iter().enumerate() {
        dir.file("c.cert", text).file("c.cert.gz", ramsey::check::compress(text));
        for name in ["c.cert", "c.cert.gz"] {
            dir.run(&["check", "good.pyv", name]).ends_with(0).prints("accepted");
            let output = Command::new(env!("CARGO_BIN_EXE_ramsey-check"))
                .args(["good.pyv", name])
                .current_dir(&dir.0)
                .output()
                .expect("the binary runs");
            assert_eq!(output.status.code(), Some(0), "{index} {name}");
            dir.run(&["check", "bad.pyv", name]).ends_with(1).prints("rejected");
        }
    }
    // Each line ends with a line feed, with no carriage return before it; a byte order mark is only at the beginning.
    for text in [
        certificate.replace('\n', "\r\n"),
        certificate.replace('\n', "\r"),
        certificate.replace('\n', "\r\r\n"),
        certificate.replacen('\n', "\n\u{feff}", 1),
        format!("\u{feff}\u{feff}{certificate}"),
    ] {
        dir.file("c.cert", text);
        dir.run(&["check", "good.pyv", "c.cert"]).ends_with(1).prints("rejected");
    }
    let document = dir.run(&["verify", "bad.pyv", "--format", "json"]).ends_with(1).out;
    for text in variants(&document) {
        dir.file("d.json", text);
        dir.run(&["show", "--model", "bad.pyv", "d.json"]).ends_with(0);
    }
}
