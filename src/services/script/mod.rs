//! Execution of SMT-LIB scripts, command by command.
//!
//! [`lang::smtlib`](ramsey_lang::smtlib) parses commands and keeps the assertion stack. A session passes them to
//! [`Solver`] and returns answers as data, which `ramsey_report::smtlib` prints. A session does no input or output
//! itself.

mod model;
mod options;
mod response;

pub use response::{Definition, Model, Response, Universe};

use std::sync::Arc;

use model::Names;
use options::Options;
use ramsey_core::base::budget::{Budget, Exhausted, Probe};
use ramsey_core::base::hash::Set;
use ramsey_core::logic::{Elem, Evaluator, SortId, TermId};
use ramsey_lang::smtlib::{Command, Form, Frontend, Reader, SourceTerm, quote};
use ramsey_solver::epr::{self, Measure};
use ramsey_solver::solver::{Answer, Cause, Label, Solver, Term};
use ramsey_solver::telemetry::{QUERY, event};

/// Settings and services provided by the caller of a session.
#[derive(Clone)]
pub struct Environment {
    /// Creates the probe of a check that starts now, with an optional time limit in milliseconds.
    pub probe: Arc<dyn Fn(Option<u64>) -> Option<Probe> + Send + Sync>,
    /// Work budget of each check, unless the script sets one.
    pub work: Option<u64>,
    /// Seed of the search, unless the script sets one.
    pub seed: u64,
    /// Whether models are minimized, unless the script sets the option.
    pub minimal_models: bool,
    /// Clock for statistics.
    pub clock: Option<epr::Clock>,
}

impl Default for Environment {
    fn default() -> Self {
        Environment { probe: Arc::new(|_| None), work: None, seed: 0, minimal_models: false, clock: None }
    }
}

/// Result of the last check, until something changes.
#[derive(Clone, Debug)]
enum LastResult {
    Nothing,
    Sat,
    /// With the assumptions as entered.
    Unsat(Vec<String>),
    Unknown(Exhausted),
    /// The assertions have a model, but some assertions were rejected.
    Incomplete,
}

/// An assertion of the solver.
#[derive(Clone, Copy, Debug)]
struct AssertedFormula {
    formula: TermId,
    label: Option<Label>,
}

/// State of the execution of a script.
pub struct Session {
    environment: Environment,
    frontend: Frontend,
    solver: Solver,
    /// The assertions of the solver by scope, starting with those outside of all scopes. The scopes are the levels of
    /// the script that have assertions.
    asserted: Vec<Vec<AssertedFormula>>,
    options: Options,
    last: LastResult,
    /// Number of terms above which obsolete ones are dropped.
    max_terms: usize,
    /// Whether a check found a structure that is not a model.
    is_defect: bool,
}

/// Work units for the values requested by one command.
const EVALUATION: u64 = 100_000_000;

/// Minimum size of an arena to be compacted.
const MIN_COMPACTED_TERMS: usize = 50_000;

impl Session {
    /// Creates a session at the start of a script.
    pub fn new(environment: Environment) -> Session {
        let options = Options {
            seed: environment.seed,
            work: environment.work,
            minimal_models: environment.minimal_models,
            ..Options::default()
        };
        let mut session = Session {
            frontend: Frontend::new(),
            solver: Solver::with_seed(options.seed),
            asserted: vec![Vec::new()],
            options,
            last: LastResult::Nothing,
            max_terms: MIN_COMPACTED_TERMS,
            is_defect: false,
            environment,
        };
        session.solver.set_clock(session.environment.clock);
        session
    }

    /// Executes a whole script. Returns an answer for each command up to `exit`.
    pub fn run(&mut self, script: &str) -> Vec<Response> {
        let mut reader = Reader::new();
        reader.feed(script.as_bytes());
        let mut responses = Vec::new();
        loop {
            let form = match reader.next_form() {
                Some(form) => form,
                None => match reader.finish() {
                    Some(form) => form,
                    None => return responses,
                },
            };
            responses.push(self.execute(&form));
            if responses.last() == Some(&Response::Exit) {
                return responses;
            }
        }
    }

    /// Returns the statistics of the solver.
    pub fn stats(&self) -> epr::Stats {
        self.solver.stats()
    }

    /// Checks whether a check found a structure that is not a model. This is a defect, and was answered with an error.
    pub fn is_defect(&self) -> bool {
        self.is_defect
    }

    /// Returns the reason why the last check answered `unknown`, if it did, in SMT-LIB syntax.
    pub fn reason(&self) -> Option<String> {
        match &self.last {
            LastResult::Unknown(exhausted) => Some(reason(*exhausted).to_owned()),
            LastResult::Incomplete => Some("\"an assertion was refused\"".to_owned()),
            LastResult::Nothing | LastResult::Sat | LastResult::Unsat(_) => None,
        }
    }

    /// Executes one command.
    pub fn execute(&mut self, form: &Form<'_>) -> Response {
        let error = |at: usize, message: &str, hint: &str| {
            let (line, column) = form.line_column(at);
            let hint = if hint.is_empty() { String::new() } else { format!("; {hint}") };
            Response::Error(format!("line {line} column {column}: {message}{hint}"))
        };
        if let Some(wrong) = &form.error {
            self.frontend.note_unreadable();
            return error(wrong.start, &wrong.message, &wrong.hint);
        }
        let mut budget = Budget::new(None, (self.environment.probe)(self.options.timeout));
        let (sig, terms) = self.solver.language_mut();
        let command = match self.frontend.command_within(sig, terms, &form.text, &mut budget) {
            Ok(command) => command,
            Err(wrong) => return error(wrong.start, &wrong.message, &wrong.hint),
        };
        match self.execute_command(command) {
            Response::Error(message) => error(0, &message, ""),
            Response::Silent if self.options.print_success => Response::Success,
            response => response,
        }
    }

    fn execute_command(&mut self, command: Command) -> Response {
        match command {
            Command::Assert
            | Command::Declared
            | Command::Defined
            | Command::Push(_)
            | Command::Pop(_)
            | Command::ResetAssertions => self.last = LastResult::Nothing,
            Command::SetLogic(_) | Command::SetInfo { .. } => {}
            Command::SetOption { keyword, value } => return self.set_option(&keyword, &value),
            Command::CheckSat => return self.check(&[]),
            Command::CheckSatAssuming(assumptions) => return self.check(&assumptions),
            Command::Echo(text) => return Response::Echo(text),
            Command::Exit => return Response::Exit,
            Command::Reset => {
                *self = Session { is_defect: self.is_defect, ..Session::new(self.environment.clone()) };
            }
            Command::GetModel => return self.with_model(|names, _| Response::Model(names.model())),
            Command::Eval(entered) => {
                return self.with_model(|names, eval| Response::Value(value(names, eval, entered.term)));
            }
            Command::GetValue(entered) => {
                return self.with_model(|names, eval| {
                    let values = entered.into_iter();
                    let values =
                        values.map(|entered| (entered.text.into(), value(names, eval, entered.term)));
                    Response::Values(values.collect())
                });
            }
            Command::GetAssignment => return self.assignment(),
            Command::GetUnsatCore => return self.core(),
            Command::GetUnsatAssumptions => return self.failed_assumptions(),
            Command::GetAssertions => {
                let assertions = self.frontend.assertions().iter().filter(|assertion| !assertion.implicit);
                return Response::Formulas(assertions.map(|assertion| assertion.text.to_string()).collect());
            }
            Command::GetOption(keyword) => {
                return match self.options.get(&keyword) {
                    Some(value) => Response::Setting(value),
                    None => Response::Unsupported(keyword),
                };
            }
            Command::GetInfo(keyword) => return self.info(&keyword),
            Command::GetProof => {
                let hint = "`ramsey solve --certify FILE` writes certificates, which `ramsey-check` checks";
                return Response::Error(format!("proofs are not given in sessions; {hint}"));
            }
            Command::Unsupported(what) => return Response::Unsupported(what),
        }
        Response::Silent
    }

    fn set_option(&mut self, keyword: &str, value: &ramsey_lang::smtlib::Value) -> Response {
        let (seed, cores) = (self.options.seed, self.options.cores);
        if let Err(response) = self.options.set(keyword, value) {
            return response;
        }
        if self.options.seed != seed {
            self.reset_solver();
        }
        // Without labels the last check has no core.
        if self.options.cores != cores && matches!(self.last, LastResult::Unsat(_)) {
            self.last = LastResult::Nothing;
        }
        Response::Silent
    }

    /// Removes all assertions from the solver, and applies the current seed.
    fn reset_solver(&mut self) {
        self.solver = fresh(&mut self.solver, &self.options, &self.environment);
        self.asserted = vec![Vec::new()];
        self.last = LastResult::Nothing;
    }

    /// Drops obsolete terms and declarations if there are many.
    fn tidy(&mut self) {
        let (sig, terms) = self.solver.language_mut();
        if terms.len() <= self.max_terms {
            return;
        }
        self.frontend.compact(sig, terms);
        self.max_terms = MIN_COMPACTED_TERMS.max(4 * terms.len());
        self.reset_solver();
    }

    /// Updates the solver to the current assertions of the script. Existing assertions are kept level by level from the
    /// outermost, even if levels were popped and the same formulas asserted again.
    fn synchronize(&mut self) {
        let assertions = self.frontend.assertions();
        let with_labels = self.options.cores;
        let wanted =
            |index: usize| (assertions[index].formula, with_labels && assertions[index].name.is_some());
        let levels = self.frontend.levels();
        let end_of =
            |level: usize| if level < levels { self.frontend.level_begin(level) } else { assertions.len() };
        let mut begin = 0;
        let mut depth = 0;
        for level in 0..=levels {
            let end = end_of(level);
            if begin == end && level > 0 {
                continue;
            }
            if depth == self.asserted.len() {
                self.solver.push();
                self.asserted.push(Vec::new());
            }
            let asserted = &self.asserted[depth];
            let same = |&(index, asserted): &(usize, &AssertedFormula)| {
                wanted(index) == (asserted.formula, asserted.label.is_some())
            };
            let mut known = (begin..end).zip(asserted).take_while(same).count();
            if known < asserted.len() {
                // Some formula of this level is no longer asserted.
                known = 0;
                if depth == 0 {
                    self.solver = fresh(&mut self.solver, &self.options, &self.environment);
                    self.asserted.clear();
                } else {
                    self.solver.pop_to(depth - 1);
                    self.asserted.truncate(depth);
                    self.solver.push();
                }
                self.asserted.push(Vec::new());
            }
            if begin + known < end {
                self.solver.pop_to(depth);
                self.asserted.truncate(depth + 1);
                for index in begin + known..end {
                    let (formula, labelled) = wanted(index);
                    let label = self.solver.assert_closed(formula, labelled);
                    self.asserted[depth].push(AssertedFormula { formula, label });
                }
            }
            depth += 1;
            begin = end;
        }
        self.solver.pop_to(depth - 1);
        self.asserted.truncate(depth);
    }

    fn check(&mut self, assumptions: &[SourceTerm]) -> Response {
        // Compaction would lose the terms of assumptions. Scripts with many assumptions have assertions in between.
        if assumptions.is_empty() {
            self.tidy();
        }
        self.synchronize();
        let probe = (self.environment.probe)(self.options.timeout);
        let mut budget = Budget::new(self.options.work, probe);
        let terms: Vec<Term> = assumptions.iter().map(|entered| Term(entered.term)).collect();
        let answer = match self.solver.check_assuming(&terms, &mut budget) {
            Ok(answer) => answer,
            Err(misuse) => return Response::Error(misuse.to_string()),
        };
        event!(Info, QUERY, "check-sat under {} assumptions: {answer:?}", assumptions.len());
        let assumptions = assumptions.iter().map(|entered| entered.text.to_string()).collect();
        let (last, response) = match answer {
            Answer::Sat if self.frontend.lacks_assertions() => (LastResult::Incomplete, Response::Unknown),
            Answer::Sat => {
                if self.options.minimal_models {
                    let measures = self.measures();
                    if let Err(misuse) = self.solver.minimal_model(&measures, &mut budget) {
                        return Response::Error(misuse.to_string());
                    }
                }
                (LastResult::Sat, Response::Sat)
            }
            Answer::Unsat => {
                if self.options.minimal_cores
                    && (self.options.cores || self.options.assumptions)
                    && let Err(misuse) = self.solver.minimal_core(&[], &mut budget)
                {
                    return Response::Error(misuse.to_string());
                }
                (LastResult::Unsat(assumptions), Response::Unsat)
            }
            Answer::Unknown(exhausted) => (LastResult::Unknown(exhausted), Response::Unknown),
            Answer::Defect => {
                self.is_defect = true;
                let message = "internal error: the structure that was found is no model";
                (LastResult::Nothing, Response::Error(message.to_owned()))
            }
        };
        self.last = last;
        response
    }

    /// Returns the default measures: the number of elements, then the numbers of tuples of relations.
    fn measures(&self) -> Vec<Measure> {
        let sig = self.solver.signature();
        let relations = self.frontend.symbols().map(|live| live.sym);
        let relations =
            relations.filter(|&sym| sig.symbols[sym].is_relation() && !sig.symbols[sym].args.is_empty());
        std::iter::once(Measure::Elements).chain(relations.map(|sym| Measure::Positive(sym, 0))).collect()
    }

    /// Answers a command from the model of the last check.
    fn with_model(&self, answer: impl FnOnce(&Names<'_>, &mut Evaluator<'_>) -> Response) -> Response {
        if !self.options.models {
            return disabled("models", ":produce-models");
        }
        let (LastResult::Sat, Ok(model)) = (&self.last, self.solver.model()) else {
            let message =
                "there is no model: the last check did not answer `sat`, or something has changed since";
            return Response::Error(message.to_owned());
        };
        let sig = self.solver.signature();
        // A requested term may be the first of its sort.
        let mut structure = model.structure().clone();
        structure.grow_to(sig);
        let names = Names::new(&self.frontend, sig, &structure);
        let mut eval = Evaluator::new(self.solver.terms().over(sig), &structure);
        let probe = (self.environment.probe)(self.options.timeout);
        eval.budget = Budget::new(self.options.work, probe).grace(EVALUATION);
        let response = answer(&names, &mut eval);
        match eval.exhausted {
            Some(exhausted) => Response::Error(format!("the value could not be computed: {exhausted}")),
            None => response,
        }
    }

    fn assignment(&self) -> Response {
        if !self.options.assignments {
            return disabled("assignments", ":produce-assignments");
        }
        let labels: Vec<(String, TermId)> =
            self.frontend.labels().map(|(name, term)| (quote(name).into_owned(), term)).collect();
        self.with_model(|_, eval| {
            let formulas =
                labels.into_iter().filter(|&(_, term)| eval.syntax.terms.sort(term) == SortId::BOOL);
            let formulas: Vec<(String, TermId)> = formulas.collect();
            let values = formulas.into_iter().map(|(name, term)| (name, eval.holds(term)));
            Response::Assignment(values.collect())
        })
    }

    /// Returns the causes of the last answer `unsat`, and the assumptions of the check.
    fn causes(&self) -> Result<(&[Cause], &[String]), Response> {
        match (&self.last, self.solver.core()) {
            (LastResult::Unsat(assumptions), Ok(causes)) => Ok((causes, assumptions)),
            _ => {
                let message =
                    "there is no core: the last check did not answer `unsat`, or something has changed since";
                Err(Response::Error(message.to_owned()))
            }
        }
    }

    fn core(&self) -> Response {
        if !self.options.cores {
            return disabled("unsat cores", ":produce-unsat-cores");
        }
        let (causes, assumptions) = match self.causes() {
            Ok(found) => found,
            Err(response) => return response,
        };
        let asserted = self.asserted.iter().flatten();
        let named = asserted.zip(self.frontend.assertions()).filter_map(|(asserted, assertion)| {
            let label = asserted.label.filter(|&label| causes.contains(&Cause::Label(label)))?;
            Some((label, quote(assertion.name.as_deref()?).into_owned()))
        });
        let mut names: Vec<String> = named.map(|(_, name)| name).collect();
        // Z3 lists assumptions among the causes, and its clients expect this. A formula that is both asserted under a
        // name and assumed by it is listed once.
        let mut listed: Set<String> = names.iter().cloned().collect();
        names.extend(failed(causes, assumptions).filter(|text| listed.insert(text.clone())));
        Response::Names(names)
    }

    fn failed_assumptions(&self) -> Response {
        if !self.options.assumptions && !self.options.cores {
            return disabled("unsat assumptions", ":produce-unsat-assumptions");
        }
        match self.causes() {
            Ok((causes, assumptions)) => Response::Names(failed(causes, assumptions).collect()),
            Err(response) => response,
        }
    }

    fn info(&self, keyword: &str) -> Response {
        let text = match keyword {
            ":name" => "\"ramsey\"".to_owned(),
            ":version" => format!("\"{}\"", env!("CARGO_PKG_VERSION")),
            ":authors" => "\"the authors of ramsey\"".to_owned(),
            ":error-behavior" => "continued-execution".to_owned(),
            ":assertion-stack-levels" => self.frontend.levels().to_string(),
            ":reason-unknown" => match self.reason() {
                Some(reason) => reason,
                None => {
                    let message = "there is no reason: the last check did not answer `unknown`";
                    return Response::Error(message.to_owned());
                }
            },
            ":all-statistics" => {
                let stats = self.stats();
                let rows = stats.printed().map(|(name, value)| (format!(":{name}"), value.to_string()));
                return Response::Info(rows.collect());
            }
            _ => return Response::Unsupported(keyword.to_owned()),
        };
        Response::Info(vec![(keyword.to_owned(), text)])
    }
}

/// Creates a solver over the same declarations and terms, without assertions.
fn fresh(solver: &mut Solver, options: &Options, environment: &Environment) -> Solver {
    let (sig, terms) = solver.language_mut();
    let mut fresh = Solver::over(std::mem::take(sig), std::mem::take(terms), options.seed);
    fresh.set_clock(environment.clock);
    fresh
}

fn disabled(what: &str, option: &str) -> Response {
    Response::Error(format!("{what} are not enabled; use `(set-option {option} true)` before the check"))
}

/// Iterates over the assumptions among these causes.
fn failed<'a>(causes: &'a [Cause], assumptions: &'a [String]) -> impl Iterator<Item = String> + 'a {
    causes.iter().filter_map(|cause| match *cause {
        Cause::Assumption(index) => assumptions.get(index).cloned(),
        Cause::Label(_) => None,
    })
}

/// Returns the reason of an exhausted check, in the terms of SMT-LIB and Z3.
fn reason(exhausted: Exhausted) -> &'static str {
    match exhausted {
        Exhausted::QueryTime | Exhausted::RunTime => "\"timeout\"",
        Exhausted::Memory => "memout",
        Exhausted::Cancelled => "\"canceled\"",
        Exhausted::Work | Exhausted::DefaultWork => "\"max. resource limit exceeded\"",
        Exhausted::FormulaSize
        | Exhausted::Arithmetic
        | Exhausted::Numbers
        | Exhausted::Temporal
        | Exhausted::Tactic
        | Exhausted::Admitted => "incomplete",
    }
}

/// Returns the value of a term in the model.
fn value(names: &Names<'_>, eval: &mut Evaluator<'_>, term: TermId) -> String {
    let value: Elem = eval.eval(term);
    names.element(eval.syntax.terms.sort(term), value)
}
