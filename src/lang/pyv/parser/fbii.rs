//! Parser of `fbii` proofs.

use super::Parser;
use crate::fol::ast::Place;
use crate::fol::parser::Parsed;
use crate::fol::token::Token;
use crate::pyv::ast::{DeclKind, FbiiInvariant, FbiiItem, FbiiStep};
use ramsey_core::diag::{Code, Diagnostic};

impl Parser<'_> {
    pub(super) fn fbii(&mut self) -> Parsed<DeclKind> {
        self.advance();
        self.expect(Token::LeftBrace, "`{`")?;
        let steps = self.in_braces(|parser| {
            let mut steps = Vec::new();
            while !parser.at(Token::RightBrace) {
                steps.push(parser.fbii_step()?);
            }
            Ok(steps)
        })?;
        Ok(DeclKind::Fbii(steps))
    }

    fn fbii_step(&mut self) -> Parsed<FbiiStep> {
        let start = self.span().start;
        let forward = match (self.token, self.slice()) {
            (Token::Ident, "forward") => true,
            (Token::Ident, "backward") => false,
            _ => {
                let error = self.expected("`forward`, `backward` or `}`");
                return self.fail(error);
            }
        };
        self.advance();
        let name = self.opt_name()?;
        let mut prophecy = None;
        if self.eat(Token::Prophecy) {
            prophecy = Some(if self.at(Token::LeftBrace) { Vec::new() } else { self.sorted_vars()? });
        }
        self.expect(Token::LeftBrace, "`{`")?;
        let mut invariants = Vec::new();
        while !self.eat(Token::RightBrace) {
            invariants.push(self.fbii_invariant("`invariant`, `safety` or `}`")?);
        }
        let mut by = None;
        if self.at(Token::By) {
            if prophecy.is_none() {
                let error = Diagnostic::error(Code::Syntax, self.span(), "`by` needs a step with `prophecy`")
                    .label("this step has no prophecy");
                return self.fail(error);
            }
            self.advance();
            self.expect(Token::LeftBrace, "`{`")?;
            let mut items = Vec::new();
            while !self.eat(Token::RightBrace) {
                items.push(self.fbii_item()?);
            }
            by = Some(items);
        }
        Ok(FbiiStep { forward, name, prophecy, invariants, by, place: Place(self.span_from(start)) })
    }

    fn fbii_item(&mut self) -> Parsed<FbiiItem> {
        match (self.token, self.slice()) {
            (Token::Ident, "proph_select") => {
                self.advance();
                Ok(FbiiItem::Select(self.formula()?))
            }
            (Token::Ident, "proph_default") => {
                let place = Place(self.span());
                self.advance();
                Ok(FbiiItem::Default(place))
            }
            _ => Ok(FbiiItem::Invariant(
                self.fbii_invariant("`invariant`, `safety`, `proph_select`, `proph_default` or `}`")?,
            )),
        }
    }

    fn fbii_invariant(&mut self, expected: &str) -> Parsed<FbiiInvariant> {
        let start = self.span().start;
        let is_safety = match self.token {
            Token::Invariant => false,
            Token::Safety => true,
            _ => {
                let error = self.expected(expected);
                return self.fail(error);
            }
        };
        self.advance();
        let name = self.opt_name()?;
        let formula = self.formula()?;
        Ok(FbiiInvariant { is_safety, name, formula, place: Place(self.span_from(start)) })
    }
}
