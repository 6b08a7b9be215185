//! Adversarial input: no panic, no overflow, few diagnostics, short running time.

use std::time::{Duration, Instant};

use proptest::prelude::*;

use super::load;
use ramsey_lang::Language;

const VOCABULARY: &str =
    "sort s\nrelation p\nrelation r(s)\nfunction f: s -> t\nsort t\nvariable c: s\nvariable d: t\n";

/// Commands or expressions nested in themselves: text before, innermost part, text after.
const NESTINGS: &[(&str, &str, &str)] = &[
    ("{ ", "skip", " }"),
    ("{ skip } | { ", "skip", " }"),
    ("if p { ", "p := *", " }"),
    ("if * { skip } else { ", "c := *", " }"),
    ("if p { skip } else ", "if p { c := * }", ""),
    ("assume p if r(c) { ", "p := !p", " }"),
    ("assume ", "p", ""),
    ("p := (", "p", ")"),
    ("p := !", "p", ""),
    ("p := p -> ", "p", ""),
    ("r(if p then c else ", "c", ") := p"),
    ("r.insert(", "c", ")"),
    ("{ local x: s ", "skip", " }"),
];

fn nested(shape: (&str, &str, &str), times: usize) -> String {
    let (open, inside, close) = shape;
    format!("{VOCABULARY}while * {{\n{}{inside}{}\n}}\n", open.repeat(times), close.repeat(times))
}

#[test]
fn deep_nesting_is_refused_and_never_overflows() {
    for &shape in NESTINGS {
        for times in [1, 100, 199, 399, 400, 401, 5_000, 100_000] {
            let (system, text) = load(&nested(shape, times));
            if times > 401 {
                assert!(system.is_none(), "{shape:?} {times}");
            }
            assert!(text.len() < 100_000, "{shape:?} {times}");
        }
    }
}

#[test]
fn excessive_depth_is_reported_once() {
    // Formulas and repeated declarations are excluded.
    let commands = NESTINGS.iter().filter(|(open, ..)| {
        open.contains(['{', '}']) && !open.contains("assume") && !open.contains("local")
    });
    for &shape in commands {
        let (_, found) = load(&nested(shape, 1_000));
        let errors: Vec<&str> = found.lines().filter(|line| line.contains("error[")).collect();
        assert!(matches!(errors[..], [error] if error.contains("error[R004]")), "{shape:?}\n{found}");
    }
}

#[test]
fn the_deepest_accepted_nesting_is_printed() {
    for &shape in NESTINGS {
        for times in (1..401).step_by(19) {
            let text = nested(shape, times);
            let (program, diagnostics) = ramsey_lang::rml::parse(super::file(), &text);
            if diagnostics.is_empty() {
                let printed = ramsey_lang::print::program(&program);
                let (again, diagnostics) = ramsey_lang::rml::parse(super::file(), &printed);
                assert!(diagnostics.is_empty(), "{shape:?} {times}: {diagnostics:?}");
                assert_eq!(program, again, "{shape:?} {times}");
            }
        }
    }
}

#[test]
fn long_programs_are_fine() {
    let body = "assume p p := r(c) ".repeat(300);
    let (system, text) = load(&format!("{VOCABULARY}while * {{ {body} }}"));
    assert!(system.is_some(), "{text}");
    let (system, text) = load(&format!("{VOCABULARY}while * {{ {} }}", "assume p ".repeat(50_000)));
    assert!(system.is_some(), "{text}");
}

#[test]
fn exponential_programs_are_rejected() {
    let doubling = "r(X) := r(X) <-> !(r(X) & p) ".repeat(2_000);
    let (system, diagnostics) = load(&format!("{VOCABULARY}while * {{ {doubling} }}"));
    assert!(system.is_none() && diagnostics.contains("error[R004]"), "{diagnostics}");

    let branches = vec!["{ skip }"; 2_000].join("|");
    let (system, diagnostics) =
        load(&format!("{VOCABULARY}while * {{ {} {branches} }}", "assume p ".repeat(2_000)));
    assert!(
        system.is_none() && diagnostics.contains("error[R004]: the program is too large"),
        "{diagnostics}"
    );

    let mut macros = "macro d0 = p\n".to_owned();
    for level in 1..60 {
        macros += &format!("macro d{level} = d{0} & (p | d{0})\n", level - 1);
    }
    let (system, diagnostics) = load(&format!("{VOCABULARY}{macros}"));
    assert!(system.is_none() && diagnostics.contains("error[R004]"), "{diagnostics}");
}

#[test]
fn large_invalid_files_are_fast() {
    let check = |prefix: &str, unit: &str, size: usize| {
        let text = format!("{prefix}{}", unit.repeat(size / unit.len()));
        let start = Instant::now();
        let (_, diagnostics) = load(&text);
        let took = start.elapsed();
        assert!(diagnostics.matches("error[").count() <= 250, "{prefix:?} {unit:?}");
        // The limit allows for slow and busy machines.
        assert!(took < Duration::from_secs(10), "{prefix:?} {unit:?}: {took:?}");
    };
    for unit in
        ["a", "(", "{", "'", "&", "a ", "sort ", "\u{1F980}", "\0", "1", "@a ", ":=", ";", "\"", "while "]
    {
        check("", unit, 4 << 20);
    }
    for prefix in ["", VOCABULARY, "while * { ", "while * { assume ", "module m {", "sat trace {"] {
        for unit in [
            "p := ",
            "p := p\n",
            "assume p\n",
            "assume q\n",
            "local x: s ",
            "{ skip } | ",
            "if p { skip } else ",
            "axiom p\n",
            "variable v: s\n",
            "r.insert(",
            "x := y\n",
            "macro m = m\n",
            "use m\n",
            "include \"order\"\n",
            "action a { ",
            "while * {",
        ] {
            check(prefix, unit, 1 << 17);
        }
    }
}

/// Short sequences of tokens that occur in programs.
fn token() -> impl Strategy<Value = &'static str> {
    let others = [
        "sort s\n", "as", "insert", ".", ".insert(", ".remove(", "x", "X", "p", "r", "s", "f", "c", "a", "1",
        "@a", "->", "<->", "!=", ":=", "=", "(", ")", "[", "]", "{", "}", ":", ";", "!", "|", "&", "*", ",",
        "∀", "¬", "'", "\n", "# x\n", "// x\n", "\"", "é", "c := *\n", "p := p\n",
    ];
    let longer = [
        "sat trace {",
        "\"order\"",
        "while * {",
        "forall x:s.",
        "relation p\n",
        "relation r: s\n",
        "variable c: s\n",
        "r(X) := p\n",
        "assume p\n",
        "total_order(s, r)",
        "{ skip } | {",
    ];
    let words = Language::Rml.reserved_words();
    prop::sample::select(words.chain(others).chain(longer).collect::<Vec<_>>())
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(2_000) })]

    #[test]
    fn token_soup_never_panics(tokens in prop::collection::vec(token(), 0..60)) {
        let text = tokens.join(" ");
        let (system, diagnostics) = load(&text);
        prop_assert_eq!(system.is_none(), diagnostics.contains("error["), "{}", text);
    }

    #[test]
    fn arbitrary_text_never_panics(text in "\\PC{0,80}") {
        load(&text);
        load(&format!("{VOCABULARY}while * {{ {text}"));
    }
}
