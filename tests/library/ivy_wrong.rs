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
        "what an action does that `debug` calls",
        "#lang ivy1.8
relation r
action g returns (y:bool) = { r := true; y := true }
after init { r := false }
invariant ~r
export action f = { debug \"here\" with x = g, y = r }
",
    ),
    (
        "what an action owes that `debug` calls",
        "#lang ivy1.8
relation r
action g returns (y:bool) = { require r; y := true }
after init { r := false }
export action f = { debug \"here\" with x = g }
",
    ),
    (
        "a symbol with the name that the end of a loop may have",
        "#lang ivy1.8
type v
object it = { type this  action next(x:this) returns (y:this) }
object c = {
    type this
    function begin(X:this) : it
    function end(X:this) : it
    action value(x:this, i:it) returns (y:v)
}
individual i_end : it
individual e : it
after init { i_end := e }
invariant i_end = e
export action f(a:c, k:it) = { for i,x in a { i_end := k } }
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
        "a name that the module declares of which a continued object is an instance",
        "#lang ivy1.7
type t
individual v : t
individual w : t
module m = { individual w : t }
instance low : m
object low = { ... action send(x:t) = { w := x } }
export low.send
after init { w := v }
invariant w = v
",
    ),
    (
        "a name that a block in a section of the object declares",
        "#lang ivy1.7
type t
individual v : t
individual w : t
object o = {
  specification { object low = { individual w : t } }
  object low = { ... action send(x:t) = { w := x } }
}
export o.low.send
after init { w := v }
invariant w = v
",
    ),
    (
        "a label of a later block in a proof of an earlier one",
        "#lang ivy1.8
type t
relation p(X:t)
object o = { property [goal] p(X) proof { assume s } }
object o = { ... explicit axiom [s] p(X) }
explicit axiom [s] p(X) -> p(X)
",
    ),
    (
        "a label that is a name outside of its object",
        "#lang ivy1.7
type t
relation r(X:t)
axiom [q] r(X)
object o = { invariant [r] true invariant r(X) }
",
    ),
    (
        "a name that is that of an object in an instance",
        "#lang ivy1.7
type t
individual v : t
individual w : t
module m = { object low = { individual w : t } }
instance o : m
object o = { ... object low = { ... action send(x:t) = { w := x } } }
export o.low.send
after init { w := v }
invariant w = v
",
    ),
    (
        "a module of an earlier block, and one around the object",
        "#lang ivy1.7
type t
individual v : t
module m = { individual w : t }
object o = { module m = { individual w : t after init { w := v } } }
object o = { ... instance i : m }
action go = { }
export go
invariant o.i.w = v
",
    ),
    (
        "a block without the parameters of the object",
        "#lang ivy1.7
type t
individual v : t
object o(x:t) = { individual w : t after init { w := v } }
object o = { ... action f = { w := v } }
export o.f
invariant o.w(X) = v
",
    ),
    (
        "a monitor that takes over the parameters of another action",
        "#lang ivy1.7
type t
individual v : t
individual x : t
individual w : t
action send(y:t) = { }
object low = { action send(x:t) = { w := x } }
object low = { ... before send { require x = v } }
export low.send
after init { w := v; x := v }
invariant w = v
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
    (
        "a value chosen to be another one than itself",
        "#lang ivy1.7
type t
individual a : t
individual b : t
individual f : t
definition f = some Y:t. Y ~= f
property [p] a = b
",
    ),
    (
        "two values that are chosen to be and not to be each other",
        "#lang ivy1.7
type t
individual a : t
individual b : t
individual f : t
individual g : t
definition f = some Y:t. Y ~= g
definition g = some Y:t. Y = f
property [p] a = b
",
    ),
    (
        "a value chosen by a definition of it",
        "#lang ivy1.7
type t
individual a : t
individual b : t
relation d(X:t)
individual f : t
definition d(X) = X ~= f
definition f = some Y:t. d(Y)
property [p] a = b
",
    ),
    (
        "a value that is chosen for each value of a variable",
        "#lang ivy1.7
type t
individual a : t
individual b : t
individual f : t
definition f = some Y:t. Y = Z:t
property [p] a = b
",
    ),
    (
        "a symbol with two choices",
        "#lang ivy1.7
type t
individual a : t
individual b : t
relation p(X:t)
individual f : t
definition f = some Y:t. Y = a
definition f = some Y:t. Y = b
property [q] a = b
",
    ),
    (
        "a symbol with a choice and a definition",
        "#lang ivy1.7
type t
individual a : t
individual b : t
function f : t = a
definition f = some Y:t. Y = b
property [q] a = b
",
    ),
    (
        "an element of a type that is chosen to be another one",
        "#lang ivy1.7
type t = {red, green}
definition red = some Y:t. Y = green
property false
",
    ),
    (
        "values of a variant that are assigned for all values of a variable",
        "#lang ivy1.7
type t
type k
variant v of t
function f(X:k) : t
function g(X:k) : v
action a = { f(X) := g(X); assert g(X) = g(Y) }
export a
",
    ),
    (
        "an action of a value that is one of a variant with such an action",
        "#lang ivy1.7
object t = {
  type this
  relation p(X:this)
  action f(x:this) = { p(x) := true }
}
object v = {
  variant this of t
  action f(x:this) = { }
}
individual x : t
action go = { assume ~t.p(x); x.f; assert t.p(x) }
export go
",
    ),
    (
        "the result of such an action",
        "#lang ivy1.7
object t = {
  type this
  action f(x:this) returns (y:bool) = { y := true }
}
object v = {
  variant this of t
  action f(x:this) returns (y:bool) = { y := false }
}
individual x : t
action go = { assert x.f }
action go2 = { var z := x.f; assert z }
action go3 = { assert t.f(x) }
export go
export go2
export go3
",
    ),
    (
        "such an action of the result of another one",
        "#lang ivy1.7
object t = {
  type this
  action f(x:this) returns (y:bool) = { y := true }
  action g(x:this) returns (y:this) = { y := x }
}
object v = {
  variant this of t
  action f(x:this) returns (y:bool) = { y := false }
}
individual x : t
action go = { assert x.g.f }
export go
",
    ),
    (
        "`old` before a value with a relation that changes",
        "#lang ivy1.7
type t
individual c : t
object o = {
  type this
  relation q(X:this,Y:t)
  relation n(X:this)
  function nx(X:this) : this
}
individual x : o
action a(y:o) = { assume o.n(x); o.n(x) := false; assert old x.n }
export a
",
    ),
    (
        "`old` before a value with a function that changes",
        "#lang ivy1.7
type t
individual c : t
object o = {
  type this
  relation q(X:this,Y:t)
  relation n(X:this)
  function nx(X:this) : this
}
individual x : o
action a(y:o) = { assume o.n(o.nx(x)); o.nx(x) := y; assert old x.nx.n }
export a
",
    ),
    (
        "`old` before a parameter with a relation that changes",
        "#lang ivy1.7
type t
individual c : t
object o = {
  type this
  relation q(X:this,Y:t)
  relation n(X:this)
  function nx(X:this) : this
}
individual x : o
action a(y:o) = { assume o.n(y); o.n(y) := false; assert old y.n }
export a
",
    ),
    (
        "`old` before a value with arguments and a relation of it",
        "#lang ivy1.7
type t
object o = {
  type this
  relation n(X:this)
}
function f(X:t) : o
action a(y:t,z:o) = { assume o.n(f(y)); f(y) := z; assert (old f(y)).n }
export a
",
    ),
    (
        "a relation beside a type, and a field of the same name elsewhere",
        "#lang ivy1.7
type t
object other = { destructor f(X:t) : bool }
relation f(X:t)
individual x:t
property [q] x.f <-> other.f(x)
",
    ),
    (
        "a wire that depends on an order that changes",
        "#lang ivy1.8
type t
relation r(X:t,Y:t)
definition (X:t < Y:t) = r(X,Y)
wire w(X:t) : bool = X < X
action go(x:t) = { r(x,x) := ~r(x,x); assert w(x) <-> r(x,x) }
export go
",
    ),
    (
        "another order of a type of the library",
        "#lang ivy1.7
include order
instance t : unbounded_sequence
relation r(X:t,Y:t)
definition (X:t < Y:t) = r(X,Y)
property r(X,Y) & r(Y,Z) -> r(X,Z)
",
    ),
    (
        "a value of another type as one of a variant of a variant",
        "#lang ivy1.7
type u
type t
variant v of t
variant w of v
individual a : t
property [p] forall X:u, Y, Z:w. X *> Y & Y *> Z -> true
",
    ),
    (
        "a property of a wire in the middle of an action",
        "#lang ivy1.8
type t
relation r(X:t)
wire w(X:t) : bool = r(X)
property [p] w(X) <-> r(X)
action go(x:t) = { r(x) := ~r(x); assert w(x) <-> r(x) proof { instantiate p with X = x } }
export go
",
    ),
    (
        "a wire in the statements of a macro",
        "#lang ivy1.8
type t
individual c : t
wire w : t = c
macro m(a) = { c := a; assert w = a }
action go(x:t) = { instantiate m(x) }
export go
",
    ),
    (
        "a module that declares a name that is its parameter",
        "#lang ivy1.7
type t
individual c : t
module m(a) = { individual a : t  action f(x:t) = { a := x } }
instance i : m(c)
action go(x:t) = { i.f(x); assert c = x }
export go
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
