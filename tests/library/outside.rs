//! Obligations outside of stratified EPR, whose terms never end.

use std::sync::Arc;

use crate::common::models;
use ramsey::base::rng::Rng;
use ramsey::query::{Limits, Options, Outcome, Plan, Verification};

const PAXOS: &str = include_str!("../../benches/protocols/paxos.ivy");

/// Lemmas with which the safety of Paxos is inductive. Its last step needs the first two and the last one, and no other.
const LEMMAS: [&str; 12] = [
    "msg2b(A, B, V) -> msg2a(B, V)",
    "msg2a(B, V) & msg2a(B, W) -> V = W",
    "~msg2a(none, V)",
    "msg2b(A, B, V) -> le(B, maxVBal(A))",
    "msg2b(A, B, V) -> msg2b(A, maxVBal(A), maxVal(A))",
    "none = maxVBal(A) -> nov = maxVal(A)",
    "exists V. forall A. le(maxVBal(A), C) | msg2b(A, B, V) | maxVBal(A) ~= B",
    "~le(maxVBal(A), B) -> ~le(maxBal(A), B)",
    "msg1b(A, B, C, V) -> le(B, maxBal(A))",
    "msg1b(A, B, C, V) -> msg2a(C, V) | nov = V",
    "msg1b(A, B, C, V) & msg2b(A, D, W) -> le(B, D) | le(D, C)",
    "msg2a(B, W) -> le(B, C) | msg2a(B, V) | exists A. ~le(maxBal(A), C) & member(A, Q) & ~msg2b(A, C, V)",
];

fn verify(lemmas: &[&str], certify: bool) -> Verification {
    let lines: String = lemmas.iter().map(|lemma| format!("invariant {lemma}\n")).collect();
    let options = Options { all: true, certify, ..Options::default() };
    let limits = Limits { work: Some(20_000_000), ..Limits::default() };
    Plan::new(Arc::new(models::system("paxos.ivy", &format!("{PAXOS}\n{lines}"))), options).run(&limits)
}

/// With all hypotheses from the start, a search is soon among terms of terms, in most orders of the lemmas.
#[test]
fn few_of_many_hypotheses_are_searched() {
    let mut lemmas = LEMMAS;
    for seed in 0..4 {
        // As in the array, and in other orders.
        if seed > 0 {
            let mut rng = Rng::new(seed);
            lemmas.sort_by_cached_key(|_| rng.below(1_000_000));
        }
        let verification = verify(&lemmas, seed == 3);
        for result in &verification.results {
            assert!(matches!(result.outcome, Outcome::Holds { .. }), "{seed}: {:?}", result.outcome);
            assert_eq!(result.certificate.is_some(), seed == 3);
        }
        assert_eq!(verification.results.len(), 13 * 5);
    }
}

/// Without one of the lemmas that safety needs, the others rest until a counterexample satisfies them all. It is evaluated.
#[test]
fn counterexamples_satisfy_what_rests() {
    for missing in [0, 1, 11] {
        let lemmas: Vec<&str> =
            LEMMAS.iter().enumerate().filter(|&(at, _)| at != missing).map(|(_, it)| *it).collect();
        let verification = verify(&lemmas, false);
        let fails = verification.results.iter().filter(|it| matches!(it.outcome, Outcome::Fails(_))).count();
        assert!(fails > 0, "{}", LEMMAS[missing]);
        let is_open = |outcome: &Outcome| !matches!(outcome, Outcome::Holds { .. } | Outcome::Fails(_));
        assert!(!verification.results.iter().any(|it| is_open(&it.outcome)), "{}", LEMMAS[missing]);
    }
}
