//! Finite instances: whether a state that violates a property is reachable with a number of elements for each sort.
//!
//! The circuit of the instance ([`ramsey_circuit::finite`]) is searched by [`ramsey_circuit::hwmc`]. An execution of the circuit becomes one of
//! the system, and every state and step of it is judged by evaluation before it is an answer.

mod induction;
mod states;

use std::sync::Arc;

use super::bmc::{Target, Violation, violation};
use super::confirm::confirm;
use super::unroll::{Call, Execution};
pub use induction::{Induction, NoInduction};
use ramsey_circuit::finite::{self, Encoding, Instance, Part, Path, Refusal, Sizes, enumerations};
use ramsey_circuit::hwmc;
use ramsey_core::base::budget::{Budget, Exhausted};
use ramsey_core::base::hash::Map;
use ramsey_core::logic::{Interpretation, SymId, TermId};
use ramsey_core::system::System;
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
    /// Prepare for a proof by induction ([`Instances::induction`]): the constants by which axioms name the elements of a sort stand for
    /// them in order, and what holds in all states is what the system says.
    pub inductive: bool,
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
        let enumerated = if options.inductive { enumerations(system) } else { Vec::new() };
        let constants = enumerated.iter().flat_map(|it| (0..).zip(&it.constants));
        let fixed: Vec<(SymId, Interpretation)> = constants
            .map(|(element, &sym)| (sym, Interpretation { default: element, ..Interpretation::default() }))
            .collect();
        let name = options.targets.iter().map(label).collect::<Vec<_>>().join(", ");
        let mut expand = |part: Part, claim: TermId| {
            let circuit = finite::Options {
                encoding: options.encoding,
                break_symmetry: options.break_symmetry,
                fixed: fixed.clone(),
                inductive: options.inductive,
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

    /// Returns the instances that are asked about: that of the part before the initial states, if a property is about it, and
    /// that of the states and transitions. The next one counts only where the one before is safe.
    pub fn parts(&self) -> impl Iterator<Item = &Instance> {
        self.before.iter().chain([&self.main])
    }

    /// Searches for a reachable state that violates a target.
    pub fn check(&self, budget: &mut Budget) -> Check {
        self.check_by(&mut |_, instance, budget| self.search(instance, budget), budget)
    }

    /// Returns the answer that follows from those about the circuits of [`Instances::parts`], which `search` is asked for by their
    /// numbers. That a part is safe is taken from it; executions are judged by evaluation.
    pub fn check_by(
        &self,
        search: &mut dyn FnMut(usize, &Instance, &mut Budget) -> (hwmc::Outcome, hwmc::Stats),
        budget: &mut Budget,
    ) -> Check {
        let last = usize::from(self.before.is_some());
        if let Some(before) = &self.before {
            let (found, stats) = search(0, before, budget);
            let outcome = self.outcome(before, &found, true, budget);
            if !matches!(outcome, Outcome::Safe) {
                return Check { outcome, circuit: None, stats };
            }
        }
        let (found, stats) = search(last, &self.main, budget);
        let outcome = self.outcome(&self.main, &found, false, budget);
        Check { outcome, circuit: Some(found), stats }
    }

    /// Searches the circuit of one of the parts.
    pub fn search(&self, instance: &Instance, budget: &mut Budget) -> (hwmc::Outcome, hwmc::Stats) {
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
                    false => {
                        let calls = path.steps.into_iter().map(Call::from).collect();
                        confirm(instance.system(), path.structure, calls, targets, &mut budget)
                    }
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
