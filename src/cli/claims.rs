//! Detection of models without claims, for which the answer "all proved" is vacuous.

use ramsey_core::diag::{Code, Diagnostic, Severity};
use ramsey_core::system::System;
use ramsey_kernel::obligations::Question;

/// Checks whether a model has a claim that `question` covers.
pub(super) fn has_claims(system: &System, question: &Question) -> bool {
    let has_others = !system.invariants.is_empty() || !system.assertions.is_empty();
    !system.theorems.is_empty() || has_others && *question != Question::Theorems
}

/// Returns the diagnostic for a model `name` without claims that `question` covers; an error if `strict`.
pub(super) fn nothing_to_check(name: &str, question: &Question, strict: bool) -> Diagnostic {
    let (what, help) = match question {
        Question::Theorems => ("no theorem", "`theorem` declares one"),
        Question::Traces(_) => {
            ("no trace block", "`sat trace { .. }` claims that there is an execution of this shape")
        }
        _ => (
            "no invariant, safety property, assertion or theorem",
            "`safety` claims a formula of all states that can be reached",
        ),
    };
    let message = format!("nothing to check: `{name}` has {what}");
    let mut found = Diagnostic::error_nowhere(Code::NothingToCheck, message).help(help);
    if !strict {
        found.severity = Severity::Warning;
    }
    found
}
