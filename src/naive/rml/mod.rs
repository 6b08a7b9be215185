//! The language `.rml`, as `spec/rml.md` describes it.

mod expr;
mod files;
mod library;
mod parser;
mod tokens;

use std::path::Path;

use crate::closed::signed;
use crate::program;
use crate::program::tree::Axioms;
use crate::refusal::Refusal;
use crate::text::{Files, Find};
use parser::Parser;

/// Returns the text of the closed system of a program, as `spec/core.md` describes it.
///
/// # Errors
/// The text, or one that it includes, is refused: it is no program, or one without a closed form, or too large.
pub fn core(path: &Path, text: &str, find: Find<'_>) -> Result<String, Refusal> {
    let mut files = Files::of(path, text);
    let closed = Parser::new(&mut files, find).and_then(|Parser { files, items, variables, .. }| {
        program::closed(items, variables, Axioms::OfChanges, &|at| files.line(at))
    });
    closed.map(|lines| signed(&lines)).map_err(|reason| files.refusal(reason))
}
