//! The first error in a text that is read sequentially.

use ramsey_core::base::span::{FileId, Span};
use ramsey_core::diag::{Code, Diagnostic};

/// An error with its position in a text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Error {
    /// The kind of error.
    pub code: Code,
    /// Offset of the first byte.
    pub start: usize,
    /// Offset after the last byte.
    pub end: usize,
    /// The message.
    pub message: String,
    /// The suggested fix; may be empty.
    pub hint: String,
}

impl Error {
    /// Returns the error as a diagnostic about `file`, in which the text starts at byte `offset`.
    pub fn diagnostic(&self, file: FileId, offset: usize) -> Diagnostic {
        let place = |at: usize| u32::try_from(offset + at).unwrap_or(u32::MAX);
        let span = Span { file, start: place(self.start), end: place(self.end) };
        let diagnostic = Diagnostic::error(self.code, span, &self.message);
        if self.hint.is_empty() { diagnostic } else { diagnostic.help(&self.hint) }
    }
}
