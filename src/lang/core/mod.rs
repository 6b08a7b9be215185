//! Closed forms of models and problems, `.core`: what `ramsey core` writes is read again. `spec/core.md` defines the text.
//!
//! `lines` reads the lines by how they begin, and each kind of line is read by what it declares: a closed form without
//! queries is a [`System`], one with queries a [`Problem`].

mod formula;
mod lines;
mod problem;
mod system;
mod vocabulary;
mod words;

pub use lines::{Kind, Line, Lines};

use super::shared::report::Report;
use super::shared::{Error, FormulaKind, WithFormulas};
use formula::Reader;
use ramsey_core::base::budget::{Budget, Exhausted};
use ramsey_core::base::span::{FileId, Sources};
use ramsey_core::diag::{Code, Diagnostic};
use ramsey_core::logic::{Problem, TermId};
use ramsey_core::system::System;
use words::Words;

/// Reads how the lines of a text begin, and compares the digest: each line costs one unit.
///
/// # Errors
/// Returns the budget that was exhausted.
pub fn parse_within(
    file: FileId,
    text: &str,
    budget: &mut Budget,
) -> Result<(Lines, Vec<Diagnostic>), Exhausted> {
    let mut report = Report::within(budget.clone());
    let lines = lines::read(file, text, &mut report);
    Ok((lines, report.finish_within(budget)?))
}

/// Reads lines as a system: each word of a formula costs one unit. Returns a system if and only if there is no error.
///
/// # Errors
/// Returns the budget that was exhausted.
pub fn lower_within(
    lines: &Lines,
    text: &str,
    budget: &mut Budget,
) -> Result<(Option<System>, Vec<Diagnostic>), Exhausted> {
    if let Some(query) = lines.first_query() {
        let error =
            Diagnostic::error(Code::Usage, query.span, "the closed form has queries, and is no model")
                .label("the first one")
                .help("`ramsey solve FILE` answers them");
        return Ok((None, vec![error]));
    }
    let mut report = Report::within(budget.clone());
    let system = system::read(lines, text, &mut report);
    Ok((system, report.finish_within(budget)?))
}

/// Reads lines as a problem. The rest is as for [`lower_within`].
///
/// # Errors
/// Returns the budget that was exhausted.
pub fn problem_within(
    lines: &Lines,
    text: &str,
    budget: &mut Budget,
) -> Result<(Option<Problem>, Vec<Diagnostic>), Exhausted> {
    let mut report = Report::within(budget.clone());
    let problem = problem::read(lines, text, &mut report);
    Ok((problem, report.finish_within(budget)?))
}

/// Reads lines as a system, together with closed formulas in prefix form, each of which is a source. The rest is as for
/// [`lower_within`].
///
/// # Errors
/// Returns the budget that was exhausted.
pub fn lower_with_formulas(
    lines: &Lines,
    formulas: &[FileId],
    kind: FormulaKind<'_>,
    sources: &Sources,
    budget: &mut Budget,
) -> Result<WithFormulas, Exhausted> {
    let (system, mut found) = lower_within(lines, &sources[lines.file].text, budget)?;
    let Some(mut system) = system else { return Ok((None, found)) };
    let states = match kind {
        FormulaKind::Claim => 1,
        FormulaKind::Question { states, constants } => {
            if let Some((name, _)) = constants.first() {
                let what = format!("formulas in prefix form have no name for the element `{name}`");
                found.push(Diagnostic::error_nowhere(Code::Usage, what));
                return Ok((None, found));
            }
            states
        }
    };
    let mut report = Report::within(budget.clone());
    let mut terms = Vec::new();
    for &file in formulas {
        match formula(&mut system, &sources[file].text, states, &mut report) {
            Ok(term) => terms.push(term),
            Err(error) => report.push(error.diagnostic(file, 0)),
        }
    }
    let is_read = !report.has_errors();
    found.extend(report.finish_within(budget)?);
    Ok((is_read.then_some((system, terms)), found))
}

/// Reads a text that is a formula about so many states.
fn formula(system: &mut System, text: &str, states: u16, report: &mut Report) -> Result<TermId, Error> {
    let start = text.len() - text.trim_start().len();
    let mut words = Words::new(text, start, text.trim_end().len().max(start));
    let vocabulary = vocabulary::Numbers::of(&system.sig);
    let mut reader = Reader::new(&vocabulary, system.terms.over_mut(&system.sig), states, report);
    let formula = reader.formula(&mut words)?;
    words.end().map(|()| formula).map_err(|mut error| {
        // What stands in the place of a prefix form is often a formula in another language.
        error.hint = "here formulas are in prefix form, as spec/core.md describes it".into();
        error
    })
}
