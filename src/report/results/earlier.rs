//! The parts of earlier results that a comparison reads; SARIF logs and JSON documents have more fields.

use serde::Deserialize;

use crate::finding::{Question, Status};
use crate::json::dto::{BoundedProperty, Claim};
use crate::outcome::{DepthOutcome, InstanceOutcome, McOutcome, TraceAnswer};
use ramsey_core::base::hash::Map;

/// SARIF log.
#[derive(Deserialize)]
pub(super) struct Log {
    pub(super) version: String,
    pub(super) runs: Vec<Run>,
}

#[derive(Deserialize)]
pub(super) struct Run {
    pub(super) tool: Tool,
    #[serde(default)]
    pub(super) results: Vec<LogResult>,
}

#[derive(Deserialize)]
pub(super) struct Tool {
    pub(super) driver: Driver,
}

#[derive(Deserialize)]
pub(super) struct Driver {
    pub(super) name: String,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct LogResult {
    pub(super) message: Message,
    #[serde(default)]
    pub(super) partial_fingerprints: Map<String, String>,
    #[serde(default)]
    pub(super) properties: Properties,
}

#[derive(Deserialize)]
pub(super) struct Message {
    #[serde(default)]
    pub(super) text: String,
}

#[derive(Deserialize, Default)]
pub(super) struct Properties {
    pub(super) model: Option<String>,
    pub(super) status: Option<Status>,
}

/// Document of `verify`.
#[derive(Deserialize)]
pub(super) struct Verified {
    pub(super) files: Vec<File>,
}

#[derive(Deserialize)]
pub(super) struct File {
    pub(super) path: String,
    pub(super) isolate: Option<String>,
    pub(super) obligations: Vec<Obligation>,
    pub(super) checked: Option<Checked>,
}

#[derive(Deserialize)]
pub(super) struct Obligation {
    pub(super) kind: Question,
    pub(super) transition: Option<String>,
    pub(super) invariant: Option<Claim>,
    pub(super) theorem: Option<Claim>,
    pub(super) fingerprint: String,
    pub(super) outcome: Status,
}

#[derive(Deserialize)]
pub(super) struct Checked {
    pub(super) answers: Vec<McAnswer>,
}

/// Document of `mc`.
#[derive(Deserialize)]
pub(super) struct Abstraction {
    pub(super) path: String,
    pub(super) answers: Vec<McAnswer>,
}

#[derive(Deserialize)]
pub(super) struct McAnswer {
    pub(super) property: BoundedProperty,
    pub(super) outcome: McOutcome,
}

/// Document of `bmc`.
#[derive(Deserialize)]
pub(super) struct Bounded {
    pub(super) path: String,
    pub(super) properties: Vec<BoundedProperty>,
    pub(super) depths: Vec<Depth>,
    pub(super) violation: Option<Violation>,
}

#[derive(Deserialize)]
pub(super) struct Depth {
    pub(super) outcome: DepthOutcome,
}

#[derive(Deserialize)]
pub(super) struct Violation {
    pub(super) property: BoundedProperty,
}

/// Document of `instance`.
#[derive(Deserialize)]
pub(super) struct Instance {
    pub(super) path: String,
    pub(super) properties: Vec<BoundedProperty>,
    pub(super) outcome: Option<InstanceOutcome>,
    pub(super) violation: Option<Violation>,
}

/// Document of `trace`.
#[derive(Deserialize)]
pub(super) struct Traces {
    pub(super) path: String,
    pub(super) traces: Vec<Trace>,
}

#[derive(Deserialize)]
pub(super) struct Trace {
    pub(super) line: usize,
    pub(super) fingerprint: String,
    pub(super) expected: TraceAnswer,
    pub(super) answer: TraceAnswer,
}
