//! Syntax of other languages: each mistake causes one error that states the correct syntax, which is accepted.

use super::load;

const PRELUDE: &str = "sort node
sort value
mutable relation p(node)
mutable relation q(node)
mutable constant c: node
immutable function f(node): value
init !p(N)
";

/// A mistake, a part of its diagnostic, and the correct text.
const MISTAKES: &[(&str, &str, &str)] = &[
    ("/* c */ sort key", "comments start with `#`", "sort key # c"),
    ("invariant p(N) <=> q(N)", "equivalence is written `<->`", "invariant p(N) <-> q(N)"),
    ("invariant p(N) <==> q(N)", "equivalence is written `<->`", "invariant p(N) <-> q(N)"),
    ("invariant p(N) => q(N)", "implication is written `->`", "invariant p(N) -> q(N)"),
    ("invariant p(N) ==> q(N)", "implication is written `->`", "invariant p(N) -> q(N)"),
    ("invariant p(N) --> q(N)", "implication is written `->`", "invariant p(N) -> q(N)"),
    ("invariant p(N) <- q(N)", "`b -> a`", "invariant q(N) -> p(N)"),
    ("invariant N == c -> p(N)", "equality is written `=`", "invariant N = c -> p(N)"),
    ("invariant N <> c -> p(N)", "inequality is written `!=`", "invariant N != c -> p(N)"),
    ("invariant not p(N)", "negation is written `!`", "invariant !p(N)"),
    ("invariant p(N) & not (q(N))", "negation is written `!`", "invariant p(N) & !(q(N))"),
    ("invariant (p(N) and q(N))", "conjunction is written `&`", "invariant (p(N) & q(N))"),
    ("invariant p(N) AND q(N)", "conjunction is written `&`", "invariant p(N) & q(N)"),
    ("invariant p(N) or q(N)", "disjunction is written `|`", "invariant p(N) | q(N)"),
    ("invariant p(N) iff q(N)", "equivalence is written `<->`", "invariant p(N) <-> q(N)"),
    ("invariant p(N) implies q(N)", "implication is written `->`", "invariant p(N) -> q(N)"),
    ("invariant p(N) xor q(N)", "`!(a <-> b)`", "invariant !(p(N) <-> q(N))"),
    ("invariant (p(N) /\\ q(N))", "conjunction is written `&`", "invariant (p(N) & q(N))"),
    ("invariant (p(N) \\/ q(N))", "disjunction is written `|`", "invariant (p(N) | q(N))"),
    ("invariant p(N) \\land q(N)", "conjunction is written `&`", "invariant p(N) & q(N)"),
    ("invariant \\A x: p(x)", "`forall x. ..`", "invariant forall x:node. p(x)"),
    ("invariant Forall x. p(x)", "`forall x. ..`", "invariant forall x. p(x)"),
    ("invariant EXISTS x. p(x)", "`exists x. ..`", "invariant exists x. p(x)"),
    ("invariant forall x:node, p(x)", "`forall x:node. ..`", "invariant forall x:node. p(x)"),
    ("invariant forall x:node, !p(x)", "a `.` ends the variables", "invariant forall x:node. !p(x)"),
    ("invariant forall x:node :: p(x)", "`forall x:node. ..`", "invariant forall x:node. p(x)"),
    ("invariant forall (x:node) p(x)", "`forall x:s, y:t. ..`", "invariant forall x:node. p(x)"),
    ("invariant exists x in node. p(x)", "`exists x:node. ..`", "invariant exists x:node. p(x)"),
    ("invariant foo p(N)", "write `invariant [foo] ..`", "invariant [foo] p(N)"),
    ("invariant foo: p(N)", "write `invariant [foo] ..`", "invariant [foo] p(N)"),
    ("safety foo forall X. p(X)", "write `safety [foo] ..`", "safety [foo] forall X. p(X)"),
    ("axiom foo !(f(N) != f(N))", "write `axiom [foo] ..`", "axiom [foo] !(f(N) != f(N))"),
    ("theorem foo p(c) -> p(c)", "write `theorem [foo] ..`", "theorem [foo] p(c) -> p(c)"),
    ("init = q(N)", "without `=`", "init q(N)"),
    ("invariant p[c]", "arguments stand in parentheses", "invariant p(c)"),
    ("invariant c in p", "`x` is in `r` is written `r(x)`", "invariant p(c)"),
    ("invariant p(c) ? q(c) : p(c)", "`if a then b else c`", "invariant if p(c) then q(c) else p(c)"),
    ("invariant p(c) -> False", "write `false`", "invariant p(c) -> false"),
    (
        "immutable function g: node -> value",
        "`immutable function g(node): value`",
        "immutable function g(node): value",
    ),
    (
        "mutable function g: node, value -> node",
        "`mutable function g(node, value): node`",
        "mutable function g(node, value): node",
    ),
    ("mutable function g(node) -> node", "the result sort follows `:`", "mutable function g(node): node"),
    ("immutable constant k node", "write `k: node`", "immutable constant k: node"),
    ("mutable relation z: node, node", "`mutable relation z(node, node)`", "mutable relation z(node, node)"),
    ("mutable relation z: node", "`mutable relation z(node)`", "mutable relation z(node)"),
    ("mutable relation z(node): bool", "leave `: bool` out", "mutable relation z(node)"),
    ("mutable relation z(x: node)", "arguments have no names", "mutable relation z(node)"),
    ("definition d(x: node): bool = p(x)", "leave `: bool` out", "definition d(x: node) = p(x)"),
    ("sort key, lock", "`sort key sort lock`", "sort key sort lock"),
    ("sort key = {k1, k2}", "a constant for each element", "sort key immutable constant k1: key"),
    ("type key", "`sort name`", "sort key"),
    ("individual d: node", "`mutable constant name: sort`", "mutable constant d: node"),
    ("var d: node", "`mutable constant name: sort`", "mutable constant d: node"),
    ("const d: node", "`immutable constant name: sort`", "immutable constant d: node"),
    ("VARIABLES d", "`mutable constant name: sort`", "mutable constant d: node"),
    ("constant d: node", "`immutable constant`", "immutable constant d: node"),
    ("relation z(node)", "`mutable relation`", "mutable relation z(node)"),
    ("conjecture p(N)", "`invariant` or `safety`", "invariant p(N)"),
    ("property p(N)", "`invariant` or `safety`", "safety p(N)"),
    ("predicate d(x: node) = p(x)", "`definition name(x: sort) = ..`", "definition d(x: node) = p(x)"),
    ("action t(n: node) = p(n)", "`transition name(parameters)`", "transition t(n: node) = p(n)"),
    ("method t() requires p(c)", "`transition name(parameters)`", "transition t() = p(c)"),
    ("after init p(c)", "`init` and a formula", "init p(c)"),
    ("export foo", "leave it out", ""),
    ("include order", "there are no modules", ""),
    ("transition t(n: node) { p(n) }", "`modifies`", "transition t(n: node) = p(n)"),
    (
        "transition t(n: node) modifies: p & p'(n)",
        "no `:` follows `modifies`",
        "transition t(n: node) modifies p & p'(n)",
    ),
    (
        "transition t(n: node) modifies p, & p'(n)",
        "no `,` stands between",
        "transition t(n: node) modifies p & p'(n)",
    ),
    (
        "transition t(n: node) modifies p & p(n) := true",
        "`forall X. r'(X) <-> r(X) | X = n`",
        "transition t(n: node) modifies p & forall X. p'(X) <-> p(X) | X = n",
    ),
    ("transition t(n: node) modifies c & c := n", "`c' = n`", "transition t(n: node) modifies c & c' = n"),
    ("transition t(n: node) modifies p & p(n)'", "`p'(n)`", "transition t(n: node) modifies p & p'(n)"),
    (
        "transition t(n: node) modifies p & next(p(n))",
        "`new(..)`",
        "transition t(n: node) modifies p & new(p(n))",
    ),
    (
        "transition t(n: node) modifies p & p'(n) and old(p(n))",
        "conjunction is written `&`",
        "transition t(n: node) modifies p & p'(n) & p(n)",
    ),
    (
        "transition t(n: node) modifies p & p'(n) & old(p(n))",
        "`p'(x) & p(x)`, or `p(x) & old(p(x))`",
        "transition t(n: node) modifies p & p'(n) & p(n)",
    ),
];

#[test]
fn each_mistake_causes_one_error_with_the_correct_syntax() {
    for &(mistake, hint, right) in MISTAKES {
        let (_, found) = load(&format!("{PRELUDE}{mistake}\nsort last\n"));
        assert!(found.contains(hint), "{mistake}\nwanted: {hint}\n{found}");
        let errors = found.lines().filter(|line| line.contains("error[")).count();
        assert_eq!(errors, 1, "{mistake}\n{found}");
        let (system, found) = load(&format!("{PRELUDE}{right}\nsort last\n"));
        assert!(system.is_some(), "{right}\n{found}");
    }
}

#[test]
fn capital_letters_that_are_not_variables_are_explained() {
    for (text, expected) in [
        ("transition t() modifies X & p'(c)", "capital letters are variables in formulas, not here"),
        ("invariant X(c) | p(c)", "with arguments, they are names like others"),
        ("transition t(n: node) = p(n)\nsat trace { t(X) }", "write `*` where it may be anything"),
    ] {
        let (_, found) = load(&format!("{PRELUDE}{text}\n"));
        assert!(found.contains("`X` is not declared") && found.contains(expected), "{text}\n{found}");
        assert!(!found.contains("implicitly"), "{text}\n{found}");
    }
}

/// Returns the first text in back quotes of the help.
fn suggestion(found: &str) -> &str {
    let help = found.split("mention it: `").nth(1).expect("a suggestion");
    help.split('`').next().expect("its end")
}

#[test]
fn suggestions_for_arbitrary_symbols_are_accepted() {
    let prelude = "sort node mutable relation r mutable relation s(node, node) mutable constant c: node
        mutable constant b: bool mutable function f(node): node immutable relation x mutable function g(node): bool
        init r & s(N, N) & b & f(N) = c & g(c)\n";
    for symbol in ["r", "s", "c", "b", "f", "g"] {
        // The sort of the capital letter differs from the argument sorts of some of them.
        let transition = format!("transition t(Y: node) modifies {symbol} & x & Y = c");
        let (_, found) = load(&format!("{prelude}{transition}\n"));
        assert!(found.contains("error[R011]"), "{found}");
        let (system, more) = load(&format!("{prelude}{transition} & {}\n", suggestion(&found)));
        assert!(system.is_some(), "{found}\n{more}");
    }
}
