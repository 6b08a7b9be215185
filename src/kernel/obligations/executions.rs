//! Plain obligations about executions: no execution of a given length violates a property, and no execution has the
//! shape of a trace.

use super::plain::{assertions, axioms, derived, frame, inits, transition_formula};
use super::{Goal, Group, GroupKind, Hypothesis, HypothesisOrigin, Obligations, Origin, Property};
use ramsey_core::logic::{TermId, Terms};
use ramsey_core::system::{Site, System, Trace, TraceCall, TraceStep};

/// Returns the next step. Formulas are bounded in steps ([`ramsey_core::system::MAX_STEPS`]), so it exists. Wrapping would
/// silently refer to another state.
fn next_step(step: u16) -> u16 {
    step.checked_add(1).expect("steps are counted in 16 bits")
}

/// Returns a group for the part before the initial states, if a property concerns it, and one for each number of steps.
pub(super) fn bounded(system: &System, depth: u16, properties: &[Property]) -> Obligations {
    let sig = &system.sig;
    let mut terms = system.terms.clone();
    let step = any_transition(system, &mut terms);
    let (before, after): (Vec<Property>, Vec<Property>) =
        properties.iter().partition(|property| property.is_before_init(system));
    let mut groups = Vec::new();
    if let Some(mut group) = assertions(system, Site::Init) {
        group.goals.retain(|goal| match goal.origin {
            Origin::Assertion { assertion } => before.contains(&Property::Assertion(assertion)),
            _ => false,
        });
        groups.extend((!group.goals.is_empty()).then_some(group));
    }
    for steps in 0..=depth {
        let mut hypotheses = axioms(system);
        hypotheses.extend(derived(system, terms.over_mut(sig), 0));
        hypotheses.extend(inits(system));
        for at in 0..steps {
            let formula = terms.shift(sig, step, at);
            hypotheses.push(Hypothesis { formula, origin: HypothesisOrigin::Step(at) });
            hypotheses.extend(derived(system, terms.over_mut(sig), next_step(at)));
        }
        let goals = after
            .iter()
            .map(|&property| Goal {
                origin: Origin::Bounded { steps, property },
                formula: terms.shift(sig, property.formula(system), steps),
            })
            .collect();
        groups.push(Group { kind: GroupKind::Bounded(steps), states: next_step(steps), hypotheses, goals });
    }
    Obligations { sig: sig.clone(), terms, params: Vec::new(), groups }
}

/// Returns the formula that some transition, with its frame conditions, leads from step 0 to step 1.
fn any_transition(system: &System, terms: &mut Terms) -> TermId {
    let each: Vec<TermId> = system
        .transitions
        .iter()
        .map(|transition| transition_formula(terms.over_mut(&system.sig), transition))
        .collect();
    terms.or(&each)
}

/// Returns a group for each of these traces, with the goal that no execution has its shape.
pub(super) fn traces(system: &System, traces: &[usize]) -> Obligations {
    let sig = &system.sig;
    let mut terms = system.terms.clone();
    let step = any_transition(system, &mut terms);
    let mut groups = Vec::new();
    for &index in traces {
        let trace = &system.traces[index];
        let (shape, steps) = shape(system, &mut terms, trace, step);
        let mut hypotheses = axioms(system);
        for at in 0..=steps {
            hypotheses.extend(derived(system, terms.over_mut(sig), at));
        }
        let goal = Goal { origin: Origin::Trace { trace: index }, formula: terms.not(shape) };
        groups.push(Group {
            kind: GroupKind::Trace(index),
            states: next_step(steps),
            hypotheses,
            goals: vec![goal],
        });
    }
    Obligations { sig: sig.clone(), terms, params: Vec::new(), groups }
}

/// Returns the conjunction of a trace's components, and its number of steps.
fn shape(system: &System, terms: &mut Terms, trace: &Trace, any_transition: TermId) -> (TermId, u16) {
    let sig = &system.sig;
    let mut conjuncts = Vec::new();
    let mut at = 0;
    for step in &trace.steps {
        match step {
            TraceStep::AssertInit => {
                conjuncts.extend(system.inits.iter().map(|init| terms.shift(sig, init.formula, at)));
            }
            TraceStep::Assert(formula) => conjuncts.push(terms.shift(sig, *formula, at)),
            TraceStep::AnyTransition => {
                conjuncts.push(terms.shift(sig, any_transition, at));
                at = next_step(at);
            }
            TraceStep::Transitions(calls) => {
                let calls: Vec<TermId> = calls.iter().map(|call| call_formula(system, terms, call)).collect();
                let either = terms.or(&calls);
                conjuncts.push(terms.shift(sig, either, at));
                at = next_step(at);
            }
        }
    }
    (terms.and(&conjuncts), at)
}

/// Returns `exists params. params = args & body & frame`, over steps 0 and 1.
fn call_formula(system: &System, terms: &mut Terms, call: &TraceCall) -> TermId {
    let transition = &system.transitions[call.transition];
    let mut conjuncts = Vec::new();
    for (&param, arg) in transition.params.iter().zip(&call.args) {
        if let Some(arg) = *arg {
            let param = terms.var(param);
            conjuncts.push(terms.eq(param, arg));
        }
    }
    conjuncts.push(transition.body);
    conjuncts.extend(frame(terms.over_mut(&system.sig), transition));
    let body = terms.and(&conjuncts);
    terms.exists(&transition.params, body)
}
