//! Executions that were found elsewhere, confirmed by evaluation.

use super::bmc::{Target, Violation, violation};
use super::unroll::{Call, Execution};
use ramsey_core::base::budget::Budget;
use ramsey_core::base::hash::Map;
use ramsey_core::logic::{Structure, TermId};
use ramsey_core::system::System;
use ramsey_kernel::obligations::plain::step_formula;
use ramsey_solver::ask::{Failure, holds};

/// Confirms that these states, with the calls between them, are an execution of the system from an initial state, and that its
/// last state violates one of the targets. The structure is over the signature of the system, as are the arguments of the calls.
///
/// # Errors
/// Returns an internal failure that says what is wrong with the execution, or the budget that was exhausted.
pub fn confirm(
    system: &System,
    structure: Structure,
    calls: Vec<Call>,
    targets: &[Target],
    budget: &mut Budget,
) -> Result<Violation, Failure> {
    let sig = &system.sig;
    let mut terms = system.terms.clone();
    let wrong = |what: String| Err(Failure::Internal(what));
    if structure.states() != calls.len() + 1 {
        return wrong("the execution has a state too many or too few".into());
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
                return wrong(format!("state {at} of the execution is none of the model"));
            }
        }
        let Some(call) = calls.get(at) else { continue };
        let known = system.transitions.get(call.transition);
        let Some(transition) = known.filter(|it| it.params.len() == call.args.len()) else {
            return wrong(format!("step {at} of the execution is no transition"));
        };
        let formula = step_formula(terms.over_mut(sig), transition);
        let mut pair = state;
        pair.push_state(sig, &structure, at + 1);
        let env = transition.params.iter().copied().zip(call.args.iter().copied()).collect();
        if !holds(terms.over(sig), &pair, &env, formula, budget)? {
            return wrong(format!("step {at} of the execution is none of the model"));
        }
    }
    violation(system, targets, Execution { structure, calls }, budget)
}
