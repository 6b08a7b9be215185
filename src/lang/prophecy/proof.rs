//! Proofs in `.ivy`: `let V = term`, and `if condition { .. } else { .. }`. Proofs of other kinds are no more than
//! text.

use std::ops::Range;

use super::goal::no_term;
use crate::fol::ast::{BinaryOp, Expr, ExprKind, ProofStep, SortedVar};
use crate::fol::parser::parse_formula;
use crate::fol::token::Token;
use crate::ivy::ast::{Skipped, Version};
use crate::ivy::lexer::Lexer;
use ramsey_core::base::span::{FileId, Span};
use ramsey_core::diag::{Code, Diagnostic};

/// Reads the text of a proof. Returns `None` if it is a proof of another kind, of which nothing is known here.
pub(super) fn read(
    proof: &Skipped,
    file_text: &str,
    version: Version,
    diagnostics: &mut Vec<Diagnostic>,
) -> Option<Vec<ProofStep>> {
    let span = proof.place.0;
    let (start, end) = (span.start as usize, span.end as usize);
    // With blanks before it, places in the text are places in the file.
    let text = " ".repeat(start) + file_text.get(start..end)?;
    let mut lexer = Lexer::new(&text, version);
    let mut tokens = Vec::new();
    while let Some(token) = lexer.next() {
        tokens.push((token.ok()?, lexer.span()));
    }
    let mut reader = Reader { file: span.file, text: &text, version, tokens, next: 1, diagnostics };
    let starts = |reader: &Reader<'_, '_>, at: usize| reader.tokens.get(at).map(|(token, _)| *token);
    let first = match starts(&reader, 1) {
        Some(Token::LeftBrace) => starts(&reader, 2),
        first => first,
    };
    if !matches!(first, Some(Token::Let | Token::If)) {
        return None;
    }
    let mut steps = Vec::new();
    while reader.next < reader.tokens.len() {
        match reader.at() {
            Some(Token::LeftBrace) => steps.extend(reader.block(0)?),
            _ => reader.step(&mut steps, 0)?,
        }
    }
    Some(steps)
}

/// Maximum nesting of blocks.
const MAX_DEPTH: u32 = 100;

struct Reader<'t, 'd> {
    file: FileId,
    text: &'t str,
    version: Version,
    tokens: Vec<(Token, Range<usize>)>,
    next: usize,
    diagnostics: &'d mut Vec<Diagnostic>,
}

impl Reader<'_, '_> {
    fn at(&self) -> Option<Token> {
        self.tokens.get(self.next).map(|(token, _)| *token)
    }

    /// Reads `{ .. }`.
    fn block(&mut self, depth: u32) -> Option<Vec<ProofStep>> {
        if self.at() != Some(Token::LeftBrace) || depth > MAX_DEPTH {
            return self.fail("expected a block of `let` and `if`");
        }
        self.next += 1;
        let mut steps = Vec::new();
        while self.at() != Some(Token::RightBrace) {
            self.step(&mut steps, depth + 1)?;
        }
        self.next += 1;
        Some(steps)
    }

    fn step(&mut self, steps: &mut Vec<ProofStep>, depth: u32) -> Option<()> {
        match self.at() {
            Some(Token::Semicolon) => self.next += 1,
            Some(Token::Let) => {
                self.next += 1;
                loop {
                    let equation = self.formula(&[
                        Token::Comma,
                        Token::Semicolon,
                        Token::RightBrace,
                        Token::If,
                        Token::Let,
                    ])?;
                    if let Some((var, term)) = self.naming(equation) {
                        steps.push(ProofStep::Let { var, term });
                    }
                    if self.at() != Some(Token::Comma) {
                        break;
                    }
                    self.next += 1;
                }
            }
            Some(Token::If) => {
                self.next += 1;
                let condition = self.formula(&[Token::LeftBrace])?;
                let then = self.block(depth)?;
                let mut otherwise = Vec::new();
                if self.at() == Some(Token::Else) {
                    self.next += 1;
                    match self.at() {
                        Some(Token::If) if depth < MAX_DEPTH => self.step(&mut otherwise, depth + 1)?,
                        _ => otherwise = self.block(depth)?,
                    }
                }
                steps.push(ProofStep::If { condition, then, otherwise });
            }
            _ => return self.fail("expected `let` or `if`"),
        }
        Some(())
    }

    /// Returns the variable and the term of an equation.
    fn naming(&mut self, equation: Expr) -> Option<(SortedVar, Expr)> {
        let span = equation.span();
        let ExprKind::Binary { op: BinaryOp::Equal, sides, .. } = equation.kind else {
            self.diagnostics.push(no_term(span, "this is no equation of a variable and a term"));
            return None;
        };
        let [var, term] = *sides;
        match var.kind {
            // The sort, if there is one, is a part of the name.
            ExprKind::Ref { name, args: None, .. } if name.name.starts_with(char::is_uppercase) => {
                Some((SortedVar { name, sort: None }, term))
            }
            _ => {
                let error =
                    Diagnostic::error(Code::Program, var.place.0, "a prophecy variable is a variable");
                self.diagnostics.push(error.label("expected a name that starts with a capital letter"));
                None
            }
        }
    }

    /// Reads a formula up to one of these tokens outside of all brackets. An `if` belongs to a term that it follows.
    fn formula(&mut self, ends: &[Token]) -> Option<Expr> {
        let first = self.next;
        let mut depth = 0;
        while let Some(token) = self.at() {
            let is_on_new_line = || {
                let before = self.tokens.get(self.next.wrapping_sub(1)).map_or(0, |(_, range)| range.end);
                self.text[before..self.tokens[self.next].1.start].contains('\n')
            };
            let is_end = ends.contains(&token) && (token != Token::If || is_on_new_line());
            if depth == 0 && is_end {
                break;
            }
            match token {
                Token::LeftParen | Token::LeftBrace | Token::LeftBracket => depth += 1,
                Token::RightParen | Token::RightBrace | Token::RightBracket => depth -= 1,
                _ => {}
            }
            self.next += 1;
        }
        let Some(((_, from), (_, to))) =
            self.tokens[first..self.next].first().zip(self.tokens[first..self.next].last())
        else {
            return self.fail("expected a formula");
        };
        let text = " ".repeat(from.start) + &self.text[from.start..to.end];
        let (formula, found) = parse_formula(self.file, &text, Lexer::new(&text, self.version));
        self.diagnostics.extend(found);
        formula
    }

    fn fail<T>(&mut self, what: &str) -> Option<T> {
        let last = self.tokens.len().saturating_sub(1);
        let range = self.tokens.get(self.next.min(last)).map_or(0..0, |(_, range)| range.clone());
        let span = Span { file: self.file, start: range.start as u32, end: range.end as u32 };
        let error = Diagnostic::error(Code::Syntax, span, what).label("in a proof by prophecy variables");
        self.diagnostics
            .push(error.help("write `proof let V = term`, or `proof if condition { .. } else { .. }`"));
        None
    }
}
