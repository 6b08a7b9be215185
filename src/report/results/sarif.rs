//! SARIF, the Static Analysis Results Interchange Format, version 2.1.0.

use std::collections::BTreeMap;

use serde::Serialize;

use super::entry::{Entry, FINGERPRINT, Level, Results, is_file, uri};
use super::flow::{Flow, fact_texts};
use super::rules::{About, about};

use crate::Verdict;
use crate::finding::{Rule, Status};
use crate::json::dto::{Label, Place};
use ramsey_core::diag::Severity;

/// The published schema.
const SCHEMA: &str =
    "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json";

/// Returns the log with one run.
pub(super) fn text(results: &Results) -> serde_json::Result<String> {
    let log = Log { schema: SCHEMA, version: "2.1.0", runs: [run(results)] };
    let mut text = serde_json::to_string_pretty(&log)?;
    text.push('\n');
    Ok(text)
}

#[derive(Serialize)]
struct Log {
    #[serde(rename = "$schema")]
    schema: &'static str,
    version: &'static str,
    runs: [Run; 1],
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Run {
    tool: Tool,
    automation_details: AutomationDetails,
    invocations: [Invocation; 1],
    column_kind: &'static str,
    results: Vec<SarifResult>,
}

#[derive(Serialize)]
struct Tool {
    driver: Driver,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Driver {
    name: &'static str,
    version: &'static str,
    semantic_version: &'static str,
    rules: Vec<Descriptor>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Descriptor {
    id: &'static str,
    name: String,
    short_description: Message,
    full_description: Message,
    help: Message,
    default_configuration: Configuration,
    properties: RuleProperties,
}

#[derive(Serialize)]
struct Configuration {
    level: &'static str,
}

#[derive(Serialize)]
struct RuleProperties {
    precision: &'static str,
    #[serde(rename = "problem.severity")]
    severity: &'static str,
    tags: [&'static str; 2],
}

#[derive(Serialize)]
struct Message {
    text: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    markdown: Option<String>,
}

impl From<&str> for Message {
    fn from(text: &str) -> Self {
        Message { text: text.to_owned(), markdown: None }
    }
}

#[derive(Serialize)]
struct AutomationDetails {
    id: String,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Invocation {
    execution_successful: bool,
    exit_code: u8,
    exit_code_description: &'static str,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    tool_execution_notifications: Vec<Notification>,
}

#[derive(Serialize)]
struct Notification {
    level: &'static str,
    message: Message,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct SarifResult {
    rule_id: &'static str,
    rule_index: usize,
    kind: &'static str,
    level: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    baseline_state: Option<&'static str>,
    message: Message,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    locations: Vec<Location>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    related_locations: Vec<Location>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    code_flows: Vec<CodeFlow>,
    partial_fingerprints: BTreeMap<&'static str, String>,
    properties: ResultProperties,
}

#[derive(Serialize)]
struct ResultProperties {
    model: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    status: Option<Status>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Location {
    #[serde(skip_serializing_if = "Option::is_none")]
    id: Option<usize>,
    #[serde(skip_serializing_if = "Option::is_none")]
    physical_location: Option<PhysicalLocation>,
    #[serde(skip_serializing_if = "Option::is_none")]
    message: Option<Message>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct PhysicalLocation {
    artifact_location: ArtifactLocation,
    region: Region,
}

#[derive(Serialize)]
struct ArtifactLocation {
    uri: String,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Region {
    start_line: usize,
    #[serde(skip_serializing_if = "Option::is_none")]
    start_column: Option<usize>,
    #[serde(skip_serializing_if = "Option::is_none")]
    end_line: Option<usize>,
    #[serde(skip_serializing_if = "Option::is_none")]
    end_column: Option<usize>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct CodeFlow {
    message: Message,
    thread_flows: [ThreadFlow; 1],
}

#[derive(Serialize)]
struct ThreadFlow {
    locations: Vec<ThreadFlowLocation>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct ThreadFlowLocation {
    location: Location,
    execution_order: usize,
    importance: &'static str,
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    state: BTreeMap<String, Message>,
}

fn run(results: &Results) -> Run {
    // Messages without a place, such as those about options, are about the run.
    let (located, others): (Vec<&Entry>, Vec<&Entry>) =
        results.listed().partition(|it| it.status.is_some() || it.place().is_some());
    let mut rules: Vec<Rule> = located.iter().map(|it| it.rule).collect();
    rules.sort_by_key(|rule| rule.word());
    rules.dedup();
    let level = |rule| located.iter().filter(|it| it.rule == rule).map(|it| default_level(it)).max();
    let remarks = results.explanations.iter().chain(results.comparison.iter().flat_map(|it| &it.absent));
    let remarks = remarks.map(|text| Notification { level: "note", message: text.as_str().into() });
    let of_run = others.iter().map(|it| Notification { level: level_word(it.level()), message: message(it) });
    Run {
        tool: Tool {
            driver: Driver {
                name: "ramsey",
                version: env!("CARGO_PKG_VERSION"),
                semantic_version: env!("CARGO_PKG_VERSION"),
                rules: rules.iter().map(|&rule| descriptor(rule, level(rule))).collect(),
            },
        },
        automation_details: AutomationDetails { id: format!("ramsey/{}/", results.command) },
        invocations: [Invocation {
            execution_successful: results.verdict < Verdict::BadInput,
            exit_code: results.verdict.code(),
            exit_code_description: results.verdict.word(),
            tool_execution_notifications: of_run.chain(remarks).collect(),
        }],
        column_kind: "unicodeCodePoints",
        results: located.into_iter().map(|entry| result(entry, &rules)).collect(),
    }
}

/// Returns the level of an entry that is not as it should be.
fn default_level(entry: &Entry) -> Level {
    match (entry.status, entry.severity) {
        (Some(_), _) | (None, Severity::Error) => Level::Error,
        (None, Severity::Warning) => Level::Warning,
        (None, Severity::Note) => Level::Note,
    }
}

fn level_word(level: Level) -> &'static str {
    match level {
        Level::Pass => "none",
        Level::Note => "note",
        Level::Warning => "warning",
        Level::Error => "error",
    }
}

fn descriptor(rule: Rule, level: Option<Level>) -> Descriptor {
    let About { title, text, advice, page } = about(rule);
    let level = level.unwrap_or(Level::Error);
    let kind = if matches!(rule, Rule::Code(_)) { "model" } else { "claim" };
    // Names of rules are in Pascal case, for programs.
    let pascal = |word: &str| {
        let mut letters = word.chars();
        letters.next().map_or(String::new(), |first| first.to_uppercase().chain(letters).collect())
    };
    Descriptor {
        id: rule.word(),
        name: rule.word().split('-').map(pascal).collect(),
        short_description: title.into(),
        full_description: text.into(),
        help: Message {
            text: format!("{text} {advice} See {page}."),
            markdown: Some(format!("**{title}**\n\n{text}\n\n{advice}\n\nSee `{page}`.")),
        },
        default_configuration: Configuration { level: level_word(level) },
        properties: RuleProperties {
            precision: "very-high",
            severity: match level {
                Level::Error => "error",
                Level::Warning => "warning",
                Level::Note | Level::Pass => "recommendation",
            },
            tags: ["correctness", kind],
        },
    }
}

fn message(entry: &Entry) -> Message {
    let text = entry.full_text();
    // Facts are aligned, so they need a font of equal widths.
    let markdown = (entry.status.is_some() && !entry.details.is_empty()).then(|| {
        let mut before = entry.message.clone();
        entry.notes.iter().chain(&entry.help).for_each(|it| before.push_str(&format!("\n\n{it}")));
        format!("{before}\n\n```\n{}\n```", entry.details.trim_end())
    });
    Message { text, markdown }
}

fn result(entry: &Entry, rules: &[Rule]) -> SarifResult {
    let level = entry.level();
    let place = entry.place().map(|spot| physical(spot.file, spot.place));
    let identity = entry.identity();
    SarifResult {
        rule_id: entry.rule.word(),
        rule_index: rules.iter().position(|&rule| rule == entry.rule).unwrap_or_default(),
        kind: match entry.status {
            Some(Status::Holds) => "pass",
            Some(Status::Skipped) => "open",
            _ if level == Level::Pass => "pass",
            // Nobody knows: a level other than `none` is for kind `fail` alone.
            _ => "fail",
        },
        level: level_word(level),
        baseline_state: entry.is_known.map(|known| if known { "unchanged" } else { "new" }),
        message: message(entry),
        locations: place
            .map(|it| Location { id: None, physical_location: Some(it), message: None })
            .into_iter()
            .collect(),
        related_locations: entry
            .secondary
            .iter()
            .filter(|label| is_file(&label.place.file))
            .enumerate()
            .map(|(at, Label { place, text })| Location {
                id: Some(at + 1),
                physical_location: Some(physical(&place.file, Some(place))),
                message: (!text.is_empty()).then(|| text.as_str().into()),
            })
            .collect(),
        code_flows: entry.flow.iter().map(|flow| code_flow(entry, flow)).collect(),
        partial_fingerprints: BTreeMap::from([
            (FINGERPRINT, entry.fingerprint.clone()),
            // The name that code scanning reads.
            ("primaryLocationLineHash", format!("{identity}:1")),
        ]),
        properties: ResultProperties { model: entry.model(), status: entry.status },
    }
}

fn physical(file: &str, place: Option<&Place>) -> PhysicalLocation {
    PhysicalLocation {
        artifact_location: ArtifactLocation { uri: uri(file) },
        region: match place {
            Some(place) => Region {
                start_line: place.line,
                start_column: Some(place.column),
                end_line: Some(place.end_line),
                end_column: Some(place.end_column),
            },
            None => Region { start_line: 1, start_column: None, end_line: None, end_column: None },
        },
    }
}

/// Returns the states with the transitions between them, each where the transition is declared, and then what is violated.
fn code_flow(entry: &Entry, flow: &Flow) -> CodeFlow {
    let claim = entry.place();
    let location = |place: Option<&Place>, text: String| Location {
        id: None,
        physical_location: match place.filter(|place| is_file(&place.file)) {
            Some(place) => Some(physical(&place.file, Some(place))),
            None => claim.map(|spot| physical(spot.file, spot.place)),
        },
        message: Some(text.as_str().into()),
    };
    let immutable = &flow.execution.immutable;
    let mut locations: Vec<ThreadFlowLocation> = Vec::new();
    for (number, state) in flow.execution.states.iter().enumerate() {
        let text = match flow.transition_text(number) {
            Some(transition) => format!("{transition} leads to state {number}"),
            None if number > 0 => format!("state {number}"),
            None if flow.is_initial => "state 0 is initial".to_owned(),
            None => "state 0".to_owned(),
        };
        let place = number.checked_sub(1).and_then(|step| flow.places.get(step)?.as_ref());
        // What no step changes stands in the first state.
        let facts = state.facts.iter().chain(immutable.iter().filter(|_| number == 0));
        locations.push(ThreadFlowLocation {
            location: location(place, text),
            execution_order: locations.len() + 1,
            importance: "essential",
            state: facts
                .map(|fact| {
                    let (term, value) = fact_texts(fact);
                    (term, value.as_str().into())
                })
                .collect(),
        });
    }
    if let Some(text) = flow.violated_text() {
        locations.push(ThreadFlowLocation {
            location: location(entry.primary.as_ref().map(|label| &label.place), text),
            execution_order: locations.len() + 1,
            importance: "essential",
            state: BTreeMap::new(),
        });
    }
    CodeFlow { message: entry.message.as_str().into(), thread_flows: [ThreadFlow { locations }] }
}
