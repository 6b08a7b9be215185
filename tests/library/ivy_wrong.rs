//! Programs in `.ivy` without isolates that are wrong, each of which has seemed right once.

use std::sync::Arc;

use crate::common::models::load;
use crate::ivy_rules::is_proved;

/// Each violates what it claims, by what Ivy takes it to mean, or has no meaning there.
const WRONG: &[(&str, &str)] = &[
    (
        "the least value in an order that has a value below itself",
        "#lang ivy1.7
type t
relation p(X:t)
axiom X:t < X
axiom X:t = Y
after init { p(X) := true }
action a = { if some x:t. p(x) minimizing x { assert false } }
export a
",
    ),
    (
        "the greatest of two values in such an order",
        "#lang ivy1.7
type t
relation p(X:t)
axiom X:t < X
axiom X:t = Y
after init { p(X) := true }
action a = { if some (x:t, y:t) p(x) & p(y) maximizing y { assert false } }
export a
",
    ),
    (
        "the least value where `<=` is no part of the order",
        "#lang ivy1.5
type t
relation p(X:t)
axiom X:t < Y & Y < Z -> X < Z
axiom ~(X:t < X)
axiom X:t < Y | X = Y | Y < X
action a = { if some x:t. p(x) minimizing x { assert [l] p(Y) -> ~(Y < x) } }
export a
",
    ),
    (
        "a variable that is free in what is to be least",
        "#lang ivy1.7
type t
function g(X:t) : t
relation p(X:t)
axiom X:t < X
after init { p(X) := true }
action a = { if some x:t. p(x) minimizing g(Z) { assert false } }
export a
",
    ),
    (
        "what an abbreviation was",
        "#lang ivy1.7
type t
individual c : t
derived is(X:t) = X = c
action a(x:t) = { c := x; assert old is(x) }
export a
",
    ),
    (
        "what an abbreviation of an object with parameters was",
        "#lang ivy1.7
type t
object o(self:t) = {
    individual c : t
    derived is(X:t) = X = c
    action a(x:t) = { c := x; assert old is(x) }
}
export o.a
",
    ),
    (
        "what an abbreviation was whose types are not given",
        "#lang ivy1.7
type t
individual c : t
derived is(X) = X = c
action a(x:t) = { c := x; assert old is(x) }
export a
",
    ),
    (
        "a name that a later block of the object declares",
        "#lang ivy1.7
type t
individual c : t
object o = { action f(x:t) = { c := x } }
object o = { ... individual c : t }
action a(x:t) = { o.f(x); assert o.c = x }
export a
",
    ),
    (
        "a claim about a name that a later block declares",
        "#lang ivy1.7
type t
relation r(X:t)
object o = { invariant r(X) }
object o = { ... relation r(X:t) after init { r(X) := true } }
",
    ),
    (
        "a name that a later block of an object in another one declares",
        "#lang ivy1.7
type t
object o = { individual c : t object p = { action f(x:t) = { c := x } } }
object o = { ... object p = { ... individual c : t } }
action a(x:t) = { o.p.f(x); assert o.p.c = x }
export a
",
    ),
    (
        "an instance that gives the whole program the parameter of its module",
        "#lang ivy1.7
type t
individual c : t
individual p : t
module m(p) = { action f(x:t) = { p := x } }
instance this : m(c)
action a(x:t) = { p := x; assert c = x }
export a
",
    ),
    (
        "an enumeration of numbers",
        "#lang ivy1.7
type t = {p, q, r}
interpret t -> bv[1]
action a(x:t) = { assert false }
export a
",
    ),
    (
        "a range of other numbers",
        "#lang ivy1.7
type t = {0..3}
interpret t -> bv[1]
action a(x:t) = { assert x = 0 | x = 1 }
export a
",
    ),
    (
        "numbers with a field",
        "#lang ivy1.7
type t = struct { f : bool }
interpret t -> int
individual c : t
action a = { c := 0; c := 1; c := 2; assert false }
export a
",
    ),
    (
        "numbers with a destructor",
        "#lang ivy1.7
type t
destructor f(X:t) : bool
interpret t -> int
individual c : t
action a = { c := 0; c := 1; c := 2; assert false }
export a
",
    ),
    (
        "a destructor with a value",
        "#lang ivy1.7
type t
destructor f(X:t) : bool = false
action a(x:t) = { x.f := true; assert false }
export a
",
    ),
    (
        "a field with a definition",
        "#lang ivy1.7
type t
destructor f(X:t) : bool
destructor g(X:t) : bool
definition f(X) = g(X)
action a(x:t) = { x.g := true; x.g := false; assert false }
export a
",
    ),
    (
        "the number 1 where all numbers are greater",
        "#lang ivy1.7
type t
interpret t -> {2..5}
action a(x:t) = { require x = 2; assert x + 1 = 3 }
export a
",
    ),
];

#[test]
fn programs_that_are_wrong_are_not_proved() {
    for (what, text) in WRONG {
        let (system, _) = load("model.ivy", text);
        assert!(!system.is_some_and(|it| is_proved(&Arc::new(it))), "{what}:\n{text}");
    }
}
