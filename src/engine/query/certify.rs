//! Certificates of the answers to a question: what is claimed, and what becomes of an answer that the checker rejects.

use super::bmc::{self, Depth, Target};
use super::outcome::{Outcome, Verification};
use super::problem::{self, QueryResult};
use super::trace::{self, TraceResult};
use crate::elaborate::{Accepted, Certificate, Rejected, assemble};
use ramsey_core::logic::Problem;
use ramsey_core::system::System;
use ramsey_kernel::check::format::Claim;
use ramsey_kernel::obligations::{Origin, Question};

/// A certificate, if there is something to certify; or why there is none. If that is a defect, the first answer becomes an internal
/// error.
pub type Assembled = Result<Option<Accepted>, Rejected>;

/// Certifies a verification: that everything is proved, or that something is refuted.
///
/// # Errors
/// There is no certificate of the answers.
pub fn of_verification(
    system: &System,
    source: &str,
    question: &Question,
    verification: &mut Verification,
    compressed: bool,
) -> Assembled {
    let results = &mut verification.results;
    let proved = if results.iter().any(|result| matches!(result.outcome, Outcome::Fails(_))) {
        false
    } else if results.iter().all(|result| matches!(result.outcome, Outcome::Holds { .. })) {
        true
    } else {
        return Ok(None);
    };
    let claim = Claim { question: question.clone(), beside: None, proved };
    let certified = |at: &usize| results[*at].certificate.is_some();
    let places: Vec<usize> = (0..results.len()).filter(certified).collect();
    let block = |&at: &usize| Some((results[at].origin, results[at].certificate.as_ref()?));
    let blocks: Vec<(Origin, &Certificate)> = places.iter().filter_map(block).collect();
    assemble(system, source, &claim, &blocks, compressed).map(Some).inspect_err(|rejected| {
        let first = places.first().copied().filter(|_| rejected.is_defect);
        if let Some(result) = first.and_then(|at| results.get_mut(at)) {
            result.outcome = Outcome::InternalError(rejected.message.clone());
            result.certificate = None;
        }
    })
}

/// Certifies bounded model checking: that no length up to `depth` has a violation, or that one has. `is_relaxed` tells whether elements
/// may disappear. A formula among the targets has to be the formula beside the system ([`System::with_claim`]).
///
/// # Errors
/// There is no certificate of the answers.
pub fn of_depths(
    system: &System,
    source: &str,
    (depth, is_relaxed): (u16, bool),
    targets: &[Target],
    depths: &mut [Depth],
    compressed: bool,
) -> Assembled {
    let proved = match depths.last().map(|depth| &depth.outcome) {
        Some(bmc::Outcome::Holds) => true,
        Some(bmc::Outcome::Violated(_)) => false,
        _ => return Ok(None),
    };
    let question = bmc::question(system, (depth, is_relaxed), targets);
    let claim = Claim { question, beside: system.beside.clone(), proved };
    let blocks: Vec<(Origin, &Certificate)> =
        depths.iter().flat_map(|depth| &depth.certificates).map(|(origin, it)| (*origin, it)).collect();
    assemble(system, source, &claim, &blocks, compressed).map(Some).inspect_err(|rejected| {
        if let Some(last) = depths.last_mut().filter(|_| rejected.is_defect) {
            last.outcome = bmc::Outcome::InternalError(rejected.message.clone());
        }
    })
}

/// Certifies the answers to trace queries: that all of them are expected, or that one is not.
///
/// # Errors
/// There is no certificate of the answers.
pub fn of_traces(system: &System, source: &str, results: &mut [TraceResult], compressed: bool) -> Assembled {
    let is_internal = |result: &TraceResult| matches!(result.outcome, trace::Outcome::InternalError(_));
    let expected: Vec<Option<bool>> = results.iter().map(|result| result.is_expected(system)).collect();
    let proved = if results.is_empty() || results.iter().any(is_internal) {
        return Ok(None);
    } else if expected.contains(&Some(false)) {
        false
    } else if expected.iter().all(Option::is_some) {
        true
    } else {
        return Ok(None);
    };
    let traces = results.iter().map(|result| result.trace).collect();
    let claim = Claim { question: Question::Traces(traces), beside: None, proved };
    let mut blocks: Vec<(Origin, &Certificate)> = Vec::new();
    for result in results.iter() {
        blocks.extend(result.certificate.iter().map(|it| (Origin::Trace { trace: result.trace }, it)));
    }
    assemble(system, source, &claim, &blocks, compressed).map(Some).inspect_err(|rejected| {
        if let Some(last) = results.last_mut().filter(|_| rejected.is_defect) {
            last.outcome = trace::Outcome::InternalError(rejected.message.clone());
            last.certificate = None;
        }
    })
}

/// Certifies the answers to queries of a problem that have a certificate; if the problem claims answers, that all are as it
/// claims, or that one is not.
///
/// # Errors
/// There is no certificate of the answers.
pub fn of_queries(
    problem: &Problem,
    source: &str,
    results: &mut [QueryResult],
    compressed: bool,
) -> Assembled {
    let certified = |at: &usize| results[*at].certificate.is_some();
    let places: Vec<usize> = (0..results.len()).filter(certified).collect();
    if places.is_empty() {
        return Ok(None);
    }
    let queries = places.iter().map(|&at| results[at].query).collect();
    let claim = if problem.has_claims() {
        let is_wrong = |result: &QueryResult| {
            let query = &problem.queries[result.query];
            match result.outcome {
                problem::Outcome::Proved => !query.allows(true),
                problem::Outcome::Refuted(_) => !query.allows(false),
                problem::Outcome::Unknown(_) | problem::Outcome::InternalError(_) => false,
            }
        };
        let proved = !places.iter().any(|&at| is_wrong(&results[at]));
        if proved && places.len() < problem.queries.len() {
            return Ok(None);
        }
        Claim { question: Question::Verify, beside: None, proved }
    } else {
        Claim { question: Question::Queries(queries), beside: None, proved: true }
    };
    let block = |&at: &usize| {
        let QueryResult { query, line, certificate, .. } = &results[at];
        Some((Origin::Query { query: *query, line: *line }, certificate.as_ref()?))
    };
    let blocks: Vec<(Origin, &Certificate)> = places.iter().filter_map(block).collect();
    assemble(problem, source, &claim, &blocks, compressed).map(Some).inspect_err(|rejected| {
        let first = places.first().copied().filter(|_| rejected.is_defect);
        if let Some(result) = first.and_then(|at| results.get_mut(at)) {
            result.outcome = problem::Outcome::InternalError(rejected.message.clone());
            result.certificate = None;
        }
    })
}
