//! Input languages, one module each.

pub mod dimacs;
pub mod pyv;
pub mod rml;
