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

#[test]
fn first_values_do_not_mention_the_variable_that_they_hide() {
    let name = "R023: the first value of `x` mentions the variable `x` that it hides (give the new variable another name than `x`)";
    for (text, place) in [
        ("action a = { var x := c; if r(c) { var x : t := x; assert x = c } } export a", "4:49"),
        ("action a = { if some x:t. r(x) { var x : t := x; assert r(x) } } export a", "4:47"),
        ("action a = { local x:t { x := c; var x : t := c if r(c) else x } } export a", "4:62"),
        ("after init { var x := c; var x : t := x; assert x = c }", "4:39"),
    ] {
        expect_first(&[(text, &format!("{place} error {name}"))]);
    }
    expect_first(&[
        // Parameters, results and symbols are other variables.
        ("action a(x:t) returns (y:t) = { var x : t := x; var y : t := y; } export a", ""),
        ("action a = { var c : t := c; assert r(c) } export a", ""),
        ("action a = { var x := c; if r(c) { var x : t := c; var y : t := x } } export a", ""),
        // The call comes before the variable.
        (
            "action f(x:t) returns (y:t) = { y := x } action a = { var x := c; var x : t := f(x) } export a",
            "",
        ),
    ]);
}

#[test]
fn macros_do_not_declare_what_their_arguments_are_called() {
    let error = "error R023: the macro declares `z`, and its argument is another variable `z` (give one of them another name than `z`)";
    let statements = "action a = { var z := c; instantiate m(z); assert c = z } export a";
    for (body, place) in [
        ("var z : t := c; c := y", "4:20"),
        ("local z:t { c := y }", "4:22"),
        ("if some z:t. r(z) { c := y }", "4:24"),
        ("var z : t := y", "4:20"),
    ] {
        expect_first(&[(&format!("macro m(y) = {{ {body} }} {statements}"), &format!("{place} {error}"))]);
    }
    expect_first(&[
        (
            "macro n(y) = { if some z:t. r(z) { c := y } } macro m(x) = { instantiate n(x) } action a = { var z := c; instantiate m(z) } export a",
            &format!("4:24 {error}"),
        ),
        (
            "macro m(y) = { var z(X:t) : bool; r(X) := y(X) } action a = { var z(X:t) : bool; instantiate m(z) } export a",
            &format!("4:20 {error}"),
        ),
        ("individual z : t macro m(y) = { var z : t; c := y } action a = { instantiate m(z) } export a", ""),
        ("macro m(y) = { var x : t; c := y } action a = { var z := c; instantiate m(z) } export a", ""),
        (
            "action f(x:t) returns (y:t) = { var z := x; y := z } macro m(y) = { y := f(y) } action a = { var z := c; instantiate m(z) } export a",
            "",
        ),
    ]);
}

#[test]
fn monitors_with_all_parameters_take_over_results() {
    let action =
        "object o(p:t) = { action f(x:t) returns (y:t) = { y := x } action g returns (y:t) = { y := p } }";
    let exports = "export o.f export o.g";
    for monitor in [
        "after o.f(p:t, x:t) { assert y = x }",
        "after o.g(p:t) { assert y = p }",
        "object k(p:t) = { after o.f(x:t) { assert y = x } after o.g { assert y = p } }",
    ] {
        expect_first(&[(&format!("{action} {monitor} {exports}"), "")]);
    }
    expect_first(&[(
        &format!(
            "object k(p:t) = {{ {action} }} object j(p:t) = {{ after k.o.g(q:t) {{ assert y = q }} }} export k.o.f export k.o.g"
        ),
        "",
    )]);
    expect_first(&[(
        &format!("{action} object k(p:t) = {{ after o.f {{ assert y = p }} }} {exports}"),
        "4:122 error R007: the parameters and results of `o.f` are not given here (write them here as well)",
    )]);
}

#[test]
fn proofs_that_change_nothing_are_read() {
    for (text, error) in [
        ("property r(c) proof { let W = x }", "4:31 error R006: `x` is not declared"),
        ("property r(c) proof { if x = c { showgoals } else { } }", "4:26 error R006: `x` is not declared"),
        (
            "property r(c) proof { { let W = r(c, c) } }",
            "4:33 error R007: `r` takes 1 argument, but 2 are given",
        ),
        ("invariant r(c) proof let W = x", "4:30 error R006: `x` is not declared"),
        ("action a = { assert r(c) proof { let W = x } } export a", "4:42 error R006: `x` is not declared"),
        (
            "theorem [h] { relation q property q -> q } proof { let W = x }",
            "4:60 error R006: `x` is not declared",
        ),
    ] {
        expect_first(&[(text, error)]);
    }
    let note = "4:31 note R014: `proof` is read, and nothing follows from it";
    expect_first(&[("action a(x:t) = { assert r(x) proof { let W = x } } export a", note)]);
}
