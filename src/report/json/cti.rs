//! JSON output of `ramsey cti`, as specified in `spec/cti.schema.json`.

use serde::Serialize;

use super::dto;

/// Content of the output of `ramsey cti --format json`.
#[derive(Serialize, Debug, Default)]
#[cfg_attr(feature = "schemas", derive(serde::Deserialize, schemars::JsonSchema))]
pub struct CtiContent {
    /// The path as given.
    pub model: String,
    /// The failed obligation, without its counterexample.
    pub obligation: Option<dto::Obligation>,
    /// Minimized measures, in order.
    pub measures: Vec<Measure>,
    /// Counterexample to the obligation.
    pub counterexample: Option<dto::Counterexample>,
    /// Obligations without an answer.
    pub unknown: Vec<Unknown>,
    /// The counterexamples after the first.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub others: Vec<Other>,
    /// Result of the search for claims that are false in a reachable state, if requested.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub triage: Option<TriageDto>,
}

/// Counterexample after the first.
#[derive(Serialize, Debug)]
#[cfg_attr(feature = "schemas", derive(serde::Deserialize, schemars::JsonSchema))]
pub struct Other {
    /// The failed obligation, without its counterexample.
    pub obligation: dto::Obligation,
    /// Minimized measures, in order.
    pub measures: Vec<Measure>,
    /// Counterexample to the obligation; `None` for an internal error.
    pub counterexample: Option<dto::Counterexample>,
}

/// Measure with its value.
#[derive(Serialize, Debug)]
#[cfg_attr(feature = "schemas", derive(serde::Deserialize, schemars::JsonSchema))]
pub struct Measure {
    /// The measure in the syntax of the command line.
    pub measure: String,
    /// Its value in the counterexample.
    pub value: u64,
    /// Whether no counterexample has a smaller value.
    pub minimal: bool,
}

/// Obligation without an answer.
#[derive(Serialize, Debug)]
#[cfg_attr(feature = "schemas", derive(serde::Deserialize, schemars::JsonSchema))]
pub struct Unknown {
    /// Description of the obligation.
    pub obligation: String,
    /// Budget that ran out.
    pub reason: String,
}

/// Result of a triage as JSON data.
#[derive(Serialize, Debug)]
#[cfg_attr(feature = "schemas", derive(serde::Deserialize, schemars::JsonSchema))]
#[cfg_attr(feature = "schemas", schemars(rename = "Triage"))]
pub struct TriageDto {
    /// The number of steps of the longest executions.
    pub bound: u16,
    /// The number of steps within which the other claims hold; `None` if none was checked.
    pub checked: Option<u16>,
    /// Whether the other claims are part of an inductive invariant.
    pub by_induction: bool,
    /// Budget that ran out, or description of the internal error.
    pub reason: Option<String>,
    /// The refuted claims.
    pub refuted: Vec<RefutedDto>,
}

/// Refuted claim as JSON data.
#[derive(Serialize, Debug)]
#[cfg_attr(feature = "schemas", derive(serde::Deserialize, schemars::JsonSchema))]
#[cfg_attr(feature = "schemas", schemars(rename = "Refuted"))]
pub struct RefutedDto {
    /// The claim.
    pub property: dto::BoundedProperty,
    /// Number of steps; `None` for the part before the initial states.
    pub steps: Option<u16>,
    /// Whether it was taken out of the model.
    pub removed: bool,
    /// The execution, and the formula that is false in its last state.
    pub counterexample: Option<dto::Counterexample>,
}
