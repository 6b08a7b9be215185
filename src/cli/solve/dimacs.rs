//! Problems in DIMACS form: output and exit codes of the SAT competition.

use std::fmt::Write as _;
use std::io::{self, Write as _};
use std::path::Path;
use std::time::Instant;

use super::input::Input;
use crate::base::budget::{Budget, Exhausted};
use crate::base::span::{Source, Sources, Span};
use crate::cli::args::SolveArgs;
use crate::cli::files::Target;
use crate::cli::limits::Limits;
use crate::cli::output::{Status, print_diagnostics, stderr_palette, stdout};
use crate::cli::sources::{display, read_all};
use crate::diag::{Code, Diagnostic};
use crate::lang::dimacs::{self, Cnf};
use crate::sat::proof::{Encoding, Recorder};
use crate::sat::{self, Config, Observer, Silent, Solver, Var};

/// Columns of a line of values.
const WIDTH: usize = 78;

/// The answer to a SAT problem.
#[derive(Clone, PartialEq, Eq, Debug)]
enum Answer {
    /// With a value for each variable.
    Satisfiable(Vec<bool>),
    Unsatisfiable,
    Unknown(Exhausted),
}

impl Answer {
    fn code(&self) -> u8 {
        match self {
            Answer::Satisfiable(_) => 10,
            Answer::Unsatisfiable => 20,
            Answer::Unknown(_) => 0,
        }
    }

    fn text(&self, with_values: bool) -> String {
        match self {
            Answer::Satisfiable(values) if with_values => {
                format!("s SATISFIABLE\n{}", value_lines(values))
            }
            Answer::Satisfiable(_) => "s SATISFIABLE\n".to_owned(),
            Answer::Unsatisfiable => "s UNSATISFIABLE\n".to_owned(),
            Answer::Unknown(exhausted) => format!("c stopped: {exhausted}\ns UNKNOWN\n"),
        }
    }
}

/// Solves the problem and prints the answer.
pub(super) fn run(args: &SolveArgs, input: Input<'_>) -> io::Result<u8> {
    let start = Instant::now();
    let mut sources = Sources::new();
    let path = input.path();
    let cnf = match read(input, &mut sources) {
        Ok(cnf) => cnf,
        Err(error) => {
            print_diagnostics(&[error], &sources, stderr_palette(args.color));
            return Ok(Status::BadInput.code());
        }
    };
    let target = match args.proof.as_deref().map(|proof| target(proof, path)).transpose() {
        Ok(target) => target,
        Err(error) => {
            print_diagnostics(&[error], &sources, stderr_palette(args.color));
            return Ok(Status::BadInput.code());
        }
    };
    let mut out = stdout();
    let (answer, stats, written) = match target {
        None => {
            let (answer, solver) = solve(&cnf, args, Silent);
            (answer, *solver.stats(), Ok(()))
        }
        Some(target) => {
            let (answer, solver) = solve(&cnf, args, Recorder::new());
            let stats = *solver.stats();
            let encoding = if args.binary_proof { Encoding::Binary } else { Encoding::Text };
            let written = match answer {
                Answer::Unsatisfiable => write_proof(solver, encoding, &target),
                Answer::Satisfiable(_) | Answer::Unknown(_) => Ok(()),
            };
            (answer, stats, written)
        }
    };
    if let Answer::Satisfiable(values) = &answer
        && !cnf.is_satisfied(|var| values[var - 1])
    {
        writeln!(out, "c internal error: the assignment found is none\ns UNKNOWN")?;
        out.flush()?;
        return Ok(Status::InternalError.code());
    }
    if args.stats {
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
        writeln!(out, "c {:<12} {:.3}", "seconds", start.elapsed().as_secs_f64())?;
    }
    out.write_all(answer.text(!args.quiet).as_bytes())?;
    out.flush()?;
    if let Err(error) = written {
        print_diagnostics(&[error], &sources, stderr_palette(args.color));
        return Ok(Status::BadInput.code());
    }
    Ok(answer.code())
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
    target.probe()?;
    Ok(target)
}

/// Writes the refutation that `solver` has found: the whole file, or none.
fn write_proof(solver: Solver<Recorder>, encoding: Encoding, target: &Target) -> Result<(), Diagnostic> {
    let mut file = target.open()?;
    let written = match solver.core_clause() {
        Some(goal) => solver.into_observer().write_trimmed_lrat(goal, encoding, &mut file),
        None => Err(io::Error::other("internal error: the refutation was not recorded")),
    };
    written.map_err(|error| target.unwritable(&error))?;
    file.finish()
}

fn read(input: Input<'_>, sources: &mut Sources) -> Result<Cnf, Diagnostic> {
    let path = input.path();
    let bytes = read_all(path, input)?;
    dimacs::parse(&bytes).map_err(|error| {
        // Comments may be in any encoding; an excerpt shows what is no UTF-8 as question marks.
        let text = String::from_utf8(bytes).unwrap_or_else(|error| {
            let bytes = error.as_bytes().iter();
            bytes.map(|&byte| if byte.is_ascii() { char::from(byte) } else { '?' }).collect()
        });
        let file = sources.push(Source { name: display(path), text });
        let place = |at: usize| u32::try_from(at).unwrap_or(u32::MAX);
        let span = Span { file, start: place(error.start), end: place(error.end) };
        let diagnostic = Diagnostic::error(Code::Syntax, span, error.message);
        if error.hint.is_empty() { diagnostic } else { diagnostic.help(error.hint) }
    })
}

/// Gives the clauses to a solver in their order, every one of them, and has it search.
fn solve<O: Observer>(cnf: &Cnf, args: &SolveArgs, observer: O) -> (Answer, Solver<O>) {
    let mut solver = Solver::with_config(Config { seed: args.seed, ..Config::default() }, observer);
    let vars: Vec<Var> = (0..cnf.num_vars()).map(|_| solver.new_var()).collect();
    let mut lits = Vec::new();
    for clause in cnf.clauses() {
        lits.clear();
        lits.extend(clause.iter().map(|&lit| vars[lit.unsigned_abs() as usize - 1].literal(lit > 0)));
        solver.add_clause(&lits);
    }
    let limits = Limits {
        query: args.timeout,
        deadline: None,
        memory: args.memory.map(|megabytes| megabytes.saturating_mul(1 << 20)),
    };
    let probe = limits.factory().map(|make| make());
    let answer = match solver.solve(&[], &mut Budget::new(args.work, probe)) {
        Ok(sat::Answer::Sat) => {
            Answer::Satisfiable(vars.iter().map(|var| solver.value(var.positive())).collect())
        }
        Ok(sat::Answer::Unsat) => Answer::Unsatisfiable,
        Err(exhausted) => Answer::Unknown(exhausted),
    };
    (answer, solver)
}

/// `v` lines: the literals that are true, and a 0 at the end.
fn value_lines(values: &[bool]) -> String {
    let literals = values.iter().enumerate().map(|(at, &value)| {
        let sign = if value { "" } else { "-" };
        format!("{sign}{}", at + 1)
    });
    let mut text = String::new();
    let mut column = 0;
    for literal in literals.chain(["0".to_owned()]) {
        if column > 0 && column + 1 + literal.len() > WIDTH {
            text.push('\n');
            column = 0;
        }
        if column == 0 {
            text.push('v');
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
        assert_eq!(Answer::Unsatisfiable.code(), 20);
        assert_eq!(Answer::Unknown(Exhausted::Work).code(), 0);
        assert_eq!(Answer::Unknown(Exhausted::Work).text(true), "c stopped: work budget\ns UNKNOWN\n");
    }
}
