//! Declarations of `.ivy` beside types, relations and actions, each with what holds of it and what does not.

use crate::common::models::load;
use crate::ivy::expect;
use ramsey::base::budget::Exhausted;
use ramsey::query::{Limits, Options, Outcome, Plan};
use std::sync::Arc;

#[test]
fn operators_are_declared_and_defined() {
    let text = "#lang ivy1.7
type t
relation r(X:t,Y:t)
relation (X:t < Y:t)
action a(x:t,y:t) = { require x < y; r(x,y) := true }
export a
invariant [less] r(X,Y) -> X < Y
invariant [least] r(X,Y) -> X <= Y & Y > X
invariant [wrong] r(X,Y) -> Y <= X
";
    expect(text, &[("init", "less"), ("init", "least"), ("init", "wrong"), ("a", "wrong")]);
    // A definition follows what it is about, and the other orders follow it.
    let defined = text
        .replace("relation (X:t < Y:t)", "definition (X:t < Y:t) = r(X,Y) & X ~= Y")
        .replace("require x < y", "require x ~= y");
    expect(&defined, &[("init", "less"), ("init", "least"), ("init", "wrong"), ("a", "wrong")]);
    let initial = "after init { r(X,Y) := false }\nexport a";
    expect(&defined.replace("export a", initial), &[("a", "wrong")]);
    // The type is that of an argument in the definition.
    let inferred = defined.replace("(X:t < Y:t) =", "(X < Y) =").replace("export a", initial);
    expect(&inferred, &[("a", "wrong")]);
}

#[test]
fn values_are_ones_of_variants() {
    let text = "#lang ivy1.7
type t
variant v of t = struct { n : bool, m : bool }
variant u of t
individual x : t
individual y : t
action keep(z:t) = { y := z }
action a(p:v,q:u) = {
  x := p;
  assert x *> p & ~(x *> q) & (x isa v);
  call keep(p);
  assert x = y;
  if z:v := y { assert z = p } else { assert false };
  if some(z:v) x *> z { assert z.n <-> p.n }
}
export a
invariant [both] ~(exists P:v,Q:u. x *> P & x *> Q)
invariant [isv] x isa v
";
    expect(text, &[("init", "isv")]);
    expect(&text.replace("(x isa v);", "(x isa u);"), &[("init", "isv"), ("assertion", "L10")]);
    expect(&text.replace("z.n <-> p.n", "z.n <-> p.m"), &[("init", "isv"), ("assertion", "L14")]);
    // That there is a value for each one of a variant is not said.
    let exists = "#lang ivy1.7\ntype t\nvariant v of t\nproperty [all] exists X:t. X *> (Y:v)\n";
    expect(exists, &[("theorem", "all")]);
}

#[test]
fn one_of_several_values_is_chosen() {
    let text = "#lang ivy1.7
type t
type u
relation r(X:t,Y:u)
individual d : u
function f(X:t) : u = some Y:u. r(X,Y)
function g(X:t) : u
definition g(x:t) = some Y. r(x,Y) in Y else d
property [some] r(X,Y) -> r(X,f(X))
property [all] r(X,f(X))
property [other] g(X) = d | r(X,g(X))
property [none] (forall Y. ~r(X,Y)) -> g(X) = d
property [any] (forall Y. ~r(X,Y)) -> f(X) = d
";
    expect(text, &[("theorem", "all"), ("theorem", "any")]);
    // The value is one in all states: what it depends on does not change, in no version.
    for version in ["1.6", "1.7"] {
        let changing = format!(
            "#lang ivy{version}\ntype t\nrelation r(X:t)\nrelation q(X:t)\nderived p(X:t) = r(X)\n\
             function c : t = some Y:t. p(Y)\naction a(x:t) = {{ r(x) := true }}\nexport a\n"
        );
        let (system, diagnostics) = load("model.ivy", &changing);
        assert!(system.is_none() && diagnostics[0].message.contains("`r`"), "{diagnostics:#?}");
    }
}

#[test]
fn wires_are_read_where_transitions_begin() {
    let text = "#lang ivy1.8
type t
relation r(X:t)
wire w(X:t) : bool = r(X)
relation d(X:t) = r(X)
after init { r(X) := false }
action a(x:t) = { r(x) := true; assert w(x) <-> old r(x); assert d(x); b(x); assert d(x) }
action b(x:t) = { r(x) := false; assert w(x) }
export a
export b
invariant [now] w(X) <-> r(X)
";
    expect(text, &[("assertion", "L8"), ("assertion", "L7.3"), ("assertion", "L8.2")]);
    // So are those without arguments, which may be of any type.
    let constant = "#lang ivy1.8
type t
var c : t
function f(X:t) : t
wire e : t = c
wire u : t = f(e)
action a(x:t) = { c := x; assert e = old c; assert u = f(old c); assert e = x }
export a
invariant [now] e = c & u = f(c)
";
    expect(constant, &[("assertion", "L7.3")]);
}

#[test]
fn crashes_leave_what_specifications_say() {
    let text = "#lang ivy1.7
type t
object o(self:t) = {
  relation p
  relation q(X:t)
  object spec = { relation s  after init { s := true } }
  after init { p := true; q(X) := true }
  action crash = *
  after crash { p := true }
}
relation z
after init { z := true }
export o.crash
invariant [kept] o.p(X)
invariant [lost] o.q(X,Y)
invariant [spec] o.spec.s(X)
invariant [outside] z
";
    expect(text, &[("o.crash", "lost")]);
    // Other values of the parameter are not affected.
    let others =
        text.replace("o.q(X,Y)", "o.q(X,Y) | c ~= X").replace("relation z", "individual c : t\nrelation z");
    expect(&others, &[("o.crash", "lost")]);
    // What does not have the parameters of the action is an error.
    let (system, diagnostics) =
        load("model.ivy", "#lang ivy1.7\ntype t\nrelation p\naction crash(x:t) = *\nexport crash\n");
    assert!(system.is_none() && diagnostics[0].message.contains("first arguments"), "{diagnostics:#?}");
}

#[test]
fn actions_are_monitors_and_delegate_claims() {
    let mixed = "#lang ivy1.6
type t
relation p(X:t)
action a(x:t) = { p(x) := true }
action m(x:t) = { assert ~p(x) }
action n(x:t) = { assert p(x) }
action b(x:t) = { call a(x) }
mixin m before a
mixin n after a
export a
export b
";
    expect(mixed, &[("assertion", "L5")]);
    expect(&mixed.replace("export b\n", ""), &[]);
    expect(
        &mixed.replace("{ p(x) := true }", "{ p(x) := false }").replace("export b\n", ""),
        &[("assertion", "L6")],
    );
    let delegated = "#lang ivy1.7
relation p
action a = { assert p; p := true }
action b = { call a }
action c = { require p; call a }
delegate a
export c
";
    expect(delegated, &[]);
    expect(&delegated.replace("export c", "export b\nexport c"), &[("assertion", "L3")]);
}

#[test]
fn members_are_applied_one_after_the_other() {
    let text = "#lang ivy1.7
object foo = {
  type this
  relation r(X:this)
  function g(X:this) : this
  action id(x:this) returns (y:this) = { y := x }
  function f(X:this) = X
  action set(x:this,v:bool) = { r(x) := v }
}
var s : foo
action a(x:foo) = {
  var z := x.id.id.id;
  assert z = x;
  x.id.set(true);
  assert x.r & x.f.f.r;
  s := x.f.id;
  foo.g(x) := x;
  assert s.r & s.g = x;
  assert (old x).g = x;
  assert forall X:foo. X.f = X;
  assert old s.g = old s.g;
  assert old s.g = s.g;
  assert (old s).r
}
export a
invariant [f] forall X:foo. X.r -> X.f.r
";
    expect(text, &[("assertion", "L22"), ("assertion", "L23")]);
}

#[test]
fn instances_are_made_where_they_are_mentioned() {
    let text = "#lang ivy1.7
module vec(range) = {
  type this
  alias t = this
  function value(X:t,Y:t) : range
  action get(x:t) returns (y:range) = { y := value(x,x) }
}
autoinstance vec[range] : vec(range)
type elem
object o = {
  type e
  var v : vec[e]
  var w : vec[vec[elem]]
  action a returns (x:e) = { x := v.get; assert x = v.value(v) }
  action b returns (x:vec[elem]) = { x := w.get; assert w.get.get = x.get; assert x = w.value(w) }
  action c(x:vec[o.e]) = { v := x; assert v = x; assert v ~= x }
}
export o.a
export o.b
export o.c
";
    expect(text, &[("assertion", "L16.2")]);
}

#[test]
fn temporal_claims_are_unknown() {
    let text = "#lang ivy1.7
relation b
after init { b := true }
action a = { b := b }
export a
temporal property [always] globally b
temporal property [once] (eventually ~b) -> b
invariant [now] b
";
    let (system, diagnostics) = load("model.ivy", text);
    let system = Arc::new(system.unwrap_or_else(|| panic!("{diagnostics:#?}")));
    let outcomes = |safety_only| {
        let plan = Plan::new(Arc::clone(&system), Options { safety_only, ..Options::default() });
        let limits = Limits::default();
        let groups = (0..plan.groups()).map(|group| plan.run_group(group, &limits));
        groups.flat_map(|group| group.results).map(|it| it.outcome).collect::<Vec<_>>()
    };
    let (all, safety) = (outcomes(false), outcomes(true));
    let temporal = |outcome: &&Outcome| matches!(outcome, Outcome::Unknown(Exhausted::Temporal));
    assert_eq!(all.iter().filter(temporal).count(), 2, "{all:?}");
    assert_eq!(all.len(), safety.len() + 2);
    assert!(!safety.is_empty() && safety.iter().all(|it| matches!(it, Outcome::Holds { .. })), "{safety:?}");
    // Names in it are checked.
    let (system, _) = load("model.ivy", &text.replace("globally b", "globally c"));
    assert!(system.is_none());
}

#[test]
fn text_in_other_languages_is_trusted_where_nothing_sees_it() {
    let text = "#lang ivy1.7
type t
function f(X:t) : t
definition f(X) = <<< X + 1 >>>
trusted isolate o = {
  action g(x:t) returns (x:t)
  object impl = { implement g { <<< x++; >>> } }
  <<< header
  #include <vector>
  >>>
}
action a(y:t) = { var z := o.g(y); assert z = y }
export a
property [same] f(X) = f(X)
property [other] f(X) = X
";
    expect(text, &[("assertion", "L12"), ("theorem", "other")]);
    // What nothing executes says nothing; what an isolate executes is an error.
    let unused = "#lang ivy1.7
relation p
isolate i = {
    action g = { <<< p(); >>> }
    action h = { call g }
    action run = { p := p }
}
invariant p | ~p
export i.run
";
    let ok = [("i", "ok"), ("this", "ok")].map(|(name, told)| (name.to_owned(), told.to_owned()));
    let found = crate::ivy_isolates::verdicts(
        &unused.replace("isolate i = {", "isolate i = { after init { p := false }"),
    );
    assert_eq!(found, ok);
    let (system, found) = load("model.ivy", &unused.replace("p := p", "call h"));
    let is_native =
        |it: &ramsey::diag::Diagnostic| it.message == "statements in another language are not verified";
    assert!(system.is_none() && found.iter().any(is_native), "{found:#?}");
}

#[test]
fn statements_of_the_newest_version() {
    let text = "#lang ivy1.8
relation p
after init { p := true }
unprovable invariant [never] ~p
action a = { unprovable assert false; debug \"here\" with x = p, y = ~p; require p; p := p; ensure p }
export a
invariant [kept] p
";
    expect(text, &[]);
    let (system, _) = load("model.ivy", &text.replace("ivy1.8", "ivy1.7"));
    assert!(system.is_none());
    for value in ["x = q", "x = 0", "x.y = p", "x = p, p"] {
        let (system, _) = load("model.ivy", &text.replace("x = p, y = ~p", value));
        assert!(system.is_none(), "{value}");
    }
}

#[test]
fn sizes_are_arguments_and_globals_are_seen() {
    let sized = "#lang ivy1.8
include numbers
type u
action a(x:uint[2]) returns (y:uint[2]) = { y := uint[2].next(x); assert x = 3 -> y = 0 }
export a
";
    expect(sized, &[]);
    let seen = "#lang ivy1.8
global {
  object o = { individual c : bool  axiom [true] c }
}
isolate i = { property [uses] o.c }
";
    let (system, diagnostics) = load("model.ivy", seen);
    assert!(system.is_some(), "{diagnostics:#?}");
    assert_eq!(
        crate::ivy_isolates::verdicts(seen),
        [("i", "ok"), ("this", "ok")].map(|(a, b)| (a.to_owned(), b.to_owned()))
    );
    let hidden = seen.replace("global {", "specification {");
    let told = crate::ivy_isolates::verdicts(&hidden);
    assert_eq!(told[0], ("i".to_owned(), "theorem/i.uses".to_owned()));
    // What an object keeps for itself stays so, and what stands in the section beside it does not.
    let object = "object o = { individual c : bool  axiom [true] c }";
    for (section, fails) in [
        ("object o = { individual c : bool  private { axiom [true] c } }", true),
        ("object o = { individual c : bool  implementation { axiom [true] c } }", true),
        ("object o = { individual c : bool  object impl = { axiom [true] c } }", true),
        ("object o = { individual c : bool  object more = { axiom [true] c } }", false),
        ("object o = { individual c : bool }  private { axiom [true] o.c }", false),
    ] {
        let text = seen.replace(object, section);
        let told = crate::ivy_isolates::verdicts(&text);
        let expected = if fails { "theorem/i.uses" } else { "ok" };
        assert_eq!(told[0], ("i".to_owned(), expected.to_owned()), "{section}");
    }
    // An instance that is made where the section mentions it stands not in it.
    let mentioned = "#lang ivy1.8
type t
module m(x) = { type this  relation p(X:this)  axiom [all] p(X) }
autoinstance arr[x] : m(x)
global { relation r(X:arr[t]) }
isolate i = { property [uses] forall X:arr[t]. X.p }
";
    assert_eq!(crate::ivy_isolates::verdicts(mentioned)[0].1, "theorem/i.uses");
}

#[test]
fn classes_are_types_with_fields() {
    let text = "#lang ivy1.8
type bool_index
class c = {
  field a : bool
  field f(X:bool_index) : bool
  action set(self:c) returns (self:c) = { self.a := true; assert self.a }
}
subclass d of c = { field b : bool }
individual x : c
action go(y:d) = { require y.b; x := y; assert x *> y; assert x.set.a; assert x.a }
export go
";
    expect(text, &[("assertion", "L10.3")]);
    let own = text.replace("action set(self:c) ", "method set ");
    assert_ne!(own, text);
    expect(&own, &[("assertion", "L10.3")]);
    // Its objects may have parameters.
    let text = "#lang ivy1.8
type t
class c(p:t) = {
  field a : bool
  relation r
  after init { r := true }
  export action go(x:c) = { r := x.a; x.a := true; assert x.a }
  invariant r
}
";
    expect(text, &[("c.go", "L8")]);
    // A class may go on with an object that has no type.
    let text = "#lang ivy1.8
object c = { relation r }
class c = { ... field a : bool relation q invariant r -> q }
individual x : c
action go = { c.r := false; x.a := true }
export go
";
    expect(text, &[("init", "L3")]);
}

#[test]
fn claims_that_help_have_names() {
    let text = "#lang ivy1.7
relation p
after init { p := true }
invariant [one] p
invariant [two] p with one
action a = { p := p }
export a
";
    expect(text, &[]);
    let (system, diagnostics) = load("model.ivy", &text.replace("with one", "with never"));
    assert!(system.is_none() && diagnostics[0].message.contains("never"), "{diagnostics:#?}");
}

#[test]
fn scenarios_are_monitors() {
    let text = "#lang ivy1.7
type t
relation r(X:t)
action a(x:t)
action b
after init { r(X) := false }
scenario {
    -> idle;
    idle -> busy, held : before a(x:t) { r(x) := true }
    busy -> idle : after b { r(X) := false }
    busy, held : after b { r(X) := r(X) }
}
export a
export b
invariant [one] ~(idle & busy)
invariant [free] idle -> ~r(X)
invariant [taken] busy -> exists X. r(X)
";
    expect(text, &[]);
    // Without a token the action is not called, and nothing happens after it.
    expect(&text.replace("[one] ~(idle & busy)", "[one] held -> busy"), &[("b", "one")]);
    expect(&text.replace("-> idle;", "-> busy;"), &[("init", "taken")]);
    expect(&text.replace("busy -> idle :", "busy -> idle, busy :"), &[("b", "one"), ("b", "taken")]);
    // Each one after the other.
    expect(
        &text
            .replace("busy -> idle :", "busy -> idle, held :")
            .replace("busy, held : after", "idle, held -> busy : after"),
        &[("b", "taken")],
    );
    // One of several transitions before an action.
    let several = text.replace("-> idle;", "-> idle;\n    held -> busy : before a(x:t) { r(x) := false }");
    expect(&several, &[("a", "one"), ("a", "taken")]);
    // A parameter, or a result, hides a place, which is what tokens are in all the same.
    let hidden =
        ["before a(q:bool) { }", "before a { }", "after a(x:bool) returns (q:bool) { }", "after a { }"];
    for monitor in hidden {
        let text = format!(
            "#lang ivy1.7
relation r
action a(q:bool) returns (p:bool) = {{ r := q; p := q }}
export a
scenario {{ -> p; p -> q : {monitor} }}
invariant ~q
"
        );
        let (system, found) = load("model.ivy", &text);
        assert!(system.is_none() && found[0].message.contains("has the name of the place"), "{found:#?}");
    }
    // A choice among very many is too deep.
    let many = "held -> busy : before a(x:t) { }\n".repeat(5000);
    let (system, _) = load("model.ivy", &text.replace("-> idle;", &format!("-> idle;\n{many}")));
    assert!(system.is_none());
}

#[test]
fn progress_is_unknown_and_constructors_are_functions() {
    let text = "#lang ivy1.7
type t
relation r(X:t)
after init { r(X) := false }
action go(x:t) = { r(x) := true }
export go
progress done(X:t) = r(X)
rely done(X) -> r(X)
invariant [kept] r(X) | ~r(X)
object o = {
    type this = struct { f : t, g : t }
    constructor c(F:t, G:t) : this
}
individual d : t
";
    let (system, diagnostics) = load("model.ivy", text);
    let system = Arc::new(system.unwrap_or_else(|| panic!("{diagnostics:#?}")));
    let results = Plan::new(system, Options::default()).run(&Limits::default()).results;
    let unknown = |it: &&Outcome| matches!(it, Outcome::Unknown(Exhausted::Temporal));
    let outcomes: Vec<Outcome> = results.into_iter().map(|it| it.outcome).collect();
    assert_eq!(outcomes.iter().filter(unknown).count(), 1, "{outcomes:?}");
    assert_eq!(outcomes.iter().filter(|it| matches!(it, Outcome::Holds { .. })).count(), 2);
    let made = |claim: &str| {
        let text = text.replace("progress done(X:t) = r(X)\nrely done(X) -> r(X)\n", "");
        format!("{text}property [made] {claim}\n")
    };
    expect(&made("o.c(d, d) = o.c(d, d)"), &[]);
    expect(&made("o.f(o.c(d, d)) = d"), &[("theorem", "made")]);
}

#[test]
fn bits_of_numbers_are_some_function() {
    let text = "#lang ivy1.7
type w
type b
interpret w -> bv[4]
interpret b -> bv[2]
individual x : w
individual y : b
function low(X:w) : b = bfe[0][1](X)
action read(z:w) = { y := bfe[0][1](z); x := z }
export read
after init { y := bfe[0][1](x) }
invariant [kept] y = low(x)
property [same] X = Y -> low(X) = low(Y)
";
    expect(text, &[]);
    // What it is of numbers is not known, and of other types it may be anything.
    let unknown = |text: &str| {
        let (system, diagnostics) = load("model.ivy", text);
        let system = Arc::new(system.unwrap_or_else(|| panic!("{diagnostics:#?}")));
        let results = Plan::new(system, Options::default()).run(&Limits::default()).results;
        results.iter().filter(|it| matches!(it.outcome, Outcome::Unknown(Exhausted::Arithmetic))).count()
    };
    assert_eq!(unknown(text), 0);
    assert_eq!(unknown(&text.replace("x := z", "x := x")), 1);
    assert_eq!(unknown(&text.replace("y = low(x)", "y = bfe[0][2](x)")), 2);
    assert_eq!(unknown(&text.replace("X = Y -> low", "low")), 1);
    // From version 1.8 on they are written as in hardware as well, the highest one first. They bind more than all operators.
    let newer = text.replace("ivy1.7", "ivy1.8").replace("bfe[0][1](z)", "z<<1:0>>");
    expect(&newer, &[]);
    assert_eq!(unknown(&newer.replace("y = low(x)", "y = x<<1:0>>")), 0);
    assert_eq!(unknown(&newer.replace("y = low(x)", "y = x<<2:0>>")), 2);
    expect(&format!("{newer}property [tight] x = x + x<<1:0>> <-> x = x + (bfe[0][1](x))\n"), &[]);
    for wrong in
        ["x<<1>> = y", "x<<y:0>> = y", "x<<1:0> = y", "x< <1:0>> = y", "x<<1:0>", "x<<", "x<<1:0>>(x) = y"]
    {
        let (system, _) = load("model.ivy", &format!("{newer}property [wrong] {wrong}\n"));
        assert!(system.is_none(), "{wrong}");
    }
    let (system, found) = load("model.ivy", &newer.replace("x := z }", "x<<1:0>> := z }"));
    let has_error = found.iter().any(|it| it.message == "the bits of a number are not assigned");
    assert!(system.is_none() && has_error, "{found:#?}");
    let others = text.replace("interpret w -> bv[4]\n", "").replace("interpret b -> bv[2]\n", "");
    expect(&others.replace("x := z", "x := x"), &[("read", "kept")]);
    // The types are those of the argument and of what the value is compared with.
    for wrong in ["bfe[0][1](X) = bfe[0][1](x)", "y = bfe[0][1](X)", "y = bfe[0][1](x, x)", "y = bfe[0](x)"] {
        let (system, _) = load("model.ivy", &format!("{text}property [wrong] {wrong}\n"));
        assert!(system.is_none(), "{wrong}");
    }
}

#[test]
fn what_is_common_has_no_parameters() {
    let text = "#lang ivy1.8
type t
module counter = { individual value : t  action set(x:t) = { value := x } }
object out(o:t) = {
    object app(self:t) = {
        individual mine : bool
        common {
            individual last : t
            relation seen(X:t)
            instance all : counter
            action note(x:t) = { seen(x) := true; last := x; call all.set(x) }
            after init { seen(X) := false }
            invariant [kept] ~seen(all.value) | seen(last)
        }
        after init { mine := false }
        action go = { mine := true; call note(self) }
        invariant [own] mine -> seen(self)
    }
}
export out.app.go
invariant [every] out.app.mine(O, X) -> out.app.seen(X)
invariant [same] out.app.seen(X) -> out.app.all.value = out.app.last
";
    expect(text, &[]);
    let wrong = text.replace("mine := true; call note(self)", "mine := true; call note(o)");
    expect(&wrong, &[("out.app.go", "out.app.own"), ("out.app.go", "every")]);
    // It depends on no parameter, and is nothing of each object.
    for wrong in
        [text.replace("last := x;", "mine := true;"), text.replace("out.app.seen(X)", "out.app.seen(O, X)")]
    {
        let (system, _) = load("model.ivy", &wrong);
        assert!(system.is_none(), "{wrong}");
    }
}

#[test]
fn default_values_of_parameters_say_nothing() {
    let text = "#lang ivy1.7
type t
parameter n : t
parameter m : t = n
action a(x:t) = { m := x }
export a
property [same] n = m
";
    expect(text, &[("theorem", "same")]);
    let (_, found) = load("model.ivy", text);
    assert!(found.iter().any(|it| it.message == "`= ..` is read, and nothing follows from it"), "{found:#?}");
}

#[test]
fn constants_and_texts_may_have_their_types() {
    let text = "#lang ivy1.7
type t
type u
relation r(X:t)
individual c : t
object o = { individual d : t }
action a(x:t) = { if c:t = x { r(c:t) := true; call b(x:t) } }
action b(x:t) = { require c:t = x:t }
export a
property [same] c:t = c & o.d:t = o.d
property [texts] \"a:b\":t = \"a:b\" | r(c:t)
";
    expect(text, &[]);
    for wrong in
        ["c:u = c", "o.d:u = o.d", "a:t = c", "r(c:u)", "nothing:t = c", "\"a\":t = \"a\":u", "o:t = c"]
    {
        let (system, _) = load("model.ivy", &format!("{text}property [wrong] {wrong}\n"));
        assert!(system.is_none(), "{wrong}");
    }
}

#[test]
fn texts_are_different_and_have_an_order() {
    let text = |claim: &str| {
        format!(
            "#lang ivy1.7\ntype s\ninterpret s -> strlit\ntype t\nindividual x : s\nindividual y : s\nproperty [claim] {claim}\n"
        )
    };
    for holds in [
        "\"a\":s ~= \"b\"",
        "x = \"a:b\":s -> x ~= \"a\"",
        "\"b\":s < \"ba\"",
        "\"a b\":s < \"a!\"",
        "\"B\":s < \"a\"",
        "\"\":s <= x",
        "x < y | y < x | x = y",
    ] {
        expect(&text(holds), &[]);
    }
    // What a text with `\\` stands for is not known, and of other types no two texts are.
    for open in [
        "x = \"a\"",
        "\"b\":s < \"a\"",
        "\"\\\\n\":s ~= \"n\"",
        "\"é\":s ~= \"e\"",
        "\"a\":t ~= \"b\"",
        "\"a\":t < \"b\"",
    ] {
        expect(&text(open), &[("theorem", "claim")]);
    }
}
