//! Prophecy variables of claims (McMillan, CAV 2018, Theorem 4): `proof let V = term` gives a term a name that is a
//! universal variable of the claim, so that the abstraction can track its value.
//!
//! A claim `φ` with such a proof becomes `forall V. V = term -> φ`, which is equivalent if `V` does not occur in `φ` or
//! in terms before it. This is done on syntax trees, so that names and sorts in goals are checked like all others. The
//! claim itself stays, as what may be assumed; the other formula is its *goal*. Within an action, the goal is asserted
//! on a branch of its own that then ends, and `φ` is assumed on the other one.

mod goal;
mod instance;
mod of_ivy;
mod of_program;
mod of_pyv;
mod proof;

use super::shared::Includes;
use super::{Trees, core, ivy, pyv, rml};
pub use instance::Instance;
use instance::instance;
use ramsey_core::base::budget::{Budget, Exhausted};
use ramsey_core::base::hash::Map;
use ramsey_core::base::span::Sources;
use ramsey_core::diag::{Diagnostic, Severity};
use ramsey_core::logic::TermId;
use ramsey_core::system::System;

/// A model with the goals of its claims.
#[derive(Clone, Debug)]
pub struct Prophecies {
    /// The system, in which assertions are goals. Its invariants are those of the model.
    pub system: System,
    /// The goals of invariants that differ from them, by index.
    pub goals: Map<usize, TermId>,
    /// The instances of schemata, over symbols that fit, whatever changes them.
    pub instances: Vec<Instance>,
}

/// Lowers files that were parsed without an error with the goals of their claims. Diagnostics are those of the goals, and
/// of what comes after parsing.
///
/// # Errors
/// Returns the budget that was exhausted.
pub fn prophecies(
    trees: &Trees,
    sources: &Sources,
    includes: &Includes,
    budget: &mut Budget,
) -> Result<(Option<Prophecies>, Vec<Diagnostic>), Exhausted> {
    let mut diagnostics = Vec::new();
    let (system, more) = match trees.clone() {
        Trees::Pyv(program) => {
            let program = of_pyv::with_goals(program, &mut diagnostics);
            pyv::lower_within(&program, &sources[program.file].text, budget)?
        }
        Trees::Program(programs) => {
            let programs = of_program::with_goals(programs, &mut diagnostics);
            rml::lower_within(&programs, sources, includes, budget)?
        }
        Trees::Ivy(model) => {
            let files = of_ivy::with_goals(model.files, sources, &mut diagnostics);
            let (model, more) = ivy::expand_within(files, model.isolate, includes, budget)?;
            diagnostics.extend(more);
            ivy::lower_within(&model, sources, includes, budget)?
        }
        // Closed forms have no proofs.
        Trees::Core(lines) => core::lower_within(&lines, &sources[lines.file].text, budget)?,
    };
    diagnostics.extend(more);
    let has_errors = diagnostics.iter().any(|it| it.severity == Severity::Error);
    Ok((system.filter(|_| !has_errors).map(separate), diagnostics))
}

/// Takes the goals of invariants and the instances of schemata out of a system.
fn separate(mut system: System) -> Prophecies {
    let goals = std::mem::take(&mut system.goals).into_iter().collect();
    let found = std::mem::take(&mut system.instances);
    let instances = found.into_iter().filter_map(|found| instance(&mut system.terms, &found)).collect();
    Prophecies { system, goals, instances }
}
