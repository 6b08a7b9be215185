//! Certificates of actual answers: the kernel accepts each, and rejects each for any other model.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use crate::common::models;
use ramsey::check::{self, Closed, format::Claim};
use ramsey::elaborate::proof_of;
use ramsey::obligations::Question;
use ramsey::query::certify::of_verification;
use ramsey::query::{Limits, Options, Outcome, Plan, Verification};
use ramsey::system::System;

fn load(path: &Path, text: &str) -> Option<Arc<System>> {
    models::load(&path.to_string_lossy(), text).0.map(Arc::new)
}

fn verify(system: &Arc<System>) -> Verification {
    let options = Options { all: true, certify: true, ..Options::default() };
    Plan::new(Arc::clone(system), options).run(&Limits::default())
}

fn paths(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).expect("a folder of models");
    let mut found: Vec<PathBuf> = entries.flatten().map(|entry| entry.path()).collect();
    found.retain(|path| path.extension().is_some_and(|extension| extension == "pyv" || extension == "rml"));
    found.sort();
    found
}

/// Certifies a model; returns the certificate and its claim.
fn certified(path: &Path, text: &str) -> Option<(Arc<System>, String, Claim)> {
    let system = load(path, text)?;
    let mut verification = verify(&system);
    for result in &verification.results {
        assert!(
            matches!(result.outcome, Outcome::Holds { .. } | Outcome::Fails(_))
                && result.certificate.is_some(),
            "{}: {:?}: {:?}",
            path.display(),
            result.origin,
            result.outcome
        );
    }
    let accepted = of_verification(&system, text, &Question::Verify, &mut verification, false);
    let bytes = accepted.expect("the kernel accepts it").expect("everything is answered").bytes;
    let text_of = String::from_utf8(bytes).expect("text");
    let summary = check::check(&system, text, text_of.as_bytes())
        .unwrap_or_else(|rejection| panic!("{}: {rejection}", path.display()));
    assert!(summary.same_source);
    let fails = verification.results.iter().filter(|it| matches!(it.outcome, Outcome::Fails(_))).count();
    assert_eq!(summary.counterexamples, fails, "{}", path.display());
    assert_eq!(summary.proofs, verification.results.len() - fails, "{}", path.display());
    if system.proofs.list.is_empty() {
        // The proof that pages of Rocq are made of.
        let certificates =
            verification.results.iter().filter_map(|it| Some((it.origin, it.certificate.as_ref()?)));
        let closed = if summary.claim.proved { Closed::new } else { Closed::one_by_one };
        let proof = proof_of(closed(&system, &Question::Verify).expect("a closed form"), certificates);
        let proof = proof.unwrap_or_else(|failure| panic!("{}: {failure}", path.display()));
        let missing = proof.clauses.iter().filter(|clause| clause.is_none()).count();
        assert_eq!(missing, fails, "{}", path.display());
    }
    Some((system, text_of, summary.claim))
}

/// Nearly all atoms of a query are those of earlier ones.
#[test]
fn many_claims_about_one_relation_are_certified() {
    let places: Vec<usize> = (0..250).collect();
    let constants: String = places.iter().map(|at| format!("immutable constant c{at}: place\n")).collect();
    let claims: String =
        places.iter().map(|at| format!("invariant [one{at}] p(M, c{at}) & p(N, c{at}) -> M = N\n")).collect();
    let text = format!(
        "sort node\nsort place\n{constants}mutable relation p(node, place)\ninit !p(N, P)\n\
         transition take(n: node, a: place) modifies p\n  \
         & (forall N, P. p'(N, P) <-> p(N, P) | N = n & P = a & (forall M. !p(M, P)))\n{claims}"
    );
    let (_, _, claim) = certified(Path::new("claims.pyv"), &text).expect("the model loads");
    assert!(claim.proved);
    let broken = text.replace(" & (forall M. !p(M, P))", "");
    let (_, _, claim) = certified(Path::new("claims.pyv"), &broken).expect("the model loads");
    assert!(!claim.proved);
}

/// Instances of goals are forgotten after a few hundred goals, and a transition says something of each of many relations.
#[test]
fn claims_about_hundreds_of_relations_are_certified() {
    let places: Vec<usize> = (0..300).collect();
    let relations: String = places.iter().map(|at| format!("mutable relation r{at}(node)\n")).collect();
    let inits: String = places.iter().map(|at| format!("init !r{at}(N)\n")).collect();
    let claims: String = places.iter().map(|at| format!("invariant [none{at}] !r{at}(N)\n")).collect();
    let text = format!(
        "sort node\n{relations}{inits}transition move(n: node) modifies r0, r299\n  \
         & (forall N. r0'(N) <-> r0(N) & N != n)\n  & (forall N. r299'(N) <-> r298(N) | r299(N) & N = n)\n\
         transition set(n: node) modifies r290\n  & (forall N. r290'(N) <-> r290(N) | N = n)\n{claims}"
    );
    let (_, _, claim) = certified(Path::new("relations.pyv"), &text).expect("the model loads");
    assert!(!claim.proved);
    let repaired = text.replace("<-> r290(N) | N = n", "<-> r290(N) & N = n");
    let (_, _, claim) = certified(Path::new("relations.pyv"), &repaired).expect("the model loads");
    assert!(claim.proved);
}

/// A structure that refutes a theorem has values of what changes, of which the theorem does not speak.
#[test]
fn theorems_about_no_state_are_refuted() {
    let text = "#lang ivy1.7
type t
function f(X:t) : t
individual g : t
action a = { g := * }
export a
property f(X) = X
";
    let (_, certificate, claim) = certified(Path::new("model.ivy"), text).expect("the model loads");
    assert!(!claim.proved);
    assert!(certificate.contains("\ns "), "{certificate}");
}

#[test]
fn certificates_of_the_examples_are_accepted() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("examples");
    let mut claims = [0, 0];
    for path in paths(&folder) {
        let text = fs::read_to_string(&path).expect("a model");
        let (system, first, claim) = certified(&path, &text).expect("an example loads");
        // What `ramsey mc` is to prove is not inductive.
        let broken =
            ["_broken", "_bug", "_start", "_mc"].iter().any(|mark| path.to_string_lossy().contains(mark));
        assert_eq!(claim.proved, !broken, "{}", path.display());
        claims[usize::from(broken)] += 1;
        // Made once more, it is the same.
        let again = of_verification(&system, &text, &Question::Verify, &mut verify(&system), false);
        let again = again.expect("the kernel accepts it").expect("everything is answered").bytes;
        assert_eq!(again, first.as_bytes(), "{}", path.display());
    }
    assert!(claims[0] >= 10 && claims[1] >= 10, "both claims occur: {claims:?}");
}

/// Certificates of a corpus, where one is there: set RAMSEY_CORPUS, or put it at ../shared/corpus.
#[test]
fn certificates_of_the_corpus_are_accepted() {
    let folder = match std::env::var_os("RAMSEY_CORPUS") {
        Some(folder) => PathBuf::from(folder),
        None => Path::new(env!("CARGO_MANIFEST_DIR")).join("../shared/corpus"),
    };
    let folder = folder.join("pyv");
    if !folder.is_dir() {
        // Tests capture what they print; a skipped test should be seen.
        use std::io::Write as _;
        let _ = writeln!(std::io::stderr(), "skipped: no corpus at {}", folder.display());
        return;
    }
    let mut sizes: Vec<usize> = Vec::new();
    for path in paths(&folder) {
        let text = fs::read_to_string(&path).expect("a model");
        let Some((_, certificate, _)) = certified(&path, &text) else { continue };
        // From one answer to the next.
        let mut size = 0;
        for line in certificate.split_inclusive('\n').skip(4) {
            size += line.len();
            if line.starts_with("q ") || line == "end\n" {
                sizes.push(std::mem::take(&mut size));
            }
        }
    }
    sizes.sort_unstable();
    assert!(sizes.len() > 1000, "{} obligations", sizes.len());
    assert!(sizes[sizes.len() / 2] < 10_000, "half of the certificates are under 10 kB");
}

/// A certificate proves nothing of another model.
#[test]
fn a_certificate_does_not_fit_a_changed_model() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("examples/toy_consensus.pyv");
    let text = fs::read_to_string(&path).expect("a model");
    let (_, certificate, _) = certified(&path, &text).expect("an example loads");
    let lines: Vec<&str> = text.lines().collect();
    let mut tried = 0;
    for (at, line) in lines.iter().enumerate() {
        // Without one of its axioms, invariants or initial conditions, something is not proved any more,
        // or the obligations are others.
        if !(line.starts_with("axiom") || line.starts_with("invariant") || line.starts_with("init")) {
            continue;
        }
        let mut fewer = lines.clone();
        fewer[at] = "";
        let changed = fewer.join("\n");
        let Some(system) = load(&path, &changed) else { continue };
        tried += 1;
        let verdict = check::check(&system, &changed, certificate.as_bytes());
        assert!(verdict.is_err(), "accepted without line {}: {line}", at + 1);
    }
    assert!(tried >= 3, "{tried} changes tried");
}
