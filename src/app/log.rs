//! The log of a session: one JSON object a line.

use serde::{Deserialize, Serialize};

use super::command::Command;
use ramsey_core::base::digest::sha256;
use ramsey_core::diag::{Code, Diagnostic};

/// Maximum number of bytes of a log.
const MAX_BYTES: usize = 16 << 20;
/// Maximum number of entries of a log.
const MAX_ENTRIES: usize = 100_000;
/// Version of the form of a log.
const VERSION: u32 = 1;

/// First line of a log.
#[derive(Serialize, Deserialize, Clone, PartialEq, Eq, Debug)]
#[serde(deny_unknown_fields)]
pub struct Opening {
    /// Version of the form.
    pub ramsey_session: u32,
    /// Name of the model's file.
    pub model: String,
    /// The text of the model as it was opened.
    pub text: String,
}

/// Line of a log after the first.
#[derive(Serialize, Deserialize, Clone, PartialEq, Eq, Debug)]
#[serde(untagged)]
pub enum Entry {
    /// A command.
    Command(Command),
    /// A movement within the commands.
    Move(Move),
}

/// A movement within the commands.
#[derive(Serialize, Deserialize, Clone, Copy, PartialEq, Eq, Debug)]
#[serde(tag = "do", rename_all = "kebab-case", deny_unknown_fields)]
pub enum Move {
    /// Takes the last command back.
    Undo,
    /// Carries out the command again that was taken back last.
    Redo,
}

/// The log of a session. Entries are only appended.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Log {
    /// What was opened.
    pub opening: Opening,
    /// What followed.
    pub entries: Vec<Entry>,
}

impl Log {
    /// Creates the log of a session about a model.
    pub fn new(model: &str, text: &str) -> Log {
        let opening = Opening { ramsey_session: VERSION, model: model.to_owned(), text: text.to_owned() };
        Log { opening, entries: Vec::new() }
    }

    /// Reads a log. A last line without its end, which was not written completely, is left out.
    ///
    /// # Errors
    /// Returns an error if it is too large or a line is not part of a log.
    pub fn read(text: &str) -> Result<Log, Diagnostic> {
        let error = |what: String| Diagnostic::error_nowhere(Code::Document, what);
        if text.len() > MAX_BYTES {
            return Err(error(format!("the session is larger than {} MB", MAX_BYTES >> 20)));
        }
        let whole = text.rfind('\n').map_or("", |end| &text[..end]);
        let mut lines = whole.split('\n').enumerate().filter(|(_, line)| !line.trim().is_empty());
        let (_, first) =
            lines.next().ok_or_else(|| error("this is no session: the first line is missing".to_owned()))?;
        let opening: Opening = serde_json::from_str(first)
            .map_err(|why| error(format!("line 1 is not the beginning of a session: {why}")))?;
        if opening.ramsey_session != VERSION {
            let what = format!("the session has version {}, not {VERSION}", opening.ramsey_session);
            return Err(error(what).help("another version of ramsey wrote it"));
        }
        let mut entries = Vec::new();
        for (at, line) in lines {
            let entry = serde_json::from_str::<Entry>(line)
                .map_err(|_| error(format!("line {} is no command of a session: {line}", at + 1)))?;
            entries.push(entry);
            if entries.len() > MAX_ENTRIES {
                return Err(error(format!("the session has more than {MAX_ENTRIES} commands")));
            }
        }
        Ok(Log { opening, entries })
    }

    /// Returns the lines of the log.
    ///
    /// # Errors
    /// Fails only if serialization does.
    pub fn text(&self) -> serde_json::Result<String> {
        let mut text = serde_json::to_string(&self.opening)? + "\n";
        for entry in &self.entries {
            text.push_str(&line(entry)?);
        }
        Ok(text)
    }

    /// Returns the digest of the log.
    ///
    /// # Errors
    /// Fails only if serialization does.
    pub fn digest(&self) -> serde_json::Result<String> {
        Ok(sha256(&self.text()?))
    }

    /// Returns the commands that are in effect.
    pub fn in_effect(&self) -> Vec<Command> {
        self.commands().0.into_iter().cloned().collect()
    }

    /// Returns the commands that are in effect, and those that were taken back and can be carried out again, the next
    /// one last.
    pub fn commands(&self) -> (Vec<&Command>, Vec<&Command>) {
        let (mut done, mut undone) = (Vec::new(), Vec::new());
        for entry in &self.entries {
            match entry {
                Entry::Command(command) => {
                    done.push(command);
                    undone.clear();
                }
                Entry::Move(Move::Undo) => undone.extend(done.pop()),
                Entry::Move(Move::Redo) => done.extend(undone.pop()),
            }
        }
        (done, undone)
    }
}

/// Returns an entry as a line of a log.
///
/// # Errors
/// Fails only if serialization does.
pub fn line(entry: &Entry) -> serde_json::Result<String> {
    Ok(serde_json::to_string(entry)? + "\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn note(text: &str) -> Entry {
        Entry::Command(Command::Note { text: text.to_owned() })
    }

    #[test]
    fn logs_are_read_as_they_are_written() {
        let mut log = Log::new("a.pyv", "sort s\n");
        let add = Command::Add { formula: "r(X)".to_owned(), name: None, from: None };
        log.entries =
            vec![Entry::Command(add), Entry::Move(Move::Undo), note("a\nb"), Entry::Move(Move::Redo)];
        let text = log.text().expect("JSON");
        assert_eq!(text.lines().count(), 5);
        assert_eq!(Log::read(&text).expect("a log"), log);
        // The end of a line that was not written is no error.
        let cut = Log::read(&text[..text.len() - 3]).expect("a log");
        assert_eq!(cut.entries, log.entries[..3]);
    }

    #[test]
    fn what_is_no_log_is_refused() {
        let error = |text: &str| Log::read(text).expect_err("no log").message;
        assert!(error("").contains("first line"));
        assert!(error("{}\n").contains("line 1"));
        let good = Log::new("a", "b").text().expect("JSON");
        assert!(error(&good.replace(":1,", ":2,")).contains("version 2"));
        assert!(error(&format!("{good}{{\"do\":\"fly\"}}\n")).contains("line 2"));
        assert!(error(&format!("{good}{{\"do\":\"bound\",\"steps\":3,\"x\":1}}\n")).contains("line 2"));
    }

    #[test]
    fn a_new_command_forgets_what_was_taken_back() {
        let mut log = Log::new("a", "b");
        log.entries = vec![note("1"), note("2"), Entry::Move(Move::Undo), Entry::Move(Move::Undo)];
        let (done, undone) = log.commands();
        assert!(done.is_empty());
        assert_eq!(undone.len(), 2);
        log.entries.push(Entry::Move(Move::Redo));
        assert_eq!(log.commands().0, [&Command::Note { text: "1".to_owned() }]);
        log.entries.push(note("3"));
        assert!(log.commands().1.is_empty());
    }
}
