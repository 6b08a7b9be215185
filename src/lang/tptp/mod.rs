//! Problems of the TPTP library: translation of clauses (`cnf`), first-order formulas (`fof`), and typed variants of
//! both (`tff`, `tcf`) to a [`Problem`](ramsey_core::logic::Problem). `spec/tptp.md` defines the accepted language.
//!
//! A file is read once, and formulas are translated to terms directly, without a syntax tree. Nesting requires no
//! recursion: incomplete parts are on an explicit stack.

mod cursor;
mod formula;
mod lexer;
mod problem;
mod reader;
mod types;
mod variables;
mod vocabulary;

use super::shared::{Includes, Inclusion};
use lexer::{Lexer, Token};
use ramsey_core::base::budget::{Budget, Exhausted};
use ramsey_core::base::span::{FileId, Sources};
use ramsey_core::diag::Diagnostic;

pub use problem::{Loaded, Role, Statement};

/// Rules for including files. According to the library, a path is relative to the folder of the including file, or else
/// to the folder named by the environment variable `TPTP`.
pub(crate) const INCLUSION: Inclusion =
    Inclusion { included, prelude: |_, _| None, is_own_first: true, library: Some("TPTP") };

/// Returns the paths of the files that a text includes, as written.
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

/// Loads a problem with the files that it includes. Returns a problem if and only if there is no error.
pub fn load(file: FileId, sources: &Sources, includes: &Includes) -> (Option<Loaded>, Vec<Diagnostic>) {
    // An unlimited budget is never exhausted.
    load_within(file, sources, includes, &mut Budget::unlimited()).unwrap_or_default()
}

/// Like [`load`], within a budget: each operand costs one unit.
///
/// # Errors
/// Returns the budget that was exhausted.
pub fn load_within(
    file: FileId,
    sources: &Sources,
    includes: &Includes,
    budget: &mut Budget,
) -> Result<(Option<Loaded>, Vec<Diagnostic>), Exhausted> {
    reader::load(file, sources, includes, budget)
}
