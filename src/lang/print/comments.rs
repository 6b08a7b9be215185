//! Comments of a source, for what is printed from it in another form.

use std::sync::Arc;

use ramsey_core::base::hash::Set;
use ramsey_core::base::span::{FileId, Span};

/// The comments of a file that have not been printed.
pub(crate) struct Comments {
    file: FileId,
    text: Arc<str>,
    /// Where printed lines start.
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
        Comments { file, text: text.into(), printed: Set::default() }
    }

    /// Returns the lines about the whole file: those before its first empty line.
    pub(super) fn header(&mut self) -> Vec<String> {
        let mut lines = Vec::new();
        let mut start = 0;
        for line in self.text.clone().split_inclusive('\n') {
            match comment(line) {
                Some(text) => lines.push((start, text.trim_end().to_owned())),
                None if line.trim_start().starts_with("#lang") => {}
                None if line.trim().is_empty() => break,
                // They are about what follows.
                None => return Vec::new(),
            }
            start += line.len();
        }
        self.printed.extend(lines.iter().map(|&(start, _)| start));
        lines.into_iter().map(|(_, text)| format!("#{text}")).collect()
    }

    /// Returns the lines directly above the line of a position.
    pub(super) fn above(&mut self, span: Span) -> Vec<String> {
        let mut lines = Vec::new();
        let text = self.text.clone();
        let Some(mut before) = text.get(..span.start as usize).filter(|_| span.file == self.file) else {
            return lines;
        };
        before = &before[..before.rfind('\n').map_or(0, |at| at + 1)];
        while let Some(rest) = before.strip_suffix('\n') {
            let start = rest.rfind('\n').map_or(0, |at| at + 1);
            match comment(&rest[start..]) {
                Some(text) if self.printed.insert(start) => lines.push(format!("#{}", text.trim_end())),
                _ => break,
            }
            before = &before[..start];
        }
        lines.reverse();
        lines
    }
}
