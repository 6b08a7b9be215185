//! Model checking of circuits: whether a bad state is reachable.
//!
//! [`check`] reduces a circuit to what a property depends on ([`system`]) and searches by several methods in turns of
//! counted work, so that the answer depends on no clock.

mod certify;
mod circuit;
pub mod cnf;
mod decided;
pub mod gates;
pub mod graph;
mod needed;
mod outcome;
mod pdr;
pub mod questions;
mod search;
mod simulate;
pub mod system;
#[cfg(test)]
mod tests;
mod unroll;
mod witness;

pub use certify::{NoCertificate, answer_of, certificate};
pub use circuit::{Circuit, Latch};
pub use outcome::{Clause, Outcome, Proof, Stats, Witness};
pub use search::{Method, Options, Reachability, check};
pub use witness::{property_circuit, witness_circuit};
