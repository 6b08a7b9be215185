//! Diagnostics as plain data. They are rendered in the outermost layer.

pub mod advice;
mod codes;

pub use codes::{CODES, Code};

use crate::base::span::Span;

/// Severity of a diagnostic.
#[derive(Clone, Copy, PartialEq, Eq, Debug, PartialOrd, Ord)]
pub enum Severity {
    /// The input is correct; the message is information.
    Note,
    /// The input is accepted but probably not intended.
    Warning,
    /// The input is rejected.
    Error,
}

/// A position in the source with a text.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Label {
    /// The position.
    pub span: Span,
    /// Text shown at the position; may be empty for the primary label.
    pub text: String,
}

/// Maximum length of a word in a message, in bytes. Longer ones are names from the input.
const LONG_WORD: usize = 400;

/// Bytes kept at each end of a longer word.
const WORD_END: usize = 60;

/// Cuts the middle out of words that are too long to be read.
fn bounded(text: String) -> String {
    if text.split(char::is_whitespace).all(|word| word.len() <= LONG_WORD) {
        return text;
    }
    let mut short = String::new();
    for piece in text.split_inclusive(char::is_whitespace) {
        if piece.len() <= LONG_WORD {
            short.push_str(piece);
            continue;
        }
        let start = (0..=WORD_END).rev().find(|&at| piece.is_char_boundary(at)).unwrap_or(0);
        let from = piece.len() - WORD_END;
        let end = (from..=piece.len()).find(|&at| piece.is_char_boundary(at)).unwrap_or(piece.len());
        short.push_str(&piece[..start]);
        short.push_str("...");
        short.push_str(&piece[end..]);
    }
    short
}

/// A message about the input. Its texts repeat long words of the input in part.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Diagnostic {
    /// The kind of the diagnostic.
    pub code: Code,
    /// Its severity.
    pub severity: Severity,
    /// One sentence in lower case without a full stop.
    pub message: String,
    /// Main position; `None` if the message concerns no position in a file (for example, a missing file).
    pub primary: Option<Label>,
    /// Further relevant positions.
    pub secondary: Vec<Label>,
    /// Additional facts, one sentence each.
    pub notes: Vec<String>,
    /// Suggested fix.
    pub help: Option<String>,
}

impl Diagnostic {
    /// Creates an error with this code and position.
    pub fn error(code: Code, span: Span, message: impl Into<String>) -> Self {
        Diagnostic {
            code,
            severity: Severity::Error,
            message: bounded(message.into()),
            primary: Some(Label { span, text: String::new() }),
            secondary: Vec::new(),
            notes: Vec::new(),
            help: None,
        }
    }

    /// Creates a warning with this code and position.
    pub fn warning(code: Code, span: Span, message: impl Into<String>) -> Self {
        Diagnostic { severity: Severity::Warning, ..Self::error(code, span, message) }
    }

    /// Creates a note with this code and position.
    pub fn remark(code: Code, span: Span, message: impl Into<String>) -> Self {
        Diagnostic { severity: Severity::Note, ..Self::error(code, span, message) }
    }

    /// Creates a warning without a position.
    pub fn warning_nowhere(code: Code, message: impl Into<String>) -> Self {
        Diagnostic { severity: Severity::Warning, ..Self::error_nowhere(code, message) }
    }

    /// Creates an error without a position.
    pub fn error_nowhere(code: Code, message: impl Into<String>) -> Self {
        Diagnostic {
            code,
            severity: Severity::Error,
            message: bounded(message.into()),
            primary: None,
            secondary: Vec::new(),
            notes: Vec::new(),
            help: None,
        }
    }

    /// Turns a warning into an error.
    #[must_use]
    pub fn into_error(self) -> Self {
        Diagnostic { severity: Severity::Error, ..self }
    }

    /// Sets the text of the primary label.
    #[must_use]
    pub fn label(mut self, text: impl Into<String>) -> Self {
        if let Some(primary) = &mut self.primary {
            primary.text = bounded(text.into());
        }
        self
    }

    /// Adds a secondary label.
    #[must_use]
    pub fn also(mut self, span: Span, text: impl Into<String>) -> Self {
        self.secondary.push(Label { span, text: bounded(text.into()) });
        self
    }

    /// Adds a note.
    #[must_use]
    pub fn note(mut self, text: impl Into<String>) -> Self {
        self.notes.push(bounded(text.into()));
        self
    }

    /// Sets the help.
    #[must_use]
    pub fn help(mut self, text: impl Into<String>) -> Self {
        self.help = Some(bounded(text.into()));
        self
    }
}

/// Returns the candidate nearest to `name` by edit distance, if it is close enough to be what was intended.
pub fn nearest<'a>(name: &str, candidates: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let length = name.chars().count();
    let limit = length.max(3) / 3;
    candidates
        .into_iter()
        // A greater difference in length implies a greater distance. Names may be megabytes long.
        .filter(|candidate| candidate.chars().count().abs_diff(length) <= limit)
        .map(|candidate| (edit_distance(name, candidate), candidate))
        .filter(|&(distance, candidate)| distance <= limit && candidate != name)
        .min()
        .map(|(_, candidate)| candidate)
}

/// Returns the Levenshtein distance, where a transposition of neighbours costs one and case is ignored.
fn edit_distance(a: &str, b: &str) -> usize {
    let a: Vec<char> = a.chars().flat_map(char::to_lowercase).collect();
    let b: Vec<char> = b.chars().flat_map(char::to_lowercase).collect();
    let mut before_last = vec![0; b.len() + 1];
    let mut last: Vec<usize> = (0..=b.len()).collect();
    for i in 1..=a.len() {
        let mut row = vec![i; b.len() + 1];
        for j in 1..=b.len() {
            let substituted = last[j - 1] + usize::from(a[i - 1] != b[j - 1]);
            row[j] = substituted.min(last[j] + 1).min(row[j - 1] + 1);
            if i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1] {
                row[j] = row[j].min(before_last[j - 2] + 1);
            }
        }
        before_last = std::mem::replace(&mut last, row);
    }
    last[b.len()]
}

#[cfg(test)]
mod tests {
    use super::{Code, Diagnostic, nearest};

    #[test]
    fn long_names_are_cut_in_messages() {
        let name = format!("first{}last", "é".repeat(1_000_000));
        let error = Diagnostic::error_nowhere(Code::Undeclared, format!("`{name}` is not declared"))
            .note(format!("it is `{name}`"))
            .help(format!("is `{name}` meant, or `{}`?", "b".repeat(400 - 3)));
        assert!(error.message.starts_with("`firsté") && error.message.ends_with("élast` is not declared"));
        assert!(error.message.len() < 200 && error.message.contains("é...é"));
        assert!(error.notes[0].len() < 200);
        let help = error.help.unwrap_or_default();
        assert!(help.ends_with("bbb`?") && help.len() < 600, "{help}");
    }

    #[test]
    fn suggestions_are_near_or_absent() {
        let names = ["voted", "vote", "decided", "member"];
        assert_eq!(nearest("votd", names), Some("vote"));
        assert_eq!(nearest("mebmer", names), Some("member"));
        assert_eq!(nearest("Decided", names), Some("decided"));
        assert_eq!(nearest("quorum", names), None);
        assert_eq!(nearest("x", names), None);
    }
}
