//! Answers of a run of all checks of a configuration: verdict, text and data of the document.

use std::fmt::Write as _;

use super::json::job::{Checked, JobContent, JobSummary};
use super::render::Shown;
use super::results::{Entry, Level};
use super::{Palette, Verdict};

/// What became of a check of a model.
#[derive(Debug)]
pub struct Check {
    /// Path of the model.
    pub model: String,
    /// The command with its options.
    pub title: String,
    /// The expected outcome, in words; `None` if every answer counts by itself.
    pub expected: Option<String>,
    /// The outcome, in words.
    pub outcome: String,
    /// The verdict: of the expectation if there is one.
    pub verdict: Verdict,
    /// What is told: answers, messages, and the expectation.
    pub entries: Vec<Entry>,
}

/// The answers about all models of a configuration.
#[derive(Debug)]
pub struct Report {
    /// Path of the configuration.
    pub config: String,
    /// The checks, in the order of the configuration.
    pub checks: Vec<Check>,
}

impl Report {
    /// Returns the number of checks that are as they should be.
    fn good(&self) -> usize {
        self.checks.iter().filter(|it| it.verdict == Verdict::Ok).count()
    }

    /// Returns the last line.
    pub fn summary_text(&self, shown: Shown) -> String {
        let (all, good) = (self.checks.len(), self.good());
        let noun = if all == 1 { "check" } else { "checks" };
        let answer = if good == all {
            shown.palette.good("all as expected")
        } else {
            let count = |wanted| self.checks.iter().filter(|it| it.verdict == wanted).count();
            let words = [
                (good, "as expected"),
                (count(Verdict::Counterexample), "not as expected"),
                (count(Verdict::Unknown), "unknown"),
                (count(Verdict::BadInput), "with errors"),
                (count(Verdict::InternalError), "with internal errors"),
            ];
            let words = words.iter().filter(|(count, _)| *count > 0);
            words.map(|(count, word)| format!("{count} {word}")).collect::<Vec<String>>().join(", ")
        };
        format!("{all} {noun}: {answer}{}\n", shown.time_text())
    }

    /// Returns the content of the document.
    pub fn content(&self) -> JobContent {
        let checked = |check: &Check| Checked {
            model: check.model.clone(),
            command: check.title.clone(),
            expected: check.expected.clone(),
            outcome: check.outcome.clone(),
            verdict: check.verdict,
            results: check.entries.iter().map(Into::into).collect(),
        };
        JobContent {
            config: self.config.clone(),
            checks: self.checks.iter().map(checked).collect(),
            summary: JobSummary { checks: self.checks.len(), as_expected: self.good() },
        }
    }
}

impl Check {
    /// Returns the line of the check, and below it what is not as it should be.
    pub fn text(&self, shown: Shown) -> String {
        let Shown { palette, quiet, .. } = shown;
        if quiet && self.verdict == Verdict::Ok {
            return String::new();
        }
        let Check { model, title, outcome, expected, .. } = self;
        let answer = match (self.verdict, expected) {
            (Verdict::Ok, Some(_)) => palette.good(&format!("{outcome}, as expected")),
            (Verdict::Ok, None) => palette.good(outcome),
            (Verdict::Unknown, _) => palette.caution(outcome),
            (_, Some(expected)) => palette.bad(&format!("{outcome}, but expected: {expected}")),
            (_, None) => palette.bad(outcome),
        };
        let mut text = format!("{}  {}  {answer}\n", palette.bold(model), palette.dim(title));
        for entry in self.entries.iter().filter(|it| it.level() >= Level::Warning) {
            let _ = write!(text, "\n{}", entry_text(entry, palette));
        }
        if text.contains("\n\n") {
            text.push('\n');
        }
        text
    }
}

/// Returns an entry in full.
fn entry_text(entry: &Entry, palette: Palette) -> String {
    let mut text = entry.excerpt(palette);
    if !entry.details.is_empty() {
        let _ = write!(text, "\n{}", entry.details);
    }
    text
}
