//! The report on code quality that GitLab reads.

use serde::Serialize;

use super::entry::{Entry, Level, Results};
use crate::Verdict;

#[derive(Serialize)]
struct Issue {
    description: String,
    check_name: &'static str,
    /// Different for each issue: GitLab drops equal ones.
    fingerprint: String,
    severity: &'static str,
    location: Location,
}

#[derive(Serialize)]
struct Location {
    path: String,
    lines: Lines,
}

#[derive(Serialize)]
struct Lines {
    begin: usize,
    #[serde(skip_serializing_if = "Option::is_none")]
    end: Option<usize>,
}

/// Returns an issue per entry that is not as it should be.
pub(super) fn text(results: &Results) -> serde_json::Result<String> {
    let issues: Vec<Issue> =
        results.entries.iter().filter(|it| it.level() != Level::Pass).map(issue).collect();
    let mut text = serde_json::to_string_pretty(&issues)?;
    text.push('\n');
    Ok(text)
}

fn issue(entry: &Entry) -> Issue {
    let severity = match (entry.level(), entry.verdict()) {
        (Level::Error, Verdict::BadInput | Verdict::InternalError) => "blocker",
        (Level::Error, _) => "critical",
        (Level::Warning, Verdict::Unknown) => "major",
        (Level::Warning, _) => "minor",
        (Level::Note | Level::Pass, _) => "info",
    };
    let spot = entry.place();
    let path = spot.map_or(entry.path.as_str(), |spot| spot.file).replace('\\', "/");
    Issue {
        description: match &entry.help {
            Some(help) => format!("{} (help: {help})", entry.message),
            None => entry.message.clone(),
        },
        check_name: entry.rule.word(),
        fingerprint: entry.identity(),
        severity,
        location: Location {
            path: path.strip_prefix("./").unwrap_or(&path).to_owned(),
            lines: Lines {
                begin: spot.map_or(1, |spot| spot.line()),
                end: spot.and_then(|spot| spot.place).map(|place| place.end_line),
            },
        },
    }
}
