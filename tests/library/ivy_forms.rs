//! Forms of `.ivy` that few programs have: each with what holds, what does not, and what is no such form.

use std::sync::Arc;

use crate::common::models::load;
use crate::ivy::{expect, failures};
use crate::ivy_proofs::refused;

/// Checks at which lines assertions fail.
#[track_caller]
fn fails_at(text: &str, expected: &[&str]) {
    let (system, diagnostics) = load("model.ivy", text);
    let found = failures(&Arc::new(system.unwrap_or_else(|| panic!("{diagnostics:#?}"))));
    // Several claims at one line have numbers.
    let lines = found.iter().map(|(_, claim)| claim.split('.').next().unwrap_or_default());
    let mut lines: Vec<&str> = lines.collect();
    lines.dedup();
    assert_eq!(lines, expected, "{text}");
}

#[test]
fn invariants_of_loops_have_proofs() {
    let text = "#lang ivy1.7
type t
relation r(X:t)
relation q(X:t)
explicit axiom [all] q(X)
individual c : t
action go(x:t) = {
    while r(x)
        invariant q(x) proof { assume all with X = x }
        invariant [kept] old r(c) -> r(c) | x = c
    { r(x) := false };
    assert q(x)
}
export go
";
    expect(text, &[]);
    fails_at(&text.replace(" proof { assume all with X = x }", ""), &["L9"]);
    fails_at(&text.replace("with X = x", "with X = c"), &["L9"]);
    fails_at(&text.replace("{ assume all with X = x }", "{ property q(x) }"), &["L9"]);
    fails_at(&text.replace("{ assume all with X = x }", "showgoals"), &["L9"]);
    // It is assumed in the turn and after the loop alone.
    fails_at(&text.replace("[kept] old r(c) -> r(c) | x = c", "q(x)"), &["L10"]);
    fails_at(&text.replace("assert q(x)", "assert q(c)"), &["L12"]);
    refused(&text.replace("r(x) := false", "q(x) := false"), "which actions assign");
    refused(&text.replace("assume all", "assume nothing"), "no rule has the name");
    refused(&text.replace("invariant q(x) proof", "proof"), "expected `{`");
    refused(&text.replace("{ assume all with X = x }", "assume all; showgoals"), "expected");
}

#[test]
fn each_turn_shows_what_a_proof_leaves() {
    let text = "#lang ivy1.7
type t
relation r(X:t)
relation q(X:t)
individual c : t
action go(x:t) = {
    q(x) := true;
    while r(x) invariant q(x) proof { if q(c) { showgoals } else { showgoals } }
    { r(x) := false; q(X) := q(X) | X = c };
    assert q(x)
}
export go
";
    expect(text, &[]);
    fails_at(&text.replace("q(X) | X = c", "X = c"), &["L8"]);
    fails_at(&text.replace("    q(x) := true;\n", "\n"), &["L8"]);
    fails_at(&text.replace("assert q(x)", "assert q(c)"), &["L10"]);
}
