//! JSON output of `ramsey diagram` and `ramsey generalize`, as specified in `spec/diagram.schema.json` and
//! `spec/conjecture.schema.json`.

use serde::Serialize;

use super::dto;
use crate::finding::{Question, Status};

/// Content of the output of `ramsey diagram --format json`.
#[derive(Serialize, Debug, Default)]
#[cfg_attr(feature = "schemas", derive(serde::Deserialize, schemars::JsonSchema))]
pub struct DiagramContent {
    /// Path of the model as given.
    pub model: String,
    /// Number of the state.
    pub state: usize,
    /// The selected facts over the elements of the state.
    pub facts: Vec<String>,
    /// The diagram in the syntax of the model; `None` if there were errors, as is the conjecture.
    pub diagram: Option<String>,
    /// Negation of the diagram, as a conjecture.
    pub conjecture: Option<String>,
}

/// Content of the output of `ramsey generalize --format json`.
#[derive(Serialize, Debug, Default)]
#[cfg_attr(feature = "schemas", derive(serde::Deserialize, schemars::JsonSchema))]
pub struct ConjectureContent {
    /// Path of the model as given.
    pub model: String,
    /// Number of steps that were checked.
    pub bound: u16,
    /// Facts that the generalization began with.
    pub upper_bound: Vec<String>,
    /// The conjecture, if one was found.
    pub conjecture: Option<ConjectureDto>,
    /// Execution that reaches a state with these facts, if there is one.
    pub counterexample: Option<dto::Counterexample>,
    /// Budget that ran out, or description of the internal error.
    pub reason: Option<String>,
    /// Result of the induction check, if requested.
    pub induction: Option<InductionDto>,
    /// With `--suggest`: other conjectures that exclude the state, the best first.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub suggestions: Vec<SuggestionDto>,
    /// Name under which the conjecture was added to the model.
    pub added: Option<String>,
    /// Name of the claim of the model that the conjecture would only repeat, so that it was not added.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub present: Option<String>,
    /// Invariants that are false one step after the state, which is reached.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub refuted: Vec<RefutedDto>,
}

/// Conjecture as JSON data.
#[derive(Serialize, Debug)]
#[cfg_attr(feature = "schemas", derive(serde::Deserialize, schemars::JsonSchema))]
#[cfg_attr(feature = "schemas", schemars(rename = "Conjecture"))]
pub struct ConjectureDto {
    /// The formula in the syntax of the model.
    pub formula: String,
    /// Facts of the states that it excludes.
    pub facts: Vec<String>,
    /// Whether no fact can be left out.
    pub minimal: bool,
    /// Those of the facts that were left out at first, and taken back.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub taken_back: Vec<TakenBack>,
}

/// Invariant that is false one step after the state.
#[derive(Serialize, Debug)]
#[cfg_attr(feature = "schemas", derive(serde::Deserialize, schemars::JsonSchema))]
#[cfg_attr(feature = "schemas", schemars(rename = "Refuted"))]
pub struct RefutedDto {
    /// Its name, or `L` and its line.
    pub invariant: String,
    /// Whether it was taken out of the model.
    pub removed: bool,
}

/// Fact that was left out at first, and taken back.
#[derive(Serialize, Debug)]
#[cfg_attr(feature = "schemas", derive(serde::Deserialize, schemars::JsonSchema))]
pub struct TakenBack {
    /// The number of steps after which a state without it is reached.
    pub steps: u16,
    /// The fact.
    pub fact: String,
}

/// Suggested conjecture.
#[derive(Serialize, Debug)]
#[cfg_attr(feature = "schemas", derive(serde::Deserialize, schemars::JsonSchema))]
#[cfg_attr(feature = "schemas", schemars(rename = "Suggestion"))]
pub struct SuggestionDto {
    /// The formula in the syntax of the model.
    pub formula: String,
    /// Facts of the states that it excludes.
    pub facts: Vec<String>,
    /// Number of steps within which it is known to be true.
    pub bound: u16,
    /// Whether it is known to be inductive together with the invariants.
    pub inductive: bool,
}

/// Result of the induction check.
#[derive(Serialize, Debug)]
#[cfg_attr(feature = "schemas", derive(serde::Deserialize, schemars::JsonSchema))]
#[cfg_attr(feature = "schemas", schemars(rename = "Induction"))]
pub struct InductionDto {
    /// Whether the conjecture is inductive together with the invariants; `None` if it is not known.
    pub inductive: Option<bool>,
    /// Obligations of the conjecture.
    pub obligations: Vec<ObligationDto>,
}

/// Obligation of the conjecture.
#[derive(Serialize, Debug)]
#[cfg_attr(feature = "schemas", derive(serde::Deserialize, schemars::JsonSchema))]
#[cfg_attr(feature = "schemas", schemars(rename = "Obligation"))]
pub struct ObligationDto {
    /// The question: `initiation` or `consecution`.
    pub kind: Question,
    /// Name of the transition (`consecution`).
    pub transition: Option<String>,
    /// The answer.
    pub outcome: Status,
}
