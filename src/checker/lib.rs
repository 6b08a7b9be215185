//! Checker of certificates about closed systems.
//!
//! A *closed system* (`spec/core.md`) is a first-order transition system with what is claimed of it, or a list of queries, in
//! which nothing is implicit. A *certificate* (`spec/certificate.md`) proves these claims, or has finite structures that refute
//! some. `spec/rocq/Check.v` is the same checker as a program that is proved right.
//!
//! ```
//! let core = "ramsey-core 1\nrelation 0 p mutable 0\ninit start R 1 0 0\ninvariant p R 1 0 0\ndigest 0\n";
//! let certificate = "ramsey-certificate 2\nsource 0\ncore 0\nclaim proved\nq 0 0\nend\n";
//! let core = ramsey_checker::Core::read(core).unwrap();
//! let summary = ramsey_checker::check(core, certificate.as_bytes()).unwrap();
//! assert_eq!((summary.proofs, summary.counterexamples), (1, 0));
//! ```

mod certificate;
mod core;
mod formula;
mod proof;
mod structure;
#[cfg(test)]
mod tests;
mod words;

use std::fmt;

pub use certificate::{MAX_LINE, Session, Summary, check};
pub use core::{Core, Wanted};

/// Why a text is not accepted.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Rejection {
    /// The line, from 1.
    pub line: usize,
    /// The obligation that the line is about, if it is about one.
    pub obligation: Option<String>,
    /// What is wrong, as a sentence without capital letter and full stop.
    pub reason: String,
    /// Whether the text could not be read to its end, so that nothing is known about it.
    pub is_unreadable: bool,
}

impl fmt::Display for Rejection {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "line {}: ", self.line)?;
        if let Some(obligation) = &self.obligation {
            write!(f, "{obligation}: ")?;
        }
        f.write_str(&self.reason)
    }
}

impl std::error::Error for Rejection {}

/// A map whose order is never looked at. Its hash function is a keyed one, so that no text can make it slow.
#[allow(clippy::disallowed_types, reason = "nothing iterates over it, and this crate has no dependencies")]
type Map<K, V> = std::collections::HashMap<K, V>;

/// The result of a check, with what is wrong.
type Checked<T = ()> = Result<T, &'static str>;
