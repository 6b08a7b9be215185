//! Output of theorems of Rocq, after the checker has accepted the proof.

use std::fmt::Display;
use std::path::Path;

use super::certify::file_name;
use super::files::{make_folder, replace};
use ramsey_core::base::span::Sources;
use ramsey_core::diag::{Code, Diagnostic};
use ramsey_core::system::System;
use ramsey_engine::elaborate::proof_of;
use ramsey_engine::query::ObligationResult;
use ramsey_engine::query::bmc::Depth;
use ramsey_kernel::obligations::Question;
use ramsey_report::rocq::{self, File};

/// Returns the error that there are no theorems.
fn cannot(model: &str, why: &dyn Display) -> Diagnostic {
    Diagnostic::error_nowhere(Code::Usage, format!("--rocq: no theorems of `{model}`: {why}"))
}

/// Writes the theorems that these results prove, with their proof, to a folder; for one of several models, to one in it.
pub(super) fn write_theorems(
    folder: &Path,
    model: &str,
    single: bool,
    system: &System,
    sources: &Sources,
    results: &[ObligationResult],
) -> Result<(), Diagnostic> {
    let cannot = |why: &dyn Display| cannot(model, why);
    if system.invariants.is_empty() && system.assertions.is_empty() && system.theorems.is_empty() {
        return Err(cannot(&"it claims nothing"));
    }
    if !system.proofs.list.is_empty() {
        return Err(cannot(&"its proofs by forward and backward induction (`fbii`) have no form in Rocq"));
    }
    let certificates = results.iter().filter_map(|it| Some((it.origin, it.certificate.as_ref()?)));
    let proof = proof_of(system, &Question::Verify, certificates).map_err(|failure| cannot(&failure))?;
    write(folder, model, single, &rocq::of_system(system, sources, model, &proof))
}

/// Writes the theorem that these answers prove about executions of at most so many steps, with its proof, to a folder. The question is
/// a bounded one.
pub(super) fn write_executions(
    folder: &Path,
    model: &str,
    system: &System,
    sources: &Sources,
    question: &Question,
    depths: &[Depth],
) -> Result<(), Diagnostic> {
    let Question::Bounded { depth, relaxed, properties } = question else { return Ok(()) };
    let certificates = depths.iter().flat_map(|depth| &depth.certificates).map(|(origin, it)| (*origin, it));
    let proof = proof_of(system, question, certificates).map_err(|failure| cannot(model, &failure))?;
    let files = rocq::of_executions(system, (*depth, *relaxed), properties, (sources, model), &proof);
    write(folder, model, true, &files.map_err(|unsupported| cannot(model, &unsupported))?)
}

/// Writes files to a folder; for one of several models, to one in it.
fn write(folder: &Path, model: &str, single: bool, files: &[File]) -> Result<(), Diagnostic> {
    make_folder(folder)?;
    let folder = if single { folder.to_owned() } else { folder.join(file_name(model, "rocq")) };
    make_folder(&folder)?;
    let is_empty = std::fs::read_dir(&folder).is_ok_and(|mut entries| entries.next().is_none());
    let is_own = ["Theorem.v", "Proof.v"].iter().all(|name| folder.join(name).is_file());
    if !is_empty && !is_own {
        let error = cannot(model, &format_args!("the folder `{}` has other files", folder.display()));
        return Err(error.help("name another folder; it is made if it is not there"));
    }
    files.iter().try_for_each(|(name, text)| replace(&folder.join(name), text.as_bytes()))
}
