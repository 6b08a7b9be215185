//! Plain obligations of proofs by forward and backward induction with prophecy.
//!
//! Consider an execution from an initial state to one that violates a safety property, the *bad* state. The obligations of
//! a proof imply that there is none. They show step by step, in the order of the proof, that there are values of the
//! prophecy variables of the step with which its invariants `I` hold in all states of the execution:
//!
//! - *Forward, without prophecy.* By induction from the initial state: `I` holds there, and transitions lead from states
//!   with `I` to states with `I`.
//! - *Backward, without prophecy.* By induction from the bad state: `I` holds there, and transitions lead to states with
//!   `I` only from states with `I`.
//! - *Forward, with prophecy* of the variables `P`. Let `M(P)` hold in a state if `I(P)` holds in it and in all states
//!   before it. Then `I(P) -> M(P)` in the initial state, and `M(P) & I(P) & I'(P) -> M'(P)` for each transition. With
//!   these hypotheses, the prophecy invariants of the step are shown by induction from the initial state. If they imply
//!   `exists P. I(P) & M(P)` in the bad state, then such values exist.
//! - *Backward, with prophecy.* `M(P)` is the opposite: that `I(P)` is false in the state or in one after it. So `I(P) ->
//!   !M(P)` in the bad state, the same formula for each transition, induction from the bad state, and `exists P. I(P) &
//!   !M(P)` in the initial state.
//!
//! Each step may assume the invariants of earlier steps in all states, with constants for their variables. At last, an
//! initial state and a state after it, both with all invariants, imply the safety properties in the latter.

use super::plain::{axioms, derived, derived_now, inits, transition_formula};
use super::{Goal, Group, GroupKind, Hypothesis, HypothesisOrigin, Origin, ProofPart};
use ramsey_core::logic::{Signature, SyntaxMut, TermId, Terms};
use ramsey_core::system::{ProofStep, System};

/// Returns the obligations of all proofs, step by step.
pub(super) fn groups(system: &System, syntax: SyntaxMut<'_>) -> Vec<Group> {
    let SyntaxMut { sig, terms } = syntax;
    if system.proofs.list.is_empty() {
        return Vec::new();
    }
    let transitions = system.transitions.iter();
    let transitions: Vec<TermId> =
        transitions.map(|transition| transition_formula(terms.over_mut(sig), transition)).collect();
    let mut groups = Vec::new();
    for (proof, known) in system.proofs.list.iter().enumerate() {
        let mut earlier = Vec::new();
        for (index, step) in known.steps.iter().enumerate() {
            let mut stage = Stage { system, sig, terms, proof, index, step, earlier: &earlier };
            groups.push(stage.start());
            for (transition, &formula) in transitions.iter().enumerate() {
                groups.push(stage.transition(transition, formula));
            }
            groups.extend(stage.witness());
            let shown = stage.shown();
            earlier.extend(shown);
        }
        groups.push(safety(system, terms.over_mut(sig), proof, &earlier));
    }
    groups.retain(|group| !group.goals.is_empty());
    groups
}

/// An invariant of an earlier step, closed and over step 0: its formula, its step and its index.
type Earlier = (TermId, usize, usize);

/// A step of a proof with what precedes it.
struct Stage<'a> {
    system: &'a System,
    sig: &'a Signature,
    terms: &'a mut Terms,
    proof: usize,
    index: usize,
    step: &'a ProofStep,
    earlier: &'a [Earlier],
}

impl Stage<'_> {
    /// The base case: where the induction starts.
    fn start(&mut self) -> Group {
        let mut hypotheses = axioms(self.system);
        hypotheses.extend(derived_now(self.system));
        self.end_of_execution(self.step.forward, &mut hypotheses);
        hypotheses.extend(assumed(self.terms.over_mut(self.sig), self.proof, self.earlier, 0));
        if let Some(viable) = self.viable(0) {
            let body = self.invariant(0);
            let viable = if self.step.forward { viable } else { self.terms.not(viable) };
            let implies = self.terms.implies(body, viable);
            hypotheses.push(self.viability(implies));
        }
        let part = ProofPart::Start { step: self.index };
        let goals = self.inductive_goals(part, 0);
        Group { kind: GroupKind::Proof { proof: self.proof, part }, states: 1, hypotheses, goals }
    }

    /// The inductive case of a transition, with its formula.
    fn transition(&mut self, transition: usize, formula: TermId) -> Group {
        let mut hypotheses = axioms(self.system);
        for at in 0..2 {
            hypotheses.extend(derived(self.system, self.terms.over_mut(self.sig), at));
        }
        for at in 0..2 {
            hypotheses.extend(assumed(self.terms.over_mut(self.sig), self.proof, self.earlier, at));
        }
        let (from, to) = if self.step.forward { (0, 1) } else { (1, 0) };
        self.assume_inductive(from, &mut hypotheses);
        if let (Some(now), Some(next)) = (self.viable(0), self.viable(1)) {
            let before = [now, self.invariant(0), self.invariant(1)];
            let before = self.terms.and(&before);
            let implies = self.terms.implies(before, next);
            hypotheses.push(self.viability(implies));
        }
        hypotheses.push(Hypothesis { formula, origin: HypothesisOrigin::Transition(transition) });
        let part = ProofPart::Transition { step: self.index, transition };
        let goals = self.inductive_goals(part, to);
        Group { kind: GroupKind::Proof { proof: self.proof, part }, states: 2, hypotheses, goals }
    }

    /// The end of the induction of a prophecy step.
    fn witness(&mut self) -> Option<Group> {
        let viable = self.viable(0)?;
        let mut hypotheses = axioms(self.system);
        hypotheses.extend(derived_now(self.system));
        self.end_of_execution(!self.step.forward, &mut hypotheses);
        hypotheses.extend(assumed(self.terms.over_mut(self.sig), self.proof, self.earlier, 0));
        self.assume_inductive(0, &mut hypotheses);
        let viable = if self.step.forward { viable } else { self.terms.not(viable) };
        let body = [self.invariant(0), viable];
        let body = self.terms.and(&body);
        let vars = self.step.prophecy.as_ref().map_or(&[][..], |prophecy| &prophecy.vars);
        let formula = self.terms.exists(vars, body);
        let part = ProofPart::Witness { step: self.index };
        let goal = Goal { origin: Origin::Proof { proof: self.proof, part, claim: 0 }, formula };
        let kind = GroupKind::Proof { proof: self.proof, part };
        Some(Group { kind, states: 1, hypotheses, goals: vec![goal] })
    }

    /// Returns the invariants of the step as later steps may assume them.
    fn shown(&mut self) -> Vec<Earlier> {
        let constants = self.step.prophecy.iter().flat_map(|it| it.vars.iter().zip(&it.witnesses));
        let constants = constants.map(|(&var, &sym)| (var, self.terms.app(self.sig, sym, 0, &[]))).collect();
        let invariants = self.step.invariants.iter().enumerate();
        invariants
            .map(|(index, it)| (self.terms.substitute(it.formula, &constants), self.index, index))
            .collect()
    }

    /// Assumes that the state is initial, or that it violates a safety property.
    fn end_of_execution(&mut self, is_initial: bool, hypotheses: &mut Vec<Hypothesis>) {
        if is_initial {
            hypotheses.extend(inits(self.system));
        } else {
            let safety: Vec<TermId> =
                self.system.invariants.iter().filter(|it| it.is_safety).map(|it| it.formula).collect();
            let safe = self.terms.and(&safety);
            let formula = self.terms.not(safe);
            hypotheses.push(Hypothesis { formula, origin: HypothesisOrigin::Unsafe });
        }
    }

    /// Assumes the formulas that are proved by induction, in the state `at`.
    fn assume_inductive(&mut self, at: u16, hypotheses: &mut Vec<Hypothesis>) {
        let (proof, step, is_prophecy) = (self.proof, self.index, self.step.prophecy.is_some());
        for (invariant, it) in self.step.inductive().iter().enumerate() {
            let formula = self.terms.shift(self.sig, it.formula, at);
            let origin = if is_prophecy {
                HypothesisOrigin::ProphecyInvariant { proof, step, invariant, at }
            } else {
                HypothesisOrigin::ProofInvariant { proof, step, invariant, at }
            };
            hypotheses.push(Hypothesis { formula, origin });
        }
    }

    fn inductive_goals(&mut self, part: ProofPart, at: u16) -> Vec<Goal> {
        let goal = |(claim, it): (usize, &ramsey_core::system::ProofInvariant)| Goal {
            origin: Origin::Proof { proof: self.proof, part, claim },
            formula: self.terms.shift(self.sig, it.formula, at),
        };
        self.step.inductive().iter().enumerate().map(goal).collect()
    }

    /// Returns the conjunction of the invariants in the state `at`. The prophecy variables are free in it.
    fn invariant(&mut self, at: u16) -> TermId {
        let invariants: Vec<TermId> = self.step.invariants.iter().map(|it| it.formula).collect();
        let invariant = self.terms.and(&invariants);
        self.terms.shift(self.sig, invariant, at)
    }

    /// Returns `M(P)` in the state `at`, for a prophecy step. The prophecy variables are free in it.
    fn viable(&mut self, at: u16) -> Option<TermId> {
        let prophecy = self.step.prophecy.as_ref()?;
        let args: Vec<TermId> = prophecy.vars.iter().map(|&var| self.terms.var(var)).collect();
        Some(self.terms.app(self.sig, prophecy.viable, at, &args))
    }

    /// Returns the hypothesis that the formula holds for all values of the prophecy variables.
    fn viability(&mut self, formula: TermId) -> Hypothesis {
        let vars = self.step.prophecy.as_ref().map_or(&[][..], |prophecy| &prophecy.vars);
        let formula = self.terms.forall(vars, formula);
        Hypothesis { formula, origin: HypothesisOrigin::Viable { proof: self.proof, step: self.index } }
    }
}

/// Returns the invariants of earlier steps in the state `at`.
fn assumed(syntax: SyntaxMut<'_>, proof: usize, earlier: &[Earlier], at: u16) -> Vec<Hypothesis> {
    let SyntaxMut { sig, terms } = syntax;
    let hypothesis = |&(formula, step, invariant): &Earlier| Hypothesis {
        formula: terms.shift(sig, formula, at),
        origin: HypothesisOrigin::ProofInvariant { proof, step, invariant, at },
    };
    earlier.iter().map(hypothesis).collect()
}

/// The end of a proof: state 0 is initial and state 1 is a later one, not necessarily the next.
fn safety(system: &System, mut syntax: SyntaxMut<'_>, proof: usize, shown: &[Earlier]) -> Group {
    let mut hypotheses = axioms(system);
    for at in 0..2 {
        hypotheses.extend(derived(system, syntax.reborrow(), at));
    }
    hypotheses.extend(inits(system));
    for at in 0..2 {
        hypotheses.extend(assumed(syntax.reborrow(), proof, shown, at));
    }
    let SyntaxMut { sig, terms } = syntax;
    let part = ProofPart::Safety;
    let safety = system.invariants.iter().enumerate().filter(|(_, it)| it.is_safety);
    let goals = safety
        .map(|(claim, it)| Goal {
            origin: Origin::Proof { proof, part, claim },
            formula: terms.shift(sig, it.formula, 1),
        })
        .collect();
    Group { kind: GroupKind::Proof { proof, part }, states: 2, hypotheses, goals }
}
