//! Comparison with the results of an earlier run.

use serde::de::DeserializeOwned;
use serde_json::Value;

use super::earlier::{Abstraction, Bounded, Instance, Log, Traces, Verified};
use super::entry::{Comparison, Entry, FINGERPRINT, Level, Results};
use crate::Verdict;
use crate::finding::Status;
use crate::json::document::Content;
use crate::json::dto::{self, BoundedContent, TraceContent, VerifyContent};
use crate::json::instance::InstanceContent;
use crate::json::mc::McContent;
use crate::outcome::{DepthOutcome, InstanceOutcome, TraceAnswer};
use ramsey_core::base::hash::{Map, Set};
use ramsey_core::base::span::{BYTE_ORDER_MARK, FileId, Source, Span};
use ramsey_core::diag::{Code, Diagnostic};

/// Model and fingerprint of an answer.
type Key = (String, String);

/// What an earlier run said.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Baseline {
    /// Path of the file, as given.
    path: String,
    /// Answers that were not as they should be; `None` for messages about the input.
    known: Map<Key, Option<Status>>,
    /// What they say, in the order of the file.
    order: Vec<(Key, String)>,
}

impl Results {
    /// Completes results whose entries are all there, and compares them with earlier ones, if these are given.
    pub fn complete(&mut self, baseline: Option<&Baseline>) {
        self.number_equal();
        if let Some(baseline) = baseline {
            self.compare(baseline);
        }
    }

    /// Compares the results with earlier ones, and makes the verdict that of what is new.
    pub(super) fn compare(&mut self, baseline: &Baseline) {
        let mut met: Set<Key> = Set::default();
        let mut proved: Set<Key> = Set::default();
        // What entries do not tell, such as a certificate that cannot be written, counts as it did.
        let told = self.entries.iter().map(Entry::verdict).max().unwrap_or_default();
        let (mut verdict, mut new, mut known) = (Verdict::Ok, 0, 0);
        for entry in &mut self.entries {
            let key = (entry.model(), entry.fingerprint.clone());
            if entry.status == Some(Status::Holds) {
                proved.insert(key.clone());
            }
            if entry.level() == Level::Pass {
                continue;
            }
            let before = baseline.known.get(&key);
            let is_known = before.is_some_and(|&before| is_no_worse(entry.status, before));
            if is_known {
                met.insert(key);
            }
            if entry.status.is_some() {
                entry.is_known = Some(is_known);
                if is_known { known += 1 } else { new += 1 }
            }
            // What keeps a model from being read hides what is new in it.
            if !is_known || entry.status.is_none_or(|it| it == Status::InternalError) {
                verdict = verdict.max(entry.verdict());
            }
        }
        // What is not asked, as a known answer came before, may be new.
        let skipped = self.entries.iter().filter(|it| it.status == Some(Status::Skipped)).count();
        let unasked = if known > 0 { skipped } else { 0 };
        if unasked > 0 {
            verdict = verdict.max(Verdict::Unknown);
        }
        let absent = baseline.order.iter().filter(|(key, _)| !met.contains(key));
        let absent = absent.filter(|(key, _)| baseline.known.get(key).is_some_and(Option::is_some));
        let absent = absent.filter(|(key, _)| {
            // An answer that became worse is new, and not absent.
            !self
                .entries
                .iter()
                .any(|it| it.is_known == Some(false) && (&it.model(), &it.fingerprint) == (&key.0, &key.1))
        });
        let absent = absent.map(|(key, message)| {
            let now = if proved.contains(key) { "no more" } else { "not asked any more" };
            format!("{now}: {}: {message}", key.0)
        });
        let (path, absent) = (baseline.path.clone(), absent.collect());
        self.comparison = Some(Comparison { path, known, new, absent, unasked });
        if self.verdict <= told {
            self.verdict = verdict;
        }
    }
}

/// Checks whether an answer is no worse than the earlier one.
fn is_no_worse(now: Option<Status>, before: Option<Status>) -> bool {
    match (now, before) {
        (None, None) => true,
        (Some(now), Some(before)) => Verdict::from(now) <= Verdict::from(before),
        _ => false,
    }
}

/// Reads the results of an earlier run from the text of a SARIF log or of a JSON document, which is the source `file`.
///
/// # Errors
/// Returns an error if the text is neither.
pub fn read(source: &Source, file: FileId) -> Result<Baseline, Diagnostic> {
    let text = source.text.strip_prefix(BYTE_ORDER_MARK).unwrap_or(&source.text);
    let offset = source.text.len() - text.len();
    let value: Value = serde_json::from_str(text).map_err(|error| {
        let start = offset + place(text, error.line(), error.column());
        let span = Span { file, start: start as u32, end: start as u32 };
        Diagnostic::error(Code::Document, span, "this is no JSON").label(message(&error)).help(HELP)
    })?;
    let whole = || Span { file, start: offset as u32, end: offset as u32 };
    let mut baseline = Baseline { path: source.name.clone(), ..Baseline::default() };
    let schema = value.get("schema").and_then(Value::as_str).map(str::to_owned);
    let command =
        schema.as_deref().and_then(|it| it.strip_prefix("ramsey/")).and_then(|it| it.split('/').next());
    let wrong = |error: String| {
        Diagnostic::error(Code::Document, whole(), format!("these are no earlier results: {error}"))
            .help(HELP)
    };
    match command {
        Some("verify") => baseline.add_verified(&document::<VerifyContent, _>(value).map_err(wrong)?),
        Some("bmc") => baseline.add_bounded(&document::<BoundedContent, _>(value).map_err(wrong)?),
        Some("trace") => baseline.add_traces(&document::<TraceContent, _>(value).map_err(wrong)?),
        Some("mc") => baseline.add_abstraction(&document::<McContent, _>(value).map_err(wrong)?),
        Some("instance") => baseline.add_instance(&document::<InstanceContent, _>(value).map_err(wrong)?),
        Some(other) => {
            let what = format!("documents of `{other}` tell no claims apart");
            return Err(Diagnostic::error(Code::Document, whole(), what).help(HELP));
        }
        None if value.get("runs").is_some() => {
            let log: Log = serde_path_to_error::deserialize(value)
                .map_err(|error| wrong(format!("at `{}`: {}", error.path(), error.inner())))?;
            baseline.add_log(log).map_err(wrong)?;
        }
        None => return Err(wrong("there is neither `runs` nor `schema` in it".to_owned())),
    }
    Ok(baseline)
}

const HELP: &str = "earlier results are what `--format sarif` or `--format json` has written";

/// Returns what is read of a document with this content.
fn document<C: Content, T: DeserializeOwned>(value: Value) -> Result<T, String> {
    let schema = value.get("schema").and_then(Value::as_str).unwrap_or_default();
    if schema != C::SCHEMA {
        return Err(format!("the document is `{schema}`, and `{}` is known here", C::SCHEMA));
    }
    serde_path_to_error::deserialize(value)
        .map_err(|error| format!("at `{}`: {}", error.path(), error.inner()))
}

/// Returns the byte offset of a line and column, both from 1, in bytes as `serde_json` counts them.
fn place(text: &str, line: usize, column: usize) -> usize {
    let before: usize = text.split_inclusive('\n').take(line.saturating_sub(1)).map(str::len).sum();
    let mut at = (before + column.saturating_sub(1)).min(text.len());
    while !text.is_char_boundary(at) {
        at -= 1;
    }
    at
}

/// Returns what is wrong without the place.
fn message(error: &serde_json::Error) -> String {
    let text = error.to_string();
    text.rsplit_once(" at line ").map_or(text.clone(), |(what, _)| what.to_owned())
}

impl Baseline {
    fn add(&mut self, model: &str, fingerprint: &str, status: Option<Status>, message: String) {
        if matches!(status, Some(Status::Holds | Status::Skipped)) {
            return;
        }
        let key = (model.to_owned(), fingerprint.to_owned());
        if self.known.insert(key.clone(), status).is_none() {
            self.order.push((key, message));
        }
    }

    fn add_log(&mut self, log: Log) -> Result<(), String> {
        if log.version != "2.1.0" {
            return Err(format!("SARIF {} is not known here, 2.1.0 is", log.version));
        }
        for run in log.runs.into_iter().filter(|run| run.tool.driver.name == "ramsey") {
            for result in run.results {
                let fingerprint = result.partial_fingerprints.get(FINGERPRINT);
                let (Some(model), Some(fingerprint)) = (&result.properties.model, fingerprint) else {
                    return Err(format!("a result has no model or no fingerprint `{}`", FINGERPRINT));
                };
                let message = result.message.text.lines().next().unwrap_or_default().to_owned();
                self.add(model, fingerprint, result.properties.status, message);
            }
        }
        Ok(())
    }

    fn add_verified(&mut self, content: &Verified) {
        for file in &content.files {
            let model = match &file.isolate {
                Some(isolate) => format!("{}, isolate {isolate}", file.path),
                None => file.path.clone(),
            };
            for it in &file.obligations {
                let claim = it.invariant.as_ref().or(it.theorem.as_ref()).map_or("", |claim| &claim.label);
                let transition =
                    it.transition.as_deref().map_or(String::new(), |name| format!(" of `{name}`"));
                let message = format!("{} `{claim}`{transition} is {}", it.kind.word(), it.outcome.word());
                self.add(&model, &it.fingerprint, Some(it.outcome), message);
            }
            for it in file.checked.iter().flat_map(|it| &it.answers) {
                self.add_property(&model, &it.property, it.outcome.status());
            }
        }
    }

    fn add_bounded(&mut self, content: &Bounded) {
        let last = content.depths.last().map(|it| it.outcome);
        for it in &content.properties {
            let violated = content.violation.as_ref().map(|it| &it.property.fingerprint);
            let status = match last {
                Some(DepthOutcome::Violated) if violated == Some(&it.fingerprint) => Status::Violated,
                Some(DepthOutcome::Unknown) => Status::Unknown,
                Some(DepthOutcome::InternalError) => Status::InternalError,
                Some(DepthOutcome::Violated | DepthOutcome::Ok) | None => Status::Holds,
            };
            self.add_property(&content.path, it, status);
        }
    }

    fn add_traces(&mut self, content: &Traces) {
        for it in &content.traces {
            let status = match it.answer {
                TraceAnswer::Unknown => Status::Unknown,
                TraceAnswer::InternalError => Status::InternalError,
                answer if answer == it.expected => Status::Holds,
                _ => Status::Violated,
            };
            let message = format!("trace in line {} is {}", it.line, status.word());
            self.add(&content.path, &it.fingerprint, Some(status), message);
        }
    }

    fn add_abstraction(&mut self, content: &Abstraction) {
        content
            .answers
            .iter()
            .for_each(|it| self.add_property(&content.path, &it.property, it.outcome.status()));
    }

    fn add_instance(&mut self, content: &Instance) {
        let violated = content.violation.as_ref().map(|it| &it.property.fingerprint);
        for it in &content.properties {
            let status = match content.outcome {
                Some(InstanceOutcome::Violated) if violated == Some(&it.fingerprint) => Status::Violated,
                Some(InstanceOutcome::Unknown) => Status::Unknown,
                Some(InstanceOutcome::InternalError) => Status::InternalError,
                Some(InstanceOutcome::Violated | InstanceOutcome::Safe) | None => Status::Holds,
            };
            self.add_property(&content.path, it, status);
        }
    }

    fn add_property(&mut self, path: &str, property: &dto::BoundedProperty, status: Status) {
        let name = property.claim.as_ref().map_or(property.formula.as_str(), |claim| &claim.label);
        let message = format!("{} `{name}` is {}", property.kind.word(), status.word());
        self.add(path, &property.fingerprint, Some(status), message);
    }
}
