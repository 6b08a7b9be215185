//! Scripts with their closed systems, and scripts that are refused.

use ramsey_naive::smtlib::core;

const VOCABULARY: &str = "(declare-sort S 0)(declare-fun c () S)(declare-fun f (S) S)(declare-fun q () Bool)
(declare-fun p (S) Bool)(declare-fun h (Bool S) S)(declare-datatype D ((red) (blue)))(declare-fun k () D)
";

/// The lines of the closed system of a script behind the vocabulary, from hypotheses on.
fn lines(script: &str) -> Vec<String> {
    let text =
        core(&format!("{VOCABULARY}{script}")).unwrap_or_else(|refusal| panic!("{refusal:?}: {script}"));
    let lines = text.lines().filter(|line| line.starts_with("hypothesis") || line.starts_with("query"));
    lines.map(str::to_owned).collect()
}

/// What is asserted with the constants of the vocabulary: behind what is said about sorts `Bool@` and `D`.
fn asserted(formula: &str) -> String {
    let lines = lines(&format!("(assert {formula})(check-sat)"));
    lines[4].strip_prefix("hypothesis 0 4 ").expect("a hypothesis").to_owned()
}

fn assert_refused(script: &str, what: &str) {
    match core(&format!("{VOCABULARY}{script}")) {
        Ok(text) => panic!("{script} is accepted: {text}"),
        Err(refusal) => assert!(refusal.what.contains(what), "{script}: {refusal:?}"),
    }
}

#[test]
fn formulas_are_closed_as_they_are_written() {
    for (formula, closed) in [
        ("(and q (and q q))", "& 2 R 0 0 0 & 2 R 0 0 0 R 0 0 0"),
        ("(or (and q))", "R 0 0 0"),
        ("(=> q (p c) q)", "> & 2 R 0 0 0 R 0 1 1 A 0 0 0 R 0 0 0"),
        ("(xor q q q)", "~ = ~ = R 0 0 0 R 0 0 0 R 0 0 0"),
        ("(= c (f c) c)", "& 2 E 0 A 0 0 0 A 0 1 1 A 0 0 0 E 0 A 0 1 1 A 0 0 0 A 0 0 0"),
        ("(distinct q q)", "~ = R 0 0 0 R 0 0 0"),
        ("(distinct q q q)", "| 0"),
        (
            "(distinct c c (f c))",
            "& 3 ~ E 0 A 0 0 0 A 0 0 0 ~ E 0 A 0 0 0 A 0 1 1 A 0 0 0 ~ E 0 A 0 0 0 A 0 1 1 A 0 0 0",
        ),
        ("(forall ((x S) (b Bool)) (or b (p x)))", "& 2 ! 0 | 2 & 0 R 0 1 1 V 0 ! 0 | 2 | 0 R 0 1 1 V 0"),
        ("(p (ite q c (f c)))", "& 2 > R 0 0 0 R 0 1 1 A 0 0 0 > ~ R 0 0 0 R 0 1 1 A 0 1 1 A 0 0 0"),
        (
            "(p (h q c))",
            "& 2 > R 0 0 0 R 0 1 1 A 0 4 2 A 0 2 0 A 0 0 0 > ~ R 0 0 0 R 0 1 1 A 0 4 2 A 0 3 0 A 0 0 0",
        ),
        ("(forall ((x S)) (let ((x c) (y x)) (exists ((x S)) (= x y))))", "! 0 ? 0 E 0 V 0 V 1"),
        (
            "(match k ((red q) (w (= w k))))",
            "& 2 > E 1 A 0 7 0 A 0 5 0 R 0 0 0 > ~ E 1 A 0 7 0 A 0 5 0 E 1 A 0 7 0 A 0 7 0",
        ),
        ("(or (is-red k) ((_ is blue) (as k D)))", "| 2 E 1 A 0 7 0 A 0 5 0 E 1 A 0 7 0 A 0 6 0"),
        ("(forall ((and S)) (p and))", "! 0 R 0 1 1 V 0"),
        ("(and (! q :a :named n) n)", "& 2 R 0 0 0 R 0 0 0"),
    ] {
        // The sort of truth values is declared before `D`.
        let closed = closed.replace("E 1", "E 2");
        assert_eq!(asserted(formula), closed, "{formula}");
    }
}

#[test]
fn definitions_do_not_capture() {
    let script = "(define-fun m ((a S)) Bool (forall ((x S)) (= a x)))
        (define-fun n ((x S)) Bool (exists ((z S)) (and (m x) (m z))))";
    let line = &lines(&format!("{script}(assert (forall ((x S) (z S)) (and (m z) (n z))))(check-sat)"))[4];
    let closed = "! 0 ! 0 & 2 ! 0 E 0 V 1 V 0 ? 0 & 2 ! 0 E 0 V 2 V 0 ! 0 E 0 V 1 V 0";
    assert_eq!(line, &format!("hypothesis 0 4 {closed}"));
}

#[test]
fn levels_and_declarations_end() {
    let script = "(assert q)(push)(declare-fun r () Bool)(assert r)(assert q)(check-sat)(pop)\n(check-sat-assuming (q))
        (push)(declare-fun r () Bool)(assert r)(check-sat)(reset)(check-sat)(exit)(check-sat)";
    let script = lines(script);
    assert_eq!(script[4..6], ["hypothesis 0 4 R 0 0 0", "hypothesis 0 5 R 0 2 0"]);
    let queries: Vec<&str> =
        script[6..].iter().map(|line| line.strip_prefix("query 1 open ").expect("a query")).collect();
    assert_eq!(
        queries,
        [
            "query%20.1%20.3 7 0 1 2 3 4 5 4 | 0",
            "query%20.2%20.4 6 0 1 2 3 4 4 | 0",
            "query%20.3%20.5 6 0 1 2 3 4 5 | 0",
            "query%20.4%20.5 0 | 0"
        ]
    );
}

#[test]
fn deep_parts_have_names() {
    let deep = format!("(forall ((x S)) {}(p x){})", "(not ".repeat(1_000), ")".repeat(1_000));
    let script = lines(&format!("(assert {deep})(assert {deep})(check-sat)"));
    assert_eq!(script[4], "hypothesis 0 4 ! 0 ~ ~ R 0 2 1 V 0");
    assert_eq!(script[5], format!("hypothesis 0 5 ! 0 = R 0 2 1 V 0{} R 0 1 1 V 0", " ~".repeat(998)));
    assert!(script[6].ends_with("7 0 1 2 3 4 5 4 | 0"));
}

#[test]
fn conditions_in_conditions_have_names() {
    let nested = |count: usize| format!("{}q{}", "(ite ".repeat(count), " q (p c))".repeat(count));
    // Each has its condition twice.
    assert_eq!(asserted(&nested(1)), "& 2 > R 0 0 0 R 0 0 0 > ~ R 0 0 0 R 0 1 1 A 0 0 0");
    assert!(!lines(&format!("(assert {})(check-sat)", nested(3))).iter().any(|line| line.contains(" = ")));
    // The name stands where the fourth one does, and in the conditions of the others.
    let script = lines(&format!("(assert {})(check-sat)", nested(7)));
    assert!(script[4].starts_with("hypothesis 0 4 & 2 > & 2 > & 2 > R 0 2 "), "{}", script[4]);
    assert!(script[5].starts_with("hypothesis 0 5 = R 0 2 0 & 2 > & 2 > & 2 > & 2 > "), "{}", script[5]);
    // Not with variables.
    let script = lines(
        "(assert (forall ((x S)) (p (ite (p (ite (p (ite (p (ite (p x) x c)) x c)) x c)) x c))))(check-sat)",
    );
    assert!(!script.iter().any(|line| line.contains("5 ! 0 = ")), "{script:?}");
    let script =
        lines(&format!("(assert {})(check-sat)", nested(7).replacen('q', "(exists ((x S)) (p x))", 1)));
    assert!(!script.iter().any(|line| line.contains("5 = ")), "{script:?}");
}

#[test]
fn what_is_not_understood_is_refused() {
    for (script, what) in [
        ("q", "expected a command"),
        ("(assert q))", "expected a command"),
        ("(assert q", "has no end"),
        ("(assert |q", "has no end"),
        ("(assert \"q)", "has no end"),
        ("(assert é)", "starts no token"),
        ("(assert 01)", "starts no token"),
        ("(assert)", "expected a term"),
        ("(assert q q)", "expected `)`"),
        ("(assert-that q)", "not understood"),
        ("(assert c)", "expected a formula"),
        ("(assert (and))", "has arguments"),
        ("(assert (and c))", "other arguments"),
        ("(assert (= c q))", "other arguments"),
        ("(assert (p q))", "other arguments"),
        ("(assert (p 1))", "expected a term"),
        ("(assert r)", "not declared"),
        ("(assert (exists ((q S)) (q)))", "expected a function"),
        ("(assert (forall () q))", "binds variables"),
        ("(assert (forall ((x S) (x S)) q))", "there twice"),
        ("(assert (forall ((x T)) q))", "no sort"),
        ("(assert (forall ((x (S S))) q))", "no sort"),
        ("(assert (match k ((red q))))", "no case"),
        ("(assert (match c ((x q))))", "no enumeration"),
        ("(assert (is-c c))", "no constructor"),
        ("(assert (as q S))", "another sort"),
        ("(assert (forall ((x S)) (! (p x) :named n)))", "no free variables"),
        ("(assert (! q :named p))", "declared already"),
        ("(assert (! q p))", "expected an attribute"),
        ("(declare-fun q () Bool)", "declared already"),
        ("(declare-fun or () Bool)", "declared already"),
        ("(declare-sort D 0)", "declared already"),
        ("(declare-datatype E ((a (b S))))", "expected `)`"),
        ("(declare-datatypes ((E 1)) ((a)))", "no enumeration"),
        ("(define-fun d () Bool c)", "another sort"),
        ("(define-fun-rec d () Bool d)", "not declared"),
        ("(define-funs-rec ((d () Bool) (e () Bool)) (e d))", "not declared"),
        ("(pop)", "no such levels"),
        ("(push -1)", "expected a small number"),
        ("(set-option :global-declarations true)", "before all declarations"),
        ("(push)(declare-fun r () Bool)(pop)(assert r)", "not declared"),
        ("(get-value (r))", "not declared"),
    ] {
        assert_refused(script, what);
    }
    let refusal =
        core("(declare-fun |é| () Bool)\r(assert\r\n  (or |é| r))").expect_err("`r` is not declared");
    assert_eq!((refusal.line, refusal.column), (3, 11));
}

#[test]
fn no_text_makes_it_panic() {
    for (before, after) in [
        ("(not ", ")"),
        ("(let ((x q)) ", ")"),
        ("(let ((x ", ")) q)"),
        ("(! ", " :a b)"),
        ("(forall ((x S)) ", ")"),
        ("(match k ((red ", ") (x q)))"),
        ("(= q ", ")"),
    ] {
        for count in [100, 5_000, 21_000] {
            let _ = core(&format!("{VOCABULARY}(assert {}q{})", before.repeat(count), after.repeat(count)));
        }
    }
    for count in [100, 9_000, 21_000] {
        let sort = format!("{}S{}", "(P ".repeat(count), ")".repeat(count));
        let _ = core(&format!(
            "{VOCABULARY}(declare-sort P 1)(define-sort Q (X) (P X))(declare-fun z () {sort})"
        ));
        let _ = core(&format!("{VOCABULARY}(assert (! q :a {}))", "(".repeat(count)));
    }
    for word in ["(", ")", "|", "\"", "()", "(assert", ";", ":", "#", "\u{feff}", "(_", "(!"] {
        for count in [1, 2, 3, 100] {
            let _ = core(&word.repeat(count));
            let _ = core(&format!("{VOCABULARY}(assert {}", word.repeat(count)));
        }
    }
    for end in 0..VOCABULARY.len() {
        let _ = core(&VOCABULARY[..end]);
    }
}
