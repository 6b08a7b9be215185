//! Warnings of claims that hold vacuously.

use std::sync::Arc;

use crate::common::binary::{self, Dir};
use crate::common::models::system;
use ramsey::obligations::HypothesisOrigin;
use ramsey::query::verify::{Limits, Options, Plan};
use ramsey::query::{VacuousPart, Verification};
use ramsey::report::vacuity::diagnostic;
use ramsey::system::System;

fn load(text: &str) -> Arc<System> {
    Arc::new(system("model.pyv", text))
}

fn verify(text: &str, options: Options) -> Verification {
    Plan::new(load(text), options).run(&Limits::default())
}

fn vacuous(text: &str) -> Vec<VacuousPart> {
    verify(text, Options::default()).vacuities.iter().map(|it| it.what).collect()
}

/// A lock with a transition whose guard contradicts the invariant.
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
    for (cores, certify) in [(false, false), (true, false), (false, true)] {
        let verification = verify(LOCK, Options { cores, certify, ..Options::default() });
        let [vacuity] = &verification.vacuities[..] else { panic!("{:?}", verification.vacuities) };
        assert_eq!(vacuity.what, VacuousPart::Transition(1));
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
        [VacuousPart::Initial, VacuousPart::Transition(1)]
    );
    let axiom = LOCK.replace("init ", "axiom exists X. !le(X, X)\ninit ");
    assert_eq!(vacuous(&axiom), [VacuousPart::Axioms]);
    assert_eq!(
        vacuous("sort s\naxiom exists X:s. X != X\ntheorem forall X:s, Y. X = Y\n"),
        [VacuousPart::Axioms]
    );
    assert_eq!(vacuous("sort s\ntheorem forall X:s, Y. X = Y -> Y = X\n"), []);
    let invariant =
        LOCK.replace("init ", "init exists X. !le(X, X)\ninit ").replace("held(N) -> !free", "free & !free");
    assert_eq!(vacuous(&invariant), [VacuousPart::Initial, VacuousPart::Invariants]);
}

#[test]
fn executions_that_cannot_begin_are_told() {
    let start = |text: &str| {
        let system = load(text);
        let found = ramsey::query::vacuity::no_initial_state(&system, &Limits::default().budget());
        found.map(|found| (diagnostic(&system, &found).code.text(), found.what))
    };
    assert_eq!(start(LOCK), None);
    assert_eq!(start(&LOCK.replace("init ", "init false\ninit ")), Some(("R019", VacuousPart::Initial)));
    assert_eq!(start(&LOCK.replace("init ", "axiom false\ninit ")), Some(("R019", VacuousPart::Axioms)));
    let never = LOCK.replace("init ", "axiom exists X. !le(X, X)\ninit ");
    assert_eq!(start(&never), Some(("R019", VacuousPart::Axioms)));
}

#[test]
fn bmc_and_trace_warn_of_models_without_executions() {
    let dir = Dir::new();
    let lock = binary::LOCK.replace("init ", "init false\ninit ");
    dir.file("stuck.pyv", format!("{lock}unsat trace {{\n    acquire\n}}\n")).file("ok.pyv", binary::LOCK);
    for command in ["bmc", "trace"] {
        dir.run(&[command, "stuck.pyv"])
            .ends_with(0)
            .complains("R019")
            .complains("there is no initial state");
        let document = dir.run(&[command, "--format", "json", "stuck.pyv"]).ends_with(0).json();
        assert!(document.to_string().contains("R019"), "{document}");
    }
    dir.run(&["bmc", "ok.pyv"]).ends_with(0).silent_on_stderr();
}

/// A program with assertions and without an invariant.
const PROGRAM: &str = "\
sort node
relation r: node
axiom true
assume !r(X)
while * {
  action add(n: node) {
    r.insert(n)
    assert r(n)
  }
| action never(n: node) {
    assume r(n)
    assume !r(n)
    assert r(n)
  }
}
";

fn vacuous_in_program(text: &str) -> Vec<VacuousPart> {
    let system = Arc::new(system("program.rml", text));
    let verification = Plan::new(Arc::clone(&system), Options::default()).run(&Limits::default());
    for vacuity in &verification.vacuities {
        assert!(diagnostic(&system, vacuity).primary.is_some(), "{vacuity:?}");
    }
    verification.vacuities.iter().map(|it| it.what).collect()
}

#[test]
fn programs_with_assertions_alone_are_warned_of_too() {
    assert_eq!(vacuous_in_program(PROGRAM), [VacuousPart::Transition(1)]);
    assert_eq!(vacuous_in_program(&PROGRAM.replace("    assume !r(n)\n", "")), []);
    let stuck = PROGRAM.replace("assume !r(X)\n", "assume !r(X)\nassume exists X. r(X)\n");
    assert_eq!(vacuous_in_program(&stuck), [VacuousPart::Initial, VacuousPart::Transition(1)]);
    let nothing = PROGRAM.replace("axiom true", "variable c: node\naxiom c != c");
    assert_eq!(vacuous_in_program(&nothing), [VacuousPart::Axioms]);
    // With invariants the same, by the groups that they have.
    let claimed = format!("{stuck}invariant r(X) | !r(X)\n");
    assert_eq!(vacuous_in_program(&claimed), [VacuousPart::Initial, VacuousPart::Transition(1)]);
    // What fails executes.
    let failing = PROGRAM.replace("    assume !r(n)\n    assert r(n)", "    assert !r(n)");
    assert_eq!(vacuous_in_program(&failing), []);
    let begins = stuck.replace("assume exists X. r(X)", "assert exists X. r(X)");
    assert_eq!(vacuous_in_program(&begins), [VacuousPart::Transition(1)]);
    let fails_first = PROGRAM.replace("    assume !r(n)\n", "    assert !r(n)\n");
    assert_eq!(vacuous_in_program(&fails_first), []);
}
