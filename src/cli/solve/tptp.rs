//! Problems of the TPTP library, answered by SZS status lines.

use std::io::{self, BufWriter, Write as _};

use super::certify::{Certified, certify, is_asked, refusal};
use super::input::{Input, read_within};
use super::setup::limits;
use super::sink::Sink;
use crate::base::budget::{Budget, Exhausted};
use crate::base::span::Sources;
use crate::cli::args::SolveArgs;
use crate::cli::output::Output;
use crate::cli::signals;
use crate::cli::sources::load_tptp;
use crate::diag::Severity;
use crate::report::Verdict;
use crate::report::json::solve::Answer;
use crate::report::tptp::model;
use crate::solver::{Answer as Decided, Solver};

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
    let say = |sink: &mut Sink<'_>, word: &'static str, answer: Answer, model: Option<String>| {
        let limit = answer.reason.clone().filter(|_| word == "GaveUp");
        let lines = |out: &mut BufWriter<Output>| {
            writeln!(out, "% SZS status {word} for {name}")?;
            if let Some(limit) = &limit {
                writeln!(out, "% {limit}: the search has this limit, and no option lifts it")?;
            }
            if let Some(model) = &model {
                writeln!(out, "% SZS output start FiniteModel for {name}")?;
                write!(out, "{model}")?;
                writeln!(out, "% SZS output end FiniteModel for {name}")?;
            }
            Ok(())
        };
        sink.say(lines, || Some(Answer { szs: Some(word.into()), text: model.clone(), ..answer }))
    };
    let unknown = |reason: String| Answer { reason: Some(reason), ..Answer::check("unknown") };
    let (loaded, source, mut diagnostics) = match read {
        Ok(read) => read,
        Err(exhausted) => {
            say(&mut sink, gave_up(exhausted), unknown(exhausted.to_string()), None)?;
            return sink.end(Verdict::Unknown);
        }
    };
    if is_asked(args) {
        diagnostics.extend(refusal(args, path));
    }
    let has_errors = diagnostics.iter().any(|it| it.severity == Severity::Error);
    sink.complain(&diagnostics, &sources);
    let (Some(loaded), false) = (loaded, has_errors) else {
        say(&mut sink, "InputError", unknown("the input is wrong".to_owned()), None)?;
        return sink.end(Verdict::BadInput);
    };
    let problem = &loaded.problem;
    let mut solver = Solver::over(problem.sig.clone(), problem.terms.clone(), args.seed);
    for query in &problem.queries {
        for &hypothesis in &query.hypotheses {
            solver.assert_closed(hypothesis, false);
        }
        let (_, terms) = solver.language_mut();
        let negated = terms.not(query.goal);
        solver.assert_closed(negated, false);
    }
    let mut budget = Budget::new(args.limits.work, probe);
    sink.progress.say(|| "searching".to_owned());
    let decided = solver.check(&mut budget);
    let (word, mut verdict) = match (&decided, loaded.has_conjecture()) {
        (Decided::Unsat, true) => ("Theorem", Verdict::Ok),
        (Decided::Unsat, false) => ("Unsatisfiable", Verdict::Ok),
        (Decided::Sat, true) => ("CounterSatisfiable", Verdict::Counterexample),
        (Decided::Sat, false) => ("Satisfiable", Verdict::Ok),
        (Decided::Unknown(exhausted), _) => (gave_up(*exhausted), Verdict::Unknown),
        (Decided::Defect, _) => ("Error", Verdict::InternalError),
    };
    let answer = match &decided {
        Decided::Unsat => Answer::check("unsatisfiable"),
        Decided::Sat => Answer::check("satisfiable"),
        Decided::Unknown(exhausted) => unknown(exhausted.to_string()),
        Decided::Defect => unknown("internal error: the structure that was found is no model".to_owned()),
    };
    let found = match solver.model() {
        Ok(found) if !args.quiet => Some(model(problem, found.structure())),
        _ => None,
    };
    say(&mut sink, word, answer, found)?;
    // There is always exactly one check.
    let rows: Vec<_> = solver.stats().printed().filter(|&(label, _)| label != "checks").collect();
    sink.stats("%", &rows)?;
    if is_asked(args) && !signals::is_interrupted() {
        let known = match decided {
            Decided::Unsat => Some(true),
            Decided::Sat => Some(false),
            Decided::Unknown(_) | Decided::Defect => None,
        };
        match certify(args, problem, &source, path, &[known]) {
            Ok(Certified { line, verdict: certified }) => {
                sink.certified("%", line)?;
                verdict = verdict.max(certified);
            }
            Err(error) => {
                sink.complain(&[error], &sources);
                verdict = Verdict::BadInput;
            }
        }
    }
    sink.end(verdict)
}

/// Returns the SZS status of an exhausted budget.
fn gave_up(exhausted: Exhausted) -> &'static str {
    match exhausted {
        Exhausted::QueryTime | Exhausted::RunTime => "Timeout",
        Exhausted::Memory => "MemoryOut",
        Exhausted::Work | Exhausted::DefaultWork => "ResourceOut",
        Exhausted::Cancelled => "User",
        Exhausted::ClauseSize | Exhausted::FormulaSize => "GaveUp",
    }
}
