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
