//! Transition systems: the output of front ends and the input of every analysis.

pub mod command;
pub mod model;
pub mod program;
pub mod proof;

pub use command::{Assignment, Branch, Choice, ChoiceForm, Command, CommandKind, Havoc};
pub use model::{
    Assertion, Axiom, Beside, Definition, Derived, Effect, Init, Instance, InstanceParts, Invariant,
    MAX_STEPS, Method, PlacedFormula, Role, Site, System, Theorem, Trace, TraceCall, TraceStep, Transition,
};
pub use proof::{Proof, ProofInvariant, ProofStep, Proofs, Prophecy};
