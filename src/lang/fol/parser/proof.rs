//! Parser of proofs by prophecy variables.

use super::{Parsed, Parser};
use crate::fol::ast::{Place, Proof, ProofStep};
use crate::fol::lexer::Syntax;
use crate::fol::token::Token;
use ramsey_core::diag::{Code, Diagnostic};

/// Maximum nesting of alternatives.
const MAX_NESTING: u32 = 100;

impl<'t, L: Syntax<'t>> Parser<'t, L> {
    /// Parses `proof ..` after a claim, if it is there. Elsewhere the word is a name, and an update of what it names
    /// may follow an assertion.
    pub(crate) fn opt_proof(&mut self) -> Parsed<Option<Proof>> {
        let is_update = || matches!(self.peek(), Token::Assign | Token::LeftParen | Token::Dot);
        if !self.at(Token::Ident) || self.slice() != "proof" || is_update() {
            return Ok(None);
        }
        let start = self.start;
        self.advance();
        let mut steps = Vec::new();
        if self.at(Token::LeftBrace) {
            steps = self.proof_block(0)?;
        } else {
            self.proof_step(&mut steps, 0)?;
        }
        Ok(Some(Proof { steps, place: Place(self.span_from(start)) }))
    }

    fn proof_block(&mut self, nesting: u32) -> Parsed<Vec<ProofStep>> {
        if nesting > MAX_NESTING {
            let what = format!("alternatives are nested more than {MAX_NESTING} levels deep");
            return self.fail(Diagnostic::error(Code::TooDeep, self.span(), what).label("too deep here"));
        }
        self.expect(Token::LeftBrace, "`{`")?;
        let mut steps = Vec::new();
        while !self.eat(Token::RightBrace) {
            if !self.eat(Token::Semicolon) {
                self.proof_step(&mut steps, nesting + 1)?;
            }
        }
        Ok(steps)
    }

    fn proof_step(&mut self, steps: &mut Vec<ProofStep>, nesting: u32) -> Parsed<()> {
        match self.token {
            Token::Let => {
                self.advance();
                loop {
                    let var = self.sorted_var()?;
                    self.expect(Token::Equal, "`=` and a term")?;
                    steps.push(ProofStep::Let { var, term: self.formula()? });
                    if !self.eat(Token::Comma) {
                        return Ok(());
                    }
                }
            }
            Token::If => {
                self.advance();
                let condition = self.formula()?;
                let then = self.proof_block(nesting)?;
                let mut otherwise = Vec::new();
                if self.eat(Token::Else) {
                    if self.at(Token::If) && nesting < MAX_NESTING {
                        self.proof_step(&mut otherwise, nesting + 1)?;
                    } else {
                        otherwise = self.proof_block(nesting)?;
                    }
                }
                steps.push(ProofStep::If { condition, then, otherwise });
                Ok(())
            }
            _ => {
                let error = self.expected("`let` or `if`").help(
                    "a proof gives terms names: `proof let V = term`, or `proof if condition { .. } else { .. }`",
                );
                self.fail(error)
            }
        }
    }
}
