//! Certificates: answers with their proofs and structures, in the form of `spec/certificate.md`, and accepted by the kernel.

use std::fmt::Write as _;

use super::proof::{Export, Proof};
use ramsey_core::logic::{Signature, Structure, SymId, SymbolKind};
use ramsey_kernel::check::format::{Claim, Value, document, obligation, symbol_name};
use ramsey_kernel::check::{Summary, check, compress};
use ramsey_kernel::obligations::{Origin, Subject};

/// What proves an answer to whoever does not believe it.
#[derive(Clone, Debug)]
pub enum Certificate {
    /// That the obligation holds; with exports for other checkers where they were asked for.
    Proof(Proof, Option<Export>),
    /// That it does not: the structure, as `spec/certificate.md` describes it.
    Structure(String),
}

/// A certificate that the kernel has accepted.
#[derive(Clone, Debug)]
pub struct Accepted {
    /// What is written to a file; compressed where that was asked for.
    pub bytes: Vec<u8>,
    /// What the kernel says of it.
    pub summary: Summary,
}

/// Why there is no certificate: the kernel rejects an answer, which is a defect of this program.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Rejected {
    /// The place of the answer among the blocks; the first where the kernel does not name one.
    pub block: usize,
    /// The reason, as a sentence without capital letter and full stop.
    pub message: String,
}

/// Assembles the certificate of a claim with these blocks, and has the kernel check it. No other text is ever given out as a
/// certificate.
///
/// # Errors
/// The kernel rejects it.
pub fn assemble<'s>(
    subject: impl Into<Subject<'s>>,
    source: &str,
    claim: &Claim,
    blocks: &[(Origin, &Certificate)],
    compressed: bool,
) -> Result<Accepted, Rejected> {
    let subject = subject.into();
    let text = text(subject, source, claim, blocks);
    let bytes = if compressed { compress(&text) } else { text.into_bytes() };
    match check(subject, source, bytes.as_slice()) {
        Ok(summary) => Ok(Accepted { bytes, summary }),
        Err(rejection) => {
            let is_rejected = |(origin, _): &(Origin, _)| {
                rejection.obligation.as_deref() == Some(&obligation(subject, *origin))
            };
            let block = blocks.iter().position(is_rejected).unwrap_or(0);
            Err(Rejected { block, message: format!("the kernel rejects the certificate: {rejection}") })
        }
    }
}

/// Returns the text of a certificate, which nobody has checked.
pub fn text<'s>(
    subject: impl Into<Subject<'s>>,
    source: &str,
    claim: &Claim,
    blocks: &[(Origin, &Certificate)],
) -> String {
    let block = |&(origin, certificate): &(Origin, &Certificate)| match certificate {
        Certificate::Proof(proof, _) => (origin, false, proof.to_string()),
        Certificate::Structure(structure) => (origin, true, structure.clone()),
    };
    document(subject, source, claim, blocks.iter().map(block))
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

/// The body of a counterexample's certificate.
pub fn structure_text(sig: &Signature, structure: &Structure) -> String {
    let mut text = String::new();
    for sort in sig.uninterpreted_sorts() {
        let line = Value::Size { sort: &sig.sorts[sort].name, size: structure.sizes[sort] };
        let _ = writeln!(text, "{line}");
    }
    // Parameters of transitions are in no formula of a system.
    let named = |&sym: &SymId| sig.symbols[sym].kind != SymbolKind::Parameter;
    for sym in sig.symbols.ids().filter(named) {
        let symbol = &sig.symbols[sym];
        let steps = if symbol.kind.is_mutable() { structure.states() } else { 1 };
        for step in 0..steps {
            let interpretation = structure.interpretation(sig, sym, step);
            let name = symbol_name(sig, sym, step as u16);
            for (args, &value) in &interpretation.entries {
                if value == 0 {
                    continue;
                }
                let line = Value::Entry { symbol: &name, args: args.to_vec(), value };
                let _ = writeln!(text, "{line}");
            }
        }
    }
    text
}
