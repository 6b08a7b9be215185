//! `ramsey solve` on scripts and TPTP problems, with certificates that `ramsey check` reads.

use std::fs;
use std::process::Command;

use crate::common::binary::Dir;

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
    run.prints("tff(domain_1, fi_domain, ! [X: n] : ( X = 'n:0' )).").prints("r('n:0')");
    status("wrong.p", 2, "InputError").complains("wrong.p:1:17");
    let run = dir.run(&["solve", "-q", "symmetric.p"]).ends_with(1);
    assert_eq!(run.out, "% SZS status CounterSatisfiable for symmetric.p\n");
}

#[test]
fn structures_of_problems_can_be_read_again() {
    let dir = Dir::new();
    let problems = [
        "fof(a, axiom, p(\"A\") & ~ p(\"$i:1\") & q(\"A\", c) & ? [X] : ( X != \"A\" & X != \"$i:1\" & ~ p(X) )).\n",
        "tff(t, type, 'it\\'s': $tType).\ntff(c, type, 'it\\'s:0': 'it\\'s').\ntff(p, type, p: ('it\\'s' * $i) > $o).
         tff(a, axiom, p('it\\'s:0', \"A\") & ? [X: 'it\\'s'] : ~ p(X, \"A\")).\n",
        "fof(a, axiom, ? [X, Y] : ( X != Y & r(X, Y) & ~ r(Y, X) )).\n",
    ];
    for problem in problems {
        dir.file("a.p", problem);
        let found = dir.run(&["solve", "a.p"]).ends_with(0).prints("% SZS status Satisfiable").out;
        let structure: Vec<&str> = found.lines().filter(|line| !line.starts_with('%')).collect();
        dir.file("b.p", format!("{problem}{}\n", structure.join("\n")));
        dir.run(&["solve", "b.p"]).ends_with(0).prints("% SZS status Satisfiable");
        // All values are there.
        let (first, second) = ("fi_predicates, ( ", "fi_predicates, ( ~ ");
        let other = structure.join("\n").replacen(first, second, 1).replacen("~ ~ ", "", 1);
        dir.file("c.p", format!("{problem}{}\n{other}\n", structure.join("\n")));
        dir.run(&["solve", "c.p"]).ends_with(0).prints("% SZS status Unsatisfiable");
    }
    // A structure may have too many values to be shown.
    let vars: Vec<String> = (0..11).map(|at| format!("X{at}")).collect();
    let vars = vars.join(",");
    dir.file("a.p", format!("fof(a, axiom, ? [{vars}] : ( $distinct({vars}) & r(X0,X1,X2,X3,X4,X5) )).\n"));
    dir.run(&["solve", "a.p"]).ends_with(0).prints("% symbols have 1771561 values in the structure");
}

/// Headers of old problems have accents in ISO 8859-1.
#[test]
fn comments_may_be_in_another_encoding() {
    let dir = Dir::new();
    dir.file("axioms.ax", b"% Caf\xe9\nfof(a, axiom, p(c)).\n");
    dir.file("goal.p", b"% Caf\xe9\ninclude('axioms.ax').\nfof(g, conjecture, ? [X] : p(X)).\n");
    dir.run(&["solve", "goal.p", "--certify", "p.cert"]).ends_with(0).prints("Theorem");
    dir.run(&["check", "goal.p", "p.cert"]).ends_with(0);
    dir.file("a.smt2", [b"; Caf\xe9\n", SCRIPT.as_bytes()].concat());
    dir.run(&["solve", "a.smt2", "--certify", "a.cert"]).ends_with(0);
    let checked = |model: &str, certificate: &str| {
        let mut checker = Command::new(env!("CARGO_BIN_EXE_ramsey-check"));
        let output = checker.current_dir(&dir.0).args([model, certificate]).output();
        output.expect("the checker").status.success()
    };
    assert!(checked("goal.p", "p.cert") && checked("a.smt2", "a.cert"));
    // Elsewhere it is an error with its place.
    dir.file("wrong.p", b"fof(a, axiom, caf\xe9).\n");
    dir.run(&["solve", "wrong.p"]).ends_with(2).complains("wrong.p:1:18").complains("`é`");
}

#[test]
fn answers_to_scripts_and_problems_are_certified() {
    let dir = Dir::new();
    dir.file("a.smt2", SCRIPT).file("b.smt2", SCRIPT.replace("(not (edge x y))", "(edge x y)"));
    let run = dir.run(&["solve", "a.smt2", "--certify", "a.cert"]).ends_with(0);
    run.prints("sat\nunsat\n; certificate a.cert: 1 proofs").silent_on_stderr();
    let run = dir.run(&["check", "a.smt2", "a.cert"]).ends_with(0);
    run.prints("query 1 (line 5): satisfiable").prints("query 2 (line 8): unsatisfiable");
    // A certificate of one script is rejected for another.
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
    run.prints("(error \"line 1 column 9:").prints("unknown\n");
    assert!(!dir.0.join("x.cert").exists(), "nothing is claimed of a script with errors");
    let run = dir.run_with(&["solve", "-", "--certify", "x.cert"], SCRIPT).ends_with(2);
    run.complains("standard input");
    dir.file("a.smt2", SCRIPT);
    let run = dir.run(&["solve", "a.smt2", "--certify", "a.smt2"]).ends_with(2);
    run.complains("stays as it is");
    // Comments may have any encoding, but a certificate requires that of a text.
    dir.file("cut.smt2", b"; caf\xe2\x88\n(declare-const p Bool)(assert (and p (not p)))(check-sat)");
    dir.run(&["solve", "cut.smt2", "--certify", "x.cert"]).ends_with(2).prints("unsat").complains("0xE2");
    let run = dir.run(&["solve", "a.smt2", "--work", "1", "--certify", "x.cert"]);
    run.ends_with(3).prints("2 queries without one (the first one in line 5: unknown (work budget))");
    // Whether there is an element of each depth takes two to the power of 40 steps to evaluate, if nothing is known of it.
    let nested = (0..40).fold("(p a)".to_owned(), |inner, _| format!("(exists ((x T)) (and (p x) {inner}))"));
    let script = "(declare-sort T 0)(declare-fun p (T) Bool)(declare-const a T)(declare-const b T)";
    dir.file("deep.smt2", format!("{script}\n(assert (and (not (= a b)) {nested}))\n(check-sat)\n"));
    let run = dir.run(&["solve", "deep.smt2", "--certify", "x.cert"]).ends_with(3);
    run.prints("sat").prints("(that of line 3: evaluating the structure may take too many steps)");
}

#[test]
fn conditional_terms_are_decided_and_certified() {
    let dir = Dir::new();
    dir.file("sat.p", "tff(n, axiom, $ite(a = b, a, b) = a).\n");
    dir.file(
        "goal.p",
        "tff(n, axiom, $ite(p(a), $ite(q, a, b), b) = c).\n\
         tff(m, axiom, $ite(p(a), q, $true) & p(a)).\n\
         tff(g, conjecture, $ite(a != c, $false, $ite(q, a, b) = c)).\n",
    );
    dir.run(&["solve", "sat.p", "--certify", "sat.cert"]).ends_with(0).prints("Satisfiable");
    dir.run(&["check", "sat.p", "sat.cert"]).ends_with(0);
    dir.run(&["solve", "goal.p", "--certify", "goal.cert"]).ends_with(0).prints("Theorem");
    dir.run(&["check", "goal.p", "goal.cert"]).ends_with(0);
}

#[test]
fn options_belong_to_formats() {
    let dir = Dir::new();
    dir.file("a.smt2", SCRIPT).file("a.p", "fof(a, axiom, p).\n").file("a.cnf", "1 0 -1 0\n");
    for name in ["a.smt2", "a.p"] {
        let run = dir.run(&["solve", name, "--proof", "a.proof"]).ends_with(2);
        let run =
            run.complains("`--proof` is about SAT problems").complains("--certify").complains("--export");
        assert_eq!(run.out, "");
        assert!(!dir.0.join("a.proof").exists());
    }
    for option in ["--certify", "--export"] {
        dir.run(&["solve", "a.cnf", option, "out"]).ends_with(2).complains("--proof FILE");
        assert!(!dir.0.join("out").exists());
    }
    dir.run(&["solve", "a.cnf", "--minimize"]).ends_with(2).complains("`--minimize` is about SMT-LIB");
}

#[test]
fn what_is_no_problem_gets_a_hint() {
    let dir = Dir::new();
    dir.file("lock.pyv", crate::common::binary::LOCK).file("lock.rml", "sort node\nvariable x : node\n");
    dir.file("x", crate::common::binary::LOCK)
        .file("x.json", "{\"version\": 1}")
        .file("x.cert", "ramsey-certificate 1\n");
    dir.file("empty.pyv", "");
    dir.file("x.cnf.gz", b"\x1f\x8b\x08\0")
        .file("dimacs.p", "p cnf 1 1\n1 0\n")
        .file("smt.cnf", "(check-sat)\n");
    let cases = [
        ("lock.pyv", "`lock.pyv` is no problem but a model", "ramsey verify lock.pyv"),
        ("lock.rml", "`lock.rml` is no problem but a model", "ramsey verify lock.rml"),
        ("x", "`x` is no problem but a model", "ramsey verify x"),
        ("empty.pyv", "`empty.pyv` is no problem but a model", "ramsey verify empty.pyv"),
        ("x.json", "`x.json` is no problem but a JSON document", "ramsey show x.json"),
        ("x.cert", "`x.cert` is no problem but a certificate", "ramsey check MODEL x.cert"),
        ("x.cnf.gz", "a compressed file", "gzip -dc x.cnf.gz | ramsey solve -"),
        ("dimacs.p", "`dimacs.p` begins like DIMACS, and by its name it is TPTP", "--input dimacs"),
        ("smt.cnf", "`smt.cnf` begins like SMT-LIB, and by its name it is DIMACS", "--input smtlib"),
    ];
    for (name, what, help) in cases {
        let run = dir.run(&["solve", name]).ends_with(2).complains(what).complains(help);
        assert_eq!(run.out, "", "{name}");
    }
    dir.run(&["solve", "dimacs.p", "--input", "dimacs"]).ends_with(10);
    dir.run_with(&["solve", "-"], "cnf(a, axiom, p).\n").ends_with(0).prints("% SZS status Satisfiable");
    dir.run_with(&["solve", "-"], crate::common::binary::LOCK)
        .ends_with(2)
        .complains("`<stdin>` is no problem but a model");
}

/// Limits apply while problems are read, and commands beyond them are refused.
#[test]
fn reading_ends_at_the_limits() {
    let dir = Dir::new();
    dir.file("long.p", "fof(a, axiom, p(c) & (q | ~ q)).\n".repeat(20_000));
    dir.run(&["solve", "long.p", "--timeout", "0.000001"])
        .ends_with(3)
        .prints("% SZS status Timeout for long.p");
    dir.run(&["solve", "long.p", "--memory", "1"]).ends_with(3).prints("% SZS status MemoryOut for long.p");
    let long = format!("(declare-const p Bool)(assert (and{}))(check-sat)", " p".repeat(200_000));
    let run = dir.run_with(&["solve", "-", "--input", "smtlib", "--timeout", "0.000001"], &long).ends_with(2);
    let run =
        run.prints("this command was not read to its end: time limit of the query").prints("\nunknown\n");
    assert!(!run.out.contains("\nsat"), "{}", run.out);
    let open = format!("(assert {}", "(and true ".repeat(500_000));
    dir.run_with(&["solve", "-", "--memory", "1"], &open).ends_with(2).prints("memory limit");
}

#[test]
fn documents_follow_the_schema() {
    let dir = Dir::new();
    dir.file(
        "a.smt2",
        format!("{SCRIPT}(check-sat)(get-model)(get-value ((edge a a)))(echo \"hi\")(frobnicate)"),
    )
    .file(
        "ok.smt2",
        format!(
            "{SCRIPT}(declare-const a node)(check-sat)(get-model)(get-value ((edge a a)))(get-info :name)"
        ),
    )
    .file("sat.p", "fof(a, axiom, p(c)).\n")
    .file("wrong.p", "fof(a, axiom, p(X)).\n")
    .file("goal.p", "fof(a, conjecture, p => p).\n")
    .file("sat.cnf", "p cnf 3 1\n1 -2 0\n")
    .file("unsat.cnf", "1 0 -1 0\n")
    .file("sparse.cnf", "2147483646 0\n")
    .file("bad.cnf", "1 two 0\n")
    .file("x.icnf", "p inccnf\n1 2 0\na -1 0\na -1 -2 0\n")
    .file("lock.pyv", crate::common::binary::LOCK);
    let cases: [(&[&str], i32, &str); 14] = [
        (&["a.smt2"], 2, "bad-input"),
        (&["ok.smt2", "--stats"], 0, "ok"),
        (&["ok.smt2", "--certify", "ok.cert"], 0, "ok"),
        (&["sat.p"], 0, "ok"),
        (&["wrong.p"], 2, "bad-input"),
        (&["goal.p", "--stats"], 0, "ok"),
        (&["goal.p", "--timeout", "0.000001"], 3, "unknown"),
        (&["sat.cnf"], 10, "ok"),
        (&["unsat.cnf", "--stats"], 20, "ok"),
        (&["sparse.cnf"], 10, "ok"),
        (&["sat.cnf", "--memory", "1"], 0, "unknown"),
        (&["bad.cnf"], 2, "bad-input"),
        (&["x.icnf"], 20, "ok"),
        (&["lock.pyv"], 2, "bad-input"),
    ];
    for (args, code, verdict) in cases {
        let run =
            dir.run(&[&["solve", "--format", "json"], args].concat()).ends_with(code).silent_on_stderr();
        let document = run.json();
        assert_eq!(
            (document["verdict"].as_str(), document["exit_code"].as_i64()),
            (Some(verdict), Some(code.into()))
        );
        assert_eq!(
            document["diagnostics"].as_array().map(Vec::is_empty),
            Some(!run.out.contains("\"severity\""))
        );
    }
    let answers = |name: &str| dir.run(&["solve", "--format", "json", name]).json()["answers"].clone();
    let script = answers("ok.smt2");
    assert_eq!((script[0]["line"].as_u64(), script[0]["answer"].as_str()), (Some(5), Some("satisfiable")));
    assert_eq!(script[1]["answer"], "unsatisfiable");
    assert_eq!(script[3]["model"]["universes"][0]["sort"], "node");
    assert_eq!(script[4]["values"][0]["of"], "(edge a a)");
    assert_eq!(answers("sat.p")[0]["szs"], "Satisfiable");
    assert!(answers("sat.p")[0]["text"].as_str().is_some_and(|text| text.contains("fi_domain")));
    assert_eq!(answers("sat.cnf")[0]["literals"].as_array().map(Vec::len), Some(3));
    assert_eq!(answers("sparse.cnf")[0]["left_out"], 2_147_483_645);
    let questions = answers("x.icnf");
    assert_eq!(questions[0]["literals"][0], -1);
    assert_eq!(questions[1]["failed"].as_array().map(Vec::len), Some(2));
}

/// What is closed is deeper than what is read. Where the checker would not read it, there is no certificate, and no internal error.
#[test]
fn what_is_too_deep_when_it_is_closed_has_no_certificate() {
    let dir = Dir::new();
    let variables = |count: usize| {
        let names: Vec<String> = (0..count).map(|at| format!("X{at}")).collect();
        format!("fof(a,axiom,![{}]:p(X0)).\nfof(c,conjecture,p(a)).\n", names.join(","))
    };
    let choices = |count: usize| {
        format!(
            "tff(a,axiom,{}q{}).\ntff(b,axiom,p).\ntff(c,conjecture,q).\n",
            "$ite(p,".repeat(count),
            ",r)".repeat(count)
        )
    };
    for (most, text) in [(1_998, &variables as &dyn Fn(usize) -> String), (999, &choices)] {
        dir.file("most.p", text(most)).file("more.p", text(most + 1));
        dir.run(&["solve", "most.p", "--certify", "most.cert"]).ends_with(0).prints("SZS status Theorem");
        dir.run(&["check", "most.p", "most.cert"]).ends_with(0);
        dir.run(&["solve", "more.p"]).ends_with(0).prints("SZS status Theorem");
        let more = dir.run(&["solve", "more.p", "--certify", "more.cert"]);
        more.ends_with(2).complains("there is no certificate");
        assert!(!dir.0.join("more.cert").exists());
    }
}
