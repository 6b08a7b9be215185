//! Programs mean what the same programs in `.rml` mean, in which objects, modules, monitors and calls are written out.

use ramsey_core::base::span::{Source, Sources};
use ramsey_core::logic::{Notation, TermId};
use ramsey_core::system::System;
use ramsey_lang::{self as lang, Includes, Language};
use ramsey_solver::formulas::Pretty;

use super::{load, load_with, system};

/// Returns all formulas of a system, with what they are. Names of the one language become names of the other.
fn formulas(system: &System) -> Vec<String> {
    let mut system = system.clone();
    system.sig.notation = Notation::Pyv;
    let text = |what: &str, formula: TermId| {
        let text = Pretty::new(system.syntax(), formula).to_string();
        format!("{what}: {}", text.replace('.', "_").replace("_ ", ". "))
    };
    let mut all = Vec::new();
    all.extend(system.axioms.iter().map(|it| text("axiom", it.formula)));
    all.extend(system.inits.iter().map(|it| text("init", it.formula)));
    all.extend(system.theorems.iter().map(|it| text("theorem", it.formula)));
    all.extend(system.invariants.iter().map(|it| text("claim", it.formula)));
    all.extend(system.assertions.iter().map(|it| text("assertion", it.formula)));
    all.extend(system.transitions.iter().map(|it| text(&it.name.replace('.', "_"), it.body)));
    all
}

#[track_caller]
fn assert_same(ivy: &str, rml: &str) {
    let mut sources = Sources::new();
    let file = sources.push(Source::new("a.rml".into(), rml.into()));
    let (other, diagnostics) = lang::load(Language::Rml, file, &sources, &Includes::new());
    let other = other.unwrap_or_else(|| panic!("{diagnostics:#?}"));
    assert_eq!(formulas(&system(ivy)), formulas(&other), "{ivy}");
}

#[test]
fn schemata_say_nothing_without_proofs() {
    assert_same(
        "#lang ivy1.7
        include mc_schemata
        type t type u
        function f(X:t) : u function g(X:u) : t
        relation r(X:t) relation moved(X:t) individual flag : bool individual c : t
        instantiate equality_schemata
        schema inverse = {
            type a type b
            function to(X:a) : b function back(Y:b) : a individual x : a
            property back(to(X)) = x -> X = x
            trigger to(X)
        }
        schema same = { type t relation p(X:t) property forall Y. p(X) & (exists Z:t. Z = Y) -> p(Y) trigger p(X), p(Y) }
        axiom [fixed] { individual q : bool individual c : u property q & X = c }
        module m(s) = { schema all = { individual x : s property x = X | x = x & Y = X } }
        instantiate m(u)
        after init { moved(X) := false }
        action a(x:t) = { moved(x) := true }
        export a",
        "sort t sort u
        function f: t -> u function g: u -> t
        relation r: t relation moved: t relation flag variable c: t
        moved(X) := false
        while * {
            action a(x: t) {
                moved(x) := true
            }
        }",
    );
}

#[test]
fn statements_are_commands() {
    assert_same(
        "#lang ivy1.7
        type t
        relation r(X:t, Y:t) relation p individual c : t
        after init { r(X, Y) := X = Y; p := true }
        action a(x:t, y:t) = {
            require p;
            assume r(x, Y) -> Y = y;
            r(x, Y) := Y = y | r(x, Y);
            if r(x, c) { c := x } else if p { c := * };
            local z:t { assume r(z, y); p := r(z, c) }
            assert p
        }
        export a
        conjecture ~p -> r(c, c)",
        "sort t
        relation r: t, t relation p variable c: t
        r(X, Y) := X = Y
        p := true
        while * {
            action a(x: t, y: t) {
                assume p
                assume forall Y. r(x, Y) -> Y = y
                r(x, Y) := Y = y | r(x, Y)
                if r(x, c) { c := x } else if p { c := * }
                { local z: t assume r(z, y) p := r(z, c) }
                assert p
            }
        }
        conjecture !p -> r(c, c)",
    );
}

#[test]
fn objects_and_instances_have_names_with_dots() {
    assert_same(
        "#lang ivy1.7
        type t
        relation base(X:t)
        module m(s, q) = {
            relation le(X:s, Y:s)
            axiom le(X, Y) & q(X) -> q(Y)
            object inner = { individual top : s axiom le(X, top) }
        }
        instance o : m(t, base)
        object k(self:t) = {
            relation flag
            var x : t
            action set(y:t) = { x := y; flag := o.le(self, y) }
            conjecture flag -> x = self
        }
        export k.set
        conjecture k(X).x = k.x(X) & o.le(o.inner.top, X)",
        "sort t
        relation base: t
        relation o_le: t, t
        variable o_inner_top: t
        relation k_flag: t
        function k_x: t -> t
        axiom o_le(X, Y) & base(X) -> base(Y)
        axiom o_le(X, o_inner_top)
        while * {
            action k_set(self: t, y: t) { k_x(self) := y k_flag(self) := o_le(self, y) }
        }
        conjecture forall self: t. k_flag(self) -> k_x(self) = self
        conjecture k_x(X) = k_x(X) & o_le(o_inner_top, X)",
    );
}

#[test]
fn monitors_and_calls_are_inlined() {
    // What the called action requires is asserted where the program calls it, and assumed of the environment.
    assert_same(
        "#lang ivy1.7
        type t
        relation r(X:t) relation q
        action low(x:t)
        before low(z:t) { require r(z) }
        implement low { q := r(x) }
        after low { ensure q }
        action high(y:t) = { require q; call low(y); r(y) := false }
        export low
        export high",
        "sort t
        relation r: t relation q
        while * {
            action low(x: t) { assume r(x) q := r(x) assert q }
          | action high(y: t) { assume q assert r(y) q := r(y) assert q r(y) := false }
        }",
    );
}

#[test]
fn results_are_local_variables() {
    assert_same(
        "#lang ivy1.7
        type t
        relation le(X:t, Y:t) individual c : t
        action next(x:t) returns (y:t) = { assume le(x, y) }
        action a(x:t) = { c := next(x) }
        export a",
        "sort t
        relation le: t, t variable c: t
        while * { action a(x: t) { local y: t assume le(x, y) c := y } }",
    );
}

#[test]
fn enumerations_definitions_and_choices() {
    assert_same(
        "#lang ivy1.7
        type t = { a, b }
        relation r(X:t)
        relation both = r(a) & r(b)
        function other(X:t) : t = b if X = a else a
        action flip(x:t) = { if some y:t. r(y) { r(y) := false } else { r(other(x)) := true } }
        export flip
        conjecture ~both",
        "sort t
        variable a: t
        variable b: t
        relation r: t
        axiom distinct(a, b)
        axiom forall X: t. X = a | X = b
        macro both = r(a) & r(b)
        while * {
            action flip(x: t) {
                if exists y. r(y) { local y: t assume r(y) r(y) := false }
                else { r(if x = a then b else a) := true }
            }
        }
        conjecture !both",
    );
}

#[test]
fn fields_are_functions() {
    assert_same(
        "#lang ivy1.7
        type t
        type msg = struct { src : t, dst : t, seen(X:t) : bool }
        individual last : msg
        relation sent(M:msg)
        action a(m:msg, x:t) = {
            require m.src = x & ~m.seen(x);
            last.dst := x;
            sent(m) := last.seen(m.dst)
        }
        export a
        conjecture sent(M) -> src(M) = last.dst",
        "sort t
        sort msg
        function src: msg -> t
        function dst: msg -> t
        relation seen: msg, t
        axiom forall X: msg, Y: msg. src(X) != src(Y) | dst(X) != dst(Y) | !(forall X1. seen(X, X1) <-> seen(Y, X1)) | X = Y
        variable last: msg
        relation sent: msg
        while * {
            action a(m: msg, x: t) {
                assume src(m) = x & !seen(m, x)
                { local changed: msg
                  assume src(changed) = src(last)
                  assume dst(changed) = x
                  assume forall X1. seen(changed, X1) <-> seen(last, X1)
                  last := changed }
                sent(m) := seen(last, dst(m))
            }
        }
        conjecture sent(M) -> src(M) = dst(last)",
    );
}

#[test]
fn old_reads_the_state_before_the_action() {
    let system = system(
        "#lang ivy1.7
        type t relation r(X:t) individual c : t
        action a(x:t) = { r(x) := true; r(c) := false }
        after a { ensure old r(c) -> ~r(c) }
        export a",
    );
    let shown = Pretty::new(system.syntax(), system.assertions[0].formula).to_string();
    assert!(!shown.contains('@'), "the copy is replaced by the value before: {shown}");
    assert!(shown.contains("r(c)"), "{shown}");
}

#[test]
fn orders_and_numerals_are_those_of_each_type() {
    let system = system(
        "#lang ivy1.7
        include order
        instance a : unbounded_sequence
        instance b : unbounded_sequence
        relation r(X:a, Y:b)
        invariant r(X, Y) & X < 0 -> Y >= 0 & Y < Z",
    );
    let names: Vec<&str> = system.sig.symbols.iter().map(|it| it.name.as_str()).collect();
    for name in ["<:a", "<:b", "0:a", "0:b", "a.succ"] {
        assert!(names.contains(&name), "{names:?}");
    }
    let shown = Pretty::new(system.syntax(), system.invariants[0].formula).to_string();
    assert_eq!(
        shown,
        "forall X:a, Y:b, Z:b. (r(X, Y) & X < 0:a) -> ((0:b < Y | Y = 0:b) & Y < Z)"
            .replace("(r(X, Y) & X < 0:a)", "r(X, Y) & X < 0:a")
            .replace("((0:b < Y | Y = 0:b) & Y < Z)", "(0:b < Y | Y = 0:b) & Y < Z")
    );
}

#[test]
fn files_are_included_once() {
    let other = "#lang ivy1.7\ntype t\nrelation q(X:t)\n";
    let text = "#lang ivy1.7\ninclude other\ninclude other\ninvariant q(X)\n";
    let (system, diagnostics, _) = load_with(text, other);
    assert!(system.is_some(), "{diagnostics:#?}");
}

#[test]
fn claims_to_be_shown() {
    let roles = |claims: &str| -> Vec<bool> {
        let system = system(&format!("#lang ivy1.7\ntype t relation r(X:t)\n{claims}\n"));
        system.invariants.iter().map(|it| it.is_safety).collect()
    };
    assert_eq!(roles("invariant [safety] r(X) invariant r(X) invariant [a] r(X)"), [true, false, false]);
    assert_eq!(roles("invariant [1000000] r(X) invariant [5] r(X)"), [true, false]);
    assert_eq!(roles("safety [a] r(X) invariant r(X)"), [true, false]);
    assert_eq!(roles("invariant r(X) invariant [a] r(X)"), [true, false]);
    assert_eq!(roles("invariant [a] r(X) invariant [b] r(X)"), [true, true]);
}

#[test]
fn actions_without_exports() {
    let text = "type t relation r(X:t)\naction a(x:t) = { r(x) := true }\naction b(x:t) = { call a(x) }\n";
    let names = |version: &str| -> Vec<String> {
        let (system, _) = load(&format!("#lang ivy1.{version}\n{text}conjecture r(X)\n"));
        system.expect("a system").transitions.iter().map(|it| it.name.clone()).collect()
    };
    assert_eq!(names("6"), ["a", "b"], "all actions, called or not");
    let closed = |more: &str| {
        let (system, _) = load(&format!("#lang ivy1.6\n{text}{more}conjecture r(X)\n"));
        system.expect("a system").transitions.iter().map(|it| it.name.clone()).collect::<Vec<_>>()
    };
    assert_eq!(closed("after init { r(X) := true }\n"), ["body"], "what is initialized has exports");
    assert_eq!(closed("object o = { }\nisolate i = o\n"), ["body"], "so have isolates");
    assert_eq!(closed("export b\n"), ["b"], "and what is exported");
    assert_eq!(names("7"), ["body"], "nothing changes");
}

#[test]
fn the_first_dot_ends_the_variables() {
    let head =
        "#lang ivy1.7\nobject o = { type this type u }\nobject u = { relation q(X:o) }\nrelation q(X:o.u)\n";
    for formula in ["forall X:o.u. q(X)", "forall X:o.u.q(X)", "forall X:o. u . q(X)"] {
        let system = system(&format!("{head}axiom {formula}\n"));
        assert_eq!(formulas(&system), ["axiom: forall X:o. u_q(X)"], "{formula}");
    }
    for formula in ["forall X. q(X:o.u)", "q(X:o.u)", "~(exists X. exists Y. X:o.u = Y & ~q(Y))"] {
        let system = system(&format!("{head}axiom {formula}\n"));
        assert!(formulas(&system)[0].contains(":o_u"), "{formula}");
    }
    let choice = "action a = { if some (x:o.u) q(x) { assert q(x) } }\nexport a\n";
    assert_eq!(system(&format!("{head}{choice}")).assertions.len(), 1);
}
