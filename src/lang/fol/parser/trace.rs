//! Parser of traces and other blocks in braces.

use super::{Parsed, Parser};
use crate::fol::ast::{Expr, Place, TraceCall, TraceStep};
use crate::fol::lexer::Syntax;
use crate::fol::token::Token;

impl<'t, L: Syntax<'t>> Parser<'t, L> {
    /// Parses the components of a trace, from `sat` or `unsat` to the closing brace.
    pub(crate) fn trace(&mut self) -> Parsed<Vec<TraceStep>> {
        self.advance();
        self.expect(Token::Trace, "`trace`")?;
        self.expect(Token::LeftBrace, "`{`")?;
        self.in_braces(|parser| {
            let mut steps = Vec::new();
            while !parser.at(Token::RightBrace) {
                steps.push(parser.trace_step()?);
            }
            Ok(steps)
        })
    }

    /// Parses the inside of a block and its closing brace. After an error the rest of the block is skipped, so that its
    /// keywords are not mistaken for declarations.
    pub(crate) fn in_braces<T>(&mut self, inside: impl FnOnce(&mut Self) -> Parsed<T>) -> Parsed<T> {
        let result = inside(self);
        match result {
            Ok(value) => {
                self.expect(Token::RightBrace, "`}`")?;
                Ok(value)
            }
            Err(failed) => {
                let mut open = 1;
                while open > 0 && !self.at(Token::End) && !self.starts_declaration() {
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

    fn trace_arg(&mut self) -> Parsed<Option<Expr>> {
        if self.eat(Token::Star) { Ok(None) } else { Ok(Some(self.formula()?)) }
    }
}
