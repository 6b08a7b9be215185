//! Rules of Ivy that decide what a program means, each with a small program that breaks without it; and, if there is a corpus, the
//! programs there with what Ivy itself says of them.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::sync::Arc;

use crate::common::models::load;
use crate::common::skip::skipped;
use crate::ivy::{expect, failures};
use crate::ivy_isolates::verdicts;
use crate::ivy_proofs::refused;

#[test]
fn monitors_run_in_the_order_of_the_text() {
    let text = "#lang ivy1.7
individual x : bool
individual y : bool
after init { x := false; y := false }
action a = { }
after a { x := true }
around a { y := x; ... y := x }
export a
invariant [kept] ~y
";
    // The part after `...` comes after the monitor that stands earlier.
    expect(text, &[("a", "kept")]);
    // One that stands later has not run then, but in the execution before.
    let later =
        text.replace("after a { x := true }\n", "").replace("export a", "after a { x := true }\nexport a");
    expect(&later.replace("after a { x", "after a { y := false; x"), &[]);
}

#[test]
fn explicit_invariants_are_claimed_and_not_assumed() {
    let text = "#lang ivy1.7
relation p
relation q
after init { p := false; q := false }
action a = { if p { q := true }; p := false }
action b = { p := p }
export a
export b
explicit invariant [ip] ~p
";
    // Not even of itself.
    expect(text, &[("assertion", "L9.3")]);
    expect(&text.replace("p := p", "p := false"), &[]);
    expect(
        &text.replace("p := false; q := false", "q := false"),
        &[("assertion", "L9"), ("assertion", "L9.3")],
    );
    // Nor where another claim names it.
    let named = format!("{}invariant [iq] ~q with ip\n", text.replace("p := p", "p := false"));
    expect(&named, &[("a", "iq")]);
    expect(&named.replace("explicit ", ""), &[]);
    // Where an action is called, it need not hold.
    let called = "#lang ivy1.7
type t
relation p(X:t)
after init { p(X) := false }
action set(x:t) = { p(x) := true }
action a(x:t) = { p(X) := false; set(x); p(x) := false }
export a
explicit invariant [ip] ~p(X)
";
    expect(called, &[]);
    expect(&format!("{called}export set\n"), &[("assertion", "L8.3")]);
    // Its proof tells what is shown.
    let by_proof = "axiom [all] { relation r(X:t) property [prem] r(Y) property r(X) }\n".to_owned()
        + &called["#lang ivy1.7\n".len()..];
    let by_proof = format!("#lang ivy1.7\ntype t\n{}", by_proof.replace("type t\n", ""));
    expect(&by_proof.replace("~p(X)\n", "~p(X) proof { apply all with r(X) = ~p(X), X = X }\n"), &[]);
    // Without an action that is exported it is claimed of the initial states.
    expect("#lang ivy1.7\nrelation p\nexplicit invariant p\n", &[("assertion", "L3")]);
}

/// A finite type may have any number of elements.
#[test]
fn finite_types_have_any_number_of_elements() {
    let text = "#lang ivy1.7
finite type t
individual c : t
individual d : t
action a(x:t) = { c := x }
export a
invariant [one] c = d
";
    expect(text, &[("init", "one"), ("a", "one")]);
    // Up to 1.6 the word is a name.
    let (system, _) = load("model.ivy", &text.replace("ivy1.7", "ivy1.6").replace("invariant", "conjecture"));
    assert!(system.is_none());
}

#[test]
fn initializers_assume_what_they_require() {
    let text = "#lang ivy1.7
individual x : bool
individual y : bool
after init { require x; y := x }
action a = { }
export a
invariant [both] x & y
";
    expect(text, &[]);
    expect(&text.replace("require x; y := x", "y := x"), &[("init", "both")]);
    expect(&text.replace("require", "ensure"), &[("assertion", "L4")]);
    expect(&text.replace("require", "assert"), &[("assertion", "L4")]);
    // What an action requires that they call is neither assumed nor shown; what is assumed there is.
    let called = text
        .replace("require x; y := x", "call b")
        .replace("export a", "action b = { require x; y := x }\nexport a");
    expect(&called, &[("init", "both")]);
    expect(&called.replace("require", "assume"), &[]);
}

#[test]
fn sorts_of_variables_belong_to_their_binders() {
    let theorem = |text: &str| {
        let (system, diagnostics) = load("model.ivy", text);
        let system = Arc::new(system.unwrap_or_else(|| panic!("{diagnostics:#?}")));
        is_proved(&system)
    };
    let text = "#lang ivy1.7
type t
type u
individual c : t
individual d : t
axiom X:t = c
property (forall X. X:t = d) & (forall X,Y. X:u = Y)
";
    assert!(!theorem(text));
    assert!(theorem(&text.replace(" & (forall X,Y. X:u = Y)", "")));
    assert!(theorem(&text.replace("X:u = Y", "X:t = Y")));
}

/// A part without parameters of its own may have another name for a result.
#[test]
fn results_with_other_names_are_assigned() {
    let text = "#lang ivy1.7
type t
action f(x:t) returns (y:t)
implement f returns (z:t) { z := x }
after f { ensure y = old y }
export f
";
    expect(text, &[("assertion", "L5")]);
    expect(&text.replace("y = old y", "y = x"), &[]);
}

#[test]
fn the_library_owes_what_its_callers_owe() {
    let text = "#lang ivy1.7
include order
instance num : unbounded_sequence
individual n : num
action down = { require 0 < n; n := num.prev(n) }
export down
";
    expect(text, &[]);
    let careless = text.replace("require 0 < n; ", "");
    let (system, _) = load("model.ivy", &careless);
    let failing = failures(&Arc::new(system.expect("a system")));
    assert_eq!(failing.len(), 1, "{failing:?}");
}

#[test]
fn theorems_are_shown() {
    let outcome = |text: &str| {
        let (system, diagnostics) = load("model.ivy", text);
        let system = Arc::new(system.unwrap_or_else(|| panic!("{diagnostics:#?}")));
        assert_eq!(system.theorems.len(), 1);
        is_proved(&system)
    };
    let text = "#lang ivy1.7
theorem [inj] {
    type t
    type u
    function f(X:t) : u
    function g(X:u) : t
    property g(f(X)) = X
    property f(X) = f(Y) -> X = Y
}
";
    // Variables of premises are those of the conclusion, so the premise is about one value.
    assert!(!outcome(text));
    assert!(outcome(&text.replace("property g(f", "property forall X. g(f")));
    assert!(!outcome(&text.replace("property g(f(X)) = X\n", "")));
}

#[test]
fn results_begin_with_the_parameters_of_their_names() {
    let text = "#lang ivy1.7
type t
action g(x:t) returns (x:t) = { }
action f(x:t) = { var y := g(x); assert x = y }
export f
";
    expect(text, &[]);
    expect(&text.replace("returns (x:t)", "returns (z:t)"), &[("assertion", "L4")]);
    expect(&text.replace("= { }", "= { x := * }"), &[("assertion", "L4")]);
    let old = "#lang ivy1.7
type t
relation r(X:t)
action h(x:t) = { x := *; r(x) := true }
after h { assert x = old x }
export h
";
    expect(old, &[("assertion", "L5")]);
    expect(&old.replace("x := *; ", ""), &[]);
}

#[test]
fn old_values_are_those_before_the_call() {
    let text = "#lang ivy1.7
type t
type s = struct { g : t }
individual a : s
individual c : t
function q(X:t) : t
definition q(X) = c
action f(x:t) = {
    var v := old c;
    a.g := x;
    c := x;
    assert old q(x) = v;
    assert old a.g = a.g | ~(x = old a.g)
}
export f
invariant [same] q(X) = c
";
    expect(text, &[]);
    expect(&text.replace("old q(x) = v", "q(x) = v"), &[("assertion", "L12")]);
    expect(&text.replace("~(x = old a.g)", "x = old a.g"), &[("assertion", "L13")]);
}

#[test]
fn actions_after_old_are_called_where_the_call_stands() {
    let text = "#lang ivy1.7
type t
individual c : t
function f(X:t) : t
action set(z:t) returns (y:t) = { y := c; c := z }
action value(z:t) returns (y:t) = { y := f(z) }
action g(x:t) = {
    f(x) := x;
    assert old set(x) = old c;
    assert c = x;
    assert old value(c) = x
}
after g { ensure old value(old c) = f(old c) }
export g
export set
after init { c := old set(c) }
";
    expect(text, &[]);
    expect(&text.replace("old set(x) = old c", "old set(x) = x"), &[("assertion", "L9")]);
    expect(&text.replace("assert c = x", "assert c = old c"), &[("assertion", "L10")]);
    expect(&text.replace("old value(c) = x", "old value(c) = old f(x)"), &[("assertion", "L11")]);
    expect(&text.replace("old value(c) = x", "old value(old c) = f(x)"), &[("assertion", "L11")]);
    expect(&text.replace("old value(old c)", "old value(c)"), &[("assertion", "L13")]);
    refused(&text.replace("old set(x) = old c", "forall X. old set(X) = X"), "is called in a formula");
    refused(
        &text.replace("after init {", "invariant old value(c) = c after init {"),
        "is called in a formula",
    );
    refused(&text.replace("(x:t) = {\n", "(x:t, set:t) = {\n"), "was nothing before it");
    // What it changes is seen in an isolate, as that of any other call.
    let isolates = "#lang ivy1.7
type t
individual c : t
isolate o = { action m(x:t) returns (y:t) = { y := x; c := x } }
isolate p = {
    action g(x:t) = { var d := old o.m(x) }
    invariant [kept] c = c
}
export p.g
";
    let found = verdicts(isolates);
    assert!(found.iter().any(|(_, it)| it.contains("`c` changes here")), "{found:?}");
}

#[test]
fn old_values_of_parameters_of_macros_are_those_of_their_symbols() {
    let text = "#lang ivy1.7
type t
individual c : t
macro kept(a) = {
    assert old a = a
}
action f(x:t) = {
    c := x;
    instantiate kept(c)
}
export f
";
    expect(text, &[("assertion", "L5")]);
    expect(&text.replace("c := x;", "c := c;"), &[]);
}

#[test]
fn variables_may_have_the_names_of_symbols() {
    let text = "#lang ivy1.7
type t
relation r(X:t)
individual c : t
after init { r(X) := true }
action f = {
    if some c:t. r(c) {
        r(c) := false
    }
}
export f
invariant [all] r(X)
invariant [one] r(c)
";
    expect(text, &[("f", "all"), ("f", "one")]);
    expect(
        &text
            .replace("if some c:t. r(c)", "if some d:t. d ~= c & r(d)")
            .replace("r(c) := false", "r(d) := false"),
        &[("f", "all")],
    );
}

#[test]
fn trusted_isolates_are_assumed() {
    let text = "#lang ivy1.7
relation p
relation q
trusted isolate foo = {
    after init { p := true }
    action a = { p := false; ensure p }
    invariant [ip] p
}
after init { q := true }
action b = { q := p; call foo.a }
export foo.a
export b
invariant [iq] q
";
    expect(text, &[]);
    expect(&text.replace("trusted ", ""), &[("assertion", "L6")]);
    // What it does to others is executed.
    expect(&text.replace("p := false; ensure p", "q := false"), &[("foo.a", "iq"), ("b", "iq")]);
}

/// Up to version 1.6, axioms may be about what changes. They hold before and after an action, and need not in between.
#[test]
fn axioms_about_what_changes_hold_between_actions() {
    let text = "#lang ivy1.6
type t
relation a(X:t)
relation b(X:t)
individual x:t
axiom a(X) <-> b(X)
init ~a(X) & ~b(X)
action step = { x := *; a(x) := true; b(x) := true }
export step
conjecture [none] ~a(X)
";
    expect(text, &[("step", "none")]);
    expect(&text.replace("; b(x) := true", ""), &[]);
    expect(&text.replace("b(x) := true", "assert b(x); b(x) := true"), &[("assertion", "L8")]);
    // In the first state, they hold as well.
    let initial = text.replace("init ~a(X) & ~b(X)", "after init { a(X) := true; b(X) := false }");
    expect(&initial.replace("~a(X)\n", "false\n").replace("[none] ~a(X)", "[none] false"), &[]);
}

/// What a checker says of a program.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Verdict {
    Proved,
    Refuted,
    Refused,
}

/// Returns the cases of a folder with what Ivy says of them, but for those about isolates, proofs and what is assumed only
/// where it is named, and those in which Ivy is known to be wrong.
fn cases(folder: &Path) -> BTreeMap<String, Verdict> {
    let mut found = BTreeMap::new();
    let table = |name: &str| fs::read_to_string(folder.join(name)).unwrap_or_default();
    for line in table("verdicts.tsv").lines().skip(1) {
        let Some((file, verdict)) = line.split_once('\t') else { continue };
        let verdict = match verdict {
            "ok" => Verdict::Proved,
            "fail" => Verdict::Refuted,
            _ => Verdict::Refused,
        };
        found.insert(file.to_owned(), verdict);
    }
    for line in table("claims.tsv").lines().skip(1) {
        let fields: Vec<&str> = line.split('\t').collect();
        let [case, rule, exit, claims, errors, ..] = fields.as_slice() else { continue };
        // Where Ivy is wrong, and its fragment, which is not that of this program.
        if rule.contains("bug") || errors.contains("fragment FAU") {
            continue;
        }
        let verdict = match *exit {
            "0" => Verdict::Proved,
            _ if errors.is_empty() || claims.contains("FAIL") => Verdict::Refuted,
            _ => Verdict::Refused,
        };
        found.insert(format!("{case}.ivy"), verdict);
    }
    found.retain(|file, _| {
        let text = fs::read_to_string(folder.join(file)).unwrap_or_default();
        let text: String = text.lines().filter(|line| !line.starts_with('#')).collect::<Vec<_>>().join("\n");
        !["isolate", "attribute", "temporal", "proof", "explicit"].iter().any(|word| text.contains(word))
    });
    found
}

/// A field that is written as a function is assigned as a field is: what has it becomes another value, and whatever had the
/// same value before keeps it.
/// An action that changes a field of its parameter changes a copy, however the field is written.
/// The symbol of a definition is found as other names are, also outside of the object.
#[test]
fn definitions_are_of_declared_symbols() {
    let text = "#lang ivy1.7
type t
relation r(X:t)
relation q(X:t)
object o = { definition q(X) = r(X) }
action a(x:t) = { r(x) := false }
export a
invariant [same] q(X) <-> r(X)
";
    expect(text, &[]);
    expect(&text.replace("object o = { definition q(X) = r(X) }\n", ""), &[("init", "same"), ("a", "same")]);
}

/// Results of a call are assigned one after the other, also to fields.
/// A quantifier binds what stands for its variable, and nothing else that happens to have its name in the flat program.
#[test]
fn quantifiers_bind_their_own_variables() {
    let local = "#lang ivy1.7
type t
action a(x:t) = {
    var x := x;
    assert forall X_1:t. x = X_1
}
export a
";
    expect(local, &[("assertion", "L5")]);
    let nested = "#lang ivy1.7
type t
relation x(X:t)
relation p(X:t, Y:t)
invariant [some] forall X_:t. exists X:t. p(X_, X) & ~p(X_, X_)
action a = { p(X, Y) := X ~= Y }
after init { p(X, Y) := X ~= Y }
axiom exists X, Y:t. X ~= Y
export a
";
    expect(nested, &[]);
    let parameter = "#lang ivy1.7
type t
module m = {
    relation q(Y:t)
    action a = { assert ~q(P) }
    action b = { assert forall P:t. ~q(P) }
}
instance i(P:t) : m
axiom ~i.q(X, X)
export i.a
export i.b
";
    expect(parameter, &[("assertion", "L5"), ("assertion", "L6")]);
    let instances = "#lang ivy1.7
type t
module inner = {
    individual b : bool
    invariant [all] b
}
module outer = { instance j(P:t) : inner }
instance i(P:t) : outer
after init { i.j.b(X, Y) := X = Y }
";
    expect(instances, &[("init", "i.j.all")]);
}

#[test]
fn programs_are_judged_as_by_ivy() {
    let corpus = match std::env::var_os("RAMSEY_CORPUS") {
        Some(folder) => folder.into(),
        None => Path::new(env!("CARGO_MANIFEST_DIR")).join("../shared/corpus"),
    };
    let folder = corpus.join("ivy-cases");
    if !folder.is_dir() {
        skipped(format_args!("no programs with verdicts of Ivy at {} (set RAMSEY_CORPUS)", folder.display()));
        return;
    }
    let (mut same, mut stricter, mut wrong) = (0, Vec::new(), Vec::new());
    for (file, expected) in cases(&folder) {
        let text = fs::read_to_string(folder.join(&file)).expect("a program");
        let (system, _) = load("model.ivy", &text);
        let verdict = match system.map(Arc::new) {
            None => Verdict::Refused,
            Some(system) if is_proved(&system) => Verdict::Proved,
            Some(_) => Verdict::Refuted,
        };
        match (verdict, expected) {
            _ if verdict == expected => same += 1,
            // Nothing is proved that Ivy does not prove.
            (Verdict::Proved, _) => wrong.push(file),
            _ => stricter.push(format!("{file}: {verdict:?}, Ivy {expected:?}")),
        }
    }
    assert!(wrong.is_empty(), "proved, but not by Ivy: {wrong:?}");
    // What is not supported yet is refused.
    assert!(same > 5 * stricter.len(), "{same} equal, {stricter:#?}");
}

/// Returns whether all that a program claims holds.
pub(crate) fn is_proved(system: &Arc<ramsey::system::System>) -> bool {
    let options = ramsey::query::Options::default();
    let verification =
        ramsey::query::Plan::new(Arc::clone(system), options).run(&ramsey::query::Limits::default());
    verification.results.iter().all(|it| matches!(it.outcome, ramsey::query::Outcome::Holds { .. }))
}

/// Where nothing is exported and so everything is, nobody is said to keep to what actions require.
#[test]
fn requirements_are_shown_where_nothing_is_exported_up_to_1_6() {
    let text = "#lang ivy1.6
type t
individual k : t
action a(x:t) = { }
before a(x:t) { assert [l] x = k }
";
    expect(text, &[("assertion", "L5")]);
    expect(&format!("{text}export a\n"), &[]);
}

/// Up to 1.6, without isolates, a delegated action still shows what it asserts, whoever calls it.
#[test]
fn delegated_assertions_are_shown_without_isolates_up_to_1_6() {
    let text = "#lang ivy1.6
type t
individual k : t
action a(x:t) = { assert [l] x = k }
action b(x:t) = { assume x = k; call a(x) }
delegate a
export a
export b
";
    expect(text, &[("assertion", "L4")]);
    // Later, and with isolates, it is owed by whoever calls.
    let inner = text.replace("export a\n", "");
    expect(&inner.replace("ivy1.6", "ivy1.7"), &[]);
    expect(&format!("{inner}isolate i = a, b\n"), &[]);
}
