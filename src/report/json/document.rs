//! Envelope of the JSON documents: the same head for every command, and the content of one.

use serde::{Deserialize, Serialize};

use super::dto::{Diagnostic, Word};
use crate::Verdict;

/// Content of the documents of one command.
pub trait Content {
    /// Name and version of the schema, such as `ramsey/verify/2`. The schema is in `spec/`.
    const SCHEMA: &'static str;
}

/// Result of a run, which every document begins with.
#[derive(Debug)]
pub struct Head {
    /// The result in one word.
    pub verdict: Word,
    /// The exit code.
    pub exit_code: u8,
    /// Errors and warnings that belong to no part of the content.
    pub diagnostics: Vec<Diagnostic>,
    /// Advice on queries without an answer, where the answers do not explain themselves.
    pub explanations: Vec<String>,
    /// With `--stats`: wall-clock time of the run.
    pub seconds: Option<f64>,
}

impl From<Verdict> for Head {
    fn from(verdict: Verdict) -> Self {
        Head {
            verdict: verdict.word().into(),
            exit_code: verdict.code(),
            diagnostics: Vec::new(),
            explanations: Vec::new(),
            seconds: None,
        }
    }
}

/// JSON document: what `--format json` writes.
#[derive(Serialize, Deserialize, Debug)]
pub struct Document<C> {
    /// Name and version of the schema: [`Content::SCHEMA`].
    pub schema: Word,
    /// Version of the program.
    pub version: Word,
    /// The result in one word.
    pub verdict: Word,
    /// The exit code.
    pub exit_code: u8,
    /// Errors and warnings that belong to no part of the content.
    pub diagnostics: Vec<Diagnostic>,
    /// Advice on queries without an answer, where the answers do not explain themselves.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub explanations: Vec<String>,
    /// What the command reports.
    #[serde(flatten)]
    pub content: C,
    /// With `--stats`: wall-clock time of the run.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub seconds: Option<f64>,
}

impl<C: Content + Serialize> Document<C> {
    /// Creates the document of a run.
    pub fn new(head: Head, content: C) -> Document<C> {
        let Head { verdict, exit_code, diagnostics, explanations, seconds } = head;
        Document {
            schema: C::SCHEMA.into(),
            version: env!("CARGO_PKG_VERSION").into(),
            verdict,
            exit_code,
            diagnostics,
            explanations,
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
