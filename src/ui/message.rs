//! Messages between a session and its clients: the carrier may be HTTP, a worker of a browser, or the pipes of an editor.

use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use super::answer::{Failed, Question};
use super::command::Command;
use super::session::{Misfit, Session};
use crate::base::digest::sha256;

/// What a client asks for.
#[derive(Serialize, Deserialize, Clone, PartialEq, Eq, Debug)]
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

/// What a client is told without having asked, or some time after it has.
#[derive(Serialize, Deserialize, Clone, PartialEq, Debug)]
#[serde(tag = "e", rename_all = "kebab-case")]
pub enum Event {
    /// Part of an answer.
    Partial {
        /// Number of the question.
        id: u64,
        /// What is known so far.
        value: Value,
    },
    /// An answer.
    Done {
        /// Number of the question.
        id: u64,
        /// The answer.
        value: Value,
    },
    /// There is no answer.
    Failed {
        /// Number of the question.
        id: u64,
        /// `unfit`, `cancelled`, `limit` or `internal`.
        kind: String,
        /// The reason.
        why: String,
    },
    /// The session or its files have changed, perhaps by another client.
    Changed {
        /// The number of changes of the session so far.
        revision: u64,
    },
}

impl Event {
    /// Returns the event for the end of a question.
    pub fn of(id: u64, answer: Result<Value, Failed>) -> Event {
        use crate::base::budget::Exhausted;
        let (kind, why) = match answer {
            Ok(value) => return Event::Done { id, value },
            Err(Failed::Unfit(why)) => ("unfit", why),
            Err(Failed::Exhausted(Exhausted::Cancelled)) => ("cancelled", "cancelled".to_owned()),
            Err(Failed::Exhausted(exhausted)) => ("limit", exhausted.to_string()),
            Err(Failed::Internal(why)) => ("internal", why),
        };
        Event::Failed { id, kind: kind.to_owned(), why }
    }
}

/// Returns the state of a session as a document.
pub fn state(session: &Session) -> Value {
    let state = session.state();
    let (can_undo, can_redo) = session.can_move();
    let (done, undone) = session.log().commands();
    json!({
        "schema": "ramsey/session/1",
        "model": session.loader().name(),
        "language": session.loader().language().extension(),
        "revision": session.revision(),
        "changed": state.model.text != session.log().opening.text,
        "valid": state.model.system.is_some(),
        "digest": sha256(&state.model.text),
        "bound": state.bound,
        "selected": state.selected,
        "walk": state.walk,
        "watches": state.watches,
        "drawing": state.drawing,
        "notes": state.notes,
        "origins": state.origins,
        "commands": done,
        "undone": undone,
        "can_undo": can_undo,
        "can_redo": can_redo,
    })
}

/// Returns commands that do not fit, with the reasons.
pub fn misfits(misfits: &[Misfit]) -> Value {
    misfits.iter().map(|it| json!({ "command": it.command, "why": it.why })).collect()
}

/// Returns the changes from one text to another, line by line: `-` and `+` before removed and added lines, and numbers of
/// lines of each. Lines that stay are left out, but for some around the changes.
pub fn diff(old: &str, new: &str) -> Value {
    const AROUND: usize = 2;
    let (old, new): (Vec<&str>, Vec<&str>) = (old.lines().collect(), new.lines().collect());
    let same_before = old.iter().zip(&new).take_while(|(a, b)| a == b).count();
    let rest = old.len().min(new.len()) - same_before;
    let same_after = old.iter().rev().zip(new.iter().rev()).take(rest).take_while(|(a, b)| a == b).count();
    let (old_end, new_end) = (old.len() - same_after, new.len() - same_after);
    let middle = lines_changed(&old[same_before..old_end], &new[same_before..new_end]);
    let mut rows: Vec<(&str, &str)> = Vec::new();
    rows.extend(old[same_before.saturating_sub(AROUND)..same_before].iter().map(|line| (" ", *line)));
    rows.extend(middle);
    rows.extend(old[old_end..].iter().take(AROUND).map(|line| (" ", *line)));
    rows.into_iter().map(|(sign, line)| json!([sign, line])).collect()
}

/// Returns the lines of two texts in one order, with a sign for each, by a longest common subsequence. Of texts that are
/// too long for it, all lines are removed and added.
fn lines_changed<'a>(old: &[&'a str], new: &[&'a str]) -> Vec<(&'static str, &'a str)> {
    const MOST: usize = 4_000_000;
    let (rows, columns) = (old.len(), new.len());
    let mut out = Vec::new();
    if rows * columns > MOST {
        out.extend(old.iter().map(|line| ("-", *line)));
        out.extend(new.iter().map(|line| ("+", *line)));
        return out;
    }
    // Length of the longest common subsequence of the rests.
    let mut length = vec![vec![0_u32; columns + 1]; rows + 1];
    for i in (0..rows).rev() {
        for j in (0..columns).rev() {
            length[i][j] = if old[i] == new[j] {
                length[i + 1][j + 1] + 1
            } else {
                length[i + 1][j].max(length[i][j + 1])
            };
        }
    }
    let (mut i, mut j) = (0, 0);
    while i < rows || j < columns {
        if i < rows && j < columns && old[i] == new[j] {
            out.push((" ", old[i]));
            (i, j) = (i + 1, j + 1);
        } else if j == columns || (i < rows && length[i + 1][j] >= length[i][j + 1]) {
            out.push(("-", old[i]));
            i += 1;
        } else {
            out.push(("+", new[j]));
            j += 1;
        }
    }
    out
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
        assert_eq!(
            diff(old, "a\nb\nc\nx\nd\ne\nf\n"),
            json!([[" ", "b"], [" ", "c"], ["+", "x"], [" ", "d"], [" ", "e"]])
        );
        assert_eq!(diff("a\nb\n", "a\nc\n"), json!([[" ", "a"], ["-", "b"], ["+", "c"]]));
        assert_eq!(diff(old, old).as_array().map(|rows| rows.iter().all(|row| row[0] == " ")), Some(true));
        assert_eq!(diff("a\nb\nc\n", "b\nd\nc\n"), json!([["-", "a"], [" ", "b"], ["+", "d"], [" ", "c"]]));
    }
}
