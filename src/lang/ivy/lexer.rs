//! Lexer of `.ivy`. The first line of a file gives the version of the language, which decides what words are reserved.

use std::ops::Range;

use crate::lang::fol::parser::{self, Grammar, Implications};
use crate::lang::fol::scan::{Scanner, is_letter, run, sign};
use crate::lang::fol::token::Token;

use super::ast::Version;
use super::hints;

/// The reserved words, each with the minor version that reserves it first.
const WORDS: &[(&str, Token, u32)] = &[
    ("action", Token::Action, 0),
    ("after", Token::After, 0),
    ("alias", Token::Alias, 5),
    ("around", Token::Around, 7),
    ("assert", Token::Assert, 0),
    ("assume", Token::Assume, 0),
    ("attribute", Token::Attribute, 5),
    ("autoinstance", Token::Unsupported, 7),
    ("axiom", Token::Axiom, 0),
    ("before", Token::Before, 0),
    ("bool", Token::Bool, 0),
    ("call", Token::Call, 0),
    ("conjecture", Token::Conjecture, 0),
    ("constant", Token::Constant, 0),
    ("constructor", Token::Unsupported, 7),
    ("definition", Token::Definition, 5),
    ("delegate", Token::Unsupported, 0),
    ("derived", Token::Derived, 0),
    ("destructor", Token::Function, 5),
    ("else", Token::Else, 0),
    ("ensure", Token::Ensure, 7),
    ("eventually", Token::Unsupported, 6),
    ("exists", Token::Exists, 0),
    ("explicit", Token::Named, 7),
    ("export", Token::Export, 0),
    ("extract", Token::Extract, 0),
    ("false", Token::False, 0),
    ("forall", Token::Forall, 0),
    ("function", Token::Function, 0),
    ("ghost", Token::Ghost, 5),
    ("globally", Token::Unsupported, 6),
    ("if", Token::If, 0),
    ("implement", Token::Implement, 5),
    ("implementation", Token::Implementation, 7),
    ("import", Token::Import, 0),
    ("include", Token::Include, 0),
    ("individual", Token::Individual, 0),
    ("init", Token::Init, 0),
    ("instance", Token::Instantiate, 0),
    ("instantiate", Token::Instantiate, 0),
    ("interpret", Token::Interpret, 0),
    ("invariant", Token::Invariant, 5),
    ("isolate", Token::Isolate, 0),
    ("let", Token::Let, 0),
    ("local", Token::Local, 0),
    ("macro", Token::Macro, 0),
    ("mixin", Token::Unsupported, 0),
    ("mixord", Token::Unsupported, 0),
    ("module", Token::Module, 0),
    ("object", Token::Object, 5),
    ("old", Token::Old, 0),
    ("parameter", Token::Individual, 7),
    ("private", Token::Private, 5),
    ("progress", Token::Unsupported, 0),
    ("proof", Token::Proof, 5),
    ("property", Token::Property, 5),
    ("relation", Token::Relation, 0),
    ("rely", Token::Unsupported, 0),
    ("require", Token::Require, 7),
    ("returns", Token::Returns, 0),
    ("safety", Token::Safety, 7),
    ("scenario", Token::Unsupported, 5),
    ("schema", Token::Schema, 0),
    ("some", Token::Some, 5),
    ("specification", Token::Specification, 7),
    ("struct", Token::Struct, 5),
    ("template", Token::Unsupported, 8),
    ("temporal", Token::Unsupported, 6),
    ("theorem", Token::Theorem, 7),
    ("this", Token::This, 5),
    ("true", Token::True, 0),
    ("trusted", Token::Trusted, 5),
    ("type", Token::Sort, 0),
    ("update", Token::Unsupported, 0),
    ("var", Token::Variable, 5),
    ("while", Token::While, 5),
    ("with", Token::With, 0),
];

/// Operators and punctuation, each before all of its prefixes.
const SIGNS: &[(&str, Token)] = &[
    ("<->", Token::Iff),
    ("->", Token::Implies),
    ("~=", Token::NotEqual),
    (":=", Token::Assign),
    ("<=", Token::LessEqual),
    (">=", Token::GreaterEqual),
    ("<", Token::Less),
    (">", Token::Greater),
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
    ("~", Token::Not),
    ("|", Token::Or),
    ("&", Token::And),
    ("+", Token::Plus),
    ("-", Token::Minus),
    ("*", Token::Star),
    (",", Token::Comma),
];

/// Iterator over the tokens of a text.
#[derive(Clone)]
pub(in crate::lang) struct Lexer<'t> {
    scanner: Scanner<'t>,
    version: Version,
}

impl<'t> Lexer<'t> {
    /// Creates a lexer of `text`, in the version of the language that its first line gives.
    pub(super) fn new(text: &'t str) -> Lexer<'t> {
        Lexer::of_version(text, Version::of_text(text))
    }

    /// Creates a lexer of `text` in a version of the language.
    pub(in crate::lang) fn of_version(text: &'t str, version: Version) -> Lexer<'t> {
        Lexer { scanner: Scanner::new(text), version }
    }
}

impl<'t> parser::Lexer<'t> for Lexer<'t> {
    type State = State;

    const HAS_BLOCKS: bool = true;

    fn grammar(&self) -> Grammar {
        let implications = if self.version.minor >= 7 { Implications::Left } else { Implications::Right };
        Grammar { implications, loose_negation: true, composed_names: true }
    }

    fn next(&mut self) -> Option<Result<Token, ()>> {
        let version = self.version;
        self.scanner.next(&["#"], |first, rest| match first {
            'a'..='z' | 'A'..='Z' | '_' => {
                let length = run(rest, is_letter);
                Some((word(&rest[..length], version), length))
            }
            '0'..='9' => {
                let length = run(rest, is_letter);
                let is_number = rest[..length].bytes().all(|byte| byte.is_ascii_digit());
                Some((if is_number { Token::Number } else { Token::Ident }, length))
            }
            '<' if rest.starts_with("<<<") => rest.find(">>>").map(|at| (Token::Text, at + 3)),
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
        starts_declaration(token) || starts_statement(token)
    }

    fn starts_declaration(token: Token) -> bool {
        starts_declaration(token)
    }

    fn hint(characters: &str) -> Option<&'static str> {
        hints::for_characters(characters)
    }
}

/// Returns the word that a version of the language reserves, or the token of a name.
fn word(text: &str, version: Version) -> Token {
    match WORDS.binary_search_by_key(&text, |(reserved, ..)| reserved) {
        Ok(at) if WORDS[at].2 <= version.minor => WORDS[at].1,
        _ => Token::Ident,
    }
}

/// Parser state about blocks.
#[derive(Default)]
pub(in crate::lang) struct State {
    /// The number of blocks around the current position.
    pub(super) blocks: u32,
}

/// Returns whether this token can only start a declaration.
pub(super) fn starts_declaration(token: Token) -> bool {
    matches!(
        token,
        Token::Sort
            | Token::Relation
            | Token::Function
            | Token::Individual
            | Token::Constant
            | Token::Axiom
            | Token::Property
            | Token::Conjecture
            | Token::Invariant
            | Token::Safety
            | Token::Definition
            | Token::Derived
            | Token::Macro
            | Token::Include
            | Token::Module
            | Token::Object
            | Token::Isolate
            | Token::Trusted
            | Token::Specification
            | Token::Implementation
            | Token::Private
            | Token::Ghost
            | Token::Action
            | Token::Implement
            | Token::Before
            | Token::After
            | Token::Around
            | Token::Export
            | Token::Import
            | Token::Init
            | Token::Interpret
            | Token::Alias
            | Token::Attribute
            | Token::Schema
            | Token::Theorem
            | Token::Extract
    )
}

/// Returns whether this token can only start a statement.
pub(super) fn starts_statement(token: Token) -> bool {
    matches!(
        token,
        Token::Assume
            | Token::Assert
            | Token::Require
            | Token::Ensure
            | Token::Local
            | Token::Call
            | Token::While
    )
}

#[cfg(test)]
mod tests {
    use super::{SIGNS, WORDS};
    use crate::lang::fol::scan::assert_signs_are_found;

    #[test]
    fn tables_are_sorted_for_search() {
        assert!(WORDS.is_sorted_by_key(|(word, ..)| word));
        assert_signs_are_found(SIGNS);
    }
}
