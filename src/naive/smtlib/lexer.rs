//! Tokens of a command.

use crate::refusal::{Reason, Result, refuse};

/// A token with its place in the text: a parenthesis, a string, a symbol (perhaps in bars), a keyword or a constant.
#[derive(Clone, Copy)]
pub(super) struct Token<'t> {
    pub(super) text: &'t str,
    pub(super) at: usize,
}

/// What is no symbol unless it is in bars.
const RESERVED: &str = "let forall exists match ! _ as par NUMERAL DECIMAL STRING BINARY HEXADECIMAL";

impl<'t> Token<'t> {
    /// Returns the symbol that this is.
    pub(super) fn symbol(self) -> Option<&'t str> {
        let is_reserved = RESERVED.split(' ').any(|word| word == self.text);
        match self.text.as_bytes().first() {
            Some(b'|') => Some(&self.text[1..self.text.len() - 1]),
            Some(b'(' | b')' | b'"' | b':' | b'#' | b'0'..=b'9') | None => None,
            _ => (!is_reserved).then_some(self.text),
        }
    }
}

/// Returns the tokens of the command at a place, and where it ends; no tokens at the end of the text.
pub(super) fn command(text: &str, mut at: usize) -> Result<(Vec<Token<'_>>, usize)> {
    let (mut tokens, mut open) = (Vec::new(), 0);
    while let Some(first) = text[at..].chars().next() {
        let rest = &text[at..];
        let len = match first {
            ' ' | '\t' | '\n' | '\r' => 1,
            '\u{feff}' if at == 0 => 3,
            ';' => rest.find(['\n', '\r']).unwrap_or(rest.len()),
            '(' | ')' => 1,
            '|' => 2 + rest[1..].find(['|', '\\']).ok_or_else(|| Reason::new(at, "the symbol has no end"))?,
            '"' => string(rest, at)?,
            _ => {
                let is_part = |c: char| c.is_ascii_alphanumeric() || "~!@$%^&*_-+=<>.?/:#".contains(c);
                rest.find(|c| !is_part(c)).unwrap_or(rest.len())
            }
        };
        let token = Token { text: &rest[..len], at };
        if !is_token(token.text) {
            return refuse(at, "a character that starts no token");
        }
        at += len;
        if " \t\n\r;\u{feff}".contains(first) {
            continue;
        }
        if open == 0 && first != '(' {
            return refuse(token.at, "expected a command");
        }
        open = if first == '(' { open + 1 } else { open - usize::from(first == ')') };
        tokens.push(token);
        if open == 0 {
            return Ok((tokens, at));
        }
    }
    if open > 0 { refuse(at, "the command has no end") } else { Ok((tokens, at)) }
}

/// Returns the length of a string, in which a quotation mark is written twice.
fn string(rest: &str, at: usize) -> Result<usize> {
    let mut end = 1;
    while let Some(quote) = rest[end..].find('"') {
        end += quote + 1;
        if !rest[end..].starts_with('"') {
            return Ok(end);
        }
        end += 1;
    }
    refuse(at, "the string has no end")
}

/// Returns whether these characters are one token, or none at all.
fn is_token(text: &str) -> bool {
    let is_symbol = |text: &str| !text.is_empty() && !text.contains([':', '#']);
    let is_of =
        |text: &str, is_digit: fn(&char) -> bool| !text.is_empty() && text.chars().all(|c| is_digit(&c));
    match text.as_bytes().first() {
        Some(b'(' | b')' | b';' | b'"' | b' ' | b'\t' | b'\n' | b'\r' | 0xef) => true,
        Some(b'|') => text.ends_with('|'),
        Some(b':') => is_symbol(&text[1..]),
        Some(b'#') if text.starts_with("#x") => is_of(&text[2..], char::is_ascii_hexdigit),
        Some(b'#') => text.starts_with("#b") && is_of(&text[2..], |c| matches!(c, '0' | '1')),
        Some(b'0'..=b'9') => {
            let (whole, part) = text.split_once('.').unwrap_or((text, "0"));
            let is_number = is_of(whole, char::is_ascii_digit) && is_of(part, char::is_ascii_digit);
            is_number && (whole == "0" || !whole.starts_with('0'))
        }
        _ => is_symbol(text),
    }
}
