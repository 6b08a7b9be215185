//! Finite instances: whether a state that violates a property is reachable with a number of elements for each sort.
//!
//! The circuit of the instance ([`ramsey_circuit::finite`]) is searched by [`ramsey_circuit::hwmc`]. An execution of the circuit becomes one of
//! the system, and every state and step of it is judged by evaluation before it is an answer.

mod states;

use std::sync::Arc;

use super::bmc::{Target, Violation, violation};
use super::unroll::{Call, Execution};
use ramsey_circuit::finite::{self, Encoding, Instance, Part, Path, Refusal, Sizes};
use ramsey_circuit::hwmc;
use ramsey_core::base::budget::{Budget, Exhausted};
use ramsey_core::base::hash::Map;
use ramsey_core::logic::TermId;
use ramsey_core::system::System;
use ramsey_kernel::obligations::plain::step_formula;
use ramsey_solver::ask::{Failure, evaluation_budget, holds};
pub use states::{Graph, Limit, State, has_initial_state, states};

/// A question about an instance.
#[derive(Clone, Debug)]
pub struct Options {
    /// The number of elements of each sort.
    pub sizes: Sizes,
    /// Properties to check, without repetitions.
    pub targets: Vec<Target>,
    /// How values of functions are stored.
    pub encoding: Encoding,
    /// Fix immutable symbols up to isomorphism.
    pub break_symmetry: bool,
    /// Maximum number of nodes of the circuit's graph.
    pub max_nodes: usize,
    /// Seed of the search.
    pub seed: u64,
}

/// The instances that answer a question.
pub struct Instances {
    /// That of the part that leads to the initial states, if a property is about it.
    before: Option<Instance>,
    /// That of the states and transitions. Its circuit has one property: that some target is violated.
    main: Instance,
    /// The targets of each.
    targets: [Vec<Target>; 2],
    seed: u64,
}

/// Answer about an instance.
#[derive(Clone, Debug)]
pub enum Outcome {
    /// No reachable state violates a target.
    Safe,
    /// This execution ends in a violation. The flag says whether it is in the part before the initial states.
    Violated(Box<Violation>, bool),
    /// A budget ran out. No execution of at most `bound` steps ends in a violation.
    Unknown {
        /// The budget.
        exhausted: Exhausted,
        /// The number of steps; `None` if nothing is known.
        bound: Option<usize>,
    },
    /// Internal inconsistency of the tool.
    InternalError(String),
}

/// Answer with what the search found.
#[derive(Clone, Debug)]
pub struct Check {
    /// The answer.
    pub outcome: Outcome,
    /// The answer about the main circuit, if it was asked about.
    pub circuit: Option<hwmc::Outcome>,
    /// Cost of the search.
    pub stats: hwmc::Stats,
}

impl Instances {
    /// Expands the system.
    ///
    /// # Errors
    /// Returns why there is no circuit.
    pub fn new(system: &Arc<System>, options: &Options, budget: &mut Budget) -> Result<Instances, Refusal> {
        let is_before =
            |target: &Target| matches!(target, Target::Model(property) if property.is_before_init(system));
        let (before, main): (Vec<Target>, Vec<Target>) = options.targets.iter().partition(|it| is_before(it));
        let mut joint = system.without_proofs();
        let [claim_before, claim] = [&before, &main].map(|targets| {
            let formulas: Vec<TermId> = targets.iter().map(|it| it.formula(system)).collect();
            joint.terms.and(&formulas)
        });
        let joint = Arc::new(joint);
        let label = |target: &Target| match target {
            Target::Model(property) => property.label(system).to_owned(),
            Target::Formula(_) | Target::Deadlock(_) => "property".to_owned(),
        };
        let name = options.targets.iter().map(label).collect::<Vec<_>>().join(", ");
        let mut expand = |part: Part, claim: TermId| {
            let circuit = finite::Options {
                encoding: options.encoding,
                break_symmetry: options.break_symmetry,
                targets: vec![(name.clone(), claim)],
                part,
                max_nodes: options.max_nodes,
                ..finite::Options::default()
            };
            Instance::new(Arc::clone(&joint), &options.sizes, &circuit, budget)
        };
        Ok(Instances {
            before: if before.is_empty() { None } else { Some(expand(Part::BeforeInit, claim_before)?) },
            main: expand(Part::Loop, claim)?,
            targets: [before, main],
            seed: options.seed,
        })
    }

    /// Returns the instance of the states and transitions.
    pub fn main(&self) -> &Instance {
        &self.main
    }

    /// Searches for a reachable state that violates a target.
    pub fn check(&self, budget: &mut Budget) -> Check {
        if let Some(before) = &self.before {
            let (found, stats) = self.search(before, budget);
            let outcome = self.outcome(before, &found, true, budget);
            if !matches!(outcome, Outcome::Safe) {
                return Check { outcome, circuit: None, stats };
            }
        }
        let (found, stats) = self.search(&self.main, budget);
        let outcome = self.outcome(&self.main, &found, false, budget);
        Check { outcome, circuit: Some(found), stats }
    }

    fn search(&self, instance: &Instance, budget: &mut Budget) -> (hwmc::Outcome, hwmc::Stats) {
        let options = hwmc::Options { method: hwmc::Method::All, seed: self.seed };
        hwmc::check(instance.circuit(), 0, &options, budget)
            .unwrap_or_else(|| (hwmc::Outcome::Defect, hwmc::Stats::default()))
    }

    /// Returns the answer in terms of the system.
    fn outcome(
        &self,
        instance: &Instance,
        found: &hwmc::Outcome,
        is_before: bool,
        budget: &mut Budget,
    ) -> Outcome {
        match found {
            hwmc::Outcome::Safe(_) => Outcome::Safe,
            hwmc::Outcome::Unsafe(witness) => {
                let mut budget = evaluation_budget(budget);
                let path = instance.path(witness);
                let targets = &self.targets[usize::from(!is_before)];
                let judged = match is_before {
                    true => self.judge_before(instance, path, targets, &mut budget),
                    false => judge(instance.system(), path, targets, &mut budget),
                };
                match judged {
                    Ok(violation) => Outcome::Violated(Box::new(violation), is_before),
                    Err(Failure::Exhausted(exhausted)) => Outcome::Unknown { exhausted, bound: None },
                    Err(Failure::Internal(what) | Failure::Misuse(what)) => Outcome::InternalError(what),
                }
            }
            hwmc::Outcome::Unknown { exhausted, bound } => {
                // The step that leads to the first state is none of the system.
                let first = usize::from(instance.started().is_some());
                let bound = bound.and_then(|bound| bound.checked_sub(first));
                Outcome::Unknown { exhausted: *exhausted, bound }
            }
            hwmc::Outcome::Defect => {
                Outcome::InternalError("the execution of the circuit that was found is none".into())
            }
        }
    }

    fn judge_before(
        &self,
        instance: &Instance,
        path: Path,
        targets: &[Target],
        budget: &mut Budget,
    ) -> Result<Violation, Failure> {
        let system = instance.system();
        let mut structure = path.structure;
        for axiom in &system.axioms {
            if !holds(system.syntax(), &structure, &Map::default(), axiom.formula, budget)? {
                return Err(Failure::Internal("a structure of an instance does not satisfy an axiom".into()));
            }
        }
        // Symbols assigned since then do not occur in the assertions.
        system.rewind(&system.sig, &mut structure);
        violation(system, targets, Execution { structure, calls: Vec::new() }, budget)
    }
}

/// Confirms by evaluation that the path is an execution of the system whose last state violates a target.
fn judge(system: &System, path: Path, targets: &[Target], budget: &mut Budget) -> Result<Violation, Failure> {
    let Path { structure, steps } = path;
    let sig = &system.sig;
    let mut terms = system.terms.clone();
    let internal = |what: String| Err(Failure::Internal(what));
    if structure.states() != steps.len() + 1 {
        return internal("an execution of an instance has a state too many or too few".into());
    }
    let assumed: Vec<TermId> = system
        .axioms
        .iter()
        .map(|axiom| axiom.formula)
        .chain(system.derived.iter().map(|derived| derived.axiom))
        .collect();
    let inits: Vec<TermId> = system.inits.iter().map(|init| init.formula).collect();
    for at in 0..structure.states() {
        let state = structure.state(sig, at);
        for &formula in assumed.iter().chain(inits.iter().filter(|_| at == 0)) {
            if !holds(system.syntax(), &state, &Map::default(), formula, budget)? {
                return internal(format!("state {at} of an execution of an instance is none of the model"));
            }
        }
        let Some(step) = steps.get(at) else { continue };
        let Some(transition) = system.transitions.get(step.transition) else {
            return internal("an execution of an instance has an unknown transition".into());
        };
        let formula = step_formula(terms.over_mut(sig), transition);
        let mut pair = state;
        pair.push_state(sig, &structure, at + 1);
        let env = transition.params.iter().copied().zip(step.args.iter().copied()).collect();
        if !holds(terms.over(sig), &pair, &env, formula, budget)? {
            return internal(format!("step {at} of an execution of an instance is none of the model"));
        }
    }
    let calls = steps.into_iter().map(Call::from).collect();
    violation(system, targets, Execution { structure, calls }, budget)
}
