//! Problems of the TPTP library: clauses (`cnf`), first-order formulas (`fof`), and both with types (`tff`, `tcf`), to a
//! [`Problem`]. What is said of the language is in `spec/tptp.md`.
//!
//! A file is read once, front to back, and formulas become terms as they are read; there is no syntax tree. Nesting
//! costs no recursion: what is open lies on a stack of its own.

mod cursor;
mod formula;
mod lexer;
mod reader;
#[cfg(test)]
mod tests;
mod types;
mod vocabulary;

use super::Includes;
use crate::base::budget::{Budget, Exhausted};
use crate::base::span::{FileId, Sources, Span};
use crate::diag::Diagnostic;
use crate::logic::Problem;
use lexer::{Lexer, Token};

/// A problem, and what a status has to tell about it.
#[derive(Clone, Debug)]
pub struct Loaded {
    /// One query: whether the conjunction of the conjectures follows, or `false` where there is none. A further
    /// hypothesis after those that [`Self::hypotheses`] names says that distinct objects are different.
    pub problem: Problem,
    /// Where the query's hypotheses come from, in their order.
    pub hypotheses: Vec<Statement>,
    /// The conjectures, in the order of the source.
    pub conjectures: Vec<Statement>,
}

impl Loaded {
    /// Whether the problem is to prove a conjecture; otherwise it is to tell whether all formulas can be true together.
    pub fn has_conjecture(&self) -> bool {
        !self.conjectures.is_empty()
    }

    /// Whether some formula is the negation of what was to be proved.
    pub fn has_negated_conjecture(&self) -> bool {
        self.hypotheses.iter().any(|statement| statement.role == Role::NegatedConjecture)
    }
}

/// A formula with its name and role.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Statement {
    /// The name, as TPTP writes it; names need not be unique.
    pub name: String,
    /// What it is said to be.
    pub role: Role,
    /// Where it stands, name and role included.
    pub span: Span,
}

/// What a formula is said to be.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Role {
    /// Taken as true: an axiom, hypothesis, definition, lemma or the like.
    Axiom,
    /// Taken as true: the negation of what is to be proved.
    NegatedConjecture,
    /// To be proved.
    Conjecture,
}

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
