//! The language SMT-LIB, as `spec/smtlib.md` describes it.

mod command;
mod lexer;
mod read;
mod sort;
mod term;

use crate::problem::with_stack;
use crate::refusal::Refusal;

/// Returns the text of the closed system of a script, as `spec/core.md` describes it.
///
/// # Errors
/// The text is refused: it is no script, or one without a closed form, or too large.
pub fn core(text: &str) -> Result<String, Refusal> {
    with_stack(|| command::core(text).map_err(|reason| Refusal::new(text, reason)))
}
