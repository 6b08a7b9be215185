//! Bounded model checking in parts against the whole, and executions as data against evaluation and replay.

use std::fs;
use std::path::Path;
use std::sync::Arc;

use crate::common::bounded::{safety, violation};
use crate::common::effort::{Seen, cases as count};
use crate::common::formulas::Vocabulary;
use crate::common::models;
use crate::normal_form::random_system;
use ramsey::base::budget::Budget;
use ramsey::base::rng::Rng;
use ramsey::query::bmc::{Bmc, Options, Target};
use ramsey::query::cases::{Case, beginnings, with_cases};
use ramsey::query::simulate::{End, Simulator};
use ramsey::query::trace::{self, Outcome, trace};
use ramsey::query::unroll::Execution as Found;
use ramsey::query::{Limits, confirm};
use ramsey::report::json::task::Execution;
use ramsey::system::System;

/// Models with a violation, and the number of steps of the shortest one.
const BROKEN: [(&str, u16); 5] = [
    ("lock_server_broken.pyv", 8),
    ("lock_server_bug.rml", 6),
    ("chord_bug.rml", 2),
    ("distributed_lock_bug.rml", 4),
    ("learning_switch_bug.rml", 3),
];

fn load(name: &str) -> Arc<System> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("examples").join(name);
    Arc::new(models::system(name, &fs::read_to_string(path).expect("an example")))
}

/// Returns an execution of the first part of this length that has one.
fn first(system: &Arc<System>, targets: &[Target], (steps, split): (u16, u16)) -> Option<Found> {
    let options = trace::Options { minimize: true, certify: false, seed: 0, clock: None };
    let ways = beginnings(system, split.min(steps), 10_000).expect("few ways");
    let parts: Vec<Case> = ways.into_iter().map(|first| Case { steps, first }).collect();
    let asked = Arc::new(with_cases(system, targets, &parts));
    (0..parts.len()).find_map(|at| match trace(&asked, at, &options, &Limits::default()).outcome {
        Outcome::Sat(found) => Some(*found),
        Outcome::Unsat => None,
        other => panic!("{other}"),
    })
}

/// Checks that parts of all lengths up to a depth agree with the whole. Returns the shortest violation.
fn agrees(system: &Arc<System>, targets: &[Target], depth: u16, split: u16) -> Option<Found> {
    let whole = violation(system, Options::new(targets.to_vec(), depth));
    let length = whole.and_then(|(steps, _)| steps);
    for steps in 0..=length.unwrap_or(depth) {
        let found = first(system, targets, (steps, split));
        assert_eq!(found.is_some(), Some(steps) == length, "{steps} steps, split {split}");
        if found.is_some() {
            return found;
        }
    }
    None
}

#[test]
fn parts_of_models_agree_with_the_whole() {
    for (name, steps) in BROKEN {
        let system = load(name);
        let targets = safety(&system);
        for split in 0..=if steps > 3 { 1 } else { 2 } {
            let found = agrees(&system, &targets, steps, split).unwrap_or_else(|| panic!("{name}"));
            assert_eq!(found.calls.len(), usize::from(steps), "{name}");
        }
    }
}

#[test]
fn parts_of_random_systems_agree_with_the_whole() {
    let mut seen = Seen::default();
    for seed in 0..count(60) {
        let mut rng = Rng::new(seed);
        let vocabulary = Vocabulary::of_states(&mut rng);
        let system = Arc::new(random_system(&vocabulary, &mut rng));
        let targets = vec![Target::Formula(system.invariants[0].formula)];
        if Bmc::new(Arc::clone(&system), Options::new(targets.clone(), 1)).cycle().is_some() {
            continue;
        }
        for split in 0..=1 {
            seen.note(agrees(&system, &targets, 1, split).is_some());
        }
    }
    seen.assert_both(10);
}

#[test]
fn executions_come_back_and_changed_ones_are_judged() {
    let mut seen = Seen::default();
    for (name, steps) in BROKEN {
        let system = load(name);
        let targets = safety(&system);
        let found = first(&system, &targets, (steps, 0)).expect(name);
        let data = Execution::new(&system, &found.structure, &found.calls);
        let text = serde_json::to_string(&data).expect("JSON");
        let data: Execution = serde_json::from_str(&text).expect("JSON");
        let (structure, calls) = data.read(&system).expect("an execution");
        let again = Execution::new(&system, &structure, &calls);
        assert_eq!((again, &calls), (data.clone(), &found.calls), "{name}");
        let mut budget = Budget::unlimited();
        confirm(&system, structure, calls, &targets, &mut budget).expect(name);
        let mut rng = Rng::new(7);
        for _ in 0..count(60) {
            let mut changed = data.clone();
            change(&mut changed, &mut rng);
            let Ok((structure, calls)) = changed.read(&system) else { continue };
            let is_one = confirm(&system, structure.clone(), calls.clone(), &targets, &mut budget).is_ok();
            if seen.note(is_one) {
                let mut simulator = Simulator::new(Arc::clone(&system), 0, Limits::default());
                let end = simulator.retrace(&structure, &calls).expect("a replay");
                assert!(matches!(end, End::Steps), "{name}: {changed:?}");
                assert!(!simulator.violations().is_empty(), "{name}");
            }
        }
    }
    seen.assert_both(5);
}

/// Changes a value, an argument or a size.
fn change(execution: &mut Execution, rng: &mut Rng) {
    match rng.below(8) {
        0 => {
            let at = rng.below(execution.sizes.len());
            execution.sizes[at].size = 1 + rng.below(3) as u32;
        }
        1 => {
            let calls = execution.calls.len();
            let call = &mut execution.calls[rng.below(calls)];
            if let Some(arg) = call.args.first_mut() {
                *arg = rng.below(3) as u32;
            }
        }
        _ => {
            let at = rng.below(execution.symbols.len());
            let states = &mut execution.symbols[at].states;
            let state = rng.below(states.len());
            let values = &mut states[state];
            match values.except.first_mut() {
                Some(first) => first.value ^= 1,
                None => values.default ^= 1,
            }
        }
    }
}
