//! Queries about models and about bare formulas.

pub mod bmc;
pub mod canonical;
pub mod cases;
pub mod certify;
mod confirm;
pub mod cti;
mod dead_variables;
pub mod deadlock;
pub mod evaluate;
pub mod explain;
pub mod fragment;
pub mod generalize;
mod implied;
pub mod inductive;
pub mod instance;
mod known;
pub mod mc;
pub mod orders;
pub mod outcome;
pub mod problem;
pub mod relevant;
pub mod simulate;
pub mod suggest;
pub mod trace;
pub mod triage;
pub mod unroll;
pub mod vacuity;
pub mod verify;

pub use confirm::confirm;
pub use dead_variables::dead_variables;
pub use fragment::{Cycle, CycleEdge, EdgeCause, EdgeOrigin, fragment};
pub use implied::{Implied, implied, implies};
pub use outcome::{Counterexample, GroupResult, Needs, ObligationResult, Outcome, Verification, describe};
pub use unroll::Call;
pub use vacuity::{Vacuity, VacuousPart};
pub use verify::{Limits, Options, Plan};
