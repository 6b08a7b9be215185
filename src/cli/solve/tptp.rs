//! Problems of the TPTP library, answered by SZS status lines.

use std::io::{self, BufWriter, Write as _};

use super::certify::{Certified, certified, certify, is_asked, refusal};
use super::input::{Input, read_within};
use super::setup::limits;
use super::sink::Sink;
use crate::args::SolveArgs;
use crate::output::Output;
use crate::signals;
use crate::sources::load_tptp;
use ramsey_core::base::budget::{Budget, Exhausted};
use ramsey_core::base::span::Sources;
use ramsey_core::diag::Severity;
use ramsey_core::logic::{Problem, Structure};
use ramsey_engine::query::problem::{Outcome, QueryResult};
use ramsey_report::Verdict;
use ramsey_report::json::solve::{Answer, Decision};
use ramsey_report::tptp::model;
use ramsey_solver::solver::{Answer as Decided, Solver};

/// Decides the problem and writes its status.
pub(super) fn run(args: &SolveArgs, input: Input<'_>, mut sink: Sink<'_>) -> io::Result<u8> {
    let mut sources = Sources::new();
    let path = input.path();
    let name = path.file_name().map_or("stdin".into(), |name| name.to_string_lossy());
    // Time is counted from before the problem is read.
    let probe = Some(limits(args).probe());
    let mut reading = Budget::new(None, probe.clone());
    sink.progress.say(|| "reading".to_owned());
    let read = match read_within(path, input, &reading) {
        Ok(Ok(text)) => load_tptp(path, text, &mut sources, &mut reading),
        Ok(Err(exhausted)) => Err(exhausted),
        Err(error) => Ok((None, String::new(), vec![error])),
    };
    let (loaded, source, mut diagnostics) = match read {
        Ok(read) => read,
        Err(exhausted) => {
            let status = Status::exhausted(exhausted);
            status.say(&mut sink, &name, None)?;
            return sink.end(status.verdict);
        }
    };
    if is_asked(args) {
        diagnostics.extend(refusal(args, path));
    }
    let has_errors = diagnostics.iter().any(|it| it.severity == Severity::Error);
    sink.complain(&diagnostics, &sources);
    let (Some(loaded), false) = (loaded, has_errors) else {
        let status = Status::unknown("InputError", "the input is wrong".to_owned(), Verdict::BadInput);
        status.say(&mut sink, &name, None)?;
        return sink.end(status.verdict);
    };
    let problem = &loaded.problem;
    sink.progress.say(|| "searching".to_owned());
    let Found { decided, structure, rows, results } = match is_asked(args) {
        true => Found::certified(certified(args, problem)),
        false => Found::new(solver_of(problem, args.seed), &mut Budget::new(args.limits.work, probe)),
    };
    let status = Status::of(&decided, loaded.has_conjecture());
    let found = structure.filter(|_| !args.quiet).map(|found| model(problem, &found));
    status.say(&mut sink, &name, found)?;
    sink.stats("%", &rows)?;
    let mut verdict = status.verdict;
    if is_asked(args) && !signals::is_interrupted() {
        match certify(args, (problem, &source, path), results, &[]) {
            Ok(Certified { line, verdict: of_certificate }) => {
                sink.certified("%", line)?;
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

/// What a search has found.
struct Found {
    decided: Decided,
    structure: Option<Structure>,
    rows: Vec<(&'static str, u64)>,
    /// The answer with its certificate, if one is asked for.
    results: Vec<QueryResult>,
}

impl Found {
    fn new(mut solver: Solver, budget: &mut Budget) -> Found {
        let decided = solver.check(budget);
        // There is always exactly one check.
        let rows = solver.stats().printed().filter(|&(label, _)| label != "checks").collect();
        let structure = solver.model().ok().map(|found| found.structure().clone());
        Found { decided, structure, rows, results: Vec::new() }
    }

    fn certified(results: Vec<QueryResult>) -> Found {
        // A problem has one query.
        let (decided, structure) = match results.first().map(|result| &result.outcome) {
            Some(Outcome::Proved) => (Decided::Unsat, None),
            Some(Outcome::Refuted(structure)) => (Decided::Sat, Some((**structure).clone())),
            Some(Outcome::Unknown(exhausted)) => (Decided::Unknown(*exhausted), None),
            Some(Outcome::InternalError(_)) | None => (Decided::Defect, None),
        };
        let rows = results.iter().flat_map(|result| result.statistics.printed()).collect();
        Found { decided, structure, rows, results }
    }
}

/// Returns a solver to which the hypotheses and the negated goals of a problem are asserted.
fn solver_of(problem: &Problem, seed: u64) -> Solver {
    let mut solver = Solver::over(problem.sig.clone(), problem.terms.clone(), seed);
    for query in &problem.queries {
        for &hypothesis in &query.hypotheses {
            solver.assert_closed(hypothesis, false);
        }
        let (_, terms) = solver.language_mut();
        let negated = terms.not(query.goal);
        solver.assert_closed(negated, false);
    }
    solver
}

/// The answer to a problem.
struct Status {
    /// The word of the SZS ontology.
    word: &'static str,
    answer: Answer,
    verdict: Verdict,
}

impl Status {
    fn of(decided: &Decided, has_conjecture: bool) -> Status {
        let (word, answer, verdict) = match (decided, has_conjecture) {
            (Decided::Unsat, true) => ("Theorem", Decision::Unsatisfiable, Verdict::Ok),
            (Decided::Unsat, false) => ("Unsatisfiable", Decision::Unsatisfiable, Verdict::Ok),
            (Decided::Sat, true) => ("CounterSatisfiable", Decision::Satisfiable, Verdict::Counterexample),
            (Decided::Sat, false) => ("Satisfiable", Decision::Satisfiable, Verdict::Ok),
            (Decided::Unknown(exhausted), _) => return Status::exhausted(*exhausted),
            (Decided::Defect, _) => {
                let reason = "internal error: the structure that was found is no model".to_owned();
                return Status::unknown("Error", reason, Verdict::InternalError);
            }
        };
        Status { word, answer: Answer::check(answer), verdict }
    }

    fn unknown(word: &'static str, reason: String, verdict: Verdict) -> Status {
        Status { word, answer: Answer { reason: Some(reason), ..Answer::check(Decision::Unknown) }, verdict }
    }

    fn exhausted(exhausted: Exhausted) -> Status {
        let word = match exhausted {
            Exhausted::QueryTime | Exhausted::RunTime => "Timeout",
            Exhausted::Memory => "MemoryOut",
            Exhausted::Work | Exhausted::DefaultWork => "ResourceOut",
            Exhausted::Cancelled => "User",
            Exhausted::FormulaSize
            | Exhausted::Arithmetic
            | Exhausted::Numbers
            | Exhausted::Temporal
            | Exhausted::Tactic
            | Exhausted::Admitted => "GaveUp",
        };
        Status::unknown(word, exhausted.to_string(), Verdict::Unknown)
    }

    /// Writes the status of the problem `name`, with a model if there is one.
    fn say(&self, sink: &mut Sink<'_>, name: &str, model: Option<Result<String, u64>>) -> io::Result<()> {
        let word = self.word;
        let lines = |out: &mut BufWriter<Output>| {
            writeln!(out, "% SZS status {word} for {name}")?;
            if let Some(limit) = self.answer.reason.as_ref().filter(|_| word == "GaveUp") {
                writeln!(out, "% {limit}: the search has this limit, and no option lifts it")?;
            }
            if let Some(Err(count)) = &model {
                writeln!(
                    out,
                    "% symbols have {count} values in the structure, which are too many to be printed"
                )?;
            }
            if let Some(Ok(model)) = &model {
                writeln!(out, "% SZS output start FiniteModel for {name}")?;
                write!(out, "{model}")?;
                writeln!(out, "% SZS output end FiniteModel for {name}")?;
            }
            Ok(())
        };
        sink.say(lines, || {
            let text = model.as_ref().and_then(|model| model.as_ref().ok()).cloned();
            Some(Answer { szs: Some(word.into()), text, ..self.answer.clone() })
        })
    }
}
