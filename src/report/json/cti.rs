//! JSON output of `ramsey cti`, as specified in `spec/cti.schema.json`.

use serde::Serialize;

use super::{JsonStyle, dto, obligations};
use crate::base::span::Sources;
use crate::diag;
use crate::query::cti::Answer;
use crate::report::cti::{measure_text, origin_text};
use crate::report::json::diagnostics;
use crate::system::System;

/// Schema name of [`Document`].
pub const CTI_SCHEMA: &str = "ramsey/cti/1";

/// Output of `ramsey cti --format json`.
#[derive(Serialize, Debug)]
pub struct Document {
    schema: &'static str,
    version: &'static str,
    /// The path as given.
    model: String,
    verdict: &'static str,
    exit_code: u8,
    diagnostics: Vec<dto::Diagnostic>,
    /// The failed obligation, without its counterexample.
    obligation: Option<dto::Obligation>,
    /// Minimized measures, in order.
    measures: Vec<Measure>,
    /// Counterexample to the obligation.
    counterexample: Option<dto::Counterexample>,
    /// Obligations without an answer.
    unknown: Vec<Unknown>,
    /// Advice on these obligations, where the answers do not explain themselves.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    explanations: Vec<String>,
}

/// Measure with its value.
#[derive(Serialize, Debug)]
struct Measure {
    measure: String,
    value: u64,
    minimal: bool,
}

/// Obligation without an answer.
#[derive(Serialize, Debug)]
struct Unknown {
    obligation: String,
    reason: String,
}

/// Model and result of a run.
#[derive(Clone, Copy, Debug)]
pub struct Run<'a> {
    /// The path as given.
    pub path: &'a str,
    /// The model, if it could be read.
    pub system: Option<&'a System>,
    /// Source texts.
    pub sources: &'a Sources,
    /// Errors and warnings.
    pub diagnostics: &'a [diag::Diagnostic],
    /// Verdict of the run.
    pub verdict: &'static str,
    /// The exit code.
    pub exit_code: u8,
    /// Whether tuples at which a relation is false are listed.
    pub negative: bool,
    /// Advice on obligations without an answer.
    pub explanations: &'a [String],
}

/// Returns the document of a run.
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
