//! Declarations with braces: traces and `fbii` proofs.

use super::super::ast::{DeclKind, FbiiInvariant, FbiiItem, FbiiStep, Place, TraceCall, TraceStep};
use super::super::lexer::Token;
use super::{Parsed, Parser};
use crate::diag::{Code, Diagnostic};

impl Parser<'_> {
    pub(in crate::lang) fn trace(&mut self, expect_sat: bool) -> Parsed<DeclKind> {
        self.advance();
        self.expect(Token::Trace, "`trace`")?;
        self.expect(Token::LeftBrace, "`{`")?;
        let steps = self.in_braces(|parser| {
            let mut steps = Vec::new();
            while !parser.at(Token::RightBrace) {
                steps.push(parser.trace_step()?);
            }
            Ok(steps)
        })?;
        Ok(DeclKind::Trace { expect_sat, steps })
    }

    /// The inside of a block and its closing brace. After an error the rest of the block is skipped, so that
    /// its keywords are not taken for declarations.
    fn in_braces<T>(&mut self, inside: impl FnOnce(&mut Self) -> Parsed<T>) -> Parsed<T> {
        let result = inside(self);
        match result {
            Ok(value) => {
                self.expect(Token::RightBrace, "`}`")?;
                Ok(value)
            }
            Err(failed) => {
                let mut open = 1;
                while open > 0 && !self.at(Token::End) && !self.token.starts_declaration_only() {
                    match self.token {
                        Token::LeftBrace => open += 1,
                        Token::RightBrace => open -= 1,
                        // The `transition` of `any transition` starts no declaration.
                        Token::Any if self.peek() == Token::Transition => self.advance(),
                        _ => {}
                    }
                    self.advance();
                }
                Err(failed)
            }
        }
    }

    fn trace_step(&mut self) -> Parsed<TraceStep> {
        match self.token {
            Token::Assert => {
                self.advance();
                if self.eat(Token::Init) {
                    return Ok(TraceStep::AssertInit);
                }
                Ok(TraceStep::Assert(self.formula()?))
            }
            Token::Any => {
                let start = self.start;
                self.advance();
                self.expect(Token::Transition, "`transition`")?;
                Ok(TraceStep::AnyTransition(Place(self.span_from(start))))
            }
            Token::Ident => {
                let mut calls = vec![self.trace_call()?];
                while self.eat(Token::Or) {
                    calls.push(self.trace_call()?);
                }
                Ok(TraceStep::Calls(calls))
            }
            _ => {
                let error = self.expected("`assert`, `any transition`, a transition or `}`");
                let error = if self.at(Token::Init) { error.help("write `assert init`") } else { error };
                self.fail(error)
            }
        }
    }

    fn trace_call(&mut self) -> Parsed<TraceCall> {
        let start = self.start;
        let name = self.ident("the name of a transition")?;
        let mut args = None;
        if self.eat(Token::LeftParen) {
            let mut list = Vec::new();
            if !self.at(Token::RightParen) {
                list.push(self.trace_arg()?);
                while self.eat(Token::Comma) {
                    list.push(self.trace_arg()?);
                }
            }
            self.expect(Token::RightParen, "`,` or `)`")?;
            args = Some(list);
        }
        Ok(TraceCall { name, args, place: Place(self.span_from(start)) })
    }

    fn trace_arg(&mut self) -> Parsed<Option<super::super::ast::Expr>> {
        if self.eat(Token::Star) { Ok(None) } else { Ok(Some(self.formula()?)) }
    }

    pub(in crate::lang) fn fbii(&mut self) -> Parsed<DeclKind> {
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
        Ok(FbiiStep { forward, name, prophecy, invariants, by })
    }

    fn fbii_item(&mut self) -> Parsed<FbiiItem> {
        match (self.token, self.slice()) {
            (Token::Ident, "proph_select") => {
                self.advance();
                Ok(FbiiItem::Select(self.formula()?))
            }
            (Token::Ident, "proph_default") => {
                self.advance();
                Ok(FbiiItem::Default)
            }
            _ => Ok(FbiiItem::Invariant(
                self.fbii_invariant("`invariant`, `safety`, `proph_select`, `proph_default` or `}`")?,
            )),
        }
    }

    fn fbii_invariant(&mut self, expected: &str) -> Parsed<FbiiInvariant> {
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
        Ok(FbiiInvariant { is_safety, name, formula: self.formula()? })
    }
}
