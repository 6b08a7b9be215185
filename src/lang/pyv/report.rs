//! Where the static checks put their diagnostics, limited in number.

use crate::diag::{Diagnostic, Severity};

/// So many errors, and so many warnings, are kept.
const MAX_PER_SEVERITY: usize = 100;

/// The diagnostics so far.
#[derive(Default)]
pub(super) struct Report {
    diagnostics: Vec<Diagnostic>,
    errors: usize,
    warnings: usize,
}

impl Report {
    /// Adds a diagnostic, unless there are too many of its severity.
    pub(super) fn push(&mut self, mut diagnostic: Diagnostic) {
        let count = match diagnostic.severity {
            Severity::Error => &mut self.errors,
            Severity::Warning => &mut self.warnings,
        };
        *count += 1;
        if *count == MAX_PER_SEVERITY {
            diagnostic = diagnostic.note("there may be more of these; they are not shown");
        }
        if *count <= MAX_PER_SEVERITY {
            self.diagnostics.push(diagnostic);
        }
    }

    /// Whether an error has been reported.
    pub(super) fn has_errors(&self) -> bool {
        self.errors > 0
    }

    /// All diagnostics, in the order of their places.
    pub(super) fn finish(mut self) -> Vec<Diagnostic> {
        self.diagnostics.sort_by_key(|diagnostic| diagnostic.primary.as_ref().map(|label| label.span));
        self.diagnostics
    }
}
