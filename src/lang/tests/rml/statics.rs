//! One accepting and one rejecting example for each static rule.

use super::load;

/// Sorts and symbols for the examples.
const VOCABULARY: &str = "
sort node
sort value
relation p
relation r: node
relation link: node, node
relation le(value, value)
variable cur, other: node
variable v: value
variable b: bool
function val: node -> value
";

/// Asserts that declarations and a loop's body are accepted without any diagnostic.
#[track_caller]
fn accepts(text: &str) {
    let (system, diagnostics) = load(&format!("{VOCABULARY}{text}\n"));
    assert!(system.is_some() && diagnostics.is_empty(), "{text}\n{diagnostics}");
}

/// Asserts that declarations and a loop's body are rejected, with `expected` in the diagnostics.
#[track_caller]
fn rejects(text: &str, expected: &str) {
    let (system, diagnostics) = load(&format!("{VOCABULARY}{text}\n"));
    assert!(system.is_none() && diagnostics.contains(expected), "{text}\nwanted: {expected}\n{diagnostics}");
    assert_eq!(diagnostics.matches("error[").count(), 1, "{text}\n{diagnostics}");
}

/// Asserts that they are accepted with exactly one warning, which contains `expected`: programs that violate rules of
/// decidability still have a meaning.
#[track_caller]
fn warns(text: &str, expected: &str) {
    let (system, diagnostics) = load(&format!("{VOCABULARY}{text}\n"));
    assert!(system.is_some() && diagnostics.contains(expected), "{text}\nwanted: {expected}\n{diagnostics}");
    assert_eq!(diagnostics.matches("warning[").count(), 1, "{text}\n{diagnostics}");
}

/// Like [`accepts`], for commands in a loop.
#[track_caller]
fn accepts_commands(commands: &str) {
    accepts(&format!("while * {{ {commands} }}"));
}

#[track_caller]
fn rejects_commands(commands: &str, expected: &str) {
    rejects(&format!("while * {{ {commands} }}"), expected);
}

#[test]
fn traces_have_a_length() {
    let trace = |steps: usize| {
        format!("while * {{ action a {{ skip }} }} unsat trace {{ {} assert p }}", "a ".repeat(steps))
    };
    accepts(&trace(1_000));
    rejects(&trace(1_001), "error[R027]: the trace has more than 1000 transitions");
    rejects(&trace(1 << 16), "error[R027]");
}

#[test]
fn names_are_declared_once() {
    accepts("variable value: value");
    rejects("sort node", "error[R005]: the sort `node` is declared twice");
    rejects("variable p: node", "error[R005]: the name `p` is declared twice");
    rejects("conjecture [p] p while * { skip }", "first declared here, as a relation");
    rejects("macro p = b", "the name `p` is declared twice");
    rejects("while * { action r { skip } | action s { skip } }", "the name `r` is declared twice");
    rejects_commands("local p: node", "error[R005]: the name `p` is in use already");
    rejects_commands("local x: node; { local x: node }", "the name `x` is in use already");
    accepts_commands("{ local x: node; r.insert(x) } | { local x: value; v := x }");
    rejects_commands("r(X) := exists cur: node. r(cur)", "the variable `cur` shadows a variable");
}

#[test]
fn names_are_declared_somewhere() {
    rejects("axiom lnk(X, X)", "help: did you mean `link`?");
    rejects("relation q: nod", "help: did you mean `node`?");
    rejects_commands("curr := *", "error[R006]: `curr` is not declared");
    rejects_commands("curr := *", "help: did you mean `cur`?");
    rejects_commands("local fresh: node; fesh := cur", "help: did you mean `fresh`?");
    rejects_commands("cur := othr", "help: did you mean `other`?");
    rejects_commands("if r(X) { skip }", "`X` is not declared");
    rejects_commands("r(X) := link(X, y)", "`y` is not declared");
    rejects_commands("r.insert(x)", "`x` is not declared");
    accepts_commands("r.insert(X | link(X, cur))");
    accepts_commands("assume r(X); assert r(X)");
    rejects_commands("{ local x: node } | { skip }; cur := x", "`x` is not declared");
    rejects(
        "while * { action a { skip } | action d { skip } } sat trace { c }",
        "the action `c` is not declared",
    );
}

/// A misspelt name left of `:=` does not stand for all elements.
#[test]
fn variables_of_updates_have_capital_letters() {
    let help = "help: for all elements, write a capital letter: `X`; one element is a parameter of the action, or declared by `local name: sort`";
    rejects_commands("link(x, cur) := false", "error[R006]: `x` is not declared");
    rejects_commands("link(x, cur) := false", help);
    rejects_commands("link(curr, other) := false", "help: did you mean `cur`? for all elements");
    rejects_commands("r(x) := link(x, cur)", help);
    rejects_commands("r.insert(x | link(x, cur))", help);
    rejects_commands("r.remove(x | link(x, cur))", help);
    accepts_commands("link(X, cur) := false r(N2) := link(N2, cur) r.remove(X | link(X, cur))");
}

#[test]
fn numbers_of_arguments_and_sorts_fit() {
    rejects_commands("link.insert(cur)", "`link` takes 2 arguments, but 1 are given");
    rejects_commands("link(cur) := true", "`link` takes 2 arguments, but 1 are given");
    rejects_commands("link := true", "to change it for all arguments, name them: `link(X1, X2) := ..`");
    rejects_commands("r := *", "only variables can take any value, as in `v := *`");
    rejects_commands("cur(cur) := other", "`cur` takes 0 arguments, but 1 are given");
    rejects_commands("r(v) := true", "expected sort `node`, found `value`");
    rejects_commands("cur := v", "expected sort `node`, found `value`");
    rejects_commands("p := cur", "expected sort `bool`, found `node`");
    rejects_commands("val(X) := X", "expected sort `value`, found `node`");
    rejects_commands("le(X, Y) := link(cur, Y)", "expected sort `node`, found `value`");
    rejects_commands("assume cur", "not a formula");
    rejects_commands("if cur { skip }", "a condition is a formula");
    rejects_commands("local x: node; x := v", "expected sort `node`, found `value`");
    rejects_commands("assume X = Y", "error[R009]: the sort of `X` cannot be inferred");
    rejects("relation q: bool", "`bool` cannot be the sort of an argument");
    rejects("axiom 1 = 1", "error[R013]");
}

#[test]
fn commands_change_symbols() {
    accepts_commands(
        "p := true; b := p; b := *; p := *; cur := *; r(X) := p; val(X) := v; val(cur) := val(other)",
    );
    rejects_commands("node := *", "error[R022]: `node` is a sort and cannot be changed");
    rejects("macro m = p while * { m := true }", "error[R022]: `m` is a macro and cannot be changed");
    rejects("conjecture [c] p while * { c := true }", "`c` is an invariant and cannot be changed");
    rejects_commands("val.insert(cur)", "error[R022]: `val` is not a relation");
    rejects_commands("local x: node; x.insert(x)", "`x` is not a relation");
    rejects_commands("link(X, X) := true", "the variable `X` stands for two arguments");
}

#[test]
fn functions_are_stratified() {
    accepts("sort set function owner: value -> set function both: node, value -> set");
    warns("function f: node -> node", "warning[R021]: the functions are not stratified: node -> node");
    warns("function f: value -> node", "the functions are not stratified: value -> node -> value");
    warns("function f: value -> node", "and `val` leads from `node` to `value`");
    warns("sort x sort y function f: x, node -> y function g: y -> x", "y -> x -> y");
}

#[test]
fn annotations_fit_their_declarations() {
    accepts("sort e @printed_by(set_printer, member) relation member: node, e");
    for (text, expected) in [
        ("sort e @printed_by(set_printer, le)", "warning[R016]"),
        ("variable w: node @printed_by(const_printer)", "`@printed_by` belongs to the declaration of a sort"),
    ] {
        let (system, diagnostics) = load(&format!("{VOCABULARY}{text}\n"));
        assert!(system.is_some() && diagnostics.contains(expected), "{text}\n{diagnostics}");
    }
}

#[test]
fn macros_are_not_recursive() {
    accepts("macro m(x: node) = n(x, x) macro n(x: node, y: node) = link(x, y)");
    rejects("macro m(x: node) = n(x) macro n(x: node) = !m(x)", "error[R012]: `m` depends on itself");
}

#[test]
fn a_program_has_one_loop() {
    accepts("theorem p -> p");
    rejects("assume p", "error[R023]: the program has no loop");
    rejects("conjecture p", "the program has no loop");
    rejects("while * { skip } while * { skip }", "error[R023]: the program has two loops");
    rejects("action a { skip } while * { skip }", "the action `a` is not an alternative of the loop");
    rejects_commands("if p { action a { skip } }", "the action `a` is not an alternative of the loop");
    rejects_commands(
        "{ action a { skip } | { skip } } | { skip }",
        "the action `a` is not an alternative of the loop",
    );
    rejects_commands("action a { skip } action c { skip }", "error[R023]: actions stand one after the other");
}

#[test]
fn several_mistakes_are_reported_together() {
    let (_, diagnostics) = load(&format!(
        "{VOCABULARY}axiom q\nwhile * {{\n curr := *\n p := cur\n assume forall x. exists y. link(x, y)\n}}\nfunction f: node -> node\n"
    ));
    assert_eq!(diagnostics.matches("error[").count(), 3, "{diagnostics}");
    assert_eq!(diagnostics.matches("warning[R021]").count(), 1, "{diagnostics}");
}

#[test]
fn errors_in_common_commands_are_reported_once() {
    rejects_commands("assume q; { skip } | { skip } | { skip }; skip", "`q` is not declared");
}
