//! Messages between a session and its clients: the carrier may be HTTP, a worker of a browser, or the pipes of an editor.

use std::sync::Arc;

use serde::{Deserialize, Serialize};
use similar::{ChangeTag, TextDiff};

use super::answer::{Failed, Question};
use super::command::Command;
use super::reply::Answer;
use super::session::{Misfit, Session};
use super::state::{Drawing, Origin, Selected, Walk};
use ramsey_core::base::budget::Exhausted;

/// What a client asks for.
#[derive(Serialize, Deserialize, Clone, PartialEq, Eq, Debug)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
#[serde(tag = "m", rename_all = "kebab-case", deny_unknown_fields)]
pub enum Request {
    /// The state.
    State,
    /// A command. The reply is the state after it.
    Command {
        /// The command.
        command: Command,
    },
    /// Takes the last command back. The reply is the state after it.
    Undo,
    /// Carries out again what was taken back. The reply is the state after it.
    Redo,
    /// Asks a question. The answer comes as events.
    Ask {
        /// Number of the question, which the client chooses.
        id: u64,
        /// The question.
        question: Question,
        /// Whether other questions come first.
        #[serde(default)]
        background: bool,
    },
    /// Cancels a question.
    Cancel {
        /// Its number.
        id: u64,
    },
    /// What would be written to the model's file.
    Preview,
    /// Writes the model's file.
    Write {
        /// Digest of the text to be written, from the preview.
        digest: String,
    },
    /// Takes the model's file as it is now, with what still fits of the session.
    Reload,
    /// The log, to be shared.
    Log,
}

/// What a request is answered with.
#[derive(Serialize, Debug)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
#[serde(untagged)]
pub enum Response {
    /// The state, to most requests.
    State(Box<StoredState>),
    /// The answer to a question, which was known.
    Answered {
        /// The answer.
        done: Arc<Answer>,
    },
    /// A question, to which events will follow.
    Asked {
        /// Its number.
        asked: u64,
    },
    /// What would be written.
    Preview {
        /// Path of the model.
        path: String,
        /// The lines that change, with some around them.
        diff: Vec<(Sign, String)>,
        /// Digest of the text to be written.
        digest: String,
        /// Whether the model may be written.
        may_write: bool,
    },
    /// The log.
    Log {
        /// Its text.
        log: String,
    },
    /// Nothing is to be said.
    Nothing,
}

/// The state of a session, with what is known of its files.
#[derive(Serialize, Debug)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
pub struct StoredState {
    /// The state.
    #[serde(flatten)]
    pub state: SessionState,
    /// Whether the model may be written.
    pub may_write: bool,
    /// Whether the model is as it was read or written last.
    pub written: bool,
    /// Commands that no longer fit.
    pub misfits: Vec<Misfit>,
    /// The reason why the log is not written.
    pub unsaved: Option<String>,
    /// Path of the log.
    pub session: String,
    /// Version of the program.
    pub version: &'static str,
    /// What has become of the model's file.
    pub disk: Disk,
}

/// What has become of the model's file.
#[derive(Serialize, Clone, Copy, PartialEq, Eq, Debug)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum Disk {
    /// It has the text of the session.
    Same,
    /// It has another text.
    Changed,
    /// It is not there.
    Gone,
}

/// A request that was carried out, or the reason why it was not.
#[derive(Serialize, Debug)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum Outcome {
    /// It was carried out.
    Ok(Response),
    /// It was not, for this reason.
    Error(String),
}

/// What a client is told without having asked, or some time after it has.
#[derive(Serialize, Debug)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
#[serde(tag = "e", rename_all = "kebab-case")]
pub enum Event {
    /// Part of an answer.
    Partial {
        /// Number of the question.
        id: u64,
        /// What is known so far.
        value: Arc<Answer>,
    },
    /// An answer.
    Done {
        /// Number of the question.
        id: u64,
        /// The answer.
        value: Arc<Answer>,
    },
    /// There is no answer.
    Failed {
        /// Number of the question.
        id: u64,
        /// The kind of the reason.
        kind: FailureKind,
        /// The reason.
        why: String,
    },
    /// The session or its files have changed, perhaps by another client.
    Changed {
        /// The number of changes of the session so far.
        revision: u64,
    },
}

/// Kind of a reason why there is no answer.
#[derive(Serialize, Clone, Copy, PartialEq, Eq, Debug)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum FailureKind {
    /// The question does not fit the state.
    Unfit,
    /// It was cancelled.
    Cancelled,
    /// A limit was reached.
    Limit,
    /// Internal inconsistency of the tool.
    Internal,
}

impl Event {
    /// Returns the event for the end of a question.
    pub fn of(id: u64, answer: Result<Arc<Answer>, Failed>) -> Event {
        let (kind, why) = match answer {
            Ok(value) => return Event::Done { id, value },
            Err(Failed::Unfit(why)) => (FailureKind::Unfit, why),
            Err(Failed::Exhausted(Exhausted::Cancelled)) => (FailureKind::Cancelled, "cancelled".to_owned()),
            Err(Failed::Exhausted(exhausted)) => (FailureKind::Limit, exhausted.to_string()),
            Err(Failed::Internal(why)) => (FailureKind::Internal, why),
        };
        Event::Failed { id, kind, why }
    }
}

/// An event with its number.
#[derive(Serialize, Debug)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
pub struct Numbered<'a> {
    /// The event.
    #[serde(flatten)]
    pub event: &'a Event,
    /// Its number, from 1.
    pub n: u64,
}

/// The state of a session.
#[derive(Serialize, Clone, PartialEq, Debug)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
pub struct SessionState {
    /// Name and version of this form.
    pub schema: &'static str,
    /// Path of the model.
    pub model: String,
    /// Its language.
    pub language: &'static str,
    /// The number of changes of the session so far.
    pub revision: u64,
    /// Whether the model is another one than at first.
    pub changed: bool,
    /// Whether the model has no errors.
    pub valid: bool,
    /// Digest of the model's text and of all that it includes.
    pub digest: String,
    /// The number of steps within which generalizations hold.
    pub bound: u16,
    /// The counterexample that is shown.
    pub selected: Option<Selected>,
    /// The walk.
    pub walk: Option<Walk>,
    /// Formulas whose values are shown.
    pub watches: Vec<String>,
    /// What pictures show.
    pub drawing: Drawing,
    /// Remarks.
    pub notes: Vec<String>,
    /// Claims that were not in the model at first.
    pub origins: Vec<Origin>,
    /// The commands in effect.
    pub commands: Vec<Command>,
    /// The commands that were taken back.
    pub undone: Vec<Command>,
    /// Whether there is a command to be taken back.
    pub can_undo: bool,
    /// Whether there is a command to be carried out again.
    pub can_redo: bool,
}

/// Returns the state of a session.
pub fn state(session: &Session) -> SessionState {
    let state = session.state().clone();
    let (can_undo, can_redo) = session.can_move();
    let (commands, undone) = session.log().commands();
    SessionState {
        schema: "ramsey/session/1",
        model: session.models().name().to_owned(),
        language: session.models().language().extension(),
        revision: session.revision(),
        changed: state.model.text() != session.log().opening.text,
        valid: state.model.system.is_some(),
        digest: state.model.digest(),
        bound: state.bound,
        selected: state.selected,
        walk: state.walk,
        watches: state.watches,
        drawing: state.drawing,
        notes: state.notes,
        origins: state.origins,
        commands: commands.into_iter().cloned().collect(),
        undone: undone.into_iter().cloned().collect(),
        can_undo,
        can_redo,
    }
}

/// A line of a difference.
#[derive(Serialize, Clone, Copy, PartialEq, Eq, Debug)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
pub enum Sign {
    /// It stays.
    #[serde(rename = " ")]
    Same,
    /// It is removed.
    #[serde(rename = "-")]
    Removed,
    /// It is added.
    #[serde(rename = "+")]
    Added,
}

/// Returns the lines from the first change between two texts to the last one, with some around them.
pub fn diff(old: &str, new: &str) -> Vec<(Sign, String)> {
    const AROUND: usize = 2;
    let changes = TextDiff::from_lines(old, new);
    let rows: Vec<(Sign, String)> = changes
        .iter_all_changes()
        .map(|change| {
            let sign = match change.tag() {
                ChangeTag::Equal => Sign::Same,
                ChangeTag::Delete => Sign::Removed,
                ChangeTag::Insert => Sign::Added,
            };
            (sign, change.value().trim_end_matches(['\r', '\n']).to_owned())
        })
        .collect();
    let is_change = |(sign, _): &(Sign, String)| *sign != Sign::Same;
    let first = rows.iter().position(is_change).unwrap_or(0);
    let last = rows.iter().rposition(is_change).map_or(0, |at| at + 1);
    rows[first.saturating_sub(AROUND)..rows.len().min(last + AROUND)].to_vec()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn requests_have_one_form() {
        let ask = r#"{"m":"ask","id":3,"question":{"q":"check"}}"#;
        let request: Request = serde_json::from_str(ask).expect("a request");
        assert_eq!(request, Request::Ask { id: 3, question: Question::Check, background: false });
        for bad in [r#"{"m":"ask","id":3}"#, r#"{"m":"fly"}"#, r#"{"m":"cancel","id":1,"x":1}"#, "[]", ""] {
            assert!(serde_json::from_str::<Request>(bad).is_err(), "{bad}");
        }
    }

    #[test]
    fn differences_are_minimal() {
        let old = "a\nb\nc\nd\ne\nf\n";
        let rows = |old, new| {
            let sign = |sign| match sign {
                Sign::Same => ' ',
                Sign::Removed => '-',
                Sign::Added => '+',
            };
            diff(old, new).iter().map(|(it, line)| format!("{}{line}", sign(*it))).collect::<Vec<_>>()
        };
        assert_eq!(rows(old, "a\nb\nc\nx\nd\ne\nf\n"), [" b", " c", "+x", " d", " e"]);
        assert_eq!(rows("a\nb\n", "a\nc\n"), [" a", "-b", "+c"]);
        assert_eq!(rows("a\nb\nc\n", "b\nd\nc\n"), ["-a", " b", "+d", " c"]);
        assert!(rows(old, old).iter().all(|row| row.starts_with(' ')));
    }
}
