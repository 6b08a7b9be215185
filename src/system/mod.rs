//! The transition system: what every front end produces and everything else starts from.

pub mod model;

pub use model::{Axiom, Derived, Init, Invariant, System, Theorem, Trace, TraceCall, TraceStep, Transition};
