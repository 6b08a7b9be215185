//! Printers of syntax trees in a canonical format. The output parses to the same tree, except for comments and parts
//! with syntax errors, which are omitted. Certificates do not depend on this module.

mod comments;
mod formulas;
mod ivy;
mod ivy_loops;
mod program;
mod pyv;

pub(crate) use comments::Comments;
pub use ivy::ivy;
pub(crate) use ivy::ivy_with;
pub use program::program;
pub(crate) use program::program_with;
pub use pyv::pyv;
pub(crate) use pyv::pyv_with;

use crate::{self as lang, Language};
use ramsey_core::base::budget::Budget;
use ramsey_core::base::span::FileId;
use ramsey_core::diag::Diagnostic;

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
        Language::Core => {
            // The same closed form has one text alone.
            let parsed = lang::core::parse_within(file, text, &mut Budget::unlimited());
            (text.to_owned(), parsed.map_or_else(|_| Vec::new(), |(_, diagnostics)| diagnostics))
        }
    }
}
