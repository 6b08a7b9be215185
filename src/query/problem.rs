//! Bare problems: whether the hypotheses of a query imply its goal, with a certificate of each answer.

use std::collections::BTreeSet;
use std::sync::Arc;

use super::verify::Limits;
use crate::ask::{Failure, Meter, Statistics, evaluation_budget, judge};
use crate::base::budget::{Budget, Exhausted};
use crate::epr::{Clock, Measure, Measures};
use crate::logic::{Problem, Structure, SymId, TermId};
use crate::prove::{self, Certificate, Certified, Certifier, Foundation};
use crate::vc::problem::group;
use crate::vc::{Group, Obligations};

/// How to answer.
#[derive(Clone, Debug)]
pub struct Options {
    /// Make structures small.
    pub minimize: bool,
    /// Make exports for other checkers of each proof.
    pub export: bool,
    /// Seed of the search.
    pub seed: u64,
    /// Measures time by this clock; without it times are 0.
    pub clock: Option<Clock>,
}

impl Default for Options {
    fn default() -> Self {
        Options { minimize: true, export: false, seed: 0, clock: None }
    }
}

/// The answer to a query.
#[derive(Clone, Debug)]
pub enum Outcome {
    /// The hypotheses imply the goal.
    Proved,
    /// They do not: in this structure, over the problem's signature, they are true and the goal is not. Evaluated, not
    /// believed.
    Refuted(Box<Structure>),
    /// A budget ran out.
    Unknown(Exhausted),
    /// The tool contradicted itself; neither proved nor refuted.
    InternalError(String),
}

/// A query with its answer.
#[derive(Clone, Debug)]
pub struct QueryResult {
    /// Index into [`Problem::queries`].
    pub query: usize,
    /// The line that asks.
    pub line: usize,
    /// The answer.
    pub outcome: Outcome,
    /// Its certificate, if it has one: a structure may be too large for the kernel to evaluate.
    pub certificate: Option<Certificate>,
    /// What it cost.
    pub statistics: Statistics,
}

/// Answers all queries of a problem.
pub fn answers(problem: &Problem, options: &Options, limits: &Limits) -> Vec<QueryResult> {
    let mut answering = Answering::new(problem, options.clone());
    (0..problem.queries.len()).filter_map(|query| answering.answer(query, limits)).collect()
}

/// The answering of a problem's queries. What a query and the next one have in common is asserted once.
#[derive(Debug)]
pub struct Answering<'a> {
    problem: &'a Problem,
    options: Options,
    /// Signature and arena of all obligations.
    obligations: Obligations,
    /// With the first hypotheses of the last query.
    foundation: Option<Arc<Foundation>>,
}

impl<'a> Answering<'a> {
    /// Prepares the queries of `problem`.
    pub fn new(problem: &'a Problem, options: Options) -> Self {
        Answering { problem, options, obligations: Obligations::of_queries(problem, &[]), foundation: None }
    }

    /// Answers the query with this index; `None` if there is no such query. Queries may be asked in any order; the one of
    /// the source is the fastest.
    pub fn answer(&mut self, query: usize, limits: &Limits) -> Option<QueryResult> {
        let group = group(self.problem, query)?;
        let mut budget = limits.budget();
        self.lay_foundation(&group, query, &mut budget);
        let Options { seed, clock, .. } = self.options;
        let foundation = self.foundation.as_ref();
        let mut certifier = Certifier::new(&self.obligations, &group, foundation, seed, clock, &mut budget);
        let meter = Meter::start(certifier.solver(), clock);
        let answer = self.certified(&mut certifier, &group, &mut budget);
        let statistics = meter.read(certifier.solver(), budget.spent());
        let (outcome, certificate) = answer.unwrap_or_else(|failure| {
            let outcome = match failure {
                Failure::Exhausted(exhausted) => Outcome::Unknown(exhausted),
                Failure::Internal(what) | Failure::Misuse(what) => Outcome::InternalError(what),
            };
            (outcome, None)
        });
        let line = self.problem.queries[query].line;
        Some(QueryResult { query, line, outcome, certificate, statistics })
    }

    /// Asserts what this query and the next one begin with, on top of what is known, as far as that serves.
    fn lay_foundation(&mut self, group: &Group, query: usize, budget: &mut Budget) {
        let own = group.hypotheses.iter().map(|it| it.formula);
        let next = self.problem.queries.get(query + 1).map_or(&[][..], |next| &next.hypotheses);
        let common = own.zip(next).take_while(|(own, next)| own == *next).count();
        let known = self.foundation.take();
        let known = known.and_then(|known| Some((known.shared(&group.hypotheses)?, known)));
        let laid = match known {
            Some((shared, known)) if shared >= common => known,
            Some((shared, known)) => Arc::new(known.extended(&group.hypotheses[shared..common], budget)),
            None => {
                let Options { seed, clock, .. } = self.options;
                let first = &group.hypotheses[..common];
                Arc::new(Foundation::new(&self.obligations, first, seed, clock, budget))
            }
        };
        // One query's budget is not to be the end of all others.
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

    /// Elements, then positive tuples of the relations that the query speaks of.
    fn measures(&self, group: &Group) -> Vec<Measure> {
        let Problem { sig, terms, .. } = self.problem;
        let formulas = group.hypotheses.iter().map(|it| it.formula).chain([group.goals[0].formula]);
        let symbols: BTreeSet<SymId> = formulas.flat_map(|formula| terms.symbols(formula)).collect();
        let is_relation = |sym: &SymId| sig.symbols[*sym].is_relation() && !sig.symbols[*sym].args.is_empty();
        let relations = symbols.into_iter().filter(is_relation).map(|sym| (sym, 0));
        Measures { relations: relations.collect() }.list()
    }

    /// Evaluates a structure against the query as it was asked. The certificate of what passes, if the kernel can judge
    /// it.
    fn judged(
        &self,
        structure: &Structure,
        group: &Group,
        mut budget: Budget,
    ) -> Result<Option<Certificate>, Failure> {
        let Problem { sig, terms, .. } = self.problem;
        let hypotheses: Vec<TermId> = group.hypotheses.iter().map(|it| it.formula).collect();
        let goal = group.goals[0].formula;
        let what = |at: usize| format!("assertion {}", at + 1);
        judge((sig, terms), structure, hypotheses.iter().copied(), goal, &mut budget, what)?;
        let text = || Certificate::Structure(prove::structure(&self.obligations.sig, structure));
        Ok(prove::can_be_judged(structure, terms, &hypotheses, goal).then(text))
    }
}
