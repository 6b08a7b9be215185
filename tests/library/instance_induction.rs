//! Safe instances, shown again by induction.

use std::sync::Arc;

use crate::common::bounded::safety;
use crate::common::effort::cases;
use crate::common::formulas::{Generator, Vocabulary};
use crate::common::models::load;
use crate::normal_form::random_system;
use ramsey::base::budget::Budget;
use ramsey::base::ids::IdVec;
use ramsey::base::rng::Rng;
use ramsey::finite::{Encoding, Sizes};
use ramsey::hwmc::{self, Proof};
use ramsey::obligations::Property;
use ramsey::query::Limits;
use ramsey::query::instance::{Instances, NoInduction, Options, Outcome};
use ramsey::system::System;

/// Returns the instance, prepared for induction or not.
fn instances(system: &Arc<System>, sizes: &Sizes, encoding: Encoding, inductive: bool) -> Instances {
    let options = Options {
        sizes: sizes.clone(),
        targets: safety(system),
        encoding,
        break_symmetry: !inductive,
        inductive,
        max_nodes: 1_000_000,
        seed: 0,
    };
    Instances::new(system, &options, &mut Budget::unlimited()).expect("a circuit")
}

/// A circuit that is prepared has the same answer, and what is safe is shown by induction.
#[test]
fn safe_random_instances_are_shown_by_induction() {
    let mut seen = [0; 2];
    for seed in 0..cases(150) {
        let mut rng = Rng::new(seed);
        let vocabulary = Vocabulary::of_states(&mut rng);
        let mut system = random_system(&vocabulary, &mut rng);
        // Initial states satisfy one claim more.
        let init = system.inits[0].formula;
        let formula = Generator::new(&vocabulary, &mut system.terms, &mut rng).formula(2);
        if let Some(last) = system.invariants.last_mut() {
            last.formula = system.terms.or(&[init, formula]);
            last.is_safety = true;
        }
        let system = Arc::new(system);
        let mut sizes: Sizes = IdVec::filled(system.sig.sorts.len(), 2);
        for sort in vocabulary.sorts {
            sizes[sort] = if rng.one_in(3) { 1 } else { 2 };
        }
        let encoding = if rng.one_in(2) { Encoding::OneHot } else { Encoding::Binary };
        let plain = instances(&system, &sizes, encoding, false);
        let prepared = instances(&system, &sizes, encoding, true);
        if plain.main().contradicts_axioms() {
            continue;
        }
        let [plain, check] = [&plain, &prepared].map(|it| it.check(&mut Budget::unlimited()));
        let is_safe = matches!(plain.outcome, Outcome::Safe);
        assert_eq!(is_safe, matches!(check.outcome, Outcome::Safe), "seed {seed}");
        seen[usize::from(is_safe)] += 1;
        let Some(hwmc::Outcome::Safe(proof)) = check.circuit.filter(|_| is_safe) else { continue };
        let properties = Property::safety(&system);
        let found = prepared.induction(&system, &properties, &proof, &Limits::default());
        let found = found.unwrap_or_else(|why| panic!("seed {seed}: {why:?}"));
        assert!(found.results.iter().all(|it| it.certificate.is_some()), "seed {seed}");
        assert!(found.system.invariants.iter().filter(|it| it.is_safety).count() == properties.len());
    }
    assert!(seen[0] >= 5 && seen[1] >= 50, "{seen:?}");
}

/// From a proof over several steps a search for an invariant follows, and what is none is noticed.
#[test]
fn invariants_are_shown_or_refused() {
    let lock = include_str!("../../examples/lock_server.pyv");
    let system = Arc::new(load("lock.pyv", lock).0.expect("a system"));
    let sizes: Sizes = IdVec::filled(system.sig.sorts.len(), 2);
    let prepared = instances(&system, &sizes, Encoding::OneHot, true);
    let properties = Property::safety(&system);
    let shown = |induction: usize, limits: &Limits| {
        let proof = Proof { invariant: Vec::new(), induction };
        prepared.induction(&system, &properties, &proof, limits)
    };
    let found = shown(5, &Limits::default()).expect("an invariant");
    assert!(found.system.invariants.len() > 1, "{:?}", found.system.invariants);
    assert_eq!(found.system.axioms.len(), system.axioms.len() + 1);
    for induction in [0, 1] {
        assert!(matches!(shown(induction, &Limits::default()), Err(NoInduction::Internal(_))));
    }
    let limits = Limits { work: Some(1), ..Limits::default() };
    assert!(matches!(shown(5, &limits), Err(NoInduction::Exhausted(_))));
}
