//! Why there is no instance.

use std::fmt;

use ramsey_core::base::budget::Exhausted;

/// The reason why an instance was not built.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Refusal {
    /// A sort has no size, or no element.
    NoElement(String),
    /// The circuit would be too large. The text says what was expanded.
    TooLarge(String),
    /// A budget ran out. The text says what was expanded.
    Exhausted(Exhausted, String),
    /// A formula is not of the form that a system has. The text says where.
    Unexpected(String),
}

impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Refusal::NoElement(sort) => write!(f, "sort `{sort}` needs at least one element"),
            Refusal::TooLarge(what) => write!(f, "the circuit is too large because of {what}"),
            Refusal::Exhausted(exhausted, what) => write!(f, "{exhausted}, at {what}"),
            Refusal::Unexpected(what) => write!(f, "{what} has a form that no circuit is made of"),
        }
    }
}

impl std::error::Error for Refusal {}

/// Why an expansion stopped.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Stop {
    TooLarge,
    Exhausted(Exhausted),
    Unexpected,
}

impl From<Exhausted> for Stop {
    fn from(exhausted: Exhausted) -> Stop {
        Stop::Exhausted(exhausted)
    }
}

impl Stop {
    /// Returns the refusal, with what was expanded.
    pub(super) fn at(self, what: impl Into<String>) -> Refusal {
        match self {
            Stop::TooLarge => Refusal::TooLarge(what.into()),
            Stop::Exhausted(exhausted) => Refusal::Exhausted(exhausted, what.into()),
            Stop::Unexpected => Refusal::Unexpected(what.into()),
        }
    }
}
