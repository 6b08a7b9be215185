//! Ramsey: safety of distributed protocols in first-order logic, decided without an external solver.

pub mod base;
pub mod lang;
pub mod sat;
