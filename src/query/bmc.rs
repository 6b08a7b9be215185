//! Bounded model checking: which executions of at most so many steps end in a state that violates a property.
//!
//! k-invariance as in section 4.1 of the Ivy paper (PLDI 2016), equation (3), for k = 0, 1, 2, ..: each length is asked on top of
//! the shorter ones, so the first counterexample has as few steps as possible. The last step is asked transition by
//! transition with its effects substituted; only where that finds something the last state is searched as well.
//!
//! Beside that, a proof that all depths have the answer is looked for, by induction with the model's invariants. It may
//! cost a small share of what the lengths have cost, and are expected to cost: then it hardly matters where there is no such
//! proof, and where there is one it comes before the long lengths.

use std::sync::Arc;

use super::deadlock::Freedom;
use super::fragment::Cycle;
use super::inductive::Induction;
use super::outcome::Counterexample;
use super::unroll::{Execution, Start, Unrolling};
use super::verify::Limits;
use crate::ask::{self, Context, Failure, Found, Judged, Meter, Size, Statistics, blame, holds, measures};
use crate::base::budget::{Budget, Exhausted};
use crate::base::hash::Map;
use crate::epr::Clock;
use crate::logic::TermId;
use crate::prove::{self, Certificate, Certified, Certifier};
use crate::step::Relaxed;
use crate::system::{Site, System};
use crate::vc::{Group, GroupKind, Obligations, Origin, Property, Question};

/// What is claimed of every reachable state.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Target {
    /// A claim of the model.
    Model(Property),
    /// A closed formula of the system's arena, over step 0.
    Formula(TermId),
    /// That some transition can be taken, which is this formula: see [`Freedom`].
    Deadlock(TermId),
}

impl Target {
    /// The formula that is claimed.
    pub fn formula(self, system: &System) -> TermId {
        match self {
            Target::Model(property) => property.formula(system),
            Target::Formula(formula) | Target::Deadlock(formula) => formula,
        }
    }
}

/// What to check, and how.
#[derive(Clone, Debug)]
pub struct Options {
    /// At least one for an answer that says something; without repetitions.
    pub targets: Vec<Target>,
    /// Steps of the longest executions to look at.
    pub depth: u16,
    /// Make counterexamples small.
    pub minimize: bool,
    /// Make a certificate of each answer. Formulas that the model does not have cannot be certified: answers that need
    /// one are internal errors.
    pub certify: bool,
    /// Look for a proof by induction as well, with the model's invariants. Not where certificates are asked for: those
    /// are about each length.
    pub induction: bool,
    /// Seed of the search.
    pub seed: u64,
    /// Measures time by this clock; without it times are 0.
    pub clock: Option<Clock>,
}

/// The answer for executions of one length.
#[derive(Clone, Debug)]
pub enum Outcome {
    /// None of them ends in a violation.
    Holds,
    /// This one does.
    Violated(Box<Violation>),
    /// A budget ran out.
    Unknown(Exhausted),
    /// One ends in a state in which no transition can be taken but this one (and perhaps others like it): no formula says
    /// of a state whether it can be taken, so that others could not be asked for. See [`Freedom::open`].
    Open(usize),
    /// The tool contradicted itself.
    InternalError(String),
}

/// An execution that violates a property. Evaluated, not believed.
#[derive(Clone, Debug)]
pub struct Violation {
    /// What its last state violates, the first if there are several.
    pub target: Target,
    /// The execution, over the system's signature.
    pub counterexample: Counterexample,
}

/// The answer for one length with its cost.
#[derive(Clone, Debug)]
pub struct Depth {
    /// How many steps the executions have; `None` for what comes before the initial states.
    pub steps: Option<u16>,
    /// The answer.
    pub outcome: Outcome,
    /// Whether the answer is [`Outcome::Holds`] because the targets are part of an inductive invariant of the model, and
    /// so hold at every length.
    pub by_induction: bool,
    /// Certificates of the obligations that the answer is about, where they were asked for.
    pub certificates: Vec<(Origin, Certificate)>,
    /// What it cost.
    pub statistics: Statistics,
}

/// How the search for a proof by induction stands.
#[derive(Clone, Debug)]
enum Proof {
    /// It has not begun.
    Possible,
    /// It has come so far.
    Begun(Box<Induction>),
    /// There is one.
    Found,
    /// There is none with the model's invariants, or it is not wanted.
    Hopeless,
}

/// One work unit for induction per so many for executions, spent or expected. A unit of induction takes a few times as long,
/// since its queries are many and short.
const SHARE: u64 = 24;
/// The search for a proof does not begin with fewer units than it takes to prepare it twice, ..
const FIRST_STEPS: u64 = 12_000;
/// .. and does not go on with fewer than a few queries need.
const FEW_STEPS: u64 = 4_000;
/// A query is not interrupted for induction before it has taken so many units, ..
const FIRST_TURN: u64 = 400_000;
/// .. and so many times as many as all that was done before.
const NEXT_TURN: u64 = 2;

/// Work units so far.
#[derive(Clone, Copy, Default, Debug)]
struct Costs {
    /// For executions.
    executions: u64,
    /// Of that, for the length that is being asked.
    current: u64,
    /// For the one before it, ..
    last: u64,
    /// .. and before that.
    before: u64,
    /// For induction.
    induction: u64,
}

impl Costs {
    fn spend(&mut self, units: u64) {
        self.executions += units;
        self.current += units;
    }

    fn next_length(&mut self) {
        self.before = self.last;
        self.last = self.current;
        self.current = 0;
    }

    /// How much induction may cost in all, where so many lengths are to be asked yet. The cost of a length is expected to
    /// grow as it did before.
    fn share(&self, lengths: u16) -> u64 {
        let (now, then) =
            if self.current > self.last { (self.current, self.last) } else { (self.last, self.before) };
        let growth = (now / then.max(1)).clamp(1, 4);
        let expected = now.saturating_mul(growth.pow(u32::from(lengths.min(3))));
        self.executions.saturating_add(expected) / SHARE
    }
}

/// Bounded model checking that is under way: an iterator in spirit, length by length.
#[derive(Clone, Debug)]
pub struct Bmc {
    options: Options,
    /// Claims of every state.
    targets: Vec<Target>,
    /// Claims about what leads to the initial states.
    before: Vec<Target>,
    /// What is certified, where that is asked for.
    obligations: Option<Obligations>,
    unrolling: Unrolling,
    /// Why questions about what comes before the initial states, about these, and about what follows lie outside
    /// stratified EPR, where they do.
    cycles: [Option<Cycle>; 3],
    proof: Proof,
    costs: Costs,
    /// Where deadlocks are looked for.
    freedom: Option<Box<Freedom>>,
    /// The next length.
    next: Option<u16>,
    done: bool,
}

impl Bmc {
    /// Prepares the check of `system`.
    pub fn new(system: Arc<System>, options: Options) -> Bmc {
        let is_before =
            |target: &&Target| matches!(target, Target::Model(property) if property.is_before_init(&system));
        let (before, targets): (Vec<Target>, Vec<Target>) = options.targets.iter().partition(is_before);
        let obligations = options
            .certify
            .then(|| Obligations::of_question(&system, &question(options.depth, &options.targets)));
        let unrolling = Unrolling::new(system, Start::Initial, options.seed, options.clock);
        let proof = if options.induction && !options.certify { Proof::Possible } else { Proof::Hopeless };
        let costs = Costs::default();
        let cycles = cycles(&unrolling, &before, &targets, options.depth);
        Bmc {
            options,
            targets,
            before,
            obligations,
            unrolling,
            cycles,
            proof,
            costs,
            freedom: None,
            next: None,
            done: false,
        }
    }

    /// Prepares a search for deadlocks, in the place of what violates the targets of the options. There are no certificates.
    pub fn deadlock(freedom: Freedom, options: Options) -> Bmc {
        let targets = vec![Target::Deadlock(freedom.formula)];
        let options = Options { targets, certify: false, ..options };
        let mut bmc = Bmc::new(Arc::new(freedom.system.clone()), options);
        bmc.freedom = Some(Box::new(freedom));
        bmc
    }

    /// Prepares the check of a relaxed system: an execution may lose elements on its way. The targets are those of
    /// the relaxed system; there are no certificates.
    pub fn relaxed(relaxed: &Relaxed, options: Options) -> Bmc {
        let options = Options { certify: false, ..options };
        let mut bmc = Bmc::new(Arc::new(relaxed.system.clone()), options);
        bmc.unrolling.set_active(relaxed.active.clone());
        bmc
    }

    /// The system that is checked.
    pub fn system(&self) -> &Arc<System> {
        self.unrolling.system()
    }

    /// That some transition can be taken, where deadlocks are looked for.
    pub fn deadlock_target(&self) -> Option<Target> {
        self.freedom.as_ref().map(|freedom| Target::Deadlock(freedom.formula))
    }

    /// How many steps the executions have that come next.
    pub fn next_depth(&self) -> u16 {
        self.next.unwrap_or(0)
    }

    /// Why some of the questions lie outside stratified EPR, if they do, with the number of steps from which on.
    pub fn cycle(&self) -> Option<(u16, &Cycle)> {
        let steps = [0, 0, 1];
        self.cycles.iter().zip(steps).find_map(|(cycle, steps)| Some((steps, cycle.as_ref()?)))
    }

    /// Whether the next question lies outside stratified EPR.
    fn is_outside(&self) -> bool {
        let kind = match self.next {
            None => 0,
            Some(0) => 1,
            Some(_) => 2,
        };
        self.cycles[kind].is_some()
    }

    /// What a violation amounts to: a state is a deadlock if no transition leads on, read as they are written.
    fn judged(&self, violation: Violation, limits: &Limits) -> Outcome {
        let Some(freedom) = &self.freedom else { return Outcome::Violated(Box::new(violation)) };
        let Counterexample { structure, calls, .. } = &violation.counterexample;
        let last = structure.state(&self.system().sig, calls.len());
        match freedom.way_out(&last, &mut limits.budget()) {
            Ok(None) => Outcome::Violated(Box::new(violation)),
            Ok(Some(transition)) if freedom.open.contains(&transition) => Outcome::Open(transition),
            Ok(Some(_)) => Outcome::InternalError("a transition can be taken in a deadlock".to_owned()),
            Err(Failure::Exhausted(exhausted)) => Outcome::Unknown(exhausted),
            Err(Failure::Internal(what) | Failure::Misuse(what)) => Outcome::InternalError(what),
        }
    }

    /// Answers for the next length, within limits of its own. `None` after the last one, and after an answer other than
    /// [`Outcome::Holds`].
    pub fn advance(&mut self, limits: &Limits) -> Option<Depth> {
        if self.next.is_none() && self.before.is_empty() {
            self.next = Some(0);
        }
        if self.done || self.next.is_some_and(|next| next > self.options.depth) {
            return None;
        }
        let meter = Meter::start(self.unrolling.context().solver(), self.options.clock);
        let mut budget = limits.budget_of(self.is_outside());
        let answer = match self.next {
            None => {
                let system = Arc::clone(self.unrolling.system());
                self.before_init(&system, &mut budget)
            }
            Some(0) => self.at_depth(false, &mut budget),
            Some(_) => self.next_length(&mut budget),
        };
        let answer = answer.and_then(|violation| {
            let certificates = self.certificates(violation.as_ref(), &mut budget)?;
            Ok((violation, certificates))
        });
        let statistics = meter.read(self.unrolling.context().solver(), budget.spent());
        let (outcome, certificates) = match answer {
            Ok((None, certificates)) => (Outcome::Holds, certificates),
            Ok((Some(violation), certificates)) => (self.judged(violation, limits), certificates),
            Err(Failure::Exhausted(exhausted)) => (Outcome::Unknown(exhausted), Vec::new()),
            Err(Failure::Internal(what) | Failure::Misuse(what)) => {
                (Outcome::InternalError(what), Vec::new())
            }
        };
        self.done = !matches!(outcome, Outcome::Holds);
        let steps = self.next;
        self.next = Some(steps.map_or(0, |steps| steps + 1));
        let by_induction = matches!((&outcome, &self.proof), (Outcome::Holds, Proof::Found));
        Some(Depth { steps, outcome, by_induction, certificates, statistics })
    }

    /// Certificates of the answer for the length that was just asked.
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
        let Target::Model(property) = *target else {
            return Err(Failure::Internal("a formula beside the model cannot be certified".into()));
        };
        let origin = match (self.next, property) {
            (Some(steps), property) => Origin::Bounded { steps, property },
            (None, Property::Assertion(assertion)) => Origin::Assertion { assertion },
            (None, Property::Invariant(invariant)) => Origin::Initiation { invariant },
        };
        let text = prove::structure(&obligations.sig, &counterexample.structure);
        Ok(vec![(origin, Certificate::Structure(text))])
    }

    /// The answer for the next length, after the first.
    fn next_length(&mut self, budget: &mut Budget) -> Result<Option<Violation>, Failure> {
        self.costs.next_length();
        let lengths = self.options.depth - self.unrolling.depth();
        if self.is_proved(lengths, budget)? { Ok(None) } else { self.one_step_more(budget) }
    }

    /// Whether the targets hold at every length, as far as the work tells that is allowed with so many lengths to come.
    fn is_proved(&mut self, lengths: u16, budget: &mut Budget) -> Result<bool, Failure> {
        let units = self.costs.share(lengths).saturating_sub(self.costs.induction);
        if units >= FIRST_STEPS && matches!(self.proof, Proof::Possible) {
            let system = self.unrolling.system();
            let claims: Vec<TermId> = self.targets.iter().map(|it| it.formula(system)).collect();
            let induction = Induction::new(system, &claims, self.options.seed, self.options.clock);
            self.proof = Proof::Begun(Box::new(induction));
            self.costs.induction += FIRST_STEPS / 2;
        }
        let Proof::Begun(induction) = &mut self.proof else {
            return Ok(matches!(self.proof, Proof::Found));
        };
        if units < FEW_STEPS {
            return Ok(false);
        }
        let mut part = budget.part(units);
        let answer = induction.advance(&mut part);
        self.costs.induction += part.spent();
        budget.absorb(&part)?;
        match answer {
            Ok(true) => self.proof = Proof::Found,
            Err(Exhausted::Work) => {}
            // A clause that is too large for a proof may not be among those that executions need.
            Ok(false) | Err(Exhausted::ClauseSize) => self.proof = Proof::Hopeless,
            Err(exhausted) => return Err(exhausted.into()),
        }
        Ok(matches!(self.proof, Proof::Found))
    }

    /// Whether what was posed to the unrolling has an execution. The search takes turns with that for a proof if it takes
    /// long; there is none where the targets are found to hold at every length.
    fn search(&mut self, budget: &mut Budget) -> Result<bool, Failure> {
        loop {
            let units = match self.proof {
                Proof::Found => return Ok(false),
                Proof::Hopeless => u64::MAX,
                Proof::Possible | Proof::Begun(_) => FIRST_TURN.max(NEXT_TURN * self.costs.executions),
            };
            let mut part = budget.part(units);
            let answer = self.unrolling.context_mut().search(&[], &mut part);
            self.costs.spend(part.spent());
            budget.absorb(&part)?;
            match answer {
                Ok(answer) => return Ok(answer),
                Err(Exhausted::Work) => {}
                Err(exhausted) => return Err(exhausted.into()),
            }
            let lengths = self.options.depth.saturating_sub(self.unrolling.depth() + 1);
            self.is_proved(lengths, budget)?;
        }
    }

    /// Looks for an execution that is one step longer than the unrolling, which is then extended. The last step is
    /// taken transition by transition, its effects substituted into the claims: the last state need not be searched.
    fn one_step_more(&mut self, budget: &mut Budget) -> Result<Option<Violation>, Failure> {
        budget.check()?;
        let system = Arc::clone(self.unrolling.system());
        let claims: Vec<TermId> = self.targets.iter().map(|it| it.formula(&system)).collect();
        let claim = self.unrolling.context_mut().terms_mut().and(&claims);
        let mut is_known = false;
        for transition in 0..system.transitions.len() {
            let conjuncts = self.unrolling.refuted_behind(transition, claim);
            self.unrolling.context_mut().pose(&conjuncts, budget);
            if self.search(budget)? {
                is_known = true;
                break;
            }
            if matches!(self.proof, Proof::Found) {
                return Ok(None);
            }
        }
        self.unrolling.extend(budget);
        if is_known {
            return self.at_depth(true, budget);
        }
        self.assume(claim, budget);
        Ok(None)
    }

    /// Assumes a claim about the last state, which is no assumption if it is known to hold there in all executions: it
    /// helps to refute longer ones.
    fn assume(&mut self, claim: TermId, budget: &mut Budget) {
        let claim = self.unrolling.at(claim, self.unrolling.depth());
        self.unrolling.context_mut().assume(claim, budget);
    }

    /// Looks for an execution of the unrolling's depth whose last state violates a property. Where there is known to be
    /// one, it is an error to find none.
    fn at_depth(&mut self, is_known: bool, budget: &mut Budget) -> Result<Option<Violation>, Failure> {
        budget.check()?;
        let system = Arc::clone(self.unrolling.system());
        let depth = self.unrolling.depth();
        let claims: Vec<TermId> = self.targets.iter().map(|it| it.formula(&system)).collect();
        let claim = self.unrolling.context_mut().terms_mut().and(&claims);
        let here = self.unrolling.at(claim, depth);
        let context = self.unrolling.context_mut();
        let negated = context.terms_mut().not(here);
        context.pose(&[negated], budget);
        if !self.search(budget)? {
            if is_known {
                return Err(Failure::Internal("two searches disagree about an execution".into()));
            }
            self.assume(claim, budget);
            return Ok(None);
        }
        let execution = self.unrolling.execution(self.options.minimize, &mut |_, _, _| true, budget)?;
        violation(&system, &self.targets, execution, budget).map(Some)
    }

    /// Looks for a structure in which something goes wrong on the way to the initial states.
    fn before_init(&self, system: &System, budget: &mut Budget) -> Result<Option<Violation>, Failure> {
        let mut context =
            Context::new(system.sig.clone(), system.terms.clone(), self.options.seed, self.options.clock);
        for axiom in &system.axioms {
            context.assume(axiom.formula, budget);
        }
        let claims: Vec<TermId> = self.before.iter().map(|it| it.formula(system)).collect();
        let claim = context.terms_mut().and(&claims);
        let negated = &[context.terms_mut().not(claim)];
        let measures = self.options.minimize.then(|| measures(&system.sig, 1).list());
        let size = Size::by(measures.as_deref());
        let question = ask::Question { hypotheses: &[], negated, states: 1, size };
        let judge = |found: Found<'_>| {
            let Found { mut structure, mut budget, .. } = found;
            for axiom in &system.axioms {
                let formula = axiom.formula;
                if !holds(&system.sig, &system.terms, &structure, &Map::default(), formula, &mut budget)? {
                    return Err(Failure::Internal("a model does not satisfy an axiom".into()));
                }
            }
            // What has changed since does not occur in the assertions.
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

/// Why the questions lie outside stratified EPR, where they do.
fn cycles(unrolling: &Unrolling, before: &[Target], targets: &[Target], depth: u16) -> [Option<Cycle>; 3] {
    let system = unrolling.system();
    let claims = |targets: &[Target], holds: bool| -> Vec<(TermId, bool)> {
        targets.iter().map(|it| (it.formula(system), holds)).collect()
    };
    let all: Vec<usize> = (0..system.transitions.len()).collect();
    // Behind the first state the claims are known of the states before.
    let both = [claims(targets, false), claims(targets, true)].concat();
    [
        if before.is_empty() { None } else { unrolling.cycle(&[], &claims(before, false)) },
        unrolling.cycle(&[], &claims(targets, false)),
        if depth == 0 { None } else { unrolling.cycle(&all, &both) },
    ]
}

/// Proofs of all obligations of a group.
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

/// The question that is asked about those of the targets that the model has.
pub fn question(depth: u16, targets: &[Target]) -> Question {
    let property = |target: &Target| match target {
        Target::Model(property) => Some(*property),
        Target::Formula(_) | Target::Deadlock(_) => None,
    };
    let mut properties: Vec<Property> = targets.iter().filter_map(property).collect();
    properties.sort_unstable();
    Question::Bounded { depth, properties }
}

/// The first of the properties that the last state violates.
fn violation(
    system: &System,
    targets: &[Target],
    execution: Execution,
    budget: &mut Budget,
) -> Result<Violation, Failure> {
    let Execution { structure, calls } = execution;
    let last = structure.state(&system.sig, calls.len());
    for &target in targets {
        let formula = target.formula(system);
        if !holds(&system.sig, &system.terms, &last, &Map::default(), formula, budget)? {
            let breach = blame(&system.sig, &system.terms, &last, formula, budget);
            let counterexample = Counterexample { structure, calls, breach };
            return Ok(Violation { target, counterexample });
        }
    }
    Err(Failure::Internal("an execution satisfies the property that it is to violate".into()))
}
