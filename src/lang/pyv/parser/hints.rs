//! Hints for syntax errors in declarations: what was probably intended.

use super::Parser;
use crate::fol::lexer::{Starts, Syntax};
use crate::fol::token::Token;
use crate::pyv::hints::declaration;
use crate::pyv::lexer::Lexeme;
use ramsey_core::diag::Diagnostic;

impl Parser<'_> {
    pub(super) fn hint_declaration(&self, error: Diagnostic) -> Diagnostic {
        match self.token {
            Token::Relation | Token::Constant | Token::Function => {
                let word = self.slice();
                error.help(format!("say whether it may change: `mutable {word}` or `immutable {word}`"))
            }
            Token::Trace => error.help("say what is expected of the trace: `sat trace` or `unsat trace`"),
            Token::Ident => match declaration(self.slice()) {
                Some(help) => error.help(help),
                None => self.hint_keyword(error, Lexeme::suggestions(&[Starts::Item, Starts::Declaration])),
            },
            _ => error,
        }
    }

    /// Reports text after a complete declaration.
    pub(super) fn after_declaration(&mut self) {
        if let Some(error) = self.foreign_operator() {
            return self.report(error);
        }
        let error = self.expected("an operator or the next declaration");
        let is_after_old = self.word_before().is_some_and(|(word, _)| word == "old");
        let error = match self.token {
            Token::Ident if is_after_old => {
                error.help("`old` takes what is read in the old state in parentheses: `old(..)`")
            }
            Token::Relation | Token::Constant | Token::Function | Token::Trace => {
                self.hint_declaration(error)
            }
            Token::Ident => {
                let hinted = self.hint_declaration(error);
                if hinted.help.is_some() { hinted } else { self.hint_operator(hinted) }
            }
            Token::RightParen => error.help("there is no parenthesis open here"),
            _ => self.hint_operator(error),
        };
        self.report(error);
    }
}
