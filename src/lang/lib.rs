//! Input languages: the table of formats, and a module for each language.
//!
//! Languages of models are based on [`fol`], and those of programs also on [`program`]. No language depends on another.

pub mod aiger;
pub mod core;
pub mod dimacs;
pub mod fol;
mod formats;
pub mod ivy;
pub mod print;
pub mod program;
pub mod prophecy;
pub mod pyv;
pub mod rml;
mod shared;
pub mod smtlib;
pub mod tptp;
pub mod translate;

pub use formats::{
    Descriptor, Format, InputKind, Language, Loaded, Trees, load, load_with_claim, lower_with_formulas,
    lower_within, parse_within,
};
pub use shared::{BuiltIn, Error, FormulaKind, Includes, Inclusion, Unread, WithFormulas};
