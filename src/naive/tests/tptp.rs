//! Problems with their closed systems, and problems that are refused.

use std::path::{Path, PathBuf};

use ramsey_naive::Refusal;
use ramsey_naive::tptp::core;

const VOCABULARY: &str = "tff(s, type, s: $tType). tff(c, type, c: s). tff(g, type, g: (s * $i) > s).
tff(r, type, (r: s > $o)). tff(q, type, q: $o).
";

/// The files that problems here may include.
fn find(_: &Path, name: &str) -> Option<(PathBuf, String)> {
    let text = match name {
        "a.ax" => "fof(a1, axiom, p(a)). include('b.ax'). fof('2', axiom, $false).",
        "b.ax" => "fof(b1, axiom, p(b)).",
        "roles.ax" => "fof(a, axiom, p). fof(b, unknown, q). cnf(c, conjecture, q). fof(d, type, q: $i).",
        "loop.ax" => "include('loop.ax').",
        "bad.ax" => "fof(a1, axiom,\n p(a) & ).",
        _ => return None,
    };
    Some((PathBuf::from(name), text.to_owned()))
}

fn closed(text: &str) -> Result<String, Refusal> {
    core(Path::new("a.p"), text, &find)
}

/// The lines of the closed system of statements behind the vocabulary, from hypotheses on.
fn lines(statements: &str) -> Vec<String> {
    let text = closed(&format!("{VOCABULARY}{statements}"));
    let text = text.unwrap_or_else(|refusal| panic!("{refusal:?}: {statements}"));
    let lines = text.lines().filter(|line| line.starts_with("hypothesis") || line.starts_with("query"));
    lines.map(str::to_owned).collect()
}

fn assert_refused(statements: &str, what: &str) {
    match closed(&format!("{VOCABULARY}{statements}")) {
        Ok(text) => panic!("{statements} is accepted: {text}"),
        Err(refusal) => assert!(refusal.what.contains(what), "{statements}: {refusal:?}"),
    }
}

#[test]
fn formulas_are_closed_as_they_are_written() {
    for (statement, closed) in [
        ("fof(n, axiom, q & q & (q & q)).", "& 3 R 0 1 0 R 0 1 0 & 2 R 0 1 0 R 0 1 0"),
        ("fof(n, axiom, q <= r(c)).", "> R 0 0 1 A 0 0 0 R 0 1 0"),
        ("fof(n, axiom, q <~> ~ q).", "~ = R 0 1 0 ~ R 0 1 0"),
        ("fof(n, axiom, q ~| q).", "~ | 2 R 0 1 0 R 0 1 0"),
        ("fof(n, axiom, q ~& q).", "~ & 2 R 0 1 0 R 0 1 0"),
        ("fof(n, axiom, ! [X, Y] : X = Y & q).", "& 2 ! 1 ! 1 E 1 V 1 V 0 R 0 1 0"),
        ("fof(n, axiom, p(p) | p != a).", "| 2 R 0 2 1 A 0 2 0 ~ E 1 A 0 2 0 A 0 3 0"),
        ("fof(n, axiom, $distinct(c, g(c, a))).", "~ E 0 A 0 0 0 A 0 1 2 A 0 0 0 A 0 2 0"),
        ("fof(n, axiom, 'q' | 'Q').", "| 2 R 0 1 0 R 0 2 0"),
        ("cnf(n, axiom, p(Y) | X = Y).", "! 1 ! 1 | 2 R 0 2 1 V 1 E 1 V 0 V 1"),
        ("tcf(n, axiom, ! [X: s] : (r(X) | p(Y))).", "! 1 ! 0 | 2 R 0 0 1 V 0 R 0 2 1 V 1"),
        (
            "tff(n, axiom, ! [X: s, X] : ? [Y: (s)] : (X = X | r(Y))).",
            "! 0 ! 1 ? 0 | 2 E 1 V 1 V 1 R 0 0 1 V 0",
        ),
        ("tff(n, axiom, r($ite(q, c, c))).", "& 2 > R 0 1 0 R 0 0 1 A 0 0 0 > ~ R 0 1 0 R 0 0 1 A 0 0 0"),
        (
            "tff(n, axiom, $ite(q, c, c) = c).",
            "& 2 > R 0 1 0 E 0 A 0 0 0 A 0 0 0 > ~ R 0 1 0 E 0 A 0 0 0 A 0 0 0",
        ),
        (
            "tff(n, axiom, $ite(q, q, $true), [a: X], [\"b\", -1.5e3]).",
            "& 2 > R 0 1 0 R 0 1 0 > ~ R 0 1 0 & 0",
        ),
    ] {
        assert_eq!(lines(statement)[0], format!("hypothesis 0 0 {closed}"), "{statement}");
    }
}

#[test]
fn roles_of_what_is_left_out_do_not_count() {
    assert_eq!(
        lines("include('roles.ax', [a])."),
        ["hypothesis 0 0 R 0 2 0", "query 1 open query%20.1%20.1 1 0 | 0"]
    );
}

#[test]
fn problems_ask_one_question() {
    let statements = "fof(a, axiom, \"o\" = \"o\").\nfof(b, conjecture, q).\ninclude('a.ax', [b1]).
        fof(d, conjecture, \"u\" != a).\ninclude('a.ax').\ninclude('b.ax').";
    assert_eq!(
        lines(statements),
        [
            "hypothesis 0 0 E 1 A 0 2 0 A 0 2 0",
            "hypothesis 0 1 R 0 2 1 A 0 3 0",
            "hypothesis 0 2 R 0 2 1 A 0 5 0",
            "hypothesis 0 3 | 0",
            "hypothesis 0 4 ~ E 1 A 0 2 0 A 0 4 0",
            "query 1 open query%20.1%20.4 6 0 1 2 1 3 4 & 2 R 0 1 0 ~ E 1 A 0 4 0 A 0 5 0",
        ]
    );
    let text = closed("fof(a, axiom, 'A b' = 'p' & p & \"o\" = p).").expect("a problem");
    let names: Vec<&str> = text.lines().filter(|line| line.contains("rigid")).collect();
    let expected = [
        "function 0 @0 rigid 0 0",
        "function 1 @1 rigid 0 0",
        "function 2 @3 rigid 0 0",
        "relation 0 @2 rigid 0",
    ];
    assert_eq!(names, expected);
}

#[test]
fn what_is_not_understood_is_refused() {
    for (statements, what) in [
        ("fof(a, axiom, q)", "expected `.`"),
        ("fof(a, axiom, q) . /*", "no end"),
        ("fof(a, axiom, 'q\n').", "no end on its line"),
        ("fof(a, axiom, $q).", "expected"),
        ("fof(a, axiom, q $).", "starts no token"),
        ("thf(a, axiom, q).", "expected `cnf`"),
        ("fof(a, unknown, q).", "role"),
        ("cnf(a, conjecture, q).", "role"),
        ("fof(a, type, d: s).", "role"),
        ("fof(a, axiom, p(X)).", "not bound"),
        ("fof(a, axiom, q & q | q).", "expected `)`"),
        ("fof(a, axiom, q => q => q).", "expected `)`"),
        ("fof(a, axiom, (a) = a).", "expected `)`"),
        ("fof(a, axiom, ! [] : q).", "expected a variable"),
        ("fof(a, axiom, ! [X: s] : q).", "expected `]`"),
        ("fof(a, axiom, p(q)).", "other arguments"),
        ("fof(a, axiom, q(a)).", "other arguments"),
        ("fof(a, axiom, c).", "other arguments"),
        ("fof(a, axiom, s = a).", "is a type"),
        ("fof(a, axiom, a = c).", "different types"),
        ("fof(a, axiom, $distinct(a, c)).", "one type"),
        ("fof(a, axiom, 1 = 1).", "expected a term"),
        ("fof(a, axiom, p($ite(q, a, a))).", "is for `tff`"),
        ("tff(a, axiom, p($ite(q, a, c))).", "different types"),
        ("cnf(a, axiom, q & q).", "no clause"),
        ("cnf(a, axiom, ! [X] : p(X)).", "expected a formula"),
        ("tcf(a, axiom, q | ! [X] : p(X)).", "expected a formula"),
        ("tff(a, type, c: $i).", "another meaning"),
        ("fof(a, axiom, d = d). tff(a, type, d: $i).", "another meaning"),
        ("tff(a, type, d: t).", "not declared"),
        ("tff(a, type, d: $o > $o).", "no type of"),
        ("tff(a, type, d: s > s > s).", "expected `)`"),
        ("tff(a, type, d: $tType > $tType).", "no type of"),
        ("tff(a, axiom, ! [X: $o] : q).", "elements of a type"),
        ("include('none.ax').", "no file"),
        ("include('loop.ax').", "includes itself"),
        ("include('bad.ax').", "bad.ax:2:9: expected"),
        ("include('a.ax', [a3]).", "has no formula"),
        ("include('a.ax', []).", "expected a name"),
    ] {
        assert_refused(statements, what);
    }
    let refusal = closed("fof(a, axiom,\r\n 'é' | ).").expect_err("a formula is missing");
    assert_eq!((refusal.line, refusal.column), (2, 8));
}

#[test]
fn no_text_makes_it_panic() {
    for (before, after) in [("~ ", ""), ("(", ")"), ("! [X] : ", ""), ("q & (q | ", ")")] {
        for count in [100, 900, 5_000] {
            let _ = closed(&format!(
                "{VOCABULARY}tff(a, axiom, {}q{}).",
                before.repeat(count),
                after.repeat(count)
            ));
        }
    }
    for count in [100, 9_000, 21_000] {
        let [open, close] = ["(", ")"].map(|sign| sign.repeat(count));
        let _ = closed(&format!("fof(a, axiom, p({}a{close})).", "f(".repeat(count)));
        let _ = closed(&format!("fof(a, axiom, p, {}a{close}).", "f(".repeat(count)));
        let _ = closed(&format!("tff(a, type, {open}d: {open}$i{close}{close})."));
    }
    for word in [
        "(",
        ")",
        "fof(",
        "fof(a,axiom,",
        "'",
        "\"",
        "/*",
        "$",
        "include('a.ax').",
        "\u{feff}",
        "~",
        "! [",
        "1",
        "+",
    ] {
        for count in [1, 2, 3, 100] {
            let _ = closed(&word.repeat(count));
            let _ = closed(&format!("{VOCABULARY}tff(a, axiom, {}", word.repeat(count)));
        }
    }
    for end in 0..VOCABULARY.len() {
        let _ = closed(&VOCABULARY[..end]);
    }
}
