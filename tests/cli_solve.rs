//! `ramsey solve`: answers, exit codes and proofs.

mod common;

use std::fs;

use common::binary::{Dir, pigeonhole};
use common::lrat;
use ramsey::lang::dimacs;

#[test]
fn sat_problems_answer_as_in_the_competition() {
    let dir = Dir::new();
    dir.file("sat.cnf", "c by hand\np cnf 3 2\n1 -2 0\n-1 0\n").file("bad.cnf", "p cnf 1 1\n1 two 0\n");
    let run = dir.run(&["solve", "sat.cnf"]).ends_with(10).prints("s SATISFIABLE\nv -1 -2 ");
    assert!(run.out.ends_with(" 0\n"), "{}", run.out);
    dir.run_with(&["solve", "-"], "p cnf 1 2\n1 0 -1 0\n").ends_with(20).prints("s UNSATISFIABLE\n");
    dir.run(&["solve", "bad.cnf"]).ends_with(2).complains("bad.cnf:2:3");
    dir.file("text", " \n\n c by hand\n1 0 -1 0\n").file("hello.txt", "hello 0\n").file("empty.txt", "");
    dir.run(&["solve", "text"]).ends_with(20).prints("s UNSATISFIABLE\n");
    dir.run(&["solve", "--input", "dimacs", "text"]).ends_with(20).prints("s UNSATISFIABLE\n");
    dir.run(&["solve", "empty.txt"]).ends_with(10).prints("s SATISFIABLE\n");
    dir.run(&["solve", "hello.txt"]).ends_with(2).complains("hello.txt:1:1").complains("is not a literal");
    dir.run(&["solve", "--input", "smoke", "text"]).ends_with(2).complains("--input <FORMAT>");
    dir.run(&["verify", "sat.cnf"]).ends_with(2).complains("ramsey solve sat.cnf");
}

#[test]
fn refutations_are_written_as_proofs() {
    let dir = Dir::new();
    let read = |name: &str| fs::read(dir.0.join(name)).expect("a proof");
    let php = pigeonhole(5);
    let formulas = [
        ("php.cnf", php.as_str()),
        ("empty.cnf", "p cnf 2 3\n1 2 0\n0\n-1 0\n"),
        ("units.cnf", "p cnf 1 2\n1 0\n-1 0\n"),
        (
            "odd.cnf",
            "c by hand\n1 -1 0\n2 2 1 0 1 -2 -2 0\n3 -3 0 -1 2 -1 0\nc the last is broken\n-1\n-2 0\n",
        ),
    ];
    for (name, text) in formulas {
        dir.file(name, text);
        let cnf = dimacs::parse(text.as_bytes()).expect(name);
        let plain = dir.run(&["solve", name]).ends_with(20).out;
        let run = dir.run(&["solve", "--proof", "p.lrat", name]).ends_with(20).silent_on_stderr();
        assert_eq!(run.out, plain, "{name}");
        let lines = lrat::text(&read("p.lrat"));
        lrat::check(&cnf, &lines);
        let run = dir.run(&["solve", name, "--proof", "p.lrat", "--binary-proof"]).ends_with(20);
        assert_eq!(run.out, plain, "{name}");
        assert_eq!(lrat::binary(&read("p.lrat")), lines, "{name}: the new proof replaces the old one");
        dir.run_with(&["solve", "-", "--proof", "from stdin"], text).ends_with(20);
        assert_eq!(lrat::text(&read("from stdin")), lines, "{name}");
    }
    let left = fs::read_dir(&dir.0).expect("the directory").count();
    assert_eq!(left, formulas.len() + 2, "no temporary files stay");
}

#[test]
fn without_a_refutation_no_proof_is_written() {
    let dir = Dir::new();
    dir.file("sat.cnf", "1 2 0").file("php.cnf", pigeonhole(8)).file("old.lrat", "old");
    let plain = dir.run(&["solve", "sat.cnf"]).ends_with(10).out;
    for name in ["new.lrat", "old.lrat"] {
        assert_eq!(dir.run(&["solve", "sat.cnf", "--proof", name]).ends_with(10).out, plain);
        dir.run(&["solve", "--work", "1000", "php.cnf", "--proof", name]).ends_with(0).prints("s UNKNOWN");
    }
    assert!(!dir.0.join("new.lrat").exists());
    assert_eq!(fs::read(dir.0.join("old.lrat")).expect("the old file"), b"old");
    assert_eq!(fs::read_dir(&dir.0).expect("the directory").count(), 3, "no temporary files stay");
}

#[test]
fn a_proof_needs_a_place() {
    let dir = Dir::new();
    dir.file("unsat.cnf", "1 0 -1 0").file("folder/x", "");
    let cases = [
        ("nowhere/p.lrat", "cannot write `nowhere/p.lrat`"),
        ("folder", "cannot write `folder`: is a directory"),
        ("folder/../unsat.cnf", "would replace the problem"),
        ("-", "standard output"),
    ];
    for (proof, complaint) in cases {
        let run = dir.run(&["solve", "unsat.cnf", "--proof", proof]).ends_with(2).complains(complaint);
        assert_eq!(run.out, "", "{proof}: found before the search");
    }
    assert_eq!(fs::read(dir.0.join("unsat.cnf")).expect("the problem"), b"1 0 -1 0");
    dir.run(&["solve", "unsat.cnf", "--binary-proof"]).ends_with(2).complains("--proof <FILE>");
}

#[cfg(target_os = "linux")]
#[test]
fn a_proof_goes_into_streams_and_through_links() {
    let dir = Dir::new();
    dir.file("unsat.cnf", "1 0 -1 0").file("folder/p.lrat", "old");
    std::os::unix::fs::symlink("folder/p.lrat", dir.0.join("link")).expect("a link");
    dir.run(&["solve", "unsat.cnf", "--proof", "link"]).ends_with(20);
    assert!(dir.0.join("link").is_symlink());
    assert_eq!(fs::read(dir.0.join("folder/p.lrat")).expect("a proof"), b"3 0 1 2 0\n");
    dir.run(&["solve", "unsat.cnf", "--proof", "/dev/stdout"]).ends_with(20).prints("3 0 1 2 0\ns UNSAT");
    // The answer is known by then, and stays the answer.
    dir.run(&["solve", "unsat.cnf", "--proof", "/dev/full"])
        .ends_with(2)
        .prints("s UNSATISFIABLE")
        .complains("cannot write `/dev/full`");
}
