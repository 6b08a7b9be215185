//! Why a text is refused.

/// The first thing in a text that was not understood.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Refusal {
    /// The line, from 1.
    pub line: usize,
    /// The character in the line, from 1.
    pub column: usize,
    /// What was not understood.
    pub what: String,
}

/// A result, or the place in the text in bytes that was not understood, and what that was.
pub(crate) type Result<T> = std::result::Result<T, (usize, String)>;

/// Refuses the text because of this place.
pub(crate) fn refuse<T>(at: usize, what: impl Into<String>) -> Result<T> {
    Err((at, what.into()))
}

impl Refusal {
    /// Returns what was not understood in this text.
    pub(crate) fn new(text: &str, (at, what): (usize, String)) -> Refusal {
        let before = text[..at].chars().rev().take_while(|c| !matches!(c, '\n' | '\r'));
        Refusal { line: line(text, at), column: before.count() + 1, what }
    }
}

/// Returns the line of a place, from 1.
pub(crate) fn line(text: &str, at: usize) -> usize {
    let ends = |(at, c)| c == '\n' || c == '\r' && !text[at + 1..].starts_with('\n');
    text[..at].char_indices().filter(|end| ends(*end)).count() + 1
}
