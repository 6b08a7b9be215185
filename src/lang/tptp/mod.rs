//! Problems of the TPTP library: clauses (`cnf`), first-order formulas (`fof`), and both with types (`tff`, `tcf`), to a
//! [`Problem`]. What is said of the language is in `spec/tptp.md`.
//!
//! A file is read once, front to back, and formulas become terms as they are read; there is no syntax tree. Nesting
//! costs no recursion: what is open lies on a stack of its own.

mod cursor;
mod formula;
mod lexer;
mod problem;
mod reader;
#[cfg(test)]
mod tests;
mod types;
mod vocabulary;

use super::shared::{Includes, Inclusion};
use crate::base::budget::{Budget, Exhausted};
use crate::base::span::{FileId, Sources};
use crate::diag::Diagnostic;
use lexer::{Lexer, Token};

pub use problem::{Loaded, Role, Statement};

/// How files include others: by the rules of the library, a path starts in the folder of the including file, or else in the
/// one that the environment variable `TPTP` names.
pub(in crate::lang) const INCLUSION: Inclusion =
    Inclusion { included, extension: "ax", prelude: &[], library: Some("TPTP") };

/// The files that a text says it includes, as it writes them.
pub fn included(text: &str) -> Vec<String> {
    let mut found = Vec::new();
    // Most files of many megabytes include nothing.
    if !text.contains("include") {
        return found;
    }
    let mut lexer = Lexer::new(text);
    let mut next = lexer.next();
    let mut starts = true;
    while next.0 != Token::End {
        let is_include = starts && next.0 == Token::LowerWord && &text[next.1] == "include";
        starts = next.0 == Token::Dot;
        next = lexer.next();
        if is_include && next.0 == Token::LeftParen {
            next = lexer.next();
            if next.0 == Token::SingleQuoted {
                found.push(lexer::unquoted(&text[next.1.clone()]));
            }
        }
    }
    found
}

/// Reads a problem, with the files that it includes. There is one if and only if there is no error.
pub fn load(file: FileId, sources: &Sources, includes: &Includes) -> (Option<Loaded>, Vec<Diagnostic>) {
    // There is no limit to run out of.
    load_within(file, sources, includes, &mut Budget::unlimited()).unwrap_or_default()
}

/// The same within a budget, of which an operand takes a unit.
///
/// # Errors
/// The budget that ran out.
pub fn load_within(
    file: FileId,
    sources: &Sources,
    includes: &Includes,
    budget: &mut Budget,
) -> Result<(Option<Loaded>, Vec<Diagnostic>), Exhausted> {
    reader::load(file, sources, includes, budget)
}
