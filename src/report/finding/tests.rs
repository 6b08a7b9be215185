//! Tests of findings.

use super::*;
use ramsey_core::base::budget::Exhausted;
use ramsey_core::base::ids::{Id as _, IdVec};
use ramsey_core::base::span::{FileId, Source};
use ramsey_core::system::System;
use ramsey_engine::query::ObligationResult;
use ramsey_kernel::obligations::{Obligations, Origin};
use ramsey_lang::pyv;

const MODEL: &str = "\
sort node
mutable relation held(node)
init !held(N)
transition take(n: node)
  modifies held
  new(held(N)) <-> held(N) | N = n
safety [one] held(N) & held(M) -> N = M
invariant held(N) -> held(N)
";

fn load(text: &str) -> (System, Sources) {
    let mut sources: Sources = IdVec::new();
    sources.push(Source::new("lock.pyv".into(), text.into()));
    (pyv::load(FileId::new(0), text).0.expect("a model"), sources)
}

fn fingerprints(text: &str) -> Vec<String> {
    let (system, _) = load(text);
    let all = Obligations::new(&system).groups.into_iter().flat_map(|group| group.goals);
    let numbers = Numbers::new(&system);
    all.map(|goal| Claim::of_origin(&system, goal.origin).fingerprint(&system, &numbers).to_string())
        .collect()
}

#[test]
fn every_status_has_a_sentence() {
    let (system, sources) = load(MODEL);
    let obligations = Obligations::new(&system);
    let mut result = ObligationResult {
        origin: Origin::Consecution { transition: 0, invariant: 0 },
        outcome: Outcome::Skipped,
        certificate: None,
        cycle: None,
        statistics: Default::default(),
    };
    let cases = [
        (
            Outcome::Holds { core: Vec::new() },
            Severity::Note,
            "transition `take` preserves safety property `one`",
        ),
        (
            Outcome::Unknown(Exhausted::Work),
            Severity::Warning,
            "it is not known whether transition `take` preserves safety property `one`",
        ),
        (
            Outcome::Skipped,
            Severity::Note,
            "it was not checked whether transition `take` preserves safety property `one`",
        ),
        (
            Outcome::InternalError("x".into()),
            Severity::Error,
            "internal error at safety property `one`: the answer is not to be trusted",
        ),
    ];
    for (outcome, severity, message) in cases {
        result.outcome = outcome;
        let finding = of_result(&system, &obligations, &sources, &result);
        assert_eq!((finding.severity, finding.message.as_str()), (severity, message));
        assert_eq!(finding.rule.word(), "consecution");
        let answer = finding.answer.expect("an answer");
        assert_eq!(answer.status, Status::of(&result.outcome));
        assert_eq!(answer.claim.transition, Some("take"));
        assert_eq!(answer.claim.line_column(&sources), Some((7, 1)));
    }
}

#[test]
fn diagnostics_are_findings_with_their_code() {
    let diagnostic = Diagnostic::error_nowhere(Code::Usage, "no such thing").help("another one");
    let finding = Finding::from(&diagnostic);
    assert_eq!(finding.rule.word(), Code::Usage.text());
    assert_eq!((finding.message.as_str(), finding.help.as_deref()), ("no such thing", Some("another one")));
    assert!(finding.answer.is_none() && finding.refutation().is_none());
}

#[test]
fn fingerprints_do_not_depend_on_lines_and_white_space() {
    let all = fingerprints(MODEL);
    assert_eq!(all.len(), 4);
    let mut distinct = all.clone();
    distinct.sort();
    distinct.dedup();
    assert_eq!(distinct.len(), all.len(), "initiation and consecution of two claims");
    let moved =
        format!("# a comment\n\n{}", MODEL.replace("held(N) -> held(N)", "held(N)\n    ->   held(N)"));
    assert_eq!(fingerprints(&moved), all);
    // A name stands for its claim, a claim without a name for itself.
    let stronger = MODEL.replace("held(N) & held(M)", "held(N) | held(M)");
    assert_eq!(fingerprints(&stronger), all);
    let other = fingerprints(&MODEL.replace("held(N) -> held(N)", "held(M) -> held(M)"));
    assert_eq!(other.iter().filter(|it| all.contains(it)).count(), 2);
    let commented = MODEL.replace("invariant held(N) ->", "invariant # a comment\n  held(N) ->");
    assert_eq!(fingerprints(&commented), all);
    // Equal claims are numbered.
    let twice = fingerprints(&format!("{MODEL}invariant held(N) -> held(N)\n"));
    assert!(all.iter().all(|it| twice.contains(it)));
    let distinct: std::collections::BTreeSet<&String> = twice.iter().collect();
    assert_eq!((twice.len(), distinct.len()), (6, 6));
}

#[test]
fn fingerprints_are_the_same_in_all_versions() {
    let (system, _) = load(MODEL);
    let origin = Origin::Consecution { transition: 0, invariant: 0 };
    let fingerprint = Claim::of_origin(&system, origin).fingerprint(&system, &Numbers::new(&system));
    assert_eq!(fingerprint.to_string(), "f73a1c74bd7ce1c3");
}

#[test]
fn equal_claims_of_a_kind_are_numbered() {
    let more = "invariant held(M) -> held(M)\nsafety held(N) -> held(N)\ninvariant !held(N) | held(N)\n\
                invariant [two] held(N) -> held(N)\ninvariant held(N) -> held(N)\n";
    let (system, _) = load(&format!("{MODEL}{more}"));
    let numbers = Numbers::new(&system);
    let all: Vec<usize> =
        system.invariants.iter().map(|it| numbers.of_invariant(it.span, it.formula)).collect();
    // Those with names have none.
    assert_eq!(all, [0, 0, 1, 0, 0, 0, 2]);
}
