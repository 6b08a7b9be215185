//! Why proofs cannot be written.

use std::fmt;

use ramsey_kernel::core::Unsupported;

/// Why there are no files.
#[derive(Clone, Debug)]
pub enum Failure {
    /// The question has no closed form.
    Model(Unsupported),
    /// A line of the certificate, from 1, is not understood. The checker has not accepted it.
    Line(usize),
    /// The clause for this obligation does not show it. The checker has not accepted it.
    Clause(String),
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Failure::Model(unsupported) => unsupported.fmt(f),
            Failure::Line(line) => write!(f, "line {line} of the certificate is none of a proof"),
            Failure::Clause(label) => write!(f, "the certificate has no proof of `{label}`"),
        }
    }
}

impl std::error::Error for Failure {}

impl From<Unsupported> for Failure {
    fn from(unsupported: Unsupported) -> Self {
        Failure::Model(unsupported)
    }
}
