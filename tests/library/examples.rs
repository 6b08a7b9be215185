//! The models in `examples/`: expected proofs and expected failures, in every mode of `verify`.

use std::path::Path;
use std::sync::Arc;

use crate::common::bounded::safety;
use crate::common::models;
use ramsey::base::budget::Budget;
use ramsey::epr::{Answer, Solver};
use ramsey::logic::{Evaluator, Structure, TermId};
use ramsey::obligations::plain::{frame, transition_formula};
use ramsey::obligations::{Group, Hypothesis, Origin};
use ramsey::query::bmc::{self, Bmc, Target};
use ramsey::query::{Call, Limits, Options, Outcome, Plan, Verification};
use ramsey::system::{System, TraceStep};

/// The failing obligations of each model: the transition (or `init`, or `theorem`) and the claim.
const MODELS: [(&str, &[(&str, &str)]); 27] = [
    ("lock_server.pyv", &[]),
    ("lock_server_broken.pyv", &[("receive_return", "one_place")]),
    ("ring_leader.pyv", &[]),
    ("ring_leader_broken.pyv", &[("receive", "home_is_highest"), ("receive", "beats_those_passed")]),
    ("toy_consensus.pyv", &[]),
    ("toy_consensus_broken.pyv", &[("decide", "agreement")]),
    ("two_phase_commit.pyv", &[]),
    ("two_phase_commit_broken.pyv", &[("time_out", "agreement"), ("time_out", "promise")]),
    ("paxos.pyv", &[]),
    ("paxos_broken.pyv", &[("propose", "not_choosable")]),
    ("leader_election.rml", &[]),
    ("leader_election_start.rml", &[("branch2", "C0")]),
    ("lock_server.rml", &[]),
    ("lock_server_bug.rml", &[("grant", "one_client"), ("grant", "one_place")]),
    ("distributed_lock.rml", &[]),
    (
        "distributed_lock_bug.rml",
        &[("grant", "one_receiver"), ("grant", "later_than_nodes"), ("grant", "later_than_transfers")],
    ),
    ("learning_switch.rml", &[]),
    ("learning_switch_bug.rml", &[("receive", "no_loop"), ("receive", "end")]),
    ("chain_replication.rml", &[]),
    ("chain_replication_bug.rml", &[("read", "nothing_between")]),
    ("chord.rml", &[]),
    ("chord_bug.rml", &[("stabilize", "first_goes_on")]),
    ("lock_server.ivy", &[]),
    ("ring_leader.ivy", &[]),
    ("bounded_service.ivy", &[]),
    ("directory_cache_inv.pyv", &[]),
    ("out_of_order_inv.ivy", &[]),
];

/// The programs with a mistake, each with the least number of steps to a violation and the violated claim. The
/// corrected program is next to it.
const MISTAKES: [(&str, u16, &str); 5] = [
    ("lock_server", 6, "mutex"),
    ("distributed_lock", 4, "one_per_epoch"),
    ("learning_switch", 3, "no_loop"),
    ("chain_replication", 3, "serializable"),
    ("chord", 2, "first_goes_on"),
];

const SEEDS: [u64; 4] = [0, 1, 7, 0x9E37_79B9];

fn load(name: &str) -> Arc<System> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("examples").join(name);
    let text = std::fs::read_to_string(&path).expect("the example is there");
    load_text(name, text)
}

fn load_text(name: &str, text: String) -> Arc<System> {
    // In `.ivy`, the version of the language comes first.
    let shown = text.strip_prefix("#lang ivy1.7\n").unwrap_or(&text);
    assert!(shown.starts_with("# "), "{name}: the first line says what the file shows");
    let (system, diagnostics) = models::load(name, &text);
    assert!(diagnostics.is_empty(), "{name}: {diagnostics:?}");
    Arc::new(system.expect("a system"))
}

fn verify(system: &Arc<System>, options: Options) -> Verification {
    Plan::new(system.clone(), options).run(&Limits::default())
}

fn names(system: &System, origin: Origin) -> (&str, &str) {
    match origin {
        Origin::Initiation { invariant } => ("init", &system.invariants[invariant].label),
        Origin::Consecution { transition, invariant } => {
            (&system.transitions[transition].name, &system.invariants[invariant].label)
        }
        Origin::Assertion { assertion } => ("assertion", &system.assertions[assertion].label),
        Origin::Theorem { theorem } => ("theorem", &system.theorems[theorem].label),
        Origin::Proof { .. } | Origin::Bounded { .. } | Origin::Trace { .. } | Origin::Query { .. } => {
            panic!("verify asks no such thing of these models")
        }
    }
}

/// Returns the plain obligation of this origin: its group and its goal.
fn obligation(verification: &Verification, origin: Origin) -> (&Group, TermId) {
    let groups = &verification.obligations.groups;
    let found = groups
        .iter()
        .find_map(|group| Some((group, group.goals.iter().find(|goal| goal.origin == origin)?.formula)));
    found.expect("every result is of an obligation")
}

/// Checks a counterexample by evaluation: the hypotheses are true and the goal is false.
fn refutes(verification: &Verification, origin: Origin, structure: &Structure) -> bool {
    let (group, goal) = obligation(verification, origin);
    let obligations = &verification.obligations;
    let mut eval = Evaluator::new(obligations.syntax(), structure);
    group.hypotheses.iter().all(|hypothesis| eval.holds(hypothesis.formula)) && !eval.holds(goal)
}

/// Checks with a separate solver whether the hypotheses selected by `keep` imply the claim.
fn follows(verification: &Verification, origin: Origin, keep: impl Fn(&Hypothesis) -> bool) -> bool {
    let (group, goal) = obligation(verification, origin);
    let obligations = &verification.obligations;
    let mut solver = Solver::new(obligations.sig.clone(), obligations.terms.clone(), 5);
    for hypothesis in group.hypotheses.iter().filter(|hypothesis| keep(hypothesis)) {
        solver.assert(hypothesis.formula);
    }
    let negated = solver.terms_mut().not(goal);
    solver.assert(negated);
    solver.check(&[], &mut Budget::new(Some(50_000_000), None)) == Ok(Answer::Unsat)
}

/// Returns the obligations that fail, and asserts that every other one holds. Counterexamples are evaluated.
fn failures<'a>(system: &'a System, verification: &Verification) -> Vec<(&'a str, &'a str)> {
    let mut failing = Vec::new();
    for result in &verification.results {
        let name = names(system, result.origin);
        match &result.outcome {
            Outcome::Holds { .. } => {}
            Outcome::Fails(counterexample) => {
                let structure = &counterexample.structure;
                assert!(refutes(verification, result.origin, structure), "{name:?}: {structure:?}");
                failing.push(name);
            }
            other => panic!("{name:?}: {other:?}"),
        }
    }
    failing
}

#[test]
fn the_leader_of_the_paper_is_not_unique_without_unique_ids() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("examples/leader_election.rml");
    let text = std::fs::read_to_string(path).expect("the example is there");
    assert!(text.contains("axiom unique_ids\n"));
    let system = load_text("no_unique_ids.rml", text.replace("axiom unique_ids\n", ""));
    let verification = verify(&system, Options { all: true, ..Options::default() });
    assert_eq!(failures(&system, &verification), [("branch1", "C2"), ("branch1", "C3")]);
}

#[test]
fn obligations_hold_or_fail_as_expected_with_every_seed() {
    for (model, expected) in MODELS {
        let system = load(model);
        for seed in SEEDS {
            for minimize in [false, true] {
                let options = Options { all: true, minimize, seed, ..Options::default() };
                let verification = verify(&system, options);
                assert_eq!(failures(&system, &verification), expected, "{model}, {seed}, {minimize}");
            }
        }
    }
}

/// Without `all`, a group stops at its first failure and says what it left out.
#[test]
fn a_failure_stops_its_group_only() {
    for (model, expected) in MODELS {
        let system = load(model);
        let verification = verify(&system, Options::default());
        let mut failed: Vec<(&str, &str)> = Vec::new();
        for result in &verification.results {
            let name = names(&system, result.origin);
            let after_failure = failed.iter().any(|&(action, _)| action == name.0);
            match &result.outcome {
                Outcome::Holds { .. } => assert!(!after_failure && !expected.contains(&name), "{name:?}"),
                Outcome::Fails(_) => failed.push(name),
                Outcome::Skipped => assert!(after_failure, "{model}: {name:?} is skipped"),
                other => panic!("{model}: {name:?}: {other:?}"),
            }
        }
        let mut first = expected.to_vec();
        first.dedup_by_key(|name| name.0);
        assert_eq!(failed, first, "{model}");
    }
}

/// A core, alone, implies the claim; the solver that confirms it gets the plain formulas.
#[test]
fn cores_suffice() {
    let mut smaller = 0;
    for (model, expected) in MODELS {
        let system = load(model);
        for seed in SEEDS {
            let options = Options { all: true, cores: true, seed, ..Options::default() };
            let verification = verify(&system, options);
            assert_eq!(failures(&system, &verification), expected, "{model}, {seed}");
            for result in &verification.results {
                let Outcome::Holds { core } = &result.outcome else { continue };
                let name = names(&system, result.origin);
                for (index, origin) in core.iter().enumerate() {
                    assert!(!core[..index].contains(origin), "{model}: {name:?} has {origin:?} twice");
                }
                assert!(
                    follows(&verification, result.origin, |hypothesis| core.contains(&hypothesis.origin)),
                    "{model}: {name:?} does not follow from {core:?}"
                );
                smaller +=
                    usize::from(core.len() < obligation(&verification, result.origin).0.hypotheses.len());
            }
        }
    }
    assert!(smaller > 500, "cores leave something out: {smaller}");
}

/// Minimal counterexamples are not larger than others, and equally large whatever the seed.
#[test]
fn minimal_counterexamples_do_not_depend_on_the_seed() {
    for (model, expected) in MODELS {
        if expected.is_empty() {
            continue;
        }
        let system = load(model);
        let sizes = |minimize: bool, seed: u64| -> Vec<u32> {
            let options = Options { all: true, minimize, seed, ..Options::default() };
            let verification = verify(&system, options);
            let elements = |outcome: &Outcome| match outcome {
                Outcome::Fails(found) => {
                    Some(system.sig.uninterpreted_sorts().map(|sort| found.structure.sizes[sort]).sum())
                }
                _ => None,
            };
            verification.results.iter().filter_map(|result| elements(&result.outcome)).collect()
        };
        let minimal = sizes(true, SEEDS[0]);
        for seed in SEEDS {
            assert_eq!(sizes(true, seed), minimal, "{model}, {seed}");
            for (small, any) in minimal.iter().zip(sizes(false, seed)) {
                assert!(*small <= any, "{model}, {seed}: {small} elements, or {any}");
            }
        }
    }
}

/// Bounded model checking finds each mistake by a shortest execution, and none where there is none.
#[test]
fn mistakes_show_in_executions() {
    for (name, steps, claim) in MISTAKES {
        for (file, expected) in [(format!("{name}.rml"), None), (format!("{name}_bug.rml"), Some(steps))] {
            check_bounded(&file, &load(&file), steps, expected.map(|steps| (steps, claim)));
        }
    }
}

/// The execution of the paper's Figure 4 has four steps: two nodes with one id send it, and each gets the other's.
#[test]
fn two_leaders_are_elected_without_unique_ids() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("examples/leader_election_start.rml");
    let text = std::fs::read_to_string(path).expect("the example is there");
    check_bounded("with unique ids", &load_text("with.rml", text.clone()), 4, None);
    let without = load_text("without.rml", text.replace("axiom unique_ids\n", ""));
    let label = without.assertions[0].label.clone();
    check_bounded("without unique ids", &without, 4, Some((4, &label)));
}

/// Checks executions of at most `depth` steps; `expected` has the length of the shortest one with a violation, and the
/// violated claim.
fn check_bounded(file: &str, system: &Arc<System>, depth: u16, expected: Option<(u16, &str)>) {
    let options = bmc::Options { induction: true, ..bmc::Options::new(safety(system), depth) };
    let mut bmc = Bmc::new(system.clone(), options);
    let depths: Vec<bmc::Depth> =
        std::iter::from_fn(|| bmc.advance(&Limits::default())).filter(|it| it.steps.is_some()).collect();
    assert_eq!(depths.len(), usize::from(depth) + 1, "{file}");
    for depth in depths {
        match depth.outcome {
            bmc::Outcome::Holds => assert_ne!(depth.steps, expected.map(|(steps, _)| steps), "{file}"),
            bmc::Outcome::Violated(violation) => {
                let Target::Model(property) = violation.target else { panic!("no claim of {file}") };
                let found = depth.steps.map(|steps| (steps, property.label(system)));
                assert_eq!(found, expected, "{file}");
                assert!(is_execution(system, &violation), "{file}: {violation:?}");
            }
            other => panic!("{file}: {other:?}"),
        }
    }
}

/// Checks whether a violation is an execution of the system, by the formulas as written, with a bad final state.
fn is_execution(system: &System, violation: &bmc::Violation) -> bool {
    let sig = &system.sig;
    let structure = &violation.counterexample.structure;
    let calls = &violation.counterexample.calls;
    let mut terms = system.terms.clone();
    let axioms = system.axioms.iter().map(|axiom| axiom.formula);
    let mut holding: Vec<TermId> = axioms.chain(system.inits.iter().map(|init| init.formula)).collect();
    let bad = terms.shift(sig, violation.target.formula(system), calls.len() as u16);
    holding.push(terms.not(bad));
    let mut steps: Vec<(TermId, &Call)> = Vec::new();
    for (step, call) in calls.iter().enumerate() {
        let transition = &system.transitions[call.transition];
        let mut conjuncts = frame(terms.over_mut(sig), transition);
        conjuncts.push(transition.body);
        let conjuncts = conjuncts.into_iter().map(|conjunct| terms.shift(sig, conjunct, step as u16));
        steps.extend(conjuncts.map(|conjunct| (conjunct, call)));
    }
    let mut eval = Evaluator::new(terms.over(sig), structure);
    structure.states() == calls.len() + 1
        && holding.into_iter().all(|formula| eval.holds(formula))
        && steps.into_iter().all(|(formula, call)| {
            let params = &system.transitions[call.transition].params;
            eval.env.extend(params.iter().copied().zip(call.args.iter().copied()));
            eval.holds(formula)
        })
}

/// The same seed gives the same counterexample, to the last tuple, and the same cost.
#[test]
fn runs_repeat() {
    for (model, _) in MODELS {
        let system = load(model);
        let run = || format!("{:?}", verify(&system, Options { all: true, ..Options::default() }).results);
        assert_eq!(run(), run(), "{model}");
    }
}

/// Each `trace` has the executions that it says, or has none.
#[test]
fn traces_are_as_declared() {
    let mut answers = [0, 0];
    for (model, _) in MODELS {
        let system = load(model);
        for trace in &system.traces {
            let found = has_execution(&system, &trace.steps);
            assert_eq!(found, trace.expect_sat, "{model}: trace at {:?}", trace.span);
            answers[usize::from(found)] += 1;
        }
    }
    assert!(answers.iter().all(|&count| count >= 4), "both kinds occur: {answers:?}");
}

/// Unrolls the steps of a trace (calls without arguments) and searches for a model.
fn has_execution(system: &System, steps: &[TraceStep]) -> bool {
    let sig = &system.sig;
    let mut terms = system.terms.clone();
    let transitions: Vec<TermId> = system
        .transitions
        .iter()
        .map(|transition| transition_formula(terms.over_mut(sig), transition))
        .collect();
    let mut formulas: Vec<TermId> = system.axioms.iter().map(|axiom| axiom.formula).collect();
    if !matches!(steps.first(), Some(TraceStep::AssertInit | TraceStep::Assert(_))) {
        formulas.extend(system.inits.iter().map(|init| init.formula));
    }
    let mut state = 0;
    for step in steps {
        let taken: Vec<TermId> = match step {
            TraceStep::AssertInit => {
                formulas.extend(system.inits.iter().map(|init| terms.shift(sig, init.formula, state)));
                continue;
            }
            TraceStep::Assert(formula) => {
                formulas.push(terms.shift(sig, *formula, state));
                continue;
            }
            TraceStep::AnyTransition => transitions.clone(),
            TraceStep::Transitions(calls) => calls
                .iter()
                .map(|call| {
                    assert!(call.args.iter().all(Option::is_none), "arguments are not needed here");
                    transitions[call.transition]
                })
                .collect(),
        };
        let taken: Vec<TermId> = taken.into_iter().map(|formula| terms.shift(sig, formula, state)).collect();
        formulas.push(terms.or(&taken));
        state += 1;
    }
    for at in 0..=state {
        formulas.extend(system.derived.iter().map(|derived| terms.shift(sig, derived.axiom, at)));
    }
    let mut solver = Solver::new(sig.clone(), terms, 3);
    for formula in formulas {
        solver.assert(formula);
    }
    let answer = solver.check(&[], &mut Budget::new(Some(200_000_000), None));
    answer.expect("the budget is ample") == Answer::Sat
}
