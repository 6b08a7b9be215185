//! Tests of the printer: its output parses to the same tree.

use proptest::prelude::*;

use super::assert_round_trip;
use ramsey_core::base::ids::Id as _;
use ramsey_core::base::span::FileId;
use ramsey_lang::rml::parse;

/// Random formulas and terms, syntactically correct but not well-sorted.
fn expr() -> impl Strategy<Value = String> {
    let leaf = prop::sample::select(vec!["p", "x", "X", "true", "false", "insert", "as", "v"]);
    leaf.prop_map(str::to_owned).prop_recursive(4, 30, 3, |inner| {
        let operator = prop::sample::select(vec!["&", "|", "->", "<->", "=", "!=", "∧", "\\/", "=>", "&&"]);
        prop_oneof![
            4 => (inner.clone(), operator, inner.clone()).prop_map(|(a, op, b)| format!("({a}) {op} ({b})")),
            1 => inner.clone().prop_map(|a| format!("¬({a})")),
            1 => inner.clone().prop_map(|a| format!("| ({a})")),
            1 => prop::collection::vec(inner.clone(), 0..3).prop_map(|items| format!("r({})", items.join(", "))),
            1 => prop::collection::vec(inner.clone(), 1..3).prop_map(|items| format!("distinct({})", items.join(", "))),
            1 => inner.clone().prop_map(|a| format!("∀ x, Y: s. {a}")),
            1 => inner.clone().prop_map(|a| format!("exists a_long_variable_name: s. {a}")),
            1 => (inner.clone(), inner.clone(), inner.clone())
                .prop_map(|(a, b, c)| format!("if {a} then {b} else {c}")),
            1 => (inner.clone(), inner).prop_map(|(a, b)| format!("let x: s = {a} in {b}")),
        ]
    })
}

fn command() -> impl Strategy<Value = String> {
    let leaf = prop_oneof![
        Just("skip".to_owned()),
        Just("abort;".to_owned()),
        Just("v := *".to_owned()),
        Just("as := *".to_owned()),
        Just("local a, b: s, c: t".to_owned()),
        expr().prop_map(|e| format!("assume {e}")),
        expr().prop_map(|e| format!("assert {e}")),
        expr().prop_map(|e| format!("v := {e}")),
        (expr(), expr()).prop_map(|(a, b)| format!("r({a}, x) := {b}")),
        // A disjunction as an argument needs parentheses.
        (expr(), expr()).prop_map(|(a, b)| format!("r.insert(({a}), ({b}))")),
        (expr(), expr()).prop_map(|(a, b)| format!("r.remove(x, ({a}) | {b})")),
        expr().prop_map(|e| format!("r.remove(| {e})")),
    ];
    leaf.prop_recursive(3, 20, 3, |inner| {
        let block =
            prop::collection::vec(inner, 0..3).prop_map(|commands| format!("{{ {} }}", commands.join("\n")));
        prop_oneof![
            (expr(), block.clone()).prop_map(|(c, a)| format!("if {c} then {a}")),
            (expr(), block.clone(), block.clone()).prop_map(|(c, a, b)| format!("if {c} {a} else {b}")),
            (expr(), block.clone(), block.clone()).prop_map(|(c, a, b)| format!("if * {a} else if {c} {b}")),
            prop::collection::vec(block.clone(), 1..4).prop_map(|blocks| blocks.join(" | ")),
            (block.clone(), block).prop_map(|(a, b)| format!("action a(x, y: s) {a} | action b {b}")),
        ]
    })
}

fn item() -> impl Strategy<Value = String> {
    prop_oneof![
        Just("include \"some file\"".to_owned()),
        Just("sort s @a(b, c)".to_owned()),
        Just("relation r".to_owned()),
        Just("relation r: s, t @no_print".to_owned()),
        Just("function f: s, t -> u".to_owned()),
        Just("variable v, w: bool".to_owned()),
        Just("use m".to_owned()),
        Just("use m(a, b) as c".to_owned()),
        expr().prop_map(|e| format!("axiom {e}")),
        expr().prop_map(|e| format!("invariant [name] {e}")),
        expr().prop_map(|e| format!("theorem {e}")),
        expr().prop_map(|e| format!("macro m(x: s, y) = {e}")),
        expr().prop_map(|e| format!("module m(a) {{ sort s macro n = {e} use o(a) }}")),
        (expr(), expr()).prop_map(|(a, b)| format!(
            "sat trace {{ assert init t | u({a}, *) any transition assert {b} v }}"
        )),
        command(),
        prop::collection::vec(command(), 0..4)
            .prop_map(|commands| format!("while * do {{ {} }}", commands.join(";"))),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(1_000) })]

    #[test]
    fn random_programs_survive_printing(items in prop::collection::vec(item(), 0..5)) {
        assert_round_trip(&items.join("\n"));
    }

    #[test]
    fn random_programs_never_panic_later(items in prop::collection::vec(item(), 0..5)) {
        let (system, diagnostics) = super::load(&items.join("\n"));
        prop_assert_eq!(system.is_none(), diagnostics.contains("error["));
    }
}

#[test]
fn printing_is_stable_around_errors() {
    for otherwise in ["{ ) }", "{ ) if p { skip } }", "{ if p { ) } else { ) } }", "{ ) skip }"] {
        let text = format!("while * {{\n  if p {{\n    skip\n  }} else {otherwise}\n}}\n");
        let file = FileId::new(0);
        let (program, diagnostics) = parse(file, &text);
        assert!(!diagnostics.is_empty(), "{text}");
        let printed = ramsey_lang::print::program(&program);
        assert_eq!(ramsey_lang::print::program(&parse(file, &printed).0), printed, "{text}");
    }
}
