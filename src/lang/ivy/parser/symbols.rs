//! Parser of the declarations of symbols, definitions and macros.

use super::Parser;
use crate::fol::parser::Parsed;
use crate::fol::token::Token;
use crate::ivy::ast::{DeclKind, SymbolDecl};
use ramsey_core::diag::{Code, Diagnostic};

impl Parser<'_> {
    /// Parses symbols after their keyword.
    pub(super) fn symbols(&mut self) -> Parsed<DeclKind> {
        let (keyword, token) = (self.keyword(), self.token);
        self.advance();
        let mut symbols = vec![self.symbol(token)?];
        while self.eat(Token::Comma) {
            symbols.push(self.symbol(token)?);
        }
        // In `individual x, y : t` the sort is that of both.
        let mut sort = None;
        for symbol in symbols.iter_mut().rev() {
            match (&symbol.result, &sort) {
                (Some(known), _) => sort = Some(known.clone()),
                (None, Some(known)) if token != Token::Relation => symbol.result = Some(known.clone()),
                (None, _) => {}
            }
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

    /// Parses a symbol.
    pub(super) fn symbol(&mut self, keyword: Token) -> Parsed<SymbolDecl> {
        if self.at(Token::LeftParen) {
            let error = self.expected("a name").help(
                "operators are not declared: `<` is known of every type, and `include order` has its axioms",
            );
            return self.fail(error);
        }
        let name = self.subscripted_name("a name")?;
        let params = if self.at(Token::LeftParen) { self.params()? } else { Vec::new() };
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
        let definition = if self.eat(Token::Equal) { Some(self.formula()?) } else { None };
        Ok(SymbolDecl { name, params, result, definition })
    }

    /// Parses `definition [label] f(X) = value` or `derived r(X) = formula`.
    pub(super) fn definition(&mut self) -> Parsed<DeclKind> {
        let keyword = self.keyword();
        self.advance();
        let label = self.label()?;
        let name = self.dotted_name("the name of a declared symbol")?;
        let params = if self.at(Token::LeftParen) { self.params()? } else { Vec::new() };
        if self.eat(Token::Colon) {
            self.sort_with_dots()?;
        }
        self.expect(Token::Equal, "`=` and the value")?;
        let body = self.formula()?;
        Ok(DeclKind::Definition { keyword, label, name, params, body })
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
        Ok(DeclKind::Definition { keyword, label: None, name, params, body })
    }
}
