//! Finite instances of transition systems: with a number of elements for each sort, a system is a circuit.
//!
//! [`Instance::new`] expands the formulas of a system over the elements. Bits of a state are latches, and what they stand
//! for is kept, so that states of the circuit are structures, clauses of an invariant are ground clauses, and an execution
//! of the circuit is one of the system.

mod build;
mod definitions;
mod enumerations;
mod expand;
mod initial;
mod instance;
mod layout;
mod names;
mod options;
mod plain;
mod refusal;
mod state;
mod symmetry;
mod vmt;
mod wires;

pub use build::is_immutable;
pub use enumerations::{Enumeration, enumerations};
pub use instance::{Instance, Place};
pub use layout::{Atom, Meaning, Sizes};
pub use options::{Break, Encoding, MAX_NODES, Options, Part};
pub use refusal::Refusal;
pub use state::{Path, Step};
pub use vmt::write_vmt;
pub use wires::Input;
