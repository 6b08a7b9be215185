//! Adversarial input: no panic, no overflow, few diagnostics, short running time.

use std::time::{Duration, Instant};

use proptest::prelude::*;

use super::load;
use ramsey_core::logic::SymbolKind;
use ramsey_lang::Language;

const VOCABULARY: &str = "sort s\nmutable relation p\nmutable relation r(s)\nimmutable function f(s): s\nimmutable constant c: s\n";

/// Expressions nested in themselves: text before, innermost expression, text after.
const NESTINGS: &[(&str, &str, &str)] = &[
    ("(", "p", ")"),
    ("!", "p", ""),
    ("new(", "p", ")"),
    ("old(", "p", ")"),
    ("old(r(", "c", "))"),
    ("p & old(", "p", ")"),
    ("p -> ", "p", ""),
    ("p & (", "p", ")"),
    ("& | ", "p", ""),
    ("if p then p else ", "p", ""),
    ("if ", "p", " then p else p"),
    ("let x = p in ", "p", ""),
    ("let x = ", "p", " in p"),
    ("forall x:s. ", "p", ""),
    ("p & forall x:s. ", "p", ""),
    ("p & exists x:s. r(x) -> ", "p", ""),
    ("distinct(", "c", ")"),
    ("r(", "c", ")"),
    ("r(f(", "c", "))"),
    ("c = ", "c", ""),
    ("1 - ", "1", ""),
    ("1 * (2 + ", "1", ")"),
    ("p <-> (p & (p | ", "p", "))"),
];

fn nested(shape: (&str, &str, &str), times: usize) -> String {
    let (open, inside, close) = shape;
    format!("{VOCABULARY}init {}{inside}{}\n", open.repeat(times), close.repeat(times))
}

#[test]
fn deep_nesting_is_refused_and_never_overflows() {
    for &shape in NESTINGS {
        for times in [100, 150, 399, 400, 401, 5_000, 200_000] {
            let (system, text) = load(&nested(shape, times));
            if times > 401 && shape.0 != "c = " && shape.0 != "1 - " {
                assert!(system.is_none() && text.contains("error[R004]"), "{shape:?} {times}: {text}");
            }
            assert!(text.len() < 100_000, "{shape:?} {times}");
        }
    }
}

#[test]
fn the_deepest_accepted_nesting_is_lowered_and_printed() {
    for &shape in NESTINGS {
        for times in (1..400).step_by(7) {
            let text = nested(shape, times);
            let (program, diagnostics) = ramsey_lang::pyv::parse(super::file(), &text);
            if diagnostics.is_empty() {
                let printed = ramsey_lang::print::pyv(&program);
                let (_, again) = ramsey_lang::pyv::parse(super::file(), &printed);
                assert!(again.is_empty(), "{shape:?} {times}: {}", super::render(&printed, &again));
            }
        }
    }
}

#[test]
fn left_nested_sums_are_refused_where_they_get_too_deep() {
    let (_, text) = load(&format!("init 1{} = 1", " - 1".repeat(100_000)));
    assert!(text.contains("error[R004]"), "{text}");
}

#[test]
fn long_flat_formulas_are_fine() {
    let (system, text) = load(&format!("{VOCABULARY}init p{}\n", " & p".repeat(100_000)));
    assert!(system.is_some(), "{text}");
}

#[test]
fn exponential_definitions_are_rejected() {
    // A definition with a formula as its parameter is no relation.
    let mut text = format!("{VOCABULARY}definition d0(q:bool) = q\n");
    for level in 1..60 {
        text += &format!("definition d{level}(q:bool) = d{0}(q) & (p | d{0}(q))\n", level - 1);
    }
    let (system, diagnostics) = load(&text);
    assert!(system.is_none());
    assert!(diagnostics.contains("error[R004]: the formula grows too large"), "{diagnostics}");

    let mut text = format!("{VOCABULARY}definition d0(q:bool) = !(!(!q))\n");
    for level in 1..100_000 {
        text += &format!("definition d{level}(q:bool) = !d{}(q)\n", level - 1);
    }
    let (system, diagnostics) = load(&text);
    assert!(system.is_none());
    assert!(diagnostics.contains("error[R004]: the formula grows too large"), "{diagnostics}");
}

/// Definitions that would be exponentially large are relations: mutable ones, unless they read nothing that changes.
#[test]
fn exponential_definitions_are_relations() {
    let vocabulary = "sort s\nmutable relation r(s)\nimmutable relation q(s)\n";
    for (of, kind) in [("r", SymbolKind::Derived), ("q", SymbolKind::Immutable)] {
        let mut text = format!("{vocabulary}definition d0(x: s) = {of}(x)\n");
        for level in 1..1_000 {
            text += &format!("definition d{level}(x:s) = d{0}(x) & (q(x) | d{0}(x))\n", level - 1);
        }
        let (system, diagnostics) = load(&(text + "invariant d999(X) -> r(X)\n"));
        let system = system.unwrap_or_else(|| panic!("{diagnostics}"));
        let symbols: Vec<_> = system.sig.symbols.iter().skip(2).collect();
        // 14 formulas would take places in `d3`, and as many in every fourth definition after it.
        let names: Vec<&str> = symbols.iter().map(|symbol| &*symbol.name).take(3).collect();
        assert_eq!(names, ["d3", "d7", "d11"]);
        assert!(symbols.iter().all(|symbol| symbol.kind == kind && symbol.args.len() == 1));
        let axioms = if of == "r" { system.derived.len() } else { system.axioms.len() };
        assert_eq!(axioms, symbols.len());
        assert!(system.terms.tree_size(system.invariants[0].formula) < 1_000);
    }
}

#[test]
fn exponential_lets_are_rejected() {
    let lets: String = (1..60).map(|at| format!("let x{at} = x{0} & (p | x{0}) in ", at - 1)).collect();
    let (system, diagnostics) = load(&format!("{VOCABULARY}init let x0 = p in {lets} x59\n"));
    assert!(system.is_none());
    assert!(diagnostics.contains("error[R004]"), "{diagnostics}");
}

#[test]
fn large_invalid_files_are_fast() {
    let garbage = [
        "a",
        "(",
        ")",
        "'",
        "&",
        "a ",
        "a & ",
        "sort ",
        "\u{1F980}",
        "\0",
        "1",
        "@a ",
        "{",
        "<->",
        "\n",
        "# ",
    ];
    let nearly_valid = [
        "init ",
        "init p\n",
        "sort s ",
        "sat trace {",
        "r(a, ",
        "forall x. ",
        "a -> ",
        "if a then ",
        "init a\n",
        "((p))",
        "definition d() = d\n",
        "init X\n",
        "axiom p & q\n",
        "x:",
        "fbii { forward {",
        "assert init ",
        "init old(p)\n",
        "twostate theorem old(p) & p\n",
        "old(",
    ];
    let check = |prefix: &str, unit: &str, size: usize, limit: Duration| {
        let text = format!("{prefix}{}", unit.repeat(size / unit.len()));
        let start = Instant::now();
        let (_, diagnostics) = ramsey_lang::pyv::load(super::file(), &text);
        let took = start.elapsed();
        assert!(diagnostics.len() <= 250, "{prefix:?} {unit:?}");
        assert!(took < limit, "{prefix:?} {unit:?}: {took:?}");
    };
    // The limits allow for slow and busy machines.
    for unit in garbage {
        check("", unit, 10 << 20, Duration::from_secs(10));
    }
    for prefix in ["", VOCABULARY, "init ", "sat trace {"] {
        for unit in nearly_valid {
            check(prefix, unit, 1 << 18, Duration::from_secs(5));
        }
    }
}

#[test]
fn syntax_errors_are_limited_in_number() {
    let (_, diagnostics) = load(&"sort 1\n".repeat(100));
    assert_eq!(diagnostics.matches("error[").count(), 20);
    assert!(diagnostics.contains("too many syntax errors"));
}

/// Short sequences of tokens that occur in programs.
fn token() -> impl Strategy<Value = &'static str> {
    let others = [
        "sort s\n", "forward", "backward", "x", "X", "p", "r", "s", "f", "c", "t", "d", "1", "@a", "<->",
        "->", "!=", "~=", ">=", "<=", ">", "<", "=", "(", ")", "[", "]", "{", "}", ".", ":", "!", "~", "|",
        "+", "-", "*", ",", "'", "&", "\n", "# x\n", ";", "é", "r(", "new(", "old(", "old",
    ];
    let longer = [
        "proph_select",
        "proph_default",
        "@printed_by",
        "init p & ",
        "transition t() = ",
        "sat trace {",
        "forall X:s. ",
        "mutable relation p\n",
        "mutable relation r(s)\n",
        "immutable function f(s): s\n",
        "immutable constant c: s\n",
        "twostate definition d() = ",
        "transition t() modifies p p <-> old(",
    ];
    let words = Language::Pyv.reserved_words();
    prop::sample::select(words.chain(others).chain(longer).collect::<Vec<_>>())
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(2_000) })]

    #[test]
    fn token_soup_never_panics(tokens in prop::collection::vec(token(), 0..60)) {
        let text = tokens.join(" ");
        let (system, diagnostics) = ramsey_lang::pyv::load(super::file(), &text);
        let has_errors = diagnostics.iter().any(|diagnostic| diagnostic.severity == ramsey_core::diag::Severity::Error);
        prop_assert_eq!(system.is_none(), has_errors, "{}", text);
        super::render(&text, &diagnostics);
    }

    #[test]
    fn arbitrary_text_never_panics(text in "\\PC{0,80}") {
        let (_, diagnostics) = ramsey_lang::pyv::load(super::file(), &text);
        super::render(&text, &diagnostics);
    }
}
