//! JSON output of `ramsey explain`, as specified in `spec/explain.schema.json`.

use serde::Serialize;

use super::dto;
use crate::finding::{Status, Subject};
use crate::outcome;

/// Content of the output of `ramsey explain --format json`.
#[derive(Serialize, Debug, Default)]
#[cfg_attr(feature = "schemas", derive(serde::Deserialize, schemars::JsonSchema))]
pub struct ExplainContent {
    /// The path as given.
    pub model: String,
    /// Whether all obligations are proved; `None` if there were errors.
    pub inductive: Option<bool>,
    /// The claims: invariants, then assertions, in the order of the source.
    pub claims: Vec<ClaimDto>,
}

/// A claim, what its proof needs, and what it is there for.
#[derive(Serialize, Debug)]
#[cfg_attr(feature = "schemas", derive(serde::Deserialize, schemars::JsonSchema))]
#[cfg_attr(feature = "schemas", schemars(rename = "ExplainedClaim"))]
pub struct ClaimDto {
    /// What is declared.
    pub kind: Subject,
    /// The declaration.
    pub claim: dto::Claim,
    /// The formula in the syntax of `.pyv`.
    pub formula: String,
    /// What it is there for.
    pub standing: outcome::Standing,
    /// For `unknown`: budget that ran out.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
    /// For `replaceable`: labels of the invariants that the other proof needs.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub replaced_by: Vec<String>,
    /// The obligations.
    pub obligations: Vec<ObligationDto>,
    /// A state that the invariant excludes.
    pub excludes: Option<ExcludedDto>,
}

/// An obligation with what its proof needs.
#[derive(Serialize, Debug)]
#[cfg_attr(feature = "schemas", derive(serde::Deserialize, schemars::JsonSchema))]
#[cfg_attr(feature = "schemas", schemars(rename = "Obligation"))]
pub struct ObligationDto {
    /// `init`, `final`, or the name of the transition.
    pub place: String,
    /// The answer.
    pub outcome: Status,
    /// Budget that ran out.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
    /// Whether the transition changes no symbol of the claim.
    pub unchanged: bool,
    /// Labels of the invariants that the proof needs.
    pub invariants: Vec<String>,
    /// Axioms that the proof needs.
    pub axioms: Vec<dto::Hypothesis>,
    /// Whether it is known that none of these can be left out.
    pub minimal: bool,
}

/// A state that an invariant excludes.
#[derive(Serialize, Debug)]
#[cfg_attr(feature = "schemas", derive(serde::Deserialize, schemars::JsonSchema))]
#[cfg_attr(feature = "schemas", schemars(rename = "Excluded"))]
pub struct ExcludedDto {
    /// Label of the claim that fails without the invariant.
    pub claim: String,
    /// Where it fails: `init`, `final`, or the name of the transition.
    pub place: String,
    /// The counterexample, whose state 0 the invariant excludes; `None` if a budget ran out.
    pub counterexample: Option<dto::Counterexample>,
}
