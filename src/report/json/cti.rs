//! JSON output of `ramsey cti`, as specified in `spec/cti.schema.json`.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{JsonStyle, dto, obligations};
use crate::cti::{measure_text, origin_text};
use ramsey_core::base::span::Sources;
use ramsey_core::system::System;
use ramsey_engine::query::cti::{Answer, MeasuredValue};

/// Content of the output of `ramsey cti --format json`.
#[derive(Serialize, Deserialize, JsonSchema, Debug, Default)]
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
#[derive(Serialize, Deserialize, JsonSchema, Debug)]
pub struct Other {
    /// The failed obligation, without its counterexample.
    pub obligation: dto::Obligation,
    /// Minimized measures, in order.
    pub measures: Vec<Measure>,
    /// Counterexample to the obligation; `None` for an internal error.
    pub counterexample: Option<dto::Counterexample>,
}

/// Measure with its value.
#[derive(Serialize, Deserialize, JsonSchema, Debug)]
pub struct Measure {
    /// The measure in the syntax of the command line.
    pub measure: String,
    /// Its value in the counterexample.
    pub value: u64,
    /// Whether no counterexample has a smaller value.
    pub minimal: bool,
}

/// Obligation without an answer.
#[derive(Serialize, Deserialize, JsonSchema, Debug)]
pub struct Unknown {
    /// Description of the obligation.
    pub obligation: String,
    /// Budget that ran out.
    pub reason: String,
}

/// Returns the content for the model at `path`; `found` is its system with the answer, if it could be read.
pub fn content(
    path: &str,
    found: Option<(&System, &Answer)>,
    triage: Option<TriageDto>,
    sources: &Sources,
    negative: bool,
) -> CtiContent {
    let mut content = CtiContent { model: path.to_owned(), ..CtiContent::default() };
    content.triage = triage;
    let Some((system, answer)) = found else { return content };
    let style = JsonStyle { negative, stats: false, cores: false };
    let mut found = obligations(system, &answer.verification, sources, style).into_iter().enumerate();
    let measures = |at: usize| -> Vec<Measure> {
        let values = answer.reached.get(at).map_or(&[][..], Vec::as_slice).iter();
        let measure = |it: &MeasuredValue| Measure {
            measure: measure_text(&system.sig, it.measure),
            value: it.value,
            minimal: it.is_minimal,
        };
        values.map(measure).collect()
    };
    if let Some((at, mut obligation)) = found.next() {
        content.counterexample = obligation.counterexample.take();
        content.obligation = Some(obligation);
        content.measures = measures(at);
    }
    let other = |(at, mut obligation): (usize, dto::Obligation)| Other {
        counterexample: obligation.counterexample.take(),
        measures: measures(at),
        obligation,
    };
    content.others = found.map(other).collect();
    let unknown = answer.unknown.iter().map(|&(origin, exhausted)| Unknown {
        obligation: origin_text(system, origin),
        reason: exhausted.to_string(),
    });
    content.unknown = unknown.collect();
    content
}

/// Result of a triage as JSON data.
#[derive(Serialize, Deserialize, JsonSchema, Debug)]
#[schemars(rename = "Triage")]
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
#[derive(Serialize, Deserialize, JsonSchema, Debug)]
#[schemars(rename = "Refuted")]
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
