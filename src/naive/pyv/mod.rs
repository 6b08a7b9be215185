//! The language `.pyv`, as `spec/pyv.md` describes it.

mod check;
mod close;
mod model;
mod parser;
mod syntax;
mod tokens;
mod write;

use crate::refusal::{Refusal, Refused, refuse};
use parser::Parser;

/// Returns the text of the closed system of a model, as `spec/core.md` describes it.
///
/// # Errors
/// The text is refused: it is no model, or one without a closed form, or too large.
pub fn core(text: &str) -> Result<String, Refusal> {
    closed(text).map_err(|Refused { at, what }| {
        let line_start = line_starts(text).take_while(|start| *start <= at).last().unwrap_or(0);
        Refusal { line: line(text, at), column: text[line_start..at].chars().count() + 1, what }
    })
}

fn closed(text: &str) -> Result<String, Refused> {
    let mut parser = Parser::new(tokens::tokens(text)?);
    let decls = parser.program()?;
    let calls_old = decls.iter().filter_map(syntax::Decl::name).all(|name| name.text != "old");
    let is_older = parser.old.is_some() && calls_old;
    if let (true, Some(new)) = (is_older, parser.new) {
        return refuse(new, "marks the new state, and elsewhere `old(..)` marks the old one");
    }
    let model = check::model(&decls, is_older)?;
    write::document(&model, |at| line(text, at))
}

/// Returns where the lines of a text begin.
fn line_starts(text: &str) -> impl Iterator<Item = usize> {
    let bytes = text.as_bytes();
    let ends = |at: &usize| bytes[*at] == b'\n' || bytes[*at] == b'\r' && bytes.get(at + 1) != Some(&b'\n');
    std::iter::once(0).chain((0..bytes.len()).filter(ends).map(|at| at + 1))
}

/// Returns the line of a place, from 1.
fn line(text: &str, at: usize) -> usize {
    line_starts(text).take_while(|start| *start <= at).count()
}

#[cfg(test)]
mod tests;
