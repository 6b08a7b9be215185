//! Tests of the older dialect: pairs of texts in both dialects have the same system.

use std::fmt::Write as _;

use proptest::prelude::*;

use super::{assert_round_trip, load};
use ramsey_core::logic::{TermId, VarId};
use ramsey_core::system::{System, TraceStep};
use ramsey_solver::formulas::Pretty;

const VOCABULARY: &str = "
sort node
sort value
mutable relation p
mutable relation r(node)
mutable relation link(node, node)
derived relation some: some <-> exists X. r(X)
immutable relation le(node, node)
immutable constant zero: node
mutable constant cur: node
mutable function next(node): node
";

/// Writes down everything of a system but positions.
fn described(system: &System) -> String {
    let mut out = String::new();
    let shown = |term: TermId| Pretty::new(system.syntax(), term).to_string();
    let vars = |vars: &[VarId]| -> String {
        vars.iter().map(|&var| format!(" {var:?} {}", system.terms.var_info(var).name)).collect()
    };
    for (sym, symbol) in system.sig.symbols.iter_enumerated() {
        let _ =
            writeln!(out, "{sym:?} {} {:?} {:?} {:?}", symbol.name, symbol.kind, symbol.args, symbol.result);
    }
    let formulas = [
        system.axioms.iter().map(|it| (it.name.clone(), it.formula)).collect::<Vec<_>>(),
        system.derived.iter().map(|it| (Some(it.label.clone()), it.axiom)).collect(),
        system.inits.iter().map(|it| (it.name.clone(), it.formula)).collect(),
        system.invariants.iter().map(|it| (it.name.clone(), it.formula)).collect(),
        system.theorems.iter().map(|it| (Some(it.states.to_string()), it.formula)).collect(),
    ];
    for (name, formula) in formulas.into_iter().flatten() {
        let _ = writeln!(out, "{name:?} {formula:?} {}", shown(formula));
    }
    for definition in &system.definitions {
        let _ = writeln!(
            out,
            "{} {}: {:?} {}",
            definition.name,
            vars(&definition.params),
            definition.body,
            shown(definition.body)
        );
    }
    for it in &system.transitions {
        let _ = writeln!(
            out,
            "{} {} {:?}: {:?} {}",
            it.name,
            vars(&it.params),
            it.modifies,
            it.body,
            shown(it.body)
        );
    }
    for trace in &system.traces {
        for step in &trace.steps {
            match step {
                TraceStep::Assert(formula) => _ = writeln!(out, "assert {}", shown(*formula)),
                other => _ = writeln!(out, "{other:?}"),
            }
        }
    }
    out
}

/// Asserts that the texts have the same system, and that nothing is said of the first but its dialect.
#[track_caller]
fn same(older: &str, newer: &str) {
    let (a, said) = load(&format!("{VOCABULARY}{older}\n"));
    let a = a.unwrap_or_else(|| panic!("{older}\n{said}"));
    assert_eq!(said.matches("[R").count(), 1, "{older}\n{said}");
    assert!(said.contains("[R031]"), "{older}\n{said}");
    let (b, said) = load(&format!("{VOCABULARY}{newer}\n"));
    let b = b.unwrap_or_else(|| panic!("{newer}\n{said}"));
    assert!(said.is_empty(), "{newer}\n{said}");
    assert_eq!(described(&a), described(&b), "{older}");
    assert_round_trip(&format!("{VOCABULARY}{older}\n"), older);
}

/// Asserts that the text is rejected with one error, and returns all diagnostics.
#[track_caller]
fn rejects(text: &str, expected: &[&str]) {
    let (system, said) = load(&format!("{VOCABULARY}{text}\n"));
    assert!(system.is_none(), "{text}\n{said}");
    assert_eq!(said.matches("error[").count(), 1, "{text}\n{said}");
    for part in expected {
        assert!(said.contains(part), "{text}\nwanted: {part}\n{said}");
    }
}

#[test]
fn transitions_have_the_same_meaning() {
    same(
        "transition t(n: node) modifies r & old(r(n) & !p) & (r(N) <-> old(r(N)) & N != n)",
        "transition t(n: node) modifies r & (r(n) & !p) & (r'(N) <-> r(N) & N != n)",
    );
    same(
        "transition t(n: node) modifies cur, next & !old(r(cur)) & cur = next(old(cur)) & next(N) = old(next(next(N)))",
        "transition t(n: node) modifies cur, next & !r(cur) & cur' = next'(cur) & next'(N) = next(next(N))",
    );
    // No mark at all, in a file with marks elsewhere.
    same(
        "transition t() modifies p p\ntransition u() modifies p p <-> !old(p)",
        "transition t() modifies p p'\ntransition u() modifies p p' <-> !p",
    );
    same("transition t(n: node) = old(r(n)) & le(n, zero)", "transition t(n: node) = r(n) & le(n, zero)");
    same(
        "transition t(n: node) modifies r & (r(N) <-> if old(link(n, N)) then old(p) else old(r(N)) | N = n)",
        "transition t(n: node) modifies r & (r'(N) <-> if link(n, N) then p else r(N) | N = n)",
    );
    same(
        "transition t(n: node) modifies r, p old(& r(n)\n & p) & let b = p in (r(N) <-> b | old(r(N) & b))",
        "transition t(n: node) modifies r, p (r(n) & p) & let b = p' in (r'(N) <-> b | r(N) & b)",
    );
}

#[test]
fn every_declaration_has_the_same_meaning() {
    same(
        "twostate definition d(n: node) = r(n) & old(!r(n))\ntransition t(n: node) modifies r d(n)",
        "twostate definition d(n: node) = r'(n) & !r(n)\ntransition t(n: node) modifies r d(n)",
    );
    same("twostate theorem [grows] old(r(X)) -> r(X)", "twostate theorem [grows] r(X) -> r'(X)");
    same(
        "definition d(n: node) = r(n)\ntwostate theorem old(d(zero) & d(cur)) -> d(old(cur)) | d(cur)",
        "definition d(n: node) = r(n)\ntwostate theorem d(zero) & d(cur) -> d'(cur) | d'(cur')",
    );
    same(
        "axiom [a] le(X, X)\ninit [i] p\nsafety [s] p\ntwostate theorem old(safety & i) -> safety & s & a",
        "axiom [a] le(X, X)\ninit [i] p\nsafety [s] p\ntwostate theorem safety & i -> safety' & s' & a",
    );
    same(
        "transition t() modifies r (r(X) <-> old(r(X))) & (some <-> old(some))",
        "transition t() modifies r (r'(X) <-> r(X)) & (some' <-> some)",
    );
    same(
        "transition t(n: node) modifies r r(N) <-> old(r(N)) | N = n\nunsat trace { t(cur) assert r(X) }",
        "transition t(n: node) modifies r r'(N) <-> r(N) | N = n\nunsat trace { t(cur) assert r(X) }",
    );
    same(
        "transition t() modifies p p <-> !old(p)\ntwostate theorem t -> (old(p) <-> !p)",
        "transition t() modifies p p' <-> !p\ntwostate theorem t -> (p <-> !p')",
    );
}

#[test]
fn what_a_transition_does_not_modify_is_read_in_the_old_state() {
    let rest = "transition t(n: node) modifies r (r'(N) <-> r(N) | N = n) & p & link(n, cur)";
    let text = "transition t(n: node) modifies r (r(N) <-> old(r(N)) | N = n) & p & link(n, cur)";
    let (a, said) = load(&format!("{VOCABULARY}{text} & p\n"));
    let (b, _) = load(&format!("{VOCABULARY}{rest} & p\n"));
    assert_eq!(described(&a.expect("a system")), described(&b.expect("a system")));
    // Once for each symbol.
    assert_eq!(said.matches("warning[R011]").count(), 3, "{said}");
    assert!(said.contains("`p` is read outside of `old`, but is not in `modifies`"), "{said}");
    assert!(said.contains("add `p` to `modifies` if it changes, or put it inside of `old(..)`"), "{said}");
    // In a definition, nothing says that it is the same.
    rejects(
        "twostate definition d(n: node) = r(n) & !old(r(n)) & p\ntransition t(n: node) modifies r d(n)",
        &["`t` uses the new state's `p`, which is not in `modifies`", "or read it inside of `old(..)`"],
    );
    rejects(
        "definition d(n: node) = r(n) & p\ntransition t(n: node) modifies r d(n) & !old(r(n))",
        &["`t` uses the new state's `p`", "`p` is read in the new state here"],
    );
}

#[test]
fn the_first_mark_is_noted_once() {
    let (_, said) = load(&format!(
        "{VOCABULARY}transition t() modifies p p <-> old(p)\ntransition u() modifies p p & old(!p)\n"
    ));
    assert_eq!(said.matches("[R031]").count(), 1, "{said}");
    assert!(said.starts_with("12:33 "), "{said}");
    assert!(said.contains("the old state; what is not marked is read in the new one"), "{said}");
}

#[test]
fn both_dialects_in_a_file_are_an_error() {
    for (new, place) in [("p'", "12:27"), ("new(p)", "12:27"), ("safety'", "12:27")] {
        let text = format!("twostate theorem old(p) & {new} & {new}\nsafety p");
        rejects(&text, &["error[R031]: the new state is marked, and elsewhere the old state"]);
        let (_, said) = load(&format!("{VOCABULARY}{text}\n"));
        assert!(said.contains("\n    12:18: marks the old state"), "{said}");
        assert!(said.starts_with(place), "{said}");
        assert!(said.contains("help: mark the same state everywhere"), "{said}");
    }
    rejects("transition t() modifies p p'\ntransition u() modifies p p <-> old(p)", &["error[R031]"]);
}

#[test]
fn the_old_state_exists_in_formulas_over_two_states() {
    for (text, note) in [
        ("invariant p -> old(p)", "an invariant speaks of one state"),
        ("axiom old(le(X, X))", "an axiom speaks of no state, only of immutable symbols"),
        ("init old(p)", "an init speaks of one state"),
        ("safety old(old(p))", "a safety property speaks of one state"),
        ("definition d() = old(p)", "a definition speaks of one state"),
        ("zerostate definition d() = old(le(zero, zero))", "a definition speaks of no state"),
        ("onestate theorem old(p)", "a theorem speaks of one state"),
        ("derived relation d: d <-> old(p)", "a derived relation speaks of one state"),
        ("sat trace { assert old(p) }", "a component of a trace speaks of one state"),
        (
            "transition t(n: node) = le(n, n)\nsat trace { t(old(cur)) }",
            "a component of a trace speaks of one state",
        ),
        ("fbii { forward { invariant old(p) } }", "a formula of an `fbii` proof speaks of one state"),
    ] {
        rejects(text, &["error[R010]: there is no old state here", note, "help: leave `old` out"]);
    }
}

#[test]
fn marks_take_one_expression_and_are_not_nested() {
    rejects("twostate theorem old(p & old(p))", &["error[R010]: `old` inside of `old`"]);
    rejects("twostate theorem old(old(old(p)))", &["error[R010]: `old` inside of `old`"]);
    rejects("twostate theorem old(p, p)", &["error[R007]: `old` takes 1 expression, but 2 are given"]);
    rejects("twostate theorem p & old()", &["error[R007]: `old` takes 1 expression, but 0 are given"]);
    rejects(
        "twostate theorem old & p",
        &["error[R006]: `old` is not declared", "in parentheses: `old(p(x))`"],
    );
    rejects("twostate theorem old p", &["error[R003]", "in parentheses: `old(..)`"]);
    rejects("twostate theorem old r(X)", &["error[R003]", "in parentheses: `old(..)`"]);
    rejects("twostate theorem (old p)", &["error[R003]"]);
    rejects(
        "twostate definition d() = p & old(p)\ntwostate theorem old(d)",
        &["error[R010]: `d` cannot be used inside of `old`", "this reads both states"],
    );
}

#[test]
fn other_errors_are_told_as_in_the_newer_dialect() {
    rejects("twostate theorem old(q) & p", &["error[R006]: `q` is not declared"]);
    rejects("twostate theorem old(r(p))", &["error[R008]"]);
    rejects("twostate theorem old(cur)", &["error[R008]: expected sort `bool`, found `node`"]);
    rejects("twostate theorem old(r) & p", &["error[R007]"]);
    rejects("twostate theorem forall p. old(p)", &["error[R005]"]);
    rejects(
        "transition t() modifies p, r old(p & r(cur)) & p",
        &["`r` is in `modifies`, but", "`(forall X. r(X) <-> r(X))`"],
    );
    let suggested = "transition t() modifies p, r old(p & r(cur)) & p & (forall X. r(X) <-> r(X))";
    let (system, said) = load(&format!("{VOCABULARY}{suggested}\n"));
    assert!(system.is_some(), "{said}");
}

#[test]
fn a_declared_name_is_no_mark() {
    for declared in [
        "mutable relation old(node)",
        "definition old(n: node) = r(n)",
        "twostate definition old(n: node) = r'(n)",
        "mutable function old(node): bool",
    ] {
        let (system, said) = load(&format!("{VOCABULARY}{declared}\ntwostate theorem old(zero) & p -> p'\n"));
        assert!(system.is_some() && said.is_empty(), "{declared}: {said}");
    }
    // A sort or variable of this name is something else.
    same(
        "sort old\nmutable relation q(old)\ntwostate theorem old(q(X)) -> q(X)",
        "sort old\nmutable relation q(old)\ntwostate theorem q(X) -> q'(X)",
    );
}

#[test]
fn long_marked_formulas_are_broken_into_lines() {
    let part = "(forall X. relation_one(X) -> relation_two(X, parameter))";
    let text = format!("twostate theorem relation_one(X) & old({part} & {part} & {part})");
    let (program, _) = ramsey_lang::pyv::parse(super::file(), &text);
    let printed = ramsey_lang::print::pyv(&program);
    let expected = format!(
        "twostate theorem\n  & relation_one(X)\n  & old(& {part}\n        & {part}\n        & {part})\n"
    );
    assert_eq!(printed, expected);
    assert_round_trip(&text, "long formula");
}

/// A formula or term, without its dialect.
#[derive(Clone, Debug)]
enum Tree {
    /// Text that is the same in all states.
    Fixed(&'static str),
    /// A symbol or definition in the new state, or in the old one.
    Name(&'static str, bool, Vec<Tree>),
    /// Text with a place for each part.
    Node(&'static [&'static str], Vec<Tree>),
}

impl Tree {
    fn reads(&self, new: bool) -> bool {
        match self {
            Tree::Fixed(_) => false,
            Tree::Name(_, is_new, args) => *is_new == new || args.iter().any(|arg| arg.reads(new)),
            Tree::Node(_, parts) => parts.iter().any(|part| part.reads(new)),
        }
    }

    fn newer(&self) -> String {
        match self {
            Tree::Fixed(text) => (*text).to_owned(),
            Tree::Name(name, new, args) => {
                format!("{name}{}{}", if *new { "'" } else { "" }, list(args, Tree::newer))
            }
            Tree::Node(texts, parts) => joined(texts, parts, Tree::newer),
        }
    }

    /// Each largest part that reads nothing of the new state is marked as a whole.
    fn older(&self) -> String {
        if self.reads(false) && !self.reads(true) {
            return format!("old({})", self.unmarked());
        }
        match self {
            Tree::Name(_, false, _) => unreachable!("the arguments of an old symbol are old"),
            Tree::Name(name, true, args) => format!("{name}{}", list(args, Tree::older)),
            Tree::Fixed(_) => self.unmarked(),
            Tree::Node(texts, parts) => joined(texts, parts, Tree::older),
        }
    }

    fn unmarked(&self) -> String {
        match self {
            Tree::Fixed(text) => (*text).to_owned(),
            Tree::Name(name, _, args) => format!("{name}{}", list(args, Tree::unmarked)),
            Tree::Node(texts, parts) => joined(texts, parts, Tree::unmarked),
        }
    }

    /// Makes everything below read the old state.
    fn in_old_state(self) -> Tree {
        match self {
            Tree::Fixed(_) => self,
            Tree::Name(name, _, args) => {
                Tree::Name(name, false, args.into_iter().map(Tree::in_old_state).collect())
            }
            Tree::Node(texts, parts) => {
                Tree::Node(texts, parts.into_iter().map(Tree::in_old_state).collect())
            }
        }
    }
}

fn list(args: &[Tree], print: impl Fn(&Tree) -> String) -> String {
    if args.is_empty() {
        return String::new();
    }
    format!("({})", args.iter().map(print).collect::<Vec<_>>().join(", "))
}

fn joined(texts: &[&str], parts: &[Tree], print: impl Fn(&Tree) -> String) -> String {
    let mut out = texts[0].to_owned();
    for (part, text) in parts.iter().zip(&texts[1..]) {
        out += &print(part);
        out += text;
    }
    out
}

/// Random terms of the sort `node`. The arguments of a symbol in the old state are read there too.
fn term() -> impl Strategy<Value = Tree> {
    let leaf = prop_oneof![
        Just(Tree::Fixed("zero")),
        Just(Tree::Fixed("X")),
        any::<bool>().prop_map(|new| Tree::Name("cur", new, Vec::new())),
    ];
    leaf.prop_recursive(2, 4, 1, |inner| {
        (any::<bool>(), inner).prop_map(|(new, arg)| {
            let arg = if new { arg } else { arg.in_old_state() };
            Tree::Name("next", new, vec![arg])
        })
    })
}

fn formula() -> impl Strategy<Value = Tree> {
    let apply = |name: &'static str, new: bool, args: Vec<Tree>| {
        let old = |arg: Tree| if new { arg } else { arg.in_old_state() };
        Tree::Name(name, new, args.into_iter().map(old).collect())
    };
    let leaf = prop_oneof![
        any::<bool>().prop_map(|new| Tree::Name("p", new, Vec::new())),
        any::<bool>().prop_map(|new| Tree::Name("some", new, Vec::new())),
        (any::<bool>(), term()).prop_map(move |(new, arg)| apply("r", new, vec![arg])),
        (any::<bool>(), term()).prop_map(move |(new, arg)| apply("d", new, vec![arg])),
        (any::<bool>(), term(), term()).prop_map(move |(new, a, b)| apply("link", new, vec![a, b])),
        (term(), term()).prop_map(|(a, b)| Tree::Node(&["le(", ", ", ")"], vec![a, b])),
        (term(), term()).prop_map(|(a, b)| Tree::Node(&["", " = ", ""], vec![a, b])),
    ];
    leaf.prop_recursive(5, 32, 3, |inner| {
        let two = prop::sample::select(vec![
            &["(", ") & (", ")"][..],
            &["(", ") | (", ")"],
            &["(", ") -> (", ")"],
            &["(", ") <-> (", ")"],
        ]);
        let one = prop::sample::select(vec![
            &["!(", ")"][..],
            &["(forall x. le(x, zero) & (", "))"],
            &["(exists X. le(X, X) & (", "))"],
        ]);
        prop_oneof![
            4 => (two, inner.clone(), inner.clone()).prop_map(|(texts, a, b)| Tree::Node(texts, vec![a, b])),
            1 => (one, inner.clone()).prop_map(|(texts, a)| Tree::Node(texts, vec![a])),
            1 => (inner.clone(), inner.clone(), inner.clone())
                .prop_map(|(a, b, c)| { Tree::Node(&["(if ", " then ", " else ", ")"], vec![a, b, c]) }),
            1 => (term(), inner).prop_map(|(a, b)| Tree::Node(&["(let v: node = ", " in ", ")"], vec![a, b])),
        ]
    })
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(1_000) })]

    #[test]
    fn random_formulas_have_the_same_meaning(tree in formula()) {
        prop_assume!(tree.reads(false));
        let definition = "definition d(n: node) = r(n) | n = cur\n";
        let all = "p, r, link, cur, next";
        let kept = "p = p & (r(Y) <-> r(Y)) & (link(Y, Y) <-> link(Y, Y)) & cur = cur & next(Y) = next(Y)";
        let kept_new = "p' = p' & (r'(Y) <-> r'(Y)) & (link'(Y, Y) <-> link'(Y, Y)) & cur' = cur' & next'(Y) = next'(Y)";
        let with = |kept: &str, formula: &str| {
            // Whatever else the formula says of `X`, its sort is known.
            let formula = format!("le(X, X) -> ({formula})");
            format!("{definition}twostate theorem {formula}\ntransition t() modifies {all} {kept} & ({formula})")
        };
        same(&with(kept, &tree.older()), &with(kept_new, &tree.newer()));
    }
}
