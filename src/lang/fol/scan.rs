//! Scanner of a text, for lexers that are tables of words and signs.

use std::ops::Range;

use super::token::Token;
use crate::base::span::{BYTE_ORDER_MARK, LINE_ENDS};

/// A text with the position of its last token.
#[derive(Clone)]
pub(in crate::lang) struct Scanner<'t> {
    text: &'t str,
    start: usize,
    end: usize,
}

impl<'t> Scanner<'t> {
    /// Creates a scanner at the start of `text`.
    pub(in crate::lang) fn new(text: &'t str) -> Scanner<'t> {
        Scanner { text, start: 0, end: 0 }
    }

    /// Reads the next token after blanks and comments, which extend from one of the signs `comments` to the end of the
    /// line. `token` receives the first character and the text from there on, and returns the token with its length in
    /// bytes; `None` if the character starts no token, which is then the error.
    pub(in crate::lang) fn next(
        &mut self,
        comments: &[&str],
        token: impl FnOnce(char, &'t str) -> Option<(Token, usize)>,
    ) -> Option<Result<Token, ()>> {
        self.skip_blanks(comments);
        self.start = self.end;
        let rest = self.remainder();
        let first = rest.chars().next()?;
        let (token, length) = match token(first, rest) {
            Some((token, length)) => (Ok(token), length),
            None => (Err(()), first.len_utf8()),
        };
        self.end += length;
        Some(token)
    }

    fn skip_blanks(&mut self, comments: &[&str]) {
        loop {
            let rest = self.remainder();
            let code = rest.trim_start_matches([' ', '\t', '\r', '\n', BYTE_ORDER_MARK]);
            self.end += rest.len() - code.len();
            if !comments.iter().any(|sign| code.starts_with(sign)) {
                return;
            }
            self.end += code.find(LINE_ENDS).unwrap_or(code.len());
        }
    }

    /// Returns the byte range of the last token.
    pub(in crate::lang) fn span(&self) -> Range<usize> {
        self.start..self.end
    }

    /// Returns the text after the last token.
    pub(in crate::lang) fn remainder(&self) -> &'t str {
        &self.text[self.end..]
    }

    /// Skips `bytes` bytes.
    pub(in crate::lang) fn bump(&mut self, bytes: usize) {
        self.end += bytes;
    }
}

/// Returns the length of the longest prefix of `text` with these characters alone.
pub(in crate::lang) fn run(text: &str, accept: impl Fn(char) -> bool) -> usize {
    text.find(|c| !accept(c)).unwrap_or(text.len())
}

/// Returns whether a name may contain this character.
pub(in crate::lang) fn is_letter(c: char) -> bool {
    c.is_ascii_alphanumeric() || c == '_'
}

/// Returns the reserved word, or the token of a name. The table is sorted.
pub(in crate::lang) fn word(words: &[(&str, Token)], text: &str) -> Token {
    let reserved = words.binary_search_by_key(&text, |(reserved, _)| reserved);
    reserved.ok().and_then(|at| words.get(at)).map_or(Token::Ident, |&(_, token)| token)
}

/// Returns the sign that `text` starts with, and its length. In the table, each sign is before all of its prefixes.
pub(in crate::lang) fn sign(signs: &[(&str, Token)], text: &str) -> Option<(Token, usize)> {
    let (sign, token) = signs.iter().find(|(sign, _)| text.starts_with(sign))?;
    Some((*token, sign.len()))
}

/// Checks that each sign of a table can be found by [`sign`].
#[cfg(test)]
pub(in crate::lang) fn assert_signs_are_found(signs: &[(&str, Token)]) {
    for (text, token) in signs {
        assert_eq!(sign(signs, text), Some((*token, text.len())), "`{text}`");
    }
}
