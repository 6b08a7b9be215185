//! What every program can include.

/// The files that every program can include, by name.
pub(super) const LIBRARY: [(&str, &str); 2] = [
    (
        "order",
        "# Orders on a sort. The relation is the user's: `use total_order(id, le)`.

module partial_order(s, le) {
  axiom forall x: s. le(x, x)
  axiom forall x: s, y: s, z: s. le(x, y) & le(y, z) -> le(x, z)
  axiom forall x: s, y: s. le(x, y) & le(y, x) -> x = y
}

module total_order(s, le) {
  use partial_order(s, le)
  axiom forall x: s, y: s. le(x, y) | le(y, x)
}

# The irreflexive order.
module strict_total_order(s, lt) {
  axiom forall x: s. !lt(x, x)
  axiom forall x: s, y: s, z: s. lt(x, y) & lt(y, z) -> lt(x, z)
  axiom forall x: s, y: s. lt(x, y) | x = y | lt(y, x)
}
",
    ),
    (
        "ring",
        "# A ring: `btw(x, y, z)` holds for different elements if the way from `x` to `z` goes through `y`.

module ring(s, btw) {
  axiom forall x: s, y: s, z: s. btw(x, y, z) -> btw(y, z, x)
  axiom forall w: s, x: s, y: s, z: s. btw(w, x, y) & btw(w, y, z) -> btw(w, x, z)
  axiom forall w: s, x: s, y: s. btw(w, x, y) -> !btw(w, y, x)
  axiom forall w: s, x: s, y: s. distinct(w, x, y) -> btw(w, x, y) | btw(w, y, x)

  # The next element after `a` is `b`.
  macro next(a: s, b: s) = forall x: s. x != a & x != b -> btw(a, b, x)
}
",
    ),
];
