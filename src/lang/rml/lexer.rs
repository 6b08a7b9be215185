//! Lexer of `.rml`: words and operators in ASCII, and the operators of the paper.

use std::ops::Range;

use crate::base::span::{BYTE_ORDER_MARK, LINE_ENDS};
use crate::lang::fol::parser::{self, Lexer as _};
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
    text: &'t str,
    start: usize,
    end: usize,
}

impl<'t> Lexer<'t> {
    /// Creates a lexer of `text`.
    pub(super) fn new(text: &'t str) -> Lexer<'t> {
        Lexer { text, start: 0, end: 0 }
    }

    fn unexpected(&mut self, character: char) -> Option<Result<Token, ()>> {
        self.end += character.len_utf8();
        Some(Err(()))
    }

    fn skip_blanks(&mut self) {
        loop {
            let rest = self.remainder();
            let code = rest.trim_start_matches([' ', '\t', '\r', '\n', BYTE_ORDER_MARK]);
            self.end += rest.len() - code.len();
            if !code.starts_with('#') && !code.starts_with("//") {
                return;
            }
            self.end += code.find(LINE_ENDS).unwrap_or(code.len());
        }
    }
}

impl<'t> parser::Lexer<'t> for Lexer<'t> {
    type State = State;

    const HAS_BLOCKS: bool = true;

    fn next(&mut self) -> Option<Result<Token, ()>> {
        self.skip_blanks();
        self.start = self.end;
        let rest = self.remainder();
        let first = rest.chars().next()?;
        let run = |accept: fn(char) -> bool| rest.find(|c| !accept(c)).unwrap_or(rest.len());
        let is_letter = |c: char| c.is_ascii_alphanumeric() || c == '_';
        let (token, length) = match first {
            'a'..='z' | 'A'..='Z' | '_' => {
                let length = run(is_letter);
                let word = &rest[..length];
                let reserved = WORDS.binary_search_by_key(&word, |(reserved, _)| reserved);
                (reserved.map_or(Token::Ident, |at| WORDS[at].1), length)
            }
            '0'..='9' => (Token::Number, run(|c| c.is_ascii_digit())),
            '@' => match run(|c| c.is_ascii_alphanumeric() || matches!(c, '_' | '-' | '@')) {
                1 => return self.unexpected(first),
                length => (Token::Annotation, length),
            },
            '"' => match rest[1..].find(['"', '\n', '\r']).filter(|&at| rest[1 + at..].starts_with('"')) {
                Some(at) => (Token::Text, at + 2),
                None => return self.unexpected(first),
            },
            _ => match SIGNS.iter().find(|(sign, _)| rest.starts_with(sign)) {
                Some((sign, token)) => (*token, sign.len()),
                None => return self.unexpected(first),
            },
        };
        self.end += length;
        Some(Ok(token))
    }

    fn span(&self) -> Range<usize> {
        self.start..self.end
    }

    fn remainder(&self) -> &'t str {
        &self.text[self.end..]
    }

    fn bump(&mut self, bytes: usize) {
        self.end += bytes;
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

    #[test]
    fn tables_are_sorted_for_search() {
        assert!(WORDS.is_sorted_by_key(|(word, _)| word));
        for (at, (sign, _)) in SIGNS.iter().enumerate() {
            for (later, _) in &SIGNS[at + 1..] {
                assert!(!later.starts_with(sign), "`{later}` would never be found after `{sign}`");
            }
        }
    }
}
