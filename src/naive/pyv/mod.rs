//! The language `.pyv`, as `spec/pyv.md` describes it.

mod check;
mod close;
mod large;
mod parser;
mod tree;

use crate::closed::signed;
use crate::refusal::{Refusal, Result, line, refuse};

/// Returns the text of the closed system of a model, as `spec/core.md` describes it.
///
/// # Errors
/// The text is refused: it is no model, or one without a closed form, or too large.
pub fn core(text: &str) -> std::result::Result<String, Refusal> {
    closed(text).map_err(|reason| Refusal::new(text, reason))
}

fn closed(text: &str) -> Result<String> {
    let mut parser = parser::Parser::new(text)?;
    let decls = parser.program()?;
    let mut declared = decls.iter().filter(|decl| decl.word != "sort").filter_map(|decl| decl.name);
    // Where something else is called `old`, it marks no state.
    let is_older = parser.tokens.windows(2).any(|two| two[0].text == "old" && two[1].text == "(")
        && declared.all(|name| name.text != "old");
    let new = parser.tokens.iter().find(|token| matches!(token.text, "'" | "new"));
    if let (true, Some(new)) = (is_older, new) {
        return refuse(new.at, "marks the new state, and elsewhere `old(..)` marks the old one");
    }
    let model = check::Model::new(&decls, parser.variables, is_older)?;
    close::document(&model, |at| line(text, at)).map(|lines| signed(&lines))
}
