//! Problems of the TPTP library, answered by SZS status lines.

use std::io::{self, Write as _};
use std::time::Instant;

use super::certify::{Certified, certify, is_asked, refusal};
use super::input::{Input, read_within};
use super::limits;
use crate::base::budget::{Budget, Exhausted};
use crate::base::span::Sources;
use crate::cli::args::SolveArgs;
use crate::cli::output::{Status, print_diagnostics, stderr_palette, stdout};
use crate::cli::sources::load_tptp;
use crate::diag::Severity;
use crate::report::tptp::model;
use crate::solver::{Answer, Solver};

/// Decides the problem and prints the status.
pub(super) fn run(args: &SolveArgs, input: Input<'_>) -> io::Result<u8> {
    let start = Instant::now();
    let mut sources = Sources::new();
    let palette = stderr_palette(args.color);
    let path = input.path();
    let name = path.file_name().map_or("stdin".into(), |name| name.to_string_lossy());
    let mut out = stdout();
    // The time began before the problem was read.
    let probe = Some(limits(args).probe());
    let mut reading = Budget::new(None, probe.clone());
    let read = match read_within(path, input, &reading) {
        Ok(Ok(text)) => load_tptp(path, text, &mut sources, &mut reading),
        Ok(Err(exhausted)) => Err(exhausted),
        Err(error) => Ok((None, None, vec![error])),
    };
    let (loaded, file, mut diagnostics) = match read {
        Ok(read) => read,
        Err(exhausted) => {
            writeln!(out, "% SZS status {} for {name}", gave_up(exhausted))?;
            out.flush()?;
            return Ok(Status::Unknown.code());
        }
    };
    if is_asked(args) {
        diagnostics.extend(refusal(path));
    }
    let has_errors = diagnostics.iter().any(|it| it.severity == Severity::Error);
    print_diagnostics(&diagnostics, &sources, palette);
    let (Some(loaded), Some(file), false) = (loaded, file, has_errors) else {
        writeln!(out, "% SZS status InputError for {name}")?;
        out.flush()?;
        return Ok(Status::BadInput.code());
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
    let mut budget = Budget::new(args.work, probe);
    let answer = solver.check(&mut budget);
    let (word, mut status) = match (&answer, loaded.has_conjecture()) {
        (Answer::Unsat, true) => ("Theorem", Status::Ok),
        (Answer::Unsat, false) => ("Unsatisfiable", Status::Ok),
        (Answer::Sat, true) => ("CounterSatisfiable", Status::Counterexample),
        (Answer::Sat, false) => ("Satisfiable", Status::Ok),
        (Answer::Unknown(exhausted), _) => (gave_up(*exhausted), Status::Unknown),
        (Answer::Defect, _) => ("Error", Status::InternalError),
    };
    writeln!(out, "% SZS status {word} for {name}")?;
    if let (Ok(found), false) = (solver.model(), args.quiet) {
        let text = model(problem, found.structure());
        writeln!(out, "% SZS output start FiniteModel for {name}")?;
        write!(out, "{text}")?;
        writeln!(out, "% SZS output end FiniteModel for {name}")?;
    }
    if args.stats {
        let stats = solver.stats();
        let rows = [("rounds", stats.rounds), ("instances", stats.instances), ("lemmas", stats.lemmas)];
        for (name, value) in rows {
            writeln!(out, "% {name:<12} {value}")?;
        }
        writeln!(out, "% {:<12} {:.6}", "seconds", start.elapsed().as_secs_f64())?;
    }
    if is_asked(args) {
        let known = match answer {
            Answer::Unsat => Some(true),
            Answer::Sat => Some(false),
            Answer::Unknown(_) | Answer::Defect => None,
        };
        match certify(args, problem, &sources[file].text, path, &[known]) {
            Ok(Certified { line, status: certified }) => {
                writeln!(out, "% {line}")?;
                status = status.max(certified);
            }
            Err(error) => {
                print_diagnostics(&[error], &sources, palette);
                status = Status::BadInput;
            }
        }
    }
    out.flush()?;
    Ok(status.code())
}

/// The SZS status of what is not known.
fn gave_up(exhausted: Exhausted) -> &'static str {
    match exhausted {
        Exhausted::QueryTime | Exhausted::RunTime => "Timeout",
        Exhausted::Memory => "MemoryOut",
        Exhausted::Work | Exhausted::DefaultWork => "ResourceOut",
        Exhausted::Cancelled => "User",
        Exhausted::ClauseSize | Exhausted::FormulaSize => "GaveUp",
    }
}
