//! Goals of proofs, and the run of a proof.

use std::sync::Arc;

use super::rules::{OwnSymbol, Rule};
use super::terms::{Sort, Term};
use crate::ivy::expand::formulas::Context;
use crate::ivy::expand::state::Expander;
use ramsey_core::base::span::Span;

/// Maximum number of goals at a time.
pub(super) const MAX_GOALS: usize = 1_000;

/// What is to be shown, and what may be assumed for it.
#[derive(Clone)]
pub(super) struct Goal {
    /// The name by which steps call it.
    pub(super) label: Arc<str>,
    /// The names that it gives to what is around it, and to the symbols that stand for anything in it.
    pub(super) context: Context,
    /// The symbols that stand for anything in it.
    pub(super) symbols: Vec<OwnSymbol>,
    pub(super) premises: Vec<Rule>,
    pub(super) conclusion: Term,
}

impl Goal {
    /// Returns the free variables.
    pub(super) fn free(&self) -> Vec<(Arc<str>, Sort)> {
        let mut found = Vec::new();
        self.premises.iter().for_each(|premise| premise.add_free(&mut found));
        self.conclusion.add_free(&mut found);
        found
    }

    /// Returns whether what is to be shown is assumed.
    pub(super) fn is_trivial(&self) -> bool {
        self.premises.iter().any(|it| it.is_formula() && it.conclusion.is_same(&self.conclusion))
    }
}

/// The claim that a proof is of.
#[derive(Clone)]
pub(in crate::ivy::expand) struct Claim {
    /// Its name, if it has one.
    pub(in crate::ivy::expand) name: Arc<str>,
    pub(in crate::ivy::expand) place: Place,
    pub(in crate::ivy::expand) span: Span,
}

/// Where a claim stands.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(in crate::ivy::expand) enum Place {
    /// It is a property or theorem, at this position among the declarations. Those that are shown after it must not be assumed for it.
    Property(usize),
    /// It is an invariant.
    Invariant,
    /// It stands in statements.
    Statement,
}

/// The run of a proof.
pub(super) struct Prover<'e, 'a, 'r> {
    pub(super) expander: &'e mut Expander<'a, 'r>,
    pub(super) claim: Claim,
    /// Goals that steps admit, each with the place of the step.
    pub(super) admitted: Vec<(Goal, Span)>,
}
