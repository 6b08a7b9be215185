//! What every program can include.

/// The files that every program can include, by name.
const LIBRARY: [(&str, &str); 3] = [
    (
        "collections",
        "\
#lang ivy1.7

include order

# Arrays. `end` is the first place after an array, and `value` what is at a place before that; nothing is known of other places.
# That there is an array with given values is assumed where an action makes one.
module array(domain, range) = {
    type this
    alias t = this

    function end(A:this) : domain
    function value(A:this, X:domain) : range
    function begin(A:this) : domain = 0
    function segment(A:this, L:domain, H:domain) : this

    axiom 0 <= end(A)

    action empty returns (a:this) = {
        assume end(a) = 0
    }

    action create(s:domain, y:range) returns (a:this) = {
        require 0 <= s;
        assume end(a) = s & value(a, X) = y
    }

    action set(a:this, x:domain, y:range) returns (a:this) = {
        require 0 <= x & x < end(a);
        var b : this;
        assume end(b) = end(a) & value(b, X) = (y if X = x else value(a, X));
        a := b
    }

    action get(a:this, x:domain) returns (y:range) = {
        require 0 <= x & x < end(a);
        y := value(a, x)
    }

    action size(a:this) returns (s:domain) = {
        s := end(a)
    }

    action resize(a:this, s:domain, v:range) returns (a:this) = {
        var b : this;
        assume end(b) = s;
        assume 0 <= X & X < end(a) -> value(b, X) = value(a, X);
        assume end(a) <= X & X < s -> value(b, X) = v;
        a := b
    }

    action append(a:this, v:range) returns (a:this) = {
        var b : this;
        assume end(a) < end(b) & ~(end(a) < X & X < end(b));
        assume 0 <= X & X < end(a) -> value(b, X) = value(a, X);
        assume value(b, end(a)) = v;
        a := b
    }

    action eq(x:this, y:this) returns (res:bool) = {
        assume res <-> end(x) = end(y) & forall I. 0 <= I & I < end(x) -> value(x, I) = value(y, I)
    }

    # Of what these return nothing is known.
    action extend(a:this, b:this) returns (a:this) = { a := * }
    action back(a:this) returns (res:range)
    action pop_back(a:this) returns (a:this) = { a := * }
    action reverse(a:this) returns (a:this) = { a := * }
}

# Arrays whose places are those of a sequence.
module vector(range) = {
    instance domain : unbounded_sequence
    instantiate array(domain, range)
}

# A function that is `zero` at first.
module map(dom, rng, zero) = {
    relation map(X:dom, Y:rng)

    after init {
        map(X, Y) := Y = zero
    }

    action set_(x:dom, y:rng) = {
        call lemma(x);
        map(x, Y) := Y = y
    }

    action get(x:dom) returns (y:rng) = {
        assume map(x, y)
    }

    action lemma(x:dom) = {
        assume exists Y. map(x, Y)
    }

    invariant map(K, L) & map(K, M) -> L = M
}

# A function that has no values at first, and has them where `pre` holds.
module partial_function(dom, rng) = {
    relation map(X:dom, Y:rng)
    relation pre(X:dom)

    after init {
        map(X, Y) := false;
        pre(X) := false
    }

    action remap(x:dom, y:rng) = {
        map(x, Y) := Y = y;
        pre(x) := true
    }

    action remove(x:dom) = {
        map(x, Y) := false;
        pre(x) := false
    }

    action get(x:dom) returns (y:rng) = {
        assume pre(x) -> map(x, y)
    }

    action present(x:dom) returns (r:bool) = {
        r := pre(x)
    }

    action lemma(x:dom) = {
        assume pre(x) -> exists Y. map(x, Y)
    }

    invariant map(K, L) & map(K, M) -> L = M
}

# A value that may be missing.
module witness(rng) = {
    relation is(Y:rng)
    relation present

    after init {
        is(Y) := false;
        present := false
    }

    action set(v:rng) = {
        is(Y) := Y = v;
        present := true
    }

    action get returns (v:rng) = {
        assume present -> is(v)
    }

    action is_empty returns (r:bool) = {
        r := ~present
    }

    action clear = {
        is(Y) := false;
        present := false
    }
}
",
    ),
    (
        "mc_schemata",
        "\
#lang ivy1.7

# Equality and congruence are built in.
module equality_schemata = { }

# `<` is a strict total order on `t`.
module total_order_axioms(t) = {
    axiom X:t < Y & Y < Z -> X < Z
    axiom ~(X:t < X)
    axiom X:t < Y | X = Y | Y < X
}

# The schemata are instances of these axioms.
module total_order_schemata(t) = {
    instantiate total_order_axioms(t)
}

# The schemata of a total order, and those of `succ` in an `unbounded_sequence` (see `order`), whose axioms these are.
module unbounded_sequence_schemata(t) = {
    instantiate total_order_schemata(t)
    axiom 0:t <= X
    axiom t.succ(X, Y) -> X < Y & ~(X < Z & Z < Y)
}
",
    ),
    (
        "order",
        "\
#lang ivy1.7

# `r` is a total order.
module total_order(r) = {
    axiom r(X, X)
    axiom r(X, Y) & r(Y, Z) -> r(X, Z)
    axiom r(X, Y) & r(Y, X) -> X = Y
    axiom r(X, Y) | r(Y, X)
}

# A type with a total order `<`, the least element 0, and steps to the next and the previous element.
module unbounded_sequence = {
    type this
    alias t = this

    axiom X:this < Y & Y < Z -> X < Z
    axiom ~(X:this < X)
    axiom X:this < Y | X = Y | Y < X
    axiom 0:this <= X

    # Nothing lies between. That there is a next element is not said: the axioms have no alternation of quantifiers.
    relation succ(X:this, Y:this)
    axiom succ(X, Y) -> X < Y & ~(X < Z & Z < Y)

    action next(x:this) returns (y:this) = {
        assume succ(x, y)
    }

    # Nothing is before 0, which the caller has to exclude.
    action prev(x:this) returns (y:this) = {
        require 0 < x;
        assume succ(y, x)
    }

    function max2(X:this, Y:this) : this = Y if X <= Y else X
}

# A type with a total order `<`, the least element 0, and steps up to the greatest element, if there is one. Its elements are
# those of `interp`, of which nothing more is known.
module bounded_sequence(interp) = {
    type this
    alias t = this

    axiom X:this < Y & Y < Z -> X < Z
    axiom ~(X:this < X)
    axiom X:this < Y | X = Y | Y < X
    axiom 0:this <= X

    relation succ(X:this, Y:this)
    axiom succ(X, Y) -> X < Y & ~(X < Z & Z < Y)

    action next(x:this) returns (y:this) = {
        require exists S. S > x;
        assume succ(x, y)
    }

    action prev(x:this) returns (y:this) = {
        require 0 < x;
        assume succ(y, x)
    }

    action is_max(x:this) returns (r:bool) = {
        assume r <-> ~(exists S. S > x)
    }
}

# `<` is a total order on `t`, which is to be shown: what is known of `t` must tell.
module totally_ordered(t) = {
    property [transitivity] (T:t < U & U < V) -> (T < V)
    property [antisymmetry] ~(T:t < U & U < T)
    property [totality] T:t < U | T = U | U < T
}

# 0 is the least element as well.
module totally_ordered_with_zero(t) = {
    instantiate totally_ordered(t)
    property 0 <= X:t
}
",
    ),
];

/// Returns the file of the library that a program includes by this name.
pub(super) fn library(name: &str, _version: u32) -> Option<&'static str> {
    LIBRARY.iter().find(|(known, _)| *known == name).map(|(_, text)| *text)
}
