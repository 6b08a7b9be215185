//! The transition system: what every front end produces and everything else starts from.

pub mod action;
mod apply;
pub mod command;
pub mod compose;
pub mod interpret;
pub mod model;
pub mod program;
pub mod relax;

pub use action::{Action, Update};
pub use command::{Assignment, Branch, Choice, ChoiceForm, Command, CommandKind, Havoc};
pub use model::{
    Assertion, Axiom, Definition, Derived, Init, Invariant, MAX_STEPS, Site, System, Theorem, Trace,
    TraceCall, TraceStep, Transition,
};
pub use relax::Relaxed;
