//! Writing certificates and exports, after the kernel has accepted them.

use std::path::{Path, PathBuf};

use super::args::VerifyArgs;
use super::files::{replace, write_whole};
use crate::check;
use crate::diag::Diagnostic;
use crate::query::{Certificate, ObligationResult, Outcome, Verification};
use crate::report::certificate::{Sizes, certificate};
use crate::report::json::dto;
use crate::system::System;
use crate::vc::{Origin, Question, Subject};

/// A certificate that has been written.
#[derive(Debug)]
pub(super) struct Written {
    path: PathBuf,
    sizes: Sizes,
    compressed: bool,
    bytes: usize,
}

impl Written {
    /// Writes `contents`, the certificate of `results`, to `path`.
    pub(super) fn write(
        path: PathBuf,
        contents: &[u8],
        compressed: bool,
        results: &[ObligationResult],
    ) -> Result<Written, Diagnostic> {
        write_whole(&path, contents)?;
        Ok(Written {
            path,
            sizes: Sizes::of(results.iter().filter_map(|result| result.certificate.as_ref())),
            compressed,
            bytes: contents.len(),
        })
    }

    /// What it holds, as a line.
    pub(super) fn text(&self) -> String {
        let Sizes { proofs, structures, steps, bytes } = self.sizes;
        let structures = match structures {
            0 => String::new(),
            count => format!(", {count} counterexamples"),
        };
        let compressed =
            if self.compressed { format!(", compressed to {} bytes", self.bytes) } else { String::new() };
        let path = self.path.display();
        format!(
            "  certificate {path}: {proofs} proofs in {steps} steps and {bytes} bytes{structures}{compressed}\n"
        )
    }

    /// What it holds, for machines.
    pub(super) fn json(&self) -> dto::Certificate {
        dto::Certificate {
            path: self.path.display().to_string(),
            proofs: self.sizes.proofs,
            counterexamples: self.sizes.structures,
            steps: self.sizes.steps,
            proof_bytes: self.sizes.bytes,
            file_bytes: self.bytes,
            compressed: self.compressed,
        }
    }
}

/// Whether certificates are to be compressed.
pub(super) fn is_compressed(args: &VerifyArgs, single: bool) -> bool {
    args.compress || single && args.certify.as_deref().is_some_and(names_gzip)
}

/// Whether a file of this name is to be compressed.
pub(super) fn names_gzip(path: &Path) -> bool {
    !path.is_dir() && path.extension().is_some_and(|extension| extension == "gz")
}

/// The bytes of the certificate of these answers, after the kernel has accepted them, if there is something to
/// certify. If the kernel rejects them, the answer that it rejects becomes an internal error.
pub(super) fn certify(
    system: &System,
    source: &str,
    question: &Question,
    verification: &mut Verification,
    compressed: bool,
) -> Option<Vec<u8>> {
    let text = certificate(system, source, question.clone(), &verification.results)?;
    let bytes = if compressed { check::compress(&text) } else { text.into_bytes() };
    let Err(rejection) = check::check(system, source, bytes.as_slice()) else { return Some(bytes) };
    let rejected = verification.results.iter().position(|result| {
        rejection.obligation.as_deref() == Some(&check::format::obligation(system, result.origin))
    });
    let error = Outcome::InternalError(format!("the kernel rejects the certificate: {rejection}"));
    if let Some(result) = verification.results.get_mut(rejected.unwrap_or(0)) {
        result.outcome = error;
        result.certificate = None;
    }
    None
}

/// Writes a certificate once the kernel has accepted it, and returns a line about it; or why the kernel rejects it, and
/// then nothing is written.
pub(super) fn write_checked(
    system: &System,
    source: &str,
    text: &str,
    path: &Path,
) -> Result<Result<String, String>, Diagnostic> {
    let compressed = names_gzip(path).then(|| check::compress(text));
    let bytes = compressed.as_deref().unwrap_or(text.as_bytes());
    let summary = match check::check(system, source, bytes) {
        Ok(summary) => summary,
        Err(rejection) => return Ok(Err(format!("the kernel rejects the certificate: {rejection}"))),
    };
    write_whole(path, bytes)?;
    Ok(Ok(format!("  certificate {}: {summary}\n", path.display())))
}

/// Where the certificate of a model goes: `out` itself for a single model, unless that is a directory.
pub(super) fn certificate_path(out: &Path, model: &str, single: bool, compressed: bool) -> PathBuf {
    if single && !out.is_dir() {
        return out.to_owned();
    }
    out.join(file_name(model, if compressed { "cert.gz" } else { "cert" }))
}

/// A file name made from a model's path: `_` stands for separators and odd characters, and twice for itself, so that
/// different paths get different names.
fn file_name(model: &str, extension: &str) -> String {
    let stem = model.strip_suffix(".pyv").unwrap_or(model);
    let mut name = String::new();
    for c in stem.trim_start_matches("./").chars() {
        match c {
            '_' => name.push_str("__"),
            '/' => name.push('_'),
            c if c.is_alphanumeric() || "-.".contains(c) => name.push(c),
            c => name.push_str(&format!("_{:x}_", u32::from(c))),
        }
    }
    format!("{name}.{extension}")
}

/// Writes the proofs of a file's obligations for other checkers, three files an obligation.
pub(super) fn export<'a>(
    folder: &Path,
    subject: Subject<'_>,
    model: &str,
    certificates: impl IntoIterator<Item = (Origin, Option<&'a Certificate>)>,
) -> Result<(), Diagnostic> {
    let folder = folder.join(file_name(model, "export"));
    for (origin, certificate) in certificates {
        let Some(Certificate::Proof(_, Some(export))) = certificate else { continue };
        let name = check::format::obligation(subject, origin);
        let name = name.trim_start_matches("obligation ").replace(' ', "-");
        replace(&folder.join(format!("{name}.smt2")), export.smtlib.as_bytes())?;
        replace(&folder.join(format!("{name}.cnf")), export.dimacs.as_bytes())?;
        replace(&folder.join(format!("{name}.lrat")), export.lrat.as_bytes())?;
    }
    Ok(())
}
