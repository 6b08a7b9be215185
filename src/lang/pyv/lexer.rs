//! Lexer of `.pyv`.

use logos::Logos;

use super::hints;
use crate::fol::lexer::{self, Syntax, Word, word};
use crate::fol::token::Token;

/// The reserved words, sorted.
const WORDS: &[Word] = &[
    Word::inside("any", Token::Any),
    Word::inside("assert", Token::Assert),
    Word::declaration("axiom", Token::Axiom),
    Word::inside("bool", Token::Bool),
    Word::inside("by", Token::By),
    Word::inside("constant", Token::Constant),
    Word::declaration("definition", Token::Definition),
    Word::declaration("derived", Token::Derived),
    Word::inside("distinct", Token::Distinct),
    Word::inside("else", Token::Else),
    Word::inside("exists", Token::Exists),
    Word::inside("false", Token::False),
    Word::declaration("fbii", Token::Fbii),
    Word::inside("forall", Token::Forall),
    Word::inside("function", Token::Function),
    Word::inside("if", Token::If),
    Word::declaration("immutable", Token::Immutable),
    Word::inside("in", Token::In),
    Word::item("init", Token::Init),
    Word::inside("int", Token::Int),
    Word::item("invariant", Token::Invariant),
    Word::inside("let", Token::Let),
    Word::inside("modifies", Token::Modifies),
    Word::declaration("mutable", Token::Mutable),
    Word::inside("new", Token::New),
    Word::declaration("onestate", Token::Onestate),
    Word::inside("prophecy", Token::Prophecy),
    Word::inside("relation", Token::Relation),
    Word::item("safety", Token::Safety),
    Word::declaration("sat", Token::Sat),
    Word::declaration("sort", Token::Sort),
    Word::inside("then", Token::Then),
    Word::declaration("theorem", Token::Theorem),
    Word::inside("trace", Token::Trace),
    Word::declaration("transition", Token::Transition),
    Word::inside("true", Token::True),
    Word::declaration("twostate", Token::Twostate),
    Word::declaration("unsat", Token::Unsat),
    Word::declaration("zerostate", Token::Zerostate),
];

/// The lexemes. Names, numbers and annotations are in ASCII.
#[derive(Logos, Clone, Copy, PartialEq, Eq, Debug)]
#[logos(skip(r"[ \t\r\n\u{feff}]+"))]
#[logos(skip(r"#[^\r\n]*", allow_greedy = true))]
pub(crate) enum Lexeme {
    #[regex("[a-zA-Z_][a-zA-Z_0-9]*", |lexer| word(WORDS, lexer.slice(), 0))]
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
    Token(Token),
}

/// Iterator over the tokens of a text.
pub(super) type Lexer<'t> = lexer::Lexer<'t, Lexeme>;

impl Syntax<'_> for Lexeme {
    type State = ();

    const WORDS: &'static [Word] = WORDS;

    const HAS_BLOCKS: bool = false;

    fn token(self) -> Token {
        let Lexeme::Token(token) = self;
        token
    }

    fn hint(characters: &str) -> Option<&'static str> {
        hints::for_characters(characters)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fol::tests::{assert_words_are_found, pieces};

    #[test]
    fn words_are_found() {
        assert_words_are_found::<Lexeme>();
    }

    #[test]
    fn what_starts_no_token_is_one_character() {
        let found = pieces::<Lexeme>("a@ @b é<-b\u{feff}# é\r∀", ());
        assert_eq!(found, ["a", "?@?", "@b", "?é?", "<", "-", "b", "?∀?"]);
    }
}
