//! Answers as a certificate, in the form of `spec/certificate.md`.

use std::fmt::Write as _;

use crate::check::format::{COUNTEREXAMPLE, Claim, END, HEADER, PROOF, SOURCE, obligation, sha256};
use crate::query::{Certificate, ObligationResult, Outcome};
use crate::system::System;

/// The certificate of these answers, if there is something to certify: that everything is proved, or that
/// something is refuted.
pub fn certificate(system: &System, source: &str, results: &[ObligationResult]) -> Option<String> {
    let claim = if results.iter().any(|result| matches!(result.outcome, Outcome::Fails(_))) {
        Claim::Refuted
    } else if results.iter().all(|result| matches!(result.outcome, Outcome::Holds { .. })) {
        Claim::Proved
    } else {
        return None;
    };
    let mut text = format!("{HEADER}\n{SOURCE}{}\n{claim}\n", sha256(source));
    for result in results {
        let (kind, body) = match &result.certificate {
            Some(Certificate::Proof(proof, _)) => (PROOF, proof.to_string()),
            Some(Certificate::Structure(structure)) => (COUNTEREXAMPLE, structure.clone()),
            None => continue,
        };
        let _ = write!(text, "{}\n{kind}\n{body}{END}\n", obligation(system, result.origin));
    }
    Some(text)
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
