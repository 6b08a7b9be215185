//! Incremental problems: an answer to every question, as soon as it is read.

use std::io::{self, Read, Write};
use std::path::Path;
use std::time::Instant;

use super::dimacs::{self, Answer};
use crate::base::span::Sources;
use crate::cli::args::SolveArgs;
use crate::cli::output::{Status, print_diagnostics, stderr_palette, stdout};
use crate::cli::sources::unreadable;
use crate::diag::{Code, Diagnostic};
use crate::lang::dimacs::{Cnf, Error, Incremental, Item};
use crate::sat::{Config, Lit, Silent, Solver};

/// Solves the problem that `text` has from its beginning.
pub(super) fn run(args: &SolveArgs, path: &Path, text: impl Read) -> io::Result<u8> {
    let start = Instant::now();
    let mut sources = Sources::new();
    if args.proof.is_some() {
        let what = "there are no proofs for incremental problems (`p inccnf`)";
        let error = Diagnostic::error_nowhere(Code::Usage, what.to_owned())
            .help("a question becomes a problem of its own with the clauses before it and a clause for each assumption");
        print_diagnostics(&[error], &sources, stderr_palette(args.color));
        return Ok(Status::BadInput.code());
    }
    let mut session = Session::new(args);
    let mut reader = Pieces { path, text, problem: Incremental::new(), ended: false };
    let mut out = stdout();
    // Without a question nothing is known.
    let mut code = 0;
    loop {
        match reader.next(&mut sources) {
            Ok(Some(Item::Clause)) => session.add(reader.problem.clauses()),
            Ok(Some(Item::Query(assumptions))) => {
                let Some(answer) = session.ask(&assumptions, reader.problem.clauses()) else {
                    dimacs::write_internal_error(&mut out)?;
                    return Ok(Status::InternalError.code());
                };
                out.write_all(answer.text(!args.quiet).as_bytes())?;
                out.flush()?;
                code = answer.code();
            }
            Ok(None) => break,
            Err(error) => {
                print_diagnostics(&[error], &sources, stderr_palette(args.color));
                return Ok(Status::BadInput.code());
            }
        }
    }
    if args.stats {
        dimacs::write_stats(&mut out, reader.problem.clauses(), session.solver.stats(), start)?;
        out.flush()?;
    }
    Ok(code)
}

/// The text, piece by piece.
struct Pieces<'a, R> {
    path: &'a Path,
    text: R,
    problem: Incremental,
    ended: bool,
}

impl<R: Read> Pieces<'_, R> {
    /// The next clause or question. Waits for no more text than it takes.
    fn next(&mut self, sources: &mut Sources) -> Result<Option<Item>, Diagnostic> {
        let mut buffer = [0; 1 << 14];
        loop {
            match self.problem.next_item() {
                Ok(Some(item)) => return Ok(Some(item)),
                Ok(None) => {}
                Err(error) => return Err(self.place(error, sources)),
            }
            if self.ended {
                return match self.problem.check_end() {
                    Ok(()) => Ok(None),
                    Err(error) => Err(self.place(error, sources)),
                };
            }
            match self.text.read(&mut buffer) {
                Ok(0) => {
                    self.problem.end();
                    self.ended = true;
                }
                Ok(count) => self.problem.feed(&buffer[..count]),
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) => return Err(unreadable(self.path, &error)),
            }
        }
    }

    /// The error at its place. Empty lines stand for those that have been dropped.
    fn place(&self, mut error: Error, sources: &mut Sources) -> Diagnostic {
        let (lines, text) = self.problem.text();
        let mut bytes = vec![b'\n'; lines];
        bytes.extend_from_slice(text);
        error.start += lines;
        error.end += lines;
        dimacs::diagnostic(self.path, bytes, error, sources)
    }
}

/// A solver and its questions.
struct Session<'a> {
    args: &'a SolveArgs,
    solver: Solver,
    lits: Vec<Lit>,
}

impl<'a> Session<'a> {
    fn new(args: &'a SolveArgs) -> Self {
        let config = Config { seed: args.seed, ..Config::default() };
        Session { args, solver: Solver::with_config(config, Silent), lits: Vec::new() }
    }

    /// Literals of the solver, with variables that it may not have known.
    fn literals(&mut self, numbers: &[i32], num_vars: usize) {
        self.solver.new_vars(num_vars.saturating_sub(self.solver.num_vars()));
        self.lits.clear();
        self.lits.extend(numbers.iter().copied().filter_map(Lit::from_dimacs));
    }

    /// Adds the last one of `clauses`.
    fn add(&mut self, clauses: &Cnf) {
        if let Some(clause) = clauses.last() {
            self.literals(clause, clauses.num_vars());
            self.solver.add_clause(&self.lits);
        }
    }

    /// The answer to a question about `clauses`; `None` if it turns out to be wrong.
    fn ask(&mut self, assumptions: &[i32], clauses: &Cnf) -> Option<Answer> {
        self.literals(assumptions, clauses.num_vars());
        let mut answer = dimacs::ask(&mut self.solver, &self.lits, self.args);
        if let Answer::Unsatisfiable(core) = &mut answer {
            *core = Some(self.solver.core().iter().map(|lit| lit.to_dimacs()).collect());
        }
        let is_right = match &answer {
            Answer::Satisfiable(values) => {
                let holds = |var: usize| values[var - 1];
                clauses.is_satisfied(holds)
                    && assumptions.iter().all(|&lit| holds(lit.unsigned_abs() as usize) == (lit > 0))
            }
            Answer::Unsatisfiable(_) | Answer::Unknown(_) => true,
        };
        is_right.then_some(answer)
    }
}
