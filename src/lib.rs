//! Ramsey: safety of distributed protocols in first-order logic, decided without an external solver.

pub mod base;
#[cfg(feature = "cli")]
pub mod cli;
pub mod diag;
pub mod epr;
pub mod lang;
pub mod logic;
pub mod query;
pub mod report;
pub mod sat;
pub mod system;
pub mod vc;
