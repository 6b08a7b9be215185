//! Data model of proofs by forward and backward induction with prophecy.

use crate::base::span::Span;
use crate::logic::{Signature, SymId, TermId, Terms, VarId};

/// Proofs of the safety property, over a vocabulary of their own. Empty if the source has none.
#[derive(Clone, Debug, Default)]
pub struct Proofs {
    /// The signature of the system, extended by the symbols of prophecy steps.
    pub sig: Signature,
    /// The arena of the system with the formulas of the proofs. The system's terms have the same ids in it.
    pub terms: Terms,
    /// The proofs, in source order.
    pub list: Vec<Proof>,
}

/// A claim that no execution leads from an initial state to one that violates the safety property. Each step is about
/// the states of such an execution, and may use the invariants of earlier steps.
#[derive(Clone, Debug)]
pub struct Proof {
    /// The steps, in order.
    pub steps: Vec<ProofStep>,
    /// The declaration.
    pub span: Span,
}

impl Proof {
    /// Returns the constants that stand for the prophecy variables of the steps before `step`.
    pub fn witnesses(&self, step: usize) -> impl Iterator<Item = SymId> {
        let before = self.steps.iter().take(step).filter_map(|it| it.prophecy.as_ref());
        before.flat_map(|prophecy| prophecy.witnesses.iter().copied())
    }
}

/// A step of a [`Proof`]: its invariants hold in all states of an execution from an initial state to one that violates
/// the safety property.
#[derive(Clone, Debug)]
pub struct ProofStep {
    /// Its name, if it has one.
    pub name: Option<String>,
    /// The name, or `L` and the line of the step.
    pub label: String,
    /// Whether the induction starts in initial states, and not in states that violate the safety property.
    pub forward: bool,
    /// The invariants. The prophecy variables of this step are free in them; those of earlier steps are constants.
    pub invariants: Vec<ProofInvariant>,
    /// The prophecy: the values of the variables for which the invariants hold depend on the whole execution.
    pub prophecy: Option<Prophecy>,
    /// The declaration.
    pub span: Span,
}

impl ProofStep {
    /// Returns the formulas that are proved by induction.
    pub fn inductive(&self) -> &[ProofInvariant] {
        self.prophecy.as_ref().map_or(&self.invariants, |prophecy| &prophecy.invariants)
    }
}

/// The prophecy of a [`ProofStep`].
#[derive(Clone, Debug)]
pub struct Prophecy {
    /// The variables.
    pub vars: Vec<VarId>,
    /// The immutable constants that stand for the variables in later steps.
    pub witnesses: Vec<SymId>,
    /// The relation over the variables that holds for the values that are viable in a state (`vc/proofs` says what that
    /// means). Of kind [`crate::logic::SymbolKind::Choice`]: it has no frame condition.
    pub viable: SymId,
    /// Closed formulas over the state and `viable`, proved by induction. The invariants of the step are expanded.
    pub invariants: Vec<ProofInvariant>,
}

/// A formula of a [`ProofStep`].
#[derive(Clone, Debug)]
pub struct ProofInvariant {
    /// Its name in the source, if it has one.
    pub name: Option<String>,
    /// The name, or `L` and the line of the formula.
    pub label: String,
    /// The formula, over step 0.
    pub formula: TermId,
    /// The declaration.
    pub span: Span,
}
