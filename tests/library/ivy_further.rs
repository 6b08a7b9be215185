//! What objects with parameters declare of types, lists of declarations, members in definitions, and isolates beside actions
//! that nothing executes: programs in `.ivy`, each with what holds and what does not.

use std::path::Path;
use std::sync::Arc;

use crate::common::models::load;
use crate::ivy::{expect, failures};
use crate::ivy_isolates::verdicts;
use crate::ivy_library::closed;

#[test]
fn elements_and_fields_are_those_of_all_copies_of_an_object() {
    let text = "#lang ivy1.7
type t
object o(self:t) = {
  type el = {red, green}
  type pair = struct { fst : t, snd : bool }
  type z
  destructor size(X:z) : t
  individual c : el
  individual p : pair
  individual q : z
  after init { c := green; p.snd := true; q.size := self }
  action go(x:el, y:pair, w:z) = {
    require x ~= red & y.snd & size(w) = self;
    c := x;
    p := y;
    p.fst := self;
    q := w
  }
  object part = {
    individual d : el
    after init { d := red }
    invariant [least] d = red
  }
  invariant [kept] c = green & snd(p)
  invariant [own] size(q) = self
  invariant [either] c = red | c = green
}
export o.go
action use(x:o.pair, y:o.z) = { assert x.snd -> o.snd(x); assert o.size(y) = y.size & o.red ~= o.green }
export use
invariant [outer] o.c(X) = o.green
";
    expect(text, &[]);
    expect(&text.replace("require x ~= red & ", "require "), &[("o.go", "o.kept"), ("o.go", "outer")]);
    expect(&text.replace("q.size := self", "q.size := q.size"), &[("init", "o.own")]);
    // So it is in an object around it, and in copies of a module.
    let nested = text.replace("object o(", "object k(me:t) = { type col = {one, two} }\nobject o(").replace(
        "export o.go",
        "object n(a:t) = { object i(b:t) = { type e = {x1, x2} destructor f(X:e2) : t type e2 }
          individual v : i.e invariant [some] v = i.x1 | v = i.x2 invariant [other] k.one ~= k.two }
        export o.go",
    );
    let nested = nested.replace("destructor f(X:e2) : t type e2", "type e2 destructor f(X:e2) : t");
    expect(&nested, &[]);
    let copies = "#lang ivy1.7
type t
module m(s) = {
  type el = {red, green}
  individual c : el
  action go(x:el, y:s) = { require x ~= red; c := x }
  after init { c := green }
  invariant [kept] c = green
}
instance i(P:t) : m(t)
export i.go
action a = { assert i.c(X) = i.green }
export a
";
    expect(copies, &[]);
    expect(&copies.replace("x ~= red", "x = red"), &[("i.go", "i.kept")]);
    // They take no parameters.
    let (system, found) = load("model.ivy", &copies.replace("i.c(X) = i.green", "i.c(X) = i.green(X)"));
    assert!(system.is_none(), "{found:#?}");
}

#[test]
fn what_an_object_has_in_common_has_no_parameters_in_objects_around() {
    let text = "#lang ivy1.8
type t
object o(a:t) = {
  object i(b:t) = { common { relation r(X:t) after init { r(X) := false } } }
  invariant [none] ~i.r(X)
}
";
    expect(text, &[]);
    expect(&text.replace("~i.r(X)", "i.r(X)"), &[("init", "o.none")]);
}

#[test]
fn definitions_and_instances_stand_in_lists() {
    let text = "#lang ivy1.6
type t
relation r(X:t)
derived a(X:t) = r(X), b(X:t) = ~a(X)
relation c(X:t), d(X:t)
definition c(X) = r(X), d(X) = ~c(X)
module m(u) = { relation z(X:u) init ~z(X) action set(x:u) = { z(x) := true } }
instance i : m(t), j(P:t) : m(t)
conjecture [one] a(X) <-> ~b(X)
conjecture [two] c(X) <-> ~d(X)
conjecture [three] ~i.z(X)
conjecture [four] ~j.z(P, X)
export i.set
";
    expect(text, &[("i.set", "three")]);
    expect(
        &text.replace("~c(X)\n", "c(X)\n").replace("[three] ~", "[three] "),
        &[("init", "two"), ("init", "three")],
    );
    let later = text.replace("ivy1.6", "ivy1.7").replace("init ~z(X)", "after init { z(X) := false }");
    // From 1.7 on, `definition` is followed by one.
    assert!(load("model.ivy", &later).0.is_none());
    expect(&later.replace("r(X), d(X) =", "r(X) definition d(X) ="), &[("i.set", "three")]);
}

#[test]
fn parameters_of_definitions_have_members() {
    let text = "#lang ivy1.7
type t
type s = struct { val : t, flag : bool }
relation good(X:s) = X.flag
relation other(X:s)
definition other(X:s) = X.flag & X.val = X.val
function value(X:s) : t = X.val if X.flag else val(X)
derived better(X:s) = X.flag
action a(x:s) = {
  assert good(x) -> x.flag;
  assert other(x) <-> x.flag;
  assert value(x) = x.val;
  assert better(x)
}
export a
";
    expect(text, &[("assertion", "L13")]);
    // The type is given where the variable is bound.
    assert!(load("model.ivy", &text.replace("definition other(X:s)", "definition other(X)")).0.is_none());
}

#[test]
fn variables_of_quantifiers_stand_in_parentheses_without_a_dot() {
    let text = "#lang ivy1.7
object o = { type t relation r(X:t) }
type u
relation s(X:o.t, Y:u)
axiom [all] forall (X:o.t) o.r(X)
property [one] forall (X:o.t, Y:u) s(X, Y) -> o.r(X) & s(X, Y)
property [two] exists (X:o.t) ~o.r(X) | (forall (Y) s(X, Y))
";
    expect(text, &[("theorem", "two")]);
    assert!(load("model.ivy", &text.replace("exists (X:o.t)", "exists ()")).0.is_none());
    // Before 1.7 there is always a dot.
    assert!(
        load("model.ivy", "#lang ivy1.6\ntype t\nrelation r(X:t)\naxiom forall (X:t) r(X)\n").0.is_none()
    );
}

#[test]
fn statements_declare_variables_by_var_from_a_version_on() {
    let text = "#lang ivy1.6\ntype t\nrelation r(X:t)\naction a = { var x : t; r(x) := true }\nexport a\n";
    assert!(load("model.ivy", text).0.is_some());
    assert!(load("model.ivy", &text.replace("1.6", "1.5")).0.is_none());
}

#[test]
fn definitions_are_instantiated_again_in_a_proof() {
    let text = "#lang ivy1.7
type t
relation r(X:t)
relation q(X:t)
individual c : t
individual d : t
type n
interpret n -> nat
function f(X:n) : t
definition { f(X:n) = c if X <= 0 else (d if f(X - 1) = c else c) }
proof { apply rec[n] }
individual k : n
property [base] f(k) = c -> f(0) = c
proof { instantiate f with X = k; instantiate [two] f with X = 0:n }
";
    expect(text, &[]);
    // The first instance is not named `f`.
    let one = text.replace("; instantiate [two] f with X = 0:n", "; instantiate f with X = 0:n");
    assert!(load("model.ivy", &one).0.is_none());
}

#[test]
fn an_object_impl_is_that_of_the_object_around_it_alone() {
    let text = "#lang ivy1.7
type t
object o = {
  relation r(X:t)
  object impl = {
    relation own(X:t)
    axiom own(X)
    after init { r(X) := false }
  }
}
property [seen] o.impl.own(X)
invariant [none] ~o.r(X)
";
    // What the program knows of its own is not what the rest of it sees.
    expect(text, &[]);
    let unseen = "error: `o.r` changes here, which the isolate `this` depends on and does not see";
    let found = |text: &str| {
        let found = verdicts(text).into_iter().find(|(name, _)| name == "this");
        found.map(|(_, verdict)| verdict).unwrap_or_default()
    };
    assert_eq!(found(text), "init/none theorem/seen");
    let called = text
        .replace("after init { r(X) := false }", "action a = { r(c) := true }")
        .replace("relation r", "individual c : t\n  relation r");
    assert_eq!(found(&format!("{called}export o.impl.a\n")), unseen);
    // At the top, in a section, or where an isolate lists the object around it, it is seen.
    for seen in [
        text.replace("object impl = {", "implementation {").replace("o.impl.own", "o.own"),
        text.replace("object o = {\n", "").replace("  }\n}\n", "  }\n").replace("o.", ""),
        format!(
            "{}isolate i = o with this\n",
            text.replace("property [seen] o.impl.own(X)\ninvariant [none] ~o.r(X)\n", "")
                .replace("  object impl", "  invariant [none] ~r(X)\n  object impl")
        ),
    ] {
        let found = verdicts(&seen);
        assert!(found.iter().all(|(_, verdict)| verdict == "ok"), "{seen}{found:?}");
    }
    // A claim in it is shown by nothing, which Ivy does not tell.
    let claim = text.replace("axiom own(X)", "invariant own(X)");
    let lost = verdicts(&claim);
    assert!(
        lost.contains(&("program".to_owned(), "error: no isolate shows this claim".to_owned())),
        "{lost:?}"
    );
}

#[test]
fn invariants_of_others_hold_after_calls_of_what_the_environment_calls_if_they_come_first() {
    let text = "#lang ivy1.8
type t
isolate a = {
  relation on(X:t)
  individual cur : t
  after init { on(X) := false }
  action go(x:t) = { on(X) := X = x; cur := * }
  invariant [one] on(X) -> X = cur
}
action use(x:t) = { call a.go(x); assert a.cur = x }
export use
";
    let of_this = |text: &str| {
        let found = verdicts(text).into_iter().find(|(name, _)| name == "this");
        found.map(|(_, verdict)| verdict).unwrap_or_default()
    };
    let exported = format!("{text}export a.go\n");
    let before = |text: &str| text.replace("isolate a =", "invariant [mine] true\nisolate a =");
    assert_eq!(of_this(text), "ok");
    assert_eq!(of_this(&before(text)), "ok");
    assert_eq!(of_this(&exported), "ok");
    assert_eq!(of_this(&format!("{exported}invariant [mine] true\n")), "ok");
    assert_eq!(of_this(&before(&exported)), "assertion/L11");
}

#[test]
fn what_a_monitor_ensures_is_shown_where_the_monitor_is_verified() {
    let text = "#lang ivy1.7
type t
trusted isolate a = { action act(x:t) = { } }
isolate b = {
  relation st(X:t)
  export action use(x:t) = { call a.act(x) }
  after a.act(x:t) { ensure st(x) }
} with a
";
    let found = verdicts(text);
    assert!(found.contains(&("b".to_owned(), "assertion/L7".to_owned())), "{found:?}");
    let found = verdicts(&text.replace("ensure st(x)", "ensure st(x) | ~st(x)"));
    assert!(found.iter().all(|(_, verdict)| verdict == "ok"), "{found:?}");
}

#[test]
fn what_is_never_executed_calls_nothing() {
    let text = "#lang ivy1.8
type t
isolate a = {
  relation st(X:t)
  after init { st(X) := true }
  action act(x:t) = { st(x) := ~st(x) }
  invariant [all] st(X)
} with this
object b = {
  relation st(X:t)
  after init { st(X) := false }
  export action act(x:t) = { require st(x); call a.act(x) }
  invariant [none] ~st(X)
}
isolate c = {
  action act(x:t)
  before act { require x = x }
  object impl = { implement act(x:t) { call b.act(x) } }
} with b
";
    let found = verdicts(text);
    assert!(found.iter().all(|(_, verdict)| verdict == "ok"), "{found:?}");
    // Executed, it calls `b.act` in the middle of an action that `this` sees a part of, where the invariant of `this` may be broken.
    let found = verdicts(&format!("{text}export c.act\n"));
    assert!(found.iter().any(|(name, verdict)| name == "a" && verdict != "ok"), "{found:?}");
}

/// What a program changes again and again is not read twice as often each time.
#[test]
fn long_series_of_assignments_have_a_meaning() {
    let series = |count: usize, init: &str, statements: [&str; 2], assertion: &str| {
        let body: Vec<&str> = (0..count).map(|at| statements[at % 2]).collect();
        let body = body.join("; ");
        format!(
            "#lang ivy1.7\ntype t\nfunction f(X:t) : t\nrelation r(X:t)\nindividual c : t\nindividual d : t\n\
             after init {{ {init} }}\naction go(x:t) = {{ {body}; assert {assertion} }}\nexport go\n"
        )
    };
    let check = |text: &str, is_valid: bool| {
        let (system, diagnostics) = load("model.ivy", text);
        let system = Arc::new(system.unwrap_or_else(|| panic!("{diagnostics:#?}")));
        assert_eq!(failures(&system).is_empty(), is_valid, "{text}");
        let second = ramsey_naive::ivy::core(Path::new("model.ivy"), text, &|_, _| None);
        assert_eq!(second.as_ref(), Ok(&closed(&system)), "{text}");
    };
    let function = ["f(c) := f(x)", "f(x) := f(d)"];
    check(&series(18, "", function, "f(c) = f(x) | f(x) = f(d)"), true);
    check(&series(30, "", function, "f(c) = f(x) | f(x) = f(d)"), true);
    check(&series(30, "", function, "f(c) = c"), false);
    let branches = ["f(c) := f(x)", "if f(x) = c { f(x) := f(d) }"];
    check(&series(18, "f(X) := c", branches, "f(c) = f(c)"), true);
    let relation = ["r(c) := r(x) & ~r(d)", "r(x) := r(c) | r(d)"];
    check(&series(18, "", relation, "r(x)"), false);
    check(&series(30, "", relation, "r(x) <-> (r(c) | r(d))"), true);
    // So it is in initializers, where nothing is required.
    let init = ["f(c) := f(d); f(d) := f(c)"; 12].join("; ");
    check(&series(1, &init, ["assume true", ""], "f(x) = f(x)"), true);
}

/// An operation that a function is interpreted as is its value.
#[test]
fn functions_are_the_operations_that_they_are_interpreted_as() {
    let text = "#lang ivy1.7
type t
interpret t -> bv[2]
function f(X:t, Y:t) : t
interpret f -> +
individual c : t
property [sum] f(c, 1) ~= c & f(c, 0) = c & f(X, Y) = f(Y, X)
";
    expect(text, &[]);
    expect(&text.replace("-> +", "-> *"), &[("theorem", "sum")]);
    expect(&text.replace("f -> +", "f -> -").replace(" & f(X, Y) = f(Y, X)", ""), &[]);
    for wrong in ["interpret f -> <", "interpret f -> concat", "interpret c -> +", "interpret g -> +"] {
        let (system, found) = load("model.ivy", &text.replace("interpret f -> +", wrong));
        assert!(system.is_none(), "{wrong}: {found:#?}");
    }
}

/// The value of a function has the type of the function, also where nothing mentions it.
#[test]
fn values_of_functions_that_nothing_uses_have_the_right_types() {
    let text = "#lang ivy1.7
type t
type u
individual c : t
individual d : u
object o(me:t) = {
  function f(X:u) : t = c if X = d else me
  individual k : t
  definition k = me
  function z(X:u) : u = 0
}
property c = c
";
    expect(text, &[]);
    let second = |text: &str| ramsey_naive::ivy::core(Path::new("model.ivy"), text, &|_, _| None);
    let (system, _) = load("model.ivy", text);
    assert_eq!(second(text).expect("it is covered"), closed(&system.expect("it is read")));
    for (right, wrong) in
        [("= c if", "= d if"), ("X = d", "X = c"), ("k = me", "k = d"), ("k = me", "k = other")]
    {
        let text = text.replace(right, wrong);
        let (system, found) = load("model.ivy", &text);
        assert!(system.is_none(), "{found:#?}\n{text}");
        assert!(second(&text).is_err(), "{text}");
    }
}

#[test]
fn what_is_defined_follows_a_crash() {
    let text = "#lang ivy1.7
type t
object o = {
  relation q(X:t)
  relation d(X:t) = q(X)
  relation e(X:t)
  definition e(X) = d(X)
  function f(X:t) : t = X
  after init { q(X) := true }
  action crash = *
}
export o.crash
invariant [kept] o.f(X) = X
invariant [follows] (o.d(X) <-> o.q(X)) & (o.e(X) <-> o.d(X))
invariant [lost] o.d(X)
";
    expect(text, &[("o.crash", "lost")]);
}

#[test]
fn errors_in_proofs_of_assertions_are_told_once() {
    let text = "#lang ivy1.7
type t
relation r(X:t)
action f(x:t) = { assert r(x) proof { assume nothing with X = x } }
action g(x:t) = { call f(x); call f(x) }
export f
export g
";
    let (system, diagnostics) = load("model.ivy", text);
    assert!(system.is_none());
    let told = diagnostics.iter().filter(|it| it.message.contains("no rule has the name `nothing`"));
    assert_eq!(told.count(), 1, "{diagnostics:#?}");
}

/// Returns what the second front reads, or why it does not.
fn read_again(text: &str) -> Result<String, ramsey_naive::Refusal> {
    ramsey_naive::ivy::core(Path::new("model.ivy"), text, &|_, _| None)
}

#[test]
fn operators_and_truth_values_are_arguments_of_modules() {
    let text = "#lang ivy1.7
type t
axiom [order] ~(X:t < Y & Y < X)
module inner(op) = {
  action go(x:t, y:t) = { if op(x, y) { assert ~op(y, x) } }
}
module m(lt, b) = {
  instance part : inner(lt)
  relation q(X:t, Y:t)
  after init { q(X, Y) := b & lt(X, Y) }
  action set(x:t) = { q(x, Y) := b & lt(x, Y) }
  invariant [one] q(X, Y) -> ~q(Y, X)
  invariant [two] q(X, Y) -> lt(X, Y)
  invariant [three] b
}
instance i : m(<, true)
export i.set
export i.part.go
";
    expect(text, &[]);
    let read = |text: &str| {
        let (system, found) = load("model.ivy", text);
        let system = system.unwrap_or_else(|| panic!("{text}\n{found:#?}"));
        assert_eq!(read_again(text).as_ref(), Ok(&closed(&system)), "{text}");
    };
    read(text);
    expect(&text.replace("(<, true)", "(<, false)"), &[("init", "i.three")]);
    expect(&text.replace("(<, true)", "(>, true)"), &[]);
    let weak = [("init", "i.one"), ("i.set", "i.one"), ("assertion", "L5")];
    for sign in ["<=", ">=", "="] {
        let text = text.replace("(<, ", &format!("({sign}, "));
        expect(&text, &weak);
        read(&text);
    }
    read(&text.replace("(<, true)", "(>, false)"));
    // Up to version 1.5 nothing is known of `<=`, whatever it is called.
    let early = text.replace("1.7", "1.5").replace("invariant", "conjecture").replace("(<,", "(<=,");
    assert!(load("model.ivy", &early).0.is_none() && read_again(&early).is_err());
    // They are no types, take two operands, and are not assigned.
    let wrong = [
        ("q(X:t, Y:t)", "q(X:b, Y:t)"),
        ("-> lt(X, Y)", "-> lt(X)"),
        ("-> lt(X, Y)", "-> lt"),
        ("-> lt(X, Y)", "-> lt(X, Y, Y)"),
        ("{ q(x, Y) := b & lt(x, Y) }", "{ lt(x, Y) := true }"),
        ("{ q(x, Y) := b & lt(x, Y) }", "{ b := true }"),
        ("invariant [three] b", "definition lt(X:t, Y:t) = true"),
        ("invariant [three] b", "invariant [three] b(X:t)"),
        ("invariant [three] b", "invariant [three] b:t = b"),
        ("(<, true)", "(~, true)"),
        ("(<, true)", "(<, t < t)"),
    ];
    for (from, to) in wrong {
        let text = text.replace(from, to);
        assert!(load("model.ivy", &text).0.is_none(), "{text}");
        assert!(read_again(&text).is_err(), "{text}");
    }
}

#[test]
fn sums_are_arguments_of_modules() {
    let text = "#lang ivy1.7
type t
module m(plus) = {
  action go(x:t) returns (y:t) = { y := plus(x, 1); assert y = x + 1; assert x + 1 = plus(x, 1) }
}
instance i : m(+)
export i.go
";
    expect(text, &[]);
    assert_eq!(failed(&text.replace("m(+)", "m(*)")).len(), 1);
}

#[test]
fn a_numeral_with_its_type_decreases() {
    let text = "#lang ivy1.7
type t
relation p
action go = {
  p := false;
  while p decreases 5:t { p := false }
}
export go
axiom [least] ~(X:t < 0)
";
    // It does not become less, but there is no turn.
    expect(&text.replace("while p", "while p invariant ~p"), &[]);
    assert_eq!(failed(text).len(), 1);
    assert_eq!(failed(&text.replace("axiom [least] ~(X:t < 0)", "")).len(), 2);
}

#[test]
fn what_a_repeated_variable_changes_is_told() {
    let text = "#lang ivy1.7
type t
relation r(X:t, Y:t)
action go = { r(X, X) := true }
export go
";
    for text in [text.to_owned(), text.replace(":= true", ":= *")] {
        let (system, found) = load("model.ivy", &text);
        assert!(system.is_none());
        let [error] = &found[..] else { panic!("{found:#?}") };
        assert!(error.notes.iter().any(|note| note.contains("only the last `X`")), "{error:#?}");
        assert!(read_again(&text).is_err());
    }
}

fn failed(text: &str) -> Vec<(String, String)> {
    let (system, diagnostics) = load("model.ivy", text);
    failures(&Arc::new(system.unwrap_or_else(|| panic!("{diagnostics:#?}"))))
}

/// What Ivy reads in no version is an error in both fronts, which tells how it is written.
#[test]
fn variables_begin_with_capitals_and_parentheses_have_parameters() {
    let text = "#lang ivy1.7
type t
relation r(X:t)
function f(X:t) : t
relation d
module m = { relation q(X:t) }
instance i(P:t) : m
object o(p:t) = { relation r }
derived e(X:t) = r(X)
individual c : t
axiom [some] exists X:t. r(X)
action go(x:t) returns (y:t) = { if some z:t. r(z) { y := z } }
after go(x:t) { assert r(c) | exists Z:t. r(Z) }
action stop
export go
property [all] forall X:t. e(X) <-> r(X)
";
    let capital = "variables begin with a capital letter";
    let empty = "what has no parameters has no parentheses";
    let wrong = [
        ("exists X:t. r(X)", "exists x:t. r(x)", capital),
        ("exists Z:t. r(Z)", "exists _z:t. r(_z)", capital),
        ("forall X:t. e(X)", "forall X:t, y:t. e(X)", capital),
        ("forall X:t. e(X)", "forall (X:t, y:t) e(X)", capital),
        ("i(P:t)", "i(p:t)", capital),
        ("i(P:t)", "i(P:t, p:t)", capital),
        ("relation d", "relation d()", empty),
        ("relation d", "function d() : t", empty),
        ("object o(p:t)", "object o()", empty),
        ("object o(p:t)", "isolate o()", empty),
        ("derived e", "derived z() = true derived e", empty),
        ("derived e", "definition d() = true derived e", empty),
        ("some z:t. r(z) {", "some () d {", empty),
        ("action stop", "action stop returns ()", empty),
    ];
    for version in ["1.5", "1.6", "1.7", "1.8"] {
        let text = text.replace("1.7", version);
        assert!(load("model.ivy", &text).0.is_some() && read_again(&text).is_ok(), "{text}");
        for (from, to, help) in wrong {
            if version < "1.7" && to.contains("forall (") {
                continue;
            }
            let text = text.replacen(from, to, 1);
            let (system, found) = load("model.ivy", &text);
            assert!(system.is_none(), "{text}");
            let is_told = |it: &ramsey::diag::Diagnostic| it.help.iter().any(|it| it.starts_with(help));
            assert!(found.iter().any(is_told), "{text}\n{found:#?}");
            assert!(read_again(&text).is_err_and(|it| !it.is_uncovered), "{text}");
        }
        // Calls, modules, instances, individuals and actions may have them, the latter unlike in Ivy.
        for (from, to) in [
            ("module m", "module m()"),
            ("i(P:t) : m", "i() : m()"),
            ("individual c", "individual c()"),
            ("action stop", "action stop action twice = { stop(); call stop() }"),
            ("action stop", "action stop() before stop() {}"),
        ] {
            let text = text.replacen(from, to, 1);
            let (system, found) = load("model.ivy", &text);
            assert!(system.is_some() && read_again(&text).is_ok(), "{text}\n{found:#?}");
        }
    }
}
