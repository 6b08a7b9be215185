//! JSON output of `ramsey mc`, as specified in `spec/mc.schema.json`.

use std::collections::BTreeMap;

use serde::Serialize;

use super::dto::{self, BoundedProperty, BoundedViolation};
use super::instance::CircuitSize;
use crate::outcome::McOutcome;

/// Content of the output of `ramsey mc --format json`.
#[derive(Serialize, Debug, Default)]
#[cfg_attr(feature = "schemas", derive(serde::Deserialize, schemars::JsonSchema))]
pub struct McContent {
    /// The model's path as given.
    pub path: String,
    /// The answers, in the order of the claims.
    pub answers: Vec<McAnswer>,
    /// With `--lemmas`: the file with the inductive invariant, if written.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub invariant: Option<McInvariant>,
}

/// What executions say of the claims of a model that tells how they are decided.
#[derive(Serialize, Debug)]
#[cfg_attr(feature = "schemas", derive(serde::Deserialize, schemars::JsonSchema))]
pub struct Checked {
    /// Number of steps of the longest executions that were searched; `null` for executions of any length.
    pub steps: Option<u16>,
    /// The answers, in the order of the claims.
    pub answers: Vec<McAnswer>,
}

/// A model with an inductive invariant.
#[derive(Serialize, Clone, Debug)]
#[cfg_attr(feature = "schemas", derive(serde::Deserialize, schemars::JsonSchema))]
pub struct McInvariant {
    /// The file.
    pub path: String,
    /// The lemmas, in the language of the model.
    pub lemmas: Vec<String>,
    /// With `--certify`: the certificate, if written.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub certificate: Option<dto::Certificate>,
}

/// The answer about a claim.
#[derive(Serialize, Debug)]
#[cfg_attr(feature = "schemas", derive(serde::Deserialize, schemars::JsonSchema))]
pub struct McAnswer {
    /// The claim.
    pub property: BoundedProperty,
    /// The circuit, if it was made.
    pub circuit: Option<CircuitSize>,
    /// The answer.
    pub outcome: McOutcome,
    /// Why there is no answer, or what is known of the abstract execution.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
    /// Number of clauses of the circuit's invariant.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub clauses: Option<usize>,
    /// The execution of the abstraction.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub execution: Option<Vec<McStep>>,
    /// The execution of the model with the same transitions.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub violation: Option<BoundedViolation>,
    /// Prophecy variables that help.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub suggestions: Vec<McSuggestion>,
    /// With `--stats`: names of counters and their values.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub stats: Option<BTreeMap<String, u64>>,
}

/// A state of an abstract execution.
#[derive(Serialize, Debug)]
#[cfg_attr(feature = "schemas", derive(serde::Deserialize, schemars::JsonSchema))]
pub struct McStep {
    /// What is true in the first state, and what changes in the others.
    pub facts: Vec<String>,
    /// The transition that leads on; `null` if the state stays as it is, and for the last state.
    pub transition: Option<String>,
}

/// Prophecy variables of a claim.
#[derive(Serialize, Debug)]
#[cfg_attr(feature = "schemas", derive(serde::Deserialize, schemars::JsonSchema))]
pub struct McSuggestion {
    /// What stands after the claim, in the syntax of the model.
    pub proof: String,
    /// Whether the claim holds with it as long as the others do; otherwise it excludes the execution.
    pub proves: bool,
}
