//! The questions that can be asked of a model.

pub mod outcome;
pub mod verify;

pub use outcome::{Breach, Counterexample, ObligationResult, Outcome, Statistics, Verification};
pub use verify::{Limits, Options, Plan};
