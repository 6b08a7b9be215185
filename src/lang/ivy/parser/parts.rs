//! Parser of names, labels, parameters, and of parts that are skipped.

use std::sync::Arc;

use super::{Parser, ends_skipped};
use crate::diag::{Code, Diagnostic};
use crate::lang::fol::ast::{Ident, Place, SortedVar};
use crate::lang::fol::parser::{Failed, MAX_DEPTH, Parsed};
use crate::lang::fol::token::Token;
use crate::lang::ivy::ast::Skipped;

impl Parser<'_> {
    /// Returns the current token as a keyword of the tree.
    pub(super) fn keyword(&mut self) -> Arc<str> {
        self.intern(self.slice())
    }

    /// Parses a name or `this`.
    pub(super) fn name_or_this(&mut self, what: &str) -> Parsed<Ident> {
        if self.at(Token::This) {
            let name = Ident { name: "this".into(), place: Place(self.span()) };
            self.advance();
            return Ok(name);
        }
        self.ident(what)
    }

    /// Parses a name that may have several parts.
    pub(super) fn dotted_name(&mut self, what: &str) -> Parsed<Ident> {
        let start = self.start;
        let mut name = self.name_or_this(what)?;
        while self.at(Token::Dot) && self.peek() == Token::Ident {
            self.advance();
            let part = self.ident(what)?;
            name.name = format!("{}.{}", name.name, part.name).into();
        }
        name.place = Place(self.span_from(start));
        Ok(name)
    }

    /// Parses `[label]`, if present. Any word and any number is a label.
    pub(super) fn label(&mut self) -> Parsed<Option<Ident>> {
        if !self.eat(Token::LeftBracket) {
            return Ok(None);
        }
        let start = self.start;
        let mut label = String::new();
        loop {
            if !(self.at(Token::Ident) || self.at(Token::Number) || self.token.is_reserved_word()) {
                let error = self.expected("a name");
                return self.fail(error);
            }
            label.push_str(self.slice());
            self.advance();
            if !self.eat(Token::Dot) {
                break;
            }
            label.push('.');
        }
        let place = Place(self.span_from(start));
        self.expect(Token::RightBracket, "`]`")?;
        Ok(Some(Ident { name: label.into(), place }))
    }

    /// Parses parameters in parentheses. A sort applies to the variables before it that have none.
    pub(super) fn params(&mut self) -> Parsed<Vec<SortedVar>> {
        self.expect(Token::LeftParen, "`(`")?;
        let vars = if self.at(Token::RightParen) { Vec::new() } else { self.typed_vars()? };
        self.expect(Token::RightParen, "`,` or `)`")?;
        Ok(vars)
    }

    /// Parses variables with sorts.
    pub(super) fn typed_vars(&mut self) -> Parsed<Vec<SortedVar>> {
        let mut vars = Vec::new();
        loop {
            let name = self.ident("a variable")?;
            let sort = if self.eat(Token::Colon) { Some(self.sort_with_dots()?) } else { None };
            vars.push(SortedVar { name, sort });
            if !self.eat(Token::Comma) {
                return Ok(vars);
            }
        }
    }

    /// Parses `proof ..` after a formula, if present. Among statements it ends at a `;`.
    pub(super) fn proof(&mut self, is_statement: bool) -> Option<Skipped> {
        if !self.at(Token::Proof) {
            return None;
        }
        Some(self.skip(self.start, &mut |parser, is_first| {
            parser.at(Token::RightBrace)
                || (is_statement && parser.at(Token::Semicolon))
                || (!is_first && !is_statement && ends_skipped(parser.token))
        }))
    }

    /// Skips the rest of a declaration. It ends where another one begins on a line of its own, or with `by_line` at the
    /// end of the line.
    pub(super) fn skipped_from(&mut self, start: u32, by_line: bool) -> Skipped {
        self.skip(start, &mut |parser, is_first| {
            !is_first
                && (parser.at(Token::RightBrace)
                    || (parser.is_first_on_line() && (by_line || ends_skipped(parser.token))))
        })
    }

    /// Skips tokens, up to one outside of all brackets for which `ends` holds.
    fn skip(&mut self, start: u32, ends: &mut dyn FnMut(&Self, bool) -> bool) -> Skipped {
        let mut depth = 0_u32;
        let mut is_first = true;
        let mut text = String::new();
        while !self.at(Token::End) && (depth > 0 || !ends(self, is_first)) {
            match self.token {
                Token::LeftBrace | Token::LeftParen | Token::LeftBracket => depth += 1,
                Token::RightBrace | Token::RightParen | Token::RightBracket => {
                    depth = depth.saturating_sub(1);
                }
                _ => {}
            }
            if !text.is_empty() {
                text.push(' ');
            }
            text.push_str(self.slice());
            is_first = false;
            self.advance();
        }
        Skipped { text: text.into(), place: Place(self.span_from(start)) }
    }

    /// Reports blocks that are nested too deeply.
    pub(super) fn blocks_too_deep<T>(&mut self) -> Parsed<T> {
        let what = format!("blocks are nested more than {} levels deep", MAX_DEPTH / 4);
        let error = Diagnostic::error(Code::TooDeep, self.span(), what).label("too deep here");
        self.report(error);
        self.give_up();
        Err(Failed)
    }
}
