//! The questions that can be asked of a model.

pub mod fragment;
pub mod outcome;
pub mod simulate;
pub mod vacuity;
pub mod verify;

pub use fragment::{Cycle, CycleEdge, EdgeCause, EdgeOrigin, fragment};
pub use outcome::{
    Breach, Call, Certificate, Counterexample, GroupResult, ObligationResult, Outcome, Statistics,
    Verification,
};
pub use vacuity::{Vacuity, Vacuous};
pub use verify::{Limits, Options, Plan};
