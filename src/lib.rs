//! Ramsey: safety of distributed protocols in first-order logic, decided without an external solver.

pub mod base;
pub mod diag;
pub mod lang;
pub mod logic;
pub mod query;
pub mod system;
pub mod vc;
