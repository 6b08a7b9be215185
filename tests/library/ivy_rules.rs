//! Rules of Ivy that decide what a program means, each with a small program that breaks without it; and, if there is a corpus, the
//! programs there with what Ivy itself says of them.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::sync::Arc;

use crate::common::models::load;
use crate::common::skip::skipped;
use crate::ivy::{expect, failures};
use ramsey::base::budget::Exhausted;
use ramsey::query::{Limits, Options, Outcome, Plan};

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

#[test]
fn fields_of_many_values_change_one_by_one() {
    let text = "#lang ivy1.7
type t
type u
type s = struct { f : u, g : u }
function st(X:t) : s
individual d : u
individual e : u
individual bad : bool
axiom d ~= e
after init { bad := false }
action a(v:u, x:t, y:t) = {
    require st(x).g = d & st(y).g = e;
    st(X).f := v;
    bad := true;
    assert st(x).g = d & st(y).g = e & st(y).f = v
}
export a
invariant [kept] ~bad
";
    // Values with different other fields stay different, so the execution goes on.
    expect(text, &[("a", "kept")]);
    expect(&text.replace("st(y).f = v", "st(y).f = d"), &[("a", "kept"), ("assertion", "L15")]);
    expect(
        &text.replace("st(X).f := v", "st(x).f := v").replace("st(y).f = v", "st(x).f = v"),
        &[("a", "kept")],
    );
}

#[test]
fn fields_of_fields_and_fields_with_arguments_change() {
    let text = "#lang ivy1.7
type t
type inner = struct { a : t, b : t }
type outer = struct { left : inner, right : inner, has(X:t) : bool }
individual o : outer
individual old_b : t
action set(x:t, y:t) = {
    require ~o.has(x) & o.has(y);
    old_b := o.left.b;
    o.left.a := x;
    o.has(x) := true;
    assert o.left.a = x & o.left.b = old_b & o.has(x) & o.has(y)
}
export set
";
    expect(text, &[]);
    expect(&text.replace("o.has(x) & o.has(y)\n", "o.right.a = x\n"), &[("assertion", "L12")]);
    expect(&text.replace("o.has(x) := true", "o.has(X) := X = x"), &[("assertion", "L12")]);
    expect(&text.replace("o.left.b = old_b", "o.left.b = x"), &[("assertion", "L12")]);
    let equal = "#lang ivy1.7
type t
type s = struct { a : t, b : t }
action f(x:s, y:s) = { require x.a = y.a & x.b = y.b; assert x = y }
export f
";
    expect(equal, &[]);
    expect(&equal.replace(" & x.b = y.b", ""), &[("assertion", "L4")]);
}

#[test]
fn rows_take_any_values() {
    let text = "#lang ivy1.7
type t
relation r(X:t, Y:t)
function f(X:t) : t
after init { r(X, Y) := false; f(X) := X }
action a(x:t) = { r(x, Y) := *; assert x ~= X -> ~r(X, Y) }
action b = { f(X) := * }
export a
export b
invariant [none] ~r(X, Y)
invariant [same] f(X) = X
";
    expect(text, &[("a", "none"), ("b", "same")]);
    expect(
        &text.replace("r(x, Y) := *", "r(X, x) := *"),
        &[("a", "none"), ("assertion", "L6"), ("b", "same")],
    );
}

#[test]
fn loops_keep_their_invariants_and_nothing_else() {
    let text = "#lang ivy1.7
type t
relation done(X:t)
relation seen(X:t)
individual kept : t
after init { done(X) := false; seen(X) := false }
action all(x:t) = {
    var more := true;
    var first := kept;
    while more
        invariant [within] done(X) -> seen(X)
    {
        if some y:t. ~seen(y) { seen(y) := true; done(y) := true } else { more := false }
    }
    assert ~more & first = kept
}
export all
invariant [safe] done(X) -> seen(X)
";
    expect(text, &[]);
    // The invariant holds before the loop, and after each turn.
    let unkept = text.replace("seen(y) := true; done(y) := true", "done(y) := true; seen(y) := false");
    expect(&unkept, &[("assertion", "L11.2")]);
    let unfounded = text.replace("    while more", "    done(x) := true; seen(x) := false;\n    while more");
    expect(&unfounded, &[("assertion", "L12")]);
    // Nothing else is known of what a turn changes; the rest stays as it was.
    let without = text.replace("        invariant [within] done(X) -> seen(X)\n", "");
    expect(&without, &[("all", "safe")]);
    expect(&text.replace("assert ~more &", "assert more &"), &[("assertion", "L15")]);
    expect(&text.replace("more := false }", "more := false; kept := x }"), &[("assertion", "L15")]);
    // What a call changes is changed in the loop.
    let called = text
        .replace("more := false }", "more := false; other(x) }")
        .replace("export all", "action other(z:t) = { kept := z }\nexport all");
    expect(&called, &[("assertion", "L15")]);
    // Before an action, too, it is not the caller who owes the invariants of a loop.
    let before = text.replace("action all(x:t) = {", "action all(x:t)\nbefore all(x:t) {");
    expect(&before, &[]);
    let unkept = unkept.replace("action all(x:t) = {", "action all(x:t)\nbefore all(x:t) {");
    expect(&unkept, &[("assertion", "L12.2")]);
    // There may be no turn, and any number of them.
    let any = text.replace("while more", "while *").replace("assert ~more & ", "assert ");
    expect(&any, &[]);
    expect(&any.replace("assert ", "assert ~more & "), &[("assertion", "L15")]);
}

#[test]
fn loops_that_decrease_end() {
    let text = "#lang ivy1.7
type t
axiom X:t < Y & Y < Z -> X < Z
axiom ~(X:t < X)
axiom X:t = 0 | 0 < X
action down(x:t) = {
    var i := x;
    while 0 < i decreases i { if some j:t. j < i { i := j } else { i := 0 } }
    assert i = 0
}
export down
";
    expect(text, &[]);
    expect(&text.replace("else { i := 0 }", "else { i := i }"), &[]);
    expect(&text.replace("j < i {", "i <= j {"), &[("assertion", "L8.2")]);
    expect(
        &text.replace("axiom X:t = 0 | 0 < X\n", "").replace("while 0 < i", "while 0 ~= i"),
        &[("assertion", "L7")],
    );
}

#[test]
fn least_and_greatest_values() {
    let text = "#lang ivy1.7
type t
relation p(X:t)
axiom X:t < Y & Y < Z -> X < Z
axiom ~(X:t < X)
axiom X:t < Y | X = Y | Y < X
action least = { if some x:t. p(x) minimizing x { assert p(x); assert p(Y) -> x <= Y } else { assert ~p(Y) } }
export least
";
    expect(text, &[]);
    expect(&text.replace("minimizing x", "maximizing x"), &[("assertion", "L7.2")]);
    expect(&text.replace(" minimizing x", ""), &[("assertion", "L7.2")]);
    expect(&text.replace("minimizing x", "maximizing x").replace("x <= Y", "Y <= x"), &[]);
    // Of a term, and of two values.
    let term = "#lang ivy1.7
type t
type u
function f(X:t, Y:t) : u
relation p(X:t)
action least = { if some (x:t, y:t) p(x) & p(y) minimizing f(x, y) { assert p(Z) -> ~(f(Z, x) < f(x, y)) } }
export least
";
    expect(term, &[]);
    expect(&term.replace("p(Z) -> ", ""), &[("assertion", "L6")]);
}

#[test]
fn arrays_of_the_library() {
    let text = "#lang ivy1.7
include collections
instance idx : unbounded_sequence
type elem
relation allowed(X:elem)
instance arr : array(idx, elem)
individual log : arr.t
after init { log := arr.empty }
action add(x:elem) = { require allowed(x); log := log.append(x) }
action put(i:idx, x:elem) = {
    require i < log.end & 0 <= i & allowed(x);
    var prior := log;
    log := log.set(i, x);
    assert log.value(i) = x & log.end = prior.end & (X ~= i -> log.value(X) = prior.value(X))
}
action last(i:idx) returns (y:elem) = {
    require i < log.end & 0 <= i;
    y := log.get(i);
    assert y = log.value(i) & allowed(y)
}
export add
export put
export last
invariant [all] 0 <= I & I < log.end -> allowed(log.value(I))
";
    let failing = |text: &str| {
        let (system, diagnostics) = load("model.ivy", text);
        failures(&Arc::new(system.unwrap_or_else(|| panic!("{diagnostics:#?}"))))
    };
    assert_eq!(failing(text), []);
    let claims = |text: &str| failing(text).into_iter().map(|(action, _)| action).collect::<Vec<_>>();
    assert_eq!(claims(&text.replace("require allowed(x); log", "log")), ["add"]);
    assert_eq!(claims(&text.replace("assert log.value(i) = x", "assert log.value(0) = x")), ["assertion"]);
    // What the library requires is owed by its callers.
    // Of `set` in the first action, of `get` in the other.
    let careless = text.replace("require i < log.end & 0 <= i", "require 0 <= i");
    assert_eq!(claims(&careless), ["assertion", "assertion"]);
}

/// Of what statements compute, the next number and the one before are known. What does not follow is unknown, not false.
#[test]
fn sums_and_differences_with_one() {
    let answers = |kind: &str, claim: &str| {
        let text =
            format!("#lang ivy1.7\ntype t\n{kind}\naction a(x:t, y:t) = {{ assert {claim} }}\nexport a\n");
        let (system, diagnostics) = load("model.ivy", &text);
        let system = Arc::new(system.unwrap_or_else(|| panic!("{diagnostics:#?}")));
        let options = Options { all: true, ..Options::default() };
        let verification = Plan::new(system, options).run(&Limits::default());
        let [result] = &verification.results[..] else { panic!("one assertion") };
        match &result.outcome {
            Outcome::Holds { .. } => "holds",
            Outcome::Fails(_) => "fails",
            Outcome::Unknown(Exhausted::Arithmetic) => "unknown",
            other => panic!("{other:?}"),
        }
    };
    let [int, nat, bits, range, named] = ["int", "nat", "bv[2]", "{0..3}", "{0..top}"]
        .map(|kind| move |claim: &str| answers(&format!("interpret t -> {kind}"), claim));
    for holds in
        ["x < x + 1", "x - 1 < x", "(x + 1) - 1 = x", "y < x + 1 <-> y <= x", "x = y -> x + 1 = y + 1"]
    {
        assert_eq!(int(holds), "holds", "{holds}");
    }
    for holds in ["x < x + 1", "0 < x + 1", "x = 0 -> x - 1 = 0", "x ~= 0 -> (x - 1) + 1 = x", "x - 1 <= x"] {
        assert_eq!(nat(holds), "holds", "{holds}");
    }
    for holds in ["x ~= 3 -> x < x + 1", "x = 3 -> x + 1 = 0", "x = 0 -> x - 1 = 3", "(x + 1) - 1 = x"] {
        assert_eq!(bits(holds), "holds", "{holds}");
    }
    for holds in ["x <= x + 1", "x = 3 -> x + 1 = 3", "x = 0 -> x - 1 = 0", "x ~= 3 -> (x + 1) - 1 = x"] {
        assert_eq!(range(holds), "holds", "{holds}");
        assert_eq!(named(&holds.replace('3', "top")), "holds", "{holds}");
    }
    // These are false of the numbers, and have to be left open.
    for wrong in ["x + 1 < x", "x + 1 = x", "x + 1 = y", "x < y - 1"] {
        assert_eq!(int(wrong), "unknown", "{wrong}");
    }
    for wrong in ["x - 1 < x", "(x - 1) + 1 = x", "x - 1 = y - 1 -> x = y"] {
        assert_eq!(nat(wrong), "unknown", "{wrong}");
    }
    for wrong in ["x < x + 1", "x - 1 <= x", "x + 1 <= 2"] {
        assert_eq!(bits(wrong), "unknown", "{wrong}");
    }
    for wrong in ["x < x + 1", "(x + 1) - 1 = x", "x + 1 = 0"] {
        assert_eq!(range(wrong), "unknown", "{wrong}");
    }
    // A named end is that of the type, whatever else has the name; and it may be 0.
    let far = "object o = { type u interpret u -> {0..hi} }\nindividual hi : o.u\nindividual z : o.u";
    let far = |claim: &str| answers(far, &format!("z = o.hi -> {claim}"));
    assert_eq!([far("z + 1 = o.hi"), far("z + 1 = hi")], ["holds", "unknown"]);
    assert_eq!([named("0:t ~= 1:t"), named("0:t <= x"), named("x + 1 ~= 0")], ["fails", "holds", "unknown"]);
    // Of other sums nothing is known; what has no arithmetic is false as before.
    assert_eq!(int("x + y = y + x"), "unknown");
    assert_eq!(int("x + 2 = x + 2"), "holds");
    assert_eq!(int("x < y"), "fails");
    // Without numbers it is any function.
    assert_eq!(answers("", "x < x + 1"), "fails");
    assert_eq!(answers("", "x = y -> x + y = y + x"), "holds");
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
fn relations_can_be_local() {
    let text = "#lang ivy1.7
type t
relation r(X:t)
after init { r(X) := false }
action a(x:t) = {
    var q(X:t) : bool;
    q(X) := X = x;
    if q(x) { r(X) := q(X) & X ~= x }
}
export a
invariant [none] ~r(X)
";
    expect(text, &[]);
    // Before it is assigned it has any value.
    expect(&text.replace("    q(X) := X = x;\n", ""), &[("a", "none")]);
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
fn numbers_are_ordered() {
    let text = "#lang ivy1.7
type t
interpret t -> int
individual x : t
after init { x := 1 }
action up(y:t) = { require x < y; x := y }
export up
invariant [positive] 0 < x
";
    expect(text, &[]);
    expect(
        &text.replace("invariant [positive] 0 < x", "invariant [least] X:t = X -> 0 <= X"),
        &[("init", "least")],
    );
    let natural = text
        .replace("-> int", "-> nat")
        .replace("invariant [positive] 0 < x", "invariant [least] X:t = X -> 0 <= X");
    expect(&natural, &[]);
    expect(&text.replace("interpret t -> int\n", ""), &[("init", "positive"), ("up", "positive")]);
    // Two lines on one.
    expect(
        &text.replace("interpret t -> int\n", "interpret t -> int invariant [wrong] x = 1\n"),
        &[("up", "wrong")],
    );
    let range = "#lang ivy1.7
type t = {0..3}
individual x : t
after init { x := 0 }
action a(y:t) = { x := y; assert x = 0 | x = 1 | x = 2 | x = 3 }
export a
invariant [below] x < 3
";
    expect(range, &[("a", "below")]);
    expect(&range.replace("x < 3", "x <= 3"), &[]);
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
#[test]
fn assigned_fields_change_one_value() {
    let text = "#lang ivy1.7
type t
type st = struct { a : t, b(X:t) : bool }
individual s : st
individual u : st
individual c : t
after init { u := s; c := s.a }
action change(x:t) = { a(s) := x; b(s, x) := true }
export change
invariant [own] s.a = c
invariant [other] u.a = c
";
    expect(text, &[("change", "own")]);
    let declared = text.replace(
        "type st = struct { a : t, b(X:t) : bool }",
        "type st destructor a(S:st) : t destructor b(S:st,X:t) : bool",
    );
    expect(&declared, &[("change", "own")]);
    let within = "#lang ivy1.7
type t
type st = struct { a : t, b(X:t) : bool }
type pair = struct { p : st, q : st }
function f(X:t) : pair
action change(x:t, y:t) = {
    a(p(f(x))) := y;
    ensure f(x).p.a = y;
    ensure a(q(f(x))) = old a(q(f(x)));
    b(q(f(x)), X) := false;
    ensure ~b(q(f(x)), y) & a(p(f(x))) = y;
    ensure X ~= x -> f(X) = old f(X)
}
export change
";
    expect(within, &[]);
}

/// An action that changes a field of its parameter changes a copy, however the field is written.
#[test]
fn parameters_whose_fields_are_assigned_are_copies() {
    let text = "#lang ivy1.7
type t
type st = struct { a : t, b : t }
module setter(f) = { action set(x:st, y:t) = { f(x) := y } }
instance m : setter(a)
action change(x:st, y:t) = { a(x) := y }
action use(q:st, y:t) = { change(q, y); m.set(q, y); assert q.a = y }
export use
";
    expect(text, &[("assertion", "L7")]);
    expect(&text.replace("a(x) := y", "x.a := y"), &[("assertion", "L7")]);
}

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
#[test]
fn results_are_assigned_to_fields() {
    let text = "#lang ivy1.7
type u
type s = struct { f : u, g : u }
individual p : s
individual v : u
action two returns (y:u, z:u) = { y := v; z := p.f }
action a(x:s) = {
    (x.f, g(x)) := two;
    assert x.f = v & x.g = p.f
}
export a
";
    expect(text, &[]);
    expect(&text.replace("x.g = p.f", "x.g = v"), &[("assertion", "L9")]);
    expect(&text.replace("(x.f, g(x))", "(x.f, f(x))").replace("x.f = v & x.g = p.f", "x.f = p.f"), &[]);
    let whole = text.replace("z:u", "z:s").replace("z := p.f", "z := p").replace("g(x))", "x)");
    expect(&whole.replace("x.f = v & x.g = p.f", "x = p"), &[]);
    expect(&whole, &[("assertion", "L9")]);
}

#[test]
fn conditions_read_fields_of_what_they_choose() {
    let text = "#lang ivy1.7
type u
type s = struct { f : u, g : u }
individual p : s
individual v : u
relation m(X:s)
action a(x:s) = {
    if some x:s. m(x) & x.f = v {
        assert m(x) & x.f = v;
        x.g := v;
        p := x
    } else {
        assert m(x) -> x.f ~= v
    }
}
after init { p.f := v }
export a
invariant [kept] p.f = v
";
    expect(text, &[]);
    expect(&text.replace("& x.f = v {", "{"), &[("assertion", "L9")]);
}

/// A quantifier binds what stands for its variable, and nothing else that happens to have its name in the flat program.
#[test]
fn quantifiers_bind_their_own_variables() {
    let local = "#lang ivy1.7
type t
action a(x:t) = {
    var x := x;
    assert forall x_1:t. x = x_1
}
export a
";
    expect(local, &[("assertion", "L5")]);
    let nested = "#lang ivy1.7
type t
relation x(X:t)
relation p(X:t, Y:t)
invariant [some] forall x_:t. exists x:t. p(x_, x) & ~p(x_, x_)
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
