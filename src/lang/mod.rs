//! Input languages: each folder turns text into a [`System`](crate::system::System) or diagnostics.

pub mod dimacs;
pub mod pyv;
