//! Queries of bare problems: checks whether the hypotheses of a query imply its goal, with a certificate of each
//! answer.

use std::collections::BTreeSet;
use std::fmt;
use std::sync::Arc;

use super::verify::Limits;
use crate::elaborate::Certificate;
use crate::prove::{self, Certified, Certifier, Foundation};
use ramsey_core::base::budget::{Budget, Exhausted};
use ramsey_core::logic::{Problem, Structure, SymId, TermId};
use ramsey_kernel::obligations::problem::group;
use ramsey_kernel::obligations::{Group, Obligations};
use ramsey_solver::ask::{Failure, Meter, Statistics, evaluation_budget, judge};
use ramsey_solver::epr::{Clock, Measure, Measures};
use ramsey_solver::telemetry::{QUERY, event};

/// Options of the answers.
#[derive(Clone, Debug)]
pub struct Options {
    /// Minimize structures.
    pub minimize: bool,
    /// Export each proof for other checkers.
    pub export: bool,
    /// Seed of the search.
    pub seed: u64,
    /// Clock for time measurements; without it times are 0.
    pub clock: Option<Clock>,
}

impl Default for Options {
    fn default() -> Self {
        Options { minimize: true, export: false, seed: 0, clock: None }
    }
}

/// Answer to a query.
#[derive(Clone, Debug)]
pub enum Outcome {
    /// The hypotheses imply the goal.
    Proved,
    /// The hypotheses do not imply the goal: this structure, over the problem's signature, satisfies them and violates
    /// the goal. Confirmed by evaluation.
    Refuted(Box<Structure>),
    /// A budget ran out.
    Unknown(Exhausted),
    /// Internal inconsistency of the tool; neither proved nor refuted.
    InternalError(String),
}

impl fmt::Display for Outcome {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Outcome::Proved => f.write_str("proved"),
            Outcome::Refuted(_) => f.write_str("refuted"),
            Outcome::Unknown(exhausted) => write!(f, "unknown ({exhausted})"),
            Outcome::InternalError(what) => write!(f, "internal error: {what}"),
        }
    }
}

/// A query with its answer.
#[derive(Clone, Debug)]
pub struct QueryResult {
    /// Index into [`Problem::queries`].
    pub query: usize,
    /// Line of the query in the source.
    pub line: usize,
    /// The answer.
    pub outcome: Outcome,
    /// Certificate of the answer, if there is one: a structure may be too large for the kernel to evaluate.
    pub certificate: Option<Certificate>,
    /// Cost of the answer.
    pub statistics: Statistics,
}

/// Answers all queries of a problem.
pub fn answers(problem: &Problem, options: &Options, limits: &Limits) -> Vec<QueryResult> {
    let mut runner = QueryRunner::new(problem, options.clone());
    (0..problem.queries.len()).filter_map(|query| runner.answer(query, limits)).collect()
}

/// Answers the queries of a problem. Common hypotheses of consecutive queries are asserted once.
#[derive(Debug)]
pub struct QueryRunner<'a> {
    problem: &'a Problem,
    options: Options,
    /// Signature and term arena of all obligations.
    obligations: Obligations,
    /// Foundation with the first hypotheses of the last query.
    foundation: Option<Arc<Foundation>>,
}

impl<'a> QueryRunner<'a> {
    /// Prepares the queries of `problem`.
    pub fn new(problem: &'a Problem, options: Options) -> Self {
        QueryRunner { problem, options, obligations: Obligations::of_queries(problem, &[]), foundation: None }
    }

    /// Answers the query with this index; returns `None` if there is no such query. Queries may be answered in any
    /// order; the order of the source is the fastest.
    pub fn answer(&mut self, query: usize, limits: &Limits) -> Option<QueryResult> {
        let group = group(self.problem, query)?;
        let mut budget = limits.budget();
        self.lay_foundation(&group, query, &mut budget);
        let Options { seed, clock, .. } = self.options;
        let foundation = self.foundation.as_ref();
        let mut certifier = Certifier::new(&self.obligations, &group, foundation, seed, clock, &mut budget);
        let meter = Meter::start(Statistics::of_solver(certifier.solver()), clock);
        let answer = self.certified(&mut certifier, &group, &mut budget);
        let statistics = meter.read(&Statistics::of_solver(certifier.solver()), budget.spent());
        let (outcome, certificate) = answer.unwrap_or_else(|failure| {
            let outcome = match failure {
                Failure::Exhausted(exhausted) => Outcome::Unknown(exhausted),
                Failure::Internal(what) | Failure::Misuse(what) => Outcome::InternalError(what),
            };
            (outcome, None)
        });
        let line = self.problem.queries[query].line;
        event!(Info, QUERY, "query {} of line {line}: {outcome}", query + 1);
        Some(QueryResult { query, line, outcome, certificate, statistics })
    }

    /// Asserts the common first hypotheses of this query and the next one, reusing the existing foundation as far as
    /// possible.
    fn lay_foundation(&mut self, group: &Group, query: usize, budget: &mut Budget) {
        let own = group.hypotheses.iter().map(|it| it.formula);
        let next = self.problem.queries.get(query + 1).map_or(&[][..], |next| &next.hypotheses);
        let common = own.zip(next).take_while(|(own, next)| own == *next).count();
        let known = self.foundation.take();
        let known = known.and_then(|known| Some((known.shared(&group.hypotheses)?, known)));
        let laid = match known {
            Some((shared, known)) if shared >= common => known,
            Some((shared, known)) => {
                Arc::new(known.extended((shared..common).zip(&group.hypotheses[shared..common]), budget))
            }
            None => {
                let Options { seed, clock, .. } = self.options;
                let first = group.hypotheses[..common].iter().enumerate();
                Arc::new(Foundation::new(&self.obligations, first, seed, clock, budget))
            }
        };
        // An exhausted budget of one query must not affect the others.
        self.foundation = laid.is_complete().then_some(laid);
    }

    fn certified(
        &self,
        certifier: &mut Certifier,
        group: &Group,
        budget: &mut Budget,
    ) -> Result<(Outcome, Option<Certificate>), Failure> {
        budget.check()?;
        match certifier.answer(0, self.options.export, budget)? {
            Certified::Proof(proof, export) => Ok((Outcome::Proved, Some(Certificate::Proof(proof, export)))),
            Certified::NoProof => {
                Err(Failure::Internal("the refutation could not be written as a proof".into()))
            }
            Certified::Refuted => {
                let measures = if self.options.minimize { self.measures(group) } else { Vec::new() };
                let structure = certifier.structure(group.states, &measures, budget);
                let certificate = self.judged(&structure, group, evaluation_budget(budget))?;
                Ok((Outcome::Refuted(Box::new(structure)), certificate))
            }
        }
    }

    /// Returns the sizes of sorts, then the positive tuples of the relations in the query.
    fn measures(&self, group: &Group) -> Vec<Measure> {
        let Problem { sig, terms, .. } = self.problem;
        let formulas = group.hypotheses.iter().map(|it| it.formula).chain([group.goals[0].formula]);
        let symbols: BTreeSet<SymId> = formulas.flat_map(|formula| terms.symbols(formula)).collect();
        let is_relation = |sym: &SymId| sig.symbols[*sym].is_relation() && !sig.symbols[*sym].args.is_empty();
        let relations = symbols.into_iter().filter(is_relation).map(|sym| (sym, 0));
        Measures { relations: relations.collect() }.list()
    }

    /// Evaluates a structure against the original query. Returns the certificate of a confirmed structure if the
    /// kernel can evaluate it.
    fn judged(
        &self,
        structure: &Structure,
        group: &Group,
        mut budget: Budget,
    ) -> Result<Option<Certificate>, Failure> {
        let syntax = self.problem.syntax();
        let hypotheses: Vec<TermId> = group.hypotheses.iter().map(|it| it.formula).collect();
        let goal = group.goals[0].formula;
        let what = |at: usize| format!("assertion {}", at + 1);
        judge(syntax, structure, hypotheses.iter().copied(), goal, &mut budget, what)?;
        let can_be_judged = prove::can_be_judged(structure, syntax.terms, &hypotheses, goal);
        Ok(can_be_judged.then(|| Certificate::Structure(structure.clone())))
    }
}
