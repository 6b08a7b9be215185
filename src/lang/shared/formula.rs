//! Formulas supplied separately from a model.

use ramsey_core::diag::Diagnostic;
use ramsey_core::logic::TermId;
use ramsey_core::system::System;

/// Kind of a formula supplied separately.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum FormulaKind<'a> {
    /// A claim about every state, subject to the rules for invariants.
    Claim,
    /// A formula to be evaluated on states, with arbitrary quantifiers and names for elements.
    Question {
        /// The maximum number of states in the formula: 1, or 2 if the language has formulas about the next state.
        states: u16,
        /// Names with their sorts, which become constants of the system.
        constants: &'a [(String, String)],
    },
}

/// A model with separate formulas, if there is no error, and the diagnostics of all.
pub type WithFormulas = (Option<(System, Vec<TermId>)>, Vec<Diagnostic>);
