//! What an answer claims, and whether a certificate shows it.

pub mod check;
pub mod core;
pub mod obligations;
