//! Incremental problems in DIMACS format: each query is answered as soon as it is read.

use std::io::{self, Read};
use std::path::Path;
use std::time::{Duration, Instant};

use super::answer::{Answer, model};
use super::dimacs::{self, literals};
use super::setup::limits;
use super::sink::Sink;
use crate::args::SolveArgs;
use crate::limits::ClockLimits;
use crate::signals;
use crate::sources::unreadable;
use ramsey_core::base::budget::{Budget, Exhausted};
use ramsey_core::base::ids::Id as _;
use ramsey_core::base::span::Sources;
use ramsey_core::diag::{Code, Diagnostic};
use ramsey_lang::dimacs::{Cnf, Error, Incremental, Item, Variables};
use ramsey_report::Verdict;
use ramsey_solver::sat::{Config, Lit, Silent, Solver};

/// Solves the problem that `text` contains from its beginning.
pub(super) fn run(args: &SolveArgs, path: &Path, text: impl Read, mut sink: Sink<'_>) -> io::Result<u8> {
    let mut sources = Sources::new();
    if args.proof.is_some() {
        let what = "there are no proofs for incremental problems (`p inccnf`)";
        let error = Diagnostic::error_nowhere(Code::Usage, what.to_owned())
            .help("a question becomes a problem of its own with the clauses before it and a clause for each assumption");
        sink.complain(&[error], &sources);
        return sink.end(Verdict::BadInput);
    }
    let mut session = Session::new(args);
    let mut reader = Pieces { path, text, problem: Incremental::new(), ended: false, waited: Duration::ZERO };
    // Without a query there is no answer.
    let (mut verdict, mut code) = (Verdict::Ok, 0);
    loop {
        let item = match reader.next(&mut sources) {
            Ok(Some(item)) => item,
            Ok(None) => break,
            Err(error) => {
                sink.complain(&[error], &sources);
                return sink.end(Verdict::BadInput);
            }
        };
        let clauses = reader.problem.clauses();
        if let Item::Query(_) = item {
            sink.progress.say(|| "searching".to_owned());
        }
        let answer = match item {
            Item::Clause => session.add(clauses, reader.waited).err().map(Answer::Unknown),
            Item::Query(assumptions) => Some(session.ask(&assumptions, clauses, reader.waited)),
        };
        let Some(answer) = answer else { continue };
        sink.say(|out| answer.write(out, !args.quiet), || Some(answer.json(!args.quiet)))?;
        (verdict, code) = (answer.verdict(), answer.code());
        if answer == Answer::Wrong || session.is_over || signals::is_interrupted() {
            break;
        }
    }
    sink.stats("c", &dimacs::rows(reader.problem.clauses(), session.solver.stats()))?;
    sink.end_with(verdict, code)
}

/// Number of literals read between two checks of the clock.
const READ_EVERY: u64 = 1 << 14;

/// Reader of the text, item by item.
struct Pieces<'a, R> {
    path: &'a Path,
    text: R,
    problem: Incremental,
    ended: bool,
    /// Time spent waiting for input.
    waited: Duration,
}

impl<R: Read> Pieces<'_, R> {
    /// Reads the next clause or query. Waits for no more input than it needs.
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
            let start = Instant::now();
            let count = self.text.read(&mut buffer);
            self.waited += start.elapsed();
            match count {
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

    /// Returns the diagnostic of an error at its place. Empty lines stand for text that was dropped.
    fn place(&self, mut error: Error, sources: &mut Sources) -> Diagnostic {
        let (lines, text) = self.problem.text();
        let mut bytes = vec![b'\n'; lines];
        bytes.extend_from_slice(text);
        error.start += lines;
        error.end += lines;
        dimacs::diagnostic(self.path, bytes, error, sources)
    }
}

/// A solver and its queries.
struct Session<'a> {
    args: &'a SolveArgs,
    limits: ClockLimits,
    solver: Solver,
    variables: Variables,
    lits: Vec<Lit>,
    /// Start of the text of the present query, and the time spent waiting for input before it.
    begun: (Instant, Duration),
    /// Budget for reading between two queries; also checks memory.
    reading: Budget,
    /// Whether a limit was reached after which no query can be answered.
    is_over: bool,
}

impl<'a> Session<'a> {
    fn new(args: &'a SolveArgs) -> Self {
        let config = Config { seed: args.seed, ..Config::default() };
        let limits = limits(args);
        let memory = ClockLimits { query: None, ..limits };
        Session {
            args,
            limits,
            solver: Solver::with_config(config, Silent),
            variables: Variables::new(),
            lits: Vec::new(),
            begun: (Instant::now(), Duration::ZERO),
            reading: Budget::new(None, Some(memory.probe())),
            is_over: false,
        }
    }

    /// Converts numbers to literals of the solver, with new variables where needed.
    fn literals(&mut self, numbers: &[i32]) {
        for number in numbers {
            self.variables.add(number.unsigned_abs());
        }
        self.solver.new_vars(self.variables.len() - self.solver.num_vars());
        literals(numbers, &self.variables, &mut self.lits);
    }

    /// Returns the time left for the present query; time spent waiting for input does not count.
    fn time_left(&self, waited: Duration) -> Option<Duration> {
        let spent = self.begun.0.elapsed().saturating_sub(waited.saturating_sub(self.begun.1));
        self.limits.query.map(|limit| limit.saturating_sub(spent))
    }

    /// Adds the last one of `clauses`.
    fn add(&mut self, clauses: &Cnf, waited: Duration) -> Result<(), Exhausted> {
        let Some(clause) = clauses.last() else { return Ok(()) };
        self.literals(clause);
        self.solver.add_clause(&self.lits);
        let before = self.reading.spent() / READ_EVERY;
        let result = self.reading.spend(1 + clause.len() as u64).and_then(|()| {
            let is_due = self.reading.spent() / READ_EVERY > before;
            let is_late = is_due && self.time_left(waited).is_some_and(|time| time.is_zero());
            if is_late { Err(Exhausted::QueryTime) } else { Ok(()) }
        });
        self.is_over |= result.is_err();
        result
    }

    /// Answers a query about `clauses`.
    fn ask(&mut self, assumptions: &[i32], clauses: &Cnf, waited: Duration) -> Answer {
        self.literals(assumptions);
        let limits = ClockLimits { query: self.time_left(waited), ..self.limits };
        let variables = &self.variables;
        let mut budget = Budget::new(self.args.limits.work, Some(limits.probe()));
        let mut answer = dimacs::ask(&mut self.solver, &self.lits, &mut budget, |value| {
            let holds = |number: usize| value(variables.index(number as u32));
            let is_right = clauses.is_satisfied(holds)
                && assumptions.iter().all(|&lit| holds(lit.unsigned_abs() as usize) == (lit > 0));
            is_right.then(|| model(None, variables, value))
        });
        if let Answer::Unsatisfiable(core) = &mut answer {
            let number = |lit: &Lit| {
                let number = variables.numbers()[lit.var().index()] as i32;
                if lit.is_negative() { -number } else { number }
            };
            *core = Some(self.solver.core().iter().map(number).collect());
        }
        self.begun = (Instant::now(), waited);
        answer
    }
}
