//! Programs in `.ivy` with isolates that are wrong, each of which has seemed right once.

use crate::ivy_isolates::verdicts;

/// Programs that are wrong, whose isolates could all seem right.
const WRONG: &[(&str, &str)] = &[
    (
        "a hidden function",
        "#lang ivy1.7
type t
individual d : t
isolate j = {
  individual s : t
  individual w : t
  after init { w := d }
  action f(x:t) = { s := x; }
  invariant w = d
}
isolate k = {
  private { definition d = j.s }
}
export j.f
",
    ),
    (
        "a hidden relation behind an abbreviation",
        "#lang ivy1.7
relation d
object o = { private { derived e = d } }
isolate j = {
  individual s : bool
  individual w : bool
  after init { s := true; w := o.e }
  action f = { s := false }
  invariant w = o.e
}
isolate k = {
  individual z : bool
  private { definition d = j.s }
}
isolate ko = o
export j.f
",
    ),
    (
        "an initializer that calls before others",
        "#lang ivy1.7
isolate b = {
  after init { call a.f }
}
isolate a = {
  individual x : bool
  after init { x := true }
  action f = { assert x }
  invariant x
}
",
    ),
    (
        "one that calls between others",
        "#lang ivy1.7
object p = {
  individual x : bool
  after init { x := false }
  action f = { assert x }
  invariant x
}
isolate b = { after init { call p.f } }
object r = { after init { p.x := true } }
isolate i = p, r
",
    ),
    (
        "one that calls where `init` constrains",
        "#lang ivy1.6
object b = {
  after init { call a.f }
}
object a = {
  individual x : bool
  individual y : bool
  init x
  after init { y := true }
  action f = { if ~y { x := false } }
  conjecture x & y
}
isolate ia = a
isolate ib = b
export a.f
",
    ),
    (
        "`init` about a hidden definition",
        "#lang ivy1.6
relation d
object k = {
  individual s : bool
  after init { s := false }
  object impl = { definition d = k.s }
}
object a = {
  individual y : bool
  init d
  after init { y := true }
  action f = { y := d }
  conjecture d & y
}
isolate ia = a
isolate ik = k
export a.f
",
    ),
    (
        "an assertion in a macro, called back",
        "#lang ivy1.6
macro chk(z) = { assert [l] z }
object a = {
  individual x : bool
  init x
  action f = { x := false; call b.g; x := true }
  action e = { instantiate chk(x) }
  conjecture [c] x
}
object b = {
  action g = { call a.e }
}
isolate ia = a
isolate ib = b
export a.f
",
    ),
    (
        "an assertion in a macro that nothing shows",
        "#lang ivy1.6
macro chk(z) = { assert [l] z }
object a = {
  individual x : bool
  action f = { x := false }
}
object b = {
  after a.f { instantiate chk(a.x) }
}
isolate ia = a
isolate ib = b with a
export a.f
",
    ),
    (
        "a requirement in a macro",
        "#lang ivy1.6
macro chk(z) = { assert [l] z }
object a = {
  individual x : bool
  init ~x
  action f = { }
  conjecture [c] ~x
}
object s = { before a.f { instantiate chk(a.x) } }
object b = {
  action g = { call a.f }
}
isolate ia = a with s
isolate ib = b
export b.g
",
    ),
    (
        "two isolates of one name",
        "#lang ivy1.7
object a = { individual x : bool
  after init { x := true }
  action f = { x := true }
  invariant x }
object b = { individual y : bool
  after init { y := true }
  action f = { y := false }
  invariant y }
isolate i = a
isolate i = b
export a.f
export b.f
",
    ),
    (
        "an isolate with the name of the rest",
        "#lang ivy1.7
object a = { individual x : bool
  after init { x := true }
  action f = { x := true }
  invariant x }
object b = { individual y : bool
  after init { y := true }
  action f = { y := false }
  invariant y }
isolate this = a
export a.f
export b.f
",
    ),
    (
        "an isolate that continues another one",
        "#lang ivy1.7
object b = { individual p : bool
  action f = { }
  before f { require p }
}
isolate i = { action g = {} }
isolate i = { ...
  action h = { call b.f }
} with b
export i.h
",
    ),
    (
        "an assertion in an initializer",
        "#lang ivy1.6
object a = { individual x : bool
 action f = {x := x}
}
object o = { individual y : bool
 after init { y := false; assert [q] y } }
isolate ia = a
export a.f
",
    ),
    (
        "a result with the name of a parameter",
        "#lang ivy1.7
type t
individual c : t
object a = {
  action f(x:t) returns (x:t) = { }
  after f { ensure x = old x }
}
before a.f(z:t) { z := c }
export a.f
",
    ),
    (
        "an early call that calls on",
        "#lang ivy1.7
isolate b = {
  after init { call a.f }
}
isolate a = {
  individual x : bool
  after init { x := true }
  action f = { call g }
  action g = { assert x }
  invariant x
}
",
    ),
    (
        "an axiom about what changes, at the end of a transition",
        "#lang ivy1.6
object b = {
  individual x : bool
  individual y : bool
  axiom x
  init y
  action g = { x := false; y := false }
  action k = { x := true }
  conjecture y
}
object a = {
  action f = { call b.g; call b.k }
}
isolate ib = b
isolate ia = a
export a.f
",
    ),
    (
        "an axiom about what changes, at the start of one",
        "#lang ivy1.6
object a = {
  individual x : bool
  axiom x
  action f = { x := false; call c.h; x := true }
}
object c = { action h = { call b.g } }
object b = {
  action g = { assert a.x }
}
isolate ia = a
isolate ib = b with a
isolate ic = c
export a.f
",
    ),
    (
        "the parameter of an object, assigned where it is not seen",
        "#lang ivy1.7
type t
individual c : t
individual d : t
axiom c ~= d
isolate a(self:t) = {
  action f returns (y:t) = { y := self }
  specification { after f { ensure y = self } }
  private { before f { self := d } }
}
isolate b = {
  action g = { var z := a.f(c); assert z = c }
} with a, c, d
export b.g
",
    ),
    (
        "an instance of a schema about what changes unseen",
        "#lang ivy1.7
type t
type u
isolate a = {
  function f(X:t) : u
  action set(x:t, y:u) = { f(x) := y }
}
isolate b = {
  relation s(X:u)
  schema sch = {
    type p
    type q
    function g(X:p) : q
    relation r(X:q)
    property r(g(X))
  }
  action k = { assert exists Y. s(Y) }
}
export a.set
export b.k
",
    ),
    (
        "a claim of an update",
        "#lang ivy1.2
relation f(X,Y)
relation r(X)
individual q : bool
update r from f
  params x, y in x.f := y -> requires q ensures true
module mm = {
  individual z : bool
  init z
  action h = { z := true }
  conjecture z
}
instantiate o : mm
individual c
action g = { c.f := c }
isolate io = o
export o.h
export g
",
    ),
    (
        "an isolate that continues a trusted one",
        "#lang ivy1.7
trusted isolate i = {
  individual x : bool
  action g = { x := x }
}
isolate i = { ...
  individual y : bool
  after init { y := true }
  action h = { y := false }
  invariant y
}
export i.h
",
    ),
    (
        "a measure that calls",
        "#lang ivy1.7
type t
type nat
interpret nat -> nat
relation p(X:t)
individual c : t
action f returns (n:nat) = { p(X) := false; n := 0 }
action g = {
  p(X) := true;
  while some y:t. p(y)
    decreases f { assert false }
}
action h = {
  p(c) := true;
  while exists Y. p(Y)
    decreases f { assert false }
}
after init { p(X) := false }
export g
",
    ),
    (
        "a parameter with the name of an object",
        "#lang ivy1.7
type t = struct { f : bool }
isolate a = { individual f : bool  after init {f := true} invariant [k] f }
isolate i = {
  action s(a:t) = { assert a.f }
} with a
export i.s
",
    ),
    (
        "a parameter with the name of an object whose action is called",
        "#lang ivy1.7
object a = { individual v : bool  after init { v := true } action f = { } }
object t = { type this  relation q(X:t)  action f(x:t) = { q(x) := false; }
  action g(x:t) returns (a:t) = { a := x; call a.f; assert q(a) -> false } }
type u
isolate i = { action s(a:t) = { t.q(a) := true; call a.f; assert t.q(a) } } with a, t
export i.s
",
    ),
    (
        "the invariant of another isolate about a wire, after a call",
        "#lang ivy1.8
isolate s = {
  individual c : bool
  individual d : bool
  wire w : bool = c
  after init { c := false; d := false }
  action flip = { c := ~c; d := ~d }
  specification { invariant w <-> d }
}
isolate m = { action go = { require ~s.c; s.flip; assert ~s.d } } with s
export s.flip
export m.go
",
    ),
    (
        "an invariant about a wire where the isolate is called back",
        "#lang ivy1.8
object f = { action f1 }
isolate a = {
  individual c : bool
  individual d : bool
  wire w : bool = c
  after init { c := false; d := false }
  action g = { assert c <-> d }
  invariant w <-> d
  action h = { require ~c; c := true; f.f1; c := d }
} with f
isolate b = { implement f.f1 { a.g } } with a
export a.h
",
    ),
    (
        "a label of an object that is one of the program as well, after `with`",
        "#lang ivy1.8
type t
relation p(X:t)
axiom [s] p(X)
object o = {
  property [s] p(X) | ~p(X)
  isolate k = { property [z] p(X) } with s
}
",
    ),
    (
        "what a trusted isolate requires of an initializer",
        "#lang ivy1.7
type t
individual c : t
trusted isolate b = {
  action f(x:t) returns (y:t) = { require x = c; y := x; ensure y = c }
}
isolate a = {
 individual z : t
 after init { z := b.f(z); }
 invariant z = c
} with b
",
    ),
];

#[test]
fn programs_that_are_wrong_are_not_proved() {
    for (what, text) in WRONG {
        let found = verdicts(text);
        assert!(found.iter().any(|(_, verdict)| verdict != "ok"), "{what}: {found:?}\n{text}");
    }
}
