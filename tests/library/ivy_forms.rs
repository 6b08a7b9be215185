//! Forms of `.ivy` that few programs have: each with what holds, what does not, and what is no such form.

use std::sync::Arc;

use crate::common::models::load;
use crate::ivy::{expect, failures};
use crate::ivy_isolates::verdicts;
use crate::ivy_proofs::refused;

/// Checks at which lines assertions fail.
#[track_caller]
fn fails_at(text: &str, expected: &[&str]) {
    let (system, diagnostics) = load("model.ivy", text);
    let found = failures(&Arc::new(system.unwrap_or_else(|| panic!("{diagnostics:#?}"))));
    // Several claims at one line have numbers.
    let lines = found.iter().map(|(_, claim)| claim.split('.').next().unwrap_or_default());
    let mut lines: Vec<&str> = lines.collect();
    lines.dedup();
    assert_eq!(lines, expected, "{text}");
}

#[test]
fn invariants_of_loops_have_proofs() {
    let text = "#lang ivy1.7
type t
relation r(X:t)
relation q(X:t)
explicit axiom [all] q(X)
individual c : t
action go(x:t) = {
    while r(x)
        invariant q(x) proof { assume all with X = x }
        invariant [kept] old r(c) -> r(c) | x = c
    { r(x) := false };
    assert q(x)
}
export go
";
    expect(text, &[]);
    fails_at(&text.replace(" proof { assume all with X = x }", ""), &["L9"]);
    fails_at(&text.replace("with X = x", "with X = c"), &["L9"]);
    fails_at(&text.replace("{ assume all with X = x }", "{ property q(x) }"), &["L9"]);
    fails_at(&text.replace("{ assume all with X = x }", "showgoals"), &["L9"]);
    // It is assumed in the turn and after the loop alone.
    fails_at(&text.replace("[kept] old r(c) -> r(c) | x = c", "q(x)"), &["L10"]);
    fails_at(&text.replace("assert q(x)", "assert q(c)"), &["L12"]);
    refused(&text.replace("r(x) := false", "q(x) := false"), "which actions assign");
    refused(&text.replace("assume all", "assume nothing"), "no rule has the name");
    refused(&text.replace("invariant q(x) proof", "proof"), "expected `{`");
    refused(&text.replace("{ assume all with X = x }", "assume all; showgoals"), "expected");
}

#[test]
fn each_turn_shows_what_a_proof_leaves() {
    let text = "#lang ivy1.7
type t
relation r(X:t)
relation q(X:t)
individual c : t
action go(x:t) = {
    q(x) := true;
    while r(x) invariant q(x) proof { if q(c) { showgoals } else { showgoals } }
    { r(x) := false; q(X) := q(X) | X = c };
    assert q(x)
}
export go
";
    expect(text, &[]);
    fails_at(&text.replace("q(X) | X = c", "X = c"), &["L8"]);
    fails_at(&text.replace("    q(x) := true;\n", "\n"), &["L8"]);
    fails_at(&text.replace("assert q(x)", "assert q(c)"), &["L10"]);
}

#[test]
fn initializers_owe_what_actions_of_others_require() {
    let text = "#lang ivy1.7
type t
isolate o = {
    individual c : t
    relation right
    after init { right := true }
    action m(x:t) = { require x = c; right := x = c }
    invariant [kept] right
}
isolate p = {
    individual d : t
    after init { d := o.c; call o.m(d) }
    invariant [same] d = o.c & o.right
} with o
";
    let verdict = |text: &str, isolate: &str| {
        let found = verdicts(text);
        let known = found.iter().find(|(name, _)| name == isolate);
        known.unwrap_or_else(|| panic!("{found:?}\n{text}")).1.clone()
    };
    assert_eq!((verdict(text, "o"), verdict(text, "p")), ("ok".to_owned(), "ok".to_owned()));
    let wrong = text.replace("d := o.c; ", "");
    assert!(verdict(&wrong, "p").contains("L7"), "{}", verdict(&wrong, "p"));
    // What the initializer calls is a transition of the other isolate.
    let broken = text.replace("right := x = c", "right := x ~= c");
    assert!(verdict(&broken, "o").contains("m/o.kept"), "{}", verdict(&broken, "o"));
    // What stands in no isolate sees all.
    let open = text.replace("    invariant [same] d = o.c & o.right\n", "");
    let outside = open.replace("isolate p", "object p").replace("} with o", "}");
    assert_eq!(verdict(&outside, "this"), "ok");
    assert!(verdict(&outside.replace("d := o.c; ", ""), "this").contains("L7"));
    // Nothing shows it where the isolate with the initializer is trusted, or sees less; what others call is not told apart.
    let trusted = open.replace("isolate p", "trusted isolate p");
    let unseen = open.replace("d := o.c; ", "").replace("} with o", "}");
    let inside = open
        .replace("call o.m(d)", "call n(d)")
        .replace("    individual d : t\n", "    individual d : t\n    action n(x:t) = { call o.m(x) }\n");
    for text in [trusted, unseen, inside] {
        let found = verdicts(&text);
        assert!(found.iter().any(|(_, it)| it.contains("owes nothing")), "{found:?}\n{text}");
    }
}

#[test]
fn types_that_others_implement_stay_as_they_are() {
    let text = "#lang ivy1.7
type t
type u = {a, b}
individual x : t
individual y : t
individual z : t
implement type t with u
property [some] X:t = X
property [few] x = y | y = z | x = z
";
    expect(text, &[("theorem", "few")]);
    expect(&text.replace("implement type t with u", "implement type u with t"), &[("theorem", "few")]);
    refused(&text.replace("with u", "with v"), "is not declared");
    refused(&text.replace("type t with", "type v with"), "neither a type nor a symbol");
    refused(&text.replace("with u", "with u.v"), "expected");
    refused(&text.replace("with u\n", "with u\ninterpret t -> int\n"), "two interpretations");
    refused(&text.replace("implement", "interpret t -> int implement"), "has an interpretation");
    refused(&text.replace("with u\n", "with u\nimplement type t with u\n"), "has an interpretation");
    refused(&text.replace("implement type t with u", "object o = { implement type t with u }"), "in objects");
    refused(&text.replace("1.7", "1.4"), "expected");
}

#[test]
fn a_parameter_stands_before_the_dot() {
    let text = "#lang ivy1.7
type t
object o = {
    type this
    individual last : t
    action m(x:t, ^y:this) returns (z:this) = { z := y; last := x }
    action two(x:this, ^y:this) returns (z:this) = { z := x }
}
after o.m(x:t, ^y:o) returns (z:o) { ensure z = y }
individual c : o
individual d : o
individual e : t
action go = {
    assert c.m(e) = c;
    assert o.last = e;
    assert o.m(e, c) = c;
    assert c.two(d) = d;
    c := d.m(e);
    assert c = d
}
export go
";
    expect(text, &[]);
    expect(&text.replace("c.two(d) = d", "c.two(d) = c"), &[("assertion", "L17")]);
    expect(&text.replace("(x:this, ^y:this)", "(x:this, y:this)"), &[("assertion", "L17")]);
    expect(&text.replace("(x:this, ^y:this)", "(^x:this, ^y:this)"), &[]);
    refused(&text.replace("action m(x:t, ^y", "action m(x:t, y"), "is not declared");
    refused(&text.replace("action m(x:t, ^y", "action m(^x:t, y"), "is not declared");
    refused(&text.replace("1.7", "1.6"), "found `^`");
    refused(
        &text.replace("^y:this) returns (z:this) = { z := y; ", "^y) returns (z:this) = { z := y; "),
        "and the type",
    );
    refused(&text.replace("(z:this) = { z := x }", "(^z:this) = { z := x }"), "found `^`");
    // In an object with parameters, these come first.
    let outer = "#lang ivy1.7
type t
type s
object o(p:t) = { action m(x:t, ^y:s) returns (z:t) = { z := p } }
individual c : s
individual d : t
individual e : t
action go = { assert c.o.m(d, e) = d }
export go
";
    refused(outer, "is not declared");
}

#[test]
fn variants_are_called_by_the_parameter_before_the_dot() {
    let text = "#lang ivy1.7
type t
object o = {
    type this
    relation seen(X:t)
    action m(x:t, ^y:this) = { seen(x) := true }
}
object p = {
    variant this of o
    relation seen(X:t)
    action m(x:t, ^y:this) = { seen(x) := true }
}
individual v : o
action go(x:t) = {
    require ~o.seen(x) & ~p.seen(x);
    v.m(x);
    assert o.seen(x) | p.seen(x);
    assert v isa p -> p.seen(x) & ~o.seen(x)
}
export go
";
    expect(text, &[]);
    expect(&text.replace("assert v isa p -> p.seen(x)", "assert p.seen(x)"), &[("assertion", "L18")]);
    expect(&text.replace("p.seen(x) & ~o.seen(x)", "o.seen(x)"), &[("assertion", "L18")]);
    let first = text.replacen(
        "m(x:t, ^y:this) = { seen(x) := true }\n}\nindividual",
        "m(^y:this, x:t) = { seen(x) := true }\n}\nindividual",
        1,
    );
    refused(&first, "where the value is one of a variant");
}
