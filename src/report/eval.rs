//! The answers of `ramsey eval` as text and JSON.

use std::fmt::Write as _;

use serde::Serialize;

use super::json::dto;
use super::trace::blamed;
use super::{Names, Palette};
use crate::logic::{Signature, Terms};
use crate::query::evaluate::Evaluation;

/// The name of the form that [`Document`] has.
pub const EVAL_SCHEMA: &str = "ramsey/eval/1";

/// `ramsey eval --format json`, as `spec/eval.schema.json` describes it.
#[derive(Serialize, Debug)]
pub struct Document {
    /// Name and version of the form.
    pub schema: &'static str,
    /// Version of the program.
    pub version: &'static str,
    /// The model's path as it was given.
    pub model: String,
    /// How the run ended.
    pub verdict: &'static str,
    /// The exit code.
    pub exit_code: u8,
    /// Errors.
    pub diagnostics: Vec<dto::Diagnostic>,
    /// The formula as it was given.
    pub formula: String,
    /// The number of the state.
    pub state: usize,
    /// The value, if there is one.
    pub value: Option<bool>,
    /// Of a false formula the smallest part that is to blame, of a true one the smallest part that suffices; its variables are
    /// those of `bindings`.
    pub part: Option<String>,
    /// The values of these variables.
    pub bindings: Vec<dto::Binding>,
    /// Which limit was reached.
    pub reason: Option<String>,
}

/// The part that shows a value, and the values of its variables.
pub fn shown(
    sig: &Signature,
    terms: &Terms,
    names: &Names,
    evaluation: &Evaluation,
) -> (String, Vec<(String, String)>) {
    blamed(sig, terms, names, &evaluation.shown)
}

/// The answer as text.
pub fn evaluation_text(
    sig: &Signature,
    terms: &Terms,
    names: &Names,
    evaluation: &Evaluation,
    palette: Palette,
) -> String {
    let word = if evaluation.value { palette.good("true") } else { palette.bad("false") };
    let mut text = format!("{word}\n");
    let (part, bindings) = shown(sig, terms, names, evaluation);
    if !evaluation.value || !bindings.is_empty() {
        let _ = writeln!(text, "  {part}");
    }
    if !bindings.is_empty() {
        let values: Vec<String> = bindings.iter().map(|(var, value)| format!("{var} = {value}")).collect();
        let _ = writeln!(text, "  for {}", values.join(", "));
    }
    text
}
