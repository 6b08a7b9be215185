//! The transition system: what every front end produces and everything else starts from.

pub mod action;
pub mod model;

pub use action::{Action, Update};
pub use model::{Axiom, Derived, Init, Invariant, System, Theorem, Trace, TraceCall, TraceStep, Transition};
