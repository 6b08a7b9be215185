//! What every program can include.

/// The files that every program can include, by name.
pub(super) const LIBRARY: [(&str, &str); 2] = [
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
