//! Input languages, one module each.

pub mod dimacs;
