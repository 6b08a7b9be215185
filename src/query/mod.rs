//! The questions that can be asked of a model.

pub mod outcome;

pub use outcome::{Breach, Counterexample, ObligationResult, Outcome, Statistics, Verification};
