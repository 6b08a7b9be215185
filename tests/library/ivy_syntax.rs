//! What texts in `.ivy` are read as, where another reading would be as good: each with a program that tells the readings apart,
//! or with what Ivy does not read.

use crate::ivy::expect;
use crate::ivy_isolates::verdicts;
use crate::ivy_proofs::refused;

/// Types, values and relations.
const HEAD: &str = "
type t
relation c
relation d
relation p
individual a : t
individual b : t
individual e : t
";

#[test]
fn a_choice_between_values_begins_with_the_choice_before_it() {
    for minor in [5, 6, 7, 8] {
        let text = format!(
            "#lang ivy1.{minor}{HEAD}
property [left] (a if c else b if d else e) = ((a if c else b) if d else e)
property [right] (a if c else b if d else e) = (a if c else (b if d else e))
property [truth] (p if c else p if d else d) <-> d & p
property [otherwise] (p if c else (p if d else d)) <-> d & p
"
        );
        // Without `c` and with `d`, the value is `b` in both readings; with `c` and without `d`, it is not.
        expect(&text, &[("theorem", "right"), ("theorem", "otherwise")]);
    }
    let text = format!(
        "#lang ivy1.7{HEAD}
property [sides] (a = b if c else e) <-> (a = (b if c else e))
property [first] (a ~= b if c else a ~= e) <-> ((a ~= (b if c else a)) ~= e)
"
    );
    refused(&text, "cannot be chained");
    let sum = "#lang ivy1.7
type t
relation c
individual a : t
individual b : t
property [last] (a if c else b + b) = (a if c else (b + b))
property [first] (a + a if c else b) = ((a + a) if c else b)
property [all] (a if c else b + b) = ((a if c else b) + b)
";
    expect(sum, &[("theorem", "all")]);
}

#[test]
fn several_results_stand_in_parentheses_or_after_call() {
    let text = "#lang ivy1.7
type t
action two(x:t) returns (y:t, z:t) = { y := x; z := x }
action a(x:t) = { var u := x; var v := x; (u, v) := two(x); assert u = v }
export a
";
    expect(text, &[]);
    expect(&text.replace("(u, v) := two", "call u, v := two"), &[]);
    refused(&text.replace("(u, v) := two", "u, v := two"), "expected `:=` or `;`, found `,`");
}

#[test]
fn an_action_with_an_empty_block_is_implemented() {
    let text = "#lang ivy1.7
type t
individual c : t
action a(x:t) = { }
implement a { c := x }
after a { ensure c = x }
export a
";
    expect(text, &[]);
    expect(&text.replace("implement a { c := x }\n", ""), &[("assertion", "L5")]);
    refused(&text.replace("= { }", "= { c := c }"), "has statements already");
    refused(&text.replace("after a", "implement a { } after a"), "has statements already");
}

#[test]
fn words_stand_before_the_declarations_that_they_are_about() {
    let text = "#lang ivy1.7
ghost type t
finite type u
explicit axiom [same] X:t = Y
individual k : t
invariant k = k
";
    expect(text, &[]);
    refused(&text.replace("individual k", "ghost individual k"), "expected `type`");
    refused(&text.replace("individual k", "finite individual k"), "expected `type`");
    refused(&text.replace("individual k", "explicit individual k"), "expected `axiom`, `property`");
    refused(&text.replace("invariant k", "explicit conjecture k"), "expected `axiom`, `property`");
}

#[test]
fn isolates_know_the_types_of_parameters_of_definitions() {
    let text = "#lang ivy1.7
type t
object o = {
  type this = struct { value : t, flag : bool }
  relation good(X:this) = X.flag
}
isolate i = o
individual k : o
property [same] k.good <-> k.flag
";
    assert_eq!(verdicts(text), [("i".to_owned(), "ok".to_owned()), ("this".to_owned(), "ok".to_owned())]);
    let wrong = verdicts(&text.replace("<-> k.flag", "-> ~k.flag"));
    assert_eq!(wrong[1], ("this".to_owned(), "theorem/same".to_owned()));
}

#[test]
fn names_of_claims_are_those_of_nothing_else() {
    let text = "#lang ivy1.7
type t
object o = { relation r(X:t) }
relation q(X:t)
definition [dq] q(X:t) = o.r(X)
axiom [ax] q(X)
theorem [th] { property X:t = X }
";
    expect(text, &[]);
    for (name, other) in [
        ("ax", "t"),
        ("ax", "o"),
        ("dq", "t"),
        ("dq", "o"),
        ("th", "t"),
        ("th", "o"),
        ("th", "q"),
        ("th", "ax"),
    ] {
        let text = text.replace(&format!("[{name}]"), &format!("[{other}]"));
        refused(&text, &format!("the name `{other}` is declared twice"));
    }
    let alias = "#lang ivy1.7\ntype t\ntype u\nalias k = t\nindividual c : k\nproperty c = c\n";
    expect(alias, &[]);
    refused(&alias.replace("alias k = t", "alias k = t alias k = u"), "the name `k` is declared twice");
    refused(&alias.replace("alias k = t", "alias k = t alias u = t"), "the name `u` is declared twice");
    // Up to 1.6 these are names of their own.
    let early = "#lang ivy1.6\ntype t\nindividual k : t\naxiom [t] X:t = k\nproperty [p] X:t = Y\n";
    expect(early, &[]);
}

#[test]
fn names_are_those_of_one_declaration() {
    let declared = [
        "type n",
        "type n = struct { f : t }",
        "individual n : t",
        "relation n(X:t)",
        "relation n(X:t) = X = c",
        "function n(X:t) : t",
        "derived n(X:t) = X = c",
        "type e = { n, m }",
        "type s = struct { n : t }",
        "action n(x:t) = { }",
        "object n = { individual k : t }",
        "module n(p) = { individual k : t }",
        "instance n : part(t)",
        "macro n(p) = { p := p }",
        "schema n = { type u property X:u = X }",
        "isolate n = o",
    ];
    let is_type = |text: &str| text.starts_with("type");
    let is_object = |text: &str| text.starts_with("object") || text.starts_with("instance");
    for (at, first) in declared.iter().enumerate() {
        for (of, next) in declared.iter().enumerate().filter(|(of, _)| *of != at) {
            let both = format!(
                "#lang ivy1.7\ntype t\nindividual c : t\nobject o = {{ individual k : t }}
module part(p) = {{ individual k : p }}\n{first}\n{next}\nproperty c = c\n"
            );
            // A type, and what belongs to it, may have the name of an object.
            if is_type(first) && is_object(next) || is_object(first) && is_type(next) {
                expect(&both, &[]);
            } else {
                // Where one belongs to a type, something else may be told first.
                let is_member = [first, next].iter().any(|it| it.starts_with("type") && it.contains("{ n"));
                refused(&both, if is_member { "" } else { "`n` is declared twice" });
            }
            // In an object they have a name of their own.
            if at + 1 == of && !next.contains(" o") {
                let inside = both.replace(&format!("\n{next}\n"), &format!("\nobject a = {{ {next} }}\n"));
                expect(&inside, &[]);
            }
        }
    }
}

#[test]
fn names_of_wires_are_their_own() {
    let text = "#lang ivy1.8\ntype t\nindividual c : t\nvar d : t\nwire n : t = d\naction go = { d := c }\nexport go\nproperty c = c\n";
    expect(text, &[]);
    for other in ["c", "d"] {
        refused(&text.replace("wire n", &format!("wire {other}")), &format!("`{other}` is declared twice"));
    }
}

#[test]
fn private_names_are_seen_where_they_are_listed() {
    let text = "#lang ivy1.6
type t
object o = {
  object inner = { relation r(X:t) init r(X) conjecture [c] r(X) action f(x:t) = { r(x) := false } }
  private inner
  action a(x:t) = { call inner.f(x) }
}
isolate i = o, o.inner
export o.a
";
    let expected = |verdict: &str| vec![("i".to_owned(), verdict.to_owned())];
    assert_eq!(verdicts(text), expected("o.a/o.inner.c"));
    // It is not below what is listed around it, as other objects are.
    let around = text.replace("o, o.inner", "o");
    assert_eq!(verdicts(&around), expected("ok"));
    assert_eq!(verdicts(&around.replace("  private inner\n", "")), expected("o.a/o.inner.c"));
    // From 1.7 on there are sections, and before there are none.
    refused("#lang ivy1.7\nprivate r\nrelation r\n", "expected `{`");
    refused("#lang ivy1.7\nprivate relation r\n", "expected `{`");
    refused("#lang ivy1.6\nprivate { relation r }\n", "expected the name of an object or a symbol");
}

#[test]
fn nothing_shows_what_the_environment_owes_of_delegated_actions() {
    let text = "#lang ivy1.7
relation p
action a = { assert p; p := true }
action c = { require p; call a }
delegate a
export c
";
    expect(text, &[]);
    refused(&format!("{text}export a\n"), "nothing shows this where the environment calls `a`");
    // What a monitor says is owed by callers in any case.
    let monitor = text.replace("assert p; p", "p").replace("delegate a", "delegate a\nbefore a { assert p }");
    expect(&format!("{monitor}export a\n"), &[]);
}

#[test]
fn definitions_have_the_arguments_that_their_symbols_are_declared_with() {
    let text = "#lang ivy1.7
type n
type m
individual a : n
relation r(X:n, Y:n)
definition r(X:n, Y) = X = Y
object o(p:n) = {
  function f(X:n) : n
  definition f(X) = p
}
property r(a, a) & o.f(a, a) = a
";
    expect(text, &[]);
    refused(&text.replace("r(X:n, Y) =", "r(X:n, Y, Z) ="), "`r` takes 2 arguments, but is defined for 3");
    refused(&text.replace("definition r(X:n, Y) = X = Y", "definition r = true"), "is defined for 0");
    refused(
        &text.replace("r(X:n, Y:n)", "r(X:n, Y:m)").replace("r(X:n, Y) =", "r(X:n, Y:n) ="),
        "expected sort `m`",
    );
    refused(&text.replace("definition f(X)", "definition f(P, X)"), "`f` takes 1 argument");
    let outside = text.replace(
        "object o(p:n) = {\n",
        "object q = { relation g(X:n) }\nobject o(p:n) = {\n  definition q.g(X) = X = p\n",
    );
    refused(&outside, "`q.g` is declared outside of the object with this definition");
    // An operation has two.
    let operation = "#lang ivy1.7
type n
interpret n -> bv[2]
function f(X:n, Y:n) : n
interpret f -> +
property f(0, 1) = 1
";
    expect(operation, &[]);
    refused(&operation.replace("Y:n)", "Y:n, Z:n)"), "`f` takes 3 arguments, but is defined for 2");
}
