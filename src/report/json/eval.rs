//! JSON output of `ramsey eval`, as specified in `spec/eval.schema.json`.

use serde::Serialize;

use super::dto;

/// Content of the output of `ramsey eval --format json`.
#[derive(Serialize, Debug, Default)]
#[cfg_attr(feature = "schemas", derive(serde::Deserialize, schemars::JsonSchema))]
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
