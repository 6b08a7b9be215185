//! JSON output of `ramsey cti`, as specified in `spec/cti.schema.json`.

use serde::{Deserialize, Serialize};

use super::document::Content;
use super::{JsonStyle, dto, obligations};
use crate::base::span::Sources;
use crate::query::cti::Answer;
use crate::report::cti::{measure_text, origin_text};
use crate::system::System;

/// Content of the output of `ramsey cti --format json`.
#[derive(Serialize, Deserialize, Debug, Default)]
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
}

/// Measure with its value.
#[derive(Serialize, Deserialize, Debug)]
pub struct Measure {
    /// The measure in the syntax of the command line.
    pub measure: String,
    /// Its value in the counterexample.
    pub value: u64,
    /// Whether no counterexample has a smaller value.
    pub minimal: bool,
}

/// Obligation without an answer.
#[derive(Serialize, Deserialize, Debug)]
pub struct Unknown {
    /// Description of the obligation.
    pub obligation: String,
    /// Budget that ran out.
    pub reason: String,
}

impl Content for CtiContent {
    const SCHEMA: &'static str = "ramsey/cti/1";
}

/// Returns the content for the model at `path`; `found` is its system with the answer, if it could be read.
pub fn content(
    path: &str,
    found: Option<(&System, &Answer)>,
    sources: &Sources,
    negative: bool,
) -> CtiContent {
    let mut content = CtiContent { model: path.to_owned(), ..CtiContent::default() };
    let Some((system, answer)) = found else { return content };
    let style = JsonStyle { negative, stats: false, cores: false };
    content.obligation = obligations(system, &answer.verification, sources, style).into_iter().next();
    content.counterexample = content.obligation.as_mut().and_then(|it| it.counterexample.take());
    let measures = answer.reached.iter().map(|it| Measure {
        measure: measure_text(&system.sig, it.measure),
        value: it.value,
        minimal: it.is_minimal,
    });
    content.measures = measures.collect();
    let unknown = answer.unknown.iter().map(|&(origin, exhausted)| Unknown {
        obligation: origin_text(system, origin),
        reason: exhausted.to_string(),
    });
    content.unknown = unknown.collect();
    content
}
