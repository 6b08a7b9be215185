//! Texts read a second time.

use std::path::{Path, PathBuf};

use super::Closed;
use crate::core::{Lowering, document};
use crate::obligations::{Obligations, Question, Subject};

/// Makes sure that the second front understands the text of a model or problem as the first one did, which has made `subject`
/// of it: both have to make the same closed form. `language` is the name of the format, and `path` that of the file, from where
/// it includes others, or else from `folders`. Models in languages without a second front are read once.
///
/// Returns what the second front does not cover, if it is this that the text was read once for: a proof by forward and backward
/// induction, or a part of `.ivy`.
///
/// # Errors
/// What the second front does not understand, with its line and column, or the first line that differs.
pub fn read_again<'a>(
    subject: impl Into<Subject<'a>>,
    language: &str,
    path: &Path,
    text: &str,
    folders: &[PathBuf],
) -> Result<Option<String>, String> {
    let subject = subject.into();
    if matches!(subject, Subject::System(system) if !system.proofs.list.is_empty()) {
        return Ok(Some("`fbii` proofs".to_owned()));
    }
    let Some(second) = ramsey_naive::core(language, path, text, folders) else { return Ok(None) };
    if let Err(it) = &second
        && it.is_uncovered
    {
        return Ok(Some(format!("{}, line {}", it.what, it.line)));
    }
    let first = match subject {
        Subject::System(system) => {
            let mut obligations = Obligations::new(system);
            let Ok(lowering) = Lowering::new(system, obligations.syntax_mut()) else {
                // It has no certificate.
                return Ok(None);
            };
            document(&lowering.core)
        }
        Subject::Problem(problem) => {
            // A certificate may be about some of the queries, but what both fronts read is all of them.
            let queries = Question::Queries((0..problem.queries.len()).collect());
            let closed = Closed::new(problem, &queries).map_err(|reason| format!(" {reason}"))?;
            document(&closed.lowering.core)
        }
    };
    let second = second.map_err(|it| {
        format!("{}:{}: {} (says the second front; the first accepts it)", it.line, it.column, it.what)
    })?;
    if first == second {
        return Ok(None);
    }
    let differs = |(_, (a, b)): &(usize, (&str, &str))| a != b;
    let pairs = first.lines().zip(second.lines()).enumerate();
    let (at, (a, b)) = pairs.into_iter().find(differs).unwrap_or_default();
    Err(format!(" the two fronts make different closed forms of it; line {} is\n{a}\nor\n{b}", at + 1))
}
