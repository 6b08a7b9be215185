//! Proofs of `.ivy` that admit what they do not show, and proofs by tactics that are not read: no claim is lost, and none is assumed.

use std::sync::Arc;

use crate::common::models::load;
use crate::ivy::failures;
use crate::ivy_isolates::in_isolate;
use crate::ivy_proofs::{open, refused, with};
use ramsey::base::budget::Exhausted;
use ramsey::query::{Limits, ObligationResult, Options, Outcome, Plan};

#[test]
fn what_a_proof_admits_is_unknown_and_assumed() {
    // What is admitted is not proved, also if it is true.
    open(&with("property [use] r(X) proof { tactic sorry }\n"), &["use"]);
    open(&with("property [use] r(X) -> r(X) proof { tactic sorry }\n"), &["use"]);
    open(&with("property [use] r(X)\nproof [use] { tactic sorry }\n"), &["use"]);
    open(&with("theorem [use] { relation p(X:t) property p(X) } proof { tactic sorry }\n"), &["use"]);
    // It is assumed by properties that stand after it, and not before.
    let two = |first: &str, second: &str| with(&format!("{first}\n{second}\n"));
    let (admitted, other) = ("property [all] r(X) proof { tactic sorry }", "property [one] exists X. r(X)");
    open(&two(admitted, other), &["all"]);
    open(&two(other, admitted), &["one", "all"]);
    // One goal is admitted, the others are shown.
    let part =
        "property [use] r(X) proof { property [l] s(X) proof { tactic sorry }; property [m] s(X) -> r(X) }\n";
    open(&with(part), &["use.2", "use.3"]);
    open(&with(&format!("axiom s(X) -> r(X)\n{part}")), &["use.3"]);
    // Where transitions begin invariants and properties are assumed, and after it an assertion.
    let program = "after init { r(X) := false; s(X) := false }
action go(x:t) = { s(x) := r(x); assert r(x) proof { tactic sorry }; assert r(x) }
export go
invariant [shown] ~s(X)
";
    let invariant = "invariant [admitted] ~r(X) proof { tactic sorry }\n";
    open(&with(program), &["shown", "L6"]);
    open(&with(&format!("{program}{invariant}")), &["admitted", "L6"]);
    let values = "individual c : t\nindividual d : t\nvar v : t\nafter init { v := c }
action go = { v := c }\nexport go\ninvariant [inv] v ~= d\n";
    open(&with(values), &["inv"]);
    open(&with(&format!("{values}property [known] c ~= d proof {{ tactic sorry }}\n")), &["known"]);
    // An unknown claim is told as what it is.
    let (system, _) = load("model.ivy", &with("property [use] r(X) -> r(X) proof { tactic sorry }\n"));
    let plan = Plan::new(Arc::new(system.expect("it is read")), Options::default());
    let results = plan.run(&Limits::default()).results;
    assert!(matches!(results[0].outcome, Outcome::Unknown(Exhausted::Admitted)), "{results:?}");
}

#[test]
fn what_proofs_show_by_more_than_axioms_is_assumed_by_what_follows() {
    let rule = "explicit axiom [rule] r(X)\n";
    let lemma = "property [lem] r(X) proof { instantiate rule }\n";
    let claims = "after init { s(X) := r(X) }
action go(x:t) = { s(x) := r(x); assert [shown] s(x) -> r(x); assert [known] r(x) }
export go
invariant [inv] s(X)
property [after] exists X. r(X)
theorem [other] { individual c : t property r(c) }
";
    open(&with(&format!("{rule}{lemma}{claims}")), &[]);
    open(&with(&format!("{rule}{claims}")), &["inv", "L7.2", "after", "other"]);
    // An explicit one is assumed where a proof names it.
    open(&with(&format!("{rule}explicit {lemma}{claims}")), &["inv", "L8.2", "after", "other"]);
    // It does not show itself, nor what stands before it, and what does not follow from the rule is not shown.
    open(&with(&format!("{rule}property [before] r(X)\n{lemma}")), &["before"]);
    open(&with(&format!("{rule}property [lem] s(X) proof {{ instantiate rule }}\n")), &["lem"]);
    // Where a property that another needs is not shown, that one is told.
    let two = "property [one] s(X) proof { instantiate rule }\nproperty [two] r(X) & s(X) proof { instantiate rule }\n";
    open(&with(&format!("{rule}{two}")), &["one"]);
    // So it is in isolates, each of which has its own.
    let isolates = "#lang ivy1.7
type t
relation r(X:t)
isolate i = {
    explicit axiom [rule] r(X)
    property [lem] r(X) proof { instantiate rule }
    property [after] exists X. r(X)
}
isolate j = { property [use] r(X) } with i
isolate k = { property [use] r(X) }
";
    for (isolate, expected) in [("i", 0), ("j", 0), ("k", 1)] {
        let plan = Plan::new(Arc::new(in_isolate(isolates, isolate)), Options::default());
        let results = plan.run(&Limits::default()).results;
        let fails = results.iter().filter(|it| !matches!(it.outcome, Outcome::Holds { .. }));
        assert_eq!(fails.count(), expected, "{isolate}");
    }
}

/// Checks that these claims are not proved, one of them because its proof is by a tactic that is not read.
#[track_caller]
fn unknown(text: &str, expected: &[&str]) {
    open(text, expected);
    let (system, _) = load("model.ivy", text);
    let plan = Plan::new(Arc::new(system.expect("it is read")), Options::default());
    let results = plan.run(&Limits::default()).results;
    let by_tactic = |it: &&ObligationResult| matches!(it.outcome, Outcome::Unknown(Exhausted::Tactic));
    assert_eq!(results.iter().filter(by_tactic).count(), 1, "{results:?}");
}

#[test]
fn what_other_tactics_show_is_unknown_and_not_assumed() {
    // It may be true.
    for proof in [
        "proof { tactic ranking }",
        "proof tactic ranking",
        "proof { tactic l2s with definition w(X) = s(X) invariant r(X); showgoals }",
        "proof { tactic skolemize; property s(X) proof { tactic mc with x = y } }",
        "proof { tactic vcgen }",
        "property [other] s(X) -> s(X)\nproof [use] { tactic invariance with invariant r(X) }",
    ] {
        unknown(&with(&format!("property [use] r(X) -> r(X)\n{proof}\n")), &["use"]);
    }
    // No claim rests on it: neither those after it nor those where transitions begin.
    let program = "after init { r(X) := false; s(X) := false }
action go(x:t) = { s(x) := r(x) }
export go
invariant [shown] ~s(X)
";
    let invariant = "invariant [inv] ~r(X) proof { tactic l2s }\n";
    open(&with(program), &["shown"]);
    unknown(&with(&format!("{program}{invariant}")), &["shown", "inv"]);
    let explicit = format!("{program}explicit {invariant}");
    unknown(&with(&explicit), &["shown", "inv"]);
    unknown(
        &with("property [all] r(X) proof { tactic l2s }\nproperty [one] exists X. r(X)\n"),
        &["all", "one"],
    );
    let used = "property [all] r(X) proof { tactic l2s }\nproperty [one] r(X) proof { instantiate all }\n";
    refused(&with(used), "`all` is not checked, so no proof assumes it");
    // What it claims is about what there is.
    refused(&with("property [use] q(X) proof { tactic l2s }\n"), "`q` is not declared");
    // With isolates, others do not assume it either.
    let isolates = with(
        "isolate one = {
    invariant [inv] ~r(X)
    proof { tactic l2s }
    property [prop] X:t = Y
    proof { tactic l2s }
}
isolate two = {
    after init { r(X) := false; s(X) := false }
    action go(x:t) = { s(x) := r(x) }
    invariant [shown] ~s(X)
    property [equal] X:t = Y
} with one
export two.go
",
    );
    let failing = failures(&Arc::new(in_isolate(&isolates, "two")));
    let failing: Vec<(&str, &str)> = failing.iter().map(|(at, claim)| (&**at, &**claim)).collect();
    assert_eq!(failing, [("two.go", "two.shown"), ("theorem", "two.equal")]);
    let shown = isolates.replace("proof { tactic l2s }", "");
    assert_eq!(failures(&Arc::new(in_isolate(&shown, "two"))), []);
}

#[test]
fn theorems_by_other_tactics_are_unknown_and_no_proof_uses_them() {
    let theorem = |proof: &str| {
        with(&format!(
            "theorem [th] {{ function f(X:t) : t property r(f(X)) }}\n{proof}\nproperty [one] exists X. r(X)\n"
        ))
    };
    unknown(&theorem("proof { tactic l2s }"), &["th", "one"]);
    unknown(&theorem("proof [th] { tactic l2s }"), &["th", "one"]);
    refused(
        &theorem("proof { tactic l2s }").replace("X. r(X)", "X. r(X) proof { instantiate th }"),
        "`th` is not checked, so no proof assumes it",
    );
    refused(&theorem("proof { tactic l2s }").replace("r(f(X))", "q(f(X))"), "`q` is not declared");
    // What has a name is a value if there is one, whether that is shown or not.
    let named = "individual c : t
property [use] exists Y:t. Y ~= c named d proof { tactic l2s }
property [other] d ~= c
property [some] (exists Y:t. Y ~= c) -> d ~= c
";
    unknown(&with(named), &["use", "other"]);
}

#[test]
fn assertions_by_other_tactics_are_unknown_and_not_assumed() {
    // An assertion is not assumed after it, and is told once wherever the action is called.
    let asserted = "action go(x:t) = {
    assert r(x) proof { tactic l2s };
    assert r(x)
}
action twice(x:t) = { call go(x); call go(x) }
export go
export twice
";
    unknown(&with(asserted), &["L7", "L6"]);
    unknown(&with(&asserted.replace("    assert r(x)\n", "")), &["L6"]);
    unknown(&with(&asserted.replace("assert r(x) proof", "ensure r(x) proof")), &["L7", "L6"]);
    refused(&with(&asserted.replace("r(x) proof", "q(x) proof")), "`q` is not declared");
    // What callers owe is no claim of the statement.
    let required = asserted.replace("assert r(x) proof", "require r(x) proof");
    refused(&with(&required), "the tactic `l2s` is not supported");
    // Nor is the invariant of a loop, in the loop or after it.
    let of_loop = "action go(x:t) = {
    while s(x) invariant r(x) proof { tactic l2s } {
        assert r(x);
        s(x) := false
    };
    assert r(x)
}
export go
";
    unknown(&with(of_loop), &["L7", "L10", "L6"]);
    // With isolates, others do not assume it.
    let isolates = with(
        "isolate one = {
    action mark(x:t) = {}
    specification { after mark { ensure r(x) proof { tactic l2s } } }
}
isolate two = {
    action go(x:t) = { call one.mark(x); assert r(x) }
} with one
export two.go
",
    );
    let failing = failures(&Arc::new(in_isolate(&isolates, "two")));
    let failing: Vec<(&str, &str)> = failing.iter().map(|(at, claim)| (&**at, &**claim)).collect();
    assert_eq!(failing, [("assertion", "L10")]);
    let assumed = isolates.replace("proof { tactic l2s }", "");
    assert_eq!(failures(&Arc::new(in_isolate(&assumed, "two"))), []);
    // Actions that nothing executes claim nothing.
    let unused = asserted.replace("export go\nexport twice", "action other = {}\nexport other");
    open(&with(&unused), &[]);
}
