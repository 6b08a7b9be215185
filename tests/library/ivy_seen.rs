//! What isolates of programs in `.ivy` have to see, and what they need not see: initializers, text of other languages, and claims.

use crate::ivy::expect as expect_failures;
use std::sync::Arc;

use crate::common::models::load;
use crate::ivy::failures;
use crate::ivy_isolates::verdicts;

#[track_caller]
fn expect(text: &str, expected: &[(&str, &str)]) {
    let found = verdicts(text);
    let found: Vec<(&str, &str)> = found.iter().map(|(name, verdict)| (&**name, &**verdict)).collect();
    assert_eq!(found, expected, "{text}");
}

/// Returns what is said of an isolate.
fn of(text: &str, isolate: &str) -> String {
    let found = verdicts(text).into_iter().find(|(name, _)| name == isolate);
    found.map(|(_, verdict)| verdict).unwrap_or_default()
}

/// An isolate that does not see where `g` begins.
const BEGUN: &str = "#lang ivy1.7
relation g
isolate a = {
  individual x : bool
  after init { x := false }
  action f = { if g { x := true } }
  invariant [kept] x -> g
}
after init { g := true }
export a.f
";

#[test]
fn an_isolate_begins_with_any_values_of_what_its_initializers_do_not_mention() {
    expect(BEGUN, &[("a", "ok"), ("this", "ok")]);
    let any = BEGUN.replace("invariant [kept] x -> g", "invariant [kept] g");
    assert_eq!(of(&any, "a"), "init/a.kept");
    // The isolate's own initializers would read or write another value.
    let unseen = "error: `g` changes here, which the isolate `a` depends on and does not see";
    assert_eq!(of(&BEGUN.replace("x := false", "x := g"), "a"), unseen);
    assert_eq!(of(&BEGUN.replace("x := false", "x := false; g := false"), "a"), unseen);
    assert_eq!(of(&BEGUN.replace("x := false", "call f; x := false"), "a"), unseen);
    // What an initializer calls where it is not seen is executed with it.
    let called = BEGUN
        .replace("after init { g := true }", "after init { b.m }\nobject b = { action m = { g := true } }");
    expect(&called, &[("a", "ok"), ("this", "ok")]);
    // What is called while the isolate is executed is not.
    let outside = format!("{called}export b.m\n");
    assert_eq!(of(&outside, "a"), unseen);
    let inside = called.replace("after init { x := false }", "after init { x := false; b.m }");
    assert_eq!(of(&inside, "a"), unseen);
}

#[test]
fn initializers_that_call_an_isolate_change_nothing_else_that_it_mentions() {
    // Ivy does not report it, and shows that `x` is false where `g` is.
    let calls = BEGUN.replace("export a.f", "after init { a.f }\nafter init { g := false }");
    let unseen = "error: `g` changes here, which the isolate `a` depends on and does not see";
    assert_eq!(of(&calls, "a"), unseen);
    let own = BEGUN.replace("export a.f", "after init { a.f; g := false }");
    assert_eq!(of(&own, "a"), unseen);
    let before = BEGUN.replace("export a.f", "after init { a.f }");
    expect(&before, &[("a", "ok"), ("this", "ok")]);
}

#[test]
fn what_initializers_change_may_be_behind_a_definition() {
    // Ivy shows that `x` is `d`, which it is no longer.
    let text = "#lang ivy1.7
relation g
relation d
isolate k = { private { definition d = g } }
isolate a = {
  individual x : bool
  after init { x := d }
  action f = { x := d }
  invariant x = d
}
after init { g := true }
export a.f
";
    assert_eq!(of(text, "a"), "error: `g` changes here, which the isolate `a` depends on and does not see");
    let formula = "#lang ivy1.6
relation g
object a = {
  individual x : bool
  init g & ~x
  action f = { if ~g { x := true } }
  conjecture ~x & g
}
object b = { after init { g := false } }
isolate ia = a
isolate ib = b
export a.f
";
    assert_eq!(
        of(formula, "ia"),
        "error: `g` changes here, which the isolate `ia` depends on and does not see"
    );
}

#[test]
fn isolates_that_show_nothing_need_see_nothing() {
    let text = "#lang ivy1.7
relation g
isolate a = {
  individual x : bool
  after init { x := g }
  action f = { x := g }
}
isolate b = { action m = { g := ~g } }
export a.f
export b.m
";
    expect(text, &[("a", "ok"), ("b", "ok"), ("this", "ok")]);
    let unseen = "error: `g` changes here, which the isolate `a` depends on and does not see";
    for claim in ["invariant x = x", "property x | ~x", "action h = { assert x = g } export h"] {
        let claims = text.replace("  action f", &format!("  {claim}\n  action f"));
        assert_eq!(of(&claims, "a"), unseen, "{claim}");
    }
    // What nothing executes claims nothing.
    let never = text.replace("  action f", "  action h = { assert x = g }\n  action f");
    expect(&never, &[("a", "ok"), ("b", "ok"), ("this", "ok")]);
    // What a monitor ensures of an action of another isolate is assumed where the environment calls the action.
    let specified = "#lang ivy1.7
type t
isolate a = {
  individual c : t
  specification {
    action set(x:t)
    after set { ensure c = x }
  }
  implementation {
    implement set { c := x }
  }
}
export a.set
";
    expect(specified, &[("a", "ok"), ("this", "ok")]);
    let unseen = "error: `a.c` changes here, which the isolate `this` depends on and does not see";
    let called = specified.replace("export a.set", "action go(x:t) = { call a.set(x) }\nexport go");
    assert_eq!(of(&called, "this"), unseen);
    let required = specified.replace("    after set", "    before set { require c = x }\n    after set");
    assert_eq!(of(&required, "this"), unseen);
    let own = format!("{specified}after a.set {{ assert x = x }}\nisolate b = this with a\n");
    assert_eq!(of(&own, "this"), unseen);
    // Where the isolate changes something there, the action is one of its transitions, and what is ensured is read.
    let changed = format!("{specified}individual d : t\nbefore a.set {{ d := x }}\n");
    assert_eq!(of(&changed, "this"), unseen);
    let through =
        format!("{specified}individual d : t\naction m(x:t) = {{ d := x }}\nbefore a.set {{ call m(x) }}\n");
    assert_eq!(of(&through, "this"), unseen);
    let assumed = format!("{specified}individual d : t\nbefore a.set {{ assume x = d }}\n");
    expect(&assumed, &[("a", "ok"), ("this", "ok")]);
    // What the isolate shows elsewhere does not make it one.
    let elsewhere = specified
        .replace("implement set { c := x }", "implement set { c := x; call mark(x) }")
        .replace("isolate a", "individual d : t\naction mark(x:t) = { d := x; ensure d = x }\nisolate a");
    expect(&elsewhere, &[("a", "ok"), ("this", "ok")]);
    let wrong = elsewhere.replace("ensure d = x }\nisolate", "ensure d ~= x }\nisolate");
    assert_eq!(of(&wrong, "this"), "assertion/L4");
}

#[test]
fn trusted_text_of_another_language_is_seen() {
    let text = "#lang ivy1.7
type t
trusted isolate o = {
    action f(x:t) returns (y:t)
    implement f { <<< y = x; >>> }
    after f { ensure y = x }
}
isolate u = {
    action go(x:t) = { var z := o.f(x); assert z = x }
} with o
export u.go
";
    expect(text, &[("this", "ok"), ("u", "ok")]);
    // It gives any results.
    let silent = text.replace("    after f { ensure y = x }\n", "");
    expect(&silent, &[("this", "ok"), ("u", "assertion/L8")]);
    expect(&text.replace(" with o", ""), &[("this", "ok"), ("u", "assertion/L9")]);
    // Beside monitors it may be the action's own statements, and alone it may not.
    let own = text
        .replace("returns (y:t)\n    implement f { <<< y = x; >>> }", "returns (y:t) = { <<< y = x; >>> }");
    expect(&own, &[("this", "ok"), ("u", "ok")]);
    let native = "error: statements in another language are not verified";
    let alone = own.replace("    after f { ensure y = x }\n", "");
    assert_eq!(of(&alone, "u"), native);
    // In another isolate nobody answers for it, and where it is verified it is not trusted.
    assert_eq!(verdicts(&text.replace("trusted isolate o", "isolate o"))[0].1, native);
    let verified = text.replace("export u.go", "isolate w = o\nexport o.f\nexport u.go");
    assert_eq!(of(&verified, "w"), "assertion/L6");
}

#[test]
fn claims_are_shown_by_isolates_that_see_what_owes_them() {
    let callers = "#lang ivy1.7
type t
isolate o = {
    relation r(X:t)
    action a(x:t) = { require r(x); r(x) := false }
}
trusted isolate p = {
    action g(x:t) = { call o.a(x) }
}
export p.g
";
    // That the caller is trusted does not tell that it keeps to what it does not see.
    let what = "error: this assertion is not shown where the action is called";
    expect(callers, &[("program", what), ("o", "ok"), ("this", "ok")]);
    let with = callers.replace("call o.a(x) }\n}", "call o.a(x) }\n} with o");
    expect(&with, &[("o", "ok"), ("this", "ok")]);
    let after = "#lang ivy1.7
type t
isolate o = {
    relation r(X:t)
    action a(x:t)
    after a { require ~r(x) }
}
isolate p = {
    implement o.a(x:t) { }
}
export o.a
";
    let unseen = "error: no isolate that verifies `o.a` sees this assertion";
    expect(after, &[("program", unseen), ("o", "ok"), ("p", "ok"), ("this", "ok")]);
    expect(
        &after.replace("o.a(x:t) { }\n}", "o.a(x:t) { }\n} with o"),
        &[("o", "ok"), ("p", "ok"), ("this", "ok")],
    );
    // Up to version 1.6 a property with a name has to be shown by an isolate.
    let old = "#lang ivy1.6\nrelation p\nproperty [never] p & ~p\nobject q = { }\nisolate i = q\n";
    expect(old, &[("program", "error: no isolate shows this claim"), ("i", "ok")]);
    expect(&old.replace(" [never]", ""), &[("i", "ok")]);
}

#[test]
fn structures_with_equal_fields_are_equal_also_with_arguments() {
    let text = "#lang ivy1.7
type idx
type val
type ent = struct { tag : idx, arr(I:idx) : val, has(I:idx, J:val) : bool }
individual x : ent
individual y : ent
action go = {
    assume x.tag = y.tag;
    assume x.arr(I) = y.arr(I);
    assume x.has(I, J) <-> y.has(I, J);
    assert x = y
}
action set(i:idx) = {
    x := y;
    x.arr(i) := y.arr(i);
    assert x = y
}
export go
export set
";
    expect_failures(text, &[]);
    expect_failures(&text.replace("    assume x.arr(I) = y.arr(I);\n", ""), &[("assertion", "L10")]);
    expect_failures(
        &text.replace("x.arr(I) = y.arr(I)", "x.arr(x.tag) = y.arr(x.tag)"),
        &[("assertion", "L11")],
    );
    expect_failures(&text.replace("x.has(I, J) <->", "x.has(I, J) ->"), &[("assertion", "L11")]);
    expect_failures(
        &text.replace("x.arr(i) := y.arr(i)", "x.arr(i) := y.arr(x.tag)"),
        &[("assertion", "L16")],
    );
    // Where a field of some values changes, they may become equal in their fields.
    let any = text.replace("x.arr(i) := y.arr(i);\n    assert x = y", "x.arr(i) := *");
    expect_failures(&any, &[("assertion", "L11")]);
    let fields = text.replace(
        "type ent = struct { tag : idx, arr(I:idx) : val, has(I:idx, J:val) : bool }",
        "type ent destructor tag(X:ent) : idx destructor arr(X:ent, I:idx) : val destructor has(X:ent, I:idx, J:val) : bool",
    );
    expect_failures(&fields, &[]);
}

#[test]
fn ranges_are_known_where_their_interpretation_is_seen() {
    let model = "#lang ivy1.7
object o = {
  type t = {0..1}
}
isolate a = {
  property [two] X:o.t = 0 | X = 1
}
isolate b = {
  property [two] X:o.t = 0 | X = 1
} with o
";
    expect(model, &[("a", "theorem/a.two"), ("b", "ok"), ("this", "ok")]);
    let apart = model.replace("type t = {0..1}", "type t\n  interpret t -> {0..1}");
    expect(&apart, &[("a", "theorem/a.two"), ("b", "ok"), ("this", "ok")]);
    let private = model.replace("type t = {0..1}", "implementation { type t = {0..1} }");
    expect(&private, &[("a", "theorem/a.two"), ("b", "theorem/b.two"), ("this", "ok")]);
    // The values of an enumeration are known everywhere.
    let values = model.replace("{0..1}", "{x, y}").replace("X:o.t = 0 | X = 1", "X:o.t = o.x | X = o.y");
    expect(&values, &[("a", "ok"), ("b", "ok"), ("this", "ok")]);
}

/// A module with a monitor or an implementation of its parameter, and what uses it.
const OF_PARAMETER: &str = "#lang ivy1.7
type t
module m(act) = {
  implement act(x:t) returns (y:t) { y := x }
}
isolate b = {
  action f(x:t) returns (y:t)
}
isolate c = { instance k : m(b.f) }
isolate u = {
  action go(x:t) = { var z := b.f(x); assert z = x }
} with b
export u.go
";

#[test]
fn what_a_module_says_of_its_parameter_belongs_to_the_object_of_the_action() {
    let all = [("b", "ok"), ("c", "ok"), ("this", "ok"), ("u", "ok")];
    expect(OF_PARAMETER, &all);
    // What sees the instance alone knows nothing of the result.
    let of_instance = OF_PARAMETER.replace("with b", "with c");
    assert_eq!(of(&of_instance, "u"), "assertion/L11");
    // By its own name it belongs to the instance, and so it does in an object of the module.
    let named = OF_PARAMETER.replace("implement act", "implement b.f");
    assert_eq!(of(&named, "u"), "assertion/L11");
    let inner =
        OF_PARAMETER.replace("  implement", "  object o = { implement").replace("y := x }", "y := x } }");
    assert_eq!(of(&inner, "u"), "assertion/L11");
    // A module in the module, and an instance without a name.
    let module = "module n(act) = { instance l : m(act) }\nisolate b";
    expect(&OF_PARAMETER.replace("isolate b", module).replace("k : m", "k : n"), &all);
    expect(&OF_PARAMETER.replace("instance k :", "instantiate"), &all);
    // In a section of the module it is private to the object of the action; the section that the instance stands in tells nothing.
    let private =
        OF_PARAMETER.replace("  implement", "  private { implement").replace("y := x }", "y := x } }");
    assert_eq!(of(&private.replace("with b", "with b, c"), "u"), "assertion/L11");
    let inside = OF_PARAMETER.replace("instance k : m(b.f)", "private { instance k : m(b.f) }");
    expect(&inside, &all);
    // What the implementation ensures is shown with the action, although the instance is trusted.
    let ensured =
        OF_PARAMETER.replace("y := x }", "y := x; ensure y ~= x }").replace("isolate c", "trusted isolate c");
    assert_eq!(of(&ensured, "b"), "assertion/L4");
    // The whole program shows it as well.
    expect_failures(&ensured, &[("assertion", "L4")]);
    // So is what the action itself ensures.
    let owed = OF_PARAMETER.replace("returns (y:t)\n}", "returns (y:t)\n  after f { ensure y ~= x }\n}");
    assert_eq!(of(&owed.replace("isolate c", "trusted isolate c"), "b"), "assertion/L8");
    // Where the action is trusted, nothing is.
    let trusted = ensured.replace("trusted isolate c", "isolate c").replace("isolate b", "trusted isolate b");
    assert!(verdicts(&trusted).iter().all(|(_, verdict)| verdict == "ok"), "{trusted}");
}

#[test]
fn explicit_axioms_are_assumed_by_isolates_that_name_them() {
    let with = |text: &str| {
        let axiom = "#lang ivy1.7\ntype t\nrelation p(X:t)\nobject a = { explicit axiom [l] p(X) }\n";
        of(&format!("{axiom}isolate b = {{ {text}\nexport b.f"), "b")
    };
    let claims = [
        "action f  property [m] p(X) }",
        "action f  invariant [m] p(X) }",
        "action f(x:t) = { assert p(x) } }",
    ];
    for claim in claims {
        assert_eq!(with(&format!("{claim} with a.l")), "ok", "{claim}");
        // To name the object around the axiom is not enough.
        assert_ne!(with(&format!("{claim} with a")), "ok", "{claim}");
        assert_ne!(with(claim), "ok", "{claim}");
    }
    assert_eq!(with("action f  explicit axiom [k] p(X)  property [m] p(X) } with b.k"), "ok");
    assert_ne!(with("action f  explicit axiom [k] p(X)  property [m] p(X) }"), "ok");
    // A property that is explicit is none.
    assert_ne!(
        with("action f  property [m] p(X) } with q.l\nobject q = { explicit property [l] p(X) }"),
        "ok"
    );
}

/// Definitions with `explicit`, or in braces, are known to the proofs and isolates that name them alone; what they depend on may
/// change the symbol. Ivy 1.8.26 says the same of all these programs.
#[test]
fn explicit_definitions_are_known_where_they_are_named() {
    let base = "#lang ivy1.7
type t
individual c : t
relation p(X:t)
relation q(X:t)
explicit definition [same] q(X) = p(X)
";
    let failing = |rest: &str| {
        let text = format!("{base}{rest}");
        let (system, diagnostics) = load("model.ivy", &text);
        failures(&Arc::new(system.unwrap_or_else(|| panic!("{text}\n{diagnostics:#?}"))))
    };
    let named = |action: &str, claim: &str| vec![(action.to_owned(), claim.to_owned())];
    let theorem = "property [d] q(X) -> p(X)\n";
    assert_eq!(failing(theorem), named("theorem", "d"));
    assert_eq!(failing(&format!("{theorem}proof {{ unfold with q }}\n")), []);
    assert_eq!(failing("property [d] q(c) -> p(c)\nproof { assume q with X = c }\n"), []);
    let step = "after init { p(X) := true }\naction a(x:t) = { p(x) := false }\nexport a\n";
    assert_eq!(failing(&format!("{step}invariant [i] q(X) -> p(X)\n")), named("a", "i"));
    assert_eq!(failing(&format!("{step}invariant [i] q(X) -> p(X) proof {{ unfold with q }}\n")), []);
    // What a proof leaves is shown, and what the invariant says is assumed.
    let other = "relation r(X:t)\nafter init { r(X) := p(X) }\naction a(x:t) = { r(x) := r(x) }\nexport a\n\
                 invariant [i] r(X) <-> q(X) proof { unfold with q }\n";
    assert_eq!(failing(other), named("assertion", "L11.2"));
    assert_eq!(
        failing(&other.replace("unfold with q", "unfold with q; unfold with q")),
        named("assertion", "L11.2")
    );
    // It stays what it is where nothing changes that it depends on.
    let kept = "relation r(X:t)\nafter init { r(X) := q(X) }\naction a(x:t) = { r(x) := q(x) }\naction b(x:t) = { p(x) := true }\n\
                export a\nexport b\ninvariant [i] r(X) <-> q(X)\n";
    assert_eq!(failing(kept), named("b", "i"));
    // What it depends on may be an order that a definition gives.
    let ordered = "relation lt(X:t, Y:t)\ndefinition (X:t < Y:t) = lt(X, Y)\nrelation s(X:t)\nexplicit definition s(X) = X < c\n\
                   relation r(X:t)\nafter init { r(X) := s(X) }\naction b(x:t) = { lt(x, c) := true }\nexport b\n\
                   invariant [i] r(X) <-> s(X)\n";
    assert_eq!(failing(ordered), named("b", "i"));
    let used = "action a(x:t) = { if q(x) { p(x) := false; assert q(x) } }\nexport a\n";
    assert_eq!(failing(used), named("assertion", "L7"));
    assert_eq!(failing(&used.replace("p(x) := false; ", "")), []);
    // In isolates it is known where it is named itself.
    let isolate = "isolate i = { property [d] q(X) -> p(X) }";
    let shown = |with: &str| {
        let text = format!("{base}{isolate}{with}\n");
        verdicts(&text).into_iter().find(|(name, _)| name == "i").expect("it is verified").1
    };
    assert_eq!(["", " with q", " with same"].map(shown), ["theorem/i.d", "ok", "ok"]);
    // No statement changes it, and there is one.
    for mistake in [
        "action a(x:t) = { q(x) := true }\nexport a\n",
        "definition q(X) = X = c\n",
        "relation s(X:t)\nexplicit definition s(X) = s(X) & undeclared(X)\n",
        "relation s(X:t)\nexplicit definition s(X) = s(X)\n",
        "function f(X:t) : t\nexplicit definition f(X) = some Y. p(Y) in Y else c\n",
    ] {
        assert!(load("model.ivy", &format!("{base}{mistake}")).0.is_none(), "{mistake}");
    }
    // Braces say the same, and are told so.
    let braces = base.replace("explicit definition [same] q(X) = p(X)", "definition { q(X) = p(X) }");
    let (system, _) = load("model.ivy", &format!("{braces}{theorem}"));
    assert_eq!(failures(&Arc::new(system.expect("a system"))), named("theorem", "d"));
}
