//! Parser of declarations that begin with a word which is no token of its own, and of text in other languages.

use std::sync::Arc;

use super::Parser;
use crate::fol::ast::{Ident, Place, SortName, SortRef, SortedVar};
use crate::fol::parser::{Failed, Parsed};
use crate::fol::token::Token;
use crate::ivy::ast::{Autoinstance, ChoiceDecl, Decl, DeclKind, Skipped, TypeBody, Version, When};
use ramsey_core::base::span::Span;
use ramsey_core::diag::{Code, Diagnostic};
use ramsey_core::logic::Unchecked;

/// The first minor version with declarations of methods.
const FIRST_WITH_METHODS: u32 = 5;

/// Returns a parameter of the type of the object around a declaration.
pub(super) fn of_this(name: &str, place: Place) -> SortedVar {
    let sort = SortRef { name: SortName::Named("this".into()), place };
    SortedVar { name: Ident { name: name.into(), place }, sort: Some(sort) }
}

impl Parser<'_> {
    /// Parses a declaration whose first word tells its kind.
    pub(super) fn further(&mut self) -> Parsed<Vec<DeclKind>> {
        let word = self.slice();
        self.advance();
        let one = match word {
            "variant" => return self.type_(true),
            "autoinstance" => self.autoinstance()?,
            "mixin" => self.mixin()?,
            "delegate" => {
                let mut names = vec![self.dotted_name("the name of an action")?];
                while self.eat(Token::Comma) {
                    names.push(self.dotted_name("the name of an action")?);
                }
                if self.at(Token::Implies) {
                    let error = self
                        .expected("`,` or the end of the declaration")
                        .help("claims are delegated to whoever calls the action, and to nobody else");
                    return self.fail(error);
                }
                DeclKind::Delegate(names)
            }
            "temporal" => self.temporal()?,
            _ => self.unread(word)?,
        };
        Ok(vec![one])
    }

    /// Reports a declaration of a kind that is not read, and passes over its line, since one error is enough.
    pub(super) fn unread<T>(&mut self, word: &str) -> Parsed<T> {
        let end = self.previous_end;
        let span = Span { start: end - word.len() as u32, end, ..self.span() };
        let error = Diagnostic::error(Code::Syntax, span, format!("`{word}` is not supported"))
            .label("this part of the language is not read")
            .help("supported are types, relations, functions, actions, monitors, modules and invariants");
        self.report(error);
        while !self.at(Token::End) && !self.at(Token::RightBrace) && !self.is_first_on_line() {
            self.advance();
        }
        Err(Failed)
    }

    /// Parses `name[x][y] : module(x, y)`.
    fn autoinstance(&mut self) -> Parsed<DeclKind> {
        let name = self.ident("the name of the instances")?;
        let mut params = Vec::new();
        while self.eat(Token::LeftBracket) {
            params.push(self.ident("a parameter")?);
            self.expect(Token::RightBracket, "`]`")?;
        }
        if params.is_empty() {
            let error = self.expected("`[` and a parameter");
            return self.fail(error);
        }
        self.expect(Token::Colon, "`:` and the module")?;
        let module = self.dotted_name("the name of a module")?;
        let args = if self.at(Token::LeftParen) { self.arguments()? } else { Vec::new() };
        Ok(DeclKind::Autoinstance(Autoinstance { name, params, module, args }))
    }

    /// Parses `name before action` or `name after action`.
    fn mixin(&mut self) -> Parsed<DeclKind> {
        let mixer = self.dotted_name("the name of an action")?;
        let when = match self.token {
            Token::Before => When::Before,
            Token::After => When::After,
            _ => {
                let error = self.expected("`before` or `after`");
                return self.fail(error);
            }
        };
        self.advance();
        Ok(DeclKind::Mixin { mixer, when, action: self.dotted_name("the name of an action")? })
    }

    fn temporal(&mut self) -> Parsed<DeclKind> {
        if !self.eat(Token::Property) {
            let error = self.expected("`property` and a formula");
            return self.fail(error);
        }
        let label = self.label()?;
        let start = self.start;
        let formula = self.formula()?;
        let text = self.passed(start);
        let proof = self.passed_proof()?;
        let (reason, keyword) = (Unchecked::Temporal, self.intern("temporal property"));
        Ok(DeclKind::Unchecked { reason, keyword, label, formula, text, named: None, proof })
    }

    /// Parses `class name = { .. }` or `subclass name of class = { .. }`, which is an object with a type of this name.
    pub(super) fn class(&mut self) -> Parsed<DeclKind> {
        let (word, place) = (self.slice(), Place(self.span()));
        self.advance();
        let name = self.ident("the name of the class")?;
        let (mut of, mut params) = (None, Vec::new());
        if word == "class" && self.at(Token::LeftParen) {
            params = self.some_params()?;
        }
        if word == "subclass" {
            if self.slice() != "of" {
                let error = self.expected("`of` and a class");
                return self.fail(error);
            }
            self.advance();
            of = Some(self.dotted_name("the name of a class")?);
        }
        let this = Ident { name: "this".into(), place };
        let kind = DeclKind::Type { name: this, of, body: TypeBody::Uninterpreted };
        self.expect(Token::Equal, "`=` and a block")?;
        let open = self.span();
        self.expect(Token::LeftBrace, "`{`")?;
        let is_continued = self.continues()?;
        let mut decls = vec![Decl { kind, place }];
        decls.extend(self.rest_of_decls(open)?);
        let (keyword, with) = (self.intern("object"), None);
        Ok(DeclKind::Object { keyword, name, params, is_continued, decls, with })
    }

    /// Returns whether a method begins here: an action of the type of the object, `self` of which comes first.
    pub(super) fn is_method(&self) -> bool {
        self.slice() == "method"
            && self.peek() == Token::Ident
            && Version::of_text(self.text).minor >= FIRST_WITH_METHODS
    }

    /// Parses `field name : t`, which is a field of the type of the object around it.
    pub(super) fn field(&mut self) -> Parsed<DeclKind> {
        let place = Place(self.span());
        self.advance();
        let mut symbol = self.symbol(Token::Individual)?;
        if symbol.result.is_none() {
            let error = self.expected("`:` and the type of the field");
            return self.fail(error);
        }
        symbol.params.insert(0, of_this("Self_", place));
        Ok(DeclKind::Symbols { keyword: self.intern("destructor"), symbols: vec![symbol] })
    }

    /// Passes over the proof of what is not shown, if there is one.
    pub(super) fn passed_proof(&mut self) -> Parsed<Option<Skipped>> {
        let start = self.start;
        if !self.eat(Token::Proof) {
            return Ok(None);
        }
        self.label()?;
        while !matches!(self.token, Token::End | Token::RightBrace | Token::Semicolon)
            && !self.starts_declaration()
        {
            match self.token {
                Token::LeftBrace | Token::LeftParen | Token::LeftBracket => self.balanced()?,
                _ => self.advance(),
            }
        }
        Ok(Some(self.passed(start)))
    }

    /// Passes over text in another language, which may define a symbol, from `start` on.
    pub(super) fn native(&mut self, of: Option<Ident>, start: u32) -> DeclKind {
        self.advance();
        DeclKind::Native { of, text: self.passed(start) }
    }

    /// Parses `some Y. formula in value else other` after the symbol whose value this is.
    pub(super) fn choice(
        &mut self,
        keyword: Arc<str>,
        name: Ident,
        params: Vec<SortedVar>,
        result: Option<SortRef>,
    ) -> Parsed<DeclKind> {
        self.advance();
        let var = self.sorted_var()?;
        self.expect(Token::Dot, "`.` and the formula")?;
        let formula = self.formula()?;
        let mut value = None;
        if self.slice() == "in" {
            self.advance();
            let inside = self.formula()?;
            self.expect(Token::Else, "`else` and the value where there is none")?;
            value = Some((inside, self.formula()?));
        }
        let chosen = (var, formula);
        Ok(DeclKind::Choice(Box::new(ChoiceDecl { keyword, name, params, result, chosen, value })))
    }
}
