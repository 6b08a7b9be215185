//! Closed forms of models and problems, and what happens where two fronts disagree.

use crate::common::binary::Dir;

#[test]
fn problems_have_closed_forms() {
    let dir = Dir::new();
    dir.file(
        "a.smt2",
        "(declare-sort s 0)\n(declare-fun p (s) Bool)\n(assert (exists ((x s)) (p x)))\n(check-sat)\n",
    );
    let closed = dir.run(&["core", "a.smt2"]).ends_with(0).silent_on_stderr();
    let lines: Vec<&str> = closed.out.lines().collect();
    assert_eq!(
        lines[1..5],
        [
            "sort 0 s",
            "relation 0 p rigid 1 0",
            "hypothesis 0 0 ? 0 R 0 0 1 V 0",
            "query 1 open query%20.1%20.4 1 0 | 0",
        ]
    );
    dir.run(&["solve", "a.smt2", "--certify", "a.cert"]).ends_with(0);
    let core = ramsey::checker::Core::read(&closed.out).expect("a closed form");
    let summary = ramsey::checker::check(core, dir.read("a.cert").as_bytes()).expect("it is right");
    assert_eq!(summary.answers, [Some(false)]);
    assert!(summary.is_made_for && summary.is_as_claimed);
}

#[test]
fn a_model_that_one_front_alone_reads_is_not_checked() {
    let dir = Dir::new();
    let (open, close) = ("(".repeat(300), ")".repeat(300));
    dir.file("a.pyv", format!("sort t\nmutable relation r(t)\ninit r(X)\nsafety {open}r(X){close}\n"));
    dir.run(&["verify", "a.pyv", "--certify", "a.cert"]).ends_with(0);
    dir.run(&["check", "a.pyv", "a.cert"]).ends_with(2).complains("says the second front");
    // The certificate is right.
    dir.file("b.pyv", "sort t\nmutable relation r(t)\ninit r(X)\nsafety r(X)\n");
    dir.run(&["check", "b.pyv", "a.cert"]).ends_with(0).prints("another text of the model");
}
