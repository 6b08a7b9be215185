//! Problems in DIMACS format: output and exit codes of the SAT competition.

use std::io::{self, BufRead, BufReader, Cursor, Read};
use std::path::Path;

use super::answer::{Answer, model};
use super::input::{Input, read_within};
use super::proof::solve_with_proof;
use super::setup::limits;
use super::sink::Sink;
use crate::args::SolveArgs;
use crate::files::Target;
use crate::sources::{display, unreadable};
use ramsey_core::base::budget::{Budget, Exhausted, Probe};
use ramsey_core::base::ids::Id as _;
use ramsey_core::base::span::{Source, Sources, Span, is_line_end};
use ramsey_core::diag::Diagnostic;
use ramsey_lang::dimacs::{self, Cnf, Error, Incremental, Variables};
use ramsey_report::Verdict;
use ramsey_solver::sat::{self, Config, Lit, Observer, Silent, Solver, Stats, Var};

/// Length in bytes beyond which a line is not a header.
const LONG_LINE: u64 = 1 << 16;

/// A problem with its limits.
pub(super) struct Problem<'a> {
    args: &'a SolveArgs,
    cnf: Cnf,
    /// The variables that occur, which are those of the solver.
    variables: Variables,
    /// Probe whose time began before the problem was read.
    probe: Option<Probe>,
}

/// Result of a problem.
pub(super) struct Solved {
    pub(super) answer: Answer,
    pub(super) stats: Stats,
    /// Whether the proof was written, if one was requested; independent of the answer.
    pub(super) proof: Result<(), Diagnostic>,
}

/// Solves the problem and writes the answer.
pub(super) fn run(args: &SolveArgs, input: Input<'_>, mut sink: Sink<'_>) -> io::Result<u8> {
    let mut sources = Sources::new();
    let probe = Some(limits(args).probe());
    let path = input.path();
    sink.progress.say(|| "reading".to_owned());
    let mut text = BufReader::new(input);
    let mut reading = Budget::new(None, probe.clone());
    let cnf = match read_header(path, &mut text, &mut reading) {
        Ok(Ok((head, true))) => return super::inccnf::run(args, path, head.chain(text), sink),
        Ok(Ok((head, false))) => read(path, head.chain(text), &mut reading, &mut sources),
        Ok(Err(exhausted)) => Ok(Err(exhausted)),
        Err(error) => Err(error),
    };
    let solved = cnf.and_then(|cnf| {
        let target = args.proof.as_deref().map(Target::new).transpose()?;
        let cnf = match cnf {
            Ok(cnf) => cnf,
            Err(exhausted) => return Ok((Cnf::default(), Solved::unknown(exhausted))),
        };
        let problem = Problem { args, variables: cnf.variables(), cnf, probe };
        sink.progress.say(|| "searching".to_owned());
        let solved = match target {
            None => problem.solve(Silent).0,
            Some(target) => solve_with_proof(&problem, args, &target)?,
        };
        Ok((problem.cnf, solved))
    });
    let (cnf, solved) = match solved {
        Ok(solved) => solved,
        Err(error) => {
            sink.complain(&[error], &sources);
            return sink.end(Verdict::BadInput);
        }
    };
    sink.stats("c", &rows(&cnf, &solved.stats))?;
    let answer = &solved.answer;
    sink.say(|out| answer.write(out, !args.quiet), || Some(answer.json(!args.quiet)))?;
    if let Err(error) = solved.proof {
        sink.complain(&[error], &sources);
        return sink.end(Verdict::BadInput);
    }
    sink.end_with(answer.verdict(), answer.code())
}

impl Solved {
    fn unknown(exhausted: Exhausted) -> Solved {
        Solved { answer: Answer::Unknown(exhausted), stats: Stats::default(), proof: Ok(()) }
    }
}

impl Problem<'_> {
    /// Returns the number in the problem of each variable of the solver.
    pub(super) fn numbers(&self) -> Vec<u32> {
        self.variables.numbers().to_vec()
    }

    /// Adds all clauses to a solver in their order, and solves.
    pub(super) fn solve<O: Observer>(&self, observer: O) -> (Solved, Solver<O>) {
        let config = Config { seed: self.args.seed, ..Config::default() };
        let mut solver = Solver::with_config(config, observer);
        let answer = match self.load(&mut solver) {
            Ok(()) => {
                let mut budget = Budget::new(self.args.limits.work, self.probe.clone());
                ask(&mut solver, &[], &mut budget, |value| {
                    let holds = |number| value(self.variables.index(number));
                    let is_right = self.cnf.is_satisfied(|number| holds(number as u32));
                    is_right.then(|| model(Some(self.cnf.num_vars()), &self.variables, value))
                })
            }
            Err(exhausted) => Answer::Unknown(exhausted),
        };
        (Solved { answer, stats: *solver.stats(), proof: Ok(()) }, solver)
    }

    fn load<O: Observer>(&self, solver: &mut Solver<O>) -> Result<(), Exhausted> {
        let mut budget = Budget::new(None, self.probe.clone());
        budget.check()?;
        solver.new_vars(self.variables.len());
        let mut lits = Vec::new();
        for clause in self.cnf.clauses() {
            budget.spend(1 + clause.len() as u64)?;
            literals(clause, &self.variables, &mut lits);
            solver.add_clause(&lits);
        }
        Ok(())
    }
}

/// Replaces `lits` by the solver's literals for the literals of a problem's clause, given its `variables`.
pub(super) fn literals(clause: &[i32], variables: &Variables, lits: &mut Vec<Lit>) {
    let literal = |number: i32| {
        let index = variables.index(number.unsigned_abs())?;
        Some(Var::new(index).literal(number > 0))
    };
    lits.clear();
    lits.extend(clause.iter().copied().filter_map(literal));
}

/// Returns the value of a variable, by its index; false without one.
pub(super) type Values<'a> = &'a dyn Fn(Option<usize>) -> bool;

/// Runs the solver. `model` makes an answer of the values found, or `None` if they are wrong.
pub(super) fn ask<O: Observer>(
    solver: &mut Solver<O>,
    assumptions: &[Lit],
    budget: &mut Budget,
    model: impl FnOnce(Values<'_>) -> Option<Answer>,
) -> Answer {
    if let Err(exhausted) = budget.check() {
        return Answer::Unknown(exhausted);
    }
    match solver.solve(assumptions, budget) {
        Ok(sat::Answer::Sat) => {
            let value = |index: Option<usize>| index.is_some_and(|it| solver.value(Var::new(it).positive()));
            model(&value).unwrap_or(Answer::Wrong)
        }
        Ok(sat::Answer::Unsat) => Answer::Unsatisfiable(None),
        Err(exhausted) => Answer::Unknown(exhausted),
    }
}

/// Returns the statistics of the answers.
pub(super) fn rows(cnf: &Cnf, stats: &Stats) -> Vec<(&'static str, u64)> {
    let sizes = [("variables", cnf.num_vars() as u64), ("clauses", cnf.num_clauses() as u64)];
    sizes.into_iter().chain(stats.printed()).collect()
}

/// The text up to the first line that is not a comment, and whether that line is the header of an incremental problem.
type Header = (Cursor<Vec<u8>>, bool);

/// Reads the beginning of a problem.
fn read_header(
    path: &Path,
    text: &mut impl BufRead,
    budget: &mut Budget,
) -> Result<Result<Header, Exhausted>, Diagnostic> {
    let mut head = Vec::new();
    let announced = loop {
        let known = head.len();
        let count = text.take(LONG_LINE).read_until(b'\n', &mut head);
        let count = count.map_err(|error| unreadable(path, &error))?;
        if let Err(exhausted) = budget.spend(count as u64) {
            return Ok(Err(exhausted));
        }
        if count == 0 {
            break false;
        }
        // A line too long for one read is a comment, up to its end.
        let goes_on = known > 0 && !is_line_end(head[known - 1]);
        let begin = if goes_on { head[known..].iter().position(|&byte| is_line_end(byte)) } else { Some(0) };
        let line = begin.map_or(&[][..], |begin| &head[known + begin..]);
        if let Some(announced) = Incremental::is_announced(line) {
            break announced;
        }
    };
    Ok(Ok((Cursor::new(head), announced)))
}

fn read(
    path: &Path,
    text: impl Read,
    budget: &mut Budget,
    sources: &mut Sources,
) -> Result<Result<Cnf, Exhausted>, Diagnostic> {
    let bytes = match read_within(path, text, budget)? {
        Ok(bytes) => bytes,
        Err(exhausted) => return Ok(Err(exhausted)),
    };
    match dimacs::parse_within(&bytes, budget) {
        Ok(Ok(cnf)) => Ok(Ok(cnf)),
        Ok(Err(error)) => Err(diagnostic(path, bytes, error, sources)),
        Err(exhausted) => Ok(Err(exhausted)),
    }
}

/// Returns the diagnostic for an error in the text of the file at `path`.
pub(super) fn diagnostic(path: &Path, text: Vec<u8>, error: Error, sources: &mut Sources) -> Diagnostic {
    // Comments may be in any encoding; excerpts show bytes that are not UTF-8 as question marks.
    let text = String::from_utf8(text).unwrap_or_else(|error| {
        let bytes = error.as_bytes().iter();
        bytes.map(|&byte| if byte.is_ascii() { char::from(byte) } else { '?' }).collect()
    });
    let file = sources.push(Source::new(display(path), text));
    let place = |at: usize| u32::try_from(at).unwrap_or(u32::MAX);
    let span = Span { file, start: place(error.start), end: place(error.end) };
    let diagnostic = Diagnostic::error(error.code, span, error.message);
    if error.hint.is_empty() { diagnostic } else { diagnostic.help(error.hint) }
}
