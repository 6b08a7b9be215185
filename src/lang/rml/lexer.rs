//! Lexer of `.rml`: words and operators in ASCII, and the operators of the paper.

use std::ops::Range;

use crate::lang::fol::parser;
use crate::lang::fol::scan::{Scanner, is_letter, run, sign, word};
use crate::lang::fol::token::Token;

use super::hints;

/// The reserved words.
const WORDS: &[(&str, Token)] = &[
    ("abort", Token::Abort),
    ("action", Token::Action),
    ("any", Token::Any),
    ("assert", Token::Assert),
    ("assume", Token::Assume),
    ("axiom", Token::Axiom),
    ("bool", Token::Bool),
    ("conjecture", Token::Conjecture),
    ("definition", Token::Macro),
    ("distinct", Token::Distinct),
    ("do", Token::Do),
    ("else", Token::Else),
    ("exists", Token::Exists),
    ("false", Token::False),
    ("forall", Token::Forall),
    ("function", Token::Function),
    ("if", Token::If),
    ("in", Token::In),
    ("include", Token::Include),
    ("init", Token::Init),
    ("invariant", Token::Conjecture),
    ("ite", Token::Ite),
    ("let", Token::Let),
    ("local", Token::Local),
    ("macro", Token::Macro),
    ("module", Token::Module),
    ("relation", Token::Relation),
    ("safety", Token::Safety),
    ("sat", Token::Sat),
    ("skip", Token::Skip),
    ("sort", Token::Sort),
    ("then", Token::Then),
    ("theorem", Token::Theorem),
    ("trace", Token::Trace),
    ("transition", Token::Transition),
    ("true", Token::True),
    ("unsat", Token::Unsat),
    ("use", Token::Use),
    ("variable", Token::Variable),
    ("while", Token::While),
];

/// Operators and punctuation, each before all of its prefixes.
const SIGNS: &[(&str, Token)] = &[
    ("<->", Token::Iff),
    ("<=>", Token::Iff),
    ("->", Token::Implies),
    ("=>", Token::Implies),
    ("!=", Token::NotEqual),
    ("~=", Token::NotEqual),
    (":=", Token::Assign),
    ("&&", Token::And),
    ("||", Token::Or),
    ("/\\", Token::And),
    ("\\/", Token::Or),
    ("=", Token::Equal),
    ("(", Token::LeftParen),
    (")", Token::RightParen),
    ("[", Token::LeftBracket),
    ("]", Token::RightBracket),
    ("{", Token::LeftBrace),
    ("}", Token::RightBrace),
    (".", Token::Dot),
    (":", Token::Colon),
    (";", Token::Semicolon),
    ("!", Token::Not),
    ("~", Token::Not),
    ("|", Token::Or),
    ("&", Token::And),
    ("*", Token::Star),
    (",", Token::Comma),
    ("∀", Token::Forall),
    ("∃", Token::Exists),
    ("∧", Token::And),
    ("∨", Token::Or),
    ("¬", Token::Not),
    ("→", Token::Implies),
    ("⇒", Token::Implies),
    ("↔", Token::Iff),
    ("⇔", Token::Iff),
    ("≠", Token::NotEqual),
    ("≔", Token::Assign),
    ("←", Token::Assign),
];

/// Iterator over the tokens of a text.
#[derive(Clone)]
pub(super) struct Lexer<'t> {
    scanner: Scanner<'t>,
}

impl<'t> Lexer<'t> {
    /// Creates a lexer of `text`.
    pub(super) fn new(text: &'t str) -> Lexer<'t> {
        Lexer { scanner: Scanner::new(text) }
    }
}

impl<'t> parser::Lexer<'t> for Lexer<'t> {
    type State = State;

    const HAS_BLOCKS: bool = true;

    fn next(&mut self) -> Option<Result<Token, ()>> {
        self.scanner.next(&["#", "//"], |first, rest| match first {
            'a'..='z' | 'A'..='Z' | '_' => {
                let length = run(rest, is_letter);
                Some((word(WORDS, &rest[..length]), length))
            }
            '0'..='9' => Some((Token::Number, run(rest, |c| c.is_ascii_digit()))),
            '@' => match run(rest, |c| is_letter(c) || matches!(c, '-' | '@')) {
                1 => None,
                length => Some((Token::Annotation, length)),
            },
            '"' => {
                let length = 1 + rest[1..].find(['"', '\n', '\r'])?;
                rest[length..].starts_with('"').then_some((Token::Text, length + 1))
            }
            _ => sign(SIGNS, rest),
        })
    }

    fn span(&self) -> Range<usize> {
        self.scanner.span()
    }

    fn remainder(&self) -> &'t str {
        self.scanner.remainder()
    }

    fn bump(&mut self, bytes: usize) {
        self.scanner.bump(bytes);
    }

    fn starts_item(token: Token) -> bool {
        starts_declaration(token) || starts_command(token)
    }

    fn starts_declaration(token: Token) -> bool {
        starts_declaration(token)
    }

    fn hint(characters: &str) -> Option<&'static str> {
        hints::for_characters(characters)
    }
}

/// Parser state about commands.
#[derive(Default)]
pub(super) struct State {
    /// The number of blocks of commands around the current position.
    pub(super) blocks: u32,
    /// Whether the current position is inside the loop of a program.
    pub(super) in_loop: bool,
    /// Whether the error in the current command belongs to the formula that ends right before it.
    pub(super) spoils_previous: bool,
}

/// Returns whether this token can only start a declaration.
pub(super) fn starts_declaration(token: Token) -> bool {
    matches!(
        token,
        Token::Sort
            | Token::Relation
            | Token::Function
            | Token::Variable
            | Token::Axiom
            | Token::Macro
            | Token::Conjecture
            | Token::Safety
            | Token::Theorem
            | Token::Sat
            | Token::Unsat
            | Token::Include
            | Token::Module
            | Token::Use
            | Token::While
    )
}

/// Returns whether this token can only start a command.
pub(super) fn starts_command(token: Token) -> bool {
    matches!(token, Token::Skip | Token::Abort | Token::Assume | Token::Assert | Token::Local | Token::Action)
}

#[cfg(test)]
mod tests {
    use super::{SIGNS, WORDS};
    use crate::lang::fol::scan::assert_signs_are_found;

    #[test]
    fn tables_are_sorted_for_search() {
        assert!(WORDS.is_sorted_by_key(|(word, _)| word));
        assert_signs_are_found(SIGNS);
    }
}
