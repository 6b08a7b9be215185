//! Programs in `.ivy` that are wrong, and that have seemed right since something was assumed to exist that need not.

use std::sync::Arc;

use crate::common::models::load;
use crate::ivy_rules::is_proved;

/// Types with other elements than there have to be.
const ELEMENTS: &[(&str, &str)] = &[
    (
        "variants of an enumeration",
        "#lang ivy1.7
type t = {red, green}
variant v of t
individual x : t
individual a : v
individual b : v
individual c : v
action go = { require a ~= b & b ~= c & a ~= c; x := a; x := b; x := c; assert false }
export go
",
    ),
    (
        "variants of a range of numbers",
        "#lang ivy1.7
type t = {0..1}
variant v of t
individual x : t
individual a : v
individual b : v
individual c : v
action go = { require a ~= b & b ~= c & a ~= c; x := a; x := b; x := c; assert false }
export go
",
    ),
    (
        "variants of numbers",
        "#lang ivy1.7
type t
interpret t -> bv[1]
variant v of t
individual x : t
individual a : v
individual b : v
individual c : v
action go = { require a ~= b & b ~= c & a ~= c; x := a; x := b; x := c; assert false }
export go
",
    ),
    (
        "variants of structures with few values",
        "#lang ivy1.7
type t = struct { f : bool }
variant v of t
individual x : t
individual a : v
individual b : v
individual c : v
action go = { require a ~= b & b ~= c & a ~= c; x := a; x := b; x := c; assert false }
export go
",
    ),
    (
        "variants of a type with a field",
        "#lang ivy1.7
type t
destructor f(X:t) : bool
variant v of t
individual x : t
individual a : v
individual b : v
individual c : v
action go = { require a ~= b & b ~= c & a ~= c; x := a; x := b; x := c; assert false }
export go
",
    ),
    (
        "variants of a class with a field",
        "#lang ivy1.8
class t = { field f : bool }
subclass v of t = { field g : bool }
subclass w of t = { }
individual x : t
individual a : v
individual b : v
individual c : w
action go = { require a ~= b; x := a; x := b; x := c; assert false }
export go
",
    ),
    (
        "fields of an enumeration",
        "#lang ivy1.7
type t = {red, green}
destructor f(X:t) : bool
destructor g(X:t) : bool
individual x : t
action go = { x.f := true; x.g := true; x.f := false; x.g := false; assert false }
export go
",
    ),
    (
        "fields of a range of numbers",
        "#lang ivy1.7
type t = {0..1}
destructor f(X:t) : bool
destructor g(X:t) : bool
individual x : t
action go = { x.f := true; x.g := true; x.f := false; x.g := false; assert false }
export go
",
    ),
    (
        "a field of a sequence without an end",
        "#lang ivy1.7
include order
instance t : unbounded_sequence
destructor f(X:t) : bool
individual x : t
action go = { x.f := true; x := t.next(x); x := t.next(x); assert false }
export go
",
    ),
    (
        "a sequence without an end that has two elements",
        "#lang ivy1.7
include order
instance t : unbounded_sequence
interpret t -> bv[1]
individual x : t
action go = { x := t.next(x); x := t.next(x); assert false }
export go
",
    ),
    (
        "a sequence without an end that is an enumeration",
        "#lang ivy1.7
include order
instance t : unbounded_sequence
interpret t -> {red, green}
individual x : t
action go = { x := t.next(x); x := t.next(x); assert false }
export go
",
    ),
];

/// Assumptions about all values of types of which statements make further ones.
const ASSUMED: &[(&str, &str)] = &[
    (
        "an axiom about a field that is assigned",
        "#lang ivy1.7
type t
destructor f(X:t) : bool
axiom f(X)
individual x : t
action go = { x.f := false; assert false }
export go
",
    ),
    (
        "an axiom about a field of a structure",
        "#lang ivy1.7
type t = struct { f : bool }
axiom f(X)
individual x : t
action go = { x.f := false; assert false }
export go
",
    ),
    (
        "an axiom about what a field relates to",
        "#lang ivy1.7
type t
destructor f(X:t) : bool
relation r(X:t)
axiom r(X)
axiom r(X) -> f(X)
individual x : t
action go = { x.f := false; assert false }
export go
",
    ),
    (
        "an axiom about structures with the same field",
        "#lang ivy1.7
type u
type t = struct { f : u, g : u }
axiom f(X) = f(Y) -> X = Y
individual x : t
individual a : u
individual b : u
action go = { require a ~= b; x.g := a; x.g := b; assert false }
export go
",
    ),
    (
        "an axiom for proofs about a field",
        "#lang ivy1.7
type t
destructor f(X:t) : bool
explicit axiom [e] f(X)
individual x : t
action go = { x.f := false; assert false proof { instantiate e with X = x } }
export go
",
    ),
    (
        "an axiom about how many values with a field there are",
        "#lang ivy1.7
type t
destructor f(X:t) : bool
axiom X:t = Y
individual x : t
action go = { x.f := ~x.f; assert false }
export go
",
    ),
    (
        "an axiom about two values with a field",
        "#lang ivy1.7
type t
destructor f(X:t) : bool
individual a : t
individual b : t
axiom a ~= b -> f(a)
axiom X:t = a | X = b
individual x : t
action go = { x.f := false; x.f := true; assert false }
export go
",
    ),
    (
        "an axiom that no value is of a variant",
        "#lang ivy1.7
type t
variant v of t
individual x : t
individual y : v
axiom ~(X:t isa v)
action go = { x := y; assert false }
export go
",
    ),
    (
        "an axiom about how many values with variants there are",
        "#lang ivy1.7
type t
variant v of t
individual x : t
individual y : v
individual z : v
axiom X:t = Y
action go = { require y ~= z; x := y; x := z; assert false }
export go
",
    ),
    (
        "axioms of an order that relates all values with variants both ways",
        "#lang ivy1.7
type t
variant v of t
axiom X:t <= Y
axiom ~(X:t < Y)
individual x : t
action go(y:v, z:v) = { require y ~= z; x := y; x := z; assert false }
export go
",
    ),
    (
        "an axiom by a definition about how many values with a field there are",
        "#lang ivy1.7
type u
type t = struct { f : u }
individual a : t
relation same(X:t, Y:t) = (X = Y)
axiom same(X, a)
individual x : t
action go(b:u, c:u) = { require b ~= c; x.f := b; x.f := c; assert false }
export go
",
    ),
    (
        "a trusted property about how many values with a field there are",
        "#lang ivy1.7
type u
type t = struct { f : u }
trusted isolate tr = { individual a : t  property X:t = a }
individual x : t
action go(b:u, c:u) = { require b ~= c; x.f := b; x.f := c; assert false }
export go
",
    ),
    (
        "an axiom about a greatest element of a sequence without an end",
        "#lang ivy1.7
include order
instance t : unbounded_sequence
individual max : t
axiom X <= max
individual x : t
action go = { require x = max; x := t.next(x); assert false }
export go
",
    ),
    (
        "an axiom about how many elements a sequence without an end has",
        "#lang ivy1.7
include order
instance t : unbounded_sequence
individual max : t
axiom X:t = 0 | X = max
individual x : t
action go = { x := t.next(0); x := t.next(x); assert false }
export go
",
    ),
    (
        "an axiom about the size of arrays of the library",
        "#lang ivy1.7
include collections
type r
type d
interpret d -> int
individual v : r
instance a : array(d, r)
axiom a.end(X) <= 2
action go = { var x := a.create(3, v); assert false }
export go
",
    ),
    (
        "an axiom about arrays of the library that have the same values",
        "#lang ivy1.7
include collections
type r
type d
interpret d -> int
instance a : array(d, r)
axiom a.end(X) = a.end(Y) & (forall I. 0 <= I & I < a.end(X) -> a.value(X, I) = a.value(Y, I)) -> X = Y
action go(u:r, v:r) = {
  require u ~= v;
  var x := a.create(0, u);
  var y := a.create(0, v);
  assert false
}
export go
",
    ),
];

/// Initializers without what actions require that are trusted.
const INITIALIZERS: &[(&str, &str)] = &[
    (
        "a value before the first one, in an initializer",
        "#lang ivy1.7
include order
instance t : unbounded_sequence
individual c : t
after init { c := t.prev(0) }
invariant false
",
    ),
    (
        "an array of less than no elements, in an initializer",
        "#lang ivy1.7
include collections
type d
interpret d -> int
type r
individual v : r
instance a : array(d,r)
individual n : d
individual z : a
after init { require n < 0; z := a.create(n,v) }
invariant false
",
    ),
    (
        "what a trusted action requires of an initializer",
        "#lang ivy1.7
type t
individual c : t
trusted isolate b = {
  action f(x:t) returns (y:t) = { require x = c; y := x; ensure y = c }
}
after init { var w : t; w := b.f(w); assert w = c }
",
    ),
];

/// Other values than actions of the library rely on.
const LIBRARY: &[(&str, &str)] = &[
    (
        "values of a map that the program takes away",
        "#lang ivy1.7
include collections
type d
type r
individual zero : r
instance m : map(d, r, zero)
action go(x:d) = { m.map(x, Y) := false; var y := m.get(x); assert false }
export go
",
    ),
    (
        "values of a map that a crash takes away",
        "#lang ivy1.7
include collections
type d
type r
individual zero : r
object o = {
  instance m : map(d, r, zero)
  action crash = *
}
action go(x:d) = { o.crash; assume ~o.m.map(x, Y); var y := o.m.get(x); assert false }
export go
",
    ),
    (
        "a value of a witness that is not there",
        "#lang ivy1.7
include collections
type r
instance m : witness(r)
action go = { m.clear; m.present := true; var y := m.get; assert false }
export go
",
    ),
    (
        "the end of arrays that the program defines",
        "#lang ivy1.7
include collections
type d
interpret d -> int
type r
individual v : r
instance a : array(d, r)
definition a.end(A:a) = 0:d
action go = { var x := a.create(1, v); assert false }
export go
",
    ),
    (
        "an array with more elements than places",
        "#lang ivy1.7
include collections
type d
interpret d -> bv[1]
type r
individual v : r
instance a : array(d, r)
action go = { var x := a.empty; x := a.append(x, v); x := a.append(x, v); assert false }
export go
",
    ),
    (
        "an array that grows beyond the greatest place",
        "#lang ivy1.7
include order
include collections
instance d : bit_vector(1)
type r
individual v : r
instance a : array(d, r)
action go(x:a) = { require d.is_max(a.end(x)); x := a.append(x, v); assert false }
export go
",
    ),
    (
        "a value that may be missing with another one behind it",
        "#lang ivy1.7
include collections
type r
individual v : r
instance a : option(r)
action go = { var x := a.just(v); x := a.append(x, v); assert false }
export go
",
    ),
    (
        "the size of an array below 0",
        "#lang ivy1.7
include collections
type d
interpret d -> int
type r
individual v : r
instance a : array(d, r)
action go(s:d) = { require s < 0; var x := a.empty; x := a.resize(x, s, v); assert false }
export go
",
    ),
    (
        "the size of an rel array below 0",
        "#lang ivy1.7
include collections
type d
interpret d -> int
type r
individual v : r
instance a : rel_array(d, r)
action go(s:d) = { require s < 0; var x := a.empty; x := a.resize(x, s, v); assert false }
export go
",
    ),
    (
        "the last key up to the end",
        "#lang ivy1.7
include collections
include order
type r
instance k : iterable
instance m : ordered_map(k, r)
action go(x:k, d:r) = {
  require 0 < x & ~m.contains(X);
  m.set(x, d);
  var e := k.iter.end;
  var y := m.glb(e);
  assert false
}
export go
",
    ),
    (
        "the next one of values without an order",
        "#lang ivy1.7
include order
object k = { type t }
instance it : sequence_iterator(k)
individual a : k.t
individual b : k.t
action go = { assume a ~= b & ~(X:k.t < Y); var i := it.create(a); i := it.next(i); assert false }
export go
",
    ),
];

fn none_is_proved(programs: &[(&str, &str)]) {
    for (what, text) in programs {
        let (system, _) = load("model.ivy", text);
        assert!(!system.is_some_and(|it| is_proved(&Arc::new(it))), "{what}:\n{text}");
    }
}

#[test]
fn values_that_need_not_exist_are_not_assumed() {
    none_is_proved(ELEMENTS);
}

#[test]
fn actions_of_the_library_do_not_assume_what_need_not_hold() {
    none_is_proved(LIBRARY);
}

#[test]
fn assumptions_do_not_tell_which_values_there_are() {
    none_is_proved(ASSUMED);
}

#[test]
fn initializers_owe_what_trusted_actions_require() {
    none_is_proved(INITIALIZERS);
}

#[test]
fn assumptions_about_the_values_of_fields_are_possible() {
    let text = "#lang ivy1.7
type u
type t = struct { f : u, g : u }
relation le(X:u, Y:u)
axiom le(X, Y) & le(Y, X) -> X = Y
individual x : t
action go(y:u) = { x.f := y; assert le(x.f, y) & le(y, x.f) -> f(x) = y }
export go
";
    let (system, diagnostics) = load("model.ivy", text);
    let system = Arc::new(system.unwrap_or_else(|| panic!("{diagnostics:#?}")));
    assert!(is_proved(&system), "{text}");
}
