//! Closed forms of models and problems, and what happens where two fronts disagree.

use std::collections::BTreeMap;

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
    let program = |claim: &str| {
        format!("include \"parts/sorts\"\nrelation r: t\nassume r(X)\nwhile * {{ skip }}\nsafety {claim}\n")
    };
    dir.file("a.rml", program(&format!("{open}r(X){close}")));
    dir.file("parts/sorts", "sort t\n");
    dir.run(&["verify", "a.rml", "--certify", "a.rml.cert"]).ends_with(0);
    dir.run(&["check", "a.rml", "a.rml.cert"]).ends_with(2).complains("says the second front");
    dir.file("b.rml", program("r(X)"));
    dir.run(&["verify", "b.rml", "--certify", "b.rml.cert"]).ends_with(0);
    dir.run(&["check", "b.rml", "b.rml.cert"]).ends_with(0);
    // The certificate is right.
    dir.file("b.pyv", "sort t\nmutable relation r(t)\ninit r(X)\nsafety r(X)\n");
    dir.run(&["check", "b.pyv", "a.cert"]).ends_with(0).prints("another text of the model");
}

#[test]
fn a_model_that_is_read_once_is_said_to_be() {
    let dir = Dir::new();
    let program = |more: &str| {
        format!(
            "#lang ivy1.7\ntype t\nrelation r(X:t)\n{more}\nafter init {{ r(X) := true }}\ninvariant r(X)\n\
             action go(x:t) = {{ r(x) := true }}\nexport go\n"
        )
    };
    dir.file("a.ivy", program("schema same = { type u property X:u = X }"));
    dir.run(&["verify", "a.ivy", "--certify", "a.cert"]).ends_with(0);
    let what = "read by one front alone; the second one does not cover schemata, line 4";
    dir.run(&["check", "a.ivy", "a.cert"]).ends_with(0).prints(what);
    dir.file("b.ivy", program(""));
    dir.run(&["verify", "b.ivy", "--certify", "b.cert"]).ends_with(0);
    assert!(!dir.run(&["check", "b.ivy", "b.cert"]).ends_with(0).out.contains("one front"));
}

const LOCK: &str = include_str!("../../examples/lock_server.pyv");

#[test]
fn a_closed_form_is_verified_like_its_model() {
    let dir = Dir::new();
    dir.file("a.pyv", LOCK);
    let core = dir.run(&["core", "a.pyv"]).ends_with(0).out;
    dir.file("a.core", &core);
    dir.run(&["core", "--read", "a.core", "--certify", "b.cert"])
        .ends_with(0)
        .prints("25 obligations: 25 ok");
    dir.run(&["verify", "a.pyv", "--certify", "a.cert"]).ends_with(0);
    for model in ["a.pyv", "a.core"] {
        for certificate in ["a.cert", "b.cert"] {
            dir.run(&["check", model, certificate]).ends_with(0).prints("claim proved, 25 obligations");
        }
    }
    assert_eq!(dir.run(&["core", "a.core"]).ends_with(0).out, core);
    assert_eq!(dir.run(&["print", "a.core"]).ends_with(0).out, core);
    let document = dir.run(&["core", "--read", "a.core", "--format", "json"]).ends_with(0).out;
    assert_eq!(document, dir.run(&["verify", "a.core", "--format", "json"]).ends_with(0).out);
    let property = "! 0 ! 0 > & 2 R 1 4 1 V 1 R 1 4 1 V 0 E 0 V 1 V 0";
    dir.run(&["bmc", "a.core", "--depth", "2", "--property", property]).ends_with(0);
    dir.run(&["bmc", "a.core", "--property", "holds(X)"]).ends_with(2).complains("begins no formula");
    dir.run(&["print", "a.core", "--to", "rml"]).ends_with(2).complains("closed forms are not translated");
    dir.run(&["infer", "a.core"]).ends_with(2).complains("the model that the closed form was made from");
    dir.run(&["solve", "a.core"]).ends_with(2).complains("the closed form of a model");
}

#[test]
fn a_closed_form_has_counterexamples_with_names() {
    let dir = Dir::new();
    dir.file("a.pyv", crate::common::binary::broken_lock());
    dir.file("a.core", dir.run(&["core", "a.pyv"]).ends_with(0).out);
    let read = dir.run(&["core", "--read", "a.core", "--certify", "a.cert"]).ends_with(1);
    assert!(read.out.contains("state 1:") || read.err.contains("state 1:"), "{}{}", read.out, read.err);
    dir.run(&["check", "a.pyv", "a.cert"]).ends_with(0).prints("claim refuted");
}

#[test]
fn queries_in_closed_form_are_answered() {
    let dir = Dir::new();
    let problem = "(declare-sort s 0)\n(declare-fun p (s) Bool)\n(declare-const a s)\n(assert (forall ((x s)) (p x)))\n\
        (push 1)\n(assert (not (p a)))\n(check-sat)\n(pop 1)\n(check-sat)\n";
    dir.file("a.smt2", problem);
    dir.file("a.core", dir.run(&["core", "a.smt2"]).ends_with(0).out);
    let answers = "query 1 7: holds\nquery 2 9: fails\n  universes:\n    s: s0\n  immutable:\n";
    dir.run(&["core", "--read", "a.core", "--certify", "b.cert"]).ends_with(0).prints(answers);
    dir.run(&["solve", "a.smt2", "--certify", "a.cert"]).ends_with(0);
    for problem in ["a.smt2", "a.core"] {
        for certificate in ["a.cert", "b.cert"] {
            dir.run(&["check", problem, certificate]).ends_with(0).prints("claim queries 1 2 answered");
        }
    }
    let document = dir.run(&["solve", "a.core", "--format", "json"]).ends_with(0).json();
    assert_eq!(document["language"], "core");
    let answer = |at: usize| (&document["answers"][at]["name"], &document["answers"][at]["answer"]);
    assert_eq!(answer(0), (&"query 1 7".into(), &"holds".into()));
    assert_eq!(answer(1), (&"query 2 9".into(), &"fails".into()));
    dir.run(&["verify", "a.core"]).ends_with(2).complains("the closed form has queries");
}

/// What a query claims is judged: proofs by forward and backward induction are lists of such queries.
#[test]
fn claims_of_queries_are_judged() {
    let dir = Dir::new();
    let closed = |wanted: &str| {
        let text = format!(
            "ramsey-core 1\nrelation 0 r mutable 0\nhypothesis 2 0 & 2 R 1 0 0 R 2 0 0\nquery 2 {wanted} a 1 0 R 2 0 0\n"
        );
        format!("{text}digest {}\n", ramsey::base::digest::sha256(&text))
    };
    dir.file("a.core", closed("holds")).file("b.core", closed("fails")).file("c.core", closed("open"));
    dir.run(&["solve", "a.core", "--certify", "a.cert"]).ends_with(0).prints("a: holds\n");
    dir.run(&["solve", "b.core", "--certify", "b.cert"])
        .ends_with(1)
        .prints("a: holds, and is claimed to fail\n");
    dir.run(&["solve", "c.core", "--certify", "c.cert"]).ends_with(0);
    dir.run(&["check", "a.core", "a.cert"]).ends_with(0).prints("claim proved");
    dir.run(&["check", "b.core", "b.cert"]).ends_with(0).prints("claim refuted");
    dir.run(&["check", "c.core", "c.cert"]).ends_with(0).prints("claim queries 1 answered");
    dir.run(&["check", "b.core", "a.cert"]).ends_with(1);
    dir.run(&["check", "a.core", "b.cert"]).ends_with(1);
    dir.run(&["check", "c.core", "a.cert"]).ends_with(1).prints("not a claim that can be made");
}

#[test]
fn closed_forms_are_read_strictly() {
    let dir = Dir::new();
    dir.file("a.pyv", LOCK);
    let core = dir.run(&["core", "a.pyv"]).ends_with(0).out;
    dir.run(&["verify", "a.pyv", "--certify", "a.cert"]).ends_with(0);
    dir.file("a.core", core.replace("invariant mutex", "invariant mutes"));
    let read = dir.run(&["core", "--read", "a.core"]).ends_with(2);
    read.complains("the digest is not that of the lines before it").complains("a.core:");
    dir.run(&["check", "a.core", "a.cert"]).ends_with(2).complains("the digest is not");
    dir.run(&["core", "--read", "a.pyv"]).ends_with(2).complains("no file of a closed form");
    dir.run(&["core", "a.pyv", "--certify", "b.cert"]).ends_with(2).complains("--read");
    // It means something, but is not how it is written.
    let text = "ramsey-core 1\nrelation 0 r rigid 0\nhypothesis 0 7 R 0 0 0\nquery 1 open a 1 0 R 0 0 0\n";
    dir.file("b.core", format!("{text}digest {}\n", ramsey::base::digest::sha256(text)));
    dir.run(&["core", "--read", "b.core"]).ends_with(2).complains("`b.core`:3: the line is not as");
    dir.run(&["solve", "b.core", "--certify", "b.cert"]).ends_with(0);
    dir.run(&["check", "b.core", "b.cert"])
        .ends_with(2)
        .complains("the line is not as `ramsey core` writes it");
}

/// Few derived clauses are there for one other alone: its hints have theirs instead.
#[test]
fn derived_clauses_are_merged() {
    let dir = Dir::new();
    dir.file("commit.pyv", include_str!("../../examples/two_phase_commit.pyv"));
    dir.run(&["verify", "commit.pyv", "--certify", "certificate"]).ends_with(0);
    let text = dir.read("certificate");
    let (mut derived, mut uses, mut clauses) = (Vec::new(), BTreeMap::<usize, usize>::new(), 0_usize);
    for line in text.lines() {
        let words: Vec<&str> = line.split(' ').collect();
        match words[0] {
            "c" => {
                clauses += 1;
                derived.push(clauses);
                let hints = words.iter().skip_while(|word| **word != "0").skip(1);
                hints.for_each(|hint| *uses.entry(hint.parse().expect("a number")).or_insert(0) += 1);
            }
            // Those of answers stay.
            "q" => *uses.entry(words[2].parse().expect("a number")).or_insert(0) += 2,
            "a" | "A" | "o" | "O" | "p" | "e" | "u" | "w" | "x" | "y" | "f" | "r" => clauses += 1,
            _ => {}
        }
    }
    let single = derived.iter().filter(|at| uses.get(*at) == Some(&1)).count();
    assert!(derived.len() > 50 && single * 8 <= derived.len(), "{single} of {}", derived.len());
    let unused = derived.iter().filter(|at| !uses.contains_key(*at)).count();
    assert_eq!(unused, 0);
}
