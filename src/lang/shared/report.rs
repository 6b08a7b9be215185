//! Collector of diagnostics of the static checks, limited in number.

use ramsey_core::base::budget::{Budget, Exhausted};
use ramsey_core::base::span::Span;
use ramsey_core::diag::{self, Code, Diagnostic, Severity};

/// Maximum number of diagnostics kept of each kind: errors, warnings about decidability, others.
const MAX_PER_KIND: usize = 100;

/// Maximum length of names with suggestions. The cost of a comparison is the product of the lengths.
const MAX_NAME: usize = 64;

/// Returns the candidate that was probably intended by `name`.
pub(crate) fn suggest<'a>(name: &str, candidates: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    // Single letters are always similar.
    if name.len() > MAX_NAME || name.len() < 2 {
        return None;
    }
    diag::nearest(name, candidates.into_iter().filter(|candidate| candidate.len() <= MAX_NAME))
}

/// Joins the diagnostics of parsing with the result of what came after it. If there is an error, there is no result, and
/// without a result there is an error.
pub(crate) fn unless_errors<T>(
    mut diagnostics: Vec<Diagnostic>,
    (result, more): (Option<T>, Vec<Diagnostic>),
) -> (Option<T>, Vec<Diagnostic>) {
    diagnostics.extend(more);
    let has_errors = diagnostics.iter().any(|diagnostic| diagnostic.severity == Severity::Error);
    if result.is_none() && !has_errors {
        let what = "the text has a part that is not understood, which is a defect of Ramsey";
        diagnostics.push(Diagnostic::error_nowhere(Code::Unreadable, what));
    }
    (result.filter(|_| !has_errors), diagnostics)
}

/// The collected diagnostics.
#[derive(Default)]
pub(crate) struct Report {
    diagnostics: Vec<Diagnostic>,
    errors: usize,
    /// Number of warnings about decidability. They are limited separately because they may become errors, which must
    /// not be dropped.
    decidability_warnings: usize,
    warnings: usize,
    /// Budget of checking and lowering.
    budget: Budget,
    /// The exhausted budget. The diagnostics are then incomplete and meaningless.
    exhausted: Option<Exhausted>,
}

impl Report {
    /// Creates a collector for work within this budget.
    pub(crate) fn within(budget: Budget) -> Report {
        Report { budget, ..Report::default() }
    }

    /// Spends units of work. Returns whether to continue.
    pub(crate) fn spend(&mut self, units: u64) -> bool {
        let spent = self.budget.spend(units);
        self.exhausted = self.exhausted.or(spent.err());
        self.exhausted.is_none()
    }

    /// Returns the rest of the budget, for work that does not use the collector. Its expenses are counted by
    /// [`Self::absorb`].
    pub(crate) fn budget(&self) -> Budget {
        self.budget.part(u64::MAX)
    }

    /// Counts the work spent on [`Self::budget`].
    pub(crate) fn absorb(&mut self, part: &Budget) {
        self.spend(part.spent());
    }

    /// Records that work was abandoned because of this budget.
    pub(crate) fn exhaust(&mut self, exhausted: Exhausted) {
        self.exhausted = self.exhausted.or(Some(exhausted));
    }

    /// Adds a diagnostic, unless the limit of its kind is reached.
    pub(crate) fn push(&mut self, mut diagnostic: Diagnostic) {
        let count = match diagnostic.severity {
            Severity::Error => &mut self.errors,
            Severity::Warning if diagnostic.code.concerns_decidability() => &mut self.decidability_warnings,
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

    /// Tells that a part of the text means nothing here.
    pub(crate) fn ignore(&mut self, keyword: &str, span: Span, note: &str) {
        let what = format!("`{keyword}` is read, and nothing follows from it");
        self.push(Diagnostic::remark(Code::Unchecked, span, what).label("ignored").note(note));
    }

    /// Tells that a proof means nothing here.
    pub(crate) fn ignore_proof(&mut self, span: Span) {
        self.ignore("proof", span, "claims are proved without it");
    }

    /// Reports arithmetic as an error, with the first positions.
    pub(crate) fn refuse_arithmetic(&mut self, places: &[Span]) {
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

    /// Returns the number of errors so far.
    pub(crate) fn errors(&self) -> usize {
        self.errors
    }

    /// Returns whether further errors would be dropped and need not be computed, or the budget is exhausted.
    pub(crate) fn is_full(&self) -> bool {
        self.errors >= MAX_PER_KIND || self.exhausted.is_some()
    }

    /// Returns whether an error has been reported or the budget is exhausted.
    pub(crate) fn has_errors(&self) -> bool {
        self.errors > 0 || self.exhausted.is_some()
    }

    /// Returns all diagnostics as by [`Self::finish`], and stores the remaining budget.
    ///
    /// # Errors
    /// Returns the budget that was exhausted.
    pub(crate) fn finish_within(self, budget: &mut Budget) -> Result<Vec<Diagnostic>, Exhausted> {
        *budget = self.budget.clone();
        match self.exhausted {
            Some(exhausted) => Err(exhausted),
            None => Ok(self.finish()),
        }
    }

    /// Returns all diagnostics, ordered by position.
    pub(crate) fn finish(mut self) -> Vec<Diagnostic> {
        self.diagnostics.sort_by_key(|diagnostic| diagnostic.primary.as_ref().map(|label| label.span));
        self.diagnostics
    }
}
