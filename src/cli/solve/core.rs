//! Problems in closed form, query by query.

use std::io::{self, Write as _};

use super::certify::{Certified, certified, certify, is_asked, refusal};
use super::input::{Input, read_within};
use super::setup::limits;
use super::sink::Sink;
use crate::args::SolveArgs;
use crate::signals;
use crate::sources::{display, source_text};
use ramsey_core::base::budget::Budget;
use ramsey_core::base::span::{Source, Sources};
use ramsey_core::diag::{Code, Diagnostic, Severity};
use ramsey_core::logic::{Problem, Query, Wanted};
use ramsey_engine::query::problem::{Outcome, QueryResult};
use ramsey_lang::{Format, Includes, Loaded};
use ramsey_report::Verdict;
use ramsey_report::json::solve::{Answer, Decision};
use ramsey_report::queries::structure_text;

/// Answers the queries, each with a structure where its hypotheses do not imply its goal.
pub(super) fn run(args: &SolveArgs, input: Input<'_>, mut sink: Sink<'_>) -> io::Result<u8> {
    let mut sources = Sources::new();
    let path = input.path();
    let reading = Budget::new(None, Some(limits(args).probe()));
    let (problem, source, mut found) = match read_within(path, input, &reading) {
        Ok(Ok(bytes)) => match source_text(path, bytes) {
            Ok(text) => read(display(path), text, &mut sources),
            Err(error) => (None, String::new(), vec![error]),
        },
        Ok(Err(exhausted)) => {
            let what = format!("`{}` was not read to its end: {exhausted}", display(path));
            (None, String::new(), vec![Diagnostic::error_nowhere(Code::Limit, what)])
        }
        Err(error) => (None, String::new(), vec![error]),
    };
    if is_asked(args) {
        found.extend(refusal(args, path));
    }
    let has_errors = found.iter().any(|it| it.severity == Severity::Error);
    sink.complain(&found, &sources);
    let (Some(problem), false) = (problem, has_errors) else { return sink.end(Verdict::BadInput) };
    sink.progress.say(|| "searching".to_owned());
    let results = certified(args, &problem);
    let mut verdict = Verdict::Ok;
    for result in &results {
        let query = &problem.queries[result.query];
        verdict = verdict.max(verdict_of(query, &result.outcome));
        say(args, &mut sink, &problem, query, result)?;
    }
    let rows: Vec<_> = results.iter().flat_map(|result| result.statistics.printed()).collect();
    sink.stats("#", &rows)?;
    if is_asked(args) && !signals::is_interrupted() {
        match certify(args, (&problem, &source, path), results, &[]) {
            Ok(Certified { line, verdict: of_certificate }) => {
                sink.certified("#", line)?;
                verdict = verdict.max(of_certificate);
            }
            Err(error) => {
                sink.complain(&[error], &sources);
                verdict = Verdict::BadInput;
            }
        }
    }
    sink.end(verdict)
}

/// Reads a closed form with queries. Returns it with its text.
fn read(name: String, text: String, sources: &mut Sources) -> (Option<Problem>, String, Vec<Diagnostic>) {
    let file = sources.push(Source::new(name, text));
    let (loaded, mut found) = Format::Core.load(file, sources, &Includes::new());
    let problem = match loaded {
        Some(Loaded::Problem(problem)) => Some(problem),
        Some(Loaded::System(_)) => {
            let name = &sources[file].name;
            let what = format!("`{name}` is no problem but the closed form of a model");
            let help = format!("`ramsey verify {name}` checks its invariants");
            found.push(Diagnostic::error_nowhere(Code::Unreadable, what).help(help));
            None
        }
        None => None,
    };
    (problem, sources[file].text.clone(), found)
}

fn verdict_of(query: &Query, outcome: &Outcome) -> Verdict {
    let is_right = match outcome {
        Outcome::Proved => query.allows(true),
        Outcome::Refuted(_) => query.allows(false),
        Outcome::Unknown(_) => return Verdict::Unknown,
        Outcome::InternalError(_) => return Verdict::InternalError,
    };
    if is_right { Verdict::Ok } else { Verdict::Counterexample }
}

/// Writes the answer to a query.
fn say(
    args: &SolveArgs,
    sink: &mut Sink<'_>,
    problem: &Problem,
    query: &Query,
    result: &QueryResult,
) -> io::Result<()> {
    let name = query.name.as_deref().unwrap_or_default();
    let (decision, word) = match &result.outcome {
        Outcome::Proved => (Decision::Holds, "holds".to_owned()),
        Outcome::Refuted(_) => (Decision::Fails, "fails".to_owned()),
        other => (Decision::Unknown, other.to_string()),
    };
    let claimed = match (query.wanted, decision) {
        (Wanted::Holds, Decision::Fails) => ", and is claimed to hold",
        (Wanted::Fails, Decision::Holds) => ", and is claimed to fail",
        _ => "",
    };
    let structure = match &result.outcome {
        Outcome::Refuted(found) if !args.quiet => Some(structure_text(problem, found)),
        _ => None,
    };
    sink.say(
        |out| {
            writeln!(out, "{name}: {word}{claimed}")?;
            structure.iter().try_for_each(|text| write!(out, "{text}"))
        },
        || {
            Some(Answer {
                name: Some(name.to_owned()),
                line: Some(query.line),
                reason: (decision == Decision::Unknown).then(|| word.clone()),
                text: structure.clone(),
                ..Answer::check(decision)
            })
        },
    )
}
