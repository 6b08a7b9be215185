//! Envelope of the JSON documents: the same head for every command, and the content of one.

use std::borrow::Cow;

use serde::Serialize;

use super::check::{CheckContent, CheckVerdict, FragmentContent, FragmentVerdict, TypecheckContent};
use super::described::Described;
use super::dto::{self, Diagnostic};
use super::eval::EvalContent;
use super::generalize::{ConjectureContent, DiagramContent};
use super::infer::InferContent;
use super::instance::InstanceContent;
use super::mc::McContent;
#[cfg(feature = "schemas")]
use super::schema;
use super::simulate::SimulateContent;
use super::solve::SolveContent;
use crate::Verdict;

/// Content of the documents of one command.
pub trait Content: Serialize + Described {
    /// Name and version of the schema, such as `ramsey/verify/2`. The schema is in `spec/`.
    const SCHEMA: &'static str;
    /// Exit codes of the command.
    const EXIT_CODES: &'static [u8];
    /// Returns the name of the schema, which is that of a command.
    fn command() -> &'static str {
        Self::SCHEMA.split('/').nth(1).unwrap_or_default()
    }
    /// The words for verdicts.
    type Verdict: From<Verdict> + Serialize + Described;
}

/// Exit codes of most commands: those of verdicts.
const CODES: &[u8] = &[0, 1, 2, 3, 4];

/// Defines the documents: for each the type of its content, its schema, its words for verdicts and its exit codes.
macro_rules! documents {
    ($($(#[$meta:meta])* $content:ty: $schema:literal, $verdict:ty, $codes:expr;)*) => {
        $($(#[$meta])* impl Content for $content {
            const SCHEMA: &'static str = $schema;
            const EXIT_CODES: &'static [u8] = $codes;
            type Verdict = $verdict;
        })*

        /// Returns the schemas of all documents, each with its name, such as `verify`.
        #[cfg(feature = "schemas")]
        pub fn schemas() -> Vec<(&'static str, serde_json::Value)> {
            vec![$($(#[$meta])* schema::of::<$content>(),)*]
        }
    };
}

documents! {
    dto::VerifyContent: "ramsey/verify/2", Verdict, CODES;
    dto::BoundedContent: "ramsey/bmc/1", Verdict, CODES;
    dto::TraceContent: "ramsey/trace/1", Verdict, CODES;
    McContent: "ramsey/mc/1", Verdict, CODES;
    InstanceContent: "ramsey/instance/1", Verdict, CODES;
    #[cfg(feature = "cli")]
    super::cti::CtiContent: "ramsey/cti/1", Verdict, CODES;
    DiagramContent: "ramsey/diagram/1", Verdict, CODES;
    ConjectureContent: "ramsey/conjecture/1", Verdict, CODES;
    EvalContent: "ramsey/eval/1", Verdict, CODES;
    #[cfg(feature = "cli")]
    super::explain::ExplainContent: "ramsey/explain/1", Verdict, CODES;
    InferContent: "ramsey/infer/1", Verdict, CODES;
    #[cfg(feature = "cli")]
    super::job::JobContent: "ramsey/job/1", Verdict, CODES;
    SimulateContent: "ramsey/simulate/1", Verdict, CODES;
    TypecheckContent: "ramsey/typecheck/1", Verdict, CODES;
    FragmentContent: "ramsey/fragment/1", FragmentVerdict, CODES;
    CheckContent: "ramsey/check/1", CheckVerdict, CODES;
    // Exit codes of answers are those of the competitions.
    SolveContent: "ramsey/solve/1", Verdict, &[0, 1, 2, 3, 4, 10, 20];
}

/// Result of a run, which every document begins with.
#[derive(Debug)]
pub struct Head {
    /// The result.
    pub verdict: Verdict,
    /// The exit code.
    pub exit_code: u8,
    /// Errors and warnings that belong to no part of the content.
    pub diagnostics: Vec<Diagnostic>,
    /// Advice on queries without an answer, where the answers do not explain themselves.
    pub explanations: Vec<String>,
    /// How the answers differ from earlier ones, if they are compared.
    pub comparison: Option<dto::Comparison>,
    /// With `--stats`: wall-clock time of the run.
    pub seconds: Option<f64>,
}

impl From<Verdict> for Head {
    fn from(verdict: Verdict) -> Self {
        Head {
            verdict,
            exit_code: verdict.code(),
            diagnostics: Vec::new(),
            explanations: Vec::new(),
            comparison: None,
            seconds: None,
        }
    }
}

/// JSON document: what `--format json` writes.
#[derive(Serialize, Debug)]
#[cfg_attr(feature = "schemas", derive(serde::Deserialize, schemars::JsonSchema))]
#[cfg_attr(feature = "schemas", serde(bound = ""))]
#[cfg_attr(feature = "schemas", schemars(bound = ""))]
pub struct Document<C: Content> {
    /// Name and version of the schema.
    pub schema: Cow<'static, str>,
    /// Version of the program.
    pub version: Cow<'static, str>,
    /// The result in one word: the most severe answer.
    pub verdict: C::Verdict,
    /// The exit code.
    pub exit_code: u8,
    /// Errors and warnings that belong to no part of the content.
    pub diagnostics: Vec<Diagnostic>,
    /// Advice on queries without an answer, where the answers do not explain themselves.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub explanations: Vec<String>,
    /// With `--baseline`: how the answers differ from those of an earlier run.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub comparison: Option<dto::Comparison>,
    /// What the command reports.
    #[serde(flatten)]
    pub content: C,
    /// With `--stats`: wall-clock time of the run, in seconds.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schemas", schemars(range(min = 0)))]
    pub seconds: Option<f64>,
}

impl<C: Content> Document<C> {
    /// Creates the document of a run.
    pub fn new(head: Head, content: C) -> Document<C> {
        let Head { verdict, exit_code, diagnostics, explanations, comparison, seconds } = head;
        Document {
            schema: C::SCHEMA.into(),
            version: env!("CARGO_PKG_VERSION").into(),
            verdict: verdict.into(),
            exit_code,
            diagnostics,
            explanations,
            comparison,
            content,
            seconds,
        }
    }

    /// Returns the document as JSON text that ends with a line break.
    ///
    /// # Errors
    /// Returns an error if the content is no JSON, which content with keys other than strings is not.
    pub fn text(&self) -> serde_json::Result<String> {
        let mut text = serde_json::to_string_pretty(self)?;
        text.push('\n');
        Ok(text)
    }
}
