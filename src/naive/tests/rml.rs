//! Texts with their closed systems, and texts that are refused.

use std::path::Path;

use ramsey_naive::Refusal;

const VOCABULARY: &str = "\
sort s
sort t
relation p: s
relation r(s, s)
variable a, b: s
function f: s -> t
relation m: s
relation n: s, s
variable on: bool
variable c: s
function g(s): t
";

fn core(text: &str) -> Result<String, Refusal> {
    ramsey_naive::rml::core(Path::new("a.rml"), text, &|_, name| match name {
        "other" => Some(("other".into(), "include \"order\"\nassume m(a)\n\nassert m(b)\n".to_owned())),
        "alone" => Some(("alone".into(), "conjecture m(a)\nassert m(a)".to_owned())),
        "a" => Some(("a.rml".into(), String::new())),
        _ => None,
    })
}

/// The lines that begin so of the closed system of a program with this loop.
fn lines(text: &str, start: &str) -> Vec<String> {
    let text = core(&format!("{VOCABULARY}{text}\n")).unwrap_or_else(|refusal| panic!("{refusal:?}: {text}"));
    let found = text.lines().filter_map(|line| line.strip_prefix(start));
    found.map(|line| line.trim().to_owned()).collect()
}

fn assert_refused(text: &str, what: &str) {
    match core(&format!("{VOCABULARY}{text}\n")) {
        Ok(closed) => panic!("{text} is accepted: {closed}"),
        Err(refusal) => assert!(refusal.what.contains(what), "{text}: {refusal:?}"),
    }
}

#[test]
fn commands_are_substitutions() {
    for (commands, closed) in [
        ("skip", "& 1"),
        ("m.insert(a)", "! 0 = R 2 1 1 V 0 | 2 R 1 1 1 V 0 E 0 V 0 A 0 0 0"),
        ("m.remove(X | p(X))", "! 0 = R 2 1 1 V 0 & 2 R 1 1 1 V 0 ~ R 0 0 1 V 0"),
        (
            "m(X) := X = a; m(b) := true",
            "! 0 = R 2 1 1 V 0 & 2 > E 0 V 0 A 0 1 0 & 0 > ~ E 0 V 0 A 0 1 0 E 0 V 0 A 0 0 0",
        ),
        ("assume m(a); m(X) := false; assume !m(b)", "& 3 R 1 1 1 A 0 0 0 ~ | 0 ! 0 = R 2 1 1 V 0 | 0"),
        ("if p(a) { m.insert(a) }", "! 0 = R 2 1 1 V 0 | 2 R 1 1 1 V 0 & 2 R 0 0 1 A 0 0 0 E 0 V 0 A 0 0 0"),
        (
            "if p(a) { m(X) := p(X) } else { m(X) := X = a; assume p(b) }",
            "& 2 > ~ R 0 0 1 A 0 0 0 R 0 0 1 A 0 1 0 \
             ! 0 = R 2 1 1 V 0 | 2 & 2 R 0 0 1 A 0 0 0 R 0 0 1 V 0 & 2 ~ R 0 0 1 A 0 0 0 E 0 V 0 A 0 0 0",
        ),
        (
            "if * { assume p(a) } else { m(X) := false }",
            "& 2 > R 1 2 0 R 0 0 1 A 0 0 0 \
             ! 0 = R 2 1 1 V 0 | 2 & 2 R 1 2 0 R 1 1 1 V 0 & 2 ~ R 1 2 0 | 0",
        ),
        (
            "local x: s; assume p(x); m.insert(x)",
            "? 0 & 2 R 0 0 1 V 0 ! 0 = R 2 1 1 V 0 | 2 R 1 1 1 V 0 E 0 V 0 V 1",
        ),
    ] {
        let text = "sort s relation p: s relation m: s variable a: s variable b: s\n";
        let closed_system = core(&format!("{text}while * {{ skip; {commands} }}")).expect("it is understood");
        let line = closed_system.lines().find(|line| line.starts_with("transition")).unwrap_or_default();
        let line = line.strip_prefix("transition body ").unwrap_or(line);
        assert_eq!(line, closed.replace("& 1", "& 0"), "{commands}");
    }
}

#[test]
fn variables_that_are_assigned_are_symbols() {
    let functions = lines("while * { action go(x: s) { local y: s; x := y; y := x; on := * } }", "function");
    assert_eq!(functions[5..], ["5 x@0 mutable 0 0", "6 y@1 mutable 0 0"]);
    let text = "while * { action go { local y: s; y := a } }";
    assert_eq!(lines(text, "transition go").len(), 1);
    assert!(!lines(text, "transition go")[0].starts_with('?'), "no value before the assignment counts");
    assert!(
        lines("while * { local y: s; y := if p(y) then a else b }", "transition body")[0].starts_with("? 0")
    );
}

#[test]
fn what_stands_before_the_loop_leads_to_the_initial_states() {
    let text = "c := *; c := *; assume m(c); m.insert(b) assert m(a); while * { skip } axiom m(X)";
    let found = lines(text, "");
    let of = |start: &str| found.iter().filter(|line| line.contains(start)).count();
    assert_eq!((of("c@init"), of("c.2@init"), of("m@before"), of("c@before")), (1, 1, 1, 0));
    assert_eq!(
        lines(text, "init ").len(),
        6,
        "the axiom before and again, the assumption, the assertion, and two values"
    );
    assert_eq!(of("initial 1 L12 >"), 1);
    assert_eq!(of("axiom state L12"), 1);
}

#[test]
fn large_conditions_have_symbols() {
    let text = "if m(a) & m(b) & m(a) & m(b) & m(a) & m(b) & m(a) & m(b) & m(a) & m(b) { assert p(a) } skip";
    let one = format!("while * {{ {text} action x {{ skip }} | action y {{ skip }} }}");
    let choices = |text: &str| lines(text, "relation").iter().filter(|line| line.contains("choice@")).count();
    assert_eq!((choices(&one), lines(&one, "assertion").len()), (1, 1));
    assert_eq!(choices(&format!("while * {{ {text} {text} }}")), 2);
}

#[test]
fn assertions_are_called_by_their_lines() {
    let text = "assert on\nwhile * { assert on assert !on }\nassert on";
    let names: Vec<String> = lines(text, "assertion")
        .iter()
        .map(|it| it.split(' ').next().unwrap_or_default().to_owned())
        .collect();
    assert_eq!(names, ["L13", "L13.2", "L14"]);
    assert_eq!(lines(text, "initial 1"), ["L12 R 0 4 0"]);
}

#[test]
fn modules_are_declarations_under_other_names() {
    let text = "include \"order\" use total_order(s, r)
        module q(u, w) { relation of: u axiom forall a: u, x. w(a) & x = a -> of(x) }
        use q(s, p) as one use q(s, p) as two relation x: s";
    assert_eq!(lines(text, "axiom rigid").len(), 6);
    assert!(lines(text, "relation").iter().any(|line| line.contains("two_of")));
    assert_eq!(lines("include \"other\" while * { skip }", "initial 1")[0].split(' ').next(), Some("L4"));
    assert_refused("include \"a\"", "include each other");
    let refusal = core("sort s relation m: s variable a: s include \"alone\"").expect_err("there is no loop");
    assert_eq!((refusal.line, refusal.column), (1, 1));
    assert!(refusal.what.contains("in `alone`"), "{refusal:?}");
}

#[test]
fn what_is_not_understood_is_refused() {
    for (text, what) in [
        ("assume on", "no loop"),
        ("safety on", "no loop"),
        ("while * { skip } while * { skip }", "second loop"),
        ("while * { while * { skip } }", "expected a declaration or a command"),
        ("while on { skip }", "expected `*`"),
        ("while * { action x { skip } action y { skip } }", "one after the other"),
        ("while * { if on { action x { skip } } }", "no branch"),
        ("action x { skip } while * { skip }", "no branch"),
        ("while * { q := * }", "nothing that changes"),
        ("while * { n := * }", "any value"),
        ("while * { n(X, X) := on }", "bound here"),
        ("while * { n(x, a) := on }", "not declared"),
        ("while * { n.insert(X, a) }", "not declared"),
        ("while * { n(X) := on }", "not changed so"),
        ("while * { m(X) := p(Y) }", "not declared"),
        ("while * { if p(X) { skip } }", "not declared"),
        ("while * { c.insert() }", "not changed so"),
        ("while * { local x: s { local x: s } }", "already"),
        ("while * { local a: s }", "bound here"),
        ("while * { local x }", "expected `:`"),
        ("while * { c := on }", "another sort"),
        ("while * { skip } axiom forall body: s. p(body)", "bound here"),
        ("relation q: bool", "bound here"),
        ("axiom p(X) | X(a)", "not declared"),
        ("axiom a < b", "starts no token"),
        ("axiom p(1)", "not declared"),
        ("axiom p'(a)", "starts no token"),
        ("axiom p()", "not declared"),
        ("axiom a = b = a", "cannot follow"),
        ("axiom a <-> b", "another sort"),
        ("axiom forall x. true", "nothing tells"),
        ("macro k() = l macro l() = k", "uses itself"),
        ("safety safety while * { skip }", "uses itself"),
        ("use never(a)", "no such module"),
        ("module q() { use q() } use q()", "uses itself"),
        ("module q() { skip }", "declarations alone"),
        ("module q() { include \"order\" }", "declarations alone"),
        ("module q() { module w() { } }", "in a module"),
        ("include \"never\"", "no such file"),
        ("include order", "in quotes"),
        ("sat trace { assert on assert init assert init }", "beginnings"),
        ("sat trace { go }", "no action"),
        ("axiom \"", "starts no token"),
        ("axiom [a] on", "bound here"),
        ("sort s", "bound here"),
    ] {
        assert_refused(text, what);
    }
    let refusal = core("\u{feff}sort s\r\rsort t\r\naxiom s").expect_err("`s` is a sort");
    assert_eq!((refusal.line, refusal.column), (4, 7));
}

#[test]
fn deep_programs_need_little_stack() {
    let program = |commands: &str| format!("{VOCABULARY}while * {{ {commands} }}");
    for (before, after) in [
        ("if on { ", " }"),
        ("if on { skip } else { ", " }"),
        ("if on { skip } else if * ", "{ }"),
        ("{ skip } | { ", " }"),
        ("m.insert(a);", ""),
        ("if m(a) { m.remove(b) }", ""),
        ("assume (", "on) ) | on"),
        ("c := c;", ""),
        ("g(X) := g(a);", ""),
        ("c := if m(c) then a else c;", ""),
    ] {
        for count in [100, 10_000] {
            let is_accepted = core(&program(&(before.repeat(count) + &after.repeat(count)))).is_ok();
            assert!(!is_accepted || count == 100 || before.starts_with(['c', 'g']), "{before}");
        }
    }
    for count in [150, 2_000] {
        let mut text = format!("{VOCABULARY}macro d0 = p(a)\n");
        (1..=count).rev().for_each(|number| text += &format!("macro d{number} = d{}\n", number - 1));
        assert_eq!(core(&text).is_ok(), count == 150);
        let mut text = format!("{VOCABULARY}module d0(q) {{ axiom q(X) }}\n");
        (1..=count).for_each(|number| text += &format!("module d{number}(q) {{ use d{}(q) }}\n", number - 1));
        let _ = core(&format!("{text}use d{count}(p)"));
    }
}

#[test]
fn no_text_makes_it_panic() {
    let words = [
        "a * ",
        "axiom",
        "(",
        ")",
        "@",
        "@a",
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
        "m.insert(",
        "proof",
        "\"",
        "//",
        "/",
        "use p",
        "as",
        "if on {",
        "local x: s",
        "action x {",
        "module q {",
        "*",
    ];
    for word in words {
        for prefix in ["", VOCABULARY, "axiom ", "sat trace {", "while * {", "module p { axiom "] {
            for count in [1, 2, 3, 100, 2_000] {
                let _ = core(&format!("{prefix}{}", word.repeat(count)));
                let _ = core(&format!("{prefix}{}", format!("{word} ").repeat(count)));
            }
        }
    }
    for end in 0..VOCABULARY.len() {
        let _ = core(&VOCABULARY[..end]);
    }
}
