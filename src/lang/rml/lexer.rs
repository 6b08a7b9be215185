//! Lexer of `.rml`: words and operators in ASCII, and the operators of the paper.

use logos::Logos;

use super::hints;
use crate::fol::lexer::{self, Syntax, Word, word};
use crate::fol::token::Token;

/// The reserved words, sorted.
const WORDS: &[Word] = &[
    Word::item("abort", Token::Abort),
    Word::item("action", Token::Action),
    Word::inside("any", Token::Any),
    Word::item("assert", Token::Assert),
    Word::item("assume", Token::Assume),
    Word::declaration("axiom", Token::Axiom),
    Word::inside("bool", Token::Bool),
    Word::declaration("conjecture", Token::Conjecture),
    Word::declaration("definition", Token::Macro).unsuggested(),
    Word::inside("distinct", Token::Distinct),
    Word::inside("do", Token::Do),
    Word::inside("else", Token::Else),
    Word::inside("exists", Token::Exists),
    Word::inside("false", Token::False),
    Word::inside("forall", Token::Forall),
    Word::declaration("function", Token::Function),
    Word::inside("if", Token::If),
    Word::inside("in", Token::In),
    Word::declaration("include", Token::Include),
    Word::inside("init", Token::Init),
    Word::declaration("invariant", Token::Conjecture).unsuggested(),
    Word::inside("ite", Token::Ite),
    Word::inside("let", Token::Let),
    Word::item("local", Token::Local),
    Word::declaration("macro", Token::Macro),
    Word::declaration("module", Token::Module),
    Word::declaration("relation", Token::Relation),
    Word::declaration("safety", Token::Safety),
    Word::declaration("sat", Token::Sat),
    Word::item("skip", Token::Skip),
    Word::declaration("sort", Token::Sort),
    Word::inside("then", Token::Then),
    Word::declaration("theorem", Token::Theorem),
    Word::inside("trace", Token::Trace),
    Word::inside("transition", Token::Transition),
    Word::inside("true", Token::True),
    Word::declaration("unsat", Token::Unsat),
    Word::declaration("use", Token::Use),
    Word::declaration("variable", Token::Variable),
    Word::declaration("while", Token::While),
];

/// The lexemes.
#[derive(Logos, Clone, Copy, PartialEq, Eq, Debug)]
#[logos(skip(r"[ \t\r\n\u{feff}]+"))]
#[logos(skip(r"(#|//)[^\r\n]*", allow_greedy = true))]
pub(crate) enum Lexeme {
    #[regex("[a-zA-Z_][a-zA-Z_0-9]*", |lexer| word(WORDS, lexer.slice(), 0))]
    #[regex("[0-9]+", |_| Token::Number)]
    #[regex("@[-@a-zA-Z_0-9]+", |_| Token::Annotation)]
    #[regex("\"[^\"\r\n]*\"", |_| Token::Text)]
    #[token("<->", |_| Token::Iff)]
    #[token("<=>", |_| Token::Iff)]
    #[token("->", |_| Token::Implies)]
    #[token("=>", |_| Token::Implies)]
    #[token("!=", |_| Token::NotEqual)]
    #[token("~=", |_| Token::NotEqual)]
    #[token(":=", |_| Token::Assign)]
    #[token("&&", |_| Token::And)]
    #[token("||", |_| Token::Or)]
    #[token("/\\", |_| Token::And)]
    #[token("\\/", |_| Token::Or)]
    #[token("=", |_| Token::Equal)]
    #[token("(", |_| Token::LeftParen)]
    #[token(")", |_| Token::RightParen)]
    #[token("[", |_| Token::LeftBracket)]
    #[token("]", |_| Token::RightBracket)]
    #[token("{", |_| Token::LeftBrace)]
    #[token("}", |_| Token::RightBrace)]
    #[token(".", |_| Token::Dot)]
    #[token(":", |_| Token::Colon)]
    #[token(";", |_| Token::Semicolon)]
    #[token("!", |_| Token::Not)]
    #[token("~", |_| Token::Not)]
    #[token("|", |_| Token::Or)]
    #[token("&", |_| Token::And)]
    #[token("*", |_| Token::Star)]
    #[token(",", |_| Token::Comma)]
    #[token("∀", |_| Token::Forall)]
    #[token("∃", |_| Token::Exists)]
    #[token("∧", |_| Token::And)]
    #[token("∨", |_| Token::Or)]
    #[token("¬", |_| Token::Not)]
    #[token("→", |_| Token::Implies)]
    #[token("⇒", |_| Token::Implies)]
    #[token("↔", |_| Token::Iff)]
    #[token("⇔", |_| Token::Iff)]
    #[token("≠", |_| Token::NotEqual)]
    #[token("≔", |_| Token::Assign)]
    #[token("←", |_| Token::Assign)]
    Token(Token),
}

/// Iterator over the tokens of a text.
pub(super) type Lexer<'t> = lexer::Lexer<'t, Lexeme>;

impl Syntax<'_> for Lexeme {
    type State = State;

    const WORDS: &'static [Word] = WORDS;

    const HAS_BLOCKS: bool = true;

    fn token(self) -> Token {
        let Lexeme::Token(token) = self;
        token
    }

    fn hint(characters: &str) -> Option<&'static str> {
        hints::for_characters(characters)
    }
}

/// Parser state about commands.
#[derive(Default)]
pub(crate) struct State {
    /// The number of blocks of commands around the current position.
    pub(super) blocks: u32,
    /// Whether the current position is inside the loop of a program.
    pub(super) in_loop: bool,
    /// Whether the error in the current command belongs to the formula that ends right before it.
    pub(super) spoils_previous: bool,
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
        let found = pieces::<Lexeme>("∀x≤\"b c\"/y// é\n@ @-@ \"z", ());
        assert_eq!(found, ["∀", "x", "?≤?", "\"b c\"", "?/?", "y", "?@?", "@-@", "?\"?", "z"]);
        assert_eq!(pieces::<Lexeme>("\"a\n\"b\"", ()), ["?\"?", "a", "\"b\""]);
        assert_eq!(pieces::<Lexeme>("<-<=><", ()), ["?<?", "?-?", "<=>", "?<?"]);
    }
}
