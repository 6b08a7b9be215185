//! Diagnostics for vacuous parts of a model and for implied invariants.

use super::finding::Hypothesis;
use ramsey_core::base::span::Span;
use ramsey_core::diag::{Code, Diagnostic, Severity};
use ramsey_core::system::System;
use ramsey_engine::query::{Implied, Vacuity, VacuousPart};
use ramsey_kernel::obligations::HypothesisOrigin;

/// Maximum number of conjuncts of a transition, and of other places, in a diagnostic.
const MAX_PARTS: usize = 6;

/// Returns a warning that claims about an unsatisfiable part hold vacuously.
pub fn diagnostic(system: &System, vacuity: &Vacuity) -> Diagnostic {
    let (message, label, help) = match vacuity.what {
        VacuousPart::Axioms => (
            "no structure satisfies the axioms: every claim is true of nothing".to_owned(),
            "contradictory",
            "check the axioms one by one: `ramsey simulate` shows a state as soon as there is one",
        ),
        VacuousPart::Initial if system.invariants.is_empty() => (
            "there is no initial state: the program does nothing".to_owned(),
            "no execution comes through this part",
            "weaken the initial conditions or the axioms until `ramsey simulate` shows an initial state",
        ),
        VacuousPart::Initial => (
            "there is no initial state: every invariant is true of the reachable states, since there are none"
                .to_owned(),
            "no state satisfies this, the axioms and the other initial conditions",
            "weaken the initial conditions or the axioms until `ramsey simulate` shows an initial state",
        ),
        VacuousPart::Invariants => (
            "no state satisfies axioms and invariants: every transition preserves them".to_owned(),
            "contradictory",
            "weaken the invariants: what is claimed of no state at all is no help to any proof",
        ),
        VacuousPart::Transition(index) if system.invariants.is_empty() => (
            format!("transition `{}` can never execute", system.transitions[index].name),
            "its assertions hold for that reason, or are never passed",
            "if it is meant to be possible, weaken its guard, or the axioms that exclude it",
        ),
        VacuousPart::Transition(index) if is_guard(vacuity) => (
            format!("the guard of transition `{}` is never satisfied", system.transitions[index].name),
            "no state at all satisfies it: it contradicts itself or the axioms",
            "if it is meant to be possible, weaken its guard, or the axioms that exclude it",
        ),
        VacuousPart::Transition(index) => (
            format!(
                "transition `{}` can never execute in a state that satisfies the invariants",
                system.transitions[index].name
            ),
            "preserves every invariant for that reason alone",
            "if it is meant to be possible, weaken its guard, or the invariants and axioms that exclude it",
        ),
    };
    let place = match vacuity.what {
        VacuousPart::Transition(index) => Some(system.transitions[index].span),
        VacuousPart::Initial => {
            let of_core = |&origin: &HypothesisOrigin| match origin {
                HypothesisOrigin::Init(index) => Some(system.inits[index].span),
                _ => None,
            };
            vacuity.core.iter().find_map(of_core).or(system.inits.first().map(|init| init.span))
        }
        VacuousPart::Axioms | VacuousPart::Invariants => {
            // The last declaration of the core completes the contradiction.
            vacuity.core.iter().rev().find_map(|&origin| Hypothesis::of_origin(system, origin).span)
        }
    };
    let code = if is_guard(vacuity) { Code::Guard } else { Code::Vacuous };
    let mut diagnostic = match place {
        Some(span) => Diagnostic::warning(code, span, message).label(label),
        None => {
            Diagnostic { severity: Severity::Warning, ..Diagnostic::error_nowhere(code, message).note(label) }
        }
    };
    for (span, text) in others(system, vacuity, place).into_iter().take(MAX_PARTS) {
        diagnostic = diagnostic.also(span, text);
    }
    for conjunct in vacuity.conjuncts.iter().take(MAX_PARTS) {
        diagnostic = diagnostic.note(format!("it takes part in the contradiction: {conjunct}"));
    }
    diagnostic.help(help)
}

/// Checks whether a transition contradicts itself or the axioms, without any invariant.
fn is_guard(vacuity: &Vacuity) -> bool {
    let is_invariant = |origin: &HypothesisOrigin| matches!(origin, HypothesisOrigin::Invariant(_));
    matches!(vacuity.what, VacuousPart::Transition(_))
        && !vacuity.core.is_empty()
        && !vacuity.core.iter().any(is_invariant)
}

/// Returns a note that an invariant follows from others.
pub fn implied(system: &System, found: &Implied) -> Diagnostic {
    let invariant = &system.invariants[found.invariant];
    let labels: Vec<String> =
        found.by.iter().map(|&index| format!("`{}`", system.invariants[index].label)).collect();
    let by = if labels.is_empty() { "the axioms".to_owned() } else { labels.join(", ") };
    let message = format!("the invariant `{}` follows from {by}", invariant.label);
    let mut remark =
        Diagnostic::remark(Code::Implied, invariant.span, message).label("nothing is claimed by it");
    for &index in found.by.iter().take(MAX_PARTS) {
        remark = remark.also(system.invariants[index].span, "one that it follows from");
    }
    remark.help("it can be left out; proofs stay the same, and may become a little faster")
}

/// Returns the declarations that take part in the contradiction, except the one at `primary`.
fn others(system: &System, vacuity: &Vacuity, primary: Option<Span>) -> Vec<(Span, &'static str)> {
    let mut places: Vec<(Span, &'static str)> = Vec::new();
    for &origin in &vacuity.core {
        let text = match origin {
            HypothesisOrigin::Axiom(_) => "together with this axiom",
            HypothesisOrigin::Derived(..) => "together with this, which holds in every state",
            HypothesisOrigin::Init(_) => "together with this initial condition",
            HypothesisOrigin::Invariant(_) => "together with this invariant",
            HypothesisOrigin::Transition(_)
            | HypothesisOrigin::Step(_)
            | HypothesisOrigin::Assertion(_)
            | HypothesisOrigin::Unsafe
            | HypothesisOrigin::ProofInvariant { .. }
            | HypothesisOrigin::ProphecyInvariant { .. }
            | HypothesisOrigin::Viable { .. } => continue,
        };
        let Some(span) = Hypothesis::of_origin(system, origin).span else { continue };
        if Some(span) != primary && places.iter().all(|&(known, _)| known != span) {
            places.push((span, text));
        }
    }
    places
}
