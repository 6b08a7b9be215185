//! Closed forms that were read from their text.

use super::{Closed, Subject};
use crate::core::document;
use crate::obligations::Question;

/// Makes sure that what was read from a closed form has this very text as its closed form. So nobody has to trust whoever read
/// it: certificates about all of it are judged by what the text says.
///
/// # Errors
/// The first line that differs, with its number and a full sentence.
pub fn is_written_so<'a>(subject: impl Into<Subject<'a>>, text: &str) -> Result<(), String> {
    let closed =
        Closed::new(subject, &Question::Verify).map_err(|unsupported| format!("1: {unsupported}"))?;
    let written = document(&closed.lowering.core);
    if written == text {
        return Ok(());
    }
    let differs = |(_, (a, b)): &(usize, (&str, &str))| a != b;
    let (at, (given, wanted)) =
        text.lines().zip(written.lines()).enumerate().find(differs).unwrap_or_default();
    Err(format!("{}: the line is not as `ramsey core` writes it:\n{given}\nis\n{wanted}", at + 1))
}
