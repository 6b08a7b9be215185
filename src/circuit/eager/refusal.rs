//! Why there is no abstraction.

use std::fmt;

/// The reason why an abstraction was not made.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Refusal {
    /// The circuit would be too large.
    TooLarge,
    /// The claim is of a kind that is not supported. The text says which.
    Unsupported(&'static str),
    /// A formula is not of the form that a system has.
    Unexpected,
}

impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Refusal::TooLarge => f.write_str("the circuit is too large"),
            Refusal::Unsupported(what) => f.write_str(what),
            Refusal::Unexpected => f.write_str("a formula has a form that no circuit is made of"),
        }
    }
}

impl std::error::Error for Refusal {}
