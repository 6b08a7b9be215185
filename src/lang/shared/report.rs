//! Diagnostics of the static checks, limited in number.

use crate::base::budget::{Budget, Exhausted};
use crate::base::span::Span;
use crate::diag::{self, Code, Diagnostic, Severity};

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
    /// What checking and lowering may spend.
    budget: Budget,
    /// The budget that ran out. What was reported by then says nothing, since the rest was not looked at.
    exhausted: Option<Exhausted>,
}

impl Report {
    /// A report of work that may spend this budget.
    pub(in crate::lang) fn within(budget: Budget) -> Report {
        Report { budget, ..Report::default() }
    }

    /// Counts units of work, and tells whether to go on.
    pub(in crate::lang) fn spend(&mut self, units: u64) -> bool {
        let spent = self.budget.spend(units);
        self.exhausted = self.exhausted.or(spent.err());
        self.exhausted.is_none()
    }

    /// The budget, for work that has no use for a report. What it spends comes back by [`Self::absorb`].
    pub(in crate::lang) fn budget(&self) -> Budget {
        self.budget.part(u64::MAX)
    }

    /// Counts what was spent of [`Self::budget`].
    pub(in crate::lang) fn absorb(&mut self, part: &Budget) {
        self.spend(part.spent());
    }

    /// Work was given up because this budget ran out.
    pub(in crate::lang) fn exhaust(&mut self, exhausted: Exhausted) {
        self.exhausted = self.exhausted.or(Some(exhausted));
    }

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

    /// Refuses arithmetic, showing the first places.
    pub(in crate::lang) fn refuse_arithmetic(&mut self, places: &[Span]) {
        let mut places = places.to_vec();
        places.sort_unstable();
        let Some((&first, rest)) = places.split_first() else { return };
        let mut error = Diagnostic::error(
            Code::OutsideLogic,
            first,
            "integer arithmetic is outside first-order logic with uninterpreted sorts",
        )
        .label("arithmetic");
        for &place in rest.iter().take(3) {
            error = error.also(place, "and here");
        }
        if rest.len() > 3 {
            error = error.note(format!("and in {} more places", rest.len() - 3));
        }
        self.push(error.help(
            "model numbers by an uninterpreted sort with a relation `le` and axioms that make it a total order",
        ));
    }

    /// Whether further errors would be dropped, so that it is not worth working them out; or the budget ran out.
    pub(in crate::lang) fn is_full(&self) -> bool {
        self.errors >= MAX_PER_KIND || self.exhausted.is_some()
    }

    /// Whether an error has been reported, or the budget ran out.
    pub(in crate::lang) fn has_errors(&self) -> bool {
        self.errors > 0 || self.exhausted.is_some()
    }

    /// All diagnostics as [`Self::finish`] has them, and the budget as it is left.
    ///
    /// # Errors
    /// The budget that ran out.
    pub(in crate::lang) fn finish_within(self, budget: &mut Budget) -> Result<Vec<Diagnostic>, Exhausted> {
        *budget = self.budget.clone();
        match self.exhausted {
            Some(exhausted) => Err(exhausted),
            None => Ok(self.finish()),
        }
    }

    /// All diagnostics, in the order of their places.
    pub(in crate::lang) fn finish(mut self) -> Vec<Diagnostic> {
        self.diagnostics.sort_by_key(|diagnostic| diagnostic.primary.as_ref().map(|label| label.span));
        self.diagnostics
    }
}
