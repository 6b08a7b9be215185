//! Common parts of all input languages: limited diagnostics, errors in texts, included files, and formulas supplied
//! separately from a model.

mod error;
mod formula;
mod includes;
pub(crate) mod report;

pub use error::Error;
pub use formula::{FormulaKind, WithFormulas};
pub use includes::{BuiltIn, Includes, Inclusion, Unread};
