//! The document of `ramsey cti`, field by field as `spec/cti.schema.json` describes it.

use serde::Serialize;

use super::{JsonStyle, dto, obligations};
use crate::base::span::Sources;
use crate::diag;
use crate::query::cti::Answer;
use crate::report::cti::{measure_text, origin_text};
use crate::report::json::diagnostics;
use crate::system::System;

/// The name of the form that [`Document`] has.
pub const CTI_SCHEMA: &str = "ramsey/cti/1";

/// `ramsey cti --format json`.
#[derive(Serialize, Debug)]
pub struct Document {
    schema: &'static str,
    version: &'static str,
    /// The path as it was given.
    model: String,
    verdict: &'static str,
    exit_code: u8,
    diagnostics: Vec<dto::Diagnostic>,
    /// The obligation that fails, its counterexample left out.
    obligation: Option<dto::Obligation>,
    /// What was minimized, in order.
    measures: Vec<Measure>,
    /// What refutes the obligation.
    counterexample: Option<dto::Counterexample>,
    /// Obligations without an answer.
    unknown: Vec<Unknown>,
    /// What to do about them, where they do not tell.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    explanations: Vec<String>,
}

/// A measure with its value.
#[derive(Serialize, Debug)]
struct Measure {
    measure: String,
    value: u64,
    minimal: bool,
}

/// An obligation without an answer.
#[derive(Serialize, Debug)]
struct Unknown {
    obligation: String,
    reason: String,
}

/// The model and how the run ended.
#[derive(Clone, Copy, Debug)]
pub struct Run<'a> {
    /// The path as it was given.
    pub path: &'a str,
    /// The model, if it could be read.
    pub system: Option<&'a System>,
    /// The texts.
    pub sources: &'a Sources,
    /// Errors and warnings.
    pub diagnostics: &'a [diag::Diagnostic],
    /// How the run ended.
    pub verdict: &'static str,
    /// The exit code.
    pub exit_code: u8,
    /// Whether tuples at which a relation is false are listed.
    pub negative: bool,
    /// What to do about obligations without an answer.
    pub explanations: &'a [String],
}

/// The document of a run.
pub fn document(run: &Run<'_>, answer: Option<&Answer>) -> Document {
    let mut document = Document {
        schema: CTI_SCHEMA,
        version: env!("CARGO_PKG_VERSION"),
        model: run.path.to_owned(),
        verdict: run.verdict,
        exit_code: run.exit_code,
        diagnostics: run.diagnostics.iter().map(|it| diagnostics::to_dto(it, run.sources)).collect(),
        obligation: None,
        measures: Vec::new(),
        counterexample: None,
        unknown: Vec::new(),
        explanations: run.explanations.to_vec(),
    };
    let (Some(system), Some(answer)) = (run.system, answer) else { return document };
    let style = JsonStyle { negative: run.negative, stats: false, cores: false };
    document.obligation = obligations(system, &answer.verification, run.sources, style).into_iter().next();
    document.counterexample = document.obligation.as_mut().and_then(|it| it.counterexample.take());
    let measures = answer.reached.iter().map(|it| Measure {
        measure: measure_text(&system.sig, it.measure),
        value: it.value,
        minimal: it.is_minimal,
    });
    document.measures = measures.collect();
    let unknown = answer.unknown.iter().map(|&(origin, exhausted)| Unknown {
        obligation: origin_text(system, origin),
        reason: exhausted.to_string(),
    });
    document.unknown = unknown.collect();
    document
}
