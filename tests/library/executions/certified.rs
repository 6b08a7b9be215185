//! Certificates of checks of relaxed systems, and of formulas beside a model.

use std::sync::Arc;

use super::{Writer, certified, example, load, options, rejects, run};
use crate::common::effort::cases;
use ramsey::base::rng::Rng;
use ramsey::base::span::{Source, Sources};
use ramsey::check::format::Claim;
use ramsey::check::{Beside, beside, check};
use ramsey::elaborate::{self, Certificate};
use ramsey::lang::{Includes, Language, load_with_claim};
use ramsey::obligations::{Origin, Relaxed};
use ramsey::query::bmc::{self, Bmc, Target, question};
use ramsey::query::certify::of_depths;
use ramsey::system::System;

/// Returns the certificate of a check of a relaxed system, and its claim.
fn certified_relaxed(system: &System, depth: u16) -> (String, bool) {
    let relaxed = Relaxed::new(system);
    let options = bmc::Options { certify: true, ..options(&relaxed.system, depth, 0) };
    let question = question(system, (depth, true), &options.targets);
    let depths = run(Bmc::relaxed(&relaxed, options));
    let proved = match &depths.last().expect("an answer").outcome {
        bmc::Outcome::Holds => true,
        bmc::Outcome::Violated(_) => false,
        other => panic!("{other:?}"),
    };
    let blocks: Vec<(Origin, &Certificate)> =
        depths.iter().flat_map(|it| &it.certificates).map(|(origin, it)| (*origin, it)).collect();
    let certificate = elaborate::text(system, "", &Claim { question, beside: None, proved }, &blocks);
    (certificate.expect("proofs"), proved)
}

#[test]
fn certificates_of_relaxed_checks() {
    let (_, lock) = example("lock_server.pyv");
    let (good, proved) = certified_relaxed(&lock, 2);
    assert!(proved && good.contains("claim bmc 2 relaxed invariant:0 proved\n"));
    let summary = check(&lock, "", good.as_bytes()).expect("accepted");
    assert_eq!((summary.obligations, summary.proofs), (3, 3));
    assert!(check(&lock, "", good.replace("bmc 2 relaxed", "bmc 2").as_bytes()).is_err());
    let (plain, _) = certified("", &Arc::new(lock.clone()), 2);
    assert!(check(&lock, "", plain.replace("bmc 2", "bmc 2 relaxed").as_bytes()).is_err());
    let (_, consensus) = example("toy_consensus.pyv");
    let (bad, proved) = certified_relaxed(&consensus, 5);
    assert!(!proved && check(&consensus, "", bad.as_bytes()).is_ok());
    // The execution loses elements.
    assert!(check(&consensus, "", bad.replace("bmc 5 relaxed", "bmc 5").as_bytes()).is_err());
    let mut answers = [0, 0];
    for seed in 0..cases(20) {
        let system = load(&Writer(&mut Rng::new(6_000 + seed)).system());
        let (certificate, proved) = certified_relaxed(&system, 2);
        let summary = check(&system, "", certificate.as_bytes());
        assert_eq!(summary.map(|it| it.claim.proved), Ok(proved), "seed {seed}");
        answers[usize::from(proved)] += 1;
    }
    assert!(answers.iter().all(|&count| count >= 5), "{answers:?}");
}

#[test]
fn certificates_about_formulas_beside_the_model() {
    let (text, plain) = example("lock_server.pyv");
    let formula = "holds(X) & holds(Y) -> X = Y";
    let read = |formula: &str| {
        let mut sources = Sources::new();
        let file = sources.push(Source::new("model.pyv".into(), text.clone()));
        let claim = sources.push(Source::new("formula".into(), formula.into()));
        let (system, found) = load_with_claim(Language::Pyv, file, claim, &sources, &Includes::new());
        Arc::new(system.unwrap_or_else(|| panic!("{found:?}")))
    };
    let system = read(formula);
    let target = Target::Formula(system.invariants.last().expect("the formula").formula);
    let options = bmc::Options { targets: vec![target], certify: true, ..options(&system, 2, 0) };
    let mut depths = run(Bmc::new(Arc::clone(&system), options));
    let accepted = of_depths(&system, &text, (2, false), &[target], &mut depths, false);
    let good = String::from_utf8(accepted.expect("accepted").expect("proofs").bytes).expect("text");
    let claim = "claim bmc 2 invariant:4 formula:holds(X)%20.&%20.holds(Y)%20.->%20.X%20.=%20.Y proved";
    assert!(good.contains(claim), "{good}");
    assert_eq!(beside(good.as_bytes()), Some(Beside::Formula(formula.into())));
    assert!(check(&system, &text, good.as_bytes()).is_ok());
    // The model has to be read with this formula.
    let other = read("!holds(X)");
    for system in [&plain, &*other] {
        rejects(system, &good, "not a claim that can be made");
    }
    let changed = good.replace("formula:holds(X)%20.&%20.holds(Y)%20.->%20.X%20.=%20.Y", "formula:!holds(X)");
    rejects(&system, &changed, "not a claim that can be made");
    assert!(check(&other, &text, changed.as_bytes()).is_err(), "proofs of another formula");
    for wrong in [
        claim.replace(" invariant:4", ""),
        claim.replace("invariant:4", "invariant:0"),
        claim.replace("invariant:4", "invariant:5"),
        claim.replace(" proved", " formula:true proved"),
        claim.replace("%20.Y", "%20.Y%"),
        claim.replace("bmc 2 invariant:4 ", ""),
        claim.replace("bmc 2 invariant:4 ", "theorem "),
    ] {
        rejects(&system, &good.replace(claim, &wrong), "not a claim that can be made");
    }
}
