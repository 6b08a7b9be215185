//! Parser of sorts, variables, annotations, and names in brackets.

use std::sync::Arc;

use super::{Parsed, Parser};
use crate::fol::ast::{Annotation, Expr, Ident, Level, Place, SortName, SortRef, SortedVar};
use crate::fol::lexer::Syntax;
use crate::fol::token::Token;

impl<'t, L: Syntax<'t>> Parser<'t, L> {
    /// Rejects foreign syntax after the name of a sort.
    pub(crate) fn one_sort(&mut self, name: &str) -> Parsed<()> {
        let help = match self.token {
            Token::Comma => format!("each sort has a declaration: `sort {name} sort {}`", self.word_after()),
            Token::Equal => format!(
                "there are no enumerations: declare `sort {name}`, a constant for each element, and an axiom `distinct(a, b)`"
            ),
            _ => return Ok(()),
        };
        let error = self.expected("the end of the declaration").help(help);
        self.fail(error)
    }

    /// Parses the parenthesis after the argument sorts of a symbol.
    pub(crate) fn close_sorts(&mut self) -> Parsed<()> {
        if self.eat(Token::RightParen) {
            return Ok(());
        }
        let error = self.expected("`,` or `)`");
        let error = match self.token {
            Token::Colon => error.help("arguments have no names here, only sorts, as in `r(s, t)`"),
            _ => error,
        };
        self.fail(error)
    }

    pub(crate) fn sort(&mut self) -> Parsed<SortRef> {
        let place = Place(self.span());
        let name = match self.token {
            Token::Bool => SortName::Bool,
            Token::Int => SortName::Int,
            _ => return Ok(SortRef { name: SortName::Named(self.ident("a sort")?.name), place }),
        };
        self.advance();
        Ok(SortRef { name, place })
    }

    pub(crate) fn annotations(&mut self) -> Parsed<Vec<Annotation>> {
        let mut annotations = Vec::new();
        while self.at(Token::Annotation) {
            let start = self.start;
            let name: Arc<str> = self.intern(&self.slice()[1..]);
            self.advance();
            let mut args = Vec::new();
            if self.eat(Token::LeftParen) {
                args.push(self.ident("an argument of the annotation")?);
                while self.eat(Token::Comma) {
                    args.push(self.ident("an argument of the annotation")?);
                }
                self.expect(Token::RightParen, "`,` or `)`")?;
            }
            annotations.push(Annotation { name, args, place: Place(self.span_from(start)) });
        }
        Ok(annotations)
    }

    /// Parses `[name]`, if present.
    pub(crate) fn opt_name(&mut self) -> Parsed<Option<Ident>> {
        if !self.eat(Token::LeftBracket) {
            return Ok(None);
        }
        let name = self.ident("a name")?;
        self.expect(Token::RightBracket, "`]`")?;
        Ok(Some(name))
    }

    /// Parses one or more variables.
    pub(crate) fn sorted_vars(&mut self) -> Parsed<Vec<SortedVar>> {
        let mut vars = vec![self.sorted_var()?];
        while self.eat(Token::Comma) {
            vars.push(self.sorted_var()?);
        }
        Ok(vars)
    }

    pub(crate) fn sorted_var(&mut self) -> Parsed<SortedVar> {
        if self.at(Token::LeftParen) {
            let error = self
                .expected("a variable")
                .help("variables stand without parentheses: `forall x:s, y:t. ..`");
            return self.fail(error);
        }
        if matches!(self.token, Token::Not | Token::Forall | Token::Exists) {
            let error = self.expected("a variable").help("a `.` ends the variables, not a `,`");
            return self.fail(error);
        }
        let name = self.ident("a variable")?;
        let sort = if self.eat(Token::Colon) { Some(self.sort_of_variable()?) } else { None };
        Ok(SortedVar { name, sort })
    }

    /// Parses an expression of any precedence.
    pub(crate) fn formula(&mut self) -> Parsed<Expr> {
        self.expr(Level::Open)
    }
}
