//! Tests of the printer: its output parses to the same tree.

use proptest::prelude::*;

use super::assert_round_trip;

#[test]
fn formulas_print_with_few_parentheses() {
    for text in [
        "axiom a & b | c -> d\n",
        "axiom a & (b | c) & (d & e)\n",
        "axiom (a -> b) -> c -> d\n",
        "axiom !(a = b) & a != b & !!a\n",
        "axiom (forall X, Y: s. r(X, Y)) & f'(x) = g(y'')\n",
        "axiom if a then b else if c then d else e\n",
        "axiom let x: s = a in r(x)\n",
        "axiom a - (b - c) - d * (e + 1) >= 0\n",
    ] {
        let (program, _) = ramsey_lang::pyv::parse(super::file(), text);
        assert_eq!(ramsey_lang::print::pyv(&program), text);
    }
}

#[test]
fn long_formulas_are_broken_into_bulleted_lines() {
    let part = "(forall X. new(relation_one(X)) <-> relation_one(X) & X != parameter)";
    let text =
        format!("transition t(parameter: s) modifies relation_one {part} & ({part} | {part}) -> {part}");
    let (program, diagnostics) = ramsey_lang::pyv::parse(super::file(), &text);
    assert!(diagnostics.is_empty());
    let part = "(forall X. new(relation_one(X)) <-> relation_one(X) & X != parameter)";
    let expected = format!(
        "transition t(parameter: s)\n  modifies relation_one\n  & {part}\n  & (| {part}\n     | {part}) ->\n  forall X. new(relation_one(X)) <-> relation_one(X) & X != parameter\n"
    );
    // The right side of the implication keeps its parentheses: a quantifier needs none only at the top level.
    let expected =
        expected.replace("\n  forall X.", "\n  (forall X.").replace("!= parameter\n", "!= parameter)\n");
    assert_eq!(ramsey_lang::print::pyv(&program), expected);
    assert_round_trip(&text, "long formula");
}

/// Random formulas and terms, syntactically correct but not well-sorted.
fn expr() -> impl Strategy<Value = String> {
    let leaf =
        prop::sample::select(vec!["p", "x", "X", "q'", "c''", "true", "false", "safety", "safety'", "7"]);
    leaf.prop_map(str::to_owned).prop_recursive(6, 60, 4, |inner| {
        let operator = prop::sample::select(vec![
            "&", "|", "->", "<->", "=", "!=", "~=", "<", "<=", ">", ">=", "+", "-", "*",
        ]);
        prop_oneof![
            4 => (inner.clone(), operator, inner.clone()).prop_map(|(a, op, b)| format!("({a}) {op} ({b})")),
            2 => prop::collection::vec(inner.clone(), 2..5).prop_map(|items| format!("({})", items.join(") & ("))),
            1 => inner.clone().prop_map(|a| format!("!({a})")),
            1 => inner.clone().prop_map(|a| format!("new({a})")),
            1 => inner.clone().prop_map(|a| format!("old({a})")),
            1 => inner.clone().prop_map(|a| format!("& ({a})")),
            1 => prop::collection::vec(inner.clone(), 0..4).prop_map(|items| format!("r'({})", items.join(", "))),
            1 => prop::collection::vec(inner.clone(), 1..4).prop_map(|items| format!("distinct({})", items.join(", "))),
            1 => inner.clone().prop_map(|a| format!("forall x, Y: s. {a}")),
            1 => inner.clone().prop_map(|a| format!("exists a_long_variable_name: bool. {a}")),
            1 => (inner.clone(), inner.clone(), inner.clone())
                .prop_map(|(a, b, c)| format!("if {a} then {b} else {c}")),
            1 => (inner.clone(), inner).prop_map(|(a, b)| format!("let x: s = {a} in {b}")),
        ]
    })
}

fn decl() -> impl Strategy<Value = String> {
    prop_oneof![
        Just("sort s @a(b, c)".to_owned()),
        Just("mutable function f(s, t): int @no_print".to_owned()),
        expr().prop_map(|e| format!("derived relation d(s) @x: {e}")),
        expr().prop_map(|e| format!("axiom {e}")),
        expr().prop_map(|e| format!("safety [name] {e}")),
        expr().prop_map(|e| format!("zerostate theorem [name] {e}")),
        expr().prop_map(|e| format!("transition t(x: s, y) modifies a, b {e}")),
        expr().prop_map(|e| format!("twostate definition d() = {e}")),
        (expr(), expr()).prop_map(|(a, b)| format!("sat trace {{ assert init t | u({a}, *) any transition assert {b} v }}")),
        (expr(), expr()).prop_map(|(a, b)| format!(
            "fbii {{ forward [n] prophecy w, v: s {{ invariant [i] {a} }} by {{ proph_select {b} proph_default }} backward {{ }} }}"
        )),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(1_000) })]

    #[test]
    fn random_programs_survive_printing(decls in prop::collection::vec(decl(), 0..5)) {
        assert_round_trip(&decls.join("\n"), "random program");
    }

    #[test]
    fn random_programs_never_panic_later(decls in prop::collection::vec(decl(), 0..5)) {
        let text = decls.join("\n");
        let _ = ramsey_lang::pyv::load(super::file(), &text);
    }
}
