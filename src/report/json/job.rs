//! JSON output of `ramsey verify` without models, as specified in `spec/job.schema.json`.

use serde::Serialize;

use super::dto::{Place, Severity};
use crate::Verdict;
use crate::finding::Status;

/// Content of the output of `ramsey verify --format json` for all checks of a configuration.
#[derive(Serialize, Debug)]
#[cfg_attr(feature = "schemas", derive(serde::Deserialize, schemars::JsonSchema))]
pub struct JobContent {
    /// Path of the configuration.
    pub config: String,
    /// The checks, in the order of the configuration.
    pub checks: Vec<Checked>,
    /// Counts of checks.
    pub summary: JobSummary,
}

/// What became of a check of a model.
#[derive(Serialize, Debug)]
#[cfg_attr(feature = "schemas", derive(serde::Deserialize, schemars::JsonSchema))]
pub struct Checked {
    /// Path of the model.
    pub model: String,
    /// The command with its options.
    pub command: String,
    /// The expected outcome; `null` if every answer counts by itself.
    pub expected: Option<String>,
    /// The outcome.
    pub outcome: String,
    /// The verdict: of the expectation if there is one.
    pub verdict: Verdict,
    /// Answers and messages.
    pub results: Vec<JobResult>,
}

/// Answer about a claim, or message about the input.
#[derive(Serialize, Debug)]
#[cfg_attr(feature = "schemas", derive(serde::Deserialize, schemars::JsonSchema))]
pub struct JobResult {
    /// The question, or the code of the message.
    pub rule: String,
    /// What is asked, in words that do not depend on lines and on the answer.
    pub title: String,
    /// The answer; `null` for a message.
    pub status: Option<Status>,
    /// Severity.
    pub severity: Severity,
    /// Message, one sentence.
    pub message: String,
    /// Main place.
    pub place: Option<Place>,
    /// Number that stays the same while the model around it changes.
    #[cfg_attr(feature = "schemas", schemars(regex(pattern = "^[0-9a-f]{16}$")))]
    pub fingerprint: String,
    /// What supports the answer, as text.
    pub details: String,
}

/// Counts of checks.
#[derive(Serialize, Debug)]
#[cfg_attr(feature = "schemas", derive(serde::Deserialize, schemars::JsonSchema))]
pub struct JobSummary {
    /// Number of all checks.
    pub checks: usize,
    /// Number of those that are as they should be.
    pub as_expected: usize,
}
