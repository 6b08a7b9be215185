//! The first mistake in a text that is read from front to end.

use crate::base::span::{FileId, Span};
use crate::diag::{Code, Diagnostic};

/// What is wrong with a text, and where.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Error {
    /// Its kind.
    pub code: Code,
    /// Offset of the first byte of the place.
    pub start: usize,
    /// Offset behind its last byte.
    pub end: usize,
    /// What is wrong.
    pub message: String,
    /// What to do about it; may be empty.
    pub hint: String,
}

impl Error {
    /// The same as a diagnostic about `file`, in which the text starts at byte `offset`.
    pub fn diagnostic(&self, file: FileId, offset: usize) -> Diagnostic {
        let place = |at: usize| u32::try_from(offset + at).unwrap_or(u32::MAX);
        let span = Span { file, start: place(self.start), end: place(self.end) };
        let diagnostic = Diagnostic::error(self.code, span, &self.message);
        if self.hint.is_empty() { diagnostic } else { diagnostic.help(&self.hint) }
    }
}
