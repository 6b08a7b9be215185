//! Output of theorems of Rocq, after the checker has accepted the proof.

use std::fmt::Display;
use std::path::Path;

use super::certify::file_name;
use super::files::{make_folder, replace};
use ramsey_circuit::hwmc;
use ramsey_core::base::span::Sources;
use ramsey_core::diag::{Code, Diagnostic};
use ramsey_core::logic::{Problem, Structure};
use ramsey_core::system::{MAX_STEPS, System};
use ramsey_engine::elaborate::{Certificate, Failure, proof_of};
use ramsey_engine::query::bmc::{self, Depth, Target};
use ramsey_engine::query::instance::{self, Check, Induction, Instances, NoInduction};
use ramsey_engine::query::problem::QueryResult;
use ramsey_engine::query::trace::TraceResult;
use ramsey_engine::query::{Limits, ObligationResult, Outcome};
use ramsey_kernel::check::Closed;
use ramsey_kernel::core::{Proof, Unsupported};
use ramsey_kernel::obligations::{Origin, Question, Subject};
use ramsey_report::rocq::{self, File};

/// Returns the error that there are no theorems.
fn cannot(model: &str, why: &dyn Display) -> Diagnostic {
    Diagnostic::error_nowhere(Code::Usage, format!("--rocq: no theorems of `{model}`: {why}"))
}

/// Writes the theorems that these results prove, with their proof, to a folder; for one of several models, to one in it. Where not all obligations hold, they
/// are about the obligations one by one.
pub(super) fn write_theorems(
    folder: &Path,
    (model, single): (&str, bool),
    system: &System,
    question: &Question,
    sources: &Sources,
    results: &[ObligationResult],
) -> Result<(), Diagnostic> {
    if results.is_empty() {
        // Of several models some may have no theorems.
        let is_right = *question == Question::Theorems && !single;
        return if is_right { Ok(()) } else { Err(cannot(model, &"it claims nothing")) };
    }
    let certificates = results.iter().filter_map(|it| Some((it.origin, it.certificate.as_ref()?)));
    let is_proved = results.iter().all(|it| matches!(it.outcome, Outcome::Holds { .. }));
    if *question != Question::Verify || !system.proofs.list.is_empty() || !is_proved {
        let files = of_queries(system.into(), question, (sources, model), certificates)?;
        return write(folder, model, single, &files);
    }
    let proof = complete(model, Closed::new(system, question), certificates)?;
    write(folder, model, single, &rocq::of_system(system, sources, model, &proof))
}

/// Writes the theorem that these answers prove about executions of at most so many steps, or that there is a violation, with the proof, to a folder.
/// The question is a bounded one.
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
    let is_structure = |it: &(Origin, &Certificate)| matches!(it.1, Certificate::Structure(_));
    if let Some(violation) = certificates.clone().find(is_structure) {
        // Longer executions are of no interest then.
        let depth = depths.last().and_then(|depth| depth.steps).unwrap_or(0);
        let question = Question::Bounded { depth, relaxed: *relaxed, properties: properties.clone() };
        let files = of_queries(system.into(), &question, (sources, model), [violation])?;
        return write(folder, model, true, &files);
    }
    let proof = complete(model, Closed::new(system, question), certificates)?;
    let files = rocq::of_executions(system, (*depth, *relaxed), properties, (sources, model), &proof);
    write(folder, model, true, &files.map_err(|unsupported| cannot(model, &unsupported))?)
}

/// Writes the theorem that an answer about an instance proves, with the proof, to a folder: that no reachable state violates a target where sorts have these
/// sizes, or an execution that does. The system has all targets.
pub(super) fn write_instance(
    (folder, model, sources): (&Path, &str, &Sources),
    system: &System,
    instances: &Instances,
    (check, targets): (&Check, &[Target]),
    limits: &Limits,
) -> Result<(), Diagnostic> {
    if let instance::Outcome::Violated(violation, is_before) = &check.outcome {
        let steps = u16::try_from(violation.counterexample.calls.len()).ok();
        let Some(steps) = steps.filter(|&steps| steps <= MAX_STEPS) else {
            return Err(cannot(model, &"the execution has too many steps"));
        };
        let question = bmc::question(system, (steps, false), targets);
        let steps = (!is_before).then_some(steps);
        let Some(origin) = bmc::violated(system, steps, violation.target) else {
            return Err(cannot(model, &Failure::Certificate));
        };
        let structure = Certificate::Structure(violation.counterexample.structure.clone());
        let files = of_queries(system.into(), &question, (sources, model), [(origin, &structure)])?;
        return write(folder, model, true, &files);
    }
    let (instance::Outcome::Safe, Some(hwmc::Outcome::Safe(proof))) = (&check.outcome, &check.circuit) else {
        return Ok(());
    };
    let Question::Bounded { properties, .. } = bmc::question(system, (0, false), targets) else {
        return Ok(());
    };
    match instances.induction(system, &properties, proof, limits) {
        Ok(Induction { system, results }) => {
            write_theorems(folder, (model, true), &system, &Question::Verify, sources, &results)
        }
        Err(NoInduction::Exhausted(exhausted)) => Err(cannot(model, &exhausted)),
        Err(NoInduction::TooLarge(sort)) => {
            let sort = &system.sig.sorts[sort].name;
            Err(cannot(model, &format_args!("the sort `{sort}` has too many elements to name them")))
        }
        Err(NoInduction::Internal(what)) => Err(cannot(model, &format_args!("internal error: {what}"))),
    }
}

/// Writes that there are executions of the shapes of these traces, or none, with the proof, to a folder.
pub(super) fn write_traces(
    folder: &Path,
    model: &str,
    system: &System,
    sources: &Sources,
    results: &[TraceResult],
) -> Result<(), Diagnostic> {
    let question = Question::Traces(results.iter().map(|it| it.trace).collect());
    let certificates =
        results.iter().filter_map(|it| Some((Origin::Trace { trace: it.trace }, it.certificate.as_ref()?)));
    write(folder, model, true, &of_queries(system.into(), &question, (sources, model), certificates)?)
}

/// Writes the answers to the queries of a problem, with the proof, to a folder.
pub(super) fn write_queries(
    folder: &Path,
    problem: &Problem,
    name: &str,
    results: &[QueryResult],
) -> Result<(), Diagnostic> {
    let answered = results.iter().filter(|it| it.certificate.is_some());
    let question = Question::Queries(answered.clone().map(|it| it.query).collect());
    let origin = |it: &QueryResult| Origin::Query { query: it.query, line: it.line };
    let certificates = answered.filter_map(|it| Some((origin(it), it.certificate.as_ref()?)));
    let files = of_queries(problem.into(), &question, (&Sources::new(), name), certificates)?;
    write(folder, name, true, &files)
}

/// Returns the files about queries with these certificates.
fn of_queries<'a>(
    subject: Subject<'_>,
    question: &Question,
    (sources, name): (&Sources, &str),
    certificates: impl IntoIterator<Item = (Origin, &'a Certificate)>,
) -> Result<Vec<File>, Diagnostic> {
    let certificates: Vec<(Origin, &Certificate)> = certificates.into_iter().collect();
    let structure = |&(origin, it): &(Origin, &'a Certificate)| match it {
        Certificate::Structure(structure) => Some((origin, structure)),
        Certificate::Proof(..) => None,
    };
    let structures: Vec<(Origin, &Structure)> = certificates.iter().filter_map(structure).collect();
    let closed = Closed::one_by_one(subject, question).map_err(|unsupported| cannot(name, &unsupported))?;
    let proof = proof_of(closed.clone(), certificates).map_err(|failure| cannot(name, &failure))?;
    let files = rocq::of_queries(subject, (question, &closed), (sources, name), (&proof, &structures));
    files.map_err(|unsupported| cannot(name, &unsupported))
}

/// Returns the proof of all obligations of a closed form. Returns an error if one is missing.
fn complete<'a>(
    model: &str,
    closed: Result<Closed, Unsupported>,
    certificates: impl IntoIterator<Item = (Origin, &'a Certificate)>,
) -> Result<Proof, Diagnostic> {
    let closed = closed.map_err(|unsupported| cannot(model, &unsupported))?;
    let proof = proof_of(closed, certificates).map_err(|failure| cannot(model, &failure))?;
    if proof.clauses.contains(&None) { Err(cannot(model, &Failure::Certificate)) } else { Ok(proof) }
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
