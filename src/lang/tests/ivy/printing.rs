//! Printing gives an equal tree, and formulas of a system in the notation of the language read back equal.

use ramsey_core::base::budget::Budget;
use ramsey_core::base::ids::Id as _;
use ramsey_core::base::span::FileId;
use ramsey_lang::ivy::ast::{DeclKind, File};
use ramsey_lang::ivy::parse_within;
use ramsey_lang::print;
use ramsey_solver::formulas::Pretty;

/// All declarations and statements in all forms.
const EVERYTHING: &str = "#lang ivy1.7
include order
type t
type color = { red, green }
type pair = struct { left : t, right : t }
alias u = t
relation r(X:t), q
relation both(X:t) = r(X) & q
function f(X:t) : t
function g(X:t) : t = f(f(X))
individual c : t, d : t
var now : t
var at(X:t) : color
derived neither(X:t) = ~r(X) & ~q
definition [def] some_t(X:t) = exists Y. f(Y) = X
axiom [inj] f(X) = f(Y) -> X = Y
property X = X:t
property [some] exists Y:t. r(Y) named chosen
proof { tactic ranking }
conjecture r(X) | ~r(X)
invariant [o_a] (r(X) -> q) -> r(X) | ~q
proof let X = c
safety [1000] forall X:t, Y. X ~= Y & r(X) -> ~r(Y) | (q <-> q)
schema twice = {
    type a
    type b
    function to(X:a) : b
    relation on(X:b), off
    individual x : a, y : a
    property to(X) = to(x) & on(to(y)) -> off | X = Y
    trigger to(X), Y = x
    trigger on(to(X)), forall Z. Z = Y
}
axiom { property r(X) }
axiom [called] { type a  axiom X:a = Y  trigger X, Y }
interpret t -> int
attribute method = mc
module m(a, b) = {
    relation inside(X:a)
    axiom inside(X) -> b(X)
}
instance o : m(t, r)
instance p(X:t) : m(t, r)
instantiate m(t, r)
object obj(self:t) = {
    var x : t
    action set(y:t) = {
        x := y;
    }
}
isolate iso = {
    type u
    relation on(X:u, Y:t)
    action step(x:t) returns (y:t)
    specification {
        before step {
            require [pre] r(x);
        }
        after step(a:t) returns (b:t) {
            ensure old r(a) | b = a
        }
        around step {
            assume q;
            ...
            assert q proof let X = c;
        }
    }
    implementation {
        implement step {
            y := x if r(x) else f(x)
        }
    }
} with obj
module isolate shut(ty) with obj, iso.step = {
    relation hidden(X:ty)
}
trusted isolate listed = obj with iso
macro next(x, y) = {
    x := *;
    assume f(x) = y
}
after init {
    r(X) := false;
    q := X = X & true;
    at(X) := red
}
action a(x:t, y:t) returns (z:t, w:bool) = {
    var k : t;
    var l := f(k);
    local n : t, e : t {
        r(n) := *;
        instantiate next(k, n)
    };
    if * { } else { c := * };
    if r(x) { q := true } else if some z:t. r(z) & q { r(z) := false } else { { q := false } };
    if some z:t. r(z) maximizing f(z) { c := z };
    if some (z:iso.u, y:t) iso.on(z, y) { };
    while ~q invariant [kept] r(c) invariant q decreases c { q := true };
    obj(x).x := y;
    (k, l) := (k), l;
    call obj(x).set(y);
    (k, w) := a(x, y);
    z := iso.step(x)
}
action empty = { }
export a
import action outer(x:t)
export action inner(x:t) = { assume ~(~r(x) & 0 <= x & x < 1:t & (x >= c) = (x > d)) }
";

fn parse(text: &str) -> File {
    let file = FileId::new(0);
    let (tree, diagnostics) = parse_within(file, text, &mut Budget::unlimited()).expect("no limit");
    assert!(diagnostics.is_empty(), "{diagnostics:#?}\n{text}");
    tree
}

#[test]
fn trees_are_printed_and_read_back() {
    let text = EVERYTHING.replace("    (k, l) := (k), l;\n", "");
    for version in ["1.7", "1.8"] {
        let tree = parse(&text.replace("1.7", version));
        let printed = print::ivy(&tree);
        let again = parse(&printed);
        assert_eq!(tree, again, "{printed}");
        assert_eq!(print::ivy(&again), printed);
    }
}

/// A loop over a container is printed as one, and not as what it stands for.
#[test]
fn loops_over_containers_are_printed_as_such() {
    let text = "#lang ivy1.8
action f(a:arr) = {
    for i, x:t in o.at(a)
        invariant i < a.end
    {
        debug \"here\" with y = x, z = i;
        r(x) := true;
    };
    for i, x in a {
    };
}
";
    let tree = parse(text);
    let printed = print::ivy(&tree);
    assert_eq!(printed.replace("\n\naction", "\naction"), text);
    assert_eq!(parse(&printed), parse(text));
}

/// They reach as far to the right as they can.
#[test]
fn temporal_operators_have_parentheses() {
    for formula in [
        "(globally q) -> eventually q",
        "globally q -> eventually q",
        "(eventually q) & p | ~(globally p)",
        "forall X. globally (eventually r(X)) & q",
    ] {
        let text = format!(
            "#lang ivy1.7\ntype t\nrelation p\nrelation q\nrelation r(X:t)\ntemporal property {formula}\n"
        );
        let printed = print::ivy(&parse(&text));
        // The text of the claim is as it was written.
        let claim = |text: &str| match parse(text).decls.pop().map(|decl| decl.kind) {
            Some(DeclKind::Unchecked { formula, .. }) => formula,
            other => panic!("{other:?}"),
        };
        assert_eq!(claim(&text), claim(&printed), "{printed}");
    }
}

#[test]
fn implications_associate_by_version() {
    for (version, first) in [("1.6", "p -> (q -> s <-> p)"), ("1.7", "(p -> q) -> s <-> p")] {
        let head = format!("#lang ivy{version}\nrelation p relation q relation s\n");
        let plain = parse(&format!("{head}axiom p -> q -> s <-> p"));
        // The operators bind alike, so the whole is associated in one direction.
        let first = if version == "1.6" {
            first.replace("(q -> s <-> p)", "(q -> (s <-> p))")
        } else {
            format!("({first}").replace("s <->", "s) <->")
        };
        assert_eq!(plain, parse(&format!("{head}axiom {first}")), "{version}");
    }
}

#[test]
fn formulas_of_systems_read_back_equal() {
    let head = "#lang ivy1.7\ntype t\nrelation r(X:t)\nrelation p\nrelation q\nfunction f(X:t) : t\nindividual c : t\nobject o = { type u relation r(X:u) function g(X:u) : u relation all(X:u) = true }\n";
    let formulas = [
        "forall X:t, Y:t. X ~= Y -> ~(r(X) & r(Y))",
        "(p -> q) -> p",
        "p -> (q -> p)",
        "(p <-> q) <-> p",
        "~p & ~(p & q) | (exists X:t. r(X) & f(X) = c)",
        "f(c if p else f(c)) = c",
        "forall X:t. X < f(X) & X ~= 0:t",
        // The first `.` would end the variables.
        "forall X, Y:t. o.r(X:o.u) -> (exists Z. o.g(Z:o.u) = X & Y = Y)",
        "forall X, Z. X:o.u = Z:o.u | (forall Y. Z = Y:o.u)",
    ];
    for formula in formulas {
        let system = super::system(&format!("{head}axiom {formula}\n"));
        let shown = Pretty::new(system.syntax(), system.axioms[0].formula).to_string();
        let again = super::system(&format!("{head}axiom {shown}\n"));
        assert_eq!(shown, Pretty::new(again.syntax(), again.axioms[0].formula).to_string());
        assert_eq!(formula, shown, "printed with as few parentheses as the notation allows");
    }
    let left_out = [
        ("forall X. o.all(X)", "true"),
        ("exists X, Y:t. o.all(X) & r(Y)", "exists Y:t. true & r(Y)"),
        ("p | ~(forall X. o.all(X))", "p | ~true"),
    ];
    for (formula, shown) in left_out {
        let system = super::system(&format!("{head}axiom {formula}\n"));
        assert_eq!(shown, Pretty::new(system.syntax(), system.axioms[0].formula).to_string());
    }
}

#[test]
fn what_stands_alone_has_no_semicolon() {
    let text = "#lang ivy1.7
action a
around a {
    assert true;
    ...
    assert true;
}
trusted isolate i = {
    action b = {
        <<< b() >>>
    }
} with a, this
";
    let printed = print::ivy(&parse(text));
    let squeezed = |text: &str| text.split_whitespace().collect::<Vec<_>>().join(" ");
    assert_eq!(squeezed(&printed), squeezed(text), "{printed}");
}
