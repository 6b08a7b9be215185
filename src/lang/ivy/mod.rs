//! The language of Ivy: parser, and translation to programs. `spec/ivy.md` defines the language.

pub mod ast;
mod hints;
mod lexer;
mod parser;
#[cfg(test)]
mod tests;

use crate::base::budget::{Budget, Exhausted};
use crate::base::span::FileId;
use crate::diag::Diagnostic;

/// Parses a file within a budget: each token costs one unit.
///
/// # Errors
/// Returns the budget that was exhausted.
pub fn parse_within(
    file: FileId,
    text: &str,
    budget: &mut Budget,
) -> Result<(ast::File, Vec<Diagnostic>), Exhausted> {
    parser::parse(file, text, budget)
}
