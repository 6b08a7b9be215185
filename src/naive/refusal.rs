//! Why a text is refused.

use std::fmt;

/// Why a model is refused: the first thing that was not understood.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Refusal {
    /// The line, from 1.
    pub line: usize,
    /// The character in the line, from 1.
    pub column: usize,
    /// What was not understood.
    pub what: String,
}

impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}: {}", self.line, self.column, self.what)
    }
}

impl std::error::Error for Refusal {}

/// What was not understood at a place of the text in bytes.
pub(crate) struct Refused {
    pub(crate) at: usize,
    pub(crate) what: String,
}

/// Refuses the text because of this place.
pub(crate) fn refuse<T>(at: usize, what: impl Into<String>) -> Result<T, Refused> {
    Err(Refused { at, what: what.into() })
}
