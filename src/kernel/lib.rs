//! What an answer claims, and whether a certificate shows it.

pub mod check;
pub mod core;
pub mod obligations;

// Helpers that the tests share name all crates by one name.
#[cfg(test)]
extern crate self as ramsey;
#[cfg(test)]
use ramsey_core::{base, logic};
