//! Where the static checks put their diagnostics, limited in number.

use crate::diag::{self, Diagnostic, Severity};

/// So many errors, so many warnings of decidability and so many others are kept.
const MAX_PER_KIND: usize = 100;

/// Longer names get no suggestions: comparing them takes time in the product of the lengths.
const MAX_NAME: usize = 64;

/// The candidate that was probably meant by `name`.
pub(in crate::lang) fn suggest<'a>(
    name: &str,
    candidates: impl IntoIterator<Item = &'a str>,
) -> Option<&'a str> {
    // Any single letter is near to any other.
    if name.len() > MAX_NAME || name.len() < 2 {
        return None;
    }
    diag::nearest(name, candidates.into_iter().filter(|candidate| candidate.len() <= MAX_NAME))
}

/// The diagnostics so far.
#[derive(Default)]
pub(in crate::lang) struct Report {
    diagnostics: Vec<Diagnostic>,
    errors: usize,
    /// Warnings of decidability. They have a number of their own, since they may become errors, which must not be lost.
    rules: usize,
    warnings: usize,
}

impl Report {
    /// Adds a diagnostic, unless there are too many of its kind.
    pub(in crate::lang) fn push(&mut self, mut diagnostic: Diagnostic) {
        let count = match diagnostic.severity {
            Severity::Error => &mut self.errors,
            Severity::Warning if diagnostic.code.is_of_decidability() => &mut self.rules,
            Severity::Warning | Severity::Note => &mut self.warnings,
        };
        *count += 1;
        if *count == MAX_PER_KIND {
            diagnostic = diagnostic.note("there may be more of these; they are not shown");
        }
        if *count <= MAX_PER_KIND {
            self.diagnostics.push(diagnostic);
        }
    }

    /// Whether further errors would be dropped, so that it is not worth working them out.
    pub(in crate::lang) fn is_full(&self) -> bool {
        self.errors >= MAX_PER_KIND
    }

    /// Whether an error has been reported.
    pub(in crate::lang) fn has_errors(&self) -> bool {
        self.errors > 0
    }

    /// All diagnostics, in the order of their places.
    pub(in crate::lang) fn finish(mut self) -> Vec<Diagnostic> {
        self.diagnostics.sort_by_key(|diagnostic| diagnostic.primary.as_ref().map(|label| label.span));
        self.diagnostics
    }
}
