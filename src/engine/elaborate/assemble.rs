//! Certificates: answers with their proofs and structures, in the form of `spec/certificate.md`, and accepted by the checker.

use super::write::{Answer, certificate};
use super::{Failure, elaborate};
use crate::prove::{Export, Proof};
use ramsey_core::logic::Structure;
use ramsey_kernel::check::format::{CORE, Claim, END, HEADER, SOURCE, sha256};
use ramsey_kernel::check::{Closed, Summary, check, compress};
use ramsey_kernel::core::document;
use ramsey_kernel::obligations::{Origin, Subject};

/// What proves an answer to whoever does not believe it.
#[derive(Clone, Debug)]
pub enum Certificate {
    /// That the obligation holds; with exports for other checkers where they were asked for.
    Proof(Proof, Option<Export>),
    /// That it does not: a structure that satisfies its hypotheses, and not its goal.
    Structure(Structure),
}

/// A certificate that the checker has accepted.
#[derive(Clone, Debug)]
pub struct Accepted {
    /// What is written to a file; compressed where that was asked for.
    pub bytes: Vec<u8>,
    /// The number of bytes before compression.
    pub size: usize,
    /// What the checker says of it.
    pub summary: Summary,
}

/// Why there is no certificate.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Rejected {
    /// Whether an answer has no certificate that the checker accepts, which is a defect of this program. Otherwise there is no closed
    /// form of the question.
    pub is_defect: bool,
    /// The reason, as a sentence without capital letter and full stop.
    pub message: String,
}

/// Assembles the certificate of a claim with these blocks, and has it checked. No other text is ever given out as a
/// certificate.
///
/// # Errors
/// The question has no closed form, or the checker rejects the certificate.
pub fn assemble<'s>(
    subject: impl Into<Subject<'s>>,
    source: &str,
    claim: &Claim,
    blocks: &[(Origin, &Certificate)],
    compressed: bool,
) -> Result<Accepted, Rejected> {
    let subject = subject.into();
    let text = text(subject, source, claim, blocks).map_err(|failure| Rejected {
        is_defect: !matches!(failure, Failure::Model(_)),
        message: format!("there is no certificate: {failure}"),
    })?;
    let size = text.len();
    let bytes = if compressed { compress(&text) } else { text.into_bytes() };
    match check(subject, source, bytes.as_slice()) {
        Ok(summary) => Ok(Accepted { bytes, size, summary }),
        Err(rejection) => Err(Rejected {
            is_defect: true,
            message: format!("the checker rejects the certificate: {rejection}"),
        }),
    }
}

/// Returns the text of a certificate, which nobody has checked.
///
/// # Errors
/// The question has no closed form, or a proof is none.
pub fn text<'s>(
    subject: impl Into<Subject<'s>>,
    source: &str,
    claim: &Claim,
    blocks: &[(Origin, &Certificate)],
) -> Result<String, Failure> {
    let closed = Closed::new(subject, &claim.question)?;
    let core = document(&closed.lowering.core);
    // The last line of a closed form is its digest.
    let digest = core.trim_end().rsplit(' ').next().unwrap_or_default().to_owned();
    let answers: Vec<(Origin, Answer<'_>)> = blocks
        .iter()
        .map(|(origin, certificate)| match certificate {
            Certificate::Proof(proof, _) => (*origin, Answer::Proof(proof.steps())),
            Certificate::Structure(structure) => (*origin, Answer::Structure(structure)),
        })
        .collect();
    let body = certificate(closed, &answers)?;
    Ok(format!("{HEADER}\n{SOURCE}{}\n{CORE}{digest}\n{claim}\n{body}{END}\n", sha256(source)))
}

/// Returns a proof of the obligations of a closed form, from the proofs of each of them that has one. Nobody has checked it.
///
/// # Errors
/// A proof is none.
pub fn proof_of<'a>(
    closed: Closed,
    certificates: impl IntoIterator<Item = (Origin, &'a Certificate)>,
) -> Result<ramsey_kernel::core::Proof, Failure> {
    let proofs = certificates.into_iter().filter_map(|(origin, certificate)| match certificate {
        Certificate::Proof(proof, _) => Some((origin, proof.steps())),
        Certificate::Structure(_) => None,
    });
    Ok(elaborate(closed, &proofs.collect::<Vec<_>>())?.proof)
}
