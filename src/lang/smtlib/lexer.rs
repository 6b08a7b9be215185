//! Lexer of commands.
//!
//! It is written by hand, unlike the lexers of models: what is no token has a message and an extent of its own for each
//! kind (numbers, bit vectors, keywords, what is quoted), which would be callbacks as long as these functions.

use super::failure::{Error, Failure, Result};
use ramsey_core::base::span::is_line_end;
use ramsey_core::diag::Code;

/// A token. Symbols, keywords and strings are slices of the text.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Token<'a> {
    Open,
    Close,
    /// A symbol without bars, possibly a reserved word.
    Symbol(&'a str),
    /// A symbol between bars, without the bars.
    Quoted(&'a str),
    /// A keyword with its colon.
    Keyword(&'a str),
    /// A numeral.
    Numeral(&'a str),
    /// A decimal, or a literal `#x..` or `#b..`.
    Literal(Literal),
    /// A string without the outer quotation marks; inner ones are still doubled.
    String(&'a str),
    /// The end of the text.
    End,
}

/// A literal of a theory.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Literal {
    Decimal,
    BitVector,
}

/// A position in the text of a command.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Place {
    pub(super) start: u32,
    pub(super) end: u32,
}

impl Place {
    /// Creates an error at this position.
    pub(super) fn error(self, code: Code, message: impl Into<String>, hint: impl Into<String>) -> Failure {
        let (start, end) = (self.start as usize, self.end as usize);
        Box::new(Error { code, start, end, message: message.into(), hint: hint.into() })
    }

    /// Returns the range from the start of this position to the end of `last`.
    pub(super) fn to(self, last: Place) -> Place {
        Place { start: self.start, end: last.end }
    }
}

/// Class of the first byte of a token.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Class {
    Space,
    /// A letter or another non-digit character of symbols.
    Letter,
    Digit,
    /// `(`, `)`, `"`, `|`, `;`, `:` and `#`.
    Sign,
    Other,
}

const CLASSES: [Class; 256] = {
    let mut classes = [Class::Other; 256];
    let mut byte = 0;
    while byte < 256 {
        classes[byte] = match byte as u8 {
            b' ' | b'\t' | b'\r' | b'\n' | 0x0C => Class::Space,
            b'0'..=b'9' => Class::Digit,
            b'a'..=b'z' | b'A'..=b'Z' => Class::Letter,
            b'~' | b'!' | b'@' | b'$' | b'%' | b'^' | b'&' | b'*' | b'_' | b'-' | b'+' | b'=' | b'<'
            | b'>' | b'.' | b'?' | b'/' => Class::Letter,
            b'(' | b')' | b'"' | b'|' | b';' | b':' | b'#' => Class::Sign,
            _ => Class::Other,
        };
        byte += 1;
    }
    classes
};

/// Returns whether `byte` may occur in a symbol without bars.
fn is_symbol_byte(byte: u8) -> bool {
    matches!(CLASSES[byte as usize], Class::Letter | Class::Digit)
}

/// Returns whether `name` can be written without bars, unless it is a reserved word.
pub(super) fn is_simple(name: &str) -> bool {
    let first = name.bytes().next();
    first.is_some_and(|byte| CLASSES[byte as usize] == Class::Letter) && name.bytes().all(is_symbol_byte)
}

/// Lexer of a command.
#[derive(Clone, Debug)]
pub(super) struct Lexer<'a> {
    pub(super) text: &'a str,
    at: usize,
    /// The start of the last token.
    start: usize,
}

impl<'a> Lexer<'a> {
    /// Creates a lexer at the start of `text`, which has less than 2^32 bytes.
    pub(super) fn new(text: &'a str) -> Self {
        Lexer { text, at: 0, start: 0 }
    }

    /// Returns the position of the last token.
    pub(super) fn place(&self) -> Place {
        Place { start: self.start as u32, end: self.at as u32 }
    }

    /// Moves to `offset`.
    pub(super) fn go_to(&mut self, offset: u32) {
        self.at = offset as usize;
    }

    /// Returns the next token.
    pub(super) fn next(&mut self) -> Result<Token<'a>> {
        let bytes = self.text.as_bytes();
        loop {
            let Some(&byte) = bytes.get(self.at) else {
                self.start = self.at;
                return Ok(Token::End);
            };
            self.start = self.at;
            self.at += 1;
            match CLASSES[byte as usize] {
                Class::Space => {}
                Class::Letter => {
                    self.skip_symbol();
                    return Ok(Token::Symbol(&self.text[self.start..self.at]));
                }
                Class::Digit => return self.number(),
                Class::Sign => match byte {
                    b'(' => return Ok(Token::Open),
                    b')' => return Ok(Token::Close),
                    b';' => {
                        let rest = &bytes[self.at..];
                        self.at += rest.iter().position(|&byte| is_line_end(byte)).unwrap_or(rest.len());
                    }
                    b'|' => return self.quoted(),
                    b'"' => return self.string(),
                    b':' => return self.keyword(),
                    _ => return self.bit_vector(),
                },
                Class::Other => {
                    let shown = self.text[self.start..].chars().next().unwrap_or(' ');
                    self.at = self.start + shown.len_utf8();
                    return Err(self.place().error(
                        Code::UnexpectedCharacter,
                        format!("unexpected character `{}`", shown.escape_debug()),
                        "such characters may stand in strings, in comments and between bars: `|..|`",
                    ));
                }
            }
        }
    }

    /// Returns the next token without consuming it.
    pub(super) fn peek(&mut self) -> Result<Token<'a>> {
        let (start, at) = (self.start, self.at);
        let token = self.next();
        (self.start, self.at) = (start, at);
        token
    }

    fn skip_symbol(&mut self) {
        let rest = &self.text.as_bytes()[self.at..];
        self.at += rest.iter().position(|&byte| !is_symbol_byte(byte)).unwrap_or(rest.len());
    }

    fn number(&mut self) -> Result<Token<'a>> {
        self.skip_symbol();
        let word = &self.text[self.start..self.at];
        if word.bytes().all(|byte| byte.is_ascii_digit()) {
            return Ok(Token::Numeral(word));
        }
        let is_digits = |part: &str| !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_digit());
        if word.split_once('.').is_some_and(|(whole, part)| is_digits(whole) && is_digits(part)) {
            return Ok(Token::Literal(Literal::Decimal));
        }
        Err(self.place().error(
            Code::Syntax,
            format!("`{}` is neither a number nor a symbol", shown(word)),
            "a symbol that starts with a digit needs bars: `|..|`",
        ))
    }

    fn bit_vector(&mut self) -> Result<Token<'a>> {
        self.skip_symbol();
        let word = &self.text[self.start..self.at];
        let is_right = match word.as_bytes() {
            [b'#', b'x', digits @ ..] => !digits.is_empty() && digits.iter().all(u8::is_ascii_hexdigit),
            [b'#', b'b', digits @ ..] => {
                !digits.is_empty() && digits.iter().all(|digit| matches!(digit, b'0' | b'1'))
            }
            _ => false,
        };
        if is_right {
            return Ok(Token::Literal(Literal::BitVector));
        }
        let hint = "`#` starts a bit vector: `#x0F` or `#b01`";
        Err(self.place().error(Code::Syntax, format!("`{}` is no token", shown(word)), hint))
    }

    fn keyword(&mut self) -> Result<Token<'a>> {
        self.skip_symbol();
        if self.at - self.start == 1 {
            let hint = "a keyword is a colon and a name: `:named`";
            return Err(self.place().error(Code::Syntax, "this `:` starts no keyword", hint));
        }
        Ok(Token::Keyword(&self.text[self.start..self.at]))
    }

    fn quoted(&mut self) -> Result<Token<'a>> {
        let rest = &self.text.as_bytes()[self.at..];
        let Some(len) = rest.iter().position(|&byte| byte == b'|') else {
            self.at = self.text.len();
            return Err(self.place().error(Code::Syntax, "this quoted symbol has no end", "end it with `|`"));
        };
        let name = &self.text[self.at..self.at + len];
        self.at += len + 1;
        if let Some(found) = name.find('\\') {
            let start = self.start + 1 + found;
            let place = Place { start: start as u32, end: start as u32 + 1 };
            let hint = "symbols have no escapes, and neither `\\` nor `|` can stand in one";
            return Err(place.error(Code::UnexpectedCharacter, "a quoted symbol contains `\\`", hint));
        }
        Ok(Token::Quoted(name))
    }

    fn string(&mut self) -> Result<Token<'a>> {
        let bytes = self.text.as_bytes();
        let inside = self.at;
        loop {
            let rest = &bytes[self.at..];
            let Some(len) = rest.iter().position(|&byte| byte == b'"') else {
                self.at = self.text.len();
                return Err(self.place().error(Code::Syntax, "this string has no end", "end it with `\"`"));
            };
            self.at += len + 1;
            if bytes.get(self.at) != Some(&b'"') {
                return Ok(Token::String(&self.text[inside..self.at - 1]));
            }
            self.at += 1;
        }
    }
}

/// Shortens a word for a message, and puts it on one line.
pub(super) fn shown(word: &str) -> String {
    const LONGEST: usize = 60;
    let mut chars = word.chars();
    let mut text = String::new();
    for char in chars.by_ref().take(LONGEST) {
        if char.is_control() {
            text.extend(char.escape_debug());
        } else {
            text.push(char);
        }
    }
    if chars.next().is_some() {
        text += "..";
    }
    text
}
