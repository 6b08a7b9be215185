//! Comments of a source, for what is printed from it in another form.

use std::iter;
use std::sync::Arc;

use ramsey_core::base::hash::Set;
use ramsey_core::base::span::{FileId, Span, line_starts};

/// The comments of a file that have not been printed.
pub(crate) struct Comments {
    file: FileId,
    text: Arc<str>,
    /// Where its lines start.
    starts: Vec<usize>,
    /// The numbers of printed lines, from 0.
    printed: Set<usize>,
}

/// Returns the text of a line that is a comment.
fn comment(line: &str) -> Option<&str> {
    let line = line.trim();
    let text = line.strip_prefix("//").or_else(|| line.strip_prefix('#'))?;
    (!line.starts_with("#lang")).then_some(text)
}

impl Comments {
    /// Creates the comments of a file.
    pub(crate) fn of(file: FileId, text: &str) -> Comments {
        let starts = iter::once(0).chain(line_starts(text.as_bytes())).collect();
        Comments { file, text: text.into(), starts, printed: Set::default() }
    }

    /// Returns the line with this number, with its end.
    fn line(&self, number: usize) -> &str {
        let end = self.starts.get(number + 1).copied().unwrap_or(self.text.len());
        self.text.get(self.starts[number]..end).unwrap_or_default()
    }

    /// Returns the lines about the whole file: those before its first empty line.
    pub(super) fn header(&mut self) -> Vec<String> {
        let mut lines = Vec::new();
        for number in 0..self.starts.len() {
            let line = self.line(number);
            match comment(line) {
                Some(text) => lines.push((number, format!("#{text}"))),
                None if line.trim_start().starts_with("#lang") => {}
                None if line.trim().is_empty() => break,
                // They are about what follows.
                None => return Vec::new(),
            }
        }
        self.printed.extend(lines.iter().map(|&(number, _)| number));
        lines.into_iter().map(|(_, line)| line).collect()
    }

    /// Returns the lines directly above the line of a position.
    pub(super) fn above(&mut self, span: Span) -> Vec<String> {
        if span.file != self.file {
            return Vec::new();
        }
        let at = self.starts.partition_point(|&start| start <= span.start as usize).saturating_sub(1);
        let mut lines = Vec::new();
        for number in (0..at).rev() {
            let Some(line) = comment(self.line(number)).map(|text| format!("#{text}")) else { break };
            if !self.printed.insert(number) {
                break;
            }
            lines.push(line);
        }
        lines.reverse();
        lines
    }
}
