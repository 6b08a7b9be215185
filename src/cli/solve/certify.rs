//! Certificates of answers to problems.

use std::path::Path;

use crate::args::SolveArgs;
use crate::certify::{export, names_gzip, no_certificate};
use crate::files::{check_parents, write_whole};
use crate::rocq::write_queries;
use ramsey_core::diag::{Code, Diagnostic};
use ramsey_core::logic::Problem;
use ramsey_engine::query::certify::of_queries;
use ramsey_engine::query::problem::{Options, Outcome, QueryResult, answers};
use ramsey_kernel::check::Summary;
use ramsey_kernel::obligations::Origin;
use ramsey_report::Verdict;

/// Result of certification: a line about it, and its verdict.
pub(super) struct Certified {
    pub(super) line: String,
    pub(super) verdict: Verdict,
}

/// Checks whether a certificate is requested.
pub(super) fn is_asked(args: &SolveArgs) -> bool {
    args.certify.is_some() || args.export.is_some() || args.rocq.is_some()
}

/// Returns the reason why this input cannot be certified, if any: a checker has to read the problem again, so it must
/// be a file, and the output needs an existing folder.
pub(super) fn refusal(args: &SolveArgs, path: &Path) -> Option<Diagnostic> {
    if path.as_os_str() == "-" {
        let message = "a certificate is about a file, and the problem comes from standard input";
        let error = Diagnostic::error_nowhere(Code::Usage, message);
        return Some(error.help("write the problem to a file and name that"));
    }
    check_parents([&args.certify, &args.export, &args.rocq]).into_iter().next()
}

/// Answers all queries of a problem with certificates.
pub(super) fn certified(args: &SolveArgs, problem: &Problem) -> Vec<QueryResult> {
    let options = Options { export: args.export.is_some(), seed: args.seed, ..Options::default() };
    answers(problem, &options, &super::setup::query_limits(args))
}

/// Writes the certificates of answers. `known` has the answers of another search: whether the query was proved (or found
/// unsatisfiable), if it was decided.
pub(super) fn certify(
    args: &SolveArgs,
    (problem, source, path): (&Problem, &str, &Path),
    mut results: Vec<QueryResult>,
    known: &[Option<bool>],
) -> Result<Certified, Diagnostic> {
    let disagrees = |result: &QueryResult| match (&result.outcome, known.get(result.query).copied().flatten())
    {
        (Outcome::Proved, Some(proved)) => !proved,
        (Outcome::Refuted(_), Some(proved)) => proved,
        _ => false,
    };
    if let Some(result) = results.iter().find(|result| disagrees(result)) {
        let line = format!("internal error: two searches disagree about the query of line {}", result.line);
        return Ok(Certified { line, verdict: Verdict::InternalError });
    }
    let compressed = args.certify.as_deref().is_some_and(names_gzip);
    let accepted = match of_queries(problem, source, &mut results, compressed) {
        Ok(accepted) => accepted,
        // A defect is an outcome.
        Err(rejected) if rejected.is_defect => None,
        Err(rejected) => return Err(no_certificate(&rejected)),
    };
    let internal = results.iter().find_map(|result| match &result.outcome {
        Outcome::InternalError(what) => {
            Some(format!("internal error: the query of line {}: {what}", result.line))
        }
        _ => None,
    });
    if let Some(line) = internal {
        return Ok(Certified { line, verdict: Verdict::InternalError });
    }
    if let Some(folder) = &args.export {
        let origin = |result: &QueryResult| Origin::Query { query: result.query, line: result.line };
        let certificates = results.iter().map(|result| (origin(result), result.certificate.as_ref()));
        export(folder, problem.into(), &path.display().to_string(), certificates)?;
    }
    if let Some(folder) = args.rocq.as_ref().filter(|_| accepted.is_some()) {
        write_queries(folder, problem, &path.display().to_string(), &results)?;
    }
    let missing: Vec<&QueryResult> = results.iter().filter(|result| result.certificate.is_none()).collect();
    let verdict = if missing.is_empty() { Verdict::Ok } else { Verdict::Unknown };
    let missing = match missing.first() {
        None => String::new(),
        Some(first) => {
            let (count, line, reason) = (missing.len(), first.line, reason(first));
            let which = if count == 1 { "that of" } else { "the first one in" };
            format!(", {count} queries without one ({which} line {line}: {reason})")
        }
    };
    let line = match (&args.certify, accepted) {
        (_, None) => format!("no certificate{missing}"),
        (certify, Some(accepted)) => {
            let Summary { proofs, steps, counterexamples, .. } = accepted.summary;
            let what = match certify {
                Some(file) => {
                    write_whole(file, &accepted.bytes)?;
                    format!("certificate {}", file.display())
                }
                None => if args.export.is_some() { "exports" } else { "theorems" }.into(),
            };
            format!("{what}: {proofs} proofs in {steps} steps, {counterexamples} structures{missing}")
        }
    };
    Ok(Certified { line, verdict })
}

/// Returns why an answer has no certificate.
fn reason(result: &QueryResult) -> String {
    match &result.outcome {
        Outcome::Refuted(_) => "evaluating the structure may take too many steps".to_owned(),
        outcome => outcome.to_string(),
    }
}
