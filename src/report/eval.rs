//! Text and JSON output of `ramsey eval`.

use std::fmt::Write as _;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::json::dto;
use super::trace::falsification_parts;
use super::{Names, Palette};
use ramsey_core::logic::Syntax;
use ramsey_engine::query::evaluate::Evaluation;

/// Content of the output of `ramsey eval --format json`, as specified in `spec/eval.schema.json`.
#[derive(Serialize, Deserialize, JsonSchema, Debug, Default)]
pub struct EvalContent {
    /// Path of the model as given.
    pub model: String,
    /// The formula as given.
    pub formula: String,
    /// Number of the state.
    pub state: usize,
    /// Value of the formula, if it could be evaluated.
    pub value: Option<bool>,
    /// Of a false formula the smallest part that makes it false, of a true one the smallest part that suffices. The
    /// values of its variables are in `bindings`.
    pub part: Option<String>,
    /// Values of the variables of `part`.
    pub bindings: Vec<dto::Binding>,
    /// The limit that was reached.
    pub reason: Option<String>,
}

/// Returns the part of the formula that explains its value, with the values of its variables.
pub fn shown(syntax: Syntax<'_>, names: &Names, evaluation: &Evaluation) -> (String, Vec<(String, String)>) {
    falsification_parts(syntax, names, &evaluation.shown)
}

/// Returns the answer as text.
pub fn evaluation_text(
    syntax: Syntax<'_>,
    names: &Names,
    evaluation: &Evaluation,
    palette: Palette,
) -> String {
    let word = if evaluation.value { palette.good("true") } else { palette.bad("false") };
    let mut text = format!("{word}\n");
    let (part, bindings) = shown(syntax, names, evaluation);
    if !evaluation.value || !bindings.is_empty() {
        let _ = writeln!(text, "  {part}");
    }
    if !bindings.is_empty() {
        let values: Vec<String> = bindings.iter().map(|(var, value)| format!("{var} = {value}")).collect();
        let _ = writeln!(text, "  for {}", values.join(", "));
    }
    text
}
