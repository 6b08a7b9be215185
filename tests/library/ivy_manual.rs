//! Programs as Ivy's manual has them, each with what Ivy says of it.

use crate::ivy_isolates::verdicts;

/// What Ivy says of a program.
enum Ivy {
    /// It shows all that is claimed.
    Ok,
    /// It refutes a claim.
    Fail,
    /// It has no meaning.
    Error,
}
use Ivy::{Error, Fail, Ok};

#[track_caller]
fn compare(programs: &[(&str, Ivy, &str)]) {
    for (what, ivy, text) in programs {
        let found = verdicts(text);
        let is_error = found.iter().any(|(_, verdict)| verdict.starts_with("error"));
        let is_ok = found.iter().all(|(_, verdict)| verdict == "ok");
        let is_same = match ivy {
            Ok => is_ok,
            Fail => !is_ok && !is_error,
            Error => is_error,
        };
        assert!(is_same, "{what}: {found:?}\n{text}");
    }
}

/// The parameters of the object around a monitor are the first ones of the action.
#[test]
fn monitors_in_objects_have_the_first_parameters() {
    compare(&[
        (
            "the rest has names",
            Ok,
            "#lang ivy1.7
include udp
type node
type id
instance net : udp_simple(node, id)
object app(me:node) = {
    var last : id
    var got : bool
    after init { got := false }
    implement net.recv(v:id) { last := v; got := true }
    action go(d:node, v:id) = { call net.send(me, d, v) }
    invariant got -> net.spec.sent(last, me)
}
export app.go
",
        ),
        (
            "the rest has the names of the declaration",
            Ok,
            "#lang ivy1.7
type node
type id
action recv(dst:node, v:id)
export recv
object app(me:node) = {
    var last : id
    implement recv { last := v }
}
after recv(d:node, x:id) { ensure app.last(d) = x }
",
        ),
        (
            "another node has received nothing",
            Fail,
            "#lang ivy1.7
type node
type id
action recv(dst:node, v:id)
export recv
object app(me:node) = {
    var last : id
    implement recv(v:id) { last := v }
}
after recv(d:node, x:id) { ensure app.last(E) = x }
",
        ),
        (
            "results and two sides",
            Ok,
            "#lang ivy1.7
type node
type id
action recv(dst:node, v:id) returns (ok:bool)
export recv
object app(me:node) = {
    var last : id
    around recv(y:id) returns (k:bool) { require y = last; ... ensure last = y }
    implement recv(w:id) returns (z:bool) { z := w = last }
    after recv(w:id) returns (b:bool) { ensure b }
}
",
        ),
        (
            "a mixed-in action",
            Ok,
            "#lang ivy1.7
type node
type id
action recv(dst:node, v:id)
export recv
object app(me:node) = {
    var last : id
    action internal(v:id) = { last := v }
    mixin internal after recv
    after recv(y:id) { ensure last = y }
}
",
        ),
        (
            "too many parameters",
            Error,
            "#lang ivy1.7
type node
type id
action recv(dst:node, v:id)
export recv
object app(me:node) = {
    var last : id
    implement recv(d:node, v:id) { last := v }
}
",
        ),
        (
            "names of parameters that the object has",
            Error,
            "#lang ivy1.7
type node
type id
action recv(dst:node, v:id)
export recv
object app(me:node) = {
    var last : id
    after recv { ensure me = dst }
}
",
        ),
        (
            "a parameter of another type",
            Error,
            "#lang ivy1.7
type node
type id
action recv(v:id, dst:node)
export recv
object app(me:node) = {
    var last : id
    implement recv(d:node) { last := last }
}
",
        ),
    ]);
}

/// An initializer with parameters is executed for all their values at once.
#[test]
fn initializers_have_parameters() {
    compare(&[
        (
            "all values",
            Ok,
            "#lang ivy1.7
type node
relation p(N:node)
relation q(N:node)
after init(n:node) { p(n) := true; q(N) := false }
export action a(n:node) = { p(n) := true }
invariant p(N) & ~q(N)
",
        ),
        (
            "of another symbol",
            Fail,
            "#lang ivy1.7
type node
relation p(N:node)
relation q(N:node)
after init(n:node) { p(n) := true }
export action a(n:node) = { p(n) := true }
invariant p(N) & ~q(N)
",
        ),
        (
            "in an object",
            Ok,
            "#lang ivy1.7
type node
type id
object o(me:node) = {
    relation r(X:id)
    relation s(X:node)
    after init(n:node) { s(n) := n = me }
    invariant s(N) <-> N = me
    export action a(x:id) = { r(x) := true }
}
",
        ),
    ]);
}

/// A module that an instance declares has the parameters of the module around it, whose name is that of the instance.
#[test]
fn modules_in_instances_know_what_is_around_them() {
    compare(&[
        (
            "a module in an instance of another name",
            Ok,
            "#lang ivy1.8
global { object tcp = {
  module net(m) = {
    relation sent(X:m)
    after init { sent(X) := false }
    module socket = {
       action send(x:m)
       action recv(x:m)
       specification {
         before send { net.sent(x) := true }
         before recv { require net.sent(x) }
       }
    }
  }
} }
type msg
type node
instance foo : tcp.net(msg)
object host(self:node) = {
    instance sock : foo.socket
    export action go(x:msg) = { call sock.send(x); ensure foo.sent(x) }
    implement sock.recv(x:msg) { ensure foo.sent(x) }
}
export host.sock.recv
",
        ),
        (
            "an instance with the name of its module",
            Ok,
            "#lang ivy1.8
global { object tcp = {
  module net(m) = {
    relation sent(X:m)
    after init { sent(X) := false }
    module socket = {
       action send(x:m)
       action recv(x:m)
       specification {
         before send { net.sent(x) := true }
         before recv { require net.sent(x) }
       }
    }
  }
} }
type msg
type node
instance net : tcp.net(msg)
object host(self:node) = {
    instance sock : net.socket
    export action go(x:msg) = { call sock.send(x); ensure net.sent(x) }
    implement sock.recv(x:msg) { ensure net.sent(x) }
}
export host.sock.recv
",
        ),
        (
            "sockets of nodes",
            Ok,
            "#lang ivy1.8
include network
type msg
global { instance host_id : iterable }
isolate proto = {
    type msg = struct { sender : host_id, num : index }
    instance net : tcp.net(msg)
    object host(self:host_id) = {
        instance sock : net.socket
        var num : index
        relation seen(N:index)
        after init { num := 0; seen(N) := false }
        export action go(d:host_id) = { 
            var m : msg;
            m.sender := self; m.num := num;
            call sock.send(host(d).sock.id, m) }
        implement sock.recv(src:tcp.endpoint, m:msg) { seen(m.num) := true; ensure m.num = m.num }
        invariant net.sent(S,host(H).sock.id,T,M) -> true
    }
}
",
        ),
        (
            "what is received has been sent, with some number alone",
            Fail,
            "#lang ivy1.8
include network
include numbers
type msg
instance net : tcp.net(msg)
type host_id
process host(self:host_id) = {
    instance sock : net.socket
    implement sock.recv(src:tcp.endpoint, x:msg) { ensure net.sent(src,sock.id,T,x) }
}
process host2(self:host_id) = {
    instance sock : net.socket
    implement sock.recv(src:tcp.endpoint, x:msg) { ensure exists T. net.sent(src,sock.id,T,x) }
}
",
        ),
        (
            "what the other module calls itself is not known in the instance",
            Error,
            "#lang ivy1.8
global { object tcp = {
  module net(m) = {
    relation sent(X:m)
    after init { sent(X) := false }
    module socket = {
       action send(x:m)
       action recv(x:m)
       specification {
         before send { sent(x) := true }
         before recv { require sent(x) }
       }
    }
  }
} }
type msg
type node
instance net : tcp.net(msg)
object host(self:node) = {
    instance sock : net.socket
    export action go(x:msg) = { call sock.send(x); ensure net.sent(x) }
    implement sock.recv(x:msg) { ensure net.sent(x) }
}
export host.sock.recv
",
        ),
        (
            "a network without order",
            Ok,
            "#lang ivy1.8
include network
include collections
include numbers
type msg
instance net : udp.net(msg)
global { instance host_id : iterable }
process host(self:host_id) = {
    instance sock : net.socket
    implement sock.recv(src:udp.endpoint, x:msg) { call show(x) }
    import action show(x:msg)
    export action go(d:host_id, x:msg) = { call sock.send(host(d).sock.id, x) }
}
",
        ),
    ]);
}
