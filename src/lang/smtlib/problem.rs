//! Translation of whole scripts to problems.

use super::command::{Command, SourceTerm};
use super::reader::{Form, Reader};
use super::state::Frontend;
use crate::shared::report::Report;
use ramsey_core::base::span::{FileId, Span};
use ramsey_core::diag::{Code, Diagnostic};
use ramsey_core::logic::{Problem, Query, TermId};

/// Reads a whole script. Each `check-sat` and `check-sat-assuming` before `exit` is a query. Its hypotheses are the
/// live assertions, including implicit ones, followed by the assumptions. Returns a problem if and only if there is no
/// error.
pub fn problem(file: FileId, text: &str) -> (Option<Problem>, Vec<Diagnostic>) {
    let mut problem = Problem::default();
    let mut frontend = Frontend::new();
    let mut report = Report::default();
    let mut reader = Reader::new();
    reader.feed(text.as_bytes());
    loop {
        let is_last = match reader.next_form() {
            Some(form) => read(&form, file, &mut frontend, &mut problem, &mut report),
            None => match reader.finish() {
                Some(form) => read(&form, file, &mut frontend, &mut problem, &mut report),
                None => true,
            },
        };
        if is_last || report.is_full() {
            break;
        }
    }
    let has_errors = report.has_errors();
    ((!has_errors).then_some(problem), report.finish())
}

/// Reads one form of a script. Returns whether it is the last.
fn read(
    form: &Form<'_>,
    file: FileId,
    frontend: &mut Frontend,
    problem: &mut Problem,
    report: &mut Report,
) -> bool {
    let command = match &form.error {
        Some(error) => Err(error.clone()),
        None => frontend.command(&mut problem.sig, &mut problem.terms, &form.text),
    };
    let mut ask = |assumptions: &[SourceTerm]| {
        let asserted = frontend.assertions().iter().map(|assertion| assertion.formula);
        let assumed = assumptions.iter().map(|assumption| assumption.term);
        let hypotheses: Vec<TermId> = asserted.chain(assumed).collect();
        let goal = problem.terms.fals();
        problem.queries.push(Query::new(hypotheses, goal, form.line));
    };
    match command {
        Ok(Command::CheckSat) => ask(&[]),
        Ok(Command::CheckSatAssuming(assumptions)) => ask(&assumptions),
        Ok(Command::Exit) => return true,
        Ok(Command::Unsupported(what)) => {
            let place = |at: usize| u32::try_from(at).unwrap_or(u32::MAX);
            let span = Span { file, start: place(form.offset), end: place(form.offset + form.text.len()) };
            let what = format!("{what} is not supported");
            report.push(if frontend.lacks_assertions() {
                Diagnostic::error(Code::Unchecked, span, what).label("what it asserts would be left out")
            } else {
                Diagnostic::warning(Code::Unchecked, span, what)
            });
        }
        Ok(_) => {}
        Err(error) => report.push(error.diagnostic(file, form.offset)),
    }
    false
}
