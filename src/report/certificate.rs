//! Answers as a certificate, in the form of `spec/certificate.md`.

use std::fmt::Write as _;

use crate::check::format::{COUNTEREXAMPLE, Claim, END, HEADER, PROOF, SOURCE, obligation, sha256};
use crate::query::{Certificate, ObligationResult, Outcome};
use crate::system::System;
use crate::vc::{Origin, Question};

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

/// A certificate of this claim with these blocks.
pub fn certificate_of<'a>(
    system: &System,
    source: &str,
    claim: &Claim,
    blocks: impl IntoIterator<Item = (Origin, &'a Certificate)>,
) -> String {
    let mut text = format!("{HEADER}\n{SOURCE}{}\n{claim}\n", sha256(source));
    for (origin, certificate) in blocks {
        let (kind, body) = match certificate {
            Certificate::Proof(proof, _) => (PROOF, proof.to_string()),
            Certificate::Structure(structure) => (COUNTEREXAMPLE, structure.clone()),
        };
        let _ = write!(text, "{}\n{kind}\n{body}{END}\n", obligation(system, origin));
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
    /// Those of these answers.
    pub fn of(results: &[ObligationResult]) -> Sizes {
        let mut sizes = Sizes::default();
        for result in results {
            match &result.certificate {
                Some(Certificate::Proof(proof, _)) => {
                    let size = proof.size();
                    sizes.proofs += 1;
                    sizes.steps += size.steps;
                    sizes.bytes += size.bytes;
                }
                Some(Certificate::Structure(_)) => sizes.structures += 1,
                None => {}
            }
        }
        sizes
    }
}
