//! Tokens.

use crate::refusal::{Refused, refuse};

/// The words that are no names.
const RESERVED: &[&str] = &[
    "any",
    "assert",
    "axiom",
    "bool",
    "by",
    "constant",
    "definition",
    "derived",
    "distinct",
    "else",
    "exists",
    "false",
    "fbii",
    "forall",
    "function",
    "if",
    "immutable",
    "in",
    "init",
    "int",
    "invariant",
    "let",
    "modifies",
    "mutable",
    "new",
    "onestate",
    "prophecy",
    "relation",
    "safety",
    "sat",
    "sort",
    "then",
    "theorem",
    "trace",
    "transition",
    "true",
    "twostate",
    "unsat",
    "zerostate",
];

/// The signs, longer ones before those that they begin with.
const SIGNS: &[&str] = &[
    "<->", "->", "!=", "~=", ">=", "<=", ">", "<", "=", "(", ")", "[", "]", "{", "}", ".", ":", "!", "~",
    "|", "+", "-", "*", ",", "'", "&",
];

/// A token; at the end of the text an empty one.
#[derive(Clone, Copy)]
pub(super) struct Token<'t> {
    pub(super) text: &'t str,
    pub(super) at: usize,
    /// Whether it is an identifier that is not reserved.
    pub(super) is_name: bool,
}

/// Returns the tokens of a text, with one for its end.
pub(super) fn tokens(text: &str) -> Result<Vec<Token<'_>>, Refused> {
    let is_digit = |c: char| c.is_ascii_digit();
    let is_word = |c: char| c.is_ascii_alphanumeric() || c == '_';
    let is_annotation = |c: char| is_word(c) || c == '-';
    let is_comment = |c: char| c != '\n' && c != '\r';
    let mut tokens = Vec::new();
    let mut at = 0;
    while let Some(first) = text[at..].chars().next() {
        let rest = &text[at..];
        let (skipped, len) = match first {
            ' ' | '\t' | '\n' | '\r' | '\u{feff}' => (first.len_utf8(), 0),
            '#' => (rest.find(|c| !is_comment(c)).unwrap_or(rest.len()), 0),
            '@' => (0, 1 + rest[1..].find(|c| !is_annotation(c)).unwrap_or(rest.len() - 1)),
            '0'..='9' => (0, rest.find(|c| !is_digit(c)).unwrap_or(rest.len())),
            first if is_word(first) => (0, rest.find(|c| !is_word(c)).unwrap_or(rest.len())),
            _ => (0, SIGNS.iter().find(|sign| rest.starts_with(**sign)).map_or(0, |sign| sign.len())),
        };
        let word = &rest[..len];
        if skipped == 0 && (word.is_empty() || word == "@") {
            return refuse(at, "a character that starts no token");
        }
        if len > 0 {
            let is_name = is_word(first) && !is_digit(first) && !RESERVED.contains(&word);
            tokens.push(Token { text: word, at, is_name });
        }
        at += skipped + len;
    }
    tokens.push(Token { text: "", at, is_name: false });
    Ok(tokens)
}
