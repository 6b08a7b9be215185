//! Explanations with the plain obligations: needs suffice and are minimal, states are excluded by one claim alone, and what
//! is not needed can be left out.

use std::fs;
use std::sync::Arc;

use ramsey::ask::Context;
use ramsey::base::budget::Budget;
use ramsey::logic::{Evaluator, TermId};
use ramsey::obligations::{Group, HypothesisOrigin, Obligations, Origin, Property};
use ramsey::query::cti::without_invariants;
use ramsey::query::explain::{Answer, Excluded, Explanation, Options, Standing, explain};
use ramsey::query::{Limits, Outcome};
use ramsey::system::System;

use crate::common::models::load;
use crate::lemmas::is_inductive;

fn system_of(name: &str, text: &str) -> Arc<System> {
    let (system, diagnostics) = load(name, text);
    Arc::new(system.unwrap_or_else(|| panic!("{name}: {diagnostics:?}")))
}

fn explained(system: &Arc<System>, options: &Options) -> Explanation {
    explain(system, options, &Limits::default(), &mut |_| ())
}

fn group_of(obligations: &Obligations, origin: Origin) -> (&Group, TermId) {
    let found = obligations.groups.iter().find_map(|group| {
        let goal = group.goals.iter().find(|goal| goal.origin == origin)?;
        Some((group, goal.formula))
    });
    found.expect("an obligation of the model")
}

/// Checks whether the plain obligation follows from its hypotheses, of invariants and axioms the given ones alone.
fn follows(obligations: &Obligations, origin: Origin, invariants: &[usize], axioms: &[usize]) -> bool {
    let (group, goal) = group_of(obligations, origin);
    let mut context = Context::new(obligations.sig.clone(), obligations.terms.clone(), 3, None);
    let budget = &mut Budget::unlimited();
    for hypothesis in &group.hypotheses {
        let is_used = match hypothesis.origin {
            HypothesisOrigin::Invariant(invariant) => invariants.contains(&invariant),
            HypothesisOrigin::Axiom(axiom) => axioms.contains(&axiom),
            _ => true,
        };
        if is_used {
            context.assume(hypothesis.formula, budget);
        }
    }
    let negated = context.terms_mut().not(goal);
    context.pose(&[negated], budget);
    !context.search(&[], budget).expect("there is no limit")
}

/// Checks whether all obligations hold without these invariants.
fn is_inductive_without(system: &System, removed: &[usize]) -> bool {
    is_inductive(without_invariants(system, removed))
}

fn excludes(system: &System, invariant: usize, excluded: &Excluded) {
    let [result] = &excluded.answer.verification.results[..] else { panic!("{:?}", excluded.answer) };
    let Outcome::Fails(found) = &result.outcome else { panic!("{:?}", result.outcome) };
    let before = found.structure.state(&system.sig, 0);
    for (at, it) in system.invariants.iter().enumerate() {
        let holds = Evaluator::new(system.syntax(), &before).holds(it.formula);
        assert_eq!(holds, at != invariant, "{}", it.label);
    }
    if let Origin::Consecution { invariant, .. } = excluded.origin {
        let after = found.structure.state(&system.sig, 1);
        assert!(!Evaluator::new(system.syntax(), &after).holds(system.invariants[invariant].formula));
    }
}

/// Checks an explanation. Returns the number of claims per standing: needed, replaceable, unneeded.
fn check(system: &Arc<System>, options: &Options) -> [usize; 3] {
    let explanation = explained(system, options);
    let obligations = Obligations::new(system);
    let goals = obligations.groups.iter().flat_map(|group| &group.goals);
    let total = goals.filter(|goal| !matches!(goal.origin, Origin::Theorem { .. })).count();
    assert_eq!(explanation.proofs.len(), total);
    for proof in &explanation.proofs {
        let Answer::Proved(needs) = &proof.answer else { panic!("{proof:?}") };
        assert!(needs.is_minimal);
        assert!(follows(&obligations, proof.origin, &needs.invariants, &needs.axioms), "{proof:?}");
        let without = |list: &[usize], left_out: usize| -> Vec<usize> {
            list.iter().copied().filter(|&it| it != left_out).collect()
        };
        for &invariant in &needs.invariants {
            let rest = without(&needs.invariants, invariant);
            assert!(!follows(&obligations, proof.origin, &rest, &needs.axioms), "{proof:?}");
        }
        for &axiom in &needs.axioms {
            let rest = without(&needs.axioms, axiom);
            assert!(!follows(&obligations, proof.origin, &needs.invariants, &rest), "{proof:?}");
        }
        if proof.is_unchanged {
            assert!(needs.axioms.is_empty());
            assert!(needs.invariants.iter().all(|&it| proof.property == Property::Invariant(it)));
        }
    }
    let of = |wanted: &Standing| -> Vec<usize> {
        let claims = explanation.claims.iter().enumerate();
        claims.filter(|(_, it)| it.standing == *wanted).map(|(at, _)| at).collect()
    };
    let unneeded = of(&Standing::Unneeded);
    assert!(is_inductive_without(system, &unneeded));
    let goals = of(&Standing::Goal);
    let count = system.invariants.len();
    let mut replaceable = 0;
    for (at, entry) in explanation.claims.iter().enumerate() {
        match &entry.standing {
            Standing::Replaceable { by } => {
                replaceable += 1;
                assert!(!by.contains(&at));
                let rest: Vec<usize> =
                    (0..count).filter(|it| !by.contains(it) && !goals.contains(it)).collect();
                assert!(is_inductive_without(system, &rest));
            }
            Standing::Needed if count <= 7 => {
                // No subset of the others with all goals is inductive.
                let others: Vec<usize> = (0..count).filter(|&it| it != at && !goals.contains(&it)).collect();
                for chosen in 0..1_u32 << others.len() {
                    let left_out = others.iter().enumerate().filter(|(bit, _)| chosen >> bit & 1 == 0);
                    let removed: Vec<usize> = left_out.map(|(_, &it)| it).chain([at]).collect();
                    assert!(!is_inductive_without(system, &removed), "{removed:?}");
                }
            }
            Standing::Open | Standing::Unknown(_) => panic!("{}", entry.property.label(system)),
            _ => {}
        }
        if let Some(excluded) = &entry.excluded {
            excludes(system, at, excluded);
        }
    }
    // A claim that is needed excludes a state, since the others are not inductive.
    assert!(explanation.claims.iter().all(|it| it.standing != Standing::Needed || it.excluded.is_some()));
    [of(&Standing::Needed).len(), replaceable, unneeded.len()]
}

#[test]
fn explanations_of_examples_agree_with_the_plain_obligations() {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/examples/");
    let expected = [
        ("lock_server.pyv", [3, 0, 0]),
        ("toy_consensus.pyv", [2, 0, 0]),
        ("two_phase_commit.pyv", [5, 0, 1]),
        ("ring_leader.pyv", [3, 0, 0]),
        ("paxos.pyv", [5, 0, 0]),
        ("lock_server.rml", [3, 0, 0]),
        ("distributed_lock.rml", [5, 1, 2]),
        ("leader_election.rml", [3, 1, 0]),
    ];
    for (name, standings) in expected {
        let text = fs::read_to_string(format!("{folder}{name}")).expect("an example");
        let system = system_of(name, &text);
        for seed in 0..2 {
            let found = check(&system, &Options { seed, ..Options::default() });
            assert_eq!(found, standings, "{name}");
        }
    }
}

const CHAIN: &str = "\
sort thing

mutable relation a(thing)
mutable relation b(thing)
mutable relation c(thing)

init !a(X)
init !b(X)
init !c(X)

transition first(x: thing)
  modifies c
  (new(c(Y)) <-> c(Y) | Y = x)

transition second(x: thing)
  modifies b
  c(x) &
  (new(b(Y)) <-> b(Y) | Y = x)

transition third(x: thing)
  modifies a
  b(x) &
  (new(a(Y)) <-> a(Y) | Y = x)

invariant [b_then_c] b(X) -> c(X)
invariant [a_then_c] a(X) -> c(X)
invariant [a_then_b] a(X) -> b(X)
";

#[test]
fn goals_decide_what_is_needed() {
    let chain = system_of("chain.pyv", CHAIN);
    let standing = |goals: &[usize]| -> Vec<Standing> {
        let goals = goals.iter().map(|&it| Property::Invariant(it)).collect();
        let explanation = explained(&chain, &Options { goals, ..Options::default() });
        explanation.claims.into_iter().map(|it| it.standing).collect()
    };
    use Standing::{Goal, Needed, Replaceable, Unneeded};
    assert_eq!(standing(&[0]), [Goal, Unneeded, Unneeded]);
    assert_eq!(standing(&[1]), [Needed, Goal, Unneeded]);
    assert_eq!(standing(&[2]), [Unneeded, Unneeded, Goal]);
    assert_eq!(standing(&[]), [Goal, Goal, Goal], "without safety properties all invariants are goals");
    // Each of two equivalent claims replaces the other.
    let twice = format!("{CHAIN}invariant [again] !b(X) | c(X)\n");
    let system = system_of("chain.pyv", &twice);
    let goals = vec![Property::Invariant(1)];
    let options = Options { goals, ..Options::default() };
    let explanation = explained(&system, &options);
    let standings: Vec<&Standing> = explanation.claims.iter().map(|it| &it.standing).collect();
    assert_eq!(standings, [&Replaceable { by: vec![1, 3] }, &Goal, &Unneeded, &Unneeded]);
    check(&system, &options);
}

#[test]
fn claims_without_a_proof_leave_standings_open() {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/examples/");
    let text = fs::read_to_string(format!("{folder}lock_server_broken.pyv")).expect("an example");
    let system = system_of("broken.pyv", &text);
    let explanation = explained(&system, &Options::default());
    assert!(!explanation.is_inductive());
    assert!(explanation.claims.iter().all(|it| matches!(it.standing, Standing::Goal | Standing::Open)));
    let obligations = Obligations::new(&system);
    let all: Vec<usize> = (0..system.invariants.len()).collect();
    let axioms: Vec<usize> = (0..system.axioms.len()).collect();
    for proof in &explanation.proofs {
        let is_proved = matches!(proof.answer, Answer::Proved(_));
        assert_eq!(follows(&obligations, proof.origin, &all, &axioms), is_proved);
    }
    let limits = Limits { work: Some(1), ..Limits::default() };
    let explanation = explain(&system, &Options::default(), &limits, &mut |_| ());
    assert!(explanation.proofs.iter().all(|it| matches!(it.answer, Answer::Unknown(_))));
    // With less work than a question without a claim takes, it is not known whether the goals need the claim.
    let text = fs::read_to_string(format!("{folder}distributed_lock.rml")).expect("an example");
    let system = system_of("distributed_lock.rml", &text);
    let mut is_unknown = false;
    for work in (0..40).map(|at| 500 + 100 * at) {
        let limits = Limits { work: Some(work), ..Limits::default() };
        let explanation = explain(&system, &Options::default(), &limits, &mut |_| ());
        let mut standings = explanation.claims.iter().map(|it| &it.standing);
        if explanation.is_inductive() {
            is_unknown |= standings.any(|it| matches!(it, Standing::Unknown(_)));
        } else {
            assert!(standings.all(|it| matches!(it, Standing::Goal | Standing::Open)), "{work}");
        }
    }
    assert!(is_unknown);
}
