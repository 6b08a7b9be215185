//! The formula that some transition can be taken with all pairs of small states, and certificates of it.

use std::sync::Arc;

use super::{Writer, edges, example, holds, legal_states, load, options, rejects, run};
use crate::common::effort::cases;
use ramsey::base::rng::Rng;
use ramsey::check::{Beside, beside, check};
use ramsey::obligations::with_progress;
use ramsey::query::bmc::{self, Bmc, Target};
use ramsey::query::certify::of_depths;
use ramsey::system::System;

/// Returns a system with the claim that some transition can be taken.
fn claimed(system: &System) -> Arc<System> {
    Arc::new(with_progress(system).expect("a transition"))
}

#[test]
fn where_it_is_true_some_transition_leads_on() {
    let (mut both, mut incomplete, mut neither) = (0, 0, 0);
    for seed in 0..cases(75) {
        let text = Writer(&mut Rng::new(9_000 + seed)).system();
        let system = load(&text);
        let claimed = claimed(&system);
        let formula = claimed.invariants.last().expect("the claim").formula;
        for size in 1..=2 {
            let all = legal_states(&system, size);
            let mut leads = vec![false; all.len()];
            edges(&system, &all).iter().flatten().for_each(|&(from, _)| leads[from] = true);
            for (state, leads) in all.iter().zip(leads) {
                match (holds(&claimed, state, formula), leads) {
                    (true, true) => both += 1,
                    (false, true) => incomplete += 1,
                    (false, false) => neither += 1,
                    (true, false) => panic!("seed {seed}: no next state of size {size}\n{text}"),
                }
            }
        }
    }
    assert!(both > 500 && neither > 50, "{both} {incomplete} {neither}");
}

/// Transitions that say what they say of the next state in ways that the formula is found for, and one of which it is not.
#[test]
fn updates_are_found_under_common_quantifiers_and_in_each_other() {
    let model = |transition: &str| {
        load(&format!(
            "sort s\nimmutable constant a: s\nmutable relation r(s)\nmutable relation q(s)\nmutable constant c: s\n\
             derived relation d(s): forall X. d(X) <-> r(X) & X != c\ninit r(X)\n{transition}"
        ))
    };
    for (transition, is_found) in [
        (
            "transition t(x: s)\n  modifies r, q\n  & (forall X. (new(r(X)) <-> r(X) & X != x) & (new(q(X)) <-> new(r(X))))",
            true,
        ),
        ("transition t(x: s)\n  modifies r, c\n  & (forall X. !new(r(X))) & x = new(c) & !new(d(x))", true),
        ("transition t(x: s)\n  modifies r\n  & (exists X. new(r(X)) & X != x)", false),
        ("transition t(x: s)\n  modifies r\n  & (forall X. new(r(X)) <-> new(r(a)))", false),
        (
            "transition t(x: s)\n  modifies r, q\n  & (forall X. new(r(X)) <-> new(q(X))) & (forall X. new(q(X)) <-> !new(r(X)))",
            false,
        ),
        (
            "transition t(x: s)\n  modifies r\n  & (forall X. new(r(X)) <-> q(X)) & (forall X. new(r(X)) <-> !q(X))",
            true,
        ),
    ] {
        let system = model(transition);
        let claimed = claimed(&system);
        let formula = claimed.invariants.last().expect("the claim").formula;
        let all = legal_states(&system, 2);
        let mut leads = vec![false; all.len()];
        edges(&system, &all).iter().flatten().for_each(|&(from, _)| leads[from] = true);
        for (state, leads) in all.iter().zip(leads) {
            let expected = is_found && leads;
            assert_eq!(holds(&claimed, state, formula), expected, "{transition}");
        }
    }
}

#[test]
fn certificates_are_accepted_for_this_model_alone() {
    let (text, plain) = example("lock_server.pyv");
    let claimed = claimed(&plain);
    let target = Target::Formula(claimed.invariants.last().expect("the claim").formula);
    let options = bmc::Options { targets: vec![target], certify: true, ..options(&claimed, 2, 0) };
    let mut depths = run(Bmc::new(Arc::clone(&claimed), options));
    let accepted = of_depths(&claimed, &text, (2, false), &[target], &mut depths, false);
    let good = String::from_utf8(accepted.expect("accepted").expect("proofs").bytes).expect("text");
    assert!(good.contains("\nclaim bmc 2 invariant:4 deadlock proved\n"), "{good}");
    assert_eq!(beside(good.as_bytes()), Some(Beside::Progress));
    assert!(check(&*claimed, &text, good.as_bytes()).is_ok());
    rejects(&plain, &good, "not a claim that can be made");
    for wrong in [
        "bmc 2 invariant:4 deadlock refuted",
        "bmc 2 relaxed invariant:4 deadlock proved",
        "bmc 2 invariant:0 deadlock proved",
        "bmc 2 invariant:4 proved",
        "bmc 2 invariant:4 formula:deadlock proved",
        "bmc 2 deadlock proved",
        "bmc 2 invariant:4 deadlock deadlock proved",
        "deadlock proved",
    ] {
        rejects(
            &claimed,
            &good.replace("bmc 2 invariant:4 deadlock proved", wrong),
            "not a claim that can be made",
        );
    }
    let deeper = good.replace("bmc 2 invariant", "bmc 3 invariant");
    assert!(check(&*claimed, &text, deeper.as_bytes()).is_err());
    // Without these transitions there are states in which nothing can happen.
    let mut fewer = plain.clone();
    fewer.transitions.retain(|it| it.name != "request");
    let fewer = self::claimed(&fewer);
    assert!(check(&*fewer, &text, good.as_bytes()).is_err());
}
