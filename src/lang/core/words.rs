//! The words of a line, with their places.

use crate::shared::Error;
use ramsey_core::base::text::unquoted;
use ramsey_core::diag::Code;

/// A word: characters without a blank.
#[derive(Clone, Copy, Debug)]
pub(super) struct Word<'t> {
    pub(super) text: &'t str,
    /// Offset of the first byte.
    pub(super) start: usize,
}

impl Word<'_> {
    /// Returns an error about the word.
    pub(super) fn error(self, code: Code, message: String, hint: &str) -> Error {
        let end = self.start + self.text.len();
        Error { code, start: self.start, end, message, hint: hint.to_owned() }
    }
}

/// The words of a line that are not read yet.
#[derive(Clone, Debug)]
pub(super) struct Words<'t> {
    text: &'t str,
    /// Offset of the next word; past the end if there is none.
    at: usize,
    /// Offset of the end of the line.
    end: usize,
}

impl<'t> Words<'t> {
    /// Creates the words between two offsets of a text.
    pub(super) fn new(text: &'t str, start: usize, end: usize) -> Self {
        Words { text, at: start, end }
    }

    /// Returns the next word without reading it; empty where there is none.
    pub(super) fn peek(&self) -> &'t str {
        let rest = self.text.get(self.at..self.end).unwrap_or_default();
        rest.split(' ').next().unwrap_or_default()
    }

    /// Reads the next word. `expected` says what it should be.
    pub(super) fn next(&mut self, expected: &str) -> Result<Word<'t>, Error> {
        let error = |message: String, hint: &str| Error {
            code: Code::Syntax,
            start: self.at.min(self.end),
            end: self.at.min(self.end),
            message,
            hint: hint.into(),
        };
        if self.at > self.end {
            return Err(error(format!("the line ends where {expected} should follow"), ""));
        }
        let (text, start) = (self.peek(), self.at);
        if text.is_empty() {
            let hint = "words are separated by one blank, and no line ends in one";
            return Err(error(format!("there is no word where {expected} should be"), hint));
        }
        self.at += text.len() + 1;
        Ok(Word { text, start })
    }

    /// Reads a number.
    pub(super) fn number(&mut self, expected: &str) -> Result<(u32, Word<'t>), Error> {
        let word = self.next(expected)?;
        let digits = word.text;
        let is_canonical =
            digits == "0" || !digits.starts_with('0') && digits.bytes().all(|byte| byte.is_ascii_digit());
        match digits.parse().ok().filter(|&value: &u32| is_canonical && value < 1 << 31) {
            Some(value) => Ok((value, word)),
            None => Err(word.error(
                Code::Syntax,
                format!("`{digits}` is no number, and {expected} should be here"),
                "numbers are decimal, without a sign and leading zeros, and less than 2^31",
            )),
        }
    }

    /// Reads a number that is below a limit.
    pub(super) fn number_below(&mut self, count: usize, expected: &str, kind: &str) -> Result<usize, Error> {
        let (number, word) = self.number(expected)?;
        if (number as usize) < count {
            return Ok(number as usize);
        }
        let hint = match count {
            0 => format!("there is no {kind}"),
            1 => format!("there is one {kind}, with the number 0"),
            _ => format!("there are {count}, with numbers from 0 to {}", count - 1),
        };
        Err(word.error(Code::Undeclared, format!("there is no {kind} with the number {number}"), &hint))
    }

    /// Reads the number that a declaration has by its place.
    pub(super) fn place(&mut self, place: usize, kind: &str) -> Result<(), Error> {
        let (number, word) = self.number(&format!("the number of the {kind}"))?;
        if number as usize == place {
            return Ok(());
        }
        let message = format!("the {kind} has the number {number}, and by its place it has {place}");
        Err(word.error(Code::Syntax, message, "each kind is numbered from 0, in the order of the lines"))
    }

    /// Reads a name.
    pub(super) fn name(&mut self) -> Result<(String, Word<'t>), Error> {
        let word = self.next("a name")?;
        match unquoted(word.text) {
            Some(name) => Ok((name, word)),
            None => Err(word.error(
                Code::Syntax,
                format!("`{}` is not how a name is written", word.text),
                "in names `%` stands before the number of a blank, a control character or `%`, with a full stop: `%20.`",
            )),
        }
    }

    /// Makes sure that the line is at its end.
    pub(super) fn end(&self) -> Result<(), Error> {
        if self.at > self.end {
            return Ok(());
        }
        Err(Error {
            code: Code::Syntax,
            start: self.at,
            end: self.end,
            message: match self.peek() {
                "" => "a blank at the end of the line".into(),
                word => format!("`{word}` follows where the line should end"),
            },
            hint: String::new(),
        })
    }
}
