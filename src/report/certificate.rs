//! Answers as a certificate, in the form of `spec/certificate.md`.

use std::fmt::Write as _;

use crate::check::format::{COUNTEREXAMPLE, Claim, END, HEADER, PROOF, SOURCE, obligation, sha256};
use crate::check::{check, compress};
use crate::logic::Problem;
use crate::query::{Certificate, ObligationResult, Outcome, problem};
use crate::system::System;
use crate::vc::{Origin, Question, Subject};

/// The certificate of these answers, if there is something to certify: that everything is proved, or that
/// something is refuted.
pub fn certificate(
    system: &System,
    source: &str,
    question: Question,
    results: &[ObligationResult],
) -> Option<String> {
    let proved = if results.iter().any(|result| matches!(result.outcome, Outcome::Fails(_))) {
        false
    } else if results.iter().all(|result| matches!(result.outcome, Outcome::Holds { .. })) {
        true
    } else {
        return None;
    };
    let blocks = results.iter().filter_map(|result| Some((result.origin, result.certificate.as_ref()?)));
    Some(certificate_of(system, source, &Claim { question, proved }, blocks))
}

/// The bytes of the certificate of these answers to queries of `problem`, after the kernel has accepted them: it is about
/// the queries that have a certificate. `None` if there is none. If the kernel rejects an answer, that becomes an
/// internal error, and there is no certificate either.
pub fn of_queries(
    problem: &Problem,
    source: &str,
    results: &mut [problem::QueryResult],
    compressed: bool,
) -> Option<Vec<u8>> {
    let certified = results.iter().filter(|result| result.certificate.is_some());
    let queries: Vec<usize> = certified.map(|result| result.query).collect();
    if queries.is_empty() {
        return None;
    }
    let claim = Claim { question: Question::Queries(queries), proved: true };
    let origin = |result: &problem::QueryResult| Origin::Query { query: result.query, line: result.line };
    let blocks = results.iter().filter_map(|result| Some((origin(result), result.certificate.as_ref()?)));
    let text = certificate_of(problem, source, &claim, blocks);
    let bytes = if compressed { compress(&text) } else { text.into_bytes() };
    let Err(rejection) = check(problem, source, bytes.as_slice()) else { return Some(bytes) };
    let rejected = results
        .iter()
        .position(|result| rejection.obligation.as_deref() == Some(&obligation(problem, origin(result))));
    if let Some(result) = results.get_mut(rejected.unwrap_or(0)) {
        let what = format!("the kernel rejects the certificate: {rejection}");
        result.outcome = problem::Outcome::InternalError(what);
        result.certificate = None;
    }
    None
}

/// A certificate of this claim with these blocks.
pub fn certificate_of<'a, 's>(
    subject: impl Into<Subject<'s>>,
    source: &str,
    claim: &Claim,
    blocks: impl IntoIterator<Item = (Origin, &'a Certificate)>,
) -> String {
    let subject = subject.into();
    let mut text = format!("{HEADER}\n{SOURCE}{}\n{claim}\n", sha256(source));
    for (origin, certificate) in blocks {
        let (kind, body) = match certificate {
            Certificate::Proof(proof, _) => (PROOF, proof.to_string()),
            Certificate::Structure(structure) => (COUNTEREXAMPLE, structure.clone()),
        };
        let _ = write!(text, "{}\n{kind}\n{body}{END}\n", obligation(subject, origin));
    }
    text
}

/// What certificates hold, in numbers.
#[derive(Clone, Copy, Default, PartialEq, Eq, Debug)]
pub struct Sizes {
    /// Proofs.
    pub proofs: usize,
    /// Counterexamples.
    pub structures: usize,
    /// Lines of all proofs.
    pub steps: usize,
    /// Bytes of all proofs.
    pub bytes: usize,
}

impl Sizes {
    /// Those of these certificates.
    pub fn of<'a>(certificates: impl IntoIterator<Item = &'a Certificate>) -> Sizes {
        let mut sizes = Sizes::default();
        for certificate in certificates {
            match certificate {
                Certificate::Proof(proof, _) => {
                    let size = proof.size();
                    sizes.proofs += 1;
                    sizes.steps += size.steps;
                    sizes.bytes += size.bytes;
                }
                Certificate::Structure(_) => sizes.structures += 1,
            }
        }
        sizes
    }
}
