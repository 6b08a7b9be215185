//! Tests of the grammar.

use super::{assert_round_trip, file, load, render};
use ramsey_core::base::span::{Source, Sources};

/// All declarations and commands in all forms.
const EVERYTHING: &str = "
include \"order\"
sort node @a
sort id
relation le: id, id @no_print
relation pnd(id, node)
relation flag
function idf: node -> id
function both(node, node): id
variable n, m: node
variable b: bool
axiom [unique] idf(N1) = idf(N2) -> N1 = N2
axiom exists x: node. forall y: node. both(x, y) = idf(x)
macro before(x: id, y: id) = le(x, y) & x != y
macro quiet = forall X. !pnd(X, n)
definition loud() = !quiet
module twice(s, r) { axiom forall x: s. r(x, x)
                     macro other(x: s) = r(x, x) }
use total_order(id, le)
use twice(id, le) as mine

n := *; m := n
pnd(X, Y) := false
flag := b
while * do {
  local k: id, l: id
  assume k != l
  action send(x: node, y: node) {
    skip
    pnd.insert(idf(x), y)
    pnd.remove(I, y | le(I, k))
    pnd.insert(I, J | pnd(I, J) | J = x)
    if quiet then { n := x } else { n := y }
    if flag { flag := false } else if loud { flag := true } else if b { abort }
    if * { skip } else { m := * }
  } | action receive {
    { n := m } | { m := n; k := * } | { skip }
    idf(X) := if X = n then k else idf(X)
    both(n, X) := idf(X)
    le(k, k) := true
    b := forall_not
    k := l
    b := *
  } | {
    abort
  };
  assert true
}
assert pnd(I, N) -> before(I, idf(N)) | mine_other(I)
conjecture [c1] !pnd(I, n)
invariant !pnd(I, m)
safety [s] flag -> b
theorem [t] exists x: id. le(x, x)
sat trace { assert init send(n, *) | receive any transition assert flag }
unsat trace { }
relation forall_not
";

#[test]
fn every_form_is_parsed_and_printed() {
    let (system, diagnostics) = load(EVERYTHING);
    let system = system.unwrap_or_else(|| panic!("{diagnostics}"));
    assert_eq!(diagnostics, "");
    let names: Vec<&str> = system.transitions.iter().map(|transition| transition.name.as_str()).collect();
    assert_eq!(names, ["send", "receive", "branch3"]);
    assert_round_trip(EVERYTHING);
}

#[test]
fn signs_of_the_paper_and_of_other_tools_mean_the_same() {
    let plain = "axiom forall x, y. !(p(x) & q(y) | x != y) -> (p(x) <-> q(y))\nb := c";
    for other in [
        "axiom ∀ x, y. ¬(p(x) ∧ q(y) ∨ x ≠ y) → (p(x) ↔ q(y)) b ← c",
        "axiom forall x, y. ~(p(x) && q(y) || x ~= y) => (p(x) <=> q(y)); b := c;",
        "axiom forall x, y. !(p(x) /\\ q(y) \\/ x != y) ⇒ (p(x) ⇔ q(y)) // comment\n# another\nb ≔ c",
    ] {
        let parse = |text| ramsey_lang::rml::parse(file(), text);
        let (expected, found) = (parse(plain), parse(other));
        assert_eq!((found.1.len(), &found.0), (0, &expected.0), "{other}");
    }
}

#[test]
fn separators_are_optional() {
    let parse = |text| ramsey_lang::rml::parse(file(), text);
    let lines = "sort s\nvariable v, w: s\nwhile * {\n v := *\n assume v = w\n w := v\n}";
    let signs = "sort s; variable v, w: s; while * do { v := *; assume v = w;; w := v; };";
    let blanks = "sort s variable v, w: s while * { v := * assume v = w w := v }";
    assert_eq!(parse(lines).0, parse(signs).0);
    assert_eq!(parse(lines).0, parse(blanks).0);
    assert!(parse(lines).1.is_empty() && parse(signs).1.is_empty() && parse(blanks).1.is_empty());
}

#[test]
fn common_mistakes_get_their_hint() {
    for (text, expected) in [
        ("axiom a == b", "there is no operator `==`"),
        ("axiom a'", "there are no primes"),
        ("axiom a < b", "there are no numbers; for an order, declare a relation"),
        ("function f: s", "a function without arguments is declared by `variable`"),
        ("variable f(s): s", "what has arguments is declared by `function` or `relation`"),
        ("while x { skip }", "write `assume` for a condition at the start of its body"),
        ("v = *", "help: an assignment is written `:=`"),
        ("f(x) := *", "only variables can take any value"),
        ("r.insrt(x)", "help: did you mean `insert`?"),
        ("asume a", "help: did you mean `assume`?"),
        ("individual x: s", "help: a constant is declared by `variable name: sort`"),
        ("require x", "help: a condition of an action is written `assume`"),
        ("conjectur [a] b", "help: did you mean `conjecture`?"),
        ("{ skip } | skip", "expected `{`"),
        ("| { skip }", "help: alternatives are blocks: `{ .. } | { .. }`"),
        ("skip }", "there is no brace open here"),
        ("if a { sort s }", "declarations stand outside of blocks of commands"),
        ("local x", "expected `:` and the sort"),
        ("module m { module n { } }", "a module is declared inside of a module"),
        ("include order", "the name of a file in double quotes"),
        ("include \"order", "a string ends on the line that it begins on"),
        ("sort init", "`init` is a reserved word and cannot be a name"),
        ("relation ite", "`ite` is a reserved word and cannot be a name"),
        ("axiom ite(a, b)", "`ite(c, s, t)` is `s` where `c` holds, and `t` elsewhere"),
        ("axiom a 1", "expected a declaration or a command"),
        ("sort s @", "unexpected character `@`"),
    ] {
        let (_, diagnostics) = ramsey_lang::rml::parse(file(), text);
        let mut sources = Sources::new();
        sources.push(Source::new("a".into(), text.into()));
        let shown = render(&sources, &diagnostics);
        assert!(shown.contains(expected), "{text}\nwanted: {expected}\n{shown}");
    }
}

#[test]
fn each_broken_command_and_declaration_is_reported() {
    let text = "sort\nsort s\nvariable v: s\nwhile * {\n  v := \n  assume v =\n  if v { skip ) }\n  skip\n  v := v v\n}\naxiom &\n";
    let (program, diagnostics) = ramsey_lang::rml::parse(file(), text);
    let lines: Vec<usize> = diagnostics
        .iter()
        .map(|it| {
            ramsey_core::base::span::line_column(
                text,
                it.primary.as_ref().map_or(0, |it| it.span.start as usize),
            )
            .0
        })
        .collect();
    // The `if` after `=` is parsed as an expression up to the brace, and `v v` as the start of another assignment.
    assert_eq!(lines, [1, 5, 7, 10, 11], "{diagnostics:?}");
    assert_eq!(program.items.len(), 5, "{:?}", program.items);
}
