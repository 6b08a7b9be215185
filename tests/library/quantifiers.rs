//! Quantifiers of programs: one accepted and one rejected example for each place (R020).

use crate::common::models::load;
use ramsey::base::budget::Budget;
use ramsey::lint::quantifiers;

/// Sorts and symbols for the examples.
const VOCABULARY: &str = "
sort node
sort value
relation p
relation r: node
relation link: node, node
variable cur, other: node
variable v: value
variable b: bool
function val: node -> value
";

/// Returns the warnings about quantifiers in a program without errors, one text each: message, label and remarks.
#[track_caller]
fn found(text: &str) -> Vec<String> {
    let (system, diagnostics) = load("test.rml", &format!("{VOCABULARY}{text}\n"));
    assert!(diagnostics.is_empty(), "{text}\n{diagnostics:?}");
    let system = system.expect("a system, since there is no diagnostic");
    let found = quantifiers(&system, &mut Budget::unlimited()).expect("there is no limit");
    let show = |it: &ramsey::diag::Diagnostic| {
        let label = it.primary.as_ref().map_or("", |label| &label.text);
        format!("warning[{}]: {}\n{label}\n{:?}", it.code.text(), it.message, it.notes)
    };
    found.iter().map(show).collect()
}

/// Asserts that declarations and a loop's body are accepted without any diagnostic.
#[track_caller]
fn accepts(text: &str) {
    assert_eq!(found(text), Vec::<String>::new(), "{text}");
}

/// Asserts that they are accepted with exactly this warning: decidability is not required for a program to have a
/// meaning.
#[track_caller]
fn warns(text: &str, expected: &str) {
    let found = found(text);
    assert!(
        matches!(found.as_slice(), [one] if one.contains(expected)),
        "{text}\nwanted: {expected}\n{found:?}"
    );
}

/// Like [`warns`], for commands in a loop.
#[track_caller]
fn warns_of(commands: &str, expected: &str) {
    warns(&format!("while * {{ {commands} }}"), expected);
}

/// Like [`accepts`], for commands in a loop.
#[track_caller]
fn does(commands: &str) {
    accepts(&format!("while * {{ {commands} }}"));
}

#[test]
fn quantifiers_of_assumptions() {
    accepts("axiom exists x. forall y. link(x, y)");
    warns(
        "axiom forall x. exists y. link(x, y)",
        "warning[R020]: an axiom must be of the form `exists .. forall ..`",
    );
    warns("axiom forall x. exists y. link(x, y)", "for each `x` there is a `y`");
    warns("macro m(x: node) = exists y. link(x, y) axiom m(X)", "`y` is bound here, inside of `X`");
    does("assume !(forall x. exists y. link(x, y))");
    does("assume (exists x. r(x)) & forall x. r(x) -> x = cur");
    does("assume forall x. r(x) -> exists y. r(y)");
    warns_of(
        "assume forall x. exists y. link(x, y)",
        "an assumption must be of the form `exists .. forall ..`",
    );
    warns_of("assume p <-> forall x. exists y. link(x, y)", "an assumption must be");
    warns_of("assume if forall x. exists y. link(x, y) then p else b", "an assumption must be");
}

#[test]
fn quantifiers_of_claims() {
    does("assert forall x. exists y. link(x, y)");
    warns_of(
        "assert exists x. forall y. link(x, y)",
        "warning[R020]: an assertion must be of the form `forall .. exists ..`",
    );
    warns_of("assert exists x. forall y. link(x, y)", "there is a `x` for which all `y` are meant");
    warns("conjecture exists x. forall y. link(x, y) while * { skip }", "a conjecture must be of the form");
    warns("safety exists x. forall y. link(x, y) while * { skip }", "a safety property must be of the form");
    warns("theorem exists x. forall y. link(x, y)", "a theorem must be of the form");
}

#[test]
fn quantifiers_of_conditions_and_updates() {
    does("if (forall x. r(x)) & exists x. r(x) { skip }");
    warns_of(
        "if forall x. exists y. link(x, y) { skip }",
        "warning[R020]: the condition of an `if` must be without alternation",
    );
    warns_of(
        "if exists x. forall y. link(x, y) { skip }",
        "the condition of an `if` must be without alternation",
    );
    does("r(X) := if link(X, cur) then p else r(X)");
    warns_of(
        "r(X) := exists y. link(X, y)",
        "warning[R020]: an update cannot have quantifiers, but `y` is quantified",
    );
    warns_of("r.remove(X | forall y. link(X, y))", "an update cannot have quantifiers");
    warns_of("val(if exists y. r(y) then cur else other) := v", "an update cannot have quantifiers");
    warns(
        "macro m(x: node) = exists y. link(x, y) while * { r(X) := m(X) }",
        "an update cannot have quantifiers",
    );
}

#[test]
fn a_budget_ends_the_search() {
    let (system, _) = load("test.rml", &format!("{VOCABULARY}axiom forall x. exists y. link(x, y)\n"));
    let system = system.expect("a system");
    assert!(quantifiers(&system, &mut Budget::new(Some(1), None)).is_err());
}
