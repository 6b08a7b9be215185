//! The core of the language `.ivy`, as `spec/ivy.md` describes it. What else there is in the language is not covered.

mod actions;
mod declaration;
mod elements;
mod expr;
mod fields;
mod formulas;
mod library;
mod parser;
mod program;
mod scopes;
mod state;
mod statement;
mod statements;
mod tokens;
mod tree;

use std::path::Path;

use crate::closed::signed;
use crate::problem::with_stack;
use crate::program::tree::Axioms;
use crate::refusal::{Reason, Refusal};
use crate::text::{Files, Find};
use scopes::Scopes;
use state::Program;

/// Returns the text of the closed system of a program, as `spec/core.md` describes it.
///
/// # Errors
/// The text, or one that it includes, is refused: it is no program, or one without a closed form, or too large; or it uses a
/// part of the language that is not covered.
pub fn core(path: &Path, text: &str, find: Find<'_>) -> Result<String, Refusal> {
    with_stack(|| {
        let mut files = Files::of(path, text);
        closed(&mut files, find).map(|lines| signed(&lines)).map_err(|reason| files.refusal(reason))
    })
}

fn closed(files: &mut Files, find: Find<'_>) -> Result<String, Reason> {
    let (version, decls) = parser::parse(files, find)?;
    let mut program = Program::new(version, parser::library_in(files), Scopes::new(&decls)?);
    let items = program.items()?;
    let axioms = if version >= 7 { Axioms::Rigid } else { Axioms::OfStates };
    crate::program::closed(items, program.variables, axioms, &|at| files.line(at))
}
