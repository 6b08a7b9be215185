//! Parser of names, labels, parameters, and of parts that are skipped.

use std::sync::Arc;

use super::Parser;
use crate::fol::ast::{Expr, Ident, Place, SortedVar};
use crate::fol::parser::{Failed, MAX_DEPTH, Parsed};
use crate::fol::token::Token;
use crate::ivy::ast::{Listed, Skipped, Version};
use crate::ivy::lexer::Lexer;
use ramsey_core::base::span::Span;
use ramsey_core::diag::{Code, Diagnostic};

/// The first minor version in which lists of isolates name the whole program.
const FIRST_WITH_THIS: u32 = 6;

/// The first minor version in which a parameter is written `^x:t`.
const FIRST_WITH_RECEIVERS: u32 = 7;

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
        let mut name =
            if self.at(Token::This) { self.name_or_this(what)? } else { self.subscripted_name(what)? };
        while self.at(Token::Dot) && self.peek() == Token::Ident {
            self.advance();
            let part = self.subscripted_name(what)?;
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
        if !(self.at(Token::Ident) || self.at(Token::Number) || self.token.is_reserved_word()) {
            let error = self.expected("a name");
            return self.fail(error);
        }
        let name = self.keyword();
        self.advance();
        let place = Place(self.span_from(start));
        self.expect(Token::RightBracket, "`]`")?;
        Ok(Some(Ident { name, place }))
    }

    /// Parses parameters in parentheses.
    pub(super) fn params(&mut self) -> Parsed<Vec<SortedVar>> {
        if self.at(Token::LeftParen) && self.peek() == Token::RightParen {
            self.advance();
            self.advance();
            return Ok(Vec::new());
        }
        self.some_params()
    }

    /// Parses the parameters of an action in parentheses. Returns the position of the last one after `^` with them.
    pub(super) fn params_of_action(&mut self) -> Parsed<(Vec<SortedVar>, Option<usize>)> {
        if self.peek() == Token::RightParen {
            return Ok((self.params()?, None));
        }
        self.expect(Token::LeftParen, "`(`")?;
        let (mut vars, mut receiver) = (Vec::new(), None);
        loop {
            let is_receiver =
                Version::of_text(self.text).minor >= FIRST_WITH_RECEIVERS && self.eat(Token::Caret);
            let var = self.var_with_sort()?;
            if is_receiver {
                if var.sort.is_none() {
                    let error = self.expected("`:` and the type");
                    return self.fail(error);
                }
                receiver = Some(vars.len());
            }
            vars.push(var);
            if !self.eat(Token::Comma) {
                break;
            }
        }
        self.expect(Token::RightParen, "`,` or `)`")?;
        Ok((vars, receiver))
    }

    /// Parses one or more parameters in parentheses.
    pub(super) fn some_params(&mut self) -> Parsed<Vec<SortedVar>> {
        self.expect(Token::LeftParen, "`(`")?;
        if self.at(Token::RightParen) {
            let error = self.expected("a parameter");
            return self.fail(error.help("what has no parameters has no parentheses"));
        }
        let vars = self.vars_with_sorts()?;
        self.expect(Token::RightParen, "`,` or `)`")?;
        Ok(vars)
    }

    /// Parses `...`.
    pub(super) fn dots(&mut self) -> Parsed<()> {
        for _ in 0..3 {
            self.expect(Token::Dot, "`...`")?;
        }
        Ok(())
    }

    /// Parses the `...` with which a block continues an object, if it is there.
    pub(super) fn continues(&mut self) -> Parsed<bool> {
        let is_continued = self.at(Token::Dot);
        if is_continued {
            self.dots()?;
        }
        Ok(is_continued)
    }

    /// Passes over the bracket here, up to the one that closes it.
    pub(super) fn balanced(&mut self) -> Parsed<()> {
        let open = self.span();
        let mut depth = 0_u32;
        loop {
            match self.token {
                Token::LeftBrace | Token::LeftParen | Token::LeftBracket => depth += 1,
                Token::RightBrace | Token::RightParen | Token::RightBracket => depth -= 1,
                Token::End => {
                    let error = self.expected("a closing bracket").also(open, "to close this one");
                    return self.fail(error);
                }
                _ => {}
            }
            self.advance();
            if depth == 0 {
                return Ok(());
            }
        }
    }

    /// Parses names of objects, actions and claims with arguments, separated by commas. Returns the names.
    pub(super) fn call_atoms(&mut self) -> Parsed<Vec<Ident>> {
        let mut names = Vec::new();
        loop {
            if self.at(Token::This) && Version::of_text(self.text).minor < FIRST_WITH_THIS {
                let error = self.expected("the name of an object or declaration");
                return self.fail(error.help("from version 1.6 on, `this` is the whole program"));
            }
            names.push(self.dotted_name("the name of an object or declaration")?);
            if self.at(Token::LeftParen) {
                self.params()?;
            }
            if !self.eat(Token::Comma) {
                return Ok(names);
            }
        }
    }

    /// Parses `with` and names, if they follow.
    pub(super) fn with(&mut self) -> Parsed<Option<Listed>> {
        let start = self.start;
        if !self.eat(Token::With) {
            return Ok(None);
        }
        let names = self.call_atoms()?;
        Ok(Some(Listed { names, text: self.passed(start) }))
    }

    /// Returns the tokens of a formula as text.
    pub(super) fn passed_formula(&self, formula: &Expr) -> Skipped {
        self.passed_at(formula.span())
    }

    /// Returns the tokens from `start` up to the current one as text that is not translated.
    pub(super) fn passed(&self, start: u32) -> Skipped {
        self.passed_at(self.span_from(start))
    }

    fn passed_at(&self, span: Span) -> Skipped {
        let source = self.text_of(span);
        // Where tokens end does not depend on the version.
        let mut lexer = Lexer::of_text(source);
        let mut text = String::new();
        while let Some(token) = lexer.next() {
            if token.is_ok() {
                let word = &source[lexer.span()];
                if !text.is_empty() && !matches!(word, "," | ";") {
                    text.push(' ');
                }
                text.push_str(word);
            }
        }
        Skipped { text: text.into(), place: Place(span) }
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
