//! `infer` by finite instances: what is found, verified by the plain obligations; and the protocols of the paper that
//! introduced the method (Ma et al., I4, SOSP 2019), if the corpus is present.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use ramsey::base::budget::{Budget, Exhausted};
use ramsey::infer::{
    Answer, Counts, Event, Inference, InstanceAnswer, Method, Observer, Options, Reason, infer,
};
use ramsey::logic::Syntax;
use ramsey::system::System;

use crate::common::skip::skipped;
use crate::lemmas::{is_inductive, system, with_lemmas};

const RING: &str = include_str!("../../examples/ring_leader.pyv");
const SWITCH: &str = include_str!("../../examples/learning_switch.rml");

/// A number moves up, and never above a bound that the least instance is too small to have.
const CHAIN: &str = "
sort item
immutable relation le(item, item)
axiom le(X, X)
axiom le(X, Y) & le(Y, Z) -> le(X, Z)
axiom le(X, Y) & le(Y, X) -> X = Y
axiom le(X, Y) | le(Y, X)
immutable constant low: item
immutable constant middle: item
immutable constant high: item
axiom low != middle & middle != high & low != high
axiom le(low, middle) & le(middle, high)
mutable constant at: item
init at = low
transition move(x: item)
  modifies at
  le(x, middle) & new(at) = x
safety at != high
";

/// Two of three votes suffice to win, so that both may win.
const UNSAFE: &str = "
sort node
mutable relation won(node)
mutable relation sent(node)
init !won(N)
init !sent(N)
transition send(n: node)
  modifies sent
  forall N. new(sent(N)) <-> sent(N) | N = n
transition win(n: node)
  modifies won
  sent(n) & (forall N. new(won(N)) <-> won(N) | N = n)
safety won(X) & won(Y) -> X = Y
";

/// Keeps what is told of instances: the number of elements of the first sort, whether immutable symbols are fixed, and
/// the answer.
#[derive(Default)]
struct Instances {
    told: Vec<(u32, bool, InstanceAnswer)>,
    outgrown: usize,
}

impl Observer for Instances {
    fn event(&mut self, syntax: Syntax<'_>, event: &Event, _: &Counts) {
        match event {
            Event::Instance { sizes, class, answer } => {
                let first = syntax.sig.uninterpreted_sorts().next().expect("a sort");
                self.told.push((sizes[first], class.is_some(), *answer));
            }
            Event::Outgrown { .. } => self.outgrown += 1,
            _ => {}
        }
    }
}

fn run(system: &Arc<System>, seed: u64) -> (Inference, Instances) {
    let options = Options { method: Method::FINITE, seed, ..Options::default() };
    let mut instances = Instances::default();
    let inference = infer(system, &options, &mut Budget::unlimited(), &mut instances);
    assert_eq!(inference.method, Method::FINITE);
    (inference, instances)
}

/// Checks that the lemmas that were found are inductive together with the properties.
#[track_caller]
fn is_proved(name: &str, inference: &Inference) {
    let Answer::Invariant(lemmas) = &inference.answer else { panic!("{name}: {:?}", inference.answer) };
    assert!(is_inductive(with_lemmas(inference, lemmas, true)), "{name}");
}

#[test]
fn instances_grow_until_their_clauses_are_inductive() {
    let (system, _) = system("chain.pyv", CHAIN);
    let (inference, instances) = run(&system, 0);
    is_proved("chain", &inference);
    assert_eq!(instances.told[0], (2, false, InstanceAnswer::Empty), "three constants are distinct");
    assert!(instances.told.iter().any(|(size, ..)| *size == 3));
    assert_eq!(inference.counts.instances + 1, instances.told.len() as u64);
}

#[test]
fn clauses_say_what_they_need_of_immutable_symbols() {
    let (system, _) = system("ring.pyv", RING);
    for seed in 0..4 {
        let (inference, instances) = run(&system, seed);
        is_proved("ring", &inference);
        assert!(instances.outgrown > 0, "an instance of two nodes does not suffice");
    }
    is_proved("switch", &run(&crate::lemmas::system("switch.rml", SWITCH).0, 0).0);
}

#[test]
fn an_unsafe_instance_is_an_execution_of_the_system() {
    let (system, _) = system("unsafe.pyv", UNSAFE);
    let mut found_by_instance = 0;
    for seed in 0..4 {
        let (inference, instances) = run(&system, seed);
        let Answer::Unsafe(_, found) = &inference.answer else { panic!("{:?}", inference.answer) };
        assert_eq!(found.calls.len(), 4, "two nodes send and win");
        found_by_instance += usize::from(instances.told == [(2, false, InstanceAnswer::Unsafe)]);
    }
    assert_eq!(found_by_instance, 4);
}

#[test]
fn a_system_without_initial_states_is_safe() {
    let text = UNSAFE.replace("init !won(N)", "init !won(N) & (exists N. won(N))");
    let (inference, instances) = run(&system("empty.pyv", &text).0, 0);
    is_proved("empty", &inference);
    assert!(instances.told.len() <= 1, "instances do not grow");
}

#[test]
fn work_for_instances_is_counted() {
    let (system, _) = system("ring.pyv", RING);
    let options = Options { method: Method::FINITE, ..Options::default() };
    let mut budget = Budget::new(Some(20_000), None);
    let inference = infer(&system, &options, &mut budget, &mut Instances::default());
    let Answer::Unknown { reason, .. } = inference.answer else { panic!("{:?}", inference.answer) };
    assert_eq!(reason, Reason::Exhausted(Exhausted::Work));
}

fn corpus() -> Option<PathBuf> {
    let folder = match std::env::var_os("RAMSEY_CORPUS") {
        Some(folder) => PathBuf::from(folder),
        None => Path::new(env!("CARGO_MANIFEST_DIR")).join("../shared/corpus"),
    };
    let programs = folder.join("ivy/i4");
    if programs.is_dir() {
        return Some(programs);
    }
    skipped(format_args!("no corpus of programs at {} (set RAMSEY_CORPUS)", programs.display()));
    None
}

#[test]
fn protocols_of_the_paper_are_proved() {
    let Some(corpus) = corpus() else { return };
    let mut programs: Vec<PathBuf> = fs::read_dir(corpus)
        .expect("a folder")
        .flatten()
        .map(|entry| entry.path())
        .filter(|path| path.extension().is_some_and(|it| it == "ivy"))
        .collect();
    programs.sort();
    for path in &programs {
        let name = path.display().to_string();
        let (system, _) = system("model.ivy", &fs::read_to_string(path).expect("a program"));
        is_proved(&name, &run(&system, 0).0);
    }
    assert!(programs.len() >= 7, "the corpus has the protocols");
}
