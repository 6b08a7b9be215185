//! Formulas beside a model.

use crate::diag::Diagnostic;
use crate::logic::TermId;
use crate::system::System;

/// What a formula beside a model is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum FormulaKind<'a> {
    /// A claim about every state, with the rules for an invariant.
    Claim,
    /// To be evaluated on states: with any quantifiers, and with names for elements.
    Question {
        /// How many states it may speak of: 1, or 2 where the language has formulas about the next state.
        states: u16,
        /// The names, each with its sort; they become constants of the system.
        constants: &'a [(String, String)],
    },
}

/// A model with a formula beside it, if there is no error, and diagnostics of both.
pub type WithFormula = (Option<(System, TermId)>, Vec<Diagnostic>);
