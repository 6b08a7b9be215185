//! Parser of the declarations of symbols, definitions and macros.

use std::sync::Arc;

use super::Parser;
use crate::fol::ast::{Ident, Place, SortName, SortRef, SortedVar};
use crate::fol::parser::Parsed;
use crate::fol::token::Token;
use crate::ivy::ast::{DeclKind, SymbolDecl, Version};
use ramsey_core::diag::{Code, Diagnostic};

/// The first minor version in which `definition` is followed by one definition.
const FIRST_WITH_ONE_DEFINITION: u32 = 7;

impl Parser<'_> {
    /// Parses symbols after their keyword.
    pub(super) fn symbols(&mut self) -> Parsed<DeclKind> {
        let (keyword, token) = (self.keyword(), self.token);
        self.advance();
        let mut symbols = vec![self.valued(&keyword, token)?];
        if self.at(Token::Some)
            && let Some(SymbolDecl { name, params, result, .. }) = symbols.pop()
        {
            return self.choice(keyword, name, params, result);
        }
        while self.eat(Token::Comma) {
            symbols.push(self.valued(&keyword, token)?);
        }
        if &*keyword == "parameter" {
            symbols.iter_mut().for_each(|it| it.default = it.definition.take());
        }
        symbols.iter_mut().for_each(|it| self.complete_symbol(it, token == Token::Relation));
        if token != Token::Relation
            && let Some(symbol) = symbols.iter().find(|it| it.result.is_none() && it.definition.is_none())
        {
            let error = Diagnostic::error(
                Code::Syntax,
                symbol.name.span(),
                format!("`{}` has no type", symbol.name.name),
            )
            .label("expected `:` and the type")
            .help(format!("write `{keyword} {} : t`", symbol.name.name));
            return self.fail(error);
        }
        Ok(DeclKind::Symbols { keyword, symbols })
    }

    /// Parses `constructor c(X:u) : t`, which is a function; its values are of the type of the object around it where no type is
    /// given.
    pub(super) fn constructor(&mut self) -> Parsed<DeclKind> {
        let place = Place(self.span());
        self.advance();
        let mut symbols = vec![self.symbol(Token::Individual)?];
        while self.eat(Token::Comma) {
            symbols.push(self.symbol(Token::Individual)?);
        }
        for symbol in &mut symbols {
            let this = || SortRef { name: SortName::Named("this".into()), place };
            symbol.result.get_or_insert_with(this);
            self.complete_symbol(symbol, false);
        }
        Ok(DeclKind::Symbols { keyword: self.intern("function"), symbols })
    }

    /// Parses a symbol, which has a value only if its keyword allows it.
    fn valued(&mut self, keyword: &str, token: Token) -> Parsed<SymbolDecl> {
        let symbol = self.symbol(token)?;
        let has_value = symbol.definition.is_some() || self.at(Token::Some);
        if !has_value || !matches!(keyword, "individual" | "constant" | "var") {
            return Ok(symbol);
        }
        let span = symbol.name.span();
        let error = Diagnostic::error(Code::Syntax, span, format!("`{keyword}` declares no value"))
            .label("followed by a value")
            .help("initial values are assigned in `after init { .. }`; what stays the same is a `function` or a `definition`");
        self.fail(error)
    }

    /// Parses a symbol.
    pub(super) fn symbol(&mut self, keyword: Token) -> Parsed<SymbolDecl> {
        let (name, params) = self.name_and_params(matches!(keyword, Token::Relation | Token::Function))?;
        let mut result = None;
        if self.at(Token::Colon) {
            if keyword == Token::Relation {
                let error = self
                    .expected("`=`, or the end of the declaration")
                    .help("a relation has no type; write `function`");
                return self.fail(error);
            }
            self.advance();
            result = Some(self.sort_with_dots()?);
        }
        // `some` is no part of a formula.
        let has_value = self.eat(Token::Equal) && !self.at(Token::Some);
        let definition = if has_value { Some(self.formula()?) } else { None };
        Ok(SymbolDecl { name, params, result, definition, default: None })
    }

    /// Parses a name with its parameters; of an operator, these are on its sides: `(X:t < Y:t)`.
    /// Where parameters `are_given`, parentheses have one.
    fn name_and_params(&mut self, are_given: bool) -> Parsed<(Ident, Vec<SortedVar>)> {
        if !self.at(Token::LeftParen) {
            let name = self.dotted_name("a name")?;
            let params = match self.token {
                Token::LeftParen if are_given => self.some_params()?,
                Token::LeftParen => self.params()?,
                _ => Vec::new(),
            };
            return Ok((name, params));
        }
        self.advance();
        let left = self.operand()?;
        let Some(name) = self.operator() else {
            let error = self.expected("an operator").help("a name stands before its parameters: `r(X:t)`");
            return self.fail(error);
        };
        let mut params = vec![left, self.operand()?];
        self.expect(Token::RightParen, "`)`")?;
        // A sort is that of both sides.
        let given = params.iter().find_map(|param| param.sort.clone());
        params.iter_mut().for_each(|param| param.sort = param.sort.take().or_else(|| given.clone()));
        Ok((name, params))
    }

    /// Parses a side of an operator that is declared or defined.
    fn operand(&mut self) -> Parsed<SortedVar> {
        let name = self.ident("a variable")?;
        let sort = if self.eat(Token::Colon) { Some(self.sort_with_dots()?) } else { None };
        Ok(SortedVar { name, sort })
    }

    /// Parses an operator as a name, if there is one here.
    pub(super) fn operator(&mut self) -> Option<Ident> {
        let is_operator = matches!(
            self.token,
            Token::Plus
                | Token::Minus
                | Token::Star
                | Token::Slash
                | Token::Less
                | Token::LessEqual
                | Token::Greater
                | Token::GreaterEqual
        );
        if !is_operator {
            return None;
        }
        let name = Ident { name: self.keyword(), place: Place(self.span()) };
        self.advance();
        Some(name)
    }

    /// Parses a definition. After `derived`, and up to version 1.6 after `definition`, there may be several.
    pub(super) fn definitions(&mut self) -> Parsed<Vec<DeclKind>> {
        let is_list =
            self.at(Token::Derived) || Version::of_text(self.text).minor < FIRST_WITH_ONE_DEFINITION;
        let keyword = self.keyword();
        let mut definitions = vec![self.definition()?];
        while is_list && self.eat(Token::Comma) {
            definitions.push(self.defined(keyword.clone(), self.start, None)?);
        }
        Ok(definitions)
    }

    /// Parses `definition [label] f(X) = value` or `derived r(X) = formula`.
    fn definition(&mut self) -> Parsed<DeclKind> {
        let (keyword, start) = (self.keyword(), self.start);
        self.advance();
        let label = self.label()?;
        let open = self.span();
        if self.eat(Token::LeftBrace) {
            let mut kind = self.defined(keyword, start, label)?;
            self.make_explicit(&mut kind)?;
            if !self.eat(Token::RightBrace) {
                let error = self.expected("`}`").also(open, "to close this brace");
                return self.fail(error);
            }
            return Ok(kind);
        }
        self.defined(keyword, start, label)
    }

    /// Makes a definition one that is known where it is named alone.
    pub(super) fn make_explicit(&mut self, kind: &mut DeclKind) -> Parsed<()> {
        match kind {
            DeclKind::Definition { is_explicit, .. } => *is_explicit = true,
            DeclKind::Choice(choice) => {
                let error = Diagnostic::error(
                    Code::Program,
                    choice.name.span(),
                    "a definition by `some` is not for proofs alone",
                );
                let error = error.label("not supported with `explicit` or braces");
                return self.fail(
                    error.help("leave them out, or declare the function and state an `explicit axiom`"),
                );
            }
            _ => {}
        }
        Ok(())
    }

    /// Parses what follows the keyword of a definition and its label.
    fn defined(&mut self, keyword: Arc<str>, start: u32, label: Option<Ident>) -> Parsed<DeclKind> {
        let (name, params) = self.name_and_params(true)?;
        let result = if self.eat(Token::Colon) { Some(self.sort_with_dots()?) } else { None };
        self.expect(Token::Equal, "`=` and the value")?;
        match self.token {
            Token::Native => return Ok(self.native(Some(name), start)),
            Token::Some => return self.choice(keyword, name, params, result),
            _ => {}
        }
        let body = self.formula()?;
        let (recursion, is_explicit) = (None, false);
        Ok(DeclKind::Definition { keyword, label, name, params, body, recursion, is_explicit })
    }

    /// Parses a macro: statements in braces, or a formula.
    pub(super) fn macro_(&mut self) -> Parsed<DeclKind> {
        let keyword = self.keyword();
        self.advance();
        let name = self.ident("the name of the macro")?;
        let params = if self.at(Token::LeftParen) { self.params()? } else { Vec::new() };
        self.expect(Token::Equal, "`=` and a block, or `=` and a formula")?;
        if self.at(Token::LeftBrace) {
            let params = params.into_iter().map(|param| param.name).collect();
            return Ok(DeclKind::Macro { name, params, body: self.block()? });
        }
        let body = self.formula()?;
        let (label, recursion, is_explicit) = (None, None, false);
        Ok(DeclKind::Definition { keyword, label, name, params, body, recursion, is_explicit })
    }
}
