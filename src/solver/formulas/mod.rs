//! Forms of formulas and structures for search and for output: normal forms, the graph of sorts, partial structures
//! with their diagrams, and printing. No certificate depends on this module.

mod conjecture;
mod facts;
pub mod fragment;
mod isomorphism;
mod miniscope;
pub mod nnf;
pub mod partial;
pub mod print;

pub use conjecture::variable_name;
pub use facts::{ElementNames, applied, fact_text, negated, split_at_commas};
pub use fragment::{Cause, Edge, Normalizer, SortGraph};
pub use isomorphism::{Canonical, canonical_order};
pub use miniscope::Miniscope;
pub use nnf::Nnf;
pub use partial::{Fact, Partial};
pub use print::Pretty;
