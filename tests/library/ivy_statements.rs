//! Statements of `.ivy`: fields, rows, loops and choices, each with what holds after it and what does not.

use crate::common::models::load;
use crate::ivy::expect;
use crate::ivy::failures;
use crate::ivy_proofs::refused;
use std::sync::Arc;

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
    let any = text.replace("var more := true", "var more : bool").replace("more := false", "more := *");
    expect(&any, &[]);
    expect(&any.replace("assert ~more", "assert seen(x)"), &[("assertion", "L15")]);
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
        &[("assertion", "L7"), ("assertion", "L7.2")],
    );
    // Where nothing is known of the order, what is above 0 may be below it as well.
    let unordered: String =
        text.lines().filter(|it| !it.starts_with("axiom")).map(|it| format!("{it}\n")).collect();
    expect(&unordered.replace("    assert i = 0\n", ""), &[("assertion", "L5")]);
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

#[test]
fn variables_hide_objects_of_their_names() {
    let text = "#lang ivy1.7
type u = struct { kind : bool, other : bool }
object msg = {
    individual kind : bool
    relation ob
    action act = { ob := true }
}
after init { msg.kind := false; msg.ob := false }
action a(x:u) = {
    var msg : u := x;
    msg.kind := true;
    assert msg.kind & msg.other = x.other
}
export a
invariant [kept] ~msg.kind & ~msg.ob
";
    expect(text, &[]);
    expect(&text.replace("assert msg.kind &", "assert ~msg.kind &"), &[("assertion", "L12")]);
    let other = text.replace("var msg : u := x", "var mine : u := x").replace("& msg.other", "& mine.other");
    expect(&other, &[("a", "kept")]);
    let parameter = text.replace("(x:u)", "(msg:u)").replace("    var msg : u := x;\n", "");
    expect(&parameter.replace(" & msg.other = x.other", ""), &[]);
    let some =
        text.replace("var msg : u := x;", "if some msg:u. msg = x {").replace("x.other\n", "x.other }\n");
    expect(&some, &[]);
    for (what, error) in
        [("call msg.act", "`msg.act` is not an action"), ("msg.ob := true", "`msg.ob` is not declared")]
    {
        let (system, found) = load("model.ivy", &text.replace("msg.kind := true", what));
        assert!(system.is_none() && found.iter().any(|it| it.message == error), "{what}: {found:#?}");
    }
}

#[test]
fn actions_of_values_are_those_of_their_variants() {
    let text = |stmt: &str| {
        format!(
            "#lang ivy1.7
type r
type kind = {{none, one, two, three}}
var log : kind
var y : r
var d : r
object a = {{
    type this
    action run(arg:this) = {{ log := one }}
    action get(arg:this, k:r) returns (o:r) = {{ o := k; log := one }}
}}
var x : a
object b = {{
    variant this of a = struct {{ foo : r }}
    action run(arg:this) = {{ log := two }}
    action get(arg:this, k:r) returns (o:r) = {{ o := arg.foo; log := two }}
}}
object c = {{
    variant this of a = struct {{ bar : r }}
    action run(arg:this) = {{ log := three }}
}}
after init {{ log := none }}
export action go = {{ {stmt} }}
invariant [some] log = log
"
        )
    };
    let holds = [
        "call x.run; assert x isa b -> log = two",
        "call x.run; assert x isa c -> log = three",
        "call x.run; assert ~(x isa b) & ~(x isa c) -> log = one",
        "call a.run(x); assert log = one",
        "y := x.get(d); assert x isa b -> log = two",
        "y := x.get(d); assert ~(x isa b) -> log = one & y = d",
        "y := x.get(d); if z:b := x { assert y = z.foo }",
        "y := x.get(x.get(d)); assert x isa b -> log = two",
        "var z : b; x := z; x.run; assert log = two",
    ];
    for stmt in holds {
        expect(&text(stmt), &[]);
    }
    let fails = [
        "call x.run; assert log = one",
        "call x.run; assert log = two",
        "y := x.get(d); assert y = d",
        "y := x.get(d); if z:b := x { assert y = d }",
        "var z : b; x := z; x.run; assert log = three",
    ];
    for stmt in fails {
        expect(&text(stmt), &[("assertion", "L23")]);
    }
    // What it returns has to be of the same type.
    let other = text("y := x.get(d)").replace(
        "get(arg:this, k:r) returns (o:r) = { o := arg.foo;",
        "get(arg:this, k:r) returns (o:kind) = {",
    );
    let (system, found) = load("model.ivy", &other);
    assert!(
        system.is_none() && found.iter().any(|it| it.message.contains("where the value is one of a variant")),
        "{found:#?}"
    );
}

/// A field that gets any value is a function that changes at one value, whatever has that value.
#[test]
fn fields_take_any_values() {
    let text = "#lang ivy1.7
type t
type k
type v = struct { f : t, g : t }
type u = struct { w : v, h : t, p(X:k) : t }
individual x : v
individual y : v
individual z : u
function row(X:k) : v
individual s : t
individual i : k
individual j : k
action go = {
    x.f := s; x.g := s; y.f := s; z.h := s; z.w := y;
    z.p(X) := s;
    row(X) := y;
    HERE
}
export go
";
    let after = |statement: &str, holds: &[&str], fails: &[&str]| {
        let with = |claim: &str| text.replace("HERE", &format!("{statement}; assert [c] {claim}"));
        for claim in holds {
            expect(&with(claim), &[]);
        }
        for claim in fails {
            let (system, diagnostics) = load("model.ivy", &with(claim));
            let failing = failures(&Arc::new(system.unwrap_or_else(|| panic!("{diagnostics:#?}"))));
            assert_eq!(failing.len(), 1, "{statement}: {claim}");
        }
    };
    let kept = ["x.g = s", "y.g = y.g", "z.h = s", "x = old x | true", "x ~= y -> y.f = s"];
    after("x.f := *", &kept, &["x.f = s", "y.f = s", "x = y"]);
    after("f(x) := *", &kept, &["x.f = s", "y.f = s"]);
    // What is equal stays equal, and has the same field.
    after("y := x; x.f := *", &["y = x", "y.f = x.f"], &["y.f = s"]);
    after("z.w.f := *", &["z.h = s", "z.w = y", "z.w.f = y.f", "x.g = s"], &["z.w.f = s", "y.f = s"]);
    after("z.p(i) := *", &["i ~= j -> z.p(j) = s", "z.h = s"], &["z.p(i) = s", "z.p(j) = s"]);
    after("z.p(X) := *", &["z.h = s", "z.w = y"], &["z.p(j) = s"]);
    after("row(i).f := *", &["row(i) = y", "row(i).g = y.g"], &["row(i).f = s", "row(j).f = s"]);
    // Ivy changes nothing but where all of these are one value.
    after("row(X).f := *", &["row(i).g = y.g"], &["row(i).f = s", "x.f = s"]);
    after("if x.f = s { x.f := * } else { assert false }", &["x.g = s"], &["x.f = s"]);
    // A loop may change it at any value.
    after("while x.f = s { x.f := * }", &["x.g = s"], &["x ~= y -> y.f = s"]);
    // A field reads as it was where the function does.
    let before = "#lang ivy1.7
type t
type v = struct { f : t }
individual x : v
individual y : v
action go = { x.f := *; ensure x.f = old x.f; ensure x.f = f(old x); ensure x.f = old f(x) }
action same = { x.f := *; assume x.f = y.f; assert x = y }
export go
export same
";
    expect(before, &[("assertion", "L6.3"), ("assertion", "L7")]);
    // Nothing is assumed of values with equal fields then, and an axiom about the field would be about what changes.
    expect(&before.replace("x.f := *", "skip").replace("skip; ", ""), &[]);
    let (system, _) = load("model.ivy", &before.replace("action go", "axiom x.f = y.f\naction go"));
    assert!(system.is_none());
}

/// The parameters of both objects are variables of the update, beside the one that it has.
#[test]
fn parameters_of_initializers_have_names_of_their_own() {
    let text = "#lang ivy1.7
type t
object o(x:t) = {
    object b(x:t) = {
        relation r(Z:t)
        after init { r(X_) := X_ = x }
        invariant [one] r(Z) -> Z = x
        invariant [all] r(Z)
    }
}
";
    expect(text, &[("init", "o.b.all")]);
}

/// What is shown and assumed there is so for all values of the parameters.
#[test]
fn formulas_in_initializers_are_about_all_parameters() {
    let text = "#lang ivy1.7
type t
individual z : t
relation p(X:t)
object o(n:t) = {
    individual v : t
    after init { v := n; assert v = n; assume p(v) }
    invariant [own] v = n
    invariant [kept] p(n)
    invariant [all] v = z
}
";
    expect(text, &[("init", "o.all")]);
    expect(&text.replace("assume p(v)", "assume v = v"), &[("init", "o.kept"), ("init", "o.all")]);
    let wrong = text.replace("assert v = n", "ensure v = z").replace("v = z\n}", "v = n\n}");
    expect(&wrong, &[("assertion", "L7")]);
    refused(&text.replace("assert v = n", "if v = n { }"), "not supported in an initializer of an object");
}

#[test]
fn single_statements_follow_on_else() {
    let text = "#lang ivy1.7
type t
relation r(X:t)
after init { r(X) := false }
action f(x:t) = { r(x) := true }
action g(x:t) = { if r(x) { r(x) := false } else call f(x) }
export g
invariant [none] ~r(X)
";
    let fails: &[_] = &[("g", "none")];
    for (single, expected) in [
        ("call f(x)", fails),
        ("f(x)", fails),
        ("r(x) := true", fails),
        ("local y:t { y := x; r(y) := true }", fails),
        ("while ~r(x) { r(x) := true }", fails),
        ("assume r(x)", &[]),
        ("assert r(x)", &[("assertion", "L6")]),
        ("require ~r(x)", &[]),
        ("ensure r(x)", &[("assertion", "L6")]),
        ("if * { f(x) } else assume false", fails),
    ] {
        expect(&text.replace("call f(x)", single), expected);
    }
    let (system, _) = load("model.ivy", &text.replace("call f(x)", "var y := x"));
    assert!(system.is_none());
}

#[test]
fn numerals_with_types_are_arguments_on_the_left() {
    let text = "#lang ivy1.7
type t
relation r(X:t)
function f(X:t) : t
after init { r(X) := false; f(0:t) := 1 }
action a = { r(0:t) := true; f(1:t) := f(0:t) }
action b = { r(1:t) := * }
export a
invariant [zero] f(0) = 1
invariant [few] r(X) -> X = 0
";
    expect(text, &[]);
    expect(&text.replace("r(0:t)", "r(2:t)"), &[("a", "few")]);
    expect(&text.replace("export a", "export b"), &[("b", "few")]);
}

#[test]
fn loops_go_over_what_an_array_has() {
    let text = "#lang ivy1.8
include collections
instance arr : array(index, t)
type t
relation seen(X:t)
after init { seen(X) := false }
action go(a:arr) = {
    for i,x in a
        invariant 0 <= i & i <= a.end
        invariant 0 <= I & I < i -> seen(a.value(I))
    {
        seen(x) := true;
    };
    assert [all] 0 <= I & I < a.end -> seen(a.value(I))
}
export go
";
    expect(text, &[]);
    expect(&text.replace("for i,x", "for i:index,x:t"), &[]);
    expect(&text.replace("I < a.end ->", "I <= a.end ->"), &[("assertion", "L14")]);
    expect(&text.replace("seen(x) := true", "seen(x) := i ~= 0"), &[("assertion", "L10.2")]);
    let (system, _) = load("model.ivy", &text.replace("for i,x", "for i:t,x"));
    assert!(system.is_none());
    let (system, _) = load("model.ivy", &text.replace("ivy1.8", "ivy1.7"));
    assert!(system.is_none());
}

#[test]
fn what_belongs_to_a_type_is_changed_with_a_dot() {
    let text = "#lang ivy1.8
type t
object o = {
    type this
    relation r(X:this, Y:t)
    function f(X:this) : t
    function g(X:this) : t
    definition g(X) = f(X)
}
individual kept : o
action go(x:o, y:t, z:o) returns (q:o) = {
    require z ~= x & ~z.r(y);
    q := x;
    HERE
}
export go
";
    let after = |statement: &str, claim: &str| {
        let text = text.replace("HERE", &format!("{statement}; assert [c] {claim}"));
        let (system, diagnostics) = load("model.ivy", &text);
        failures(&Arc::new(system.unwrap_or_else(|| panic!("{statement}: {diagnostics:#?}")))).len()
    };
    for (statement, claim, failing) in [
        ("x.r(y) := true", "x.r(y) & q.r(y) & ~z.r(y)", 0),
        ("x.r(y) := true", "z.r(y)", 1),
        ("x.r(Y) := true", "o.r(x, Y) & ~z.r(y)", 0),
        ("q.f := y", "x.f = y & x.g = y & o.f(q) = y", 0),
        ("q.f := y", "z.f = y", 1),
        ("x.f := *", "x.f = y", 1),
        ("kept.f := y", "kept.f = y", 0),
    ] {
        assert_eq!(after(statement, claim), failing, "{statement}: {claim}");
    }
    for (statement, code) in [("x.g := y", "R022"), ("X.r(y) := true", "R006"), ("x.s := y", "R006")] {
        let (_, diagnostics) = load("model.ivy", &text.replace("HERE", statement));
        assert!(diagnostics.iter().any(|it| it.code.text() == code), "{statement}: {diagnostics:#?}");
    }
}
