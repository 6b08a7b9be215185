//! Texts with their closed systems, and texts that are refused.

use ramsey_naive::pyv::core;

const VOCABULARY: &str = "\
sort s
sort t
immutable relation p(s)
immutable relation r(s, s)
immutable constant a: s
immutable function f(s): t
mutable relation m(s)
mutable constant c: s
derived relation none: none <-> !m(X)
";

/// The line of the closed system of the vocabulary and a declaration that begins so.
fn line(decl: &str, start: &str) -> String {
    let text = core(&format!("{VOCABULARY}{decl}\n")).unwrap_or_else(|refusal| panic!("{refusal:?}: {decl}"));
    let line =
        text.lines().find(|line| line.starts_with(start)).unwrap_or_else(|| panic!("no {start}: {text}"));
    line[start.len()..].trim().to_owned()
}

fn assert_refused(decl: &str, what: &str) {
    match core(&format!("{VOCABULARY}{decl}\n")) {
        Ok(text) => panic!("{decl} is accepted: {text}"),
        Err(refusal) => assert!(refusal.what.contains(what), "{decl}: {refusal:?}"),
    }
}

#[test]
fn deep_formulas_need_little_stack() {
    let nested = |before: &str, after: &str, count: usize| {
        format!("{}p(a){}", before.repeat(count), after.repeat(count))
    };
    for (before, after) in [
        ("!", ""),
        ("(", ")"),
        ("forall x: s, y: s. ", ""),
        ("exists x: s. p(x) & ", ""),
        ("if p(a) then ", " else true"),
        ("let x: s = a in ", ""),
        ("let x = p(a) & p(a) & p(a) in true & ", ""),
        ("distinct(p(a), ", ")"),
        ("p(a) -> ", ""),
        ("p(a) & (p(a) <-> ", ")"),
        ("r(a, if p(a) then a else if ", " then a else a)"),
        ("& ", ""),
        ("(", " & true | true -> true <-> true)"),
    ] {
        // What has more levels than that is refused, sooner or later.
        let fits = [100, 240, 10_000]
            .map(|count| core(&format!("{VOCABULARY}axiom {}", nested(before, after, count))).is_ok());
        assert!(!fits[2], "{before}");
    }
    let bodies = [
        "!d",
        "d",
        "forall x: s, y: t. d",
        "if p(a) then d else true",
        "let x = d in x",
        "distinct(d, true)",
    ];
    for body in bodies {
        for count in [150, 2_000] {
            let mut text = format!("{VOCABULARY}zerostate definition d0() = p(a)\n");
            for number in 1..=count {
                let body = body
                    .replace('d', &format!("d{}", number - 1))
                    .replace(&format!("d{}istinct", number - 1), "distinct");
                text.push_str(&format!("zerostate definition d{number}() = {body}\n"));
            }
            let is_accepted = core(&format!("{text}axiom d{count}")).is_ok();
            // Without quantifiers, some of the definitions are relations.
            assert_eq!(is_accepted, count == 150 || !body.contains("forall"), "{body} {count}");
        }
    }
}

#[test]
fn formulas_are_closed_as_they_are_written() {
    for (formula, closed) in [
        ("p(X)", "! 0 R 0 0 1 V 0"),
        ("(p(a) & p(a)) & true", "& 3 R 0 0 1 A 0 0 0 R 0 0 1 A 0 0 0 & 0"),
        ("p(a) & (p(a) & true)", "& 2 R 0 0 1 A 0 0 0 & 2 R 0 0 1 A 0 0 0 & 0"),
        ("p(a) | & p(a) & true", "| 2 R 0 0 1 A 0 0 0 & 2 R 0 0 1 A 0 0 0 & 0"),
        ("distinct(a)", "& 0"),
        ("distinct(X, Y, a)", "! 0 ! 0 & 3 ~ E 0 V 1 V 0 ~ E 0 V 1 A 0 0 0 ~ E 0 V 0 A 0 0 0"),
        ("forall b: bool, x: s. b = p(x)", "& 2 ! 0 = & 0 R 0 0 1 V 0 ! 0 = | 0 R 0 0 1 V 0"),
        ("exists b: bool. true", "| 2 & 0 & 0"),
        ("p(if true then a else X)", "! 0 & 2 > & 0 R 0 0 1 A 0 0 0 > ~ & 0 R 0 0 1 V 0"),
        ("let x = X in forall X: s. r(x, X)", "! 0 ! 0 R 0 1 2 V 1 V 0"),
    ] {
        assert_eq!(line(&format!("axiom {formula}"), "axiom rigid 1"), closed, "{formula}");
    }
    let ifs = "r((if (forall x. p(x)) then a else X), (if (forall y. p(y)) then a else X))";
    let condition = "! 0 R 0 0 1 V 0";
    let closed = format!("! 0 & 2 > {condition} R 0 1 2 A 0 0 0 A 0 0 0 > ~ {condition} R 0 1 2 V 0 V 0");
    assert_eq!(line(&format!("axiom {ifs}"), "axiom rigid 1"), closed, "equal choices are one");
    let uses = "zerostate definition d(x, b: bool) = forall y. r(x, y) & b axiom forall y. d(y, p(y))";
    assert_eq!(line(uses, "axiom rigid 1"), "! 0 ! 0 & 2 R 0 1 2 V 1 V 0 R 0 0 1 V 1");
}

#[test]
fn states_are_told() {
    let theorem = |formula: &str| line(&format!("twostate theorem {formula}"), "theorem 2 L10");
    assert_eq!(theorem("m'(c) & new(m(c))"), "& 2 R 2 2 1 A 1 2 0 R 2 2 1 A 2 2 0");
    assert_eq!(theorem("old(m(c)) & m(old(c))"), "& 2 R 1 2 1 A 1 2 0 R 2 2 1 A 1 2 0");
    let step = line("transition t(x: s) modifies m & (m'(X) <-> X = x)", "transition t");
    assert_eq!(step, "? 0 & 2 ! 0 = R 2 2 1 V 0 E 0 V 0 V 1 E 0 A 2 2 0 A 1 2 0");
    assert_eq!(line("axiom true", "axiom state none"), "! 0 = R 1 3 0 ~ R 1 2 1 V 0");
}

/// A definition that uses itself often enough to be a relation would be an axiom that nothing satisfies.
#[test]
fn circles_are_no_relations() {
    let often = |name: &str| vec![format!("!{name}"); 14].join(" & ");
    assert_refused(&format!("definition d() = {}\ninvariant d", often("d")), "too deep");
    let others = format!("definition d() = {}\ndefinition e() = {}\n", often("e"), often("d"));
    assert_refused(&format!("{others}invariant d"), "too deep");
    assert_refused(&format!("{others}definition g() = {}\ninvariant g", often("e")), "too deep");
}

#[test]
fn what_is_not_understood_is_refused() {
    for (decl, what) in [
        ("axiom", "expected an expression"),
        ("axiom p(a) axiom", "expected an expression"),
        ("axiom p(a) p(a)", "expected a declaration"),
        ("axiom p(a) <-> true <-> true", "cannot follow"),
        ("axiom a = a = a", "cannot follow"),
        ("axiom p'(a)", "no such state"),
        ("axiom m(a)", "no such state"),
        ("init m'(a)", "no such state"),
        ("init new(p(a))", "no next state"),
        ("axiom q", "`q` is not declared"),
        ("axiom p(f(a))", "another sort"),
        ("axiom p", "another number"),
        ("axiom p(a, a)", "another number"),
        ("axiom p()", "expected an expression"),
        ("axiom p(a())", "expected an expression"),
        ("axiom forall x. true", "nothing tells"),
        ("axiom forall a: s. p(a)", "is declared, and no variable"),
        ("axiom forall x: s, x: s. p(x)", "bound twice"),
        ("axiom X(a)", "not declared"),
        ("axiom X'", "no primes"),
        ("sort s", "declared twice"),
        ("axiom [a] true", "declared twice"),
        ("mutable relation q(bool)", "expected a name"),
        ("mutable constant q: int", "expected a name"),
        ("mutable relation q(u)", "not declared"),
        ("axiom 1 = 1", "expected an expression"),
        ("axiom f(a) < f(a)", "expected a declaration"),
        ("definition d() = e definition e() = d invariant d", "too deep"),
        ("safety safety", "too deep"),
        ("transition t() modifies p & true", "cannot be modified"),
        ("definition d() modifies m & m(a)", "cannot be modified"),
        ("transition t() = old(m(a)) & new(m(a))", "marks the new state"),
        ("init old(m(a))", "`old` is for"),
        ("transition t() = old(old(m(a)))", "`old` is for"),
        ("sat trace { t }", "no transition"),
        ("sat trace { init }", "expected a name"),
        ("fbii { }", "no proofs"),
        ("axiom é", "no token"),
        ("invariant m(X) proof p(a)", "expected `if`"),
    ] {
        assert_refused(decl, what);
    }
    let refusal = core("\u{feff}sort s\r\rsort t\r\naxiom s").expect_err("`s` is a sort");
    assert_eq!((refusal.line, refusal.column), (4, 7));
}

#[test]
fn no_text_makes_it_panic() {
    let words = [
        "axiom",
        "(",
        ")",
        "'",
        "@",
        "@a",
        "forall x.",
        "\u{feff}",
        "é",
        "&",
        "'",
        ",",
        "p",
        "[",
        "{",
        "new(",
        "=",
        "1",
    ];
    for word in words {
        for prefix in ["", VOCABULARY, "axiom ", "sat trace {", "transition t("] {
            for count in [1, 2, 3, 100, 20_000] {
                let _ = core(&format!("{prefix}{}", word.repeat(count)));
                let _ = core(&format!("{prefix}{}", format!("{word} ").repeat(count)));
            }
        }
    }
    for end in 0..VOCABULARY.len() {
        let _ = core(&VOCABULARY[..end]);
    }
}
