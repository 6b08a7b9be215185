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

use super::ivy::read_hint_name;
use super::shared::Includes;
use super::{Trees, ivy, pyv, rml};
use goal::is_goal_name;
pub use instance::Instance;
use instance::instance;
use ramsey_core::base::budget::{Budget, Exhausted};
use ramsey_core::base::hash::Map;
use ramsey_core::base::span::{Sources, Span};
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
            let (model, more) = ivy::expand_within(files, includes, budget)?;
            diagnostics.extend(more);
            ivy::lower_within(&model, sources, includes, budget)?
        }
    };
    diagnostics.extend(more);
    let has_errors = diagnostics.iter().any(|it| it.severity == Severity::Error);
    Ok((system.filter(|_| !has_errors).map(separate), diagnostics))
}

/// Takes the goals of invariants out of a system. Each follows its invariant, in the order of declarations.
fn separate(mut system: System) -> Prophecies {
    let mut goals = Map::default();
    let mut places: Map<(Span, usize), usize> = Map::default();
    let mut seen: [Map<Span, usize>; 2] = [Map::default(), Map::default()];
    let mut kept = Vec::new();
    let mut later = Vec::new();
    for invariant in std::mem::take(&mut system.invariants) {
        let is_goal = invariant.name.as_deref().is_some_and(is_goal_name);
        let count = seen[usize::from(is_goal)].entry(invariant.span).or_default();
        let place = (invariant.span, *count);
        *count += 1;
        if is_goal {
            later.push((place, invariant.formula));
        } else {
            places.insert(place, kept.len());
            kept.push(invariant);
        }
    }
    for (place, goal) in later {
        if let Some(&index) = places.get(&place) {
            goals.insert(index, goal);
        }
    }
    system.invariants = kept;
    let mut instances = Vec::new();
    for theorem in std::mem::take(&mut system.theorems) {
        let name = theorem.name.as_deref().and_then(read_hint_name);
        match name {
            Some((constants, conditions)) => {
                let (formula, span) = (theorem.formula, theorem.span);
                instances.extend(instance(&mut system.terms, formula, constants, conditions, span));
            }
            None => system.theorems.push(theorem),
        }
    }
    Prophecies { system, goals, instances }
}
