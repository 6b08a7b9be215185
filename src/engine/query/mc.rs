//! Eager abstraction: whether the claims of a model hold in all reachable states, with any number of elements.
//!
//! Each claim has a circuit of its own ([`ramsey_circuit::eager`]), in which all claims are assumed of the past. So the claims
//! are proved together: if all circuits are safe, no claim is the first one to be violated. If the abstraction has an
//! execution that violates a claim, the decision procedure is asked for one of the model with the same transitions.

use std::sync::Arc;

use super::bmc::{Target, Violation, violation};
use super::verify::Limits;
use super::{trace, unroll};
use ramsey_circuit::eager::{
    self, Abstraction, Claim, Place, Refusal, Relevant, Scope, Step, Theory, is_implied,
};
use ramsey_circuit::hwmc;
use ramsey_core::base::budget::{Budget, Exhausted};
use ramsey_core::base::hash::{Map, Set};
use ramsey_core::base::span::Span;
use ramsey_core::logic::TermId;
use ramsey_core::system::{Assertion, Axiom, MAX_STEPS, Site, System, TraceCall, TraceStep};
use ramsey_kernel::obligations::Property;
use ramsey_lang::prophecy::Instance;
use ramsey_solver::ask::{Context, Failure};

/// Options of the answers.
#[derive(Clone, Copy, Debug)]
pub struct Options {
    /// Maximum number of nodes of a circuit's graph.
    pub max_nodes: usize,
    /// How often axioms and schemata are instantiated for the terms that there are.
    pub generations: usize,
    /// Seed of the search.
    pub seed: u64,
    /// Work units to find an execution of the model for one of the abstraction.
    pub replay: u64,
    /// Whether proofs are to have lemmas.
    pub lemmas: bool,
}

/// Work units to find an execution of the model for one of the abstraction.
const REPLAY: u64 = 20_000_000;

impl Options {
    /// Returns the options of answers without lemmas, with this seed.
    pub fn new(seed: u64) -> Options {
        let (max_nodes, generations) = (eager::MAX_NODES, eager::GENERATIONS);
        Options { max_nodes, generations, seed, replay: REPLAY, lemmas: false }
    }
}

/// The claims of a model, and what is known of its sorts.
#[derive(Clone, Debug)]
pub struct Claims {
    /// The model.
    model: Arc<System>,
    /// The system, in which assertions are goals.
    pub(super) system: System,
    pub(super) theory: Theory,
    /// The claims, each with the property of the model that it is.
    pub(super) claims: Vec<(Property, Claim)>,
    /// Claims of kinds that are not supported.
    unsupported: Vec<(Property, &'static str)>,
    /// What schemata say beyond the axioms of the model.
    assumed: Option<Assumed>,
}

/// What schemata say beyond the axioms of the model. Other commands do not assume it.
#[derive(Clone, Debug)]
struct Assumed {
    /// The schemata.
    schemata: Vec<Span>,
    /// What is known without them.
    theory: Theory,
}

impl Assumed {
    /// Returns the schemata whose instances are axioms of the system that the others do not imply; `None` if there are none.
    fn new(system: &System, instances: &[Instance], budget: &mut Budget) -> Option<Assumed> {
        let spans: Set<Span> = instances.iter().map(|instance| instance.span).collect();
        let is_said = |axiom: &&Axiom| spans.contains(&axiom.span);
        let mut context = Context::new(system.sig.clone(), system.terms.clone(), 0, None);
        for axiom in system.axioms.iter().filter(|it| !is_said(it)) {
            context.assume(axiom.formula, budget);
        }
        let mut schemata: Vec<Span> = Vec::new();
        for axiom in system.axioms.iter().filter(is_said) {
            if !schemata.contains(&axiom.span) && !is_implied(&mut context, axiom.formula, budget) {
                schemata.push(axiom.span);
            }
        }
        if schemata.is_empty() {
            return None;
        }
        let system = without(system, &schemata);
        let theory = Theory::new(&system, budget).with_instances(&system, instances, budget);
        Some(Assumed { schemata, theory })
    }
}

/// Returns a system without the axioms that schemata declare.
fn without(system: &System, schemata: &[Span]) -> System {
    let mut system = system.clone();
    system.axioms.retain(|axiom| !schemata.contains(&axiom.span));
    system
}

/// What is known of an execution of the abstraction.
#[derive(Clone, Debug)]
pub enum Replay {
    /// The model has this execution with the same transitions, which violates the claim.
    Real(Box<Violation>),
    /// The model has no execution with the first so many transitions, but for the last one of them.
    Blocked(usize),
    /// The model has executions with these transitions, and none of them violates the claim.
    Harmless,
    /// A budget ran out.
    Open(Exhausted),
    /// Internal inconsistency of the tool.
    InternalError(String),
}

/// An execution of an abstraction.
#[derive(Clone, Debug)]
pub struct Execution {
    /// Its states and steps.
    pub steps: Vec<Step>,
    /// What matters in each of them.
    pub relevant: Vec<Relevant>,
    /// What is known of it.
    pub replay: Replay,
}

/// The answer about a claim.
#[derive(Clone, Debug)]
pub enum Outcome {
    /// No execution violates the claim unless another claim was violated before.
    Safe {
        /// Number of clauses of the circuit's invariant.
        clauses: usize,
        /// Formulas that are inductive together with those of the other claims and the claims themselves, in the terms
        /// of the abstraction; none unless they were asked for.
        lemmas: Vec<TermId>,
        /// The schemata without which this is not known: what they say does not follow from the axioms of the model.
        schemata: Vec<Span>,
    },
    /// The abstraction has this execution that violates the claim.
    Violated(Box<Execution>),
    /// A budget ran out.
    Unknown(Exhausted),
    /// There is no circuit.
    Refused(Refusal),
    /// Internal inconsistency of the tool.
    InternalError(String),
}

/// The answer about a claim, with its circuit.
#[derive(Clone, Debug)]
pub struct Answer {
    /// The claim.
    pub property: Property,
    /// The answer.
    pub outcome: Outcome,
    /// The circuit, if there is one.
    pub abstraction: Option<Box<Abstraction>>,
    /// Cost of the search.
    pub stats: hwmc::Stats,
}

impl Answer {
    /// Returns the execution of the model that violates the claim, if one is known.
    pub fn violation(&self) -> Option<&Violation> {
        match &self.outcome {
            Outcome::Violated(execution) => match &execution.replay {
                Replay::Real(violation) => Some(violation),
                _ => None,
            },
            _ => None,
        }
    }
}

/// A circuit of a claim with its answer.
pub(super) struct Attempt {
    pub(super) abstraction: Abstraction,
    pub(super) found: hwmc::Outcome,
    stats: hwmc::Stats,
}

impl Outcome {
    /// Returns whether no execution violates the claim unless another one was violated before, whatever schemata say.
    pub fn is_safe(&self) -> bool {
        matches!(self, Outcome::Safe { schemata, .. } if schemata.is_empty())
    }
}

impl Claims {
    /// Reads the claims of a model. `system` is the model with goals in the place of assertions, and `goals` are
    /// formulas equivalent to invariants, by index, that are to be shown in their place. `instances` are those of
    /// schemata.
    pub fn new(
        model: Arc<System>,
        system: System,
        goals: &Map<usize, TermId>,
        instances: &[Instance],
        budget: &mut Budget,
    ) -> Claims {
        let theory = Theory::new(&system, budget).with_instances(&system, instances, budget);
        let assumed = Assumed::new(&system, instances, budget);
        let mut claims = Vec::new();
        let mut unsupported = Vec::new();
        for (index, invariant) in system.invariants.iter().enumerate().take(model.invariants.len()) {
            let claim = Claim {
                formula: invariant.formula,
                goal: goals.get(&index).copied().unwrap_or(invariant.formula),
                place: Place::State,
            };
            claims.push((Property::Invariant(index), claim));
        }
        for (index, assertion) in model.assertions.iter().enumerate() {
            let property = Property::Assertion(index);
            match (assertion.site, goal_of(&model, &system, index)) {
                (site, Some(goal)) => {
                    let place = match site {
                        Site::Init => Place::Before,
                        Site::Transition(transition) => Place::Step(transition),
                        // The loop may end in each state, and the formula speaks of that state.
                        Site::Final => Place::State,
                    };
                    claims.push((property, Claim { formula: goal.formula, goal: goal.formula, place }));
                }
                _ => unsupported.push((property, "the goal of the assertion was not found")),
            }
        }
        Claims { model, system, theory, claims, unsupported, assumed }
    }

    /// Returns the claims, also those that are not supported, in the order of the model.
    pub fn properties(&self) -> Vec<Property> {
        let claims = self.claims.iter().map(|&(property, _)| property);
        let all = claims.chain(self.unsupported.iter().map(|&(property, _)| property));
        let mut all: Vec<Property> = all.collect();
        all.sort_by_key(|&property| self.span(property));
        all
    }

    /// Answers for a claim.
    pub fn answer(&self, property: Property, options: &Options, budget: &mut Budget) -> Answer {
        let refused = |refusal| Answer {
            property,
            outcome: Outcome::Refused(refusal),
            abstraction: None,
            stats: hwmc::Stats::default(),
        };
        if let Some((_, what)) = self.unsupported.iter().find(|(other, _)| *other == property) {
            return refused(Refusal::Unsupported(what));
        }
        let Some((_, target)) = self.claims.iter().find(|(other, _)| *other == property) else {
            return refused(Refusal::Unexpected);
        };
        // Few constants and instances make a small circuit. Where it is too coarse, there are more.
        let first = self.attempt(&self.system, target, (Scope::Claim, 0), options, budget);
        let is_coarse = |it: &Attempt| !it.abstraction.is_full || options.generations > 0;
        let attempt = match first {
            Ok(first) if is_coarse(&first) && matches!(first.found, hwmc::Outcome::Unsafe(_)) => {
                self.attempt(&self.system, target, (Scope::Model, options.generations), options, budget)
            }
            first => first,
        };
        let Attempt { mut abstraction, found, stats } = match attempt {
            Ok(attempt) => attempt,
            Err(refusal) => return refused(refusal),
        };
        let outcome = match found {
            hwmc::Outcome::Safe(proof) => {
                self.proved(&self.system, target, (&mut abstraction, &proof), options, budget)
            }
            hwmc::Outcome::Unsafe(witness) => {
                let steps = abstraction.path(&witness);
                let replay = self.replay(property, &steps, options, budget);
                match replay {
                    Replay::InternalError(what) => Outcome::InternalError(what),
                    replay => {
                        let relevant = abstraction.relevant(&witness, &steps);
                        Outcome::Violated(Box::new(Execution { steps, relevant, replay }))
                    }
                }
            }
            hwmc::Outcome::Unknown { exhausted, .. } => Outcome::Unknown(exhausted),
            hwmc::Outcome::Defect => {
                Outcome::InternalError("the execution of the circuit that was found is none".into())
            }
        };
        Answer { property, outcome, abstraction: Some(Box::new(abstraction)), stats }
    }

    /// Makes the circuit of a claim and decides it. `system` has the terms of the claim.
    pub(super) fn attempt(
        &self,
        system: &System,
        target: &Claim,
        (scope, generations): (Scope, usize),
        options: &Options,
        budget: &mut Budget,
    ) -> Result<Attempt, Refusal> {
        self.attempt_with(&self.theory, system, target, (scope, generations), options, budget)
    }

    /// Makes the circuit of a claim with what is known of the sorts, and decides it.
    fn attempt_with(
        &self,
        theory: &Theory,
        system: &System,
        target: &Claim,
        (scope, generations): (Scope, usize),
        options: &Options,
        budget: &mut Budget,
    ) -> Result<Attempt, Refusal> {
        let claims: Vec<Claim> = self.claims.iter().map(|(_, claim)| claim.clone()).collect();
        let eager = eager::Options { max_nodes: options.max_nodes, scope, generations };
        let abstraction = Abstraction::new(system, theory, &claims, target, &eager)?;
        // Induction over several steps says nothing of a single state.
        let method = if options.lemmas { hwmc::Method::Reachability } else { hwmc::Method::All };
        let how = hwmc::Options { method, seed: options.seed };
        let found = hwmc::check(&abstraction.circuit, 0, &how, budget);
        let (found, stats) = found.unwrap_or_else(|| (hwmc::Outcome::Defect, hwmc::Stats::default()));
        Ok(Attempt { abstraction, found, stats })
    }

    /// Returns the outcome for a proof about the circuit of a claim, with lemmas if they are asked for. `system` has the terms
    /// of the claim.
    pub(super) fn proved(
        &self,
        system: &System,
        target: &Claim,
        (abstraction, proof): (&mut Abstraction, &hwmc::Proof),
        options: &Options,
        budget: &mut Budget,
    ) -> Outcome {
        let mut lemmas = Vec::new();
        let mut schemata = Vec::new();
        if let Some(assumed) = &self.assumed {
            let (plain, widest) = (without(system, &assumed.schemata), (Scope::Model, options.generations));
            let again = self.attempt_with(&assumed.theory, &plain, target, widest, options, budget);
            if !again.is_ok_and(|it| matches!(it.found, hwmc::Outcome::Safe(_))) {
                schemata.clone_from(&assumed.schemata);
            }
        }
        if options.lemmas && schemata.is_empty() {
            lemmas = abstraction.lemmas(&proof.invariant);
        }
        Outcome::Safe { clauses: proof.invariant.len(), lemmas, schemata }
    }

    /// Looks for an execution of the model with the transitions of one of the abstraction.
    fn replay(&self, property: Property, steps: &[Step], options: &Options, budget: &mut Budget) -> Replay {
        // The step from the last state is not taken, and none is before the first one.
        let steps = if property.is_before_init(&self.model) { &[] } else { steps };
        let taken: Vec<usize> = steps
            .split_last()
            .map(|(_, before)| before.iter().filter_map(|step| step.transition).collect())
            .unwrap_or_default();
        if taken.len() > usize::from(MAX_STEPS) {
            return Replay::Open(Exhausted::Work);
        }
        match self.execution(&taken, Some(property), options, budget) {
            Ok(Some(found)) => {
                let targets = [Target::Model(property)];
                let mut judging = Budget::new(Some(options.replay), None);
                return match violation(&self.model, &targets, found, &mut judging) {
                    Ok(violation) => Replay::Real(Box::new(violation)),
                    Err(Failure::Exhausted(exhausted)) => Replay::Open(exhausted),
                    Err(Failure::Internal(what) | Failure::Misuse(what)) => Replay::InternalError(what),
                };
            }
            Ok(None) => {}
            Err(replay) => return replay,
        }
        for count in 1..=taken.len() {
            match self.execution(&taken[..count], None, options, budget) {
                Ok(Some(_)) => {}
                Ok(None) => return Replay::Blocked(count),
                Err(replay) => return replay,
            }
        }
        Replay::Harmless
    }

    /// Looks for an execution of the model with these transitions, which violates the property if one is given.
    fn execution(
        &self,
        transitions: &[usize],
        property: Option<Property>,
        options: &Options,
        budget: &mut Budget,
    ) -> Result<Option<unroll::Execution>, Replay> {
        let mut system = self.model.without_proofs();
        // An execution that fails before its first state has none.
        let is_before = property.is_some_and(|property| property.is_before_init(&self.model));
        let mut steps = if is_before { Vec::new() } else { vec![TraceStep::AssertInit] };
        for &transition in transitions {
            let args = vec![None; system.transitions[transition].params.len()];
            steps.push(TraceStep::Transitions(vec![TraceCall { transition, args }]));
        }
        if let Some(property) = property {
            let formula = property.formula(&system);
            steps.push(TraceStep::Assert(system.terms.not(formula)));
        }
        let limits = Limits { work: Some(options.replay), ..Limits::default() };
        budget.check().map_err(Replay::Open)?;
        match trace::execution(&Arc::new(system), &steps, options.seed, &limits) {
            trace::Outcome::Sat(found) => Ok(Some(*found)),
            trace::Outcome::Unsat => Ok(None),
            trace::Outcome::Unknown(exhausted) => Err(Replay::Open(exhausted)),
            trace::Outcome::InternalError(what) => Err(Replay::InternalError(what)),
        }
    }

    /// Returns the declaration of a claim.
    fn span(&self, property: Property) -> Span {
        match property {
            Property::Invariant(index) => self.model.invariants[index].span,
            Property::Assertion(index) => self.model.assertions[index].span,
        }
    }
}

/// Returns the goal of an assertion of the model: the one in the same place. One text has several assertions where an
/// action is called several times, and a goal may be missing where it says nothing; then none of them is known.
fn goal_of<'a>(model: &System, system: &'a System, index: usize) -> Option<&'a Assertion> {
    let assertion = model.assertions.get(index)?;
    let is_same = |it: &&Assertion| (it.span, it.site) == (assertion.span, assertion.site);
    let goals: Vec<&Assertion> = system.assertions.iter().filter(is_same).collect();
    let count = model.assertions.iter().filter(is_same).count();
    let before = model.assertions[..index].iter().filter(is_same).count();
    goals.get(before).copied().filter(|_| goals.len() == count)
}
