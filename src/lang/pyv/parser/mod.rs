//! Parser of `.pyv` declarations. Formulas are parsed by [`crate::fol::parser`].

mod decl;
mod fbii;
mod hints;

use super::ast::{Decl, DeclKind, Program};
use super::dialect;
use super::lexer::{Lexeme, Lexer};
use crate::fol::ast::Place;
use crate::fol::parser;
use crate::fol::parser::hints::for_other_format;
use crate::fol::token::Token;
use ramsey_core::base::budget::{Budget, Exhausted};
use ramsey_core::base::span::FileId;
use ramsey_core::diag::Diagnostic;

/// Parser state of a `.pyv` text.
type Parser<'t> = parser::Parser<'t, Lexeme>;

/// Parses a file. Declarations with syntax errors become [`DeclKind::Broken`]. Each token costs one unit of the budget.
///
/// # Errors
/// Returns the budget that was exhausted.
pub(super) fn parse(
    file: FileId,
    text: &str,
    budget: &mut Budget,
) -> Result<(Program, Vec<Diagnostic>), Exhausted> {
    let (decls, diagnostics) = parser::parse_file(file, text, Lexer::new(text, ()), budget, Parser::program)?;
    let dialect = dialect::of(&decls);
    Ok((Program { decls, file, dialect }, diagnostics))
}

impl Parser<'_> {
    fn program(&mut self) -> Vec<Decl> {
        let mut decls = Vec::new();
        if let Some(help) = for_other_format(self.text_here()) {
            let error = self.expected("a declaration").help(help);
            self.report(error);
            self.give_up();
        }
        while !self.at(Token::End) {
            let start = self.start;
            self.begin_item();
            let errors_before = self.errors;
            match self.decl() {
                Ok(kind) if self.errors == errors_before => {
                    let is_followed = !self.at(Token::End) && !self.starts_item();
                    if !is_followed || self.is_first_on_line() {
                        decls.push(Decl { kind, place: Place(self.span_from(start)) });
                    }
                    if is_followed {
                        // Text on the same line belongs to the declaration, which is then not what was intended.
                        let after = if self.is_first_on_line() { self.start } else { start };
                        self.after_declaration();
                        decls.push(self.broken(after));
                    }
                }
                _ => decls.push(self.broken(start)),
            }
        }
        decls
    }

    /// Skips to the next declaration.
    fn broken(&mut self, start: u32) -> Decl {
        let names = self.skip_item(start);
        Decl { kind: DeclKind::Broken(names), place: Place(self.span_from(start)) }
    }
}
