//! Declarations that Ivy refuses because of a word, a name or their order.

use super::errors::expect_first;

#[test]
fn values_lists_and_words_of_declarations_are_those_of_ivy() {
    expect_first(&[
        ("individual d, e : t", "4:12 error R003: `d` has no type (write `individual d : t`)"),
        (
            "var d : t = c",
            "4:5 error R003: `var` declares no value (initial values are assigned in `after init { .. }`; what stays the same is a `function` or a `definition`)",
        ),
        (
            "individual d : t = some X:t. r(X)",
            "4:12 error R003: `individual` declares no value (initial values are assigned in `after init { .. }`; what stays the same is a `function` or a `definition`)",
        ),
        (
            "ghost finite type u",
            "4:7 error R003: expected `type`, found the keyword `finite` (types alone are ghosts or finite, `finite ghost type` if they are both)",
        ),
        (
            "explicit explicit axiom [a] r(X)",
            "4:10 error R003: expected `axiom`, `property`, `invariant` or `definition`, found the keyword `explicit` (what proofs alone use is one of these)",
        ),
        ("property [a.b] r(X)", "4:12 error R003: expected `]`, found `.`"),
        (
            "action a returns (x:t, y:t) action b = { call (c, c) := a }",
            "4:47 error R003: expected the name of what changes, found `(`",
        ),
        (
            "module m = { } property [m] r(X)",
            "4:26 error R005: the name `m` is declared twice (claims, definitions, types, objects and symbols all have different names)",
        ),
        (
            "isolate j = this property [j] r(X)",
            "4:28 error R005: the name `j` is declared twice (claims, definitions, types, objects and symbols all have different names)",
        ),
        (
            "action a = { } action b = { } export b property [a] r(X)",
            "4:50 error R005: the name `a` is declared twice (claims, definitions, types, objects and symbols all have different names)",
        ),
        (
            "object o(p:u) = { relation q } type u",
            "4:12 error R006: the type `u` is declared after this (declare it first)",
        ),
        (
            "object o(p:u) = { property c = c } type u",
            "4:12 error R006: the type `u` is declared after this (declare it first; only statements, and claims about states, mention what is declared later)",
        ),
        (
            "type v object o = { interpret v -> {c, e} }",
            "4:37 error R005: the name `c` is declared twice (elements of interpreted types have names that nothing of the whole program has)",
        ),
        (
            "action a = { if * { } } export a",
            "4:23 error R003: expected `else`, found `}` (`if *` has two branches, of which one may be empty)",
        ),
        (
            "action a = { while * { } } export a",
            "4:20 error R003: expected a condition, found `*` (assign `*` to a variable before the loop and in it)",
        ),
        (
            "theorem [th] { relation p(X:t) property p(X) -> p(X) } property r(X) -> r(X) proof apply th with p = r",
            "4:102 error R023: `p` has 1 arguments (write `p(X) = ..`)",
        ),
    ]);
}
