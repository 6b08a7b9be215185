//! `ramsey::infer` by formulas with a quantifier alternation: what is found, verified by the plain obligations.

use std::sync::Arc;

use ramsey::base::budget::Budget;
use ramsey::infer::{Answer, Counts, Event, Inference, Lemma, Method, Observer, Options, infer};
use ramsey::logic::{Evaluator, Syntax};
use ramsey::system::System;

use crate::lemmas::{is_inductive, system, with_lemmas};

/// Nodes vote for values, and a quorum of votes elects one: a quorum exists for each elected value.
const ELECTION: &str = "\
sort node
sort group
sort value
immutable relation belongs(node, group)
axiom forall G, H. exists N. belongs(N, G) & belongs(N, H)
mutable relation ballot(node, value)
mutable relation has_voted(node)
mutable relation elected(value)
init !ballot(N, V)
init !has_voted(N)
init !elected(V)
transition vote(n: node, v: value)
  modifies ballot, has_voted
  & !has_voted(n)
  & (ballot'(N, V) <-> ballot(N, V) | N = n & V = v)
  & (has_voted'(N) <-> has_voted(N) | N = n)
transition elect(g: group, v: value)
  modifies elected
  & (forall N. belongs(N, g) -> ballot(N, v))
  & (elected'(V) <-> elected(V) | V = v)
safety elected(V) & elected(W) -> V = W
";

/// Each answer was caused by a question that was asked; answers are stored before they are given.
const ANSWERS: &str = "\
sort client
sort question
sort answer
immutable relation fits(question, answer)
mutable relation asked(client, question)
mutable relation stored(client, answer)
mutable relation answered(client, answer)
init !asked(C, Q)
init !stored(C, A)
init !answered(C, A)
transition ask(c: client, q: question)
  modifies asked
  & (asked'(C, Q) <-> asked(C, Q) | C = c & Q = q)
transition reply(c: client, q: question, a: answer)
  modifies stored
  & asked(c, q) & fits(q, a)
  & (stored'(C, A) <-> stored(C, A) | C = c & A = a)
transition give(c: client, a: answer)
  modifies answered
  & stored(c, a)
  & (answered'(C, A) <-> answered(C, A) | C = c & A = a)
safety answered(C, A) -> exists Q. fits(Q, A) & asked(C, Q)
";

/// Each item is in a box or on the way to one: two kinds of witnesses.
const ITEMS: &str = "\
sort item
sort box
mutable relation inside(box, item)
mutable relation sent(box, item)
init exists B. inside(B, I)
init !sent(B, I)
transition send(i: item, b: box, c: box)
  modifies inside, sent
  & inside(b, i)
  & (inside'(B, I) <-> inside(B, I) & !(B = b & I = i))
  & (sent'(B, I) <-> sent(B, I) | B = c & I = i)
transition arrive(i: item, b: box)
  modifies inside, sent
  & sent(b, i)
  & (sent'(B, I) <-> sent(B, I) & !(B = b & I = i))
  & (inside'(B, I) <-> inside(B, I) | B = b & I = i)
safety (exists B, I. sent(B, I)) | (forall I. exists B. inside(B, I))
";

#[derive(Default)]
struct Quiet;

impl Observer for Quiet {
    fn event(&mut self, _: Syntax<'_>, _: &Event, _: &Counts) {}
}

fn run(system: &Arc<System>, method: Method, seed: u64) -> Inference {
    let options = Options { method, seed, ..Options::default() };
    infer(system, &options, &mut Budget::unlimited(), &mut Quiet)
}

/// Checks whether the lemmas that were found are inductive with the properties, without the one that is left out.
fn is_proof(inference: &Inference, left_out: Option<usize>) -> bool {
    let Answer::Invariant(lemmas) = &inference.answer else { panic!("{:?}", inference.answer) };
    let kept = lemmas.iter().enumerate().filter(|(at, _)| Some(*at) != left_out);
    let kept: Vec<Lemma> = kept.map(|(_, lemma)| lemma.clone()).collect();
    is_inductive(with_lemmas(inference, &kept, true))
}

#[test]
fn invariants_with_witnesses_are_found_and_no_lemma_is_redundant() {
    for (name, text) in [("election", ELECTION), ("answers", ANSWERS), ("items", ITEMS)] {
        let (system, _) = system("model.pyv", text);
        for seed in 0..5 {
            let inference = run(&system, Method::EXISTS, seed);
            let Answer::Invariant(lemmas) = &inference.answer else {
                panic!("{name}, seed {seed}: {:?}", inference.answer)
            };
            assert!(!lemmas.is_empty(), "{name}, seed {seed}: safety alone is not inductive");
            assert!(is_proof(&inference, None), "{name}, seed {seed}");
            for at in 0..lemmas.len() {
                assert!(!is_proof(&inference, Some(at)), "{name}, seed {seed}: lemma {at}");
            }
            assert_eq!(run(&system, Method::EXISTS, seed).counts, inference.counts, "{name}, seed {seed}");
        }
    }
}

#[test]
fn without_a_universal_invariant_one_with_witnesses_is_tried() {
    for (name, text) in [("election", ELECTION), ("answers", ANSWERS), ("items", ITEMS)] {
        let (system, _) = system("model.pyv", text);
        let universal = run(&system, Method::SEPARATION, 0);
        assert!(matches!(universal.answer, Answer::NoUniversal(_)), "{name}: {:?}", universal.answer);
        let inference = run(&system, Method::AUTO, 0);
        assert_eq!(inference.method, Method::EXISTS, "{name}");
        assert!(is_proof(&inference, None), "{name}");
    }
}

#[test]
fn violations_are_executions_of_the_system() {
    // Groups need not have a node in common.
    let broken = ELECTION.replace("axiom forall G, H. exists N. belongs(N, G) & belongs(N, H)\n", "");
    let (system, _) = system("model.pyv", &broken);
    for seed in 0..3 {
        let inference = run(&system, Method::EXISTS, seed);
        let Answer::Unsafe(property, found) = &inference.answer else { panic!("{:?}", inference.answer) };
        let last = found.structure.state(&system.sig, found.calls.len());
        assert!(!Evaluator::new(system.syntax(), &last).holds(property.formula(&system)));
    }
}

#[test]
fn a_budget_ends_the_search() {
    let (system, _) = system("model.pyv", ELECTION);
    let options = Options {
        method: Method::EXISTS,
        candidates: Vec::new(),
        template: None,
        prefixes: Vec::new(),
        until_stopped: false,
        seed: 0,
        clock: None,
    };
    for work in [0, 100, 1_000, 10_000] {
        let inference = infer(&system, &options, &mut Budget::new(Some(work), None), &mut Quiet);
        match &inference.answer {
            Answer::Unknown { .. } => {}
            Answer::Invariant(_) => assert!(is_proof(&inference, None)),
            other => panic!("{other:?}"),
        }
    }
}
