//! Syntax of other languages: each mistake causes one error that states the correct syntax, which is accepted.

use super::load;

const PRELUDE: &str = "sort node
sort value
relation p: node
relation q: node
variable c: node
function f: node -> value
";

/// A mistake, a part of its diagnostic, and the correct text.
const MISTAKES: &[(&str, &str, &str)] = &[
    ("init p(N)", "the commands before `while * { .. }`", "assume p(N)"),
    ("after init { p(X) := false }", "the commands before `while * { .. }`", "p(X) := false"),
    ("transition t(n: node) { skip }", "inside of `while * { .. }`", ""),
    ("conjecture foo p(N)", "write `conjecture [foo] ..`", "conjecture [foo] p(N)"),
    ("invariant foo: p(N)", "write `invariant [foo] ..`", "invariant [foo] p(N)"),
    ("safety foo !p(N)", "write `safety [foo] ..`", "safety [foo] !p(N)"),
    ("conjecture p(N) == q(N)", "equality is written `=`", "conjecture p(N) = q(N)"),
    ("conjecture N <> c -> q(N)", "inequality is written `!=`", "conjecture N != c -> q(N)"),
    ("conjecture not p(N)", "negation is written `!`", "conjecture !p(N)"),
    ("conjecture p(N) iff q(N)", "equivalence is written `<->`", "conjecture p(N) <-> q(N)"),
    ("conjecture p(N) implies q(N)", "implication is written `->`", "conjecture p(N) => q(N)"),
    ("conjecture p(N) \\land q(N)", "conjunction is written `&`", "conjecture p(N) /\\ q(N)"),
    ("conjecture Forall x. p(x)", "`forall x. ..`", "conjecture forall x. p(x)"),
    ("conjecture forall x:node, p(x)", "`forall x:node. ..`", "conjecture forall x:node. p(x)"),
    ("function g(node) -> value", "`function g(s): t`", "function g(node): value"),
    ("relation z(x: node)", "arguments have no names", "relation z(node)"),
    ("mutable relation z(node)", "leave it out", "relation z(node)"),
    ("constant d: node", "`variable name: sort`", "variable d: node"),
    ("const d: node", "`variable name: sort`", "variable d: node"),
    ("individual d: node", "`variable name: sort`", "variable d: node"),
    ("type key", "`sort name`", "sort key"),
    ("sort key, lock", "`sort key sort lock`", "sort key sort lock"),
    ("include order", "`include \"order\"`", "include \"order\""),
    ("module m(t) = { relation r(t) }", "no `=` stands before the braces", "module m(t) { relation r(t) }"),
    ("instantiate total_order(node, p)", "`use name(arguments)`", ""),
    ("object foo = { }", "`module name(parameters) { .. }`", ""),
    ("export t", "leave it out", ""),
    ("macro z(x: node) := p(x)", "declared by `=`", "macro z(x: node) = p(x)"),
    ("macro z(x: node): bool = p(x)", "leave the sort out", "macro z(x: node) = p(x)"),
    ("/* c */ relation z(node)", "comments start with `#`", "relation z(node) # c"),
    ("derived z(x: node) = p(x)", "`macro name(x: sort) = ..`", "macro z(x: node) = p(x)"),
];

/// Like [`MISTAKES`], for commands of an action with a parameter `n`.
const COMMANDS: &[(&str, &str, &str)] = &[
    ("assume not p(n)", "negation is written `!`", "assume !p(n)"),
    ("assume p(n) and q(n)", "conjunction is written `&`", "assume p(n) & q(n)"),
    ("assume p(n) or q(n)", "disjunction is written `|`", "assume p(n) | q(n)"),
    ("require p(n);", "written `assume`", "assume p(n);"),
    ("p(n) = true", "an assignment is written `:=`", "p(n) := true"),
    ("p(n) <- true", "an assignment is written `:=`", "p(n) := true"),
    ("p(n)' := true", "there are no primes", "p(n) := true"),
    ("insert p(n)", "`r.insert(x)`", "p.insert(n)"),
    ("p.add(n)", "`r.insert(x)`", "p.insert(n)"),
    ("havoc c", "`v := *`", "c := *"),
    ("var x: node", "`local name: sort`", "local x: node"),
    ("/* c, d(\n */ p(n) := true", "comments start with `#`", "# c, d(\n p(n) := true"),
    ("while * { skip }", "a program has one loop", "skip"),
    ("while p(n) { p(n) := false }", "a program has one loop", "p(n) := false"),
    ("if p(n) q(n) := true", "commands stand in braces", "if p(n) { q(n) := true }"),
    ("call foo(n)", "actions are not called", ""),
    ("c := X", "bind them by `forall` or `exists`", "c := n"),
    ("if p(X) { skip }", "bind them by `forall` or `exists`", "if exists X. p(X) { skip }"),
    ("p(Y) := q(X)", "only those are that are arguments left of `:=`", "p(X) := q(X)"),
    ("assume p(sender)", "a parameter of the action, or declared by `local name: sort`", "assume p(n)"),
    ("X := n", "capital letters are variables in formulas, not here", "c := n"),
    ("p(n) := old(q(n))", "there is no `old`", "p(n) := q(n)"),
];

fn assert_one_error(text: &str, hint: &str) {
    let (_, found) = load(text);
    assert!(found.contains(hint), "{text}\nwanted: {hint}\n{found}");
    let errors = found.lines().filter(|line| line.contains("error[")).count();
    assert_eq!(errors, 1, "{text}\n{found}");
}

fn assert_fine(text: &str) {
    let (system, found) = load(text);
    assert!(system.is_some(), "{text}\n{found}");
}

#[test]
fn each_mistake_causes_one_error_with_the_correct_syntax() {
    for &(mistake, hint, right) in MISTAKES {
        let program = |middle: &str| format!("{PRELUDE}{middle}\nwhile * {{ skip }}\n");
        assert_one_error(&program(mistake), hint);
        assert_fine(&program(right));
    }
    for &(mistake, hint, right) in COMMANDS {
        let program = |command: &str| {
            format!(
                "{PRELUDE}while * {{ action t(n: node) {{\n  {command}\n  skip\n}} | action u {{ skip }} }}\n"
            )
        };
        assert_one_error(&program(mistake), hint);
        assert_fine(&program(right));
    }
}

#[test]
fn commands_may_begin_with_words_that_are_operators_elsewhere() {
    assert_fine(
        "sort node relation and: node relation foo variable not: node
         conjecture foo and(X) := true
         while * { action t(n: node) { assume foo and(n) := false assume n != n not := n assume foo and.insert(n) } }",
    );
}
