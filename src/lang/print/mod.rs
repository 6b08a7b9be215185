//! Printers of syntax trees in a canonical format. The output parses to the same tree, except for comments and parts
//! with syntax errors, which are omitted. Certificates do not depend on this module.

mod comments;
mod formulas;
mod ivy;
mod program;
mod pyv;

pub(in crate::lang) use comments::Comments;
pub use ivy::ivy;
pub(in crate::lang) use ivy::ivy_with;
pub use program::program;
pub(in crate::lang) use program::program_with;
pub use pyv::pyv;
pub(in crate::lang) use pyv::pyv_with;

use crate::base::budget::Budget;
use crate::base::span::FileId;
use crate::diag::Diagnostic;
use crate::lang::{self, Language};

/// Parses a file and prints it in canonical format.
pub fn format(language: Language, file: FileId, text: &str) -> (String, Vec<Diagnostic>) {
    match language {
        Language::Pyv => {
            let (tree, diagnostics) = lang::pyv::parse(file, text);
            (pyv(&tree), diagnostics)
        }
        Language::Rml => {
            let (tree, diagnostics) = lang::rml::parse(file, text);
            (program(&tree), diagnostics)
        }
        Language::Ivy => {
            // An unlimited budget is never exhausted.
            let parsed = lang::ivy::parse_within(file, text, &mut Budget::unlimited());
            parsed.map_or_else(|_| Default::default(), |(tree, diagnostics)| (ivy(&tree), diagnostics))
        }
    }
}
