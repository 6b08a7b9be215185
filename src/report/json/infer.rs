//! JSON output of `ramsey infer`, as specified in `spec/infer.schema.json`, and the lines of its log.

#[cfg(feature = "schemas")]
use std::borrow::Cow;
use std::collections::BTreeMap;

#[cfg(feature = "schemas")]
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::{Deserialize, Deserializer, Serialize, Serializer, de};
use serde_json::Value;

use super::document::Content;
use super::dto;
use super::read::{plain, pointer};
use crate::outcome::InferOutcome;
use crate::words::words;
use ramsey_core::diag::{Code, Diagnostic};
use ramsey_engine::infer::{self, Method};

/// Content of the output of `ramsey infer --format json`.
#[derive(Serialize, Debug, Default)]
#[cfg_attr(feature = "schemas", derive(serde::Deserialize, schemars::JsonSchema))]
pub struct InferContent {
    /// The model's path as given.
    pub path: String,
    /// The requested method.
    pub method: MethodName,
    /// The answer; `null` if nothing was searched.
    pub answer: Option<InferOutcome>,
    /// The method that found the answer.
    pub found_by: Option<MethodName>,
    /// Budget that ran out, or description of the internal error.
    pub reason: Option<String>,
    /// Whether elements disappear between states of the violation.
    pub relaxed: bool,
    /// Properties that are to be shown.
    pub properties: Vec<dto::BoundedProperty>,
    /// Lemmas that are inductive: together with the properties (`invariant`), or without them (`unknown`).
    pub lemmas: Vec<Lemma>,
    /// Counts of the obligations of the resulting model (`invariant`).
    pub verified: Option<dto::Summary>,
    /// The file to which the lemmas were written.
    pub written: Option<String>,
    /// With `--certify`: the certificate, if written.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub certificate: Option<dto::Certificate>,
    /// Execution that violates a property (`unsafe`, `no-universal-invariant`).
    pub violation: Option<dto::BoundedViolation>,
    /// Obligations that are not proved (`unknown`).
    pub open: Vec<Open>,
    /// Lemmas of an earlier version that do not fit the model.
    pub skipped: Vec<Skipped>,
    /// Languages in which lemmas were looked for (`no-universal-invariant`, `unknown`): per method, the last one that was searched
    /// to the end, and the one after it.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub languages: Vec<Language>,
    /// Commands for a shell that go on from here (`no-universal-invariant`, `unknown`), the most promising one first.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub next: Vec<String>,
    /// What was done.
    pub counts: Counts,
    /// With `--stats`: cost of the search.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub stats: Option<dto::Stats>,
    /// With `--stats`, if there is a cache: what it was good for.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cache: Option<dto::CacheStats>,
}

/// Method of inference, by its name on the command line.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct MethodName(pub Method);

impl Serialize for MethodName {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.0.name())
    }
}

impl<'de> Deserialize<'de> for MethodName {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let name = String::deserialize(deserializer)?;
        let found = Method::all().find(|method| method.name() == name);
        found.map(MethodName).ok_or_else(|| de::Error::custom(format!("there is no method `{name}`")))
    }
}

#[cfg(feature = "schemas")]
impl JsonSchema for MethodName {
    fn schema_name() -> Cow<'static, str> {
        "MethodName".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        let names: Vec<&str> = Method::all().map(Method::name).collect();
        json_schema!({ "description": "Method of inference, by its name on the command line.", "enum": names })
    }
}

/// Lemma.
#[derive(Serialize, Deserialize, Clone, Debug)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
pub struct Lemma {
    /// Its name in the model, or that of the candidate that it is.
    pub name: Option<String>,
    /// The formula in the language of the model.
    pub formula: String,
    /// Whether the model declares it already.
    pub declared: bool,
}

/// Obligation that is not proved.
#[derive(Serialize, Debug)]
#[cfg_attr(feature = "schemas", derive(serde::Deserialize, schemars::JsonSchema))]
pub struct Open {
    /// Name of the transition; `None` for the initial states.
    pub transition: Option<String>,
    /// Name of the lemma or property.
    pub name: Option<String>,
    /// Its formula.
    pub formula: String,
    /// States before and after the transition.
    pub counterexample: Option<dto::Counterexample>,
}

/// Formulas among which a method looked for lemmas.
#[derive(Serialize, Debug)]
#[cfg_attr(feature = "schemas", derive(serde::Deserialize, schemars::JsonSchema))]
pub struct Language {
    /// The method.
    pub method: MethodName,
    /// Quantifier prefixes, as `--prefix` has them; none if clauses have any number of variables.
    pub prefixes: Vec<String>,
    /// Maximum number of literals; `null` for no limit.
    pub literals: Option<usize>,
    /// Whether the search in this language came to its end.
    pub exhausted: bool,
}

/// Lemma of an earlier version that does not fit the model.
#[derive(Serialize, Clone, Debug)]
#[cfg_attr(feature = "schemas", derive(serde::Deserialize, schemars::JsonSchema))]
pub struct Skipped {
    /// Its name.
    pub name: Option<String>,
    /// Its formula.
    pub formula: String,
    /// Why it does not fit.
    pub reason: String,
}

/// What an inference did.
#[derive(Serialize, Clone, Copy, Default, Debug)]
#[cfg_attr(feature = "schemas", derive(serde::Deserialize, schemars::JsonSchema))]
pub struct Counts {
    /// Questions asked of the decision procedure.
    pub questions: u64,
    /// Lemmas proposed.
    pub lemmas: u64,
    /// Lemmas that were refuted.
    pub refuted: u64,
    /// Reachable states in the store.
    pub reachable: u64,
    /// States in the store that only relaxed executions reach.
    pub relaxed: u64,
    /// Counterexamples to induction.
    pub ctis: u64,
    /// Languages that did not suffice.
    #[serde(default)]
    pub widened: u64,
    /// States of finite instances in which lemmas were evaluated.
    #[serde(default)]
    pub explored: u64,
    /// Restarts, after which lemmas without proof are dropped.
    pub restarts: u64,
    /// Frames, for methods that have them.
    pub frames: u64,
    /// Finite instances, for methods that have them.
    pub instances: u64,
    /// Obligations that are known to be open.
    pub obligations: u64,
}

impl From<infer::Counts> for Counts {
    fn from(counts: infer::Counts) -> Self {
        Counts {
            questions: counts.questions,
            lemmas: counts.lemmas,
            refuted: counts.refuted,
            reachable: counts.reachable,
            relaxed: counts.relaxed,
            ctis: counts.ctis,
            widened: counts.widened,
            explored: counts.explored,
            restarts: counts.restarts,
            frames: counts.frames,
            instances: counts.instances,
            obligations: counts.obligations,
        }
    }
}

/// Line of the log of an inference.
#[derive(Serialize, Debug)]
#[cfg_attr(feature = "schemas", derive(serde::Deserialize, schemars::JsonSchema))]
pub struct LogLine {
    /// Questions asked before the event.
    pub questions: u64,
    /// The event.
    #[serde(flatten)]
    pub event: LogEvent,
}

/// Event of an inference. Lemmas and properties have numbers.
#[derive(Serialize, Debug)]
#[cfg_attr(feature = "schemas", derive(serde::Deserialize, schemars::JsonSchema))]
#[serde(tag = "event", rename_all = "kebab-case")]
pub enum LogEvent {
    /// A method starts.
    Started {
        /// The method.
        method: MethodName,
    },
    /// A lemma was proposed.
    Proposed {
        /// Its number.
        lemma: usize,
        /// Its formula.
        formula: String,
        /// The lemma or property whose proof asked for it; `None` for candidates.
        goal: Option<usize>,
        /// The transition of that proof; `None` for candidates.
        transition: Option<String>,
    },
    /// No clauses within the limits so far prove the properties; larger ones are tried.
    Widened {
        /// Maximum number of variables by sort; `None` for no limit.
        variables: Option<BTreeMap<String, u32>>,
        /// Maximum number of literals; `None` for no limit.
        literals: Option<usize>,
    },
    /// A finite instance was looked at.
    Instance {
        /// Number of elements by sort.
        sizes: BTreeMap<String, u32>,
        /// The number of the interpretation of immutable symbols; `None` if they are not fixed.
        class: Option<usize>,
        /// What was found.
        answer: InstanceWord,
        /// Number of clauses of its invariant, if it is safe.
        clauses: Option<usize>,
        /// Number of clauses that these became.
        candidates: Option<usize>,
    },
    /// The clauses of the instances so far do not suffice.
    Outgrown {
        /// Number of lemmas that are not refuted.
        kept: usize,
        /// The property that is not shown.
        goal: usize,
        /// The transition that does not preserve it.
        transition: String,
    },
    /// A lemma was refuted by a state.
    Refuted {
        /// Its number.
        lemma: usize,
        /// Whether the state is reachable.
        reachable: bool,
    },
    /// A transition preserves a lemma or property.
    Preserved {
        /// Its number.
        lemma: usize,
        /// The transition.
        transition: String,
        /// The lemmas that the proof uses.
        core: Vec<usize>,
    },
}

words! {
    /// What is found in a finite instance.
    pub enum InstanceWord {
        /// No reachable state violates a property.
        Safe = "safe",
        /// One does.
        Unsafe = "unsafe",
        /// There is no state.
        Empty = "empty",
        /// A budget ran out.
        Open = "open",
    }
}

/// Schema of a [`Checkpoint`].
pub const CHECKPOINT: &str = "ramsey/checkpoint/1";

/// What `ramsey infer --checkpoint` keeps of a search.
#[derive(Serialize, Deserialize, Clone, Debug)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Checkpoint {
    /// [`CHECKPOINT`].
    pub schema: String,
    /// SHA-256 of the text of the model, with all included files.
    pub model: String,
    /// The requested method.
    pub method: String,
    /// Number of runs so far.
    pub runs: u64,
    /// Questions asked in all runs.
    pub questions: u64,
    /// Formulas of lemmas that are not refuted, in the language of the model.
    pub lemmas: Vec<String>,
}

impl Checkpoint {
    /// Reads a checkpoint.
    ///
    /// # Errors
    /// Returns an error if the text is none.
    pub fn read(json: &str) -> Result<Checkpoint, Diagnostic> {
        let wrong = |what: String| Diagnostic::error_nowhere(Code::Document, what);
        let help = "remove the file to begin anew";
        let document: Value = serde_json::from_str(plain(json))
            .map_err(|error| wrong(format!("this is no JSON document: {error}")).help(help))?;
        if document.get("schema").and_then(Value::as_str) != Some(CHECKPOINT) {
            return Err(wrong("the document is no checkpoint of `infer`".to_owned()).help(help));
        }
        serde_path_to_error::deserialize(&document).map_err(|error| {
            let place = format!("at `/{}` of the document", pointer(error.path()));
            wrong(error.inner().to_string()).note(place).help(help)
        })
    }

    /// Returns the checkpoint as text.
    ///
    /// # Errors
    /// Returns an error if the content is no JSON.
    pub fn text(&self) -> serde_json::Result<String> {
        Ok(serde_json::to_string_pretty(self)? + "\n")
    }
}

/// The part of [`InferContent`] that matters to later runs.
#[derive(Deserialize)]
struct Lemmas {
    lemmas: Vec<Lemma>,
}

/// Reads the lemmas of a document of `ramsey infer`.
///
/// # Errors
/// Returns an error if the text is no such document.
pub fn read_lemmas(json: &str) -> Result<Vec<Lemma>, Diagnostic> {
    let help = "`ramsey infer --format json` and `--output` write documents with lemmas";
    let wrong = |what: String| Diagnostic::error_nowhere(Code::Document, what);
    let document: Value = serde_json::from_str(plain(json))
        .map_err(|error| wrong(format!("this is no JSON document: {error}")).help(help))?;
    if document.get("schema").and_then(Value::as_str) != Some(InferContent::SCHEMA) {
        return Err(wrong("the document is not one of `infer`".to_owned()).help(help));
    }
    let read: Lemmas = serde_path_to_error::deserialize(&document).map_err(|error| {
        wrong(error.inner().to_string()).note(format!("at `/{}` of the document", pointer(error.path())))
    })?;
    Ok(read.lemmas)
}

#[cfg(test)]
mod tests {
    use super::{Method, MethodName};

    #[test]
    fn every_method_of_inference_has_its_name_as_its_word() {
        for method in Method::all() {
            let word = serde_json::to_string(&MethodName(method)).expect("JSON");
            assert_eq!(word, format!("\"{}\"", method.name()));
            assert_eq!(serde_json::from_str::<MethodName>(&word).expect("a method"), MethodName(method));
        }
        assert!(serde_json::from_str::<MethodName>("\"other\"").is_err());
    }
}
