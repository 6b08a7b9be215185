//! Isolates of programs in `.ivy`: what each one shows, assumes and sees.

use std::sync::Arc;

use crate::ivy::failures;
use ramsey::base::budget::Budget;
use ramsey::base::span::{Source, Sources};
use ramsey::diag::{Diagnostic, Severity};
use ramsey::lang::{self, Language, Unread};
use ramsey::system::System;

/// Returns what is left of a program in an isolate.
#[track_caller]
pub(crate) fn in_isolate(text: &str, name: &str) -> System {
    let mut sources = Sources::new();
    let file = sources.push(Source::new("model.ivy".to_owned(), text.to_owned()));
    let includes =
        Language::Ivy.format().gather(file, &mut sources, &mut |_, path| Err(Unread::missing(path)));
    let budget = &mut Budget::unlimited();
    let (trees, _) = lang::parse_within(Language::Ivy, file, &sources, &includes, budget).expect("no limit");
    let (cut, found) = trees.in_isolate(name, &includes, budget).expect("no limit");
    let (system, found) = lang::lower_within(&cut, found, &sources, &includes, budget).expect("no limit");
    system.unwrap_or_else(|| panic!("{found:#?}"))
}

/// Returns what is said of each isolate: `ok`, the claims that fail as `action/claim`, or the first error. Errors that are about
/// all isolates are under the name `program`, and so is what is said of a program without isolates.
pub(crate) fn verdicts(text: &str) -> Vec<(String, String)> {
    let mut sources = Sources::new();
    let file = sources.push(Source::new("model.ivy".to_owned(), text.to_owned()));
    let includes =
        Language::Ivy.format().gather(file, &mut sources, &mut |_, path| Err(Unread::missing(path)));
    let budget = &mut Budget::unlimited();
    let errors = |found: &[Diagnostic]| {
        let first = found.iter().find(|it| it.severity == Severity::Error);
        first.map(|it| format!("error: {}", it.message))
    };
    let parsed = lang::parse_within(Language::Ivy, file, &sources, &includes, budget);
    let (trees, found) = parsed.expect("no limit");
    let (whole, found) = lang::lower_within(&trees, found, &sources, &includes, budget).expect("no limit");
    if whole.is_none() {
        return vec![("program".to_owned(), errors(&found).expect("a reason"))];
    }
    let (names, found) = trees.isolates(&includes, budget).expect("no limit");
    let mut all: Vec<(String, String)> =
        errors(&found).into_iter().map(|error| ("program".to_owned(), error)).collect();
    for name in names.unwrap_or_default() {
        let (cut, found) = trees.in_isolate(&name, &includes, budget).expect("no limit");
        let lowered = lang::lower_within(&cut, found, &sources, &includes, budget).expect("no limit");
        let verdict = match lowered {
            (Some(system), _) => told(&Arc::new(system)),
            (None, found) => errors(&found).expect("a reason"),
        };
        all.push((name.to_string(), verdict));
    }
    // A program without isolates is verified at once.
    if let (true, Some(system)) = (all.is_empty(), whole) {
        all.push(("program".to_owned(), told(&Arc::new(system))));
    }
    all
}

fn told(system: &Arc<System>) -> String {
    let failing: Vec<String> =
        failures(system).into_iter().map(|(action, claim)| format!("{action}/{claim}")).collect();
    if failing.is_empty() { "ok".to_owned() } else { failing.join(" ") }
}

#[track_caller]
fn expect(text: &str, expected: &[(&str, &str)]) {
    let found = verdicts(text);
    let found: Vec<(&str, &str)> = found.iter().map(|(name, verdict)| (&**name, &**verdict)).collect();
    assert_eq!(found, expected, "{text}");
}

/// A lock that keeps an invariant of its own, and a user that needs it.
const LOCK: &str = "#lang ivy1.7
type t
isolate lock = {
    relation held(X:t)
    after init { held(X) := false }
    action take(x:t) = { require forall Y. ~held(Y); held(x) := true }
    action drop(x:t) = { held(x) := false }
    invariant [one] held(X) & held(Y) -> X = Y
}
isolate user = {
    relation busy(X:t)
    after init { busy(X) := false }
    action begin(x:t) = { if lock.held(x) { busy(x) := true } }
    action pass(x:t, y:t) = { if ~busy(x) { lock.drop(x); if forall Z. ~lock.held(Z) { lock.take(y) } } }
    invariant [safe] busy(X) & busy(Y) & lock.held(X) & lock.held(Y) -> X = Y
} with lock
export user.begin
export user.pass
";

#[test]
fn invariants_of_others_are_assumed_where_they_are_seen() {
    let all_hold = [("lock", "ok"), ("this", "ok"), ("user", "ok")];
    expect(LOCK, &all_hold);
    // The lock's own isolate shows its invariant.
    let broken = LOCK.replace("require forall Y. ~held(Y); ", "");
    expect(&broken, &[("lock", "lock.take/lock.one"), ("this", "ok"), ("user", "ok")]);
    // A private invariant is nobody else's.
    let private =
        LOCK.replace("invariant [one]", "private { invariant [one]").replace("X = Y\n}\n", "X = Y }\n}\n");
    expect(&private, &[("lock", "ok"), ("this", "ok"), ("user", "user.begin/user.safe")]);
    // Nor is it where the lock is not seen, which then changes what is claimed.
    expect(
        &LOCK.replace(" with lock", ""),
        &[
            ("program", "error: this assertion is not shown where the action is called"),
            ("lock", "ok"),
            ("this", "ok"),
            ("user", "error: `lock.held` changes here, which the isolate `user` depends on and does not see"),
        ],
    );
}

#[test]
fn what_is_required_is_owed_where_the_call_stands() {
    let careless = LOCK.replace("if forall Z. ~lock.held(Z) { lock.take(y) }", "lock.take(y)");
    let drop_all = "held(x) := false";
    expect(&careless, &[("lock", "ok"), ("this", "ok"), ("user", "assertion/L6")]);
    // What the lock ensures is owed by it, and known to the user.
    let ensured = careless.replace(drop_all, "held(X) := false; ensure ~held(X)");
    expect(&ensured, &[("lock", "ok"), ("this", "ok"), ("user", "ok")]);
    let wrong = careless.replace(drop_all, "held(x) := false; ensure ~held(X)");
    expect(&wrong, &[("lock", "assertion/L7"), ("this", "ok"), ("user", "ok")]);
}

/// A counter that only its specification is known of.
const HIDDEN: &str = "#lang ivy1.7
type t
isolate counter = {
    individual now : t
    action up returns (x:t)
    specification {
        after up { ensure x = now }
    }
    implementation {
        individual cache : t
        after init { cache := now }
        implement up { cache := now; x := cache }
        invariant [kept] cache = now
    }
}
isolate user = {
    individual last : t
    after init { last := counter.now }
    action ask = { last := counter.up }
    invariant [same] last = counter.now
} with counter
export user.ask
";

#[test]
fn statements_that_are_not_seen_do_what_is_ensured_of_them() {
    expect(HIDDEN, &[("counter", "ok"), ("this", "ok"), ("user", "ok")]);
    expect(
        &HIDDEN.replace("        after up { ensure x = now }\n", ""),
        &[("counter", "ok"), ("this", "ok"), ("user", "user.ask/user.same")],
    );
    expect(
        &HIDDEN.replace("cache := now; x := cache", "x := *"),
        &[("counter", "assertion/L7"), ("this", "ok"), ("user", "ok")],
    );
    // They must not change what is seen.
    expect(
        &HIDDEN.replace("cache := now; x := cache", "cache := *; now := cache; x := cache"),
        &[
            ("counter", "ok"),
            (
                "this",
                "error: `counter.now` changes here, which the isolate `this` depends on and does not see",
            ),
            (
                "user",
                "error: `counter.now` changes here, which the isolate `user` depends on and does not see",
            ),
        ],
    );
}

#[test]
fn definitions_and_axioms_are_known_where_they_are_seen() {
    let text = "#lang ivy1.7
type t
object o = {
    relation p(X:t)
    relation q(X:t)
    definition q(X) = p(X)
    axiom [all] p(X)
}
isolate i = { property [has] o.q(X) } with o
";
    expect(text, &[("i", "ok"), ("this", "ok")]);
    expect(&text.replace("with o", "with o.q"), &[("i", "theorem/i.has"), ("this", "ok")]);
    expect(&text.replace("with o", "with o.all"), &[("i", "theorem/i.has"), ("this", "ok")]);
    expect(&text.replace("with o", "with o.q, o.all"), &[("i", "ok"), ("this", "ok")]);
    expect(&text.replace("with o", "with this"), &[("i", "ok"), ("this", "ok")]);
    let labelled = text.replace("definition q", "definition [def] q");
    expect(&labelled.replace("with o", "with o.def, o.all"), &[("i", "ok"), ("this", "ok")]);
    expect(
        &text.replace("with o", "with nothing"),
        &[("program", "error: `nothing` is neither an object nor a declaration")],
    );
}

#[test]
fn properties_are_shown_once_and_known_to_others() {
    let text = "#lang ivy1.7
type t
relation p(X:t)
isolate i = {
    axiom p(X)
    property [lem] exists X. p(X)
}
isolate j = { property [use] exists X. p(X) } with i.lem
";
    expect(text, &[("i", "ok"), ("j", "ok"), ("this", "ok")]);
    expect(&text.replace("with i.lem", ""), &[("i", "ok"), ("j", "theorem/j.use"), ("this", "ok")]);
    expect(&text.replace("    axiom p(X)\n", ""), &[("i", "theorem/i.lem"), ("j", "ok"), ("this", "ok")]);
    // What is trusted is shown nowhere.
    expect(
        &text.replace("    axiom p(X)\n", "").replace("isolate i", "trusted isolate i"),
        &[("j", "ok"), ("this", "ok")],
    );
}

#[test]
fn isolates_do_not_show_each_others_properties() {
    let text = "#lang ivy1.7
type t
relation p(X:t)
relation q(X:t)
axiom [by] p(X) -> q(X)
isolate i = {
    property [a] p(X)
    property [c] q(X)
} with j, by
isolate j = { property [b] p(X) } with i
";
    // Only what stands before is assumed: `c` follows from `a`, and `b` from `a`.
    expect(text, &[("i", "theorem/i.a theorem/i.c"), ("j", "ok"), ("this", "ok")]);
    let between = text
        .replace("    property [c] q(X)\n", "")
        .replace("with i\n", "with i\nisolate k = { property [c] q(X) } with j, by\n");
    expect(&between, &[("i", "theorem/i.a"), ("j", "ok"), ("k", "ok"), ("this", "ok")]);
    // In one isolate, what stands between its own properties is assumed of the later one, and of its states.
    let both = "#lang ivy1.7
type t
relation p(X:t)
object o = { property [a] p(X) | ~p(X) }
isolate j = { axiom p(X) property [b] p(X) }
object u = {
    property [c] p(X)
    var on : bool
    after init { on := true }
    action set(x:t) = { on := p(x) }
    invariant on
}
isolate i = o, u with j.b
export u.set
";
    expect(both, &[("i", "ok"), ("j", "ok"), ("this", "ok")]);
    expect(&both.replace(" with j.b", ""), &[("i", "u.set/L11 theorem/u.c"), ("j", "ok"), ("this", "ok")]);
}

#[test]
fn what_an_object_specifies_is_shown_from_its_implementation() {
    let text = "#lang ivy1.7
type t
relation q(X:t)
isolate a = {
    relation p(X:t)
    specification { property [use] p(X) -> q(X) }
    implementation {
        isolate b = {
            relation r(X:t)
            implementation { definition r(X) = q(X) }
            property [has] r(X) -> q(X)
        }
        definition p(X) = b.r(X)
    }
}
";
    expect(text, &[("a", "ok"), ("a.b", "ok"), ("this", "ok")]);
    // Without the section it is the text that counts.
    let outside =
        text.replace("specification { property [use] p(X) -> q(X) }", "property [use] p(X) -> q(X)");
    expect(&outside, &[("a", "theorem/a.use"), ("a.b", "ok"), ("this", "ok")]);
    // Nothing is shown from what is shown after it.
    let both = text
        .replace("property [has] r(X) -> q(X)\n        }", "property [has] q(X)\n        } with a.use")
        .replace("property [use] p(X) -> q(X)", "property [use] q(X)");
    expect(&both, &[("a", "ok"), ("a.b", "theorem/a.b.has"), ("this", "ok")]);
    // So it is in proofs.
    let used = |own: &str, specified: &str| {
        format!(
            "#lang ivy1.7
type t
relation q(X:t)
object a = {{
    axiom q(X)
    specification {{ property [use] q(X) {specified} }}
    property [own] q(X) {own}
}}
isolate i = a
"
        )
    };
    expect(&used("", "proof { instantiate own }"), &[("i", "ok"), ("this", "ok")]);
    let found = verdicts(&used("proof { instantiate use }", ""));
    assert!(
        found.iter().any(|(_, what)| what == "error: `a.use` is not shown before this claim"),
        "{found:?}"
    );
}

#[test]
fn what_an_isolate_verifies_and_lists_as_seen_is_verified() {
    let text = "#lang ivy1.7
type t
relation q(X:t)
isolate i = { object o = { property [claim] q(X) } } with i.o
isolate j = { property q(X) } with i.o
";
    expect(text, &[("i", "theorem/i.o.claim"), ("j", "ok"), ("this", "ok")]);
    let private = text.replace("{ object", "{ private { object").replace("} } with i.o", "} } } with i.o");
    expect(&private, &[("i", "theorem/i.o.claim"), ("j", "ok"), ("this", "ok")]);
    // Another isolate shows its claims itself.
    let inner = text.replace("object o", "isolate o").replace("q(X) } }", "q(X) | ~q(X) } }");
    expect(&inner, &[("i", "ok"), ("i.o", "ok"), ("j", "theorem/L5"), ("this", "ok")]);
}

#[test]
fn what_a_module_declares_is_private_in_its_own_sections_alone() {
    let text = "#lang ivy1.7
type t
relation q(X:t)
module all(t) = { axiom q(X:t) }
isolate a = { implementation { instantiate all(t) } }
isolate b = { property q(X) } with a
";
    expect(text, &[("a", "ok"), ("b", "ok"), ("this", "ok")]);
    let found = verdicts(&text.replace("{ axiom q(X:t) }", "{ private { axiom q(X:t) } }"));
    assert_eq!(found[1], ("b".to_owned(), "theorem/L6".to_owned()), "{found:?}");
}

#[test]
fn claims_that_no_isolate_shows_are_errors() {
    let text = "#lang ivy1.7
type t
individual c : t
action f(x:t) = { c := x }
isolate i = {
    private { after f { ensure c = x } }
}
isolate j = f
export f
";
    let what = "error: no isolate that verifies `f` shows this assertion";
    let unseen = "error: `c` changes here, which the isolate `i` depends on and does not see";
    expect(text, &[("program", what), ("i", unseen), ("j", "ok"), ("this", "ok")]);
    // A monitor in a private section is not seen by those that see the object.
    let with = text.replace("isolate j = f", "isolate j = f with i");
    expect(&with, &[("program", what), ("i", unseen), ("j", "ok"), ("this", "ok")]);
    let public = with.replace("private { after f { ensure c = x } }", "after f { ensure c = x }");
    expect(&public, &[("i", unseen), ("j", "ok"), ("this", "ok")]);
    let seen =
        public.replace("    after f { ensure c = x }\n}", "    after f { ensure c = x }\n} with this, f");
    expect(&seen, &[("i", "ok"), ("j", "ok"), ("this", "ok")]);
    let wrong = seen.replace("c := x", "c := *");
    expect(&wrong, &[("i", "ok"), ("j", "assertion/L6"), ("this", "ok")]);
}

/// Ivy takes the object `impl` of what an isolate verifies for a part of it, even where it is an isolate of its own.
#[test]
fn isolates_that_are_implementations_are_verified_around_them_too() {
    let text = "#lang ivy1.7
isolate impl = {
    relation r
    object impl = { after init { r := true } }
    invariant [always] r
}
";
    let init = "init/impl.always";
    expect(text, &[("impl", "ok"), ("this", init)]);
    expect(&text.replace("isolate impl", "isolate other"), &[("other", "ok"), ("this", "ok")]);
    let listed = "#lang ivy1.7
object impl = {
    relation r
    after init { r := true }
    invariant [always] r
    relation q
    private { axiom [known] q }
    property [given] q
}
isolate i = impl
";
    expect(listed, &[("i", "ok"), ("this", "ok")]);
    let nested = "#lang ivy1.7
relation r
isolate i = {
    object impl = { invariant [always] r }
    isolate j = impl
}
";
    expect(nested, &[("i", "init/i.impl.always"), ("i.j", "init/i.impl.always"), ("this", "ok")]);
    // Up to version 1.6 the properties of objects of the other name are shown around them.
    let found = verdicts(
        "#lang ivy1.6\nisolate i = {\n object spec = { relation r property r }\n isolate j = spec\n}\n",
    );
    assert!(found[0].1.contains("that an isolate around it takes for its own part"), "{found:?}");
}

/// An isolate that calls a network which calls it back.
const CALLBACK: &str = "#lang ivy1.7
isolate node = {
    var on : bool
    var sent : bool
    after init { on := false; sent := false }
    action start = { on := true; sent := true; net.send; on := false; sent := false }
    action receive = { assert sent }
    invariant [kept] on -> sent
} with net.send
object net = {
    action send
    private { implement send { node.receive } }
}
isolate all = net with node
export node.start
";

#[test]
fn invariants_hold_where_others_may_call_back() {
    // What the callback asserts follows from no invariant.
    let [node, ..] = <[_; 3]>::try_from(verdicts(CALLBACK)).map_err(drop).unwrap_or_default();
    assert_eq!(node, ("all".to_owned(), "ok".to_owned()));
    let named = |text: &str| -> Option<String> {
        verdicts(text).into_iter().find(|(name, _)| name == "node").map(|(_, verdict)| verdict)
    };
    assert_eq!(named(CALLBACK).as_deref(), Some("assertion/L7"));
    let guarded = CALLBACK.replace("assert sent", "if on { assert sent }");
    assert_eq!(named(&guarded).as_deref(), Some("ok"));
    // At the call, the invariant has to hold.
    let broken = guarded.replace("sent := true; net.send", "net.send; sent := true");
    assert_eq!(named(&broken).as_deref(), Some("assertion/L12"));
    // After it, the isolate may be in another state.
    let stale = guarded
        .replace("assert sent }", "assert sent; sent := false; on := false }")
        .replace("net.send; on", "net.send; assert sent; on");
    assert_eq!(named(&stale).as_deref(), Some("assertion/L6"));
}

#[test]
fn instances_of_modules_of_isolates_are_isolates() {
    let text = "#lang ivy1.7
type t
module isolate cell(ty) = {
    individual value : ty
    individual copy : ty
    after init { copy := value }
    action set(x:ty) = { value := x; copy := x }
    invariant [same] copy = value
}
instance a : cell(t)
export a.set
";
    expect(text, &[("a.iso", "ok"), ("this", "ok")]);
    expect(&text.replace("; copy := x }", " }"), &[("a.iso", "a.set/a.same"), ("this", "ok")]);
}

#[test]
fn explicit_invariants_are_those_of_their_isolate() {
    let text = "#lang ivy1.7
isolate foo = {
  relation p
  after init { p := false }
  action a = { p := false }
  explicit invariant [ip] ~p
}
isolate bar = {
  relation q
  after init { q := false }
  action b = { if foo.p { q := true } }
  invariant [iq] ~q
} with foo, foo.ip
export foo.a
export bar.b
";
    expect(text, &[("bar", "bar.b/bar.iq"), ("foo", "ok"), ("this", "ok")]);
    expect(&text.replace("explicit ", ""), &[("bar", "ok"), ("foo", "ok"), ("this", "ok")]);
    // What changes it where it is not seen is an error, as with other claims.
    let other = text.replace("export foo.a", "action c = { foo.p := true }\nexport c\nexport foo.a");
    let found = verdicts(&other);
    assert!(found.iter().any(|(name, verdict)| name == "foo" && verdict.starts_with("error")), "{found:?}");
}

#[test]
fn executions_of_an_isolate_that_is_called_back_are_not_asked_for() {
    use ramsey::ui::models::{ModelText, Policy};
    let text = "#lang ivy1.7
object ext = {
  action go
  object impl = { implement go { foo.back } }
}
object foo = {
  relation p
  after init { p := false }
  action a = { p := true; ext.go; p := false }
  action back = { assert ~p }
  invariant p -> p
}
isolate ifoo = foo
isolate iext = ext
export foo.a
";
    // The assertion holds in all states between transitions, and not where it is executed.
    let failing = [("iext", "ok"), ("ifoo", "assertion/L10"), ("this", "ok")];
    expect(text, &failing);
    let place = |text: &str| {
        let mut sources = Sources::new();
        let file = sources.push(Source::new("model.ivy".to_owned(), text.to_owned()));
        let includes =
            Language::Ivy.format().gather(file, &mut sources, &mut |_, path| Err(Unread::missing(path)));
        let model = ModelText::new(Language::Ivy, file, includes).in_isolate(Some("ifoo".into()));
        let exact = Policy { is_exact: true, ..Policy::LENIENT };
        let read = |policy| model.read(policy, &sources, &mut Budget::unlimited());
        assert!(read(&Policy::LENIENT).0.is_some());
        let (system, found) = read(&exact);
        assert_eq!(system.is_some(), !found.iter().any(|it| it.severity == Severity::Error));
        let error = found.iter().find(|it| it.message.contains("in the middle of"));
        error.map(|it| it.primary.as_ref().map(|label| label.span.start))
    };
    assert_eq!(place(text).flatten(), text.find("go { foo.back").map(|at| at as u32));
    // What is called last, or changes and claims nothing, has its executions.
    assert_eq!(place(&text.replace("implement go { foo.back }", "implement go { }")), None);
    assert_eq!(place(&text.replace("assert ~p", "")), None);
}

#[test]
fn proofs_in_an_isolate_use_what_is_known_of_the_program() {
    let text = "#lang ivy1.7
type t
relation p(X:t)
relation q(X:t)
object o = { axiom [ax] p(X) -> q(X) }
object a = {
  theorem [into] { property p(X) -> q(X) }
  proof assume o.ax
  isolate iso = this
}
";
    // The isolate does not see the axiom, which is true nevertheless.
    let ok = [("a.iso", "ok"), ("this", "ok")];
    expect(text, &ok);
    for (known, proof) in [
        ("axiom [ax] { relation r(X:t)  relation s(X:t)  property p(X) -> q(X) }", "apply o.ax"),
        ("explicit axiom [ax] p(X) -> q(X)", "assume o.ax"),
        ("axiom p(X) -> q(X)\n  property [ax] p(X) -> q(X)", "assume o.ax"),
    ] {
        let text = text.replace("axiom [ax] p(X) -> q(X)", known).replace("assume o.ax", proof);
        expect(&text, &ok);
    }
    let missing = text.replace("\n  proof assume o.ax", "");
    expect(&missing, &[("a.iso", "theorem/a.into"), ("this", "ok")]);
    // A property that does not hold is told where it is shown.
    let shown = text.replace("axiom [ax]", "property [ax]");
    expect(&shown, &[("a.iso", "ok"), ("this", "theorem/o.ax")]);
    // What a symbol is stays hidden.
    let defined = text.replace("axiom [ax] p(X) -> q(X)", "relation d(X:t)\n  definition [ax] d(X) = q(X)");
    let found = verdicts(&defined);
    assert!(found[0].1.contains("the isolate does not see `o.ax`"), "{found:?}");
}

#[test]
fn derived_relations_are_known_where_their_definitions_are_seen() {
    let text = "#lang ivy1.7
type t
relation r(X:t)
isolate o = {
    private { derived q(X:t) = r(X) | ~r(X) }
    invariant [own] q(X)
}
isolate i = { invariant [other] o.q(X) } with o
";
    expect(text, &[("i", "init/i.other"), ("o", "ok"), ("this", "ok")]);
    expect(&text.replace("private {", "specification {"), &[("i", "ok"), ("o", "ok"), ("this", "ok")]);
    let listed = text.replace("with o", "with o.q");
    expect(&listed, &[("i", "ok"), ("o", "ok"), ("this", "ok")]);
    // Nothing tells the type of its argument where the definition is not seen.
    let untyped = text.replace("derived q(X:t)", "derived q(X)");
    let found = verdicts(&untyped);
    assert!(found.iter().any(|(name, it)| name == "i" && it.starts_with("error: ")), "{found:?}");
}

/// Up to version 1.6, what the whole program says without a label is known in every isolate, and its conjectures are shown there.
#[test]
fn what_the_program_says_without_labels_counts_everywhere_up_to_1_6() {
    let text = |declaration: &str| {
        format!(
            "#lang ivy1.6
type t
relation r(X:t)
{declaration}
isolate i = {{ conjecture [own] r(X) }}
"
        )
    };
    expect(&text("axiom r(X)"), &[("i", "ok")]);
    expect(&text("init r(X)"), &[("i", "ok")]);
    expect(&text("axiom [named] r(X)"), &[("i", "init/i.own")]);
    let defined = text("").replace("relation r(X:t)", "relation r(X:t) = X = X");
    expect(&defined, &[("i", "ok")]);
    expect(&defined.replace("relation r(X:t) =", "derived r(X:t) ="), &[("i", "ok")]);
    let claimed = text("conjecture ~r(X)").replace("[own] r(X)", "[own] r(X) -> r(X)");
    let found = verdicts(&claimed);
    assert!(found.iter().all(|(_, verdict)| verdict.starts_with("init/")), "{found:?}");
}

#[test]
fn what_is_changed_with_a_dot_is_seen_where_an_isolate_depends_on_it() {
    let text = "#lang ivy1.8
type t
object o = {
    type this
    relation r(X:this, Y:t)
    after init { r(X, Y) := false }
    invariant [none] ~r(X, Y)
}
object other = {
    action a(x:o, y:t) = { x.r(y) := true; }
}
isolate one = o
isolate two = other with o
export other.a
";
    let unseen = "error: `o.r` changes here, which the isolate `one` depends on and does not see";
    let found = verdicts(text);
    assert!(found.iter().any(|(name, what)| name == "one" && what == unseen), "{found:?}");
}
