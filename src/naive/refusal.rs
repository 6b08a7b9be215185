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
    /// Whether it is a part of the language that is not read here, so that nothing is said against the text.
    pub is_uncovered: bool,
}

/// The place in the texts in bytes that was not understood, and what that was.
pub(crate) struct Reason {
    pub(crate) at: usize,
    pub(crate) what: String,
    pub(crate) is_uncovered: bool,
}

impl Reason {
    pub(crate) fn new(at: usize, what: impl Into<String>) -> Reason {
        Reason { at, what: what.into(), is_uncovered: false }
    }
}

/// A result, or why the text is refused.
pub(crate) type Result<T> = std::result::Result<T, Reason>;

/// Refuses the text because of this place.
pub(crate) fn refuse<T>(at: usize, what: impl Into<String>) -> Result<T> {
    Err(Reason::new(at, what))
}

/// Refuses the text because of a part of the language that is not read here.
pub(crate) fn uncovered<T>(at: usize, what: impl Into<String>) -> Result<T> {
    Err(Reason { is_uncovered: true, ..Reason::new(at, what) })
}

impl Refusal {
    /// Returns what was not understood in this text.
    pub(crate) fn new(text: &str, Reason { at, what, is_uncovered }: Reason) -> Refusal {
        let before = text[..at].chars().rev().take_while(|c| !matches!(c, '\n' | '\r'));
        Refusal { line: line(text, at), column: before.count() + 1, what, is_uncovered }
    }
}

/// Returns the line of a place, from 1.
pub(crate) fn line(text: &str, at: usize) -> usize {
    let ends = |(at, c)| c == '\n' || c == '\r' && !text[at + 1..].starts_with('\n');
    text[..at].char_indices().filter(|end| ends(*end)).count() + 1
}
