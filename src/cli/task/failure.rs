//! Why a task has no result.

use ramsey_core::base::budget::Exhausted;
use ramsey_core::diag::Diagnostic;

/// Why a task has no result.
pub(super) enum Failure {
    /// It is none for this program.
    Bad(Vec<Diagnostic>),
    /// The machine ended the work, and not the task.
    Machine(Exhausted),
    /// Internal inconsistency of the tool.
    Internal(String),
}

impl From<Diagnostic> for Failure {
    fn from(error: Diagnostic) -> Failure {
        Failure::Bad(vec![error])
    }
}

/// Returns the reason why there is no answer, as part of a result.
///
/// # Errors
/// It is none of the task's.
pub(super) fn reason(exhausted: Exhausted) -> Result<String, Failure> {
    match exhausted {
        Exhausted::Memory | Exhausted::Cancelled | Exhausted::RunTime | Exhausted::QueryTime => {
            Err(Failure::Machine(exhausted))
        }
        _ => Ok(exhausted.to_string()),
    }
}
