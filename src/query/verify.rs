//! `verify`: initiation, consecution and theorems.
//!
//! A [`Plan`] is immutable once made; its groups can be run in any order and on any thread, and give the same
//! answers. Within a group axioms, invariants and transition are asserted once, and each negated goal is
//! opened and closed on top of them.

use std::sync::{Arc, OnceLock};

use super::fragment::{Cycle, Reader};
use super::outcome::{
    Breach, Call, Certificate, Counterexample, GroupResult, ObligationResult, Outcome, Statistics,
    Verification,
};
use super::vacuity::{self, Vacuity, Vacuous};
use crate::base::budget::{Budget, Exhausted, Probe};
use crate::epr::{Answer, Clock, Label, Measure, Measures, Minimum, PATIENCE, Solver};
use crate::logic::{Evaluator, Node, Structure, SymId, SymbolKind, TermId, VarId};
use crate::prove::{self, Certified, Certifier, Foundation};
use crate::system::{Site, System};
use crate::vc::{Group, GroupKind, HypothesisOrigin, Lean, Obligations, Origin, Question};

/// What to verify, and how.
#[derive(Clone, Debug)]
pub struct Options {
    /// [`Question::Verify`], or [`Question::Theorems`].
    pub question: Question,
    /// Indices of the transitions to check; all where empty. Where given, initiation is left out.
    pub transitions: Vec<usize>,
    /// Indices of the invariants to check; all where empty.
    pub invariants: Vec<usize>,
    /// Go on after the first failure of a group.
    pub all: bool,
    /// Make counterexamples minimal.
    pub minimize: bool,
    /// Report which hypotheses suffice, which costs some speed.
    pub cores: bool,
    /// Make a certificate of each answer.
    pub certify: bool,
    /// With certificates, make exports for other checkers too.
    pub export: bool,
    /// Seed of the search.
    pub seed: u64,
    /// Measures time by this clock; without it times are 0.
    pub clock: Option<Clock>,
}

impl Default for Options {
    fn default() -> Self {
        Options {
            question: Question::Verify,
            transitions: Vec::new(),
            invariants: Vec::new(),
            all: false,
            minimize: true,
            cores: false,
            certify: false,
            export: false,
            seed: 0,
            clock: None,
        }
    }
}

/// Work units for completing a model and evaluating it, on top of the query's own.
const EVALUATION: u64 = 100_000_000;

/// Work units for the question whether a group's hypotheses can be satisfied at all, ..
const VACUITY: u64 = 10_000;
/// .. and one for so many that the group's obligations took.
const VACUITY_SHARE: u64 = 20;

/// Work units for a normal form that is only to be looked at.
const NORMAL_FORM: u64 = 1_000_000;

/// Makes the probe of one query, which begins at that moment.
pub type ProbeFactory = Arc<dyn Fn() -> Probe + Send + Sync>;

/// How much each query may spend.
#[derive(Clone, Default)]
pub struct Limits {
    /// Deterministic work units per query.
    pub work: Option<u64>,
    /// Makes the probe of one query, which begins at that moment.
    pub probe: Option<ProbeFactory>,
}

impl Limits {
    pub(super) fn budget(&self) -> Budget {
        Budget::new(self.work, self.probe.as_ref().map(|make| make()))
    }
}

/// A verification that is ready to run.
#[derive(Debug)]
pub struct Plan {
    system: Arc<System>,
    obligations: Obligations,
    options: Options,
    /// With the axioms asserted, once it is needed.
    base: OnceLock<Base>,
    /// With axioms, derived relations and invariants asserted, once it is needed.
    inductive: OnceLock<Base>,
    /// With nothing asserted, only brought into normal form.
    reader: OnceLock<Base>,
    /// What the proofs of consecution begin with, where certificates are asked for.
    foundation: OnceLock<Option<Arc<Foundation>>>,
}

/// A solver that groups start from, with the labels of what it has asserted.
#[derive(Clone, Debug)]
struct Base {
    solver: Solver,
    labels: Vec<(Label, HypothesisOrigin)>,
}

impl Base {
    fn assert(&mut self, formula: TermId, origin: HypothesisOrigin, labelled: bool) {
        if labelled {
            let label = self.solver.assert_labelled(formula);
            self.labels.push((label, origin));
        } else {
            self.solver.assert(formula);
        }
    }

    fn assert_all(
        &mut self,
        hypotheses: impl IntoIterator<Item = (TermId, HypothesisOrigin)>,
        labelled: bool,
        budget: &mut Budget,
    ) {
        self.solver.swap_budget(budget);
        for (formula, origin) in hypotheses {
            self.assert(formula, origin, labelled);
        }
        self.solver.swap_budget(budget);
    }
}

impl Plan {
    /// Prepares the verification of `system`.
    pub fn new(system: Arc<System>, options: Options) -> Plan {
        let mut obligations = Obligations::of_question(&system, &options.question);
        select(&mut obligations, &options);
        Plan {
            system,
            obligations,
            options,
            base: OnceLock::new(),
            inductive: OnceLock::new(),
            reader: OnceLock::new(),
            foundation: OnceLock::new(),
        }
    }

    /// What the proofs of consecution begin with.
    fn foundation(&self, limits: &Limits) -> Option<&Arc<Foundation>> {
        let consecution = |group: &&Group| matches!(group.kind, GroupKind::Transition(_));
        let make = || {
            let first = self.obligations.groups.iter().find(consecution)?;
            // All but the transition itself, which comes last.
            let (_, hypotheses) = first.hypotheses.split_last()?;
            let Options { seed, clock, .. } = self.options;
            let budget = &mut limits.budget();
            Some(Arc::new(Foundation::new(&self.obligations, hypotheses, seed, clock, budget)))
        };
        self.foundation.get_or_init(make).as_ref()
    }

    fn empty(&self) -> Base {
        let Obligations { sig, terms, .. } = &self.obligations;
        let mut solver = Solver::new(sig.clone(), terms.clone(), self.options.seed);
        solver.set_clock(self.options.clock);
        Base { solver, labels: Vec::new() }
    }

    /// What search in a group starts from. What all groups share has a budget like that of a query.
    fn start(&self, is_inductive: bool, limits: &Limits) -> Base {
        let labelled = self.options.cores;
        let base = self.base.get_or_init(|| {
            let mut base = self.empty();
            let axioms = self.system.axioms.iter().enumerate();
            let axioms = axioms.map(|(index, axiom)| (axiom.formula, HypothesisOrigin::Axiom(index)));
            base.assert_all(axioms, labelled, &mut limits.budget());
            base
        });
        if !is_inductive {
            return base.clone();
        }
        let inductive = self.inductive.get_or_init(|| {
            let mut inductive = base.clone();
            let derived = self.system.derived.iter().enumerate();
            let derived = derived.map(|(index, it)| (it.axiom, HypothesisOrigin::Derived(index, 0)));
            let invariants = self.system.invariants.iter().enumerate();
            let invariants = invariants.map(|(index, it)| (it.formula, HypothesisOrigin::Invariant(index)));
            inductive.assert_all(derived.chain(invariants), labelled, &mut limits.budget());
            inductive
        });
        inductive.clone()
    }

    /// The arena of a group in which nothing is searched, as long as proofs are found.
    fn read(&self, limits: &Limits) -> Base {
        let reader = self.reader.get_or_init(|| {
            let mut reader = self.empty();
            let axioms = self.system.axioms.iter().map(|axiom| axiom.formula);
            let invariants = self.system.invariants.iter().map(|invariant| invariant.formula);
            reader.solver.within(&mut limits.budget(), |solver| {
                for formula in axioms.chain(invariants) {
                    // What is too large will be found out where it is asserted.
                    let _ = solver.normal_form(formula);
                }
            });
            reader
        });
        reader.clone()
    }

    /// How many groups there are.
    pub fn groups(&self) -> usize {
        self.obligations.groups.len()
    }

    /// The obligations that will be answered.
    pub fn obligations(&self) -> &Obligations {
        &self.obligations
    }

    /// Answers the obligations of one group, in order. An index out of range has none.
    pub fn run_group(&self, group: usize, limits: &Limits) -> GroupResult {
        let Some(group) = self.obligations.groups.get(group) else { return GroupResult::default() };
        let mut run = GroupRun::new(self, group, limits);
        let mut results = Vec::new();
        let mut failed = false;
        for index in 0..group.goals.len() {
            let origin = group.goals[index].origin;
            if failed && !self.options.all {
                results.push(ObligationResult {
                    origin,
                    outcome: Outcome::Skipped,
                    certificate: None,
                    cycle: None,
                    statistics: Statistics::default(),
                });
                continue;
            }
            let (outcome, certificate, statistics) = run.answer(index, limits);
            failed |= matches!(outcome, Outcome::Fails(_));
            let cycle = run.cycle(index);
            results.push(ObligationResult { origin, outcome, certificate, cycle, statistics });
        }
        let (vacuity, statistics) = if failed { Default::default() } else { run.vacuity(&results, limits) };
        GroupResult { results, vacuity, statistics }
    }

    /// What would be vacuous if the hypotheses of this group could not be satisfied; `None` where others tell.
    fn vacuous(&self, group: &Group) -> Option<Vacuous> {
        match group.kind {
            GroupKind::Init => Some(Vacuous::Initial),
            GroupKind::Transition(index) => Some(Vacuous::Transition(index)),
            GroupKind::Assertions(_) | GroupKind::Bounded(_) | GroupKind::Trace(_) => None,
            // All theorems have the same axioms, and these are among the hypotheses of all other groups.
            GroupKind::Theorem(_) => {
                let first = self.obligations.groups.first().map(|first| first.kind);
                (first == Some(group.kind)).then_some(Vacuous::Axioms)
            }
        }
    }

    /// Puts the answers of all groups together, in the order of the groups.
    pub fn finish(self, groups: Vec<GroupResult>) -> Verification {
        let mut results: Vec<ObligationResult> = Vec::new();
        let mut vacuities: Vec<Vacuity> = Vec::new();
        let mut statistics = Statistics::default();
        for group in groups {
            group.results.iter().for_each(|result| statistics.add(&result.statistics));
            statistics.add(&group.statistics);
            results.extend(group.results);
            let known = |found: &Vacuity| vacuities.iter().any(|vacuity| vacuity.what == found.what);
            vacuities.extend(group.vacuity.filter(|found| !known(found)));
        }
        // Where there is no state at all the rest goes without saying.
        if vacuities.iter().any(|vacuity| vacuity.what == Vacuous::Axioms) {
            vacuities.retain(|vacuity| vacuity.what == Vacuous::Axioms);
        }
        Verification { obligations: self.obligations, results, vacuities, statistics }
    }

    /// Runs all groups, one after the other.
    pub fn run(self, limits: &Limits) -> Verification {
        let groups = (0..self.groups()).map(|group| self.run_group(group, limits)).collect();
        self.finish(groups)
    }
}

/// Drops the obligations that the options leave out.
fn select(obligations: &mut Obligations, options: &Options) {
    if !options.transitions.is_empty() {
        obligations.groups.retain(|group| {
            matches!(
                group.kind,
                GroupKind::Transition(index) | GroupKind::Assertions(Site::Transition(index))
                    if options.transitions.contains(&index)
            )
        });
    }
    if options.invariants.is_empty() {
        return;
    }
    for group in &mut obligations.groups {
        group.goals.retain(|goal| match goal.origin {
            Origin::Initiation { invariant } | Origin::Consecution { invariant, .. } => {
                options.invariants.contains(&invariant)
            }
            _ => false,
        });
    }
    obligations.groups.retain(|group| !group.goals.is_empty());
}

/// The answering of one group.
pub(super) struct GroupRun<'a> {
    plan: &'a Plan,
    pub(super) group: &'a Group,
    pub(super) lean: Lean,
    base: Base,
    fragment: Reader,
    /// Proves the plain obligations, where certificates are asked for.
    certifier: Option<Certifier>,
    /// Whether invariants are among the hypotheses.
    is_inductive: bool,
    /// Whether `base` has the hypotheses, and not only their normal forms.
    is_ready: bool,
    limits: Limits,
}

/// What the solvers of a group have done so far.
struct Done {
    engine: crate::epr::Stats,
    conflicts: u64,
    terms: usize,
}

impl<'a> GroupRun<'a> {
    /// Prepares a group, which has a budget like that of a query.
    pub(super) fn new(plan: &'a Plan, group: &'a Group, limits: &Limits) -> Self {
        let is_inductive = matches!(
            group.kind,
            GroupKind::Transition(_) | GroupKind::Assertions(Site::Transition(_) | Site::Final)
        );
        let Options { seed, clock, certify, .. } = plan.options;
        let mut base = if certify { plan.read(limits) } else { plan.start(is_inductive, limits) };
        let lean = Lean::new(&plan.system, &plan.obligations, base.solver.terms_mut(), group);
        let skip = if is_inductive { lean.shared } else { plan.system.axioms.len() };
        let mut budget = limits.budget();
        if !certify {
            base.assert_all(lean.hypotheses[skip..].iter().copied(), plan.options.cores, &mut budget);
        }
        // What could not be asserted is not tried again.
        if base.solver.unfinished().is_some() {
            budget = budget.part(0);
        }
        let fragment = Reader::new(&plan.obligations, &lean, |formula, read| {
            let normal = base.solver.within(&mut budget, |solver| solver.normal_form(formula));
            if let Ok(normal) = normal {
                read(base.solver.terms(), normal);
            }
        });
        let certifier = certify.then(|| {
            let foundation = plan.foundation(limits);
            Certifier::new(&plan.obligations, group, foundation, seed, clock, &mut budget)
        });
        let limits = limits.clone();
        GroupRun { plan, group, lean, base, fragment, certifier, is_inductive, is_ready: !certify, limits }
    }

    /// Asserts what search needs, unless that is done.
    fn make_ready(&mut self) {
        if !self.is_ready {
            self.base = self.plan.start(self.is_inductive, &self.limits);
            let Plan { system, obligations, options, .. } = self.plan;
            self.lean = Lean::new(system, obligations, self.base.solver.terms_mut(), self.group);
            let skip = if self.is_inductive { self.lean.shared } else { system.axioms.len() };
            let hypotheses = self.lean.hypotheses[skip..].iter().copied();
            self.base.assert_all(hypotheses, options.cores, &mut self.limits.budget());
            self.is_ready = true;
        }
    }

    /// Why the obligation lies outside stratified EPR, if it does. Not known where its normal form is too large.
    fn cycle(&mut self, index: usize) -> Option<Cycle> {
        let negated = self.base.solver.terms_mut().not(self.lean.goals[index]);
        let units = if self.base.solver.unfinished().is_some() { 0 } else { NORMAL_FORM };
        let mut budget = self.limits.budget().part(units);
        let normal = self.base.solver.within(&mut budget, |solver| solver.normal_form(negated)).ok()?;
        self.fragment.cycle(&self.plan.obligations, self.base.solver.terms(), &self.lean, normal)
    }

    fn answer(&mut self, index: usize, limits: &Limits) -> (Outcome, Option<Certificate>, Statistics) {
        let (answer, statistics) = self.measured(limits.budget(), |run, budget| {
            budget.check()?;
            if run.certifier.is_some() {
                run.certify(index, budget)
            } else {
                run.search(index, budget).map(|outcome| (outcome, None))
            }
        });
        let (outcome, certificate) = answer.unwrap_or_else(|exhausted| (Outcome::Unknown(exhausted), None));
        (outcome, certificate, statistics)
    }

    /// Whether nothing satisfies the hypotheses, after these answers.
    fn vacuity(&mut self, results: &[ObligationResult], limits: &Limits) -> (Option<Vacuity>, Statistics) {
        let Some(what) = self.plan.vacuous(self.group) else { return Default::default() };
        let spent: u64 = results.iter().map(|result| result.statistics.work).sum();
        let budget = limits.budget().part(VACUITY + spent / VACUITY_SHARE);
        let (found, statistics) = self.measured(budget, |run, budget| {
            budget.check()?;
            let labels: Vec<Label> = run.base.labels.iter().map(|&(label, _)| label).collect();
            let (sig, solver) = (&run.plan.obligations.sig, &mut run.base.solver);
            vacuity::vacuity(what, sig, &run.lean.hypotheses, solver, &labels, budget)
        });
        (found.unwrap_or_default(), statistics)
    }

    /// Asks a question, with what the answer cost.
    fn measured<T>(
        &mut self,
        mut budget: Budget,
        ask: impl FnOnce(&mut Self, &mut Budget) -> T,
    ) -> (T, Statistics) {
        let clock = self.plan.options.clock;
        let clock = || clock.map_or(0, |clock| clock());
        let started = clock();
        let before = self.done();
        let answer = ask(self, &mut budget);
        let after = self.done();
        let statistics = Statistics {
            queries: after.engine.checks - before.engine.checks,
            rounds: after.engine.rounds - before.engine.rounds,
            instances: after.engine.instances - before.engine.instances,
            lemmas: after.engine.lemmas - before.engine.lemmas,
            conflicts: after.conflicts - before.conflicts,
            terms: (after.terms - before.terms) as u64,
            work: budget.spent(),
            sat_ns: after.engine.sat_ns - before.engine.sat_ns,
            candidate_ns: after.engine.candidate_ns - before.engine.candidate_ns,
            join_ns: after.engine.join_ns - before.engine.join_ns,
            total_ns: clock().saturating_sub(started),
        };
        (answer, statistics)
    }

    fn done(&self) -> Done {
        let mut done = Done { engine: crate::epr::Stats::default(), conflicts: 0, terms: 0 };
        let solvers = [Some(&self.base.solver), self.certifier.as_ref().map(Certifier::solver)];
        for solver in solvers.into_iter().flatten() {
            done.engine.add(&solver.stats());
            done.conflicts += solver.sat_stats().conflicts;
            done.terms += solver.term_count();
        }
        done
    }

    /// Answers an obligation with a certificate: a proof on the plain obligation, or else the counterexample that the
    /// usual search finds.
    fn certify(
        &mut self,
        index: usize,
        budget: &mut Budget,
    ) -> Result<(Outcome, Option<Certificate>), Exhausted> {
        let Some(certifier) = &mut self.certifier else { return Ok((self.search(index, budget)?, None)) };
        match certifier.answer(index, self.plan.options.export, budget)? {
            Certified::Proof(proof, export) => {
                let outcome = if self.plan.options.cores {
                    self.search(index, budget)?
                } else {
                    Outcome::Holds { core: Vec::new() }
                };
                Ok((outcome, Some(Certificate::Proof(proof, export))))
            }
            Certified::NoProof => {
                let message = "the refutation could not be written as a proof";
                Ok((Outcome::InternalError(message.into()), None))
            }
            Certified::Refuted => match self.search(index, budget)? {
                Outcome::Fails(counterexample) => {
                    let sig = &self.plan.obligations.sig;
                    let text = prove::structure(sig, &counterexample.structure);
                    Ok((Outcome::Fails(counterexample), Some(Certificate::Structure(text))))
                }
                Outcome::Holds { .. } => {
                    let message = "two searches disagree about the obligation";
                    Ok((Outcome::InternalError(message.into()), None))
                }
                other => Ok((other, None)),
            },
        }
    }

    fn search(&mut self, index: usize, budget: &mut Budget) -> Result<Outcome, Exhausted> {
        let measures = self.plan.options.minimize.then(|| self.measures().list());
        let (outcome, _) = self.refute(index, measures.as_deref(), PATIENCE, budget)?;
        Ok(outcome)
    }

    /// Answers an obligation; a counterexample is minimal by the measures if any are given, as far as `patience` goes,
    /// and then the number says how many of them have their least value for certain.
    pub(super) fn refute(
        &mut self,
        index: usize,
        measures: Option<&[Measure]>,
        patience: u64,
        budget: &mut Budget,
    ) -> Result<(Outcome, usize), Exhausted> {
        self.make_ready();
        let solver = &mut self.base.solver;
        let labels: Vec<Label> = self.base.labels.iter().map(|&(label, _)| label).collect();
        solver.open_goal();
        let negated = solver.terms_mut().not(self.lean.goals[index]);
        solver.within(budget, |solver| solver.assert(negated));
        match solver.check(&labels, budget)? {
            Answer::Unsat => {
                let core = if self.plan.options.cores { self.core() } else { Vec::new() };
                Ok((Outcome::Holds { core }, 0))
            }
            Answer::Sat => {
                let states = self.group.states;
                let Minimum { mut structure, proved } = match measures {
                    Some(measures) => solver.minimize_by(&labels, measures, states, patience, budget),
                    None => Minimum { structure: solver.structure(states), proved: 0 },
                };
                let (sig, terms) = (&self.plan.obligations.sig, self.base.solver.terms());
                let mut budget = budget.grace(EVALUATION);
                self.lean.complete(sig, terms, &mut structure, &mut budget)?;
                Ok((self.counterexample(index, structure, budget)?, proved))
            }
        }
    }

    /// The hypotheses behind the last refutation. Updates have been substituted into the goal and have no label,
    /// so the formulas that they come from count as used: the transition, and derived relations after it.
    fn core(&self) -> Vec<HypothesisOrigin> {
        let labels = self.base.solver.core();
        let used = self.base.labels.iter().filter(|(label, _)| labels.contains(label));
        let mut core: Vec<HypothesisOrigin> = used.map(|&(_, origin)| origin).collect();
        if let GroupKind::Transition(index) = self.group.kind {
            core.extend((0..self.plan.system.derived.len()).map(|index| HypothesisOrigin::Derived(index, 1)));
            core.push(HypothesisOrigin::Transition(index));
        }
        core.sort_unstable();
        core.dedup();
        core
    }

    /// Tuples of relations, state by state, without what the model says not to minimize.
    fn measures(&self) -> Measures {
        let sig = &self.plan.obligations.sig;
        let relations: Vec<(SymId, SymbolKind)> = sig
            .symbols
            .iter_enumerated()
            .filter(|(_, symbol)| symbol.is_relation() && !symbol.args.is_empty())
            .filter(|(_, symbol)| !symbol.has_annotation("no_minimize"))
            .map(|(sym, symbol)| (sym, symbol.kind))
            .collect();
        let mut measures = Measures::default();
        for &(sym, kind) in &relations {
            if !kind.is_mutable() {
                measures.relations.push((sym, 0));
            }
        }
        for step in 0..self.group.states {
            for &(sym, kind) in &relations {
                if kind.is_mutable() && self.lean.is_searched(sym, step) {
                    measures.relations.push((sym, step));
                }
            }
        }
        measures
    }

    /// Evaluates a structure against the plain obligation. Only what passes is a counterexample.
    fn counterexample(
        &self,
        index: usize,
        structure: Structure,
        budget: Budget,
    ) -> Result<Outcome, Exhausted> {
        let Plan { system, obligations, .. } = self.plan;
        let goal = &self.group.goals[index];
        let mut eval = Evaluator::new(&obligations.sig, &obligations.terms, &structure);
        eval.budget = budget;
        let broken = self.group.hypotheses.iter().find(|hypothesis| !eval.holds(hypothesis.formula));
        let goal_holds = eval.holds(goal.formula);
        if let Some(exhausted) = eval.exhausted {
            return Err(exhausted);
        }
        if let Some(hypothesis) = broken {
            return Ok(Outcome::InternalError(format!(
                "a model does not satisfy the hypothesis {:?}",
                hypothesis.origin
            )));
        }
        if goal_holds {
            return Ok(Outcome::InternalError("a model satisfies the claim that it is to refute".into()));
        }
        // The invariant is reported as it was written, without primes: it is read in the last state.
        let (claim, view) = match goal.origin {
            Origin::Consecution { invariant, .. } => {
                (system.invariants[invariant].formula, structure.state(&obligations.sig, 1))
            }
            _ => (goal.formula, structure.clone()),
        };
        let breach = breach(&mut Evaluator::new(&obligations.sig, &obligations.terms, &view), claim);
        let mut calls = Vec::new();
        if let GroupKind::Transition(transition) = self.group.kind {
            let value = |&param| structure.interpretation(&obligations.sig, param, 0).get(&[]);
            calls.push(Call { transition, args: obligations.params[transition].iter().map(value).collect() });
        }
        Ok(Outcome::Fails(Box::new(Counterexample { structure, calls, breach })))
    }
}

/// Descends to the part of a false formula that is to blame.
pub(super) fn breach(eval: &mut Evaluator<'_>, mut formula: TermId) -> Breach {
    let mut bindings: Vec<(VarId, crate::logic::Elem)> = Vec::new();
    loop {
        match eval.terms.node(formula) {
            Node::And(args) => {
                let items = eval.terms.args(args);
                match items.iter().find(|&&item| !eval.holds(item)) {
                    Some(&item) => formula = item,
                    None => break,
                }
            }
            Node::Forall(vars, body) => {
                let Some(values) = eval.witness(vars, body, false) else { break };
                let vars: Vec<VarId> = eval.terms.bound_vars(vars).collect();
                for (var, value) in vars.into_iter().zip(values) {
                    eval.env.insert(var, value);
                    bindings.push((var, value));
                }
                formula = body;
            }
            _ => break,
        }
    }
    Breach { formula, bindings }
}
