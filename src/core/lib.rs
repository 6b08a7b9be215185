//! What everything stands on: ids and budgets, diagnostics as data, formulas and structures, and transition systems.

pub mod base;
pub mod diag;
pub mod logic;
pub mod system;
