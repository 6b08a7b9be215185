//! `ramsey solve` on scripts and TPTP problems, with certificates that `ramsey check` reads.

mod common;

use std::fs;

use common::binary::Dir;

const SCRIPT: &str = "
    (declare-sort node 0)
    (declare-fun edge (node node) Bool)
    (assert (forall ((x node)) (exists ((y node)) (edge x y))))
    (check-sat)
    (push)
    (assert (forall ((x node) (y node)) (not (edge x y))))
    (check-sat)
    (pop)
";

#[test]
fn statuses_are_those_of_szs() {
    let dir = Dir::new();
    let order = "fof(total, axiom, ! [X,Y] : ( le(X,Y) | le(Y,X) )).\n";
    dir.file("axioms.ax", order);
    dir.file("reflexive.p", "include('axioms.ax').\nfof(goal, conjecture, ! [X] : le(X,X)).\n");
    dir.file("symmetric.p", format!("{order}fof(goal, conjecture, ! [X,Y] : ( le(X,Y) => le(Y,X) )).\n"));
    dir.file("refuted.p", "cnf(a, axiom, p(X)).\ncnf(b, negated_conjecture, ~ p(c)).\n");
    dir.file(
        "typed.p",
        "tff(t, type, n: $tType).\ntff(r, type, r: n > $o).\ntff(a, axiom, ? [X: n] : r(X)).\n",
    );
    dir.file("wrong.p", "fof(a, axiom, p(X)).\n");
    let status = |name: &str, code, word: &str| {
        let run = dir.run(&["solve", name]).ends_with(code);
        run.prints(&format!("% SZS status {word} for {name}\n"))
    };
    status("reflexive.p", 0, "Theorem").silent_on_stderr();
    status("refuted.p", 0, "Unsatisfiable");
    // A structure in which the conjecture is false, and one for the types.
    let run = status("symmetric.p", 1, "CounterSatisfiable");
    run.prints("% SZS output start FiniteModel")
        .prints("fof(domain, fi_domain, ! [X] : ( X = \"$i:0\" | X = \"$i:1\" )).");
    let run = status("typed.p", 0, "Satisfiable");
    run.prints("tff(domain_1, fi_domain, ! [X: n] : ( X = \"n:0\" )).").prints("r(\"n:0\")");
    status("wrong.p", 2, "InputError").complains("wrong.p:1:17");
    let run = dir.run(&["solve", "-q", "symmetric.p"]).ends_with(1);
    assert_eq!(run.out, "% SZS status CounterSatisfiable for symmetric.p\n");
}

#[test]
fn answers_to_scripts_and_problems_are_certified() {
    let dir = Dir::new();
    dir.file("a.smt2", SCRIPT).file("b.smt2", SCRIPT.replace("(not (edge x y))", "(edge x y)"));
    let run = dir.run(&["solve", "a.smt2", "--certify", "a.cert"]).ends_with(0);
    run.prints("sat\nunsat\n; certificate a.cert: 1 proofs").silent_on_stderr();
    let run = dir.run(&["check", "a.smt2", "a.cert"]).ends_with(0);
    run.prints("query 1 (line 5): satisfiable").prints("query 2 (line 8): unsatisfiable");
    // What was proved of one script is not true of another.
    dir.run(&["check", "b.smt2", "a.cert"]).ends_with(1).prints("rejected");
    dir.file("goal.p", "fof(a, axiom, p(c)).\nfof(g, conjecture, ? [X] : p(X)).\n");
    dir.run(&["solve", "goal.p", "--certify", "p.cert.gz", "--export", "out"]).ends_with(0).prints("Theorem");
    dir.run(&["check", "goal.p", "p.cert.gz"]).ends_with(0).prints("theorem");
    let exported = fs::read_dir(dir.0.join("out")).expect("a folder").count();
    assert_eq!(exported, 1, "a folder for the problem");
}

#[test]
fn what_cannot_be_certified_is_said() {
    let dir = Dir::new();
    dir.file("wrong.smt2", "(assert p)\n(check-sat)\n");
    let run = dir.run(&["solve", "wrong.smt2", "--certify", "x.cert"]).ends_with(2);
    run.prints("(error \"line 1 column 9:").prints("sat\n");
    assert!(!dir.0.join("x.cert").exists(), "nothing is claimed of a script with errors");
    let run = dir.run_with(&["solve", "-", "--certify", "x.cert"], SCRIPT).ends_with(2);
    run.complains("standard input");
    dir.file("a.smt2", SCRIPT);
    let run = dir.run(&["solve", "a.smt2", "--certify", "a.smt2"]).ends_with(2);
    run.complains("stays as it is");
    let run = dir.run(&["solve", "a.smt2", "--work", "1", "--certify", "x.cert"]);
    run.ends_with(3).prints("queries without one");
}
