//! Warnings of claims that hold because nothing satisfies what they are about.

use std::sync::Arc;

use ramsey::base::span::{Source, Sources};
use ramsey::lang::pyv;
use ramsey::query::verify::{Limits, Options, Plan};
use ramsey::query::{Vacuous, Verification};
use ramsey::system::System;
use ramsey::vc::HypothesisOrigin;

fn load(text: &str) -> Arc<System> {
    let file = Sources::new().push(Source { name: "model.pyv".into(), text: text.into() });
    let (system, diagnostics) = pyv::load(file, text);
    Arc::new(system.unwrap_or_else(|| panic!("{diagnostics:?}")))
}

fn verify(text: &str, options: Options) -> Verification {
    Plan::new(load(text), options).run(&Limits::default())
}

fn vacuous(text: &str) -> Vec<Vacuous> {
    verify(text, Options::default()).vacuities.iter().map(|it| it.what).collect()
}

/// A lock with a transition whose guard the invariant excludes.
const LOCK: &str = "\
sort node
immutable relation le(node, node)
mutable relation held(node)
mutable relation free
axiom [refl] le(X, X)
init !held(N) & free
transition acquire(n: node)
  modifies held, free
  free & !new(free) & (new(held(N)) <-> held(N) | N = n)
transition steal(n: node)
  modifies held
  held(n) & free & (new(held(N)) <-> N = n)
invariant [excl] held(N) -> !free
safety [mutex] held(N1) & held(N2) -> N1 = N2
";

#[test]
fn a_transition_that_the_invariants_exclude_is_told_with_its_reasons() {
    for cores in [false, true] {
        let verification = verify(LOCK, Options { cores, ..Options::default() });
        let [vacuity] = &verification.vacuities[..] else { panic!("{:?}", verification.vacuities) };
        assert_eq!(vacuity.what, Vacuous::Transition(1));
        assert_eq!(vacuity.core, [HypothesisOrigin::Invariant(0), HypothesisOrigin::Transition(1)]);
        assert_eq!(vacuity.conjuncts, ["held(n)", "free"]);
    }
}

#[test]
fn nothing_is_said_of_a_transition_that_can_execute() {
    assert_eq!(vacuous(&LOCK.replace("held(n) & free &", "held(n) & !free &")), []);
    assert_eq!(vacuous(&LOCK.replace("held(n) & free &", "")), [], "it fails, hence it executes");
}

#[test]
fn what_is_contradictory_alone_is_told_alone() {
    assert_eq!(
        vacuous(&LOCK.replace("init ", "init held(N) & ")),
        [Vacuous::Initial, Vacuous::Transition(1)]
    );
    let axiom = LOCK.replace("init ", "axiom exists X. !le(X, X)\ninit ");
    assert_eq!(vacuous(&axiom), [Vacuous::Axioms]);
    assert_eq!(
        vacuous("sort s\naxiom exists X:s. X != X\ntheorem forall X:s, Y. X = Y\n"),
        [Vacuous::Axioms]
    );
    assert_eq!(vacuous("sort s\ntheorem forall X:s, Y. X = Y -> Y = X\n"), []);
    let invariant =
        LOCK.replace("init ", "init exists X. !le(X, X)\ninit ").replace("held(N) -> !free", "free & !free");
    assert_eq!(vacuous(&invariant), [Vacuous::Initial, Vacuous::Invariants]);
}
