//! Programs that use the library.

/// The programs.
pub(super) const PROGRAMS: &[&str] = &[
    "#lang ivy1.7
include order
instance t : unbounded_sequence
action a(x:t) returns (y:t) = {
    y := t.next(x);
    assert [good] 0 <= x;
    assert [good] x < y;
    assert [good] t.max2(x, y) = y;
    assert [bad] t.succ(x, y) -> exists Z. t.succ(y, Z)
}
export a
",
    "#lang ivy1.6
include order
instance t : unbounded_sequence
individual n : t.t
object o = {
    after init { n := 0 }
    action a(x:t.t) = { if n < x { n := x } }
    action b(x:t.t) = { if x < n { n := x } }
    conjecture [good] n <= n
    conjecture [bad] 0 <= n
}
isolate iso = o with t
export o.a
export o.b
",
    "#lang ivy1.7
include order
instance t : bounded_sequence(nat)
action a(x:t) returns (y:t) = {
    var r := t.is_max(x);
    if ~r {
        y := t.next(x);
        assert [good] x < y;
        assert [good] 0 < y;
        assert [bad] exists Z. y < Z
    }
}
action b(x:t) returns (y:t) = {
    require 0 < x;
    y := t.prev(x);
    assert [good] t.succ(y, x);
    assert [bad] 0 < y
}
export a
export b
",
    "#lang ivy1.7
include order
instance t : bounded_sequence_spec
axiom X:t < Y & Y < Z -> X < Z
axiom ~(X:t < Y & Y < X)
axiom X:t < Y | X = Y | Y < X
axiom X:t >= 0
axiom ~t.succ(X, Y)
implement t.is_max(x:t) returns (r:bool) { r := forall S. ~(S > x) }
action a(x:t) = {
    var r : bool;
    r := t.is_max(x);
    assert [good] r -> forall S:t. S <= x;
    assert [bad] r
}
export a
",
    "#lang ivy1.7
include order
instance t : iterable
action a(x:t) returns (i:t.iter.t) = {
    i := t.iter.create(x);
    assert [good] ~t.iter.is_end(i) & t.iter.value(i) = x;
    var e := t.iter.end;
    assert [good] i < e;
    assert [good] t.iter.between(i, x, e);
    i := t.iter.next(i);
    assert [good] t.iter.done(x, i);
    assert [good] t.iter.is_end(i) -> x = t.max;
    assert [bad] ~t.iter.is_end(i);
    var b := t.iter.begin;
    assert [good] b < e;
    assert [good] b < i;
    assert [bad] x = t.iter.val(b)
}
action b(x:t) = {
    var r : bool;
    r := t.is_max(x);
    assert [good] r <-> x = t.max;
    assert [good] 0 <= x;
    assert [bad] ~r
}
export a
export b
",
    "#lang ivy1.7
include order
instance t : iterable
action a(i:t.iter.t) returns (j:t.iter.t) = {
    require ~t.iter.is_end(i) & 0 < t.iter.val(i);
    j := t.iter.prev(i);
    assert [good] ~t.iter.is_end(j);
    assert [good] j < i;
    assert [good] t.iter.val(j) < t.max;
    assert [bad] t.iter.val(j) = 0
}
export a
",
    "#lang ivy1.7
include order
type d
instance q : unbounded_queue(d)
individual c : d
relation known
after init { known := false }
action push(x:d) = {
    if q.empty { c := x; known := true } ;
    call q.push(x)
}
action pop returns (x:d) = {
    require ~q.empty & known;
    x := q.pop;
    known := false
}
action first returns (x:d) = {
    require ~q.empty;
    x := q.first;
    assert [good] x = q.contents(q.tail);
    assert [bad] x = c
}
action out returns (x:d) = {
    x := q.pop
}
export push
export pop
export first
",
    "#lang ivy1.8
include order
include collections
type d
instance q : unbounded_queue(d)
action one(x:d) returns (y:d) = {
    call q.clear;
    assert [good] q.empty;
    call q.enqueue(x);
    assert [good] ~q.empty;
    assert [good] q.peek = x;
    y := q.dequeue;
    assert [good] y = x;
    assert [good] q.empty;
    call q.enqueue(x);
    call q.enqueue(y);
    y := q.dequeue;
    assert [bad] q.empty
}
export one
",
    "#lang ivy1.7
include order
include collections
instance t : unbounded_sequence
type r
instance arr : array(t, r)
action a(x:arr, i:t, v:r) returns (y:arr) = {
    require i < arr.end(x);
    y := arr.set(x, i, v);
    assert [good] arr.end(y) = arr.end(x);
    assert [good] arr.value(y, i) = v;
    assert [good] X ~= i -> arr.value(y, X) = arr.value(x, X);
    assert [bad] arr.value(y, 0) = v;
    y := arr.extend(x, y);
    assert [bad] arr.end(x) <= arr.end(y)
}
export a
",
    "#lang ivy1.8
include order
include collections
type r
instance arr : vector(r)
action a(x:arr, v:r) returns (y:arr) = {
    y := arr.append(x, v);
    assert [good] index.succ(arr.end(x), arr.end(y)) | arr.end(x) < arr.end(y);
    assert [good] arr.value(y, arr.end(x)) = v;
    assert [good] ~arr.eq(x, y);
    assert [good] arr.eq(y, y);
    assert [bad] arr.value(y, 0) = v
}
export a
",
    "#lang ivy1.7
include order
include collections
instance t : unbounded_sequence
type r
instance arr : rel_array(t, r)
action a(x:arr, i:t, v:r) returns (y:arr) = {
    require i < arr.end(x);
    y := arr.set(x, i, v);
    assert [good] arr.end(y) = arr.end(x);
    assert [good] arr.value_is(y, i, V) <-> V = v;
    assert [good] X ~= i & arr.value_is(x, X, V) -> arr.value_is(y, X, V);
    assert [bad] arr.value_is(x, i, v);
    y := arr.append(x, v);
    assert [good] arr.end(x) < arr.end(y);
    assert [good] arr.value_is(y, arr.end(x), v);
    assert [good] arr.value_is(x, 0, V) & 0 < arr.end(x) -> arr.value_is(y, 0, V);
    assert [bad] arr.value_is(y, 0, v)
}
export a
",
    "#lang ivy1.7
include order
include collections
type r
instance arr : vector_bounded(r, 3)
action a(x:arr, v:r) returns (y:arr) = {
    y := arr.append(x, v);
    assert [good] arr.end(x) < 3;
    assert [good] arr.end(y) <= 3;
    assert [bad] arr.end(y) < 3
}
export a
",
    "#lang ivy1.7
include order
include collections
type r
instance o : option(r)
action a(v:r) returns (x:o) = {
    x := o.just(v);
    assert [good] ~o.is_empty(x);
    assert [good] o.contents(x) = v;
    x := o.empty;
    assert [good] o.is_empty(x);
    assert [bad] o.contents(x) = v
}
export a
",
    "#lang ivy1.7
include order
include collections
type r
instance n : null_type(r, none)
action a(x:n.t, v:r) returns (x:n.t) = {
    x.contents := v;
    assert [good] n.contents(x) = v;
    assert [bad] ~n.is_null(x)
}
export a
",
    "#lang ivy1.7
include order
include collections
instance t : unbounded_sequence
type r
instance p : path(t, r)
action a(x:p.t, v:r) returns (y:p.t) = {
    y := p.append(x, v);
    assert [good] p.end(x) < p.end(y);
    assert [good] p.value(y, p.end(x)) = v;
    assert [bad] p.value(y, 0) = v
}
export a
",
    "#lang ivy1.7
include order
include collections
instance t : unbounded_sequence
type r
instance arr : array(t, r)
instance seg : segment(t, r, arr)
action a(x:arr, i:t) returns (s:seg) = {
    require i < arr.end(x);
    s := seg.make(x, i, arr.end(x));
    assert [good] seg.value(s, i) = arr.value(x, i);
    assert [bad] seg.value(s, 0) = arr.value(x, 0)
}
export a
",
    "#lang ivy1.7
include order
include collections
instance t : unbounded_sequence
type k
type d
instance kv : keyval(t, k, d)
action a(x:kv.t, c:k, v:d) returns (y:kv.t) = {
    y := kv.append_pair(x, c, v);
    assert [good] kv.key_at(y, kv.end(x), c);
    assert [good] kv.value_at(y, kv.end(x)) = v;
    assert [good] kv.key_at(y, I, X) & kv.key_at(y, I, Z) -> X = Z;
    assert [good] kv.key_at(x, I, X) -> kv.key_at(y, I, X) & kv.value_at(x, I) = kv.value_at(y, I);
    assert [bad] kv.key_at(y, I, c) -> kv.value_at(y, I) = v;
    var e := kv.empty;
    assert [good] ~kv.key_at(e, I, c)
}
export a
",
    "#lang ivy1.7
include order
include collections
type t
instance m : map(t, t, 0)
export m.set_
invariant [good] m.map(X, Y) & m.map(X, Z) -> Y = Z
invariant [bad] m.map(X, 0)
",
    "#lang ivy1.7
include order
include collections
type t
type v
instance f : partial_function(t, v)
export f.remap
export f.remove
invariant [good] ~f.map(X, Y) | f.map(X, Y)
invariant [good3] f.map(X, Y) -> f.pre(X)
invariant [bad2] f.pre(X) -> f.map(X, Y)
",
    "#lang ivy1.8
include order
include collections
type t
type v
instance f : partial_function(t, v)
individual done : bool
after init { done := false }
action a(x:t, y:v) returns (z:v) = {
    assert [good] done | ~f.pre(x);
    call f.remap(x, y);
    done := true;
    assert [good] f.map(x, y) & f.pre(x);
    z := f.get(x);
    assert [good] z = y;
    assert [bad] f.pre(X)
}
export a
invariant [good2] done | ~f.pre(X)
",
    "#lang ivy1.7
include order
include collections
type t
instance w : witness(t)
action a(x:t) returns (y:t) = {
    call w.set(x);
    y := w.get;
    assert [good] y = x;
    var b := w.is_empty;
    assert [good] ~b;
    call w.clear;
    y := w.get;
    assert [bad] y = x
}
export a
",
    "#lang ivy1.7
include order
include collections
type t
type u
relation r(X:t, Y:u)
relation q(X:t, Y:u)
function f(X:t) : u
individual c : u
definition r(X, Y) = f(X) = Y
instance one : functional(r)
action a(x:t) = {
    assert [bad] r(x, c)
}
export a
",
    "#lang ivy1.7
include order
include collections
instance key : iterable
type v
instance m : ordered_map(key, v)
individual k : key
relation has
after init { has := false }
action put(x:key, y:v, z:v) returns (w:v) = {
    call m.set(x, y);
    k := x;
    has := true;
    w := m.get(x, z);
    assert [good] w = y
}
action look(y:v) returns (i:key.iter.t) = {
    require has;
    var b := key.iter.begin;
    i := m.lub(b);
    assert [good] ~key.iter.is_end(i);
    assert [good] key.iter.val(i) <= k;
    assert [good] m.contains(key.iter.val(i));
    assert [bad] key.iter.val(i) = k
}
action after_it(i:key.iter.t) returns (j:key.iter.t) = {
    require ~key.iter.is_end(i);
    j := m.next(i);
    assert [good] i < j;
    assert [good] key.iter.is_end(j) | m.contains(key.iter.val(j));
    assert [bad] ~key.iter.is_end(j)
}
action drop(i:key.iter.t) = {
    has := false;
    call m.erase(i, i)
}
export put
export look
export after_it
export drop
invariant [good2] has -> m.contains(k)
invariant [bad2] m.contains(X) -> m.maps(X, Y)
",
    "#lang ivy1.8
include order
include collections
instance key : iterable
type v
instance m : ordered_map(key, v)
action put(x:key, y:v, z:v) returns (w:v) = {
    call m.set(x, y);
    w := m.get(x, z);
    assert [good] m.maps(x, w);
    assert [bad] w = z
}
export put
",
    "#lang ivy1.7
include order
include collections
instance key : unbounded_sequence
instance s : ordered_set(key)
action a(x:key) returns (g:key) = {
    g := s.get_glb(x);
    assert [good] g <= x | ~s.s(0);
    assert [bad] g = x
}
export s.insert
export a
invariant [good] s.s(0)
",
    "#lang ivy1.7
include order
include collections
instance key : unbounded_sequence
instance s : ordered_set(key)
export s.erase
invariant [good] s.s(X) -> X = 0
invariant [bad] s.s(0)
",
    "#lang ivy1.8
include order
include collections
instance key : iterable
instance s : ordered_set(key)
action a(x:key) returns (r:bool) = {
    call s.insert(x);
    r := s.member(x);
    assert [good] r | ~r;
    assert [bad] r
}
export a
",
    "#lang ivy1.7
include timeout
instance tmr : timeout_sec
individual n : bool
individual m : bool
after init { n := false; m := false }
implement tmr.timeout { n := true }
invariant [good] ~m
invariant [bad] ~n
",
    "#lang ivy1.7
include udp
type a
type p
instance net : udp_simple(a, p)
relation got(X:a, Y:p)
after init { got(X, Y) := false }
implement net.recv(d:a, v:p) { got(d, v) := true }
export net.send
invariant [good] got(X, Y) -> net.spec.sent(Y, X)
invariant [bad] ~got(X, Y)
",
    "#lang ivy1.7
include udp
type a
type p
instance net : udp_simple2(a, p)
relation got(X:a, Y:p)
after init { got(X, Y) := false }
implement net.recv(d:a, v:p) { got(d, v) := true }
export net.send
invariant [good] got(X, Y) -> net.sent(Y, X)
invariant [bad] ~got(X, Y)
",
    "#lang ivy1.7
include udp
type a
type p
instance net : nondup_endpoint(a, p)
relation got(Y:p)
relation was(Y:p)
after init { got(Y) := false; was(Y) := false }
action put(v:p) = {
    require ~was(v) & ~net.spec.sent(v);
    was(v) := true;
    call net.send(v)
}
implement net.recv(v:p) {
    assert [good2] was(v) & ~got(v);
    got(v) := true
}
export put
invariant [good] got(Y) -> was(Y) & ~net.spec.sent(Y)
invariant [good3] net.spec.sent(Y) -> was(Y)
invariant [bad] ~got(Y)
",
    "#lang ivy1.7
include udp
type a
type p
instance net : nondup_endpoint_set(a, a, p)
relation got(X:a, Y:p)
after init { got(X, Y) := false }
action put(d:a, v:p) = {
    require ~got(d, v) & ~net.spec.sent(v, d);
    call net.send(d, v)
}
implement net.recv(d:a, v:p) { got(d, v) := true }
export put
invariant [good] got(X, Y) -> ~net.spec.sent(Y, X)
invariant [bad] ~got(X, Y)
",
    "#lang ivy1.7
include tcp
type a
type p
instance net : tcp_channel(a, p)
implement net.rcvr.recv(v:p) {
    assert [good2] 0 < net.spec.recv_idx;
    assert [good4] net.spec.recv_idx <= net.spec.send_idx;
    assert [bad2] net.spec.recv_idx < net.spec.send_idx
}
export net.sndr.send
invariant [good] net.spec.recv_idx <= net.spec.send_idx
invariant [good3] net.spec.sent(I, Y) -> I < net.spec.send_idx
invariant [bad] net.spec.sent(I, X) -> I = net.spec.recv_idx
",
    "#lang ivy1.7
include tcp
type a
type p
instance net : tcp_network(a, p)
relation got(Y:p)
after init { got(Y) := false }
implement net.recv(self:a, s:net.socket, v:p) { got(v) := true; assert [good2] net.open(self, s) }
implement net.connected(self:a, s:net.socket) { assert [bad2] net.open(self, s) }
export net.send
export net.close
export net.connect
invariant [bad] ~got(Y)
invariant [good3] net.req(A, S, B) -> ~net.open(A, S)
",
    "#lang ivy1.7
include tcp
type a
type p
instance net : simple_tcp(a, p)
relation got(X:a, Y:p)
after init { got(X, Y) := false }
implement net.recv(d:a, v:p) { got(d, v) := true }
export net.send
invariant [good] got(X, Y) -> net.sent(Y, X)
invariant [bad] ~got(X, Y)
",
    "#lang ivy1.7
include ip
action a(x:ip.endpoint, y:ip.endpoint) = {
    assert [good] ip.endpoint.protocol(x) = ip.udp | ip.endpoint.protocol(x) = ip.tcp;
    assert [bad] ip.endpoint.port(x) = ip.endpoint.port(y)
}
export a
",
    "#lang ivy1.8
include order
include collections
include numbers
action a(x:nat, y:nat) = {
    assert [good] 0 <= x;
    assert [good] x <= nat.max2(x, y)
}
action b(x:nat, y:nat) = {
    assert [bad] x <= y
}
export a
export b
",
    "#lang ivy1.7
include deduction
type t
relation p(X:t)
relation q(X:t)
axiom [one] p(X)
action a(x:t) = {
    assert [good] exists X. p(X);
    assert [bad] q(x)
}
export a
",
    "#lang ivy1.7
include order
include deserializer
instance i : unbounded_sequence
type b
type d
instance s : deserializer(i, b, d, d)
action a(x:b) returns (r:s.result) = {
    r := s.deserialize(x, 0);
    assert [good] 0 <= s.pos(r);
    assert [bad] 0 < s.pos(r)
}
export a
",
];
