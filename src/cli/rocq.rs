//! Output of theorems of Rocq, after the checker has accepted the proof.

use std::fmt::Display;
use std::path::Path;

use super::certify::file_name;
use super::files::{make_folder, replace};
use ramsey_core::base::span::Sources;
use ramsey_core::diag::{Code, Diagnostic};
use ramsey_core::logic::Problem;
use ramsey_core::system::System;
use ramsey_engine::elaborate::{Certificate, proof_of};
use ramsey_engine::query::ObligationResult;
use ramsey_engine::query::bmc::Depth;
use ramsey_engine::query::problem::{self, QueryResult};
use ramsey_engine::query::trace::{Outcome, TraceResult};
use ramsey_kernel::obligations::{Origin, Question, Subject};
use ramsey_report::rocq::{self, File};

/// Returns the error that there are no theorems.
fn cannot(model: &str, why: &dyn Display) -> Diagnostic {
    Diagnostic::error_nowhere(Code::Usage, format!("--rocq: no theorems of `{model}`: {why}"))
}

/// Writes the theorems that these results prove, with their proof, to a folder; for one of several models, to one in it.
pub(super) fn write_theorems(
    folder: &Path,
    (model, single): (&str, bool),
    system: &System,
    question: &Question,
    sources: &Sources,
    results: &[ObligationResult],
) -> Result<(), Diagnostic> {
    if results.is_empty() {
        return Err(cannot(model, &"it claims nothing"));
    }
    let certificates = results.iter().filter_map(|it| Some((it.origin, it.certificate.as_ref()?)));
    let proof = proof_of(system, question, certificates).map_err(|failure| cannot(model, &failure))?;
    let files = if *question == Question::Verify && system.proofs.list.is_empty() {
        rocq::of_system(system, sources, model, &proof)
    } else {
        let files = rocq::of_queries(system, question, (sources, model), &proof);
        files.map_err(|unsupported| cannot(model, &unsupported))?
    };
    write(folder, model, single, &files)
}

/// Writes that executions of the shapes of these traces do not exist, with the proof, to a folder.
pub(super) fn write_traces(
    folder: &Path,
    model: &str,
    system: &System,
    sources: &Sources,
    results: &[TraceResult],
) -> Result<(), Diagnostic> {
    let proved = results.iter().filter(|it| matches!(it.outcome, Outcome::Unsat));
    let question = Question::Traces(proved.clone().map(|it| it.trace).collect());
    let certificates =
        proved.filter_map(|it| Some((Origin::Trace { trace: it.trace }, it.certificate.as_ref()?)));
    of_queries(folder, system.into(), &question, (sources, model), certificates)
}

/// Writes what is proved of the queries of a problem, with the proof, to a folder.
pub(super) fn write_queries(
    folder: &Path,
    problem: &Problem,
    name: &str,
    results: &[QueryResult],
) -> Result<(), Diagnostic> {
    let is_proved = |it: &&QueryResult| matches!(it.outcome, problem::Outcome::Proved);
    let proved = results.iter().filter(is_proved).filter(|it| it.certificate.is_some());
    let question = Question::Queries(proved.clone().map(|it| it.query).collect());
    let origin = |it: &QueryResult| Origin::Query { query: it.query, line: it.line };
    let certificates = proved.filter_map(|it| Some((origin(it), it.certificate.as_ref()?)));
    of_queries(folder, problem.into(), &question, (&Sources::new(), name), certificates)
}

/// Writes what is proved of queries, with the proof, to a folder.
fn of_queries<'a>(
    folder: &Path,
    subject: Subject<'_>,
    question: &Question,
    (sources, name): (&Sources, &str),
    certificates: impl IntoIterator<Item = (Origin, &'a Certificate)>,
) -> Result<(), Diagnostic> {
    let proof = proof_of(subject, question, certificates).map_err(|failure| cannot(name, &failure))?;
    if proof.clauses.is_empty() {
        return Err(cannot(name, &"nothing is proved, and structures have no form in Rocq"));
    }
    let files = rocq::of_queries(subject, question, (sources, name), &proof);
    write(folder, name, true, &files.map_err(|unsupported| cannot(name, &unsupported))?)
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
