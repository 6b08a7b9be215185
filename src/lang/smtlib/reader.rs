//! Incremental splitting of a script into commands.

use std::borrow::Cow;

use super::failure::Error;
use ramsey_core::base::span::{is_line_end, line_starts};
use ramsey_core::diag::Code;

/// The byte order mark in UTF-8.
const MARK: &[u8] = "\u{feff}".as_bytes();

/// Splits a script into its top-level forms. Bytes are fed as they arrive; a form is returned once it is complete.
#[derive(Clone, Debug)]
pub struct Reader {
    /// The bytes received, from offset `offset` of the script on.
    buffer: Vec<u8>,
    offset: usize,
    /// Position up to which the buffer has been scanned.
    at: usize,
    mode: Mode,
    /// The start of the form being scanned, and its number of open parentheses.
    start: Option<usize>,
    depth: usize,
    /// Whether the script has ended.
    has_ended: bool,
    /// Line and column of the position `counted` in the buffer.
    line: usize,
    column: usize,
    counted: usize,
}

/// State of the scanner.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Mode {
    /// Outside of strings, quoted symbols and comments.
    Plain,
    /// In a string. Two adjacent quotation marks end and restart it, which is equivalent.
    String,
    /// In a quoted symbol.
    Quoted,
    /// In a comment.
    Comment,
}

/// The bytes with a meaning inside a form.
const IS_SIGN: [bool; 256] = {
    let mut signs = [false; 256];
    let mut index = 0;
    while index < 5 {
        signs[b"()\"|;"[index] as usize] = true;
        index += 1;
    }
    signs
};

/// A top-level form of a script.
#[derive(Clone, Debug)]
pub struct Form<'a> {
    /// Its text: a command in parentheses, unless there is an error.
    pub text: Cow<'a, str>,
    /// The error of the form as a whole.
    pub error: Option<Error>,
    /// Offset of its first byte in the script.
    pub offset: usize,
    /// The line at which it starts, from 1.
    pub line: usize,
    /// The column at which it starts, from 1, in characters.
    pub column: usize,
}

impl Form<'_> {
    /// Returns line and column in the script of byte `offset` of this form's text.
    pub fn line_column(&self, offset: usize) -> (usize, usize) {
        match ramsey_core::base::span::line_column(&self.text, offset) {
            (1, column) => (self.line, self.column + column - 1),
            (line, column) => (self.line + line - 1, column),
        }
    }
}

impl Default for Reader {
    fn default() -> Self {
        Self::new()
    }
}

impl Reader {
    /// Creates a reader at the start of a script.
    pub fn new() -> Reader {
        Reader {
            buffer: Vec::new(),
            offset: 0,
            at: 0,
            mode: Mode::Plain,
            start: None,
            depth: 0,
            has_ended: false,
            line: 1,
            column: 1,
            counted: 0,
        }
    }

    /// Appends the next bytes of the script.
    pub fn feed(&mut self, bytes: &[u8]) {
        // Text before this position is no longer needed. A carriage return is kept for a possible line feed.
        let between = self.at - usize::from(self.buffer[..self.at].ends_with(b"\r"));
        let done = self.start.unwrap_or(between);
        if done > 0 {
            self.count_to(done);
            self.buffer.drain(..done);
            self.offset += done;
            self.at -= done;
            self.counted = 0;
            self.start = self.start.map(|_| 0);
        }
        self.buffer.extend_from_slice(bytes);
    }

    /// Returns the next form, if it has arrived completely.
    pub fn next_form(&mut self) -> Option<Form<'_>> {
        let (start, end) = self.scan()?;
        Some(self.form(start, end, None))
    }

    /// Returns what remains at the end of the script after the last complete form. Must be called until it returns
    /// `None`.
    pub fn finish(&mut self) -> Option<Form<'_>> {
        self.has_ended = true;
        if let Some((start, end)) = self.scan() {
            return Some(self.form(start, end, None));
        }
        let start = self.start.take()?;
        let (end, depth, mode) = (self.buffer.len(), self.depth, self.mode);
        (self.depth, self.mode) = (0, Mode::Plain);
        let problem = match mode {
            Mode::String => Some(("a string in this command has no end", "end it with `\"`")),
            Mode::Quoted => Some(("a quoted symbol in this command has no end", "end it with `|`")),
            _ if depth > 0 => Some((
                "the script ends before this command does",
                if depth == 1 { "one `)` is missing" } else { "several `)` are missing" },
            )),
            _ => None,
        };
        let error = problem.map(|(message, hint)| Error {
            code: Code::Syntax,
            start: 0,
            end: 1,
            message: message.into(),
            hint: hint.into(),
        });
        Some(self.form(start, end, error))
    }

    /// Returns the position of the next complete form in the buffer.
    fn scan(&mut self) -> Option<(usize, usize)> {
        let bytes = self.buffer.as_slice();
        let mut at = self.at;
        if self.offset == 0 && at == 0 && MARK.starts_with(&bytes[..bytes.len().min(MARK.len())]) {
            if bytes.len() >= MARK.len() {
                // The mark does not advance the column.
                (at, self.counted) = (MARK.len(), MARK.len());
            } else if !self.has_ended {
                return None;
            }
        }
        let found = loop {
            let end: Option<fn(u8) -> bool> = match self.mode {
                // Most bytes inside a form have no meaning.
                Mode::Plain if self.depth > 0 => {
                    let rest = &bytes[at..];
                    let Some(len) = rest.iter().position(|&byte| IS_SIGN[byte as usize]) else {
                        at = bytes.len();
                        break None;
                    };
                    at += len;
                    None
                }
                Mode::Plain => None,
                Mode::String => Some(|byte| byte == b'"'),
                Mode::Quoted => Some(|byte| byte == b'|'),
                Mode::Comment => Some(is_line_end),
            };
            if let Some(is_end) = end {
                let rest = &bytes[at..];
                let Some(len) = rest.iter().position(|&byte| is_end(byte)) else {
                    at = bytes.len();
                    break None;
                };
                at += len + 1;
                self.mode = Mode::Plain;
                continue;
            }
            let Some(&byte) = bytes.get(at) else { break None };
            // The white space of the standard, to which a form feed does not belong.
            let is_space = matches!(byte, b' ' | b'\t' | b'\n' | b'\r');
            if self.depth == 0
                && let Some(start) = self.start
                && (is_space || matches!(byte, b'(' | b')' | b';'))
            {
                // An atom ends before the first byte that is not part of it.
                break Some((start, at));
            }
            at += 1;
            match byte {
                b';' => self.mode = Mode::Comment,
                _ if is_space => {}
                _ => {
                    let start = *self.start.get_or_insert(at - 1);
                    match byte {
                        b'(' => self.depth += 1,
                        b')' => {
                            self.depth = self.depth.saturating_sub(1);
                            if self.depth == 0 {
                                break Some((start, at));
                            }
                        }
                        b'"' => self.mode = Mode::String,
                        b'|' => self.mode = Mode::Quoted,
                        _ => {}
                    }
                }
            }
        };
        self.at = at;
        if found.is_some() {
            self.start = None;
        }
        found
    }

    fn form(&mut self, start: usize, end: usize, error: Option<Error>) -> Form<'_> {
        self.count_to(start);
        let bytes = &self.buffer[start..end];
        let (text, garbled) = match std::str::from_utf8(bytes) {
            Ok(text) => (Cow::Borrowed(text), None),
            Err(error) => (String::from_utf8_lossy(bytes), Some(error.valid_up_to())),
        };
        let wrong = |start: usize, end: usize, code: Code, message: &str, hint: &str| Error {
            code,
            start,
            end,
            message: message.into(),
            hint: hint.into(),
        };
        let error = error.or_else(|| match (garbled, bytes.first()) {
            (Some(at), _) => Some(wrong(
                at,
                at + char::REPLACEMENT_CHARACTER.len_utf8(),
                Code::Unreadable,
                "this is not UTF-8 text",
                "scripts are UTF-8",
            )),
            (None, Some(b'(')) => None,
            (None, Some(b')')) => {
                Some(wrong(0, 1, Code::Syntax, "this `)` closes nothing", "the command before is complete"))
            }
            (None, _) => Some(wrong(
                0,
                text.len(),
                Code::Syntax,
                "a command is expected here",
                "commands are in parentheses, like `(check-sat)`",
            )),
        });
        Form { text, error, offset: self.offset + start, line: self.line, column: self.column }
    }

    /// Moves line and column to the position `end` in the buffer.
    fn count_to(&mut self, end: usize) {
        let passed = &self.buffer[self.counted..end];
        let (lines, last) = line_starts(passed).fold((0, 0), |(lines, _), start| (lines + 1, start));
        // Continuation bytes of UTF-8 start no character.
        let characters = passed[last..].iter().filter(|&&byte| byte & 0xC0 != 0x80).count();
        self.line += lines;
        self.column = if lines > 0 { 1 } else { self.column } + characters;
        self.counted = end;
    }
}
