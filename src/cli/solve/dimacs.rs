//! Problems in DIMACS form: output and exit codes of the SAT competition.

use std::fmt::Write as _;
use std::io::{self, BufRead, BufReader, Cursor, Read, Write};
use std::path::Path;
use std::time::Instant;

use super::input::Input;
use crate::base::budget::{Budget, Exhausted};
use crate::base::ids::Id as _;
use crate::base::span::{Source, Sources, Span};
use crate::cli::args::{ProofFormat, SolveArgs};
use crate::cli::files::{Partial, Target};
use crate::cli::limits::Limits;
use crate::cli::output::{Status, print_diagnostics, stderr_palette, stdout};
use crate::cli::sources::{display, read_all, unreadable};
use crate::diag::{Code, Diagnostic};
use crate::lang::dimacs::{self, Cnf, Error, Incremental};
use crate::sat::drat::Drat;
use crate::sat::proof::{Encoding, Recorder};
use crate::sat::{self, Config, Lit, Observer, Silent, Solver, Stats, Var};

/// Columns of a line of values.
const WIDTH: usize = 78;

/// A line of more bytes than this is no header.
const LONG_LINE: u64 = 1 << 16;

/// The answer to a SAT problem.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Answer {
    /// With a value for each variable.
    Satisfiable(Vec<bool>),
    /// Where there were assumptions: those that are false together.
    Unsatisfiable(Option<Vec<i32>>),
    Unknown(Exhausted),
}

impl Answer {
    /// The exit code.
    pub(super) fn code(&self) -> u8 {
        match self {
            Answer::Satisfiable(_) => 10,
            Answer::Unsatisfiable(_) => 20,
            Answer::Unknown(_) => 0,
        }
    }

    /// The lines that say so, with those that say why if they are wanted.
    pub(super) fn text(&self, with_literals: bool) -> String {
        let (status, literals) = match self {
            Answer::Satisfiable(values) => ("s SATISFIABLE\n", value_lines(values)),
            Answer::Unsatisfiable(Some(core)) => ("s UNSATISFIABLE\n", lines('f', core.iter().copied())),
            Answer::Unsatisfiable(None) => ("s UNSATISFIABLE\n", String::new()),
            Answer::Unknown(exhausted) => return format!("c stopped: {exhausted}\ns UNKNOWN\n"),
        };
        if with_literals { format!("{status}{literals}") } else { status.to_owned() }
    }
}

/// Solves the problem and prints the answer.
pub(super) fn run(args: &SolveArgs, input: Input<'_>) -> io::Result<u8> {
    let start = Instant::now();
    let mut sources = Sources::new();
    let path = input.path();
    let mut text = BufReader::new(input);
    let cnf = match read_header(path, &mut text) {
        Ok((head, true)) => return super::inccnf::run(args, path, head.chain(text)),
        Ok((head, false)) => read(path, head.chain(text), &mut sources),
        Err(error) => Err(error),
    };
    let prepared = cnf.and_then(|cnf| {
        let proof = args.proof.as_deref().map(|proof| target(proof, path)).transpose()?;
        Ok((cnf, proof))
    });
    let result = prepared.and_then(|(cnf, target)| {
        let (answer, stats, written) = match target {
            None => {
                let (answer, solver) = solve(&cnf, args, Silent);
                (answer, *solver.stats(), Ok(()))
            }
            Some(target) => solve_with_proof(&cnf, args, &target)?,
        };
        Ok((cnf, answer, stats, written))
    });
    let (cnf, answer, stats, written) = match result {
        Ok(result) => result,
        Err(error) => {
            print_diagnostics(&[error], &sources, stderr_palette(args.color));
            return Ok(Status::BadInput.code());
        }
    };
    let mut out = stdout();
    if let Answer::Satisfiable(values) = &answer
        && !cnf.is_satisfied(|var| values[var - 1])
    {
        write_internal_error(&mut out)?;
        return Ok(Status::InternalError.code());
    }
    if args.stats {
        write_stats(&mut out, &cnf, &stats, start)?;
    }
    out.write_all(answer.text(!args.quiet).as_bytes())?;
    out.flush()?;
    if let Err(error) = written {
        print_diagnostics(&[error], &sources, stderr_palette(args.color));
        return Ok(Status::BadInput.code());
    }
    Ok(answer.code())
}

/// Says that an answer was wrong, and therefore is none.
pub(super) fn write_internal_error(out: &mut impl Write) -> io::Result<()> {
    writeln!(out, "c internal error: the assignment found is none\ns UNKNOWN")?;
    out.flush()
}

/// What the answers cost, as comments.
pub(super) fn write_stats(out: &mut impl Write, cnf: &Cnf, stats: &Stats, start: Instant) -> io::Result<()> {
    let rows = [
        ("variables", cnf.num_vars() as u64),
        ("clauses", cnf.num_clauses() as u64),
        ("conflicts", stats.conflicts),
        ("decisions", stats.decisions),
        ("propagations", stats.propagations),
        ("restarts", stats.restarts),
    ];
    for (name, value) in rows {
        writeln!(out, "c {name:<12} {value}")?;
    }
    writeln!(out, "c {:<12} {:.3}", "seconds", start.elapsed().as_secs_f64())
}

/// Where the proof goes. What is wrong with the place is found before the search.
fn target(proof: &Path, input: &Path) -> Result<Target, Diagnostic> {
    let refused = |what: String| Diagnostic::error_nowhere(Code::Usage, what);
    if proof.as_os_str() == "-" {
        let error = refused("the proof cannot go to standard output, where the answer is".to_owned());
        return Err(error.help("name a file"));
    }
    let target = Target::new(proof)?;
    if target.is(input) {
        return Err(refused(format!("the proof would replace the problem `{}`", proof.display())));
    }
    Ok(target)
}

/// Solves with a proof that goes to `target` if the answer is that there is no model. The answer stays the answer if
/// writing fails.
fn solve_with_proof(
    cnf: &Cnf,
    args: &SolveArgs,
    target: &Target,
) -> Result<(Answer, Stats, Result<(), Diagnostic>), Diagnostic> {
    let encoding = if args.binary_proof { Encoding::Binary } else { Encoding::Text };
    let written = |proof: io::Result<Partial<'_>>| {
        proof.map_err(|error| target.unwritable(&error)).and_then(Partial::finish)
    };
    match args.proof_format {
        ProofFormat::Lrat => {
            target.probe()?;
            let (answer, solver) = solve(cnf, args, Recorder::new());
            let stats = *solver.stats();
            let proof = match answer {
                Answer::Unsatisfiable(_) => {
                    target.open().and_then(|file| written(write_lrat(solver, encoding, file)))
                }
                Answer::Satisfiable(_) | Answer::Unknown(_) => Ok(()),
            };
            Ok((answer, stats, proof))
        }
        ProofFormat::Drat => {
            let (answer, solver) = solve(cnf, args, Drat::new(target.open()?, encoding));
            let stats = *solver.stats();
            let proof = match answer {
                Answer::Unsatisfiable(_) => written(solver.into_observer().finish()),
                Answer::Satisfiable(_) | Answer::Unknown(_) => Ok(()),
            };
            Ok((answer, stats, proof))
        }
    }
}

/// Writes the refutation that `solver` has found.
fn write_lrat<W: Write>(solver: Solver<Recorder>, encoding: Encoding, mut out: W) -> io::Result<W> {
    let Some(goal) = solver.core_clause() else {
        return Err(io::Error::other("internal error: the refutation was not recorded"));
    };
    solver.into_observer().write_trimmed_lrat(goal, encoding, &mut out)?;
    Ok(out)
}

/// The text up to the first line that is no comment, and whether that announces an incremental problem.
fn read_header(path: &Path, text: &mut impl BufRead) -> Result<(Cursor<Vec<u8>>, bool), Diagnostic> {
    let mut head = Vec::new();
    let announced = loop {
        let known = head.len();
        let count = text.take(LONG_LINE).read_until(b'\n', &mut head);
        match count.map_err(|error| unreadable(path, &error))? {
            0 => break false,
            _ => {
                if let Some(announced) = Incremental::is_announced(&head[known..]) {
                    break announced;
                }
            }
        }
    };
    Ok((Cursor::new(head), announced))
}

fn read(path: &Path, text: impl Read, sources: &mut Sources) -> Result<Cnf, Diagnostic> {
    let bytes = read_all(path, text)?;
    dimacs::parse(&bytes).map_err(|error| diagnostic(path, bytes, error, sources))
}

/// What is wrong with the text of the file at `path`.
pub(super) fn diagnostic(path: &Path, text: Vec<u8>, error: Error, sources: &mut Sources) -> Diagnostic {
    // Comments may be in any encoding; an excerpt shows what is no UTF-8 as question marks.
    let text = String::from_utf8(text).unwrap_or_else(|error| {
        let bytes = error.as_bytes().iter();
        bytes.map(|&byte| if byte.is_ascii() { char::from(byte) } else { '?' }).collect()
    });
    let file = sources.push(Source { name: display(path), text });
    let place = |at: usize| u32::try_from(at).unwrap_or(u32::MAX);
    let span = Span { file, start: place(error.start), end: place(error.end) };
    let diagnostic = Diagnostic::error(Code::Syntax, span, error.message);
    if error.hint.is_empty() { diagnostic } else { diagnostic.help(error.hint) }
}

/// Gives the clauses to a solver in their order, every one of them, and has it search.
fn solve<O: Observer>(cnf: &Cnf, args: &SolveArgs, observer: O) -> (Answer, Solver<O>) {
    let mut solver = Solver::with_config(Config { seed: args.seed, ..Config::default() }, observer);
    solver.new_vars(cnf.num_vars());
    let mut lits = Vec::new();
    for clause in cnf.clauses() {
        lits.clear();
        lits.extend(clause.iter().copied().filter_map(Lit::from_dimacs));
        solver.add_clause(&lits);
    }
    (ask(&mut solver, &[], args), solver)
}

/// Has `solver` search within the limits of a question.
pub(super) fn ask<O: Observer>(solver: &mut Solver<O>, assumptions: &[Lit], args: &SolveArgs) -> Answer {
    let limits = Limits {
        query: args.timeout,
        deadline: None,
        memory: args.memory.map(|megabytes| megabytes.saturating_mul(1 << 20)),
    };
    match solver.solve(assumptions, &mut Budget::new(args.work, Some(limits.probe()))) {
        Ok(sat::Answer::Sat) => {
            let vars = (0..solver.num_vars()).map(Var::new);
            Answer::Satisfiable(vars.map(|var| solver.value(var.positive())).collect())
        }
        Ok(sat::Answer::Unsat) => Answer::Unsatisfiable(None),
        Err(exhausted) => Answer::Unknown(exhausted),
    }
}

/// `v` lines: the literals that are true.
fn value_lines(values: &[bool]) -> String {
    lines('v', (1..).zip(values).map(|(var, &value)| if value { var } else { -var }))
}

/// Lines of literals with `kind` in front, and a 0 at the end.
fn lines(kind: char, literals: impl Iterator<Item = i32>) -> String {
    let mut text = String::new();
    let mut column = 0;
    for literal in literals.chain([0]) {
        let literal = literal.to_string();
        if column > 0 && column + 1 + literal.len() > WIDTH {
            text.push('\n');
            column = 0;
        }
        if column == 0 {
            text.push(kind);
            column = 1;
        }
        let _ = write!(text, " {literal}");
        column += 1 + literal.len();
    }
    text.push('\n');
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_are_wrapped_and_end_in_zero() {
        assert_eq!(value_lines(&[]), "v 0\n");
        assert_eq!(value_lines(&[true, false]), "v 1 -2 0\n");
        let text = value_lines(&[false; 1000]);
        assert!(
            text.lines().all(|line| line.len() <= WIDTH && line.starts_with("v -") || line.ends_with(" 0"))
        );
        let back: Vec<i64> =
            text.split_ascii_whitespace().filter(|word| *word != "v").flat_map(str::parse).collect();
        assert_eq!(back, (1..=1000).map(|var| -var).chain([0]).collect::<Vec<_>>());
    }

    #[test]
    fn codes_are_those_of_the_competition() {
        assert_eq!(Answer::Satisfiable(vec![]).code(), 10);
        assert_eq!(Answer::Unsatisfiable(None).code(), 20);
        assert_eq!(Answer::Unknown(Exhausted::Work).code(), 0);
        let core = Answer::Unsatisfiable(Some(vec![-3, 1]));
        assert_eq!(core.text(true), "s UNSATISFIABLE\nf -3 1 0\n");
        assert_eq!(core.text(false), "s UNSATISFIABLE\n");
        assert_eq!(Answer::Unknown(Exhausted::Work).text(true), "c stopped: work budget\ns UNKNOWN\n");
    }
}
