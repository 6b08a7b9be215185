//! Bounded model checking: searches for an execution of bounded length that ends in a state that violates a property.
//!
//! k-invariance as in section 4.1 of the Ivy paper (PLDI 2016), equation (3), for k = 0, 1, 2, ..: each length is
//! searched on top of the shorter ones, so the first counterexample has the fewest possible steps. The last step is
//! searched transition by transition with its effects substituted; the last state is searched only if that step is
//! satisfiable. Once lengths take long, executions are left out whose steps are in another order than those of one that is
//! searched (`commute`).
//!
//! Executions are those of the part of the system that the claims depend on (`cone`). One that ends in a violation there is
//! completed (`partial`).
//!
//! Interleaved with this, the search looks for a proof by induction that the targets hold at all depths (`induction`).

mod claims;
mod commute;
mod induction;
mod partial;

use std::fmt;
use std::sync::Arc;

use super::canonical::Renaming;
use super::deadlock::DeadlockFreedom;
use super::fragment::Cycle;
use super::numbers::execution_extends;
use super::outcome::Counterexample;
use super::unroll::{Call, Execution, Start, Unrolling};
use super::verify::Limits;
use crate::elaborate::Certificate;
use crate::prove::{Certified, Certifier};
use claims::Claims;
use commute::{Commuting, MIN_SPENT};
use induction::ProofSearch;
pub use induction::{Basis, LemmaAnswer, LemmaSearch, LemmaSource, Lemmas};
use ramsey_circuit::transition::cone;
use ramsey_core::base::budget::{Budget, Exhausted};
use ramsey_core::base::hash::Map;
use ramsey_core::logic::TermId;
use ramsey_core::system::{Site, System};
use ramsey_kernel::obligations::Relaxed;
use ramsey_kernel::obligations::{Group, GroupKind, Obligations, Origin, Property, Question};
use ramsey_solver::ask::{
    self, Context, Failure, Found, Judged, Meter, Size, Statistics, blame, holds, measures,
};
use ramsey_solver::epr::Clock;
use ramsey_solver::telemetry::{QUERY, event};

/// Size, in units of memory, up to which the solver keeps what shorter executions have taught it. The longer ones contain them, and
/// would have to be searched from nothing.
const KEPT: usize = 5_000_000;

/// A property of every reachable state.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Target {
    /// A property of the model.
    Model(Property),
    /// A closed formula of the system's arena, over step 0.
    Formula(TermId),
    /// Absence of deadlocks: some transition can be taken, as stated by this formula (see [`DeadlockFreedom`]).
    Deadlock(TermId),
}

impl Target {
    /// Returns the formula of the property.
    pub fn formula(self, system: &System) -> TermId {
        match self {
            Target::Model(property) => property.formula(system),
            Target::Formula(formula) | Target::Deadlock(formula) => formula,
        }
    }
}

/// Options of bounded model checking.
#[derive(Clone, Debug)]
pub struct Options {
    /// Properties to check, without repetitions. At least one is needed for a meaningful answer.
    pub targets: Vec<Target>,
    /// Number of steps of the longest executions to search.
    pub depth: u16,
    /// Minimize counterexamples.
    pub minimize: bool,
    /// Make a certificate of each answer. A formula among the targets has to be the last invariant of the system then
    /// ([`System::with_claim`]): an answer about another one is an internal error.
    pub certify: bool,
    /// Also search for a proof by induction with the model's invariants. Ignored with `certify`: certificates are per
    /// length.
    pub induction: bool,
    /// Where lemmas come from, with which the targets may be inductive. Ignored with `certify` as well.
    pub lemmas: Option<LemmaSource>,
    /// Work units for executions after which those are left out whose steps are in another order than those of one that is searched.
    /// No verdict depends on it.
    pub order_after: u64,
    /// Seed of the search.
    pub seed: u64,
    /// Clock for time measurements; without it times are 0.
    pub clock: Option<Clock>,
}

impl Options {
    /// Returns the options of a search for smallest violations, without certificates and induction.
    pub fn new(targets: Vec<Target>, depth: u16) -> Options {
        Options {
            targets,
            depth,
            minimize: true,
            certify: false,
            induction: false,
            lemmas: None,
            order_after: MIN_SPENT,
            seed: 0,
            clock: None,
        }
    }
}

/// Answer for the executions of one length.
#[derive(Clone, Debug)]
pub enum Outcome {
    /// No execution ends in a violation.
    Holds,
    /// This execution ends in a violation.
    Violated(Box<Violation>),
    /// A budget ran out.
    Unknown(Exhausted),
    /// An execution ends in a state in which only this transition, or others like it, may be possible. No formula over
    /// a single state expresses whether such a transition can be taken, so the search cannot exclude these states. See
    /// [`DeadlockFreedom::undecided`].
    Undecided(usize),
    /// Internal inconsistency of the tool.
    InternalError(String),
}

impl fmt::Display for Outcome {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Outcome::Holds => f.write_str("no violation"),
            Outcome::Violated(_) => f.write_str("violation"),
            Outcome::Unknown(exhausted) => write!(f, "unknown ({exhausted})"),
            Outcome::Undecided(_) => f.write_str("open"),
            Outcome::InternalError(what) => write!(f, "internal error: {what}"),
        }
    }
}

/// Execution that violates a property, confirmed by evaluation.
#[derive(Clone, Debug)]
pub struct Violation {
    /// The first target that the last state violates.
    pub target: Target,
    /// The execution, over the system's signature.
    pub counterexample: Counterexample,
}

/// Answer for one length, with its cost.
#[derive(Clone, Debug)]
pub struct Depth {
    /// Number of steps of the executions; `None` for the part that leads to the initial states.
    pub steps: Option<u16>,
    /// The answer.
    pub outcome: Outcome,
    /// Set if the answer is [`Outcome::Holds`] because the targets are part of an inductive invariant, and therefore hold at
    /// every length: what they are shown with.
    pub by_induction: Option<Basis>,
    /// Whether no execution with fewer steps ends in a violation. Otherwise a longer one was found first, and the lengths between
    /// the last answer and this one are open.
    pub is_shortest: bool,
    /// Certificates of the obligations behind the answer, if requested.
    pub certificates: Vec<(Origin, Certificate)>,
    /// Cost of the answer.
    pub statistics: Statistics,
}

/// Bounded model checking in progress. [`Bmc::advance`] answers one length at a time, like an iterator.
#[derive(Debug)]
pub struct Bmc {
    options: Options,
    system: Arc<System>,
    /// Properties of every reachable state.
    targets: Vec<Target>,
    /// Properties of the part that leads to the initial states.
    before: Vec<Target>,
    /// Obligations to certify, if certificates are requested.
    obligations: Option<Obligations>,
    /// Executions of the part of the system that the targets depend on.
    unrolling: Unrolling,
    /// How the claims are asked about.
    claims: Claims,
    proof: ProofSearch,
    /// Which steps are out of order, once that is known.
    commuting: Option<Commuting>,
    /// Set in a search for deadlocks.
    freedom: Option<Box<DeadlockFreedom>>,
    /// The length to search next; `None` before the initial states.
    next: Option<u16>,
    done: bool,
}

impl Bmc {
    /// Prepares the check of `system`.
    pub fn new(system: Arc<System>, options: Options) -> Bmc {
        let is_before =
            |target: &&Target| matches!(target, Target::Model(property) if property.is_before_init(&system));
        let (before, targets): (Vec<Target>, Vec<Target>) = options.targets.iter().partition(is_before);
        let obligations = options.certify.then(|| {
            Obligations::of_question(&system, &question(&system, (options.depth, false), &options.targets))
        });
        let claims = formulas(&system, &targets);
        let part = cone(&system, &claims).map_or_else(|| Arc::clone(&system), Arc::new);
        let mut unrolling = Unrolling::new(part, Start::Initial, options.seed, options.clock);
        unrolling.context_mut().keep_up_to(KEPT);
        let source = options.lemmas.filter(|_| !options.certify);
        let proof = ProofSearch::new(options.induction && !options.certify, source);
        let claims = Claims::new((&system, &unrolling), &formulas(&system, &before), &claims, options.depth);
        Bmc {
            options,
            system,
            targets,
            before,
            obligations,
            unrolling,
            claims,
            proof,
            commuting: None,
            freedom: None,
            next: None,
            done: false,
        }
    }

    /// Prepares a search for deadlocks instead of violations of the targets in `options`. Makes no certificates.
    pub fn deadlock(freedom: DeadlockFreedom, options: Options) -> Bmc {
        let targets = vec![Target::Deadlock(freedom.formula)];
        let options = Options { targets, certify: false, ..options };
        let mut bmc = Bmc::new(Arc::new(freedom.system.clone()), options);
        bmc.freedom = Some(Box::new(freedom));
        bmc
    }

    /// Prepares the check of a relaxed system, in whose executions elements may disappear. The targets belong to the
    /// relaxed system.
    pub fn relaxed(relaxed: &Relaxed, options: Options) -> Bmc {
        let mut bmc = Bmc::new(Arc::new(relaxed.system.clone()), options);
        bmc.unrolling.set_active(relaxed.active.clone());
        bmc
    }

    /// Returns the system being checked.
    pub fn system(&self) -> &Arc<System> {
        &self.system
    }

    /// Returns the target of a search for deadlocks: some transition can be taken.
    pub fn deadlock_target(&self) -> Option<Target> {
        self.freedom.as_ref().map(|freedom| Target::Deadlock(freedom.formula))
    }

    /// Returns the targets, as they were asked for.
    pub fn targets(&self) -> &[Target] {
        &self.options.targets
    }

    /// Returns the number of steps of the executions to search next.
    pub fn next_depth(&self) -> u16 {
        self.next.unwrap_or(0)
    }

    /// Returns a cycle that takes some questions out of stratified EPR, if there is one, with the smallest number of
    /// steps that it affects.
    pub fn cycle(&self) -> Option<(u16, &Cycle)> {
        let steps = [0, 0, 1];
        self.claims.cycles.iter().zip(steps).find_map(|(cycle, steps)| Some((steps, cycle.as_ref()?)))
    }

    /// Checks whether the next question lies outside stratified EPR.
    fn is_outside(&self) -> bool {
        let kind = match self.next {
            None => 0,
            Some(0) => 1,
            Some(_) => 2,
        };
        self.claims.cycles[kind].is_some()
    }

    /// Returns the claims about the initial states and those after them.
    fn formulas(&self) -> Vec<TermId> {
        formulas(&self.system, &self.targets)
    }

    /// Classifies a violation. In a search for deadlocks, the state is a deadlock if no transition, in its original
    /// form, can be taken.
    fn judged(&self, violation: Violation, limits: &Limits) -> Outcome {
        let Some(freedom) = &self.freedom else { return Outcome::Violated(Box::new(violation)) };
        let Counterexample { structure, calls, .. } = &violation.counterexample;
        let last = structure.state(&self.system().sig, calls.len());
        match freedom.enabled_transition(&last, &mut limits.budget()) {
            Ok(None) => Outcome::Violated(Box::new(violation)),
            Ok(Some(transition)) if freedom.undecided.contains(&transition) => Outcome::Undecided(transition),
            Ok(Some(_)) => Outcome::InternalError("a transition can be taken in a deadlock".to_owned()),
            Err(Failure::Exhausted(exhausted)) => Outcome::Unknown(exhausted),
            Err(Failure::Internal(what) | Failure::Misuse(what)) => Outcome::InternalError(what),
        }
    }

    /// Answers for the next length, within separate limits. Returns `None` after the last length, and after an answer
    /// other than [`Outcome::Holds`].
    pub fn advance(&mut self, limits: &Limits) -> Option<Depth> {
        if self.next.is_none() && self.before.is_empty() {
            self.next = Some(0);
        }
        if self.done || self.next.is_some_and(|next| next > self.options.depth) {
            return None;
        }
        let meter = Meter::start(self.unrolling.context().statistics(), self.options.clock);
        let mut budget = limits.budget_of(self.is_outside());
        let known = self.proof.known.as_ref().map(|known| known.violation.counterexample.calls.len());
        let answer = match self.next {
            // All shorter executions are excluded.
            Some(next) if known == Some(usize::from(next)) => {
                Ok(self.proof.known.take().map(|known| known.violation))
            }
            None => {
                let system = Arc::clone(&self.system);
                self.before_init(&system, &mut budget)
            }
            Some(0) => self.at_depth(false, &mut budget),
            Some(_) => self.next_length(&mut budget),
        };
        let answer = answer.and_then(|violation| {
            let known = self.proof.known.take_if(|known| violation.is_none() && known.is_over);
            let is_shortest = known.is_none();
            let violation = violation.or(known.map(|known| known.violation));
            let certificates = self.certificates(violation.as_ref(), &mut budget)?;
            Ok((violation, is_shortest, certificates))
        });
        let statistics = meter.read(&self.unrolling.context().statistics(), budget.spent());
        let mut steps = self.next;
        let mut is_shortest = true;
        let (outcome, certificates) = match answer {
            Ok((None, _, certificates)) => (Outcome::Holds, certificates),
            Ok((Some(violation), shortest, certificates)) => {
                is_shortest = shortest;
                steps = steps.map(|_| violation.counterexample.calls.len() as u16);
                (self.judged(violation, limits), certificates)
            }
            Err(Failure::Exhausted(exhausted)) => (Outcome::Unknown(exhausted), Vec::new()),
            Err(Failure::Internal(what) | Failure::Misuse(what)) => {
                (Outcome::InternalError(what), Vec::new())
            }
        };
        self.done = !matches!(outcome, Outcome::Holds);
        self.next = Some(steps.map_or(0, |steps| steps + 1));
        event!(
            Info,
            QUERY,
            "executions of {} steps: {outcome}; {} queries, {} steps of work",
            steps.unwrap_or(0),
            statistics.queries,
            statistics.work
        );
        let by_induction = self.proof.found.filter(|_| matches!(outcome, Outcome::Holds));
        Some(Depth { steps, outcome, by_induction, is_shortest, certificates, statistics })
    }

    /// Returns the certificates of the answer for the current length.
    fn certificates(
        &self,
        violation: Option<&Violation>,
        budget: &mut Budget,
    ) -> Result<Vec<(Origin, Certificate)>, Failure> {
        let Some(obligations) = &self.obligations else { return Ok(Vec::new()) };
        let kind = self.next.map_or(GroupKind::Assertions(Site::Init), GroupKind::Bounded);
        let Some(group) = obligations.groups.iter().find(|group| group.kind == kind) else {
            return Ok(Vec::new());
        };
        let Some(Violation { target, counterexample }) = violation else {
            return proofs(obligations, group, self.options.seed, budget);
        };
        let Some(origin) = violated(&self.system, self.next, *target) else {
            return Err(Failure::Internal(
                "a formula that the system does not have cannot be certified".into(),
            ));
        };
        Ok(vec![(origin, Certificate::Structure(counterexample.structure.clone()))])
    }

    /// Searches the next length, after the first one.
    fn next_length(&mut self, budget: &mut Budget) -> Result<Option<Violation>, Failure> {
        self.proof.next_length();
        let lengths = self.options.depth - self.unrolling.depth();
        if self.is_proved(lengths, budget)? { Ok(None) } else { self.one_step_more(budget) }
    }

    /// Searches for a violating execution with one more step than the unrolling, and extends the unrolling. The last
    /// step is taken transition by transition with its effects substituted into the claims, so the last state need not
    /// be searched.
    fn one_step_more(&mut self, budget: &mut Budget) -> Result<Option<Violation>, Failure> {
        budget.check()?;
        self.order_steps(budget)?;
        let depth = self.unrolling.depth();
        if depth == 0 && !self.unrolling.is_relaxed() {
            self.unrolling.decide_transitions_first();
        }
        let terms = self.unrolling.context_mut().terms_mut();
        let asked: Vec<TermId> = self.claims.asked.iter().map(|claims| terms.and(claims)).collect();
        let transitions = 0..self.system.transitions.len();
        let mut is_known = false;
        for (transition, &claim) in transitions.flat_map(|it| asked.iter().map(move |claim| (it, claim))) {
            let mut conjuncts = self.unrolling.violation_conditions(transition, claim);
            conjuncts.extend(self.order_before(Some(transition), depth));
            self.unrolling.context_mut().pose(&conjuncts, budget);
            if self.search(budget)? {
                is_known = true;
                break;
            }
            if self.proof.is_settled() {
                return Ok(None);
            }
        }
        self.unrolling.extend(budget);
        self.assume_order(depth, budget);
        if is_known {
            return self.at_depth(true, budget);
        }
        self.assume_claims(budget);
        Ok(None)
    }

    /// Asserts of the last state what is assumed where all claims are known to hold.
    fn assume_claims(&mut self, budget: &mut Budget) {
        let depth = self.unrolling.depth();
        for &claim in &self.claims.assumed {
            let here = self.unrolling.at(claim, depth);
            self.unrolling.context_mut().assume(here, budget);
        }
    }

    /// Searches for an execution of the unrolling's depth whose last state violates a target. If `is_known` is set,
    /// such an execution exists, and not finding one is an error.
    fn at_depth(&mut self, is_known: bool, budget: &mut Budget) -> Result<Option<Violation>, Failure> {
        budget.check()?;
        let system = Arc::clone(&self.system);
        let depth = self.unrolling.depth();
        let claims = self.formulas();
        let claim = self.unrolling.context_mut().terms_mut().and(&claims);
        let here = self.unrolling.at(claim, depth);
        let context = self.unrolling.context_mut();
        let negated = context.terms_mut().not(here);
        context.pose(&[negated], budget);
        let is_found =
            if is_known { self.unrolling.context_mut().search(&[], budget)? } else { self.search(budget)? };
        if !is_found {
            if self.proof.is_settled() && !is_known {
                return Ok(None);
            }
            if is_known {
                return Err(Failure::Internal("two searches disagree about an execution".into()));
            }
            self.assume_claims(budget);
            return Ok(None);
        }
        let execution = self.unrolling.execution(self.options.minimize, &mut |_, _, _| true, budget)?;
        let violation = if self.is_partial() {
            self.completed(&execution.calls, budget)?
        } else {
            violation(&system, &self.targets, execution, budget)?
        };
        Ok(Some(violation))
    }

    /// Searches for a violation in the part that leads to the initial states.
    fn before_init(&self, system: &System, budget: &mut Budget) -> Result<Option<Violation>, Failure> {
        let mut context =
            Context::new(system.sig.clone(), system.terms.clone(), self.options.seed, self.options.clock);
        for axiom in &system.axioms {
            context.assume(axiom.formula, budget);
        }
        let claims = formulas(system, &self.before);
        let claim = context.terms_mut().and(&claims);
        let negated = &[context.terms_mut().not(claim)];
        let measures = self.options.minimize.then(|| measures(&system.sig, 1).list());
        let size = Size::by(measures.as_deref());
        let question = ask::Question { hypotheses: &[], negated, states: 1, size };
        let judge = |found: Found<'_>| {
            let Found { mut structure, mut budget, .. } = found;
            for axiom in &system.axioms {
                let formula = axiom.formula;
                if !holds(system.syntax(), &structure, &Map::default(), formula, &mut budget)? {
                    return Err(Failure::Internal("a model does not satisfy an axiom".into()));
                }
            }
            // Symbols assigned since then do not occur in the assertions.
            system.rewind(&system.sig, &mut structure);
            let execution = Execution { structure, calls: Vec::new() };
            violation(system, &self.before, execution, &mut budget)
        };
        match context.ask(&question, budget, judge)? {
            Judged::Proved(_) => Ok(None),
            Judged::Refuted(violation) => Ok(Some(violation)),
        }
    }
}

/// Returns the formulas of the targets.
fn formulas(system: &System, targets: &[Target]) -> Vec<TermId> {
    targets.iter().map(|it| it.formula(system)).collect()
}

/// Returns proofs of all obligations of a group.
pub(super) fn proofs(
    obligations: &Obligations,
    group: &Group,
    seed: u64,
    budget: &mut Budget,
) -> Result<Vec<(Origin, Certificate)>, Failure> {
    let mut certifier = Certifier::new(obligations, group, None, seed, None, budget);
    let mut proofs = Vec::new();
    for (index, goal) in group.goals.iter().enumerate() {
        match certifier.answer(index, false, budget)? {
            Certified::Proof(proof, export) => {
                proofs.push((goal.origin, Certificate::Proof(proof, export)));
            }
            Certified::Refuted => {
                return Err(Failure::Internal("two searches disagree about an obligation".into()));
            }
            Certified::NoProof => {
                return Err(Failure::Internal("the refutation could not be written as a proof".into()));
            }
        }
    }
    Ok(proofs)
}

/// Returns the property of the system that a target is.
fn property_of(system: &System, target: Target) -> Option<Property> {
    match target {
        Target::Model(property) => Some(property),
        Target::Formula(_) if system.beside.is_some() => {
            Some(Property::Invariant(system.invariants.len().checked_sub(1)?))
        }
        Target::Formula(_) | Target::Deadlock(_) => None,
    }
}

/// Returns the obligation that fails where the last state of an execution of so many steps violates a target; without a number, one of the part that
/// leads to the initial states. `None` if the system does not have the target.
pub fn violated(system: &System, steps: Option<u16>, target: Target) -> Option<Origin> {
    Some(match (steps, property_of(system, target)?) {
        (Some(steps), property) => Origin::Bounded { steps, property },
        (None, Property::Assertion(assertion)) => Origin::Assertion { assertion },
        (None, Property::Invariant(invariant)) => Origin::Initiation { invariant },
    })
}

/// Returns the question about those targets that the system has, up to a depth and perhaps of its relaxed form.
pub fn question(system: &System, (depth, relaxed): (u16, bool), targets: &[Target]) -> Question {
    let mut properties: Vec<Property> =
        targets.iter().filter_map(|&target| property_of(system, target)).collect();
    properties.sort_unstable();
    Question::Bounded { depth, relaxed, properties }
}

/// Returns a violation of the first target that is false in the last state. Elements get canonical names.
pub(super) fn violation(
    system: &System,
    targets: &[Target],
    execution: Execution,
    budget: &mut Budget,
) -> Result<Violation, Failure> {
    let Execution { structure, calls } = execution;
    let renaming = Renaming::new(system, &system.sig, &structure);
    let structure = renaming.structure(&system.sig, &structure);
    let calls: Vec<Call> = calls.iter().map(|call| renaming.call(system, call)).collect();
    let last = structure.state(&system.sig, calls.len());
    for &target in targets {
        let formula = target.formula(system);
        if !holds(system.syntax(), &last, &Map::default(), formula, budget)? {
            execution_extends(system, (&structure, &calls), formula, budget)?;
            let falsification = blame(system.syntax(), &last, formula, budget);
            let counterexample = Counterexample { structure, calls, falsification };
            return Ok(Violation { target, counterexample });
        }
    }
    Err(Failure::Internal("an execution satisfies the property that it is to violate".into()))
}
