//! JSON output of `ramsey simulate`, as specified in `spec/simulate.schema.json`.

use serde::Serialize;

use super::dto::{self, BlockedStep};
use crate::finding::Subject;
use crate::outcome::EndReason;

/// Content of the output of `ramsey simulate --format json`.
#[derive(Serialize, Debug, Default)]
#[cfg_attr(feature = "schemas", derive(serde::Deserialize, schemars::JsonSchema))]
pub struct SimulateContent {
    /// Path of the model.
    pub path: String,
    /// Execution of the walk; `null` if there is no initial state.
    pub execution: Option<dto::Execution>,
    /// Violated claims, by the first state in which they are false.
    pub violations: Vec<ViolatedClaim>,
    /// End of the walk; `null` if it did not begin because of errors in the input.
    pub end: Option<Ending>,
    /// Transitions that were never taken.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub never_taken: Option<Vec<String>>,
    /// Sizes at which an initial state was searched for, in order.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub sizes_tried: Option<Vec<Vec<SortSize>>>,
}

/// Number of elements of a sort.
#[derive(Serialize, Debug)]
#[cfg_attr(feature = "schemas", derive(serde::Deserialize, schemars::JsonSchema))]
pub struct SortSize {
    /// The sort.
    pub sort: String,
    /// Its size.
    #[cfg_attr(feature = "schemas", schemars(range(min = 1)))]
    pub size: u32,
}

/// Claim that is false.
#[derive(Serialize, Debug)]
#[cfg_attr(feature = "schemas", derive(serde::Deserialize, schemars::JsonSchema))]
pub struct ViolatedClaim {
    /// What is declared.
    pub kind: Subject,
    /// Name of the claim, or `L` and its line.
    pub label: String,
    /// Line of the declaration, from 1.
    pub line: usize,
    /// The false part of the claim, and its state.
    #[serde(flatten)]
    pub violated: dto::Violated,
    /// Structure in which the part before the initial states violates the assertion, if the assertion belongs to
    /// that part.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub before: Option<dto::Execution>,
}

/// End of a walk.
#[derive(Serialize, Debug)]
#[cfg_attr(feature = "schemas", derive(serde::Deserialize, schemars::JsonSchema))]
pub struct Ending {
    /// Why it ended.
    pub reason: EndReason,
    /// Limit that was reached, or description of the internal error.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub detail: Option<String>,
    /// Transitions that are disabled (`deadlock`, `disabled`).
    pub blocked: Vec<BlockedStep>,
}
