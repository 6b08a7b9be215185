//! Ramsey: safety of distributed protocols in first-order logic, decided without an external solver.

pub mod base;
pub mod diag;
pub mod epr;
pub mod lang;
pub mod logic;
pub mod query;
pub mod sat;
pub mod system;
pub mod vc;
