//! Texts with their closed systems, and texts that are refused.

use std::path::Path;

use ramsey_naive::Refusal;

const VOCABULARY: &str = "\
#lang ivy1.7
type s
type e = {e1, e2}
relation p(X:s)
relation m(X:s)
relation on
individual a : s
individual b : s
individual c : s
function f(X:s) : s
relation n(X:s, Y:s)
";

fn core(text: &str) -> Result<String, Refusal> {
    ramsey_naive::ivy::core(Path::new("a.ivy"), text, &|_, name| match name {
        "other.ivy" => Some(("other.ivy".into(), "include order\nproperty\n p(X) -> p(X)\n".to_owned())),
        "a.ivy" => Some(("a.ivy".into(), String::new())),
        _ => None,
    })
}

/// The lines that begin so of the closed system of a program.
fn lines(text: &str, start: &str) -> Vec<String> {
    let text = core(&format!("{VOCABULARY}{text}\n")).unwrap_or_else(|refusal| panic!("{refusal:?}: {text}"));
    let found = text.lines().filter_map(|line| line.strip_prefix(start));
    found.map(|line| line.trim().to_owned()).collect()
}

#[track_caller]
fn refusal(text: &str) -> Refusal {
    match core(&format!("{VOCABULARY}{text}\n")) {
        Ok(closed) => panic!("{text} is accepted: {closed}"),
        Err(refusal) => refusal,
    }
}

#[test]
fn statements_are_commands() {
    for (statements, closed) in [
        ("m(a) := true", "! 0 = R 2 1 1 V 0 & 2 > E 0 V 0 A 0 2 0 & 0 > ~ E 0 V 0 A 0 2 0 R 1 1 1 V 0"),
        ("m(X) := p(f(X))", "! 0 = R 2 1 1 V 0 R 0 0 1 A 0 5 1 V 0"),
        ("require m(X); assume p(a)", "& 2 ! 0 R 1 1 1 V 0 R 0 0 1 A 0 2 0"),
        ("if some x:s. p(x) { m(x) := true }", "? 0 & 2 > ? 0 R 0 0 1 V 0 R 0 0 1 V 0"),
        ("if p(a) { assert m(a) }", "> R 0 0 1 A 0 2 0 R 1 1 1 A 0 2 0"),
        (
            "var a : s := a; m(a) := true",
            "! 0 = R 2 1 1 V 0 & 2 > E 0 V 0 A 0 2 0 & 0 > ~ E 0 V 0 A 0 2 0 R 1 1 1 V 0",
        ),
    ] {
        let text = format!(
            "action go = {{ {statements} }} export go action never = {{ m(a) := on; m(X) := on }} export never"
        );
        let found = lines(&text, "transition go");
        assert!(found[0].contains(closed), "{statements}: {}", found[0]);
    }
}

#[test]
fn choices_between_values_begin_with_those_before_them() {
    let chain = lines("property on if p(a) else p(b) if p(c) else m(a)", "theorem");
    assert_eq!(chain, lines("property (on if p(a) else p(b)) if p(c) else m(a)", "theorem"));
    assert_ne!(chain, lines("property on if p(a) else (p(b) if p(c) else m(a))", "theorem"));
    assert_eq!(refusal("action go = { a, b := c }").what, "expected a statement");
}

#[test]
fn calls_are_executed_in_their_places() {
    let text = "action go(x:s) = { c := inner(x); call check(c) } export go
        action inner(x:s) returns (y:s) = { y := f(x) }
        action check(x:s) = { require p(x) }";
    assert_eq!(lines(text, "assertion").len(), 1, "the caller owes what is required");
    assert_eq!(
        lines(text, "function")[6..],
        ["6 y@1 mutable 0 0", "7 x_1@2 mutable 0 0"],
        "`x` is `x` of `go`"
    );
}

#[test]
fn objects_are_names_with_dots() {
    let text = "module box(t) = { relation has(X:t) action put(x:t) = { has(x) := true } invariant has(X) -> has(X) }
        instance one : box(s) instance two(P:s) : box(e) export one.put export two.put
        object two = { ... relation more(X:e) }";
    assert!(lines(text, "relation").iter().any(|line| line.contains("two.has mutable 2 0 1")));
    assert!(lines(text, "relation").iter().any(|line| line.contains("two.more rigid 1 1")));
    assert!(lines(text, "invariant").iter().any(|line| line.contains("! 0 ! 1 > R")));
    let unknown =
        refusal("object o = { action f(x:s) = { } } object o = { ... before f { require p(x) } } export o.f");
    assert_eq!(unknown.what, "the parameters of the action are not known here");
}

#[test]
fn the_first_dot_ends_the_variables() {
    let text = "object o = { type this type u } object u = { relation q(X:o) } relation q(X:o.u)";
    let of_outer = lines(&format!("{text} axiom forall X:o.u.q(X)"), "axiom rigid");
    assert_eq!(of_outer, lines(&format!("{text} axiom forall X. u.q(X:o)"), "axiom rigid"));
    let of_inner = lines(&format!("{text} axiom forall X. q(X:o.u)"), "axiom rigid");
    assert_ne!(of_outer, of_inner);
}

#[test]
fn orders_and_numerals_belong_to_types() {
    let text = "axiom X:s < Y & Y < Z -> X < Z axiom 0:s <= X property 1 < a";
    assert_eq!(lines(text, "relation 4"), ["<:s rigid 2 0 0"]);
    assert_eq!(lines(text, "function 6"), ["0:s rigid 0 0"]);
    let text = "type i interpret i -> {0..2} individual k : i property k = 0 | k = 1 | k = 2";
    assert_eq!(lines(text, "axiom rigid").len(), 4, "two of the enumeration, and two of the numbers");
}

#[test]
fn included_files_are_read_once() {
    let text = "include order include other include other instance i : unbounded_sequence";
    assert_eq!(lines(text, "theorem 0"), ["L2 ! 0 > R 0 0 1 V 0 R 0 0 1 V 0"]);
    assert_eq!(lines(text, "axiom rigid").len(), 7);
}

#[test]
fn what_is_not_covered_is_told() {
    for (text, line) in [
        ("schema one = { type t property X:t = X }", 12),
        ("axiom [one] { type t property X:t = X }", 12),
        ("interpret s -> <<< int >>>", 12),
        ("action go = { while on { } }", 12),
        ("axiom a + b = c", 12),
        ("action go = { if some x:s. p(x) minimizing x { } }", 12),
        ("explicit axiom on", 12),
        ("explicit invariant on", 12),
        ("explicit definition n(X:s) = p(X)", 12),
        ("invariant on proof { tactic sorry }", 12),
        ("property on proof tactic sorry", 12),
        ("relation (X:s < Y:s)", 12),
        ("variant v of s", 12),
        ("interpret s -> strbv[2]", 12),
        ("interpret s -> intbv[0][3][2]", 12),
        ("axiom forall X:s. X.g = X", 12),
        ("axiom a.g = a", 12),
        ("function one : s = some X. p(X)", 12),
        ("action go = *", 12),
        ("object o = { type this method go = { } }", 12),
        ("module object m(t) = { }", 12),
        ("action go = { assert (old on).p }", 12),
        ("individual i : q[s]", 12),
        ("individual b : s property bfe[0][1](a) = b", 12),
        ("individual b : s property a<<1:0>> = b", 12),
        ("scenario { -> one; one : before go { } }", 12),
        ("progress one = on", 12),
        ("individual v : u type u = struct { fs : s } action go = { v.fs := * }", 12),
    ] {
        let refusal = refusal(text);
        assert!(refusal.is_uncovered && refusal.line == line, "{text}: {refusal:?}");
    }
    assert!(core("#lang ivy1.2\n").expect_err("it is another language").is_uncovered);
    assert!(core("#lang ivy1.8\ncommon { type s }").expect_err("it is not covered").is_uncovered);
    // The whole of a program sees all sections.
    let sections = ["global", "private"].map(|word| core(&format!("#lang ivy1.8\n{word} {{ type s }}")));
    assert!(sections[0].is_ok() && sections[0] == sections[1], "{sections:?}");
}

#[test]
fn what_is_not_understood_is_refused() {
    for (text, what) in [
        ("axiom m(X) action go = { m(a) := on }", "that commands change"),
        ("init on", "versions up to 1.6"),
        ("axiom q(X)", "not declared"),
        ("definition n(X:s) = p(X)", "other arguments"),
        ("definition n(X:s, Y:e) = p(X)", "other arguments"),
        ("axiom p(X, Y)", "number of arguments"),
        ("axiom p(X) | X = e1", "another sort"),
        ("axiom X = Y", "nothing tells"),
        ("axiom X:s = Y:e", "another sort"),
        ("axiom a = b = c", "cannot be chained"),
        ("axiom forall X:s, X:s. on", "bound twice"),
        ("relation z(X:s, X:s) = on", "bound twice"),
        ("axiom 0 = 0", "nothing tells"),
        ("axiom p(0) & 0 < X:e & p(X)", "another sort"),
        ("action go = { x := a }", "nothing that changes"),
        ("action go = { m(x) := on }", "not declared"),
        ("action go = { m(f(X)) := on }", "stands for an argument"),
        ("action go = { n(X, X) := on }", "bound here"),
        ("action go = { m(X) := p(Y) }", "bound nowhere"),
        ("action go = { if p(X) { } }", "bound nowhere"),
        ("action go = { go }", "while it is executed"),
        ("action go = { call never }", "not an action"),
        ("action go = { e1 := e2 }", "cannot be changed"),
        ("action go = { var x; x := a }", "nothing tells the type"),
        ("action go = { var x := a; if on { var x : s := x } }", "which it hides"),
        (
            "macro k(y) = { if some x:s. p(x) { m(y) := on } } action go = { var x := a; instantiate k(x) }",
            "an argument of the macro",
        ),
        (
            "macro k(y) = { var x(X:s) : bool; m(X) := y(X) } action go = { var x(X:s) : bool; instantiate k(x) }",
            "an argument of the macro",
        ),
        ("action go = { if some x:s. m(x) { var x : s := f(x) } }", "which it hides"),
        ("action go = { require old m(a) } after go(x:s) { }", "number of parameters"),
        ("action go(x:s) = { } after go(x:e) { }", "another type"),
        ("axiom old m(a)", "no state before"),
        ("action go = { } action go = { }", "twice"),
        ("object o = { } object o = { }", "twice"),
        ("object o = { ... }", "twice"),
        ("object o = { } isolate o = { ... }", "continues nothing"),
        ("export never", "not declared"),
        ("instance o : never", "no such module"),
        ("instance o : q module q = { }", "no such module"),
        (
            "action g returns (y:s) = { y := a } action h = { call g }",
            "another number of arguments or results",
        ),
        ("parameter m = a", "has no type"),
        ("module q = { instance o : q } instance o : q", "instance of itself"),
        ("around p { }", "not declared"),
        ("axiom this.on", "expected"),
        ("action go = { } around go { ... }", "both sides"),
        ("action go = { } around go { on := on; ...; on := on }", "no `;`"),
        ("definition q(X) = on", "nothing that is declared"),
        ("function g(X:s) : s = g(X) axiom g(a) = b", "uses itself"),
        ("macro k = { instantiate k } action go = { instantiate k }", "uses itself"),
        ("include never", "no such file"),
        ("attribute never = 1", "no attribute"),
        ("type t = {3..1}", "no element"),
        ("axiom p'(a)", "starts no token"),
        ("axiom p(a) proof {", "not closed"),
    ] {
        let refusal = refusal(text);
        assert!(refusal.what.contains(what) && !refusal.is_uncovered, "{text}: {refusal:?}");
    }
}

#[test]
fn deep_programs_are_accepted_or_refused() {
    let program = |body: &str| format!("{VOCABULARY}action go = {{ {body} }}\nexport go\n");
    for (before, after) in [
        ("if on { ", " }"),
        ("if on { } else { ", " }"),
        ("if on { } else if * ", "{ }"),
        ("{ ", " }"),
        ("m(a) := on;", ""),
        ("assume (", "on) ) | on"),
        ("c := f(c);", ""),
        ("var x:s; x := c;", ""),
    ] {
        for count in [50, 2_000] {
            let is_accepted = core(&program(&(before.repeat(count) + &after.repeat(count)))).is_ok();
            assert!(!is_accepted || count == 50 || !before.contains('{'), "{before}");
        }
    }
    for count in [90, 2_000] {
        let mut text = format!("{VOCABULARY}action d0 = {{ m(a) := on }}\n");
        (1..=count).for_each(|number| text += &format!("action d{number} = {{ call d{} }}\n", number - 1));
        assert_eq!(core(&format!("{text}export d{count}")).is_ok(), count == 90);
        let objects = "object o = {\n".repeat(count) + &"}".repeat(count);
        assert_eq!(core(&format!("{VOCABULARY}{objects}")).is_ok(), count == 90);
    }
}

#[test]
fn no_text_makes_it_panic() {
    let words = [
        "a * ",
        "axiom",
        "(",
        ")",
        "forall x.",
        "\u{feff}",
        "é",
        "&",
        "|",
        ",",
        "p",
        "[",
        "{",
        "}",
        ":=",
        "m(",
        "proof",
        "old",
        "this",
        "this.",
        "1",
        "1:s",
        "X:s.",
        "instance o :",
        "if on {",
        "action x = {",
        "module q = {",
        "*",
        "var x",
        "object this = {",
        "interpret s ->",
        "...",
        "type this",
        "alias s = s",
        "export action",
        "theorem t = {",
    ];
    for word in words {
        for prefix in ["", VOCABULARY, "#lang ivy1.5\naxiom ", "action go = {", "module p = { axiom "] {
            for count in [1, 2, 3, 100, 1_000] {
                let _ = core(&format!("{prefix}{}", word.repeat(count)));
                let _ = core(&format!("{prefix}{}", format!("{word} ").repeat(count)));
            }
        }
    }
    for end in 0..VOCABULARY.len() {
        let _ = core(&VOCABULARY[..end]);
    }
}
