//! What versions 1.1 and 1.2 have alone: places and texts of errors, and printing.

use super::load;
use ramsey_core::base::budget::Budget;
use ramsey_core::base::ids::Id as _;
use ramsey_core::base::span::FileId;
use ramsey_lang::ivy::parse_within;
use ramsey_lang::print;

/// Declarations that stand before each case, in three lines.
const HEAD: &str = "#lang ivy1.1\nrelation f(X,Y), g(X,Y), r(X), d(X)\nindividual x, y, z, c\n";

/// Texts, with the first diagnostic of each.
const CASES: &[(&str, &str)] = &[
    (
        "update d of f",
        "4:10 error R003: expected `from`, found `of` (write `update r from f params v, w in v.f := w -> ensures ..`)",
    ),
    (
        "update d from f",
        "4:15 error R003: expected `params`, found the end of the file (write `update r from f params v, w in v.f := w -> ensures ..`)",
    ),
    (
        "update d from f params v in v.f := null ensures d(v)",
        "4:41 error R003: expected `->` and what holds after the statement, found `ensures`",
    ),
    (
        "update d from f params v in v.f := null -> requires d(v)",
        "4:56 error R003: expected `ensures`, found the end of the file (write `update r from f params v, w in v.f := w -> ensures ..`)",
    ),
    ("update d from r params v in r(v) := true -> ensures d(v)", "4:30 error R003: expected `.`, found `(`"),
    (
        "update q from f params v in v.f := null -> ensures d(v)",
        "4:8 error R022: `q` is not declared (`update r from f`: statements assign `f`, and `r` follows)",
    ),
    (
        "update d from q params v in v.f := null -> ensures d(v)",
        "4:15 error R022: `q` is not declared (`update r from f`: statements assign `f`, and `r` follows)",
    ),
    (
        "derived e(X) = r(X) update d from e params v in v.f := null -> ensures d(v)",
        "4:35 error R022: `e` is defined (`update r from f`: statements assign `f`, and `r` follows)",
    ),
    (
        "derived e(X) = r(X) update e from f params v in v.f := null -> ensures d(v)",
        "4:28 error R022: `e` is defined (`update r from f`: statements assign `f`, and `r` follows)",
    ),
    (
        "update d from f params v in v.f := r(x) & d(x) -> ensures d(v)",
        "4:41 error R003: expected `->` and what holds after the statement, found `&`",
    ),
    (
        "update d from f params v in v.f := r(x) -> ensures d(v)",
        "4:36 error R023: a pattern consists of names (write `v.f := w`, where `v` and `w` are parameters)",
    ),
    (
        "update d from f params V in V.f := null -> ensures d(V)",
        "4:24 error R023: the parameter `V` is a variable (a parameter stands for a name of a statement)",
    ),
    (
        "update d from f params v, v in v.f := v -> ensures d(v)",
        "4:27 error R023: `v` is a parameter twice (each parameter stands for one name of the statement)",
    ),
    (
        "update d from f params v, c in v.f := null -> ensures d(c)",
        "4:27 error R023: `c` does not occur in the statement (it would stand for nothing)",
    ),
    (
        "update d from f params v in v.f := null -> requires old d(v) ensures d(v)",
        "4:53 error R023: `old` is not possible in `requires` (leave out `old`)",
    ),
    (
        "update d from f params v in v.f := null -> requires d(X) ensures d(v)",
        "4:55 error R023: the variable `X` is not bound in `requires` (bind it by `forall` or `exists`)",
    ),
    (
        "update d from f params v in v.f := null -> ensures old v = v",
        "4:52 error R023: `old v` is not possible: it is a parameter (leave out `old`)",
    ),
    (
        "update d from f params v in v.f := null -> ensures d(v) action a = { x.f := y }",
        "4:70 error R022: nothing says how `d` changes with this assignment",
    ),
    (
        "update d from f params v in v.f := null -> ensures d(v) action a = { f(x,X) := false }",
        "4:70 error R022: nothing says how `d` changes with this assignment",
    ),
    (
        "update d from f params v, w in v.f := w -> ensures d(v) action a = { x.f := y.g }",
        "4:70 error R022: nothing says how `d` changes with this assignment",
    ),
    (
        "update d from x params v, w in v.f := w -> ensures d(v) action a = { x := * }",
        "4:70 error R022: nothing says how `d` changes with this assignment",
    ),
    (
        "update d from f params v in v.f := v -> ensures d(v) action a = { x.f := y }",
        "4:67 error R022: nothing says how `d` changes with this assignment",
    ),
    (
        "update f from f params v, w in v.f := w -> ensures f(v,v) action a = { x.f := y }",
        "4:72 error R022: this assignment changes `f` in two ways (write one `update` that says all of it)",
    ),
    (
        "update d from f params v, w in v.f := w -> ensures d(v) update d from f params v, w in v.f := w -> ensures d(w) action a = { x.f := y }",
        "4:126 error R022: this assignment changes `d` in two ways (write one `update` that says all of it)",
    ),
    (
        "action a = { x.r := y }",
        "4:16 error R022: `r` is not a relation of two arguments that can change (`x.f := y` changes `f(x, Y)` for all `Y`; other symbols are assigned as `f(x) := y`)",
    ),
    (
        "action a = { x.f := y.r }",
        "4:23 error R022: `r` is not a relation of two arguments that can change (`x.f := y` changes `f(x, Y)` for all `Y`; other symbols are assigned as `f(x) := y`)",
    ),
    (
        "action a = { x.f := X }",
        "4:21 error R022: the field of one value is assigned at a time (assign the relation: `f(X, Y) := ..`)",
    ),
    (
        "axiom r(x.f)",
        "4:10 error R003: expected an operator or `)`, found `.` (only the variables of a quantifier are followed by `.`)",
    ),
    ("relation dom[f(X)", "4:15 error R003: expected `[` or `]`, found `(`"),
    (
        "macro m(p) = { dom[p] := x } individual dom[p] action a = { instantiate m(y) }",
        "4:16 error R023: the subscript `p` is a variable here (subscripts are names that the program declares, or parameters of modules and schemata)",
    ),
    ("schema s(p) = r(p) instantiate s(x, y)", "4:20 error R007: `s` takes 1 argument, but 2 are given"),
    (
        "schema s(p) = r(p) action a = { instantiate s(x, y) }",
        "4:33 error R007: `s` takes 1 argument, but 2 are given",
    ),
    ("schema s(p) = r(p) schema s(p) = r(p)", "4:27 error R005: the schema `s` is declared twice"),
];

#[test]
fn errors_tell_the_place_and_what_to_do() {
    let mut differences = Vec::new();
    for (text, expected) in CASES {
        let (system, found) = load(&format!("{HEAD}{text}"));
        let first = found.first().cloned().unwrap_or_default();
        if first != *expected || system.is_some() {
            differences.push(format!("{text}\n  expected {expected}\n  found    {first}"));
        }
    }
    assert!(differences.is_empty(), "{}", differences.join("\n"));
}

#[test]
fn null_is_a_word_up_to_1_1() {
    let text = format!("{HEAD}individual null action a = {{ x.f := null; x := y }}\nconjecture ~f(X,Y)");
    assert!(load(&text.replace("individual null ", "")).0.is_some());
    // Later it is a name.
    let later = text.replace("ivy1.1", "ivy1.2");
    assert!(load(&later).0.is_some());
    assert!(load(&later.replace("individual null ", "")).0.is_none());
    // And `update`, subscripts and missing types are of these versions alone.
    assert!(load(&text.replace("ivy1.1", "ivy1.3")).0.is_none());
}

#[test]
fn trees_are_printed_and_read_back() {
    let text = format!(
        "{HEAD}type t
relation dom[f](X), rch[le[f]](X:t)
schema lep(p) = c = y -> r(le[p]) & ~f(X,le[p])
module m(a) = {{
    individual here
    update dom[a] from a, x
        params v, w in v.a := w -> requires r(v) | r(w) ensures (old dom[a](X) -> dom[a](X)) & dom[a](v)
        params v in v.a := null -> ensures ~dom[a](v)
}}
instantiate i : m(g)
individual le[f]
instantiate lep(f)
macro go(q) = {{ q.f := i:here; x.f := q.g }}
action step = {{
    x := *;
    i:here := x;
    assume i:here = y;
    x.f := false;
    if r(i:here) {{ instantiate go(x) }} else {{ instantiate lep(f) }}
}}
conjecture f(X, i:here)
"
    );
    let parse = |text: &str| {
        let (tree, found) = parse_within(FileId::new(0), text, &mut Budget::unlimited()).expect("no limit");
        assert!(found.is_empty(), "{found:#?}\n{text}");
        tree
    };
    let tree = parse(&text);
    let printed = print::ivy(&tree);
    let again = parse(&printed);
    assert_eq!(tree, again, "{printed}");
    assert_eq!(print::ivy(&again), printed);
}
