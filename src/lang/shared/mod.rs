//! What all languages of inputs share: diagnostics in limited number, mistakes in texts, included files, and what is
//! asked of a formula beside a model.

mod error;
mod formula;
mod includes;
pub(in crate::lang) mod report;

pub use error::Error;
pub use formula::{FormulaKind, WithFormula};
pub use includes::{Includes, Inclusion};
