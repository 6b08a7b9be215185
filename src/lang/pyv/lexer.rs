//! Lexer of `.pyv`.

use std::ops::Range;

use logos::Logos;

use super::hints;
use crate::lang::fol::parser;
use crate::lang::fol::scan::word;
use crate::lang::fol::token::Token;

/// The reserved words, sorted.
const WORDS: &[(&str, Token)] = &[
    ("any", Token::Any),
    ("assert", Token::Assert),
    ("axiom", Token::Axiom),
    ("bool", Token::Bool),
    ("by", Token::By),
    ("constant", Token::Constant),
    ("definition", Token::Definition),
    ("derived", Token::Derived),
    ("distinct", Token::Distinct),
    ("else", Token::Else),
    ("exists", Token::Exists),
    ("false", Token::False),
    ("fbii", Token::Fbii),
    ("forall", Token::Forall),
    ("function", Token::Function),
    ("if", Token::If),
    ("immutable", Token::Immutable),
    ("in", Token::In),
    ("init", Token::Init),
    ("int", Token::Int),
    ("invariant", Token::Invariant),
    ("let", Token::Let),
    ("modifies", Token::Modifies),
    ("mutable", Token::Mutable),
    ("new", Token::New),
    ("onestate", Token::Onestate),
    ("prophecy", Token::Prophecy),
    ("relation", Token::Relation),
    ("safety", Token::Safety),
    ("sat", Token::Sat),
    ("sort", Token::Sort),
    ("then", Token::Then),
    ("theorem", Token::Theorem),
    ("trace", Token::Trace),
    ("transition", Token::Transition),
    ("true", Token::True),
    ("twostate", Token::Twostate),
    ("unsat", Token::Unsat),
    ("zerostate", Token::Zerostate),
];

/// The lexemes of the generated lexer.
#[derive(Logos, Clone, Copy, PartialEq, Eq, Debug)]
#[logos(skip(r"[ \t\r\n\u{feff}]+"))]
#[logos(skip(r"#[^\r\n]*", allow_greedy = true))]
enum Lexeme {
    #[regex("[a-zA-Z_][a-zA-Z_0-9]*", |lexer| word(WORDS, lexer.slice()))]
    Word(Token),
    #[regex("[0-9]+", |_| Token::Number)]
    #[regex("@[-a-zA-Z_0-9]+", |_| Token::Annotation)]
    #[token("<->", |_| Token::Iff)]
    #[token("->", |_| Token::Implies)]
    #[token("!=", |_| Token::NotEqual)]
    #[token("~=", |_| Token::NotEqual)]
    #[token(">=", |_| Token::GreaterEqual)]
    #[token("<=", |_| Token::LessEqual)]
    #[token(">", |_| Token::Greater)]
    #[token("<", |_| Token::Less)]
    #[token("=", |_| Token::Equal)]
    #[token("(", |_| Token::LeftParen)]
    #[token(")", |_| Token::RightParen)]
    #[token("[", |_| Token::LeftBracket)]
    #[token("]", |_| Token::RightBracket)]
    #[token("{", |_| Token::LeftBrace)]
    #[token("}", |_| Token::RightBrace)]
    #[token(".", |_| Token::Dot)]
    #[token(":", |_| Token::Colon)]
    #[token("!", |_| Token::Not)]
    #[token("~", |_| Token::Not)]
    #[token("|", |_| Token::Or)]
    #[token("+", |_| Token::Plus)]
    #[token("-", |_| Token::Minus)]
    #[token("*", |_| Token::Star)]
    #[token(",", |_| Token::Comma)]
    #[token("'", |_| Token::Prime)]
    #[token("&", |_| Token::And)]
    Other(Token),
}

/// Iterator over the tokens of a text.
#[derive(Clone)]
pub(super) struct Lexer<'t> {
    lexer: logos::Lexer<'t, Lexeme>,
}

impl<'t> Lexer<'t> {
    /// Creates a lexer of `text`.
    pub(super) fn new(text: &'t str) -> Lexer<'t> {
        Lexer { lexer: logos::Lexer::new(text) }
    }
}

impl<'t> parser::Lexer<'t> for Lexer<'t> {
    type State = ();

    const HAS_BLOCKS: bool = false;

    fn next(&mut self) -> Option<Result<Token, ()>> {
        Some(self.lexer.next()?.map(|lexeme| match lexeme {
            Lexeme::Word(token) | Lexeme::Other(token) => token,
        }))
    }

    fn span(&self) -> Range<usize> {
        self.lexer.span()
    }

    fn remainder(&self) -> &'t str {
        self.lexer.remainder()
    }

    fn bump(&mut self, bytes: usize) {
        self.lexer.bump(bytes);
    }

    fn starts_item(token: Token) -> bool {
        starts_declaration(token)
            || matches!(token, Token::Init | Token::Invariant | Token::Safety | Token::Axiom)
    }

    fn starts_declaration(token: Token) -> bool {
        starts_declaration(token)
    }

    fn hint(characters: &str) -> Option<&'static str> {
        hints::for_characters(characters)
    }
}

/// Returns whether this token can only start a declaration.
fn starts_declaration(token: Token) -> bool {
    matches!(
        token,
        Token::Sort
            | Token::Mutable
            | Token::Immutable
            | Token::Derived
            | Token::Axiom
            | Token::Transition
            | Token::Zerostate
            | Token::Onestate
            | Token::Twostate
            | Token::Theorem
            | Token::Definition
            | Token::Sat
            | Token::Unsat
            | Token::Fbii
    )
}

#[cfg(test)]
mod tests {
    use super::WORDS;

    #[test]
    fn words_are_sorted() {
        assert!(WORDS.is_sorted_by_key(|(word, _)| word));
    }
}
